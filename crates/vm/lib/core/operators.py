# Functions that the machine calls.

import enum


# -- operators of the program's classes


def _overrides(method, inherited):
    # A subclass comes first only if its method is not that of its base.
    if inherited is _END:
        return True
    return getattr(method, "__func__", method) is not getattr(inherited, "__func__", inherited)


_SEQUENCES = (str, list, tuple, bytes, bytearray)

# Sequence operators of the runtime's classes. In CPython they come after the operators of numbers.
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
        # A class with its own `__mul__` or `__rmul__` has the other as an operator, too.
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


def _binary(a, b, name, symbol, inplace, refused=False):
    # refused: the method of the left operand was called, and returned NotImplemented.
    if inplace and not refused:
        method = _operator_method(a, "__i" + name[2:])
        if method is not _END:
            value = method(b)
            if value is not NotImplemented:
                return value
    same = _classof(a) is _classof(b)
    reflected = "__r" + name[2:]
    if not refused and not same and issubclass(_classof(b), _classof(a)):
        method = _operator_method(b, reflected)
        if method is not _END and _overrides(_find(b, reflected), _find(a, reflected)):
            value = method(a)
            if value is not NotImplemented:
                return value
            same = True
    method = _END if refused else _operator_method(a, name)
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
        # A list also has an in-place operator.
        if inplace and isinstance(a, list):
            (a._data_ if _kind(a) == "own" else a)[:] = _repeated(a, b)
            return a
        if _repeats(a):
            return _repeated(a, b)
        # In place, an object of a program's class is never the count of the other's repetition.
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


def _compare(a, b, name, symbol, refused=False):
    kind = _kind(a)
    if kind == _kind(b):
        if kind == "sequence" or kind == "deque":
            return _compare_containers(a, b, name, symbol)
        if kind == "dict" and name == "__eq__":
            return _equal_dicts(a, b)
        if kind == "dict" and name == "__ne__":
            return not _equal_dicts(a, b)
    # A subclass is asked first, and no class twice.
    tries = ((a, b, name), (b, a, _REFLECTED[name]))
    if refused:
        tries = (tries[1],)
    elif _classof(a) is not _classof(b) and issubclass(_classof(b), _classof(a)):
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
    # Dicts that contain objects of the program.
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
    # Lists, tuples and deques that contain objects of the program.
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
    while i < _len(a) and i < _len(b):
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
    # Comparing items may have changed the containers.
    n = _len(a)
    m = _len(b)
    if name == "__eq__":
        return n == m
    if name == "__ne__":
        return n != m
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
        if not isinstance(item, enum.Enum):
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
        if i >= _len(sequence):
            break
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
    i = 0
    # A comparison may remove items.
    while i < _len(sequence):
        x = sequence[i]
        if _identical(x, item) or x == item:
            if i < _len(sequence):
                del sequence[i]
            return
        i += 1
    raise ValueError("list.remove(x): x not in list" if isinstance(sequence, list) else "deque.remove(x): x not in deque")


def _truth(value):
    method = _find(value, "__bool__")
    if method is not _END:
        truth = method()
        if truth is not True and truth is not False:
            raise TypeError("__bool__ should return bool, returned " + _type_name(truth))
        return truth
    return _length_by(_find(value, "__len__")) != 0
