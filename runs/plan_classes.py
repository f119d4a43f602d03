"""Writes what classes have: tables of crates/vm/src/machine, in the directory that is given.

    python3.11 -S -s runs/plan_classes.py crates/vm/src/machine

- `methods.txt`: methods and attributes (with a `=`) of values of builtin types, without those that every object has;
- `stand_ins.txt`: those of classes of the library that the runtime stands for, their own before a `|`, in order;
- `abstract_classes.txt`: of which abstract classes values of builtin types are instances.
"""

import array
import builtins
import collections
import collections.abc
import datetime
import decimal
import fractions
import importlib
import io
import itertools
import numbers
import pathlib
import re
import sys
import types


def function():
    pass


def generator():
    yield


async def coroutine():
    pass


async def async_generator():
    yield


class Slotted:
    __slots__ = ("x",)


waiting = coroutine()
odict = collections.OrderedDict()
deque = collections.deque()
VALUES = [
    object(), None, ..., NotImplemented, True, 1, 1.0, 1j, "", b"", bytearray(), [], (), {}, set(), frozenset(), range(1), slice(1),
    deque, collections.defaultdict(), collections.Counter(), odict, memoryview(b""), array.array("i"),
    function, len, Slotted().__init__, types.MethodType(len, []), [].append, str.join, object.__init__, (1).__add__, int, sys, generator(), waiting,
    async_generator(), waiting.__await__(), property(), staticmethod(len), classmethod(len), super(int, 1), types.MappingProxyType({}),
    types.SimpleNamespace(), types.CellType(1), function.__code__, list[int], int | str, Slotted.x, BaseException.args, type.__dict__["__doc__"],
    dict.__dict__["fromkeys"],
    {}.keys(), {}.values(), {}.items(), odict.keys(), odict.values(), odict.items(),
    iter([]), iter(()), iter("a"), iter("ä"), iter(b""), iter(bytearray()), iter(range(1)), iter(range(2**70)), iter(set()), iter({}),
    iter({}.values()), iter({}.items()), iter(odict), iter(deque), reversed([]), reversed(""), reversed({}), reversed({}.values()),
    reversed({}.items()), reversed(deque), iter(len, 0), iter(type("", (), {"__getitem__": len})()), iter(memoryview(b"")),
    map(len, []), filter(len, []), zip(), enumerate([]), re.compile("a"), re.match("a", "a"),
    datetime.date(1, 1, 1), datetime.datetime(1, 1, 1), datetime.timedelta(), datetime.time(), datetime.timezone.utc,
    decimal.Decimal(1), fractions.Fraction(1), io.StringIO(), io.BytesIO(), collections.ChainMap(), collections.UserDict(),
    collections.UserList(), collections.UserString(""), pathlib.PurePosixPath(), pathlib.PosixPath(),
]
EMPTY = {"repeat": (1,), "count": (), "chain": (), "product": (), "zip_longest": (), "islice": ((), 1), "starmap": (len, ()),
         "combinations": ((), 1), "combinations_with_replacement": ((), 1), "compress": ((), ()), "dropwhile": (len, ()),
         "filterfalse": (len, ()), "takewhile": (len, ())}
for name, value in vars(itertools).items():
    if isinstance(value, type) and not name.startswith("_"):
        VALUES.append(value(*EMPTY.get(name, ((),))))
VALUES += [value() for name, value in sorted(vars(builtins).items())
           if isinstance(value, type) and issubclass(value, BaseException) and "Unicode" not in name and "Group" not in name
           and value.__name__ == name]
VALUES += [UnicodeEncodeError("", "", 0, 0, ""), UnicodeDecodeError("", b"", 0, 0, ""), UnicodeTranslateError("", 0, 0, ""),
           ExceptionGroup("", [ValueError()]), BaseExceptionGroup("", [KeyboardInterrupt()])]
waiting.close()

EVERY = set(dir(object()))
ABSTRACT = [getattr(module, name) for module in (collections.abc, numbers) for name in module.__all__]


CALLABLE = "builtin_function_or_method builtin_method method method-wrapper method_descriptor wrapper_descriptor".split()


def is_data(value, name):
    found = getattr(value, name, None)
    return not isinstance(found, type) and type(found).__name__ not in CALLABLE


def rows_of_methods():
    seen = {"object"}
    yield "object " + " ".join(name + "=" * is_data(object(), name) for name in sorted(EVERY))
    for value in VALUES:
        kind = type(value).__name__
        # `type` says that it has `__abstractmethods__`, which classes that are not abstract do not have.
        names = set(dir(type(value))) - EVERY - {"__abstractmethods__"}
        if kind not in seen:
            seen.add(kind)
            yield " ".join([kind, *(name + "=" * is_data(value, name) for name in sorted(names))])


def rows_of_abstract_classes():
    seen = set()
    for value in VALUES:
        kind = type(value).__name__
        if kind not in seen and not isinstance(value, BaseException):
            seen.add(kind)
            yield " ".join([kind, *(kind.__name__ for kind in ABSTRACT if isinstance(value, kind))])


def classes_of_library(directory):
    """Modules and classes of the files of `lib/`."""
    for path in directory.rglob("*.py"):
        place = path.relative_to(directory)
        module = place.parts[0] if len(place.parts) > 1 else place.stem
        if module != "core" and not module.startswith("_"):
            for name in re.findall(r"^class (\w+)", path.read_text(), re.M):
                yield module, name


def rows_of_stand_ins(directory):
    for module, last in sorted(set(classes_of_library(directory))):
        try:
            cls = getattr(importlib.import_module(module), last)
        except (ImportError, AttributeError):
            continue
        if isinstance(cls, type):
            own = [name for name in vars(cls) if name != "__slotnames__"]
            inherited = sorted(set(dir(cls)) - set(own) - EVERY)
            yield " ".join([module + "." + last, *own, "|", *inherited])


def main():
    directory = pathlib.Path(sys.argv[1])
    tables = {
        "methods.txt": rows_of_methods(),
        "abstract_classes.txt": rows_of_abstract_classes(),
        "stand_ins.txt": rows_of_stand_ins(directory.parent.parent / "lib"),
    }
    for name, rows in tables.items():
        (directory / name).write_text("\n".join(rows) + "\n")


main()
