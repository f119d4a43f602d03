# Errors of `configparser`, and interpolation of values.
# Level: methods

DEFAULTSECT = "DEFAULT"
MAX_INTERPOLATION_DEPTH = 10


class Error(Exception):
    def __init__(self, msg="", *args):
        self.message = msg
        Exception.__init__(self, msg)
        if args:
            self.args = args

    def __repr__(self):
        return self.message

    __str__ = __repr__


class NoSectionError(Error):
    def __init__(self, section):
        Error.__init__(self, f"No section: {section!r}", section)
        self.section = section


def _place(source, lineno, kind):
    if source is None:
        return kind[0].upper() + kind[1:] + " "
    line = "" if lineno is None else f" [line {lineno:2d}]"
    return f"While reading from {source!r}{line}: {kind} "


class DuplicateSectionError(Error):
    def __init__(self, section, source=None, lineno=None):
        words = _place(source, lineno, "section") + f"{section!r} already exists"
        Error.__init__(self, words, section, source, lineno)
        self.section, self.source, self.lineno = section, source, lineno


class DuplicateOptionError(Error):
    def __init__(self, section, option, source=None, lineno=None):
        words = _place(source, lineno, "option") + f"{option!r} in section {section!r} already exists"
        Error.__init__(self, words, section, option, source, lineno)
        self.section, self.option, self.source, self.lineno = section, option, source, lineno


class NoOptionError(Error):
    def __init__(self, option, section):
        Error.__init__(self, f"No option {option!r} in section: {section!r}", option, section)
        self.option, self.section = option, section


class InterpolationError(Error):
    def __init__(self, option, section, msg):
        Error.__init__(self, msg, option, section, msg)
        self.option, self.section = option, section


class InterpolationMissingOptionError(InterpolationError):
    def __init__(self, option, section, rawval, reference):
        words = (
            f"Bad value substitution: option {option!r} in section {section!r} contains an interpolation key "
            f"{reference!r} which is not a valid option name. Raw value: {rawval!r}"
        )
        InterpolationError.__init__(self, option, section, words)
        self.reference = reference
        self.args = (option, section, rawval, reference)


class InterpolationSyntaxError(InterpolationError):
    pass


class InterpolationDepthError(InterpolationError):
    def __init__(self, option, section, rawval):
        words = (
            f"Recursion limit exceeded in value substitution: option {option!r} in section {section!r} contains an "
            f"interpolation key which cannot be substituted in 10 steps. Raw value: {rawval!r}"
        )
        InterpolationError.__init__(self, option, section, words)
        self.args = (option, section, rawval)


class ParsingError(Error):
    def __init__(self, source):
        Error.__init__(self, f"Source contains parsing errors: {source!r}", source)
        self.source = source
        self.errors = []

    def append(self, lineno, line):
        _push(self.errors, (lineno, line))
        self.message += f"\n\t[line {lineno:2d}]: {line}"


class MissingSectionHeaderError(ParsingError):
    def __init__(self, filename, lineno, line):
        words = f"File contains no section headers.\nfile: {filename!r}, line: {lineno}\n{line!r}"
        Error.__init__(self, words, filename, lineno, line)
        self.source, self.lineno, self.line = filename, lineno, line


class Interpolation:
    def before_get(self, parser, section, option, value, defaults):
        return value

    def before_set(self, parser, section, option, value):
        return value

    def before_read(self, parser, section, option, value):
        return value

    def before_write(self, parser, section, option, value):
        return value


class _Filling(Interpolation):
    """What both kinds of references share: a mark, doubled where it stands for itself, and a reference behind it."""

    def before_get(self, parser, section, option, value, defaults):
        parts = []
        self._fill(parser, option, parts, value, section, defaults, 1)
        return "".join(parts)

    def _fill(self, parser, option, parts, rest, section, values, depth):
        mark = self._mark
        raw = parser.get(section, option, raw=True, fallback=rest)
        if depth > MAX_INTERPOLATION_DEPTH:
            raise InterpolationDepthError(option, section, raw)
        while rest:
            plain, found, behind = rest.partition(mark)
            if plain:
                _push(parts, plain)
            if not found:
                return
            rest = mark + behind
            c = rest[1:2]
            if c == mark:
                _push(parts, mark)
                rest = rest[2:]
            elif c == self._open:
                end = rest.find(self._close)
                if end < 3 or self._close[0] in rest[2:end]:
                    words = f"bad interpolation variable reference {rest!r}"
                    raise InterpolationSyntaxError(option, section, words)
                reference = rest[2:end]
                rest = rest[end + _len(self._close) :]
                value, name, where, among = self._found(parser, option, section, values, reference, raw, rest)
                if mark in value:
                    self._fill(parser, name, parts, value, where, among(), depth + 1)
                else:
                    _push(parts, value)
            else:
                words = f"'{mark}' must be followed by '{mark}' or '{self._open}', found: {rest!r}"
                raise InterpolationSyntaxError(option, section, words)


class BasicInterpolation(_Filling):
    """`%(name)s`"""

    _mark, _open, _close = "%", "(", ")s"

    def before_set(self, parser, section, option, value):
        left = value.replace("%%", "")
        i = 0
        while i < _len(left):
            if left[i] == "%":
                end = left.find(")s", i)
                if left[i : i + 2] != "%(" or end <= i + 2:
                    place = left.find("%")
                    raise ValueError(f"invalid interpolation syntax in {value!r} at position {place}")
                i = end + 1
            i += 1
        return value

    def _found(self, parser, option, section, values, reference, raw, rest):
        name = parser.optionxform(reference)
        if name not in values:
            raise InterpolationMissingOptionError(option, section, raw, name) from None
        return values[name], option, section, lambda: values


class ExtendedInterpolation(_Filling):
    """`${name}` and `${section:name}`"""

    _mark, _open, _close = "$", "{", "}"

    def before_set(self, parser, section, option, value):
        left = value.replace("$$", "")
        if "$" in left and "${" not in left:
            place = left.find("$")
            raise ValueError(f"invalid interpolation syntax in {value!r} at position {place}")
        return value

    def _found(self, parser, option, section, values, reference, raw, rest):
        path = reference.split(":")
        if _len(path) > 2:
            words = f"More than one ':' found: {rest!r}"
            raise InterpolationSyntaxError(option, section, words)
        where = path[0] if _len(path) == 2 else section
        name = parser.optionxform(path[-1])
        try:
            value = values[name] if _len(path) == 1 else parser.get(where, name, raw=True)
        except (KeyError, NoSectionError, NoOptionError):
            raise InterpolationMissingOptionError(option, section, raw, reference) from None
        return value, name, where, lambda: dict(parser.items(where, raw=True))
