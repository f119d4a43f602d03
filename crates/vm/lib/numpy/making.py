# The part of numpy that is written in Python: creating arrays.


def _all_or_first(value):
    if isinstance(value, (set, frozenset, dict)) or _kind(value) == "iterator":
        return False
    return True


def array(object, dtype=None, *, copy=True, order=None, ndmin=0, subok=False):
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


def asarray(a, dtype=None, order=None):
    if isinstance(a, ndarray) and (dtype is None or _dtype(dtype) is a._dtype):
        return a
    return array(a, dtype)


asanyarray = asarray
ascontiguousarray = asarray


def copy(a):
    return array(a)


def _filled_array(shape, value, dt):
    shape = _shape_from(shape)
    return _make(_filled(value, _count_of(shape)), shape, dt)


def zeros(shape, dtype=float, order="C"):
    dt = _dtype(dtype)
    return _filled_array(shape, "" if dt.kind == "U" else 0 if dt.kind == "O" else _convert(0, dt), dt)


def ones(shape, dtype=None, order="C"):
    dt = _dtype(dtype)
    return _filled_array(shape, 1 if dt.kind == "O" else _convert(1, dt), dt)


def empty(shape, dtype=float, order="C"):
    # The contents of memory are unknown. Most often they are zero.
    return zeros(shape, dtype)


def full(shape, fill_value, dtype=None, order="C"):
    if isinstance(fill_value, (list, tuple, ndarray)):
        value = array(fill_value, dtype)
        shape = _shape_from(shape)
        return _stretch(value, _broadcast(value._shape, shape)).copy()
    if dtype is None:
        dt = _array_of(fill_value)._dtype
    else:
        dt = _dtype(dtype)
    return _filled_array(shape, _convert(_plain_item(fill_value), dt), dt)


def zeros_like(a, dtype=None):
    a = _array_of(a)
    return zeros(a._shape, _known(dtype, a._dtype))


def ones_like(a, dtype=None):
    a = _array_of(a)
    return ones(a._shape, _known(dtype, a._dtype))


empty_like = zeros_like


def full_like(a, fill_value, dtype=None):
    a = _array_of(a)
    return full(a._shape, fill_value, _known(dtype, a._dtype))


def arange(start=None, stop=None, step=None, dtype=None):
    if start is None and stop is None:
        raise TypeError("arange() requires stop to be specified.")
    if stop is None:
        start, stop = 0, start
    if step is None:
        step = 1
    start = _plain_item(start)
    stop = _plain_item(stop)
    step = _plain_item(step)
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


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None):
    num = _index_of(num)
    start = _plain_item(start) * 1.0
    stop = _plain_item(stop) * 1.0
    parts = num - 1 if endpoint else num
    delta = stop - start
    if parts > 0:
        step = delta / parts
        items = [i * step + start for i in _range(num)]
    else:
        step = nan
        items = [i * 1.0 * delta + start for i in _range(num)]
    if endpoint and num > 1:
        items[-1] = stop
    new = _make(items, (num,), _FLOAT64)
    if dtype is not None:
        new = new.astype(dtype)
    if retstep:
        return (new, _wrapped(step, _FLOAT64))
    return new


def eye(N, M=None, k=0, dtype=float):
    M = N if M is None else _index_of(M)
    new = zeros((N, M), dtype)
    one = _convert(1, new._dtype)
    for i in _range(new._shape[0]):
        if 0 <= i + k < M:
            new._data[i * M + i + k] = one
    return new


def identity(n, dtype=None):
    return eye(n, dtype=float if dtype is None else dtype)


def fromiter(iterable, dtype, count=-1):
    return array(_list(iterable), dtype)


def fromstring(string, dtype=float, count=-1, sep=""):
    if sep == "":
        _throw("np.fromstring of bytes")
    return array(_ask("str.split", (string,) if sep == " " else (string, sep), {}), dtype)


def fromfunction(function, shape, dtype=float):
    _throw("np.fromfunction")


def meshgrid(*arrays, indexing="xy"):
    if _len(arrays) != 2 or indexing != "xy":
        _throw("np.meshgrid of that")
    x = _array_of(arrays[0]).ravel()
    y = _array_of(arrays[1]).ravel()
    shape = (y.size, x.size)
    return (_stretch(_reshape(x, (1, x.size)), shape).copy(), _stretch(_reshape(y, (y.size, 1)), shape).copy())


def diag(v, k=0):
    v = _array_of(v)
    if v.ndim == 2:
        return diagonal(v, k)
    if v.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    n = v.size + (k if k > 0 else -k)
    new = zeros((n, n), v._dtype)
    for i, x in enumerate(_flat(v)):
        row = i if k >= 0 else i - k
        new._data[row * n + row + k] = x
    return new


def diagonal(a, offset=0):
    a = _array_of(a)
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    n, m = a._shape[:2]
    items = []
    for i in _range(n):
        if 0 <= i + offset < m:
            _push(items, _plain_item(a[i, i + offset]))
    return _make(items, (_len(items),), a._dtype)


def trace(a):
    return sum(diagonal(a))


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


def tril(m, k=0):
    return _triangle(m, k, True)


def triu(m, k=0):
    return _triangle(m, k, False)


def tri(N, M=None, k=0, dtype=float):
    return _triangle(ones((N, N if M is None else M), dtype), k, True)
