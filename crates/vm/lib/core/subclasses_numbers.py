# Shims for subclasses of `int` and `float`: instances hold a plain value, which is used for
# everything that their class does not define.


class _Int(_INT):
    _plain_key_ = True

    def __new__(cls, *args, **kwargs):
        return _scalar(cls, int(*args, **kwargs))

    def __init__(self, *args, **kwargs):
        pass

    def __repr__(self):
        return _repr(_data(self))

    def __int__(self):
        return _data(self)

    def __index__(self):
        return _data(self)

    def __float__(self):
        return float(_data(self))

    def __add__(self, other):
        return _data(self) + _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __radd__(self, other):
        return _plain_value(other) + _data(self) if isinstance(other, (int, float, complex)) else NotImplemented

    def __sub__(self, other):
        return _data(self) - _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __rsub__(self, other):
        return _plain_value(other) - _data(self) if isinstance(other, (int, float, complex)) else NotImplemented

    def __mul__(self, other):
        return _data(self) * _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __rmul__(self, other):
        return _plain_value(other) * _data(self) if isinstance(other, (int, float, complex)) else NotImplemented

    def __truediv__(self, other):
        return _data(self) / _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __rtruediv__(self, other):
        return _plain_value(other) / _data(self) if isinstance(other, (int, float, complex)) else NotImplemented

    def __floordiv__(self, other):
        return _data(self) // _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __rfloordiv__(self, other):
        return _plain_value(other) // _data(self) if isinstance(other, (int, float, complex)) else NotImplemented

    def __mod__(self, other):
        return _data(self) % _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __rmod__(self, other):
        return _plain_value(other) % _data(self) if isinstance(other, (int, float, complex)) else NotImplemented

    def __pow__(self, other):
        return _data(self) ** _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __rpow__(self, other):
        return _plain_value(other) ** _data(self) if isinstance(other, (int, float, complex)) else NotImplemented

    def __and__(self, other):
        return _data(self) & _plain_value(other) if isinstance(other, int) else NotImplemented

    def __rand__(self, other):
        return _plain_value(other) & _data(self) if isinstance(other, int) else NotImplemented

    def __or__(self, other):
        return _data(self) | _plain_value(other) if isinstance(other, int) else NotImplemented

    def __ror__(self, other):
        return _plain_value(other) | _data(self) if isinstance(other, int) else NotImplemented

    def __xor__(self, other):
        return _data(self) ^ _plain_value(other) if isinstance(other, int) else NotImplemented

    def __rxor__(self, other):
        return _plain_value(other) ^ _data(self) if isinstance(other, int) else NotImplemented

    def __lshift__(self, other):
        return _data(self) << _plain_value(other) if isinstance(other, int) else NotImplemented

    def __rlshift__(self, other):
        return _plain_value(other) << _data(self) if isinstance(other, int) else NotImplemented

    def __rshift__(self, other):
        return _data(self) >> _plain_value(other) if isinstance(other, int) else NotImplemented

    def __rrshift__(self, other):
        return _plain_value(other) >> _data(self) if isinstance(other, int) else NotImplemented

    def __divmod__(self, other):
        return divmod(_data(self), _plain_value(other))

    def __rdivmod__(self, other):
        return divmod(_plain_value(other), _data(self))

    def __neg__(self):
        return -_data(self)

    def __pos__(self):
        return _data(self)

    def __abs__(self):
        return abs(_data(self))

    def __bool__(self):
        return _data(self) != 0

    def __round__(self, digits=None):
        return round(_data(self)) if digits is None else round(_data(self), digits)

    def __invert__(self):
        return ~_data(self)

    def bit_length(self):
        return _data(self).bit_length()

    def bit_count(self):
        return _data(self).bit_count()

    def to_bytes(self, *args, **kwargs):
        return _data(self).to_bytes(*args, **kwargs)

    def as_integer_ratio(self):
        return _data(self).as_integer_ratio()

    def conjugate(self):
        return _data(self)

    @property
    def real(self):
        return _data(self)

    @property
    def imag(self):
        return 0

    @property
    def numerator(self):
        return _data(self)

    @property
    def denominator(self):
        return 1

    def __eq__(self, other):
        return _data(self) == _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __ne__(self, other):
        return _data(self) != _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __lt__(self, other):
        return _data(self) < _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __le__(self, other):
        return _data(self) <= _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __gt__(self, other):
        return _data(self) > _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __ge__(self, other):
        return _data(self) >= _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __hash__(self):
        return hash(_data(self))

    def __format__(self, spec):
        return _str(self) if spec == "" else _format(_data(self), 0, spec)


class _Float(_FLOAT):
    _plain_key_ = True

    def __new__(cls, /, *args, **kwargs):
        _own_arguments("float", cls.__init__ is _Float.__init__, args, kwargs)
        return _scalar(cls, float(args[0]) if args else 0.0)

    def __init__(self, *args, **kwargs):
        pass

    def __repr__(self):
        return _repr(_data(self))

    def __float__(self):
        return _data(self)

    def __int__(self):
        return int(_data(self))

    def __add__(self, other):
        return _data(self) + _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __radd__(self, other):
        return _plain_value(other) + _data(self) if isinstance(other, (int, float, complex)) else NotImplemented

    def __sub__(self, other):
        return _data(self) - _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __rsub__(self, other):
        return _plain_value(other) - _data(self) if isinstance(other, (int, float, complex)) else NotImplemented

    def __mul__(self, other):
        return _data(self) * _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __rmul__(self, other):
        return _plain_value(other) * _data(self) if isinstance(other, (int, float, complex)) else NotImplemented

    def __truediv__(self, other):
        return _data(self) / _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __rtruediv__(self, other):
        return _plain_value(other) / _data(self) if isinstance(other, (int, float, complex)) else NotImplemented

    def __floordiv__(self, other):
        return _data(self) // _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __rfloordiv__(self, other):
        return _plain_value(other) // _data(self) if isinstance(other, (int, float, complex)) else NotImplemented

    def __mod__(self, other):
        return _data(self) % _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __rmod__(self, other):
        return _plain_value(other) % _data(self) if isinstance(other, (int, float, complex)) else NotImplemented

    def __pow__(self, other):
        return _data(self) ** _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __rpow__(self, other):
        return _plain_value(other) ** _data(self) if isinstance(other, (int, float, complex)) else NotImplemented

    def __divmod__(self, other):
        return divmod(_data(self), _plain_value(other))

    def __rdivmod__(self, other):
        return divmod(_plain_value(other), _data(self))

    def __neg__(self):
        return -_data(self)

    def __pos__(self):
        return _data(self)

    def __abs__(self):
        return abs(_data(self))

    def __bool__(self):
        return _data(self) != 0

    def __round__(self, digits=None):
        return round(_data(self)) if digits is None else round(_data(self), digits)

    def is_integer(self):
        return _data(self).is_integer()

    def as_integer_ratio(self):
        return _data(self).as_integer_ratio()

    def hex(self):
        return _data(self).hex()

    def conjugate(self):
        return _data(self)

    @property
    def real(self):
        return _data(self)

    @property
    def imag(self):
        return 0.0

    def __eq__(self, other):
        return _data(self) == _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __ne__(self, other):
        return _data(self) != _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __lt__(self, other):
        return _data(self) < _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __le__(self, other):
        return _data(self) <= _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __gt__(self, other):
        return _data(self) > _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __ge__(self, other):
        return _data(self) >= _plain_value(other) if isinstance(other, (int, float, complex)) else NotImplemented

    def __hash__(self):
        return hash(_data(self))

    def __format__(self, spec):
        return _str(self) if spec == "" else _format(_data(self), 0, spec)


_rename(_Int, "int")
_rename(_Float, "float")
