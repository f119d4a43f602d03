# Files in memory.


class StringIO(TextIOBase):
    __module__ = "_io"

    # An unknown text that was written. Afterwards nothing can be read.
    _lost = None

    def __init__(self, initial_value="", newline="\n"):
        self._text = "" if initial_value is None else initial_value
        self._at = 0
        self._shut = False

    def _unset(self, value):
        raise AttributeError("attribute 'closed' of '_io.StringIO' objects is not writable")

    closed = property(lambda self: self._shut, _unset)

    def _open(self):
        if self._shut:
            raise ValueError("I/O operation on closed file")
        if self._lost is not None:
            _throw(self._lost)

    def write(self, text, /):
        if self._lost is not None:
            return _len(text)
        self._open()
        if not isinstance(text, str):
            raise TypeError("string argument expected, got '" + _classof(text).__name__ + "'")
        at = self._at
        size = _len(self._text)
        if at > size:
            self._text += "\0" * (at - size)
        self._at = at + _len(text)
        self._text = self._text[:at] + text + self._text[self._at :]
        return _len(text)

    def writelines(self, lines, /):
        for line in lines:
            self.write(line)

    def isatty(self):
        self._open()
        return False

    def fileno(self):
        from io import UnsupportedOperation

        raise UnsupportedOperation("fileno")

    def getvalue(self):
        self._open()
        return self._text

    def read(self, size=-1, /):
        self._open()
        text = self._text[self._at :] if size is None or size < 0 else self._text[self._at : self._at + size]
        self._at += _len(text)
        return text

    def readline(self, size=-1, /):
        self._open()
        text = self._text
        end = self._at
        most = _len(text) if size is None or size < 0 else self._at + size
        while end < _len(text) and end < most:
            end += 1
            if text[end - 1] == "\n":
                break
        line = text[self._at : end]
        self._at = end if end > self._at else self._at
        return line

    def readlines(self, hint=-1, /):
        lines = []
        line = self.readline()
        while line != "":
            _push(lines, line)
            line = self.readline()
        return lines

    def __iter__(self):
        self._open()
        return self

    def __next__(self):
        line = self.readline()
        if line == "":
            raise StopIteration
        return line

    def seek(self, at, whence=0, /):
        self._open()
        if whence == 0:
            if at < 0:
                raise ValueError("Negative seek position " + _str(at))
            self._at = at
        elif at != 0:
            raise OSError("Can't do nonzero cur-relative seeks")
        elif whence == 2:
            self._at = _len(self._text)
        return self._at

    def tell(self):
        self._open()
        return self._at

    def truncate(self, size=None, /):
        self._open()
        size = self._at if size is None else size
        self._text = self._text[:size]
        return size

    def readable(self):
        return True

    def writable(self):
        return True

    def seekable(self):
        return True

    def flush(self):
        if self._lost is None:
            self._open()

    def close(self):
        self._shut = True

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, kind, error, traceback):
        self._shut = True
