"""Writes vectors for calls of builtin functions: an expression and what CPython makes of it.

    python3.11 crates/plan/tests/call_vectors.py > crates/plan/tests/fixtures/call_vectors.txt

A line is an expression, a tab, and the `repr` of its value or `!Kind: message`. Run it with CPython 3.11.7.
"""

import bisect
import collections
import heapq
import itertools
import math
import operator
import random

VALUES = [
    "None", "True", "0", "3", "-7", "2**70", "2.5", "-0.0", "1e300", "3j", "''", "'a'", "'ab'", "'12'", "b'ab'", "[]", "[1, 2]",
    "['a', 'b']", "['a', 1]", "[[1], [2]]", "[None, 1]", "[3, 1.5, True]", "()", "(1, 2)", "(1, 'a')", "{}", "{1: 2}", "{'a': 1}",
    "{1, 2}", "frozenset([3])", "range(3)", "len", "int", "print", "object", "lambda x: x", "(x for x in [1])", "iter([1])",
]
ONE = """abs all any bin bytes callable chr dict float frozenset hash hex int iter len list max min oct ord range reversed round set sorted
str sum tuple enumerate zip divmod pow isinstance math.sqrt math.floor math.ceil math.gcd math.lcm math.factorial math.isqrt math.log
math.prod math.fsum math.comb math.perm math.isnan heapq.heappush heapq.heappop heapq.heapify heapq.nlargest bisect.bisect
collections.Counter collections.deque""".split()
TWO = """divmod pow range round sum max min math.gcd math.lcm math.comb math.perm math.pow math.log isinstance int
math.prod heapq.heappush heapq.heappushpop heapq.nsmallest heapq.nlargest bisect.bisect_left bisect.insort len abs sorted str
enumerate filter math.hypot math.atan2 math.copysign getattr""".split()
METHODS = {
    "'a b'": "upper split join strip replace startswith endswith find index count isdigit zfill center rjust format encode splitlines title",
    "[3, 1, 2]": "append extend insert pop remove index count sort reverse clear copy",
    "{1: 2}": "get pop setdefault update keys items values copy popitem",
    "{1, 2}": "add remove discard union update issubset intersection pop",
    "(1, 2)": "index count",
    "collections.deque([1, 2])": "append appendleft pop popleft rotate extend",
    "5": "bit_length conjugate", "2.5": "is_integer hex",
}
RUNS = [
    "sum([1, 2, 3])", "sum([0.1] * 10)", "sum([], 5)", "sum({1: 2, 3: 4})", "sum(x * x for x in range(5))", "sum([True, True])",
    "sum([(1,), (2,)], ())", "sum(range(101))", "sum([1, 'a'])", "sum([1, None])", "sum(['a', 'b'], '')", "sum({5, 6})",
    "abs(-3)", "abs(-0.0)", "abs(True)", "abs(-2.5)", "abs(-2**70)", "abs(float('-inf')) if False else 1",
    "divmod(7, 2)", "divmod(-7, 2)", "divmod(7.5, 2)", "divmod(-7, -2.0)", "divmod(1, 0)", "divmod(1.0, 0)", "divmod(1, 0.0)", "divmod(True, 2)",
    "divmod(2**70, 12345)", "math.gcd(12, 18)", "math.gcd(-12, 18)", "math.gcd()", "math.gcd(0, 0)", "math.gcd(12, 18, 27)", "math.gcd(True, 4)",
    "math.gcd(2**80, 6**30)", "math.lcm(4, 6)", "math.lcm()", "math.lcm(0, 5)", "math.lcm(-4, 6)", "math.lcm(2, 3, 5)", "math.prod([1, 2, 3, 4])",
    "math.prod([])", "math.prod([1.5, 2])", "math.prod([2, 3], start=10)", "math.prod(x for x in [5, 6])", "math.prod(['a', 2])",
    "math.isqrt(0)", "math.isqrt(99)", "math.isqrt(100)", "math.isqrt(10**40)", "math.isqrt(-1)", "math.comb(5, 2)", "math.comb(5, 7)",
    "math.comb(-1, 2)", "math.comb(5, -2)", "math.comb(60, 30)", "math.perm(5, 2)", "math.perm(5)", "math.perm(5, None)", "math.perm(-5, 2)", "math.perm(3, 5)",
    "math.factorial(0)", "math.factorial(20)", "math.factorial(50)", "math.factorial(-1)", "math.factorial(3.0)", "math.factorial('a')",
    "' '.join([1, 2])", "' '.join(['a', 2])", "','.join('abc', 1)", "' '.join(5)", "' '.join([None])", "''.join(str)", "ord('ab')", "ord('')", "ord(5)",
    "for_(5)", "max([1, 'a'])", "max('a', 1)", "min([None, None])", "sorted([1, 'a'])", "sorted([3, None, 2])", "max({})", "max([])", "min(5)",
    "[3, 'a', 1].sort()", "[1, 2].sort(5)", "[1].sort(kay=5)", "sorted([1], kay=5)", "len([1], 2)", "len()", "[].append()", "[].append(1, 2)", "{}.get()",
    "'a'.split(1)", "'a'.split(',', 'b')", "'a'.split(',', 1, 2)", "'a'.split(foo=1)", "int('1', 2, 3)", "int(foo=1)", "int([1])", "int(None)", "float([1])", "float(None)",
    "int(3j)", "str(1, 2)", "list(5)", "tuple(5)", "set(5)", "dict(5)", "set([[1]])", "{[1]: 2}", "frozenset([{}])", "hash([])", "{}.get([])", "{1}.add([])", "{1: 2}.pop([])",
    "[1].nope", "'a'.nope", "(5).nope", "(None).nope", "{}.nope()", "'a'.append('b')", "(1,).append(2)", "5()", "'a'()", "[1]()", "None()", "map(5)",
    "list(map(int, 5))", "list(zip(5))", "list(zip([1], 5))", "enumerate(5)", "list(map(5, [1]))", "range('a')", "range(2.5)", "range(None)", "range(1, 'a')", "range([1])",
    "len(x for x in [1])", "heapq.heappop([])", "heapq.heappush((), 1)", "heapq.heapify(5)", "heapq.heapreplace([], 1)", "bisect.bisect_left([1, 2], 'a')", "bisect.bisect_left(['a'], 1)",
    "bisect.bisect([1, 2], 1.5, -1)", "bisect.bisect_left([1, 3, 3, 5], 3)", "bisect.bisect_right([1, 3, 3, 5], 3)", "bisect.bisect([(1, 'a'), (2, 'b')], (2,))",
    "bisect.bisect_left([1, 3, 5], 4, key=lambda x: x)", "bisect.bisect([5, 3, 1], -4, key=lambda x: -x)", "bisect.bisect('abc', 'b')", "bisect.bisect_left([1, 2, 3], 2, 1, 3)",
    "bisect.bisect_left(5, 1)", "bisect.bisect()", "bisect.bisect_left([1])", "bisect.bisect_left([1], 2, foo=3)", "pow('a', 2)", "pow(2, 'a')", "round('a')", "round(2.5, 'a')", "abs('a')", "abs(None)", "chr('a')", "chr(2.5)",
    "isinstance(1)", "isinstance(1, 2)", "callable()", "print(foo=1)", "'a' + 1", "1 + 'a'", "[1] + (2,)", "'a' * 'b'", "-'a'", "[1][1.5]", "'abc'['a']", "(1, 2)['a']", "5[0]", "None[0]",
]


def heaps(rng):
    for _ in range(25):
        xs = [rng.randrange(30) for _ in range(rng.randrange(1, 14))]
        if rng.random() < 0.3:
            xs = [(x, rng.randrange(3)) for x in xs]
        x = rng.choice(xs)
        n = rng.randrange(-1, 6)
        yield f"(lambda h: (heapq.heapify(h), h))({xs})[1]"
        yield f"(lambda h: (heapq.heapify(h), heapq.heappop(h), h))({xs})"
        yield f"(lambda h: (heapq.heapify(h), heapq.heappush(h, {x}), h))({xs})"
        yield f"(lambda h: (heapq.heapify(h), heapq.heapreplace(h, {x}), h))({xs})"
        yield f"(lambda h: (heapq.heapify(h), heapq.heappushpop(h, {x}), h))({xs})"
        yield f"heapq.nlargest({n}, {xs})"
        yield f"heapq.nsmallest({n}, {xs})"
        yield f"heapq.nlargest({n}, {xs}, key=lambda x: 5 if x == {x} else 1)"
        yield f"heapq.nsmallest({n}, {xs}, key=lambda x: 5 if x == {x} else 1)"
        yield f"list(heapq.merge({sorted(xs)}, {sorted(xs[:3])}))"
        yield f"list(heapq.merge({sorted(xs)[::-1]}, {sorted(xs[:3])[::-1]}, reverse=True))"
        yield f"(lambda a: (bisect.insort(a, {x}), bisect.insort_left(a, {x}), a))({sorted(xs)})"
        yield f"bisect.bisect_left({sorted(xs)}, {x})"
        yield f"bisect.bisect_right({sorted(xs)}, {x}, {max(0, n)})"


def numbers(rng):
    floats = [0.0, -0.0, 0.5, 1.0, -1.0, 2.0, 2.5, 3.5, -2.5, 7.0, 1e-9, 1e10, 1e300, 2**53, 2**70, -7, 3, True]
    floats += [round(rng.uniform(-20, 20), rng.randrange(6)) for _ in range(12)]
    one = "sqrt fabs log log2 log10 exp sin cos tan asin acos atan degrees radians isnan isinf isfinite hypot floor ceil trunc".split()
    for x in floats:
        for name in one:
            yield f"math.{name}({x!r})"
        yield from (f"int({x!r})", f"float({x!r})", f"round({x!r})", f"round({x!r}, {rng.randrange(5)})")
        y = rng.choice(floats)
        for name in "pow atan2 copysign hypot fmod log".split():
            yield f"math.{name}({x!r}, {y!r})"
        yield f"pow({x!r}, {rng.randrange(-3, 5)})"
        yield f"pow({rng.randrange(-9, 99)}, {rng.randrange(60)}, {rng.randrange(1, 10**9)})"
    for x in ["float('inf')", "float('nan')", "2**1100"]:
        for name in [*one, "int", "round", "float"]:
            yield f"{name}({x})" if name in ("int", "round", "float") else f"math.{name}({x})"


def collections_of(rng):
    for _ in range(40):
        kind = rng.randrange(4)
        if kind == 0:
            a, b = ([rng.randrange(12) for _ in range(rng.randrange(8))] for _ in range(2))
        elif kind == 1:
            a, b = ([rng.choice("abcde") * rng.randrange(1, 3) for _ in range(rng.randrange(6))] for _ in range(2))
        elif kind == 2:
            a, b = ([(rng.randrange(4), rng.choice("xyz")) for _ in range(rng.randrange(70))] for _ in range(2))
        else:
            a, b = ([rng.choice([1, 2.5, True, -3]) for _ in range(rng.randrange(7))] for _ in range(2))
        n = rng.randrange(-1, 5)
        yield from (f"{a} + {b}", f"{a} * {n}", f"{n} * {a}", f"{a} < {b}", f"{a} == {b}", f"{a} >= {b}", f"{a} != {a + b}", f"len({a})")
        yield from (f"sorted({a})", f"sorted({a}, reverse=True)", f"sorted({a}, key=str)", f"min({a})", f"max({a}, default=3)", f"max({a}, key=str)")
        yield from (f"collections.Counter({a})", f"list({a})", f"tuple({a})", f"collections.deque({a})", f"any({a})", f"all({a})")
        yield f"(lambda a: (a.sort(), a))({a})[1]"
        yield f"(lambda a: (a.sort(reverse=True), a))({a})[1]"
        if kind != 1:
            yield f"sorted(set({a}))"
        if kind == 0:
            for op in "| & - ^".split():
                yield f"set({a}) {op} set({b})"
            for op in "< <= == > >= !=".split():
                yield f"set({a}) {op} frozenset({b})"
            yield f"{dict(zip(a, b))} == {dict(zip(b, a))}"
            yield f"{dict(zip(a, b))} == {dict(reversed(dict(zip(a, b)).items()))}"
            for name in "product permutations combinations combinations_with_replacement".split():
                yield f"list(itertools.{name}({a[:4]}, {b[:3] if name == 'product' else max(0, n)}))"
            yield f"list(itertools.product({a[:2]}, repeat={max(0, n) % 4}))"
            yield f"list(itertools.permutations({a[:4]}))"
        for name in "add sub mul truediv floordiv mod pow and_ or_ xor lshift rshift eq lt ge".split():
            x, y = (rng.choice([0, 1, 2, 5, 9, -4, 2.5]) for _ in range(2))
            yield f"operator.{name}({x}, {y})"


def texts(rng):
    floats = [0.0, -0.0, 0.5, 1.5, 2.5, 0.125, 2.675, 3.14159, -7.25, 99.995, 1234567.891, 1e15, 1e16, 1e-5, 1.5e-7, 1e22, 123456.0, 1e300]
    whole = [0, 7, -7, 42, 255, -1234, 1234567, 10**20, True]
    words = ["''", "'a'", "'abc'", "'h\u00e9llo'", "'12'"]
    things = [*map(repr, floats), "float('inf')", "float('-inf')", "float('nan')", *map(repr, whole), *words, "None", "[1]"]
    specs = [f"{a}{s}{z}{w}{g}{p}{k}" for a in ["", "<", ">", "^", "=", "*^", "_<", "0>"] for s in ["", "+", " ", "-"] for z in ["", "0"]
             for w in ["", "1", "6", "12"] for g in ["", ",", "_"] for p in ["", ".0", ".1", ".2", ".3", ".10"] for k in ["", *"dfeEgG%sxXbo"]]
    specs += ["#x", "#o", "#b", "#010x", "c", "n", "z.1f", "10", "010", ".", "5.", "q", ">>", "{", "  ", ",.2f", "09,.2f"]
    usual = [".2f", ".1f", ".0f", ".3f", ">8", "<8", "^8", "05d", "5d", ",", ".2%", "e", ".3e", "g", ".3g", "x", "b", "08b", ">8.2f", "+d", ",.2f", "s", "d", "03", ".5"]
    for thing in things:
        for spec in [*usual, *(rng.choice(specs) for _ in range(60))]:
            yield f"format({thing}, {spec!r})"
    templates = ["{}", "{} {}", "{1} {0}", "{0}-{0}", "{{}} {}", "{:>5}|{:<5}|", "{:.2f} and {!r}", "{!s:>6}", "{a}", "{a:03d} {}", "{:d}", "{", "}", "{0} {}", "{:{}}", "{0[0]}", "{2}"]
    percents = ["%s", "%d", "%5d|", "%-5d|", "%05d", "%+d", "%s %s", "%r", "%.2f", "%8.3f|", "%-8.1f|", "%08.2f", "%e", "%g", "%x", "%X", "%o", "%c", "%%", "%5s|", "%-5s|", "%.2s", "%d%%", "%i %s", "% d", "%", "%q", "%(a)s", "%*d", "%.f", "%5%", "%05s", "no field"]
    for _ in range(1500):
        a, b = rng.choice(things), rng.choice(things)
        yield f"{rng.choice(templates)!r}.format({a}, {b})"
        yield f"{rng.choice(templates)!r}.format({a}, a={b})"
        yield f"{rng.choice(percents)!r} % {a}"
        yield f"{rng.choice(percents)!r} % ({a}, {b})"
        yield f"{rng.choice(percents)!r} % ({a},)"


def main():
    rng = random.Random(5)
    lines = dict.fromkeys(RUNS)
    for f in ONE:
        for a in VALUES:
            lines[f"{f}({a})"] = None
    for f in TWO:
        for a, b in itertools.product(VALUES, VALUES):
            if rng.random() < 0.02:
                lines[f"{f}({a}, {b})"] = None
    for receiver, names in METHODS.items():
        for name in names.split():
            for a in ["", *VALUES]:
                if rng.random() < 0.25:
                    lines[f"({receiver}).{name}({a})"] = None
            for a, b in itertools.product(VALUES, VALUES):
                if rng.random() < 0.012:
                    lines[f"({receiver}).{name}({a}, {b})"] = None
    for line in itertools.chain(heaps(rng), numbers(rng), collections_of(rng), texts(rng)):
        lines[line] = None
    for line in lines:
        # Hashes of what has none of its own are addresses.
        if "for_" in line or line.startswith(("hash(lambda", "hash((x for", "hash(iter(")):
            continue
        try:
            value = repr(eval(line))
        except Exception as error:
            value = f"!{type(error).__name__}: {error}"
        if "0x" in value or "\n" in value or len(value) > 4000 or "{1, 2}" in line and "print" in line:
            continue
        print(line, value, sep="\t")


main()
