"""The functions, classes and methods that `plan_types.py` asks CPython about: those that the machine knows by name."""

import array
import builtins
import collections
import datetime
import decimal
import fractions
import importlib
import io
import pathlib
import random
import re
import struct
import types

VM = pathlib.Path(__file__).parent.parent / "crates" / "vm"
MACHINE = VM / "src" / "machine"
LIBRARY = VM / "lib"

BUILTINS = (
    "abs all any ascii bin bool bytearray bytes callable chr complex delattr dict divmod enumerate filter float format frozenset "
    "getattr globals hasattr hash hex id int isinstance issubclass iter len list locals map max memoryview min next object oct ord pow "
    "property range repr reversed round set setattr slice sorted staticmethod classmethod str sum tuple type vars zip dict.fromkeys "
    "str.maketrans bytes.fromhex bytes.maketrans bytearray.fromhex bytearray.maketrans int.from_bytes float.fromhex print input"
).split()
# Modules whose functions can be called with anything.
CALLED = (
    "math cmath itertools functools operator statistics collections copy random textwrap string json re bisect heapq struct unicodedata "
    "html keyword fractions decimal datetime binascii base64"
).split()
# Modules of which only the parameters are of interest, and none.
NEVER = "numpy unittest argparse sys gc builtins doctest subprocess socket".split()
KEYWORDS = (
    "key reverse default start base encoding errors sep end maxsplit keepends ndigits number mod exp iterable object strict string "
    "x y last maxlen elem other n lo hi a item rel_tol abs_tol real imag source value func memo initial tabsize width fillchar file flush "
    "bytes length byteorder signed bytes_per_sep fget fset fdel doc function repeat times r selectors data fillvalue"
).split()


def gen():
    yield 1


def receivers():
    """Objects of each type, or functions that make them."""
    return {
        "int": [5, 0],
        "bool": [True],
        "float": [2.5],
        "complex": [1j],
        "str": ["abc", "a b", ""],
        "bytes": [b"abc", b""],
        "bytearray": [bytearray(b"abc"), bytearray()],
        "list": [[3, 1, 2], []],
        "tuple": [(3, 1, 2), ()],
        "dict": [{1: 2, "a": 3}, {}],
        "set": [{1, 2}, set()],
        "frozenset": [frozenset([1, 2]), frozenset()],
        "range": [range(3), range(0)],
        "slice": [slice(1)],
        "generator": [lambda: gen()],
        "dict_keys": [lambda: {1: 2}.keys()],
        "dict_values": [lambda: {1: 2}.values()],
        "dict_items": [lambda: {1: 2}.items()],
        "property": [lambda: property(len)],
        "collections.deque": [collections.deque([1, 2, 3]), collections.deque()],
        "collections.defaultdict": [collections.defaultdict(list, {1: [2]})],
        "collections.Counter": [collections.Counter("aab"), collections.Counter()],
        "collections.OrderedDict": [collections.OrderedDict({1: 2})],
        "datetime.date": [datetime.date(2020, 1, 2)],
        "datetime.datetime": [datetime.datetime(2020, 1, 2)],
        "datetime.time": [datetime.time(1, 2)],
        "datetime.timedelta": [datetime.timedelta(1)],
        "decimal.Decimal": [decimal.Decimal("1.5")],
        "fractions.Fraction": [fractions.Fraction(1, 2)],
        "re.Pattern": [re.compile("a(b)?")],
        "re.Match": [lambda: re.match("a(b)?", "ab")],
        "array.array": [array.array("i", [1, 2]), array.array("d", [1.0, 2.0]), array.array("u", "ab")],
        "io.BytesIO": [lambda: io.BytesIO(b"ab")],
        "io.StringIO": [lambda: io.StringIO("ab")],
        "struct.Struct": [lambda: struct.Struct("i")],
        "random.Random": [lambda: random.Random(1)],
        "memoryview": [lambda: memoryview(b"ab")],
    }


def dunders():
    """The special methods of builtin types that the machine knows."""
    for line in (MACHINE / "methods.txt").read_text().splitlines():
        kind, *names = line.split()
        yield kind, [name for name in names if name.startswith("__") and name not in ("__init__", "__doc__", "__missing__", "__next__")]


def of_module(module):
    """Functions and classes of a module in `modules.txt`."""
    inside = False
    for line in (MACHINE / "modules.txt").read_text().splitlines():
        if line.startswith("["):
            inside = line == f"[{module}]"
        elif inside and line[:2] in ("f ", "c "):
            yield from line[2:].split()


def of_library():
    """What the library defines for modules: `textwrap.dedent`."""
    for path in sorted(LIBRARY.rglob("*.py")):
        place = path.relative_to(LIBRARY)
        module = place.parts[0] if len(place.parts) > 1 else place.stem
        if module == "core" or module.startswith("_"):
            continue
        for match in re.finditer(r"^(?:async def|def|class) ([A-Za-z]\w*)", path.read_text(), re.M):
            yield f"{module}.{match[1]}"


def found(dotted):
    """The object of a name like `os.path.join`, and its dotted name."""
    parts = dotted.split(".")
    for at in range(len(parts) - 1, 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:at]))
            for part in parts[at:]:
                value = getattr(value, part)
        except (ImportError, AttributeError):
            continue
        return ".".join(parts), value
    return None


def functions():
    """Name, object, receivers, and numbers of arguments whose types are of interest."""
    for name in BUILTINS:
        value = builtins
        for part in name.split("."):
            value = getattr(value, part)
        yield name, value, [None], () if name in ("print", "input", "globals", "locals", "vars") else (1, 2, 3)
    seen = set()
    for module in CALLED:
        for name in of_module(module):
            value = getattr(importlib.import_module(module), name)
            if name.startswith("_") or not callable(value) or isinstance(value, type) and issubclass(value, BaseException):
                continue
            seen.add(f"{module}.{name}")
            if type(type(value)).__name__ != "type" or name == "triangular":
                continue
            longer = module in ("bisect", "heapq", "functools") and not isinstance(value, types.FunctionType)
            yield f"{module}.{name}", value, [None], (1, 2, 3) if longer else (1, 2)
    yield "itertools.chain.from_iterable", importlib.import_module("itertools").chain.from_iterable, [None], (1, 2)
    for name in dict.fromkeys(of_library()):
        place = found(name)
        if place is None or place[0] in seen or place[0].split(".")[0] in NEVER:
            continue
        dotted, value = place
        if isinstance(value, type):
            made = isinstance(value.__new__, types.FunctionType) or isinstance(value.__init__, types.FunctionType)
            if made and type(value).__call__ is type.__call__ and not issubclass(value, BaseException):
                yield dotted, value, [None], ()
        elif isinstance(value, types.FunctionType):
            yield dotted, value, [None], ()


def methods():
    special = dict(dunders())
    short = lambda kind: kind.removeprefix("collections.")
    for kind, objects in receivers().items():
        made = objects[0]() if isinstance(objects[0], types.FunctionType) else objects[0]
        for name in dir(made):
            value = getattr(type(made), name, None)
            if not callable(value) or isinstance(value, type):
                continue
            if name.startswith("_"):
                if name in special.get(short(kind), ()):
                    yield f"{kind}:{name}", name, objects, ()
                continue
            yield f"{kind}:{name}", name, objects, (1, 2, 3) if kind in ("str", "bytes", "int", "tuple", "list", "re.Pattern") else () if kind == "generator" else (1, 2)
    for name in dict.fromkeys(of_library()):
        place = found(name)
        if place is None or not isinstance(place[1], type) or place[0] in receivers() or place[0].split(".")[0] in NEVER:
            continue
        dotted, value = place
        for name in dir(value):
            function = value.__dict__.get(name)
            if not name.startswith("_") and isinstance(function, types.FunctionType):
                yield f"{dotted}:{name}", function, [None], ()
