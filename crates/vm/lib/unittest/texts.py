# `unittest`: the machine's helpers, texts in failure messages, and unknown values.
# Level: methods

import functools
import io
import logging
import re


# -- what is outside


class _Unknown:
    """In the place of a text or a traceback that is not known: only to be handed on."""

    def __init__(self, words):
        self._ut_words = words

    def _ut_look(self, *rest):
        _throw(self._ut_words)

    __str__ = __repr__ = __eq__ = __ne__ = __hash__ = __len__ = __bool__ = __iter__ = __contains__ = _ut_look
    __getitem__ = __add__ = __radd__ = __mod__ = __rmod__ = __lt__ = __gt__ = __le__ = __ge__ = _ut_look
    __format__ = __getattr__ = _ut_look


def _unknown_text():
    """The message of a failure where it is not known."""
    return _Unknown("the message of a failed assertion")


def _traceback_text(error):
    """What a result keeps for an exception."""
    return _Unknown("the text of a traceback of a test")


def _traceback(error):
    """The third of a triple like that of `sys.exc_info()`."""
    return _Unknown("the traceback of a test")


def _ut_program_names():
    """Globals of the program."""
    return _program_names()


def _module_names(module):
    """Globals of a module that the program holds."""
    if _classof(module) is _Program:
        return _ut_program_names()
    _throw("tests of a module")


def _ut_stderr():
    return _standard_error()


def _stdout():
    _throw("the standard output of tests")


def _is_unread(stream):
    return stream is _stderr()


def _redirect(stdout, stderr):
    """Sets `sys.stdout` and `sys.stderr`."""
    _throw("tests with a buffer")


def _text_file():
    """A new `io.StringIO()`."""
    _throw("tests with a buffer")


def _write_unknown(stream, what):
    """What is not known would be written where it can be read."""
    if not isinstance(stream, io.StringIO):
        stream = getattr(stream, "stream", None)
    if not isinstance(stream, io.StringIO):
        _throw(what)
    stream._lost = what


def _compile(pattern):
    return re.compile(pattern)


def _search(pattern, text):
    """What `search` finds; the pattern is compiled."""
    return pattern.search(text)


def _hash(x):
    return hash(x)


def _mark(x, name, default):
    """An attribute of a class, a function or a bound method."""
    return getattr(x, name, default)


def _set_mark(x, name, value):
    setattr(x, name, value)


def _is_function(x):
    return _classof(x).__name__ == "function"


def _is_coroutine(x):
    return _classof(x).__name__ == "coroutine"


def _wrapped(wrapper, item):
    """`functools.wraps(item)(wrapper)`."""
    return functools.wraps(item)(wrapper)


def _ut_chain(error):
    """The cause and the context of an exception, and whether the latter is hidden."""
    return error.__cause__, error.__context__, error.__suppress_context__


def _is_group(error):
    return _classof(error).__name__ in ("ExceptionGroup", "BaseExceptionGroup")


def _shows_address(x):
    """Whether `repr(x)` has an address: of functions, and objects without a `__repr__`."""
    cls = _classof(x)
    if cls.__name__ in _ADDRESSED and cls.__module__ in ("builtins", "functools"):
        return True
    if not _own(x) or isinstance(x, (type, BaseException, list, tuple, dict, set, frozenset, str, int, float, bytes)):
        return False
    if cls.__module__ == "builtins" or cls.__module__ == "collections":
        return False
    for base in _mro(cls):
        if base is not object and (base.__module__ == "builtins" or "__repr__" in _own_names(base)):
            return False
    return True


def _dataclass_items(x):
    """Pairs of names and values that the made `__repr__` of a dataclass shows; None for other objects."""
    fields = getattr(_classof(x), "__dataclass_fields__", None)
    if fields is None or isinstance(x, type) or not hasattr(_classof(x).__repr__, "__wrapped__"):
        return None
    return [(f.name, getattr(x, f.name)) for f in fields.values() if f.repr]


# -- texts of values

_ADDRESSED = ("function", "generator", "coroutine", "async_generator", "object", "iterator", "list_iterator", "method", "partial", "builtin_function_or_method")
_LIMIT = 80


def _is_unknown(x):
    return _classof(x) is _Unknown


def _ut_join(*parts):
    """One text; unknown if a part is."""
    for part in parts:
        if _is_unknown(part):
            return part
    return "".join(parts)


def _ut_joined(separator, parts):
    for part in parts:
        if _is_unknown(part):
            return part
    return separator.join(parts)


def _ut_repr(x, outer=()):
    """`repr(x)`; unknown where it shows an address, after what it calls."""
    if _shows_address(x):
        return _unknown_text()
    kind = _classof(x)
    if kind is not list and kind is not tuple and kind is not dict and kind is not set and kind is not frozenset or not _own(x):
        return _repr(x)
    for other in outer:
        if other is x:
            _throw("the text of a container that holds itself")
    outer = (*outer, x)
    n = _len(x)
    if n == 0:
        return _repr(x)
    if kind is dict:
        parts = []
        for key, value in x.items():
            first = _ut_repr(key, outer)
            parts.append(_ut_join(first, ": ", _ut_repr(value, outer)))
        return _ut_join("{", _ut_joined(", ", parts), "}")
    inner = _ut_joined(", ", [_ut_repr(item, outer) for item in x])
    if kind is list:
        return _ut_join("[", inner, "]")
    if kind is tuple:
        return _ut_join("(", inner, ",)" if n == 1 else ")")
    if kind is set:
        return _ut_join("{", inner, "}")
    return _ut_join("frozenset({", inner, "})")


def _safe_repr(x):
    try:
        return _ut_repr(x)
    except Exception:
        return _unknown_text()


def _clipped(text, before, after):
    """Leaves out what is between the ends, if it is long enough."""
    skipped = _len(text) - before - after
    if skipped > 12:
        return text[:before] + "[" + _str(skipped) + " chars]" + text[_len(text) - after :]
    return text


def _pair(first, second):
    """Texts of two values; what they have in common is shortened if they are long."""
    first = _safe_repr(first)
    second = _safe_repr(second)
    if _is_unknown(first) or _is_unknown(second):
        return (_unknown_text(), _unknown_text())
    most = _len(first) if _len(first) >= _len(second) else _len(second)
    if most <= _LIMIT:
        return first, second
    n = 0
    while n < _len(first) and n < _len(second) and first[n] == second[n]:
        n += 1
    start = first[:n]
    room = _LIMIT - (most - n + 5 + 12)
    if room > 5:
        start = _clipped(start, 5, room)
        return start + first[n:], start + second[n:]
    start = _clipped(start, 5, 5)
    return start + _clipped(first[n:], _LIMIT - 39, 5), start + _clipped(second[n:], _LIMIT - 39, 5)


def _class_name(cls):
    return cls.__module__ + "." + cls.__qualname__


# -- calls made for a traceback


def _ut_call_text(error):
    for x in error.args:
        if _is_unknown(x) and not _has_own_text(_classof(error)):
            return
    try:
        if _text_shows_address(error):
            return
        _str(error)
    except BaseException:
        pass


def _has_own_text(cls):
    """Whether a class of the program says what the text of its exceptions is."""
    if cls.__module__ == "builtins":
        return False
    for base in _mro(cls):
        if base.__module__ == "builtins":
            return False
        if "__str__" in _own_names(base):
            return True
    return False


def _text_shows_address(error):
    """Calls what the text of a builtin exception calls, if an address in it stops the machine."""
    args = error.args
    if _has_own_text(_classof(error)) or isinstance(error, OSError) or not _own(args):
        return False
    if _len(args) > 1:
        _ut_repr(args)
        return True
    x = args[0]
    if isinstance(x, (list, tuple, dict, set, frozenset)):
        _ut_repr(x)
        return True
    return _shows_address(x) and not _has_own_text(_classof(x))


def _make_traceback(error):
    """Calls what CPython calls for the text of a traceback: texts of the exception and of those it came from."""
    if error is None:
        return
    seen = [error]
    waiting = [error]
    _ut_call_text(error)
    while _len(waiting) != 0:
        e = waiting.pop()
        found = []
        cause, context, hidden = _ut_chain(e)
        shown = None
        if e and cause is not None and not logging._is_in(cause, seen):
            shown = cause
            found.append(cause)
            seen.append(cause)
            _ut_call_text(cause)
        if e and context is not None and shown is None and not hidden and not logging._is_in(context, seen):
            found.append(context)
            seen.append(context)
            _ut_call_text(context)
        if e and _is_group(e):
            _throw("a group of exceptions in a test")
        for x in found:
            waiting.append(x)


def _info(error):
    return (_classof(error), error, _traceback(error))
