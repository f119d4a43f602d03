# Functions that call back into the program, in Python, executed in frames that a trace leaves out.
# Operators, subscripts and iteration are the machine's. `_ask(name, args, kwargs)` asks an oracle;
# other undefined names with an underscore are in the table of calls/intrinsics/mod.rs.

# Builtin classes that classes of the library derive from.
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
            # Slots of removed elements are cleared at the end.
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
    if isinstance(container, bytearray):
        container[index] = _bytes_to_store(iterable)
        return
    if _kind(iterable) == "own" and _find(iterable, "__iter__") is _END and _find(iterable, "__getitem__") is _END:
        iterable = None
    container[index] = None if iterable is None else [*iterable]


def _bytes_to_store(value):
    # A number is not iterable, whatever else it is: the slice does not accept it.
    if isinstance(value, (int, float, complex, str)):
        return value
    if any(_find(value, name) is not _END for name in ("__index__", "__float__", "__int__", "__complex__")):
        return 0
    return bytearray(value)


def _store_sliced(container, start, stop, step, value):
    # In CPython's order.
    asked = (start, stop, step)
    step = _slice_step(step)
    start = _slice_bound(start)
    stop = _slice_bound(stop)
    if isinstance(container, bytearray) and not isinstance(value, bytearray):
        value = _bytes_to_store(value)
        if isinstance(value, bytearray):
            # The slice is evaluated again with the new bytes.
            container[asked[0]:asked[1]:asked[2]] = value
            return
    container[start:stop:step] = value


def _delete_sliced(container, start, stop, step):
    step = _slice_step(step)
    start = _slice_bound(start)
    del container[start:_slice_bound(stop):step]


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


# -- results of the program's special methods


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
    # Like `hash` of a number that is not a hash itself.
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


def _whole(value, before="'", after="' object cannot be interpreted as an integer"):
    """The number that a value stands for as an index; CPython's message where it stands for none."""
    number = _as_index(value)
    if not isinstance(number, int):
        raise TypeError(before + _type_name(value) + after)
    return number
