# Bytes as a file in memory.

_MOST = 9223372036854775807


def _bio_plain(value):
    """Whether a value is none of bytes for certain."""
    return value is None or isinstance(value, (str, int, float, complex, list, tuple, dict, set, frozenset, range))


def _bytes(value):
    if _classof(value) is bytes:
        return value
    if _classof(value) is bytearray:
        return bytes(value)
    if _classof(value) is memoryview:
        return value.tobytes()
    if not _bio_plain(value):
        _throw("an object in place of bytes")
    raise TypeError("a bytes-like object is required, not '" + _classof(value).__name__ + "'")


def _bio_whole(value, words):
    """The int that a value stands for; `words` are those of CPython for what stands for none."""
    if isinstance(value, int):
        return int(value)
    if not hasattr(value, "__index__"):
        raise TypeError(words.replace("{}", _classof(value).__name__))
    whole = value.__index__()
    if not isinstance(whole, int):
        raise TypeError("__index__ returned non-int (type " + _classof(whole).__name__ + ")")
    return int(whole)


def _size(value, default):
    if value is None:
        return default
    size = _bio_whole(value, "argument should be integer or None, not '{}'")
    if not -_MOST - 1 <= size <= _MOST:
        raise OverflowError("cannot fit '" + _classof(value).__name__ + "' into an index-sized integer")
    return size


def _place(value, most, name):
    place = _bio_whole(value, "'{}' object cannot be interpreted as an integer")
    if not -most - 1 <= place <= most:
        raise OverflowError("Python int too large to convert to C " + name)
    return place


class BytesIO(BufferedIOBase):
    __module__ = "_io"

    def __init__(self, initial_bytes=b""):
        self._data = b""
        self._at = 0
        self._shut = False
        if initial_bytes is not None:
            self._data = _bytes(initial_bytes)

    def _open(self):
        if self._shut:
            raise ValueError("I/O operation on closed file.")

    def _unset(self, value):
        raise AttributeError("attribute 'closed' of '_io.BytesIO' objects is not writable")

    closed = property(lambda self: self._shut, _unset)

    def __getattr__(self, name):
        title = "_io.BytesIO" if _classof(self) is BytesIO else _classof(self).__name__
        raise AttributeError("'" + title + "' object has no attribute '" + name + "'")

    def readable(self):
        self._open()
        return True

    def writable(self):
        self._open()
        return True

    def seekable(self):
        self._open()
        return True

    def close(self):
        self._shut = True
        self._data = b""

    def getvalue(self):
        self._open()
        return self._data

    def getbuffer(self):
        self._open()
        return _buffer_of(self._data)

    def fileno(self):
        from io import UnsupportedOperation

        raise UnsupportedOperation("fileno")

    def detach(self):
        _throw("io.BytesIO.detach")

    def _take(self, count):
        """The next bytes, at most `count`; all of them where that is negative."""
        at = self._at
        left = max(_len(self._data) - at, 0)
        if count < 0 or count > left:
            count = left
        self._at = at + count
        return self._data[at : at + count]

    def _line(self, most):
        """The next bytes up to the end of a line, at most so many where that is not negative."""
        count = 0
        for byte in self._data[self._at :]:
            if count == most:
                break
            count += 1
            if byte == 10:
                break
        return self._take(count)

    def read(self, size=-1, /):
        size = _size(size, -1)
        self._open()
        return self._take(size)

    def read1(self, size=-1, /):
        size = _size(size, -1)
        self._open()
        return self._take(size)

    def readline(self, size=-1, /):
        size = _size(size, -1)
        self._open()
        return self._line(size)

    def readlines(self, size=None, /):
        self._open()
        if size is None:
            size = 0
        elif not isinstance(size, int):
            raise TypeError("integer argument expected, got '" + _classof(size).__name__ + "'")
        size = _place(size, _MOST, "ssize_t")
        lines = []
        total = 0
        line = self._line(-1)
        while line:
            lines.append(line)
            total += _len(line)
            if 0 < size <= total:
                break
            line = self._line(-1)
        return lines

    def readinto(self, buffer, /):
        _throw("io.BytesIO.readinto")

    def readinto1(self, buffer, /):
        _throw("io.BytesIO.readinto1")

    def __iter__(self):
        return self

    def __next__(self):
        self._open()
        line = self._line(-1)
        if not line:
            raise StopIteration
        return line

    def write(self, b, /):
        self._open()
        new = _bytes(b)
        count = _len(new)
        if count == 0:
            return 0
        at = self._at
        size = _len(self._data)
        if at > size:
            if at - size > 16777216:
                _throw("a place far behind the end of a io.BytesIO")
            self._data += b"\0" * (at - size)
        end = at + count
        self._data = self._data + new if end >= size and at >= size else self._data[:at] + new + self._data[end:]
        self._at = end
        return count

    def seek(self, pos, whence=0, /):
        pos = _place(pos, _MOST, "ssize_t")
        whence = _place(whence, 2147483647, "int")
        self._open()
        if pos < 0 and whence == 0:
            raise ValueError("negative seek value " + _str(pos))
        if whence == 1:
            base = self._at
        elif whence == 2:
            base = _len(self._data)
        elif whence == 0:
            base = 0
        else:
            raise ValueError("invalid whence (" + _str(whence) + ", should be 0, 1 or 2)")
        if base + pos > _MOST:
            raise OverflowError("new position too large")
        self._at = max(base + pos, 0)
        return self._at

    def tell(self):
        self._open()
        return self._at

    def truncate(self, size=None, /):
        size = _size(size, self._at)
        self._open()
        if size < 0:
            raise ValueError("negative size value " + _str(size))
        self._data = self._data[:size]
        return size
