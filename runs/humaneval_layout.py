#!/usr/bin/env python3
"""A set in HumanEval's layout to time `codexec rerank` on: 164 small functions with examples in their docstrings (41
written here, each in four sizes), and 50 samples of each, most of them the solution with one to three small changes.

  runs/humaneval_layout.py OUT_DIR [SEED]     writes OUT_DIR/problems.jsonl and OUT_DIR/samples.jsonl
  codexec rerank OUT_DIR/samples.jsonl --problems OUT_DIR/problems.jsonl --out OUT_DIR/ranked.jsonl

It says nothing of how good an order is: the samples are no language model's."""

import ast
import copy
import json
import random
import sys
from pathlib import Path

NUMBERS = "ints"
TEXT = "text"
NUMBER = "int"

# Signature, kinds of arguments, what it is for, body; K is a constant that differs between the sizes.
FUNCTIONS = [
    ("above(xs: list[int]) -> list[int]", [NUMBERS], "The numbers above K.", "return [x for x in xs if x > K]"),
    ("total(xs: list[int]) -> int", [NUMBERS], "The sum, times K.", "s = 0\nfor x in xs:\n    s += x\nreturn s * K"),
    ("largest(xs: list[int]) -> int", [NUMBERS], "The largest, at least K.", "best = K\nfor x in xs:\n    if x > best:\n        best = x\nreturn best"),
    ("count_multiples(xs: list[int]) -> int", [NUMBERS], "How many are multiples of K.", "n = 0\nfor x in xs:\n    if x % K == 0:\n        n += 1\nreturn n"),
    ("reverse_text(s: str) -> str", [TEXT], "The text backwards, K times.", "return s[::-1] * K"),
    ("vowels(s: str) -> int", [TEXT], "How many vowels, plus K.", "n = K\nfor c in s:\n    if c in 'aeiou':\n        n += 1\nreturn n"),
    ("is_prime(n: int) -> bool", [NUMBER], "Whether n + K is a prime.", "n = n + K\nif n < 2:\n    return False\nfor d in range(2, n):\n    if d * d > n:\n        break\n    if n % d == 0:\n        return False\nreturn True"),
    ("factorial(n: int) -> int", [NUMBER], "The product from K to n.", "r = 1\nfor i in range(K, n + 1):\n    r *= i\nreturn r"),
    ("fibonacci(n: int) -> int", [NUMBER], "The n-th number of the sequence 0, K, K, 2K, ...", "a, b = 0, K\nfor _ in range(n):\n    a, b = b, a + b\nreturn a"),
    ("digits(n: int) -> int", [NUMBER], "The sum of the digits of n * K.", "n = n * K\ns = 0\nwhile n > 0:\n    s += n % 10\n    n //= 10\nreturn s"),
    ("palindrome(s: str) -> bool", [TEXT], "Whether the text is the same backwards, its first K letters left out.", "s = s[K:]\ni, j = 0, len(s) - 1\nwhile i < j:\n    if s[i] != s[j]:\n        return False\n    i += 1\n    j -= 1\nreturn True"),
    ("running_max(xs: list[int]) -> list[int]", [NUMBERS], "The largest so far at each place, at least K.", "out = []\nbest = K\nfor x in xs:\n    best = max(best, x)\n    out.append(best)\nreturn out"),
    ("pairs(xs: list[int]) -> bool", [NUMBERS], "Whether two numbers have the sum K.", "for i in range(len(xs)):\n    for j in range(i + 1, len(xs)):\n        if xs[i] + xs[j] == K:\n            return True\nreturn False"),
    ("unique(xs: list[int]) -> list[int]", [NUMBERS], "Every number once, plus K.", "seen = set()\nout = []\nfor x in xs:\n    if x not in seen:\n        seen.add(x)\n        out.append(x + K)\nreturn out"),
    ("words(s: str) -> list[str]", [TEXT], "The words of more than K letters.", "return [w for w in s.split() if len(w) > K]"),
    ("frequency(s: str) -> dict[str, int]", [TEXT], "How often letters are there that are there more than K times.", "found = {}\nfor c in s:\n    found[c] = found.get(c, 0) + 1\nreturn {c: n for c, n in found.items() if n > K}"),
    ("greatest_common(a: int, b: int) -> int", [NUMBER, NUMBER], "The greatest common divisor, times K.", "while b:\n    a, b = b, a % b\nreturn a * K"),
    ("sort_by_digit(xs: list[int]) -> list[int]", [NUMBERS], "Sorted by the rest of a division by K.", "return sorted(xs, key=lambda x: (x % K, x))"),
    ("bubble(xs: list[int]) -> list[int]", [NUMBERS], "Sorted, without the first K.", "xs = list(xs)\nfor i in range(len(xs)):\n    for j in range(len(xs) - 1 - i):\n        if xs[j] > xs[j + 1]:\n            xs[j], xs[j + 1] = xs[j + 1], xs[j]\nreturn xs[K:]"),
    ("interleave(xs: list[int]) -> list[int]", [NUMBERS], "With K between any two.", "out = []\nfor x in xs:\n    if out:\n        out.append(K)\n    out.append(x)\nreturn out"),
    ("mean_distance(xs: list[int]) -> float", [NUMBERS], "The mean distance from K.", "if not xs:\n    return 0.0\nreturn sum(abs(x - K) for x in xs) / len(xs)"),
    ("nested(s: str) -> int", [TEXT], "How deep brackets are nested, plus K.", "depth = deepest = 0\nfor c in s:\n    if c == '(':\n        depth += 1\n        deepest = max(deepest, depth)\n    elif c == ')':\n        depth -= 1\nreturn deepest + K"),
    ("shift(s: str) -> str", [TEXT], "Every small letter K places on.", "out = ''\nfor c in s:\n    if 'a' <= c <= 'z':\n        c = chr((ord(c) - ord('a') + K) % 26 + ord('a'))\n    out += c\nreturn out"),
    ("binary(n: int) -> str", [NUMBER], "n + K in binary digits.", "n += K\nout = ''\nwhile n:\n    out = str(n % 2) + out\n    n //= 2\nreturn out or '0'"),
    ("below_zero(xs: list[int]) -> bool", [NUMBERS], "Whether the sum from K on ever is below 0.", "s = K\nfor x in xs:\n    s += x\n    if s < 0:\n        return True\nreturn False"),
    ("differences(xs: list[int]) -> list[int]", [NUMBERS], "Each less the one before, plus K.", "return [b - a + K for a, b in zip(xs, xs[1:])]"),
    ("collatz(n: int) -> int", [NUMBER], "Steps to 1, at most K times 10.", "steps = 0\nwhile n > 1 and steps < K * 10:\n    n = n // 2 if n % 2 == 0 else 3 * n + 1\n    steps += 1\nreturn steps"),
    ("title(s: str) -> str", [TEXT], "The first K words with large first letters.", "return ' '.join(w.capitalize() for w in s.split()[:K])"),
    ("chunks(xs: list[int]) -> list[list[int]]", [NUMBERS], "In parts of K.", "out = []\nfor i in range(0, len(xs), K):\n    out.append(xs[i:i + K])\nreturn out"),
    ("rotate(xs: list[int]) -> list[int]", [NUMBERS], "K places to the left.", "if not xs:\n    return []\nk = K % len(xs)\nreturn xs[k:] + xs[:k]"),
    ("second(xs: list[int])", [NUMBERS], "The K-th smallest, or None.", "found = sorted(set(xs))\nif len(found) < K:\n    return None\nreturn found[K - 1]"),
    ("squares(n: int) -> list[int]", [NUMBER], "The squares up to n * K.", "out = []\ni = 1\nwhile i * i <= n * K:\n    out.append(i * i)\n    i += 1\nreturn out"),
    ("compress(s: str) -> str", [TEXT], "Runs of more than K letters as letter and number.", "out = ''\ni = 0\nwhile i < len(s):\n    j = i\n    while j < len(s) and s[j] == s[i]:\n        j += 1\n    if j - i > K:\n        out += s[i] + str(j - i)\n    else:\n        out += s[i:j]\n    i = j\nreturn out"),
    ("filter_text(s: str) -> str", [TEXT], "Without every K-th letter.", "return ''.join(c for i, c in enumerate(s) if (i + 1) % (K + 1))"),
    ("monotonic(xs: list[int]) -> bool", [NUMBERS], "Whether each is less than K above the one before.", "for a, b in zip(xs, xs[1:]):\n    if b - a >= K:\n        return False\nreturn True"),
    ("common(xs: list[int], ys: list[int]) -> list[int]", [NUMBERS, NUMBERS], "What both have, sorted, above K.", "return sorted(x for x in set(xs) & set(ys) if x > K)"),
    ("power(n: int) -> int", [NUMBER], "n to the power K, rest of 1000.", "r = 1\nfor _ in range(K):\n    r = r * n % 1000\nreturn r"),
    ("histogram(xs: list[int]) -> dict[int, int]", [NUMBERS], "How many by rest of a division by K.", "out = {}\nfor x in xs:\n    r = x % K\n    if r not in out:\n        out[r] = 0\n    out[r] += 1\nreturn out"),
    ("longest(s: str) -> int", [TEXT], "The length of the longest word, plus K.", "best = 0\nfor w in s.split():\n    if len(w) > best:\n        best = len(w)\nreturn best + K"),
    ("swap_case(s: str) -> str", [TEXT], "Large letters small and small ones large, K times '!' behind.", "out = []\nfor c in s:\n    out.append(c.lower() if c.isupper() else c.upper())\nreturn ''.join(out) + '!' * K"),
    ("climb(n: int) -> int", [NUMBER], "Ways up n steps of 1 to K.", "ways = [1]\nfor i in range(1, n + 1):\n    ways.append(sum(ways[max(0, i - K):i]))\nreturn ways[n]"),
]
SIZES = [2, 3, 5, 7]
EXAMPLES = 3
SAMPLES = 50

OPERATORS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mod, ast.Mod: ast.FloorDiv,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


def argument(kind, rng):
    if kind == NUMBERS:
        return [rng.randint(-9, 20) for _ in range(rng.randint(2, 7))]
    if kind == TEXT:
        words = ["abba", "Level", "(a(b)c)", "hello", "aaab", "Python", "to", "x", "moon", "racecar"]
        return " ".join(rng.choice(words) for _ in range(rng.randint(1, 3)))
    return rng.randint(1, 15)


def changed(tree, rng):
    """The program with one place changed."""
    tree = copy.deepcopy(tree)
    places = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            places.append((node, "value", node.value + rng.choice([-1, 1, 2])))
        elif isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)) and type(node.op) in OPERATORS:
            places.append((node, "op", OPERATORS[type(node.op)]()))
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in OPERATORS:
            places.append((node, "ops", [OPERATORS[type(node.ops[0])](), *node.ops[1:]]))
        elif isinstance(node, ast.If):
            places.append((node, "test", ast.UnaryOp(ast.Not(), node.test)))
    if places:
        node, field, value = rng.choice(places)
        setattr(node, field, value)
    return ast.fix_missing_locations(tree)


def main():
    out = Path(sys.argv[1])
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    out.mkdir(parents=True, exist_ok=True)
    problems, samples = [], []
    for size in SIZES:
        for signature, kinds, purpose, body in FUNCTIONS:
            name = signature.split("(")[0]
            body = body.replace("K", str(size))
            lines = "".join(f"    {line}\n" for line in body.splitlines())
            scope = {}
            exec(f"def {signature}:\n{lines}", scope)  # written above
            calls = []
            while len(calls) < EXAMPLES + 4:
                arguments = [argument(kind, rng) for kind in kinds]
                shown = f"{name}({', '.join(map(repr, arguments))})"
                calls.append((shown, repr(scope[name](*arguments))))
            examples = "".join(f"    >>> {call}\n    {value}\n" for call, value in calls[:EXAMPLES])
            task = f"Own/{len(problems)}"
            asserts = "".join(f"    assert {c.replace(name, 'candidate', 1)} == {v}\n" for c, v in calls)
            problems.append(
                {
                    "task_id": task,
                    "prompt": f'def {signature}:\n    """{purpose.replace("K", str(size))}\n{examples}    """\n',
                    "entry_point": name,
                    "canonical_solution": lines,
                    "test": f"def check(candidate):\n{asserts}",
                }
            )
            tree = ast.parse(f"def {signature}:\n{lines}")
            right = rng.randint(1, 10)
            for number in range(SAMPLES):
                sample = tree
                for _ in range(0 if number < right else rng.randint(1, 3)):
                    sample = changed(sample, rng)
                text = ast.unparse(sample).split("\n", 1)[1] + "\n"
                samples.append({"task_id": task, "completion": text})
    for name, rows in [("problems", problems), ("samples", samples)]:
        rng.shuffle(rows) if name == "samples" else None
        (out / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    print(f"{len(problems)} problems, {len(samples)} samples")


if __name__ == "__main__":
    main()
