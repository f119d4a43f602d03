# What calls back into the program, written in Python and executed by the machine in frames that a trace
# leaves out. Operators, subscripts and iteration are those of the machine; `_ask(name, args, kwargs)` asks an
# oracle; the other names with an underscore that are not defined here are in `intrinsic` (calls/intrinsics.rs).


# Builtin classes that classes of the runtime come from.
_PROPERTY = property
_STATICMETHOD = staticmethod
_CLASSMETHOD = classmethod
_FLOAT = float
_STR = str
_INT = int
_TUPLE = tuple
_STR = str


def _all(iterable):
    return [x for x in iterable]


def _list(iterable):
    if _kind(iterable) != "own":
        return [x for x in iterable]
    items = []
    _push_all(items, iterable)
    return items


def _push_all(items, iterable):
    """Extends a list as CPython does: an object of the program is asked for its length first, to take room for it."""
    it = iter(iterable)
    if _kind(iterable) == "own":
        _hinted(iterable)
    x = _next(it)
    while x is not _END:
        _push(items, x)
        x = _next(it)


def _hinted(value):
    """What `operator.length_hint` asks; a `TypeError` of the program says nothing."""
    method = _find(value, "__len__")
    if method is not _END:
        try:
            _length_by(method)
            return
        except TypeError:
            pass
    method = _find(value, "__length_hint__")
    if method is not _END:
        try:
            n = method()
        except TypeError:
            return
        if n is not NotImplemented:
            _checked_hint(n)


def _checked_hint(n):
    if not isinstance(n, int):
        raise TypeError("__length_hint__ must be an integer, not " + _type_name(n))
    if n < 0:
        raise ValueError("__length_hint__() should return >= 0")
    return n


def _taken(iterable):
    """Items to be taken one by one: those of an iterator are not taken beforehand."""
    return iterable if _kind(iterable) == "iterator" else _list(iterable)


# -- methods that take items one by one


def _extend_list(items, name, args, kwargs):
    _push_all(items, args[0])


def _extend_deque(items, name, args, kwargs):
    put = items.append if name == "extend" else items.appendleft
    for x in _steps(iter(args[0])):
        put(x)


def _update_set(items, name, args, kwargs):
    change = items.add if name == "update" else items.discard
    for more in args:
        for x in _steps(iter(more)):
            change(x)
        if name == "difference_update":
            # Places of elements that are gone are cleared in the end.
            items.difference_update(())


def _count_into(counter, name, args, kwargs):
    if isinstance(args[0], (dict, _Mapping)):
        getattr(counter, name)(_dict_of(args[0]), **kwargs)
        return
    for x in _steps(iter(args[0])):
        counter[x] = counter.get(x, 0) + (1 if name == "update" else -1)
    if kwargs:
        getattr(counter, name)(kwargs)


def _update_dict(target, name, args, kwargs):
    _put_pairs(target, args[0])
    for key in kwargs:
        target[key] = kwargs[key]


def _tuple(iterable):
    return (*iterable,)


def _set_of(iterable):
    return {x for x in iterable}


def _dict_of(iterable):
    result = {}
    iterable = _data_of(iterable)
    keys = _find(iterable, "keys")
    if keys is not _END or isinstance(iterable, dict):
        for key in iterable.keys():
            result[key] = iterable[key]
        return result
    _put_pairs(result, iterable)
    return result


def _merged_pairs(target, pairs):
    _put_pairs(target, pairs)
    return target


def _counted_into(counter, other):
    """`counter |= other` of a dict that is no counter."""
    for x, n in other.items():
        if n > counter[x]:
            counter[x] = n
    for x in [x for x, n in counter.items() if not n > 0]:
        del counter[x]
    return counter


def _put_pairs(result, iterable):
    for i, pair in enumerate(iterable):
        items = _items(pair)
        if items is _END:
            if not _own(pair) and _kind(pair) != "iterator" and not isinstance(pair, (set, frozenset)):
                raise TypeError(f"cannot convert dictionary update sequence element #{i} to a sequence")
            items = _list(pair)
        n = _len(items)
        if n != 2:
            raise ValueError(f"dictionary update sequence element #{i} has length {n}; 2 is required")
        result[items[0]] = items[1]


def _store_slice(container, index, iterable):
    container[index] = [*iterable]


def _take(iterable, most):
    items = []
    it = iter(iterable)
    while _len(items) != most:
        x = _next(it)
        if x is _END:
            break
        _push(items, x)
    return items


def _drain(function, args, kwargs):
    args = [_listed(a) for a in args]
    return function(*args, **kwargs)


def _from_keys(items, value=None):
    made = {}
    for item in items:
        made[item] = value
    return made


def _raise_from(error, cause):
    """`raise error from cause`, where one of them is a class: that of the exception is called first."""
    if isinstance(error, type):
        error = error()
    if isinstance(cause, type) and issubclass(cause, BaseException):
        cause = cause()
    raise error from cause


def _raise_made(kind):
    raise kind()


def _listed(value):
    if _kind(value) == "iterator" or _kind(value) == "own" and (_find(value, "__iter__") is not _END or _find(value, "__getitem__") is not _END):
        return _list(value)
    return value


def _update_from(target, source):
    for key in source.keys():
        target[key] = source[key]


def _by_index(get):
    return _iterator(get)


def _iterator(get):
    i = 0
    while True:
        try:
            x = get(i)
        except (IndexError, StopIteration):
            return
        yield x
        i += 1


def _missing(mapping, key, factory):
    value = factory()
    mapping[key] = value
    return value


# -- operators of the program's classes


def _overrides(method, inherited):
    # A subclass comes first only with a method that is not its base's.
    if inherited is _END:
        return True
    return getattr(method, "__func__", method) is not getattr(inherited, "__func__", inherited)


_SEQUENCES = (str, list, tuple, bytes, bytearray)

# What the runtime's classes of sequences have: in CPython these are no operators of numbers, and come after those.
_OF_SEQUENCES = {
    "_Text.__add__", "_Text.__mul__", "_Text.__rmul__",
    "_List.__add__", "_List.__mul__", "_List.__rmul__",
    "_Tuple.__add__", "_Tuple.__mul__", "_Tuple.__rmul__",
}


def _is_own_operator(method):
    return method is not _END and getattr(getattr(method, "__func__", method), "__qualname__", "") not in _OF_SEQUENCES


def _operator_method(value, name):
    """The method of an operator that a class of the program has, or one for numbers."""
    method = _find(value, name)
    if name[-5:] == "mul__" and isinstance(value, _SEQUENCES) and not _is_own_operator(method):
        # Beside one of its own, a class has the other as an operator, too.
        return _END if method is _END or _repeats(value) else lambda times: _repeated_by_method(value, times)
    return method


def _repeated_by_method(sequence, times):
    """`sequence.__mul__(times)`"""
    if not isinstance(times, int) and _find(times, "__index__") is _END:
        raise TypeError("'" + _type_name(times) + "' object cannot be interpreted as an integer")
    return _repeated(sequence, times)


def _repeats(value):
    """Whether a value is a sequence that can be repeated: not one whose class has an operator of its own."""
    if not isinstance(value, _SEQUENCES):
        return False
    for name in ("__mul__", "__rmul__"):
        if _is_own_operator(_find(value, name)):
            return False
    return True


def _repeated(sequence, times):
    if isinstance(times, int):
        times = _data(times)
    elif _find(times, "__index__") is _END:
        raise TypeError("can't multiply sequence by non-int of type '" + _type_name(times) + "'")
    else:
        count = _made_by(times, "__index__", int)
        if not -9223372036854775808 <= count <= 9223372036854775807:
            raise OverflowError("cannot fit '" + _type_name(times) + "' into an index-sized integer")
        times = count
    return _plain_sequence(sequence) * times


def _plain_sequence(sequence):
    return sequence._data_ if _kind(sequence) == "own" and isinstance(sequence, list) else _data(sequence)


def _binary(a, b, name, symbol, inplace):
    if inplace:
        method = _operator_method(a, "__i" + name[2:])
        if method is not _END:
            value = method(b)
            if value is not NotImplemented:
                return value
    same = _classof(a) is _classof(b)
    reflected = "__r" + name[2:]
    if not same and issubclass(_classof(b), _classof(a)):
        method = _operator_method(b, reflected)
        if method is not _END and _overrides(_find(b, reflected), _find(a, reflected)):
            value = method(a)
            if value is not NotImplemented:
                return value
            same = True
    method = _operator_method(a, name)
    if method is not _END:
        value = method(b)
        if value is not NotImplemented:
            return value
    if not same:
        method = _operator_method(b, reflected)
        if method is not _END:
            value = method(a)
            if value is not NotImplemented:
                return value
    if name == "__add__" and isinstance(a, (bytes, bytearray)):
        more = _buffer(b)
        if more is not _END:
            if inplace and isinstance(a, bytearray):
                a.extend(more)
                return a
            return a + more
        raise TypeError("can't concat " + _type_name(b) + " to " + _type_name(a))
    if name == "__add__" and isinstance(a, (str, list, tuple)) and not _is_own_operator(_find(a, name)):
        kind = "str" if isinstance(a, str) else "list" if isinstance(a, list) else "tuple"
        if inplace and _type_name(a) == "list":
            _push_all(a, b)
            return a
        raise TypeError("can only concatenate " + kind + ' (not "' + _type_name(b) + '") to ' + kind)
    if name == "__mul__":
        # A list has an operator in place besides.
        if inplace and isinstance(a, list):
            (a._data_ if _kind(a) == "own" else a)[:] = _repeated(a, b)
            return a
        if _repeats(a):
            return _repeated(a, b)
        # In place, an object with a class of the program is never that of the other's repetition.
        if _repeats(b) and not (inplace and _kind(a) == "own"):
            return _repeated(b, a)
    if inplace:
        symbol = symbol + "="
    if symbol == "**":
        symbol = "** or pow()"
    raise TypeError(
        "unsupported operand type(s) for " + symbol + ": '" + _type_name(a) + "' and '" + _type_name(b) + "'"
    )


def _buffer(value):
    """The bytes of an array or of a view of bytes."""
    kind = _classof(value)
    if (kind.__module__, kind.__name__) in (("array", "array"), ("builtins", "memoryview")):
        return value.tobytes()
    return _END


_REFLECTED = {"__eq__": "__eq__", "__ne__": "__ne__", "__lt__": "__gt__", "__gt__": "__lt__", "__le__": "__ge__", "__ge__": "__le__"}


def _compare(a, b, name, symbol):
    kind = _kind(a)
    if kind == _kind(b):
        if kind == "sequence" or kind == "deque":
            return _compare_containers(a, b, name, symbol)
        if kind == "dict" and name == "__eq__":
            return _equal_dicts(a, b)
        if kind == "dict" and name == "__ne__":
            return not _equal_dicts(a, b)
    # A subclass is asked first, and nobody twice.
    tries = ((a, b, name), (b, a, _REFLECTED[name]))
    if _classof(a) is not _classof(b) and issubclass(_classof(b), _classof(a)):
        tries = (tries[1], tries[0])
    for x, y, asked in tries:
        method = _find(x, asked)
        if method is not _END:
            value = method(y)
            if value is not NotImplemented:
                return value
        elif asked == "__ne__":
            method = _find(x, "__eq__")
            if method is not _END:
                value = method(y)
                if value is not NotImplemented:
                    return not value
    if name == "__eq__":
        return a is b
    if name == "__ne__":
        return a is not b
    raise TypeError(
        "'" + symbol + "' not supported between instances of '" + _type_name(a) + "' and '" + _type_name(b) + "'"
    )


def _equal_dicts(a, b):
    # Dicts that hold objects of the program.
    keys = _list(a)
    if _len(keys) != _len(b):
        return False
    for key in keys:
        if key not in b:
            return False
        x = a[key]
        y = b[key]
        if not _identical(x, y) and not (x == y):
            return False
    if _type_name(a) == "OrderedDict" and _type_name(b) == "OrderedDict":
        return keys == _list(b)
    return True


def _compare_containers(a, b, name, symbol):
    # Lists, tuples and deques that hold objects of the program.
    if _classof(a) is not _classof(b):
        if name == "__eq__":
            return False
        if name == "__ne__":
            return True
        raise TypeError(
            "'" + symbol + "' not supported between instances of '" + _type_name(a) + "' and '" + _type_name(b) + "'"
        )
    n = _len(a)
    m = _len(b)
    if n != m:
        if name == "__eq__":
            return False
        if name == "__ne__":
            return True
    i = 0
    while i < n and i < m:
        x = a[i]
        y = b[i]
        if not _identical(x, y) and not (x == y):
            if name == "__eq__":
                return False
            if name == "__ne__":
                return True
            if name == "__lt__":
                return x < y
            if name == "__le__":
                return x <= y
            if name == "__gt__":
                return x > y
            return x >= y
        i += 1
    if name == "__eq__":
        return True
    if name == "__ne__":
        return False
    if name == "__lt__":
        return n < m
    if name == "__le__":
        return n <= m
    if name == "__gt__":
        return n > m
    return n >= m


def _contains(container, item):
    method = _find(container, "__contains__")
    if method is not _END:
        if method(item):
            return True
        return False
    if isinstance(container, type) and getattr(container, "_member_map_", None) is not None:
        if not isinstance(item, enum__Enum):
            raise TypeError("unsupported operand type(s) for 'in': '" + _type_name(item) + "' and 'EnumType'")
        return isinstance(item, container)
    if _kind(container) == "own" and _find(container, "__iter__") is _END and _find(container, "__getitem__") is _END:
        raise TypeError("argument of type '" + _classof(container).__name__ + "' is not iterable")
    it = _END
    try:
        it = iter(container)
    except TypeError:
        pass
    if it is _END:
        raise TypeError("argument of type '" + _type_name(container) + "' is not iterable")
    for x in _steps(it):
        if _identical(x, item) or x == item:
            return True
    return False


def _index_in_sequence(sequence, item, start=0, stop=None):
    length = _len(sequence)
    if start < 0:
        start = max(0, start + length)
    if stop is None or stop > length:
        stop = length
    if stop < 0:
        stop += length
    for i in range(start, stop):
        x = sequence[i]
        if _identical(x, item) or x == item:
            return i
    if isinstance(sequence, tuple):
        raise ValueError("tuple.index(x): x not in tuple")
    raise ValueError(_repr(item) + " is not in " + _classof(sequence).__name__)


def _count_in_sequence(sequence, item):
    count = 0
    for x in sequence:
        if _identical(x, item) or x == item:
            count += 1
    return count


def _remove_in_sequence(sequence, item):
    for i in range(_len(sequence)):
        x = sequence[i]
        if _identical(x, item) or x == item:
            del sequence[i]
            return
    raise ValueError("list.remove(x): x not in list" if isinstance(sequence, list) else "deque.remove(x): x not in deque")


def _truth(value):
    method = _find(value, "__bool__")
    if method is not _END:
        truth = method()
        if truth is not True and truth is not False:
            raise TypeError("__bool__ should return bool, returned " + _type_name(truth))
        return truth
    return _length_by(_find(value, "__len__")) != 0


# -- what special methods of the program return


def _length_by(method):
    n = _as_index(method())
    if not isinstance(n, int):
        raise TypeError("'" + _type_name(n) + "' object cannot be interpreted as an integer")
    if n < 0:
        raise ValueError("__len__() should return >= 0")
    if n > 9223372036854775807:
        raise OverflowError("cannot fit 'int' into an index-sized integer")
    return int(n)


def _hash_by(method):
    h = method()
    if not isinstance(h, int):
        raise TypeError("__hash__ method should return an integer")
    # As `hash` of a number that is no hash itself.
    return int(h) if -9223372036854775808 <= h <= 9223372036854775807 and h != -1 else hash(h)


def _iterator_by(method):
    it = method()
    kind = _kind(it)
    is_own = kind == "own" and _find(it, "__next__") is _END
    if is_own or kind in ("sequence", "deque", "dict", "function") or it is None or isinstance(it, (int, float, str, set, frozenset, range)):
        raise TypeError("iter() returned non-iterator of type '" + _type_name(it) + "'")
    return it


def _text_by(method, name):
    text = method()
    if not isinstance(text, str):
        raise TypeError(name + " returned non-string (type " + _type_name(text) + ")")
    return text


def _made_by(value, name, kind):
    """What a special method of an object makes, which must be of a type."""
    made = _find(value, name)()
    if not isinstance(made, kind):
        name = _type_name(value) + "." + name if kind is float else name
        wanted = "Integral" if name == "__trunc__" else kind.__name__
        raise TypeError(name + " returned non-" + wanted + " (type " + _type_name(made) + ")")
    return int(made) if made is True or made is False else made


def _converted(kind, value):
    """`int(x)`, `float(x)` and `bytes(x)` of an object of the program."""
    names = ("__bytes__",) if kind is bytes else ("__float__", "__index__") if kind is float else ("__int__", "__index__", "__trunc__")
    for name in names:
        if _find(value, name) is not _END:
            made = _made_by(value, name, kind if name in ("__bytes__", "__float__") else int)
            return float(made) if kind is float else made


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
    if _own(value) or _kind(value) in ("sequence", "deque", "dict") or kind is set or kind is frozenset or kind.__name__ in _VIEWS:
        return _repr_of(value)
    return _ask("str", (value,), {})


def _final_run():
    # The program has ended: what is left of the objects with `__del__`.
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


# Where CPython goes one deeper for the text of an object within another, so do these functions; `depth.rs` says
# which, and the others take no room.


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
    # A container that holds itself, maybe by an object whose text is that of the container.
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
    if kind.__module__ != "__main__":
        _throw("the address of an object in its text")
    return _addressed(value, "__main__." + kind.__qualname__ + " object")


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


def _slice_into(container, start, stop, step):
    # In CPython's order.
    step = _slice_bound(step)
    start = _slice_bound(start)
    return container[start:_slice_bound(stop):step]


def _complex_of(value):
    # A text is read before any method is looked for.
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
    # A `TypeError` of the program says no more than that it is no number.
    for name in ("__index__",) if whole else ("__int__", "__index__", "__trunc__"):
        if _find(value, name) is not _END:
            try:
                return _made_by(value, name, int)
            except TypeError:
                break
    else:
        # As `int` of a text, where anything makes it a number.
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


# -- functions that call back


def map(function, *iterables):
    if _len(iterables) == 0:
        raise TypeError("map() must have at least two arguments.")
    return _map(function, [iter(x) for x in iterables])


def _steps(it):
    """An iterator to loop over: `__iter__` of one of the program is not called once more."""
    return _stepped(it) if _kind(it) == "own" else it


def _stepped(it):
    while (x := _next(it)) is not _END:
        yield x


def _map(function, its):
    if _len(its) == 1:
        for x in _steps(its[0]):
            yield function(x)
        return
    while True:
        row = []
        for it in its:
            x = _next(it)
            if x is _END:
                return
            _push(row, x)
        yield function(*row)


def filter(function, iterable):
    return _filter(function, iter(iterable))


def _filter(function, it):
    for x in _steps(it):
        if function is None:
            if x:
                yield x
        elif function(x):
            yield x


def zip(*iterables, strict=False):
    return _zip([iter(x) for x in iterables], strict)


def _zip(its, strict):
    if _len(its) == 0:
        return
    while True:
        row = []
        for it in its:
            x = _next(it)
            if x is _END:
                if strict:
                    n = _len(row)
                    if n != 0:
                        raise ValueError(f"zip() argument {n + 1} is shorter than argument{'s 1-' if n > 1 else ' '}{n}")
                    for i, other in enumerate(its):
                        if i != 0 and _next(other) is not _END:
                            raise ValueError(f"zip() argument {i + 1} is longer than argument{'s 1-' if i > 1 else ' '}{i}")
                return
            _push(row, x)
        yield (*row,)


def enumerate(iterable=_END, start=0):
    if iterable is _END:
        raise TypeError("enumerate() missing required argument 'iterable'")
    if not isinstance(start, int) and _find(start, "__index__") is _END:
        raise TypeError("'" + _type_name(start) + "' object cannot be interpreted as an integer")
    return _enumerate(iter(iterable), int(start) if isinstance(start, bool) else start)


def _enumerate(it, i):
    for x in _steps(it):
        yield (i, x)
        i += 1


def reversed(sequence):
    method = _find(sequence, "__reversed__")
    if method is not _END:
        return method()
    it = _reverse_iter(sequence)
    if it is not _END:
        return it
    if _find(sequence, "__len__") is not _END and _find(sequence, "__getitem__") is not _END:
        return _reversed(sequence, _find(sequence, "__len__")())
    if _find(sequence, "__getitem__") is not _END:
        raise TypeError("object of type '" + _type_name(sequence) + "' has no len()")
    raise TypeError("'" + _type_name(sequence) + "' object is not reversible")


def _reversed(sequence, n):
    while n > 0:
        try:
            x = sequence[n - 1]
        except (IndexError, StopIteration):
            return
        n -= 1
        yield x


def _iter_until(function, end):
    return _callable_iterator(function, end)


def _callable_iterator(function, end):
    while True:
        try:
            x = function()
        except StopIteration:
            return
        if x == end:
            return
        yield x


def any(iterable):
    for x in iterable:
        if x:
            return True
    return False


def all(iterable):
    for x in iterable:
        if not x:
            return False
    return True


def sum(iterable, /, start=0):
    items, start = _until_own(iterable, start)
    if items is _END:
        return start
    return _ask("sum", (items, start), {})


def _until_own(iterable, start):
    # The items and the start of a sum; with an item of the program nothing is left to be added: (_END, the sum).
    it = _steps(iter(iterable))
    items = []
    for x in it:
        if _own(x) or _own(start):
            # What was before it holds nothing of the program.
            for item in items:
                start = start + item
            start = start + x
            for x in it:
                start = start + x
            return (_END, start)
        _push(items, x)
    return (items, start)


def _extreme(name, args, key, default, has_default):
    it = iter(args[0] if _len(args) == 1 else args)
    best = _next(it)
    if best is _END:
        if has_default:
            return default
        raise ValueError(name + "() arg is an empty sequence")
    least = best if key is None else key(best)
    for x in _steps(it):
        k = x if key is None else key(x)
        if k > least if name == "max" else k < least:
            best = x
            least = k
    return best


def min(*args, key=None, default=_END):
    return _extreme("min", args, key, default, default is not _END)


def max(*args, key=None, default=_END):
    return _extreme("max", args, key, default, default is not _END)


def sorted(iterable, /, *, key=None, reverse=False):
    items = _unordered(iterable)
    if items is _END:
        return _sorted(_list(iterable), key, reverse)
    if key is not None and _kind(key) != "other":
        # What the program calls shows the order of the set.
        _guess_order(iterable)
        return _sorted(items, key, reverse)
    try:
        items = _sorted(items, key, reverse)
    except TypeError:
        # Which two are compared first, the message says.
        _guess_order(iterable)
        raise
    keys = items if key is None else [key(x) for x in items]
    i = 1
    while i < _len(keys):
        if keys[i - 1] == keys[i]:
            # Equal ones stay as they stood.
            _guess_order(iterable)
            break
        i += 1
    return items


def _sorted(items, key, reverse):
    if key is None:
        keys = items
    else:
        keys = [key(x) for x in items]
    return _sorted_by(items, keys, reverse)


def _sorted_by(items, keys, reverse):
    for k in keys:
        if _own(k) or _kind(k) == "own":
            return _timsort(items, keys, reverse)
    return _sort_by(items, keys, reverse)


def _sort(items, *, key=None, reverse=False):
    # What runs in between sees an empty list.
    result = [*items]
    items[:] = []
    try:
        result = _sorted(result, key, reverse)
    finally:
        changed = _len(items) > 0
        items[:] = result
    if changed:
        raise ValueError("list modified during sort")


def _timsort(items, keys, reverse):
    # What CPython's list.sort does below 64 items: one run, then binary insertion.
    n = _len(items)
    if n >= 64:
        _throw("sorting that many objects")
    if n < 2:
        return items
    order = []
    i = 0
    while i < n:
        _push(order, i)
        i += 1
    if reverse:
        order = order[::-1]
    descending = False
    run = 2
    if keys[order[1]] < keys[order[0]]:
        descending = True
        while run < n and keys[order[run]] < keys[order[run - 1]]:
            run += 1
    else:
        while run < n and not (keys[order[run]] < keys[order[run - 1]]):
            run += 1
    if descending:
        order = [*order[:run][::-1], *order[run:]]
    while run < n:
        pivot = order[run]
        left = 0
        right = run
        while left < right:
            middle = (left + right) // 2
            if keys[pivot] < keys[order[middle]]:
                right = middle
            else:
                left = middle + 1
        order = [*order[:left], pivot, *order[left:run], *order[run + 1 :]]
        run += 1
    if reverse:
        order = order[::-1]
    return [items[i] for i in order]


def _anext(agen, error=None, sent=None):
    # What an asynchronous generator waits for goes on to the event loop.
    while True:
        ended = False
        try:
            value = agen.send(sent) if error is None else agen.throw(error)
        except StopIteration:
            ended = True
        if ended:
            raise StopAsyncIteration
        inner = _unwrapped(value)
        if inner is not _END:
            return inner
        error = None
        try:
            sent = yield value
        except BaseException as e:
            error = e


class _Awaiting:
    def __init__(self, agen, error=None, sent=None):
        self.agen = agen
        self.error = error
        self.sent = sent

    def __await__(self):
        return _anext(self.agen, self.error, self.sent)


def _agen_next(agen):
    return _Awaiting(agen)


def _agen_send(agen, value):
    return _Awaiting(agen, None, value)


class _AgenClosing:
    def __init__(self, agen):
        self.agen = agen

    def __await__(self):
        try:
            yield from _anext(self.agen, GeneratorExit())
        except (StopAsyncIteration, GeneratorExit):
            return
        raise RuntimeError("async generator ignored GeneratorExit")


def _coroutine_wrapper(coro):
    # `coro.__await__()`
    error = None
    while True:
        try:
            waits = coro.send(None) if error is None else coro.throw(error)
        except StopIteration as e:
            return e.value
        error = None
        try:
            yield waits
        except BaseException as e:
            error = e


class _AsyncGeneratorContextManager:
    def __init__(self, gen):
        self.gen = gen

    async def __aenter__(self):
        return await _Awaiting(self.gen)

    async def __aexit__(self, kind, error, traceback):
        if kind is not None:
            try:
                await _Awaiting(self.gen, error)
            except StopAsyncIteration as e:
                return e is not error
            except BaseException as e:
                if e is not error:
                    raise
                return False
            raise RuntimeError("generator didn't stop after athrow()")
        ended = False
        try:
            await _Awaiting(self.gen)
        except StopAsyncIteration:
            ended = True
        if not ended:
            raise RuntimeError("generator didn't stop")
        return False


def contextlib__asynccontextmanager(function):
    def helper(*args, **kwargs):
        return _AsyncGeneratorContextManager(function(*args, **kwargs))

    helper.__name__ = function.__name__
    helper.__doc__ = function.__doc__
    return helper


functools__WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
functools__WRAPPER_UPDATES = ("__dict__",)


def functools__reduce(function, sequence, initial=_END, /):
    it = iter(sequence)
    if initial is _END:
        initial = _next(it)
        if initial is _END:
            raise TypeError("reduce() of empty iterable with no initial value")
    for x in _steps(it):
        initial = function(initial, x)
    return initial


def functools__lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _cached(maxsize, 128)

    def decorate(function):
        return _cached(function, maxsize, typed)

    return decorate


def functools__cache(function):
    return _cached(function, None)


_CACHED_KEYWORDS = "\0keywords"


def _cached(function, most, typed=False):
    known = {}
    hits = 0
    misses = 0

    def cached(*args, **kwargs):
        nonlocal hits, misses
        # Keywords count in their order, behind a mark.
        asked = (*args, _CACHED_KEYWORDS, *kwargs.items()) if kwargs else args
        if typed:
            asked = (*asked, *[_classof(x) for x in args], *[_classof(x) for x in kwargs.values()])
        if asked in known:
            hits += 1
            value = known[asked]
            if most is not None:
                del known[asked]
                known[asked] = value
            return value
        misses += 1
        value = function(*args, **kwargs)
        if most is None or most > 0:
            if most is not None and asked not in known and _len(_items(known)) >= most:
                del known[_items(known)[0]]
            known[asked] = value
        return value

    def cache_clear():
        nonlocal known, hits, misses
        known = {}
        hits = 0
        misses = 0

    def cache_info():
        return collections__namedtuple("CacheInfo", ["hits", "misses", "maxsize", "currsize"])(hits, misses, most, _len(_items(known)))

    cached.cache_clear = cache_clear
    cached.cache_parameters = lambda: {"maxsize": most, "typed": typed}
    cached.cache_info = cache_info
    cached.__name__ = function.__name__
    cached.__doc__ = function.__doc__
    cached.__annotations__ = getattr(function, "__annotations__", {})
    cached.__wrapped__ = function
    return cached


_WRAPPED = ("__module__", "__name__", "__qualname__", "__doc__")


def functools__update_wrapper(wrapper, wrapped, assigned=_WRAPPED, updated=("__dict__",)):
    for name in assigned:
        value = getattr(wrapped, name, _END)
        if value is not _END:
            setattr(wrapper, name, value)
    if "__dict__" in updated:
        _wraps_attributes(wrapper, wrapped)
    wrapper.__wrapped__ = wrapped
    return wrapper


def _wraps_attributes(wrapper, wrapped):
    # What the program has given to a function.
    for name in _own_names(wrapped) if _kind(wrapped) == "function" else ():
        if name[:2] != "__":
            setattr(wrapper, name, getattr(wrapped, name))


def functools__wraps(wrapped, *rest, **named):
    def decorate(wrapper):
        wrapper.__name__ = wrapped.__name__
        for name in ("__qualname__", "__annotations__"):
            value = getattr(wrapped, name, _END)
            if value is not _END:
                setattr(wrapper, name, value)
        wrapper.__doc__ = wrapped.__doc__
        _wraps_attributes(wrapper, wrapped)
        wrapper.__wrapped__ = wrapped
        return wrapper

    return decorate


class _Property(_PROPERTY):
    """What classes of the program come from in place of `property`."""

    __module__ = "builtins"

    def __init__(self, fget=None, fset=None, fdel=None, doc=None):
        _set_base(self, property(fget, fset, fdel, doc))

    @property
    def fget(self):
        return _data(self).fget

    @property
    def fset(self):
        return _data(self).fset

    @property
    def fdel(self):
        return _data(self).fdel

    def __get__(self, obj, cls=None):
        if obj is None:
            return self
        get = _data(self).fget
        if get is None:
            _throw("a property without a getter")
        return get(obj)

    def __set__(self, obj, value):
        put = _data(self).fset
        if put is None:
            _throw("a property without a setter")
        put(obj, value)

    def __delete__(self, obj):
        delete = _data(self).fdel
        if delete is None:
            _throw("a property without a deleter")
        delete(obj)

    def getter(self, fget):
        return _classof(self)(fget, self.fset, self.fdel)

    def setter(self, fset):
        return _classof(self)(self.fget, fset, self.fdel)

    def deleter(self, fdel):
        return _classof(self)(self.fget, self.fset, fdel)


class _StaticMethod(_STATICMETHOD):
    __module__ = "builtins"

    def __init__(self, function):
        _set_base(self, function)

    @property
    def __func__(self):
        return _data(self)

    def __get__(self, obj, cls=None):
        return _data(self)

    def __call__(self, *args, **kwargs):
        return _data(self)(*args, **kwargs)


class _ClassMethod(_CLASSMETHOD):
    __module__ = "builtins"

    def __init__(self, function):
        _set_base(self, function)

    @property
    def __func__(self):
        return _data(self)

    def __get__(self, obj, cls=None):
        return _bound_to(_data(self), _classof(obj) if cls is None else cls)


def _getattr_or(value, name, default):
    try:
        return getattr(value, name)
    except AttributeError:
        return default


def _hasattr(value, name):
    try:
        getattr(value, name)
    except AttributeError:
        return False
    return True


def _has_of_protocol(value, protocol, name):
    if not _hasattr(value, name):
        return False
    return not callable(getattr(protocol, name, None)) or getattr(value, name) is not None


class _Code:
    __module__ = "builtins"

    def __init__(self, *parts):
        (
            self.co_name,
            self.co_qualname,
            self.co_argcount,
            self.co_posonlyargcount,
            self.co_kwonlyargcount,
            self.co_firstlineno,
            self.co_varnames,
            self.co_names,
            self.co_cellvars,
            self.co_freevars,
            self._flags,
        ) = parts
        self.co_nlocals = _len(self.co_varnames)

    def __getattr__(self, name):
        _throw(name + " of code")


_rename(_Code, "code")


def _cached_property(function, instance, name):
    if _len(_SLEEPERS) != 0:
        return _thr_cached(function, instance, name)
    value = function(instance)
    _set_own(instance, name, value)
    return value


_ABSTRACT_NAMES = (
    "Container Hashable Iterable Iterator Reversible Generator Sized Callable Collection Sequence MutableSequence Set MutableSet Mapping "
    "MutableMapping Number Complex Real Rational Integral"
).split()


class functools__partialmethod:
    __module__ = "functools"

    def __init__(self, func, /, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __get__(self, instance, owner=None):
        if instance is None or not callable(self.func):
            _throw("functools.partialmethod of that")

        def bound(*args, **keywords):
            return self.func(instance, *self.args, *args, **{**self.keywords, **keywords})

        return bound


_rename(functools__partialmethod, "partialmethod")


def functools__singledispatch(function):
    registry = {object: function}

    abstract = []

    def dispatch(cls):
        bases = list(_mro(cls))
        for at in range(_len(bases)):
            base = bases[at]
            if base in registry:
                return registry[base]
            # Abstract classes stand behind the last class that they are true of.
            found = [kind for kind in abstract if issubclass(base, kind) and not any([issubclass(later, kind) for later in bases[at + 1 :]])]
            for kind in found:
                if all([issubclass(kind, other) for other in found]):
                    return registry[kind]
            if _len(found) != 0:
                _throw("functools.singledispatch of two abstract classes")
        return function

    def add(cls, implementation):
        module = getattr(cls, "__module__", "")
        if module != "__main__" and cls.__name__ in _ABSTRACT_NAMES:
            if cls not in abstract:
                abstract.append(cls)
        elif module not in ("builtins", "__main__", "datetime", "decimal", "fractions", "collections", "enum"):
            _throw("functools.singledispatch of " + cls.__name__)
        registry[cls] = implementation
        return implementation

    def register(cls, func=None):
        if func is not None:
            return add(cls, func)
        if isinstance(cls, type):
            return lambda implementation: add(cls, implementation)
        kinds = getattr(cls, "__annotations__", {})
        for name in kinds:
            kind = kinds[name]
            if name == "return" or not isinstance(kind, type):
                _throw("functools.singledispatch without a class")
            return add(kind, cls)
        raise TypeError(
            f"Invalid first argument to `register()`: {_repr(cls)}. Use either `@register(some_class)` or plain "
            "`@register` on an annotated function."
        )

    @functools__wraps(function)
    def wrapper(*args, **kwargs):
        if _len(args) == 0:
            raise TypeError(function.__name__ + " requires at least 1 positional argument")
        return dispatch(_classof(args[0]))(*args, **kwargs)

    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = registry
    return wrapper


def functools__total_ordering(cls):
    if not _has(cls, "__gt__"):
        cls.__gt__ = _total_gt
    if not _has(cls, "__le__"):
        cls.__le__ = _total_le
    if not _has(cls, "__ge__"):
        cls.__ge__ = _total_ge
    if not _has(cls, "__lt__"):
        _throw("total_ordering without __lt__")
    return cls


def _has(cls, name):
    return _kind(getattr(cls, name, None)) == "function"


def _total_gt(self, other):
    return not (self < other) and self != other


def _total_le(self, other):
    return self < other or self == other


def _total_ge(self, other):
    return not (self < other)


class _Key:
    def __init__(self, compare, value):
        self.compare = compare
        self.value = value

    def __lt__(self, other):
        return self.compare(self.value, other.value) < 0

    def __gt__(self, other):
        return self.compare(self.value, other.value) > 0

    def __eq__(self, other):
        return self.compare(self.value, other.value) == 0

    def __le__(self, other):
        return self.compare(self.value, other.value) <= 0

    def __ge__(self, other):
        return self.compare(self.value, other.value) >= 0


def functools__cmp_to_key(compare):
    def key(value):
        return _Key(compare, value)

    return key


def abc__abstractmethod(function):
    function.__isabstractmethod__ = True
    return function


class abc__abstractproperty:
    def __new__(cls, getter, *rest):
        return property(abc__abstractmethod(getter), *rest)


class abc__abstractclassmethod:
    def __new__(cls, function):
        return classmethod(abc__abstractmethod(function))


class abc__abstractstaticmethod:
    def __new__(cls, function):
        return staticmethod(abc__abstractmethod(function))


def _after_slash(path):
    i = 0
    for at, c in enumerate(path):
        if c == "/":
            i = at + 1
    return i


def os__path__split(path):
    i = _after_slash(path)
    head = path[:i]
    n = i
    while n > 0 and head[n - 1] == "/":
        n -= 1
    return (head[:n] if n > 0 else head, path[i:])


def os__path__basename(path):
    return path[_after_slash(path):]


def os__path__dirname(path):
    return os__path__split(path)[0]


def os__path__normpath(path):
    if path == "":
        return "."
    root = path[: len(path) - len(path.lstrip("/"))]
    root = root if root == "//" else root[:1]
    parts = []
    for part in path.split("/"):
        if part == "" or part == ".":
            continue
        if part != ".." or (root == "" and _len(parts) == 0) or (_len(parts) != 0 and parts[-1] == ".."):
            _push(parts, part)
        elif _len(parts) != 0:
            parts.pop()
    return root + "/".join(parts) or "."


def os__path__abspath(path):
    # The program runs in the root directory.
    return os__path__normpath(os__path__join("/", path))


def os__path__isabs(path):
    return path[:1] == "/"


def os__path__splitext(path):
    i = _after_slash(path)
    dot = -1
    named = False
    for at, c in enumerate(path):
        if at < i:
            continue
        if c == "." and named:
            dot = at
        elif c != ".":
            named = True
    return (path, "") if dot < 0 else (path[:dot], path[dot:])


def os__path__join(path, *parts):
    for part in parts:
        if part[:1] == "/":
            path = part
        elif path == "" or path[-1:] == "/":
            path += part
        else:
            path += "/" + part
    return path


class _Implementation:
    """What of the interpreter is the same for all of CPython 3.11."""

    __module__ = "types"
    name = "cpython"
    cache_tag = "cpython-311"

    def __getattr__(self, name):
        _throw("sys.implementation." + name)

    def __repr__(self):
        _throw("the text of sys.implementation")


_rename(_Implementation, "SimpleNamespace")
sys__implementation = _Implementation()


def platform__python_implementation():
    return "CPython"


def platform__system():
    return "Linux"


typing__TYPE_CHECKING = False


class typing__NewType:
    __module__ = "typing"

    def __init__(self, name, tp):
        self.__name__ = name
        self.__supertype__ = tp

    def __call__(self, x, /):
        return x

    def __repr__(self):
        return "__main__." + self.__name__


_rename(typing__NewType, "NewType")


class functools__singledispatchmethod:
    __module__ = "functools"

    def __init__(self, func):
        if not callable(func):
            _throw("functools.singledispatchmethod of a descriptor")
        self.dispatcher = functools__singledispatch(func)
        self.func = func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, method)

    def __get__(self, instance, owner=None):
        def bound(*args, **keywords):
            method = self.dispatcher.dispatch(_classof(args[0]))
            if instance is None or not callable(method):
                _throw("functools.singledispatchmethod of that")
            return method(instance, *args, **keywords)

        return bound


_rename(functools__singledispatchmethod, "singledispatchmethod")


def typing__runtime_checkable(cls):
    _set_own(cls, "_is_runtime_protocol", True)
    return cls


def typing__cast(kind, value):
    return value


def typing__overload(function):
    return function


def copy__copy(value):
    if _kind(value) == "own":
        method = _find(value, "__copy__")
        if method is not _END:
            return method()
        if _find(value, "__getattribute__") is not _END:
            _throw("a copy beside __getattribute__")
        if _find(value, "__getattr__") is _END or not _copies_plainly(value):
            return _copied(value)
        if getattr(_classof(value), "__slots__", None) is not None:
            _throw("a copy of slots beside __getattr__")
        return _with_state(_instance(_classof(value)), value.__dict__)
    return _ask("copy.copy", (value,), {})


def _by_getattr(value, name):
    """A method that the class lacks, where its `__getattr__` gives one."""
    if _find(value, "__getattr__") is _END:
        return _END
    try:
        return getattr(value, name)
    except AttributeError:
        return _END


def _with_state(made, state):
    if _len(state) != 0:
        # It is looked up once more when it is there.
        if _by_getattr(made, "__setstate__") is not _END:
            made.__setstate__(state)
            return made
    for name, value in [*state.items()]:
        _set_own(made, name, value)
    return made


# For each deep copy under way the objects that were copied, with their copies.
_DEEP = []


def _deepcopy(x, memo=None):
    top = memo is None or _len(_DEEP) == 0
    if top:
        _push(_DEEP, [])
    try:
        return _deep_part(x, {} if memo is None else memo)
    finally:
        if top:
            _pop(_DEEP)


def _deep_part(x, memo):
    pairs = _DEEP[-1]
    for known, made in pairs:
        if known is x:
            return made
    kind = _classof(x)
    method = _END
    if _kind(x) == "own":
        method = _find(x, "__deepcopy__")
        if method is _END and _find(x, "__getattribute__") is not _END:
            _throw("a copy beside __getattribute__")
        if method is _END:
            method = _by_getattr(x, "__deepcopy__")
    if method is not _END and method is not None:
        made = method(memo)
        if made is not x:
            _push(pairs, (x, made))
    elif _kind(x) == "own" and _copies_plainly(x):
        made = _instance(kind)
        _push(pairs, (x, made))
        state = {name: _deep_part(value, memo) for name, value in [*x.__dict__.items()]}
        _with_state(made, state)
    elif kind is list:
        made = []
        _push(pairs, (x, made))
        for item in x:
            _push(made, _deep_part(item, memo))
    elif kind is dict:
        made = {}
        _push(pairs, (x, made))
        for key, value in x.items():
            made[_deep_part(key, memo)] = _deep_part(value, memo)
    elif kind is tuple or kind is set:
        items = [_deep_part(item, memo) for item in x]
        same = kind is tuple and all([items[i] is item for i, item in enumerate(x)])
        made = x if same else kind(items)
        _push(pairs, (x, made))
    else:
        return _copied_deeply(x)
    return made


def operator__length_hint(obj, default=0, /):
    if not isinstance(default, int):
        raise TypeError("'" + _type_name(default) + "' object cannot be interpreted as an integer")
    if hasattr(obj, "__len__"):
        return len(obj)
    hint = getattr(obj, "__length_hint__", _END)
    if hint is _END:
        return default
    n = hint()
    return default if n is NotImplemented else _checked_hint(n)


class operator__itemgetter:
    __module__ = "operator"

    def __init__(self, *keys):
        if _len(keys) == 0:
            raise TypeError("itemgetter expected 1 argument, got 0")
        self._keys = keys

    def __call__(self, value, /):
        keys = self._keys
        if _len(keys) == 1:
            return value[keys[0]]
        return (*[value[k] for k in keys],)

    def __repr__(self):
        return _call_text("operator.itemgetter", self._keys, {})


_rename(operator__itemgetter, "itemgetter")


class operator__methodcaller:
    __module__ = "operator"

    def __init__(self, name, /, *args, **kwargs):
        if not isinstance(name, str):
            raise TypeError("method name must be a string")
        self._call = name, args, kwargs

    def __call__(self, obj):
        name, args, kwargs = self._call
        return getattr(obj, name)(*args, **kwargs)

    def __repr__(self):
        name, args, kwargs = self._call
        return _call_text("operator.methodcaller", (name, *args), kwargs)


_rename(operator__methodcaller, "methodcaller")


class operator__attrgetter:
    __module__ = "operator"

    def __init__(self, *names):
        if _len(names) == 0:
            raise TypeError("attrgetter expected 1 argument, got 0")
        for name in names:
            if not isinstance(name, str):
                raise TypeError("attribute name must be a string")
        self._names = names

    def __call__(self, value, /):
        names = self._names
        if _len(names) == 1:
            return _attribute_at(value, names[0])
        return (*[_attribute_at(value, name) for name in names],)

    def __repr__(self):
        return _call_text("operator.attrgetter", self._names, {})


_rename(operator__attrgetter, "attrgetter")


def _attribute_at(value, path):
    for name in path.split("."):
        value = getattr(value, name)
    return value


def itertools__count(start=0, step=1):
    return _count(start, step)


def _count(i, step):
    # The text shows the number that comes next.
    while True:
        now = i
        i += step
        yield now


def itertools__cycle(iterable):
    return _cycle(iter(iterable))


def _cycle(it):
    saved = []
    for x in _steps(it):
        yield x
        _push(saved, x)
    if _len(saved) == 0:
        return
    while True:
        for x in saved:
            yield x


def itertools__repeat(value, times=None):
    return _repeat(value, times)


def _repeat(value, times):
    if times is None:
        while True:
            yield value
    while times > 0:
        times -= 1
        yield value


def itertools__chain(*iterables):
    return _chain(iter(iterables))


def _chain_of(iterable, /):
    return _chain(iter(iterable))


def _chain(iterables):
    for it in _steps(iterables):
        for x in it:
            yield x


def itertools__islice(iterable, *args):
    if _len(args) == 1:
        start, stop, step = None, args[0], None
    else:
        start, stop, step = (*args, None)[:3]
    start, stop, step = [_slice_place(x) for x in (start, stop, step)]
    if stop is not None and (not isinstance(stop, int) or stop == -1):
        raise ValueError("Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if start is not None and (not isinstance(start, int) or start < 0) or stop is not None and stop < 0:
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if step is not None and (not isinstance(step, int) or step < 1):
        raise ValueError("Step for islice() must be a positive integer or None.")
    return _islice(iter(iterable), start or 0, stop, 1 if step is None else step)


def _slice_place(value):
    return value if value is None else _as_index(value)


def _islice(it, start, stop, step):
    i = 0
    while stop is None or i < stop:
        x = _next(it)
        if x is _END:
            return
        if i >= start and (i - start) % step == 0:
            yield x
        i += 1


def itertools__takewhile(function, iterable):
    return _takewhile(function, iter(iterable))


def _takewhile(function, it):
    for x in _steps(it):
        if not function(x):
            return
        yield x


def itertools__dropwhile(function, iterable):
    return _dropwhile(function, iter(iterable))


def _dropwhile(function, it):
    dropping = True
    for x in _steps(it):
        if dropping and function(x):
            continue
        dropping = False
        yield x


def itertools__filterfalse(function, iterable):
    return _filterfalse(function, iter(iterable))


def _filterfalse(function, it):
    for x in _steps(it):
        if function is None:
            if not x:
                yield x
        elif not function(x):
            yield x


def itertools__starmap(function, iterable):
    return _starmap(function, iter(iterable))


def _starmap(function, it):
    for x in _steps(it):
        yield function(*_list(x))


def itertools__pairwise(iterable):
    return _pairwise(iter(iterable))


def _pairwise(it):
    a = _next(it)
    if a is _END:
        return
    for b in _steps(it):
        yield (a, b)
        a = b


def itertools__zip_longest(*iterables, fillvalue=None):
    return _zip_longest([iter(x) for x in iterables], fillvalue)


def _zip_longest(its, fillvalue):
    left = _len(its)
    if left == 0:
        return
    ended = [False for it in its]
    while True:
        row = []
        for i, it in enumerate(its):
            x = _END
            if not ended[i]:
                x = _next(it)
                if x is _END:
                    ended[i] = True
                    left -= 1
                    if left == 0:
                        return
            _push(row, fillvalue if x is _END else x)
        yield (*row,)


def itertools__accumulate(iterable, func=None, *, initial=_END):
    return _accumulate(iter(iterable), func, initial)


def _accumulate(it, function, total):
    if total is _END or total is None:
        total = _next(it)
        if total is _END:
            return
    yield total
    for x in _steps(it):
        if function is None:
            total = total + x
        else:
            total = function(total, x)
        yield total


def itertools__tee(iterable, n=2):
    it = iter(iterable)
    seen = []
    return (*[__tee(it, seen) for i in range(n)],)


def __tee(it, seen):
    i = 0
    while True:
        if i == _len(seen):
            x = _next(it)
            if x is _END:
                return
            _push(seen, x)
        yield seen[i]
        i += 1


def itertools__groupby(iterable, key=None):
    return _groupby(iter(iterable), key)


def _groupby(it, key):
    x = _next(it)
    if x is _END:
        return
    # The value that comes next, its key, and the number of the group.
    state = [x, x if key is None else key(x), 0]
    while True:
        target = state[1]
        yield (target, __grouper(it, key, state, target, state[2]))
        state[2] += 1
        while state[1] == target:
            x = _next(it)
            if x is _END:
                return
            state[0] = x
            state[1] = x if key is None else key(x)


def __grouper(it, key, state, target, turn):
    while state[2] == turn and state[1] == target:
        yield state[0]
        x = _next(it)
        if x is _END:
            return
        state[0] = x
        state[1] = x if key is None else key(x)


def itertools__product(*iterables, repeat=1):
    pools = [_list(x) for x in iterables]
    return _product(pools * repeat)


def _product(pools):
    for pool in pools:
        if _len(pool) == 0:
            return
    at = [0 for pool in pools]
    while True:
        yield (*[pool[at[i]] for i, pool in enumerate(pools)],)
        i = _len(pools) - 1
        while i >= 0:
            at[i] += 1
            if at[i] < _len(pools[i]):
                break
            at[i] = 0
            i -= 1
        else:
            return


def itertools__permutations(iterable, r=None):
    pool = _list(iterable)
    if r is None:
        r = _len(pool)
    if r < 0:
        raise ValueError("r must be non-negative")
    return _permutations(pool, r)


def _permutations(pool, r):
    n = _len(pool)
    if r > n:
        return
    indices = [i for i, x in enumerate(pool)]
    cycles = [n - i for i in indices[:r]]
    yield (*[pool[i] for i in indices[:r]],)
    while n:
        i = r - 1
        while i >= 0:
            cycles[i] -= 1
            if cycles[i] == 0:
                indices = indices[:i] + indices[i + 1 :] + indices[i : i + 1]
                cycles[i] = n - i
            else:
                j = n - cycles[i]
                first = indices[i]
                indices[i] = indices[j]
                indices[j] = first
                yield (*[pool[k] for k in indices[:r]],)
                break
            i -= 1
        else:
            return


def itertools__combinations(iterable, r):
    if r < 0:
        raise ValueError("r must be non-negative")
    return _combinations(_list(iterable), r, 1)


def itertools__combinations_with_replacement(iterable, r):
    if r < 0:
        raise ValueError("r must be non-negative")
    return _combinations(_list(iterable), r, 0)


def _combinations(pool, r, step):
    # `step` is 1 where an item is taken once, and 0 where it may be taken again.
    n = _len(pool)
    if (step and r > n) or (r and not n):
        return
    indices = [0]
    indices = indices * r
    i = 0
    while i < r:
        indices[i] = i * step
        i += 1
    while True:
        yield (*[pool[i] for i in indices],)
        i = r - 1
        while i >= 0 and indices[i] == n - 1 - (r - 1 - i) * step:
            i -= 1
        if i < 0:
            return
        next_index = indices[i] + 1
        while i < r:
            indices[i] = next_index
            next_index += step
            i += 1


def itertools__compress(data, selectors):
    return _compress(iter(data), iter(selectors))


def _compress(data, selectors):
    for x in data:
        s = _next(selectors)
        if s is _END:
            return
        if s:
            yield x


class contextlib__suppress:
    def __init__(self, *kinds):
        self.kinds = kinds

    def __enter__(self):
        return None

    def __exit__(self, kind, error, traceback):
        return kind is not None and issubclass(kind, self.kinds)


class contextlib__ContextDecorator:
    __module__ = "contextlib"

    def _recreate_cm(self):
        return self

    def __call__(self, func):
        def inner(*args, **kwds):
            with self._recreate_cm():
                return func(*args, **kwds)

        return functools__wraps(func)(inner)


_rename(contextlib__ContextDecorator, "ContextDecorator")


class contextlib__AbstractContextManager:
    __module__ = "contextlib"

    def __enter__(self):
        return self


_rename(contextlib__AbstractContextManager, "AbstractContextManager")


class contextlib__nullcontext:
    __module__ = "contextlib"

    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *excinfo):
        pass

    async def __aenter__(self):
        return self.enter_result

    async def __aexit__(self, *excinfo):
        pass


_rename(contextlib__nullcontext, "nullcontext")


class _GeneratorContextManager(contextlib__ContextDecorator):
    def __init__(self, function, args, kwargs):
        self.gen = function(*args, **kwargs)
        self._made_of = function, args, kwargs

    def _recreate_cm(self):
        return _GeneratorContextManager(*self._made_of)

    def __enter__(self):
        value = _next(self.gen)
        if value is _END:
            raise RuntimeError("generator didn't yield")
        return value

    def __exit__(self, kind, error, traceback):
        if kind is None:
            if _next(self.gen) is not _END:
                raise RuntimeError("generator didn't stop")
            return False
        try:
            self.gen.throw(error)
        except StopIteration as e:
            return e is not error
        except BaseException as e:
            if e is not error:
                raise
            return False
        raise RuntimeError("generator didn't stop after throw()")


def contextlib__contextmanager(function):
    def helper(*args, **kwargs):
        return _GeneratorContextManager(function, args, kwargs)

    helper.__name__ = function.__name__
    helper.__doc__ = function.__doc__
    return helper


class contextlib__ExitStack:
    def __init__(self):
        self._exits = []

    def __enter__(self):
        return self

    def enter_context(self, cm):
        value = cm.__enter__()
        _push(self._exits, cm.__exit__)
        return value

    def push(self, exit):
        _push(self._exits, exit.__exit__ if hasattr(exit, "__exit__") else exit)
        return exit

    def callback(self, callback, /, *args, **kwargs):
        def leave(kind, error, traceback):
            callback(*args, **kwargs)

        _push(self._exits, leave)
        return callback

    def pop_all(self):
        other = contextlib__ExitStack()
        other._exits = self._exits
        self._exits = []
        return other

    def close(self):
        self.__exit__(None, None, None)

    def __exit__(self, kind, error, traceback):
        first = error
        while _len(self._exits) != 0:
            leave = _pop(self._exits)
            try:
                if leave(None if error is None else _classof(error), error, None if error is None else traceback):
                    error = None
            except BaseException as e:
                error = e
        if error is not None and error is not first:
            raise error
        return first is not None and error is None


_rename(contextlib__ExitStack, "ExitStack")


class contextlib__closing:
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, kind, error, traceback):
        self.thing.close()


_rename(contextlib__closing, "closing")


# What the program put in the place of the standard input, output and error.
_STDIN = None
_STDOUT = None
_STDERR = None


def _input_of(file, prompt):
    """`input()` where a stream is another."""
    for text in prompt:
        print(text, end="")
    if file is None:
        return input()
    line = file.readline()
    if not isinstance(line, str):
        raise TypeError("object.readline() returned non-string")
    if line == "":
        raise EOFError("EOF when reading a line")
    return line[:-1] if line[-1] == "\n" else line


class _RedirectStream:
    __module__ = "contextlib"

    def __init__(self, new_target):
        self._new_target = new_target
        self._old_targets = []

    def __enter__(self):
        _push(self._old_targets, self._put(self._new_target))
        return self._new_target

    def __exit__(self, kind, error, traceback):
        self._put(_pop(self._old_targets))


class contextlib__redirect_stdout(_RedirectStream):
    __module__ = "contextlib"

    def _put(self, target):
        """Puts another stream in the place, and gives what was there."""
        global _STDOUT
        before = _STDOUT
        _STDOUT = target
        return before


class contextlib__redirect_stderr(_RedirectStream):
    __module__ = "contextlib"

    def _put(self, target):
        global _STDERR
        before = _STDERR
        _STDERR = target
        return before


_rename(contextlib__redirect_stdout, "redirect_stdout")
_rename(contextlib__redirect_stderr, "redirect_stderr")


def _standard_error():
    return _stderr() if _STDERR is None else _STDERR


def _evaluated(space):
    return space["_value_"]


def _executed(space):
    return None


class _Descriptor:
    __module__ = "builtins"

    def __repr__(self):
        _throw("the text of a descriptor")


_rename(_Descriptor, "getset_descriptor")
_DESCRIPTOR = _Descriptor()


def _metaclass(cls, meta, new, init, name, bases, namespace, keywords):
    if new is not None:
        made = new(meta, name, bases, namespace, **keywords)
        if made is not cls:
            return made
    else:
        _class_made(cls, keywords)
    if init is not None:
        init(cls, name, bases, namespace, **keywords)
    return cls


def _matched(subject, values, names):
    values = [*values]
    for name in names:
        value = getattr(subject, name, _END)
        if value is _END:
            return None
        _push(values, value)
    return (*values,)


def _any_kind(check, value, kinds):
    for kind in kinds:
        if check(value, kind):
            return True
    return False


def _checked(check, kind, value):
    return True if check(kind, value) else False


_HOOKED = {}


def _hooked(kind, cls):
    known = (kind, cls)
    if known not in _HOOKED:
        found = kind.__subclasshook__(cls)
        if found is NotImplemented:
            found = any([each is kind for each in _mro(cls)])
            for below in [] if found else kind.__subclasses__():
                if issubclass(cls, below):
                    found = True
                    break
        _HOOKED[known] = found
    return _HOOKED[known]


class _TypedDict:
    def __new__(cls, *args, **kwargs):
        return dict(*args, **kwargs)

    def __init_subclass__(cls, /, total=True):
        keys = {True: [], False: []}
        for base in _mro(cls)[1:]:
            for required, name in ((True, "__required_keys__"), (False, "__optional_keys__")):
                known = _own_attribute(base, name)
                if known is not _END:
                    keys[required] += [*known]
        own = _own_attribute(cls, "__annotations__")
        for name in [] if own is _END else own:
            kind = _str(own[name])
            required = kind[:16] == "typing.Required[" or total and kind[:19] != "typing.NotRequired["
            _push(keys[required], name)
        _set_own(cls, "__required_keys__", frozenset(keys[True]))
        _set_own(cls, "__optional_keys__", frozenset(keys[False]))
        _set_own(cls, "__total__", total)


def _call_with(function, iterable, keywords):
    return function(*_list(iterable), **keywords)


def _add_note(error, note, /):
    if not isinstance(note, str):
        raise TypeError("note must be a str, not '" + _classof(note).__name__ + "'")
    notes = getattr(error, "__notes__", _END)
    if notes is _END:
        notes = []
        error.__notes__ = notes
    notes.append(note)


class _MISSING_TYPE:
    __module__ = "dataclasses"


dataclasses__MISSING = _MISSING_TYPE()


class dataclasses__InitVar:
    __module__ = "dataclasses"

    def __init__(self, type):
        self._type = type

    def __class_getitem__(cls, type):
        return dataclasses__InitVar(type)

    def __repr__(self):
        kind = self._type
        return "dataclasses.InitVar[" + (kind.__name__ if isinstance(kind, type) else _repr(kind)) + "]"


_rename(dataclasses__InitVar, "InitVar")


class Field:
    __module__ = "dataclasses"

    def __init__(self, default, factory, init, repr, compare, kw_only, metadata):
        self._given = default
        self.factory = factory
        self.init = init
        self.repr = repr
        self.compare = compare
        self.kw_only = kw_only
        self._metadata = metadata
        self._for_init = False

    @property
    def metadata(self):
        return types__MappingProxyType({} if self._metadata is None else self._metadata)

    @property
    def default(self):
        return dataclasses__MISSING if self._given is _END else self._given

    @property
    def default_factory(self):
        return dataclasses__MISSING if self.factory is _END else self.factory

    def __repr__(self):
        _throw("the text of a field")


def dataclasses__fields(class_or_instance):
    fields = getattr(class_or_instance, "__dataclass_fields__", None)
    if fields is None:
        raise TypeError("must be called with a dataclass type or instance")
    return (*[fields[name] for name in _field_names(fields)],)


def _field_names(fields):
    """Names of fields that instances have: all but those for `__post_init__` alone."""
    return [name for name in fields if not fields[name]._for_init]


def dataclasses__field(
    *, default=_END, default_factory=_END, init=True, repr=True, compare=True, kw_only=_END, metadata=None, **rest
):
    if default is not _END and default_factory is not _END:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, compare, kw_only, metadata)


def dataclasses__dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, frozen=False, kw_only=False, **rest):
    def decorate(cls):
        made = _dataclass(cls, init, repr, eq, order, frozen, kw_only, rest.get("unsafe_hash", False))
        if rest.get("slots", False):
            _set_own(made, "__slots__", (*_field_names(made.__dataclass_fields__),))
        return made

    if cls is None:
        return decorate
    return decorate(cls)


def _hash_of(value):
    return hash(value._hash_values_())


def _dataclass(cls, init, repr, eq, order, frozen, kw_only, unsafe_hash):
    fields = {}
    for base in _mro(cls)[:0:-1]:
        inherited = _own_attribute(base, "__dataclass_fields__")
        if inherited is not _END:
            for name in inherited:
                fields[name] = inherited[name]
    annotations = _own_attribute(cls, "__annotations__")
    if annotations is not _END:
        for name in annotations:
            text = annotations[name] if isinstance(annotations[name], str) else _spelled(annotations[name])
            if text[:8] == "ClassVar" or text[:15] == "typing.ClassVar":
                continue
            if text in ("KW_ONLY", "dataclasses.KW_ONLY"):
                kw_only = True
                continue
            value = _own_attribute(cls, name)
            if _classof(value) is Field:
                if value._given is not _END:
                    _set_own(cls, name, value._given)
                fields[name] = value
            else:
                if isinstance(value, (list, dict, set)):
                    raise ValueError(f"mutable default {_classof(value)} for field {name} is not allowed: use default_factory")
                fields[name] = Field(value, _END, True, True, True, _END, None)
            if fields[name].kw_only is _END:
                fields[name].kw_only = kw_only
            fields[name].name = name
            fields[name].type = annotations[name]
            kind = annotations[name]
            fields[name]._for_init = (
                kind is dataclasses__InitVar
                or _classof(kind) is dataclasses__InitVar
                or text[:7] == "InitVar"
                or text[:19] == "dataclasses.InitVar"
            )
    _set_own(cls, "__dataclass_fields__", fields)
    own = _field_names(fields)
    names = [name for name in fields if fields[name].init and not fields[name].kw_only]
    known = [name for name in fields if fields[name].init]
    needed = 1
    last = None
    for name in names:
        if fields[name].factory is _END and fields[name]._given is _END:
            if last is not None:
                raise TypeError(f"non-default argument {_repr(name)} follows default argument")
            needed += 1
        else:
            last = name
    title = cls.__name__

    def __init__(self, *args, **kwargs):
        if _len(args) > _len(names):
            n = _len(names) + 1
            wanted = f"{n}" if n == needed else f"from {needed} to {n}"
            raise TypeError(
                f"{title}.__init__() takes {wanted} positional argument{'s' if n != 1 else ''} but {_len(args) + 1} were given"
            )
        missing = []
        unnamed = []
        posts = []
        for name in kwargs:
            if name not in known:
                raise TypeError(f"{title}.__init__() got an unexpected keyword argument '{name}'")
        i = 0
        for name in fields:
            field = fields[name]
            if field.init and not field.kw_only and i < _len(args):
                if name in kwargs:
                    raise TypeError(f"{title}.__init__() got multiple values for argument '{name}'")
                value = args[i]
                i += 1
            elif field.init and name in kwargs:
                value = kwargs[name]
            elif field.factory is not _END:
                value = field.factory()
            elif field._given is not _END:
                # Without `init` the class has it.
                if not field.init and _own_attribute(cls, "__slots__") is _END:
                    continue
                value = field._given
            elif field.init:
                _push(unnamed if field.kw_only else missing, name)
                continue
            else:
                continue
            if field._for_init:
                _push(posts, value)
            else:
                _set_own(self, name, value)
        kind = "positional"
        if _len(missing) == 0:
            kind = "keyword-only"
            missing = unnamed
        n = _len(missing)
        if n != 0:
            if n == 1:
                text = "'" + missing[0] + "'"
            elif n == 2:
                text = "'" + missing[0] + "' and '" + missing[1] + "'"
            else:
                text = ""
                for name in missing[:-1]:
                    text += "'" + name + "', "
                text += "and '" + missing[-1] + "'"
            raise TypeError(f"{title}.__init__() missing {n} required {kind} argument{'s' if n > 1 else ''}: {text}")
        post = _find(self, "__post_init__")
        if post is not _END:
            post(*posts)

    def __repr__(self):
        text = ""
        for name in own:
            if fields[name].repr:
                if text != "":
                    text += ", "
                text += name + "=" + _repr(getattr(self, name))
        return _classof(self).__qualname__ + "(" + text + ")"

    def values(self):
        return (*[getattr(self, name) for name in own if fields[name].compare],)

    def __eq__(self, other):
        if _classof(other) is _classof(self):
            return values(self) == values(other)
        return NotImplemented

    def __lt__(self, other):
        if _classof(other) is _classof(self):
            return values(self) < values(other)
        return NotImplemented

    def __le__(self, other):
        if _classof(other) is _classof(self):
            return values(self) <= values(other)
        return NotImplemented

    def __gt__(self, other):
        if _classof(other) is _classof(self):
            return values(self) > values(other)
        return NotImplemented

    def __ge__(self, other):
        if _classof(other) is _classof(self):
            return values(self) >= values(other)
        return NotImplemented

    def __setattr__(self, name, value):
        raise dataclasses__FrozenInstanceError("cannot assign to field '" + name + "'")

    if init and _own_attribute(cls, "__init__") is _END:
        _set_own(cls, "__init__", __init__)
    if repr and _own_attribute(cls, "__repr__") is _END:
        _set_own(cls, "__repr__", __repr__)
        _set_own(cls, "_repr_of_fields_", True)
    if eq and _own_attribute(cls, "__eq__") is _END:
        _set_own(cls, "__eq__", __eq__)
    if order:
        _set_own(cls, "__lt__", __lt__)
        _set_own(cls, "__le__", __le__)
        _set_own(cls, "__gt__", __gt__)
        _set_own(cls, "__ge__", __ge__)
    if frozen:
        _set_own(cls, "__setattr__", __setattr__)
    if unsafe_hash or frozen and eq and _own_attribute(cls, "__hash__") is _END:
        _set_own(cls, "_hash_values_", values)
        _set_own(cls, "_hash_fields_", (*[name for name in own if fields[name].compare],))
    _set_own(cls, "__match_args__", (*names,))
    if _own_attribute(cls, "__doc__") is _END:
        _set_own(cls, "__doc__", _FieldsText(_own_attribute(cls, "__init__") is __init__))
    return cls


class _FieldsText:
    """`__doc__` of a dataclass without one: its signature, which is written when it is wanted."""

    def __init__(self, is_usual):
        self.is_usual = is_usual

    def __get__(self, instance, owner):
        if not self.is_usual:
            _throw("the signature of a dataclass with its own __init__")
        fields = owner.__dataclass_fields__
        known = [name for name in fields if fields[name].init]
        named = [_field_text(fields[name]) for name in known if fields[name].kw_only]
        texts = [_field_text(fields[name]) for name in known if not fields[name].kw_only]
        return owner.__name__ + "(" + ", ".join(texts + (["*", *named] if _len(named) != 0 else [])) + ")"


def _field_text(field):
    text = field.name + ": " + _annotation_text(field.type)
    if field.factory is not _END:
        return text + " = <factory>"
    return text if field._given is _END else text + " = " + _repr(field._given)


def _annotation_text(kind):
    """An annotation as `inspect` shows it."""
    if isinstance(kind, type) and kind.__module__ != "typing":
        module = "" if kind.__module__ == "builtins" else kind.__module__ + "."
        return module + kind.__qualname__
    return _repr(kind) if isinstance(kind, str) else _repr(kind).replace("typing.", "")


def dataclasses__make_dataclass(cls_name, fields, *, bases=(), namespace=None, **options):
    space = {} if namespace is None else {**namespace}
    annotations = {}
    for item in fields:
        if isinstance(item, str):
            name, kind = item, "typing.Any"
        elif len(item) == 2:
            name, kind = item
        elif len(item) == 3:
            name, kind, space[item[0]] = item
        else:
            raise TypeError("Invalid field: " + _repr(item))
        if not isinstance(name, str) or not name.isidentifier():
            raise TypeError("Field names must be valid identifiers: " + _repr(name))
        if name in _KEYWORDS:
            raise TypeError("Field names must not be keywords: " + _repr(name))
        if name in annotations:
            raise TypeError("Field name duplicated: " + _repr(name))
        annotations[name] = kind
    space["__annotations__"] = annotations
    space["__module__"] = "types"
    return dataclasses__dataclass(type(cls_name, bases, space), **options)


class dataclasses__FrozenInstanceError(AttributeError):
    __module__ = "dataclasses"


_rename(dataclasses__FrozenInstanceError, "FrozenInstanceError")


def dataclasses__is_dataclass(x):
    cls = x if isinstance(x, type) else _classof(x)
    for c in _mro(cls):
        if _own_attribute(c, "__dataclass_fields__") is not _END:
            return True
    return False


def dataclasses__replace(obj, /, **changes):
    values = {}
    fields = obj.__dataclass_fields__
    for name in fields:
        if not fields[name].init:
            if name in changes:
                raise ValueError(f"field {name} is declared with init=False, it cannot be specified with replace()")
            continue
        if fields[name]._for_init:
            if name not in changes and fields[name]._given is _END:
                raise ValueError(f"InitVar {_repr(name)} must be specified with replace()")
            if name not in changes:
                continue
        values[name] = changes[name] if name in changes else getattr(obj, name)
    for name in changes:
        values[name] = changes[name]
    return _classof(obj)(**values)


def dataclasses__asdict(obj):
    if not _own(obj) or not dataclasses__is_dataclass(obj):
        raise TypeError("asdict() should be called on dataclass instances")
    return _plain(obj, True)


def dataclasses__astuple(obj):
    if not _own(obj) or not dataclasses__is_dataclass(obj):
        raise TypeError("astuple() should be called on dataclass instances")
    return _plain(obj, False)


def _plain(x, by_name):
    if _kind(x) == "sequence":
        items = [_plain(item, by_name) for item in x]
        return items if isinstance(x, list) else (*items,)
    if isinstance(x, dict):
        return {_plain(key, by_name): _plain(x[key], by_name) for key in x}
    if isinstance(x, set):
        return {item for item in x}
    if _own(x):
        if not dataclasses__is_dataclass(x):
            return _copied_deeply(x)
        if by_name:
            return {name: _plain(getattr(x, name), True) for name in _field_names(x.__dataclass_fields__)}
        return (*[_plain(getattr(x, name), False) for name in _field_names(x.__dataclass_fields__)],)
    return x


def _instantiate(cls, new, args, kwargs):
    instance = new(cls, *args, **kwargs)
    if isinstance(instance, cls) and not isinstance(instance, enum__Enum):
        _init(instance, args, kwargs)
    return instance
