# Pickling's view of an object: the function that rebuilds it, and its state.
# Level: methods


def __newobj__(cls, *args):
    return cls.__new__(cls, *args)


def _state_of(value):
    for one in _classof(value).__mro__:
        if _classof(one) is type and "__slots__" in one.__dict__:
            _throw("the state of an object with slots")
    state = dict(value.__dict__)
    return state if state else None


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
