# Methods that subclasses in the program inherit from the abstract classes of `collections.abc`.
# `_abstract_` names the classes that such a class is an instance of.

_SIZED = ("Sized", "Iterable", "Container", "Collection")


def _is_abstract(value, name):
    return _own(value) and name in getattr(_classof(value), "_abstract_", ())


def _is_set(value):
    if isinstance(value, (set, frozenset)) or _is_abstract(value, "Set"):
        return True
    return _classof(value).__name__ in ("dict_keys", "dict_items")


def _is_iterable(value):
    return not isinstance(value, type) and hasattr(value, "__iter__")


class _Mapping:
    __reversed__ = None

    __module__ = "collections.abc"
    _abstract_ = ("Mapping",) + _SIZED

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return _KeysView(self)

    def values(self):
        return _ValuesView(self)

    def items(self):
        return _ItemsView(self)

    def __eq__(self, other):
        if not isinstance(other, (dict, _Mapping)):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    __hash__ = None


_absent = _instance(_Mapping)


class _MutableMapping(_Mapping):
    __module__ = "collections.abc"
    _abstract_ = ("MutableMapping", "Mapping") + _SIZED

    def pop(self, key, default=_absent):
        try:
            value = self[key]
        except KeyError:
            if default is _absent:
                raise
            return default
        del self[key]
        return value

    def popitem(self):
        for key in self:
            value = self[key]
            del self[key]
            return key, value
        raise KeyError

    def clear(self):
        try:
            while True:
                self.popitem()
        except KeyError:
            pass

    def update(self, other=(), /, **kwds):
        if isinstance(other, (dict, _Mapping)):
            for key in other:
                self[key] = other[key]
        else:
            for key, value in other:
                self[key] = value
        for key in kwds:
            self[key] = kwds[key]

    def setdefault(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default


class _Iterator:
    __module__ = "collections.abc"
    _abstract_ = ("Iterator", "Iterable")

    def __iter__(self):
        return self


class _Generator(_Iterator):
    __module__ = "collections.abc"
    _abstract_ = ("Generator", "Iterator", "Iterable")

    def __next__(self):
        return self.send(None)

    def close(self):
        try:
            self.throw(GeneratorExit)
        except (GeneratorExit, StopIteration):
            pass
        else:
            raise RuntimeError("generator ignored GeneratorExit")


class _Sequence:
    __module__ = "collections.abc"
    _abstract_ = ("Sequence", "Reversible") + _SIZED

    def __iter__(self):
        i = 0
        while True:
            try:
                value = self[i]
            except IndexError:
                return
            yield value
            i += 1

    def __contains__(self, value):
        for item in self:
            if item is value or item == value:
                return True
        return False

    def __reversed__(self):
        i = len(self) - 1
        while i >= 0:
            yield self[i]
            i -= 1

    def index(self, value, start=0, stop=None):
        if start < 0:
            start = max(len(self) + start, 0)
        if stop is not None and stop < 0:
            stop += len(self)
        i = start
        while stop is None or i < stop:
            try:
                item = self[i]
            except IndexError:
                break
            if item is value or item == value:
                return i
            i += 1
        raise ValueError

    def count(self, value):
        n = 0
        for item in self:
            if item is value or item == value:
                n += 1
        return n


class _MutableSequence(_Sequence):
    __module__ = "collections.abc"
    _abstract_ = ("MutableSequence", "Sequence", "Reversible") + _SIZED

    def append(self, value):
        self.insert(len(self), value)

    def clear(self):
        try:
            while True:
                self.pop()
        except IndexError:
            pass

    def reverse(self):
        n = len(self)
        i = 0
        while i < n // 2:
            self[i], self[n - i - 1] = self[n - i - 1], self[i]
            i += 1

    def extend(self, values):
        if values is self:
            values = [item for item in values]
        for value in values:
            self.append(value)

    def pop(self, index=-1):
        value = self[index]
        del self[index]
        return value

    def remove(self, value):
        del self[self.index(value)]

    def __iadd__(self, values):
        self.extend(values)
        return self


class _Set:
    __module__ = "collections.abc"
    _abstract_ = ("Set",) + _SIZED

    @classmethod
    def _from_iterable(cls, it):
        return cls(it)

    __hash__ = None

    def __le__(self, other):
        if not _is_set(other):
            return NotImplemented
        if len(self) > len(other):
            return False
        for item in self:
            if item not in other:
                return False
        return True

    def __lt__(self, other):
        if not _is_set(other):
            return NotImplemented
        return len(self) < len(other) and self.__le__(other)

    def __ge__(self, other):
        if not _is_set(other):
            return NotImplemented
        if len(self) < len(other):
            return False
        for item in other:
            if item not in self:
                return False
        return True

    def __gt__(self, other):
        if not _is_set(other):
            return NotImplemented
        return len(self) > len(other) and self.__ge__(other)

    def __eq__(self, other):
        if not _is_set(other):
            return NotImplemented
        return len(self) == len(other) and self.__le__(other)

    def __and__(self, other):
        if not _is_iterable(other):
            return NotImplemented
        return self._from_iterable(item for item in other if item in self)

    __rand__ = __and__

    def __or__(self, other):
        if not _is_iterable(other):
            return NotImplemented
        return self._from_iterable(item for part in (self, other) for item in part)

    __ror__ = __or__

    def __sub__(self, other):
        if not _is_set(other):
            if not _is_iterable(other):
                return NotImplemented
            other = self._from_iterable(other)
        return self._from_iterable(item for item in self if item not in other)

    def __rsub__(self, other):
        if not _is_set(other):
            if not _is_iterable(other):
                return NotImplemented
            other = self._from_iterable(other)
        return self._from_iterable(item for item in other if item not in self)

    def __xor__(self, other):
        if not _is_set(other):
            if not _is_iterable(other):
                return NotImplemented
            other = self._from_iterable(other)
        return (self - other) | (other - self)

    __rxor__ = __xor__

    def isdisjoint(self, other):
        for item in other:
            if item in self:
                return False
        return True


class _MutableSet(_Set):
    __module__ = "collections.abc"
    _abstract_ = ("MutableSet", "Set") + _SIZED

    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self):
        for value in self:
            self.discard(value)
            return value
        raise KeyError

    def clear(self):
        for value in [item for item in self]:
            self.discard(value)

    def __ior__(self, it):
        for value in it:
            self.add(value)
        return self

    def __isub__(self, it):
        for value in [item for item in it]:
            self.discard(value)
        return self


class _View:
    __module__ = "collections.abc"
    _abstract_ = ("MappingView", "Sized")

    def __init__(self, mapping):
        self._mapping = mapping

    def __len__(self):
        return len(self._mapping)

    def __repr__(self):
        return _classof(self).__name__ + "(" + _repr(self._mapping) + ")"


class _SetView(_View, _Set):
    __module__ = "collections.abc"
    _abstract_ = ("MappingView", "Set") + _SIZED

    @classmethod
    def _from_iterable(cls, it):
        return set(it)


class _KeysView(_SetView):
    __module__ = "collections.abc"
    _abstract_ = ("KeysView", "MappingView", "Set") + _SIZED

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        yield from self._mapping


class _ValuesView(_View):
    __module__ = "collections.abc"
    _abstract_ = ("ValuesView", "MappingView") + _SIZED

    def __contains__(self, value):
        for key in self._mapping:
            held = self._mapping[key]
            if held is value or held == value:
                return True
        return False

    def __iter__(self):
        for key in self._mapping:
            yield self._mapping[key]


class _ItemsView(_SetView):
    __module__ = "collections.abc"
    _abstract_ = ("ItemsView", "MappingView", "Set") + _SIZED

    def __contains__(self, item):
        key, value = item
        try:
            known = self._mapping[key]
        except KeyError:
            return False
        return known is value or known == value

    def __iter__(self):
        for key in self._mapping:
            yield (key, self._mapping[key])


_rename(_Mapping, "Mapping")
_rename(_MutableMapping, "MutableMapping")
_rename(_Sequence, "Sequence")
_rename(_MutableSequence, "MutableSequence")
_rename(_Set, "Set")
_rename(_MutableSet, "MutableSet")
_rename(_KeysView, "KeysView")
_rename(_ValuesView, "ValuesView")
_rename(_ItemsView, "ItemsView")
