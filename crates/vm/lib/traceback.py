# `traceback` and `sys.exc_info`. A running program's files cannot be read, so no lines are shown.

import sys

_TB_FILE = "<prog>"
_TB_REPEATED = 3


class _Traceback:
    __module__ = "builtins"

    def __init__(self, places):
        self._places = places
        self.tb_lineno = places[0][0]
        self.tb_lasti = None

    @property
    def tb_next(self):
        return _Traceback(self._places[1:]) if _len(self._places) > 1 else None

    @property
    def tb_frame(self):
        _throw("the frame of a traceback")


_rename(_Traceback, "traceback")


def _traceback_of(error):
    places = _places(error)
    return _Traceback(places) if _len(places) != 0 else None


class FrameSummary:
    def __init__(
        self, filename, lineno, name, *, lookup_line=True, locals=None, line=None, end_lineno=None, colno=None, end_colno=None
    ):
        self.filename = filename
        self.lineno = lineno
        self.name = name
        self.line = "" if line is None else line
        self.locals = locals and {name: repr(value) for name, value in locals.items()}
        self.end_lineno = lineno if end_lineno is None else end_lineno
        self.colno = colno
        self.end_colno = end_colno

    def __repr__(self):
        return f"<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>"

    def __iter__(self):
        return iter([self.filename, self.lineno, self.name, self.line])

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return (self.filename, self.lineno, self.name, self.line)[index]


class StackSummary(_List):
    def format(self):
        return format_list(self)


def extract_tb(tb, limit=None):
    if limit is not None:
        _throw("a limit of a traceback")
    frames = StackSummary()
    if tb is not None:
        for line, name, is_entry in tb._places:
            # For other files CPython shows the line, with markers below it.
            if not is_entry:
                _throw("the text of a traceback through another file")
            frames.append(FrameSummary(_TB_FILE, line, name))
    return frames


def extract_stack(f=None, limit=None):
    if limit is None or limit < 0:
        _throw("the stack below the program")
    frames = []
    frame = sys._getframe(0) if f is None else f
    while frame is not None and _len(frames) < limit:
        code = frame.f_code
        frames.append(FrameSummary(code.co_filename, frame.f_lineno, code.co_name))
        frame = frame.f_back if _len(frames) < limit else None
    return StackSummary(reversed(frames))


def format_list(frames):
    lines = []
    last = None
    count = 0
    for frame in frames:
        place = (frame[0], frame[1], frame[2])
        if place != last:
            if count > _TB_REPEATED:
                _push(lines, _tb_repeated(count))
            last = place
            count = 0
        count += 1
        if count <= _TB_REPEATED:
            _push(lines, f'  File "{frame[0]}", line {frame[1]}, in {frame[2]}\n')
    if count > _TB_REPEATED:
        _push(lines, _tb_repeated(count))
    return lines


def _tb_repeated(count):
    more = count - _TB_REPEATED
    return f"  [Previous line repeated {more} more time{'s' if more > 1 else ''}]\n"


def format_tb(tb, limit=None):
    return format_list(extract_tb(tb, limit))


def format_exception_only(exc, /, value=_END):
    if value is _END:
        value = exc
    if value is None:
        return ["NoneType: None\n"]
    if isinstance(value, SyntaxError):
        _throw("the text of a syntax error")
    kind = _classof(value)
    name = kind.__qualname__
    if kind.__module__ not in ("__main__", "builtins"):
        if _find(value, "__module__") is not _END and kind.__module__ != "json":
            _throw("the module of an exception")
        name = "json.decoder." + name
    text = _str(value)
    lines = [name + "\n" if text == "" else name + ": " + text + "\n"]
    for note in getattr(value, "__notes__", ()):
        for line in _str(note).split("\n"):
            _push(lines, line + "\n")
    return lines


def format_exception(exc, /, value=_END, tb=_END, limit=None, chain=True):
    if limit is not None:
        _throw("a limit of a traceback")
    if value is _END:
        value = exc
        tb = _traceback_of(value)
    if value is None:
        return format_exception_only(None)
    return _lines(value, tb, chain, [])


def _lines(error, tb, chain, seen):
    if _find(error, "subgroup") is not _END:
        _throw("the traceback of a group")
    lines = []
    seen = [*seen, error]
    if chain:
        cause = error.__cause__
        context = error.__context__
        if cause is not None and not any([cause is other for other in seen]):
            lines.extend(_lines(cause, _traceback_of(cause), True, seen))
            _push(lines, "\nThe above exception was the direct cause of the following exception:\n\n")
        elif cause is None and context is not None and not error.__suppress_context__ and not any([context is other for other in seen]):
            lines.extend(_lines(context, _traceback_of(context), True, seen))
            _push(lines, "\nDuring handling of the above exception, another exception occurred:\n\n")
    if tb is not None:
        _push(lines, "Traceback (most recent call last):\n")
        lines.extend(format_tb(tb))
    lines.extend(format_exception_only(error))
    return lines


def format_exc(limit=None, chain=True):
    error = _handled()
    if error is None:
        return "NoneType: None\n"
    return "".join(format_exception(error, error, _traceback_of(error), limit, chain))


def _tb_print(lines, file):
    file = _STDERR if file is None else file
    if file is not None:
        print("".join(lines), end="", file=file)


def print_exc(limit=None, file=None, chain=True):
    file = _STDERR if file is None else file
    if file is not None:
        _tb_print([format_exc(limit, chain)], file)


def print_exception(exc, /, value=_END, tb=_END, limit=None, file=None, chain=True):
    file = _STDERR if file is None else file
    if file is not None:
        _tb_print(format_exception(exc, value, tb, limit, chain), file)


def print_tb(tb, limit=None, file=None):
    file = _STDERR if file is None else file
    if file is not None:
        _tb_print(format_tb(tb, limit), file)


def print_stack(f=None, limit=None, file=None):
    file = _STDERR if file is None else file
    if file is not None:
        _throw("the stack as text")
