# Streams of `bz2`, which is walked from its source. They remember their input.
# Level: methods

import base64


class BZ2Compressor:
    __module__ = "_bz2"

    def __init__(self, compresslevel=9, /):
        if not 1 <= compresslevel <= 9:
            raise ValueError("compresslevel must be between 1 and 9")
        _set_own(self, "_level", compresslevel)
        _set_own(self, "_log", [])
        _set_own(self, "_ended", False)

    def compress(self, data, /):
        data = base64._enc_data(data)
        if self._ended:
            raise ValueError("Compressor has been flushed")
        self._log.append((data, 0))
        return _pack("bz2", (self._level,), self._log)

    def flush(self):
        if self._ended:
            raise ValueError("Repeated call to flush()")
        _set_own(self, "_ended", True)
        self._log.append((b"", 4))
        return _pack("bz2", (self._level,), self._log)

    def __reduce__(self):
        raise TypeError("cannot pickle '_bz2.BZ2Compressor' object")


class BZ2Decompressor:
    __module__ = "_bz2"

    def __init__(self):
        _begin_unpacking(self, "bz2", ())

    def decompress(self, data, max_length=-1):
        return _go_on_unpacking(self, data, max_length, OSError)

    def __reduce__(self):
        raise TypeError("cannot pickle '_bz2.BZ2Decompressor' object")
