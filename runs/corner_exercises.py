#!/usr/bin/env python3
"""Programs of operations that other exercises ask too rarely for how often a network answers them wrong, as JSON Lines for
`codexec data plan --no-fold`: long integers, numbers beside powers of ten, small signed numbers, bits, characters, texts of one
repeated character, long floats within lists, ties of sorts.

    runs/corner_exercises.py [COUNT] [SEED] > corners.jsonl            20,000 programs of twenty operations each without COUNT
"""

import json
import random
import string
import sys

from number_exercises import COMPARISONS, OPERATIONS

LONGEST = 21  # digits of an integer


class Corners:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def binary(self, a, operator, b):
        """Names, because the compiler folds operators of literals."""
        is_stored = operator not in COMPARISONS and self.rng.random() < 0.15
        return f"x = {a!r}\n    x {operator}{'=' if is_stored else ''} {b!r}"

    def long(self, least=7):
        digits = self.rng.randrange(least, LONGEST)
        return self.rng.randrange(10 ** (digits - 1), 10**digits)

    def long_integers(self):
        rng = self.rng
        a = self.long()
        b = rng.choice([self.long(), self.long(), a + rng.randrange(-999, 1000), a // 10, rng.randrange(10 ** rng.randrange(1, 6)), 0])
        if rng.random() < 0.7:
            a, b = rng.choice([(a, b), (b, a)])
            if rng.random() < 0.2:
                a, b = rng.choice([(a * 10 ** rng.randrange(12), b), (b, 2 ** rng.randrange(60, 110)), (2 ** rng.randrange(30, 110), rng.randrange(20))])
                return self.binary(a, rng.choice(COMPARISONS), b)
            return self.binary(rng.choice([a, a, a, -a]), rng.choice(["+", "+", "+", "-", "-", *COMPARISONS[:4]]), b)
        small = rng.choice([1, 1, 2, 3, 4, 5, 7, 9, rng.randrange(2, 100)])
        if rng.random() < 0.5:
            return self.binary(*rng.choice([(a, "*", small), (small, "*", a)]))
        return self.binary(self.long(5) % 10**12, rng.choice(["//", "%", "%"]), rng.choice([small + 1, 10, 1000, 10**9 + 7, 998244353]))

    def beside_ten(self):
        rng = self.rng
        beside = lambda: rng.choice([0, 0, 1, 1, 2, 7, rng.randrange(20), rng.randrange(100), 50 * rng.randrange(1, 40), 100 * rng.randrange(1, 30), 100 * rng.randrange(1, 20) - 1, rng.randrange(1000)])
        ten = lambda: 10 ** rng.choice([6, 7, 8, 9, 9, 10, 10, 11, 12, 15, 18, 18])
        far = ten()
        near = lambda: rng.choice([1, 1, 1, -1]) * (rng.choice([1, 1, 1, 2, 5, 25, 125, 625, 3125, 15625, rng.randrange(1, 100)]) * rng.choice([far, far, far, ten()]) + rng.choice([1, -1]) * beside())
        a = near()
        b = rng.choice([near(), near(), beside(), beside(), a, -a])
        kind = rng.random()
        if kind < 0.15:
            return self.binary(a, rng.choice(["//", "//", ">>", "%"]), rng.choice([2, 2, 2, 4, 10, 3]) if rng.random() < 0.8 else 1)
        if kind < 0.25:
            return self.binary(*rng.choice([(a, "*", rng.randrange(-3, 20)), (rng.randrange(-3, 20), "*", a)]))
        if kind < 0.32:
            few = [a, b, near(), beside()][: rng.randrange(2, 5)]
            rng.shuffle(few)
            return f"{rng.choice(['min', 'max'])}({', '.join(map(repr, few))})"
        if kind < 0.37:
            return f"x = {a!r}\n    {rng.choice(['-x', '-x', '-x', 'abs(x)', 'str(x)'])}"
        a, b = rng.choice([(a, b), (b, a)])
        return self.binary(a, rng.choice(["+", "+", "+", "-", "-", "-", "<", ">", "<=", ">=", "=="]), b)

    def signed(self):
        rng = self.rng
        most = rng.choice([10, 10, 30, 100, 100, 1000, 3000, 3000])
        a = rng.choice([rng.randrange(-most, most + 1), rng.randrange(-most, most + 1), 100 * rng.randrange(-30, 31)])
        b = rng.choice([rng.randrange(-most, most + 1), rng.randrange(-most, most + 1), a + rng.randrange(-3, 4), a + rng.randrange(-3, 4), 0, 1, -a, -a + rng.randrange(-3, 4), -rng.randrange(1, 10), 50 * rng.randrange(-8, 9), 100 * rng.randrange(-20, 21)])
        operator = rng.choice(["+", "+", "+", "-", "-", "-", "*", "%", "%", "//", *COMPARISONS])
        if rng.random() < 0.1:
            few = [a, b, *(rng.randrange(-most, most + 1) for _ in range(rng.choice([0, 0, 1, 2])))]
            rng.shuffle(few)
            return rng.choice([*(f"{best}({', '.join(map(repr, few))})" for best in ("min", "max")), f"x = {a}\n    -x", f"abs({a})"])
        return self.binary(a, operator, (b or 1) if operator in "//%" else b)

    def everyday(self):
        rng = self.rng
        a = rng.choice([rng.randrange(1000), rng.randrange(100), rng.randrange(1900, 2101), rng.randrange(10000)])
        b = rng.choice([rng.randrange(1000), rng.randrange(100), a + rng.randrange(-30, 31), rng.randrange(10)])
        kind = rng.random()
        if kind < 0.4:
            return self.binary(a, rng.choice("+-"), b)
        if kind < 0.65:
            return self.binary(a, rng.choice(["%", "%", "//"]), rng.choice([2, 3, 4, 5, 7, 9, 10, 11, 12, 60, 100, 400, rng.randrange(1, 40)]))
        if kind < 0.85:
            return self.binary(*rng.choice([(rng.randrange(1, 40), "*", a), (a, "*", rng.randrange(1, 40)), (rng.randrange(2, 10), "*", rng.randrange(10**3, 10**7))]))
        return self.binary(*rng.choice([(rng.randrange(-40, 40), "**", 2), (rng.randrange(2, 13), "**", rng.randrange(3, 7)), (rng.randrange(2, 5), "**", rng.randrange(3, 11)), (-rng.randrange(1, 10), "**", rng.randrange(2, 6))]))

    def bits(self):
        rng = self.rng
        mask = lambda: rng.choice([2 ** rng.randrange(13), 2 ** rng.randrange(1, 13) - 1, rng.randrange(32), rng.randrange(256), 2 ** rng.randrange(20, 33), 1, 3])
        a = rng.choice([mask(), mask() | mask(), rng.randrange(1024), -rng.randrange(1, 66), ~mask()])
        kind = rng.random()
        if kind < 0.25:
            return f"x = {rng.choice([a, rng.randrange(20), 2 ** rng.randrange(20), 10 ** rng.randrange(4) - 1, rng.randrange(10**5)])!r}\n    ~x"
        if kind < 0.4:
            return self.binary(rng.choice([1, abs(a), abs(a)]), rng.choice(["<<", ">>", ">>"]), rng.randrange(8))
        return self.binary(a, rng.choice("&&&|^"), rng.choice([mask(), mask(), -rng.randrange(1, 40)]))

    def complex_numbers(self):
        rng = self.rng
        part = lambda: rng.choice([0, 0, 1, -1, 2, -2, 3, 0.5, 100, -100, rng.randrange(-9, 10)])
        one = lambda: rng.choice([complex(part(), part()), complex(part(), part()), 1j, -1j])
        kind = rng.random()
        if kind < 0.7:
            return self.binary(one(), rng.choice(["+", "-", "*", "*", "/", "==", "+", "-"]), rng.choice([one(), one(), one(), rng.randrange(-3, 5)]))
        return rng.choice([f"abs({one()!r})", f"x = {one()!r}\n    x.{rng.choice(['real', 'imag', 'conjugate()'])}", f"complex({part()}, {part()})", f"x = {[one() for _ in range(4)]!r}\n    x[{rng.randrange(4)}]", f"x = {one()!r}\n    -x"])

    def characters(self):
        rng = self.rng
        some = lambda: rng.choice([string.ascii_lowercase, string.digits, string.ascii_uppercase, string.printable[:95]])
        a, b = rng.choice(some()), rng.choice(some())
        kind = rng.random()
        if kind < 0.5:
            return self.binary(a, rng.choice(COMPARISONS), rng.choice([b, b, a, rng.choice("09azAZ {")]))
        if kind < 0.65:
            shared = "".join(rng.choice("ab1 ") for _ in range(rng.randrange(4)))
            return self.binary(shared + rng.choice([a, a + b, ""]), rng.choice(COMPARISONS), shared + rng.choice([b, b + a, "", a]))
        pool = sorted(rng.sample(some(), rng.randrange(1, 10)) + rng.sample(some(), rng.randrange(1, 6)), key=rng.choice([str, lambda _: rng.random()]))
        x = rng.choice([rng.choice(pool), a, a.swapcase(), rng.choice(pool).swapcase()])
        shown = rng.choice([repr(pool), repr("".join(pool)), "{" + ", ".join(map(repr, dict.fromkeys(pool))) + "}", repr(tuple(pool)), repr({c: i for i, c in enumerate(pool)})])
        return f"x = {shown}\n    {x!r} {rng.choice(['in', 'in', 'in', 'not in'])} x"

    def repeated(self):
        """Texts of few different characters, to be counted rather than read."""
        rng = self.rng
        letter = rng.choice(".#o01*-=abZx QX ")
        count = rng.randrange(1, 21)
        other = rng.choice(".#o01*xQ-")
        text = rng.choice([letter * count, letter * count, letter * (count // 2) + other + letter * (count - count // 2), other * rng.randrange(4) + letter * count, "".join(rng.choice(letter + other) for _ in range(count))])
        at = rng.randrange(-2, count + 2)
        return rng.choice(
            [
                f"x = {letter!r}\n    x * {count}",
                f"x = {count}\n    x * {letter!r}",
                f"len({text!r})",
                f"x = {text!r}\n    x[{at}]",
                f"x = {text!r}\n    x[{at}]",
                f"x = {text!r}\n    x[{rng.choice([f':{at}', f'{at}:', f'{at}:{at + 3}', '1:', ':-1', '::-1', '::2'])}]",
                f"x = {text!r}\n    x + {rng.choice([letter, other, letter * 3])!r}",
                f"x = {letter!r} * 0 + {letter * rng.randrange(12)!r}\n    x += {rng.choice([letter, other, letter * 3])!r}",
                f"'{rng.choice(['', '', '', ' ', ','])}'.join({rng.choice([[letter] * count, list(text), [letter * 3] * rng.randrange(6), [text, text]])!r})",
                f"'{rng.choice(['', ' ', ','])}'.join({[str(rng.randrange(10)) for _ in range(count)]!r})",
                f"{text!r}.{rng.choice(['count', 'find', 'rfind', 'split', 'strip', 'lstrip', 'rstrip', 'index', 'startswith', 'endswith'])}({rng.choice([letter, other, letter * 2])!r})",
                f"{text!r}.replace({rng.choice([letter, other, other + letter, 'xo'])!r}, {rng.choice([other, '', '..', letter * 2])!r})",
                f"{text!r}.{rng.choice(['center', 'ljust', 'rjust'])}({rng.randrange(20)}, {rng.choice(['*', '-', ' ', '.'])!r})",
                f"{text!r}.zfill({rng.randrange(12)})",
                f"{rng.choice(['list', 'set', 'sorted', 'tuple'])}({text!r})",
                f"x = {[letter] * rng.randrange(1, 9)!r}\n    x * {rng.randrange(4)}",
                f"x = {[[letter] * (count // 2 + 1)] * rng.randrange(1, 5)!r}\n    x[0]",
                f"x = [{letter!r}] * {count}\n    x[{rng.randrange(count)}] = {other!r}",
                f"{rng.choice(['/', ' ', '-', ': ', ''])!r}.join([{str(count)!r}, {letter!r}])",
                f"{rng.choice(['{}/{}', '{} {}', '? {}', '{}', '{}: {}', '({}, {})'])!r}.format({count}, {letter!r})",
            ]
        )

    def float(self):
        rng = self.rng
        a, b = rng.randrange(1, 400) / 10, rng.randrange(1, 100) / rng.choice([10, 7, 3, 4])
        return rng.choice([a * b, a + b, a - b, a / b, b**0.5, 0.1 * rng.randrange(1, 90), round(a, 1), round(b, 2), 0.1 + 0.2])

    def long_floats(self):
        rng = self.rng
        xs = [self.float() for _ in range(rng.randrange(1, 6))]
        rows = [[self.float() for _ in range(rng.randrange(1, 5))] for _ in range(rng.randrange(1, 4))]
        a = rng.choice(xs)
        return rng.choice(
            [
                f"x = {xs!r}\n    x[{rng.randrange(-len(xs), len(xs))}]",
                f"x = {xs!r}\n    x[{rng.randrange(-len(xs), len(xs))}] = {self.float()!r}",
                f"x = {rows!r}\n    x[{rng.randrange(len(rows))}]",
                f"x = {xs!r}\n    x.{rng.choice(['append', 'count', 'index', 'remove'])}({rng.choice([a, self.float()])!r})",
                f"{rng.choice(['sorted', 'min', 'max', 'tuple', 'list', 'len'])}({xs!r})",
                f"{rng.choice(['str', 'abs', 'int', 'float', 'repr'])}({a!r})",
                f"round({a!r}, {rng.randrange(5)})",
                self.binary(*rng.choice([(a, "+", rng.randrange(3)), (rng.randrange(3), "+", a), (a, "-", rng.randrange(3)), (rng.randrange(3), "-", a), (1, "-", self.float() / 40), (a, "*", rng.choice([1, 2, -1, 0, 10])), (a, "/", rng.choice([1, 2, 10]))])),
                self.binary(a, rng.choice(COMPARISONS), rng.choice([self.float(), a, rng.randrange(20)])),
            ]
        )

    def found(self):
        """What is looked for in many numbers, in order or not."""
        rng = self.rng
        most = rng.choice([20, 40, 60, 200])
        pool = sorted(rng.sample(range(most), rng.randrange(1, min(most, 40))))
        if rng.random() < 0.3:
            rng.shuffle(pool)
        x = rng.choice([rng.choice(pool), rng.randrange(most), rng.choice(pool) + 1])
        shown = rng.choice(["{" + ", ".join(map(str, pool)) + "}", repr(pool), repr({key: rng.randrange(9) for key in pool[:20]}), repr([(a, a % 3) for a in pool[:15]])])
        return f"x = {shown}\n    {(x, x % 3) if '(' in shown else x} {rng.choice(['in', 'in', 'not in'])} x"

    def sets(self):
        rng = self.rng
        some = rng.sample(range(rng.choice([5, 7, 9, 40])), 5)
        if rng.random() < 0.2:
            some = [rng.choice([chr(97 + key), (key, key + 1)]) for key in some]
        a, b = ({key for key in some if rng.random() < 0.6} or {some[0]} for _ in range(2))
        operator = rng.choice(["&", "|", "-", "^", "<", ">", "<=", ">=", "<", ">", "<=", ">=", "==", "&=", "|=", "-=", "^="])
        return f"x = {a!r}\n    x {operator} {rng.choice([a, b, b, a | b, a & b or b])!r}"

    def ties(self):
        rng = self.rng
        few = [rng.randrange(rng.choice([2, 4, 12])) for _ in range(rng.randrange(1, 10))]
        rows = [rng.choice([[rng.randrange(4) for _ in range(3)], (rng.randrange(-9, 10), rng.randrange(-9, 10))]) for _ in range(rng.randrange(1, 8))]
        rows = [row for row in rows if type(row) is type(rows[0])]
        a, b = (set(rng.sample(range(9), rng.randrange(6))) or {4} for _ in range(2))
        reverse = rng.choice([", reverse=True", "", ""])
        return rng.choice(
            [
                f"x = {rows!r}\n    sorted(x, key=lambda row: {rng.choice(['row[0]', 'row[1]', '5', '-row[0]', 'sum(row)'])}{reverse})",
                f"sorted({rows!r}{reverse})",
                f"x = {rows!r}\n    x.sort()",
                f"sorted({few!r}{reverse})",
                f"x = {few!r}\n    sorted(x, key=lambda i: {rng.choice(['-i', 'i % 2', '0', 'i % 3', 'abs(i - 3)'])}{reverse})",
                f"set({few!r})",
                f"set({list(map(str, few))!r})",
                f"set({{{', '.join(f'{key!r}: 1' for key in dict.fromkeys(map(rng.choice([str, int, lambda i: 'abcdefghijkl'[i]]), few)))}}}.keys())",
                f"len({set(few)!r})",
                f"from collections import Counter\n    Counter({rng.choice([few, list(map(str, few))])!r})",
                f"from collections import Counter\n    sorted(Counter({list(map(str, few))!r}).values(){reverse})",
                f"from collections import Counter\n    x = Counter({list(map(str, few))!r})\n    x[{str(rng.randrange(12))!r}]",
                self.sets(),
                self.sets(),
                f"set({list(rng.sample(range(64), rng.randrange(2, 9)))!r})",
                f"x = {[0] * rng.randrange(4, 16)!r}\n    x[{rng.randrange(9)}:{rng.randrange(9)}] = {few!r}",
                f"x = range({rng.randrange(4)}, {rng.randrange(12)}{rng.choice(['', ', 2', ', -1'])})\n    x{rng.choice(['[::-1]', '[1:]', '[-1]', '[0]', '[:2]'])}",
                f"list(range({rng.randrange(4)}, {rng.randrange(12)}{rng.choice(['', ', 2', ', 3'])}))",
                f"bool({rng.choice([few, [0], [], [[]], '', '0', ' ', {}, {0: 0}, (), (0,), 0, 0.0, 1, None])!r})",
                f"x = {{{', '.join(f'{str(key)!r}: []' for key in dict.fromkeys(few))}}}\n    del x[{str(rng.choice(few))!r}]",
                f"x = {{{', '.join(f'{50 * key - 100}: {key}' for key in dict.fromkeys(few))}}}\n    x.get({50 * rng.randrange(-3, 5)}, 0)",
            ]
        )

    def grids(self):
        """Rows that look alike: which one is it?"""
        rng = self.rng
        letters = rng.choice([".#", "01", "ox", "XO.", "ab", "-+*", "RGB", "SWE#."])
        width = rng.randrange(1, 12)
        few = ["".join(rng.choice(letters[0] * 3 + letters) for _ in range(width)) for _ in range(rng.randrange(1, 4))] + [letters[0] * width]
        rows = [rng.choice(few) for _ in range(rng.randrange(1, 11))]
        if rng.random() < 0.25:
            rows = rows[: rng.randrange(1, 5)]
            rows = [list(row[:6]) for row in rows]
        at = rng.choice([rng.randrange(len(rows)), rng.randrange(len(rows)), -1, -len(rows), len(rows) - 1])
        other = list(letters[:width]) if isinstance(rows[0], list) else rng.choice(few)
        return rng.choice(
            [
                *[f"x = {rows!r}\n    x[{at}]"] * 5,
                f"x = {rows!r}\n    x[{at}] = {other!r}",
                f"x = {rows!r}\n    x[{rng.choice([f'{at}:', f':{at}', '1:', ':-1', '::-1', f'{at}:{at + 2}'])}]",
                f"x = {rows[:4]!r}\n    x.{rng.choice(['append', 'count', 'index', 'remove'])}({other!r})",
                f"x = {rows[:5]!r}\n    {other!r} in x",
                f"x = {tuple(rows)!r}\n    x[{at}]",
                f"len({rows!r})",
            ]
        )

    def tens_in_lists(self):
        """Numbers beside powers of ten in containers, and those that are far longer than what they meet."""
        rng = self.rng
        ten = lambda: rng.choice([1, 1, 1, 1, 2, 5, -1]) * 10 ** rng.choice([5, 6, 7, 8, 9, 9, 10, 12, 15, 18]) + rng.choice([0, 0, 0, 0, 1, 7, -1])
        one = ten()
        row = [rng.choice([one, one, ten(), rng.randrange(100)]) for _ in range(rng.randrange(1, 8))]
        at = rng.randrange(-len(row), len(row))
        long = self.long(18) * 10 ** rng.randrange(14)
        return rng.choice(
            [
                f"x = {[one]!r}\n    x * {rng.randrange(1, 12)}",
                f"x = {rng.randrange(1, 12)}\n    x * {[rng.choice([0, 1, -1, None, True, False, '', one])]!r}",
                f"x = {row!r}\n    x[{at}]",
                f"x = {row!r}\n    x[{at}] = {rng.choice([ten(), rng.randrange(1000), rng.choice(row)])!r}",
                *[f"{rng.choice(['min', 'max'])}({rng.choice([one, rng.choice(row)])!r}, {rng.choice([one + rng.choice([1, -1, 10, -10, 50]), ten(), rng.randrange(1000), 2 * one])!r})"] * 3,
                f"{rng.choice(['min', 'max', 'sorted', 'sum', 'len'])}({row[:4]!r})",
                self.binary(*rng.choice([(long, rng.choice(COMPARISONS), rng.randrange(-3, 20)), (rng.randrange(-3, 20), rng.choice(COMPARISONS), long)])),
                self.binary(one, rng.choice(["<", "<=", ">", ">=", "==", "-"]), rng.choice([one // 2 - 10, one // 2, 5 * one // 10 + rng.randrange(-20, 20), one * 10, one // 10])),
                self.binary(*rng.choice([(1e50, "-", rng.randrange(1000)), (float("inf"), rng.choice("+-*"), rng.randrange(1, 9)), (float("inf"), rng.choice(COMPARISONS), rng.randrange(1000)), (rng.randrange(1000), rng.choice(COMPARISONS), 1e50)])) if rng.random() < 0.5 else f"x = {row!r}\n    {rng.choice(row)!r} in x",
            ]
        ).replace("= inf", "= float('inf')")

    def products(self):
        """Products as of factorials, fields of a grid and money, and the quotients and rests that follow them."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.2:
            start = rng.randrange(1, 1000) if rng.random() < 0.4 else 1
            product = start
            for factor in range(start + 1, start + rng.randrange(2, 22)):
                if len(str(product)) < LONGEST:
                    product *= factor
            factor = rng.choice([start + rng.randrange(2, 25), rng.randrange(2, 60)])
            return self.binary(*rng.choice([(product, "*", factor), (product, "*", factor), (factor, "*", product), (product, "//", factor), (product, "%", factor)]))
        if kind < 0.35:
            a = rng.choice([rng.randrange(10, 100), rng.randrange(100, 1000), rng.randrange(1000, 3000), rng.randrange(100, 10**5)])
            b = rng.choice([a, a + 1, a - 1, a + rng.randrange(-12, 13), rng.randrange(10, 1000), 10 * rng.randrange(1, 60), 25 * rng.randrange(1, 20)])
            return self.binary(a, rng.choice("***-"), b) if rng.random() < 0.8 else self.binary(a * b, rng.choice(["//", "%", "/"]), rng.choice([a, b or 1, 2, 10]))
        if kind < 0.55:
            modulus = rng.choice([rng.randrange(2, 60), rng.randrange(60, 1000), 360, 365, 400, 60, 128, 1000, 2019, 2047, 3600, 10**4, 998244353, 10**9 + 7, 10**9 + 9, 10**6 - 1])
            a = rng.choice([modulus + rng.randrange(100), modulus - 1, 2 * modulus + rng.randrange(modulus), rng.randrange(2 * modulus), rng.randrange(10 ** rng.randrange(1, 8)), modulus * rng.randrange(20) + rng.randrange(-3, 4)])
            return self.binary(rng.choice([a, a, a, a, -a]), rng.choice(["%", "%", "%", "//"]), modulus)
        ten = lambda: 10 ** rng.choice([1, 2, 3, 5, 6, 7, 8, 9, 9, 10])
        if kind < 0.7:
            a, b = rng.choice([1, 5, 12, 24, 25, 75, 125, 625, rng.randrange(1, 100), rng.randrange(1, 1000)]), rng.choice([1, 2, 5, 11, 16, 17, rng.randrange(1, 100)])
            return self.binary(a * ten(), rng.choice(["*", "*", "*", "//", "/", "%"]), b * rng.choice([1, ten()]))
        small = lambda: rng.choice([0.1, 0.2, 0.25, 0.3, 0.5, 0.125, 0.01, 0.05, 0.7, 1.5, 2.5, 4.5, 1.25, 3.75, rng.randrange(1, 100) / 10, rng.randrange(1, 1000) / 100])
        if kind < 0.85:
            a = rng.choice([small(), float(rng.randrange(1, 200)), rng.randrange(1, 200), 3.141592653589793 * rng.choice([1, 2, 4, 0.5, 10]), round(rng.random() * 100, rng.randrange(1, 6))])
            return self.binary(*rng.choice([(a, "*", small()), (small(), "*", a), (a, "*", rng.choice([2, 3, 10, 100, -1, 0.5, 60, 1000])), (a, "/", rng.choice([2, 2.0, 4, 10, 5, 100, 1.5, 2.5])), (a, "+", small()), (a, "-", small())]))
        a, b = rng.choice([1, 1, 10, 100, rng.randrange(1, 200), rng.randrange(1, 10**4)]), rng.choice([3, 6, 7, 9, 11, 12, 25, 60, 90, 255, rng.randrange(2, 100), rng.randrange(2, 13)])
        return self.binary(rng.choice([a, a, float(a), -a, a * b]), "/", rng.choice([b, b, float(b)]))

    def operation(self):
        makers = {
            self.long_integers: 15,
            self.beside_ten: 18,
            self.signed: 16,
            self.everyday: 12,
            self.bits: 8,
            self.complex_numbers: 2,
            self.characters: 8,
            self.repeated: 13,
            self.long_floats: 7,
            self.found: 4,
            self.ties: 12,
            self.grids: 8,
            self.tens_in_lists: 9,
            self.products: 24,
        }
        return self.rng.choices(list(makers), makers.values())[0]()


def main():
    if any(not argument.isdigit() for argument in sys.argv[1:]) or len(sys.argv) > 3:
        sys.exit(__doc__)
    numbers = [int(a) for a in sys.argv[1:]]
    count, seed = numbers + [20_000, 0][len(numbers) :]
    maker = Corners(seed)
    for number in range(count):
        operations = "\n".join(f"try:\n    {maker.operation()}\nexcept Exception:\n    pass" for _ in range(OPERATIONS))
        print(json.dumps({"id": str(number), "code": operations + "\n"}))


if __name__ == "__main__":
    main()
