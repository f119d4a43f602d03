# Shims for the program's subclasses of `list` and `dict`, and containers of the standard library.
# Items are in `_data_`, which no trace shows; they are changed and asked by list and dict methods.

_LIST = list
_DICT = dict


def _data_of(value):
    """The list or dict of an object whose class comes from one."""
    if isinstance(value, (_List, _Dict)):
        return value._data_
    return value


class _List(_LIST):
    __module__ = "__main__"

    def __new__(cls, *args, **kwargs):
        self = _instance(cls)
        _set_own(self, "_data_", [])
        return self

    def __init__(self, iterable=(), /):
        _set_own(self, "_data_", _list(iterable))

    def append(self, item, /):
        self._data_.append(item)

    def extend(self, iterable, /):
        _push_all(self._data_, iterable)

    def insert(self, index, item, /):
        self._data_.insert(index, item)

    def pop(self, index=-1, /):
        if _len(self._data_) == 0:
            raise IndexError("pop from empty list")
        return self._data_.pop() if index == -1 else self._data_.pop(index)

    def remove(self, item, /):
        self._data_.remove(item)

    def clear(self):
        self._data_.clear()

    def index(self, item, *rest):
        return self._data_.index(item, *rest)

    def count(self, item, /):
        return self._data_.count(item)

    def reverse(self):
        self._data_.reverse()

    def copy(self):
        return self._data_.copy()

    def sort(self, *, key=None, reverse=False):
        self._data_.sort(key=key, reverse=reverse)

    def __len__(self):
        return _len(self._data_)

    def __iter__(self):
        return iter(self._data_)

    def __reversed__(self):
        return reversed(self._data_)

    def __contains__(self, item):
        return item in self._data_

    def __getitem__(self, index):
        return self._data_[index]

    def __setitem__(self, index, item):
        self._data_[index] = item

    def __delitem__(self, index):
        del self._data_[index]

    def __repr__(self):
        return _repr_of(self._data_)

    def __eq__(self, other):
        return self._data_ == _data_of(other) if isinstance(other, _LIST) else NotImplemented

    def __ne__(self, other):
        return self._data_ != _data_of(other) if isinstance(other, _LIST) else NotImplemented

    def __lt__(self, other):
        return self._data_ < _data_of(other) if isinstance(other, _LIST) else NotImplemented

    def __le__(self, other):
        return self._data_ <= _data_of(other) if isinstance(other, _LIST) else NotImplemented

    def __gt__(self, other):
        return self._data_ > _data_of(other) if isinstance(other, _LIST) else NotImplemented

    def __ge__(self, other):
        return self._data_ >= _data_of(other) if isinstance(other, _LIST) else NotImplemented

    def __add__(self, other):
        return self._data_ + _data_of(other) if isinstance(other, _LIST) else NotImplemented

    def __radd__(self, other):
        return other + self._data_ if _kind(other) == "sequence" and isinstance(other, _LIST) else NotImplemented

    def __iadd__(self, other):
        self._data_ += _list(other)
        return self

    def __imul__(self, times):
        # A method of the class, or of the other, precedes that of sequences.
        if not isinstance(times, int) or _classof(self).__mul__ is not _List.__mul__:
            return NotImplemented
        self._data_ *= times
        return self

    def __mul__(self, times):
        return self._data_ * times

    def __rmul__(self, times):
        return self._data_ * times

    __hash__ = None


class _Dict(_DICT):
    __module__ = "__main__"

    @classmethod
    def fromkeys(cls, iterable, value=None, /):
        made = cls()
        for key in iterable:
            made[key] = value
        return made

    def __new__(cls, *args, **kwargs):
        self = _instance(cls)
        _set_own(self, "_data_", {})
        return self

    def __init__(self, mapping=(), /, **kwargs):
        self._fill(mapping, kwargs)

    def _fill(self, mapping, kwargs):
        mapping = _data_of(mapping)
        if isinstance(mapping, _DICT) or _find(mapping, "keys") is not _END:
            for key in mapping.keys():
                self._data_[key] = mapping[key]
        else:
            for key, value in mapping:
                self._data_[key] = value
        for key in kwargs:
            self._data_[key] = kwargs[key]

    def __getitem__(self, key):
        if key in self._data_:
            return self._data_[key]
        missing = _find(self, "__missing__")
        if missing is not _END:
            return missing(key)
        raise KeyError(key)

    def __setitem__(self, key, value):
        self._data_[key] = value

    def __delitem__(self, key):
        del self._data_[key]

    def __contains__(self, key):
        return key in self._data_

    def __len__(self):
        return _len(_list(self._data_))

    def __iter__(self):
        return iter(self._data_)

    def __reversed__(self):
        return reversed(self._data_)

    def __repr__(self):
        return _repr_of(self._data_)

    def __eq__(self, other):
        return self._data_ == _data_of(other) if isinstance(other, _DICT) else NotImplemented

    def __ne__(self, other):
        return self._data_ != _data_of(other) if isinstance(other, _DICT) else NotImplemented

    def __or__(self, other):
        return self._data_ | _data_of(other) if isinstance(other, _DICT) else NotImplemented

    def __ior__(self, other):
        self._fill(other, {})
        return self

    def keys(self):
        return self._data_.keys()

    def values(self):
        return self._data_.values()

    def items(self):
        return self._data_.items()

    def get(self, key, default=None, /):
        return self._data_.get(key, default)

    def setdefault(self, key, default=None, /):
        return self._data_.setdefault(key, default)

    def pop(self, key, *default):
        return self._data_.pop(key, *default)

    def popitem(self):
        return self._data_.popitem()

    def update(self, mapping=(), /, **kwargs):
        self._fill(mapping, kwargs)

    def clear(self):
        self._data_.clear()

    def copy(self):
        return self._data_.copy()

    __hash__ = None


def _unbound_container(class_name, method, *args, **kwargs):
    """`list.append(self, item)`, `dict.__setitem__(self, key, value)`"""
    return getattr(_List if class_name == "list" else _Dict, method)(*args, **kwargs)
