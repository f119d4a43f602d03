# Weak references: numbers that represent objects.

import atexit


_refs = {}
# For numbers of objects: finalisers, or numbers of references with their callbacks.
_calls = {}


def _died(method, number):
    if method is not None:
        method()
    for made, callback in _calls.pop(number, [])[::-1]:
        if isinstance(made, int):
            made = _weak_get(made)
        if made is not None:
            callback(made)


class ref:
    def __new__(cls, object, callback=None):
        number = _weak(object)
        if number is None:
            raise TypeError("cannot create weak reference to '" + _classof(object).__name__ + "' object")
        if cls is ref and callback is None and number in _refs:
            return _refs[number]
        made = _instance(cls)
        made._number = number
        if callback is not None:
            # A reference that no longer exists does not call its callback.
            _calls.setdefault(number, []).append((_weak(made), callback))
            _weak_watch(number)
        elif cls is ref:
            _refs[number] = made
        return made

    def __init__(self, object, callback=None):
        pass

    def __call__(self):
        return _weak_get(self._number)

    def __eq__(self, other):
        if not isinstance(other, ref):
            return NotImplemented
        mine = _weak_get(self._number)
        its = _weak_get(other._number)
        if mine is None or its is None:
            return self is other
        return mine == its

    def __hash__(self):
        mine = _weak_get(self._number)
        if mine is None:
            raise TypeError("weak object has gone away")
        return hash(mine)

    def __repr__(self):
        _throw("the text of a weak reference")


_rename(ref, "ReferenceType")
ReferenceType = ref


def _referent(made):
    found = _weak_get(made._number)
    if found is None:
        raise ReferenceError("weakly-referenced object no longer exists")
    return found


class ProxyType:
    # Represents an object while it exists.
    def __getattr__(self, name):
        return getattr(_referent(self), name)

    def __setattr__(self, name, value):
        setattr(_referent(self), name, value)

    def __delattr__(self, name):
        delattr(_referent(self), name)

    def __str__(self):
        return _str(_referent(self))

    def __repr__(self):
        _throw("the text of a weak reference")

    def __bool__(self):
        return True if _referent(self) else False

    def __len__(self):
        return len(_referent(self))

    def __iter__(self):
        return iter(_referent(self))

    def __contains__(self, item):
        return item in _referent(self)

    def __getitem__(self, key):
        return _referent(self)[key]

    def __setitem__(self, key, value):
        _referent(self)[key] = value

    def __delitem__(self, key):
        del _referent(self)[key]

    def __eq__(self, other):
        return _referent(self) == (_referent(other) if isinstance(other, ProxyType) else other)

    def __lt__(self, other):
        return _referent(self) < (_referent(other) if isinstance(other, ProxyType) else other)

    __hash__ = None


class CallableProxyType(ProxyType):
    def __call__(self, *args, **kwargs):
        return _referent(self)(*args, **kwargs)


ProxyTypes = (ProxyType, CallableProxyType)


def proxy(object, callback=None, /):
    if callback is not None:
        _throw("weakref.proxy with a callback")
    number = _weak(object)
    if number is None:
        raise TypeError("cannot create weak reference to '" + _classof(object).__name__ + "' object")
    made = _instance(CallableProxyType if callable(object) else ProxyType)
    _set_own(made, "_number", number)
    return made


# All finalisers, in order of creation.
_finalisers = []


def _exit():
    # The program has ended: calls the last one first, and also those created in the meantime.
    while True:
        left = [one for one in _finalisers if one.alive and one.atexit]
        if _len(left) == 0:
            return
        try:
            left[-1]()
        except Exception:
            pass  # it is reported on standard error


class finalize:
    def __init__(self, obj, func, /, *args, **kwargs):
        number = _weak(obj)
        if number is None:
            raise TypeError("cannot create weak reference to '" + _classof(obj).__name__ + "' object")
        self._number = number
        self._call = func, args, kwargs
        if _len(_finalisers) == 0:
            atexit.register(_exit)
        _push(_finalisers, self)
        _calls.setdefault(number, []).append((self, self))
        _weak_watch(number)

    atexit = True

    @property
    def alive(self):
        return self._call is not None

    def _taken(self):
        call = self._call
        self._call = None
        return call

    # Also called when the object no longer exists.
    def __call__(self, _=None):
        if self._call is None:
            return None
        func, args, kwargs = self._taken()
        return func(*args, **kwargs)

    def peek(self):
        if self._call is None:
            return None
        return (_weak_get(self._number), *self._call)

    def detach(self):
        if self._call is None:
            return None
        return (_weak_get(self._number), *self._taken())


class WeakMethod:
    def __init__(self, meth, callback=None):
        if not hasattr(meth, "__self__"):
            raise TypeError("argument should be a bound method, not " + _str(_classof(meth)))
        self._of = ref(meth.__self__, callback)
        self._function = meth.__func__

    def __call__(self):
        of = self._of()
        if of is None:
            return None
        return getattr(of, self._function.__name__)


class WeakValueDictionary:
    def __init__(self, other=(), /, **kw):
        self._data = {}
        self.update(other, **kw)

    def _live(self):
        pairs = []
        for key in [key for key in self._data]:
            value = self._data[key]()
            if value is None:
                del self._data[key]
            else:
                _push(pairs, (key, value))
        return pairs

    def __getitem__(self, key):
        value = self._data[key]()
        if value is None:
            raise KeyError(key)
        return value

    def __setitem__(self, key, value):
        self._data[key] = ref(value)

    def __delitem__(self, key):
        self._live()
        del self._data[key]

    def __contains__(self, key):
        return key in self._data and self._data[key]() is not None

    def __len__(self):
        return _len(self._live())

    def __iter__(self):
        return self.keys()

    def keys(self):
        for key, value in self._live():
            yield key

    def values(self):
        for key, value in self._live():
            yield value

    def items(self):
        for pair in self._live():
            yield pair

    def get(self, key, default=None):
        return self[key] if key in self else default

    def setdefault(self, key, default=None):
        if key in self:
            return self[key]
        self[key] = default
        return default

    def pop(self, key, *args):
        self._live()
        if key not in self._data:
            if _len(args) != 0:
                return args[0]
            raise KeyError(key)
        return self._data.pop(key)()

    def update(self, other=(), /, **kw):
        for key in other:
            if hasattr(other, "keys"):
                self[key] = other[key]
            else:
                self[key[0]] = key[1]
        for key in kw:
            self[key] = kw[key]

    def clear(self):
        self._data = {}

    def __repr__(self):
        _throw("the text of weak references")


class _WeakMembers:
    """Weak references in order, with a value for each."""

    def __init__(self):
        self._pairs = []

    def _live(self):
        self._pairs = [pair for pair in self._pairs if pair[0]() is not None]
        return self._pairs

    def _place(self, object):
        if _weak(object) is None:
            raise TypeError("cannot create weak reference to '" + _classof(object).__name__ + "' object")
        place = 0
        for known, value in self._live():
            if known() == object:
                return place
            place += 1
        return -1

    def __len__(self):
        return _len(self._live())

    def clear(self):
        self._pairs = []

    def __repr__(self):
        _throw("the text of weak references")


class WeakKeyDictionary(_WeakMembers):
    def __init__(self, dict=None):
        self._pairs = []
        if dict is not None:
            for key in dict:
                self[key] = dict[key]

    def __contains__(self, key):
        return _weak(key) is not None and self._place(key) >= 0

    def __getitem__(self, key):
        place = self._place(key)
        if place < 0:
            _throw("a missing key of weak references")
        return self._pairs[place][1]

    def __setitem__(self, key, value):
        place = self._place(key)
        if place < 0:
            _push(self._pairs, [ref(key), value])
        else:
            self._pairs[place][1] = value

    def __delitem__(self, key):
        place = self._place(key)
        if place < 0:
            _throw("a missing key of weak references")
        del self._pairs[place]

    def __iter__(self):
        return self.keys()

    def keys(self):
        for known, value in self._live():
            yield known()

    def values(self):
        for known, value in self._live():
            yield value

    def items(self):
        for known, value in self._live():
            yield (known(), value)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key, *args):
        place = self._place(key)
        if place < 0:
            if _len(args) != 0:
                return args[0]
            _throw("a missing key of weak references")
        value = self._pairs[place][1]
        del self._pairs[place]
        return value


class WeakSet(_WeakMembers):
    __module__ = "_weakrefset"

    def __init__(self, data=None):
        self._pairs = []
        if data is not None:
            for item in data:
                self.add(item)

    def add(self, item):
        if self._place(item) < 0:
            _push(self._pairs, [ref(item), None])

    def discard(self, item):
        place = self._place(item)
        if place >= 0:
            del self._pairs[place]

    def remove(self, item):
        if self._place(item) < 0:
            _throw("a missing item of weak references")
        self.discard(item)

    def __contains__(self, item):
        return _weak(item) is not None and self._place(item) >= 0

    def __iter__(self):
        # Its order follows addresses.
        if _len(self._live()) > 1:
            _throw("the order of a WeakSet")
        for known, value in self._pairs:
            yield known()
