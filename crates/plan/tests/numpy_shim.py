"""Loads the library's numpy (crates/vm/lib/numpy/) under CPython, with stand-ins for what the machine provides.

For its development: what the machine makes of it is checked by `cargo test -p codexec-plan --test calls`.
"""

import builtins
import collections
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = os.path.join(HERE, "..", "lib")
PARTS = "types scalars arrays subscripts items making reductions order shapes choosing products text".split()


class Unsupported(Exception):
    pass


def _throw(what):
    raise Unsupported(what)


class _End:
    pass


END = _End()


class _Plain:
    pass


def _base(x):
    return x.__dict__["_b"] if hasattr(type(x), "__dict__") and "_b" in getattr(x, "__dict__", ()) else x


def _scalar(cls, value):
    new = object.__new__(cls)
    new.__dict__["_b"] = _base(value)
    return new


def _instance(cls):
    return object.__new__(cls)


def _find(value, name):
    if type(value).__module__ in ("builtins", "collections") or isinstance(value, type):
        return END
    method = getattr(type(value), name, None)
    return END if method is None or method is getattr(object, name, None) else method.__get__(value)


def _ask(name, args, kwargs):
    module, _, rest = name.rpartition(".")
    if module == "math":
        return getattr(math, rest)(*args, **kwargs)
    if module == "str":
        return getattr(str, rest)(*args, **kwargs)
    if module == "int":
        return getattr(int, rest)(*args, **kwargs)
    return getattr(builtins, name)(*args, **kwargs)


def _push(items, x):
    items.append(x)


def _kind(value):
    return "iterator" if hasattr(type(value), "__next__") else "other"


def _items(value):
    return builtins.list(value)


def _type_name(value):
    kind = type(value)
    return (kind.__module__ + "." if kind.__module__ == "numpy" else "") + kind.__name__


def _scientific(x):
    a, b = format(x, ".8e").split("e")
    shortest = repr(x)
    import decimal

    d = decimal.Decimal(shortest)
    e = d.adjusted()
    m = str(d.scaleb(-e).normalize())
    if len(m) <= len(a):
        a, b = m, "%+03d" % e
    a = a.rstrip("0") if "." in a else a + "."
    return a, "e" + "%+03d" % int(b)


def _rename(cls, name):
    cls.__name__ = name


def _is(value, kinds):
    kinds = kinds if isinstance(kinds, tuple) else (kinds,)
    for kind in kinds:
        if builtins.isinstance(value, kind):
            return True
        if kind is float and type(value).__name__ == "float64":
            return True
        if kind is str and type(value).__name__ == "str_":
            return True
    return False


def load():
    space = {
        "__name__": "runtime",
        "_END": END,
        "_FLOAT": _Plain,
        "_STR": _Plain,
        "_deque": collections.deque,
        "_throw": _throw,
        "_base": _base,
        "_scalar": _scalar,
        "_instance": _instance,
        "_find": _find,
        "_ask": _ask,
        "_push": _push,
        "_kind": _kind,
        "_items": _items,
        "_len": len,
        "_list": list,
        "_type_name": _type_name,
        "_classof": type,
        "_str": str,
        "_repr": repr,
        "_own": lambda x: type(x).__module__ == "__main__",
        "_zipped": lambda a, b: builtins.list(zip(a, b)),
        "_filled": lambda x, n: [x] * n,
        "_range": range,
        "_int": lambda x: int(x),
        "_fixed": lambda x, n: format(x, ".%df" % n),
        "_format": lambda x, c, spec: format(x, spec),
        "_scientific": _scientific,
        "_rename": _rename,
        "_set_own": setattr,
        "isinstance": _is,
    }
    core = dict(space)
    for part in PARTS:
        run("numpy", part, space)

    class Namespace:
        def __init__(self, names):
            self.__dict__.update(names)

    np = Namespace(space)
    # What its submodule imports.
    sys.modules["numpy"] = np
    core["__name__"] = "numpy.linalg"
    for part in ("items", "products"):
        run("numpy.linalg", part, core)
    np.linalg = Namespace(core)
    return np


def run(module, part, space):
    path = os.path.join(LIBRARY, module, part + ".py")
    with open(path) as file:
        exec(compile(file.read(), path, "exec"), space)


if __name__ == "__main__":
    np = load()
    wrong = 0
    count = 0
    refused = []
    for line in open(sys.argv[1]):
        expression, expected = line.rstrip("\n").split("\t")
        before, _, last = expression.rpartition("; ")
        space = {"np": np}
        try:
            exec(before, space)
            text = repr(eval(last, space)).replace("\n", "\\n")
        except Unsupported as error:
            refused.append(f"{expression}: {error}")
            continue
        except Exception as error:
            text = f"!{type(error).__name__}: {error}".replace("\n", "\\n")
            if "-v" in sys.argv and text != expected:
                import traceback

                traceback.print_exc()
        count += 1
        plain = expected.replace("numpy.", "").replace("module 'numpy'", "'Namespace' object")
        if text.replace("numpy.", "") != plain:
            wrong += 1
            print(f"{expression}\n    ours  {text}\n    numpy {expected}")
    print(f"{wrong} of {count} differ; {len(refused)} refused")
    for line in refused:
        print("   ", line)
