"""Values that are the same for two versions, and their texts.

The second part of the program; `cases.py` follows.
"""

import ast
import builtins
import contextlib
import copy
import datetime
import decimal
import os
import pathlib
import random
import re
import types
import zlib

MOST_ITEMS = 60  # shown of a value
LONGEST = 4
PATHS = {"path", "file", "filename", "filepath", "file_path", "src", "dst", "source", "target", "log_path", "config_path", "p", "fname"}
# Methods of strings and containers only: a value with one is no object of another class.
OF_PLAIN = set(
    "split rsplit strip lstrip rstrip upper lower startswith endswith partition rpartition splitlines isdigit isalpha isalnum "
    "isnumeric isupper islower isspace casefold title capitalize swapcase zfill ljust rjust center removeprefix removesuffix "
    "setdefault extend sort items popitem".split()
)
PLAIN = ("int", "str", "float", "bool", "None", "list[int]", "list[str]", "dict[str, int]", "dict", "list[dict]", "object", "list[object]", "set[str]", "tuple[int, str]", "list[bool | int]")


class Unfit(BaseException):
    """No value can be made for a parameter."""


class State:
    """The values and effects of one call so far."""

    def __init__(self):
        self.begin(None)

    def begin(self, draw):
        self.draw = draw
        self.values, self.counts, self.assigned = {}, {}, {}
        self.effects = []
        self.given = None


STATE = State()


def may_exist(exists):
    """Wraps a test for a file: it may return true for files that do not exist."""

    def answer(path, *more, **named):
        if exists(path, *more, **named) or STATE.draw is None or not isinstance(path, (str, os.PathLike)):
            return exists(path, *more, **named)
        return random.Random(f"{STATE.draw.seed} exists {os.fspath(path)}").random() < 0.4

    return answer


os.path.exists, os.path.isfile = may_exist(os.path.exists), may_exist(os.path.isfile)
pathlib.Path.exists, pathlib.Path.is_file = may_exist(pathlib.Path.exists), may_exist(pathlib.Path.is_file)


class Lazy:
    """An object of no known class. What is read of it, and what calls of it give, is made when it is asked for, by its path.
    Calls are effects: they are compared, in order, and may raise."""

    def __init__(self, path, key):
        object.__setattr__(self, "_path", path)
        object.__setattr__(self, "_key", key)

    def __getattr__(self, name):
        if name.startswith("__") or name in OF_PLAIN and name in STATE.draw.words["called"]:
            raise AttributeError(name)
        if name in STATE.draw.words["excepts"]:
            return exception_named(name)
        path, key = f"{self._path}.{name}", f"{self._key}.{name}"
        if name in STATE.draw.words["called"]:
            return Lazy(path, key)
        return STATE.draw.kept(path, key)

    def __setattr__(self, name, value):
        path = f"{self._path}.{name}"
        STATE.values[path] = value
        STATE.assigned[path] = shown(value)

    def __call__(self, *args, **kwargs):
        if STATE.draw.in_module and len(args) == 1 and isinstance(args[0], (types.FunctionType, type)):
            return args[0]  # a decorator
        given = [shown(arg) for arg in args] + [f"{name}={shown(value)}" for name, value in sorted(kwargs.items())]
        return self._done(f"{self._path}({', '.join(given)})", f"{self._key}()")

    def _done(self, what, key):
        STATE.effects.append((what, shown(STATE.given)))
        count = STATE.counts[what] = STATE.counts.get(what, 0) + 1
        path = f"{what}#{count}"
        rng = random.Random(f"{STATE.draw.seed} raises {path}")
        if not STATE.draw.in_module and rng.random() < 0.12:
            raise rng.choice(STATE.draw.words["raised"])(f"raised by {key}")
        return STATE.draw.kept(path, key)

    def __getitem__(self, key):
        if isinstance(key, int) and not -len(self) <= key < len(self):
            raise TypeError("it has no such item")
        if isinstance(key, int):
            key %= len(self)
        return STATE.draw.kept(f"{self._path}[{shown(key)}]", f"{self._key}[]")

    def __setitem__(self, key, value):
        path = f"{self._path}[{shown(key)}]"
        STATE.values[path] = value
        STATE.assigned[path] = shown(value)

    def __iter__(self):
        rng = random.Random(f"{STATE.draw.seed} items {self._path}")
        for at in range(rng.choice((0, 1, 2, 3))):
            yield STATE.draw.kept(f"{self._path}[{at}]", f"{self._key}[]")

    def __len__(self):
        return random.Random(f"{STATE.draw.seed} items {self._path}").choice((0, 1, 2, 3))

    def __bool__(self):
        return random.Random(f"{STATE.draw.seed} bool {self._path}").random() < 0.7

    def __contains__(self, item):
        return random.Random(f"{STATE.draw.seed} in {self._path} {shown(item)}").random() < 0.5

    def __enter__(self):
        STATE.effects.append((f"enter {self._path}", shown(STATE.given)))
        return STATE.draw.kept(f"{self._path}.__enter__()", f"{self._key}.__enter__()")

    def __exit__(self, kind, error, place):
        STATE.effects.append((f"exit {self._path} {kind and kind.__name__}", shown(STATE.given)))
        return False

    async def __aenter__(self):
        return self.__enter__()

    async def __aexit__(self, *raised):
        return self.__exit__(*raised)

    def __await__(self):
        STATE.effects.append((f"await {self._path}", shown(STATE.given)))
        return STATE.draw.kept(f"await {self._path}", f"await {self._key}")
        yield

    async def __aiter__(self):
        for item in self:
            yield item

    def __eq__(self, other):
        return isinstance(other, Lazy) and self._path == other._path

    def __hash__(self):
        return hash(self._path)

    def __repr__(self):
        return f"<{self._path}>"

    def __deepcopy__(self, memo):
        return self


EXCEPTIONS = {}


def exception_named(name):
    """Returns an exception class for an undefined name."""
    return EXCEPTIONS.setdefault(name, type(name, (Exception,), {}))


class Draw:
    """Values of one case: the same under the same path, in any order of requests."""

    def __init__(self, words, weights, seed, module, in_module=False):
        self.words, self.weights, self.seed, self.module, self.in_module = words, weights, seed, module, in_module
        self.chosen = {}
        self.hint = ""

    def kept(self, path, key):
        if path not in STATE.values:
            STATE.values[path] = self.at(path, key)
        return STATE.values[path]

    def at(self, path, key=None):
        key = key or path
        rng = random.Random(f"{self.seed} {path}")
        name = re.split(r"[^\w]+", key.rstrip("()[]"))[-1]
        if name in self.words["called"] and not key.endswith(")"):
            return Lazy(path, key)
        if self.words["files"] and (name in PATHS or self.hint in PATHS):
            return self.file(rng, path)
        if key not in self.weights:
            likely = self.words["hints"].get(self.hint or name, ())
            self.weights[key] = {kind: 9.0 if kind in likely else 1.5 for kind in PLAIN}
        weights = self.weights[key]
        kind = rng.choices(list(weights), list(weights.values()))[0]
        self.chosen[key] = kind
        return Lazy(path, key) if kind == "object" else self.value(kind, path, rng, 0)

    def file(self, rng, path):
        """Returns the path of a text file, which may not exist."""
        name = "f" + str(abs(zlib.crc32(path.encode())) % 1000) + ".txt"
        if rng.random() < 0.85:
            words = self.words["str"]
            line = rng.choice((
                lambda: self.text(rng),
                lambda: self.text(rng),
                lambda: str(rng.choice(self.words["int"])),
                lambda: rng.choice(words) + "=" + rng.choice(words),
                lambda: ",".join(rng.choice(words) for _ in range(3)),
            ))
            with open(name, "w") as out:
                out.write("".join(line() + "\n" for _ in range(rng.choice((0, 1, 2, 4)))))
        return name

    def usual(self, kind, rng):
        """Returns a number, often one that the case already has."""
        words = self.words[kind]
        if rng.random() < 0.3:
            return random.Random(f"{self.seed} {kind}").choice(words)
        return rng.choice(words)

    def text(self, rng):
        words = self.words["str"]
        if rng.random() < 0.12:
            length = rng.choice([number for number in self.words["int"] if 0 <= number <= 64])
            return "".join(rng.choice("abcB7") for _ in range(length))
        return "".join(rng.choice(words) for _ in range(rng.choice((0, 1, 1, 1, 2, 3))))

    def items(self, kind, path, rng, depth):
        count = rng.choice((0, 1, 2, 2, 3, LONGEST)) if depth < 3 else 0
        made = [self.value(kind, f"{path}[{at}]", rng, depth + 1) for at in range(count)]
        # Equal items distinguish versions that unequal ones do not.
        if made and rng.random() < 0.3:
            made.append(copy.deepcopy(rng.choice(made)))
        return made

    def value(self, kind, path, rng, depth):
        name, inner = kind, ""
        if kind.endswith("]"):
            name, inner = kind[:-1].split("[", 1)
        parts = split(inner)
        name = name.rsplit(".", 1)[-1].strip("\"' ")
        options = split(kind, "|")
        if len(options) > 1:
            return self.value(rng.choice(options), path, rng, depth)
        if name == "Optional":
            return None if rng.random() < 0.3 else self.value(inner, path, rng, depth)
        if name == "Union":
            return self.value(rng.choice(parts), path, rng, depth)
        if name == "Literal":
            return ast.literal_eval(rng.choice(parts))
        if name in ("Any", "object", "T") and kind != "object":
            return self.value(rng.choice(PLAIN[:7]), path, rng, depth)
        if name == "object":
            return Lazy(path, re.sub(r"\[[^\]]*\]", "[]", path))
        if name in ("None", "NoneType"):
            return None
        if name == "bool":
            return rng.random() < 0.5
        if name == "int":
            return self.usual("int", rng)
        if name in ("float", "Number", "Real"):
            return self.usual("float", rng)
        if name == "Decimal":
            return decimal.Decimal(str(self.usual("float", rng)))
        if name in ("date", "datetime", "timedelta"):
            days = datetime.timedelta(days=self.usual("int", rng) % 400)
            if name == "timedelta":
                return days
            start = datetime.datetime(2023, 12, 25, 10, 30) if name == "datetime" else datetime.date(2023, 12, 25)
            return start + days
        if name == "str":
            if self.words["files"] and self.hint in PATHS:
                return self.file(rng, path)
            return self.text(rng)
        if name in ("Path", "PathLike"):
            return pathlib.Path(self.file(rng, path))
        if name in ("Callable", "callable", "function"):
            return Lazy(path, path)
        if name == "bytes":
            return self.text(rng).encode()
        if name in ("list", "List", "Sequence", "Iterable", "Collection", "MutableSequence"):
            return self.items(inner or rng.choice(("int", "str")), path, rng, depth)
        if name in ("Iterator", "Generator"):
            return iter(self.items(parts[0] if parts else "int", path, rng, depth))
        if name in ("set", "Set", "frozenset", "FrozenSet", "AbstractSet"):
            made = self.items(inner or "str", path, rng, depth)
            return frozenset(made) if name.lower() == "frozenset" else set(made)
        if name in ("tuple", "Tuple"):
            if len(parts) == 2 and parts[1] == "...":
                return tuple(self.items(parts[0], path, rng, depth))
            return tuple(self.value(part, f"{path}[{at}]", rng, depth + 1) for at, part in enumerate(parts))
        if name in ("dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict", "Counter"):
            return self.mapping(name, parts, path, rng, depth)
        found = getattr(self.module, name, None)
        if isinstance(found, type) and found.__module__ == "program":
            return self.instance(found, path, rng, depth)
        if found is None and name not in dir(builtins) or isinstance(found, Lazy):
            return Lazy(path, re.sub(r"\[[^\]]*\]", "[]", path))
        raise Unfit(kind)

    def mapping(self, name, parts, path, rng, depth):
        if len(parts) == 2:
            keys = [self.value(parts[0], f"{path}{{{at}}}", rng, depth + 1) for at in range(rng.choice((0, 1, 2, 3)))]
            if parts[0] == "str" and rng.random() < 0.7:
                keys += [key for key in self.words["keys"] if rng.random() < 0.7]
            return {key: self.value(parts[1], f"{path}[{key!r}]", rng, depth + 1) for key in keys}
        keys = [key for key in self.words["keys"] if rng.random() < 0.85] or ["a", "b"]
        made = {}
        for key in keys:
            under = f"{path.split('[')[0]}[{key!r}]"
            if depth > 3:
                break
            weights = self.weights.setdefault(under, dict.fromkeys(PLAIN[:9], 1.0))
            kind = rng.choices(list(weights), list(weights.values()))[0]
            self.chosen[under] = kind
            made[key] = self.value(kind, under, rng, depth + 2)
        return made

    def instance(self, kind, path, rng, depth):
        import enum

        if issubclass(kind, enum.Enum):
            return rng.choice(list(kind))
        made = {}
        for name, annotation, needed in parameters_of(kind):
            if needed or rng.random() < 0.5:
                if annotation is None:
                    made[name] = self.at(f"{path}.{name}")
                else:
                    made[name] = self.value(annotation, f"{path}.{name}", rng, depth + 1)
        return kind(**made)


def ran(coroutine):
    """Returns a coroutine's result. Stand-ins never wait, so most coroutines need no event loop."""
    try:
        for _ in range(100):
            if coroutine.send(None) is not None:
                break
    except StopIteration as stop:
        return stop.value
    coroutine.close()
    raise TypeError("it waits for an event loop")


def split(text, by=","):
    """Returns the parts of a text between commas, or bars, outside brackets."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "[(") - (c in ")]")
        if c == by and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return [*parts, part.strip()] if part.strip() else parts


def parameters_of(function):
    """Returns the parameters that accept keywords: name, annotation, and whether a value is required."""
    import inspect

    found = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.kind == parameter.POSITIONAL_ONLY:
            raise Unfit(parameter.name)
        annotation = parameter.annotation
        if annotation is parameter.empty:
            annotation = None
        elif isinstance(annotation, type) and not hasattr(annotation, "__args__"):
            annotation = annotation.__name__
        else:
            annotation = str(annotation)
        found.append((parameter.name, annotation, parameter.default is parameter.empty))
    return found


def hints_of(trees):
    """Returns the kinds that a name's value may have, by its uses."""
    hints = {}
    attributes, keyed = set(), set()
    nodes = [node for tree in trees for node in ast.walk(tree)]

    def says(node, *kinds):
        name = last_name(node)
        if name:
            hints.setdefault(name, set()).update(kinds)

    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr not in OF_PLAIN:
            attributes.add(last_name(node.value))
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and type(node.slice.value) is str:
            keyed.add(last_name(node.value))
    for name in attributes:
        hints.setdefault(name, set()).add("object")
    for name in keyed:
        hints.setdefault(name, set()).add("dict")
    for node in nodes:
        if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            target = last_name(node.target)
            kind = "list[object]" if target in attributes else "list[dict]" if target in keyed else None
            says(node.iter, *([kind] if kind else ["list[str]", "list[int]"]))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv)):
            says(node.left, "int", "float")
            says(node.right, "int", "float")
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
            says(node.left, "int", "float")
            says(node.comparators[0], "int", "float")
        elif isinstance(node, ast.Call):
            called = last_name(node.func)
            if called in OF_PLAIN and isinstance(node.func, ast.Attribute):
                says(node.func.value, "str", "list[str]", "dict[str, int]")
            for part in node.args:
                if called in ("sum", "min", "max", "round", "abs") and isinstance(part, (ast.GeneratorExp, ast.ListComp)):
                    says(part.elt, "int", "float")
                elif called in ("round", "abs", "range"):
                    says(part, "int", "float")
    return hints


def last_name(node):
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def words_of(*trees):
    """Returns values that may decide conditions: literals of both versions with their neighbours, and others."""
    ints, texts, keys = {0, 1, 2, 3, 5, 10, -1, -3, 100}, {"a", "b", "B", "ab", " ", "7", "x y"}, set()
    floats = {0.0, 0.5, 1.0, 2.5, -1.5, 100.0}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant):
                value = node.value
                if type(value) is int and abs(value) < 10**9:
                    ints |= {value - 1, value, value + 1}
                    floats |= {float(value), value + 0.5}
                elif type(value) is float:
                    floats |= {value, value + 0.5, value - 0.5}
                elif type(value) is str and 0 < len(value) <= 24:
                    texts |= {value, value.upper(), value.strip() or value}
            if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and type(node.slice.value) is str:
                keys.add(node.slice.value)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                first = node.args[0]
                if node.func.attr in ("get", "pop", "setdefault") and isinstance(first, ast.Constant) and type(first.value) is str:
                    keys.add(first.value)
            if isinstance(node, ast.Compare) and isinstance(node.left, ast.Constant) and type(node.left.value) is str:
                keys.add(node.left.value)
    called, excepts, classes, files = set(), set(), set(), False
    last = last_name
    reads_numbers = False
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                called.add(last(node.func))
                reads_numbers |= last(node.func) in ("int", "float", "Decimal", "isdigit", "isnumeric")
                files |= last(node.func) in ("open", "read_text", "write_text", "Path", "exists")
                if last(node.func) in ("isinstance", "issubclass") and len(node.args) == 2:
                    kinds = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
                    classes |= {last(kind) for kind in kinds}
            elif isinstance(node, ast.ExceptHandler) and node.type is not None:
                kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
                excepts |= {last(kind) for kind in kinds}
            elif isinstance(node, ast.Raise) and node.exc is not None:
                excepts.add(last(node.exc.func if isinstance(node.exc, ast.Call) else node.exc))
            elif isinstance(node, ast.ClassDef):
                classes |= {last(base) for base in node.bases}
            elif isinstance(node, (ast.withitem,)):
                called.add(last(node.context_expr))
    if reads_numbers:
        texts |= {str(number) for number in ints} | {"0.29", "19.99", "2.675", "1.5", "12", "007"}
        floats |= {0.29, 19.99, 2.675, 1.1}
    named = [getattr(builtins, name) if isinstance(getattr(builtins, name, None), type) else exception_named(name) for name in sorted(excepts) if name]
    raised = [kind for kind in named if issubclass(kind, Exception)] + [RuntimeError]
    return {
        "int": sorted(ints),
        "float": sorted(floats),
        "str": sorted(texts),
        "keys": sorted(keys),
        "called": called,
        "excepts": {name for name in excepts if not isinstance(getattr(builtins, name, None), type)},
        "classes": classes,
        "files": files,
        "raised": raised,
        "hints": hints_of(trees),
    }


def shown(value, depth=0):
    """Returns a text of a value, the same for equal values of both versions."""
    if depth > 6:
        return "…"
    if value is None or isinstance(value, (bool, int, float, str, bytes)) and type(value).__module__ == "builtins":
        text = repr(value)
        return text if len(text) < 2000 else text[:2000] + "…"
    if isinstance(value, (list, tuple)) and type(value).__module__ == "builtins":
        inner = ", ".join(shown(item, depth + 1) for item in value[:MOST_ITEMS])
        return f"[{inner}]" if isinstance(value, list) else f"({inner},)"
    if isinstance(value, (set, frozenset)):
        return type(value).__name__ + "{" + ", ".join(sorted(shown(item, depth + 1) for item in value)) + "}"
    if isinstance(value, dict):
        kind = type(value).__name__ if type(value) is not dict else ""
        return kind + "{" + ", ".join(f"{shown(k, depth + 1)}: {shown(v, depth + 1)}" for k, v in list(value.items())[:MOST_ITEMS]) + "}"
    if isinstance(value, Lazy):
        return repr(value)
    if isinstance(value, contextlib._GeneratorContextManager):
        with value as entered:
            STATE.effects.append((f"body with {shown(entered, depth + 1)}", shown(STATE.given)))
            if random.Random(f"{STATE.draw.seed} body").random() < 0.4:
                raise RuntimeError("raised in the body of with")
        return "context"
    if isinstance(value, types.CoroutineType):
        return "coroutine of " + shown(ran(value), depth + 1)
    if isinstance(value, types.GeneratorType):
        return "generator of " + shown([item for _, item in zip(range(MOST_ITEMS), value)], depth + 1)
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodType, type)):
        return f"<{type(value).__name__}>"
    if hasattr(value, "__next__"):
        return "iterator of " + shown([item for _, item in zip(range(MOST_ITEMS), value)], depth + 1)
    fields = getattr(value, "__dict__", None)
    if type(value).__module__ == "program" and fields is not None:
        public = {name: part for name, part in sorted(fields.items()) if not name.startswith("_")}
        return type(value).__name__ + shown(public, depth + 1)
    text = repr(value)
    return f"<{type(value).__name__}>" if " at 0x" in text else text
