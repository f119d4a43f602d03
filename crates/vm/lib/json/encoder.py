# Values as JSON (back: decoder.py). `_json_text` makes a string, `_chunks` the pieces for `dump`.
# Level: methods

_HEX = "0123456789abcdef"
_INF = float("inf")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


# -- values to text


def _unit(n):
    return "\\u" + _HEX[n >> 12] + _HEX[n >> 8 & 15] + _HEX[n >> 4 & 15] + _HEX[n & 15]


def _quote(text, ascii_only):
    if _classof(text) is not str:
        text = text + ""
    if text.isprintable() and (not ascii_only or text.isascii()):
        if "\\" in text:
            text = text.replace("\\", "\\\\")
        if '"' in text:
            text = text.replace('"', '\\"')
        return '"' + text + '"'
    parts = []
    for c in text:
        if c in _ESCAPES:
            parts.append(_ESCAPES[c])
        elif " " <= c <= "~" or (not ascii_only and c > "~"):
            parts.append(c)
        else:
            n = ord(c)
            if n < 0x10000:
                parts.append(_unit(n))
            else:
                n -= 0x10000
                parts.append(_unit(0xD800 | n >> 10) + _unit(0xDC00 | n & 0x3FF))
    return '"' + "".join(parts) + '"'


class _Settings:
    def __init__(self, encoder, fast):
        self.default = encoder.default
        self.ascii = encoder.ensure_ascii
        self.nan = encoder.allow_nan
        self.fast = fast and encoder.indent is None
        indent = encoder.indent
        self.pad = indent if indent is None or isinstance(indent, str) else " " * indent
        self.comma = encoder.item_separator
        self.colon = encoder.key_separator
        self.sort = encoder.sort_keys
        self.skip = encoder.skipkeys
        self.path = [] if encoder.check_circular else None


def _float(settings, x):
    if x != x:
        text = "NaN"
    elif x == _INF:
        text = "Infinity"
    elif x == -_INF:
        text = "-Infinity"
    else:
        return _repr(x if _classof(x) is float else float(x))
    if not settings.nan:
        words = "Out of range float values are not JSON compliant"
        raise ValueError(words if settings.fast else words + ": " + _repr(x))
    return text


def _atom(settings, x):
    """The text of a value that is no container, else None."""
    if isinstance(x, str):
        return _quote(x, settings.ascii)
    if x is None:
        return "null"
    if x is True:
        return "true"
    if x is False:
        return "false"
    if isinstance(x, int):
        return _str(x if _classof(x) is int else int(x))
    if isinstance(x, float):
        return _float(settings, x)
    return None


def _key(settings, key):
    """The quoted text of a key, None for one to skip."""
    if not isinstance(key, str):
        if not (key is None or isinstance(key, (int, float))):
            if settings.skip:
                return None
            kind = _classof(key)
            name = kind.__name__
            if settings.fast and kind.__module__ in ("datetime", "decimal", "re"):
                name = kind.__module__ + "." + name
            raise TypeError("keys must be str, int, float, bool or None, not " + name)
        key = _atom(settings, key)
    return _quote(key, settings.ascii)


def _enter(settings, x):
    if settings.path is not None:
        for outer in settings.path:
            if outer is x:
                raise ValueError("Circular reference detected")
        settings.path.append(x)


def _pairs(settings, x):
    if settings.sort:
        known = {key: value for key, value in x.items()}
        return [(key, known[key]) for key in sorted(known)]
    return x.items()


def _json_text(settings, x, level):
    parts = []
    if isinstance(x, (list, tuple)):
        if not x:
            return "[]"
        _enter(settings, x)
        for value in x:
            text = _atom(settings, value)
            parts.append(_json_text(settings, value, level + 1) if text is None else text)
        opening = "["
        closing = "]"
    elif isinstance(x, dict):
        if not x:
            return "{}"
        _enter(settings, x)
        colon = settings.colon
        for key, value in _pairs(settings, x):
            key = _key(settings, key)
            if key is not None:
                text = _atom(settings, value)
                parts.append(key + colon + (_json_text(settings, value, level + 1) if text is None else text))
        opening = "{"
        closing = "}"
    else:
        text = _atom(settings, x)
        if text is None:
            _enter(settings, x)
            text = _json_text(settings, settings.default(x), level)
            if settings.path is not None:
                settings.path.pop()
        return text
    if settings.path is not None:
        settings.path.pop()
    if settings.pad is None:
        return opening + settings.comma.join(parts) + closing
    line = "\n" + settings.pad * level
    return opening + line + settings.pad + (settings.comma + line + settings.pad).join(parts) + line + closing


def _chunks(settings, x, level):
    line = "" if settings.pad is None else "\n" + settings.pad * (level + 1)
    if isinstance(x, (list, tuple)):
        if not x:
            yield "[]"
            return
        _enter(settings, x)
        before = "[" + line
        for value in x:
            text = _atom(settings, value)
            if text is not None:
                yield before + text
            else:
                yield before
                for chunk in _chunks(settings, value, level + 1):
                    yield chunk
            before = settings.comma + line
        closing = "]"
    elif isinstance(x, dict):
        if not x:
            yield "{}"
            return
        _enter(settings, x)
        yield "{"
        if settings.pad is not None:
            yield line
        first = True
        for key, value in _pairs(settings, x):
            key = _key(settings, key)
            if key is None:
                continue
            if not first:
                yield settings.comma + line
            first = False
            yield key
            yield settings.colon
            text = _atom(settings, value)
            if text is not None:
                yield text
            else:
                for chunk in _chunks(settings, value, level + 1):
                    yield chunk
        closing = "}"
    else:
        text = _atom(settings, x)
        if text is not None:
            yield text
            return
        _enter(settings, x)
        for chunk in _chunks(settings, settings.default(x), level):
            yield chunk
        if settings.path is not None:
            settings.path.pop()
        return
    if settings.pad is not None:
        yield "\n" + settings.pad * level
    yield closing
    if settings.path is not None:
        settings.path.pop()


class JSONEncoder:
    __module__ = "json.encoder"
    item_separator = ", "
    key_separator = ": "

    def __init__(self, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, sort_keys=False,
                 indent=None, separators=None, default=None):
        self.skipkeys = skipkeys
        self.ensure_ascii = ensure_ascii
        self.check_circular = check_circular
        self.allow_nan = allow_nan
        self.sort_keys = sort_keys
        self.indent = indent
        if separators is not None:
            self.item_separator, self.key_separator = separators
        elif indent is not None:
            self.item_separator = ","
        if default is not None:
            self.default = default

    def default(self, o):
        raise TypeError("Object of type " + _classof(o).__name__ + " is not JSON serializable")

    def encode(self, o):
        if isinstance(o, str):
            return _quote(o, self.ensure_ascii)
        return "".join([chunk for chunk in self.iterencode(o, _one_shot=True)])

    def iterencode(self, o, _one_shot=False):
        settings = _Settings(self, _one_shot)
        if _one_shot:
            return (_json_text(settings, o, 0),)
        return _chunks(settings, o, 0)


def dumps(obj, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, cls=None, indent=None,
                separators=None, default=None, sort_keys=False, **kw):
    cls = JSONEncoder if cls is None else cls
    return cls(skipkeys=skipkeys, ensure_ascii=ensure_ascii, check_circular=check_circular, allow_nan=allow_nan,
               indent=indent, separators=separators, default=default, sort_keys=sort_keys, **kw).encode(obj)


def dump(obj, fp, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, cls=None,
               indent=None, separators=None, default=None, sort_keys=False, **kw):
    cls = JSONEncoder if cls is None else cls
    chunks = cls(skipkeys=skipkeys, ensure_ascii=ensure_ascii, check_circular=check_circular, allow_nan=allow_nan,
                 indent=indent, separators=separators, default=default, sort_keys=sort_keys, **kw).iterencode(obj)
    for chunk in chunks:
        fp.write(chunk)
