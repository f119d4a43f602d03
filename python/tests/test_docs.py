"""The examples of the documentation and of the docstrings do what they say."""

import doctest
from pathlib import Path

import codexec
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


@pytest.mark.skipif(not PAGE.is_file(), reason="no clone around the tests")
def test_page(sandbox):
    failed, count = doctest.testfile(str(PAGE), module_relative=False)
    assert count > 10 and failed == 0


def test_docstrings(sandbox):
    failed, count = doctest.testmod(codexec)
    assert count and failed == 0
    failed, count = doctest.testmod(codexec._api, extraglobs={"codexec": codexec})
    assert count > 8 and failed == 0
    pytest.importorskip("polars")
    failed, count = doctest.testmod(codexec._table, extraglobs={"codexec": codexec})
    assert count and failed == 0
