# The part of numpy that is written in Python: arrays.

import builtins


def _count_of(shape):
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
    # The positions of an array's items, in its order.
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
    # The items of an array in its order. They must not be changed.
    data = a._data
    if a._strides == _strides_of(a._shape):
        n = _count_of(a._shape)
        if n == _len(data):
            return data
        return data[a._offset : a._offset + n]
    return [data[i] for i in _positions(a)]


def _deep(value, depth, shape, items):
    # Collects the items of nested lists. False if their lengths differ.
    if depth == _len(shape):
        if isinstance(value, (list, tuple, range, ndarray)) and not (isinstance(value, ndarray) and value.ndim == 0):
            return False
        _push(items, _plain_item(value))
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


def _plain_item(x):
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
    # Converts anything to an array. Arrays stay unchanged.
    if isinstance(value, ndarray):
        return value
    if isinstance(value, _generic):
        return _make([_base(value)], (), _dtype(_classof(value)) if not isinstance(value, str_) else _text_dtype(_len(_base(value))))
    return array(value)


def _known(dt, given):
    return given if dt is None else _dtype(dt)


class _Flat:
    # `ndarray.flat`: iterates the items once, and reads them by index.
    def __init__(self, array):
        self._array = array
        self._items = None

    def __len__(self):
        return self._array.size

    def __iter__(self):
        return self

    def __next__(self):
        if self._items is None:
            self._items = iter(self._array.ravel())
        return next(self._items)

    def __getitem__(self, at):
        return self._array.ravel()[at]

    def __setitem__(self, at, value):
        _throw("numpy.ndarray.flat[…] = …")


class ndarray:
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
        return _count_of(self._shape)

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
        return _Flat(self)

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
        n = _count_of(self._shape)
        if n == 1:
            return True if _flat(self)[0] else False
        if n == 0:
            raise ValueError("The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty.")
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")

    def __int__(self):
        return int64(_only(self)).__int__()

    def __float__(self):
        x = _only(self)
        return float(x) if isinstance(x, str) else x * 1.0

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
        return any(equal(self, value)) and True

    def item(self, *at):
        if at == ():
            n = _count_of(self._shape)
            if n != 1:
                raise ValueError("can only convert an array of size 1 to a Python scalar")
            return _flat(self)[0]
        if _len(at) == 1 and isinstance(at[0], int):
            return _flat(self)[at[0]]
        return _plain_item(self[at if _len(at) > 1 else at[0]])

    def tolist(self):
        return _nested(_flat(self), self._shape, 0, 0)

    def fill(self, value):
        value = _convert(_plain_item(value), self._dtype)
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
        if self._dtype.kind == "U" and dt.kind in "iuf":
            return _make([_number_of(x, dt) for x in items], self._shape, dt)
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
        return _reshape(self, (_count_of(self._shape),))

    def flatten(self, order="C"):
        if order == "F":
            return _make([*_flat(self.T)], (_count_of(self._shape),), self._dtype)
        return _make([*_flat(self)], (_count_of(self._shape),), self._dtype)

    def transpose(self, *axes):
        if _len(axes) == 1 and not isinstance(axes[0], int):
            axes = axes[0]
        return transpose(self, axes if axes != () else None)

    def swapaxes(self, a, b):
        return swapaxes(self, a, b)

    def squeeze(self, axis=None):
        return squeeze(self, axis)

    def sum(self, axis=None, dtype=None, out=None, keepdims=False, initial=None):
        return sum(self, axis, dtype, out, keepdims, initial)

    def prod(self, axis=None, dtype=None, keepdims=False):
        return prod(self, axis, dtype, keepdims=keepdims)

    def mean(self, axis=None, dtype=None, keepdims=False):
        return mean(self, axis, keepdims=keepdims)

    def var(self, axis=None, dtype=None, ddof=0):
        return var(self, axis, ddof=ddof)

    def std(self, axis=None, dtype=None, ddof=0):
        return std(self, axis, ddof=ddof)

    def max(self, axis=None, keepdims=False, initial=None):
        return max(self, axis, keepdims=keepdims, initial=initial)

    def min(self, axis=None, keepdims=False, initial=None):
        return min(self, axis, keepdims=keepdims, initial=initial)

    def ptp(self, axis=None):
        raise AttributeError("`ptp` was removed from the ndarray class in NumPy 2.0. Use np.ptp(arr, ...) instead.")

    def argmax(self, axis=None):
        return argmax(self, axis)

    def argmin(self, axis=None):
        return argmin(self, axis)

    def argsort(self, axis=-1, kind=None):
        return argsort(self, axis)

    def sort(self, axis=-1, kind=None):
        ordered = sort(self, axis)
        for i, x in _zipped(_positions(self), _flat(ordered)):
            self._data[i] = x

    def cumsum(self, axis=None, dtype=None):
        return cumsum(self, axis, dtype)

    def cumprod(self, axis=None, dtype=None):
        return cumprod(self, axis, dtype)

    def any(self, axis=None, keepdims=False):
        return any(self, axis, keepdims=keepdims)

    def all(self, axis=None, keepdims=False):
        return all(self, axis, keepdims=keepdims)

    def nonzero(self):
        return nonzero(self)

    def round(self, decimals=0):
        return round(self, decimals)

    def clip(self, min=None, max=None):
        return clip(self, min, max)

    def dot(self, other):
        return dot(self, other)

    def repeat(self, times, axis=None):
        return repeat(self, times, axis)

    def take(self, at, axis=None):
        return take(self, at, axis)

    def diagonal(self, offset=0):
        return diagonal(self, offset)

    def trace(self):
        return trace(self)

    def searchsorted(self, value, side="left"):
        return searchsorted(self, value, side)

    def __neg__(self):
        return negative(self)

    def __pos__(self):
        return self.copy()

    def __abs__(self):
        return absolute(self)

    def __invert__(self):
        return invert(self)

    def __matmul__(self, other):
        return matmul(self, other)

    def __rmatmul__(self, other):
        return matmul(other, self)

    def __divmod__(self, other):
        return (floor_divide(self, other), remainder(self, other))


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
            return _make(_filled(name == "not_equal", _count_of(array._shape)), array._shape, _BOOL)
    if name == "equal" or name == "not_equal":
        a = _operand(a)[0]
        b = _operand(b)[0]
        if (a._dtype.kind == "U") != (b._dtype.kind == "U") and a._dtype.kind != "O" and b._dtype.kind != "O":
            shape = _broadcast(a._shape, b._shape)
            return _done(_filled(name == "not_equal", _count_of(shape)), shape, _BOOL)
    return _ufuncs[name](a, b)


def _into(target, result, name):
    # An in-place operator. The result must fit.
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
    # Stores items at positions of the same shape.
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
    n = _count_of(a._shape)
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
    step = _count_of(shape[depth + 1 :])
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
    if _classof(x) is builtins.bool:
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
    if _count_of(shape) > 2000000:
        _throw("an array of that size")
    return shape


def _reshape(a, shape):
    n = _count_of(a._shape)
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
