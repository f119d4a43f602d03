# `base64`, `binascii` and checksums: `_codec` computes base64 and the checksums.
# Level: methods

import base64


class Error(ValueError):
    __module__ = "binascii"


def hexlify(data, sep=None, bytes_per_sep=1):
    if sep is None:
        return base64._enc_data(data).hex().encode()
    return base64._enc_data(data).hex(sep, bytes_per_sep).encode()


b2a_hex = hexlify


def unhexlify(hexstr):
    text = base64._enc_text(hexstr)
    if _len(text) % 2:
        raise Error("Odd-length string")
    for code in text:
        if chr(code) not in "0123456789abcdefABCDEF":
            raise Error("Non-hexadecimal digit found")
    return bytes.fromhex(text.decode())


a2b_hex = unhexlify


def b2a_base64(data, *, newline=True):
    return _codec("b64encode", base64._enc_data(data)) + (b"\n" if newline else b"")


def a2b_base64(data, *, strict_mode=False):
    return base64._enc_decoded(base64._enc_text(data), strict_mode)


def crc32(data, crc=0, /):
    return _codec("crc32", base64._enc_data(data), crc & 0xFFFFFFFF)
