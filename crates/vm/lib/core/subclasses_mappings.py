# Shims for subclasses of `OrderedDict`, `Counter`, `defaultdict`. Items: `_data_`, as in `_Dict`.

from collections import Counter as _COUNTER, OrderedDict as _ORDERED, defaultdict as _DEFAULTING


class _OrderedDict(_Dict, _ORDERED):
    __module__ = "__main__"

    def __new__(cls, *args, **kwargs):
        self = _instance(cls)
        _set_own(self, "_data_", _ORDERED())
        return self

    def _fill(self, mapping, kwargs):
        # By `__setitem__`, which may be the program's.
        for key, value in _dict_of(mapping).items():
            self[key] = value
        for key in kwargs:
            self[key] = kwargs[key]

    def move_to_end(self, key, last=True):
        self._data_.move_to_end(key, last)

    def popitem(self, last=True):
        return self._data_.popitem(last)

    def copy(self):
        return self.__class__(self)

    def __repr__(self):
        name = _classof(self).__name__
        return name + "()" if _len(_list(self._data_)) == 0 else name + "(" + _repr([*self._data_.items()]) + ")"


class _CounterDict(_Dict, _COUNTER):
    __module__ = "__main__"

    def __new__(cls, *args, **kwargs):
        self = _instance(cls)
        _set_own(self, "_data_", _COUNTER())
        return self

    def __init__(self, iterable=None, /, **kwargs):
        self.update(iterable, **kwargs)

    def __missing__(self, key):
        return 0

    def __delitem__(self, key):
        if key in self._data_:
            del self._data_[key]

    def update(self, iterable=None, /, **kwargs):
        self._count(iterable, 1)
        self._count(kwargs, 1)

    def subtract(self, iterable=None, /, **kwargs):
        self._count(iterable, -1)
        self._count(kwargs, -1)

    def _count(self, iterable, sign):
        if iterable is None:
            return
        iterable = _data_of(iterable)
        if isinstance(iterable, _DICT):
            for key, count in iterable.items():
                self[key] = self.get(key, 0) + sign * count
        else:
            for key in iterable:
                self[key] = self.get(key, 0) + sign

    def most_common(self, n=None):
        return self._data_.most_common(n)

    def elements(self):
        return self._data_.elements()

    def total(self):
        return self._data_.total()

    def copy(self):
        return self.__class__(self)

    def __repr__(self):
        name = _classof(self).__name__
        return name + "()" if _len(_list(self._data_)) == 0 else name + "(" + _repr(dict(self._data_.most_common())) + ")"

    def __add__(self, other):
        return self._data_ + _data_of(other) if isinstance(other, _COUNTER) else NotImplemented

    def __sub__(self, other):
        return self._data_ - _data_of(other) if isinstance(other, _COUNTER) else NotImplemented

    def __or__(self, other):
        return self._data_ | _data_of(other) if isinstance(other, _COUNTER) else NotImplemented

    def __and__(self, other):
        return self._data_ & _data_of(other) if isinstance(other, _COUNTER) else NotImplemented


class _DefaultDict(_Dict, _DEFAULTING):
    __module__ = "__main__"

    def __init__(self, default_factory=None, /, *args, **kwargs):
        if default_factory is not None and not callable(default_factory):
            raise TypeError("first argument must be callable or None")
        _set_own(self, "_factory_", default_factory)
        self._fill(args[0] if _len(args) != 0 else (), kwargs)

    @property
    def default_factory(self):
        return self._factory_

    @default_factory.setter
    def default_factory(self, factory):
        _set_own(self, "_factory_", factory)

    def __missing__(self, key):
        if self._factory_ is None:
            raise KeyError(key)
        value = self._factory_()
        self[key] = value
        return value

    def copy(self):
        return self.__class__(self._factory_, self)

    def __repr__(self):
        return _classof(self).__name__ + "(" + _repr(self._factory_) + ", " + _repr(self._data_) + ")"
