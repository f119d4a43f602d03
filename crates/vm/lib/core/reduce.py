# Pickling's view of an object: the function that rebuilds it, and its state.
# Level: methods


def __newobj__(cls, *args):
    return cls.__new__(cls, *args)


def _state_of(value):
    state = dict(value.__dict__) if _has(value, "__dict__") else None
    slots = {}
    for one in _classof(value).__mro__:
        if _classof(one) is not type and "__slots__" not in one.__dict__:
            continue
        names = one.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if name in ("__dict__", "__weakref__"):
                continue
            if name.startswith("__") and not name.endswith("__"):
                name = "_" + one.__name__.lstrip("_") + name
            if _has(value, name):
                slots[name] = getattr(value, name)
    if slots:
        return state or None, slots
    return state if state else None


def _has(value, name):
    try:
        getattr(value, name)
    except AttributeError:
        return False
    return True


def _reduced(value):
    method = _find(value, "__reduce__")
    if method is not _END:
        return method()
    kind = _classof(value)
    if isinstance(value, BaseException):
        state = dict(value.__dict__)
        return (kind, value.args, state) if state else (kind, value.args)
    if _find(value, "__getnewargs_ex__") is not _END:
        _throw("__getnewargs_ex__")
    if isinstance(value, (set, frozenset)):
        return (kind, ([*value],), value.__getstate__())
    for base in kind.__mro__:
        if base.__module__ == "collections":
            _throw("a copy of an object of collections")
    method = _find(value, "__getnewargs__")
    if method is not _END:
        args = method()
    elif isinstance(value, (int, float, complex, str, bytes, tuple)):
        args = (_copied_value(value),)
    else:
        args = ()
    items = iter(value) if isinstance(value, list) else None
    pairs = iter(value.items()) if isinstance(value, dict) else None
    return (__newobj__, (kind, *args), value.__getstate__(), items, pairs)


def _copied_value(value):
    for kind in (int, float, complex, str, bytes, tuple):
        if isinstance(value, kind):
            return kind(value)
