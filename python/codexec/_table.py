"""One table of many traces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from codexec import _codexec, _views
from codexec._codexec import CodexecError, Trace

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Table:
    """The steps of many traces as one table: the result of `table`.

    It is an Arrow stream (`__arrow_c_stream__`, `__arrow_c_schema__`), whose rows are produced on demand.
    """

    def __init__(self, traces: Iterable[Trace]) -> None:
        if isinstance(traces, Trace) or not isinstance(traces, Iterable):
            raise TypeError("table takes an iterable of traces; put the trace into a list")
        if isinstance(traces, Sequence):
            for one in traces:
                if not isinstance(one, Trace):
                    raise TypeError(f"table takes traces, and not {type(one).__name__}")
        self._traces: Iterable[Trace] | None = traces

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A stream for any consumer."""
        if self._traces is None:
            raise CodexecError("the traces of an iterator were read; make a list of them to read them again")
        traces = iter(self._traces)
        if isinstance(self._traces, Iterator):
            self._traces = None
        return _codexec.table_stream(traces)

    def __arrow_c_schema__(self) -> object:
        """Its schema."""
        return _codexec.table_schema()

    def to_arrow(self) -> pyarrow.Table:
        """A table of pyarrow."""
        made: pyarrow.Table = _views.to_arrow(self)
        return made

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame of pandas."""
        made: pandas.DataFrame = _views.to_pandas(self)
        return made

    def to_polars(self) -> polars.DataFrame:
        """A data frame of Polars."""
        made: polars.DataFrame = _views.to_polars(self)
        return made

    def __repr__(self) -> str:
        traces = self._traces
        if traces is None:
            return "<Table of traces that were read>"
        return f"<Table of {len(traces)} traces>" if isinstance(traces, Sequence) else "<Table of traces>"


def table(traces: Iterable[Trace], /) -> Table:
    """One table of the steps of many traces, for Polars, pandas, DuckDB, pyarrow and other readers of Arrow streams.

    Its columns are those of one trace (`Trace.__arrow_c_stream__`), preceded by `trace`, the number of the trace from
    0, and `program`, the name of its program (`Trace.id`). A trace without steps has no rows.

    >>> traces = codexec.trace_many({"source": f"x = {k}\\n", "name": f"{k}.py"} for k in range(3))
    >>> codexec.table(traces).to_polars().select("program", "line", "source").rows()
    [('0.py', 1, 'x = 0'), ('1.py', 1, 'x = 1'), ('2.py', 1, 'x = 2')]

    Args:
        traces: A list, or an iterator such as `trace_many`, whose programs are traced as rows are read: memory is that of
            some of them. An iterator is read once.
    """
    return Table(traces)
