# `difflib`: matching blocks by Ratcliff and Obershelp. `Differ` and HTML are not walked.
# Level: methods

import collections


_Match = collections.namedtuple("Match", "a b size")


class SequenceMatcher:
    def __init__(self, isjunk=None, a="", b="", autojunk=True):
        self.isjunk = isjunk
        self.autojunk = autojunk
        self.a = self.b = None
        self.set_seqs(a, b)

    def set_seqs(self, a, b):
        self.set_seq1(a)
        self.set_seq2(b)

    def set_seq1(self, a):
        if a is not self.a:
            self.a = a
            self.matching_blocks = self.opcodes = None

    def set_seq2(self, b):
        if b is self.b:
            return
        self.b = b
        self.matching_blocks = self.opcodes = None
        self._counts = None
        places = {}
        for at, item in enumerate(b):
            places.setdefault(item, []).append(at)
        self.bjunk = set()
        self.bpopular = set()
        if self.isjunk:
            for item in [*places]:
                if self.isjunk(item):
                    self.bjunk.add(item)
                    del places[item]
        size = len(b)
        if self.autojunk and size >= 200:
            for item in [*places]:
                if len(places[item]) > size // 100 + 1:
                    self.bpopular.add(item)
                    del places[item]
        self.b2j = places

    def find_longest_match(self, alo=0, ahi=None, blo=0, bhi=None):
        a = self.a
        b = self.b
        ahi = len(a) if ahi is None else ahi
        bhi = len(b) if bhi is None else bhi
        at_a = alo
        at_b = blo
        size = 0
        # Lengths of the matches that end at an item of `b` and the previous item of `a`.
        ends = {}
        for i in range(alo, ahi):
            now = {}
            for j in self.b2j.get(a[i], ()):
                if j < blo:
                    continue
                if j >= bhi:
                    break
                now[j] = k = ends.get(j - 1, 0) + 1
                if k > size:
                    at_a = i - k + 1
                    at_b = j - k + 1
                    size = k
            ends = now
        # Equal items beside the match: first the ones that are not junk, then junk.
        for junk in (False, True):
            while at_a > alo and at_b > blo and (b[at_b - 1] in self.bjunk) is junk and a[at_a - 1] == b[at_b - 1]:
                at_a -= 1
                at_b -= 1
                size += 1
            while at_a + size < ahi and at_b + size < bhi and (b[at_b + size] in self.bjunk) is junk and a[at_a + size] == b[at_b + size]:
                size += 1
        return _Match(at_a, at_b, size)

    def get_matching_blocks(self):
        if self.matching_blocks is not None:
            return self.matching_blocks
        found = []
        waiting = [(0, len(self.a), 0, len(self.b))]
        while waiting:
            alo, ahi, blo, bhi = waiting.pop()
            match = self.find_longest_match(alo, ahi, blo, bhi)
            if match.size:
                found.append((match.a, match.b, match.size))
                if alo < match.a and blo < match.b:
                    waiting.append((alo, match.a, blo, match.b))
                if match.a + match.size < ahi and match.b + match.size < bhi:
                    waiting.append((match.a + match.size, ahi, match.b + match.size, bhi))
        found.sort()
        blocks = []
        for a, b, size in found:
            if blocks and blocks[-1][0] + blocks[-1][2] == a and blocks[-1][1] + blocks[-1][2] == b:
                a, b, size = blocks[-1][0], blocks[-1][1], blocks[-1][2] + size
                blocks.pop()
            blocks.append((a, b, size))
        blocks.append((len(self.a), len(self.b), 0))
        self.matching_blocks = [_Match(*block) for block in blocks]
        return self.matching_blocks

    def get_opcodes(self):
        if self.opcodes is not None:
            return self.opcodes
        i = j = 0
        self.opcodes = codes = []
        for a, b, size in self.get_matching_blocks():
            if i < a or j < b:
                tag = "replace" if i < a and j < b else "delete" if i < a else "insert"
                codes.append((tag, i, a, j, b))
            i = a + size
            j = b + size
            if size:
                codes.append(("equal", a, i, b, j))
        return codes

    def get_grouped_opcodes(self, n=3):
        codes = [*self.get_opcodes()] or [("equal", 0, 1, 0, 1)]
        tag, a, after_a, b, after_b = codes[0]
        if tag == "equal":
            codes[0] = (tag, max(a, after_a - n), after_a, max(b, after_b - n), after_b)
        tag, a, after_a, b, after_b = codes[-1]
        if tag == "equal":
            codes[-1] = (tag, a, min(after_a, a + n), b, min(after_b, b + n))
        group = []
        for tag, a, after_a, b, after_b in codes:
            if tag == "equal" and after_a - a > 2 * n:
                group.append((tag, a, min(after_a, a + n), b, min(after_b, b + n)))
                yield group
                group = []
                a = max(a, after_a - n)
                b = max(b, after_b - n)
            group.append((tag, a, after_a, b, after_b))
        if group and not (len(group) == 1 and group[0][0] == "equal"):
            yield group

    def ratio(self):
        matches = 0
        for _, _, size in self.get_matching_blocks():
            matches += size
        return self._ratio(matches)

    def _ratio(self, matches):
        size = len(self.a) + len(self.b)
        return 2.0 * matches / size if size else 1.0

    def quick_ratio(self):
        if self._counts is None:
            self._counts = {}
            for item in self.b:
                self._counts[item] = self._counts.get(item, 0) + 1
        left = {}
        matches = 0
        for item in self.a:
            many = left[item] if item in left else self._counts.get(item, 0)
            left[item] = many - 1
            if many > 0:
                matches += 1
        return self._ratio(matches)

    def real_quick_ratio(self):
        return self._ratio(min(len(self.a), len(self.b)))


def get_close_matches(word, possibilities, n=3, cutoff=0.6):
    if not n > 0:
        raise ValueError("n must be > 0: " + _repr(n))
    if not 0.0 <= cutoff <= 1.0:
        raise ValueError("cutoff must be in [0.0, 1.0]: " + _repr(cutoff))
    matcher = SequenceMatcher()
    matcher.set_seq2(word)
    found = []
    for x in possibilities:
        matcher.set_seq1(x)
        if matcher.real_quick_ratio() >= cutoff and matcher.quick_ratio() >= cutoff and matcher.ratio() >= cutoff:
            found.append((matcher.ratio(), x))
    return [x for _, x in sorted(found, reverse=True)[:n]]


def _diff_range(start, stop):
    size = stop - start
    if size == 1:
        return _str(start + 1)
    return _str(start + 1 if size else start) + "," + _str(size)


def unified_diff(a, b, fromfile="", tofile="", fromfiledate="", tofiledate="", n=3, lineterm="\n"):
    started = False
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
        if not started:
            started = True
            for sign, file, date in (("--- ", fromfile, fromfiledate), ("+++ ", tofile, tofiledate)):
                yield sign + file + ("\t" + date if date else "") + lineterm
        old = _diff_range(group[0][1], group[-1][2])
        new = _diff_range(group[0][3], group[-1][4])
        yield "@@ -" + old + " +" + new + " @@" + lineterm
        for tag, start, stop, other, after in group:
            if tag == "equal":
                for line in a[start:stop]:
                    yield " " + line
                continue
            if tag != "insert":
                for line in a[start:stop]:
                    yield "-" + line
            if tag != "delete":
                for line in b[other:after]:
                    yield "+" + line
