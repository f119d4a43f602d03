# The part of `copy` that is written in Python.


def copy(value):
    if _kind(value) == "own":
        method = _find(value, "__copy__")
        if method is not _END:
            return method()
        if _find(value, "__getattribute__") is not _END:
            _throw("a copy beside __getattribute__")
        if _find(value, "__getattr__") is _END or not _copies_plainly(value):
            made = _copied(value)
            return _rebuilt(value, None) if made is _END else made
        if getattr(_classof(value), "__slots__", None) is not None:
            _throw("a copy of slots beside __getattr__")
        return _with_state(_instance(_classof(value)), value.__dict__)
    return _ask("copy.copy", (value,), {})
