"""Writes crates/vm/src/machine/types.txt: which calls of builtin and library functions raise a TypeError for the number, the names
and the types of their arguments alone, and its message.

    python3.11 runs/plan_types.py > crates/vm/src/machine/types.txt

Each function is called with values of every type. A rule is kept where all values of the types raise a TypeError with the same
message. Columns: name, what the row is about, types or names, message. What a row is about:

- `none`, `one`, `clinic`, `python`: the way in which arguments are counted (`plan_signatures.py`), with the function's name and parameters
  and, for `python`, how many arguments the call adds.
- a number, or a range of them: so many positional arguments of these types (`*`: any). `{0}` is the name of the type of argument
  0, `{n}` the number of arguments.
- `kw`: keywords that are accepted, and the message for others, `{k}` being the keyword; `kw>` where arguments are counted first.
- `k=NAME`: the argument of this name has one of these types, whose name is `{k}`.
- `own`: special methods, by argument, that make an object of the program's class differ from one that has none (type `P`).

Run it with CPython 3.11.7: messages are its own.
"""

import collections
import contextlib
import copy
import io
import itertools
import re
import sys
import warnings

from plan_callables import KEYWORDS, functions, methods
from plan_signatures import fitted

warnings.simplefilter("ignore")


class P:
    """Stands for instances of the program's classes that have no special methods."""


SPECIAL = (
    "len iter next getitem setitem delitem contains index int float complex trunc round floor ceil abs neg pos invert bool hash str "
    "repr format bytes call enter exit get set eq ne lt le gt ge add radd iadd sub rsub mul rmul imul truediv floordiv rfloordiv mod "
    "rmod divmod rdivmod pow rpow matmul lshift rshift and or xor rand ror rxor reversed length_hint missing dir sizeof copy "
    "deepcopy fspath instancecheck subclasscheck getattr mro_entries class_getitem reduce_ex"
).split()
RETURNS = {"len": 1, "iter": iter("ab"), "next": 1, "index": 1, "int": 1, "float": 1.0, "complex": 1j, "trunc": 1, "bool": True, "hash": 1,
           "str": "s", "repr": "r", "format": "f", "bytes": b"b", "contains": True, "length_hint": 1, "dir": [], "fspath": "p"}


def with_method(name):
    """A class with one special method."""

    def method(self, *args):
        if name == "getitem" and args and isinstance(args[0], int) and args[0] > 1:
            raise IndexError
        return iter("ab") if name == "iter" else RETURNS.get(name, 1)

    methods = {"__getattr__": lambda self, name: len} if name == "getattr" else {f"__{name}__": method}
    return type("P", (), methods)


METHODS = {f"__{name}__": with_method(name) for name in SPECIAL}
METHODS["keys"] = type("P", (), {"keys": lambda self: []})


def generator():
    yield 1


class Fresh:
    """Stands for a generator, of which every call gets its own."""

    def __init__(self, items):
        self.items = items


POOL = {
    "NoneType": [None],
    "bool": [False, True],
    "int": [0, 1, -1, 3, 70],
    "float": [0.0, 1.5, -2.0, 3.0],
    "complex": [0j, 1 + 2j],
    "str": ["", "a", "5", "abc", " x y"],
    "bytes": [b"", b"a", b"5", b"abc"],
    "bytearray": [bytearray(), bytearray(b"a"), bytearray(b"5"), bytearray(b"abc")],
    "list": [[], [1], ["a"], [1, 2, 3], [(1, 2)], ["a", "b"]],
    "tuple": [(), (1,), ("a",), (1, 2), ("a", "b"), (int, str)],
    "dict": [{}, {1: 2}, {"a": 1}, {97: "b"}],
    "set": [set(), {1}, {"a", "b"}],
    "frozenset": [frozenset(), frozenset([1]), frozenset("ab")],
    "range": [range(0), range(3)],
    "slice": [slice(1), slice(None, None, 2)],
    "ellipsis": [...],
    "module": [sys],
    "function": [generator, lambda x: x, lambda x, y: 1, lambda: 1],
    "builtin_function_or_method": [len, sum],
    "type": [int, str, P, list],
    "P": [P()],
    "generator": [Fresh([]), Fresh([1]), Fresh(["a"]), Fresh([(1, 2)])],
}
NAMES = list(POOL)
# Types of three arguments.
FEW = ["int", "str", "list", "NoneType", "float", "function", "tuple", "bytes", "P"]


def own(value):
    """A value that the call may use up or change."""
    if isinstance(value, Fresh):
        return (x for x in value.items)
    # A call before this one may have set attributes of an object.
    if isinstance(value, P):
        return P()
    return copy.deepcopy(value) if isinstance(value, (list, dict, set, bytearray)) else value


def outcome(call, args, keywords=None):
    args, keywords = [own(a) for a in args], {name: own(value) for name, value in (keywords or {}).items()}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            call(*args, **keywords)
    except TypeError as error:
        return str(error) if "\n" not in str(error) else None
    except BaseException:
        return None
    return None


def templates(message, types):
    """All texts with some of the names of types replaced."""
    found = {message}
    for at, name in enumerate(types):
        for text in list(found):
            spots = [m.span() for m in re.finditer(rf"(?<![\w.{{]){name}(?![\w}}])", text)]
            for count in range(1, len(spots) + 1):
                for chosen in itertools.combinations(spots, count):
                    new = text
                    for a, b in reversed(chosen):
                        new = new[:a] + "{%d}" % at + new[b:]
                    found.add(new)
    return found


def choose(cells):
    """Groups of cells (tuples of types -> candidate templates), each with one template: the most common first."""
    left = dict(cells)
    while left:
        count = collections.Counter(t for found in left.values() for t in found)
        best = max(count, key=lambda t: (count[t], -t.count("{"), t))
        if count[best] == 1:
            best = min(next(f for f in left.values() if best in f), key=lambda t: (t.count("{"), t))
        chosen = [cell for cell, found in left.items() if best in found]
        yield best, chosen
        for cell in chosen:
            del left[cell]


def boxes(cells, n):
    """Rows of type sets that cover exactly these cells."""
    if n == 1:
        return [(tuple(sorted({c[0] for c in cells})),)]
    by_first = collections.defaultdict(set)
    for cell in cells:
        by_first[cell[0]].add(cell[1:])
    groups = collections.defaultdict(list)
    for first, rest in by_first.items():
        groups[frozenset(rest)].append(first)
    rows = []
    for rest, firsts in groups.items():
        rows.extend((tuple(sorted(firsts)), *row) for row in boxes(rest, n - 1))
    return rows


def called(receiver, method, args):
    """What the call of a method calls, and with what: messages of one that is bound differ."""
    found = getattr(type(receiver), method)
    if getattr(found, "__self__", None) is not None or isinstance(found, staticmethod):
        return found, args
    return (found, [receiver, *args]) if type(found).__name__ != "builtin_function_or_method" else (found, args)


class Probe:
    """What a function does with arguments: a callable, or a method of all these receivers."""

    def __init__(self, name, call, receivers):
        self.name, self.call, self.receivers = name, call, receivers
        self.valid = []
        self.rows = []

    def results(self, args, keywords=None):
        messages = set()
        for receiver in self.receivers:
            if receiver is None:
                messages.add(outcome(self.call, args, keywords))
            else:
                made = receiver() if type(receiver).__name__ == "function" else copy.deepcopy(receiver)
                messages.add(outcome(*called(made, self.call, args), keywords))
            if None in messages:
                break
        return messages

    def raised(self, values, keywords=None):
        """The one message of all calls with these values per argument."""
        messages = set()
        for args in itertools.product(*values):
            messages |= self.results(args, keywords)
            if None in messages:
                if keywords is None and len(self.valid) < 8:
                    self.valid.append(args)
                return None
            if len(messages) > 1:
                return None
        return messages.pop() if messages else None

    def cells(self, n, names):
        most = {0: 0, 1: 9, 2: 5, 3: 3}[n]
        cells = {}
        for types in itertools.product(names, repeat=n):
            message = self.raised([POOL[t][:most] for t in types])
            if message is not None:
                cells[types] = templates(message, types)
        return cells

    def types(self, counts, refused):
        """Rows for the types of so many arguments."""
        for n in counts:
            if refused(n):
                continue
            # A set looks at the items of its first argument before it looks at the second.
            if n > 1 and self.name.startswith(("set:", "frozenset:")):
                continue
            names = NAMES if n < 3 else FEW
            cells = self.cells(n, names)
            for template, chosen in choose(cells):
                for row in boxes(set(chosen), n):
                    columns = ["*" if len(kinds) == len(NAMES) or n > 2 and len(kinds) == len(FEW) else ",".join(kinds) for kinds in row]
                    self.rows.append((n, ";".join(columns), template))

    def keyword_types(self, keywords):
        for keyword in keywords:
            cells = {}
            for kind in NAMES:
                found = set()
                for args in self.valid:
                    found |= {self.raised([[a] for a in args], {keyword: value}) for value in POOL[kind][:5]}
                if len(found) == 1 and None not in found:
                    cells[(kind,)] = {t.replace("{0}", "{k}") for t in templates(found.pop(), (kind,))}
            for template, chosen in choose(cells):
                if "unexpected keyword" in template or "keyword argument" in template or "multiple values" in template:
                    continue
                # What does not name the type may depend on other arguments.
                if "given by name" in template or len(chosen) == len(NAMES) or "{k}" not in template and "None" not in template:
                    continue
                (kinds,) = boxes(set(chosen), 1)[0]
                self.rows.append((f"k={keyword}", ",".join(kinds), template))

    def unknown_keyword(self):
        """The row for keywords of a function that looks at other arguments first."""
        messages = {message for args in self.valid for message in self.results(args, {"zzz": 1})}
        if len(messages) == 1 and None not in messages and "zzz" in (message := messages.pop()):
            named = [k for k in KEYWORDS if self.results(self.valid[0], {k: None}) != {message.replace("zzz", k)}]
            self.rows.append(("kw>", ",".join(named) or "-", message.replace("zzz", "{k}")))
            return named
        return []

    def special(self, counts, refused):
        """Special methods, by argument, with which an object is not refused as one without."""
        sensitive = collections.defaultdict(set)
        others = [1, "a", None, [1], len]
        for n in counts:
            if refused(n) or n > 2:
                continue
            for at in range(n):
                for rest in itertools.product(others, repeat=n - 1):
                    args = [*rest[:at], P(), *rest[at:]]
                    plain = self.results(args)
                    if plain == {None}:
                        continue
                    for method, kind in METHODS.items():
                        args[at] = kind()
                        if self.results(args) != plain:
                            sensitive[at].add(method)
        if self.name == "hash":
            # `P` has one already, classes that come from a list do not.
            sensitive[0].add("__hash__")
        if sensitive:
            columns = [",".join(sorted(sensitive[at])) or "-" for at in range(max(sensitive) + 1)]
            self.rows.append(("own", ";".join(columns), ""))


def write(name, call, receivers, types=(1, 2, 3)):
    probe = Probe(name, call, receivers)
    target = call if receivers == [None] else getattr(type(receivers[0]()) if type(receivers[0]).__name__ == "function" else type(receivers[0]), call)
    signature, rows, refused, keywords = fitted(name, target, probe, KEYWORDS)
    if types:
        probe.types(types, refused)
        probe.special(types, refused)
        if not signature and "." not in name and not any(str(row[0]).startswith("kw") for row in rows):
            keywords = probe.unknown_keyword()
    probe.valid = probe.valid or [()]
    probe.keyword_types(keywords if types or name == "print" else [])
    if signature:
        print(name, *signature, sep="\t")
    for row in [*rows, *probe.rows]:
        # A pattern may be of bytes.
        if name.startswith("re.Pattern:") and row[-1] == "cannot use a string pattern on a bytes-like object":
            continue
        print(name, *row, sep="\t")


def main():
    print("# What calls raise a TypeError for the number and the types of their arguments alone, written by runs/plan_types.py.")
    only = sys.argv[1:]
    for name, call, receivers, types in [*functions(), *methods()]:
        if only and name not in only:
            continue
        print(name, file=sys.stderr)
        write(name, call, receivers, types)


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    main()
