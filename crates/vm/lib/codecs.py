# The native part of `codecs`, and the search for an encoding. The rest is walked from its source.
# Level: methods

_KNOWN = {}
_SEARCHES = []


def _bytes_of(data):
    return data if isinstance(data, bytes) else bytes(data)


def lookup(encoding, /):
    if not isinstance(encoding, str):
        raise TypeError("lookup() argument must be str, not " + _classof(encoding).__name__)
    name = "".join([c if c.isalnum() and c.isascii() or c == "." else "_" for c in encoding.lower().replace(" ", "_")])
    name = encoding.lower().replace(" ", "_") if encoding.isascii() else name
    found = _KNOWN.get(name)
    if found is None:
        import encodings

        for search in [encodings.search_function, *_SEARCHES]:
            found = search(name)
            if found is not None:
                if not isinstance(found, tuple) or len(found) != 4:
                    raise TypeError("codec search functions must return 4-tuples")
                break
        else:
            raise LookupError("unknown encoding: " + encoding)
        _KNOWN[name] = found
    return found


def register(search_function, /):
    if not callable(search_function):
        raise TypeError("argument must be callable")
    # The one of `encodings` is present already.
    if getattr(search_function, "__module__", None) != "encodings":
        _throw("encodings of the program")


def unregister(search_function, /):
    _throw("an encoding that is taken away")


def encode(obj, encoding="utf-8", errors="strict"):
    return lookup(encoding)[0](obj, errors)[0]


def decode(obj, encoding="utf-8", errors="strict"):
    return lookup(encoding)[1](obj, errors)[0]


def _named(encoding):
    def encode(text, errors=None, /):
        return text.encode(encoding, "strict" if errors is None else errors), _len(text)

    def decode(data, errors=None, final=False, /):
        data = _bytes_of(data)
        return data.decode(encoding, "strict" if errors is None else errors), _len(data)

    return staticmethod(encode), staticmethod(decode)


# Builtin functions do not become methods of the classes that have them.
ascii_encode, ascii_decode = _named("ascii")
latin_1_encode, latin_1_decode = _named("latin-1")
utf_16_le_encode, _ = _named("utf-16-le")
utf_16_be_encode, _ = _named("utf-16-be")
utf_32_le_encode, _ = _named("utf-32-le")
utf_32_be_encode, _ = _named("utf-32-be")
unicode_escape_encode, _ = _named("unicode-escape")


@staticmethod
def utf_16_le_decode(data, errors=None, final=False, /):
    _throw("bytes of a wide encoding")


utf_16_be_decode = utf_32_le_decode = utf_32_be_decode = utf_16_le_decode


@staticmethod
def utf_8_encode(text, errors=None, /):
    return text.encode("utf-8", "strict" if errors is None else errors), _len(text)


@staticmethod
def utf_8_decode(data, errors=None, final=False, /):
    data = _bytes_of(data)
    errors = "strict" if errors is None else errors
    if not final:
        # An incomplete character waits for its remaining bytes.
        for back in range(1, 4):
            if back > _len(data):
                break
            first = data[-back]
            if first >= 0xC0:
                needed = 2 if first < 0xE0 else 3 if first < 0xF0 else 4
                if needed > back:
                    try:
                        data[-back:].decode("utf-8")
                    except UnicodeDecodeError as error:
                        if error.reason == "unexpected end of data":
                            data = data[:-back]
                break
            if first < 0x80:
                break
    return data.decode("utf-8", errors), _len(data)


@staticmethod
def charmap_build(table, /):
    return {ord(c): i for i, c in enumerate(table) if c != "\ufffe"}


@staticmethod
def charmap_encode(text, errors=None, mapping=None, /):
    made = []
    for at, c in enumerate(text):
        byte = mapping.get(ord(c)) if mapping is not None else ord(c) if ord(c) < 256 else None
        if byte is None:
            if errors == "ignore":
                continue
            if errors == "replace" and mapping is not None and mapping.get(63) is not None:
                byte = mapping.get(63)
            elif errors is None or errors == "strict":
                end = at + 1
                while end < _len(text) and mapping is not None and mapping.get(ord(text[end])) is None:
                    end += 1
                raise UnicodeEncodeError("charmap", text, at, end, "character maps to <undefined>")
            else:
                _throw("errors of an encoding")
        made.append(byte)
    return bytes(made), _len(text)


@staticmethod
def charmap_decode(data, errors=None, mapping=None, /):
    data = _bytes_of(data)
    made = []
    for at, byte in enumerate(data):
        if mapping is None:
            c = chr(byte)
        elif isinstance(mapping, str):
            c = mapping[byte] if byte < _len(mapping) else "\ufffe"
        else:
            c = mapping.get(byte, "\ufffe")
            c = chr(c) if isinstance(c, int) else "\ufffe" if c is None else c
        if c == "\ufffe":
            if errors == "ignore":
                continue
            if errors == "replace":
                c = "\ufffd"
            elif errors is None or errors == "strict":
                raise UnicodeDecodeError("charmap", data, at, at + 1, "character maps to <undefined>")
            else:
                _throw("errors of an encoding")
        made.append(c)
    return "".join(made), _len(data)
