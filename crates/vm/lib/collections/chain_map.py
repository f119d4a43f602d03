# The part of `collections` that is written in Python.


class ChainMap:
    __reversed__ = None

    def __init__(self, *maps):
        self.maps = _list(maps) if maps else [{}]

    def __getitem__(self, key):
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        return self.__missing__(key)

    def __missing__(self, key):
        raise KeyError(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def _merged(self):
        merged = {}
        for mapping in reversed(self.maps):
            for key in mapping:
                merged[key] = mapping[key]
        return merged

    def __len__(self):
        return _len(_list(self._merged()))

    def __iter__(self):
        return iter(self._merged())

    def __contains__(self, key):
        for mapping in self.maps:
            if key in mapping:
                return True
        return False

    def __bool__(self):
        return any(self.maps)

    def __repr__(self):
        return "ChainMap(" + _joined(self.maps) + ")"

    def keys(self):
        return self._merged().keys()

    def values(self):
        return self._merged().values()

    def items(self):
        return self._merged().items()

    def new_child(self, m=None, **kwargs):
        if m is None:
            m = kwargs
        return ChainMap(m, *self.maps)

    @property
    def parents(self):
        return ChainMap(*self.maps[1:])

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        if key not in self.maps[0]:
            raise KeyError("Key not found in the first mapping: " + _repr(key))
        del self.maps[0][key]

    def pop(self, key, *default):
        if key not in self.maps[0] and _len(default) == 0:
            raise KeyError("Key not found in the first mapping: " + _repr(key))
        return self.maps[0].pop(key, *default)

    def popitem(self):
        if not self.maps[0]:
            raise KeyError("No keys found in the first mapping.")
        return self.maps[0].popitem()

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, other=(), /, **kwargs):
        for key, value in dict(other, **kwargs).items():
            self[key] = value

    def clear(self):
        self.maps[0].clear()

    def copy(self):
        return _classof(self)(self.maps[0].copy(), *self.maps[1:])

    __copy__ = copy

    def __or__(self, other):
        made = self.copy()
        made.maps[0].update(other)
        return made

    def __ior__(self, other):
        self.maps[0].update(other)
        return self

    def __eq__(self, other):
        if not isinstance(other, (dict, ChainMap)):
            return NotImplemented
        return self._merged() == dict(other)

    __hash__ = None
