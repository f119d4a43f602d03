# The part of `operator` that is written in Python.


def length_hint(obj, default=0, /):
    if not isinstance(default, int):
        raise TypeError("'" + _type_name(default) + "' object cannot be interpreted as an integer")
    if hasattr(obj, "__len__"):
        return len(obj)
    hint = getattr(obj, "__length_hint__", _END)
    if hint is _END:
        return default
    n = hint()
    return default if n is NotImplemented else _checked_hint(n)


class itemgetter:
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


class methodcaller:
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


class attrgetter:
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


def _attribute_at(value, path):
    for name in path.split("."):
        value = getattr(value, name)
    return value
