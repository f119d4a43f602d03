"""Writes vectors for the folding of operations: an expression and what CPython makes of it.

    python3.11 crates/vm/tests/fold_vectors.py > crates/vm/tests/fixtures/fold_vectors.txt
    python3.11 crates/vm/tests/fold_vectors.py --random 200000 --seed 7 > vectors.txt
    FOLD_VECTORS=vectors.txt cargo test -p codexec-vm --test fold_vectors

A line is an expression, a tab, and the `repr` of its value or `!Kind: message`. The second form of the
command draws many more at random. Run it with CPython 3.11.7 and PYTHONHASHSEED=0: messages, the
characters that `repr` shows and the order of sets are its own.
"""

import operator
import os
import random
import struct
import sys
from collections import Counter, OrderedDict, defaultdict, deque

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "data", "python"))
sys.dont_write_bytecode = True

from tracer import _render as canonical  # noqa: E402

INPLACE = {
    "+": operator.iadd,
    "&": operator.iand,
    "//": operator.ifloordiv,
    "<<": operator.ilshift,
    "@": operator.imatmul,
    "*": operator.imul,
    "%": operator.imod,
    "|": operator.ior,
    "**": operator.ipow,
    ">>": operator.irshift,
    "-": operator.isub,
    "/": operator.itruediv,
    "^": operator.ixor,
}
COMPARE = ["<", "<=", "==", "!=", ">", ">="]


def inplace(op, a, b):
    return INPLACE[op](a, b)


def setitem(container, index, value):
    container[index] = value
    return container


def delitem(container, index):
    del container[index]
    return container


def unpack(count, values):
    exec(f"[{', '.join('abcdefg'[:count])}] = values", {"values": values})


def unpack_starred(before, after, values):
    names = [f"a{i}" for i in range(before)] + ["*r"] + [f"b{i}" for i in range(after)]
    exec(f"[{', '.join(names)}] = values", {"values": values})


def order(added, removed, added_later, popped):
    """The elements of a set in its own order."""
    values = set()
    values.update(added)
    for value in removed:
        values.discard(value)
    for value in added_later:
        values.add(value)
    for _ in range(min(popped, len(values))):
        values.pop()
    return list(values)


def merged(a, b):
    values = set(a)
    values |= set(b)
    return list(values)


def from_dict(names):
    return list(set(dict.fromkeys(names)))


SCOPE = {
    name: globals()[name]
    for name in (
        "inplace setitem delitem unpack unpack_starred order merged from_dict canonical Counter OrderedDict "
        "defaultdict deque"
    ).split()
}
SCOPE.update(inf=float("inf"), nan=float("nan"))


def show(value):
    """An expression of a value that both sides read."""
    kind = type(value)
    if kind is float and value != value:
        return "nan"
    if kind is complex:
        return f"complex({show(value.real)}, {show(value.imag)})"
    if kind in (tuple, list):
        texts = ", ".join(map(show, value)) + ("," if kind is tuple and len(value) == 1 else "")
        return f"[{texts}]" if kind is list else f"({texts})"
    if kind is dict:
        return "{" + ", ".join(f"{show(k)}: {show(v)}" for k, v in value.items()) + "}"
    if kind is set:
        return "{" + ", ".join(map(show, value)) + "}" if value else "set()"
    if kind is frozenset:
        return f"frozenset({show(list(value))})"
    if kind is deque:
        return f"deque({show(list(value))}, {value.maxlen})"
    if kind in (Counter, OrderedDict):
        return f"{kind.__name__}({show(dict(value))})"
    if kind is defaultdict:
        return f"defaultdict({value.default_factory and 'int'}, {show(dict(value))})"
    if kind is slice:
        return ":".join("" if x is None else show(x) for x in (value.start, value.stop, value.step))
    return repr(value)


class Draw:
    """Draws values and operations."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def int(self):
        r = self.random
        sign = r.choice((1, 1, -1))
        return sign * r.choice(
            (
                r.randrange(4),
                r.randrange(300),
                r.randrange(10**6),
                (1 << r.randrange(70)) + r.randrange(-2, 3),
                r.getrandbits(64),
                r.getrandbits(r.randrange(1, 300)),
                (1 << r.randrange(1030)) - r.randrange(2),
            )
        )

    def float(self):
        r = self.random
        return r.choice(
            (
                r.choice((0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, 1e16, 1e-5, 1e22, 5e-324, 2.0**53)),
                r.choice((float("inf"), -float("inf"), float("nan"), 1.7976931348623157e308)),
                float(r.randrange(-20, 20)),
                round(r.uniform(-100, 100), r.randrange(4)),
                r.uniform(-1, 1) * 10 ** r.randrange(-30, 30),
                struct.unpack("d", r.getrandbits(64).to_bytes(8, "little"))[0],
            )
        )

    def complex(self):
        simple = lambda: self.random.choice((0.0, -0.0, 1.0, -2.0, 0.5, 3.0))
        part = self.random.choice((simple, self.float))
        return complex(part(), part())

    def str(self):
        r = self.random
        alphabet = r.choice(
            ("ab", "abc 'x", "\"'\\\n\t\r", "aé\x7f\x00\xa0\xad", "aö€\u200b\u2028\u3042\U0001f600\ue000", None)
        )
        if alphabet is None:
            text = "".join(chr(r.randrange(r.choice((256, 0x3000, 0x110000)))) for _ in range(r.randrange(4)))
            return "".join(c for c in text if not 0xD800 <= ord(c) < 0xE000)
        return "".join(r.choice(alphabet) for _ in range(r.choice((0, 1, 1, 2, 3, 5))))

    def bytes(self):
        r = self.random
        return bytes(r.choice((97, 98, 39, 34, 92, 10, r.randrange(256))) for _ in range(r.randrange(4)))

    def scalar(self):
        r = self.random
        return r.choice(
            (self.int, self.int, self.int, self.float, self.float, self.str, self.bytes, self.complex,
             lambda: r.choice((None, True, False, True, False, ...)))
        )()

    def tuple(self, depth=1):
        r = self.random
        inner = lambda: self.tuple(depth - 1) if depth and r.random() < 0.2 else self.scalar()
        return tuple(inner() for _ in range(r.choice((0, 1, 2, 2, 3))))

    def constant(self):
        return self.tuple() if self.random.random() < 0.15 else self.scalar()

    def close(self, value):
        """A value that may be equal to the given one, or nearly."""
        r = self.random
        kind = type(value)
        if kind in (int, bool):
            try:
                return r.choice((value + r.randrange(-1, 2), float(value), complex(value), bool(value)))
            except OverflowError:
                return value + r.randrange(-1, 2)
        if kind is float and value == value and abs(value) < 1e308:
            return r.choice((value, int(value), -value, complex(value)))
        if kind is str:
            return r.choice((value, value[:-1], value + "a", value.encode("utf-8", "replace")))
        if kind is tuple and value:
            return r.choice((value, value[:-1], value[:-1] + (self.close(value[-1]),)))
        return value

    def pair(self):
        a = self.constant()
        return a, (self.close(a) if self.random.random() < 0.3 else self.constant())

    def number_pair(self):
        draw = self.random.choice((self.int, self.int, self.float))
        return draw(), self.random.choice((draw, self.int, self.float))()

    # Operations, as expressions.

    def binary(self):
        op = self.random.choice(list(INPLACE))
        a, b = self.number_pair() if self.random.random() < 0.5 else self.pair()
        if op == "%" and isinstance(a, (str, bytes)):
            return None
        if op == "<<" and type(b) is int and b > 300:
            b = self.random.randrange(300)
        if op == "**" and type(a) is int and type(b) is int and b > 100 and a not in (0, 1, -1):
            b = self.random.randrange(100)
        if op == "*" and (type(a) is int or type(b) is int):
            count = a if type(a) is int else b
            other = b if type(a) is int else a
            if isinstance(other, (str, bytes, tuple)) and 100 < count < 1 << 64:
                return None
        if self.random.random() < 0.15:
            return f"inplace({op!r}, {show(a)}, {show(b)})"
        return f"{wrap(a)} {op} {wrap(b)}"

    def unary(self):
        return f"{self.random.choice(('-', '+', '~', 'not '))}{wrap(self.constant())}"

    def compare(self):
        a, b = self.number_pair() if self.random.random() < 0.3 else self.pair()
        if self.random.random() < 0.1:
            a = self.container()
        if self.random.random() < 0.1:
            b = self.container()
        if isinstance(a, CONTAINERS) and isinstance(b, CONTAINERS):
            return None
        return f"{wrap(a)} {self.random.choice(COMPARE)} {wrap(b)}"

    def container(self):
        r = self.random
        many = lambda draw: [draw() for _ in range(r.choice((0, 1, 2, 3, 5)))]
        kind = r.choice(("list", "tuple", "dict", "set", "deque", "range", "dicts", "frozenset"))
        if kind == "list":
            return many(self.constant)
        if kind == "tuple":
            return tuple(many(self.constant))
        if kind == "range":
            small = lambda: r.choice((0, 1, 5, 10, -3, r.randrange(-20, 20), self.int()))
            return range(small(), small(), small() or 1)
        if kind == "deque":
            return deque(many(self.scalar), r.choice((None, None, 0, 2, 9)))
        if kind == "set":
            return set(many(self.scalar)[:1])
        if kind == "frozenset":
            return frozenset(many(self.scalar)[:1])
        entries = dict(zip(many(self.constant), many(self.constant)))
        if kind == "dict":
            return entries
        kind = r.choice((Counter, OrderedDict, defaultdict))
        if kind is Counter:
            return Counter({k: r.randrange(-2, 5) for k in entries})
        return OrderedDict(entries) if kind is OrderedDict else defaultdict(r.choice((int, None)), entries)

    def contains(self):
        r = self.random
        if r.random() < 0.3:
            draw = r.choice((self.str, self.bytes))
            a, b = r.choice((draw, draw, self.scalar))(), draw()
            if r.random() < 0.3 and type(b) is str:
                a = b[r.randrange(3) :][: r.randrange(3)]
        else:
            b = self.container() if r.random() < 0.9 else self.constant()
            a = self.scalar() if r.random() < 0.8 else self.constant()
            if isinstance(b, CONTAINERS) and len_of(b) and r.random() < 0.6:
                a = self.close(r.choice(list(b[:20] if isinstance(b, range) else b)))
        if isinstance(b, range) and len_of(b) > 1000 and type(a) not in (int, bool):
            return None  # CPython examines each
        if "nan" in show(a) or r.random() < 0.03:
            a = r.choice(([], {}, [1]))
            if not isinstance(b, (dict, set, frozenset, str)):
                return None
        return f"{wrap(a)} {r.choice(('in', 'in', 'not in'))} {wrap(b)}"

    def index(self, container):
        r = self.random
        size = min(len_of(container), 20) if hasattr(container, "__len__") else 3
        if isinstance(container, dict):
            if container and r.random() < 0.6:
                return self.close(r.choice(list(container)))
            return self.constant()
        if r.random() < 0.08:
            return self.constant()
        if r.random() < 0.5:
            return r.choice((r.randrange(-size - 2, size + 2), self.int() if r.random() < 0.1 else 0))
        bound = lambda: r.choice(
            (None, r.randrange(-size - 2, size + 2), self.scalar() if r.random() < 0.1 else 1)
        )
        return slice(bound(), bound(), r.choice((None, None, 1, -1, 2, -2, bound())))

    def get(self):
        r = self.random
        container = r.choice((self.container, self.container, self.str, self.bytes, self.constant))()
        index = self.index(container)
        if isinstance(container, defaultdict) and container.default_factory:
            container = dict(container)
        if "nan" in show(index) and isinstance(container, dict):
            return None
        return f"{wrap(container)}[{show(index)}]"

    def change(self):
        r = self.random
        container = self.container() if r.random() < 0.95 else self.constant()
        index = self.index(container)
        if "nan" in show(index) and isinstance(container, dict):
            return None
        if type(index) is slice:
            index = f"slice({show(index.start)}, {show(index.stop)}, {show(index.step)})"
        else:
            index = show(index)
        if r.random() < 0.4:
            return f"delitem({show(container)}, {index})"
        value = self.constant()
        if isinstance(container, Counter) and "nan" in show(value):
            return None  # the result of sorting depends on each step
        if index.startswith("slice") and r.random() < 0.9:
            value = r.choice((self.tuple, lambda: [1, 2][: r.randrange(3)], self.str, self.container))()
            if isinstance(value, (set, frozenset)) or isinstance(value, range) and len_of(value) > 99:
                return None
        return f"setitem({show(container)}, {index}, {show(value)})"

    def hashable(self):
        r = self.random
        draw = r.choice((self.int, self.int, self.float, self.str, self.str, self.bytes, self.complex))
        value = draw() if r.random() < 0.8 else tuple(self.hashable() for _ in range(r.randrange(4)))
        return "n" if "nan" in show(value) else value

    def hash(self):
        value = self.hashable()
        if self.random.random() < 0.1:
            value = frozenset(self.hashable() for _ in range(self.random.randrange(5)))
        return f"hash({show(value)})"

    def elements(self):
        r = self.random
        many = range(r.choice((0, 1, 3, 4, 5, 6, 12, 20, 40)))
        draw = r.choice((lambda: r.randrange(r.choice((20, 60, 1000))), self.str, self.hashable))
        return [draw() for _ in many]

    def order(self):
        r = self.random
        a = self.elements()
        if r.random() < 0.3:
            return f"merged({show(a)}, {show(self.elements())})"
        if r.random() < 0.1:
            return f"from_dict({show(a)})"
        taken = [x for x in a if r.random() < 0.3] if r.random() < 0.3 else []
        later = self.elements()[:9] if r.random() < 0.3 else []
        popped = r.choice((0, 0, 0, 1, 2, 7))
        return f"order({show(a)}, {show(taken)}, {show(later)}, {popped})"

    def small_set(self):
        r = self.random
        values = {r.randrange(r.choice((4, 8, 16))) for _ in range(r.choice((2, 3, 4, 6)))}
        values = list(values)
        r.shuffle(values)
        if max(values) >= (8 if len(values) < 5 else 16):
            return None
        return f"repr({show(r.choice((set, frozenset))(values))})"

    def unpacking(self):
        r = self.random
        values = list(range(r.randrange(6)))
        if r.random() < 0.5:
            return f"unpack({r.randrange(6)}, {values})"
        return f"unpack_starred({r.randrange(3)}, {r.randrange(3)}, {values})"

    def text(self):
        value = self.container() if self.random.random() < 0.5 else self.constant()
        if self.random.random() < 0.2:
            value = [value, self.container(), self.constant()]
        return f"{self.random.choice(('repr', 'repr', 'str', 'ascii', 'bool', 'canonical'))}({show(value)})"

    def number_text(self):
        draw = self.random.choice((self.float, self.float, self.complex, self.int))
        return f"repr({show(draw())})"

    def character(self):
        while True:
            code = self.random.randrange(self.random.choice((0x300, 0x20000, 0x110000)))
            if not 0xD800 <= code < 0xE000:
                return f"repr({ascii(chr(code))})"


MOST_CHARS = 1000  # of an expression

CONTAINERS = (list, tuple, dict, set, frozenset, deque, range)


def len_of(container):
    try:
        return len(container)
    except OverflowError:
        return 1 << 63


def wrap(value):
    text = show(value)
    return f"({text})" if text[:1] == "-" else text


FAMILIES = {
    "binary": 30,
    "unary": 3,
    "compare": 14,
    "contains": 12,
    "text": 8,
    "number_text": 8,
    "character": 4,
    "get": 14,
    "change": 14,
    "unpacking": 1,
    "hash": 6,
    "order": 5,
    "small_set": 1,
}

FIXED = """\
repr(10 ** 4299)[:5]
repr(10 ** 4300)
str(-(10 ** 4299))[:5]
repr([10 ** 4300])
2 ** 0.5
(-8) ** (1 / 3)
2 ** -1
10.0 ** 400
2 ** -(10 ** 400)
0 / -5
10 ** 400 / 10 ** 399
10 ** 400 / 3
3 / 10 ** 400
1.0 * 10 ** 400
1 << 2 ** 70
0 << 2 ** 70
1 >> 2 ** 70
'' * 2 ** 70
'ab' * 2 ** 62
b'ab' * 2 ** 62
1 << -1
2 ** 53 == 2.0 ** 53
2 ** 53 + 1 == 2.0 ** 53
2 ** 53 + 1 > 2.0 ** 53
10 ** 400 > inf
10 ** 400 < 1e308
300 in b'a'
2 ** 70 in b'a'
'a' in b'a'
1 in 'abc'
1 in 2
None in None
[] in {}
{} in {1}
canonical('x' * 600)
canonical(b'x' * 600)
canonical((1,) * 300)
canonical(2 ** 2048)
canonical(2 ** 2048 - 1)
canonical(-(2 ** 2048))
canonical([[[[[[[[[[1]]]]]]]]]])
canonical(((((((((((1,),),),),),),),),),))
canonical([[[[[[[[[{1: 2}, {1}, (1,), (), {}]]]]]]]]])
canonical({3, 1, 2})
canonical({'b', 'a', 'c'})
canonical({1, 'a', None, 2.5})
canonical({2.5, nan, -1.0})
canonical({(2, 1), (1, 3), (1,)})
canonical({(2, 'a'), (1, 3), (1,)})
canonical(frozenset([2, 1]))
canonical(frozenset([]))
canonical(deque([1, 2], 5))
canonical(Counter({'a': 1, 'b': 3}))
canonical(defaultdict(int, {1: [2]}))
canonical(OrderedDict({}))
canonical(range(5))
canonical(range(0, 2 ** 2100, 2))
repr(Counter({'a': 1, 'b': 3, 'c': 1, 'd': 3.5}))
repr(Counter({'a': 'x'}))
repr(OrderedDict({'a': 1, (1, 2): [3]}))
repr(deque([1, [2]], 3))
repr(defaultdict(None, {}))
""".splitlines()


def vectors(families, draw, count):
    seen = set()
    names = [name for name, weight in families.items() for _ in range(weight)]
    for _ in range(20 * count):
        if len(seen) == count:
            return
        text = getattr(draw, draw.random.choice(names))()
        if text is None or text in seen or len(text) > MOST_CHARS:
            continue
        line = vector(text)
        if line is not None:
            seen.add(text)
            yield line


def vector(text):
    try:
        result = repr(eval(text, dict(SCOPE)))
    except Exception as error:
        result = f"!{type(error).__name__}: {error}"
    if len(result) > 2000 or "\t" in result or "\n" in result:
        return None
    return f"{text}\t{result}"


def main(arguments):
    options = dict(zip(arguments[::2], arguments[1::2]))
    out = open(1, "w", encoding="utf-8", closefd=False)
    if "--random" in options:
        families = FAMILIES
        if "--family" in options:
            families = {options["--family"]: 1}
        draw = Draw(int(options.get("--seed", 1)))
        lines = vectors(families, draw, int(options["--random"]))
    else:
        # Each family separately, so that a new one does not change the others.
        lines = list(map(vector, FIXED))
        for name, weight in FAMILIES.items():
            found = vectors({name: 1}, Draw(1), weight * 100)
            most = 200 if name == "order" else 90
            lines += [line for line in found if len(line) < most][: weight * 40]
    for line in lines:
        print(line, file=out)
    out.close()


if __name__ == "__main__":
    assert sys.version_info[:3] == (3, 11, 7), sys.version
    assert os.environ.get("PYTHONHASHSEED") == "0", "set PYTHONHASHSEED=0"
    import warnings

    warnings.simplefilter("ignore")
    main(sys.argv[1:])
