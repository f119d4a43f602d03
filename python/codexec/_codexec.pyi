"""The native module. Users import its contents from `codexec`."""

from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any, Literal, final, overload

import pandas
import polars
import pyarrow

from codexec._results import Decision, Injected, Why

__all__ = [
    "Cause",
    "CodexecError",
    "EngineError",
    "Outcome",
    "SandboxError",
    "Step",
    "Steps",
    "Stopped",
    "Trace",
    "TraceStream",
    "Value",
    "__version__",
    "check",
    "command",
    "compare",
    "diff",
    "guide",
    "mutants",
    "prefix",
    "rerank",
    "search",
    "table_schema",
    "table_stream",
    "trace_programs",
    "use_launcher",
]

__version__: str

class CodexecError(Exception):
    """Base class of codexec's exceptions."""

class EngineError(CodexecError):
    """An engine is unavailable: a checkpoint, a package or a language model is missing."""

class SandboxError(CodexecError):
    """Nothing can be executed: no Python, or too little isolation. The message names the next step."""

@final
class Value:
    """A value: the text of its `repr`, its type, and its origin."""

    @property
    def text(self) -> str:
        """Its canonical text, shortened for long values: `[1, 2]`; equal to `repr` if that has no
        addresses."""

    @property
    def type(self) -> str:
        """Type: `int`, `list`, `object` for an instance of another class, ..."""

    @property
    def origin(self) -> str:
        """Its origin: `observed`, `computed`, `predicted` or `injected`."""

    @property
    def step(self) -> int:
        """Index of its step."""

    def literal(self) -> Any:
        """The value as an object, if its text is a literal.

        Raises `ValueError` for others, such as `<function>`.
        """

    @staticmethod
    def _restored(json: str, step: int) -> Value: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Outcome:
    """The outcome of a program."""

    @property
    def kind(self) -> str:
        """`finished`, `exited`, `raised`, `timeout`, `step_limit`, `instruction_limit`, `output_limit`, `trace_limit`,
        `memory_limit`, `killed` or `syntax_error`."""

    @property
    def exception(self) -> str | None:
        """Class of the uncaught exception; `None` without one."""

    @property
    def message(self) -> str | None:
        """Its message, or why the program was stopped."""

    @property
    def line(self) -> int | None:
        """Line at which it was raised, from 1."""

    @property
    def file(self) -> int:
        """Index of the file of that line in `Trace.files`; 0 is the program itself."""

    @property
    def step(self) -> int | None:
        """Index of the step at which it was raised; later steps are the unwinding."""

    @property
    def code(self) -> int | None:
        """Exit status of the program, unless it is 0."""

    @staticmethod
    def _restored(json: str) -> Outcome: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Cause:
    """An exception that led to the one of the outcome."""

    @property
    def how(self) -> Literal["cause", "context"]:
        """`cause` after `raise … from …`; `context` if the later exception was raised while this one was handled."""

    @property
    def exception(self) -> str:
        """Class of the exception."""

    @property
    def message(self) -> str:
        """Its message."""

    @property
    def line(self) -> int:
        """Line at which it was raised, from 1; 0 if it never was."""

    @property
    def file(self) -> int:
        """Index of the file of that line in `Trace.files`; 0 is the program itself."""

    @property
    def step(self) -> int | None:
        """Index of the step at which it was raised."""

@final
class Stopped:
    """Where an engine stopped, or an unknown module."""

    @property
    def line(self) -> int | None:
        """Line, from 1, if known."""

    @property
    def file(self) -> int:
        """Index of its file in `Trace.files`."""

    @property
    def why(self) -> str:
        """Why, in words."""

@final
class Step:
    """One event of the program and the state after it."""

    @property
    def index(self) -> int:
        """Index in the trace."""

    @property
    def line(self) -> int:
        """Line of the event, from 1."""

    @property
    def event(self) -> str:
        """`call`, `line` or `return`."""

    @property
    def function(self) -> str:
        """Name of the function of the event; `<module>` at the top level."""

    @property
    def depth(self) -> int:
        """Number of the program's own functions below this one; 0 in the module."""

    @property
    def file(self) -> int:
        """Index of its file in `Trace.files`; 0 is the program itself."""

    @property
    def frame(self) -> int:
        """Number of the frame of `state`."""

    @property
    def source(self) -> str:
        """Text of the line, without its indentation."""

    @property
    def output(self) -> str:
        """Output of the step."""

    @property
    def state(self) -> dict[str, Value]:
        """All names of the frame and their values after the step: a new dictionary."""

    @property
    def changes(self) -> dict[str, Value]:
        """Names that the step bound or changed."""

    @property
    def value(self) -> Value | None:
        """The value returned by a `return`."""

    @property
    def confidence(self) -> float | None:
        """For predictions: the engine's probability of the step, in 0..=1."""

@final
class Steps:
    """The steps of a trace, made on demand."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Step: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Step]: ...
    def __iter__(self) -> Iterator[Step]: ...

@final
class Trace:
    """The steps of an execution and its outcome."""

    @property
    def id(self) -> str:
        """Name of the program: its path, or `<string>`."""

    @property
    def engine(self) -> str:
        """Name of the engine: `plan`, `run`, `guide` or `whole`. Only `run` and `guide` execute the program."""

    @property
    def source(self) -> str | None:
        """Text of the program."""

    @property
    def python(self) -> str | None:
        """Version of the interpreter that executed it, such as `3.11.7`; `None` for predictions."""

    @property
    def steps(self) -> Steps:
        """The steps, in order: a sequence."""

    @property
    def outcome(self) -> Outcome:
        """How it ended."""

    @property
    def causes(self) -> list[Cause]:
        """The exceptions that led to the one of the outcome, as its traceback shows them, the nearest first."""

    @property
    def output(self) -> str:
        """All output."""

    @property
    def files(self) -> list[str]:
        """Paths of the executed files, the program itself first; empty if it is the only one."""

    @property
    def stopped(self) -> Stopped | None:
        """Why the trace stops before its end, if the engine stopped; else `None`."""

    @property
    def unknown(self) -> list[Stopped]:
        """Unknown modules, if the engine continued with their values."""

    @property
    def injected(self) -> tuple[Injected, ...]:
        """Made-up values, in order: from modules that cannot be found, and with `inject=True` for anything missing."""

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Assumptions about made-up values, in order: the results of conditions on them, and their values."""

    @property
    def worlds(self) -> list[Trace]:
        """This trace, and other worlds, in which some of `decisions` differ. As many as `beam` requests, if enough
        differ in their lines or their output; the first ones do not depend on that number."""

    @property
    def truncated(self) -> bool:
        """Whether it ends before the program does: at a limit, or where the engine stopped."""

    @property
    def confidence(self) -> float | None:
        """The probability that all of it is right, in 0..=1, if the engine has one."""

    def values(self, name: str, *, function: str | None = None) -> list[Value]:
        """The values of a variable, one for each step that bound or changed it.

        `function` selects one function; `<module>` is the top level. Raises `KeyError` if no step has the name.
        """

    def value_of(self, name: str, step: int = -1) -> Value:
        """The value of a variable after a step, counted from 0; negative numbers count from the
        end.

        Raises `KeyError` if the step's frame does not have the name.
        """

    def why(
        self,
        name: str | None = None,
        *,
        step: int | None = None,
        output: int | None = None,
        depth: int | None = None,
        width: int = 100,
    ) -> Why:
        """Explains something: the assignments, calls and conditions that contributed to it.

        `name`: a variable, after `step` or at the end. `step` alone: why it is reached. `output`: the line of output
        with this number, or the last one for 0. Without any of them: the exception, else the last output. `depth`:
        maximum links from the value in question. Raises `LookupError` for anything that does not exist.
        """

    def to_json(self, *, states: str = "full") -> str:
        """The JSON form (docs/trace-format.md). `states`: `full`, or `changes`, which is shorter for long traces."""

    @staticmethod
    def from_json(json: str) -> Trace:
        """The trace of a JSON form, of this version or an older one.

        Raises `ValueError` for other strings.
        """

    def to_text(self, *, width: int = 100, all: bool = False) -> str:
        """The text that `codexec trace` prints."""

    def to_arrow(self) -> pyarrow.Table:
        """The rows of `__arrow_c_stream__` as a table of pyarrow."""

    def to_pandas(self) -> pandas.DataFrame:
        """The rows of `__arrow_c_stream__` as a data frame of pandas."""

    def to_polars(self) -> polars.DataFrame:
        """The rows of `__arrow_c_stream__` as a data frame of Polars."""

    def html(self) -> str:
        """A self-contained page that shows it, with its other worlds: `codexec view` in Python."""

    def _repr_html_(self) -> str: ...
    @staticmethod
    def _unread(id: str, why: str, engine: str) -> Trace: ...
    @staticmethod
    def _restored(
        json: str,
        engine: str,
        stopped: tuple[int | None, int, str, bool] | None,
        unknown: Sequence[tuple[int | None, int, str, bool]],
        injected: str,
        decisions: str,
        others: Sequence[Trace],
    ) -> Trace: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Step]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A table with a row for each step, for any reader of Arrow streams."""

    def __arrow_c_schema__(self) -> object:
        """The schema of that table."""

@final
class TraceStream:
    """Traces programs as they are added, and returns the traces in the same order."""

    def __new__(cls, options: dict[str, Any]) -> TraceStream: ...
    @property
    def most(self) -> int:
        """Maximum programs in progress: enough to keep all workers busy beside a slow one."""

    def put(self, program: dict[str, Any]) -> None:
        """Begins a program."""

    def is_ready(self) -> bool:
        """Whether `get` has a trace ready."""

    def get(self) -> Trace:
        """The next trace, once it is ready."""

    def close(self) -> None:
        """Stops running work; finished results are dropped."""

def command(arguments: Sequence[str | PathLike[str]]) -> int:
    """Runs the command line `arguments`, starting with the program's name. Returns its exit status."""

def use_launcher(path: str | PathLike[str]) -> None:
    """Sets the binary that becomes the sandbox."""

def table_stream(traces: Iterator[Trace]) -> object:
    """The steps of many traces as an Arrow stream; an exception of the iterator ends it."""

def table_schema() -> object:
    """The schema of such a stream."""

def trace_programs(programs: Sequence[dict[str, Any]], options: dict[str, Any]) -> list[Trace]:
    """The traces of programs, in their order."""

def check(
    files: Sequence[dict[str, Any]],
    engine: str,
    min_probability: float,
    seed: int,
    options: dict[str, Any],
) -> str:
    """A checker's findings for files, in order."""

def guide(program: dict[str, Any], options: dict[str, Any]) -> tuple[Trace, str]:
    """A guided run: its trace, and the made-up values."""

def prefix(program: dict[str, Any], options: dict[str, Any]) -> str:
    """Code to prepend to a program."""

def diff(old: dict[str, Any], new: dict[str, Any], options: dict[str, Any]) -> str:
    """Whether two versions differ."""

def rerank(samples: Sequence[str], tests: Sequence[dict[str, Any]], options: dict[str, Any]) -> str:
    """Samples, best first."""

def search(index: str | PathLike[str], program: dict[str, Any], top: int, options: dict[str, Any]) -> str:
    """The programs of an index most similar to another."""

def mutants(source: str, count: int, seed: int) -> str:
    """Mutants of a program."""

def compare(predicted: Trace, actual: Trace, width: int) -> tuple[str, str]:
    """The first difference of two traces, and both side by side as text."""
