"""Data sets of mutants and their traces with Ray Data, and the same for Spark.

```python
import ray
from codexec.ray import MutateTraces

programs = ray.data.read_parquet("programs/")          # a column `source`
made = programs.map_batches(MutateTraces, fn_constructor_kwargs={"count": 20}, concurrency=2, batch_size=64)
made.write_parquet("mutants/")
```

Results for a program depend only on its text, the seed and the options: neither on its partition nor on other programs.
A killed job is run again with `done="mutants/"`: programs with existing rows are left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from codexec import _api

if TYPE_CHECKING:
    import pyarrow

COLUMNS = ("id", "parent", "source", "operators", "outcome", "output", "trace")
"""Columns of what comes out: of each mutant its content id, that of its parent, its text, the operators that made it, how it
ended, what it printed, and its trace as JSON."""


def content_id(source: str) -> str:
    """Key of a program: the beginning of the SHA-256 of its text, in hexadecimal digits."""
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def seed_of(source: str, seed: int) -> int:
    """The seed of a program's mutants, different for each text."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{content_id(source)}".encode()).digest()[:6], "big")


def finished(place: str | Path) -> frozenset[str]:
    """Content ids of the programs with rows in the Parquet files of a directory, or in one file. Empty if there is
    none."""
    import pyarrow.parquet

    place = Path(place)
    files = sorted(place.rglob("*.parquet")) if place.is_dir() else [place] if place.is_file() else []
    found: set[str] = set()
    for file in files:
        found.update(pyarrow.parquet.read_table(file, columns=["parent"])["parent"].to_pylist())
    return frozenset(found)


class MutateTraces:
    """Makes rows of mutants of rows of programs, for `ray.data.Dataset.map_batches`.

    Args:
        count: Mutants of each program; the program itself is a row, too, without operators.
        seed: The same seed gives the same rows.
        engine: Where the traces come from: `run` executes the mutants in the sandbox, `plan` predicts them.
        column: Column of the programs' texts.
        done: A directory of Parquet files, or content ids: these programs are left out.
        workers: Programs that are answered at once by each worker of Ray.
        states: How the traces' states are written: `full` or `changes`.
        **options: Those of `codexec.trace`.
    """

    def __init__(
        self,
        count: int = 10,
        *,
        seed: int = 0,
        engine: Literal["run", "plan"] = "run",
        column: str = "source",
        done: str | Path | Iterable[str] = (),
        workers: int = 1,
        states: Literal["full", "changes"] = "full",
        **options: Any,
    ) -> None:
        self.count, self.seed, self.engine, self.column = count, seed, engine, column
        self.done = finished(done) if isinstance(done, (str, Path)) else frozenset(done)
        self.workers, self.states, self.options = workers, states, options

    def rows(self, sources: Iterable[str]) -> Iterator[dict[str, Any]]:
        """The rows of programs. A program that does not parse has one row, its own."""
        asked: list[dict[str, Any]] = []
        for source in sources:
            parent = content_id(source)
            if parent in self.done:
                continue
            asked.append({"parent": parent, "source": source, "operators": []})
            try:
                mutants = _api.mutate(source, self.count, seed=seed_of(source, self.seed))
            except ValueError:
                continue
            asked.extend(
                {"parent": parent, "source": one.text, "operators": [edit.operator for edit in one.edits]}
                for one in mutants
            )
        traces = _api.trace_many(
            [{"source": one["source"], "name": content_id(one["source"])} for one in asked],
            engine=self.engine,
            workers=self.workers,
            **self.options,
        )
        for one, trace in zip(asked, traces, strict=True):
            yield {
                "id": trace.id,
                **one,
                "outcome": trace.outcome.kind,
                "output": trace.output,
                "trace": trace.to_json(states=self.states),
            }

    def __call__(self, batch: Mapping[str, Sequence[str]]) -> dict[str, list[Any]]:
        """The rows of a batch of programs, as columns."""
        rows = list(self.rows(str(source) for source in batch[self.column]))
        return {name: [row[name] for row in rows] for name in COLUMNS}


def in_arrow(make: MutateTraces) -> Callable[[Iterable[pyarrow.RecordBatch]], Iterator[pyarrow.RecordBatch]]:
    """The same for `pyspark.sql.DataFrame.mapInArrow`, whose schema is [`SPARK_SCHEMA`]:

    ```python
    made = programs.mapInArrow(in_arrow(MutateTraces(20)), SPARK_SCHEMA)
    ```
    """

    def work(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        schema = pyarrow.schema(
            [
                (name, pyarrow.list_(pyarrow.string()) if name == "operators" else pyarrow.string())
                for name in COLUMNS
            ]
        )
        for batch in batches:
            rows = list(make.rows(batch.column(make.column).to_pylist()))
            yield pyarrow.RecordBatch.from_pylist(rows, schema=schema)

    return work


SPARK_SCHEMA = ", ".join(
    f"{name} {'array<string>' if name == 'operators' else 'string'}" for name in COLUMNS
)
"""Columns of what `in_arrow` makes, as Spark takes them."""
