# Level: methods
# The shim for `io.TextIOWrapper` as a base.

from io import TextIOBase


class _TextWrapper(TextIOBase):
    __module__ = "_io"

    def __init__(self, buffer, encoding=None, errors=None, newline=None, line_buffering=False, write_through=False):
        if newline is not None and not isinstance(newline, str):
            raise TypeError("TextIOWrapper() argument 'newline' must be str or None, not " + _classof(newline).__name__)
        if newline not in (None, "", "\n", "\r", "\r\n"):
            raise ValueError("illegal newline value: " + _repr(newline))
        self._buffer = buffer
        self._coding = "utf-8" if encoding is None or encoding == "locale" else encoding
        self._mistakes = "strict" if errors is None else errors
        self._ends = newline
        self._by_line = line_buffering
        self._at_once = write_through
        self._waiting = ""
        self._read = None

    def _of_buffer(self):
        if self._buffer is None:
            raise ValueError("underlying buffer has been detached")
        return self._buffer

    buffer = property(_of_buffer)
    encoding = property(lambda self: self._coding)
    errors = property(lambda self: self._mistakes)
    line_buffering = property(lambda self: self._by_line)
    write_through = property(lambda self: self._at_once)
    closed = property(lambda self: self._of_buffer().closed)
    name = property(lambda self: self._of_buffer().name)

    @property
    def newlines(self):
        _throw("the line ends of a file")

    def _open(self):
        if self.closed:
            raise ValueError("I/O operation on closed file.")

    def readable(self):
        return self._of_buffer().readable()

    def writable(self):
        return self._of_buffer().writable()

    def seekable(self):
        return self._of_buffer().seekable()

    def fileno(self):
        return self._of_buffer().fileno()

    def isatty(self):
        return self._of_buffer().isatty()

    def write(self, text, /):
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not " + _classof(text).__name__)
        self._open()
        ends = self._ends
        if self._read is not None:
            _throw("a file that is read and written")
        self._waiting += text.replace("\n", ends) if ends is not None and ends != "" and ends != "\n" else text
        has_line = self._by_line and ("\n" in text or "\r" in text)
        if self._at_once or has_line or _len(self._waiting) > 8192:
            self._pass_on()
        if has_line:
            self._buffer.flush()
        return _len(text)

    def writelines(self, lines, /):
        for line in lines:
            self.write(line)

    def _pass_on(self):
        text = self._waiting
        self._waiting = ""
        if text:
            self._buffer.write(text.encode(self._coding, self._mistakes))

    def flush(self):
        self._open()
        self._pass_on()
        self._buffer.flush()

    def detach(self):
        self.flush()
        buffer = self._of_buffer()
        self._buffer = None
        return buffer

    def close(self):
        if self._buffer is not None and not self.closed:
            try:
                self.flush()
            finally:
                self._buffer.close()

    def __del__(self):
        try:
            self.close()
        except Exception:
            pass

    def _rest(self):
        self._open()
        if self._read is None:
            self._pass_on()
            text = self._of_buffer().read().decode(self._coding, self._mistakes)
            if self._ends is None:
                text = text.replace("\r\n", "\n").replace("\r", "\n")
            elif self._ends != "\n" and "\r" in text:
                _throw("line ends of a file")
            self._read = text
        return self._read

    def read(self, size=-1, /):
        text = self._rest()
        size = _len(text) if size is None or size < 0 else size
        self._read = text[size:]
        return text[:size]

    def readline(self, size=-1, /):
        text = self._rest()
        end = text.find("\n") + 1 or _len(text)
        if size is not None and size >= 0:
            end = min(end, size)
        self._read = text[end:]
        return text[:end]

    def readlines(self, hint=-1, /):
        if hint is not None and hint > 0:
            _throw("readlines with a hint")
        return [*self]

    def __iter__(self):
        self._open()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def seek(self, *args):
        _throw("a place in a file")

    def tell(self):
        _throw("a place in a file")

    def truncate(self, size=None, /):
        _throw("a file that is cut off")

    def reconfigure(self, **options):
        _throw("a file that is reconfigured")

    def __repr__(self):
        name = getattr(self, "name", None)
        named = "" if name is None else " name=" + _repr(name)
        mode = getattr(self, "mode", None)
        named += "" if mode is None else " mode=" + _repr(mode)
        return "<_io.TextIOWrapper" + named + " encoding=" + _repr(self._coding) + ">"


_rename(_TextWrapper, "TextIOWrapper")
