# Parses JSON. Each function returns a value and the position after it.
# Level: methods

_BLANKS = " \t\n\r"
_DIGITS = "0123456789"
_CONSTANTS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": -float("inf")}
_ESCAPED = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class JSONDecodeError(ValueError):
    __module__ = "json.decoder"

    def __init__(self, msg, doc, pos):
        lineno = doc.count("\n", 0, pos) + 1
        colno = pos - doc.rfind("\n", 0, pos)
        where = ": line " + _str(lineno) + " column " + _str(colno) + " (char " + _str(pos) + ")"
        super().__init__(msg + where)
        self.msg = msg
        self.doc = doc
        self.pos = pos
        self.lineno = lineno
        self.colno = colno


def _fail(message, text, position):
    raise JSONDecodeError(message, text, position)


def _skip(text, at):
    """Where the text goes on behind blanks."""
    while text[at : at + 1] in _BLANKS:
        piece = text[at : at + 60]
        if piece == "":
            return at
        at += _len(piece) - _len(piece.lstrip(_BLANKS))
    return at


def _run(text):
    """How many digits a text begins with."""
    return _len(text) - _len(text.lstrip(_DIGITS))


def _number(decoder, text, at):
    width = 40
    token = text[at : at + width]
    while _len(token) == width and token.strip("+-.eE" + _DIGITS) == "":
        width *= 2
        token = text[at : at + width]
    end = 1 if token[:1] == "-" else 0
    digits = 1 if token[end : end + 1] == "0" else _run(token[end:])
    if digits == 0:
        _fail("Expecting value", text, at)
    end += digits
    whole = True
    if token[end : end + 1] == ".":
        digits = _run(token[end + 1 :])
        if digits != 0:
            end += 1 + digits
            whole = False
    if token[end : end + 1] in ("e", "E"):
        start = end + 2 if token[end + 1 : end + 2] in ("+", "-") else end + 1
        digits = _run(token[start:])
        if digits != 0:
            end = start + digits
            whole = False
    return (decoder.parse_int if whole else decoder.parse_float)(token[:end]), at + end


def _hex(text, at, last):
    """The four hexadecimal digits at a place."""
    digits = text[at : at + 4].lower()
    if at + 4 >= last or digits.strip(_HEX) != "":
        _fail("Invalid \\uXXXX escape", text, at - 1)
    return int(digits, 16)


def _string(text, at, strict):
    begin = at - 1
    size = _len(text)
    quote = text.find('"', at)
    parts = []
    while True:
        slash = text.find("\\", at, size if quote < 0 else quote)
        end = slash if slash >= 0 else size if quote < 0 else quote
        piece = text[at:end]
        if strict and not piece.isprintable():
            for i, c in enumerate(piece):
                if c < " ":
                    _fail("Invalid control character at", text, at + i)
        if slash < 0:
            if quote < 0:
                _fail("Unterminated string starting at", text, begin)
            if _len(parts) == 0:
                return piece, quote + 1
            parts.append(piece)
            return "".join(parts), quote + 1
        parts.append(piece)
        c = text[slash + 1 : slash + 2]
        if c == "":
            _fail("Unterminated string starting at", text, begin)
        at = slash + 2
        if c == "u":
            n = _hex(text, at, size)
            at += 4
            if 0xD800 <= n < 0xDC00 and at + 6 < size and text[at : at + 2] == "\\u":
                low = _hex(text, at + 2, size)
                if 0xDC00 <= low < 0xE000:
                    n = 0x10000 + (n - 0xD800 << 10 | low - 0xDC00)
                    at += 6
            if 0xD800 <= n < 0xE000:
                _throw("half a surrogate pair")
            parts.append(chr(n))
        elif c in _ESCAPED:
            parts.append(_ESCAPED[c])
        else:
            _fail("Invalid \\escape", text, slash)
        if quote >= 0 and quote < at:
            quote = text.find('"', at)


def _value(decoder, text, at):
    c = text[at : at + 1]
    if c == '"':
        return _string(text, at + 1, decoder.strict)
    if c == "{":
        return _object(decoder, text, _skip(text, at + 1))
    if c == "[":
        values = []
        at = _skip(text, at + 1)
        while text[at : at + 1] != "]" or _len(values) != 0:
            value, at = _value(decoder, text, at)
            values.append(value)
            at = _skip(text, at)
            c = text[at : at + 1]
            if c == "]":
                break
            if c != ",":
                _fail("Expecting ',' delimiter", text, at)
            at = _skip(text, at + 1)
        return values, at + 1
    if c == "t" and text[at : at + 4] == "true":
        return True, at + 4
    if c == "f" and text[at : at + 5] == "false":
        return False, at + 5
    if c == "n" and text[at : at + 4] == "null":
        return None, at + 4
    for name in _CONSTANTS:
        if c == name[0] and text[at : at + _len(name)] == name:
            constant = decoder.parse_constant
            return _CONSTANTS[name] if constant is None else constant(name), at + _len(name)
    return _number(decoder, text, at)


def _object(decoder, text, at):
    pairs = []
    while text[at : at + 1] != "}" or _len(pairs) != 0:
        if text[at : at + 1] != '"':
            _fail("Expecting property name enclosed in double quotes", text, at)
        key, at = _string(text, at + 1, decoder.strict)
        at = _skip(text, at)
        if text[at : at + 1] != ":":
            _fail("Expecting ':' delimiter", text, at)
        value, at = _value(decoder, text, _skip(text, at + 1))
        pairs.append((key, value))
        at = _skip(text, at)
        c = text[at : at + 1]
        if c == "}":
            break
        if c != ",":
            _fail("Expecting ',' delimiter", text, at)
        at = _skip(text, at + 1)
    if decoder.object_pairs_hook is not None:
        return decoder.object_pairs_hook(pairs), at + 1
    made = {key: value for key, value in pairs}
    return made if decoder.object_hook is None else decoder.object_hook(made), at + 1


class JSONDecoder:
    __module__ = "json.decoder"

    def __init__(self, *, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, strict=True,
                 object_pairs_hook=None):
        self.object_hook = object_hook
        self.parse_float = parse_float or float
        self.parse_int = parse_int or int
        self.parse_constant = parse_constant
        self.strict = strict
        self.object_pairs_hook = object_pairs_hook

    def decode(self, s):
        obj, end = self.raw_decode(s, idx=_skip(s, 0))
        end = _skip(s, end)
        if end != _len(s):
            _fail("Extra data", s, end)
        return obj

    def raw_decode(self, s, idx=0):
        return _value(self, s, idx)


def loads(s, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None,
                object_pairs_hook=None, **kw):
    if isinstance(s, str):
        if s.startswith("\ufeff"):
            _fail("Unexpected UTF-8 BOM (decode using utf-8-sig)", s, 0)
    elif isinstance(s, (bytes, bytearray)):
        if 0 in s[:4] or s[:1] in (b"\xff", b"\xfe", b"\xef"):
            _throw("JSON of bytes that are no plain UTF-8")
        s = s.decode("utf-8")
    else:
        raise TypeError("the JSON object must be str, bytes or bytearray, not " + _classof(s).__name__)
    cls = JSONDecoder if cls is None else cls
    if object_hook is not None:
        kw["object_hook"] = object_hook
    if object_pairs_hook is not None:
        kw["object_pairs_hook"] = object_pairs_hook
    if parse_float is not None:
        kw["parse_float"] = parse_float
    if parse_int is not None:
        kw["parse_int"] = parse_int
    if parse_constant is not None:
        kw["parse_constant"] = parse_constant
    return cls(**kw).decode(s)


def load(fp, **kw):
    return loads(fp.read(), **kw)
