#!/usr/bin/env python3
"""Programs of operators on numbers and of places in tables, as JSON Lines for `codexec data plan --no-fold`: every length and
sign of operands, round numbers, powers of ten with something beside them, floats as they come out of other operations, and rows
that resemble each other.

    runs/number_exercises.py [COUNT] [SEED] > numbers.jsonl            20,000 programs of twenty operations each without COUNT
    runs/number_exercises.py COUNT SEED tables > tables.jsonl          places, slices and searches in lists of lists and texts
    runs/number_exercises.py COUNT SEED floats > floats.jsonl          operations on floats of every length, and infinity
"""

import json
import random
import sys

OPERATIONS = 20
COMPARISONS = ["<", "<=", ">", ">=", "<", ">", "==", "!="]


class Numbers:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def natural(self):
        """Of one to six digits most of the time, round ones and ones with equal digits among them."""
        rng = self.rng
        kind = rng.random()
        digits = rng.choice([1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6])
        if kind < 0.55:
            return rng.randrange(10 ** (digits - 1) if digits > 1 else 0, 10**digits)
        if kind < 0.75:
            return rng.randrange(1, 100) * 10 ** rng.randrange(1, 5)
        if kind < 0.85:
            return rng.choice([25, 50, 60, 75, 125, 150, 250, 360, 365, 400, 500, 512, 750, 1000, 1024, 3600, 86400])
        if kind < 0.92:
            return rng.choice([10, 100, 1000, 10000, 100000]) - rng.choice([1, 1, 2, 5, 9])
        return rng.randrange(10 ** rng.randrange(6, 13))

    def signed(self):
        return self.natural() * self.rng.choice([1, 1, 1, 1, -1])

    def near(self, a):
        rng = self.rng
        return rng.choice([a, a + 1, a - 1, a + rng.randrange(-20, 21), a * 10, a // 10, -a, 2 * a, a + 10 ** rng.randrange(1, 4)])

    def large(self):
        """What serves as infinity, and sums with it."""
        rng = self.rng
        ten = rng.choice([1, 1, 1, 1, 2, 5, 25, 3, 4, 15]) * 10 ** rng.choice([6, 7, 8, 9, 9, 9, 10, 11, 12, 15, 15, 18, 18])
        beside = rng.choice([0, 0, 0, 0, 7, 1, 1, 2, rng.randrange(100), rng.randrange(1000), 50 * rng.randrange(1, 40), 100 * rng.randrange(1, 30)])
        return rng.choice([ten, ten + beside, ten + beside, ten - beside, -ten])

    def decimal(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.3:
            return float(self.signed())
        if kind < 0.65:
            return round(rng.uniform(-10, 10 ** rng.randrange(0, 5)), rng.randrange(1, 4))
        if kind < 0.75:
            return rng.randrange(1, 100) / rng.randrange(1, 40)
        if kind < 0.85:
            return rng.choice([0.1, 0.2, 0.3, 0.7, 1.1, 2.5, 0.05, 1.08]) * rng.randrange(1, 30)
        if kind < 0.93:
            return rng.choice([0.0, 0.5, 1.0, 0.1, 0.25, 2.0, 1.5, 100.0, 3.141592653589793, 2.718281828459045, 1.4142135623730951, -1.0])
        return rng.choice([1e9, 1e18, 1e20, 1e50, 2e50, 1e-9, 1e-10, 1e-6, 1e999, -1e999, 1e16, 1.5e300])

    def arithmetic(self):
        rng = self.rng
        kind = rng.random()
        a, b = self.signed(), self.signed()
        if rng.random() < 0.25:
            b = self.near(a)
        if rng.random() < 0.2:
            a, b = b, a
        if kind < 0.4:
            return a, rng.choice("+-"), b
        if kind < 0.55:
            return rng.choice([(a, "*", rng.choice([rng.randrange(-9, 10), rng.randrange(100), b])), (rng.randrange(100), "*", rng.randrange(100))])
        if kind < 0.75:
            by = rng.choice([rng.randrange(1, 13), rng.randrange(1, 101), b, rng.choice([2, 2, 3, 4, 5, 7, 10, 60, 100, 400, 1000])])
            return a, rng.choice(["//", "%", "%", "//", "/"]), rng.choice([by, by, by, by, -by])
        if kind < 0.85:
            return a, rng.choice(COMPARISONS), rng.choice([b, self.near(a)])
        if kind < 0.9:
            wide = rng.choice([8, 16, 64, 256, 4096])
            x = rng.choice([rng.randrange(wide), rng.randrange(wide), -rng.randrange(wide), self.natural()])
            return x, rng.choice("&|^"), rng.choice([rng.randrange(wide), 1, 2 ** rng.randrange(13), 2 ** rng.randrange(1, 13) - 1, -rng.randrange(1, 70)])
        if kind < 0.93:
            return rng.choice([1, 1, 1, rng.randrange(1, 40), -rng.randrange(1, 20)]), rng.choice(["<<", "<<", ">>"]), rng.choice([rng.randrange(12), rng.randrange(41)])
        if kind < 0.96:
            return 2, "**", rng.randrange(130)
        return rng.choice([(rng.randrange(-20, 131), "**", 2), (rng.randrange(-9, 21), "**", rng.randrange(7)), (10, "**", rng.randrange(40)), (a, "**", rng.choice([0, 1, 2]))])

    def infinite(self):
        rng = self.rng
        a, b = self.large(), rng.choice([self.large(), self.natural(), self.natural(), 50 * rng.randrange(1, 40)])
        if rng.random() < 0.4:
            a, b = b, a
        operator = rng.choice(["+", "+", "+", "-", "-", "*", "//", "%", *COMPARISONS])
        if operator in ("*", "//", "%"):
            b = rng.choice([2, 2, 3, 4, 10, rng.randrange(1, 10)])
        if rng.random() < 0.1:
            return f"{rng.choice(['min', 'max'])}({a}, {b}{rng.choice(['', f', {self.natural()}', f', {self.large()}'])})"
        return a, operator, b

    def decimals(self):
        rng = self.rng
        a, b = self.decimal(), rng.choice([self.decimal(), self.natural(), rng.randrange(13)])
        if rng.random() < 0.25:
            a, b = b, a
        operator = rng.choice(["+", "+", "-", "-", "*", "/", *COMPARISONS])
        if rng.random() < 0.05:
            operator, b = "**", rng.choice([2, 2, 0.5, 3])
        if operator in COMPARISONS and rng.random() < 0.3:
            b = rng.choice([a, int(a) if abs(a) < 1e15 else a, a + 0.5, -a])
        return a, operator, b

    def one(self):
        rng = self.rng
        a = self.signed()
        few = [rng.choice([self.natural, self.natural, self.large, self.decimal])() for _ in range(rng.randrange(2, 6))]
        return rng.choice(
            [
                f"{rng.choice(['-', '~', '-'])}({a})",
                f"{rng.choice(['min', 'max'])}({', '.join(map(repr, few))})",
                f"{rng.choice(['min', 'max', 'sorted'])}({few!r})",
                f"{rng.choice(['int', 'float', 'str', 'round', 'bool'])}({rng.choice([a, self.decimal()])!r})",
                f"{rng.choice(['float', 'int'])}({str(rng.choice([a, a, self.decimal()]))!r})",
                f"round({self.decimal()!r}, {rng.randrange(4)})",
                f"{rng.choice(['bin', 'hex', 'oct', 'chr', 'str'])}({self.natural() % 1000})",
                f"format({rng.randrange(70)}, {rng.choice(['b', 'b', 'x', '04d', '08b', '.2f', '5d', ','])!r})",
                f"pow({rng.randrange(1, 13)}, {rng.randrange(5)}, {rng.choice([10**9 + 7, 7, 10, 97, 1000, 998244353])})",
                f"import math\n    math.{rng.choice(['sqrt', 'isqrt', 'floor', 'ceil'])}({rng.choice([rng.randrange(400), rng.randrange(40) ** 2])})",
            ]
        )

    def operation(self):
        kind = self.rng.random()
        parts = self.arithmetic() if kind < 0.64 else self.infinite() if kind < 0.78 else self.decimals() if kind < 0.92 else self.one()
        if isinstance(parts, str):
            return parts
        a, operator, b = parts
        is_stored = operator not in COMPARISONS and self.rng.random() < 0.15
        # A name, because the compiler folds operators of literals.
        return f"x = {a!r}\n    x {operator}{'=' if is_stored else ''} {b!r}"


class Floats(Numbers):
    def short(self):
        rng = self.rng
        places = rng.choice([1, 1, 1, 2, 2, 3])
        return rng.randrange(10 ** rng.choice([1, 1, 2, 2, 3, 4])) / 10**places * rng.choice([1, 1, 1, 1, -1])

    def long(self):
        """What comes out of a few operations on short ones."""
        rng = self.rng
        a, b = self.short(), self.short() or 1.0
        return rng.choice([a * b, a + b, a - b, a / b, b**0.5 if b > 0 else b, a / rng.randrange(1, 13), rng.randrange(100) / rng.randrange(1, 30)])

    def some(self):
        rng = self.rng
        return rng.choice([self.short, self.short, self.short, self.long, self.long, self.decimal, lambda: rng.randrange(1, 13), lambda: float(rng.randrange(100))])()

    def operation(self):
        rng = self.rng
        kind = rng.random()
        a, b = self.some(), self.some()
        if kind < 0.15:
            whole = [rng.randrange(100), 10**9, 1e999, 1e999, -1e999, a]
            a, b = rng.choice(whole), rng.choice(whole)
            return rng.choice([f"x = {a!r}\n    x {rng.choice(COMPARISONS)} {b!r}", f"{rng.choice(['min', 'max'])}({a!r}, {b!r}{rng.choice(['', f', {self.some()!r}'])})"])
        if kind < 0.4:
            a, operator, b = rng.choice([self.short(), a]), rng.choice("****/"), rng.choice([self.short(), rng.randrange(1, 13), rng.choice([0.5, 2, 0.1, 0.01, 3.141592653589793])])
        elif kind < 0.5:
            operator, b = "**", rng.choice([2, 2, 2, 3, 0.5])
        elif kind < 0.85:
            operator, b = rng.choice("++--"), rng.choice([b, b, b, b, b, b, a, 0.0, -a])
            if rng.random() < 0.5:
                a, b = b, a
        else:
            operator, b = rng.choice(COMPARISONS + ["<", ">"]), rng.choice([b, b, a, -a, a + 1e-3, 1e-9, 4e-10, 1e-6])
        is_stored = operator not in COMPARISONS and rng.random() < 0.35
        return f"x = {a!r}\n    x {operator}{'=' if is_stored else ''} {b!r}"


class Tables(Numbers):
    def run(self):
        """A row with runs of equal items."""
        rng = self.rng
        row = []
        for _ in range(rng.randrange(1, 5)):
            filler = rng.choice([0, 0, 0, 1, -1, 3, True, False, rng.randrange(10), 10 ** rng.choice([9, 10, 15]), "."])
            row += [filler] * rng.choice([1, 1, 2, 3, 5, 7, 9, rng.randrange(1, 30)])
        return row[: rng.choice([5, 12, 30, 101])]

    def grid(self):
        rng = self.rng
        width, height = rng.randrange(1, 13), rng.randrange(1, 9)
        kind = rng.random()
        if kind < 0.3:
            filler = rng.choice([0, 0, -1, 1, True, 10 ** rng.choice([9, 10, 11, 15, 18]), 1e999, "."])
            rows = [[filler] * width for _ in range(height)]
            for _ in range(rng.choice([0, 1, 4, 9, 20])):
                rows[rng.randrange(height)][rng.randrange(width)] = rng.choice([0, 1, 2, rng.randrange(100)])
            return rows
        if kind < 0.45:
            return [[rng.randrange(rng.choice([3, 10, 100])) for _ in range(width)] for _ in range(height)]
        if kind < 0.55:
            return [self.run() for _ in range(min(height, 5))]
        if kind < 0.75:
            letters = rng.choice([".#", ".Q", "..........#", "01", "#.", "xo ", "ABC"])
            return ["".join(rng.choice(letters) for _ in range(width)) for _ in range(height)]
        if kind < 0.85:
            return [[tuple(rng.randrange(-9, 30) for _ in range(2)) for _ in range(rng.randrange(5))] for _ in range(height)]
        if kind < 0.92:
            return [rng.choice([dict, lambda pairs: {key for key, _ in pairs}, lambda pairs: [(key,) for key, _ in pairs]])([(rng.randrange(12), rng.randrange(5)) for _ in range(rng.randrange(5))]) for _ in range(height)]
        return [[round(rng.uniform(0, 3), rng.choice([1, 2, 16])) for _ in range(rng.randrange(1, 5))] for _ in range(min(height, 4))]

    def table(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.5:
            return self.grid()
        if kind < 0.65:
            return self.run()
        if kind < 0.75:
            return [rng.choice([self.natural(), self.natural(), self.large()]) for _ in range(rng.randrange(1, 12))]
        if kind < 0.85:
            start, count = rng.randrange(3), rng.randrange(1, 400)
            xs = list(range(start, start + count))
            for _ in range(rng.choice([0, 1, 1, 2, 3])):
                xs[rng.randrange(count)] = rng.randrange(count)
            return xs
        return [rng.randrange(rng.choice([4, 10, 100])) for _ in range(rng.randrange(1, 16))]

    def slice(self, count):
        rng = self.rng
        bound = lambda: rng.choice(["", str(rng.randrange(count + 1)), str(rng.randrange(count + 1)), str(-rng.randrange(1, 5))])
        step = rng.choice(["", "", "", ":2", ":2", ":3", ":-1"])
        return f"{bound()}:{bound()}{step}"

    def text(self):
        rng = self.rng
        letters = rng.choice(["abcdefghij", "ab", "abc ", "0123456789", ".#", "1 2{}", "aeiou xyz", "({[]})", "-| ", "ABCabc'", ":;,.!? ab"])
        text = "".join(rng.choice(letters) for _ in range(rng.randrange(1, 16)))
        return rng.choice([text, text, text[: rng.randrange(1, 4)] * rng.randrange(1, 7)])

    def keys(self):
        rng = self.rng
        make = rng.choice([lambda: rng.randrange(100), lambda: rng.randrange(10 ** rng.randrange(2, 6)), lambda: "".join(rng.choice("0123") for _ in range(2)), self.text, lambda: (rng.randrange(3), rng.randrange(3))])
        return [make() for _ in range(rng.randrange(1, 25))]

    def membership(self):
        rng = self.rng
        keys = list(dict.fromkeys(self.keys()))
        x = rng.choice(keys)
        if rng.random() < 0.5:
            x = x[::-1] if isinstance(x, (str, tuple)) else rng.choice([x + 1, x // 10, x + 100, int(str(x)[::-1])])
        shown = rng.choice([repr(keys), repr(tuple(keys)), "{" + ", ".join(map(repr, keys)) + "}", repr({key: rng.choice([1, True, rng.randrange(50)]) for key in keys})])
        if rng.random() < 0.3 and shown.endswith("}") and ":" in shown:
            return f"x = {shown}\n    x[{x!r}]"
        return f"x = {shown}\n    {x!r} {rng.choice(['in', 'in', 'not in'])} x"

    def texts(self):
        rng = self.rng
        text, other = self.text(), self.text()
        piece = rng.choice([text[:1], text[1:3], text[-2:], other[:1]])
        return rng.choice(
            [
                f"x = {text!r}\n    x[{self.slice(len(text))}]",
                f"x = {text!r}\n    x[{rng.randrange(-len(text), len(text) + 1)}]",
                f"x = {text!r}\n    x {rng.choice(['+', '+', '<', '<', '>', '==', '!=', '<='])} {rng.choice([other, text, piece])!r}",
                f"x = {rng.choice([text[:1], text[:2]])!r}\n    x * {rng.randrange(20)}",
                f"x = {rng.choice([piece, piece, ''])!r}\n    x in {text!r}",
                f"{text!r}.{rng.choice(['find', 'count', 'rfind', 'index', 'split', 'strip', 'replace', 'startswith'])}({piece!r}" + ", 0)" if rng.random() < 0.1 else f"{text!r}.find({piece!r})",
                f"{text!r}.replace({piece!r}, {other[:3]!r})",
                f"{rng.choice(['list', 'set', 'sorted', 'len'])}({text!r})",
                f"from collections import Counter\n    Counter({rng.choice([text, list(text), [rng.randrange(5) for _ in range(rng.randrange(1, 14))]])!r})",
                f"'{rng.choice(['', '', ' ', ','])}'.join({rng.choice([list(text), ['.'] * rng.randrange(12) + ['Q'] + ['.'] * rng.randrange(12), [text, other]])!r})",
            ]
        )

    def mappings(self):
        """`defaultdict` and `Counter`, keys that are there and keys that are not."""
        rng = self.rng
        keys = list(dict.fromkeys(self.keys()))[: rng.randrange(1, 9)]
        key = rng.choice([rng.choice(keys), rng.choice(self.keys())])
        factory, value = rng.choice([("int", lambda: rng.randrange(9)), ("bool", lambda: rng.choice([True, False])), ("list", lambda: [rng.randrange(9)] * rng.randrange(4)), ("set", lambda: {rng.randrange(9)}), ("float", lambda: 0.5 * rng.randrange(9)), ("str", lambda: "ab"[: rng.randrange(3)])])
        name = rng.choice([f"defaultdict({factory}, ", f"defaultdict({factory}, ", "Counter("])
        some = {each: rng.randrange(9) if name == "Counter(" else value() for each in keys}
        new = rng.randrange(9) if name == "Counter(" else value()
        shown = f"from collections import *\n    x = {name}{some!r})"
        return f"{shown}\n    {rng.choice([f'x[{key!r}]', f'x[{key!r}]', f'x[{key!r}] = {new!r}', f'{key!r} in x', f'x.get({key!r})', f'len(x)', f'x.most_common(2)' if name == 'Counter(' else f'x.pop({key!r}, None)', 'bool(x)', 'str(x)'])}"

    def orders(self):
        """What is sorted, gathered or joined: tuples, negative numbers, texts with quotes."""
        rng = self.rng
        count = rng.randrange(1, rng.choice([4, 8, 12]))
        make = rng.choice([lambda: rng.randrange(-20, 10), lambda: -rng.randrange(1, 5), lambda: (rng.randrange(6), rng.randrange(6)), lambda: (10 * rng.randrange(9), 10 * rng.randrange(9)), self.text, lambda: rng.choice("'\"!@#ab,"), lambda: round(rng.uniform(-5, 5), 1), lambda: rng.choice([0, 1, "", "a", None, [], [0], {}, 0.0, True])])
        xs = [make() for _ in range(count)]
        ys = [make() for _ in range(rng.randrange(4))]
        a, b = ({rng.randrange(9) for _ in range(rng.randrange(1, 7))} for _ in range(2))
        more = rng.choice(["'", '"', "!", "ab'", "\\"])
        return rng.choice(
            [
                f"sorted({xs!r})",
                f"sorted({xs!r}{rng.choice([', reverse=True', ''])})",
                f"x = {xs!r}\n    x.sort()",
                f"x = {xs!r}\n    x.{rng.choice(['append', 'extend', 'append'])}({more!r})",
                f"x = {xs!r}\n    x.extend({ys!r})",
                f"{rng.choice(['any', 'all', 'len', 'list', 'tuple', 'min', 'max'])}({xs!r})",
                f"x = {xs!r}\n    x + {ys!r}",
                f"x = {xs!r}\n    x {rng.choice(['==', '!=', '<', '=='])} {rng.choice([xs, xs[:-1], ys, sorted(xs, key=repr)])!r}",
                f"x = {a!r}\n    x {rng.choice(['&', '|', '-', '^', '<=', '>='])}{rng.choice(['', '='])} {rng.choice([a, b, b])!r}".replace("==", "=").replace(">= {", "&= {"),
                f"x = {a!r}\n    x.{rng.choice(['add', 'discard', 'remove', 'issubset', 'union'])}({rng.choice([rng.randrange(9), rng.randrange(9), b])!r})",
                f"set({{{', '.join(f'{key!r}: 1' for key in 'abcdef'[:count])}}})",
                f"x = {rng.choice([10 ** rng.randrange(6, 13), -(10 ** rng.randrange(6, 13))])!r}\n    [x] + {ys!r}",
            ]
        )

    def operation(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.08:
            return self.mappings()
        if kind < 0.18:
            return self.orders()
        if kind < 0.3:
            return self.texts()
        if kind < 0.42:
            return self.membership()
        xs = self.table()
        at = rng.randrange(-len(xs), len(xs)) if rng.random() < 0.5 else rng.randrange(len(xs))
        if kind < 0.66:
            return f"x = {xs!r}\n    x[{at}]"
        if kind < 0.78:
            xs = xs[:30]
            return f"x = {xs!r}\n    x[{self.slice(len(xs))}]"
        if kind < 0.85:
            return f"x = {xs!r}\n    x[{at}] = {rng.choice([xs[0], xs[at], self.natural(), self.run()[:5]])!r}"
        xs = xs[:20]
        few = [rng.randrange(rng.choice([4, 12])) for _ in range(rng.randrange(9))]
        return rng.choice(
            [
                f"{rng.choice(['set', 'sorted', 'tuple', 'len', 'list', 'Counter'])}({few!r})".replace("Counter(", "__import__('collections').Counter("),
                f"{rng.choice(['len', 'list'])}({xs!r})",
                f"sorted({{{', '.join(f'{key}: {key % 7 - 3}' for key in dict.fromkeys(few))}}})",
                f"x = {xs!r}\n    x.{rng.choice(['append', 'append', 'remove', 'index', 'count'])}({rng.choice(xs)!r})",
                f"x = {xs!r}\n    x.{rng.choice(['pop()', 'pop(0)', 'reverse()', 'copy()'])}",
                f"x = {xs!r}\n    x + {xs[:3]!r}",
                f"x = {xs[:3]!r}\n    x * {rng.randrange(5)}",
                f"x = {xs!r}\n    x == {rng.choice([xs, xs[:-1], xs[::-1]])!r}",
                f"x = {{{', '.join(map(str, [*few, 99]))}}}\n    x {rng.choice(['&=', '|=', '-=', '&', '|', '-', '^'])} {{{', '.join(map(str, [*few[:3], 5]))}}}",
                f"x = {few!r}\n    y = {[rng.randrange(30) for _ in few]!r}\n    sorted(x, key=lambda i: y[i % max(1, len(y))], reverse={rng.choice([True, False])})",
            ]
        )


def main():
    makers = {"numbers": Numbers, "tables": Tables, "floats": Floats}
    kind = sys.argv[3] if len(sys.argv) > 3 else "numbers"
    if kind not in makers:
        sys.exit(__doc__)
    numbers = [int(a) for a in sys.argv[1:3]]
    count, seed = numbers + [20_000, 0][len(numbers) :]
    maker = makers[kind](seed)
    for number in range(count):
        operations = "\n".join(f"try:\n    {maker.operation()}\nexcept Exception:\n    pass" for _ in range(OPERATIONS))
        source = operations.replace("-inf", "-1e999").replace("inf", "1e999").replace("nan", "0.5")
        print(json.dumps({"id": str(number), "code": source + "\n"}))


if __name__ == "__main__":
    main()
