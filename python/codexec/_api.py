"""The functions of the package."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Union

from codexec import _codexec, _results
from codexec._codexec import CodexecError, Trace
from codexec._functions import versions
from codexec._programs import Root, Source, checked_text, is_path, program, read
from codexec._results import (
    Comparison,
    Difference,
    Guided,
    Hit,
    Mutant,
    PrefixResult,
    Ranked,
    Report,
)

logger = logging.getLogger("codexec")

#: Arguments that may differ between programs.
OF_ONE = ("stdin", "args", "env", "root", "name")

Engine = Literal["plan", "run", "guide", "whole"]
Fold = Literal["methods", "operators", "nothing"]
Packages = Union[bool, str, Sequence[str]]
Paths = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]


def _paths(given: Paths) -> list[str]:
    """A path or several."""
    if isinstance(given, (str, os.PathLike)):
        return [os.fspath(given)]
    return [os.fspath(one) for one in given]


def _number(value: Any, what: str, types: type | tuple[type, ...]) -> Any:
    """A value that is a number."""
    if not isinstance(value, types) or isinstance(value, bool):
        raise TypeError(f"{what} is a number, and not {value!r}")
    return value


def _options(
    *,
    engine: str = "plan",
    max_steps: int | None = None,
    max_trace: int | None = None,
    timeout: float | None = None,
    fold: str = "methods",
    beam: int | None = None,
    inject: bool = False,
    references: bool = False,
    model: str | os.PathLike[str] | None = None,
    packages: Packages | None = None,
    packages_dir: Paths = (),
    path: Paths = (),
    python: str | os.PathLike[str] | None = None,
    unsafe_no_sandbox: bool = False,
    seed: int = 0,
    workers: int = 0,
) -> dict[str, Any]:
    """Options in the native module's form."""
    if packages is None:
        packages = engine == "guide"
    names = [packages] if isinstance(packages, str) else [] if isinstance(packages, bool) else list(packages)
    for value, what, most in (
        (max_steps, "max_steps", 2**32 - 1),
        (max_trace, "max_trace", 128 << 20),
        (beam, "beam", 64),
    ):
        if value is not None and not 1 <= _number(value, what, int) <= most:
            raise ValueError(f"{what} is a number from 1 to {most}")
    if timeout is not None and not 0 < _number(timeout, "timeout", (int, float)) <= 86_400:
        raise ValueError("timeout is a number of seconds, more than 0 and at most a day")
    if _number(workers, "workers", int) < 0:
        raise ValueError("workers is the number of programs that are answered at once, or 0 for one per core")
    return {
        "engine": engine,
        "max_steps": max_steps,
        "max_trace": max_trace,
        "timeout": timeout,
        "fold": fold,
        "beam": beam,
        "inject": inject,
        "references": references,
        "model": None if model is None else os.fspath(model),
        "installed": bool(packages),
        "packages": names,
        "packages_dir": _paths(packages_dir),
        "path": _paths(path),
        "python": None if python is None else os.fspath(python),
        "unsafe_no_sandbox": unsafe_no_sandbox,
        "seed": seed,
        "workers": workers,
    }


def trace(
    program_: Source | None = None,
    /,
    *call: object,
    module: str | None = None,
    engine: Engine = "plan",
    args: Sequence[str] = (),
    stdin: str | None = None,
    env: Mapping[str, str] | None = None,
    root: Root = None,
    name: str | None = None,
    max_steps: int = 1024,
    max_trace: int | None = None,
    timeout: float | None = None,
    fold: Fold = "methods",
    beam: int | None = None,
    inject: bool = False,
    references: bool = False,
    model: str | os.PathLike[str] | None = None,
    packages: Packages | None = None,
    packages_dir: Paths = (),
    path: Paths = (),
    python: str | os.PathLike[str] | None = None,
    unsafe_no_sandbox: bool = False,
) -> Trace:
    """The trace of a program.

    The outcome of the program, even a syntax error, is the trace's `outcome`, not an exception.

    >>> codexec.trace("print(6 * 7)").output
    '42\\n'
    >>> codexec.trace("x = [1, 2][2]").outcome.exception
    'IndexError'

    Args:
        program_: A program's text, its path, a directory with a `__main__.py`, or a function.
        *call: Arguments of the function: literals, functions, classes, what its module names, and containers of these. The
            program that is traced has the statements of the module that the call needs, and binds `result` to its value.
        module: The program's name as a module, as in `python -m MODULE`, in place of `program_`. It is found in `root`, or in
            the working directory.
        engine: `plan` predicts it, and executes nothing. `run` executes it by CPython in the sandbox. `guide` does so with
            predicted values for what is missing. `whole` lets a network write it in one piece; wheels have none, so it
            needs `model`.
        args: The program's `sys.argv[1:]`.
        stdin: Its standard input; empty by default.
        env: Variables of its environment, besides those of the sandbox.
        root: Directory of its project: its modules can be imported and its files read, and it is never written. By
            default the directory of the program's file, or of the package of a function's module; none for a text, and for
            functions of installed packages. `False`: none.
        name: What the program is called in its trace.
        max_steps: Most steps.
        max_trace: Most text of what all steps change and print, in bytes; 2 MiB by default.
        timeout: Seconds that it may run, 1 by default; of `plan` CPU seconds, 10 by default.
        fold: What `plan` computes; a network is asked for the rest. `methods`: all that it can, and nobody is asked.
            `operators`: operators alone. `nothing`: the network answers everything.
        beam: Worlds that planning goes on in where a value is made up or a network is unsure (`Trace.worlds`), or hypotheses
            of `whole`.
        inject: Whether `plan` makes up names that nobody binds, files and input that are not there, too. Without it, what comes
            of modules that cannot be found and of functions that are not modelled is made up; `Trace.injected` has it all.
        references: Whether values of `to_json` have numbers of their objects.
        model: A checkpoint directory in place of the network of the package.
        packages: Installed packages that the program may import, with what they require; `True` for all. Those of a near
            environment (`VIRTUAL_ENV`, `.venv`), of `python`, or of the usual interpreter. None by default; all by default
            with `guide`.
        packages_dir: Directories of packages.
        path: Directories in which modules are found, behind the root and before the standard library.
        python: The interpreter that executes programs, and whose packages are meant; the first `python3` on the path by
            default. What `plan` says is CPython 3.11's whichever it is.
        unsafe_no_sandbox: Execute programs even where the machine cannot isolate them.

    Raises:
        CodexecError: The program cannot be read, or what a function needs cannot be had.
        SandboxError: Nothing can be executed.
        EngineError: A package or a checkpoint is not there.
    """
    options = _options(
        engine=engine,
        max_steps=max_steps,
        max_trace=max_trace,
        timeout=timeout,
        fold=fold,
        beam=beam,
        inject=inject,
        references=references,
        model=model,
        packages=packages,
        packages_dir=packages_dir,
        path=path,
        python=python,
        unsafe_no_sandbox=unsafe_no_sandbox,
        workers=1,
    )
    asked = program(program_, call, module=module, stdin=stdin, args=args, env=env, root=root, name=name)
    (found,) = _codexec.trace_programs([asked], options)
    if found.stopped is not None:
        logger.info("%s: planning stopped: %s", found.id, found.stopped)
    return found


def trace_many(
    programs: Iterable[Source | Mapping[str, Any]],
    /,
    *,
    workers: int = 0,
    progress: bool = False,
    engine: Engine = "plan",
    **options: Any,
) -> Iterator[Trace]:
    """Yields the traces of programs in their order, each as soon as it and those before it are ready.

    Programs are taken from the iterable on demand: as many as keep all workers busy, 64 or four for each worker.
    Closing the generator, or an interrupt, ends the work.

    A program is a string, a path or a function, as for `trace`, or a mapping of the arguments of `trace` that differ
    from program to program, with its text or path under `program` (or `source`, `code`, `path`), or its `module`:
    `stdin`, `args`, `env`, `root`, `name`, `call`; other keys of a row are ignored. An invalid or unreadable program
    has a trace with the outcome `killed` and the reason: it never affects the other traces.

    >>> [trace.output for trace in codexec.trace_many(["print(1)", "print(2)"])]
    ['1\\n', '2\\n']

    Args:
        workers: Programs that are answered at once; 0 for one per core.
        progress: Whether the number of programs that are done is written to standard error, or shown by tqdm where it is
            installed.
        **options: Those of `trace`.
    """
    if isinstance(programs, (str, os.PathLike)):
        raise TypeError("trace_many takes an iterable of programs; put the program into a list")
    each: dict[str, Any] = {name: options.pop(name) for name in OF_ONE if name in options}
    chosen = _options(engine=engine, workers=workers, **{"max_steps": 1024, **options})
    return _traces(programs, chosen, each, progress)


def _traces(
    programs: Iterable[Source | Mapping[str, Any]],
    options: dict[str, Any],
    each: Mapping[str, Any],
    progress: bool,
) -> Iterator[Trace]:
    count = len(programs) if progress and isinstance(programs, Sized) else None
    stream = _codexec.TraceStream(options)
    left = iter(programs)
    #: For each started program without a yielded trace, its replacement if it cannot be read.
    begun: deque[_Unread | None] = deque()
    is_over, failure = False, None
    with _Progress(count, progress) as bar, contextlib.closing(stream):
        while True:
            new = 0
            # At first a ready trace does not wait for later programs; then ever more of them are in progress, up to
            # the maximum.
            while not is_over and len(begun) < stream.most and (new < 2 or not (begun[0] or stream.is_ready())):
                try:
                    asked = _asked(next(left), each)
                    if isinstance(asked, dict):
                        stream.put(asked)
                except StopIteration:
                    is_over = True
                except Exception as error:
                    # The traces before it come first.
                    is_over, failure = True, error
                else:
                    begun.append(asked if isinstance(asked, _Unread) else None)
                    new += 1
            if not begun:
                if failure is not None:
                    raise failure
                return
            unread = begun.popleft()
            found = stream.get() if unread is None else unread.trace(options["engine"])
            bar.step()
            yield found


class _Unread:
    """An unreadable program."""

    def __init__(self, name: str, why: str) -> None:
        self.name, self.why = name, why

    def trace(self, engine: str) -> Trace:
        return _codexec.Trace._unread(self.name, self.why, engine)


def _asked(given: Source | Mapping[str, Any] | None, each: Mapping[str, Any]) -> dict[str, Any] | _Unread:
    """One of many programs."""
    more: dict[str, Any] = {}
    call: Sequence[object] = ()
    if isinstance(given, Mapping):
        more = {key: given[key] for key in OF_ONE if given.get(key) is not None}
        call = given.get("call", ())
        keys = [key for key in ("program", "source", "code", "path", "module") if key in given]
        if not keys:
            raise TypeError(f"a program is under program, source, code, path or module; this row has {', '.join(given)}")
        key = next((key for key in keys if given[key] is not None), keys[0])
        if key == "module":
            more["module"], given = given[key], None
        else:
            given = Path(given[key]) if key == "path" and given[key] is not None else given[key]
    try:
        return program(given, call, **{**each, **more})
    except (CodexecError, TypeError, ValueError) as error:
        logger.warning("%s", error)
        known = str(more.get("module") or (given if is_path(given) else "<string>"))
        return _Unread(known, str(error))


class _Progress:
    """Number of finished programs."""

    def __init__(self, count: int | None, shown: bool) -> None:
        self.count, self.done, self.bar, self.shown = count, 0, None, shown
        if shown:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self.bar = tqdm(total=count, unit="program")

    def __enter__(self) -> _Progress:
        return self

    def step(self) -> None:
        self.done += 1
        if self.bar is not None:
            self.bar.update()
        elif self.shown and (self.done % 10 == 0 or self.done == self.count):
            of = f" of {self.count}" if self.count is not None else ""
            print(f"\r{self.done}{of} programs", end="", file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()
        elif self.shown and self.done:
            print(file=sys.stderr)


def compare(
    program_: Source | None = None,
    /,
    *call: object,
    engine: Literal["plan", "whole"] = "plan",
    width: int = 100,
    **options: Any,
) -> Comparison:
    """A predicted trace beside CPython's run in the sandbox.

    >>> codexec.compare("print(6 * 7)").agree
    True

    Args:
        width: Columns of `Comparison.text`.
        **options: Those of `trace`.
    """
    predicted = trace(program_, *call, engine=engine, **options)
    of_run = {key: value for key, value in options.items() if key not in ("fold", "beam", "inject", "model")}
    actual = trace(program_, *call, engine="run", **of_run)
    return _results.comparison(predicted, actual, _codexec.compare(predicted, actual, width))


def check(
    program_: str | os.PathLike[str],
    /,
    *,
    engine: Literal["plan", "ipa", "combined"] = "plan",
    stdin: str | None = None,
    description: str | None = None,
    root: Root = None,
    min_probability: float = 0.5,
    seed: int = 0,
    max_steps: int | None = None,
    timeout: float | None = None,
    packages: Packages = False,
    model: str | os.PathLike[str] | None = None,
) -> Report:
    """Predicts whether a program raises, what and where, without running it.

    >>> report = codexec.check("values = []\\nprint(sum(values) / len(values))\\n")
    >>> [(finding.kind, finding.line) for finding in report]
    [('ZeroDivisionError', 2)]

    Args:
        program_: A program's text, or its path. Modules that a file imports are found in its project.
        engine: What checks it: planned execution, the Exception IPA-GNN, or both weighed.
        stdin: Standard input. Without it a program that reads some is checked with made-up inputs.
        description: Its input in words, which the IPA-GNN reads.
        root: Directory of its project; found from the packages that the file is in by default. `False`: none.
        min_probability: Findings below it are left out, in 0..=1.
        seed: Seed of made-up inputs.
        max_steps: Steps that it is followed; 4,096 by default.
        timeout: CPU seconds that planning it may take; 10 by default.
        packages: Installed packages that are followed.
        model: A checkpoint directory in place of the network of the package.

    Raises:
        CodexecError: The program cannot be read. A syntax error is a finding.
    """
    if is_path(program_):
        if os.path.isdir(program_):
            raise CodexecError(f"{program_}: a directory; check_many checks its files")
        source, place = read(Path(program_)), Path(program_)
    else:
        source, place = checked_text(program_), None
    file = _file(source, place, root, stdin, description)
    return _check([file], engine, min_probability, seed, max_steps, timeout, packages, model, 1)[0]


def check_many(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    /,
    *,
    engine: Literal["plan", "ipa", "combined"] = "plan",
    root: Root = None,
    min_probability: float = 0.5,
    seed: int = 0,
    max_steps: int | None = None,
    timeout: float | None = None,
    packages: Packages = False,
    model: str | os.PathLike[str] | None = None,
    workers: int = 0,
) -> list[Report]:
    """Checks files in order; a directory stands for the `.py` files below it.

    An unreadable file has a report whose note gives the reason.
    """
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    files: list[Path] = []
    for one in map(Path, given):
        files.extend(sorted(one.rglob("*.py")) if one.is_dir() else [one])
    read_, reports = [], {}
    for at, path in enumerate(files):
        try:
            read_.append((at, _file(read(path), path, root, None, None)))
        except CodexecError as error:
            reports[at] = Report(str(path), (), (_results.Note(str(error)),), True, 0.0)
    found = _check(
        [file for _, file in read_], engine, min_probability, seed, max_steps, timeout, packages, model, workers
    )
    reports.update(zip((at for at, _ in read_), found, strict=True))
    return [reports[at] for at in range(len(files))]


def _file(
    source: str, path: Path | None, root: Root, stdin: str | None, description: str | None
) -> dict[str, Any]:
    in_project = path is not None and root is not False
    named = None if root is None or isinstance(root, bool) else os.fspath(root)
    return {
        "path": "<string>" if path is None else str(path),
        "source": source,
        "stdin": stdin,
        "description": description,
        "file": str(path) if in_project else None,
        "root": named,
    }


def _check(
    files: list[dict[str, Any]],
    engine: str,
    min_probability: float,
    seed: int,
    max_steps: int | None,
    timeout: float | None,
    packages: Packages,
    model: str | os.PathLike[str] | None,
    workers: int,
) -> list[Report]:
    if not files:
        return []
    options = _options(max_steps=max_steps, timeout=timeout, packages=packages, model=model, workers=workers)
    told = _codexec.check(files, engine, min_probability, seed, options)
    return _results.reports(told, [file["path"] for file in files])


def guide(
    program_: Source,
    /,
    *call: object,
    stdin: str | None = None,
    args: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    root: Root = None,
    name: str | None = None,
    **options: Any,
) -> Guided:
    """Runs a program with missing values in the sandbox; they are predicted and injected (LExecutor).

    >>> codexec.guide("total = price * 1.2\\nprint(total)\\n").coverage.share
    1.0

    Args:
        **options: `seed`, `timeout` (5 seconds by default), `max_steps` (10,000 by default), `max_trace`, `packages` (all by
            default), `packages_dir`, `path`, `python`, `unsafe_no_sandbox`, as of `trace`.
    """
    asked = program(program_, call, stdin=stdin, args=args, env=env, root=root, name=name)
    return _results.guided(*_codexec.guide(asked, _options(engine="guide", **options)))


def prefix(
    program_: Source,
    /,
    *call: object,
    stdin: str | None = None,
    args: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    root: Root = None,
    name: str | None = None,
    **options: Any,
) -> PrefixResult:
    """Code to prepend to a program with missing values, so that as many of its lines as possible run (Treefix).

    >>> codexec.prefix("print(price * 2)\\n").coverage.share
    1.0

    Args:
        **options: Those of `guide`.
    """
    asked = program(program_, call, stdin=stdin, args=args, env=env, root=root, name=name)
    return _results.prefixes(_codexec.prefix(asked, _options(engine="guide", **options)))


def diff(
    old: Source,
    new: Source,
    /,
    *,
    stdin: str | None = None,
    args: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    root: Root = None,
    **options: Any,
) -> Difference:
    """Compares two versions of a program, complete or not: both are run with the same injected values, and functions
    defined in both are called with the same plain ones.

    >>> codexec.diff("print(a + 1)", "print(1 + a)").verdict
    'same'

    Args:
        old: A program's text, its path, or a function: then both are. What a function refers to is taken from its module, as
            for `trace`, and compared, too, where both have it.
        new: The other one. A function may have another name; its parameters are given in order.
        **options: Those of `guide`.
    """
    if callable(old) != callable(new):
        raise TypeError("diff takes two functions or two programs, and not one of each")
    both = versions(old, new) if callable(old) and callable(new) else [(old, root, None), (new, root, None)]
    before, after = (
        program(one, stdin=stdin, args=args, env=env, root=place if root is None else root, name=name)
        for one, place, name in both
    )
    return _results.difference(_codexec.diff(before, after, _options(engine="guide", **options)))


def rerank(
    samples: Sequence[str],
    tests: Iterable[tuple[str, str | None] | Mapping[str, str | None]],
    /,
    *,
    engine: Literal["plan", "run"] = "plan",
    **options: Any,
) -> list[Ranked]:
    """Ranks generated programs by predicted output, best first; with `plan` none of them is run.

    >>> samples = ["print(int(input()) + 2)", "print(int(input()) * 2)"]
    >>> [ranked.sample for ranked in codexec.rerank(samples, [("3\\n", "6\\n")])]
    [1, 0]

    Args:
        samples: The programs.
        tests: Of each test a standard input and what is printed for it; or a mapping: `input` or `call`, and `expected`, as
            `{"call": "f(2)", "expected": "[1, 2]"}`. Tests without an expected result rank by agreement.
        **options: Those of `trace`.
    """
    asked = []
    for test in tests:
        if not isinstance(test, Mapping):
            test = {"input": test[0], "expected": test[1]}
        if wrong := set(test) - {"input", "call", "expected"}:
            raise TypeError(f"a test has input or call, and expected; not {', '.join(sorted(wrong))}")
        asked.append({"input": test.get("input"), "call": test.get("call"), "expected": test.get("expected")})
    if isinstance(samples, str):
        raise TypeError("samples is a list of programs")
    return _results.ranking(_codexec.rerank(list(samples), asked, _options(engine=engine, **options)))


def mutate(
    program_: str | os.PathLike[str],
    /,
    count: int = 10,
    *,
    seed: int = 0,
    engine: Literal["plan", "run"] | None = None,
    **options: Any,
) -> list[Mutant]:
    """Mutants of a program, by the twelve operators of CodeExecutor. Fewer than `count` if there are no more.

    >>> len(codexec.mutate("x = 3\\nprint(x + 1)\\n", 5))
    5
    >>> codexec.mutate("x = 3\\nprint(x + 1)\\n", 1, engine="plan")[0].trace.outcome.kind
    'finished'

    Args:
        seed: The same seed gives the same mutants on every machine.
        engine: Where each mutant's `trace` comes from: `plan` walks it in this process, `run` executes it in the sandbox.
            `None`: mutants have no trace.
        **options: Those of `trace_many`, with an engine.

    Raises:
        ValueError: The program does not parse.
    """
    if _number(count, "count", int) < 0:
        raise ValueError("count is 0 or more")
    if engine is None and options:
        raise TypeError(f"{', '.join(sorted(options))}: for an engine, and none was given")
    source = read(Path(program_)) if is_path(program_) else checked_text(program_)
    made = _results.mutants(_codexec.mutants(source, count, seed))
    if engine is None:
        return made
    traces = trace_many([one.text for one in made], engine=engine, **options)
    return [replace(one, trace=trace) for one, trace in zip(made, traces, strict=True)]


def search(
    index: str | os.PathLike[str],
    program_: Source,
    /,
    *call: object,
    top: int = 10,
    stdin: str | None = None,
    engine: Literal["plan", "run"] = "plan",
    **options: Any,
) -> list[Hit]:
    """The programs of an index most similar to another, by encoder vectors and predicted outputs.

    Args:
        index: A file that `codexec search index` made.
        top: How many.
        engine: What says what the program prints.
        **options: Those of `trace`.
    """
    if top < 1:
        raise ValueError("top is a number from 1")
    asked = program(program_, call, stdin=stdin)
    return _results.hits(_codexec.search(os.fspath(index), asked, top, _options(engine=engine, **options)))
