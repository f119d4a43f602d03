# Enumerations and flags.

import sys
import types


class auto:
    def __init__(self, value=None):
        self.value = value


class Enum:
    _enumeration_ = True

    def __init__(self, *args):
        pass

    def __new__(cls, value, *names, **rest):
        if _len(names) != 0 or _len(_items(rest)) != 0:
            return _enum_made(cls, value, names, rest)
        if _classof(value) is cls:
            return value
        for name in cls._member_map_:
            member = cls._member_map_[name]
            if member._value_ == value:
                return member
        if _len(_items(cls._member_map_)) == 0:
            raise TypeError(_repr(cls) + " has no members defined")
        missing = getattr(cls, "_missing_", None)
        if missing is not None:
            member = missing(value)
            if isinstance(member, cls):
                return member
            if member is not None:
                raise TypeError(
                    "error in " + cls.__name__ + "._missing_: returned " + _repr(member) + " instead of None or a valid member"
                )
        raise ValueError(_repr(value) + " is not a valid " + cls.__qualname__)

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    def __repr__(self):
        return "<" + _classof(self).__name__ + "." + self._name_ + ": " + _repr(self._value_) + ">"

    def __str__(self):
        return _classof(self).__name__ + "." + self._name_

    def __format__(self, spec):
        return _format(_str(self), 0, spec)

    def __finish__(cls):
        return _enumeration(cls)


def _enum_made(cls, name, names, rest):
    """`Enum("Name", "A B")`: a new enumeration."""
    start = rest.get("start", 1)
    kind = rest.get("type")
    for word in rest:
        if word not in ("start", "type", "module", "qualname", "names"):
            _throw("an enumeration made by a call")
    names = names[0] if _len(names) == 1 else rest.get("names")
    if names is None:
        _throw("an enumeration made by a call")
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    space = {}
    count = 0
    for item in names:
        if isinstance(names, dict):
            space[item] = names[item]
        elif not isinstance(item, str):
            space[item[0]] = item[1]
        elif start == 1:
            space[item] = auto()
        elif issubclass(cls, Flag):
            _throw("an enumeration made by a call")
        else:
            space[item] = start + count
        count += 1
    return type(name, (cls,) if kind is None else (kind, cls), space)


def _simple_enum(etype=Enum, *, boundary=None, use_args=None):
    """The decorator of the library's own enumerations: a plain class becomes one."""

    def convert_class(cls):
        space = {}
        for name in _own_names(cls):
            if name not in ("__dict__", "__weakref__", "__members__"):
                space[name] = _own_attribute(cls, name)
        return type(cls.__name__, (etype,), space)

    return convert_class


def _enum_converted(cls, name, module, filter, source=None, *, boundary=None, as_global=False):
    """Makes an enumeration of the names of a module, and binds it and its members there."""
    space = sys.modules[module].__dict__
    names = list(space) if source is None else dir(source)
    members = [(one, space[one] if source is None else getattr(source, one)) for one in names if filter(one)]
    try:
        members.sort(key=lambda pair: (pair[1], pair[0]))
    except TypeError:
        members.sort(key=lambda pair: pair[0])
    body = {"__module__": module}
    for one, value in members:
        body[one] = value
    made = type(name, (cls,), body)
    for one in made._member_map_:
        space[one] = made._member_map_[one]
    space[name] = made
    return made


class IntEnum(Enum, _INT):
    _convert_ = classmethod(_enum_converted)

    def __str__(self):
        return _str(self._value_)

    def __format__(self, spec):
        return _str(self) if spec == "" else _format(self._value_, 0, spec)

    @property
    def real(self):
        return self._value_

    @property
    def imag(self):
        return 0

    @property
    def numerator(self):
        return self._value_

    @property
    def denominator(self):
        return 1

    def conjugate(self):
        return self._value_

    def as_integer_ratio(self):
        return (self._value_, 1)

    def bit_length(self):
        return self._value_.bit_length()

    def bit_count(self):
        return self._value_.bit_count()

    def to_bytes(self, *args, **kwargs):
        return self._value_.to_bytes(*args, **kwargs)

    def __int__(self):
        return self._value_

    def __index__(self):
        return self._value_

    def __bool__(self):
        return self._value_ != 0

    def __add__(self, other):
        return self._value_ + _number(other)

    def __radd__(self, other):
        return other + self._value_

    def __sub__(self, other):
        return self._value_ - _number(other)

    def __rsub__(self, other):
        return other - self._value_

    def __mul__(self, other):
        return self._value_ * _number(other)

    def __rmul__(self, other):
        return other * self._value_

    def __floordiv__(self, other):
        return self._value_ // _number(other)

    def __mod__(self, other):
        return self._value_ % _number(other)

    def __truediv__(self, other):
        return self._value_ / _number(other)

    def __rfloordiv__(self, other):
        return other // self._value_

    def __rmod__(self, other):
        return other % self._value_

    def __rtruediv__(self, other):
        return other / self._value_

    def __pow__(self, other, mod=None):
        return pow(self._value_, _number(other)) if mod is None else pow(self._value_, _number(other), _number(mod))

    def __rpow__(self, other):
        return other ** self._value_

    def __lshift__(self, other):
        return self._value_ << _number(other) if isinstance(other, int) else NotImplemented

    def __rlshift__(self, other):
        return other << self._value_ if isinstance(other, int) else NotImplemented

    def __rshift__(self, other):
        return self._value_ >> _number(other) if isinstance(other, int) else NotImplemented

    def __rrshift__(self, other):
        return other >> self._value_ if isinstance(other, int) else NotImplemented

    def __and__(self, other):
        return self._value_ & _number(other) if isinstance(other, int) else NotImplemented

    def __rand__(self, other):
        return other & self._value_ if isinstance(other, int) else NotImplemented

    def __or__(self, other):
        return self._value_ | _number(other) if isinstance(other, int) else NotImplemented

    def __ror__(self, other):
        return other | self._value_ if isinstance(other, int) else NotImplemented

    def __xor__(self, other):
        return self._value_ ^ _number(other) if isinstance(other, int) else NotImplemented

    def __rxor__(self, other):
        return other ^ self._value_ if isinstance(other, int) else NotImplemented

    def __divmod__(self, other):
        return divmod(self._value_, _number(other))

    def __rdivmod__(self, other):
        return divmod(other, self._value_)

    def __neg__(self):
        return -self._value_

    def __pos__(self):
        return self._value_

    def __abs__(self):
        return abs(self._value_)

    def __invert__(self):
        return ~self._value_

    def __round__(self, digits=None):
        return round(self._value_) if digits is None else round(self._value_, digits)

    def __eq__(self, other):
        return self._value_ == _number(other)

    def __ne__(self, other):
        return self._value_ != _number(other)

    def __lt__(self, other):
        return self._value_ < _number(other)

    def __le__(self, other):
        return self._value_ <= _number(other)

    def __gt__(self, other):
        return self._value_ > _number(other)

    def __ge__(self, other):
        return self._value_ >= _number(other)


def _number(x):
    return x._value_ if isinstance(x, IntEnum) else x


def _enumeration(cls):
    members = {}
    last = 0
    flags = getattr(cls, "_is_flag_", False)
    if flags:
        _set_own(cls, "_combinations_", {})
    if _kind(getattr(cls, "_generate_next_value_", None)) == "function":
        _throw("an Enum that makes its own values")
    data = None if issubclass(cls, (IntEnum, StrMixin)) else _data_type(cls)
    own_new = _own_attribute(cls, "__new__") is not _END
    if own_new or data is not None and getattr(data, "__new__", None) is not None:
        # It creates members. The enumeration looks up members by value.
        if flags:
            _throw("a flag that makes its own members")
        _set_own(cls, "_new_member_", staticmethod(cls.__new__ if own_new else data.__new__))
        _set_own(cls, "__new__", staticmethod(Enum.__new__))
    if data is not None:
        # Members are shown by the enumeration's methods, not their data type's, unless overridden.
        for method in ("__repr__", "__str__", "__format__"):
            if getattr(cls, method) is getattr(data, method):
                _set_own(cls, method, getattr(Enum, method))
    makes = getattr(cls, "_new_member_", None)
    if _own_attribute(cls, "_member_map_") is _END and getattr(cls, "_member_map_", None) is not None and _len(_items(cls._member_map_)) != 0:
        raise TypeError("<enum '" + cls.__name__ + "'> cannot extend <enum '" + _mro(cls)[1].__name__ + "'>")
    names = _own_names(cls)
    # `__new__` may read earlier members.
    _set_own(cls, "_member_map_", members)
    _set_own(cls, "__members__", types.MappingProxyType(members))
    for name in names:
        value = _own_attribute(cls, name)
        if name[0] == "_" or _kind(value) in ("function", "special"):
            continue
        if _classof(value) is auto:
            value = _after_flag(last) if flags else last + 1
        if flags and not isinstance(value, (int, tuple)):
            _throw("a member of a flag that is no number")
        if isinstance(value, (int, float)):
            last = value if not flags or value > last else last
        if makes is None and issubclass(cls, IntEnum) and not isinstance(value, int) or makes is None and issubclass(cls, StrMixin) and not isinstance(value, str):
            _throw("a member of an enumeration that is of another type")
        # A tuple holds a member's arguments. Data of type tuple are passed as one argument.
        arguments = value if isinstance(value, tuple) and data is not _Tuple else (value,)
        if makes is not None:
            member = makes(cls, *arguments)
            if not hasattr(member, "_value_"):
                plain = data in (_Float, _Tuple, _FrozenSet)
                member._value_ = value if data is None else _data(member) if plain else data(*arguments)
        elif data is not None:
            member = _instance(cls)
            member._value_ = data(*arguments)
        else:
            member = _scalar(cls, value) if issubclass(cls, (IntEnum, StrMixin)) else _instance(cls)
            member._value_ = value
        member._name_ = name
        member.__init__(*arguments)
        # An alias is created as a member first.
        for other in members:
            if members[other]._value_ == member._value_:
                member = members[other]
                break
        members[name] = member
        _set_own(cls, name, member)
    _set_own(cls, "_member_names_", [name for name in members if members[name]._name_ == name])
    _set_own(cls, "_value2member_map_", _by_value(members))
    if flags:
        _set_own(cls, "_bits_", {name: members[name] for name in members if _one_bit(members[name]._value_)})
    return cls


def _data_type(cls):
    """The class that the members of an enumeration are of besides, as `float` of `class Ratio(float, Enum)`; `None` if there is none."""
    above = []
    for base in _mro(cls)[1:]:
        if base is object or issubclass(base, Enum):
            continue
        if any(_own_attribute(base, name) is not _END for name in ("__new__", "__dataclass_fields__", "_value_fields_")):
            # A subclass that adds methods to it takes precedence.
            for one in above:
                if issubclass(one, base):
                    return one
            return base
        _push(above, base)
    return None


def _by_value(members):
    known = {}
    for name in members:
        value = members[name]._value_
        try:
            known.setdefault(value, members[name])
        except TypeError:
            # It is unhashable and found by comparison.
            pass
    return known


def _one_bit(value):
    return value > 0 and value & (value - 1) == 0


def _after_flag(value):
    bit = 1
    while bit <= value:
        bit *= 2
    return bit


def unique(cls):
    for name in cls._member_map_:
        member = cls._member_map_[name]
        if member._name_ != name:
            raise ValueError("duplicate values found in " + _repr(cls) + ": " + name + " -> " + member._name_)
    return cls


# -- flags


class Flag(Enum):
    _is_flag_ = True

    def __new__(cls, value, *names, **rest):
        if _len(names) != 0 or _len(_items(rest)) != 0:
            return _enum_made(cls, value, names, rest)
        if _classof(value) is cls:
            return value
        if not isinstance(value, int):
            raise ValueError(_repr(value) + " is not a valid " + cls.__qualname__)
        return _flag(cls, value)

    def __or__(self, other):
        other = _flag_value(self, other)
        return NotImplemented if other is _END else _flag(_classof(self), self._value_ | other)

    def __and__(self, other):
        other = _flag_value(self, other)
        return NotImplemented if other is _END else _flag(_classof(self), self._value_ & other)

    def __xor__(self, other):
        other = _flag_value(self, other)
        return NotImplemented if other is _END else _flag(_classof(self), self._value_ ^ other)

    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__

    def __invert__(self):
        return _flag(_classof(self), _flag_mask(_classof(self)) & ~self._value_)

    def __contains__(self, other):
        if not isinstance(other, _classof(self)):
            raise TypeError(
                "unsupported operand type(s) for 'in': " + _repr(_classof(other).__qualname__) + " and " + _repr(_classof(self).__qualname__)
            )
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        return iter(_flag_parts(_classof(self), self._value_))

    def __len__(self):
        return _len(_flag_parts(_classof(self), self._value_))

    def __bool__(self):
        return self._value_ != 0

    def __repr__(self):
        cls = _classof(self).__name__
        if self._name_ is None:
            return "<" + cls + ": " + _repr(self._value_) + ">"
        return "<" + cls + "." + self._name_ + ": " + _repr(self._value_) + ">"

    def __str__(self):
        cls = _classof(self).__name__
        if self._name_ is None:
            return cls + "(" + _repr(self._value_) + ")"
        return cls + "." + self._name_


class IntFlag(Flag, IntEnum):
    def __repr__(self):
        return Flag.__repr__(self)

    def __str__(self):
        return _str(self._value_)

    def __format__(self, spec):
        return _str(self) if spec == "" else _format(self._value_, 0, spec)

    def __invert__(self):
        return _flag(_classof(self), ~self._value_)


def _flag_value(self, other):
    if isinstance(other, _classof(self)):
        return other._value_
    if isinstance(self, IntEnum) and isinstance(other, int):
        return _number(other)
    return _END


def _flag_mask(cls):
    mask = 0
    for name in cls._member_map_:
        value = cls._member_map_[name]._value_
        if _one_bit(value):
            mask |= value
    return mask


def _flag_parts(cls, value):
    parts = []
    for name in cls._member_map_:
        member = cls._member_map_[name]
        bit = member._value_
        if _one_bit(bit) and bit & value != 0 and member._name_ == name:
            _push(parts, member)
    return sorted(parts, key=lambda part: part._value_)


def _flag(cls, value):
    """The member, or the combination of members, of a value."""
    for name in cls._member_map_:
        member = cls._member_map_[name]
        if member._value_ == value:
            return member
    if value in cls._combinations_:
        return cls._combinations_[value]
    mask = _flag_mask(cls)
    unknown = 0
    if not issubclass(cls, IntEnum):
        if value < 0 or value & ~mask != 0:
            _throw("bits of a flag that have no name")
    else:
        # Other bits are kept. A negative number means all bits except some.
        if value < 0:
            bits = 1
            while bits <= mask or bits < -value:
                bits *= 2
            value += bits
            if value in cls._combinations_ or value & (value - 1) == 0:
                return _flag(cls, value)
        unknown = value & ~mask
    parts = [part._name_ for part in _flag_parts(cls, value)]
    if unknown != 0 and _len(parts) != 0:
        _push(parts, _str(unknown))
    member = _scalar(cls, value) if issubclass(cls, IntEnum) else _instance(cls)
    member._value_ = value
    member._name_ = "|".join(parts) if _len(parts) != 0 else None
    cls._combinations_[value] = member
    return member


class IntMixin(IntEnum):
    """`class C(int, Enum)`."""

    def __str__(self):
        return _classof(self).__name__ + "." + self._name_

    def __format__(self, spec):
        return _format(_str(self), 0, spec)


class StrMixin(Enum, _STR):
    """`class C(str, Enum)`."""

    def __getattr__(self, name):
        return getattr(_data(self), name)

    def __len__(self):
        return _len(_data(self))

    def __iter__(self):
        return iter(_data(self))

    def __getitem__(self, key):
        return _data(self)[key]

    def __contains__(self, x):
        return _letters(x) in _data(self)

    def __add__(self, other):
        return _data(self) + _letters(other)

    def __radd__(self, other):
        return other + _data(self)

    def __mul__(self, times):
        return _data(self) * times

    __rmul__ = __mul__

    def __bool__(self):
        return _data(self) != ""

    def __eq__(self, other):
        return _data(self) == _letters(other)

    def __ne__(self, other):
        return _data(self) != _letters(other)

    def __lt__(self, other):
        return _data(self) < _letters(other)

    def __le__(self, other):
        return _data(self) <= _letters(other)

    def __gt__(self, other):
        return _data(self) > _letters(other)

    def __ge__(self, other):
        return _data(self) >= _letters(other)


class StrEnum(StrMixin):
    _is_text_ = True

    def __str__(self):
        return _data(self)

    def __format__(self, spec):
        return _str(self) if spec == "" else _format(_data(self), 0, spec)


def _letters(x):
    return _data(x) if isinstance(x, StrMixin) else x


_rename(IntMixin, "IntEnum")
_rename(StrMixin, "StrEnum")
