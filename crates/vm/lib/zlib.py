# The Python part of `zlib`: streams remember their input, `_pack` and `_unpack` process it.
# Level: methods

import base64

_ZLIB_FINISH = 4


class error(Exception):
    __module__ = "zlib"


def crc32(data, value=0, /):
    return _codec("crc32", base64._enc_data(data), value & 0xFFFFFFFF)


def adler32(data, value=1, /):
    return _codec("adler32", base64._enc_data(data), value & 0xFFFFFFFF)


def _zlib_packs(level, wbits):
    return -1 <= level <= 9 and (9 <= wbits <= 15 or -15 <= wbits <= -9 or 25 <= wbits <= 31)


def compress(data, /, level=-1, wbits=15):
    data = base64._enc_data(data)
    if not _zlib_packs(level, wbits):
        raise error("Bad compression level")
    return _pack("zlib", (level, wbits), [(data, _ZLIB_FINISH)])


def _zlib_unpacks(wbits):
    return wbits == 0 or 8 <= wbits <= 15 or -15 <= wbits <= -8 or 24 <= wbits <= 31 or 40 <= wbits <= 47


def _zlib_fails(why, what):
    if why == "2":
        raise error("Error 2 while " + what)
    raise error("Error -3 while decompressing data" + (": " + why if why else ""))


def decompress(data, /, wbits=15, bufsize=16384):
    data = base64._enc_data(data)
    if bufsize < 0:
        raise ValueError("bufsize must be non-negative")
    if not _zlib_unpacks(wbits):
        raise error("Error -2 while preparing to decompress data: inconsistent stream state")
    made, taken, ended, why = _unpack("zlib", (wbits,), data, -1)
    if why is not None:
        _zlib_fails(why, "decompressing data")
    if not ended:
        raise error("Error -5 while decompressing data: incomplete or truncated stream")
    return made


class _Compress:
    __module__ = "zlib"

    def __init__(self, level, wbits):
        _set_own(self, "_settings", (level, wbits))
        _set_own(self, "_log", [])
        _set_own(self, "_ended", False)

    def compress(self, data, /):
        data = base64._enc_data(data)
        if self._ended:
            raise error("Error -2 while compressing data: inconsistent stream state")
        self._log.append((data, 0))
        return _pack("zlib", self._settings, self._log)

    def flush(self, mode=_ZLIB_FINISH, /):
        if mode == 0:
            return b""
        if self._ended:
            raise error("Error -2 while flushing: inconsistent stream state")
        if not 0 < mode < 5:
            _throw("such a flush of zlib")
        self._log.append((b"", mode))
        if mode == _ZLIB_FINISH:
            _set_own(self, "_ended", True)
        return _pack("zlib", self._settings, self._log)

    def copy(self):
        if self._ended:
            raise ValueError("Inconsistent stream state")
        made = _Compress(*self._settings)
        made._log.extend(self._log)
        return made

    __copy__ = copy

    def __deepcopy__(self, memo, /):
        return self.copy()


_rename(_Compress, "Compress")


def compressobj(level=-1, method=8, wbits=15, memLevel=8, strategy=0, zdict=None):
    if method != 8 or not _zlib_packs(level, wbits):
        raise ValueError("Invalid initialization option")
    if memLevel != 8 or strategy != 0 or zdict is not None:
        _throw("such a stream of zlib")
    return _Compress(level, wbits)


class _Decompress:
    __module__ = "zlib"

    def __init__(self, wbits):
        _set_own(self, "_wbits", wbits)
        # The input consumed so far, and the number of bytes produced from it.
        _set_own(self, "_taken", b"")
        _set_own(self, "_given", 0)
        _set_own(self, "eof", False)
        _set_own(self, "unused_data", b"")
        _set_own(self, "unconsumed_tail", b"")

    def decompress(self, data, /, max_length=0):
        data = base64._enc_data(data)
        if max_length < 0:
            raise ValueError("max_length must be non-negative")
        if self.eof:
            _set_own(self, "unused_data", self.unused_data + data)
            _set_own(self, "unconsumed_tail", data)
            return b""
        return self._go_on(data, max_length)

    def _go_on(self, data, most):
        before = _len(self._taken)
        whole = self._taken + data
        made, taken, ended, why = _unpack("zlib", (self._wbits,), whole, self._given + most if most else -1)
        if why is not None:
            _zlib_fails(why, "decompressing data")
        taken = max(taken, before)
        made = made[self._given :]
        _set_own(self, "_taken", whole[:taken])
        _set_own(self, "_given", self._given + _len(made))
        left = whole[taken:]
        if ended:
            _set_own(self, "eof", True)
            _set_own(self, "unused_data", self.unused_data + left)
        _set_own(self, "unconsumed_tail", left)
        return made

    def flush(self, length=16384, /):
        if length <= 0:
            raise ValueError("length must be greater than zero")
        if self.eof:
            return b""
        return self._go_on(self.unconsumed_tail, 0)

    def copy(self):
        made = _Decompress(self._wbits)
        for name in ("_taken", "_given", "eof", "unused_data", "unconsumed_tail"):
            _set_own(made, name, getattr(self, name))
        return made

    __copy__ = copy

    def __deepcopy__(self, memo, /):
        return self.copy()


_rename(_Decompress, "Decompress")


def decompressobj(wbits=15, zdict=b""):
    if not _zlib_unpacks(wbits):
        raise ValueError("Invalid initialization option")
    if zdict:
        _throw("such a stream of zlib")
    return _Decompress(wbits)
