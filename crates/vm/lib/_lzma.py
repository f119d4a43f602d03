# Streams of `lzma`, which is walked from its source. They remember their input.
# Level: methods

import base64

FORMAT_AUTO = 0
FORMAT_XZ = 1
FORMAT_ALONE = 2
FORMAT_RAW = 3
CHECK_NONE = 0
CHECK_CRC32 = 1
CHECK_CRC64 = 4
CHECK_SHA256 = 10
CHECK_ID_MAX = 15
CHECK_UNKNOWN = 16
FILTER_DELTA = 3
FILTER_X86 = 4
FILTER_POWERPC = 5
FILTER_IA64 = 6
FILTER_ARM = 7
FILTER_ARMTHUMB = 8
FILTER_SPARC = 9
FILTER_LZMA1 = 0x4000000000000001
FILTER_LZMA2 = 33
MF_HC3 = 3
MF_HC4 = 4
MF_BT2 = 18
MF_BT3 = 19
MF_BT4 = 20
MODE_FAST = 1
MODE_NORMAL = 2
PRESET_DEFAULT = 6
PRESET_EXTREME = 0x80000000


class LZMAError(Exception):
    __module__ = "_lzma"


def is_check_supported(check_id, /):
    return check_id in (CHECK_NONE, CHECK_CRC32, CHECK_CRC64, CHECK_SHA256)


def _encode_filter_properties(filter, /):
    _throw("filters of lzma")


def _decode_filter_properties(filter_id, encoded_props, /):
    _throw("filters of lzma")


class LZMACompressor:
    __module__ = "_lzma"

    def __init__(self, format=FORMAT_XZ, check=-1, preset=None, filters=None):
        if preset is not None and filters is not None:
            raise ValueError("Cannot specify both preset and filter chain")
        if format != FORMAT_XZ and check not in (-1, CHECK_NONE):
            raise ValueError("Integrity checks are only supported by FORMAT_XZ")
        if filters is not None or format == FORMAT_RAW:
            _throw("filters of lzma")
        if format not in (FORMAT_XZ, FORMAT_ALONE):
            raise ValueError("Invalid container format: " + _str(format))
        _set_own(self, "_settings", (format, check, PRESET_DEFAULT if preset is None else preset))
        _set_own(self, "_log", [])
        _set_own(self, "_ended", False)
        # A first write checks the settings.
        _pack("lzma", self._settings, [])

    def compress(self, data, /):
        data = base64._enc_data(data)
        if self._ended:
            raise ValueError("Compressor has been flushed")
        self._log.append((data, 0))
        return _pack("lzma", self._settings, self._log)

    def flush(self):
        if self._ended:
            raise ValueError("Repeated call to flush()")
        _set_own(self, "_ended", True)
        self._log.append((b"", 4))
        return _pack("lzma", self._settings, self._log)

    def __reduce__(self):
        raise TypeError("cannot pickle '_lzma.LZMACompressor' object")


_CHECKS = {0: CHECK_NONE, 1: CHECK_CRC32, 4: CHECK_CRC64, 10: CHECK_SHA256}


class LZMADecompressor:
    __module__ = "_lzma"

    def __init__(self, format=FORMAT_AUTO, memlimit=None, filters=None):
        if filters is not None or format == FORMAT_RAW or memlimit is not None:
            _throw("filters of lzma")
        if format not in (FORMAT_AUTO, FORMAT_XZ, FORMAT_ALONE):
            raise ValueError("Invalid container format: " + _str(format))
        _begin_unpacking(self, "lzma", (format,))

    @property
    def check(self):
        fed = self._fed
        if fed[:6] == b"\xfd7zXZ\x00" and _len(fed) >= 12:
            return _CHECKS.get(fed[7], CHECK_UNKNOWN)
        return CHECK_NONE if self._settings[0] == FORMAT_ALONE or _len(fed) >= 13 else CHECK_UNKNOWN

    def decompress(self, data, max_length=-1):
        return _go_on_unpacking(self, data, max_length, LZMAError)

    def __reduce__(self):
        raise TypeError("cannot pickle '_lzma.LZMADecompressor' object")
