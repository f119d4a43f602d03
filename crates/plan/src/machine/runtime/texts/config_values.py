# Errors of `configparser`, and how values refer to other values.

configparser__DEFAULTSECT = "DEFAULT"
configparser__MAX_INTERPOLATION_DEPTH = 10


class configparser__Error(Exception):
    __module__ = "configparser"

    def __init__(self, msg="", *args):
        self.message = msg
        Exception.__init__(self, msg)
        if args:
            self.args = args

    def __repr__(self):
        return self.message

    __str__ = __repr__


class configparser__NoSectionError(configparser__Error):
    def __init__(self, section):
        configparser__Error.__init__(self, f"No section: {section!r}", section)
        self.section = section


def _config_place(source, lineno, kind):
    if source is None:
        return kind[0].upper() + kind[1:] + " "
    line = "" if lineno is None else f" [line {lineno:2d}]"
    return f"While reading from {source!r}{line}: {kind} "


class configparser__DuplicateSectionError(configparser__Error):
    def __init__(self, section, source=None, lineno=None):
        words = _config_place(source, lineno, "section") + f"{section!r} already exists"
        configparser__Error.__init__(self, words, section, source, lineno)
        self.section, self.source, self.lineno = section, source, lineno


class configparser__DuplicateOptionError(configparser__Error):
    def __init__(self, section, option, source=None, lineno=None):
        words = _config_place(source, lineno, "option") + f"{option!r} in section {section!r} already exists"
        configparser__Error.__init__(self, words, section, option, source, lineno)
        self.section, self.option, self.source, self.lineno = section, option, source, lineno


class configparser__NoOptionError(configparser__Error):
    def __init__(self, option, section):
        configparser__Error.__init__(self, f"No option {option!r} in section: {section!r}", option, section)
        self.option, self.section = option, section


class configparser__InterpolationError(configparser__Error):
    def __init__(self, option, section, msg):
        configparser__Error.__init__(self, msg, option, section, msg)
        self.option, self.section = option, section


class configparser__InterpolationMissingOptionError(configparser__InterpolationError):
    def __init__(self, option, section, rawval, reference):
        words = (
            f"Bad value substitution: option {option!r} in section {section!r} contains an interpolation key "
            f"{reference!r} which is not a valid option name. Raw value: {rawval!r}"
        )
        configparser__InterpolationError.__init__(self, option, section, words)
        self.reference = reference
        self.args = (option, section, rawval, reference)


class configparser__InterpolationSyntaxError(configparser__InterpolationError):
    pass


class configparser__InterpolationDepthError(configparser__InterpolationError):
    def __init__(self, option, section, rawval):
        words = (
            f"Recursion limit exceeded in value substitution: option {option!r} in section {section!r} contains an "
            f"interpolation key which cannot be substituted in 10 steps. Raw value: {rawval!r}"
        )
        configparser__InterpolationError.__init__(self, option, section, words)
        self.args = (option, section, rawval)


class configparser__ParsingError(configparser__Error):
    def __init__(self, source):
        configparser__Error.__init__(self, f"Source contains parsing errors: {source!r}", source)
        self.source = source
        self.errors = []

    def append(self, lineno, line):
        _push(self.errors, (lineno, line))
        self.message += f"\n\t[line {lineno:2d}]: {line}"


class configparser__MissingSectionHeaderError(configparser__ParsingError):
    def __init__(self, filename, lineno, line):
        words = f"File contains no section headers.\nfile: {filename!r}, line: {lineno}\n{line!r}"
        configparser__Error.__init__(self, words, filename, lineno, line)
        self.source, self.lineno, self.line = filename, lineno, line


class configparser__Interpolation:
    __module__ = "configparser"

    def before_get(self, parser, section, option, value, defaults):
        return value

    def before_set(self, parser, section, option, value):
        return value

    def before_read(self, parser, section, option, value):
        return value

    def before_write(self, parser, section, option, value):
        return value


class _config_Filling(configparser__Interpolation):
    """What both kinds of references share: a mark, doubled where it stands for itself, and a reference behind it."""

    def before_get(self, parser, section, option, value, defaults):
        parts = []
        self._fill(parser, option, parts, value, section, defaults, 1)
        return "".join(parts)

    def _fill(self, parser, option, parts, rest, section, values, depth):
        mark = self._mark
        raw = parser.get(section, option, raw=True, fallback=rest)
        if depth > configparser__MAX_INTERPOLATION_DEPTH:
            raise configparser__InterpolationDepthError(option, section, raw)
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
                    raise configparser__InterpolationSyntaxError(option, section, words)
                reference = rest[2:end]
                rest = rest[end + _len(self._close) :]
                value, name, where, among = self._found(parser, option, section, values, reference, raw, rest)
                if mark in value:
                    self._fill(parser, name, parts, value, where, among(), depth + 1)
                else:
                    _push(parts, value)
            else:
                words = f"'{mark}' must be followed by '{mark}' or '{self._open}', found: {rest!r}"
                raise configparser__InterpolationSyntaxError(option, section, words)


class configparser__BasicInterpolation(_config_Filling):
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
            raise configparser__InterpolationMissingOptionError(option, section, raw, name) from None
        return values[name], option, section, lambda: values


class configparser__ExtendedInterpolation(_config_Filling):
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
            raise configparser__InterpolationSyntaxError(option, section, words)
        where = path[0] if _len(path) == 2 else section
        name = parser.optionxform(path[-1])
        try:
            value = values[name] if _len(path) == 1 else parser.get(where, name, raw=True)
        except (KeyError, configparser__NoSectionError, configparser__NoOptionError):
            raise configparser__InterpolationMissingOptionError(option, section, raw, reference) from None
        return value, name, where, lambda: dict(parser.items(where, raw=True))


for _config_class in (
    configparser__Error, configparser__NoSectionError, configparser__DuplicateSectionError,
    configparser__DuplicateOptionError, configparser__NoOptionError, configparser__InterpolationError,
    configparser__InterpolationMissingOptionError, configparser__InterpolationSyntaxError,
    configparser__InterpolationDepthError, configparser__ParsingError, configparser__MissingSectionHeaderError,
    configparser__Interpolation, configparser__BasicInterpolation, configparser__ExtendedInterpolation,
):
    _set_own(_config_class, "__module__", "configparser")
    _rename(_config_class, _config_class.__name__[14:])
