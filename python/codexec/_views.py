"""Other forms of traces: tables of other libraries, pages, cells of notebooks."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from codexec import _results

if TYPE_CHECKING:
    from codexec._codexec import Trace

#: Steps that a cell of a notebook shows.
CELL = 200

STYLE = """
.codexec { font: 13px/1.45 ui-monospace, monospace; border-collapse: collapse }
.codexec td, .codexec th { padding: 1px 10px; text-align: left; vertical-align: top; white-space: pre-wrap }
.codexec th { border-bottom: 1px solid; font-weight: 600 }
.codexec .n { text-align: right; opacity: .6 }
.codexec caption { text-align: left; padding: 4px 10px }
"""


def to_arrow(trace: Trace) -> Any:
    import pyarrow

    return pyarrow.table(trace)


def to_pandas(trace: Trace) -> Any:
    import pandas

    if hasattr(pandas.DataFrame, "from_arrow"):
        return pandas.DataFrame.from_arrow(trace)
    return to_arrow(trace).to_pandas()


def to_polars(trace: Trace) -> Any:
    import polars

    return polars.DataFrame(trace)


def why(told: tuple[str, str]) -> _results.Why:
    return _results.why(told)


def injected(text: str) -> tuple[_results.Injected, ...]:
    return _results.injected(text)


def decisions(text: str) -> tuple[_results.Decision, ...]:
    return _results.decisions(text)


def table(trace: Trace, most: int | None) -> str:
    """The steps as a table."""
    rows = []
    steps = trace.steps
    shown = steps[:] if most is None else steps[:most]
    several = len(trace.files) > 1
    for step in shown:
        changes = "  ".join(f"{name} = {value}" for name, value in step.changes.items())
        if step.event == "return" and step.value is not None:
            changes = f"{changes}  gives back {step.value}".strip()
        where = f"{trace.files[step.file]}:{step.line}" if several else str(step.line)
        cells = [str(step.index + 1), where, "  " * step.depth + step.source, changes, step.output.rstrip("\n")]
        kinds = ["n", "n", "", "", ""]
        rows.append(
            "<tr>"
            + "".join(
                f'<td class="{kind}">{html.escape(cell)}</td>' if kind else f"<td>{html.escape(cell)}</td>"
                for kind, cell in zip(kinds, cells, strict=True)
            )
            + "</tr>"
        )
    if len(steps) > len(shown):
        rows.append(f'<tr><td></td><td colspan="4">{len(steps) - len(shown)} more steps</td></tr>')
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("step", "line", "source", "what changed", "printed"))
    return (
        f'<table class="codexec"><caption>{html.escape(repr(trace)[1:-1])}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def cell(trace: Trace) -> str:
    """What a notebook shows."""
    return f"<style>{STYLE}</style>{table(trace, CELL)}"
