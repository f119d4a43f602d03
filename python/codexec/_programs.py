"""Forms of programs: sources, paths, directories, modules, functions."""

from __future__ import annotations

import os
import tokenize
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from codexec import _functions
from codexec._codexec import CodexecError

Source = Union[str, "os.PathLike[str]", Callable[..., Any]]
"""A program: its text, its path, or a function that is called."""

Root = Union[str, "os.PathLike[str]", None, bool]
"""Directory of a program's project. `None`: the directory of its file. `False`: none."""

MOST_BYTES = 4 << 20
"""Larger files are refused: no trace reaches that far."""


def is_path(program: Source | None) -> bool:
    """Whether a program is named by its path: no source is a single line that ends in `.py`, or a directory."""
    if isinstance(program, os.PathLike):
        return True
    if not isinstance(program, str) or "\n" in program or not program:
        return False
    return program.endswith(".py") or os.path.isdir(program)


def read(path: Path) -> str:
    """Text of a file, in its declared encoding.

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

    Raises `CodexecError` for text that is not valid Python: with surrogates, or enormous.
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
    """Strings that the system can pass to a program."""
    words = [str(one) for one in given]
    for word in words:
        if "\0" in word:
            raise ValueError(f"{what}: {word!r} has a null character")
    return words


def program(
    given: Source | None,
    call: Sequence[object] = (),
    *,
    module: str | None = None,
    stdin: str | None = None,
    args: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    root: Root = None,
    name: str | None = None,
) -> dict[str, Any]:
    """A program in the native module's form."""
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
    if module is not None:
        if given is not None or call:
            raise TypeError("module names the program; give no other one")
        file, package, root = main_of_module(module, root)
        source, known = read(file), str(file)
    elif is_path(given):
        file = Path(given)  # type: ignore[arg-type]
        if file.is_dir():
            file, package = main_of(file)
        source, known = read(file), str(file)
    elif isinstance(given, str):
        source, known = checked_text(given), "<string>"
    elif callable(given):
        made = _functions.program_of(given, call)
        source, known = checked_text(made.text), _functions.called(given)
        root = made.root if root is None or root is True else root
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
    """The file that `python DIRECTORY` executes, and its package."""
    file = directory / "__main__.py"
    if not file.is_file():
        raise CodexecError(f"{directory}: a directory without __main__.py is no program; name a file of it")
    parts: list[str] = []
    above = directory.resolve()
    while (above / "__init__.py").is_file():
        parts.insert(0, above.name)
        above = above.parent
    return file, ".".join(parts)


def main_of_module(module: str, root: Root) -> tuple[Path, str, str]:
    """The file that `python -m MODULE` executes in a directory (default: the working directory), its package, and the
    resolved directory.
    """
    if not isinstance(module, str):
        raise TypeError(f"module is a string, and not {type(module).__name__}")
    if root is False:
        raise TypeError("a module is found in its project; root is the project's directory")
    directory = root_of("." if root is None or root is True else root, None, "")
    place = Path(directory or ".")
    parts = module.split(".")
    if not all(part.isidentifier() for part in parts):
        raise CodexecError(f"module: {module!r} is no name of a module")
    found = place.joinpath(*parts)
    if (found / "__init__.py").is_file() or not found.with_name(f"{found.name}.py").is_file() and found.is_dir():
        file = found / "__main__.py"
        if not file.is_file():
            raise CodexecError(f"{module} is a package without a __main__.py: it cannot be executed")
    else:
        parts, file = parts[:-1], found.with_name(f"{found.name}.py")
        if not file.is_file():
            raise CodexecError(f"no module {module} in {place}; name the project's directory with root=")
    if not file.resolve().is_relative_to(place):
        raise CodexecError(f"{file}: a link that leads out of {place}")
    here = Path.cwd()
    return file.relative_to(here) if file.is_relative_to(here) else file, ".".join(parts), str(place)


def root_of(root: Root, file: Path | None, package: str) -> str | None:
    """The directory of a project, with links resolved."""
    if root is False:
        return None
    if root is None or root is True:
        if file is None:
            return None
        place = file.resolve().parent
        for _ in package.split(".") if package else ():
            place = place.parent
        # The whole machine is not a project.
        return str(place) if place != Path(place.anchor) else None
    place = Path(root).resolve()
    if not place.is_dir():
        raise CodexecError(f"root: {root}: no such directory")
    return str(place)
