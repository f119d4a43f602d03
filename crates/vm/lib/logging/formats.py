# `logging`: formats, formatters.
# Level: methods

import time
import traceback


# -- formats: their fields, and whether they are valid


def _is_word(text):
    return text != "" and text.replace("_", "a").isalnum()


def _run(text, at, chars):
    while at < _len(text) and text[at] in chars:
        at += 1
    return at


def _number(text, at):
    while at < _len(text) and text[at].isdecimal():
        at += 1
    return at


def _percent_names(text):
    names = []
    at = text.find("%")
    while 0 <= at < _len(text) - 1:
        at += 1
        named = text[at] == "("
        if named:
            start = at + 1
            depth = 1
            while depth > 0:
                at += 1
                if at >= _len(text):
                    return names
                depth += (text[at] == "(") - (text[at] == ")")
            names.append(text[start:at])
            at += 1
        at = _run(text, at, "#0- +")
        at = _run(text, at, "*0123456789")
        if text[at : at + 1] == ".":
            at = _run(text, at + 1, "*0123456789")
        at = _run(text, at, "hlL")
        if not named and text[at : at + 1] in ("s", "r", "a"):
            _throw("a format of log records that shows all of a record")
        at = text.find("%", at + 1)
    return names


def _percent_valid(text):
    at = text.find("%(")
    while at >= 0:
        end = at + 2
        while _is_word(text[end : end + 1]):
            end += 1
        if end > at + 2 and text[end : end + 1] == ")":
            end = _run(text, end + 1, "#0+ -")
            end = end + 1 if text[end : end + 1] == "*" else _number(text, end)
            if text[end : end + 1] == ".":
                digits = end + 2 if text[end + 1 : end + 2] == "*" else _number(text, end + 1)
                end = digits if digits > end + 1 else end
            if end < _len(text) and text[end] in "diouxefgcrsaDIOUXEFGCRSA%\u0130\u0131\u017f":
                return True
        at = text.find("%(", at + 1)
    return False


def _fields(text):
    """The fields of a text for `str.format`: name, specification and conversion; and what is wrong behind them."""
    fields = []
    at = 0
    size = _len(text)
    while at < size:
        c = text[at]
        at += 1
        if c != "{" and c != "}":
            continue
        if at < size and text[at] == c:
            at += 1
            continue
        if c == "}":
            return fields, "Single '}' encountered in format string"
        if at == size:
            return fields, "Single '{' encountered in format string"
        start = at
        while at < size:
            c = text[at]
            at += 1
            if c == "{":
                return fields, "unexpected '{' in field name"
            if c == "[":
                while at < size and text[at] != "]":
                    at += 1
            elif c in "}:!":
                break
        if c not in "}:!":
            return fields, "expected '}' before end of string"
        name = text[start : at - 1]
        conversion = None
        if c == "!":
            if at >= size:
                return fields, "end of string while looking for conversion specifier"
            conversion = text[at]
            at += 1
            if at < size:
                c = text[at]
                at += 1
                if c != ":" and c != "}":
                    return fields, "expected ':' after conversion specifier"
        start = at
        depth = 0 if c == "}" else 1
        while depth > 0:
            if at >= size:
                return fields, "unmatched '{' in format spec"
            depth += (text[at] == "{") - (text[at] == "}")
            at += 1
        fields.append((name, text[start : at - 1] if c != "}" else "", conversion))
    return fields, None


def _brace_names(text):
    names = []
    for name, spec, _ in _fields(text)[0]:
        end = 0
        while end < _len(name) and name[end] not in ".[":
            end += 1
        names.append(name[:end])
        if "{" in spec:
            for inner in _brace_names(spec):
                names.append(inner)
    return names


def _is_end(text, at):
    return at == _len(text) or text[at:] == "\n"


def _is_field(name):
    at = 0
    while _is_word(name[at : at + 1]):
        at += 1
    if at == 0:
        return False
    while at < _len(name) and name[at] in ".[":
        start = at + 1
        at = start
        if name[start - 1] == ".":
            while _is_word(name[at : at + 1]):
                at += 1
            if at == start:
                return False
        else:
            at = name.find("]", start)
            if at <= start:
                return False
            at += 1
    return _is_end(name, at)


def _width(spec, at):
    """Where a number or a name in braces ends."""
    if spec[at : at + 1] == "{":
        end = at + 1
        while _is_word(spec[end : end + 1]):
            end += 1
        return end + 1 if end > at + 1 and spec[end : end + 1] == "}" else at
    return _number(spec, at)


def _is_spec(spec):
    at = 0
    if spec[1:2] != "" and spec[1] in "<=>^" and spec[0] != "\n":
        at = 2
    elif spec[:1] != "" and spec[0] in "<=>^":
        at = 1
    for chars in ("+ -", "#", "0"):
        if at < _len(spec) and spec[at] in chars:
            at += 1
    at = _width(spec, at)
    if at < _len(spec) and spec[at] in ",_":
        at += 1
    if spec[at : at + 1] == ".":
        end = _width(spec, at + 1)
        at = end if end > at + 1 else at
    if at < _len(spec) and spec[at] in "bcdefgnosxBCDEFGNOSX%\u017f":
        at += 1
    return _is_end(spec, at)


def _dollars(text):
    """The pieces of a template: the text before a dollar, what it names (None where it is escaped, no text where it is wrong)
    and where it is; the last piece has no place."""
    pieces = []
    start = 0
    at = text.find("$")
    while at >= 0:
        end = at + 1
        brace = text[end : end + 1] == "{"
        end += brace
        first = end
        while end < _len(text) and text[end].isascii() and _is_word(text[end]) and (end > first or not text[end].isdecimal()):
            end += 1
        if text[at + 1 : at + 2] == "$":
            name = None
            end = at + 2
        elif end == first or brace and text[end : end + 1] != "}":
            name = ""
            end = at + 1
        else:
            name = text[first:end]
            end += brace
        pieces.append((text[start:at], name, at))
        start = end
        at = text.find("$", end)
    pieces.append((text[start:], None, None))
    return pieces


def _dollar_names(text):
    return [name for _, name, _ in _dollars(text) if name]


def _substitute(text, values):
    parts = []
    for before, name, at in _dollars(text):
        parts.append(before)
        if name:
            parts.append(_str(values[name]))
        elif name == "":
            lines = text[: at + 1].splitlines(True)
            column = _len(lines[-1])
            raise ValueError("Invalid placeholder in string: line %d, col %d" % (_len(lines), column))
        elif at is not None:
            parts.append("$")
    return "".join(parts)


# -- styles

_names_known = {}


def _values(record, names, defaults, unread):
    if not isinstance(record, LogRecord):
        _throw("a log record of another kind")
    values = {}
    if defaults:
        if not isinstance(defaults, dict):
            _throw("defaults of a format of log records that are no dict")
        for name in defaults:
            values[name] = defaults[name]
    for name in names:
        if name in _OUTSIDE:
            if unread and name not in record._log_given:
                values[name] = _OUTSIDE[name]
            else:
                values[name] = getattr(record, name)
        elif name != "_log_given" and hasattr(record, name):
            if hasattr(_classof(record), name):
                _throw("a method of a log record in a format")
            values[name] = getattr(record, name)
    return values


def _fill(style, record, unread):
    """The text of a record in a style; `unread` where nobody reads it."""
    text = style._fmt
    kind = style._log_kind
    if (kind, text) not in _names_known:
        find = {"%": _percent_names, "{": _brace_names, "$": _dollar_names}[kind]
        _names_known[kind, text] = find(text)
    values = _values(record, _names_known[kind, text], style._defaults, unread)
    if kind == "%":
        return text % values
    return text.format(**values) if kind == "{" else _substitute(text, values)


def _no_field(error):
    raise ValueError("Formatting field not found in record: %s" % error)


class PercentStyle:
    default_format = "%(message)s"
    asctime_format = "%(asctime)s"
    asctime_search = "%(asctime)"
    _log_kind = "%"

    def __init__(self, fmt, *, defaults=None):
        self._fmt = fmt or self.default_format
        if not isinstance(self._fmt, str):
            _throw("a format of log records that is no text")
        self._defaults = defaults

    def usesTime(self):
        return self._fmt.find(self.asctime_search) >= 0

    def validate(self):
        if not _percent_valid(self._fmt):
            raise ValueError("Invalid format '%s' for '%s' style" % (self._fmt, self.default_format[0]))

    def _format(self, record):
        return _fill(self, record, False)

    def format(self, record):
        try:
            return self._format(record)
        except KeyError as error:
            _no_field(error)


class StrFormatStyle(PercentStyle):
    default_format = "{message}"
    asctime_format = "{asctime}"
    asctime_search = "{asctime"
    _log_kind = "{"

    def validate(self):
        fields, wrong = _fields(self._fmt)
        some = False
        for name, spec, conversion in fields:
            if name:
                if not _is_field(name):
                    raise ValueError("invalid format: invalid field name/expression: %r" % name)
                some = True
            if conversion and conversion not in "rsa":
                raise ValueError("invalid format: invalid conversion: %r" % conversion)
            if spec and not _is_spec(spec):
                raise ValueError("invalid format: bad specifier: %r" % spec)
        if wrong is not None:
            raise ValueError("invalid format: " + wrong)
        if not some:
            raise ValueError("invalid format: no fields")


class StringTemplateStyle(PercentStyle):
    default_format = "${message}"
    asctime_format = "${asctime}"
    asctime_search = "${asctime}"
    _log_kind = "$"

    def usesTime(self):
        return self._fmt.find("$asctime") >= 0 or self._fmt.find(self.asctime_search) >= 0

    def validate(self):
        some = False
        for _, name, at in _dollars(self._fmt):
            if name == "":
                raise ValueError("invalid format: bare '$' not allowed")
            some = some or name is not None
        if not some:
            raise ValueError("invalid format: no fields")

_STYLES = {
    "%": (PercentStyle, BASIC_FORMAT),
    "{": (StrFormatStyle, "{levelname}:{name}:{message}"),
    "$": (StringTemplateStyle, "${levelname}:${name}:${message}"),
}


def _style(style):
    if style not in _STYLES:
        raise ValueError("Style must be one of: %s" % ",".join(_STYLES))
    return _STYLES[style]


# -- formatters


class Formatter:
    default_time_format = "%Y-%m-%d %H:%M:%S"
    default_msec_format = "%s,%03d"

    def __init__(self, fmt=None, datefmt=None, style="%", validate=True, *, defaults=None):
        self._style = _style(style)[0](fmt, defaults=defaults)
        if validate:
            self._style.validate()
        self._fmt = self._style._fmt
        self.datefmt = datefmt

    converter = time.localtime

    def formatTime(self, record, datefmt=None):
        when = self.converter(record.created)
        if datefmt:
            return time.strftime(datefmt, when)
        text = time.strftime(self.default_time_format, when)
        return self.default_msec_format % (text, record.msecs) if self.default_msec_format else text

    def formatException(self, ei):
        if ei[1] is None:
            return "NoneType: None"
        return "".join(traceback.format_exception(ei[0], ei[1], traceback._traceback_of(ei[1])))[:-1]

    def usesTime(self):
        return self._style.usesTime()

    def formatMessage(self, record):
        return self._style.format(record)

    def formatStack(self, stack_info):
        return stack_info

    def format(self, record):
        record.message = record.getMessage()
        if self.usesTime():
            record.asctime = self.formatTime(record, self.datefmt)
        text = self.formatMessage(record)
        if record.exc_info:
            if not record.exc_text:
                record.exc_text = self.formatException(record.exc_info)
        if record.exc_text:
            if text[-1:] != "\n":
                text = text + "\n"
            text = text + record.exc_text
        if record.stack_info:
            if text[-1:] != "\n":
                text = text + "\n"
            text = text + self.formatStack(record.stack_info)
        return text
_log_plain = Formatter()


class BufferingFormatter:
    def __init__(self, linefmt=None):
        self.linefmt = linefmt if linefmt else _log_plain

    def formatHeader(self, records):
        return ""

    def formatFooter(self, records):
        return ""

    def format(self, records):
        text = ""
        if len(records) > 0:
            text = text + self.formatHeader(records)
            for record in records:
                text = text + self.linefmt.format(record)
            text = text + self.formatFooter(records)
        return text
