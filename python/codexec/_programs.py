"""What programs are given as: sources, paths, directories, modules, functions."""

from __future__ import annotations

import ast
import inspect
import os
import symtable
import textwrap
import tokenize
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from codexec._codexec import CodexecError

Source = Union[str, "os.PathLike[str]", Callable[..., Any]]
"""A program: its text, its path, or a function that is called."""

Root = Union[str, "os.PathLike[str]", None, bool]
"""Directory of a program's project. `None`: the directory of its file. `False`: none."""

MOST_BYTES = 4 << 20
"""Larger files are refused: no trace reaches that far."""


def is_path(program: Source) -> bool:
    """Whether a program is named by its path: no text of a program is one line that ends in `.py`, or a directory."""
    if isinstance(program, os.PathLike):
        return True
    if not isinstance(program, str) or "\n" in program or not program:
        return False
    return program.endswith(".py") or os.path.isdir(program)


def read(path: Path) -> str:
    """Text of a file, in the encoding that it says.

    Raises `CodexecError`, which names the file and the cause.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise CodexecError(f"{path}: larger than {MOST_BYTES >> 20} MiB")
        with tokenize.open(path) as file:
            return file.read()
    except (OSError, SyntaxError, UnicodeError) as error:
        cause = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise CodexecError(f"{path}: {cause}") from error


def checked_text(text: object) -> str:
    """A program's text.

    Raises `CodexecError` for a text that is no file of Python: with surrogates, or enormous.
    """
    if not isinstance(text, str):
        raise TypeError(f"a program is a text or a path, and not {type(text).__name__}")
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise CodexecError(f"<string>:{line}: a surrogate (character {error.start}) cannot be encoded") from error
    if size > MOST_BYTES:
        raise CodexecError(f"<string>: larger than {MOST_BYTES >> 20} MiB")
    return text


def _words(given: Sequence[str], what: str) -> list[str]:
    """Texts that the system can hand to a program."""
    words = [str(one) for one in given]
    for word in words:
        if "\0" in word:
            raise ValueError(f"{what}: {word!r} has a null character")
    return words


def program(
    given: Source,
    call: Sequence[object] = (),
    *,
    stdin: str | None = None,
    args: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    root: Root = None,
    name: str | None = None,
) -> dict[str, Any]:
    """A program as the native module takes it."""
    if isinstance(args, str):
        raise TypeError("args is a list of strings; put the string into one")
    if stdin is not None and not isinstance(stdin, str):
        raise TypeError(f"stdin is a string, and not {type(stdin).__name__}")
    if name is not None and not isinstance(name, str):
        raise TypeError(f"name is a string, and not {type(name).__name__}")
    names = _words(list(env or ()), "env")
    if wrong := next((one for one in names if not one or "=" in one), None):
        raise ValueError(f"env: {wrong!r} is no name of a variable")
    package = ""
    file: Path | None = None
    if is_path(given):
        file = Path(given)  # type: ignore[arg-type]
        if file.is_dir():
            file, package = main_of(file)
        source, known = read(file), str(file)
    elif isinstance(given, str):
        source, known = checked_text(given), "<string>"
    elif callable(given):
        source, known = source_of_call(given, call), called(given)
    else:
        raise TypeError(f"a program is a text, a path or a function, and not {type(given).__name__}")
    if call and not (callable(given) and file is None):
        raise TypeError("arguments of a call are for functions; what a program finds in sys.argv is args=[...]")
    return {
        "id": name or known,
        "source": source,
        "stdin": stdin,
        "root": root_of(root, file, package),
        "package": package,
        "args": _words(args, "args"),
        "env": list(zip(names, _words(list((env or {}).values()), "env"), strict=True)),
    }


def main_of(directory: Path) -> tuple[Path, str]:
    """The file that `python DIRECTORY` executes, and the package that it is in."""
    file = directory / "__main__.py"
    if not file.is_file():
        raise CodexecError(f"{directory}: a directory without __main__.py is no program; name a file of it")
    parts: list[str] = []
    above = directory.resolve()
    while (above / "__init__.py").is_file():
        parts.insert(0, above.name)
        above = above.parent
    return file, ".".join(parts)


def root_of(root: Root, file: Path | None, package: str) -> str | None:
    """The directory of a project, without links."""
    if root is False:
        return None
    if root is None or root is True:
        if file is None:
            return None
        place = file.resolve().parent
        for _ in package.split(".") if package else ():
            place = place.parent
        # The whole machine is no project.
        return str(place) if place != Path(place.anchor) else None
    place = Path(root).resolve()
    if not place.is_dir():
        raise CodexecError(f"root: {root}: no such directory")
    return str(place)


def called(function: Callable[..., Any]) -> str:
    """What the program that calls a function is called."""
    module = getattr(function, "__module__", None) or "?"
    return f"<{module}.{getattr(function, '__qualname__', '?')}>"


def source_of_call(function: Callable[..., Any], call: Sequence[object]) -> str:
    """A program that defines a function with all that it refers to, and calls it.

    Raises `CodexecError` where the text of something cannot be had, or an argument has no text that Python reads.
    """
    function = inspect.unwrap(function)
    if not isinstance(function, types.FunctionType) or function.__name__ == "<lambda>":
        raise CodexecError(
            f"{called(function)}: only a function that `def` makes at the top of a module has a text of its own; "
            "put the call into such a function, or give a program's text"
        )
    if "." in function.__qualname__:
        raise CodexecError(
            f"{called(function)}: a method or a nested function needs what it is in; "
            "put the call into a function at the top of a module, or give a program's text"
        )
    parts = _Parts(function)
    arguments = ", ".join(_literal(value, f"argument {at}") for at, value in enumerate(call))
    return "".join(parts.texts.values()) + f"result = {function.__name__}({arguments})\n"


class _Parts:
    """The statements of a module that a function needs, each behind those that it refers to itself."""

    def __init__(self, function: types.FunctionType) -> None:
        self.space = function.__globals__
        self.texts: dict[str, str] = {}
        self.statements = _statements(inspect.getmodule(function))
        self.define(function.__name__, function)

    def define(self, name: str, value: Any) -> None:
        """Puts what binds a name behind what it refers to."""
        self.texts[name] = ""  # for functions that call each other
        text, used = self.text(name, value)
        for other in used:
            if other not in self.texts and other in self.space:
                self.define(other, self.space[other])
        del self.texts[name]
        self.texts[name] = text

    def text(self, name: str, value: Any) -> tuple[str, list[str]]:
        """The statement that binds a name, and the names in it."""
        if isinstance(value, types.ModuleType) and name in self.statements:
            return self.statements[name], []
        if isinstance(value, types.ModuleType):
            renamed = "" if value.__name__ == name else f" as {name}"
            return f"import {value.__name__}{renamed}\n", []
        home = getattr(value, "__module__", None)
        is_named = isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)) and home is not None
        if is_named and home != self.space.get("__name__"):
            return f"from {home} import {value.__name__} as {name}\n", []
        if not is_named:
            try:
                return f"{name} = {_literal(value, name)}\n", []
            except CodexecError:
                if name not in self.statements:
                    raise
        if name in self.statements:
            text = self.statements[name]
        else:
            try:
                text = textwrap.dedent(inspect.getsource(value))
            except (OSError, TypeError) as error:
                raise CodexecError(f"{called(value)}: its source cannot be had ({error})") from error
        try:
            names = dict.fromkeys(_globals(symtable.symtable(text, "<source>", "exec")))
        except SyntaxError as error:
            raise CodexecError(f"{called(value)}: its source cannot be read alone ({error.msg})") from error
        return text.rstrip("\n") + "\n", [one for one in names if one != name]


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    """The names of the module that a text refers to, parameters and locals left out."""
    is_top = table.get_type() == "module"
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (is_top or symbol.is_global()):
            yield symbol.get_name()
    for child in table.get_children():
        yield from _globals(child)


def _statements(module: types.ModuleType | None) -> dict[str, str]:
    """Texts of the statements that bind names at the top of a module; the last one of each name."""
    try:
        text = inspect.getsource(module) if module is not None else ""
        tree = ast.parse(text)
    except (OSError, TypeError, SyntaxError):
        return {}
    lines = text.splitlines(keepends=True)
    found = {}
    for one in tree.body:
        first = min([one.lineno, *(mark.lineno for mark in getattr(one, "decorator_list", ()))])
        source = "".join(lines[first - 1 : one.end_lineno])
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found[one.name] = source
        elif isinstance(one, (ast.Assign, ast.AnnAssign)):
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            nodes = [node for target in targets for node in ast.walk(target)]
            names = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
            found.update(dict.fromkeys(names, source))
        elif isinstance(one, (ast.Import, ast.ImportFrom)) and not getattr(one, "level", 0):
            for alias in one.names:
                bound = alias.asname or alias.name.split(".")[0]
                found[bound] = found.get(bound, "") + source
    return found


def _literal(value: object, what: str) -> str:
    """Text that Python reads as a value."""
    text = repr(value)
    try:
        if ast.literal_eval(text) == value or value != value:
            return text
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        pass
    raise CodexecError(f"{what}: {text[:80]} is no literal; give a program instead of a function")
