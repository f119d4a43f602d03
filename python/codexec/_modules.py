"""The statements of a module by the names that they bind; functions by their code."""

from __future__ import annotations

import ast
import functools
import linecache
import symtable
import types
from collections.abc import Iterator, Sequence
from typing import Union

Function = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]


def references(text: str, future: str = "") -> list[str]:
    """The module-level names that a text refers to, without parameters and locals.

    Raises `SyntaxError`.
    """
    return list(dict.fromkeys(_globals(symtable.symtable(future + text, "<source>", "exec"))))


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    # A class binding can refer to an outer name: `limit = limit`.
    is_any = table.get_type() in ("module", "class")
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (is_any or symbol.is_global()):
            yield symbol.get_name()
    for child in table.get_children():
        yield from _globals(child)


class _Text:
    """A text and the positions of its nodes, whose columns count bytes."""

    def __init__(self, text: str) -> None:
        self.lines = text.encode().splitlines(keepends=True)
        self.begins = [0]
        for line in self.lines:
            self.begins.append(self.begins[-1] + len(line))
        self.bytes = text.encode()

    def at(self, line: int, column: int) -> int:
        return self.begins[line - 1] + column

    def range(self, node: ast.stmt | ast.expr) -> tuple[int, int]:
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def edited(self, first: int, last: int, edits: Sequence[tuple[int, int, str]]) -> str:
        """A part of it, with replaced parts."""
        parts, at = [], first
        for begin, end, new in sorted(edits):
            parts += [self.bytes[at:begin], new.encode()]
            at = end
        return b"".join([*parts, self.bytes[at:last]]).decode()


class Statement:
    """A top-level statement of a module."""

    def __init__(self, node: ast.stmt, text: _Text, package: str, future: str) -> None:
        self.node = node
        first, last = text.range(node)
        marks = [text.range(mark)[0] for mark in getattr(node, "decorator_list", ())]
        if marks:
            # Including the first `@`.
            first = text.bytes.rindex(b"@", 0, min(marks))
        relative = [one for one in ast.walk(node) if isinstance(one, ast.ImportFrom) and one.level and package]
        edits = [(*text.range(one), _import(one, one.names, package)) for one in relative]
        self.text = text.edited(first, last, edits) + "\n"
        self.is_import = isinstance(node, (ast.Import, ast.ImportFrom))
        self.is_star = isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
        self.binds = set(_bound(node))
        #: Names whose objects it mutates.
        self.changes = set(_changed(node))
        #: Names whose objects the function it defines mutates.
        self.alters = set(_altered(node))
        #: Names of the functions that it calls, including decorators.
        self.calls = set(_called(node))
        self._package, self._future = package, future
        self._uses: list[str] | None = None

    @property
    def uses(self) -> list[str]:
        """The module-level names that it refers to."""
        if self._uses is None:
            try:
                self._uses = references(self.text, self._future)
            except SyntaxError:  # `return` at the top, and the like
                self._uses = [one.id for one in ast.walk(self.node) if isinstance(one, ast.Name)]
        return self._uses

    def imports(self, names: set[str]) -> str:
        """The part of an import that binds these names."""
        assert isinstance(self.node, (ast.Import, ast.ImportFrom))
        aliases = [alias for alias in self.node.names if self.is_star or _name_of(alias) in names]
        return self.text if len(aliases) == len(self.node.names) else _import(self.node, aliases, self._package) + "\n"

    def assigned(self, name: str) -> ast.expr | None:
        """The expression of a statement that binds only one name."""
        if isinstance(self.node, ast.Assign):
            targets: list[ast.expr] = self.node.targets
        elif isinstance(self.node, ast.AnnAssign):
            targets = [self.node.target]
        else:
            return None
        is_alone = len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id == name
        return self.node.value if is_alone else None


def _import(node: ast.Import | ast.ImportFrom, aliases: Sequence[ast.alias], package: str) -> str:
    """An import of these names, resolved for a module in a package."""
    names = ", ".join(alias.name + (f" as {alias.asname}" if alias.asname else "") for alias in aliases)
    if isinstance(node, ast.Import):
        return f"import {names}"
    place = node.module or ""
    if node.level and package:
        parts = package.split(".")
        above = parts[: len(parts) - node.level + 1]
        place = ".".join([*above, *([place] if place else [])])
    else:
        place = "." * node.level + place
    return f"from {place} import {names}"


def _name_of(alias: ast.alias) -> str:
    return alias.asname or alias.name.split(".")[0]


def _bound(node: ast.AST) -> Iterator[str]:
    """Module-level names that a statement binds."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
        return
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from (_name_of(alias) for alias in node.names if alias.name != "*")
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name
    elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest
    for child in ast.iter_child_nodes(node):
        yield from _bound(child)


def _changed(node: ast.stmt) -> Iterator[str]:
    """Names whose objects a statement mutates: `table[k] = v`, `names.append(x)`."""
    targets: list[ast.expr] = []
    if isinstance(node, (ast.Assign, ast.Delete)):
        targets = node.targets
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        targets = [node.target]
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        targets = [node.value.func]
    for target in targets:
        place: ast.expr = target
        while isinstance(place, (ast.Subscript, ast.Attribute)):
            place = place.value
        if place is not target and isinstance(place, ast.Name):
            yield place.id


def _altered(node: ast.stmt) -> Iterator[str]:
    """Module-level names whose objects a function mutates when called."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        inner = [one for one in ast.walk(node) if isinstance(one, ast.stmt)]
        local = {name for one in node.body for name in _bound(one)} | {arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)}
        yield from {name for one in inner for name in _changed(one)} - local


def _called(node: ast.AST) -> Iterator[str]:
    """Names of functions that a statement calls directly."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        for mark in node.decorator_list:
            if isinstance(mark, (ast.Name, ast.Attribute)):
                yield ast.unparse(mark)
            else:
                yield from _called(mark)
    elif not isinstance(node, ast.Lambda):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
        for child in ast.iter_child_nodes(node):
            yield from _called(child)


class Module:
    """The top-level statements of a module.

    Raises `SyntaxError`.
    """

    def __init__(self, text: str, package: str = "", *, is_known: bool = True) -> None:
        #: Whether its source is available.
        self.is_known = is_known
        body = ast.parse(text).body
        whole = _Text(text)
        is_future = [isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in body]
        self.futures = [ast.unparse(node) for node, future in zip(body, is_future, strict=True) if future]
        future = "".join(one + "\n" for one in self.futures)
        self.statements = [
            Statement(node, whole, package, future)
            for node, is_one in zip(body, is_future, strict=True)
            if not is_one and not _is_main(node)
        ]
        #: For each name the statements that bind it, or mutate its object.
        self.binders: dict[str, list[int]] = {}
        #: Statements with bindings invisible in their text: star imports, and changes of `globals()`.
        self.others: list[int] = []
        for at, one in enumerate(self.statements):
            for name in one.binds:
                self.binders.setdefault(name, []).append(at)
            if one.is_star or _OTHERS & one.calls:
                self.others.append(at)
        assigned = {name for one in self.statements if not one.is_import for name in one.binds}
        for at, one in enumerate(self.statements):
            for name in one.changes & assigned - one.binds:
                self.binders[name].append(at)
        #: For each name the statements that call functions mutating its object, such as those of functions that a
        #: decorator registers.
        self.fillers: dict[str, list[int]] = {}
        altering = {name: one.alters & assigned for one in self.statements if one.alters for name in one.binds}
        for at, one in enumerate(self.statements):
            for name in {name for call in one.calls for name in altering.get(call, ())}:
                self.fillers.setdefault(name, []).append(at)


#: Functions that bind names of a module, and decorators.
_OTHERS = {"globals", "global_enum", "enum.global_enum"}


def _is_main(node: ast.stmt) -> bool:
    """Whether a statement applies only to a module executed as a program."""
    test = node.test if isinstance(node, ast.If) else None
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


class Definition:
    """A `def` or `lambda` within a function."""

    def __init__(self, node: Function, text: _Text) -> None:
        self.node = node
        self._text = text
        self.is_lambda = isinstance(node, ast.Lambda)
        line = text.lines[node.lineno - 1]
        #: Indentation of its lines.
        self.margin = "    " if self.is_lambda else line[: node.col_offset].decode()

    def text(self, defaults: Sequence[str], keywords: dict[str, str]) -> str:
        """Its source without decorators, with these default values."""
        given = self.node.args
        places = list(zip(given.defaults, defaults, strict=True))
        places += [
            (place, keywords[arg.arg])
            for arg, place in zip(given.kwonlyargs, given.kw_defaults, strict=True)
            if place is not None
        ]
        edits = [(*self._text.range(place), new) for place, new in places]
        first, last = self._text.range(self.node)
        return ("" if self.is_lambda else self.margin) + self._text.edited(first, last, edits)

    def standing(self, text: str, free: Sequence[str]) -> str:
        """A factory for it that binds its free names."""
        bound = "".join(f"{self.margin}{name} = None\n" for name in free)
        return f"def _():\n{bound}{self.margin}return ({text})\n" if self.is_lambda else f"def _():\n{bound}{text}\n"


@functools.lru_cache(maxsize=32)
def _functions(text: str) -> tuple[_Text, list[Function]]:
    nodes = ast.walk(ast.parse(text))
    return _Text(text), [one for one in nodes if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))]


def definition(code: types.CodeType) -> Definition | None:
    """The only `def` or `lambda` that code can come from."""
    try:
        text, nodes = _functions("".join(linecache.getlines(code.co_filename)))
    except SyntaxError:
        return None
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    found = []
    for node in nodes:
        first = min([node.lineno, *(mark.lineno for mark in getattr(node, "decorator_list", ()))])
        given = node.args
        own = tuple(arg.arg for arg in (*given.posonlyargs, *given.args, *given.kwonlyargs))
        if (getattr(node, "name", "<lambda>"), first, own) == (code.co_name, code.co_firstlineno, names):
            found.append(node)
    return Definition(found[0], text) if len(found) == 1 else None
