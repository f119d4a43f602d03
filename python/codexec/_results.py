"""Results other than traces."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from codexec._codexec import Trace

T = TypeVar("T")


def _made(cls: type[T], json: Mapping[str, Any], /, **more: Any) -> T:
    """An instance of a class from a JSON object, which may have additional keys."""
    names = {known.name for known in fields(cls)}  # type: ignore[arg-type]
    return cls(**{key: value for key, value in json.items() if key in names} | more)


class _Shown:
    """Text shown in a notebook."""

    def _repr_html_(self) -> str:
        return f'<pre class="codexec">{html.escape(str(self))}</pre>'


@dataclass(frozen=True)
class Call:
    """A call on the path to an error."""

    function: str
    """The function that calls; `<module>` at the top of a file."""
    line: int
    """Line of the call, from 1."""
    path: str | None = None
    """Its file below the root, where that is another one than the error's."""


@dataclass(frozen=True)
class Finding:
    """A predicted error of a program."""

    kind: str
    """Class of the exception."""
    line: int
    """Line, from 1."""
    column: int
    """First column in characters, from 1."""
    end_line: int
    end_column: int
    """Column behind the last character, from 1."""
    probability: float
    """How probable it is, in 0..=1."""
    message: str
    """The exception's message; empty where it has none."""
    values: str | None = None
    """What the values were, as `'3' + 1: str and int`."""
    when: str | None = None
    """Under which circumstances, as `for 3 of 5 made-up inputs`."""
    calls: tuple[Call, ...] = ()
    """The calls that it is reached through, the outermost first."""
    path: str | None = None
    """Its file below the root, where that is another one than the report's."""
    evidence: str | None = None
    """What it rests on, as `run alone name`: findings with the same words are true equally often."""

    def __str__(self) -> str:
        parts = [f"{self.kind} ({self.probability:.0%})"]
        if self.message:
            parts.append(f": {self.message}")
        parts.extend(f"; {part}" for part in (self.values, self.when) if part)
        return "".join(parts)


@dataclass(frozen=True)
class Note:
    """Something that could not be determined, and why."""

    text: str
    line: int | None = None


@dataclass(frozen=True)
class Report(_Shown):
    """The report on one file. It is true if there are findings, and iterates over them."""

    path: str
    findings: tuple[Finding, ...]
    """Errors, by line."""
    notes: tuple[Note, ...]
    """What could not be said."""
    is_open: bool
    """Whether something of it was not checked to its end; the notes say what."""
    error: float
    """The probability that it raises when it is run, in 0..=1."""

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __bool__(self) -> bool:
        return bool(self.findings)

    def __str__(self) -> str:
        if not self.findings:
            return f"{self.path}: no error found{' (not checked to the end)' if self.is_open else ''}"
        return "\n".join(f"{one.path or self.path}:{one.line}:{one.column}: {one}" for one in self.findings)


def reports(text: str, paths: list[str]) -> list[Report]:
    """Reports from the native module's JSON."""
    found = []
    for one, path in zip(json.loads(text), paths, strict=True):
        told = one or {"own": {"findings": [], "notes": [], "is_open": True, "error": 0.0}, "elsewhere": []}
        one = told["own"]
        all_findings = [(None, finding) for finding in one["findings"]]
        all_findings += [(other["path"], finding) for other in told["elsewhere"] for finding in other["findings"]]
        found.append(
            _made(
                Report,
                one,
                path=path,
                findings=tuple(
                    _made(
                        Finding,
                        finding,
                        path=other,
                        calls=tuple(_made(Call, call) for call in finding.get("calls", ())),
                    )
                    for other, finding in all_findings
                ),
                notes=tuple(_made(Note, note) for note in one["notes"]),
            )
        )
    return found


@dataclass(frozen=True)
class Coverage:
    """The executed share of a program."""

    covered: int
    """Lines executed without crashing."""
    lines: int
    """Lines that count."""

    @property
    def share(self) -> float:
        """In 0..=1; 1 for a program without lines."""
        return self.covered / self.lines if self.lines else 1.0

    def __str__(self) -> str:
        return f"{self.covered} of {self.lines} lines"


@dataclass(frozen=True)
class Injected:
    """A made-up value."""

    line: int
    """Line that missed it, from 1."""
    kind: str
    """`name`, `attribute`, `call` or `import`."""
    name: str
    """What was missing."""
    text: str
    """Text of the value."""
    sure: float | None = None
    """How sure the predictor was, in 0..=1."""
    file: str | None = None
    """The module of the project that the line stands in; `None` for the program itself."""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.file else f"line {self.line}"
        return f"{where}: {self.kind} {self.name} = {self.text}"


@dataclass(frozen=True)
class Decision:
    """An assumption about a made-up value, which could be otherwise."""

    line: int
    """Line that needed it, from 1."""
    what: str
    """What the value is called, as `response.ok`, or the condition on it."""
    taken: str
    """What was taken for granted, in words that follow `what`: `is true`, `is None`, `is not 200`, `raises Timeout`."""
    sure: float
    """How probable that is, in 0..=1."""
    other: bool
    """Whether it is otherwise than planning takes it by itself."""
    file: str | None = None
    """The module of the project that the line stands in; `None` for the program itself."""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.file else f"line {self.line}"
        return f"{where}: {self.what} {self.taken}"


@dataclass(frozen=True)
class Guided(_Shown):
    """The result of running a program with injected values."""

    trace: Trace
    injected: tuple[Injected, ...]
    """What was made up, in order."""
    coverage: Coverage
    covered: frozenset[int] = field(repr=False)
    """The lines that were executed without crashing."""
    lines: frozenset[int] = field(repr=False)
    """The lines that count."""

    def __str__(self) -> str:
        return "\n".join([f"{self.coverage}; {self.trace.outcome}", *map(str, self.injected)])


def injected(text: str) -> tuple[Injected, ...]:
    """Made-up values from the native module's JSON."""
    return tuple(_made(Injected, one) for one in json.loads(text))


def decisions(text: str) -> tuple[Decision, ...]:
    """Decisions from the native module's JSON."""
    return tuple(_made(Decision, one) for one in json.loads(text))


def guided(trace: Trace, text: str) -> Guided:
    """A guided run from the native module's answer."""
    told = json.loads(text)
    return Guided(
        trace=trace,
        injected=tuple(_made(Injected, one) for one in told["injected"]),
        coverage=_made(Coverage, told["coverage"]),
        covered=frozenset(told["covered"]),
        lines=frozenset(told["lines"]),
    )


@dataclass(frozen=True)
class Prefix:
    """Code to prepend to a program."""

    text: str
    coverage: Coverage
    covered: frozenset[int] = field(repr=False)
    """Lines of the program that are executed behind it."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class PrefixResult(_Shown):
    """Prefixes that together run as many lines of a program as possible."""

    prefixes: tuple[Prefix, ...]
    """The smallest set that does, the best one first."""
    coverage: Coverage
    """Of all of them together."""
    runs: int
    """How often the program was run."""

    @property
    def best(self) -> Prefix | None:
        """The prefix with the most executed lines; `None` if none was found."""
        return self.prefixes[0] if self.prefixes else None

    def __str__(self) -> str:
        return "\n".join(f"# {one.coverage}\n{one.text}" for one in self.prefixes)


def prefixes(text: str) -> PrefixResult:
    """Prefixes from the native module's JSON."""
    told = json.loads(text)
    chosen = [told["tried"][number] for number in told["set"]]
    return PrefixResult(
        prefixes=tuple(
            Prefix(one["prefix"], _made(Coverage, one["coverage"]), frozenset(one["covered"])) for one in chosen
        ),
        coverage=_made(Coverage, told["coverage"]),
        runs=told["runs"],
    )


@dataclass(frozen=True)
class Difference(_Shown):
    """The result of comparing two versions."""

    verdict: str
    """`same`, `different` or `not_distinguished`."""
    values: tuple[tuple[str, str | None, str | None], ...] = ()
    """In what they differ, as name, old and new text: variables, `output`, `end` for how they end."""
    where: Mapping[str, str] = field(default_factory=dict)
    """Made-up values with which they do."""
    why: tuple[str, ...] = ()
    """What is open where no difference was found."""
    worlds: int = 0
    """Worlds of made-up values in which both ran."""

    def __str__(self) -> str:
        where = [f"where {name} = {value}" for name, value in self.where.items()]
        values = [f"{name}: {old} != {new}" for name, old, new in self.values]
        return "\n".join([self.verdict.replace("_", " "), *where, *values, *self.why])


def difference(text: str) -> Difference:
    """A difference from the native module's JSON."""
    told = json.loads(text)
    found = told["difference"]
    return Difference(
        verdict=found["outcome"],
        values=tuple((name, old, new) for name, old, new in found.get("values", ())),
        where=dict(found.get("where", ())),
        why=tuple(found.get("why", ())),
        worlds=told["worlds"],
    )


@dataclass(frozen=True)
class Comparison(_Shown):
    """A predicted trace beside CPython's run."""

    predicted: Trace
    actual: Trace
    step: int | None
    """Index of the first step that differs; `None` if they agree."""
    what: Mapping[str, Any] | None
    """What differs there: `kind` is `line`, `state`, `output`, `outcome` or `length`."""
    text: str = field(repr=False)
    """Both beside each other."""

    @property
    def agree(self) -> bool:
        """Whether they agree to the end."""
        return self.step is None

    def __str__(self) -> str:
        return self.text


def comparison(predicted: Trace, actual: Trace, told: tuple[str, str]) -> Comparison:
    """A comparison from the native module's answer."""
    found = json.loads(told[0]) or {}
    return Comparison(predicted, actual, found.get("step"), found.get("what"), told[1])


@dataclass(frozen=True)
class Ranked:
    """A ranked sample."""

    sample: int
    """Which one, from 0."""
    score: float
    """In 0..=1."""
    agreement: float
    """The part of the samples that print what it prints, in 0..=1."""
    passes: int
    """Tests with an expected output that it is predicted to pass."""
    reasons: tuple[str, ...] = field(repr=False)
    """What was found, one line for each test."""


def ranking(text: str) -> list[Ranked]:
    """A ranking from the native module's JSON."""
    return [_made(Ranked, one, reasons=tuple(one["reasons"])) for one in json.loads(text)]


@dataclass(frozen=True)
class Hit:
    """A similar program in an index."""

    id: str
    code: str = field(repr=False)
    score: float
    """The cosine, and 0.2 of the similarity of what both print, where that is known."""
    cosine: float
    """Of the vectors, in -1..=1."""
    output: str | None = None
    """What it prints, where that is known."""
    output_similarity: float | None = None
    """In 0..=1."""


def hits(text: str) -> list[Hit]:
    """Hits from the native module's JSON."""
    return [_made(Hit, one) for one in json.loads(text)]


@dataclass(frozen=True)
class Edit:
    """One application of a mutation operator."""

    operator: str
    """Code of the operator, as `CRP`."""
    site: int
    """Which of the operator's sites, from 0 in the order of the source."""
    seed: int
    range: tuple[int, int]
    """Bytes of the parent that the site is about."""


@dataclass(frozen=True)
class Mutant:
    """A changed program."""

    text: str
    edits: tuple[Edit, ...]
    trace: Trace | None = field(default=None, compare=False, repr=False)
    """What it does, where an engine was asked."""

    def __str__(self) -> str:
        return self.text


def mutants(text: str) -> list[Mutant]:
    """Mutants from the native module's JSON."""
    return [
        Mutant(one["text"], tuple(_made(Edit, edit, range=tuple(edit["range"])) for edit in one["edits"]))
        for one in json.loads(text)
    ]


@dataclass(frozen=True)
class Link:
    """A statement that contributed to a value, an output or an exception."""

    step: int
    """Index of the step, from 0."""
    line: int
    file: int
    function: str
    source: str
    """Text of the line."""
    kind: str
    values: Mapping[str, str]
    """Names and values that matter further on."""
    text: str | None
    """What was printed, or the exception."""
    distance: int
    """Links between it and what was asked for."""
    because: tuple[int, ...]
    """Links that it comes from, by their index."""


@dataclass(frozen=True)
class Why(_Shown):
    """An explanation: links in chronological order."""

    links: tuple[Link, ...]
    cut: bool
    """Whether there are more links further back than were asked for."""
    text: str = field(repr=False)

    def __str__(self) -> str:
        return self.text


def why(told: tuple[str, str]) -> Why:
    """An answer from the native module's JSON and text."""
    answer = json.loads(told[0])

    def link(one: Mapping[str, Any]) -> Link:
        kind = one["kind"]
        return _made(
            Link,
            one,
            step=one["step"] - 1,
            file=one.get("file", 0),
            kind=kind if isinstance(kind, str) else next(iter(kind)),
            values={name: value["text"] for name, value in one.get("values", {}).items()},
            text=one.get("text"),
            because=tuple(one["because"]),
        )

    return Why(tuple(link(one) for one in answer["links"]), answer["cut"], told[1])
