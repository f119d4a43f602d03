# What stands for `numpy`: arrays over flat lists, with shapes and strides, so that a slice shares its data. Loaded for
# programs that name numpy. `_data` holds plain values; a value that is read out becomes a scalar of a class below. What
# cannot be reproduced exactly ends planning by `_throw`. Written for numpy 2.

from collections import deque as _deque

_HALF = 9223372036854775808
_WHOLE = 18446744073709551616


class _Slices:
    def __getitem__(self, key):
        return key


_SLICE = _Slices()


# -- data types


class dtype:
    __module__ = "numpy"

    def __new__(cls, kind):
        return _dtype(kind)

    def __str__(self):
        if self.kind == "U":
            return "<U" + _str(self.size)
        return self.name

    def __repr__(self):
        if self.kind == "O":
            return "dtype('O')"
        return "dtype('" + _str(self) + "')"

    def __eq__(self, other):
        if other is self:
            return True
        if other is None:
            return self.name == "float64"
        try:
            other = _dtype(other)
        except TypeError:
            return False
        return self.name == other.name and self.size == other.size

    def __hash__(self):
        _throw("hash of a dtype")

    @property
    def type(self):
        return _CLASSES[self.name]

    @property
    def itemsize(self):
        return self.size * 4 if self.kind == "U" else self.size


def _new_dtype(name, kind, size):
    new = _instance(dtype)
    new.name = name
    new.kind = kind
    new.size = size
    return new


_INT64 = _new_dtype("int64", "i", 8)
_FLOAT64 = _new_dtype("float64", "f", 8)
_BOOL = _new_dtype("bool", "b", 1)
_OBJECT = _new_dtype("object", "O", 8)
_DTYPES = {"int64": _INT64, "float64": _FLOAT64, "bool": _BOOL, "object": _OBJECT}
for _name, _width in (("int8", 1), ("int16", 2), ("int32", 4)):
    _DTYPES[_name] = _new_dtype(_name, "i", _width)
for _name, _width in (("uint8", 1), ("uint16", 2), ("uint32", 4), ("uint64", 8)):
    _DTYPES[_name] = _new_dtype(_name, "u", _width)
_ALIASES = {
    "int": "int64",
    "i8": "int64",
    "i": "int32",
    "i4": "int32",
    "i2": "int16",
    "i1": "int8",
    "l": "int64",
    "q": "int64",
    "<i8": "int64",
    "<i4": "int32",
    "int_": "int64",
    "intp": "int64",
    "float": "float64",
    "f8": "float64",
    "<f8": "float64",
    "d": "float64",
    "?": "bool",
    "bool_": "bool",
    "b": "int8",
    "B": "uint8",
    "u1": "uint8",
    "u2": "uint16",
    "u4": "uint32",
    "I": "uint32",
    "u8": "uint64",
    "uint": "uint64",
    "O": "object",
    "L": "uint64",
    "Q": "uint64",
}


_TEXT_WIDTHS = {"int64": 21, "int32": 11, "int16": 6, "int8": 4, "uint64": 20, "uint32": 10, "uint16": 5, "uint8": 3}


def _text_dtype(width):
    return _new_dtype("str", "U", width)


def _dtype(kind):
    if kind is None or kind is float:
        return _FLOAT64
    if kind is int:
        return _INT64
    if kind is bool:
        return _BOOL
    if kind is object:
        return _OBJECT
    if kind is str:
        return _text_dtype(0)
    if kind is complex:
        _throw("numpy with complex numbers")
    if _classof(kind) is dtype:
        return kind
    if _classof(kind) is str:
        if kind in _ALIASES:
            return _DTYPES[_ALIASES[kind]]
        if kind in _DTYPES:
            return _DTYPES[kind]
        if kind == "str" or kind == "U":
            return _text_dtype(0)
        if kind in ("float32", "float16", "f4", "f", "f2", "e", "longdouble", "complex", "complex128", "datetime64", "bytes", "S", "c", "D", "F", "g", "m", "M", "p", "P", "h", "H"):
            _throw("numpy." + kind)
        if _len(kind) != 0 and (kind[0] in "<>=|USaVMmifucbOSt" or "," in kind):
            if kind != "list" and kind != "string" and kind != "integer" and kind not in ("tuple", "dict", "set", "test", "number", "text", "str_", "unicode", "char"):
                _throw("numpy dtype '" + kind + "'")
        raise TypeError("data type '" + kind + "' not understood")
    if _classof(kind) is type:
        for name in _CLASSES:
            if _CLASSES[name] is kind:
                return _DTYPES[name]
        if kind is str_:
            return _text_dtype(0)
        if kind is list or kind is tuple or kind is dict or kind is set or kind is range or _own(kind):
            return _OBJECT
    if isinstance(kind, (int, float)) and not isinstance(kind, _generic):
        raise TypeError("Cannot interpret '" + _repr(kind) + "' as a data type")
    if isinstance(kind, (ndarray, _generic)):
        raise TypeError("Cannot construct a dtype from an array")
    _throw("numpy dtype of that")


def _wrap(x):
    if -_HALF <= x < _HALF:
        return x
    return (x + _HALF) % _WHOLE - _HALF


def _fit(x, dt):
    # An integer as the type keeps it.
    if dt.kind == "u":
        return x % (1 << 8 * dt.size)
    half = 1 << (8 * dt.size - 1)
    if -half <= x < half:
        return x
    return (x + half) % (2 * half) - half


def _convert(x, dt):
    # A plain value as a plain value of a type.
    kind = dt.kind
    have = _classof(x)
    if kind == "f":
        if have is float:
            return x
        if have is int or have is bool:
            return x * 1.0
        if x is None:
            return numpy__nan
        if have is str:
            return _ask("float", (x,), {})
        raise TypeError("float() argument must be a string or a real number, not '" + _type_name(x) + "'")
    if kind == "i" or kind == "u":
        if have is int:
            if _fit(x, dt) != x:
                raise OverflowError("Python int too large to convert to C long" if dt.size == 8 else "Python integer " + _str(x) + " out of bounds for " + dt.name)
            return x
        if have is bool:
            return +x
        if have is float:
            if x != x or x - x != 0:
                return -_HALF
            return _fit(_int(x), dt)
        if have is str:
            return _ask("int", (x,), {})
        raise TypeError("int() argument must be a string, a bytes-like object or a real number, not '" + _type_name(x) + "'")
    if kind == "b":
        if have is str:
            return x != ""
        return True if x else False
    if kind == "U":
        text = _str(x)
        if dt.size != 0 and _len(text) > dt.size:
            return text[: dt.size]
        return text
    return x


def _dtype_of(values):
    # The type that holds all of some plain values.
    best = 0
    for x in values:
        have = _classof(x)
        if have is int:
            level = 2
            if not -_HALF <= x < _HALF:
                level = 7 if x >= 0 and x < _WHOLE else 6
        elif have is float:
            level = 3
        elif have is bool:
            level = 1
        elif have is str:
            level = 4
        elif have is complex:
            _throw("numpy with complex numbers")
        elif have is bytes:
            _throw("numpy with bytes")
        else:
            level = 6
        if level > best:
            if best == 1 and level == 4 or level == 7:
                _throw("an array of such values")
            best = level
        elif level == 1 and best == 4:
            _throw("an array of such values")
    if best == 0 or best == 3:
        return _FLOAT64
    if best == 1:
        return _BOOL
    if best == 2:
        return _INT64
    if best == 4:
        width = 1
        for x in values:
            if _len(_str(x)) > width:
                width = _len(_str(x))
        return _text_dtype(width)
    return _OBJECT


def _promote(a, b):
    if a is b:
        return a
    if a.kind == "O" or b.kind == "O":
        return _OBJECT
    if a.kind == "U" or b.kind == "U":
        if a.kind == "U" and b.kind == "U":
            return a if a.size >= b.size else b
        _throw("numpy text beside numbers")
    if a.kind == "f" or b.kind == "f":
        return _FLOAT64
    if a.kind == "b":
        return b
    if b.kind == "b":
        return a
    if a.kind == b.kind:
        return a if a.size >= b.size else b
    _throw("numpy unsigned beside signed integers")


# -- scalars


class _generic:
    __module__ = "numpy"
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
        if _classof(x) is float:
            return _ask("int", (x,), {})
        return +x

    def __float__(self):
        return _base(self) * 1.0

    def __hash__(self):
        return _ask("hash", (_base(self),), {})

    def __abs__(self):
        return numpy__absolute(self)

    def __neg__(self):
        return numpy__negative(self)

    def __pos__(self):
        return self

    def __invert__(self):
        return numpy__invert(self)

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
        return (numpy__floor_divide(self, other), numpy__remainder(self, other))

    def __rdivmod__(self, other):
        return (numpy__floor_divide(other, self), numpy__remainder(other, self))

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

    # Methods of arrays that scalars have, too.

    def sum(self, axis=None):
        return self

    def max(self, axis=None):
        return self

    def min(self, axis=None):
        return self

    def mean(self, axis=None):
        return numpy__mean(self)

    def any(self, axis=None):
        return numpy__any(self)

    def all(self, axis=None):
        return numpy__all(self)

    def copy(self):
        return self

    def round(self, decimals=0):
        return numpy__round(self, decimals)

    def reshape(self, *shape):
        return numpy__array(self).reshape(*shape)

    def flatten(self):
        return numpy__array(self).flatten()


class _integer(_generic):
    def __new__(cls, value=0):
        if isinstance(value, (list, tuple, ndarray)):
            return numpy__array(value, cls)
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
    __module__ = "numpy"

    def __new__(cls, value=0.0):
        if isinstance(value, (list, tuple, ndarray)):
            return numpy__array(value, cls)
        return _scalar(cls, _convert(_base(value), _FLOAT64))


class bool_(_generic):
    __module__ = "numpy"

    def __new__(cls, value=False):
        if isinstance(value, (list, tuple, ndarray)):
            return numpy__array(value, cls)
        return _scalar(cls, True if value else False)

    def __repr__(self):
        return "np." + _repr(_base(self)) + "_"


class str_(_generic, _STR):
    __module__ = "numpy"

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
    # What reading a plain value out of an array gives.
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


# -- arrays


def _product(shape):
    n = 1
    for x in shape:
        n = n * x
    return n


def _strides_of(shape):
    strides = []
    n = 1
    for x in shape[::-1]:
        _push(strides, n)
        n = n * x
    return (*strides[::-1],)


def _make(data, shape, dt):
    new = _instance(ndarray)
    new._data = data
    new._shape = shape
    new._strides = _strides_of(shape)
    new._offset = 0
    new._dtype = dt
    return new


def _view(a, shape, strides, offset):
    new = _instance(ndarray)
    new._data = a._data
    new._shape = shape
    new._strides = strides
    new._offset = offset
    new._dtype = a._dtype
    return new


def _positions(a):
    # Where the items of an array lie, in its order.
    at = [a._offset]
    for n, step in _zipped(a._shape, a._strides):
        if n == 1:
            continue
        steps = [i * step for i in _range(n)]
        if _len(at) == 1:
            start = at[0]
            at = [start + i for i in steps]
        else:
            at = [start + i for start in at for i in steps]
    return at


def _flat(a):
    # The items of an array in its order; not to be changed.
    data = a._data
    if a._strides == _strides_of(a._shape):
        n = _product(a._shape)
        if n == _len(data):
            return data
        return data[a._offset : a._offset + n]
    return [data[i] for i in _positions(a)]


def _deep(value, depth, shape, items):
    # Takes the items of nested lists; False where their lengths differ.
    if depth == _len(shape):
        if isinstance(value, (list, tuple, range, ndarray)) and not (isinstance(value, ndarray) and value.ndim == 0):
            return False
        _push(items, _plain(value))
        return True
    if isinstance(value, ndarray):
        if value._shape != shape[depth:]:
            return False
        for x in _flat(value):
            _push(items, x)
        return True
    if not isinstance(value, (list, tuple, range)) or _len_of(value) != shape[depth]:
        return False
    for x in value:
        if not _deep(x, depth + 1, shape, items):
            return False
    return True


def _plain(x):
    if isinstance(x, ndarray):
        if x.ndim != 0:
            raise ValueError("setting an array element with a sequence.")
        return _flat(x)[0]
    return _base(x)


def _len_of(x):
    if isinstance(x, ndarray):
        return _length(x)
    items = _items(x)
    return _len(items)


def _length(a):
    if a._shape == ():
        raise TypeError("len() of unsized object")
    return a._shape[0]


def _shape_of(value):
    shape = []
    while True:
        if isinstance(value, ndarray):
            return (*shape, *value._shape)
        if isinstance(value, (list, tuple, range)):
            n = _len_of(value)
            _push(shape, n)
            if n == 0:
                return (*shape,)
            value = value[0]
            continue
        return (*shape,)


def _array_of(value):
    # Anything as an array; arrays as they are.
    if isinstance(value, ndarray):
        return value
    if isinstance(value, _generic):
        return _make([_base(value)], (), _dtype(_classof(value)) if not isinstance(value, str_) else _text_dtype(_len(_base(value))))
    return numpy__array(value)


def _known(dt, given):
    return given if dt is None else _dtype(dt)


class ndarray:
    __module__ = "numpy"

    @property
    def shape(self):
        return self._shape

    @shape.setter
    def shape(self, shape):
        new = self.reshape(shape)
        self._shape = new._shape
        self._strides = new._strides

    @property
    def dtype(self):
        return self._dtype

    @property
    def ndim(self):
        return _len(self._shape)

    @property
    def size(self):
        return _product(self._shape)

    @property
    def itemsize(self):
        return self._dtype.itemsize

    @property
    def nbytes(self):
        return self._dtype.itemsize * self.size

    @property
    def T(self):
        return _view(self, self._shape[::-1], self._strides[::-1], self._offset)

    @property
    def flat(self):
        return iter(self.ravel())

    @property
    def real(self):
        return self

    def __len__(self):
        return _length(self)

    def __iter__(self):
        if self._shape == ():
            raise TypeError("iteration over a 0-d array")
        return _rows(self)

    def __bool__(self):
        n = _product(self._shape)
        if n == 1:
            return True if _flat(self)[0] else False
        if n == 0:
            raise ValueError("The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty.")
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")

    def __int__(self):
        return numpy__int64(_only(self)).__int__()

    def __float__(self):
        return _only(self) * 1.0

    def __index__(self):
        if self._shape == () and self._dtype.kind in "iu":
            return _flat(self)[0]
        raise TypeError("only integer scalar arrays can be converted to a scalar index")

    def __str__(self):
        return _array_text(self, " ", "", "")

    def __repr__(self):
        return _array_repr(self)

    def __format__(self, spec):
        if spec == "":
            return _str(self)
        if self._shape == ():
            return _format(_flat(self)[0], 0, spec)
        raise TypeError("unsupported format string passed to numpy.ndarray.__format__")

    def __hash__(self):
        raise TypeError("unhashable type: 'numpy.ndarray'")

    def __getitem__(self, key):
        return _get(self, key)

    def __setitem__(self, key, value):
        _set(self, key, value)

    def __delitem__(self, key):
        raise ValueError("cannot delete array elements")

    def __contains__(self, value):
        return numpy__any(numpy__equal(self, value)) and True

    def item(self, *at):
        if at == ():
            n = _product(self._shape)
            if n != 1:
                raise ValueError("can only convert an array of size 1 to a Python scalar")
            return _flat(self)[0]
        if _len(at) == 1 and isinstance(at[0], int):
            return _flat(self)[at[0]]
        return _plain(self[at if _len(at) > 1 else at[0]])

    def tolist(self):
        return _nested(_flat(self), self._shape, 0, 0)

    def fill(self, value):
        value = _convert(_plain(value), self._dtype)
        for i in _positions(self):
            self._data[i] = value

    def astype(self, kind, copy=True):
        dt = _dtype(kind)
        items = _flat(self)
        if dt.kind == "U" and dt.size == 0:
            items = [_str(x) for x in items]
            width = 1
            for x in items:
                if _len(x) > width:
                    width = _len(x)
            return _make(items, self._shape, _text_dtype(_TEXT_WIDTHS[self._dtype.name] if self._dtype.kind in "iu" else 32 if self._dtype.kind == "f" else width))
        if dt is self._dtype or dt.kind == "O":
            return _make([*items], self._shape, dt)
        if self._dtype.kind in "iuf" and dt.kind in "iu":
            return _make([_fit(_int(x), dt) if x - x == 0 else -_HALF for x in items], self._shape, dt)
        return _make([_convert(x, dt) for x in items], self._shape, dt)

    def copy(self, order="C"):
        return _make([*_flat(self)], self._shape, self._dtype)

    def view(self, kind=None):
        if kind is not None:
            _throw("view of an array as another type")
        return _view(self, self._shape, self._strides, self._offset)

    def reshape(self, *shape, order="C"):
        if order != "C":
            _throw("reshape with an order")
        if _len(shape) == 1 and not isinstance(shape[0], (int, _generic)):
            shape = shape[0]
        return _reshape(self, (*[_index_of(x) for x in shape],))

    def resize(self, *shape, refcheck=True):
        _throw("resize of an array")

    def ravel(self, order="C"):
        if order != "C":
            return self.flatten(order)
        return _reshape(self, (_product(self._shape),))

    def flatten(self, order="C"):
        if order == "F":
            return _make([*_flat(self.T)], (_product(self._shape),), self._dtype)
        return _make([*_flat(self)], (_product(self._shape),), self._dtype)

    def transpose(self, *axes):
        if _len(axes) == 1 and not isinstance(axes[0], int):
            axes = axes[0]
        return numpy__transpose(self, axes if axes != () else None)

    def swapaxes(self, a, b):
        return numpy__swapaxes(self, a, b)

    def squeeze(self, axis=None):
        return numpy__squeeze(self, axis)

    def sum(self, axis=None, dtype=None, out=None, keepdims=False, initial=None):
        return numpy__sum(self, axis, dtype, out, keepdims, initial)

    def prod(self, axis=None, dtype=None, keepdims=False):
        return numpy__prod(self, axis, dtype, keepdims=keepdims)

    def mean(self, axis=None, dtype=None, keepdims=False):
        return numpy__mean(self, axis, keepdims=keepdims)

    def var(self, axis=None, dtype=None, ddof=0):
        return numpy__var(self, axis, ddof=ddof)

    def std(self, axis=None, dtype=None, ddof=0):
        return numpy__std(self, axis, ddof=ddof)

    def max(self, axis=None, keepdims=False, initial=None):
        return numpy__max(self, axis, keepdims=keepdims, initial=initial)

    def min(self, axis=None, keepdims=False, initial=None):
        return numpy__min(self, axis, keepdims=keepdims, initial=initial)

    def ptp(self, axis=None):
        raise AttributeError("`ptp` was removed from the ndarray class in NumPy 2.0. Use np.ptp(arr, ...) instead.")

    def argmax(self, axis=None):
        return numpy__argmax(self, axis)

    def argmin(self, axis=None):
        return numpy__argmin(self, axis)

    def argsort(self, axis=-1, kind=None):
        return numpy__argsort(self, axis)

    def sort(self, axis=-1, kind=None):
        ordered = numpy__sort(self, axis)
        for i, x in _zipped(_positions(self), _flat(ordered)):
            self._data[i] = x

    def cumsum(self, axis=None, dtype=None):
        return numpy__cumsum(self, axis, dtype)

    def cumprod(self, axis=None, dtype=None):
        return numpy__cumprod(self, axis, dtype)

    def any(self, axis=None, keepdims=False):
        return numpy__any(self, axis, keepdims=keepdims)

    def all(self, axis=None, keepdims=False):
        return numpy__all(self, axis, keepdims=keepdims)

    def nonzero(self):
        return numpy__nonzero(self)

    def round(self, decimals=0):
        return numpy__round(self, decimals)

    def clip(self, min=None, max=None):
        return numpy__clip(self, min, max)

    def dot(self, other):
        return numpy__dot(self, other)

    def repeat(self, times, axis=None):
        return numpy__repeat(self, times, axis)

    def take(self, at, axis=None):
        return numpy__take(self, at, axis)

    def diagonal(self, offset=0):
        return numpy__diagonal(self, offset)

    def trace(self):
        return numpy__trace(self)

    def searchsorted(self, value, side="left"):
        return numpy__searchsorted(self, value, side)

    def __neg__(self):
        return numpy__negative(self)

    def __pos__(self):
        return self.copy()

    def __abs__(self):
        return numpy__absolute(self)

    def __invert__(self):
        return numpy__invert(self)

    def __matmul__(self, other):
        return numpy__matmul(self, other)

    def __rmatmul__(self, other):
        return numpy__matmul(other, self)

    def __divmod__(self, other):
        return (numpy__floor_divide(self, other), numpy__remainder(self, other))


def _operators():
    def forward(name):
        def method(self, other):
            return _array_operation(name, self, other)

        return method

    def backward(name):
        def method(self, other):
            return _array_operation(name, other, self)

        return method

    def inplace(name):
        def method(self, other):
            return _into(self, _array_operation(name, self, other), name)

        return method

    for method, name in (
        ("add", "add"),
        ("sub", "subtract"),
        ("mul", "multiply"),
        ("truediv", "divide"),
        ("floordiv", "floor_divide"),
        ("mod", "remainder"),
        ("pow", "power"),
        ("and", "bitwise_and"),
        ("or", "bitwise_or"),
        ("xor", "bitwise_xor"),
        ("lshift", "left_shift"),
        ("rshift", "right_shift"),
    ):
        _set_own(ndarray, "__" + method + "__", forward(name))
        _set_own(ndarray, "__r" + method + "__", backward(name))
        _set_own(ndarray, "__i" + method + "__", inplace(name))
    for method, name in (
        ("eq", "equal"),
        ("ne", "not_equal"),
        ("lt", "less"),
        ("le", "less_equal"),
        ("gt", "greater"),
        ("ge", "greater_equal"),
    ):
        _set_own(ndarray, "__" + method + "__", forward(name))


_operators()


def _array_operation(name, a, b):
    if a is None or b is None:
        other = b if a is not None else a
        if name == "equal" or name == "not_equal":
            array = a if b is None else b
            return _make(_filled(name == "not_equal", _product(array._shape)), array._shape, _BOOL)
    if name == "equal" or name == "not_equal":
        a = _operand(a)[0]
        b = _operand(b)[0]
        if (a._dtype.kind == "U") != (b._dtype.kind == "U") and a._dtype.kind != "O" and b._dtype.kind != "O":
            shape = _broadcast(a._shape, b._shape)
            return _done(_filled(name == "not_equal", _product(shape)), shape, _BOOL)
    return _ufuncs[name](a, b)


def _into(target, result, name):
    # An in-place operator: the result must fit.
    result = _array_of(result)
    if result._dtype.kind == "f" and target._dtype.kind in "iub" or target._dtype.kind == "b" and result._dtype.kind in "iu":
        raise UFuncTypeError(
            "Cannot cast ufunc '" + name + "' output from " + _repr(result._dtype) + " to " + _repr(target._dtype) + " with casting rule 'same_kind'"
        )
    if result._shape != target._shape:
        raise ValueError("non-broadcastable output operand with shape " + _shape_text(target._shape) + " doesn't match the broadcast shape " + _shape_text(result._shape))
    _store(target, result)
    return target


def _store(target, source):
    # Puts items into places of the same shape.
    items = _flat(source)
    if source._data is target._data:
        items = [*items]
    same = source._dtype is target._dtype
    data = target._data
    dt = target._dtype
    for i, x in _zipped(_positions(target), items):
        data[i] = x if same else _convert_array_item(x, dt)


def _convert_array_item(x, dt):
    if dt.kind in "iu" and _classof(x) is int:
        return _fit(x, dt)
    return _convert(x, dt)


def _only(a):
    n = _product(a._shape)
    if n != 1 or a._shape != ():
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    return _flat(a)[0]


def _rows(a):
    i = 0
    while i < a._shape[0]:
        yield _get(a, i)
        i += 1


def _nested(items, shape, depth, at):
    if depth == _len(shape):
        return items[at]
    if depth == _len(shape) - 1:
        return items[at : at + shape[depth]]
    step = _product(shape[depth + 1 :])
    return [_nested(items, shape, depth + 1, at + i * step) for i in _range(shape[depth])]


def _shape_text(shape):
    if _len(shape) == 1:
        return "(" + _str(shape[0]) + ",)"
    text = ""
    for x in shape:
        if text != "":
            text += ","
        text += _str(x)
    return "(" + text + ")"


def _open_shape_text(shape):
    known = [x for x in shape if x != -1]
    if _len(known) == _len(shape) or _len(known) != 1:
        return _shape_text(known)
    return "(" + _str(known[0]) + ")"


def _index_of(x):
    if _classof(x) is int:
        return x
    if isinstance(x, (_integer, ndarray)):
        return x.__index__()
    if _classof(x) is bool:
        return +x
    raise TypeError("'" + _type_name(x) + "' object cannot be interpreted as an integer")


def _shape_from(shape):
    if isinstance(shape, (list, tuple, ndarray)):
        shape = (*[_index_of(x) for x in shape],)
    elif isinstance(shape, str):
        raise TypeError("'str' object cannot be interpreted as an integer")
    elif isinstance(shape, float) or shape is None:
        raise TypeError("expected a sequence of integers or a single integer, got '" + _repr(shape) + "'")
    else:
        shape = (_index_of(shape),)
    for n in shape:
        if n < 0:
            raise ValueError("negative dimensions are not allowed")
    if _product(shape) > 2000000:
        _throw("an array of that size")
    return shape


def _reshape(a, shape):
    n = _product(a._shape)
    known = 1
    open_at = None
    for i, x in enumerate(shape):
        if x == -1:
            if open_at is not None:
                raise ValueError("can only specify one unknown dimension")
            open_at = i
        else:
            known = known * x
    if open_at is not None and known != 0 and n % known == 0:
        shape = (*shape[:open_at], n // known, *shape[open_at + 1 :])
    elif open_at is not None or known != n:
        raise ValueError("cannot reshape array of size " + _str(n) + " into shape " + _open_shape_text(shape))
    if a._strides == _strides_of(a._shape):
        return _view(a, shape, _strides_of(shape), a._offset)
    if _len(a._shape) == 1 and _len(shape) == 1:
        return _view(a, shape, a._strides, a._offset)
    return _make([*_flat(a)], shape, a._dtype)


# -- subscripts


def _slice_bounds(key, n):
    step = 1 if key.step is None else _index_of(key.step)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    low = 0 if step > 0 else -1
    high = n if step > 0 else n - 1
    start = key.start
    stop = key.stop
    if start is None:
        start = low if step > 0 else high
    else:
        start = _slice_index(start)
        if start < 0:
            start += n
        start = low if start < low else high if start > high else start
    if stop is None:
        stop = high if step > 0 else low
    else:
        stop = _slice_index(stop)
        if stop < 0:
            stop += n
        stop = low if stop < low else high if stop > high else stop
    if step > 0:
        count = (stop - start + step - 1) // step
    else:
        count = (start - stop - step - 1) // -step
    return (start, step, count if count > 0 else 0)


def _slice_index(x):
    if isinstance(x, (int, _generic)) and not isinstance(x, float):
        return _index_of(x)
    raise TypeError("slice indices must be integers or None or have an __index__ method")


def _is_index(x):
    return _classof(x) is int or isinstance(x, _integer)


_BAD_INDEX = "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices"


def _select(a, key):
    # What a key takes: a view, and lists of positions where arrays are among the indices.
    if not isinstance(key, tuple):
        key = (key,)
    count = 0
    for x in key:
        if x is None or x is Ellipsis:
            continue
        if isinstance(x, ndarray) and x._dtype.kind == "b":
            count += x.ndim
        elif isinstance(x, (bool, bool_)):
            _throw("a bool as an index of an array")
        else:
            count += 1
    ndim = _len(a._shape)
    if count > ndim:
        raise IndexError("too many indices for array: array is " + _str(ndim) + "-dimensional, but " + _str(count) + " were indexed")
    full = []
    for x in key:
        if x is Ellipsis:
            i = 0
            while i < ndim - count:
                _push(full, _ALL)
                i += 1
            count = ndim
        else:
            _push(full, x)
    while count < ndim:
        _push(full, _ALL)
        count += 1
    shape = []
    strides = []
    offset = a._offset
    axis = 0
    fancy = []
    for x in full:
        if x is None:
            _push(shape, 1)
            _push(strides, 0)
            continue
        n = a._shape[axis]
        step = a._strides[axis]
        if _classof(x) is slice:
            start, by, size = _slice_bounds(x, n)
            _push(shape, size)
            _push(strides, step * by)
            offset += start * step
        elif _is_index(x):
            i = _base(x)
            if i < -n or i >= n:
                raise IndexError("index " + _str(i) + " is out of bounds for axis " + _str(axis) + " with size " + _str(n))
            offset += (i + n if i < 0 else i) * step
        elif isinstance(x, (list, tuple, range, ndarray)):
            x = _array_of(x)
            if x._dtype.kind == "b":
                if x._shape != a._shape[axis : axis + x.ndim]:
                    for k, m in enumerate(x._shape):
                        if m != a._shape[axis + k]:
                            raise IndexError(
                                "boolean index did not match indexed array along axis " + _str(axis + k) + "; size of axis is " + _str(a._shape[axis + k]) + " but size of corresponding boolean axis is " + _str(m)
                            )
                for k, found in enumerate(numpy__nonzero(x)):
                    _push(fancy, (_len(shape), a._shape[axis + k], a._strides[axis + k], found, axis + k))
                axis += x.ndim
                continue
            if x._dtype.kind not in "iu":
                if x.size == 0 and not isinstance(x, ndarray) or x.size == 0:
                    x = _make([], x._shape, _INT64)
                else:
                    raise IndexError("arrays used as indices must be of integer (or boolean) type")
            if x._shape == ():
                i = _flat(x)[0]
                if i < -n or i >= n:
                    raise IndexError("index " + _str(i) + " is out of bounds for axis " + _str(axis) + " with size " + _str(n))
                offset += (i + n if i < 0 else i) * step
            else:
                _push(fancy, (_len(shape), n, step, x, axis))
        else:
            raise IndexError(_BAD_INDEX)
        axis += 1
    return (*shape,), (*strides,), offset, fancy


_ALL = _SLICE[::]


def _fancy_positions(shape, strides, offset, fancy):
    # Positions for arrays among the indices, and the shape of the result.
    common = ()
    for row in fancy:
        common = _broadcast(common, row[3]._shape)
    steps = None
    for place, n, step, at, axis in fancy:
        items = _flat(_stretch(at, common))
        found = []
        for i in items:
            if i < -n or i >= n:
                raise IndexError("index " + _str(i) + " is out of bounds for axis " + _str(axis) + " with size " + _str(n))
            _push(found, (i + n if i < 0 else i) * step)
        steps = found if steps is None else [x + y for x, y in _zipped(steps, found)]
    place = fancy[0][0]
    for row in fancy:
        if row[0] != place:
            place = 0
    before = _offsets(shape[:place], strides[:place])
    after = _offsets(shape[place:], strides[place:])
    at = [offset + x + y + z for x in before for y in steps for z in after]
    return at, (*shape[:place], *common, *shape[place:])


def _offsets(shape, strides):
    at = [0]
    for n, step in _zipped(shape, strides):
        at = [x + i * step for x in at for i in _range(n)]
    return at


def _get(a, key):
    if _classof(key) is int and _len(a._shape) == 1:
        n = a._shape[0]
        if key < -n or key >= n:
            raise IndexError("index " + _str(key) + " is out of bounds for axis 0 with size " + _str(n))
        return _wrapped(a._data[a._offset + (key + n if key < 0 else key) * a._strides[0]], a._dtype)
    shape, strides, offset, fancy = _select(a, key)
    if _len(fancy) != 0:
        at, shape = _fancy_positions(shape, strides, offset, fancy)
        data = a._data
        return _make([data[i] for i in at], shape, a._dtype)
    if shape == () and not (_classof(key) is tuple and Ellipsis in [x for x in key if x is Ellipsis]):
        return _wrapped(a._data[offset], a._dtype)
    return _view(a, shape, strides, offset)


def _set(a, key, value):
    shape, strides, offset, fancy = _select(a, key)
    if _len(fancy) != 0:
        at, shape = _fancy_positions(shape, strides, offset, fancy)
    else:
        target = _view(a, shape, strides, offset)
        if shape == ():
            if isinstance(value, (list, tuple)) and a._dtype.kind != "O":
                value = numpy__array(value)
            if isinstance(value, ndarray) and value._shape != ():
                if value.size != 1:
                    if a._dtype.kind in "iu":
                        raise TypeError("int() argument must be a string, a bytes-like object or a real number, not 'list'")
                    raise ValueError("setting an array element with a sequence.")
                value = _flat(value)[0]
            a._data[offset] = _assigned(_plain(value), a._dtype)
            return
        at = _positions(target)
    value = _array_of(value)
    items = value._shape
    trimmed = items
    while _len(trimmed) > _len(shape) and trimmed[0] == 1:
        trimmed = trimmed[1:]
    fits = _len(trimmed) <= _len(shape)
    if fits:
        for x, y in _zipped(trimmed[::-1], shape[::-1]):
            if x != y and x != 1:
                fits = False
    if not fits:
        mask = False
        if _len(fancy) == 1 and isinstance(key, ndarray) and key._dtype.kind == "b" and _len(items) == 1:
            raise ValueError("NumPy boolean array indexing assignment cannot assign " + _str(items[0]) + " input values to the " + _str(shape[0]) + " output values where the mask is true")
        if _len(fancy) != 0:
            raise ValueError("shape mismatch: value array of shape " + _shape_text(items) + " could not be broadcast to indexing result of shape " + _shape_text(shape))
        raise ValueError("could not broadcast input array from shape " + _shape_text(items) + " into shape " + _shape_text(shape))
    source = _flat(_stretch(_reshape(value, trimmed), shape))
    if value._data is a._data:
        source = [*source]
    data = a._data
    dt = a._dtype
    for i, x in _zipped(at, source):
        data[i] = _assigned(x, dt)


def _assigned(x, dt):
    kind = dt.kind
    have = _classof(x)
    if kind == "i" and have is int and dt.size == 8 and -_HALF <= x < _HALF or kind == "f" and have is float:
        return x
    if kind == "f" and not isinstance(x, (int, float, str)) and x is not None:
        raise TypeError("float() argument must be a string or a real number, not '" + _type_name(x) + "'")
    return _convert(x, dt)


# -- broadcasting


def _broadcast(a, b):
    n = _len(a) if _len(a) > _len(b) else _len(b)
    shape = []
    i = 1
    while i <= n:
        x = a[-i] if i <= _len(a) else 1
        y = b[-i] if i <= _len(b) else 1
        if x != y and x != 1 and y != 1:
            raise ValueError("operands could not be broadcast together with shapes " + _shape_text(a) + " " + _shape_text(b) + " ")
        _push(shape, x if y == 1 else y)
        i += 1
    return (*shape[::-1],)


def _stretch(a, shape):
    if a._shape == shape:
        return a
    strides = []
    extra = _len(shape) - _len(a._shape)
    i = 0
    for n in shape:
        if i < extra or a._shape[i - extra] == 1 and n != 1:
            _push(strides, 0)
        else:
            _push(strides, a._strides[i - extra])
        i += 1
    return _view(a, shape, (*strides,), a._offset)


# -- functions of each item


class ufunc:
    __module__ = "numpy"

    def __call__(self, *args, out=None, where=True, dtype=None):
        if where is not True:
            _throw("a ufunc with where=")
        if _len(args) < self._count:
            raise TypeError(self._name + "() takes from " + _str(self._count) + " to " + _str(self._count + 1) + " positional arguments but " + _str(_len(args)) + (" was given" if _len(args) == 1 else " were given"))
        if _len(args) == self._count + 1:
            out = args[self._count]
        elif _len(args) > self._count + 1:
            raise TypeError(self._name + "() takes from " + _str(self._count) + " to " + _str(self._count + 1) + " positional arguments but " + _str(_len(args)) + (" was given" if _len(args) == 1 else " were given"))
        if self._count == 1:
            result = _apply(self, args[0])
        else:
            result = _combine(self, args[0], args[1])
        if dtype is not None:
            result = result.astype(dtype)
        if out is not None:
            return _into(out, result, self._name)
        return result

    def __str__(self):
        return "<ufunc '" + self._name + "'>"

    def __repr__(self):
        return "<ufunc '" + self._name + "'>"

    @property
    def __name__(self):
        return self._name

    def reduce(self, a, axis=0, dtype=None, out=None, keepdims=False, initial=None):
        return _reduce(self, a, axis, keepdims, initial)

    def accumulate(self, a, axis=0):
        return _accumulated(self, _array_of(a), axis, None)

    def outer(self, a, b):
        a = _array_of(a)
        b = _array_of(b)
        left = _reshape(a, (*a._shape, *[1 for n in b._shape]))
        return self(left, b)

    def at(self, a, index, value=None):
        index = _array_of(index)
        values = None if value is None else _flat(_stretch(_array_of(value), index._shape))
        for k, i in enumerate(_flat(index)):
            if values is None:
                a[i] = self(a[i])
            else:
                a[i] = self(a[i], values[k])


_ufuncs = {}


def _ufunc(name, count, function, result, identity=None):
    new = _instance(ufunc)
    new._name = name
    new._count = count
    new._function = function
    new._result = result
    new._identity = identity
    _ufuncs[name] = new
    return new


def _operand(x):
    # An operand as an array, and whether its type gives way, as that of a plain number does.
    if isinstance(x, ndarray):
        return x, False
    if isinstance(x, _generic):
        return _array_of(x), False
    if isinstance(x, (int, float)):
        return numpy__array(x), True
    return numpy__array(x), False


def _common(a, weak_a, b, weak_b):
    da = a._dtype
    db = b._dtype
    if weak_a != weak_b:
        weak = da if weak_a else db
        strong = db if weak_a else da
        if weak.kind == "i" and strong.kind in "iuf":
            if strong.kind in "iu":
                value = _flat(a if weak_a else b)[0]
                if strong.size < 4:
                    _throw("numpy." + strong.name + " beside a number")
                if _fit(value, strong) != value:
                    raise OverflowError("Python integer " + _str(value) + " out of bounds for " + strong.name)
            return strong
        if weak.kind == "b":
            return strong
    return _promote(da, db)


def _combine(f, x, y):
    if isinstance(y, _Strange) or isinstance(x, _Strange):
        _throw("that operand of a ufunc")
    a, weak_a = _operand(x)
    b, weak_b = _operand(y)
    result = f._result
    if a._dtype.kind == "O" or b._dtype.kind == "O":
        if result == "truth" or f._name in ("gcd", "lcm"):
            _throw("numpy." + f._name + " of objects")
    elif result == "bits" and (a._dtype.kind in "fU" or b._dtype.kind in "fU"):
        if f._name == "gcd" or f._name == "lcm":
            if a._dtype.kind == "U" or b._dtype.kind == "U":
                _throw("numpy." + f._name + " of text")
            raise UFuncTypeError("ufunc '" + f._name + "' did not contain a loop with signature matching types (" + _dtype_class(a, weak_a) + ", " + _dtype_class(b, weak_b) + ") -> None")
        raise _not_supported(f)
    if (a._dtype.kind == "U" or b._dtype.kind == "U") and a._dtype.kind != b._dtype.kind:
        if a._dtype.kind != "O" and b._dtype.kind != "O":
            _refuse_text(f, a, weak_a, b, weak_b)
            raise UFuncTypeError("ufunc '" + f._name + "' did not contain a loop with signature matching types (" + _repr(a._dtype) + ", " + _repr(b._dtype) + ") -> None")
    shape = a._shape if a._shape == b._shape else _broadcast(a._shape, b._shape)
    if result == "compare":
        dt = None
        out = _BOOL
    else:
        dt = _common(a, weak_a, b, weak_b)
        if dt.kind == "U" and f._name != "add":
            _refuse_text(f, a, weak_a, b, weak_b)
            raise UFuncTypeError("ufunc '" + f._name + "' did not contain a loop with signature matching types (" + _repr(a._dtype) + ", " + _repr(b._dtype) + ") -> None")
        if dt.kind == "U":
            dt = _text_dtype(a._dtype.size + b._dtype.size)
        out = dt
        if dt.kind == "b":
            if f._name == "subtract":
                raise TypeError("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the logical_xor function instead.")
            if result == "number":
                dt = out = _DTYPES["int8"]
        if result == "float":
            if dt.kind in "iu" and dt.size < 4:
                _throw("numpy.float16")
            out = _FLOAT64 if dt.kind != "O" else dt
        elif result == "bits" and dt.kind == "f":
            raise TypeError("ufunc '" + f._name + "' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''")
        elif result == "truth":
            out = _BOOL
    xs = _flat(a if a._shape == shape else _stretch(a, shape))
    ys = _flat(b if b._shape == shape else _stretch(b, shape))
    if dt is not None and dt.kind == "f":
        if a._dtype.kind != "f":
            xs = [p * 1.0 for p in xs]
        if b._dtype.kind != "f":
            ys = [p * 1.0 for p in ys]
    elif dt is not None and dt.kind in "iu":
        if a._dtype.kind == "b":
            xs = [+p for p in xs]
        if b._dtype.kind == "b":
            ys = [+p for p in ys]
    function = f._function
    fast = f._name if dt is None or dt.kind in "if" and (dt.kind == "f" or dt.size == 8) else None
    pairs = _zipped(xs, ys)
    if fast == "add":
        items = [p + q for p, q in pairs]
    elif fast == "subtract":
        items = [p - q for p, q in pairs]
    elif fast == "multiply":
        items = [p * q for p, q in pairs]
    elif fast == "less":
        items = [p < q for p, q in pairs]
    elif fast == "less_equal":
        items = [p <= q for p, q in pairs]
    elif fast == "greater":
        items = [p > q for p, q in pairs]
    elif fast == "greater_equal":
        items = [p >= q for p, q in pairs]
    elif fast == "equal":
        items = [p == q for p, q in pairs]
    elif fast == "not_equal":
        items = [p != q for p, q in pairs]
    else:
        items = [function(p, q) for p, q in pairs]
    if out.kind == "b" and result == "sum":
        items = [True if p else False for p in items]
    if out.kind in "iu" and f._fits:
        if out.size == 8 and out.kind == "i":
            items = [p if -_HALF <= p < _HALF else _wrap(p) for p in items]
        else:
            items = [_fit(p, out) for p in items]
    return _done(items, shape, out)


def _not_supported(f):
    return TypeError("ufunc '" + f._name + "' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''")


def _refuse_text(f, a, weak_a, b, weak_b):
    # Text among numbers; what is left has the message of `add`.
    if f._result == "compare":
        raise UFuncTypeError("ufunc '" + f._name + "' did not contain a loop with signature matching types (" + _dtype_class(a, weak_a) + ", " + _dtype_class(b, weak_b) + ") -> None")
    if f._name in ("divide", "floor_divide", "remainder"):
        raise _not_supported(f)
    if f._name not in ("add", "subtract"):
        _throw("numpy." + f._name + " of text")


def _dtype_class(a, weak):
    kind = a._dtype.kind
    if kind == "U":
        name = "Str"
    elif kind == "b":
        name = "Bool"
    elif weak:
        return "<class 'numpy.dtypes._Py" + ("Float" if kind == "f" else "Long") + "DType'>"
    elif kind == "f":
        name = "Float64"
    elif kind == "O":
        name = "Object"
    else:
        name = ("Int" if kind == "i" else "UInt") + _str(8 * a._dtype.size)
    return "<class 'numpy.dtypes." + name + "DType'>"


class _Strange:
    pass


def _done(items, shape, dt):
    if shape == ():
        return _wrapped(items[0], dt)
    return _make(items, shape, dt)


def _apply(f, x):
    a, weak = _operand(x)
    dt = a._dtype
    result = f._result
    if dt.kind == "U" or dt.kind == "O" and result == "float":
        if dt.kind == "U":
            if result == "float" or result == "truth":
                raise TypeError("ufunc '" + f._name + "' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''")
            if f._name in ("absolute", "negative", "sign"):
                raise UFuncTypeError("ufunc '" + f._name + "' did not contain a loop with signature matching types <class 'numpy.dtypes.StrDType'> -> None")
            raise _not_supported(f)
        _throw("a ufunc of objects")
    out = dt
    items = _flat(a)
    if result == "float":
        if dt.kind != "f":
            if dt.size < 4:
                _throw("numpy.float16")
            items = [p * 1.0 for p in items]
        out = _FLOAT64
    elif result == "truth":
        out = _BOOL
    elif result == "bits" and dt.kind == "f":
        raise TypeError("ufunc '" + f._name + "' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''")
    elif result == "number" and dt.kind == "b":
        if f._name == "square" or f._name == "sign":
            _throw("numpy." + f._name + " of bools")
        if f._name == "negative":
            raise TypeError("The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not function instead.")
    function = f._function
    items = [function(p) for p in items]
    if out.kind in "iu" and f._fits:
        items = [_fit(p, out) for p in items]
    return _done(items, a._shape, out)


def _nan_or_inf(p):
    if p == 0 or p != p:
        return numpy__nan
    return numpy__inf if p > 0 else -numpy__inf


def _negative_zero(q):
    return q == 0 and _str(q) == "-0.0"


def _over(p, q):
    if q == 0:
        return -_nan_or_inf(p) if _classof(q) is float and _negative_zero(q) and p != 0 else _nan_or_inf(p)
    return p / q


def _floor_over(p, q):
    if q == 0:
        return 0 if _classof(p) is int and _classof(q) is int else _nan_or_inf(p)
    return p // q


def _modulo(p, q):
    if q == 0:
        return 0 if _classof(p) is int and _classof(q) is int else numpy__nan
    return p % q


def _raised(p, q):
    if not isinstance(p, (int, float)) or not isinstance(q, (int, float)):
        return p**q
    if _classof(p) is int and _classof(q) is int:
        if q < 0:
            raise ValueError("Integers to negative integer powers are not allowed.")
        result = 1
        while q > 0:
            if q & 1:
                result = _wrap(result * p)
            p = _wrap(p * p)
            q >>= 1
        return result
    if p < 0 and q % 1 != 0:
        return numpy__nan
    if p == 0 and q < 0:
        return numpy__inf
    try:
        return p**q
    except OverflowError:
        return numpy__inf


def _add(p, q):
    return p + q


def _subtract(p, q):
    return p - q


def _multiply(p, q):
    return p * q


def _bigger(p, q):
    if p != p:
        return p
    return p if p >= q else q


def _smaller(p, q):
    if p != p:
        return p
    return p if p <= q else q


def _ceil(p):
    if p != p or p - p != 0:
        return p
    r = -(-p // 1)
    return r


def _floor(p):
    if p != p or p - p != 0:
        return p
    return p // 1


def _truncated(p):
    if p < 0:
        return _ceil(p)
    return _floor(p)


def _rint(p):
    if p != p or p - p != 0:
        return p
    low = p // 1
    rest = p - low
    if rest > 0.5 or rest == 0.5 and low % 2 == 1:
        low = low + 1
    if low == 0 and (p < 0 or _negative_zero(p)):
        return -0.0
    return low


def _asked(name, domain=None):
    def function(p):
        if p != p:
            return p
        if domain == "positive" and p <= 0:
            return -numpy__inf if p == 0 else numpy__nan
        if domain == "root" and p < 0:
            return numpy__nan
        if domain == "unit" and (p > 1 or p < -1):
            return numpy__nan
        if p - p != 0 and domain == "root":
            return p
        try:
            return _ask(name, (p,), {})
        except OverflowError:
            return numpy__inf

    return function


def _gcd_of(p, q):
    while q:
        p, q = q, p % q
    return -p if p < 0 else p


def _lcm_of(p, q):
    if p == 0 or q == 0:
        return 0
    r = p // _gcd_of(p, q) * q
    return -r if r < 0 else r


def _shift_left(p, q):
    return 0 if q >= 64 else p << q


numpy__pi = 3.141592653589793
numpy__e = 2.718281828459045
numpy__inf = 1e308 * 10
numpy__nan = numpy__inf - numpy__inf
numpy__NaN = numpy__nan
numpy__newaxis = None
numpy__euler_gamma = 0.5772156649015329
numpy__True_ = _scalar(bool_, True)
numpy__False_ = _scalar(bool_, False)

numpy__add = _ufunc("add", 2, _add, "sum", 0)
numpy__subtract = _ufunc("subtract", 2, _subtract, "sum")
numpy__multiply = _ufunc("multiply", 2, _multiply, "sum", 1)
numpy__divide = _ufunc("divide", 2, _over, "float")
numpy__true_divide = numpy__divide
numpy__floor_divide = _ufunc("floor_divide", 2, _floor_over, "number")
numpy__remainder = _ufunc("remainder", 2, _modulo, "number")
numpy__mod = numpy__remainder
numpy__power = _ufunc("power", 2, _raised, "number")
numpy__float_power = _ufunc("float_power", 2, lambda p, q: _raised(p * 1.0, q * 1.0), "float")
numpy__maximum = _ufunc("maximum", 2, _bigger, "same")
numpy__minimum = _ufunc("minimum", 2, _smaller, "same")
numpy__fmax = _ufunc("fmax", 2, lambda p, q: q if p != p else p if q != q or p >= q else q, "same")
numpy__fmin = _ufunc("fmin", 2, lambda p, q: q if p != p else p if q != q or p <= q else q, "same")
numpy__equal = _ufunc("equal", 2, lambda p, q: p == q, "compare")
numpy__not_equal = _ufunc("not_equal", 2, lambda p, q: p != q, "compare")
numpy__less = _ufunc("less", 2, lambda p, q: p < q, "compare")
numpy__less_equal = _ufunc("less_equal", 2, lambda p, q: p <= q, "compare")
numpy__greater = _ufunc("greater", 2, lambda p, q: p > q, "compare")
numpy__greater_equal = _ufunc("greater_equal", 2, lambda p, q: p >= q, "compare")
numpy__logical_and = _ufunc("logical_and", 2, lambda p, q: True if p and q else False, "truth", True)
numpy__logical_or = _ufunc("logical_or", 2, lambda p, q: True if p or q else False, "truth", False)
numpy__logical_xor = _ufunc("logical_xor", 2, lambda p, q: (not p) != (not q), "truth", False)
numpy__logical_not = _ufunc("logical_not", 1, lambda p: not p, "truth")
numpy__bitwise_and = _ufunc("bitwise_and", 2, lambda p, q: p & q, "bits", -1)
numpy__bitwise_or = _ufunc("bitwise_or", 2, lambda p, q: p | q, "bits", 0)
numpy__bitwise_xor = _ufunc("bitwise_xor", 2, lambda p, q: p ^ q, "bits", 0)
numpy__left_shift = _ufunc("left_shift", 2, _shift_left, "bits")
numpy__right_shift = _ufunc("right_shift", 2, lambda p, q: p >> q, "bits")
numpy__invert = _ufunc("invert", 1, lambda p: (not p) if _classof(p) is bool else ~p, "bits")
numpy__bitwise_not = numpy__invert
numpy__gcd = _ufunc("gcd", 2, _gcd_of, "bits", 0)
numpy__lcm = _ufunc("lcm", 2, _lcm_of, "bits")
numpy__negative = _ufunc("negative", 1, lambda p: -p, "number")
numpy__positive = _ufunc("positive", 1, lambda p: p, "number")
numpy__absolute = _ufunc("absolute", 1, lambda p: (p if _classof(p) is bool else -p if p < 0 else p - p if p == 0 else p), "number")
numpy__abs = numpy__absolute
numpy__fabs = _ufunc("fabs", 1, lambda p: -p if p < 0 else p - p if p == 0 else p, "float")
numpy__sign = _ufunc("sign", 1, lambda p: p if p != p else p * 0 + 1 if 0 < p < numpy__inf else p * 0 - 1 if -numpy__inf < p < 0 else 1.0 if p > 0 else -1.0 if p < 0 else p, "number")
numpy__square = _ufunc("square", 1, lambda p: p * p, "number")
numpy__reciprocal = _ufunc("reciprocal", 1, lambda p: _over(1, p) if _classof(p) is float else _floor_over(1, p), "number")
numpy__floor = _ufunc("floor", 1, lambda p: _floor(p) if _classof(p) is float else p, "number")
numpy__ceil = _ufunc("ceil", 1, lambda p: _ceil(p) if _classof(p) is float else p, "number")
numpy__trunc = _ufunc("trunc", 1, lambda p: _truncated(p) if _classof(p) is float else p, "number")
numpy__rint = _ufunc("rint", 1, _rint, "float")
numpy__sqrt = _ufunc("sqrt", 1, _asked("math.sqrt", "root"), "float")
numpy__exp = _ufunc("exp", 1, _asked("math.exp"), "float")
numpy__log = _ufunc("log", 1, _asked("math.log", "positive"), "float")
numpy__log2 = _ufunc("log2", 1, _asked("math.log2", "positive"), "float")
numpy__log10 = _ufunc("log10", 1, _asked("math.log10", "positive"), "float")
def numpy__cbrt(x):
    _throw("np.cbrt")


numpy__log1p = _ufunc("log1p", 1, _asked("math.log1p"), "float")
numpy__sin = _ufunc("sin", 1, _asked("math.sin"), "float")
numpy__cos = _ufunc("cos", 1, _asked("math.cos"), "float")
numpy__tan = _ufunc("tan", 1, _asked("math.tan"), "float")
numpy__arcsin = _ufunc("arcsin", 1, _asked("math.asin", "unit"), "float")
numpy__arccos = _ufunc("arccos", 1, _asked("math.acos", "unit"), "float")
numpy__arctan = _ufunc("arctan", 1, _asked("math.atan"), "float")
numpy__arctan2 = _ufunc("arctan2", 2, lambda p, q: _ask("math.atan2", (p, q), {}), "float")
numpy__hypot = _ufunc("hypot", 2, lambda p, q: _ask("math.hypot", (p, q), {}), "float")
numpy__deg2rad = _ufunc("deg2rad", 1, lambda p: p * (numpy__pi / 180.0), "float")
numpy__radians = numpy__deg2rad
numpy__rad2deg = _ufunc("rad2deg", 1, lambda p: p * (180.0 / numpy__pi), "float")
numpy__degrees = numpy__rad2deg
numpy__isnan = _ufunc("isnan", 1, lambda p: p != p, "truth")
numpy__isinf = _ufunc("isinf", 1, lambda p: p == p and p - p != 0, "truth")
numpy__isfinite = _ufunc("isfinite", 1, lambda p: p - p == 0, "truth")
for _name in _ufuncs:
    _ufuncs[_name]._fits = _name not in ("maximum", "minimum", "fmax", "fmin", "bitwise_and", "bitwise_or", "bitwise_xor", "remainder", "gcd", "sign", "right_shift")

numpy__ndarray = ndarray
numpy__dtype = dtype
numpy__generic = _generic
numpy__integer = _integer
numpy__floating = float64
numpy__int64 = int64
numpy__int_ = int64
numpy__intp = int64
numpy__longlong = int64
numpy__int32 = int32
numpy__intc = int32
numpy__int16 = int16
numpy__int8 = int8
numpy__uint64 = uint64
numpy__uint = uint64
numpy__uint32 = uint32
numpy__uint16 = uint16
numpy__uint8 = uint8
numpy__float64 = float64
numpy__double = float64
numpy__bool_ = bool_
numpy__bool = bool_
numpy__str_ = str_
numpy__ufunc = ufunc
numpy__linalg__LinAlgError = LinAlgError


# -- making arrays


def _all_or_first(value):
    if isinstance(value, (set, frozenset, dict)) or _kind(value) == "iterator":
        return False
    return True


def numpy__array(object, dtype=None, *, copy=True, order=None, ndmin=0, subok=False):
    dt = None if dtype is None else _dtype(dtype)
    if isinstance(object, ndarray):
        if dt is None or dt is object._dtype:
            new = object.copy()
        else:
            new = object.astype(dt)
    else:
        if _find(object, "__iter__") is not _END and _find(object, "__len__") is not _END and _find(object, "__getitem__") is not _END and not isinstance(object, str_):
            object = _list(object)
        elif isinstance(object, _deque):
            object = _list(object)
        shape = _shape_of(object)
        items = []
        if not _deep(object, 0, shape, items):
            fits = shape
            while not _deep_fits(object, 0, fits):
                fits = fits[:-1]
            if dt is None or dt.kind != "O":
                if dt is None or True:
                    raise ValueError(
                        "setting an array element with a sequence. The requested array has an inhomogeneous shape after " + _str(_len(fits)) + " dimensions. The detected shape was " + _repr(fits) + " + inhomogeneous part."
                    )
            _throw("an array of lists")
        if dt is None:
            dt = _dtype_of(items)
            if isinstance(object, _generic):
                dt = _dtype(_classof(object)) if not isinstance(object, str_) else dt
            elif dt is _INT64 or dt is _FLOAT64:
                dt = _dtype_of_scalars(object, dt)
            if dt.kind == "i":
                items = [+x for x in items]
            elif dt.kind != "O" and dt.kind != "b":
                items = [_convert(x, dt) for x in items]
        else:
            if dt.kind == "U" and dt.size == 0:
                items = [_str(x) for x in items]
                dt = _dtype_of(items)
                if dt.kind != "U":
                    dt = _text_dtype(1)
            items = [_convert(x, dt) for x in items]
        new = _make(items, shape, dt)
    if _len(new._shape) < ndmin:
        new = _reshape(new, (*[1 for i in _range(ndmin - _len(new._shape))], *new._shape))
    return new


def _dtype_of_scalars(value, dt):
    # `np.array([np.int32(1)])` keeps the type of its items.
    if isinstance(value, (list, tuple)) and _len(value) != 0:
        first = value[0]
        if isinstance(first, (list, tuple)) and _len(first) != 0:
            return _dtype_of_scalars(first, dt)
        if isinstance(first, ndarray) and first._dtype.kind == dt.kind:
            return first._dtype
        if isinstance(first, _generic) and _dtype(_classof(first)).kind == dt.kind:
            return _dtype(_classof(first))
    return dt


def _deep_fits(value, depth, shape):
    if depth == _len(shape):
        return True
    if isinstance(value, ndarray):
        return value._shape[: _len(shape) - depth] == shape[depth:]
    if not isinstance(value, (list, tuple, range)) or _len_of(value) != shape[depth]:
        return False
    for x in value:
        if not _deep_fits(x, depth + 1, shape):
            return False
    return True


def numpy__asarray(a, dtype=None, order=None):
    if isinstance(a, ndarray) and (dtype is None or _dtype(dtype) is a._dtype):
        return a
    return numpy__array(a, dtype)


numpy__asanyarray = numpy__asarray
numpy__ascontiguousarray = numpy__asarray


def numpy__copy(a):
    return numpy__array(a)


def _filled_array(shape, value, dt):
    shape = _shape_from(shape)
    return _make(_filled(value, _product(shape)), shape, dt)


def numpy__zeros(shape, dtype=float, order="C"):
    dt = _dtype(dtype)
    return _filled_array(shape, "" if dt.kind == "U" else 0 if dt.kind == "O" else _convert(0, dt), dt)


def numpy__ones(shape, dtype=None, order="C"):
    dt = _dtype(dtype)
    return _filled_array(shape, 1 if dt.kind == "O" else _convert(1, dt), dt)


def numpy__empty(shape, dtype=float, order="C"):
    # What memory holds is unknown; most often it is zero.
    return numpy__zeros(shape, dtype)


def numpy__full(shape, fill_value, dtype=None, order="C"):
    if isinstance(fill_value, (list, tuple, ndarray)):
        value = numpy__array(fill_value, dtype)
        shape = _shape_from(shape)
        return _stretch(value, _broadcast(value._shape, shape)).copy()
    if dtype is None:
        dt = _array_of(fill_value)._dtype
    else:
        dt = _dtype(dtype)
    return _filled_array(shape, _convert(_plain(fill_value), dt), dt)


def numpy__zeros_like(a, dtype=None):
    a = _array_of(a)
    return numpy__zeros(a._shape, _known(dtype, a._dtype))


def numpy__ones_like(a, dtype=None):
    a = _array_of(a)
    return numpy__ones(a._shape, _known(dtype, a._dtype))


numpy__empty_like = numpy__zeros_like


def numpy__full_like(a, fill_value, dtype=None):
    a = _array_of(a)
    return numpy__full(a._shape, fill_value, _known(dtype, a._dtype))


def numpy__arange(start=None, stop=None, step=None, dtype=None):
    if start is None and stop is None:
        raise TypeError("arange() requires stop to be specified.")
    if stop is None:
        start, stop = 0, start
    if step is None:
        step = 1
    start = _plain(start)
    stop = _plain(stop)
    step = _plain(step)
    for x in (start, stop, step):
        if isinstance(x, str):
            _throw("np.arange of text")
        if not isinstance(x, (int, float)):
            raise TypeError("unsupported operand type(s) for -: '" + _type_name(stop) + "' and '" + _type_name(start) + "'")
    if step == 0:
        raise ZeroDivisionError("division by zero")
    if isinstance(start, float) or isinstance(stop, float) or isinstance(step, float):
        dt = _FLOAT64
        n = _int(_ceil((stop - start) / step * 1.0))
        delta = (start + step) - start
        items = [start + i * delta for i in _range(n if n > 0 else 0)]
        items = [x * 1.0 for x in items]
    else:
        dt = _INT64
        items = [*_range(start, stop, step)]
    if dtype is not None:
        dt = _dtype(dtype)
        items = [_convert(x, dt) for x in items]
    return _make(items, (_len(items),), dt)


def numpy__linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None):
    num = _index_of(num)
    start = _plain(start) * 1.0
    stop = _plain(stop) * 1.0
    parts = num - 1 if endpoint else num
    delta = stop - start
    if parts > 0:
        step = delta / parts
        items = [i * step + start for i in _range(num)]
    else:
        step = numpy__nan
        items = [i * 1.0 * delta + start for i in _range(num)]
    if endpoint and num > 1:
        items[-1] = stop
    new = _make(items, (num,), _FLOAT64)
    if dtype is not None:
        new = new.astype(dtype)
    if retstep:
        return (new, _wrapped(step, _FLOAT64))
    return new


def numpy__eye(N, M=None, k=0, dtype=float):
    M = N if M is None else _index_of(M)
    new = numpy__zeros((N, M), dtype)
    one = _convert(1, new._dtype)
    for i in _range(new._shape[0]):
        if 0 <= i + k < M:
            new._data[i * M + i + k] = one
    return new


def numpy__identity(n, dtype=None):
    return numpy__eye(n, dtype=float if dtype is None else dtype)


def numpy__fromiter(iterable, dtype, count=-1):
    return numpy__array(_list(iterable), dtype)


def numpy__fromstring(string, dtype=float, count=-1, sep=""):
    if sep == "":
        _throw("np.fromstring of bytes")
    return numpy__array(_ask("str.split", (string,) if sep == " " else (string, sep), {}), dtype)


def numpy__fromfunction(function, shape, dtype=float):
    _throw("np.fromfunction")


def numpy__meshgrid(*arrays, indexing="xy"):
    if _len(arrays) != 2 or indexing != "xy":
        _throw("np.meshgrid of that")
    x = _array_of(arrays[0]).ravel()
    y = _array_of(arrays[1]).ravel()
    shape = (y.size, x.size)
    return (_stretch(_reshape(x, (1, x.size)), shape).copy(), _stretch(_reshape(y, (y.size, 1)), shape).copy())


def numpy__diag(v, k=0):
    v = _array_of(v)
    if v.ndim == 2:
        return numpy__diagonal(v, k)
    if v.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    n = v.size + (k if k > 0 else -k)
    new = numpy__zeros((n, n), v._dtype)
    for i, x in enumerate(_flat(v)):
        row = i if k >= 0 else i - k
        new._data[row * n + row + k] = x
    return new


def numpy__diagonal(a, offset=0):
    a = _array_of(a)
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    n, m = a._shape[:2]
    items = []
    for i in _range(n):
        if 0 <= i + offset < m:
            _push(items, _plain(a[i, i + offset]))
    return _make(items, (_len(items),), a._dtype)


def numpy__trace(a):
    return numpy__sum(numpy__diagonal(a))


def _triangle(a, k, low):
    a = _array_of(a)
    if a.ndim != 2:
        _throw("np.tril of that shape")
    n, m = a._shape
    if a._dtype.kind in "OU":
        _throw("np.tril of that")
    zero = _convert(0, a._dtype)
    items = _flat(a)
    new = []
    for i in _range(n):
        for j in _range(m):
            keep = j - i <= k if low else j - i >= k
            _push(new, items[i * m + j] if keep else zero)
    return _make(new, (n, m), a._dtype)


def numpy__tril(m, k=0):
    return _triangle(m, k, True)


def numpy__triu(m, k=0):
    return _triangle(m, k, False)


def numpy__tri(N, M=None, k=0, dtype=float):
    return _triangle(numpy__ones((N, N if M is None else M), dtype), k, True)


# -- reductions


def _axis_of(axis, ndim):
    axis = _index_of(axis)
    if axis < -ndim or axis >= ndim:
        raise AxisError("axis " + _str(axis) + " is out of bounds for array of dimension " + _str(ndim))
    return axis + ndim if axis < 0 else axis


def _lanes(a, axis):
    # The rows of items along an axis, and the shape that is left.
    ndim = _len(a._shape)
    axis = _axis_of(axis, ndim)
    if axis != ndim - 1:
        order = [i for i in _range(ndim) if i != axis]
        _push(order, axis)
        a = _view(a, (*[a._shape[i] for i in order],), (*[a._strides[i] for i in order],), a._offset)
    n = a._shape[-1]
    items = _flat(a)
    left = a._shape[:-1]
    return [items[i * n : i * n + n] for i in _range(_product(left))], left


def _over_axis(a, axis, keepdims, function, dt):
    # A function of rows of items along an axis, or of all items.
    a = _array_of(a)
    if axis is None:
        result = function(_flat(a))
        if keepdims:
            return _make([result], (*[1 for n in a._shape],), dt)
        return _wrapped(result, dt)
    if isinstance(axis, (tuple, list)):
        whole = (*[_axis_of(x, a.ndim) for x in axis],)
        kept = [i for i in _range(a.ndim) if i not in whole]
        order = [*kept, *whole]
        moved = numpy__transpose(a, order)
        shape = (*[a._shape[i] for i in kept],)
        a = _reshape(moved, (*shape, _product([a._shape[i] for i in whole])))
        if keepdims:
            _throw("keepdims with several axes")
        axis = -1
    rows, left = _lanes(a, axis)
    items = [function(row) for row in rows]
    if keepdims:
        axis = _axis_of(axis, a.ndim)
        left = (*left[:axis], 1, *left[axis:])
    return _done(items, left, dt)


def _pairwise_sum(items):
    # The order in which numpy adds up floats.
    n = _len(items)
    if n < 8:
        total = -0.0
        for x in items:
            total = total + x
        return total if n != 0 else 0.0
    if n <= 128:
        r = items[:8]
        i = 8
        while i < n - n % 8:
            r = [x + y for x, y in _zipped(r, items[i : i + 8])]
            i += 8
        total = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
        while i < n:
            total = total + items[i]
            i += 1
        return total
    half = n // 2
    half -= half % 8
    return _pairwise_sum(items[:half]) + _pairwise_sum(items[half:])


def _total(dt, contiguous):
    def function(items):
        if dt.kind == "f":
            if contiguous:
                return _pairwise_sum(items)
            total = items[0] if _len(items) != 0 else 0.0
            for x in items[1:]:
                total = total + x
            return total
        total = 0
        for x in items:
            total = total + x
        if dt.kind in "iu":
            return _fit(total, dt)
        return total

    return function


def _summing(a, dtype):
    if dtype is not None:
        return _dtype(dtype)
    dt = a._dtype
    if dt.kind == "b" or dt.kind == "i":
        return _INT64
    if dt.kind == "u":
        return _DTYPES["uint64"]
    if dt.kind == "U":
        raise TypeError("the resolved dtypes are not compatible with add.reduce. Resolved (" + _repr(dt) + ", " + _repr(dt) + ", dtype('<U" + _str(2 * dt.size) + "'))")
    return dt


def numpy__sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    if _kind(a) == "iterator":
        return sum(a)
    a = _array_of(a)
    dt = _summing(a, dtype)
    if dt.kind != a._dtype.kind:
        a = a.astype(dt)
    contiguous = axis is None or _len(a._shape) == 1 or axis == -1 or axis == _len(a._shape) - 1
    result = _over_axis(a, axis, keepdims, _total(dt, contiguous), dt)
    if initial is not None:
        result = result + initial
    return result


def numpy__nansum(a, axis=None):
    return numpy__sum(numpy__where(numpy__isnan(a), 0, a), axis)


def numpy__prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None):
    a = _array_of(a)
    if a._dtype.kind == "U":
        raise UFuncTypeError("ufunc 'multiply' did not contain a loop with signature matching types (" + _repr(a._dtype) + ", " + _repr(a._dtype) + ") -> None")
    dt = _summing(a, dtype)
    if dt.kind != a._dtype.kind:
        a = a.astype(dt)

    def product(items):
        total = 1.0 if dt.kind == "f" else 1
        for x in items:
            total = total * x
            if dt.kind in "iu":
                total = _fit(total, dt)
        return total

    return _over_axis(a, axis, keepdims, product, dt)


numpy__product = numpy__prod


def _extreme_of(name, better):
    def function(items):
        if _len(items) == 0:
            raise ValueError("zero-size array to reduction operation " + name + " which has no identity")
        best = items[0]
        for x in items:
            if best != best:
                return best
            if x != x or better(x, best):
                best = x
        return best

    return function


_largest = _extreme_of("maximum", lambda x, y: x > y)
_smallest = _extreme_of("minimum", lambda x, y: x < y)


def _extreme_over(a, axis, keepdims, initial, function, choose):
    a = _array_of(a)
    if a._dtype.kind == "U":
        raise UFuncTypeError("ufunc '" + choose._name + "' did not contain a loop with signature matching types (" + _repr(a._dtype) + ", " + _repr(a._dtype) + ") -> None")
    if initial is not None:
        if a.size == 0 and axis is None:
            return _wrapped(_convert(_plain(initial), a._dtype), a._dtype)
        return choose(_over_axis(a, axis, keepdims, function, a._dtype), initial)
    return _over_axis(a, axis, keepdims, function, a._dtype)


def numpy__max(a, axis=None, out=None, keepdims=False, initial=None):
    return _extreme_over(a, axis, keepdims, initial, _largest, numpy__maximum)


def numpy__min(a, axis=None, out=None, keepdims=False, initial=None):
    return _extreme_over(a, axis, keepdims, initial, _smallest, numpy__minimum)


numpy__amax = numpy__max
numpy__amin = numpy__min


def _without_nan(items):
    kept = [x for x in items if x == x]
    return kept if _len(kept) != 0 else items


def numpy__nanmax(a, axis=None):
    a = _array_of(a)
    return _over_axis(a, axis, False, lambda items: _largest(_without_nan(items)), a._dtype)


def numpy__nanmin(a, axis=None):
    a = _array_of(a)
    return _over_axis(a, axis, False, lambda items: _smallest(_without_nan(items)), a._dtype)


def numpy__ptp(a, axis=None):
    return numpy__max(a, axis) - numpy__min(a, axis)


def _argument_of(name, better):
    def function(items):
        if _len(items) == 0:
            raise ValueError("attempt to get " + name + " of an empty sequence")
        best = 0
        for i, x in enumerate(items):
            if items[best] != items[best]:
                break
            if x != x or better(x, items[best]):
                best = i
        return best

    return function


def numpy__argmax(a, axis=None, out=None, keepdims=False):
    return _over_axis(a, axis, keepdims, _argument_of("argmax", lambda x, y: x > y), _INT64)


def numpy__argmin(a, axis=None, out=None, keepdims=False):
    return _over_axis(a, axis, keepdims, _argument_of("argmin", lambda x, y: x < y), _INT64)


def numpy__mean(a, axis=None, dtype=None, out=None, keepdims=False):
    a = _array_of(a)
    if a._dtype.kind == "U":
        _summing(a, None)
    if a._dtype.kind == "O":
        _throw("the mean of objects")
    if a.size == 0:
        if axis is None:
            return _wrapped(numpy__nan, _FLOAT64)
        _throw("the mean of an empty array")
    a = a.astype(float)
    contiguous = axis is None or _len(a._shape) == 1 or axis == -1 or axis == _len(a._shape) - 1
    add = _total(_FLOAT64, contiguous)
    return _over_axis(a, axis, keepdims, lambda items: add(items) / _len(items), _FLOAT64)


def numpy__nanmean(a, axis=None):
    a = _array_of(a).astype(float)
    return _over_axis(a, axis, False, lambda items: _pairwise_sum(_without_nan(items)) / _len(_without_nan(items)), _FLOAT64)


def numpy__average(a, axis=None, weights=None):
    a = _array_of(a)
    if weights is None:
        return numpy__mean(a, axis)
    w = _array_of(weights)
    if w._shape != a._shape:
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        _throw("np.average with such weights")
    total = numpy__sum(w.astype(float), axis)
    if _classof(total) is float64 and _base(total) == 0:
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return numpy__sum(a.astype(float) * w, axis) / total


def numpy__var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    a = _array_of(a)
    _summing(a, None)
    a = a.astype(float)
    if a.size == 0:
        return _wrapped(numpy__nan, _FLOAT64)

    def variance(items):
        mean = _pairwise_sum(items) / _len(items)
        return _over(_pairwise_sum([(x - mean) * (x - mean) for x in items]), (_len(items) - ddof) * 1.0)

    return _over_axis(a, axis, keepdims, variance, _FLOAT64)


def numpy__std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return numpy__sqrt(numpy__var(a, axis, ddof=ddof, keepdims=keepdims))


def _middle(items):
    n = _len(items)
    if n == 0:
        return numpy__nan
    for x in items:
        if x != x:
            return x
    ordered = _ordered(items)
    if n % 2 == 1:
        return ordered[n // 2] * 1.0
    return (ordered[n // 2 - 1] * 1.0 + ordered[n // 2]) / 2


def numpy__median(a, axis=None, out=None, keepdims=False):
    _summing(_array_of(a), None)
    return _over_axis(a, axis, keepdims, _middle, _FLOAT64)


def numpy__percentile(a, q, axis=None):
    if isinstance(q, (list, tuple, ndarray)) or axis is not None:
        _throw("np.percentile of that")
    items = _ordered(_flat(_array_of(a).astype(float)))
    at = (_len(items) - 1) * (q / 100)
    low = _int(at // 1)
    rest = at - low
    if low >= _len(items) - 1:
        return _wrapped(items[-1], _FLOAT64)
    step = items[low + 1] - items[low]
    if rest >= 0.5:
        return _wrapped(items[low + 1] - step * (1 - rest), _FLOAT64)
    return _wrapped(items[low] + step * rest, _FLOAT64)


def numpy__quantile(a, q, axis=None):
    return numpy__percentile(a, q * 100, axis)


def numpy__any(a, axis=None, out=None, keepdims=False):
    def function(items):
        for x in items:
            if x:
                return True
        return False

    return _over_axis(a, axis, keepdims, function, _BOOL)


def numpy__all(a, axis=None, out=None, keepdims=False):
    def function(items):
        for x in items:
            if not x:
                return False
        return True

    return _over_axis(a, axis, keepdims, function, _BOOL)


def numpy__count_nonzero(a, axis=None):
    def count(items):
        n = 0
        for x in items:
            if x:
                n += 1
        return n

    result = _over_axis(a, axis, False, count, _INT64)
    return result


def _reduce(f, a, axis, keepdims, initial):
    a = _array_of(a)
    if f._name == "add":
        return numpy__sum(a, axis, keepdims=keepdims, initial=initial)
    if f._name == "multiply":
        return numpy__prod(a, axis, keepdims=keepdims)
    if f._name in ("maximum", "minimum"):
        return (numpy__max if f._name == "maximum" else numpy__min)(a, axis, keepdims=keepdims, initial=initial)
    if f._name == "logical_and":
        return numpy__all(a, axis, keepdims=keepdims)
    if f._name == "logical_or":
        return numpy__any(a, axis, keepdims=keepdims)
    function = f._function
    dt = a._dtype

    def fold(items):
        if _len(items) == 0:
            if f._identity is None:
                raise ValueError("zero-size array to reduction operation " + f._name + " which has no identity")
            return f._identity
        total = items[0]
        for x in items[1:]:
            total = function(total, x)
            if dt.kind in "iu":
                total = _fit(total, dt)
        if f._name in ("gcd", "lcm") and total < 0:
            total = -total
        return total

    if f._result == "bits" and dt.kind == "f":
        raise TypeError("ufunc '" + f._name + "' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''")
    result = _over_axis(a, axis, keepdims, fold, dt if f._result not in ("truth", "compare") else _BOOL)
    if initial is not None:
        result = f(result, initial)
    return result


def _accumulated(f, a, axis, dt):
    if a._dtype.kind == "U":
        _throw("np." + f._name + ".accumulate of text")
    if dt is None:
        dt = a._dtype
    function = f._function

    def row(items):
        rows = []
        total = None
        for x in items:
            total = x if total is None else function(total, x)
            if dt.kind in "iu":
                total = _fit(total, dt)
            _push(rows, total)
        return rows

    if a._dtype is not dt:
        a = a.astype(dt)
    if axis is None:
        return _make(row(_flat(a)), (a.size,), dt)
    if a.ndim == 0:
        raise TypeError("cannot accumulate on a scalar")
    axis = _axis_of(axis, a.ndim)
    rows, left = _lanes(a, axis)
    n = a._shape[axis]
    new = _make([x for items in rows for x in row(items)], (*left, n), dt)
    return numpy__moveaxis(new, -1, axis)


def numpy__cumsum(a, axis=None, dtype=None, out=None):
    a = _array_of(a)
    return _accumulated(numpy__add, a, axis, dtype if a._dtype.kind == "U" else _summing(a, dtype))


def numpy__cumprod(a, axis=None, dtype=None, out=None):
    a = _array_of(a)
    return _accumulated(numpy__multiply, a, axis, dtype if a._dtype.kind == "U" else _summing(a, dtype))


def numpy__diff(a, n=1, axis=-1):
    a = _array_of(a)
    if a._dtype.kind == "b":
        return numpy__not_equal(a[1:], a[:-1])
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    while n > 0:
        if a.ndim != 1:
            axis = _axis_of(axis, a.ndim)
            before = (*[_ALL for i in _range(axis)],)
            a = a[(*before, _SLICE[1::])] - a[(*before, _SLICE[:-1:])]
        else:
            a = a[1:] - a[:-1]
        n -= 1
    return a


# -- order


def _ordered(items):
    # A stable merge sort.
    return [items[i] for i in _order(items)]


def _order(items):
    runs = [[i] for i in _range(_len(items))]
    if _len(runs) == 0:
        return []
    while _len(runs) > 1:
        merged = []
        k = 0
        while k + 1 < _len(runs):
            a = runs[k]
            b = runs[k + 1]
            row = []
            i = 0
            j = 0
            while i < _len(a) and j < _len(b):
                if items[b[j]] < items[a[i]] or items[a[i]] != items[a[i]] and items[b[j]] == items[b[j]]:
                    _push(row, b[j])
                    j += 1
                else:
                    _push(row, a[i])
                    i += 1
            _push(merged, [*row, *a[i:], *b[j:]])
            k += 2
        if k < _len(runs):
            _push(merged, runs[k])
        runs = merged
    return runs[0]


def _along(a, axis, function, dt):
    a = _array_of(a)
    if axis is None:
        items = function(_flat(a))
        return _make(items, (_len(items),), dt)
    if a.ndim == 0:
        raise AxisError("axis " + _str(axis) + " is out of bounds for array of dimension 0")
    axis = _axis_of(axis, a.ndim)
    rows, left = _lanes(a, axis)
    items = [x for row in rows for x in function(row)]
    return numpy__moveaxis(_make(items, (*left, a._shape[axis]), dt), -1, axis)


def numpy__sort(a, axis=-1, kind=None, order=None):
    a = _array_of(a)
    if a._dtype.kind == "O":
        _throw("sorting an array of objects")
    return _along(a, axis, _ordered, a._dtype)


def numpy__argsort(a, axis=-1, kind=None, order=None):
    # Equal items keep their order, as they do in arrays of 16 items at most without vector instructions.
    a = _array_of(a)
    if a.ndim == 0:
        a = numpy__atleast_1d(a)
    if kind is None and a.size > 16 and numpy__unique(a).size != a.size:
        _throw("np.argsort of many equal items")
    return _along(a, axis, _order, _INT64)


def numpy__lexsort(keys, axis=-1):
    keys = [_flat(_array_of(k)) for k in keys]
    rows = [(*row,) for row in zip(*keys[::-1])]
    items = _order(rows)
    return _make(items, (_len(items),), _INT64)


def numpy__unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None):
    a = _array_of(ar)
    if axis is not None:
        _throw("np.unique with an axis")
    items = _flat(a)
    order = _order(items)
    values = []
    firsts = []
    counts = []
    inverse = _filled(0, _len(items))
    for i in order:
        if _len(values) == 0 or values[-1] != items[i]:
            _push(values, items[i])
            _push(firsts, i)
            _push(counts, 0)
        counts[-1] += 1
        inverse[i] = _len(values) - 1
    result = [_make(values, (_len(values),), a._dtype)]
    if return_index:
        _push(result, _make(firsts, (_len(firsts),), _INT64))
    if return_inverse:
        _push(result, _make(inverse, a._shape, _INT64))
    if return_counts:
        _push(result, _make(counts, (_len(counts),), _INT64))
    if _len(result) == 1:
        return result[0]
    return (*result,)


def numpy__searchsorted(a, v, side="left", sorter=None):
    items = _flat(_array_of(a))
    right = side == "right"

    def place(x):
        low = 0
        high = _len(items)
        while low < high:
            middle = (low + high) // 2
            if items[middle] < x or right and items[middle] == x:
                low = middle + 1
            else:
                high = middle
        return low

    v = _array_of(v)
    return _done([place(x) for x in _flat(v)], v._shape, _INT64)


def numpy__digitize(x, bins, right=False):
    return numpy__searchsorted(bins, x, "left" if right else "right")


def numpy__partition(a, kth, axis=-1):
    return numpy__sort(a, axis)


# -- shapes


def numpy__shape(a):
    return _array_of(a)._shape


def numpy__ndim(a):
    return _array_of(a).ndim


def numpy__size(a, axis=None):
    a = _array_of(a)
    return a.size if axis is None else a._shape[axis]


def numpy__reshape(a, shape, order="C"):
    return _array_of(a).reshape(shape, order=order)


def numpy__ravel(a, order="C"):
    return _array_of(a).ravel(order)


def numpy__transpose(a, axes=None):
    if isinstance(a, _generic):
        return a
    a = _array_of(a)
    if axes is None:
        return a.T
    order = [_axis_of(x, a.ndim) for x in axes]
    if _len(order) != a.ndim:
        raise ValueError("axes don't match array")
    return _view(a, (*[a._shape[i] for i in order],), (*[a._strides[i] for i in order],), a._offset)


def numpy__swapaxes(a, axis1, axis2):
    a = _array_of(a)
    order = [*_range(a.ndim)]
    i = _axis_of(axis1, a.ndim)
    j = _axis_of(axis2, a.ndim)
    order[i], order[j] = j, i
    return numpy__transpose(a, order)


def numpy__moveaxis(a, source, destination):
    source = _axis_of(source, a.ndim)
    destination = _axis_of(destination, a.ndim)
    if source == destination:
        return a
    order = [i for i in _range(a.ndim) if i != source]
    return numpy__transpose(a, [*order[:destination], source, *order[destination:]])


def numpy__squeeze(a, axis=None):
    if isinstance(a, _generic):
        return a
    a = _array_of(a)
    kept = [i for i in _range(a.ndim) if not (a._shape[i] == 1 and (axis is None or i == _axis_of(axis, a.ndim)))]
    return _view(a, (*[a._shape[i] for i in kept],), (*[a._strides[i] for i in kept],), a._offset)


def numpy__expand_dims(a, axis):
    a = _array_of(a)
    axis = _axis_of(axis, a.ndim + 1)
    return _reshape(a, (*a._shape[:axis], 1, *a._shape[axis:]))


def numpy__atleast_1d(a):
    a = _array_of(a)
    return _reshape(a, (1,)) if a.ndim == 0 else a


def numpy__atleast_2d(a):
    a = _array_of(a)
    return _reshape(a, (1, a.size)) if a.ndim < 2 else a


def numpy__broadcast_to(a, shape):
    return _stretch(_array_of(a), _shape_from(shape))


def numpy__concatenate(arrays, axis=0, out=None, dtype=None):
    if isinstance(arrays, (int, float)):
        raise TypeError("dispatcher for __array_function__ did not return an iterable")
    parts = [_array_of(x) for x in arrays]
    if _len(parts) == 0:
        raise ValueError("need at least one array to concatenate")
    if parts[0].ndim == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    if axis is None:
        parts = [x.ravel() for x in parts]
        axis = 0
    first = parts[0]
    axis = _axis_of(axis, first.ndim)
    dt = first._dtype
    for k, x in enumerate(parts):
        if x.ndim != first.ndim:
            raise ValueError("all the input arrays must have same number of dimensions, but the array at index 0 has " + _str(first.ndim) + " dimension(s) and the array at index " + _str(k) + " has " + _str(x.ndim) + " dimension(s)")
        for i in _range(first.ndim):
            if i != axis and x._shape[i] != first._shape[i]:
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match exactly, but along dimension " + _str(i) + ", the array at index 0 has size " + _str(first._shape[i]) + " and the array at index " + _str(k) + " has size " + _str(x._shape[i])
                )
        dt = _promote(dt, x._dtype)
    parts = [x if x._dtype is dt else x.astype(dt) for x in parts]
    if axis == 0:
        items = [x for part in parts for x in _flat(part)]
        rows = [x._shape[0] for x in parts]
        return _make(items, (sum(rows), *first._shape[1:]), dt)
    outer = _product(first._shape[:axis])
    sizes = [_product(x._shape[axis:]) for x in parts]
    flats = [_flat(x) for x in parts]
    items = []
    for i in _range(outer):
        for row, n in _zipped(flats, sizes):
            for x in row[i * n : i * n + n]:
                _push(items, x)
    return _make(items, (*first._shape[:axis], sum([x._shape[axis] for x in parts]), *first._shape[axis + 1 :]), dt)


def numpy__append(arr, values, axis=None):
    if axis is None:
        return numpy__concatenate((_array_of(arr).ravel(), _array_of(values).ravel()))
    return numpy__concatenate((arr, values), axis)


def numpy__hstack(tup):
    parts = [numpy__atleast_1d(x) for x in tup]
    return numpy__concatenate(parts, 0 if _len(parts) != 0 and parts[0].ndim == 1 else 1)


def numpy__vstack(tup):
    return numpy__concatenate([numpy__atleast_2d(x) for x in tup], 0)


numpy__row_stack = numpy__vstack


def numpy__stack(arrays, axis=0):
    parts = [_array_of(x) for x in arrays]
    if _len(parts) == 0:
        raise ValueError("need at least one array to stack")
    for x in parts:
        if x._shape != parts[0]._shape:
            raise ValueError("all input arrays must have the same shape")
    return numpy__concatenate([numpy__expand_dims(x, axis) for x in parts], axis)


def numpy__column_stack(tup):
    parts = [_array_of(x) for x in tup]
    return numpy__concatenate([_reshape(x, (x.size, 1)) if x.ndim < 2 else x for x in parts], 1)


def numpy__dstack(tup):
    parts = [_array_of(x) for x in tup]
    return numpy__concatenate([_reshape(x, (1, x.size, 1)) if x.ndim == 1 else _reshape(x, (*x._shape, 1)) for x in parts], 2)


def numpy__split(ary, sections, axis=0):
    a = _array_of(ary)
    n = a._shape[0]
    if isinstance(sections, (list, tuple, ndarray)):
        cuts = [_plain(x) for x in sections]
    else:
        if n % sections != 0:
            raise ValueError("array split does not result in an equal division")
        cuts = [i * (n // sections) for i in _range(1, sections)]
    if axis != 0:
        _throw("np.split along another axis")
    cuts = [0, *cuts, n]
    return [a[cuts[i] : cuts[i + 1]] for i in _range(_len(cuts) - 1)]


def numpy__array_split(ary, sections, axis=0):
    a = _array_of(ary)
    if isinstance(sections, (list, tuple, ndarray)) or axis != 0:
        return numpy__split(a, sections, axis)
    n = a._shape[0]
    each = n // sections
    extra = n % sections
    parts = []
    at = 0
    for i in _range(sections):
        size = each + 1 if i < extra else each
        _push(parts, a[at : at + size])
        at += size
    return parts


def numpy__tile(A, reps):
    a = _array_of(A)
    reps = (*[_index_of(x) for x in reps],) if isinstance(reps, (list, tuple, ndarray)) else (_index_of(reps),)
    while _len(reps) < a.ndim:
        reps = (1, *reps)
    if a.ndim < _len(reps):
        a = _reshape(a, (*[1 for i in _range(_len(reps) - a.ndim)], *a._shape))
    for axis, times in enumerate(reps):
        if times == 0:
            a = _make([], (*a._shape[:axis], 0, *a._shape[axis + 1 :]), a._dtype)
        elif times != 1:
            a = numpy__concatenate([a for i in _range(times)], axis)
    return a.copy()


def numpy__repeat(a, repeats, axis=None):
    a = _array_of(a)
    if axis is None:
        a = a.ravel()
        axis = 0
    axis = _axis_of(axis, a.ndim)
    n = a._shape[axis]
    times = _flat(_array_of(repeats))
    if _len(times) == 1:
        times = _filled(times[0], n)
    elif _len(times) != n:
        raise ValueError("operands could not be broadcast together with shape " + _shape_text((n,)) + " " + _shape_text((_len(times),)))
    at = [i for i, k in enumerate(times) for j in _range(k)]
    return numpy__take(a, at, axis)


def numpy__take(a, indices, axis=None):
    a = _array_of(a)
    if axis is None:
        return a.ravel()[_array_of(indices) if not isinstance(indices, int) else indices]
    axis = _axis_of(axis, a.ndim)
    return a[(*[_ALL for i in _range(axis)], indices)]


def numpy__flip(m, axis=None):
    a = _array_of(m)
    axes = [*_range(a.ndim)] if axis is None else [_axis_of(x, a.ndim) for x in axis] if isinstance(axis, tuple) else [_axis_of(axis, a.ndim)]
    return a[(*[_BACKWARDS if i in axes else _ALL for i in _range(a.ndim)],)]


_BACKWARDS = _SLICE[::-1]


def numpy__fliplr(m):
    if _array_of(m).ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return _array_of(m)[:, ::-1]


def numpy__flipud(m):
    return _array_of(m)[::-1]


def numpy__rot90(m, k=1):
    a = _array_of(m)
    k = k % 4
    if k == 0:
        return a
    if k == 1:
        return a.T[::-1]
    if k == 2:
        return a[::-1, ::-1]
    return a[::-1].T


def numpy__roll(a, shift, axis=None):
    a = _array_of(a)
    if axis is None:
        items = _flat(a)
        n = _len(items)
        if n == 0:
            return a.copy()
        cut = (n - shift % n) % n
        return _make([*items[cut:], *items[:cut]], a._shape, a._dtype)
    axis = _axis_of(axis, a.ndim)
    n = a._shape[axis]
    return numpy__take(a, [(i - shift) % n for i in _range(n)], axis)


def numpy__delete(arr, obj, axis=None):
    a = _array_of(arr)
    if axis is None:
        a = a.ravel()
        axis = 0
    axis = _axis_of(axis, a.ndim)
    n = a._shape[axis]
    if _classof(obj) is slice:
        start, step, count = _slice_bounds(obj, n)
        gone = [start + i * step for i in _range(count)]
    else:
        obj = _array_of(obj)
        if obj._dtype.kind == "b":
            gone = [i for i, x in enumerate(_flat(obj)) if x]
        else:
            if obj._dtype.kind not in "iu" and obj.size != 0:
                raise IndexError("arrays used as indices must be of integer (or boolean) type")
            gone = []
            for i in _flat(obj):
                if i < -n or i >= n:
                    raise IndexError("index " + _str(i) + " is out of bounds for axis " + _str(axis) + " with size " + _str(n))
                _push(gone, i + n if i < 0 else i)
    dropped = {i: True for i in gone}
    return numpy__take(a, _make([i for i in _range(n) if i not in dropped], (n - _len(_items(dropped)),), _INT64), axis)


def numpy__insert(arr, obj, values, axis=None):
    a = _array_of(arr)
    if axis is None:
        a = a.ravel()
        axis = 0
    if axis != 0 or not isinstance(obj, (int, _integer)):
        _throw("np.insert of that")
    i = _base(obj)
    n = a._shape[0]
    if i < -n or i > n:
        raise IndexError("index " + _str(i) + " is out of bounds for axis 0 with size " + _str(n))
    new = _array_of(values).astype(a._dtype)
    if a.ndim == 1:
        new = new.ravel()
    else:
        new = _stretch(new, (1, *a._shape[1:]))
    return numpy__concatenate((a[:i], new, a[i:]))


def numpy__pad(array, pad_width, mode="constant", constant_values=0):
    a = _array_of(array)
    if mode != "constant":
        _throw("np.pad with another mode")
    if isinstance(pad_width, int):
        pads = [(pad_width, pad_width) for n in a._shape]
    elif isinstance(pad_width[0], (int, _generic)):
        pads = [(pad_width[0], pad_width[1]) for n in a._shape]
    else:
        pads = [(p[0], p[1]) for p in pad_width]
    new = numpy__full((*[n + p[0] + p[1] for n, p in zip(a._shape, pads)],), constant_values, a._dtype)
    new[(*[_SLICE[p[0]:p[0] + n:] for n, p in zip(a._shape, pads)],)] = a
    return new


# -- choosing


def numpy__nonzero(a):
    a = _array_of(a)
    if a._shape == ():
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.")
    found = [[] for n in a._shape]
    at = [(i, x) for i, x in enumerate(_flat(a))]
    for i, x in at:
        if x:
            for axis in _range(a.ndim - 1, -1, -1):
                _push(found[axis], i % a._shape[axis])
                i = i // a._shape[axis]
    return (*[_make(x, (_len(x),), _INT64) for x in found],)


def numpy__flatnonzero(a):
    return numpy__nonzero(_array_of(a).ravel())[0]


def numpy__argwhere(a):
    a = numpy__atleast_1d(a)
    found = numpy__nonzero(a)
    return numpy__transpose(numpy__stack(found))


def numpy__where(condition, x=_END, y=_END):
    c = _array_of(condition)
    if x is _END and y is _END:
        return numpy__nonzero(c)
    if y is _END or x is _END:
        raise ValueError("either both or neither of x and y should be given")
    if x is None or y is None:
        _throw("np.where with None")
    a, weak_a = _operand(x)
    b, weak_b = _operand(y)
    dt = _common(a, weak_a, b, weak_b)
    shape = _broadcast(_broadcast(c._shape, a._shape), b._shape)
    if a._dtype is not dt and dt.kind == "f":
        a = a.astype(dt)
    if b._dtype is not dt and dt.kind == "f":
        b = b.astype(dt)
    items = [p if t else q for t, (p, q) in _zipped(_flat(_stretch(c, shape)), _zipped(_flat(_stretch(a, shape)), _flat(_stretch(b, shape))))]
    return _make(items, shape, dt)


def numpy__select(conditions, choices, default=0):
    result = default
    for c, x in zip(conditions[::-1], choices[::-1]):
        result = numpy__where(c, x, result)
    return result


def numpy__clip(a, a_min=None, a_max=None, out=None):
    result = a
    if a_min is not None:
        result = numpy__maximum(result, a_min)
    if a_max is not None:
        result = numpy__minimum(result, a_max)
    return result


def numpy__extract(condition, arr):
    return _array_of(arr).ravel()[_array_of(condition).astype(bool).ravel()]


def numpy__compress(condition, a):
    return numpy__extract(condition, a)


def numpy__isin(element, test_elements, invert=False):
    a = _array_of(element)
    others = {x: True for x in _flat(_array_of(test_elements))}
    return _make([(x in others) != invert for x in _flat(a)], a._shape, _BOOL)


def numpy__in1d(a, b):
    return numpy__isin(_array_of(a).ravel(), b)


def numpy__union1d(a, b):
    return numpy__unique(numpy__concatenate((_array_of(a).ravel(), _array_of(b).ravel())))


def numpy__intersect1d(a, b):
    a = numpy__unique(a)
    return a[numpy__isin(a, b)]


def numpy__setdiff1d(a, b):
    a = numpy__unique(a)
    return a[numpy__isin(a, b, True)]


def numpy__array_equal(a, b):
    a = _array_of(a)
    b = _array_of(b)
    if a._shape != b._shape:
        return False
    return True if numpy__all(numpy__equal(a, b)) else False


def numpy__isclose(a, b, rtol=1e-05, atol=1e-08):
    return numpy__less_equal(numpy__absolute(numpy__subtract(a, b)), atol + rtol * numpy__absolute(b))


def numpy__allclose(a, b, rtol=1e-05, atol=1e-08):
    return True if numpy__all(numpy__isclose(a, b, rtol, atol)) else False


def numpy__bincount(x, weights=None, minlength=0):
    a = _array_of(x)
    if a.ndim != 1:
        raise ValueError("object too deep for desired array" if a.ndim > 1 else "object of too small depth for desired array")
    if a._dtype.kind not in "iub" and a.size != 0:
        raise TypeError("Cannot cast array data from " + _repr(a._dtype) + " to dtype('int64') according to the rule 'safe'")
    n = minlength
    for i in _flat(a):
        if i < 0:
            raise ValueError("'list' argument must have no negative elements")
        if i >= n:
            n = i + 1
    counts = _filled(0 if weights is None else 0.0, n)
    w = None if weights is None else _flat(_array_of(weights).astype(float))
    for k, i in enumerate(_flat(a)):
        counts[i] += 1 if w is None else w[k]
    return _make(counts, (n,), _INT64 if w is None else _FLOAT64)


def numpy__round(a, decimals=0, out=None):
    a = _array_of(a)
    if a._dtype.kind in "bU":
        _throw("np.round of that")
    if a._dtype.kind != "f":
        return _done([*_flat(a)], a._shape, a._dtype)
    scale = 10.0**decimals if decimals > 0 else 10.0 ** (-decimals)
    if decimals > 0:
        items = [_rint(x * scale) / scale for x in _flat(a)]
    elif decimals < 0:
        items = [_rint(x / scale) * scale for x in _flat(a)]
    else:
        items = [_rint(x) for x in _flat(a)]
    return _done(items, a._shape, a._dtype)


numpy__around = numpy__round


# -- products


def _dots(xs, ys, dt):
    total = 0.0 if dt.kind == "f" else 0
    for p, q in _zipped(xs, ys):
        total = total + p * q
    return _fit(total, dt) if dt.kind in "iu" else total


def numpy__dot(a, b, out=None):
    a = _array_of(a)
    b = _array_of(b)
    if a.ndim == 0 or b.ndim == 0:
        return numpy__multiply(a, b)
    k = a._shape[-1]
    m = b._shape[0] if b.ndim == 1 else b._shape[-2]
    if k != m:
        raise ValueError("shapes " + _shape_text(a._shape) + " and " + _shape_text(b._shape) + " not aligned: " + _str(k) + " (dim " + _str(a.ndim - 1) + ") != " + _str(m) + " (dim " + _str(0 if b.ndim == 1 else b.ndim - 2) + ")")
    return _multiplied(a, b)


def _multiplied(a, b):
    if a.ndim > 2 or b.ndim > 2:
        _throw("a product of arrays of more than two dimensions")
    dt = _promote(a._dtype, b._dtype)
    if dt.kind == "b":
        _throw("a product of bools")
    rows, left = _lanes(a, -1)
    columns, right = _lanes(b, 0)
    items = [_dots(row, column, dt) for row in rows for column in columns]
    return _done(items, (*left, *right), dt)


def numpy__matmul(a, b):
    a = _array_of(a)
    b = _array_of(b)
    if a._dtype.kind == "U" or b._dtype.kind == "U":
        raise UFuncTypeError("ufunc 'matmul' did not contain a loop with signature matching types (" + _repr(a._dtype) + ", " + _repr(b._dtype) + ") -> None")
    if a.ndim == 0 or b.ndim == 0:
        raise ValueError("matmul: Input operand " + ("0" if a.ndim == 0 else "1") + " does not have enough dimensions (has 0, gufunc core with signature (n?,k),(k,m?)->(n?,m?) requires 1)")
    k = a._shape[-1]
    m = b._shape[0] if b.ndim == 1 else b._shape[-2]
    if k != m:
        raise ValueError("matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size " + _str(m) + " is different from " + _str(k) + ")")
    return _multiplied(a, b)


def numpy__inner(a, b):
    a = _array_of(a)
    b = _array_of(b)
    return numpy__dot(a, b.T)


def numpy__vdot(a, b):
    return numpy__dot(_array_of(a).ravel(), _array_of(b).ravel())


def numpy__outer(a, b):
    a = _array_of(a).ravel()
    b = _array_of(b).ravel()
    return numpy__multiply(_reshape(a, (a.size, 1)), b)


def numpy__cross(a, b):
    a = _array_of(a)
    b = _array_of(b)
    if a._shape != (3,) or b._shape != (3,):
        _throw("np.cross of those shapes")
    return numpy__array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def numpy__linalg__matrix_power(a, n):
    a = _array_of(a)
    if a.ndim != 2 or a._shape[0] != a._shape[1]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    if not isinstance(n, (int, _integer)):
        raise TypeError("exponent must be an integer")
    n = _base(n)
    if n < 0:
        a = numpy__linalg__inv(a)
        n = -n
    if n == 0:
        return numpy__eye(a._shape[0], dtype=a._dtype)
    result = None
    while n > 0:
        if n % 2 == 1:
            result = a if result is None else numpy__matmul(result, a)
        n = n // 2
        if n > 0:
            a = numpy__matmul(a, a)
    return result


def numpy__linalg__norm(x, ord=None, axis=None):
    if axis is not None or ord not in (None, 2, 1):
        _throw("np.linalg.norm of that kind")
    a = _array_of(x).astype(float)
    if a.ndim == 2 and ord is not None:
        _throw("np.linalg.norm of that kind")
    if ord == 1:
        return numpy__sum(numpy__absolute(a))
    items = _flat(a)
    return _wrapped(_ask("math.sqrt", (_dots(items, items, _FLOAT64),), {}), _FLOAT64)


def _factored(a):
    # LU factors by rows with the largest pivot, as LAPACK has them.
    if a.ndim != 2 or a._shape[0] != a._shape[1]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    n = a._shape[0]
    rows, left = _lanes(a.astype(float), -1)
    rows = [[*row] for row in rows]
    order = [*_range(n)]
    sign = 1.0
    for k in _range(n):
        best = k
        for i in _range(k + 1, n):
            x = rows[i][k]
            y = rows[best][k]
            if (x if x >= 0 else -x) > (y if y >= 0 else -y):
                best = i
        if rows[best][k] == 0:
            return None, order, 0.0
        if best != k:
            rows[k], rows[best] = rows[best], rows[k]
            order[k], order[best] = order[best], order[k]
            sign = -sign
        pivot = rows[k][k]
        inverse = 1.0 / pivot
        for i in _range(k + 1, n):
            factor = rows[i][k] * inverse
            rows[i][k] = factor
            for j in _range(k + 1, n):
                rows[i][j] -= factor * rows[k][j]
    return rows, order, sign


def numpy__linalg__solve(a, b):
    a = _array_of(a)
    b = _array_of(b)
    rows, order, sign = _factored(a)
    if rows is None:
        raise LinAlgError("Singular matrix")
    n = a._shape[0]
    columns = [_flat(b)] if b.ndim == 1 else _lanes(b, 0)[0]
    solved = []
    for column in columns:
        x = [column[i] * 1.0 for i in order]
        for i in _range(n):
            for j in _range(i):
                x[i] -= rows[i][j] * x[j]
        for i in _range(n - 1, -1, -1):
            for j in _range(n - 1, i, -1):
                x[i] -= rows[i][j] * x[j]
            x[i] /= rows[i][i]
        _push(solved, x)
    if b.ndim == 1:
        return _make(solved[0], (n,), _FLOAT64)
    return _make([x for row in solved for x in row], (_len(solved), n), _FLOAT64).T.copy()


def numpy__linalg__inv(a):
    a = _array_of(a)
    return numpy__linalg__solve(a, numpy__eye(a._shape[0]))


def numpy__linalg__det(a):
    rows, order, sign = _factored(_array_of(a))
    if rows is None:
        return _wrapped(0.0, _FLOAT64)
    total = 0.0
    for i in _range(_len(rows)):
        x = rows[i][i]
        if x < 0:
            sign = -sign
            x = -x
        total += _ask("math.log", (x,), {})
    return _wrapped(sign * _ask("math.exp", (total,), {}), _FLOAT64)


class numpy__poly1d:
    def __new__(cls, *args):
        _throw("np.poly1d")


def numpy__polyval(p, x):
    total = 0
    for c in _array_of(p):
        total = total * x + c
    return total


def numpy__vectorize(function, otypes=None, **rest):
    def call(*args):
        parts = [_array_of(x) for x in args]
        shape = ()
        for x in parts:
            shape = _broadcast(shape, x._shape)
        rows = [_flat(_stretch(x, shape)) for x in parts]
        items = [_plain(function(*[_wrapped(row[i], part._dtype) for row, part in _zipped(rows, parts)])) for i in _range(_product(shape))]
        dt = _dtype(otypes[0]) if otypes is not None else _dtype_of(items)
        return _make([_convert(x, dt) for x in items], shape, dt)

    return call


def numpy__apply_along_axis(function, axis, arr):
    a = _array_of(arr)
    rows, left = _lanes(a, axis)
    results = [function(_make([*row], (_len(row),), a._dtype)) for row in rows]
    new = numpy__array(results)
    return _reshape(new, (*left, *new._shape[1:]))


def numpy__isscalar(x):
    return isinstance(x, (int, float, str, complex, _generic))


def numpy__iinfo(kind):
    return _Limits(_dtype(kind))


class _Limits:
    def __init__(self, dt):
        self.min = -(1 << (8 * dt.size - 1)) if dt.kind == "i" else 0
        self.max = (1 << (8 * dt.size - 1)) - 1 if dt.kind == "i" else (1 << 8 * dt.size) - 1
        self.bits = 8 * dt.size
        self.dtype = dt


def numpy__finfo(kind):
    new = _Limits(_INT64)
    new.max = _wrapped(1.7976931348623157e308, _FLOAT64)
    new.min = _wrapped(-1.7976931348623157e308, _FLOAT64)
    new.eps = _wrapped(2.220446049250313e-16, _FLOAT64)
    new.tiny = _wrapped(2.2250738585072014e-308, _FLOAT64)
    return new


def numpy__set_printoptions(**options):
    _throw("np.set_printoptions")


def numpy__seterr(**options):
    return {}


def numpy__geomspace(start, stop, num=50):
    _throw("np.geomspace")


class _Joined:
    def __init__(self, columns):
        self.columns = columns

    def __getitem__(self, key):
        if not isinstance(key, tuple):
            key = (key,)
        parts = []
        for x in key:
            if _classof(x) is slice:
                step = 1 if x.step is None else x.step
                _push(parts, numpy__arange(0 if x.start is None else x.start, x.stop, step))
            else:
                _push(parts, numpy__atleast_1d(x))
        if self.columns:
            return numpy__concatenate([_reshape(x, (x.size, 1)) if x.ndim < 2 else x for x in parts], 1)
        return numpy__concatenate(parts, -1)


numpy__r_ = _Joined(False)
numpy__c_ = _Joined(True)


# -- text


def _padded(text, width):
    n = width - _len(text)
    return " " * n + text if n > 0 else text


def _word(items, dt, top):
    # The texts of all items, of one width.
    if dt.kind == "b":
        return [("True" if x else "False") if top else (" True" if x else "False") for x in items]
    if dt.kind == "U":
        return [_repr(x) for x in items]
    if dt.kind == "O":
        for x in items:
            if isinstance(x, (list, ndarray)) or _own(x):
                _throw("the text of an array of objects")
        return [_repr(x) for x in items]
    if dt.kind == "f":
        return _float_words(items)
    words = [_str(x) for x in items]
    width = 0
    for x in words:
        if _len(x) > width:
            width = _len(x)
    return [_padded(x, width) for x in words]


def _float_parts(x):
    text = _str(x)
    if "e" in text or _decimals(text) > 8:
        text = _fixed(x, 8)
    n = _len(text)
    dot = 0
    while dot < n and text[dot] != ".":
        dot += 1
    while text[n - 1] == "0" and n > dot + 1:
        n -= 1
    return text[:dot], text[dot + 1 : n]


def _decimals(text):
    dot = 0
    while dot < _len(text) and text[dot] != ".":
        dot += 1
    return _len(text) - dot - 1


def _float_words(items):
    largest = 0.0
    smallest = None
    finite = []
    for x in items:
        if x != x or x - x != 0:
            continue
        _push(finite, x)
        y = -x if x < 0 else x
        if y == 0:
            continue
        if y > largest:
            largest = y
        if smallest is None or y < smallest:
            smallest = y
    if smallest is not None and (largest >= _MOST or smallest < 0.0001 or largest / smallest > 1000.0):
        return _exponent_words(items, finite)
    parts = [_float_parts(x) for x in finite]
    left = 0
    right = 0
    for whole, rest in parts:
        if _len(whole) > left:
            left = _len(whole)
        if _len(rest) > right:
            right = _len(rest)
    words = {}
    for x in items:
        if x != x:
            text = "nan"
        elif x - x != 0:
            text = "inf" if x > 0 else "-inf"
        else:
            continue
        if _len(text) > left + right + 1:
            left = _len(text) - right - 1
    texts = []
    for x in items:
        if x != x:
            _push(texts, _padded("nan", left + right + 1))
        elif x - x != 0:
            _push(texts, _padded("inf" if x > 0 else "-inf", left + right + 1))
        else:
            whole, rest = _float_parts(x)
            _push(texts, _padded(whole, left) + "." + rest + " " * (right - _len(rest)))
    return texts


_MOST = 1.0e8


def _exponent_words(items, finite):
    # Mantissas of one width with an exponent.
    if _len(finite) != _len(items):
        _throw("the text of infinite numbers beside large ones")
    parts = []
    most = 0
    for x in finite:
        mantissa, exponent = _scientific(x)
        rest = _decimals(mantissa)
        if rest > most:
            most = rest
        _push(parts, (mantissa, exponent))
    texts = []
    width = 0
    for mantissa, exponent in parts:
        rest = _decimals(mantissa)
        text = mantissa + "0" * (most - rest) + exponent
        if _len(text) > width:
            width = _len(text)
        _push(texts, text)
    return [_padded(x, width) for x in texts]


def _array_words(a, separator, prefix, suffix):
    n = _product(a._shape)
    if n > 1000:
        _throw("the text of an array of more than 1000 items")
    items = _flat(a)
    words = _word(items, a._dtype, a._shape == ())
    indent = " " * (_len(prefix) + 1)
    return _bracketed(words, a._shape, 0, 0, separator, indent, 75 - _len(suffix))


def _bracketed(words, shape, depth, at, separator, indent, width):
    left = _len(shape) - depth
    if left == 0:
        return words[at]
    n = shape[depth]
    bare = "," if separator == ", " else ""
    if left == 1:
        most = width - 1
        text = ""
        line = indent
        i = 0
        while i < n:
            word = words[at + i]
            if _len(line) + _len(word) > most and _len(line) > _len(indent):
                text += _stripped(line) + "\n"
                line = indent
            line += word
            if i != n - 1:
                line += separator
            i += 1
        text += line
    else:
        text = ""
        step = _product(shape[depth + 1 :])
        i = 0
        while i < n:
            text += indent + _bracketed(words, shape, depth + 1, at + i * step, separator, indent + " ", width - 1)
            if i != n - 1:
                text += bare + "\n" * (left - 1)
            i += 1
    return "[" + text[_len(indent) :] + "]"


def _stripped(line):
    n = _len(line)
    while n > 0 and line[n - 1] == " ":
        n -= 1
    return line[:n]


def _array_text(a, separator, prefix, suffix):
    if a._shape == ():
        return _str(_flat(a)[0])
    if _product(a._shape) == 0:
        return "[]"
    return _array_words(a, separator, prefix, suffix)


def _array_repr(a):
    dt = a._dtype
    shown = dt.name not in ("int64", "float64", "bool") or a.size == 0
    if a.size == 0:
        text = "array([]"
        if a._shape != (0,):
            text += ", shape=" + _repr(a._shape)
        return text + ", dtype=" + _dtype_text(dt) + ")"
    if a._shape == ():
        text = "array(" + _word(_flat(a), dt, True)[0]
        return text + (", dtype=" + _dtype_text(dt) if shown else "") + ")"
    text = "array(" + _array_words(a, ", ", "array(", ")")
    if not shown:
        return text + ")"
    last = 0
    for c in text:
        last = 0 if c == "\n" else last + 1
    ending = "dtype=" + _dtype_text(dt) + ")"
    if last + _len(ending) + 2 > 75:
        return text + ",\n      " + ending
    return text + ", " + ending


def _dtype_text(dt):
    if dt.kind == "U":
        return "'<U" + _str(dt.size) + "'"
    return dt.name


def numpy__array2string(a, **options):
    if options:
        _throw("np.array2string with options")
    return _str(a)


def numpy__array_repr(a):
    return _repr(a)


def numpy__array_str(a):
    return _str(a)
