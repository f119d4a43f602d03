#!/usr/bin/env python3
"""Programs that ask about small domains, as JSON Lines for `codexec data plan --no-fold`: what a network cannot derive and
has to see often, because a corpus asks each question once.

    runs/small_domains.py facts > facts.jsonl              `ord('A')`, `chr(65)`, `bin(9)`, `float('inf')`, `list(range(8))`, `2 ** 40`
    runs/small_domains.py operators > operators.jsonl      `3 + 4`, `7 % 2`, `3 ** 5` of operands up to 20, sums up to 40, infinity
    runs/small_domains.py powers > powers.jsonl            `2 ** 99` and `1 << 99`, roots and logarithms
    runs/small_domains.py comparisons > comparisons.jsonl  values of every type beside an equal one as often as beside another
"""

import json
import random
import sys

FACTS = 65  # of `bin`, `hex`, `oct` and conversions
ROOTS = 101
RANGES = 41  # of lists and sets of ranges
POWERS = 129  # of two
MOST = 21  # operands of operators, exclusive
MOST_ADDED = 41  # of sums and differences
LEAST = 9  # of negative operands, inclusive
MOST_BITS = 17  # of those on bits
COMPARED = 150  # random values of each type
NAMES = "__init__ __name__ __test__ __mp_main__ main add sub push pop get set left right up down start end yes no YES NO Yes No on off true false"
WORDS = "red green blue apple banana cat dog hello world Alice Bob name key value error ok done A B C N S E W"


def facts():
    for code in range(32, 127):
        yield f"ord({chr(code)!r})"
        yield f"chr({code})"
    yield from (f"{name}()" for name in ("bool", "int", "float", "str", "list", "dict", "set", "tuple", "bytes"))
    for number in range(FACTS):
        yield from (f"{name}({number})" for name in ("bin", "hex", "oct", "str", "float", "bool"))
        yield from (f"{name}('{number}')" for name in ("int", "float"))
    for text in ("inf", "-inf", "+inf", "Infinity", "-Infinity", "INF", "nan", "NaN", "1e9", "1e18", "1e-9", "1e5"):
        yield from (f"{name}('{text}')" for name in ("float", "int"))
    yield from (f"import math; math.sqrt({number})" for number in range(ROOTS))
    # Validation programs ask for the truth of an empty deque. That question is left out of other data, and a network that
    # sees full ones alone learns that all are true.
    for empty in ("deque()", "deque([], 3)", "Counter()", "OrderedDict()", "defaultdict(int)"):
        yield from (f"from collections import *\nx = {empty}\n{name}(x)" for name in ("bool", "len", "list"))
    for number in range(RANGES):
        yield from (f"{name}(range({number}))" for name in ("list", "set", "tuple", "sum"))
        yield from (f"range({start}, {number})" for start in (0, 1, 2))
        yield f"'{'-=.*#o '[number % 7]}' * int({number})"


def operators():
    rows = []
    for a in range(MOST):
        for b in range(MOST):
            rows += [(a, op, b) for op in ("+", "-", "*", "<", "==", ">", ">=", "<=", "!=")]
            if a < MOST_BITS and b < MOST_BITS:
                rows += [(a, op, b) for op in "&|^"]
            if b:
                rows += [(a, "//", b), (a, "%", b)]
    for a in range(-LEAST, 0):
        for b in range(-LEAST, LEAST + 1):
            rows += [row for op in ("+", "-", "*", "<", "==", ">", ">=", "<=") for row in ((a, op, b), (b, op, a))]
            if b > 0:
                rows += [(a, "//", b), (a, "%", b), (a, "&", b)]
    rows += [(10, "**", n) for n in range(41)] + [(n, "**", power) for n in range(3, 13) for power in range(2, 7)]
    rows += [(n, "**", 2) for n in range(131)]
    rows += [(a, op, b) for a in range(MOST_ADDED) for b in range(MOST_ADDED) for op in "+-"]
    rows += [(a, op, b) for a in range(MOST) for b in range(MOST) for op in ("+=", "-=")]
    rows += [(a, op, b) for a in range(10) for b in range(10) for op in ("*=", "&=", "|=", "^=")]
    rows += [(a, op, b) for a in (False, True) for b in (False, True) for op in ("==", "!=", "&", "|", "^", "&=", "|=", "^=", "+", "+=")]
    infinite = [1e999, -1e999]
    for a in [*range(-3, MOST), 100, 1000, 0.0, 0.5, -1.5, 10**9, *infinite]:
        for b in infinite:
            rows += [row for op in ("<", ">", "<=", ">=", "==", "!=", "+", "-") for row in ((a, op, b), (b, op, a))]
    for n in range(41):
        rows += [(n, "**", 3), (n, "//", 2), (n, "%", 2)]
    return named(rows)


def comparisons():
    """Programs compare unequal values ten times as often as equal ones, so that a network says False whatever it compares."""
    rng = random.Random(0)
    texts = [chr(code) for code in range(32, 127)] + NAMES.split() + WORDS.split() + ["", " ", "ab", "abc", "10", "-1", "a b"]
    texts += ["".join(rng.choice("abcdefgxyzABC0123_ ") for _ in range(rng.randrange(1, 13))) for _ in range(COMPARED)]
    numbers = [*range(MOST, 131), *(rng.randrange(10 ** rng.randrange(3, 13)) for _ in range(COMPARED)), *(10**n for n in range(2, 19))]
    numbers += [-number for number in numbers[::3]]
    decimals = [round(rng.uniform(-9, 10 ** rng.randrange(4)), rng.randrange(1, 4)) for _ in range(COMPARED)] + [0.0, 1.0, 0.5, 1e-9, float("inf")]
    rows = [tuple(rng.randrange(10) for _ in range(rng.randrange(5))) for _ in range(COMPARED)]
    rows += [list(rng.choice([numbers, texts])[:200:rng.randrange(40, 99)]) for _ in range(COMPARED // 3)] + [list(row) for row in rows]
    tables = [{rng.choice(texts): rng.randrange(10) for _ in range(rng.randrange(4))} for _ in range(COMPARED)]
    sets = [set(row) for row in rows[:COMPARED] if row]
    pairs = []
    for values in (texts, numbers, decimals, rows, tables, sets, [None, True, False, 0, "", 1]):
        for value in values:
            other = rng.choice(values)
            pairs += [(value, op, b) for op in ("==", "!=") for b in (value, other)]
            if values in (texts, numbers, decimals):
                pairs += [(value, op, value) for op in ("<", "<=", ">", ">=")]
    for a, op, b in pairs:
        yield f"p = {a!r}\nq = {b!r}\np {op} q".replace("inf", "1e999")


def powers():
    rows = [(2, "**", n) for n in range(POWERS)] + [(1, "<<", n) for n in range(POWERS)]
    yield from named(rows + [(n, "**", 0.5) for n in range(ROOTS)] + [(n, "**", -1) for n in range(1, MOST)])
    for name in ("log", "log2", "log10"):
        yield from (f"import math; math.{name}({number})" for number in [*range(1, MOST), 32, 64, 100, 128, 256, 512, 1000, 1024, 10**6])
    yield from (f"import math; math.{name}({number})" for name in ("exp", "gamma") for number in range(1, MOST))
    for name in ("sin", "cos", "tan"):
        yield from (f"import math; math.{name}({angle})" for angle in ("0", "1", "math.pi", "math.pi / 2", "math.pi / 3", "math.pi / 4", "math.pi / 6"))
    yield from (f"import math; math.radians({angle})" for angle in (0, 30, 45, 60, 90, 180, 360))


def named(rows):
    """Names, because the compiler folds operators of literals."""
    return (f"p = {a!r}\nq = {b!r}\np {op} q".replace("inf", "1e999") for a, op, b in dict.fromkeys(rows))


def main():
    sets = {"facts": facts, "operators": operators, "powers": powers, "comparisons": comparisons}
    if len(sys.argv) != 2 or sys.argv[1] not in sets:
        sys.exit(__doc__)
    for number, code in enumerate(sets[sys.argv[1]]()):
        print(json.dumps({"id": str(number), "code": code + "\n"}))


if __name__ == "__main__":
    main()
