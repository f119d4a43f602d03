"""Mutants and traces at scale: the same rows whatever the partition, and none twice."""

import json

import codexec
import pytest
from codexec.ray import COLUMNS, MutateTraces, content_id, finished, in_arrow

PROGRAMS = [f"x = {k}\nfor k in range(x):\n    print(k * x)\n" for k in range(1, 7)] + ["x = (\n"]


def keyed(rows):
    return sorted((row["parent"], row["id"], row["source"], tuple(row["operators"]), row["trace"]) for row in rows)


def test_rows_do_not_depend_on_the_partition():
    make = MutateTraces(4, engine="plan")
    whole = list(make.rows(PROGRAMS))
    parts = [row for source in reversed(PROGRAMS) for row in make.rows([source])]
    assert keyed(whole) == keyed(parts)
    assert len(whole) == 6 * 5 + 1
    assert keyed(whole) != keyed(MutateTraces(4, engine="plan", seed=1).rows(PROGRAMS))
    for row in whole:
        assert row["id"] == content_id(row["source"])
        trace = codexec.Trace.from_json(row["trace"])
        assert trace.output == row["output"] and trace.outcome == row["outcome"]
    assert whole[-1]["outcome"] == "syntax_error" and whole[-1]["operators"] == []


def test_batches_have_columns_and_done_programs_are_left_out():
    make = MutateTraces(2, engine="plan", done=[content_id(PROGRAMS[0])])
    made = make({"source": PROGRAMS[:2]})
    assert tuple(made) == COLUMNS
    assert set(made["parent"]) == {content_id(PROGRAMS[1])}


def test_arrow_batches():
    pyarrow = pytest.importorskip("pyarrow")
    batches = [pyarrow.RecordBatch.from_pylist([{"source": source}]) for source in PROGRAMS[:2]]
    made = list(in_arrow(MutateTraces(2, engine="plan"))(batches))
    assert [batch.num_rows for batch in made] == [3, 3]
    assert made[0].schema.names == list(COLUMNS)


def test_ray_with_two_workers_goes_on_where_it_was(sandbox, tmp_path):
    ray = pytest.importorskip("ray")
    pytest.importorskip("pyarrow")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        place = str(tmp_path / "mutants")

        def build(programs, **more):
            made = ray.data.from_items([{"source": source} for source in programs]).map_batches(
                MutateTraces, fn_constructor_kwargs={"count": 3, **more}, concurrency=2, batch_size=2
            )
            made.write_parquet(place, mode="append")

        build(PROGRAMS[:3])
        assert finished(place) == {content_id(source) for source in PROGRAMS[:3]}
        build(PROGRAMS, done=place)
        rows = ray.data.read_parquet(place).take_all()
    finally:
        ray.shutdown()
    assert keyed(rows) == keyed(MutateTraces(3).rows(PROGRAMS))
    assert all(json.loads(row["trace"])["engine"] == "run" for row in rows)
