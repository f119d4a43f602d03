#!/usr/bin/env python3
"""Programs of operators, as JSON Lines for `codexec data plan --no-fold`: operands as programs have them. Equal operands, zeros,
round numbers and stores that change nothing are frequent here, and rare among operands drawn at random.

    runs/operand_exercises.py [COUNT] [SEED] > operands.jsonl     20,000 programs of ten operations each without COUNT
    runs/operand_exercises.py COUNT SEED usual > usual.jsonl      what programs do in loops, and operations on values of wrong types
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
    def __init__(self, seed, usual=False):
        self.rng = random.Random(seed)
        self.usual = usual

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

    def misused(self):
        """An operation on values of types that it does not take, or nearly."""
        rng = self.rng
        number = rng.choice([self.integer, lambda: rng.randrange(20), self.decimal])()
        text = rng.choice([self.text(), str(self.integer()), str(rng.randrange(20)), f"{rng.randrange(20)} {rng.randrange(20)}"])
        xs = rng.choice([self.items(0, 5), tuple(self.items(0, 4)), [str(self.integer()) for _ in range(rng.randrange(1, 5))]])
        other = rng.choice([text, text, text, xs, xs, None, {}, self.flag(), number, range(3), set(), len])
        two = rng.choice([(number, other), (other, number), (other, xs), (text, other), (xs, other), (other, text)])
        a, b = (value.__name__ if callable(value) else repr(value) for value in two)
        one = rng.choice([a, b])
        takes = "len int float range sum max min abs round sorted list set tuple ord chr str bool bin sum any enumerate reversed".split()
        return rng.choice(
            [
                f"x = {a}\n    x {rng.choice(ARITHMETIC + BITS + ['**'])} {b}",
                f"x = {a}\n    x {rng.choice(ARITHMETIC)}= {b}",
                f"x = {a}\n    x {rng.choice(COMPARISONS + ['<', '>', '<=', '>='])} {b}",
                f"x = {a}\n    {b} in x",
                f"x = {a}\n    x[{rng.choice([b, '0', '-1', '1', '5'])}]",
                f"x = {a}\n    x[{rng.choice(['0', '1', '-1', b])}] = {rng.choice([repr(text), '7'])}",
                f"{rng.choice(takes)}({one})",
                f"{rng.choice(takes)}({one})",
                f"{rng.choice(['max', 'min', 'range', 'divmod', 'pow', 'round', 'int', 'isinstance'])}({a}, {b})",
                f"x = {one}\n    {rng.choice(['-', '~', 'not ', '+'])}x",
                f"{text!r}.{rng.choice(['join', 'count', 'find', 'index', 'split', 'startswith', 'replace'])}({one})",
                f"{list(xs)!r}.{rng.choice(['index', 'count', 'remove', 'extend', 'append', 'pop'])}({one})",
                f"int({text!r})",
                f"float({text!r})",
                f"del {xs!r}[{rng.choice([0, -1, 5])}]",
            ]
        )

    def few_steps(self):
        """What programs do with numbers and short texts in loops, with operands of their sizes."""
        rng = self.rng
        size = rng.choice([10, 100, 1000, 10000])
        a, b, c = rng.randrange(size), rng.randrange(1, size), rng.randrange(1, 30)
        xs = [rng.choice([rng.randrange(size), a]) for _ in range(rng.randrange(1, 12))]
        text = "".join(rng.choice(rng.choice(["ab", "abcdefgh", "0123456789", "ABC?", "01", "#."])) for _ in range(rng.randrange(1, 14)))
        letter = rng.choice(text)
        table = [[rng.randrange(9) for _ in range(rng.randrange(5))] for _ in range(rng.randrange(1, 10))]
        values = rng.choice([xs, xs, list(text), table])
        return rng.choice(
            [
                f"x = {a}\n    x {rng.choice(COMPARISONS)} {rng.choice([a, a + 1, a - 1, b, b, -b])}",
                f"x = {rng.choice([a, a, -a])}\n    x {rng.choice(['+', '-', '-', '-'])} {rng.choice([a, b, b, -b, c])}",
                f"x = {a * c}\n    x {rng.choice(['/', '//', '%', '/'])} {c}",
                f"x = {a}\n    x {rng.choice(['/', '//', '%'])} {c}",
                f"x = {rng.choice([a % 200, -(a % 200), c])}\n    x ** {rng.choice([2, 2, 2, 3, rng.randrange(6)])}",
                f"x = {a}\n    x {rng.choice(BITS)} {rng.choice([1, 1, c, c % 8, 2 ** (c % 9)])}",
                f"x = {values!r}\n    x[{rng.choice([rng.randrange(len(values)), -1 - rng.randrange(len(values))])}]",
                f"x = {values!r}\n    x[{self.slice(values)}]",
                f"x = {text!r}\n    x[{rng.choice([str(rng.randrange(len(text))), self.slice(text)])}]",
                f"x = {xs!r}\n    x[{rng.randrange(len(xs))}] = {rng.choice([*xs, a, b])}",
                f"x = {xs!r}\n    x.{rng.choice(['sort', 'reverse', 'sort', 'copy'])}()",
                f"{rng.choice(['len', 'sorted', 'min', 'max', 'sum', 'set'])}({values!r})",
                f"{rng.choice(['len', 'sorted', 'list', 'set'])}({text!r})",
                f"{rng.choice(['min', 'max'])}({', '.join(map(str, xs + [b]))})",
                f"list(range({rng.choice(['', f'{rng.randrange(4)}, '])}{rng.randrange(12)}{rng.choice(['', '', ', 2'])}))" if rng.random() < 0.7 else f"range({c}, {a})",
                f"{text!r}.{rng.choice(['count', 'find', 'index', 'rfind', 'split', 'strip', 'startswith'])}({letter!r})",
                f"{text!r}.replace({letter!r}, {rng.choice(['', '0', 'x', 'ab'])!r})",
                f"x = {text!r}\n    x {rng.choice(['==', '!=', '==', '<', '+'])} {rng.choice([text, text, text[::-1], text[:-1], text + letter, letter])!r}",
                f"x = {text[:4]!r}\n    x * {c % 9}",
                f"{text!r}.{rng.choice(['isupper', 'islower', 'isdigit', 'upper', 'lower', 'isalpha'])}()",
                f"{rng.choice(xs + [a])} in {rng.choice([xs, set(xs), tuple(xs)])!r}" if len(set(xs)) == len(xs) else f"{xs!r}.count({a})",
                f"{xs!r}.index({rng.choice(xs)})",
                f"int({str(a).zfill(rng.randrange(7))!r})",
                f"round({self.decimal()!r}{rng.choice(['', '', ', 1', ', 2'])})",
            ]
        )

    def operation(self):
        rng = self.rng
        kind = rng.random()
        if self.usual:
            return self.misused() if kind < 0.3 else self.few_steps()
        if kind < 0.36:
            a, operator, b = self.arithmetic()
            if rng.random() < 0.2:
                return f"x = {a!r}\n    x {operator}= {b!r}"
            # A name, because the compiler folds operators of literals.
            return f"x = {a!r}\n    x {operator} {b!r}"
        if kind < 0.4:
            return f"{rng.choice(['-', '-', '~', 'not '])}({self.integer()})"
        return rng.choice([self.comparison, self.comparison, self.subscript, self.subscript, self.mapping, self.membership, self.containers])()


def main():
    usual = sys.argv[3:] == ["usual"]
    numbers = [int(a) for a in sys.argv[1:3]]
    count, seed = numbers + [20_000, 0][len(numbers) :]
    maker = Maker(seed, usual)
    for number in range(count):
        operations = "\n".join(f"try:\n    {maker.operation()}\nexcept Exception:\n    pass" for _ in range(OPERATIONS))
        source = operations.replace("-inf", "-1e999").replace("inf", "1e999")
        print(json.dumps({"id": str(number), "code": source + "\n"}))


if __name__ == "__main__":
    main()
