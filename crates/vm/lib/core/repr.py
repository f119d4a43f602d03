# Functions that the machine calls.

# -- text


def _system_error(error):
    """What an `OSError` of a number and a reason says."""
    text = "[Errno " + _str(error.errno) + "] " + _str(error.strerror)
    if error.filename is None:
        return text
    text += ": " + _repr(error.filename)
    return text if error.filename2 is None else text + " -> " + _repr(error.filename2)


class _Unsaid:
    """A message that nobody knows."""

    def __str__(self):
        _throw("what CPython says of a text that is no literal")

    __repr__ = __str__


def _no_literal(kind):
    raise kind(_Unsaid())


def _str(value):
    text = _text(value, False)
    if text is not _END:
        return text
    method = _find(value, "__str__")
    if method is not _END:
        return _text_by(method, "__str__")
    if isinstance(value, BaseException):
        args = value.args
        if _len(args) == 0:
            return ""
        if _len(args) == 1:
            if isinstance(value, KeyError):
                return _repr(args[0])
            return _str(args[0])
        if _len(args) == 2 and isinstance(value, OSError):
            return _system_error(value)
        if _len(args) == 2 and isinstance(value, SyntaxError):
            return BaseException.__str__(value)
        return _str(args)
    kind = _classof(value)
    if _kind(value) == "own":
        # Its `__repr__` is called like `__str__`.
        method = _find(value, "__repr__")
        if method is not _END:
            return _text_by(method, "__str__")
    if _own(value) or _kind(value) in ("sequence", "deque", "dict") or kind is set or kind is frozenset or kind.__name__ in _VIEWS:
        return _repr_of(value)
    return _ask("str", (value,), {})


def _final_run():
    # The program has ended: finalises the remaining objects with `__del__`.
    while True:
        call = _final_next()
        if call is None:
            return
        try:
            call()
        except BaseException:
            pass  # it is told on standard error


def _joined(items):
    text = ""
    for i, x in enumerate(items):
        if i != 0:
            text += ", "
        text += _repr(x)
    return text


# These functions go one call deeper for the text of a nested object if CPython does. `depth.rs`
# lists which; the others take no room.


def _repr(value):
    return _repr_of(value)


def _called_repr(value):
    return _repr(value)


def _called_format(value):
    return _str(value)


def _repr_listed(items):
    return "[" + _joined(items) + "]"


def _repr_counter(counter):
    return _repr_dict(_by_count(counter))


def _repr_of(value):
    text = _text(value, True)
    if text is not _END:
        return text
    method = _find(value, "__repr__")
    if method is not _END:
        return _text_by(method, "__repr__")
    if not _own(value) or _kind(value) == "own" or _kind(value) == "function":
        return _repr_plain(value)
    # A container that contains itself, maybe through an object whose text is the container's.
    for shown in _SHOWN:
        if shown is value:
            return _repr_again(value)
    _push(_SHOWN, value)
    try:
        return _repr_plain(value)
    finally:
        _pop(_SHOWN)


_VIEWS = ("dict_keys", "dict_values", "dict_items")

# The containers whose texts are being made.
_SHOWN = []


def _repr_again(value):
    kind = _classof(value)
    if kind is list or kind.__name__ == "deque":
        return "[...]"
    if kind is tuple:
        return "(...)"
    if kind is set or kind is frozenset:
        return kind.__name__ + "(...)"
    if isinstance(value, dict):
        if kind.__name__ == "Counter":
            return _repr_plain(value)
        return "..." if kind.__name__ == "OrderedDict" else "{...}"
    return "..."


def _repr_plain(value):
    kind = _classof(value)
    if kind is list:
        return "[" + _joined(value) + "]"
    if kind is tuple:
        if _len(value) == 1:
            return "(" + _repr(value[0]) + ",)"
        return "(" + _joined(value) + ")"
    if kind is dict:
        return _repr_dict(value)
    if kind.__module__ == "collections":
        name = kind.__name__
        if name == "deque":
            most = "" if value.maxlen is None else ", maxlen=" + _repr(value.maxlen)
            return "deque(" + _repr_listed(value) + most + ")"
        if name == "defaultdict":
            return "defaultdict(" + _repr(value.default_factory) + ", " + _repr_dict(value) + ")"
        if name == "OrderedDict":
            return "OrderedDict(" + _repr_listed(_list(value.items())) + ")"
        if name == "Counter":
            return "Counter(" + _repr_counter(value) + ")"
    if isinstance(value, BaseException):
        args = value.args
        if _len(args) == 1:
            return kind.__name__ + "(" + _repr(args[0]) + ")"
        return kind.__name__ + "(" + _repr_listed(args)[1:-1] + ")"
    if (kind is set or kind is frozenset) and _own(value):
        text = "{" + _repr_listed(value)[1:-1] + "}"
        return text if kind is set else "frozenset(" + text + ")"
    if kind.__name__ in _VIEWS:
        return kind.__name__ + "(" + _repr_listed(_list(value)) + ")"
    if _own(value):
        return _object_text(value, kind)
    return _ask("repr", (value,), {})


def _by_count(counter):
    """The counts of a `Counter`, the largest first where they have an order."""
    pairs = _list(counter.items())
    try:
        pairs = sorted(pairs, key=_second, reverse=True)
    except TypeError:
        pass
    return _dict_of(pairs)


def _second(pair):
    return pair[1]


def _repr_dict(value):
    text = ""
    for k, v in value.items():
        if text != "":
            text += ", "
        text += _repr(k) + ": " + _repr(v)
    return "{" + text + "}"


def _object_text(value, kind):
    name = kind.__name__
    if name == "method":
        return "<bound method " + value.__func__.__qualname__ + " of " + _repr(value.__self__) + ">"
    if name == "function" or name == "generator" or name == "coroutine":
        return _addressed(value, name + (" " if name == "function" else " object ") + value.__qualname__)
    if kind.__module__ == "builtins" and (name in ("object", "map", "zip", "filter", "enumerate", "reversed") or "iterator" in name):
        return _addressed(value, name + " object")
    if name == "partial":
        return _call_text("functools.partial", (value.func, *value.args), value.keywords)
    if kind.__module__ == "itertools" and (name == "count" or name == "repeat"):
        first, second = _locals_of(value)[:2]
        is_usual = second is None if name == "repeat" else second == 1 and isinstance(second, int)
        return _call_text(name, (first,) if is_usual else (first, second), {})
    if kind.__module__ == "itertools":
        return _addressed(value, "itertools." + name + " object")
    if kind.__module__ != "__main__" and not _has_source(kind.__module__):
        _throw("the address of an object in its text")
    return _addressed(value, kind.__module__ + "." + kind.__qualname__ + " object")


def _call_text(name, args, kwargs):
    """The text of what a call has made: that of the call."""
    texts = [_repr(x) for x in args] + [key + "=" + _repr(kwargs[key]) for key in kwargs]
    return name + "(" + ", ".join(texts) + ")"


def _format(value, conversion, spec):
    if conversion == 1:
        value = _str(value)
    elif conversion == 2:
        value = _repr(value)
    else:
        method = _find(value, "__format__")
        if method is not _END:
            text = method(spec)
            if not isinstance(text, str):
                raise TypeError("__format__ must return a str, not " + _type_name(text))
            return text
        if spec == "":
            return _called_format(value)
    if spec == "":
        return value
    if _own(value) and not isinstance(value, (int, float, str, complex)):
        raise TypeError("unsupported format string passed to " + _classof(value).__name__ + ".__format__")
    return _ask("format", (value, spec), {})


def _getattribute(get, other, name):
    try:
        return get(name)
    except AttributeError:
        return other(name)


def _percent(text, value):
    fields = _percent_fields(text)
    if fields is None:
        _throw("a template of its own kind")
    values = []
    spelled = []
    if _len(fields) != 0 and fields[0][0] is not None:
        given = None
        if isinstance(value, (tuple, str)) or _kind(value) == "own" and _find(value, "__getitem__") is _END:
            raise TypeError("format requires a mapping")
    elif isinstance(value, tuple):
        given = (*value,) if _own(value) else value
    else:
        given = (value,)
        if _len(fields) == 0 and (_kind(value) != "own" and isinstance(value, (dict, list)) or _find(value, "__getitem__") is not _END):
            given = ()
    at = 0
    for name, letter in fields:
        if given is None:
            v = _base(value[name])
        elif at >= _len(given):
            raise TypeError("not enough arguments for format string")
        else:
            v = _base(given[at])
        if _own(v):
            v = _percent_value(v, letter)
            if letter in "rs":
                _push(spelled, at)
        _push(values, v)
        at += 1
    text = _percent_spelled(text, spelled) % (*values,)
    if given is not None and at < _len(given):
        raise TypeError("not all arguments converted during string formatting")
    return text


def _percent_bytes(template, value):
    """`b"%d: %s" % (n, b"ab")`, as a template of text whose characters are the bytes."""
    given = value if isinstance(value, tuple) else (value,)
    text = template.decode("latin-1")
    if isinstance(value, dict) or "*" in text or "%(" in text:
        _throw("a template of bytes of its own kind")
    values = []
    letters = []
    parts = text.split("%%")
    for part in parts:
        letters.extend([letter for _, letter in _percent_fields(part.replace("%b", "%s"))])
    for letter, v in zip(letters, given):
        if letter == "s":
            if not isinstance(v, (bytes, bytearray)):
                if _find(v, "__bytes__") is not _END or _type_name(v) == "memoryview":
                    _throw("a template of bytes of its own kind")
                raise TypeError("%b requires a bytes-like object, or an object that implements __bytes__, not '" + _type_name(v) + "'")
            v = v.decode("latin-1")
        elif letter == "r" or letter == "a" or letter == "c":
            _throw("a template of bytes of its own kind")
        _push(values, v)
    if _len(given) < _len(letters):
        raise TypeError("not enough arguments for format string")
    if _len(given) > _len(letters):
        raise TypeError("not all arguments converted during bytes formatting")
    parts = [part.replace("%b", "%s") for part in parts]
    return ("%%".join(parts) % (*values,)).encode("latin-1")


def _extended(items, more):
    items.extend(more)
    return items


def _as_index(value):
    """The number that an object of the program stands for as an index; anything else is itself."""
    if _kind(value) == "own":
        method = _find(value, "__index__")
        if method is not _END:
            return _made_by(value, "__index__", int)
    return value


def _by_numbers(function, *values):
    """`hex(x)` and its like, where objects of the program say which numbers they are."""
    return function(*[_as_index(x) for x in values])


def _by_first_number(function, value, *rest):
    return function(_as_index(value), *rest)


def _by_floats(function, *values):
    """`math.sqrt(x)` and its like."""
    numbers = []
    for x in values:
        method = _find(x, "__float__") if _kind(x) == "own" else _END
        _push(numbers, _as_index(x) if method is _END else _made_by(x, "__float__", float))
    return function(*numbers)


def _slice_bound(value):
    if value is not None and not isinstance(value, int) and _find(value, "__index__") is _END:
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    return _as_index(value)


def _slice_step(value):
    step = _slice_bound(value)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    return step


def _slice_into(container, start, stop, step):
    # In CPython's order.
    step = _slice_step(step)
    start = _slice_bound(start)
    return container[start:_slice_bound(stop):step]


def _complex_of(value):
    # A text is parsed before any method is looked up.
    if isinstance(value, str):
        return complex(_data(value))
    for name in ("__complex__", "__float__", "__index__"):
        method = _find(value, name)
        if method is not _END:
            return complex(_made_by(value, name, complex if name == "__complex__" else float if name == "__float__" else int))
    raise TypeError("complex() first argument must be a string or a number, not '" + _type_name(value) + "'")


def _percent_value(value, letter):
    """What stands for an object of the program in a field."""
    if letter == "s":
        return _str(value)
    if letter == "r":
        return _repr(value)
    if letter in "eEfFgG":
        for name, kind in (("__float__", float), ("__index__", int)):
            if _find(value, name) is not _END:
                return _made_by(value, name, kind)
        raise TypeError("must be real number, not " + _type_name(value))
    if letter not in "diuxXo":
        _throw("a template of its own kind")
    whole = letter in "xXo"
    # A `TypeError` of the program only tells that it is not a number.
    for name in ("__index__",) if whole else ("__int__", "__index__", "__trunc__"):
        if _find(value, name) is not _END:
            try:
                return _made_by(value, name, int)
            except TypeError:
                break
    else:
        # Like `int` of a text, if any method makes it a number.
        if not whole and isinstance(value, str) and _find(value, "__float__") is not _END:
            return int(_data(value))
    needed = "an integer" if whole else "a real number"
    raise TypeError("%" + letter + " format: " + needed + " is required, not " + _type_name(value))


def _index_into(container, index, message):
    method = _find(index, "__index__")
    if method is _END:
        raise TypeError(message)
    return container[_as_index(index)]


def _store_into(container, index, value):
    method = _find(index, "__index__")
    if method is _END:
        raise TypeError(_classof(container).__name__ + " indices must be integers or slices, not " + _type_name(index))
    container[_as_index(index)] = value


def _print(args, sep, end):
    if sep is None:
        sep = " "
    if end is None:
        end = "\n"
    for i, x in enumerate(args):
        if i != 0:
            _write(sep)
        _write(_str(x))
    _write(end)


def _print_nowhere(args):
    # To standard error: the texts are made, but no trace has them.
    for x in args:
        _str(x)


def _join(separator, parts):
    return separator.join([x for x in parts])


def _made_of(kind, iterable, *rest, **named):
    return kind([x for x in iterable], *rest, **named)


def _made_of_list(kind, iterable):
    """`bytes(iterable)` and `bytearray(iterable)` of an object of the program."""
    if _find(iterable, "__index__") is not _END and not isinstance(iterable, str):
        count = _END
        try:
            count = _as_index(iterable)
        except TypeError:
            pass
        if count is not _END:
            if not -9223372036854775808 <= count <= 9223372036854775807:
                raise OverflowError("cannot fit '" + _type_name(iterable) + "' into an index-sized integer")
            return kind(count)
    it = _END
    try:
        it = iter(iterable)
    except TypeError:
        pass
    if it is _END:
        raise TypeError("cannot convert '" + _type_name(iterable) + "' object to " + kind.__name__)
    if kind is bytes:
        _hinted(iterable)
    items = []
    for x in _steps(it):
        n = _as_index(x)
        if not isinstance(n, int):
            raise TypeError("'" + _type_name(x) + "' object cannot be interpreted as an integer")
        if not 0 <= n <= 255:
            raise ValueError(("bytes" if kind is bytes else "byte") + " must be in range(0, 256)")
        _push(items, n)
    return kind(items)
