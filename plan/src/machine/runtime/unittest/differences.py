# `unittest`: differences of values in messages of failures, as CPython's `pprint` and `difflib` give them.

_ut_WIDTH = 80
_ut_DIFF_LIMIT = 1000000
_ut_DIFF_LIMIT_IN_TESTS = 40000
_ut_ADDRESS = " object at 0x7f0123456789>"


# -- values on lines


class _ut_Sort:
    """A key for values of all kinds."""

    def __init__(self, value, state):
        self.value = value
        self.state = state

    def __lt__(self, other):
        try:
            return self.value < other.value
        except TypeError:
            first = _str(_classof(self.value))
            second = _str(_classof(other.value))
            if first != second:
                return first < second
            if _own(self.value) and not _ut_shows_address(self.value):
                _throw("an order of objects by their addresses")
            self.state[0] = True
            return False


def _ut_plain_text(x, state):
    """`repr(x)`; what stands for one with an address has its length."""
    text = _ut_repr(x)
    if _ut_is_unknown(text):
        state[0] = True
        return "<" + _ut_class_name(_classof(x)) + _ut_ADDRESS
    return text


def _ut_ordered(x, state):
    """Items of a dict, or of a set."""
    if isinstance(x, dict):
        return sorted(x.items(), key=lambda pair: _ut_Sort(pair[0], state))
    return sorted(x, key=lambda item: _ut_Sort(item, state))


def _ut_line(x, state, outer):
    """A value on one line."""
    kind = _classof(x)
    if kind is not dict and kind is not list and kind is not tuple:
        return _ut_plain_text(x, state)
    if _len(x) == 0:
        return _repr(x)
    if _log_is_in(x, outer):
        _throw("the text of a container that holds itself")
    outer = [*outer, x]
    parts = []
    if kind is dict:
        for key, value in _ut_ordered(x, state):
            first = _ut_line(key, state, outer)
            parts.append(first + ": " + _ut_line(value, state, outer))
        return "{" + ", ".join(parts) + "}"
    for item in x:
        parts.append(_ut_line(item, state, outer))
    inner = ", ".join(parts)
    if kind is list:
        return "[" + inner + "]"
    return "(" + inner + (",)" if _len(parts) == 1 else ")")


def _ut_layout(x, indent, allowance, level, state, outer):
    text = _ut_line(x, state, outer)
    if _len(text) <= _ut_WIDTH - indent - allowance:
        return text
    kind = _classof(x)
    if (kind is str or kind is set or kind is frozenset) and _len(x) == 0:
        return text
    inside = [*outer, x]
    if kind is list:
        return "[" + _ut_items(x, indent, allowance + 1, level + 1, state, inside) + "]"
    if kind is tuple:
        end = ",)" if _len(x) == 1 else ")"
        return "(" + _ut_items(x, indent, allowance + _len(end), level + 1, state, inside) + end
    if kind is dict:
        return "{" + _ut_pairs(_ut_ordered(x, state), indent, allowance + 1, level + 1, state, inside) + "}"
    if kind is set:
        return "{" + _ut_items(_ut_ordered(x, state), indent, allowance + 1, level + 1, state, inside) + "}"
    if kind is frozenset:
        return "frozenset({" + _ut_items(_ut_ordered(x, state), indent + 10, allowance + 2, level + 1, state, inside) + "})"
    if kind is str:
        return _ut_long_text(x, indent, allowance, level + 1)
    if _ut_shows_address(x):
        return text
    items = _ut_dataclass_items(x)
    if items is not None:
        name = kind.__name__
        return name + "(" + _ut_fields(items, indent + _len(name) + 1, allowance, level + 1, state, inside) + ")"
    if not _own(x) and isinstance(x, (int, float, complex)):
        return text
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return text
    if _own(x) and not isinstance(x, (tuple, list, dict, set, frozenset, str, bytes)) and not hasattr(x, "data") and not hasattr(x, "maps"):
        return text
    if _own(x):
        _throw("a difference of objects in long containers of a rarer kind")
    state[0] = True
    return text


def _ut_items(items, indent, allowance, level, state, outer):
    parts = []
    n = _len(items)
    for i, item in enumerate(items):
        parts.append(_ut_layout(item, indent + 1, allowance if i == n - 1 else 1, level, state, outer))
    return (",\n" + " " * (indent + 1)).join(parts)


def _ut_pairs(pairs, indent, allowance, level, state, outer):
    parts = []
    n = _len(pairs)
    for i, pair in enumerate(pairs):
        key = _ut_line(pair[0], state, outer)
        value = _ut_layout(pair[1], indent + 1 + _len(key) + 2, allowance if i == n - 1 else 1, level, state, outer)
        parts.append(key + ": " + value)
    return (",\n" + " " * (indent + 1)).join(parts)


def _ut_fields(items, indent, allowance, level, state, outer):
    parts = []
    n = _len(items)
    for i, pair in enumerate(items):
        if _log_is_in(pair[1], outer):
            value = "..."
        else:
            value = _ut_layout(pair[1], indent + _len(pair[0]) + 1, allowance if i == n - 1 else 1, level, state, outer)
        parts.append(pair[0] + "=" + value)
    return (",\n" + " " * indent).join(parts)


def _ut_words(line):
    """Words, each with the space after it."""
    words = []
    word = ""
    spaced = False
    for c in line:
        space = c.isspace()
        if spaced and not space:
            words.append(word)
            word = ""
        word += c
        spaced = space
    words.append(word)
    return words


def _ut_long_text(text, indent, allowance, level):
    lines = text.splitlines(True)
    if level == 1:
        indent += 1
        allowance += 1
    room = _ut_WIDTH - indent
    chunks = []
    for i, line in enumerate(lines):
        ending = i == _len(lines) - 1
        whole = _repr(line)
        if _len(whole) <= (room - allowance if ending else room):
            chunks.append(whole)
            continue
        words = _ut_words(line)
        current = ""
        for j, word in enumerate(words):
            most = room - allowance if ending and j == _len(words) - 1 else room
            if _len(_repr(current + word)) > most:
                if current:
                    chunks.append(_repr(current))
                current = word
            else:
                current = current + word
        if current:
            chunks.append(_repr(current))
    if _len(chunks) == 1:
        return _repr(lines[-1])
    body = ("\n" + " " * indent).join(chunks)
    return "(" + body + ")" if level == 1 else body


def _ut_pretty(x):
    """The lines of a value, None where they are not known."""
    state = [False]
    text = _ut_layout(x, 0, 0, 0, state, [])
    return None if state[0] else text.splitlines()


# -- differences of lines


class _ut_Match:
    """Blocks that two sequences have in common."""

    def __init__(self, junk, b):
        self.b = b
        self.places = {}
        for i, x in enumerate(b):
            if x in self.places:
                self.places[x].append(i)
            else:
                self.places[x] = [i]
        self.junk = [x for x in self.places if x in junk]
        for x in self.junk:
            del self.places[x]
        n = _len(b)
        if n >= 200:
            for x in [x for x in self.places if _len(self.places[x]) > n // 100 + 1]:
                del self.places[x]
        self.counts = None

    def longest(self, a, alo, ahi, blo, bhi):
        b = self.b
        i0 = alo
        j0 = blo
        size = 0
        lengths = {}
        i = alo
        while i < ahi:
            here = {}
            for j in self.places.get(a[i], ()):
                if j < blo:
                    continue
                if j >= bhi:
                    break
                k = lengths.get(j - 1, 0) + 1
                here[j] = k
                if k > size:
                    i0 = i - k + 1
                    j0 = j - k + 1
                    size = k
            lengths = here
            i += 1
        for junk in (False, True):
            while i0 > alo and j0 > blo and (b[j0 - 1] in self.junk) is junk and a[i0 - 1] == b[j0 - 1]:
                i0 -= 1
                j0 -= 1
                size += 1
            while i0 + size < ahi and j0 + size < bhi and (b[j0 + size] in self.junk) is junk and a[i0 + size] == b[j0 + size]:
                size += 1
        return i0, j0, size

    def blocks(self, a):
        waiting = [(0, _len(a), 0, _len(self.b))]
        found = []
        while _len(waiting) != 0:
            alo, ahi, blo, bhi = waiting.pop()
            i, j, k = self.longest(a, alo, ahi, blo, bhi)
            if k != 0:
                found.append((i, j, k))
                if alo < i and blo < j:
                    waiting.append((alo, i, blo, j))
                if i + k < ahi and j + k < bhi:
                    waiting.append((i + k, ahi, j + k, bhi))
        found = sorted(found)
        whole = []
        for i, j, k in found:
            if _len(whole) != 0 and whole[-1][0] + whole[-1][2] == i and whole[-1][1] + whole[-1][2] == j:
                whole[-1] = (whole[-1][0], whole[-1][1], whole[-1][2] + k)
            else:
                whole.append((i, j, k))
        whole.append((_len(a), _len(self.b), 0))
        return whole

    def steps(self, a):
        i = 0
        j = 0
        steps = []
        for ai, bj, size in self.blocks(a):
            if i < ai and j < bj:
                steps.append(("replace", i, ai, j, bj))
            elif i < ai:
                steps.append(("delete", i, ai, j, bj))
            elif j < bj:
                steps.append(("insert", i, ai, j, bj))
            i = ai + size
            j = bj + size
            if size != 0:
                steps.append(("equal", ai, i, bj, j))
        return steps

    def ratio(self, a, least):
        """How alike a sequence is; 0.0 where it is not above `least`."""
        n = _len(a)
        m = _len(self.b)
        if n + m == 0:
            return 1.0
        if 2.0 * (n if n < m else m) / (n + m) <= least:
            return 0.0
        if self.counts is None:
            self.counts = {}
            for x in self.b:
                self.counts[x] = self.counts.get(x, 0) + 1
        left = {}
        known = 0
        for x in a:
            many = left[x] if x in left else self.counts.get(x, 0)
            left[x] = many - 1
            if many > 0:
                known += 1
        if 2.0 * known / (n + m) <= least:
            return 0.0
        known = 0
        for block in self.blocks(a):
            known += block[2]
        return 2.0 * known / (n + m)


def _ut_marked(out, sign, lines, lo, hi):
    while lo < hi:
        out.append(sign + " " + lines[lo])
        lo += 1


def _ut_compare(out, a, alo, ahi, b, blo, bhi):
    """What became of lines that all changed."""
    if alo >= ahi or blo >= bhi:
        _ut_marked(out, "-", a, alo, ahi)
        _ut_marked(out, "+", b, blo, bhi)
        return
    best = 0.74
    at = None
    same = None
    j = blo
    while j < bhi:
        match = _ut_Match(" \t", b[j])
        i = alo
        while i < ahi:
            if a[i] == b[j]:
                if same is None:
                    same = (i, j)
            else:
                ratio = match.ratio(a[i], best)
                if ratio > best:
                    best = ratio
                    at = (i, j)
            i += 1
        j += 1
    if best < 0.75:
        if same is None:
            if bhi - blo < ahi - alo:
                _ut_marked(out, "+", b, blo, bhi)
                _ut_marked(out, "-", a, alo, ahi)
            else:
                _ut_marked(out, "-", a, alo, ahi)
                _ut_marked(out, "+", b, blo, bhi)
            return
        at = same
    else:
        same = None
    i, j = at
    _ut_compare(out, a, alo, i, b, blo, j)
    if same is None:
        first = ""
        second = ""
        for tag, i1, i2, j1, j2 in _ut_Match(" \t", b[j]).steps(a[i]):
            sign = "^" if tag == "replace" else " "
            first += ("-" if tag == "delete" else sign) * (i2 - i1)
            second += ("+" if tag == "insert" else sign) * (j2 - j1)
        _ut_hints(out, "- ", a[i], first)
        _ut_hints(out, "+ ", b[j], second)
    else:
        out.append("  " + a[i])
    _ut_compare(out, a, i + 1, ahi, b, j + 1, bhi)


def _ut_hints(out, sign, line, marks):
    out.append(sign + line)
    text = ""
    for i, c in enumerate(line):
        if i < _len(marks):
            text += c if marks[i] == " " and c.isspace() else marks[i]
    text = text.rstrip()
    if text:
        out.append("? " + text + "\n")


def _ut_difference(a, b, test):
    """Lines of the difference of lines; None where there are too many. Of a test that runs, the runner keeps what nobody reads."""
    n = 0
    m = 0
    for line in a:
        n += _len(line)
    for line in b:
        m += _len(line)
    if n * m > (_ut_DIFF_LIMIT if test._outcome is None else _ut_DIFF_LIMIT_IN_TESTS) or _len(a) > 300 or _len(b) > 300:
        return None
    out = []
    for tag, alo, ahi, blo, bhi in _ut_Match((), b).steps(a):
        if tag == "equal":
            _ut_marked(out, " ", a, alo, ahi)
        else:
            _ut_compare(out, a, alo, ahi, b, blo, bhi)
    return out


def _ut_difference_text(first, second, test):
    """The difference of two values, as `assertEqual` shows it."""
    a = _ut_pretty(first)
    b = _ut_pretty(second)
    if a is None or b is None:
        return _ut_unknown_text()
    lines = _ut_difference(a, b, test)
    return _ut_unknown_text() if lines is None else "\n" + "\n".join(lines)
