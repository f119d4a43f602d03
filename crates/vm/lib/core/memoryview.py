# `memoryview` of bytes and bytearrays, one byte per item.


class memoryview:
    __module__ = "builtins"
    # Whether changes apply to a stream.
    _is_live = False

    def __init__(self, object):
        kind = _classof(object)
        if kind is memoryview:
            _set_own(self, "_of", object._data())
            _set_own(self, "_places", object._places)
        elif kind is bytes or kind is bytearray:
            _set_own(self, "_of", object)
            _set_own(self, "_places", tuple(range(_len(object))))
        elif _own(object):
            _throw("a memoryview of that")
        else:
            raise TypeError("memoryview: a bytes-like object is required, not '" + kind.__name__ + "'")

    def _data(self):
        if self._of is None:
            raise ValueError("operation forbidden on released memoryview object")
        return self._of

    def _part(self, places):
        made = memoryview(self._data())
        _set_own(made, "_places", places)
        return made

    @property
    def obj(self):
        return self._data()

    @property
    def nbytes(self):
        return _len(self._places)

    @property
    def itemsize(self):
        return 1

    @property
    def ndim(self):
        return 1

    @property
    def format(self):
        return "B"

    @property
    def shape(self):
        return (_len(self._places),)

    @property
    def strides(self):
        places = self._places
        return (places[1] - places[0] if _len(places) > 1 else 1,)

    @property
    def readonly(self):
        return _classof(self._data()) is bytes and not self._is_live

    @property
    def contiguous(self):
        return self.strides == (1,)

    def __len__(self):
        self._data()
        return _len(self._places)

    def __getitem__(self, place):
        data = self._data()
        if isinstance(place, slice):
            return self._part(self._places[place])
        if not isinstance(place, int):
            raise TypeError("memoryview: invalid slice key")
        size = _len(self._places)
        if not -size <= place < size:
            raise IndexError("index out of bounds on dimension 1")
        return data[self._places[place]]

    def __delitem__(self, place):
        if _classof(self._data()) is bytes:
            raise TypeError("cannot modify read-only memory")
        raise TypeError("cannot delete memory")

    def __setitem__(self, place, value):
        data = self._data()
        if self._is_live:
            _throw("a change of the buffer of an io.BytesIO")
        if _classof(data) is bytes:
            raise TypeError("cannot modify read-only memory")
        if isinstance(place, slice):
            if _classof(value) is memoryview:
                value = value.tobytes()
            if not isinstance(value, (bytes, bytearray)):
                raise TypeError("a bytes-like object is required, not '" + _classof(value).__name__ + "'")
            places = self._places[place]
            if _len(value) != _len(places):
                raise ValueError("memoryview assignment: lvalue and rvalue have different structures")
            value = bytes(value)
            for at in range(_len(places)):
                data[places[at]] = value[at]
            return
        if not isinstance(place, int):
            raise TypeError("memoryview: invalid slice key")
        size = _len(self._places)
        if not -size <= place < size:
            raise IndexError("index out of bounds on dimension 1")
        if not isinstance(value, int):
            raise TypeError("memoryview: invalid type for format 'B'")
        if not 0 <= value < 256:
            raise ValueError("memoryview: invalid value for format 'B'")
        data[self._places[place]] = value

    def __iter__(self):
        data = self._data()
        return iter([data[at] for at in self._places])

    def __contains__(self, value):
        return value in self.tolist()

    def __eq__(self, other):
        if isinstance(other, (bytes, bytearray)) or _classof(other) is memoryview:
            return self.tobytes() == (other.tobytes() if _classof(other) is memoryview else bytes(other))
        return NotImplemented

    def __hash__(self):
        if not self.readonly:
            raise ValueError("cannot hash writable memoryview object")
        return hash(self.tobytes())

    def __bytes__(self):
        return self.tobytes()

    def __enter__(self):
        self._data()
        return self

    def __exit__(self, *exc_info):
        self.release()

    def tobytes(self, order=None):
        data = self._data()
        return bytes([data[at] for at in self._places])

    def tolist(self):
        data = self._data()
        return [data[at] for at in self._places]

    def hex(self, *args):
        return self.tobytes().hex(*args)

    def toreadonly(self):
        _throw("toreadonly of a memoryview")

    def cast(self, *args):
        _throw("cast of a memoryview")

    def release(self):
        _set_own(self, "_of", None)


def _buffer_of(data):
    """The buffer of a stream with this data."""
    made = memoryview(data)
    _set_own(made, "_is_live", True)
    return made
