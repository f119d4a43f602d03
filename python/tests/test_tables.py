"""Traces as tables of other libraries, which read them without a copy."""

import pytest


def rows(trace):
    return [(step.index, step.line, step.event, step.output) for step in trace.steps]


def test_pyarrow(summed):
    pyarrow = pytest.importorskip("pyarrow")
    table = summed.to_arrow()
    assert table.num_rows == len(summed)
    assert table.schema.field("state").type == pyarrow.map_(pyarrow.string(), pyarrow.string())
    columns = (table[name].to_pylist() for name in ("step", "line", "event", "output"))
    assert list(zip(*columns, strict=True)) == rows(summed)
    assert dict(table["changes"].to_pylist()[1]) == {"total": "0"}
    assert dict(table["state"].to_pylist()[-1])["total"] == "6"


def test_polars(summed):
    polars = pytest.importorskip("polars")
    frame = summed.to_polars()
    assert frame.select("step", "line", "event", "output").rows() == rows(summed)
    assert frame.filter(polars.col("event") == "call").height == 4


def test_pandas(summed):
    pytest.importorskip("pandas")
    frame = summed.to_pandas()
    assert list(frame[["step", "line", "event", "output"]].itertuples(index=False, name=None)) == rows(summed)


def test_duckdb(summed):
    duckdb = pytest.importorskip("duckdb")
    steps = summed.to_arrow()
    assert duckdb.sql("select count(*) from steps where event = 'return'").fetchall() == [(4,)]
