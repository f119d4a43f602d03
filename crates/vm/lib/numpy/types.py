# Replaces `numpy`: arrays over flat lists, with shapes and strides, so that a slice shares its
# data. Loaded if a program names numpy. `_data` holds plain values, which are read as scalars.
# A result that cannot be reproduced exactly ends planning by `_throw`. Written for numpy 2.

import builtins


from collections import deque as _deque

_HALF = 9223372036854775808
_WHOLE = 18446744073709551616


class _Slices:
    def __getitem__(self, key):
        return key


_SLICE = _Slices()


# -- data types


class dtype:
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
    if kind is builtins.bool:
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
    # Converts an integer to the range of the type.
    if dt.kind == "u":
        return x % (1 << 8 * dt.size)
    half = 1 << (8 * dt.size - 1)
    if -half <= x < half:
        return x
    return (x + half) % (2 * half) - half


def _number_of(x, dt):
    """A number in an array of texts: a message names it as numpy's text."""
    try:
        return _convert(x, dt)
    except ValueError as e:
        message = _str(e)
    text = _repr(x)
    if message[-_len(text) :] == text:
        message = message[: -_len(text)] + "np.str_(" + text + ")"
    raise ValueError(message)


def _convert(x, dt):
    # Converts a plain value to a plain value of a type.
    kind = dt.kind
    have = _classof(x)
    if kind == "f":
        if have is float:
            return x
        if have is int or have is builtins.bool:
            return x * 1.0
        if x is None:
            return nan
        if have is str:
            return _ask("float", (x,), {})
        raise TypeError("float() argument must be a string or a real number, not '" + _type_name(x) + "'")
    if kind == "i" or kind == "u":
        if have is int:
            if _fit(x, dt) != x:
                raise OverflowError("Python int too large to convert to C long" if dt.size == 8 else "Python integer " + _str(x) + " out of bounds for " + dt.name)
            return x
        if have is builtins.bool:
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
    # The type that can hold all of some plain values.
    best = 0
    for x in values:
        have = _classof(x)
        if have is int:
            level = 2
            if not -_HALF <= x < _HALF:
                level = 7 if x >= 0 and x < _WHOLE else 6
        elif have is float:
            level = 3
        elif have is builtins.bool:
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
