# The part of numpy that is written in Python: products.


def _dots(xs, ys, dt):
    total = 0.0 if dt.kind == "f" else 0
    for p, q in _zipped(xs, ys):
        total = total + p * q
    return _fit(total, dt) if dt.kind in "iu" else total


def dot(a, b, out=None):
    a = _array_of(a)
    b = _array_of(b)
    if a.ndim == 0 or b.ndim == 0:
        return multiply(a, b)
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


def matmul(a, b):
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


def inner(a, b):
    a = _array_of(a)
    b = _array_of(b)
    return dot(a, b.T)


def vdot(a, b):
    return dot(_array_of(a).ravel(), _array_of(b).ravel())


def outer(a, b):
    a = _array_of(a).ravel()
    b = _array_of(b).ravel()
    return multiply(_reshape(a, (a.size, 1)), b)


def cross(a, b):
    a = _array_of(a)
    b = _array_of(b)
    if a._shape != (3,) or b._shape != (3,):
        _throw("np.cross of those shapes")
    return array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _factored(a):
    # LU factors by rows with the largest pivot, as in LAPACK.
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


class poly1d:
    def __new__(cls, *args):
        _throw("np.poly1d")


def polyval(p, x):
    total = 0
    for c in _array_of(p):
        total = total * x + c
    return total


def vectorize(function, otypes=None, **rest):
    def call(*args):
        parts = [_array_of(x) for x in args]
        shape = ()
        for x in parts:
            shape = _broadcast(shape, x._shape)
        rows = [_flat(_stretch(x, shape)) for x in parts]
        items = [_plain_item(function(*[_wrapped(row[i], part._dtype) for row, part in _zipped(rows, parts)])) for i in _range(_count_of(shape))]
        dt = _dtype(otypes[0]) if otypes is not None else _dtype_of(items)
        return _make([_convert(x, dt) for x in items], shape, dt)

    return call


def apply_along_axis(function, axis, arr):
    a = _array_of(arr)
    rows, left = _lanes(a, axis)
    results = [function(_make([*row], (_len(row),), a._dtype)) for row in rows]
    new = array(results)
    return _reshape(new, (*left, *new._shape[1:]))


def isscalar(x):
    return isinstance(x, (int, float, str, complex, _generic))


def iinfo(kind):
    return _Limits(_dtype(kind))


class _Limits:
    def __init__(self, dt):
        self.min = -(1 << (8 * dt.size - 1)) if dt.kind == "i" else 0
        self.max = (1 << (8 * dt.size - 1)) - 1 if dt.kind == "i" else (1 << 8 * dt.size) - 1
        self.bits = 8 * dt.size
        self.dtype = dt


def finfo(kind):
    new = _Limits(_INT64)
    new.max = _wrapped(1.7976931348623157e308, _FLOAT64)
    new.min = _wrapped(-1.7976931348623157e308, _FLOAT64)
    new.eps = _wrapped(2.220446049250313e-16, _FLOAT64)
    new.tiny = _wrapped(2.2250738585072014e-308, _FLOAT64)
    return new


def set_printoptions(**options):
    _throw("np.set_printoptions")


def seterr(**options):
    return {}


def geomspace(start, stop, num=50):
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
                _push(parts, arange(0 if x.start is None else x.start, x.stop, step))
            else:
                _push(parts, atleast_1d(x))
        if self.columns:
            return concatenate([_reshape(x, (x.size, 1)) if x.ndim < 2 else x for x in parts], 1)
        return concatenate(parts, -1)


r_ = _Joined(False)
c_ = _Joined(True)
