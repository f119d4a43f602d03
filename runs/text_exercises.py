#!/usr/bin/env python3
"""Programs that call methods of longer texts and of containers of words, as JSON Lines for `codexec data plan --no-fold`:
copying many words is what a small network gets wrong most often once arithmetic is folded.

    runs/text_exercises.py [COUNT] [SEED] [SHARE] > text.jsonl      20,000 programs of ten calls each without COUNT

SHARE (0) of the calls are of `Maker.everyday`: dicts of containers, Counters, deques, sets, sentences with punctuation,
regular expressions and JSON.
"""

import json
import random
import sys

CALLS = 10
IMPORTS = "import json\nimport re\nfrom collections import Counter, deque\n"
WORDS = """the a an and or not in is of to for from with by at on it this that he she we they you i cat dog fox bird fish tree house
river stone light night day sun moon star green red blue black white quick slow lazy brown old new big small long short good bad
first last next one two three four five six seven eight nine ten apple banana cherry orange lemon grape bread milk tea coffee
water fire earth wind north south east west left right up down jump run walk swim fly eat drink read write open close start stop
error warning info debug value name key item list index count total price user id type data file path line word text number
python code test hello world foo bar baz spam eggs alice bob carol dave eve ann tom max true false none null yes no""".split()
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SEPARATORS = [" ", ",", ", ", ";", ":", "-", "|", "/", "=", "_", ".", "  ", "\t", " - ", "->"]


class Maker:
    def __init__(self, seed, everyday_share):
        self.rng = random.Random(seed)
        self.everyday_share = everyday_share

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

    def sentence(self):
        """Words with capitals and punctuation, as people write them."""
        rng = self.rng
        text = " ".join(word + rng.choice(["", "", "", ",", ";", "-" + rng.choice(WORDS)]) for word in self.words(2, 8))
        return text[:1].upper() + text[1:] + rng.choice([".", "!", "?", ""])

    def graph(self):
        """A dict of lists, sets or dicts, some of them equal to each other."""
        rng = self.rng
        nodes = rng.sample([*"abcdefgh"] if rng.random() < 0.6 else list(range(9)), rng.randrange(1, 6))
        kind = rng.randrange(4)
        if kind == 0:
            return {node: rng.sample(nodes, rng.randrange(len(nodes) + 1)) for node in nodes}
        if kind == 1:
            return {node: [(rng.choice(nodes), rng.randrange(10)) for _ in range(rng.randrange(4))] for node in nodes}
        if kind == 2:
            return {node: {rng.choice(WORDS): rng.randrange(10) for _ in range(rng.randrange(3))} for node in nodes}
        return {rng.choice(WORDS): self.items(0, 3) for _ in nodes}

    def everyday(self):
        rng = self.rng
        graph, text, xs, ys = self.graph(), self.sentence(), self.items(1, 8), self.items(0, 6)
        key = rng.choice([*graph, *graph, rng.choice("abcdefgh"), rng.choice(WORDS)])
        small = [rng.choice(WORDS[:30]) for _ in range(rng.randrange(1, 10))] if rng.random() < 0.5 else list(rng.choice(WORDS) + rng.choice(WORDS))
        x, n, fill = rng.choice([*xs, self.word()]), rng.randrange(1, 4), rng.choice("*-=. 0_")
        pattern = rng.choice([r"\w+", r"\d+", r"[a-z]+", r"[A-Z]\w*", r"\s+", r"[^a-z]+", r"\b\w", r"(\w)(\w*)", r"[aeiou]", r"-?\d+"])
        table = self.table()
        pairs = list(zip(self.words(1, 6), self.items(1, 6)))
        data = rng.choice([table, graph, xs, pairs, {"name": self.word(), "id": n, "tags": self.words(0, 3), "ok": rng.choice([True, None])}])
        return rng.choice([
            lambda: f"{graph!r}.setdefault({key!r}, {rng.choice(['[]', '[]', 'set()', '{}'])})",
            lambda: f"{graph!r}.get({key!r}{rng.choice(['', ', []', ', {}', ', 0', ', ()'])})",
            lambda: f"{graph!r}.pop({key!r}{rng.choice(['', ', None', ', []'])})",
            lambda: f"{graph!r}.{rng.choice(['items', 'keys', 'values', 'copy', 'popitem'])}()",
            lambda: f"list({rng.choice([graph, table])!r}{rng.choice(['', '.items()', '.values()', '.keys()'])})",
            lambda: f"Counter({small!r}).most_common({rng.choice(['', '1', '2', '3'])})",
            lambda: f"Counter({small!r}).{rng.choice(['items', 'values', 'total', 'elements', 'keys'])}()",
            lambda: f"Counter({small!r}).{rng.choice(['update', 'subtract'])}({small[:n]!r})",
            lambda: f"deque({xs!r}).{rng.choice(['popleft()', 'pop()', f'append({x!r})', f'appendleft({x!r})', f'rotate({n})', 'rotate(-1)', f'extend({ys!r})'])}",
            lambda: f"{set(xs)!r}.{rng.choice(['union', 'intersection', 'difference', 'symmetric_difference', 'issubset', 'isdisjoint', 'update'])}({ys!r})",
            lambda: f"{set(xs)!r}.{rng.choice(['add', 'discard', 'remove'])}({x!r})",
            lambda: f"{rng.choice([x if isinstance(x, str) else str(x), text])!r}.{rng.choice(['center', 'ljust', 'rjust'])}({rng.randrange(4, 34)}, {fill!r})",
            lambda: f"{text!r}.split()", lambda: f"{text!r}.{rng.choice(['lower', 'upper', 'title', 'swapcase', 'casefold', 'capitalize'])}()",
            lambda: f"{text!r}.strip({rng.choice(['.', '!?.', '.,!'])!r})",
            lambda: f"{text!r}.replace({rng.choice([' ', ',', '-', text[:1], rng.choice(WORDS)])!r}, {rng.choice(['', '_', ' '])!r})",
            lambda: f"{text!r}.{rng.choice(['removeprefix', 'removesuffix', 'startswith', 'endswith'])}({rng.choice([text[:n], text[-n:], text.split()[0]])!r})",
            lambda: f"{(text + chr(10) + self.sentence())!r}.{rng.choice(['splitlines()', 'split()', 'split(chr(10))', 'count(chr(10))'])}",
            lambda: f"{rng.choice(WORDS)!r}.{rng.choice(['isidentifier', 'isalpha', 'isupper', 'islower', 'isnumeric', 'isdecimal', 'isascii'])}()",
            lambda: f"re.{rng.choice(['findall', 'findall', 'split'])}({pattern!r}, {text!r})",
            lambda: f"re.sub({pattern!r}, {rng.choice(['', '_', '<>', ' '])!r}, {text!r})",
            lambda: f"json.dumps({data!r}{rng.choice(['', ', sort_keys=True', ', indent=2'])})",
            lambda: f"json.loads({json.dumps(data)!r})",
            lambda: f"dict({pairs!r})", lambda: f"dict(zip({[p[0] for p in pairs]!r}, {[p[1] for p in pairs]!r}))",
            lambda: f"list(zip({xs!r}, {ys!r}))", lambda: f"list(enumerate({xs!r}{rng.choice(['', ', 1'])}))", lambda: f"list(reversed({xs!r}))",
            lambda: f"dict.fromkeys({small!r}{rng.choice(['', ', 0', ', []'])})", lambda: f"list(dict.fromkeys({small!r}))",
            lambda: f"''.join({rng.choice([small, list(text), sorted(set(text))])!r})", lambda: f"{fill!r}.join(map(str, {xs!r}))",
            lambda: f"list({rng.choice([text, rng.choice(WORDS)])!r})", lambda: f"''.join(reversed({text!r}))", lambda: f"ord({rng.choice(text)!r})",
            lambda: f"{xs!r}.{rng.choice(['append', 'remove', 'index', 'count'])}({x!r})", lambda: f"{xs!r}.insert({n - 1}, {x!r})",
            lambda: f"{pairs!r}.append({(x, n)!r})", lambda: f"{pairs!r}.pop({rng.choice(['', '0', '-1'])})",
        ])()

    def call(self):
        rng = self.rng
        if rng.random() < self.everyday_share:
            return self.everyday()
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
    count, seed, share = ([float(a) for a in sys.argv[1:]] + [20_000, 0, 0][len(sys.argv) - 1 :])[:3]
    maker = Maker(int(seed), share)
    for number in range(int(count)):
        calls = "\n".join(f"try:\n    {maker.call()}\nexcept Exception:\n    pass" for _ in range(CALLS))
        print(json.dumps({"id": str(number), "code": IMPORTS + calls + "\n"}))


if __name__ == "__main__":
    main()
