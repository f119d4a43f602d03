# Library classes that classes of the program derive from: named tuples and enumerations.
# `__finish__` of a base is called with a new class after its body has run, and returns the class.


class _NamedTuple(_TUPLE):
    def __new__(cls, *args, **kwargs):
        fields = cls._fields
        n = _len(fields)
        title = cls.__name__
        if _len(args) > n:
            least = n - _len(cls._field_defaults)
            count = _str(n + 1) if least == n else "from " + _str(least + 1) + " to " + _str(n + 1)
            raise TypeError(f"{title}.__new__() takes {count} positional arguments but {_len(args) + 1} were given")
        values = []
        missing = []
        for i, name in enumerate(fields):
            if i < _len(args):
                if name in kwargs:
                    raise TypeError(f"{title}.__new__() got multiple values for argument '{name}'")
                _push(values, args[i])
            elif name in kwargs:
                _push(values, kwargs[name])
            elif name in cls._field_defaults:
                _push(values, cls._field_defaults[name])
            else:
                _push(missing, name)
        for name in kwargs:
            if name not in fields:
                raise TypeError(f"{title}.__new__() got an unexpected keyword argument '{name}'")
        if _len(missing) != 0:
            raise TypeError(_missing_text(title + ".__new__()", missing))
        return _scalar(cls, (*values,))

    @classmethod
    def _make(cls, iterable):
        return cls(*_list(iterable))

    def _asdict(self):
        values = _data(self)
        return {name: values[i] for i, name in enumerate(self._fields)}

    def _replace(self, /, **changes):
        for name in changes:
            if name not in self._fields:
                raise ValueError("Got unexpected field names: " + _repr([x for x in changes if x not in self._fields]))
        values = _data(self)
        return _scalar(_classof(self), (*[changes[name] if name in changes else values[i] for i, name in enumerate(self._fields)],))

    def __repr__(self):
        text = ""
        values = _data(self)
        for i, name in enumerate(self._fields):
            if i != 0:
                text += ", "
            text += name + "=" + _repr(values[i])
        return _classof(self).__name__ + "(" + text + ")"

    def __len__(self):
        return _len(_data(self))

    def __iter__(self):
        return iter(_data(self))

    def __getitem__(self, key):
        return _data(self)[key]

    def __contains__(self, x):
        return x in _data(self)

    def __add__(self, other):
        return _data(self) + _data(other)

    def __radd__(self, other):
        return other + _data(self)

    def __mul__(self, times):
        return _data(self) * times

    def __setattr__(self, name, value):
        if name in self._fields:
            raise AttributeError("can't set attribute")
        for kind in _mro(_classof(self)):
            if kind is _NamedTuple:
                break
            if _own_attribute(kind, "_fields") is _END and _own_attribute(kind, "__slots__") is _END:
                _set_own(self, name, value)
                return
        raise AttributeError("'" + _classof(self).__name__ + "' object has no attribute '" + name + "'")

    def __eq__(self, other):
        return _data(self) == _data(other) if isinstance(other, tuple) else NotImplemented

    def __ne__(self, other):
        return _data(self) != _data(other) if isinstance(other, tuple) else NotImplemented

    def __lt__(self, other):
        return _data(self) < _data(other) if isinstance(other, tuple) else NotImplemented

    def __le__(self, other):
        return _data(self) <= _data(other) if isinstance(other, tuple) else NotImplemented

    def __gt__(self, other):
        return _data(self) > _data(other) if isinstance(other, tuple) else NotImplemented

    def __ge__(self, other):
        return _data(self) >= _data(other) if isinstance(other, tuple) else NotImplemented

    def index(self, x):
        for i, y in enumerate(_data(self)):
            if y is x or y == x:
                return i
        raise ValueError("tuple.index(x): x not in tuple")

    def count(self, x):
        n = 0
        for y in _data(self):
            if y is x or y == x:
                n += 1
        return n


def _missing_text(title, missing, kind="positional"):
    n = _len(missing)
    if n == 1:
        text = "'" + missing[0] + "'"
    elif n == 2:
        text = "'" + missing[0] + "' and '" + missing[1] + "'"
    else:
        text = ""
        for name in missing[:-1]:
            text += "'" + name + "', "
        text += "and '" + missing[-1] + "'"
    return f"{title} missing {n} required {kind} argument{'s' if n > 1 else ''}: {text}"


def _no_set(self, value):
    raise AttributeError("can't set attribute")


def _no_delete(self):
    raise AttributeError("can't delete attribute")


def _with_fields(cls, fields, defaults):
    def field(i):
        def get(self):
            return _data(self)[i]

        return property(get, _no_set, _no_delete, f"Alias for field number {i}")

    if getattr(cls, "__doc__", None) is None:
        _set_own(cls, "__doc__", cls.__name__ + "(" + ", ".join(fields) + ")")
    _set_own(cls, "_fields", fields)
    _set_own(cls, "_field_defaults", defaults)
    _set_own(cls, "__match_args__", fields)
    for i, name in enumerate(fields):
        _set_own(cls, name, field(i))
    return cls


_KEYWORDS = (
    "False None True and as assert async await break class continue def del elif else except finally for from global if "
    "import in is lambda nonlocal not or pass raise return try while with yield"
).split()


# -- functions that a new class calls


def _class_made(cls, keywords):
    for name in _own_names(cls):
        method = _find(_own_attribute(cls, name), "__set_name__")
        if method is not _END:
            method(cls, name)
    known = False
    for base in _mro(cls)[1:]:
        if _own_attribute(base, "__init_subclass__") is not _END:
            known = True
    if known:
        super(cls, cls).__init_subclass__(**keywords)
    elif _len(_list(keywords)) != 0:
        raise TypeError(cls.__name__ + ".__init_subclass__() takes no keyword arguments")
    finish = getattr(cls, "__finish__", None)
    return cls if finish is None else finish(cls)


def _tuple_hash(items):
    """The hash of a tuple with parts whose class has a `__hash__` of its own (`tuplehash` of CPython, from xxHash)."""
    acc = 2870177450012600261
    for item in items:
        lane = hash(item)
        if _kind(item) == "own":
            _remember(item, lane)
        acc = (acc + lane * 14029467366897019727) & 0xFFFFFFFFFFFFFFFF
        acc = ((acc << 31) | (acc >> 33)) & 0xFFFFFFFFFFFFFFFF
        acc = acc * 11400714785074694791 & 0xFFFFFFFFFFFFFFFF
    acc = (acc + (_len(items) ^ 2870177450012600261 ^ 3527539)) & 0xFFFFFFFFFFFFFFFF
    if acc == 0xFFFFFFFFFFFFFFFF:
        return 1546275796
    return acc - 0x10000000000000000 if acc >> 63 else acc


def _find_key(key, among):
    """The object that a key with its own `__hash__` is equal to, as CPython looks for it in a table; the key if there is none."""
    plain = _kind(key) != "own" and not _has_own_parts(key)
    h = hash(key) if plain else _remember(key, hash(key))
    for other in among:
        if other is key:
            return key
        kept = _remembered(other)
        if kept is None and not plain:
            kept = hash(other)
        if kept == h:
            if other == key:
                return other
    return key


def _find_keys(keys, among, until):
    """Each key of a container with its own `__hash__` that is in another container, and the equal one there; ends at the first
    that is found where `until` is true, at the first that is not where it is false."""
    pairs = []
    for key in keys:
        h = _remembered(key)
        found = False
        for other in among:
            if other is key:
                found = True
                break
            if _remembered(other) == h:
                if other == key:
                    _push(pairs, key)
                    _push(pairs, other)
                    found = True
                    break
        if found is until:
            break
    return pairs
