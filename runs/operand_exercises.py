#!/usr/bin/env python3
"""Programs of operators, as JSON Lines for `codexec data plan --no-fold`: operands as programs have them. Equal operands, zeros,
round numbers and stores that change nothing are frequent here, and rare among operands drawn at random.

    runs/operand_exercises.py [COUNT] [SEED] > operands.jsonl     20,000 programs of ten operations each without COUNT
"""

import json
import random
import sys

OPERATIONS = 10
COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]
ARITHMETIC = ["+", "+", "-", "-", "-", "*", "*", "//", "%", "%", "/"]
BITS = ["&", "|", "^", "<<", ">>"]
WORDS = "a b c x y ab abc cat dog yes no red blue hello world Alice key name 0 1 10 42 abab aab".split()


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def integer(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.4:
            return rng.randrange(21)
        if kind < 0.7:
            return rng.randrange(10 ** rng.randrange(2, 4))
        if kind < 0.8:
            return -rng.randrange(1, 10 ** rng.randrange(1, 4))
        if kind < 0.88:
            return rng.randrange(10 ** rng.randrange(4, 8))
        if kind < 0.92:
            return 2 ** rng.randrange(1, 40)
        if kind < 0.95:
            return rng.randrange(10 ** rng.randrange(8, 13))
        return rng.choice([-1, 1, 1, 1, 1]) * rng.choice([1, 1, 1, 2, 5, 25]) * 10 ** rng.randrange(2, 19) + rng.choice([0, 0, 0, 1, 7, -1, 50, 150])

    def decimal(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.3:
            return float(rng.randrange(-9, 10 ** rng.randrange(1, 4)))
        if kind < 0.75:
            return round(rng.uniform(-1, 10 ** rng.randrange(0, 4)), rng.randrange(1, 4))
        if kind < 0.85:
            return rng.randrange(1, 100) / rng.randrange(1, 30)
        return rng.choice([0.0, 0.5, 1.0, 0.1, 0.25, float("inf"), -float("inf"), 3.141592653589793, 1e-09, 2.0])

    def number(self):
        return self.decimal() if self.rng.random() < 0.25 else self.integer()

    def near(self, value):
        """The value, or one that is easily taken for it."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.6:
            return value
        if isinstance(value, bool) or value is None:
            return rng.choice([True, False, None, 0, 1])
        if isinstance(value, int):
            return rng.choice([value + 1, value - 1, float(value) if abs(value) < 10**15 else value, -value, value * 10, value // 10])
        if isinstance(value, float):
            return int(value) if value == value and abs(value) < 10**9 else -value
        if isinstance(value, str):
            return rng.choice([value[::-1], value[:-1], value + "a", value.upper()])
        items = list(value)
        if items:
            items[rng.randrange(len(items))] = self.integer()
        return type(value)(items)

    def scalar(self):
        return self.rng.choice([self.integer, self.integer, self.number, self.text, self.flag])()

    def text(self):
        rng = self.rng
        return rng.choice([rng.choice(WORDS), "".join(rng.choice("abc01.#") for _ in range(rng.randrange(12)))])

    def flag(self):
        return self.rng.choice([True, False, True, False, None])

    def items(self, least=0, most=12):
        rng = self.rng
        count = rng.randrange(least, most + 1)
        kind = rng.random()
        if kind < 0.35:
            return [rng.randrange(10) for _ in range(count)]
        if kind < 0.6:
            return [self.integer() for _ in range(count)]
        if kind < 0.75:
            return [self.text() for _ in range(count)]
        if kind < 0.85:
            return [tuple(rng.randrange(9) for _ in range(2)) for _ in range(count)]
        return [[rng.randrange(3) for _ in range(rng.randrange(4))] for _ in range(count)]

    def table(self, least=1):
        """A list as dynamic programming, sieves and grids fill it: long runs of one value."""
        rng = self.rng
        kind = rng.random()
        count = rng.randrange(least, rng.choice([8, 20, 60, 100]) + least)
        if kind < 0.2:
            return self.items(least)
        if kind < 0.6:
            filler = rng.choice([0, 0, 0, 1, -1, True, False, 10**9, -(10**18), float("inf"), ".", "0"])
            xs = [filler] * count
            for _ in range(rng.choice([0, 1, 3, 9])):
                at = rng.choice([rng.randrange(count), rng.randrange(min(count, 12))])
                xs[at : at + rng.choice([1, 1, 1, 3])] = [rng.choice([0, 1, 2, self.integer()])]
            return xs
        if kind < 0.7:
            step = rng.choice([1, 1, 1, 2, 3, -1])
            start = rng.choice([0, 0, 1, 2, self.integer()])
            return [start + step * i for i in range(count)]
        if kind < 0.8:
            a, b = 0, 1
            xs = []
            for _ in range(min(count, 40)):
                a, b = b, (a + b) if rng.random() < 0.97 else a
                xs.append(a)
            return xs
        if kind < 0.9:
            width = rng.randrange(1, 7)
            return [[rng.choice([0, 0, 0, 1, rng.randrange(10)]) for _ in range(width)] for _ in range(rng.randrange(max(1, least), 6 + least))]
        return [rng.randrange(-9, 10 ** rng.randrange(1, 4)) for _ in range(count)]

    def dictionary(self):
        rng = self.rng
        some = rng.choice([self.text, self.integer, lambda: rng.randrange(12)])
        value = rng.choice([lambda: rng.randrange(9), self.scalar, lambda: self.items(0, 3), lambda: True])
        return {some(): value() for _ in range(rng.randrange(0, 9))}

    def at(self, xs):
        return self.rng.choice([self.rng.randrange(len(xs)), self.rng.randrange(len(xs)), -self.rng.randrange(1, 4), len(xs) - 1])

    def arithmetic(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.5:
            a, b = self.integer(), self.integer()
            return a, rng.choice(ARITHMETIC), rng.choice([a, b, b, b, b, b]) if rng.random() < 0.5 else rng.randrange(1, 101)
        if kind < 0.6:
            return rng.choice([2, 2, 2, 10, rng.randrange(13)]), "**", rng.choice([2, 3, rng.randrange(11), rng.randrange(65)])
        if kind < 0.68:
            return rng.choice([rng.randrange(-40, 130), rng.randrange(1000)]), "**", rng.choice([2, 2, 2, 3])
        if kind < 0.8:
            a, operator = rng.choice([rng.randrange(16), rng.randrange(64), self.integer()]), rng.choice(BITS)
            return a, operator, rng.randrange(12) if operator in ("<<", ">>") else rng.choice([1, 1, a, rng.randrange(16), rng.randrange(64)])
        if kind < 0.85:
            return self.integer(), "%", rng.choice([2, 3, 10, 100, 10**9 + 7, 998244353])
        return self.decimal(), rng.choice(["+", "-", "*", "/", "+", "-", "//", "%"]), rng.choice([self.decimal(), rng.randrange(1, 12)])

    def slice(self, xs):
        rng = self.rng
        bound = lambda: rng.choice(["", "", str(self.rng.randrange(len(xs) + 1)), str(-rng.randrange(1, 4))])
        return f"{bound()}:{bound()}" + rng.choice(["", "", "", ":2", ":-1"])

    def subscript(self):
        rng = self.rng
        xs = self.table(1)
        at = self.at(xs)
        kind = rng.random()
        if kind < 0.4:
            return f"{xs!r}[{at}]"
        if kind < 0.8:
            inside = -len(xs) <= at < len(xs)
            old = xs[at] if inside else 0
            new = rng.choice([old, old, xs[0], self.near(old), self.integer(), rng.choice([0, 1, True])])
            return f"x = {xs!r}\n    x[{at}] = {new!r}"
        if kind < 0.9:
            xs = xs[:14]
            return f"{xs!r}[{self.slice(xs)}]"
        text = self.text() * 2 + "ab"
        return rng.choice([f"{text!r}[{self.at(text)}]", f"{text!r}[{self.slice(text)}]", f"x = {xs[:9]!r}\n    del x[{rng.choice([0, -1, 1])}]"])

    def mapping(self):
        rng = self.rng
        table = self.dictionary()
        key = rng.choice([*table, *table, *table, self.text(), rng.randrange(12)])
        kind = rng.random()
        if kind < 0.35:
            return f"{table!r}[{key!r}]"
        if kind < 0.75:
            old = table.get(key, 0)
            return f"x = {table!r}\n    x[{key!r}] = {rng.choice([old, self.near(old), self.scalar()])!r}"
        return f"{key!r} {rng.choice(['in', 'not in'])} {table!r}"

    def membership(self):
        rng = self.rng
        xs = rng.choice([self.table, self.items, lambda: list(range(rng.randrange(1, 30))), lambda: [self.text() for _ in range(rng.randrange(8))]])()
        shown = repr(xs)
        if xs and rng.random() < 0.4 and all(isinstance(x, (int, str, tuple)) for x in xs):
            # A set is spelled here: its own order is another one in each process.
            several = ", ".join(map(repr, dict.fromkeys(xs)))
            shown = rng.choice([f"{{{several}}}", f"{{{several}}}", repr(tuple(xs))])
        x = rng.choice(xs or [0]) if rng.random() < 0.55 else self.scalar()
        if rng.random() < 0.2:
            text = self.text() * rng.randrange(1, 3)
            return f"{rng.choice([text[:1], text[1:3], rng.choice(WORDS)])!r} {rng.choice(['in', 'not in'])} {text!r}"
        return f"{x!r} {rng.choice(['in', 'in', 'not in'])} {shown}"

    def comparison(self):
        rng = self.rng
        make = rng.choice([self.integer, self.integer, self.integer, self.number, self.text, self.flag, lambda: self.items(0, 5), lambda: tuple(self.items(0, 4))])
        a = make()
        b = rng.choice([self.near(a), self.near(a), make()])
        return f"{a!r} {rng.choice(COMPARISONS + ['==', '==', '!='])} {b!r}"

    def containers(self):
        rng = self.rng
        xs, ys = self.items(0, 7), self.items(0, 5)
        a, b = ({rng.randrange(9) for _ in range(rng.randrange(7))} for _ in range(2))
        return rng.choice(
            [
                f"{xs!r} + {ys!r}",
                f"{tuple(xs)!r} + {tuple(ys)!r}",
                f"{xs[:3]!r} * {rng.randrange(6)}",
                f"{self.text()!r} * {rng.randrange(6)}",
                f"{self.text()!r} + {self.text()!r}",
                f"x = {xs!r}\n    x += {ys!r}",
                f"{a!r} {rng.choice(['&', '|', '-', '^', '<=', '>=', '==', '<'])} {rng.choice([a, b])!r}",
                f"bool({rng.choice([xs, ys, a, self.text(), self.integer(), self.dictionary(), [], 0, '', 0.0])!r})",
                f"not {rng.choice([xs, self.text(), self.integer(), self.flag(), [], 0, ''])!r}",
                f"{rng.choice(['min', 'max', 'sum', 'sorted', 'len', 'list', 'set', 'any', 'all'])}({[self.integer() for _ in range(rng.randrange(8))]!r})",
                f"{rng.choice(['min', 'max'])}({self.integer()}, {self.integer()})",
                f"{rng.choice(['set', 'list', 'tuple', 'sum'])}(range({rng.randrange(16)}))",
                f"{rng.choice(['bin', 'hex', 'str', 'abs', 'chr', 'float'])}({rng.choice([rng.randrange(64), rng.randrange(1000)])})",
            ]
        )

    def operation(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.36:
            a, operator, b = self.arithmetic()
            if rng.random() < 0.2:
                return f"x = {a!r}\n    x {operator}= {b!r}"
            return f"({a!r}) {operator} {b!r}" if a < 0 else f"{a!r} {operator} {b!r}"
        if kind < 0.4:
            return f"{rng.choice(['-', '-', '~', 'not '])}({self.integer()})"
        return rng.choice([self.comparison, self.comparison, self.subscript, self.subscript, self.mapping, self.membership, self.containers])()


def main():
    count, seed = ([int(a) for a in sys.argv[1:]] + [20_000, 0][len(sys.argv) - 1 :])[:2]
    maker = Maker(seed)
    for number in range(count):
        operations = "\n".join(f"try:\n    {maker.operation()}\nexcept Exception:\n    pass" for _ in range(OPERATIONS))
        source = operations.replace("-inf", "-1e999").replace("inf", "1e999")
        print(json.dumps({"id": str(number), "code": source + "\n"}))


if __name__ == "__main__":
    main()
