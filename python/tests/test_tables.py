"""Traces as tables of other libraries, which read them without a copy."""

import codexec
import pytest
from conftest import SUM


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


def many():
    return [codexec.trace(SUM, name="sum.py"), codexec.trace("x = (\n"), codexec.trace("print(1)\n", name="one.py")]


def rows_of(traces):
    return [(at, trace.id, *row) for at, trace in enumerate(traces) for row in rows(trace)]


COLUMNS = ["trace", "program", "step", "line", "event", "output"]


def test_many_with_pyarrow(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    traces = many()
    table = codexec.table(traces)
    assert repr(table) == "<Table of 3 traces>"
    for found in (table.to_arrow(), pyarrow.table(table)):
        columns = (found[name].to_pylist() for name in COLUMNS)
        assert list(zip(*columns, strict=True)) == rows_of(traces)
    assert pyarrow.schema(table) == found.schema
    assert pyarrow.schema(traces[0]) == traces[0].to_arrow().schema
    assert found.schema.names[2:] == traces[0].to_arrow().schema.names
    # As rows are read, to a file that is larger than memory, and without a row.
    with pyarrow.RecordBatchReader.from_stream(codexec.table(iter(traces))) as reader:
        with parquet.ParquetWriter(tmp_path / "steps.parquet", reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)
    assert parquet.read_table(tmp_path / "steps.parquet").num_rows == found.num_rows
    assert codexec.table([]).to_arrow().num_rows == 0
    assert codexec.table([traces[1]]).to_arrow().schema == found.schema


def test_rows_are_made_as_they_are_read():
    pyarrow = pytest.importorskip("pyarrow")
    taken = []

    def endless():
        while True:
            taken.append(1)
            yield "for k in range(200):\n    x = k\n"

    reader = pyarrow.RecordBatchReader.from_stream(codexec.table(codexec.trace_many(endless())))
    batches = [next(iter(reader)) for _ in range(3)]
    assert [batch.num_rows for batch in batches] == [8192] * 3
    # A trace goes on in the next batch.
    numbers = [(trace, step) for batch in batches for trace, step in zip(batch["trace"].to_pylist(), batch["step"].to_pylist())]
    length = numbers.index((1, 0))
    assert numbers == [divmod(at, length) for at in range(len(numbers))]
    assert len(taken) <= 3 * 8192 // length + 1 + 64


def test_large_texts_are_several_batches():
    pytest.importorskip("pyarrow")
    lists = "".join(f"x{k} = list(range(1000))\n" for k in range(100))
    trace = codexec.trace(lists + "for k in range(300):\n    y = k\n", max_trace=100 << 20)
    found = trace.to_arrow()
    assert found.nbytes > 64 << 20 and len(found["state"].chunks) == 2
    assert found["step"].to_pylist() == list(range(len(trace)))


def test_an_iterator_is_read_once_and_raises_what_it_raises():
    pyarrow = pytest.importorskip("pyarrow")
    table = codexec.table(iter(many()))
    assert repr(table) == "<Table of traces>"
    assert table.to_arrow().num_rows > 0
    with pytest.raises(codexec.CodexecError, match="were read"):
        table.to_arrow()

    def broken():
        yield codexec.trace("x = 1\n")
        raise LookupError("no more of them")

    with pytest.raises(Exception, match="no more of them"):
        codexec.table(broken()).to_arrow()
    for wrong in (codexec.trace("x = 1\n"), 3, [3]):
        with pytest.raises(TypeError, match="table takes"):
            codexec.table(wrong)
    with pytest.raises(pyarrow.ArrowException, match="Trace"):
        pyarrow.table(codexec.table(iter([3])))


def test_many_with_polars():
    polars = pytest.importorskip("polars")
    traces = many()
    table = codexec.table(traces)
    for frame in (table.to_polars(), polars.DataFrame(table), codexec.table(iter(traces)).to_polars()):
        assert frame.select(COLUMNS).rows() == rows_of(traces)
    programs = [{"source": f"print({k})\n", "name": f"{k}.py"} for k in range(300)]
    frame = polars.DataFrame(codexec.table(codexec.trace_many(programs)))
    printed = frame.group_by("program", maintain_order=True).agg(polars.col("output").str.join(""))
    assert printed.rows() == [(f"{k}.py", f"{k}\n") for k in range(300)]


def test_many_with_pandas():
    pytest.importorskip("pandas")
    traces = many()
    frame = codexec.table(traces).to_pandas()
    assert list(frame[COLUMNS].itertuples(index=False, name=None)) == rows_of(traces)


def test_many_with_duckdb():
    duckdb = pytest.importorskip("duckdb")
    steps = codexec.table(many())
    found = duckdb.sql("select program, count(*) from steps where event = 'line' group by all order by all").fetchall()
    assert found == [("one.py", 1), ("sum.py", 16)]
    # It reads the iterator of a table once.
    steps = codexec.table(iter(many()))
    assert duckdb.sql("select count(distinct program) from steps").fetchall() == [(2,)]
