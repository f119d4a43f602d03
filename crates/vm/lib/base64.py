# The part of `base64` that is written in Python.
# Level: methods

import binascii


def _enc_data(value):
    kind = _classof(value)
    if kind is bytes:
        return value
    if kind is bytearray or kind.__name__ == "memoryview":
        return bytes(value)
    raise TypeError("a bytes-like object is required, not '" + kind.__name__ + "'")


def _enc_text(value):
    """What is decoded: bytes, or a text of ASCII characters."""
    if isinstance(value, str):
        if not value.isascii():
            raise ValueError("string argument should contain only ASCII characters")
        return value.encode()
    kind = _classof(value)
    if kind is bytes or kind is bytearray or kind.__name__ == "memoryview":
        return bytes(value)
    raise TypeError("argument should be a bytes-like object or ASCII string, not '" + kind.__name__ + "'")


def _enc_decoded(data, validate):
    made = _codec("b64decode", data, validate)
    if isinstance(made, str):
        raise binascii.Error(made)
    return made


def b64encode(s, altchars=None):
    encoded = _codec("b64encode", _enc_data(s))
    if altchars is not None:
        return encoded.translate(bytes.maketrans(b"+/", altchars))
    return encoded


def b64decode(s, altchars=None, validate=False):
    s = _enc_text(s)
    if altchars is not None:
        s = s.translate(bytes.maketrans(_enc_text(altchars), b"+/"))
    return _enc_decoded(s, validate)


def standard_b64encode(s):
    return b64encode(s)


def standard_b64decode(s):
    return b64decode(s)


def urlsafe_b64encode(s):
    return b64encode(s).translate(bytes.maketrans(b"+/", b"-_"))


def urlsafe_b64decode(s):
    return b64decode(_enc_text(s).translate(bytes.maketrans(b"-_", b"+/")))


_enc_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def b32encode(s):
    data = _enc_data(s)
    out = ""
    for at in range(0, _len(data), 5):
        part = data[at : at + 5]
        number = int.from_bytes(part + b"\0" * (5 - _len(part)), "big")
        letters = ""
        for shift in range(35, -1, -5):
            letters += _enc_LETTERS[number >> shift & 31]
        given = (_len(part) * 8 + 4) // 5
        out += letters[:given] + "=" * (8 - given)
    return out.encode()


def b32decode(s, casefold=False, map01=None):
    if map01 is not None:
        _throw("base64.b32decode with map01")
    text = _enc_text(s)
    if _len(text) % 8:
        raise binascii.Error("Incorrect padding")
    if casefold:
        text = text.upper()
    body = text.rstrip(b"=")
    padding = _len(text) - _len(body)
    number = 0
    for code in body:
        place = _enc_LETTERS.find(chr(code))
        if place < 0:
            raise binascii.Error("Non-base32 digit found")
        number = number << 5 | place
    if padding not in (0, 1, 3, 4, 6):
        raise binascii.Error("Incorrect padding")
    bits = _len(body) * 5
    return (number >> bits % 8).to_bytes(bits // 8, "big")


def b16encode(s):
    return _enc_data(s).hex().upper().encode()


def b16decode(s, casefold=False):
    text = _enc_text(s)
    if casefold:
        text = text.upper()
    for code in text:
        if chr(code) not in "0123456789ABCDEF":
            raise binascii.Error("Non-base16 digit found")
    return binascii.unhexlify(text)
