"""The native module. Users import what it has from `codexec`."""

from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any, final, overload

import pandas
import polars
import pyarrow

from codexec._results import Decision, Injected, Why

__all__ = [
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
    """What codexec raises."""

class EngineError(CodexecError):
    """An engine cannot be asked: a checkpoint, a package or a language model cannot be had."""

class SandboxError(CodexecError):
    """Nothing can be executed: no Python, or too little isolation. The message has the next step."""

@final
class Value:
    """A value: the text that `repr` gives, its type, and where it comes from."""

    @property
    def text(self) -> str:
        """Its canonical text, in short for long values: `[1, 2]`; `repr` where that has no addresses."""

    @property
    def type(self) -> str:
        """Type: `int`, `list`, `object` for an instance of another class, ..."""

    @property
    def origin(self) -> str:
        """Where it comes from: `observed`, `computed`, `predicted` or `injected`."""

    @property
    def step(self) -> int:
        """Index of the step that it is of."""

    def literal(self) -> Any:
        """The value as an object, where its text is that of a literal.

        Raises `ValueError` for others, such as `<function>`.
        """

    @staticmethod
    def _restored(json: str, step: int) -> Value: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Outcome:
    """How a program ended."""

    @property
    def kind(self) -> str:
        """`finished`, `exited`, `raised`, `timeout`, `step_limit`, `instruction_limit`, `output_limit`, `trace_limit`,
        `memory_limit`, `killed` or `syntax_error`."""

    @property
    def exception(self) -> str | None:
        """Class of the exception that was not caught; `None` where there is none."""

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
        """Status that the program left with, where that is not 0."""

    @staticmethod
    def _restored(json: str) -> Outcome: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Stopped:
    """Where an engine could not go on, or a module of which nothing is known."""

    @property
    def line(self) -> int | None:
        """Line, from 1, where one is known."""

    @property
    def file(self) -> int:
        """Index of its file in `Trace.files`."""

    @property
    def why(self) -> str:
        """Why, in words."""

@final
class Step:
    """One event of a program and what held after it."""

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
        """Name of the function that the event is in; `<module>` at the top."""

    @property
    def depth(self) -> int:
        """Number of the program's own functions below this one; 0 in the module."""

    @property
    def file(self) -> int:
        """Index of its file in `Trace.files`; 0 is the program itself."""

    @property
    def frame(self) -> int:
        """Number of the frame whose names `state` has."""

    @property
    def source(self) -> str:
        """Text of the line, without its indentation."""

    @property
    def output(self) -> str:
        """What was printed during the step."""

    @property
    def state(self) -> dict[str, Value]:
        """All names of the frame and their values after the step: a new dictionary."""

    @property
    def changes(self) -> dict[str, Value]:
        """What the step bound or changed."""

    @property
    def value(self) -> Value | None:
        """Of a return: what the function gave back."""

    @property
    def confidence(self) -> float | None:
        """Of predictions: the probability that the engine gives the step, in 0..=1."""

@final
class Steps:
    """The steps of a trace, made as they are asked for."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Step: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Step]: ...
    def __iter__(self) -> Iterator[Step]: ...

@final
class Trace:
    """What an execution did, step by step, and how it ended."""

    @property
    def id(self) -> str:
        """What the program is called: its path, or `<string>`."""

    @property
    def engine(self) -> str:
        """Name of the engine: `plan`, `run`, `guide` or `whole`. Of these `run` and `guide` executed the program."""

    @property
    def source(self) -> str | None:
        """Text of the program."""

    @property
    def python(self) -> str | None:
        """Version of the interpreter that executed it, as `3.11.7`; `None` for predictions."""

    @property
    def steps(self) -> Steps:
        """The steps, in order: a sequence."""

    @property
    def outcome(self) -> Outcome:
        """How it ended."""

    @property
    def output(self) -> str:
        """Everything that was printed."""

    @property
    def files(self) -> list[str]:
        """Paths of the files that were executed, the program itself first; empty where that is all."""

    @property
    def stopped(self) -> Stopped | None:
        """Why the trace stops before its end, where the engine could not go on; else `None`."""

    @property
    def unknown(self) -> list[Stopped]:
        """Modules of which nothing is known, where the engine went on with values of theirs."""

    @property
    def injected(self) -> tuple[Injected, ...]:
        """Values that were made up, in order: of modules that cannot be found, and with `inject=True` of whatever is missing."""

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """What was taken for granted of values that were made up, in order: how conditions on them go, and what they are."""

    @property
    def worlds(self) -> list[Trace]:
        """This trace, and other worlds: those in which some of `decisions` are otherwise. As many as `beam` asks for, if so
        many differ in their lines or their output; the first ones are the same however many that is."""

    @property
    def truncated(self) -> bool:
        """Whether it ends before the program does: at a limit, or where the engine could not go on."""

    @property
    def confidence(self) -> float | None:
        """The probability that all of it is right, in 0..=1, where the engine has one."""

    def values(self, name: str, *, function: str | None = None) -> list[Value]:
        """The values that a variable has, one for each step that bound or changed it.

        `function` keeps those of one function; `<module>` is the top. Raises `KeyError` where no step has the name.
        """

    def value_of(self, name: str, step: int = -1) -> Value:
        """The value of a variable after a step, counted from 0, or from the end below 0.

        Raises `KeyError` where the step's frame does not have the name.
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
        """Why something is as it is: the assignments, calls and conditions that had part in it.

        `name`: a variable, after `step` or at the end. `step` alone: why it is reached. `output`: what was printed last, by
        the line of this number unless it is 0. Without any of them: the exception, else the last output. `depth`: most links
        between a link and what is asked for. Raises `LookupError` for what is not there.
        """

    def to_json(self, *, states: str = "full") -> str:
        """The JSON form (docs/trace-format.md). `states`: `full`, or `changes` for short texts of long traces."""

    @staticmethod
    def from_json(json: str) -> Trace:
        """The trace of its JSON form, of this version or an older one.

        Raises `ValueError` for other texts.
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
        """A page that shows it, with its other worlds, and loads nothing: `codexec view` in Python."""

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
        """A table with a row for each step, for every library that reads Arrow streams."""

    def __arrow_c_schema__(self) -> object:
        """The schema of that table."""

@final
class TraceStream:
    """Traces programs as they are put, and gives the traces in the same order."""

    def __new__(cls, options: dict[str, Any]) -> TraceStream: ...
    @property
    def most(self) -> int:
        """Most programs that are on their way at once: so many keep all workers busy beside one that takes long."""

    def put(self, program: dict[str, Any]) -> None:
        """Begins a program."""

    def is_ready(self) -> bool:
        """Whether `get` has a trace to give at once."""

    def get(self) -> Trace:
        """The next trace, when it is there."""

    def close(self) -> None:
        """Ends what goes on; what is ready is dropped."""

def command(arguments: Sequence[str | PathLike[str]]) -> int:
    """Runs the command line `arguments`, the program's name first; its exit status."""

def use_launcher(path: str | PathLike[str]) -> None:
    """Names the binary that becomes the sandbox."""

def table_stream(traces: Iterator[Trace]) -> object:
    """The steps of many traces as an Arrow stream; what the iterator raises ends it."""

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
    """What a checker says of files, in their order."""

def guide(program: dict[str, Any], options: dict[str, Any]) -> tuple[Trace, str]:
    """A guided run: its trace, and what was made up."""

def prefix(program: dict[str, Any], options: dict[str, Any]) -> str:
    """Code to put in front of a program."""

def diff(old: dict[str, Any], new: dict[str, Any], options: dict[str, Any]) -> str:
    """Whether two versions differ."""

def rerank(samples: Sequence[str], tests: Sequence[dict[str, Any]], options: dict[str, Any]) -> str:
    """Samples from the best on."""

def search(index: str | PathLike[str], program: dict[str, Any], top: int, options: dict[str, Any]) -> str:
    """The programs of an index that are most like another."""

def mutants(source: str, count: int, seed: int) -> str:
    """Mutants of a program."""

def compare(predicted: Trace, actual: Trace, width: int) -> tuple[str, str]:
    """The first difference of two traces, and both beside each other as text."""
