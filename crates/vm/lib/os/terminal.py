# The size of the terminal if there is none.
# Level: methods


class terminal_size(_NamedTuple):
    def __new__(cls, sequence, /):
        values = _list(sequence)
        if _len(values) != 2:
            raise TypeError(f"os.terminal_size() takes a 2-sequence ({_len(values)}-sequence given)")
        return _scalar(cls, (*values,))

    def __repr__(self):
        values = _data(self)
        return "os.terminal_size(columns=" + _repr(values[0]) + ", lines=" + _repr(values[1]) + ")"


def get_terminal_size(fd=1, /):
    if not _sandboxed():
        return _unknown("the size of the terminal")
    raise PermissionError(13, "Permission denied")


_with_fields(terminal_size, ("columns", "lines"), {})
