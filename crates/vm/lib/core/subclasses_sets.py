# Shims for subclasses of `set`, `frozenset` and `deque`. Items are in `_data_`, as in `_List`.

from collections import deque as _DEQUE

_SET = set
_FROZEN = frozenset


def _set_data(value):
    """The set of an object whose class comes from one."""
    return value._data_ if isinstance(value, (_AnySet, _Deque)) else value


class _AnySet:
    _has_dict_ = True

    def __len__(self):
        return len(self._data_)

    def __iter__(self):
        return iter(self._data_)

    def __contains__(self, item):
        return item in self._data_

    def __repr__(self):
        name = _classof(self).__name__
        return name + "()" if len(self._data_) == 0 else name + "(" + _repr(_SET(self._data_)) + ")"

    def __eq__(self, other):
        return self._data_ == _set_data(other) if isinstance(other, (_SET, _FROZEN)) else NotImplemented

    def __ne__(self, other):
        return self._data_ != _set_data(other) if isinstance(other, (_SET, _FROZEN)) else NotImplemented

    def __lt__(self, other):
        return self._data_ < _set_data(other) if isinstance(other, (_SET, _FROZEN)) else NotImplemented

    def __le__(self, other):
        return self._data_ <= _set_data(other) if isinstance(other, (_SET, _FROZEN)) else NotImplemented

    def __gt__(self, other):
        return self._data_ > _set_data(other) if isinstance(other, (_SET, _FROZEN)) else NotImplemented

    def __ge__(self, other):
        return self._data_ >= _set_data(other) if isinstance(other, (_SET, _FROZEN)) else NotImplemented

    def __or__(self, other):
        return self._data_ | _set_data(other) if isinstance(other, (_SET, _FROZEN)) else NotImplemented

    def __ror__(self, other):
        return other | self._data_ if isinstance(other, (_SET, _FROZEN)) else NotImplemented

    def __and__(self, other):
        return self._data_ & _set_data(other) if isinstance(other, (_SET, _FROZEN)) else NotImplemented

    def __rand__(self, other):
        return other & self._data_ if isinstance(other, (_SET, _FROZEN)) else NotImplemented

    def __sub__(self, other):
        return self._data_ - _set_data(other) if isinstance(other, (_SET, _FROZEN)) else NotImplemented

    def __rsub__(self, other):
        return other - self._data_ if isinstance(other, (_SET, _FROZEN)) else NotImplemented

    def __xor__(self, other):
        return self._data_ ^ _set_data(other) if isinstance(other, (_SET, _FROZEN)) else NotImplemented

    def __rxor__(self, other):
        return other ^ self._data_ if isinstance(other, (_SET, _FROZEN)) else NotImplemented

    def union(self, *others):
        return self._data_.union(*[_list(other) for other in others])

    def intersection(self, *others):
        return self._data_.intersection(*[_list(other) for other in others])

    def difference(self, *others):
        return self._data_.difference(*[_list(other) for other in others])

    def symmetric_difference(self, other, /):
        return self._data_.symmetric_difference(_list(other))

    def issubset(self, other, /):
        return self._data_.issubset(_list(other))

    def issuperset(self, other, /):
        return self._data_.issuperset(_list(other))

    def isdisjoint(self, other, /):
        return self._data_.isdisjoint(_list(other))

    def copy(self):
        return self._data_.copy()


class _PlainSet(_AnySet, _SET):
    _has_dict_ = True

    __module__ = "__main__"

    def __new__(cls, *args, **kwargs):
        self = _instance(cls)
        _set_own(self, "_data_", _SET())
        return self

    def __init__(self, iterable=(), /):
        _set_own(self, "_data_", _SET(_list(iterable)))

    def add(self, item, /):
        self._data_.add(item)

    def discard(self, item, /):
        self._data_.discard(item)

    def remove(self, item, /):
        self._data_.remove(item)

    def pop(self):
        return self._data_.pop()

    def clear(self):
        self._data_.clear()

    def update(self, *others):
        self._data_.update(*[_taken(other) for other in others])

    def intersection_update(self, *others):
        self._data_.intersection_update(*[_list(other) for other in others])

    def difference_update(self, *others):
        self._data_.difference_update(*[_taken(other) for other in others])

    def symmetric_difference_update(self, other, /):
        self._data_.symmetric_difference_update(_list(other))

    def __ior__(self, other):
        if not isinstance(other, (_SET, _FROZEN)):
            return NotImplemented
        self._data_ |= _set_data(other)
        return self

    def __iand__(self, other):
        if not isinstance(other, (_SET, _FROZEN)):
            return NotImplemented
        self._data_ &= _set_data(other)
        return self

    def __isub__(self, other):
        if not isinstance(other, (_SET, _FROZEN)):
            return NotImplemented
        self._data_ -= _set_data(other)
        return self

    def __ixor__(self, other):
        if not isinstance(other, (_SET, _FROZEN)):
            return NotImplemented
        self._data_ ^= _set_data(other)
        return self

    __hash__ = None


class _FrozenSet(_AnySet, _FROZEN):
    _has_dict_ = True

    __module__ = "__main__"

    def __new__(cls, /, *args, **kwargs):
        _own_arguments("frozenset", cls.__init__ is _FrozenSet.__init__, args, kwargs)
        self = _instance(cls)
        _set_own(self, "_data_", _FROZEN(_list(args[0]) if args else ()))
        return self

    def __init__(self, *args, **kwargs):
        pass

    def __hash__(self):
        return hash(self._data_)


class _Deque(_DEQUE):
    __module__ = "__main__"

    def __new__(cls, *args, **kwargs):
        self = _instance(cls)
        _set_own(self, "_data_", _DEQUE())
        return self

    def __init__(self, iterable=(), maxlen=None):
        _set_own(self, "_data_", _DEQUE(_list(iterable), maxlen))

    @property
    def maxlen(self):
        return self._data_.maxlen

    def append(self, item, /):
        self._data_.append(item)

    def appendleft(self, item, /):
        self._data_.appendleft(item)

    def remove(self, item, /):
        self._data_.remove(item)

    def count(self, item, /):
        return self._data_.count(item)

    def extend(self, iterable, /):
        self._data_.extend(_taken(iterable))

    def extendleft(self, iterable, /):
        self._data_.extendleft(_taken(iterable))

    def pop(self):
        return self._data_.pop()

    def popleft(self):
        return self._data_.popleft()

    def clear(self):
        self._data_.clear()

    def reverse(self):
        self._data_.reverse()

    def rotate(self, n=1, /):
        self._data_.rotate(n)

    def insert(self, index, item, /):
        self._data_.insert(index, item)

    def index(self, item, *rest):
        return self._data_.index(item, *rest)

    def copy(self):
        return _classof(self)(self._data_) if self.maxlen is None else _classof(self)(self._data_, self.maxlen)

    def __len__(self):
        return len(self._data_)

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
        most = "" if self.maxlen is None else ", maxlen=" + _repr(self.maxlen)
        return _classof(self).__name__ + "(" + _repr(_list(self._data_)) + most + ")"

    def __eq__(self, other):
        return self._data_ == _set_data(other) if isinstance(other, _DEQUE) else NotImplemented

    def __ne__(self, other):
        return self._data_ != _set_data(other) if isinstance(other, _DEQUE) else NotImplemented

    def __lt__(self, other):
        return self._data_ < _set_data(other) if isinstance(other, _DEQUE) else NotImplemented

    def __le__(self, other):
        return self._data_ <= _set_data(other) if isinstance(other, _DEQUE) else NotImplemented

    def __gt__(self, other):
        return self._data_ > _set_data(other) if isinstance(other, _DEQUE) else NotImplemented

    def __ge__(self, other):
        return self._data_ >= _set_data(other) if isinstance(other, _DEQUE) else NotImplemented

    def __imul__(self, times):
        # A method of the class, or of the other, precedes that of sequences.
        if not isinstance(times, int) or getattr(_classof(self), "__mul__", None) is not None:
            return NotImplemented
        self._data_ *= times
        return self

    def __iadd__(self, other):
        self._data_ += _list(other)
        return self

    def __add__(self, other):
        if not isinstance(other, _DEQUE):
            return NotImplemented
        result = self.copy()
        result.extend(other)
        return result

    __hash__ = None
