# Shims for subclasses of `str` and `tuple`: instances hold a plain value, which is used for
# everything that their class does not define.


class _Text(_STR):
    _plain_key_ = True

    def __new__(cls, *args, **kwargs):
        return _scalar(cls, str(*args, **kwargs))

    def __init__(self, *args, **kwargs):
        pass

    def __repr__(self):
        return _repr(_data(self))

    def __str__(self):
        return _data(self)

    def __len__(self):
        return _len(_data(self))

    def __iter__(self):
        return iter(_data(self))

    def __getitem__(self, key):
        return _data(self)[key]

    def __contains__(self, x):
        return _plain_value(x) in _data(self)

    def __add__(self, other):
        return _data(self) + _plain_value(other) if isinstance(other, str) else NotImplemented

    def __radd__(self, other):
        return other + _data(self) if isinstance(other, str) and _kind(other) != "own" else NotImplemented

    def __mul__(self, times):
        return _data(self) * _plain_value(times)

    def __rmul__(self, times):
        return _data(self) * _plain_value(times)

    def __mod__(self, values):
        return _data(self) % _plain_value(values)

    def __eq__(self, other):
        return _data(self) == _plain_value(other) if isinstance(other, str) else NotImplemented

    def __ne__(self, other):
        return _data(self) != _plain_value(other) if isinstance(other, str) else NotImplemented

    def __lt__(self, other):
        return _data(self) < _plain_value(other) if isinstance(other, str) else NotImplemented

    def __le__(self, other):
        return _data(self) <= _plain_value(other) if isinstance(other, str) else NotImplemented

    def __gt__(self, other):
        return _data(self) > _plain_value(other) if isinstance(other, str) else NotImplemented

    def __ge__(self, other):
        return _data(self) >= _plain_value(other) if isinstance(other, str) else NotImplemented

    def __hash__(self):
        return hash(_data(self))

    def __format__(self, spec):
        return _str(self) if spec == "" else _format(_data(self), 0, spec)

    def capitalize(self):
        return _data(self).capitalize()

    def casefold(self):
        return _data(self).casefold()

    def center(self, *args):
        return _data(self).center(*args)

    def count(self, *args):
        return _data(self).count(*args)

    def encode(self, *args, **kwargs):
        return _data(self).encode(*args, **kwargs)

    def endswith(self, *args):
        return _data(self).endswith(*args)

    def expandtabs(self, *args, **kwargs):
        return _data(self).expandtabs(*args, **kwargs)

    def find(self, *args):
        return _data(self).find(*args)

    def format(self, *args, **kwargs):
        return _data(self).format(*args, **kwargs)

    def format_map(self, *args):
        return _data(self).format_map(*args)

    def index(self, *args):
        return _data(self).index(*args)

    def isalnum(self):
        return _data(self).isalnum()

    def isalpha(self):
        return _data(self).isalpha()

    def isascii(self):
        return _data(self).isascii()

    def isdecimal(self):
        return _data(self).isdecimal()

    def isdigit(self):
        return _data(self).isdigit()

    def isidentifier(self):
        return _data(self).isidentifier()

    def islower(self):
        return _data(self).islower()

    def isnumeric(self):
        return _data(self).isnumeric()

    def isprintable(self):
        return _data(self).isprintable()

    def isspace(self):
        return _data(self).isspace()

    def istitle(self):
        return _data(self).istitle()

    def isupper(self):
        return _data(self).isupper()

    def join(self, *args):
        return _data(self).join(*args)

    def ljust(self, *args):
        return _data(self).ljust(*args)

    def lower(self):
        return _data(self).lower()

    def lstrip(self, *args):
        return _data(self).lstrip(*args)

    def partition(self, *args):
        return _data(self).partition(*args)

    def removeprefix(self, *args):
        return _data(self).removeprefix(*args)

    def removesuffix(self, *args):
        return _data(self).removesuffix(*args)

    def replace(self, *args):
        return _data(self).replace(*args)

    def rfind(self, *args):
        return _data(self).rfind(*args)

    def rindex(self, *args):
        return _data(self).rindex(*args)

    def rjust(self, *args):
        return _data(self).rjust(*args)

    def rpartition(self, *args):
        return _data(self).rpartition(*args)

    def rsplit(self, *args, **kwargs):
        return _data(self).rsplit(*args, **kwargs)

    def rstrip(self, *args):
        return _data(self).rstrip(*args)

    def split(self, *args, **kwargs):
        return _data(self).split(*args, **kwargs)

    def splitlines(self, *args, **kwargs):
        return _data(self).splitlines(*args, **kwargs)

    def startswith(self, *args):
        return _data(self).startswith(*args)

    def strip(self, *args):
        return _data(self).strip(*args)

    def swapcase(self):
        return _data(self).swapcase()

    def title(self):
        return _data(self).title()

    def translate(self, *args):
        return _data(self).translate(*args)

    def upper(self):
        return _data(self).upper()

    def zfill(self, *args):
        return _data(self).zfill(*args)


def _own_arguments(name, is_plain, args, kwargs):
    """Refuses what a builtin class does not take; a subclass with an `__init__` of its own has keywords of its own."""
    if kwargs and is_plain:
        raise TypeError(name + "() takes no keyword arguments")
    if _len(args) > 1:
        raise TypeError(f"{name} expected at most 1 argument, got {_len(args)}")


class _Tuple(_TUPLE):
    _plain_key_ = True

    def __new__(cls, /, *args, **kwargs):
        _own_arguments("tuple", cls.__init__ is _Tuple.__init__, args, kwargs)
        return _scalar(cls, (*args[0],) if args else ())

    def __init__(self, *args, **kwargs):
        pass

    def __repr__(self):
        return _repr(_data(self))

    def __len__(self):
        return _len(_data(self))

    def __iter__(self):
        return iter(_data(self))

    def __getitem__(self, key):
        return _data(self)[key]

    def __contains__(self, x):
        return x in _data(self)

    def __add__(self, other):
        return _data(self) + _plain_value(other) if isinstance(other, tuple) else NotImplemented

    def __radd__(self, other):
        return other + _data(self) if isinstance(other, tuple) and _kind(other) != "own" else NotImplemented

    def __mul__(self, times):
        return _data(self) * _plain_value(times)

    def __rmul__(self, times):
        return _data(self) * _plain_value(times)

    def __eq__(self, other):
        return _data(self) == _plain_value(other)

    def __ne__(self, other):
        return _data(self) != _plain_value(other)

    def __lt__(self, other):
        return _data(self) < _plain_value(other)

    def __le__(self, other):
        return _data(self) <= _plain_value(other)

    def __gt__(self, other):
        return _data(self) > _plain_value(other)

    def __ge__(self, other):
        return _data(self) >= _plain_value(other)

    def __hash__(self):
        return hash(_data(self))

    def index(self, *args):
        return _data(self).index(*args)

    def count(self, x, /):
        return _data(self).count(x)


def _plain_value(x):
    return _data(x) if isinstance(x, (_Int, _Float, _Text, _Tuple)) else x


def _unbound_other(class_name, method, *args, **kwargs):
    """`property.__init__(self, function)`"""
    classes = {
        "property": _Property, "staticmethod": _StaticMethod, "classmethod": _ClassMethod, "module": _Module, "set": _PlainSet,
        "frozenset": _FrozenSet, "collections.deque": _Deque, "collections.OrderedDict": _OrderedDict,
        "collections.Counter": _CounterDict, "collections.defaultdict": _DefaultDict,
    }
    return getattr(classes[class_name], method)(*args, **kwargs)


def _unbound_plain(class_name, method, *args, **kwargs):
    """`int.__new__(cls, 5)`, `str.__add__(self, other)`"""
    classes = {"int": _Int, "float": _Float, "str": _Text, "tuple": _Tuple}
    return getattr(classes[class_name], method)(*args, **kwargs)


_rename(_Text, "str")
_rename(_Tuple, "tuple")
