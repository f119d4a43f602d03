#!/usr/bin/env python3
"""Programs that ask about small domains, as JSON Lines for `codexec data plan --no-fold`: what a network cannot derive and
has to see often, because a corpus asks each question once.

    runs/small_domains.py facts > facts.jsonl              `ord('A')`, `chr(65)`, `bin(9)`, `float('inf')`, `list(range(8))`, `2 ** 40`
    runs/small_domains.py operators > operators.jsonl      `3 + 4`, `7 % 2`, `3 ** 5` of operands up to 20, sums up to 40, infinity
    runs/small_domains.py powers > powers.jsonl            `2 ** 99` and `1 << 99`, roots and logarithms
"""

import json
import sys

FACTS = 65  # of `bin`, `hex`, `oct` and conversions
ROOTS = 101
RANGES = 41  # of lists and sets of ranges
POWERS = 129  # of two
MOST = 21  # operands of operators, exclusive
MOST_ADDED = 41  # of sums and differences
LEAST = 9  # of negative operands, inclusive
MOST_BITS = 17  # of those on bits


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
    infinite = [1e999, -1e999]
    for a in [*range(-3, MOST), 100, 1000, 0.0, 0.5, -1.5, 10**9, *infinite]:
        for b in infinite:
            rows += [row for op in ("<", ">", "<=", ">=", "==", "!=", "+", "-") for row in ((a, op, b), (b, op, a))]
    for n in range(41):
        rows += [(n, "**", 3), (n, "//", 2), (n, "%", 2)]
    return named(rows)


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
    sets = {"facts": facts, "operators": operators, "powers": powers}
    if len(sys.argv) != 2 or sys.argv[1] not in sets:
        sys.exit(__doc__)
    for number, code in enumerate(sets[sys.argv[1]]()):
        print(json.dumps({"id": str(number), "code": code + "\n"}))


if __name__ == "__main__":
    main()
