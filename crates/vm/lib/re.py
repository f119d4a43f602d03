# Regular expressions if methods are folded: `_re_find` finds the matches of a pattern.
# Level: methods


class RegexFlag:
    def __init__(self, value, name="?"):
        if name == "?":
            for flag in _FLAGS:
                if flag.value == value:
                    name = flag.name
        self.value = value
        self.name = name

    def __or__(self, other):
        return RegexFlag(self.value | _flags(other), "?")

    __ror__ = __or__

    def __and__(self, other):
        return RegexFlag(self.value & _flags(other), "?")

    def __eq__(self, other):
        return self.value == _flags(other)

    def __hash__(self):
        return hash(self.value)

    def __bool__(self):
        return self.value != 0

    def __int__(self):
        return self.value

    __index__ = __int__

    def __xor__(self, other):
        return RegexFlag(self.value ^ _flags(other), "?")

    __rxor__ = __xor__
    __rand__ = __and__

    def __invert__(self):
        return RegexFlag(511 ^ self.value, "?")

    def __lt__(self, other):
        return self.value < _flags(other)

    def __contains__(self, other):
        return _flags(other) & self.value == _flags(other)

    def __repr__(self):
        if self.name != "?":
            return "re." + self.name
        left, names = self.value, []
        for flag in (A, I, L, U, M, S, X):
            if left & flag.value:
                _push(names, "re." + flag.name)
                left -= flag.value
        if left != 0 or _len(names) == 0:
            _throw("the text of flags of re")
        return "|".join(names)

    __str__ = __repr__

_FLAGS = []
NOFLAG = RegexFlag(0, "NOFLAG")
I = IGNORECASE = RegexFlag(2, "IGNORECASE")
L = LOCALE = RegexFlag(4, "LOCALE")
M = MULTILINE = RegexFlag(8, "MULTILINE")
S = DOTALL = RegexFlag(16, "DOTALL")
U = UNICODE = RegexFlag(32, "UNICODE")
X = VERBOSE = RegexFlag(64, "VERBOSE")
A = ASCII = RegexFlag(256, "ASCII")
_FLAGS = [NOFLAG, I, L, M, S, U, X, A]


class error(Exception):
    def __init__(self, msg, pattern=None, pos=None):
        self.msg = msg
        self.pattern = pattern
        self.pos = pos
        if pattern is None or pos is None:
            self.lineno = self.colno = None
        else:
            text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
            before = text[:pos]
            self.lineno = before.count("\n") + 1
            self.colno = pos - before.rfind("\n")
            msg = msg + f" at position {pos}"
            if "\n" in text:
                msg = msg + f" (line {self.lineno}, column {self.colno})"
        Exception.__init__(self, msg)


def _flags(flags):
    if isinstance(flags, bool):
        return 1 if flags else 0
    return flags.value if isinstance(flags, RegexFlag) else flags


def _re_text(string, is_bytes):
    # Bytes are matched as the characters with the same numbers.
    if isinstance(string, str):
        if is_bytes:
            raise TypeError("cannot use a bytes pattern on a string-like object")
        return string if _classof(string) is str else str.__str__(string)
    if isinstance(string, (bytes, bytearray)):
        if not is_bytes:
            raise TypeError("cannot use a string pattern on a bytes-like object")
        return string.decode("latin-1")
    if isinstance(string, memoryview):
        _throw("a pattern of bytes in a memoryview")
    raise TypeError("expected string or bytes-like object, got '" + _classof(string).__name__ + "'")


class Match:
    def __init__(self, pattern, string, pos, endpos, spans, last):
        self.re = pattern
        self.string = string
        self.pos = pos
        self.endpos = endpos
        self.lastindex = last
        self._spans = spans

    def _number(self, group):
        if isinstance(group, str):
            if group in self.re.groupindex:
                return self.re.groupindex[group]
        else:
            group = _as_index(group)
            if isinstance(group, int) and 0 <= group <= self.re.groups:
                return group
        raise IndexError("no such group")

    def _of(self, number, default):
        span = self._spans[number]
        if span is None:
            return default
        found = self.string[span[0] : span[1]]
        return bytes(found) if isinstance(found, bytearray) else found

    def group(self, *groups):
        if _len(groups) == 0:
            return self._of(0, None)
        if _len(groups) == 1:
            return self._of(self._number(groups[0]), None)
        return _tuple([self._of(self._number(group), None) for group in groups])

    def __getitem__(self, group):
        return self._of(self._number(group), None)

    def groups(self, default=None):
        return _tuple([self._of(number, default) for number in _range(1, self.re.groups + 1)])

    def groupdict(self, default=None):
        return {name: self._of(number, default) for name, number in self.re.groupindex.items()}

    def span(self, group=0, /):
        span = self._spans[self._number(group)]
        return (-1, -1) if span is None else span

    def start(self, group=0, /):
        return self.span(group)[0]

    def end(self, group=0, /):
        return self.span(group)[1]

    @property
    def lastgroup(self):
        for name, number in self.re.groupindex.items():
            if number == self.lastindex:
                return name
        return None

    @property
    def regs(self):
        return _tuple([self.span(number) for number in _range(self.re.groups + 1)])

    def expand(self, template):
        return _expand(self, template)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        text = _repr(self.group())
        return "<re.Match object; span=" + _repr(self.span()) + ", match=" + text[:50] + ">"


def _escaped(c):
    for escape, meant in (("n", "\n"), ("t", "\t"), ("r", "\r"), ("f", "\f"), ("v", "\v"), ("a", "\a"), ("b", "\b")):
        if c == escape:
            return meant
    return None


def _group_text(match, number):
    found = match._of(number, "")
    return found if isinstance(found, str) else found.decode("latin-1")


def _expand(match, template):
    if isinstance(template, bytes):
        return _expand(match, template.decode("latin-1")).encode("latin-1")
    if "\\" not in template:
        return template
    out = ""
    at = 0
    while at < _len(template):
        c = template[at]
        after = template[at + 1 : at + 2]
        if c != "\\":
            out += c
            at += 1
        elif after == "\\":
            out += "\\"
            at += 2
        elif after == "g" and template[at + 2 : at + 3] == "<":
            end = at + 3
            while end < _len(template) and template[end] != ">":
                end += 1
            name = template[at + 3 : end]
            group = int(name) if "0" <= name[:1] <= "9" else name
            if isinstance(group, str) and group not in match.re.groupindex:
                raise IndexError("unknown group name " + _repr(group))
            out += _group_text(match, match._number(group))
            at = end + 1
        elif "1" <= after <= "9":
            end = at + 2
            if "0" <= template[end : end + 1] <= "9":
                end += 1
            number = int(template[at + 1 : end])
            if number > match.re.groups:
                _throw("a group that the pattern lacks")
            out += _group_text(match, number)
            at = end
        elif _escaped(after) is not None:
            out += _escaped(after)
            at += 2
        elif "a" <= after <= "z" or "A" <= after <= "Z" or after == "0" or after == "":
            _throw("an escape of a template of re")
        else:
            out += c + after
            at += 2
    return out


class Pattern:
    def __init__(self, pattern, text, flags, groups, names):
        self.pattern = pattern
        self._text = text
        self._is_bytes = not isinstance(pattern, str)
        self.groups = groups
        self.groupindex = {name: number for name, number in names}
        self._given = flags

    @property
    def flags(self):
        if self._text[:2] == "(?":
            _throw("the flags of a pattern that sets some")
        return self._given if self._is_bytes else self._given | 32

    def _find(self, string, pos, endpos, place):
        text = _re_text(string, self._is_bytes)
        if endpos is not None and endpos < _len(text):
            text = text[: endpos if endpos > 0 else 0]
        pos = 0 if pos < 0 else pos
        if pos > _len(text):
            return None
        found = _re_find(self._text, self._given | 256 if self._is_bytes else self._given, text, pos, place)
        if found is None:
            return None
        return Match(self, string, pos, _len(text), found[0], found[1])

    def search(self, string, pos=0, endpos=None):
        return self._find(string, pos, endpos, "search")

    def match(self, string, pos=0, endpos=None):
        return self._find(string, pos, endpos, "match")

    def fullmatch(self, string, pos=0, endpos=None):
        return self._find(string, pos, endpos, "fullmatch")

    def _each(self, string, pos=0, endpos=None):
        matches = []
        match = self._find(string, pos, endpos, "search")
        while match is not None:
            _push(matches, match)
            start, end = match.span()
            match = self._find(string, end, endpos, "next" if start == end else "search")
        return matches

    def finditer(self, string, pos=0, endpos=None):
        return _callable_iterator(iter(self._each(string, pos, endpos)).__next__, None)

    def findall(self, string, pos=0, endpos=None):
        matches = self._each(string, pos, endpos)
        if self.groups == 0:
            return [match.group() for match in matches]
        if self.groups == 1:
            return [match._of(1, self._empty()) for match in matches]
        return [match.groups(self._empty()) for match in matches]

    def _empty(self):
        return b"" if self._is_bytes else ""

    def split(self, string, maxsplit=0):
        maxsplit = _whole(maxsplit)
        parts = []
        at = 0
        for match in self._each(string) if maxsplit >= 0 else []:
            start, end = match.span()
            _push(parts, string[at:start])
            for group in match.groups():
                _push(parts, group)
            at = end
            maxsplit -= 1
            if maxsplit == 0:
                break
        _push(parts, string[at:])
        return parts

    def subn(self, repl, string, count=0):
        count = _whole(count)
        out = self._empty()
        at = 0
        done = 0
        for match in self._each(string):
            if count > 0 and done == count:
                break
            start, end = match.span()
            out += string[at:start]
            new = _expand(match, repl) if isinstance(repl, (str, bytes)) else repl(match)
            out += self._empty() if new is None else new
            at = end
            done += 1
        return out + string[at:], done

    def sub(self, repl, string, count=0):
        return self.subn(repl, string, count)[0]

    def __eq__(self, other):
        return (
            isinstance(other, Pattern) and self.pattern == other.pattern and self._given | 32 == other._given | 32
        )

    def __hash__(self):
        return _ask("hash", ((self.pattern, self._given | 32),), {})

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        flags = ""
        for bit, name in ((2, "IGNORECASE"), (8, "MULTILINE"), (16, "DOTALL"), (64, "VERBOSE")):
            if self._given & bit:
                flags += ("|" if flags else ", ") + "re." + name
        return "re.compile(" + _repr(self.pattern) + flags + ")"


def compile(pattern, flags=0):
    if isinstance(pattern, Pattern):
        if _flags(flags) != 0:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    if not isinstance(pattern, (str, bytes)):
        hash(pattern)
        raise TypeError("first argument must be string or compiled pattern")
    text, bits = pattern, _flags(flags)
    hash(bits)
    if isinstance(pattern, bytes):
        text = pattern.decode("latin-1")
        if bits & 32:
            raise ValueError("cannot use UNICODE flag with a bytes pattern")
        if bits & 2 and not text.isascii():
            _throw("a pattern of bytes beyond ASCII that ignores case")
        found = _re_compile(text, bits | 256)
    else:
        found = _re_compile(text, bits)
    if isinstance(found[0], str):
        raise error(found[0], pattern, found[1])
    return Pattern(pattern, text, bits, found[0], found[1])


def search(pattern, string, flags=0):
    return compile(pattern, flags).search(string)


def match(pattern, string, flags=0):
    return compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return compile(pattern, flags).fullmatch(string)


def findall(pattern, string, flags=0):
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return compile(pattern, flags).finditer(string)


def split(pattern, string, maxsplit=0, flags=0):
    return compile(pattern, flags).split(string, maxsplit)


def sub(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).subn(repl, string, count)


def escape(pattern):
    if isinstance(pattern, bytes):
        return escape(pattern.decode("latin-1")).encode("latin-1")
    out = ""
    for c in pattern:
        out += "\\" + c if c in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f" else c
    return out


def purge():
    pass
