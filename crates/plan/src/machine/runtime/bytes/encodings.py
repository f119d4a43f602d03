# `base64`, `binascii` and checksums: `_codec` knows base64 and the sums.


class binascii__Error(ValueError):
    __module__ = "binascii"


_rename(binascii__Error, "Error")


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
        raise binascii__Error(made)
    return made


def base64__b64encode(s, altchars=None):
    encoded = _codec("b64encode", _enc_data(s))
    if altchars is not None:
        return encoded.translate(bytes.maketrans(b"+/", altchars))
    return encoded


def base64__b64decode(s, altchars=None, validate=False):
    s = _enc_text(s)
    if altchars is not None:
        s = s.translate(bytes.maketrans(_enc_text(altchars), b"+/"))
    return _enc_decoded(s, validate)


def base64__standard_b64encode(s):
    return base64__b64encode(s)


def base64__standard_b64decode(s):
    return base64__b64decode(s)


def base64__urlsafe_b64encode(s):
    return base64__b64encode(s).translate(bytes.maketrans(b"+/", b"-_"))


def base64__urlsafe_b64decode(s):
    return base64__b64decode(_enc_text(s).translate(bytes.maketrans(b"-_", b"+/")))


_enc_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def base64__b32encode(s):
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


def base64__b32decode(s, casefold=False, map01=None):
    if map01 is not None:
        _throw("base64.b32decode with map01")
    text = _enc_text(s)
    if _len(text) % 8:
        raise binascii__Error("Incorrect padding")
    if casefold:
        text = text.upper()
    body = text.rstrip(b"=")
    padding = _len(text) - _len(body)
    number = 0
    for code in body:
        place = _enc_LETTERS.find(chr(code))
        if place < 0:
            raise binascii__Error("Non-base32 digit found")
        number = number << 5 | place
    if padding not in (0, 1, 3, 4, 6):
        raise binascii__Error("Incorrect padding")
    bits = _len(body) * 5
    return (number >> bits % 8).to_bytes(bits // 8, "big")


def base64__b16encode(s):
    return _enc_data(s).hex().upper().encode()


def base64__b16decode(s, casefold=False):
    text = _enc_text(s)
    if casefold:
        text = text.upper()
    for code in text:
        if chr(code) not in "0123456789ABCDEF":
            raise binascii__Error("Non-base16 digit found")
    return binascii__unhexlify(text)


def binascii__hexlify(data, sep=None, bytes_per_sep=1):
    if sep is None:
        return _enc_data(data).hex().encode()
    return _enc_data(data).hex(sep, bytes_per_sep).encode()


binascii__b2a_hex = binascii__hexlify


def binascii__unhexlify(hexstr):
    text = _enc_text(hexstr)
    if _len(text) % 2:
        raise binascii__Error("Odd-length string")
    for code in text:
        if chr(code) not in "0123456789abcdefABCDEF":
            raise binascii__Error("Non-hexadecimal digit found")
    return bytes.fromhex(text.decode())


binascii__a2b_hex = binascii__unhexlify


def binascii__b2a_base64(data, *, newline=True):
    return _codec("b64encode", _enc_data(data)) + (b"\n" if newline else b"")


def binascii__a2b_base64(data, *, strict_mode=False):
    return _enc_decoded(_enc_text(data), strict_mode)


def binascii__crc32(data, crc=0, /):
    return _codec("crc32", _enc_data(data), crc & 0xFFFFFFFF)


def zlib__crc32(data, value=0, /):
    return _codec("crc32", _enc_data(data), value & 0xFFFFFFFF)


def zlib__adler32(data, value=1, /):
    return _codec("adler32", _enc_data(data), value & 0xFFFFFFFF)
