"""Programs that call a function, made of the module statements that it needs."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import enum
import functools
import inspect
import sys
import sysconfig
import types
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codexec._codexec import CodexecError
from codexec._modules import Module, definition, references

_NO_TEXT = (
    "its text cannot be had: only what `def`, `class` or an assignment makes at the top of a module, or a function, has one; "
    "put the call into a function, or give a program's text"
)

#: Values whose text is their literal, whatever their source.
_PLAIN = (int, float, complex, str, bytes, bool, type(None), type(...))


@dataclass(frozen=True)
class CallProgram:
    """A program that calls a function."""

    text: str
    #: The directory in which the function's module finds modules of its project. `False` for none.
    root: str | bool
    #: The function's name at the top level of the program.
    name: str


def called(function: Callable[..., Any]) -> str:
    """Display name of a program that calls a function."""
    named = (one for one in _layers(function) if isinstance(getattr(one, "__qualname__", None), str))
    one = next(named, function)
    return f"<{getattr(one, '__module__', None) or '?'}.{getattr(one, '__qualname__', '?')}>"


def program_of(function: Callable[..., Any], call: Sequence[object] | None) -> CallProgram:
    """A program that defines a function with all its references and calls it; without a call if that is `None`.

    Raises `CodexecError`, which names anything unavailable.
    """
    home = _Home.of(function)
    made = _Program(home, called(function))
    name = made.expression(function, called(function), is_function=True)
    end = ""
    if call is not None:
        arguments = ", ".join(made.expression(value, f"argument {at}") for at, value in enumerate(call))
        end = f"result = {name}({arguments})\n"
    return CallProgram(made.text() + end, home.root(), name)


def versions(old: Callable[..., Any], new: Callable[..., Any]) -> list[tuple[str, str | bool, str]]:
    """Programs that define two functions under one name, with their roots and display names.

    Raises `CodexecError`.
    """
    both = [program_of(one, None) for one in (old, new)]
    for one, made in zip((old, new), both, strict=True):
        tops = ast.parse(made.text).body
        if not any(isinstance(top, (ast.FunctionDef, ast.AsyncFunctionDef)) and top.name == made.name for top in tops):
            raise CodexecError(f"{called(one)}: only functions that `def` makes at the top of a module are compared")
    texts = [both[0].text, _renamed(both[1].text, both[1].name, both[0].name)]
    return [(text, made.root, called(one)) for text, made, one in zip(texts, both, (old, new), strict=True)]


def _renamed(text: str, old: str, new: str) -> str:
    """Renames a top-level name of a program; a previous holder of the new name gets a free one."""
    if old == new:
        return text
    tree = ast.parse(text)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | Module(text).binders.keys()
    other = {old: new, new: _free(f"{new}_1", names)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = other.get(node.id, node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            node.name = other.get(node.name, node.name)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [other.get(name, name) for name in node.names]
        elif isinstance(node, ast.arg):
            node.arg = other.get(node.arg, node.arg)
        elif isinstance(node, ast.alias) and (node.asname or node.name) in other:
            node.asname = other[node.asname or node.name]
    return ast.unparse(tree) + "\n"


@dataclass(frozen=True)
class _Home:
    """Origin of a callable."""

    name: str
    #: Its names.
    space: dict[str, Any]
    #: The module with these. `None` for a namespace of `exec`.
    module: types.ModuleType | None

    @staticmethod
    def of(function: Callable[..., Any]) -> _Home:
        """The module that names a callable; else the one that created it."""
        layers = list(_layers(function))
        named = [sys.modules.get(getattr(one, "__module__", None) or "") for one in layers]
        modules = [module for module in named if module is not None]
        for module in modules:
            if _name_at_top(vars(module), function) is not None:
                return _Home(module.__name__, vars(module), module)
        for one in layers:
            if isinstance(one, types.FunctionType):
                space = one.__globals__
                name = space.get("__name__") or "?"
                found = sys.modules.get(name)
                return _Home(name, space, found if found is not None and vars(found) is space else None)
        if not modules:
            raise CodexecError(f"{called(function)}: {_NO_TEXT}")
        return _Home(modules[0].__name__, vars(modules[0]), modules[0])

    def text(self) -> Module:
        """The statements of its module; none if it has no source, as in a notebook."""
        package = self.space.get("__package__") or ""
        try:
            return _parsed(inspect.getsource(self.module) if self.module else "", package, self.module is not None)
        except (OSError, TypeError, SyntaxError):
            return _parsed("", package, False)

    def root(self) -> str | bool:
        """The directory in which a project's module finds others; none for the standard library and installed
        packages."""
        file = getattr(self.module, "__file__", None)
        if not file or not Path(file).is_file():
            return False
        place = Path(file).resolve().parent
        library = [Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib")]
        if any(place.is_relative_to(one) for one in library) or {"site-packages", "dist-packages"} & set(place.parts):
            return False
        package = self.space.get("__package__") or ""
        for _ in package.split(".") if package else ():
            place = place.parent
        return str(place) if place != Path(place.anchor) else False


@functools.lru_cache(maxsize=32)
def _parsed(text: str, package: str, is_known: bool) -> Module:
    return Module(text, package, is_known=is_known)


def _layers(value: Any) -> Iterator[Any]:
    """A callable and the function behind it: of a bound method, of `partial`, behind decorators."""
    seen: dict[int, Any] = {}
    waiting = deque([value])
    while waiting:
        one = waiting.popleft()
        if id(one) in seen or not callable(one):
            continue
        seen[id(one)] = one
        yield one
        if isinstance(one, functools.partial):
            waiting.append(one.func)
        elif isinstance(one, types.MethodType):
            of = one.__self__
            waiting += [of if isinstance(of, type) else type(of), one.__func__]
        elif hasattr(one, "__wrapped__"):
            waiting.append(one.__wrapped__)
        elif isinstance(one, types.FunctionType):
            waiting.extend(cell.cell_contents for cell in one.__closure__ or () if cell != types.CellType())
        elif not isinstance(one, (type, types.BuiltinFunctionType)):
            waiting.append(type(one))


def _name_at_top(space: dict[str, Any], value: object) -> str | None:
    """The name of an object in a module: preferably that of its definition."""
    own = getattr(value, "__name__", None)
    if isinstance(own, str) and space.get(own) is value:
        return own
    return next((name for name, one in space.items() if one is value and not name.startswith("__")), None)


def _free(name: str, taken: Any) -> str:
    """A free name similar to another."""
    while name in taken:
        name += "_"
    return name


class _Program:
    """The statements that a program needs, and values as expressions in it."""

    def __init__(self, home: _Home, wanted: str) -> None:
        self.space = home.space
        self.home = home
        self.wanted = wanted
        self.module = home.text()
        #: Statements of the module by number, followed by generated ones.
        self.kept: dict[int, str] = {}
        self.made: list[str] = []
        #: Statements that come first, for names that no statement of the module binds.
        self.before: dict[str, str] = {}
        self.names: set[str] = set()
        #: Names of generated functions, by function.
        self.closures: dict[int, str] = {}
        self.open: set[int] = set()

    def text(self) -> str:
        statements = [*self.before.values(), *(self.kept[at] for at in sorted(self.kept)), *self.made]
        future = [one for one in self.module.futures if one not in statements]
        return "".join(one.rstrip("\n") + "\n" for one in [*future, *statements])

    # Names of the module.

    def need(self, name: str, what: str) -> None:
        """Makes the program bind a name like the module, with everything that this needs."""
        if name in self.names:
            return
        self.names.add(name)
        binders = self.module.binders.get(name, ())
        now = self.space.get(name, inspect.Parameter.empty)
        if binders:
            if (text := self._as_it_is_now(name, binders, now)) is not None:
                self.kept[binders[0]] = text
                return
            for at in binders:
                self._keep(at, name)
            return
        if now is inspect.Parameter.empty:
            # Builtins, and unbound names: the call will miss them, too.
            return
        if name == "__file__":
            self.before[name] = f"__file__ = {now!r}"
        elif name.startswith("__"):
            return
        elif self.module.others and _literal(now) is None:
            for at in self.module.others:
                self._keep(at, name)
        else:
            self._bind(name, now, what)

    def _as_it_is_now(self, name: str, binders: Sequence[int], now: object) -> str | None:
        """The assignment of a name that is bound once, if its value is a literal that its source does not show: it was
        changed later, or comes from a call, such as a setting read from the environment."""
        if len(binders) > 1 or (assigned := self.module.statements[binders[0]].assigned(name)) is None:
            return None
        text = _literal(now)
        if text is None:
            return None
        try:
            return None if _same(ast.literal_eval(assigned), now) else f"{name} = {text}"
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            calls = any(isinstance(node, (ast.Call, ast.Attribute)) for node in ast.walk(assigned))
            return f"{name} = {text}" if calls and _is_plain(now) else None

    def _keep(self, at: int, name: str) -> None:
        """Keeps a statement; of an import only the needed names."""
        statement = self.module.statements[at]
        if statement.is_import:
            self.kept[at] = statement.imports(self.names)
            return
        if at in self.kept:
            return
        self.kept[at] = statement.text
        for other in statement.uses:
            self.need(other, self._why(other))
            # A reader of a registry needs all of its contents; a function that adds to it does not.
            for filler in () if other in statement.alters else self.module.fillers.get(other, ()):
                self._keep(filler, name)
        for other in statement.binds:
            self.need(other, self._why(other))

    def _why(self, name: str) -> str:
        return f"{name}, which {self.wanted} needs"

    def _bind(self, name: str, value: object, what: str) -> None:
        """Binds a name that no statement of the module binds: the module has no source, or it was made by
        `exec`."""
        if isinstance(value, types.ModuleType):
            renamed = "" if value.__name__ == name else f" as {name}"
            self.before[name] = f"import {value.__name__}{renamed}"
            return
        if not self.module.is_known and (text := _source(value)) is not None:
            self.before[name] = ""  # functions that call each other
            for other in references(text):
                self.need(other, self._why(other))
            del self.before[name]
            self.before[name] = text
            return
        expression = self.expression(value, what)
        if expression != name:
            self.before[name] = f"{name} = {expression}"

    # Values.

    def expression(self, value: object, what: str, *, is_function: bool = False) -> str:
        """An expression for a value in the program.

        Raises `CodexecError`, which names values without one.
        """
        if not is_function and (text := _literal(value)) is not None:
            return text
        if isinstance(value, types.ModuleType):
            name = _free(value.__name__.replace(".", "_"), self.space) if "." in value.__name__ else value.__name__
            self._bind(name, value, what)
            return name
        found = _name_at_top(self.home.space, value)
        if found is not None and self._has_text(found, value):
            self.need(found, what)
            return found
        for way in (self._of_builtins, self._of_class, self._of_structure, self._of_functools, self._imported, self._closure):
            if (text := way(value, what)) is not None:
                return text
        if callable(value):
            own = called(value)
            raise CodexecError(f"{own}: {_NO_TEXT}" if what == own else f"{what}: {own}: {_NO_TEXT}")
        raise CodexecError(
            f"{what}: {repr(value)[:80]} is no literal, and no value that the module {self.home.name} names; "
            "give a program's text"
        )

    def _has_text(self, name: str, value: object) -> bool:
        if name in self.module.binders:
            return True
        return not self.module.is_known and _source(value) is not None

    def _of_builtins(self, value: object, what: str) -> str | None:
        """`len`, `int`, `ValueError`."""
        name = getattr(value, "__name__", None)
        is_builtin = isinstance(name, str) and getattr(builtins, name, None) is value
        return name if is_builtin and name not in self.module.binders else None

    def _of_class(self, value: object, what: str) -> str | None:
        """A method of a class or of an object, a member of an enumeration, an object of a data class."""
        if isinstance(value, enum.Enum) and value.name in type(value).__members__:
            return f"{self.expression(type(value), what)}.{value.name}"
        if isinstance(value, types.MethodType):
            return f"{self.expression(value.__self__, what)}.{value.__name__}"
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = dataclasses.fields(value)
            if not all(field.init for field in fields):
                return None
            texts = [f"{field.name}={self.expression(getattr(value, field.name), what)}" for field in fields]
            return f"{self.expression(type(value), what)}({', '.join(texts)})"
        parts = getattr(value, "__qualname__", "").split(".")
        if isinstance(value, (type, types.FunctionType)) and len(parts) > 1 and all(part.isidentifier() for part in parts):
            module = sys.modules.get(getattr(value, "__module__", None) or "")
            outer = getattr(module, parts[0], None)
            found = functools.reduce(lambda one, part: getattr(one, part, None), parts[1:], outer)
            if outer is not None and found is value:
                return ".".join([self.expression(outer, what), *parts[1:]])
        return None

    def _of_structure(self, value: object, what: str) -> str | None:
        """A container of values."""
        kind = type(value)
        if isinstance(value, dict) and kind is dict:
            pairs = (f"{self.expression(key, what)}: {self.expression(one, what)}" for key, one in value.items())
            return "{" + ", ".join(pairs) + "}"
        if not isinstance(value, (list, tuple, set, frozenset)):
            return None
        items = ", ".join(self.expression(one, what) for one in value)
        if isinstance(value, tuple) and hasattr(kind, "_fields"):
            return f"{self.expression(kind, what)}({items})"
        if kind is list:
            return f"[{items}]"
        if kind is tuple:
            return f"({items},)" if items else "()"
        if kind in (set, frozenset):
            return f"{kind.__name__}([{items}])"
        return None

    def _of_functools(self, value: object, what: str) -> str | None:
        """The results of `partial` and `lru_cache`."""
        if type(value) is functools.partial:
            parts = [self.expression(one, what) for one in (value.func, *value.args)]
            parts += [f"{name}={self.expression(one, what)}" for name, one in value.keywords.items()]
            return f"{self.expression(functools.partial, what)}({', '.join(parts)})"
        if isinstance(value, functools._lru_cache_wrapper):
            settings = value.cache_parameters()
            cache = f"{self.expression(functools.lru_cache, what)}(maxsize={settings['maxsize']}, typed={settings['typed']})"
            return f"{cache}({self.expression(value.__wrapped__, what)})"
        return None

    def _imported(self, value: object, what: str) -> str | None:
        """A name from another module."""
        home, name = getattr(value, "__module__", None), getattr(value, "__name__", None)
        if not isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType, functools._lru_cache_wrapper)):
            return None
        if not isinstance(home, str) or not isinstance(name, str):
            return None
        is_compiled = isinstance(value, types.BuiltinFunctionType) or home != "__main__" and self.home.root() is False
        if home in (self.home.name, "__main__") and not is_compiled:
            return None
        # `_operator.add` is `operator.add`.
        for module in (home.lstrip("_"), home):
            if getattr(sys.modules.get(module), name, None) is value:
                bound = name if name not in self.module.binders else _free(f"{name}_1", self.module.binders)
                renamed = "" if bound == name else f" as {bound}"
                self.before[bound] = f"from {module} import {name}{renamed}"
                return bound
        return None

    def _closure(self, value: object, what: str) -> str | None:
        """A closure with its captured values, or a lambda."""
        if not isinstance(value, types.FunctionType):
            return None
        if id(value) in self.open:
            raise CodexecError(f"{what}: {called(value)} and another function keep each other; give a program's text")
        if id(value) in self.closures:
            return self.closures[id(value)]
        if value.__globals__ is not self.space:
            raise CodexecError(
                f"{what}: {called(value)} was made in the module {value.__globals__.get('__name__')}, and not in "
                f"{self.home.name}: in one program they would share their names; give a program's text"
            )
        found = definition(value.__code__)
        if found is None:
            return None
        code = value.__code__
        if "__class__" in code.co_freevars:
            raise CodexecError(f"{what}: {called(value)} uses super(), of a class in a function; give a program's text")
        own = "function" if found.is_lambda else code.co_name
        name = _free(own, {*self.module.binders, *self.names, *self.closures.values()})
        self.closures[id(value)] = name
        self.open.add(id(value))
        bound = {}
        for variable, cell in zip(code.co_freevars, value.__closure__ or (), strict=True):
            # It is not bound yet, or refers to itself.
            if cell != types.CellType() and (cell.cell_contents is not value or variable != own):
                bound[variable] = self.expression(cell.cell_contents, f"{variable}, which {called(value)} keeps")
        defaults = [self.expression(one, f"a default of {called(value)}") for one in value.__defaults__ or ()]
        of_names = (value.__kwdefaults__ or {}).items()
        keywords = {key: self.expression(one, f"{key} of {called(value)}") for key, one in of_names}
        text = found.text(defaults, keywords)
        for other in references(found.standing(text, code.co_freevars)):
            if other != own:
                self.need(other, self._why(other))
        self.open.remove(id(value))
        margin = found.margin
        if not margin:
            # A top-level function of its module whose name is now bound to something else.
            self.made.append(text)
            self.closures[id(value)] = own
            return own
        lines = [f"def _make_{name}({', '.join(bound)}):"]
        lines += [f"{margin}return ({text})"] if found.is_lambda else [text, f"{margin}return {own}"]
        self.made.append("\n".join([*lines, f"{name} = _make_{name}({', '.join(bound.values())})"]))
        return name


def _source(value: object) -> str | None:
    """The source of a function or class whose module has none, such as a notebook cell."""
    try:
        lines, _ = inspect.getsourcelines(inspect.unwrap(value))  # type: ignore[arg-type]
    except (OSError, TypeError, ValueError):
        return None
    text = "".join(lines)
    try:
        ast.parse(text)
    except SyntaxError:
        return None
    return text


def _is_plain(value: object) -> bool:
    """Whether a value is immutable and indistinguishable from another one with its text."""
    if type(value) in (tuple, frozenset):
        return all(_is_plain(one) for one in value)  # type: ignore[attr-defined]
    return type(value) in _PLAIN


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and repr(one) == repr(other)


def _literal(value: object) -> str | None:
    """A literal for a value, if there is one."""
    try:
        text = repr(value)
        if type(value) is float and value != value:
            return "float('nan')"
        if type(value) is float and value in (float("inf"), float("-inf")):
            return f"float('{text}')"
        read = ast.literal_eval(text)
        return text if type(read) is type(value) and (read == value or read != read) else None
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None
