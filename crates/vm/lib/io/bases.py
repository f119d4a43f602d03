# Base classes of files: for the program's, and for files in memory.


def text_encoding(encoding, stacklevel=2, /):
    return "locale" if encoding is None else encoding


class IOBase:
    def _unset(self, value):
        raise AttributeError("attribute 'closed' of '_io._IOBase' objects is not writable")

    closed = property(lambda self: getattr(self, "__IOBase_closed", False), _unset)

    def _lacks(self, name):
        from io import UnsupportedOperation

        raise UnsupportedOperation(name)

    def _open(self):
        if self.closed:
            raise ValueError("I/O operation on closed file.")

    def readable(self):
        return False

    def writable(self):
        return False

    def seekable(self):
        return False

    def isatty(self):
        self._open()
        return False

    def fileno(self):
        self._lacks("fileno")

    def flush(self):
        self._open()

    def close(self):
        if not self.closed:
            self.flush()
            setattr(self, "__IOBase_closed", True)

    def readline(self, size=-1, /):
        size = -1 if size is None else size
        peek = getattr(self, "peek", None)
        line = b""
        while size < 0 or _len(line) < size:
            count = 1
            if peek is not None:
                ahead = peek(1)
                if not ahead:
                    break
                count = ahead.find(b"\n") + 1 or _len(ahead)
                if size >= 0:
                    count = min(count, size - _len(line))
            part = self.read(count)
            if not part:
                break
            line += part
            if line.endswith(b"\n"):
                break
        return line

    def tell(self):
        return self.seek(0, 1)

    def seek(self, place, whence=0, /):
        self._lacks("seek")

    def truncate(self, size=None, /):
        self._lacks("truncate")

    def _checkClosed(self, msg=None):
        if self.closed:
            raise ValueError("I/O operation on closed file." if msg is None else msg)

    def _checkReadable(self, msg=None):
        if not self.readable():
            self._lacks("File or stream is not readable." if msg is None else msg)

    def _checkWritable(self, msg=None):
        if not self.writable():
            self._lacks("File or stream is not writable." if msg is None else msg)

    def _checkSeekable(self, msg=None):
        if not self.seekable():
            self._lacks("File or stream is not seekable." if msg is None else msg)

    def readlines(self, hint=-1, /):
        lines = []
        for line in self:
            _push(lines, line)
        return lines

    def writelines(self, lines, /):
        self._open()
        for line in lines:
            self.write(line)

    def __iter__(self):
        self._open()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, *args):
        self.close()


class RawIOBase(IOBase):
    def read(self, size=-1, /):
        if size is None or size < 0:
            return self.readall()
        buffer = bytearray(size)
        count = self.readinto(buffer)
        return None if count is None else bytes(buffer[:count])

    def readall(self):
        data = b""
        while True:
            more = self.read(8192)
            if not more:
                return data if data or more is not None else None
            data += more

    def readinto(self, buffer, /):
        raise NotImplementedError()

    def write(self, data, /):
        raise NotImplementedError()


class BufferedIOBase(IOBase):
    def read(self, size=-1, /):
        self._lacks("read")

    def read1(self, size=-1, /):
        self._lacks("read1")

    def write(self, data, /):
        self._lacks("write")

    def detach(self):
        self._lacks("detach")

    def readinto(self, buffer, /):
        data = self.read(_len(buffer))
        buffer[: _len(data)] = data
        return _len(data)

    def readinto1(self, buffer, /):
        data = self.read1(_len(buffer))
        buffer[: _len(data)] = data
        return _len(data)


class TextIOBase(IOBase):
    encoding = None
    errors = None
    newlines = None

    def read(self, size=-1, /):
        self._lacks("read")

    def readline(self, size=-1, /):
        self._lacks("readline")

    def write(self, text, /):
        self._lacks("write")

    def detach(self):
        self._lacks("detach")


class BufferedReader(BufferedIOBase):
    __module__ = "_io"

    def __init__(self, raw, buffer_size=8192):
        if not raw.readable():
            raise OSError("File or stream is not readable.")
        if buffer_size <= 0:
            raise ValueError("buffer size must be strictly positive")
        self.raw = raw
        self._size = buffer_size
        self._ahead = b""
        self._shut = False

    def _unset(self, value):
        raise AttributeError("attribute 'closed' of '_io.BufferedReader' objects is not writable")

    closed = property(lambda self: self.raw.closed, _unset)
    name = property(lambda self: self.raw.name)
    mode = property(lambda self: self.raw.mode)

    def _fill(self):
        buffer = bytearray(self._size)
        count = self.raw.readinto(memoryview(buffer))
        if not count:
            return False
        self._ahead += bytes(buffer[:count])
        return True

    def _take(self, count):
        data = self._ahead[:count]
        self._ahead = self._ahead[count:]
        return data

    def read(self, size=-1, /):
        if size is not None and size < -1:
            raise ValueError("read length must be non-negative or -1")
        if size is None or size == -1:
            data = self._take(_len(self._ahead))
            if hasattr(self.raw, "readall"):
                more = self.raw.readall()
                return data + more if more else data
            while self._fill():
                pass
            return data + self._take(_len(self._ahead))
        while _len(self._ahead) < size and self._fill():
            pass
        return self._take(size)

    def read1(self, size=-1, /):
        size = self._size if size < 0 else size
        if size and not self._ahead:
            self._fill()
        return self._take(size)

    def peek(self, size=0, /):
        if not self._ahead:
            self._fill()
        return self._ahead

    def readline(self, size=-1, /):
        size = -1 if size is None else size
        while True:
            at = self._ahead.find(b"\n") + 1
            if at == 0 and 0 <= size <= _len(self._ahead):
                at = size
            if at:
                return self._take(at if size < 0 else min(at, size))
            if not self._fill():
                return self._take(_len(self._ahead))

    def readable(self):
        return self.raw.readable()

    def seekable(self):
        return self.raw.seekable()

    def tell(self):
        return self.raw.tell() - _len(self._ahead)

    def seek(self, place, whence=0, /):
        if whence == 1:
            place -= _len(self._ahead)
        self._ahead = b""
        return self.raw.seek(place, whence)

    def flush(self):
        self.raw.flush()

    def fileno(self):
        return self.raw.fileno()

    def isatty(self):
        return self.raw.isatty()

    def close(self):
        if self.raw is not None and not self.closed:
            self.raw.close()
