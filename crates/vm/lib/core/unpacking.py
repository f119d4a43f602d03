# Common parts of the decompressing streams of `bz2` and `lzma`.


def _begin_unpacking(self, kind, settings):
    _set_own(self, "_kind", kind)
    _set_own(self, "_settings", settings)
    # All input so far, and how many bytes it produced.
    _set_own(self, "_fed", b"")
    _set_own(self, "_given", 0)
    _set_own(self, "eof", False)
    _set_own(self, "needs_input", True)
    _set_own(self, "unused_data", b"")


def _go_on_unpacking(self, data, most, error):
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError("a bytes-like object is required, not '" + _classof(data).__name__ + "'")
    data = bytes(data)
    if self.eof:
        raise EOFError("End of stream already reached")
    whole = self._fed + data
    given = self._given
    made, taken, ended, why = _unpack(self._kind, self._settings, whole, given + most if most >= 0 else -1)
    if why is not None:
        raise error(why)
    made = made[given:]
    _set_own(self, "_given", given + _len(made))
    _set_own(self, "_fed", whole)
    if ended:
        _set_own(self, "eof", True)
        _set_own(self, "unused_data", whole[taken:])
        _set_own(self, "needs_input", False)
    else:
        _set_own(self, "needs_input", _len(made) != most)
    return made
