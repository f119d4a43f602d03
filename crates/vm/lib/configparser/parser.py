# Configuration files: `configparser`.
# Level: methods

_UNSET = object()
_TRUTH = {"1": True, "yes": True, "true": True, "on": True, "0": False, "no": False, "false": False, "off": False}


class RawConfigParser(_MutableMapping):
    _interpolates = Interpolation
    _checks_types = False
    BOOLEAN_STATES = _TRUTH

    def __init__(
        self, defaults=None, dict_type=dict, allow_no_value=False, *, delimiters=("=", ":"), comment_prefixes=("#", ";"),
        inline_comment_prefixes=None, strict=True, empty_lines_in_values=True, default_section="DEFAULT",
        interpolation=_UNSET, converters=None
    ):
        if converters:
            _throw("converters of a parser of settings")
        self._sections = {}
        self._defaults = {}
        self._proxies = {}
        self._delimiters = (*delimiters,)
        self._comments = (*comment_prefixes,) if comment_prefixes else ()
        self._inline = (*inline_comment_prefixes,) if inline_comment_prefixes else ()
        self._strict = strict
        self._allow_no_value = allow_no_value
        self._empty_lines = empty_lines_in_values
        self.default_section = default_section
        self._proxies[default_section] = SectionProxy(self, default_section)
        if interpolation is _UNSET:
            interpolation = self._interpolates()
        self._interpolation = Interpolation() if interpolation is None else interpolation
        if defaults:
            self.read_dict({default_section: defaults})

    def optionxform(self, optionstr):
        return optionstr.lower()

    def defaults(self):
        return self._defaults

    def sections(self):
        return [*self._sections]

    def add_section(self, section):
        if self._checks_types and not isinstance(section, str):
            raise TypeError("section names must be strings")
        if section == self.default_section:
            raise ValueError(f"Invalid section name: {section!r}")
        if section in self._sections:
            raise DuplicateSectionError(section)
        self._new_section(section)

    def _new_section(self, section):
        self._sections[section] = {}
        self._proxies[section] = SectionProxy(self, section)

    def has_section(self, section):
        return section in self._sections

    def _section(self, section):
        if section not in self._sections:
            raise NoSectionError(section) from None
        return self._sections[section]

    def options(self, section):
        return [*{**self._section(section), **self._defaults}]

    def read(self, filenames, encoding=None):
        _throw("a file of settings")

    def read_string(self, string, source="<string>"):
        self._read(string.splitlines(True), source)

    def read_file(self, f, source=None):
        if source is None:
            source = getattr(f, "name", "<???>")
        self._read([*f], source)

    def read_dict(self, dictionary, source="<dict>"):
        known = []
        for section, keys in dictionary.items():
            section = str(section)
            try:
                self.add_section(section)
            except (DuplicateSectionError, ValueError):
                if self._strict and section in known:
                    raise
            _push(known, section)
            for key, value in keys.items():
                key = self.optionxform(str(key))
                if self._strict and (section, key) in known:
                    raise DuplicateOptionError(section, key, source)
                _push(known, (section, key))
                self.set(section, key, None if value is None else str(value))

    def _values(self, section, vars):
        values = {**self._defaults}
        if section != self.default_section:
            values = {**values, **self._section(section)}
        for key, value in vars.items() if vars else ():
            values[self.optionxform(key)] = None if value is None else str(value)
        return values

    def get(self, section, option, *, raw=False, vars=None, fallback=_UNSET):
        try:
            values = self._values(section, vars)
        except NoSectionError:
            if fallback is _UNSET:
                raise
            return fallback
        option = self.optionxform(option)
        if option not in values:
            if fallback is _UNSET:
                raise NoOptionError(option, section)
            return fallback
        value = values[option]
        if raw or value is None:
            return value
        return self._interpolation.before_get(self, section, option, value, values)

    def _converted(self, section, convert, option, fallback, **named):
        try:
            value = self.get(section, option, **named)
        except (NoSectionError, NoOptionError):
            if fallback is _UNSET:
                raise
            return fallback
        return convert(value)

    def getint(self, section, option, *, raw=False, vars=None, fallback=_UNSET):
        return self._converted(section, int, option, fallback, raw=raw, vars=vars)

    def getfloat(self, section, option, *, raw=False, vars=None, fallback=_UNSET):
        return self._converted(section, float, option, fallback, raw=raw, vars=vars)

    def getboolean(self, section, option, *, raw=False, vars=None, fallback=_UNSET):
        return self._converted(section, self._truth, option, fallback, raw=raw, vars=vars)

    def _truth(self, value):
        if value.lower() not in self.BOOLEAN_STATES:
            raise ValueError("Not a boolean: %s" % value)
        return self.BOOLEAN_STATES[value.lower()]

    def items(self, section=_UNSET, raw=False, vars=None):
        if section is _UNSET:
            return [(name, self[name]) for name in self]
        names = [*{**self._defaults, **(self._section(section) if section != self.default_section else {})}]
        values = self._values(section, vars)
        if raw:
            return [(name, values[name]) for name in names]
        fill = self._interpolation.before_get
        return [(name, fill(self, section, name, values[name], values)) for name in names]

    def has_option(self, section, option):
        if not section or section == self.default_section:
            return self.optionxform(option) in self._defaults
        if section not in self._sections:
            return False
        option = self.optionxform(option)
        return option in self._sections[section] or option in self._defaults

    def set(self, section, option, value=None):
        if self._checks_types:
            if not isinstance(option, str):
                raise TypeError("option keys must be strings")
            if not isinstance(value, str) and (not self._allow_no_value or value):
                raise TypeError("option values must be strings")
        if value:
            value = self._interpolation.before_set(self, section, option, value)
        values = self._defaults if not section or section == self.default_section else self._section(section)
        values[self.optionxform(option)] = value

    def remove_option(self, section, option):
        values = self._defaults if not section or section == self.default_section else self._section(section)
        option = self.optionxform(option)
        existed = option in values
        if existed:
            del values[option]
        return existed

    def remove_section(self, section):
        existed = section in self._sections
        if existed:
            del self._sections[section]
            del self._proxies[section]
        return existed

    def write(self, fp, space_around_delimiters=True):
        delimiter = f" {self._delimiters[0]} " if space_around_delimiters else self._delimiters[0]
        if self._defaults:
            self._write_section(fp, self.default_section, self._defaults, delimiter)
        for section in self._sections:
            self._write_section(fp, section, self._sections[section], delimiter)

    def _write_section(self, fp, section, values, delimiter):
        fp.write(f"[{section}]\n")
        for key, value in values.items():
            if value is not None or not self._allow_no_value:
                fp.write(key + delimiter + str(value).replace("\n", "\n\t") + "\n")
            else:
                fp.write(key + "\n")
        fp.write("\n")

    def __getitem__(self, key):
        if key != self.default_section and not self.has_section(key):
            raise KeyError(key)
        return self._proxies[key]

    def __setitem__(self, key, value):
        if key == self.default_section:
            self._defaults.clear()
        elif key in self._sections:
            self._sections[key].clear()
        self.read_dict({key: value})

    def __delitem__(self, key):
        if key == self.default_section:
            raise ValueError("Cannot remove the default section.")
        if not self.has_section(key):
            raise KeyError(key)
        self.remove_section(key)

    def __contains__(self, key):
        return key == self.default_section or self.has_section(key)

    def __len__(self):
        return _len(self.sections()) + 1

    def __iter__(self):
        return iter([self.default_section, *self._sections])

    def _without_comment(self, line):
        """A line without its comment, and whether it has one."""
        if any([line.strip().startswith(prefix) for prefix in self._comments]):
            return "", True
        ends = []
        for prefix in self._inline:
            i = line.find(prefix)
            while i >= 0:
                if i == 0 or line[i - 1].isspace():
                    _push(ends, i)
                    break
                i = line.find(prefix, i + 1)
        return (line[: min(ends)], True) if ends else (line, False)

    def _option(self, text):
        """The name, whether there is a delimiter, and the value of a line."""
        places = [text.find(delimiter) for delimiter in self._delimiters]
        places = [(place, delimiter) for place, delimiter in zip(places, self._delimiters) if place >= 0]
        if not places:
            return text, False, None
        place, delimiter = min(places)
        return text[:place], True, text[place + _len(delimiter) :]

    def _read(self, lines, source):
        known = []
        section = values = name = None
        indent = 0
        errors = None
        for number, line in enumerate(lines, 1):
            text, has_comment = self._without_comment(line)
            text = text.strip()
            if not text:
                if self._empty_lines:
                    if not has_comment and values is not None and name and values[name] is not None:
                        _push(values[name], "")
                else:
                    indent = _len(line) + 1000000
                continue
            level = _len(line) - _len(line.lstrip())
            if values is not None and name and level > indent:
                if values[name] is None:
                    raise AttributeError("'NoneType' object has no attribute 'append'")
                _push(values[name], text)
                continue
            indent = level
            if text[0] == "[" and "]" in text[2:]:
                section = text[1 : text.rfind("]")]
                if section in self._sections:
                    if self._strict and section in known:
                        raise DuplicateSectionError(section, source, number)
                    values = self._sections[section]
                    _push(known, section)
                elif section == self.default_section:
                    values = self._defaults
                else:
                    self._new_section(section)
                    values = self._sections[section]
                    _push(known, section)
                name = None
            elif values is None:
                raise MissingSectionHeaderError(source, number, line)
            else:
                found, has_delimiter, value = self._option(text)
                if not found or not has_delimiter and not self._allow_no_value:
                    errors = errors if errors is not None else ParsingError(source)
                    errors.append(number, repr(line))
                    continue
                name = self.optionxform(found.rstrip())
                if self._strict and (section, name) in known:
                    raise DuplicateOptionError(section, name, source, number)
                _push(known, (section, name))
                values[name] = [value.strip()] if has_delimiter else None
        for values in [self._defaults, *self._sections.values()]:
            for name in [*values]:
                if isinstance(values[name], list):
                    values[name] = "\n".join(values[name]).rstrip()
        if errors is not None:
            raise errors


class ConfigParser(RawConfigParser):
    _interpolates = BasicInterpolation
    _checks_types = True


class SectionProxy(_MutableMapping):
    def __init__(self, parser, name):
        self._parser = parser
        self._name = name

    parser = property(lambda self: self._parser)
    name = property(lambda self: self._name)

    def __repr__(self):
        return f"<Section: {self._name}>"

    def __getitem__(self, key):
        if not self._parser.has_option(self._name, key):
            raise KeyError(key)
        return self._parser.get(self._name, key)

    def __setitem__(self, key, value):
        self._parser.set(self._name, key, value)

    def __delitem__(self, key):
        if not (self._parser.has_option(self._name, key) and self._parser.remove_option(self._name, key)):
            raise KeyError(key)

    def __contains__(self, key):
        return self._parser.has_option(self._name, key)

    def __len__(self):
        return _len(self._options())

    def __iter__(self):
        return iter(self._options())

    def _options(self):
        if self._name != self._parser.default_section:
            return self._parser.options(self._name)
        return [*self._parser.defaults()]

    def get(self, option, fallback=None, *, raw=False, vars=None):
        return self._parser.get(self._name, option, raw=raw, vars=vars, fallback=fallback)

    def getint(self, option, fallback=None, *, raw=False, vars=None):
        return self._parser.getint(self._name, option, raw=raw, vars=vars, fallback=fallback)

    def getfloat(self, option, fallback=None, *, raw=False, vars=None):
        return self._parser.getfloat(self._name, option, raw=raw, vars=vars, fallback=fallback)

    def getboolean(self, option, fallback=None, *, raw=False, vars=None):
        return self._parser.getboolean(self._name, option, raw=raw, vars=vars, fallback=fallback)
