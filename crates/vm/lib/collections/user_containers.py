# Containers around a dict, a list or a string in `data`: `UserDict`, `UserList`, `UserString`. The
# `_usr_...` classes have the methods of `collections.abc`; `_abstract_` names the abstract classes.

_usr_SIZED = ("Sized", "Iterable", "Container", "Collection")
_usr_absent = _END
_FAR = 9223372036854775807


def _is_mapping(value):
    return isinstance(value, dict) or _is_abstract(value, "Mapping")


def _attributes(instance):
    """The attributes of an object as a dict of its own."""
    return dict(instance.__dict__)


def _twin(instance, data):
    """Another object of the same class with the same attributes, but `data`; no `__init__` is called."""
    cls = _classof(instance)
    twin = cls.__new__(cls)
    attributes = _attributes(instance)
    attributes["data"] = data
    for name in attributes:
        object.__setattr__(twin, name, attributes[name])
    return twin


# -- mappings


class _usr_Mapping:
    __module__ = "collections.abc"
    _abstract_ = ("Mapping",) + _usr_SIZED
    __hash__ = None
    __reversed__ = None

    def __eq__(self, other):
        if not _is_mapping(other):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def keys(self):
        return _KeysView(self)

    def values(self):
        return _ValuesView(self)

    def items(self):
        return _ItemsView(self)


class _usr_MutableMapping(_usr_Mapping):
    __module__ = "collections.abc"
    _abstract_ = ("MutableMapping", "Mapping") + _usr_SIZED

    def pop(self, key, default=_usr_absent):
        try:
            value = self[key]
        except KeyError:
            if default is _usr_absent:
                raise
            return default
        del self[key]
        return value

    def popitem(self):
        try:
            key = next(iter(self))
        except StopIteration:
            raise KeyError from None
        value = self[key]
        del self[key]
        return key, value

    def clear(self):
        try:
            while True:
                self.popitem()
        except KeyError:
            pass

    def update(self, other=(), /, **kwds):
        if _is_mapping(other):
            for key in other:
                self[key] = other[key]
        elif hasattr(other, "keys"):
            for key in other.keys():
                self[key] = other[key]
        else:
            for key, value in other:
                self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default


# -- UserDict


class UserDict(_usr_MutableMapping):
    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if kwargs:
            self.update(kwargs)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        cls = self.__class__
        if hasattr(cls, "__missing__"):
            return cls.__missing__(self, key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def __repr__(self):
        return _repr(self.data)

    def __or__(self, other):
        if isinstance(other, UserDict):
            return self.__class__(self.data | other.data)
        if isinstance(other, dict):
            return self.__class__(self.data | other)
        return NotImplemented

    def __ror__(self, other):
        if isinstance(other, UserDict):
            return self.__class__(other.data | self.data)
        if isinstance(other, dict):
            return self.__class__(other | self.data)
        return NotImplemented

    def __ior__(self, other):
        if isinstance(other, UserDict):
            self.data |= other.data
        else:
            self.data |= other
        return self

    def __copy__(self):
        return _twin(self, self.data.copy())

    def copy(self):
        if self.__class__ is UserDict:
            return UserDict(self.data.copy())
        # The copy is created empty. Its items are added one by one.
        data = self.data
        try:
            self.data = {}
            twin = _classof(self).__copy__(self)
        finally:
            self.data = data
        twin.update(self)
        return twin

    @classmethod
    def fromkeys(cls, iterable, value=None):
        made = cls()
        for key in iterable:
            made[key] = value
        return made

    @classmethod
    def __class_getitem__(cls, item):
        _throw("a parametrised UserDict")


# -- sequences


class _usr_Sequence:
    __module__ = "collections.abc"
    _abstract_ = ("Sequence", "Reversible") + _usr_SIZED

    def __iter__(self):
        at = 0
        try:
            while True:
                yield self[at]
                at += 1
        except IndexError:
            return

    def __reversed__(self):
        for at in reversed(range(len(self))):
            yield self[at]


# -- UserList


def _usr_list(value):
    """The list to compare with."""
    return value.data if isinstance(value, UserList) else value


def _usr_listed(value):
    """The list to join."""
    if isinstance(value, UserList):
        return value.data
    return value if isinstance(value, list) else list(value)


class UserList(_usr_Sequence):
    _abstract_ = ("MutableSequence", "Sequence", "Reversible") + _usr_SIZED
    __hash__ = None

    def __init__(self, initlist=None):
        self.data = []
        if initlist is not None:
            if _classof(initlist) is list:
                self.data[:] = initlist
            elif isinstance(initlist, UserList):
                self.data[:] = initlist.data[:]
            else:
                self.data = list(initlist)

    def __repr__(self):
        return _repr(self.data)

    def __lt__(self, other):
        return self.data < _usr_list(other)

    def __le__(self, other):
        return self.data <= _usr_list(other)

    def __eq__(self, other):
        return self.data == _usr_list(other)

    def __gt__(self, other):
        return self.data > _usr_list(other)

    def __ge__(self, other):
        return self.data >= _usr_list(other)

    def __contains__(self, item):
        return item in self.data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        if isinstance(i, slice):
            return self.__class__(self.data[i])
        return self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __add__(self, other):
        return self.__class__(self.data + _usr_listed(other))

    def __radd__(self, other):
        return self.__class__(_usr_listed(other) + self.data)

    def __iadd__(self, other):
        self.data += _usr_listed(other)
        return self

    def __mul__(self, n):
        return self.__class__(self.data * n)

    __rmul__ = __mul__

    def __imul__(self, n):
        self.data *= n
        return self

    def __copy__(self):
        return _twin(self, self.data[:])

    @classmethod
    def __class_getitem__(cls, item):
        _throw("a parametrised UserList")

    def append(self, item):
        self.data.append(item)

    def insert(self, i, item):
        self.data.insert(i, item)

    def pop(self, i=-1):
        return self.data.pop(i)

    def remove(self, item):
        self.data.remove(item)

    def clear(self):
        self.data.clear()

    def copy(self):
        return self.__class__(self)

    def count(self, item):
        return self.data.count(item)

    def index(self, item, *args):
        return self.data.index(item, *args)

    def reverse(self):
        self.data.reverse()

    def sort(self, /, *args, **kwds):
        self.data.sort(*args, **kwds)

    def extend(self, other):
        self.data.extend(_usr_list(other))


# -- UserString


def _usr_text(value):
    """The text behind a `UserString`, every other value as it is."""
    return value.data if isinstance(value, UserString) else value


class UserString(_usr_Sequence):
    def __init__(self, seq):
        if isinstance(seq, str):
            self.data = seq
        elif isinstance(seq, UserString):
            self.data = seq.data[:]
        else:
            self.data = _str(seq)

    def __str__(self):
        return _str(self.data)

    def __repr__(self):
        return _repr(self.data)

    def __int__(self):
        return int(self.data)

    def __float__(self):
        return float(self.data)

    def __complex__(self):
        return complex(self.data)

    def __hash__(self):
        return hash(self.data)

    def __getnewargs__(self):
        return (self.data[:],)

    def __eq__(self, string):
        return self.data == _usr_text(string)

    def __lt__(self, string):
        return self.data < _usr_text(string)

    def __le__(self, string):
        return self.data <= _usr_text(string)

    def __gt__(self, string):
        return self.data > _usr_text(string)

    def __ge__(self, string):
        return self.data >= _usr_text(string)

    def __contains__(self, char):
        return _usr_text(char) in self.data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.__class__(self.data[index])

    def __add__(self, other):
        if isinstance(other, (UserString, str)):
            return self.__class__(self.data + _usr_text(other))
        return self.__class__(self.data + _str(other))

    def __radd__(self, other):
        return self.__class__((other if isinstance(other, str) else _str(other)) + self.data)

    def __mul__(self, n):
        return self.__class__(self.data * n)

    __rmul__ = __mul__

    def __mod__(self, args):
        return self.__class__(self.data % args)

    def __rmod__(self, template):
        return self.__class__(_str(template) % self)

    @classmethod
    def __class_getitem__(cls, item):
        _throw("a parametrised UserString")

    # Strings of the class

    def capitalize(self):
        return self.__class__(self.data.capitalize())

    def casefold(self):
        return self.__class__(self.data.casefold())

    def center(self, width, *args):
        return self.__class__(self.data.center(width, *args))

    def expandtabs(self, tabsize=8):
        return self.__class__(self.data.expandtabs(tabsize))

    def ljust(self, width, *args):
        return self.__class__(self.data.ljust(width, *args))

    def lower(self):
        return self.__class__(self.data.lower())

    def lstrip(self, chars=None):
        return self.__class__(self.data.lstrip(chars))

    def removeprefix(self, prefix, /):
        return self.__class__(self.data.removeprefix(_usr_text(prefix)))

    def removesuffix(self, suffix, /):
        return self.__class__(self.data.removesuffix(_usr_text(suffix)))

    def replace(self, old, new, maxsplit=-1):
        return self.__class__(self.data.replace(_usr_text(old), _usr_text(new), maxsplit))

    def rjust(self, width, *args):
        return self.__class__(self.data.rjust(width, *args))

    def rstrip(self, chars=None):
        return self.__class__(self.data.rstrip(chars))

    def strip(self, chars=None):
        return self.__class__(self.data.strip(chars))

    def swapcase(self):
        return self.__class__(self.data.swapcase())

    def title(self):
        return self.__class__(self.data.title())

    def translate(self, *args):
        return self.__class__(self.data.translate(*args))

    def upper(self):
        return self.__class__(self.data.upper())

    def zfill(self, width):
        return self.__class__(self.data.zfill(width))

    # Plain values

    def count(self, sub, start=0, end=_FAR):
        return self.data.count(_usr_text(sub), start, end)

    def encode(self, encoding="utf-8", errors="strict"):
        encoding = "utf-8" if encoding is None else encoding
        errors = "strict" if errors is None else errors
        return self.data.encode(encoding, errors)

    def endswith(self, suffix, start=0, end=_FAR):
        return self.data.endswith(suffix, start, end)

    def find(self, sub, start=0, end=_FAR):
        return self.data.find(_usr_text(sub), start, end)

    def format(self, /, *args, **kwds):
        return self.data.format(*args, **kwds)

    def format_map(self, mapping):
        return self.data.format_map(mapping)

    def index(self, sub, start=0, end=_FAR):
        return self.data.index(sub, start, end)

    def isalpha(self):
        return self.data.isalpha()

    def isalnum(self):
        return self.data.isalnum()

    def isascii(self):
        return self.data.isascii()

    def isdecimal(self):
        return self.data.isdecimal()

    def isdigit(self):
        return self.data.isdigit()

    def isidentifier(self):
        return self.data.isidentifier()

    def islower(self):
        return self.data.islower()

    def isnumeric(self):
        return self.data.isnumeric()

    def isprintable(self):
        return self.data.isprintable()

    def isspace(self):
        return self.data.isspace()

    def istitle(self):
        return self.data.istitle()

    def isupper(self):
        return self.data.isupper()

    def join(self, seq):
        return self.data.join(seq)

    @staticmethod
    def maketrans(*args, **kwds):
        return str.maketrans(*args, **kwds)

    def partition(self, sep):
        return self.data.partition(sep)

    def rfind(self, sub, start=0, end=_FAR):
        return self.data.rfind(_usr_text(sub), start, end)

    def rindex(self, sub, start=0, end=_FAR):
        return self.data.rindex(sub, start, end)

    def rpartition(self, sep):
        return self.data.rpartition(sep)

    def rsplit(self, sep=None, maxsplit=-1):
        return self.data.rsplit(sep, maxsplit)

    def split(self, sep=None, maxsplit=-1):
        return self.data.split(sep, maxsplit)

    def splitlines(self, keepends=False):
        return self.data.splitlines(keepends)

    def startswith(self, prefix, start=0, end=_FAR):
        return self.data.startswith(prefix, start, end)
