# Base classes of the program's subclasses of `list` and `dict`, and containers of the standard library. The items of an object are
# in `_data_`, which no trace shows; what changes them is a method of a list or a dict, and asked as one.

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


# -- of the standard library


# What threads wait with, where there are any: for a place in a list; whom to wake; until when; and the time.
_QUEUE_WAITS = []


class queue__Queue:
    __module__ = "queue"

    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self.queue = []
        self.unfinished_tasks = 0
        self._getters = []
        self._putters = []
        self._joiners = []

    def qsize(self):
        return _len(self.queue)

    def empty(self):
        return _len(self.queue) == 0

    def full(self):
        return 0 < self.maxsize <= _len(self.queue)

    def _waited(self, stops, waiting, what, timeout):
        # Whether what stops a thread is over before the time is.
        if timeout is not None and timeout < 0:
            raise ValueError("'timeout' must be a non-negative number")
        if _len(_QUEUE_WAITS) == 0:
            if timeout is None:
                _throw(what)
            return False
        end = None if timeout is None else _QUEUE_WAITS[3]() + timeout
        while stops():
            rest = None if end is None else end - _QUEUE_WAITS[3]()
            if rest is not None and rest <= 0:
                return False
            _QUEUE_WAITS[0](waiting, None if rest is None else _QUEUE_WAITS[2](rest))
        return True

    def _wake(self, waiting):
        if _len(waiting) != 0:
            _QUEUE_WAITS[1](waiting)

    def put(self, item, block=True, timeout=None):
        if self.full():
            if not block or not self._waited(self.full, self._putters, "a full queue that is waited for", timeout):
                from queue import Full

                raise Full
        self._put(item)
        self.unfinished_tasks += 1
        self._wake(self._getters)

    def get(self, block=True, timeout=None):
        if _len(self.queue) == 0:
            if not block or not self._waited(self.empty, self._getters, "an empty queue that is waited for", timeout):
                from queue import Empty

                raise Empty
        item = self._get()
        self._wake(self._putters)
        return item

    def put_nowait(self, item):
        self.put(item, False)

    def get_nowait(self):
        return self.get(False)

    def task_done(self):
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1
        if self.unfinished_tasks == 0:
            for _ in range(_len(self._joiners)):
                self._wake(self._joiners)

    def _unfinished(self):
        return self.unfinished_tasks != 0

    def join(self):
        if self.unfinished_tasks != 0:
            self._waited(self._unfinished, self._joiners, "a queue that is waited for", None)

    def _put(self, item):
        _push(self.queue, item)

    def _get(self):
        item = self.queue[0]
        del self.queue[0]
        return item


class queue__LifoQueue(queue__Queue):
    __module__ = "queue"

    def _get(self):
        item = self.queue[-1]
        del self.queue[-1]
        return item


class queue__PriorityQueue(queue__Queue):
    __module__ = "queue"

    def _put(self, item):
        fold__heapq__heappush(self.queue, item)

    def _get(self):
        return fold__heapq__heappop(self.queue)


class queue__SimpleQueue(queue__Queue):
    __module__ = "_queue"


class collections__ChainMap:
    __module__ = "collections"

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
        return collections__ChainMap(m, *self.maps)

    @property
    def parents(self):
        return collections__ChainMap(*self.maps[1:])

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
        if not isinstance(other, (dict, collections__ChainMap)):
            return NotImplemented
        return self._merged() == dict(other)

    __hash__ = None


_rename(queue__Queue, "Queue")
_rename(queue__LifoQueue, "LifoQueue")
_rename(queue__PriorityQueue, "PriorityQueue")
_rename(queue__SimpleQueue, "SimpleQueue")
_rename(collections__ChainMap, "ChainMap")


# -- read-only views of mappings


class types__SimpleNamespace:
    __module__ = "__main__"

    def __init__(self, /, **kwargs):
        for name in kwargs:
            _set_own(self, name, kwargs[name])

    def __repr__(self):
        name = "namespace" if _classof(self) is types__SimpleNamespace else _classof(self).__name__
        # One that holds itself.
        if _len([one for one in _namespaces_shown if one is self]) != 0:
            return name + "(...)"
        _push(_namespaces_shown, self)
        try:
            return name + "(" + ", ".join([name + "=" + _repr(value) for name, value in self.__dict__.items()]) + ")"
        finally:
            _pop(_namespaces_shown)

    def __eq__(self, other):
        if not isinstance(other, types__SimpleNamespace):
            return NotImplemented
        return self.__dict__ == other.__dict__


_rename(types__SimpleNamespace, "SimpleNamespace")
_namespaces_shown = []


class types__MappingProxyType:
    __module__ = "builtins"

    def __init__(self, mapping):
        if not isinstance(mapping, dict) and _find(mapping, "__getitem__") is _END or isinstance(mapping, (list, tuple, str)):
            raise TypeError("mappingproxy() argument must be a mapping, not " + _classof(mapping).__name__)
        self._mapping = mapping

    def __getitem__(self, key):
        return self._mapping[key]

    def __iter__(self):
        return iter(self._mapping)

    def __reversed__(self):
        return reversed(self._mapping)

    def __len__(self):
        return len(self._mapping)

    def __contains__(self, key):
        return key in self._mapping

    def __eq__(self, other):
        return self._mapping == (other._mapping if isinstance(other, types__MappingProxyType) else other)

    def __ne__(self, other):
        return self._mapping != (other._mapping if isinstance(other, types__MappingProxyType) else other)

    def __or__(self, other):
        return self._mapping | (other._mapping if isinstance(other, types__MappingProxyType) else other)

    def __ror__(self, other):
        return other | self._mapping

    def __repr__(self):
        return "mappingproxy(" + _repr(self._mapping) + ")"

    def __str__(self):
        return _str(self._mapping)

    def get(self, key, default=None):
        return self._mapping.get(key, default)

    def keys(self):
        return self._mapping.keys()

    def values(self):
        return self._mapping.values()

    def items(self):
        return self._mapping.items()

    def copy(self):
        return self._mapping.copy()


_rename(types__MappingProxyType, "mappingproxy")


# The version whose behaviour planned execution has.
sys__float_info = collections__namedtuple("float_info", "max max_exp max_10_exp min min_exp min_10_exp dig mant_dig epsilon radix rounds")(
    1.7976931348623157e308, 1024, 308, 2.2250738585072014e-308, -1021, -307, 15, 53, 2.220446049250313e-16, 2, 1
)
sys__version_info = collections__namedtuple("version_info", "major minor micro releaselevel serial")(3, 11, 7, "final", 0)
