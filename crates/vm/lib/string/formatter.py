# `string.Formatter`. The texts in braces are split manually: `_fmt_pieces` and `_fmt_path`.


def _fmt_text(text):
    if not isinstance(text, str):
        raise TypeError("expected str, got " + _classof(text).__name__)


def _pieces(text):
    """Literal text, name, format and conversion, in turn."""
    at = 0
    while at < _len(text):
        brace = _fmt_until(text, at, "{}")
        mark = text[brace : brace + 1]
        after = text[brace + 1 : brace + 2]
        if mark == "}" and after != "}":
            raise ValueError("Single '}' encountered in format string")
        if mark == "{" and after == "":
            raise ValueError("Single '{' encountered in format string")
        if mark == "":
            yield text[at:], None, None, None
            return
        if mark == after:
            yield text[at : brace + 1], None, None, None
            at = brace + 2
        else:
            end, name, spec, conversion = _field(text, brace + 1)
            yield text[at:brace], name, spec, conversion
            at = end


def _field(text, start):
    """What stands in braces that were opened, and the place behind them."""
    at = _fmt_until(text, start, "{}[:!")
    while text[at : at + 1] == "[":
        at = _fmt_until(text, at + 1, "]")
        at = _fmt_until(text, at, "{}[:!")
    mark = text[at : at + 1]
    if mark == "{":
        raise ValueError("unexpected '{' in field name")
    if mark == "":
        raise ValueError("expected '}' before end of string")
    name = text[start:at]
    at += 1
    if mark == "}":
        return at, name, "", None
    conversion = None
    if mark == "!":
        conversion = text[at : at + 1]
        if conversion == "":
            raise ValueError("end of string while looking for conversion specifier")
        if conversion == "\0":
            conversion = None
        after = text[at + 1 : at + 2]
        if after == "}":
            return at + 2, name, "", conversion
        if after != "" and after != ":":
            raise ValueError("expected ':' after conversion specifier")
        at += 2
    start = at
    depth = 1
    while at < _len(text):
        if text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth == 0:
                return at + 1, name, text[start:at], conversion
        at += 1
    raise ValueError("unmatched '{' in format spec")


def _key(text):
    """A number where a text is one."""
    number = 0
    for c in text:
        if not c.isdecimal():
            return text
        number = number * 10 + int(c)
        if number > 9223372036854775807:
            raise ValueError("Too many decimal digits in format string")
    return text if text == "" else number


def _path(text):
    """The attributes and keys behind the first name."""
    at = 0
    while at < _len(text):
        mark = text[at]
        at += 1
        if mark == ".":
            end = _fmt_until(text, at, ".[")
            key = text[at:end]
            at = end
        elif mark == "[":
            end = _fmt_until(text, at, "]")
            if end == _len(text):
                raise ValueError("Missing ']' in format string")
            key = _key(text[at:end])
            at = end + 1
        else:
            raise ValueError("Only '.' or '[' may follow ']' in format field specifier")
        if key == "":
            raise ValueError("Empty attribute in format string")
        yield mark == ".", key


def _ascii(text):
    """A text with escapes for what is not ASCII."""
    if text.isascii():
        return text
    parts = []
    for c in text:
        code = ord(c)
        parts.append(c if code < 128 else f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}")
    return "".join(parts)


_MIXED = "cannot switch from manual field specification to automatic field numbering"


class Formatter:
    _mixed = _MIXED

    def _first_of(self, name):
        """What a field is numbered by."""
        return name

    def format(self, format_string, /, *args, **kwargs):
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        used = set()
        text, _ = self._vformat(format_string, args, kwargs, used, 2)
        self.check_unused_args(used, args, kwargs)
        return text

    def _vformat(self, format_string, args, kwargs, used_args, recursion_depth, auto_arg_index=0):
        if recursion_depth < 0:
            raise ValueError("Max string recursion exceeded")
        parts = []
        for literal, name, spec, conversion in self.parse(format_string):
            if literal:
                parts.append(literal)
            if name is None:
                continue
            first = self._first_of(name)
            if first == "":
                if auto_arg_index is False:
                    raise ValueError(_MIXED)
                name = _str(auto_arg_index) + name
                auto_arg_index += 1
            elif first.isdigit():
                if auto_arg_index:
                    raise ValueError(self._mixed)
                auto_arg_index = False
            value, used = self.get_field(name, args, kwargs)
            used_args.add(used)
            value = self.convert_field(value, conversion)
            spec, auto_arg_index = self._vformat(spec, args, kwargs, used_args, recursion_depth - 1, auto_arg_index)
            parts.append(self.format_field(value, spec))
        return "".join(parts), auto_arg_index

    def get_value(self, key, args, kwargs):
        return args[key] if isinstance(key, int) else kwargs[key]

    def check_unused_args(self, used_args, args, kwargs):
        pass

    def format_field(self, value, format_spec):
        return format(value, format_spec)

    def convert_field(self, value, conversion):
        if conversion is None:
            return value
        if conversion == "s":
            return str(value)
        if conversion == "r":
            return repr(value)
        if conversion == "a":
            return _ascii(repr(value))
        raise ValueError("Unknown conversion specifier " + _str(conversion))

    def parse(self, format_string):
        _fmt_text(format_string)
        return _pieces(format_string)

    def get_field(self, field_name, args, kwargs):
        _fmt_text(field_name)
        end = _fmt_until(field_name, 0, ".[")
        first = _key(field_name[:end])
        value = self.get_value(first, args, kwargs)
        for is_attribute, key in _path(field_name[end:]):
            value = getattr(value, key) if is_attribute else value[key]
        return value, first
