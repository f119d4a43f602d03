"""Standard output, written by `print`, by `os.write` and by files opened from its descriptor."""

# The descriptor of standard output.
_OUTPUT = 1
_write = os.write


def _write_into(raw):
    """`os.write` that treats writes to the descriptor of standard output as output."""

    def write(fd, data, /):
        return raw.write(data) if fd == _OUTPUT else _write(fd, data)

    return write


class _OutputFile(io.RawIOBase):
    """The raw file of `open(1, "w")`, below its buffers."""

    name, mode = _OUTPUT, "wb"

    def __init__(self, raw):
        self._raw = raw

    def writable(self):
        return True

    def fileno(self):
        return _OUTPUT

    def write(self, data, /):
        return self._raw.write(data)


def opens_output(source):
    """Whether a program may open the descriptor of standard output."""
    return "open" in source and ("open(1" in source or "open(fd" in source or "fileno" in source)


def _open_output_by_number(source, raw):
    """Makes `open(1, "w")` and `os.fdopen(1, "w")` write where `print` does. Returns a function that flushes such
    files after the program has ended."""
    if not opens_output(source):
        return lambda: None
    opens, made = io.open, []

    def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
        if type(file) is not int or file != _OUTPUT or type(mode) is not str or set("wa").isdisjoint(mode):
            return opens(file, mode, buffering, encoding, errors, newline, closefd, opener)
        # Its error message for its arguments.
        opens(_OUTPUT, mode, buffering, encoding, errors, newline, False).close()
        stream = _OutputFile(raw)
        if buffering != 0:
            stream = io.BufferedWriter(stream, io.DEFAULT_BUFFER_SIZE if buffering in (-1, 1) else buffering)
        if "b" not in mode:
            encoding = "utf-8" if encoding in (None, "locale") else encoding
            stream = io.TextIOWrapper(stream, encoding, errors, newline, buffering == 1)
            stream.mode = mode
        made.append(ref(stream))
        return stream

    def write_held():
        for stream in [one() for one in made]:
            try:
                if stream is not None and not stream.closed:
                    stream.flush()
            except BaseException:
                pass  # as the interpreter does

    builtins.open = io.open = open
    return write_held


class BufferedWriter(io.BytesIO):
    """Standard output. Keeps its contents when the program closes it."""

    kept = b""

    def fileno(self):
        return _OUTPUT

    def close(self):
        if not self.closed:
            self.kept = self.getvalue()
        io.BytesIO.close(self)
