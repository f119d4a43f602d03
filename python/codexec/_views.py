"""Other forms of traces: tables of other libraries, pages, cells of notebooks."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from codexec import _results

if TYPE_CHECKING:
    from codexec._codexec import Trace
    from codexec._table import Table

#: Maximum steps in a notebook cell.
CELL = 200
#: Maximum made-up values that it names.
MADE_UP = 10

#: Overrides notebooks' own rules for tables.
STYLE = """
.codexec.codexec { font: 13px/1.45 ui-monospace, monospace; border-collapse: collapse; margin: 0 }
.codexec.codexec td, .codexec.codexec th { padding: 1px 10px; text-align: left; vertical-align: top; white-space: pre-wrap }
.codexec.codexec th { border-bottom: 1px solid; font-weight: 600 }
.codexec.codexec .n { text-align: right; opacity: .6 }
.codexec.codexec caption { text-align: left; padding: 4px 10px; white-space: pre-wrap }
.codexec.codexec i { border-bottom: 1px dotted }
"""


def to_arrow(trace: Trace | Table) -> Any:
    import pyarrow

    return pyarrow.table(trace)


def to_pandas(trace: Trace | Table) -> Any:
    import pandas

    if hasattr(pandas.DataFrame, "from_arrow"):
        return pandas.DataFrame.from_arrow(trace)
    return to_arrow(trace).to_pandas()


def to_polars(trace: Trace | Table) -> Any:
    import polars

    return polars.DataFrame(trace)


def why(told: tuple[str, str]) -> _results.Why:
    return _results.why(told)


def injected(text: str) -> tuple[_results.Injected, ...]:
    return _results.injected(text)


def decisions(text: str) -> tuple[_results.Decision, ...]:
    return _results.decisions(text)


def _value(text: str, value: Any) -> str:
    """A value in a cell; one that was made up, or computed from such a value, is highlighted."""
    text = html.escape(text)
    return f'<i title="made up">{text}</i>' if value.origin == "injected" else text


def table(trace: Trace, most: int | None) -> str:
    """The steps as a table."""
    rows = []
    steps = trace.steps
    shown = steps[:] if most is None else steps[:most]
    several = len(trace.files) > 1
    for step in shown:
        changes = [_value(f"{name} = {value}", value) for name, value in step.changes.items()]
        if step.event == "return" and step.value is not None:
            changes.append(_value(f"gives back {step.value}", step.value))
        where = f"{trace.files[step.file]}:{step.line}" if several else str(step.line)
        source, output = html.escape("  " * step.depth + step.source), html.escape(step.output.rstrip("\n"))
        rows.append(
            f'<tr><td class="n">{step.index + 1}</td><td class="n">{html.escape(where)}</td><td>{source}</td>'
            f"<td>{'  '.join(changes)}</td><td>{output}</td></tr>"
        )
    if len(steps) > len(shown):
        rows.append(f'<tr><td></td><td colspan="4">{len(steps) - len(shown)} more steps</td></tr>')
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("step", "line", "source", "what changed", "printed"))
    told = [repr(trace)[1:-1], *(f"made up, {one}" for one in trace.injected[:MADE_UP])]
    if len(trace.injected) > MADE_UP:
        told.append(f"{len(trace.injected) - MADE_UP} more values were made up")
    return (
        f'<table class="codexec"><caption>{html.escape(chr(10).join(told))}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def cell(trace: Trace) -> str:
    """Notebook output."""
    return f"<style>{STYLE}</style>{table(trace, CELL)}"
