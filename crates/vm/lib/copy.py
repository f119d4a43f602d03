# The part of `copy` that is written in Python.


def copy(value):
    if _kind(value) == "own":
        method = _find(value, "__copy__")
        if method is not _END:
            return method()
        if _find(value, "__getattribute__") is not _END:
            _throw("a copy beside __getattribute__")
        if _makes_own(value):
            return _with_state(_classof(value).__new__(_classof(value)), value.__dict__)
        if _find(value, "__getattr__") is _END or not _copies_plainly(value):
            made = _copied(value)
            return _rebuilt(value, None) if made is _END else made
        if getattr(_classof(value), "__slots__", None) is not None:
            _throw("a copy of slots beside __getattr__")
        return _with_state(_instance(_classof(value)), value.__dict__)
    return _ask("copy.copy", (value,), {})


def _makes_own(value):
    # Whether the class defines `__new__`, which is called for the copy, and no other copy method.
    kind = _classof(value)
    if getattr(kind, "_enumeration_", None) is not None:
        return False
    if _kind(getattr(kind, "__new__", None)) != "function" or getattr(kind, "__slots__", None) is not None:
        return False
    names = ("__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__", "__getnewargs_ex__", "__getattr__")
    return all([_find(value, name) is _END for name in names]) and not isinstance(value, BaseException) and _plain_object(value)


def _plain_object(value):
    # Whether it has no value of a builtin type.
    return all([base is object or base.__module__ != "builtins" for base in _mro(_classof(value))])
