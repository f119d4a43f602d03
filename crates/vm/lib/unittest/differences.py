# `unittest`: differences of values in failure messages, as by CPython's `pprint` and `difflib`.
# Level: methods

import difflib
import logging


_WIDTH = 80
_DIFF_LIMIT = 1000000
_DIFF_LIMIT_IN_TESTS = 40000
_ADDRESS = " object at 0x7f0123456789>"


# -- values on lines


class _Sort:
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
            if _own(self.value) and not _shows_address(self.value):
                _throw("an order of objects by their addresses")
            self.state[0] = True
            return False


def _plain_text(x, state):
    """`repr(x)`; what stands for one with an address has its length."""
    text = _ut_repr(x)
    if _is_unknown(text):
        state[0] = True
        return "<" + _class_name(_classof(x)) + _ADDRESS
    return text


def _ordered(x, state):
    """Items of a dict, or of a set."""
    if isinstance(x, dict):
        return sorted(x.items(), key=lambda pair: _Sort(pair[0], state))
    return sorted(x, key=lambda item: _Sort(item, state))


def _line(x, state, outer):
    """A value on one line."""
    kind = _classof(x)
    if kind is not dict and kind is not list and kind is not tuple:
        return _plain_text(x, state)
    if _len(x) == 0:
        return _repr(x)
    if logging._is_in(x, outer):
        _throw("the text of a container that holds itself")
    outer = [*outer, x]
    parts = []
    if kind is dict:
        for key, value in _ordered(x, state):
            first = _line(key, state, outer)
            parts.append(first + ": " + _line(value, state, outer))
        return "{" + ", ".join(parts) + "}"
    for item in x:
        parts.append(_line(item, state, outer))
    inner = ", ".join(parts)
    if kind is list:
        return "[" + inner + "]"
    return "(" + inner + (",)" if _len(parts) == 1 else ")")


def _layout(x, indent, allowance, level, state, outer):
    text = _line(x, state, outer)
    if _len(text) <= _WIDTH - indent - allowance:
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
        return "{" + _pairs(_ordered(x, state), indent, allowance + 1, level + 1, state, inside) + "}"
    if kind is set:
        return "{" + _ut_items(_ordered(x, state), indent, allowance + 1, level + 1, state, inside) + "}"
    if kind is frozenset:
        return "frozenset({" + _ut_items(_ordered(x, state), indent + 10, allowance + 2, level + 1, state, inside) + "})"
    if kind is str:
        return _long_text(x, indent, allowance, level + 1)
    if _shows_address(x):
        return text
    items = _dataclass_items(x)
    if items is not None:
        name = kind.__name__
        return name + "(" + _fields(items, indent + _len(name) + 1, allowance, level + 1, state, inside) + ")"
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
        parts.append(_layout(item, indent + 1, allowance if i == n - 1 else 1, level, state, outer))
    return (",\n" + " " * (indent + 1)).join(parts)


def _pairs(pairs, indent, allowance, level, state, outer):
    parts = []
    n = _len(pairs)
    for i, pair in enumerate(pairs):
        key = _line(pair[0], state, outer)
        value = _layout(pair[1], indent + 1 + _len(key) + 2, allowance if i == n - 1 else 1, level, state, outer)
        parts.append(key + ": " + value)
    return (",\n" + " " * (indent + 1)).join(parts)


def _fields(items, indent, allowance, level, state, outer):
    parts = []
    n = _len(items)
    for i, pair in enumerate(items):
        if logging._is_in(pair[1], outer):
            value = "..."
        else:
            value = _layout(pair[1], indent + _len(pair[0]) + 1, allowance if i == n - 1 else 1, level, state, outer)
        parts.append(pair[0] + "=" + value)
    return (",\n" + " " * indent).join(parts)


def _words(line):
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


def _long_text(text, indent, allowance, level):
    lines = text.splitlines(True)
    if level == 1:
        indent += 1
        allowance += 1
    room = _WIDTH - indent
    chunks = []
    for i, line in enumerate(lines):
        ending = i == _len(lines) - 1
        whole = _repr(line)
        if _len(whole) <= (room - allowance if ending else room):
            chunks.append(whole)
            continue
        words = _words(line)
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


def _pretty(x):
    """The lines of a value, None where they are not known."""
    state = [False]
    text = _layout(x, 0, 0, 0, state, [])
    return None if state[0] else text.splitlines()


# -- differences of lines


def _is_space(c):
    return c in " \t"


def _marked(out, sign, lines, lo, hi):
    while lo < hi:
        out.append(sign + " " + lines[lo])
        lo += 1


def _ut_compare(out, a, alo, ahi, b, blo, bhi):
    """What became of lines that all changed."""
    if alo >= ahi or blo >= bhi:
        _marked(out, "-", a, alo, ahi)
        _marked(out, "+", b, blo, bhi)
        return
    best = 0.74
    at = None
    same = None
    j = blo
    while j < bhi:
        match = difflib.SequenceMatcher(_is_space, "", b[j])
        i = alo
        while i < ahi:
            if a[i] == b[j]:
                if same is None:
                    same = (i, j)
            else:
                match.set_seq1(a[i])
                if match.real_quick_ratio() > best and match.quick_ratio() > best and match.ratio() > best:
                    best = match.ratio()
                    at = (i, j)
            i += 1
        j += 1
    if best < 0.75:
        if same is None:
            if bhi - blo < ahi - alo:
                _marked(out, "+", b, blo, bhi)
                _marked(out, "-", a, alo, ahi)
            else:
                _marked(out, "-", a, alo, ahi)
                _marked(out, "+", b, blo, bhi)
            return
        at = same
    else:
        same = None
    i, j = at
    _ut_compare(out, a, alo, i, b, blo, j)
    if same is None:
        first = ""
        second = ""
        for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(_is_space, a[i], b[j]).get_opcodes():
            sign = "^" if tag == "replace" else " "
            first += ("-" if tag == "delete" else sign) * (i2 - i1)
            second += ("+" if tag == "insert" else sign) * (j2 - j1)
        _hints(out, "- ", a[i], first)
        _hints(out, "+ ", b[j], second)
    else:
        out.append("  " + a[i])
    _ut_compare(out, a, i + 1, ahi, b, j + 1, bhi)


def _hints(out, sign, line, marks):
    out.append(sign + line)
    text = ""
    for i, c in enumerate(line):
        if i < _len(marks):
            text += c if marks[i] == " " and c.isspace() else marks[i]
    text = text.rstrip()
    if text:
        out.append("? " + text + "\n")


def _difference(a, b, test):
    """Lines of the difference of lines; None where there are too many. Of a test that runs, the runner keeps what nobody reads."""
    n = 0
    m = 0
    for line in a:
        n += _len(line)
    for line in b:
        m += _len(line)
    if n * m > (_DIFF_LIMIT if test._outcome is None else _DIFF_LIMIT_IN_TESTS) or _len(a) > 300 or _len(b) > 300:
        return None
    out = []
    for tag, alo, ahi, blo, bhi in difflib.SequenceMatcher(None, a, b).get_opcodes():
        if tag == "equal":
            _marked(out, " ", a, alo, ahi)
        else:
            _ut_compare(out, a, alo, ahi, b, blo, bhi)
    return out


def _difference_text(first, second, test):
    """The difference of two values, as `assertEqual` shows it."""
    a = _pretty(first)
    b = _pretty(second)
    if a is None or b is None:
        return _unknown_text()
    lines = _difference(a, b, test)
    return _unknown_text() if lines is None else "\n" + "\n".join(lines)
