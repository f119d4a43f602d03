# The part of numpy that is written in Python: scalars.


class _generic:
    shape = ()
    ndim = 0
    size = 1

    def item(self):
        return _base(self)

    def tolist(self):
        return _base(self)

    @property
    def dtype(self):
        return _dtype(_classof(self))

    @property
    def T(self):
        return self

    @property
    def real(self):
        return self

    @property
    def imag(self):
        return _wrapped(_base(self) * 0, self.dtype)

    def __str__(self):
        return _str(_base(self))

    def __repr__(self):
        return "np." + _classof(self).__name__ + "(" + _repr(_base(self)) + ")"

    def __format__(self, spec):
        return _format(_base(self), 0, spec)

    def __bool__(self):
        return True if _base(self) else False

    def __int__(self):
        x = _base(self)
        if _classof(x) is float or isinstance(x, str):
            return _ask("int", (x,), {})
        return +x

    def __float__(self):
        x = _base(self)
        return float(x) if isinstance(x, str) else x * 1.0

    def __hash__(self):
        return _ask("hash", (_base(self),), {})

    def __abs__(self):
        return absolute(self)

    def __neg__(self):
        return negative(self)

    def __pos__(self):
        return self

    def __invert__(self):
        return invert(self)

    def __round__(self, digits=None):
        x = _base(self)
        if digits is None:
            return _ask("round", (x,), {})
        return _wrapped(_ask("round", (x, digits), {}), self.dtype)

    def astype(self, kind):
        dt = _dtype(kind)
        return _wrapped(_convert(_base(self), dt), dt)

    def __getitem__(self, key):
        if key == ():
            return self
        raise IndexError("invalid index to scalar variable.")

    def __iter__(self):
        raise TypeError("'" + _type_name(self) + "' object is not iterable")

    def __divmod__(self, other):
        return (floor_divide(self, other), remainder(self, other))

    def __rdivmod__(self, other):
        return (floor_divide(other, self), remainder(other, self))

    def __getattr__(self, name):
        if name in ("prod", "std", "var", "argmax", "argmin", "cumsum", "cumprod", "ravel", "nonzero", "itemsize", "clip", "squeeze", "fill", "sort", "nbytes"):
            return getattr(_array_of(self), name)
        raise AttributeError("'" + _type_name(self) + "' object has no attribute '" + name + "'")

    def is_integer(self):
        return _base(self) % 1 == 0

    def __add__(self, other):
        return _scalar_operation("add", self, other)

    def __radd__(self, other):
        return _scalar_operation("add", other, self)

    def __sub__(self, other):
        return _scalar_operation("subtract", self, other)

    def __rsub__(self, other):
        return _scalar_operation("subtract", other, self)

    def __mul__(self, other):
        if isinstance(other, (list, tuple, str)):
            return self.__rmul__(other)
        return _scalar_operation("multiply", self, other)

    def __rmul__(self, other):
        if isinstance(other, (list, tuple, str)):
            if _classof(_base(self)) is int:
                return other * _base(self)
            raise TypeError("can't multiply sequence by non-int of type '" + _type_name(self) + "'")
        return _scalar_operation("multiply", other, self)

    def __truediv__(self, other):
        return _scalar_operation("divide", self, other)

    def __rtruediv__(self, other):
        return _scalar_operation("divide", other, self)

    def __floordiv__(self, other):
        return _scalar_operation("floor_divide", self, other)

    def __rfloordiv__(self, other):
        return _scalar_operation("floor_divide", other, self)

    def __mod__(self, other):
        return _scalar_operation("remainder", self, other)

    def __rmod__(self, other):
        return _scalar_operation("remainder", other, self)

    def __pow__(self, other):
        return _scalar_operation("power", self, other)

    def __rpow__(self, other):
        return _scalar_operation("power", other, self)

    def __and__(self, other):
        return _scalar_operation("bitwise_and", self, other)

    def __rand__(self, other):
        return _scalar_operation("bitwise_and", other, self)

    def __or__(self, other):
        return _scalar_operation("bitwise_or", self, other)

    def __ror__(self, other):
        return _scalar_operation("bitwise_or", other, self)

    def __xor__(self, other):
        return _scalar_operation("bitwise_xor", self, other)

    def __rxor__(self, other):
        return _scalar_operation("bitwise_xor", other, self)

    def __lshift__(self, other):
        return _scalar_operation("left_shift", self, other)

    def __rlshift__(self, other):
        return _scalar_operation("left_shift", other, self)

    def __rshift__(self, other):
        return _scalar_operation("right_shift", self, other)

    def __rrshift__(self, other):
        return _scalar_operation("right_shift", other, self)

    def __eq__(self, other):
        return _scalar_operation("equal", self, other)

    def __ne__(self, other):
        return _scalar_operation("not_equal", self, other)

    def __lt__(self, other):
        return _scalar_operation("less", self, other)

    def __le__(self, other):
        return _scalar_operation("less_equal", self, other)

    def __gt__(self, other):
        return _scalar_operation("greater", self, other)

    def __ge__(self, other):
        return _scalar_operation("greater_equal", self, other)

    # Methods of arrays that scalars also have.

    def sum(self, axis=None):
        return self

    def max(self, axis=None):
        return self

    def min(self, axis=None):
        return self

    def mean(self, axis=None):
        return mean(self)

    def any(self, axis=None):
        return any(self)

    def all(self, axis=None):
        return all(self)

    def copy(self):
        return self

    def round(self, decimals=0):
        return round(self, decimals)

    def reshape(self, *shape):
        return array(self).reshape(*shape)

    def flatten(self):
        return array(self).flatten()


class _integer(_generic):
    def __new__(cls, value=0):
        if isinstance(value, (list, tuple, ndarray)):
            return array(value, cls)
        if isinstance(value, (str, bytes)):
            value = _ask("int", (value,), {})
        dt = _dtype(cls)
        return _scalar(cls, _convert(_base(value), dt))

    def __index__(self):
        return _base(self)

    def bit_count(self):
        return _ask("int.bit_count", (_base(self),), {})


class int64(_integer):
    __module__ = "numpy"


class int32(_integer):
    __module__ = "numpy"


class int16(_integer):
    __module__ = "numpy"


class int8(_integer):
    __module__ = "numpy"


class uint64(_integer):
    __module__ = "numpy"


class uint32(_integer):
    __module__ = "numpy"


class uint16(_integer):
    __module__ = "numpy"


class uint8(_integer):
    __module__ = "numpy"


class float64(_generic, _FLOAT):
    def __new__(cls, value=0.0):
        if isinstance(value, (list, tuple, ndarray)):
            return array(value, cls)
        return _scalar(cls, _convert(_base(value), _FLOAT64))


class bool_(_generic):
    def __new__(cls, value=False):
        if isinstance(value, (list, tuple, ndarray)):
            return array(value, cls)
        return _scalar(cls, True if value else False)

    def __repr__(self):
        return "np." + _repr(_base(self)) + "_"


class str_(_generic, _STR):
    def __new__(cls, value=""):
        return _scalar(cls, _str(value))

    def __getitem__(self, key):
        return _base(self)[key]

    def __iter__(self):
        return iter(_base(self))

    def __len__(self):
        return _len(_base(self))

    def __contains__(self, part):
        return part in _base(self)

    def __getattr__(self, name):
        return getattr(_base(self), name)

    def __add__(self, other):
        return _base(self) + _base(other)

    def __radd__(self, other):
        return other + _base(self)

    def __mul__(self, other):
        return _base(self) * _base(other)


_rename(bool_, "bool")
_CLASSES = {
    "int64": int64,
    "float64": float64,
    "bool": bool_,
    "int32": int32,
    "int16": int16,
    "int8": int8,
    "uint64": uint64,
    "uint32": uint32,
    "uint16": uint16,
    "uint8": uint8,
}


def _wrapped(x, dt):
    # The result of reading a plain value from an array.
    if dt.kind == "O":
        return x
    if dt.kind == "U":
        return _scalar(str_, x)
    return _scalar(_CLASSES[dt.name], x)


def _scalar_operation(name, a, b):
    if isinstance(b, ndarray) or isinstance(a, ndarray):
        return NotImplemented if isinstance(b, ndarray) else _ufuncs[name](a, b)
    for x in (a, b):
        if not isinstance(x, (int, float, _generic)):
            if isinstance(x, (list, tuple)):
                return _ufuncs[name](a, b)
            if isinstance(x, str) and name == "add" and x is a:
                raise TypeError('can only concatenate str (not "' + _type_name(b) + '") to str')
            if x is None and name not in ("equal", "not_equal"):
                return _ufuncs[name](a, b)
            if x is None or isinstance(x, str):
                if name == "equal":
                    return _scalar(bool_, _base(a) == _base(b)) if isinstance(a, str_) and isinstance(b, str) else _scalar(bool_, False) if x is not None and (isinstance(a, float64) or isinstance(b, float64)) else False
                if name == "not_equal":
                    return _scalar(bool_, _base(a) != _base(b)) if isinstance(a, str_) and isinstance(b, str) else True
                if isinstance(a, str) and isinstance(b, str):
                    if name == "less":
                        return _base(a) < _base(b)
                    if name == "greater":
                        return _base(a) > _base(b)
                if x is None or name in ("less", "greater", "less_equal", "greater_equal"):
                    return NotImplemented
                if name in ("divide", "floor_divide", "remainder") or "bitwise" in name:
                    raise _not_supported(_ufuncs[name])
                raise UFuncTypeError("ufunc '" + name + "' did not contain a loop with signature matching types (" + _signature_type(a) + ", " + _signature_type(b) + ") -> None")
            return NotImplemented
    return _ufuncs[name](a, b)


def _signature_type(x):
    if isinstance(x, str):
        return "dtype('<U" + _str(_len(_base(x))) + "')"
    return _repr(_array_of(x).dtype)


class UFuncTypeError(TypeError):
    pass


class LinAlgError(ValueError):
    pass


class AxisError(ValueError, IndexError):
    pass
