"""A Python machine that never runs your code, goes on where values are unknown, and says what will happen and why.

>>> import codexec
>>> trace = codexec.trace("total = 0\\nfor k in range(3):\\n    total += k\\nprint(total)\\n")
>>> trace.output
'3\\n'
>>> [value.text for value in trace.values("total")]
['0', '1', '3']

| function | what |
|---|---|
| `trace`, `trace_many` | the trace of a program: the lines that run, the values after each, what is printed, how it ends |
| `table` | one table of many traces, for libraries of data frames |
| `check`, `check_many` | whether a program raises, what and where, without running it |
| `guide` | runs a program that misses values; they are predicted |
| `prefix` | code in front of such a program, so that it runs |
| `diff` | whether two versions differ |
| `compare` | a predicted trace beside what CPython does |
| `rerank` | generated programs, the best first |
| `search` | programs of an index that do the same |
| `mutate` | programs like one |

The default engine, `plan`, executes nothing. Functions that execute programs (`engine="run"`, `guide`, `prefix`,
`diff`, `compare`) do so in a sandbox, on Linux.
"""

from codexec import _launcher
from codexec._api import (
    check,
    check_many,
    compare,
    diff,
    guide,
    mutate,
    prefix,
    rerank,
    search,
    trace,
    trace_many,
)
from codexec._codexec import (
    Cause,
    CodexecError,
    EngineError,
    Outcome,
    SandboxError,
    Step,
    Steps,
    Stopped,
    Trace,
    Value,
    __version__,
)
from codexec._notebook import load_ipython_extension
from codexec._results import (
    Call,
    Comparison,
    Coverage,
    Decision,
    Difference,
    Edit,
    Finding,
    Guided,
    Hit,
    Injected,
    Link,
    Mutant,
    Note,
    Prefix,
    PrefixResult,
    Ranked,
    Report,
    Why,
)
from codexec._table import Table, table

_launcher.announce()

__all__ = [
    "Call",
    "Cause",
    "CodexecError",
    "Comparison",
    "Coverage",
    "Decision",
    "Difference",
    "Edit",
    "EngineError",
    "Finding",
    "Guided",
    "Hit",
    "Injected",
    "Link",
    "Mutant",
    "Note",
    "Outcome",
    "Prefix",
    "PrefixResult",
    "Ranked",
    "Report",
    "SandboxError",
    "Step",
    "Steps",
    "Stopped",
    "Table",
    "Trace",
    "Value",
    "Why",
    "__version__",
    "check",
    "check_many",
    "compare",
    "diff",
    "guide",
    "load_ipython_extension",
    "mutate",
    "prefix",
    "rerank",
    "search",
    "table",
    "trace",
    "trace_many",
]
