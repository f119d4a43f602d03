# The part of `zlib` that is written in Python.
# Level: methods

import base64


def crc32(data, value=0, /):
    return _codec("crc32", base64._enc_data(data), value & 0xFFFFFFFF)


def adler32(data, value=1, /):
    return _codec("adler32", base64._enc_data(data), value & 0xFFFFFFFF)
