"""What the tests of the package share. They test the package that is installed."""

import codexec
import pytest


@pytest.fixture(scope="session")
def sandbox():
    """Skips where nothing can be executed, unless CODEXEC_TESTS_REQUIRE_SANDBOX is set."""
    import os

    try:
        codexec.trace("", engine="run")
    except codexec.SandboxError as error:
        if os.environ.get("CODEXEC_TESTS_REQUIRE_SANDBOX"):
            raise
        pytest.skip(f"no sandbox: {error}")


SUM = """\
def add(a, b):
    return a + b

total = 0
for k in range(4):
    total = add(total, k)
print(total)
"""


@pytest.fixture
def summed():
    return codexec.trace(SUM)
