#!/usr/bin/env python3
"""Programs that call methods of longer texts and of containers of words, as JSON Lines for `codexec data plan --no-fold`:
copying many words is what a small network gets wrong most often once arithmetic is folded.

    runs/text_exercises.py [COUNT] [SEED] > text.jsonl      20,000 programs of ten calls each without COUNT
"""

import json
import random
import sys

CALLS = 10
WORDS = """the a an and or not in is of to for from with by at on it this that he she we they you i cat dog fox bird fish tree house
river stone light night day sun moon star green red blue black white quick slow lazy brown old new big small long short good bad
first last next one two three four five six seven eight nine ten apple banana cherry orange lemon grape bread milk tea coffee
water fire earth wind north south east west left right up down jump run walk swim fly eat drink read write open close start stop
error warning info debug value name key item list index count total price user id type data file path line word text number
python code test hello world foo bar baz spam eggs alice bob carol dave eve ann tom max true false none null yes no""".split()
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SEPARATORS = [" ", ",", ", ", ";", ":", "-", "|", "/", "=", "_", ".", "  ", "\t", " - ", "->"]


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def word(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.6:
            word = rng.choice(WORDS)
        elif kind < 0.8:
            word = "".join(rng.choice(LETTERS) for _ in range(rng.randrange(1, 8)))
        elif kind < 0.93:
            return str(rng.randrange(10 ** rng.randrange(1, 6)))
        else:
            return "".join(rng.choice(LETTERS + LETTERS.upper() + "0123456789#@!?*") for _ in range(rng.randrange(1, 6)))
        return rng.choice([word, word, word, word, word.capitalize(), word.upper()])

    def words(self, least, most):
        return [self.word() for _ in range(self.rng.randrange(least, most + 1))]

    def items(self, least, most):
        if self.rng.random() < 0.6:
            return self.words(least, most)
        return [self.rng.randrange(-9, 10 ** self.rng.randrange(1, 5)) for _ in range(self.rng.randrange(least, most + 1))]

    def table(self):
        keys = list(dict.fromkeys(self.items(2, 7)))
        return {key: self.rng.choice([self.rng.randrange(100), self.word(), self.items(0, 3)]) for key in keys}

    def call(self):
        rng = self.rng
        sep = rng.choice(SEPARATORS)
        parts = self.words(2, 13)
        line = sep.join(parts)
        sentence = " ".join(self.words(2, 8))
        some = rng.choice(parts + [self.word()])
        xs = self.items(2, 11)
        x = rng.choice(xs + [self.word()])
        table = self.table()
        key = rng.choice([*table, self.word()])
        bare = rng.choice([" ".join(parts), " ".join(map(str, self.items(2, 13)))])
        pad = rng.choice([" ", "  ", "\t", "\n", "-", "*", "0", "xy", "()"])
        n = rng.randrange(3)
        choices = [
            lambda: f"{bare!r}.split()", lambda: f"{bare!r}.split()", lambda: f"{bare!r}.split()",
            lambda: f"{line!r}.split({sep!r})", lambda: f"{line!r}.split({sep!r})",
            lambda: f"{line!r}.split({sep!r}, {n})", lambda: f"{line!r}.rsplit({sep!r}, {n})",
            lambda: f"{sep!r}.join({parts!r})", lambda: f"{sep!r}.join({parts!r})",
            lambda: f"{line!r}.{rng.choice(['partition', 'rpartition'])}({sep!r})",
            lambda: f"{(pad + sentence + pad * n)!r}.{rng.choice(['strip', 'lstrip', 'rstrip'])}({'' if pad.isspace() else repr(pad)})",
            lambda: f"{sentence!r}.{rng.choice(['upper', 'lower', 'title', 'capitalize', 'swapcase'])}()",
            lambda: f"{sentence!r}.replace({rng.choice([some, ' ', rng.choice(sentence)])!r}, {rng.choice(['', '-', self.word()])!r})",
            lambda: f"{sentence!r}.{rng.choice(['find', 'index', 'count', 'rfind'])}({rng.choice([some, rng.choice(sentence)])!r})",
            lambda: f"{sentence!r}.{rng.choice(['startswith', 'endswith'])}({rng.choice([some, sentence[:3], sentence[-3:]])!r})",
            lambda: f"{some!r}.{rng.choice(['isdigit', 'isalpha', 'isalnum', 'isupper', 'islower', 'isspace', 'istitle'])}()",
            lambda: f"{chr(10).join([' '.join(self.words(1, 3)) for _ in range(n + 1)])!r}.splitlines()",
            lambda: f"{some!r}.{rng.choice(['zfill', 'center', 'ljust', 'rjust'])}({rng.randrange(3, 14)})",
            lambda: f"{rng.choice(['{} {}', '{}: {}', '{}={}', '({}, {})', '{1} {0}', '{0}-{1}-{0}'])!r}.format({x!r}, {some!r})",
            lambda: f"{rng.choice(['%s %s', '%s: %s', '%s=%r'])!r} % ({x!r}, {some!r})",
            lambda: f"format({round(rng.uniform(-99, 999), rng.randrange(6))}, {rng.choice(['.1f', '.2f', '.3f', '6.1f', '.0f'])!r})",
            lambda: f"format({rng.randrange(-99, 10**6)}, {rng.choice(['d', '5d', '05d', ',', 'b', 'x'])!r})",
            lambda: f"int({str(rng.randrange(-999, 10 ** rng.randrange(1, 12)))!r})", lambda: f"float({str(round(rng.uniform(-99, 999), 3))!r})",
            lambda: f"{xs!r}.append({x!r})", lambda: f"{xs!r}.extend({self.items(1, 4)!r})", lambda: f"{xs!r}.insert({rng.randrange(4)}, {x!r})",
            lambda: f"{xs!r}.pop({rng.choice(['', '0', '-1', '1'])})", lambda: f"{xs!r}.remove({x!r})", lambda: f"{xs!r}.index({x!r})",
            lambda: f"{xs!r}.count({x!r})", lambda: f"{xs!r}.reverse()", lambda: f"{xs!r}.copy()",
            lambda: f"{table!r}.get({key!r}, {n})", lambda: f"{table!r}.pop({key!r}, None)", lambda: f"{table!r}.setdefault({key!r}, [])",
            lambda: f"{table!r}.update({self.table()!r})", lambda: f"{{{', '.join(map(repr, parts[:5]))}}}.{rng.choice(['add', 'discard'])}({some!r})",
        ]
        return rng.choice(choices)()


def main():
    count, seed = ([int(a) for a in sys.argv[1:]] + [20_000, 0][len(sys.argv) - 1 :])[:2]
    maker = Maker(seed)
    for number in range(count):
        calls = "\n".join(f"try:\n    {maker.call()}\nexcept Exception:\n    pass" for _ in range(CALLS))
        print(json.dumps({"id": str(number), "code": calls + "\n"}))


if __name__ == "__main__":
    main()
