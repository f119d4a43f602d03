"""Writes plan/src/machine/types.txt: which calls of builtin functions and methods raise a TypeError for the number and the
types of their arguments alone, and its message.

    python3.11 runs/plan_types.py > plan/src/machine/types.txt

Each function is called with values of every type. A rule is kept where all values of the types raise a TypeError with the same
message. Columns: name, number of positional arguments, types per argument (`*`: any), message; `{0}` is the name of the type of
argument 0, `{n}` the number of arguments. With `kw` in place of the number: keywords that are accepted, and the message for others, `{k}` being the keyword.
Run it with CPython 3.11.7: messages are its own.
"""

import bisect
import collections
import copy
import heapq
import itertools
import math
import re
import sys

sys.stdout.reconfigure(encoding="utf-8")


class P:
    """Stands for instances of the program's classes that have no special methods."""


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
    "list": [[], [1], ["a"], [1, 2, 3], [(1, 2)], ["a", "b"]],
    "tuple": [(), (1,), ("a",), (1, 2), ("a", "b"), (int, str)],
    "dict": [{}, {1: 2}, {"a": 1}, {97: "b"}],
    "set": [set(), {1}, {"a", "b"}],
    "frozenset": [frozenset(), frozenset([1]), frozenset("ab")],
    "range": [range(0), range(3)],
    "function": [generator, lambda x: x, lambda x, y: 1, lambda: 1],
    "type": [int, str, P, list],
    "P": [P()],
    "generator": [Fresh([]), Fresh([1]), Fresh(["a"]), Fresh([(1, 2)])],
}
NAMES = list(POOL)

FUNCTIONS = (
    "abs all any bin bytes callable chr complex dict divmod float format frozenset hash hex int isinstance issubclass iter "
    "len list max min next oct ord pow range repr round set sorted str sum tuple slice ascii bool"
).split()
MODULES = {
    math: "ceil floor sqrt gcd lcm factorial comb perm isqrt log log2 log10 exp pow sin cos tan asin acos atan atan2 hypot prod fsum "
    "trunc fabs fmod isnan isinf isfinite isclose degrees radians copysign modf ldexp frexp dist cbrt exp2 expm1 log1p sinh cosh tanh",
    heapq: "heappush heappop heapify heapreplace heappushpop nlargest nsmallest",
    bisect: "bisect_left bisect_right bisect insort insort_left insort_right",
    collections: "deque Counter defaultdict OrderedDict",
    copy: "copy deepcopy",
}
RECEIVERS = {
    "int": [5],
    "float": [2.5],
    "str": ["abc", "a b"],
    "bytes": [b"abc"],
    "list": [[3, 1, 2]],
    "tuple": [(3, 1, 2)],
    "dict": [{1: 2, "a": 3}],
    "set": [{1, 2}],
    "frozenset": [frozenset([1, 2])],
    "range": [range(3)],
    "collections.deque": [collections.deque([1, 2, 3])],
    "collections.defaultdict": [collections.defaultdict(list, {1: [2]})],
    "collections.Counter": [collections.Counter("aab")],
    "collections.OrderedDict": [collections.OrderedDict({1: 2})],
}
KEYWORDS = (
    "key reverse default start base encoding errors sep end maxsplit keepends ndigits number mod exp iterable object strict string "
    "x y last maxlen elem other n lo hi a item rel_tol abs_tol real imag source value func memo initial tabsize width fillchar file flush "
    "bytes length byteorder signed bytes_per_sep"
).split()


def outcome(call, args, keywords=None):
    args = [(x for x in a.items) if isinstance(a, Fresh) else copy.deepcopy(a) if isinstance(a, (list, dict, set)) else a for a in args]
    try:
        call(*args, **(keywords or {}))
    except TypeError as error:
        return str(error)
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


def write(name, call, receivers):
    def results(args, keywords=None):
        messages = set()
        for receiver in receivers:
            if receiver is None:
                messages.add(outcome(call, args, keywords))
            else:
                own = copy.deepcopy(receiver)
                messages.add(outcome(getattr(own, call), args, keywords))
        return messages

    valid = None
    arity = []
    for n in range(7):
        most = {0: 0, 1: 9, 2: 5, 3: 2}.get(n, 1)
        names = NAMES if n < 3 else ["int", "str", "list", "NoneType", "float", "function", "tuple"]
        if n > 3:
            combos = [(kind,) * n for kind in ("int", "str", "list", "NoneType")]
        else:
            combos = list(itertools.product(names, repeat=n))
        cells = {}
        for types in combos:
            messages = set()
            for args in itertools.product(*[POOL[t][:most] for t in types]):
                messages |= results(args)
                if None in messages:
                    if valid is None or len(valid) == 0:
                        valid = args
                    break
            if None not in messages and len(messages) == 1:
                cells[types] = templates(messages.pop(), types)
        if len(cells) == len(combos):
            common = set.intersection(*cells.values())
            if common:
                plain = min(common, key=lambda t: (t.count("{"), t))
                template = re.sub(rf"(?<=[( ]){n}(?= given|$)", "{n}", plain)
                if arity and arity[-1][2] == template and arity[-1][1] == n - 1:
                    arity[-1][1] = n
                else:
                    arity.append([n, n, template])
                continue
        # A set looks at the items of its first argument before it looks at the second.
        if n > 2 or n == 2 and name.startswith(("set:", "frozenset:")):
            continue
        for template, chosen in choose(cells):
            for row in boxes(set(chosen), n):
                columns = ["*" if len(kinds) == len(names) else ",".join(kinds) for kinds in row]
                print(name, n, ";".join(columns), template, sep="\t")
    for low, high, template in arity:
        print(name, low if low == high else f"{low}-{high if high < 6 else 99}", "*", template, sep="\t")
    if valid is None:
        return
    messages = results(valid, {"zzz": 1})
    if None in messages or len(messages) != 1:
        return
    message = messages.pop()
    if "zzz" not in message and "keyword" not in message:
        return
    accepted = []
    for keyword in KEYWORDS:
        for value in (1, "a", None, len):
            found = results(valid, {keyword: value})
            if found != {message.replace("zzz", keyword)}:
                accepted.append(keyword)
                break
    print(name, "kw", ",".join(accepted) or "-", message.replace("zzz", "{k}"), sep="\t")


def main():
    print("# What calls raise a TypeError for the types of their arguments alone, written by runs/plan_types.py.")
    import builtins

    for name in FUNCTIONS:
        write(name, getattr(builtins, name), [None])
    for module, names in MODULES.items():
        for name in names.split():
            write(f"{module.__name__}.{name}", getattr(module, name), [None])
    for kind, receivers in RECEIVERS.items():
        for method in dir(receivers[0]):
            if method.startswith("_") or not callable(getattr(receivers[0], method)):
                continue
            write(f"{kind}:{method}", method, receivers)


main()
