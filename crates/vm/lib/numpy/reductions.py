# The part of numpy that is written in Python: reductions.

import builtins


def _axis_of(axis, ndim):
    axis = _index_of(axis)
    if axis < -ndim or axis >= ndim:
        raise AxisError("axis " + _str(axis) + " is out of bounds for array of dimension " + _str(ndim))
    return axis + ndim if axis < 0 else axis


def _lanes(a, axis):
    # The rows of items along an axis, and the remaining shape.
    ndim = _len(a._shape)
    axis = _axis_of(axis, ndim)
    if axis != ndim - 1:
        order = [i for i in _range(ndim) if i != axis]
        _push(order, axis)
        a = _view(a, (*[a._shape[i] for i in order],), (*[a._strides[i] for i in order],), a._offset)
    n = a._shape[-1]
    items = _flat(a)
    left = a._shape[:-1]
    return [items[i * n : i * n + n] for i in _range(_count_of(left))], left


def _over_axis(a, axis, keepdims, function, dt):
    # Applies a function to rows of items along an axis, or to all items.
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
        moved = transpose(a, order)
        shape = (*[a._shape[i] for i in kept],)
        a = _reshape(moved, (*shape, _count_of([a._shape[i] for i in whole])))
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
    # The order in which numpy adds floats.
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


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    if _kind(a) == "iterator":
        return builtins.sum(a)
    a = _array_of(a)
    dt = _summing(a, dtype)
    if dt.kind != a._dtype.kind:
        a = a.astype(dt)
    contiguous = axis is None or _len(a._shape) == 1 or axis == -1 or axis == _len(a._shape) - 1
    result = _over_axis(a, axis, keepdims, _total(dt, contiguous), dt)
    if initial is not None:
        result = result + initial
    return result


def nansum(a, axis=None):
    return sum(where(isnan(a), 0, a), axis)


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None):
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


product = prod


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
            return _wrapped(_convert(_plain_item(initial), a._dtype), a._dtype)
        return choose(_over_axis(a, axis, keepdims, function, a._dtype), initial)
    return _over_axis(a, axis, keepdims, function, a._dtype)


def max(a, axis=None, out=None, keepdims=False, initial=None):
    return _extreme_over(a, axis, keepdims, initial, _largest, maximum)


def min(a, axis=None, out=None, keepdims=False, initial=None):
    return _extreme_over(a, axis, keepdims, initial, _smallest, minimum)


amax = max
amin = min


def _without_nan(items):
    kept = [x for x in items if x == x]
    return kept if _len(kept) != 0 else items


def nanmax(a, axis=None):
    a = _array_of(a)
    return _over_axis(a, axis, False, lambda items: _largest(_without_nan(items)), a._dtype)


def nanmin(a, axis=None):
    a = _array_of(a)
    return _over_axis(a, axis, False, lambda items: _smallest(_without_nan(items)), a._dtype)


def ptp(a, axis=None):
    return max(a, axis) - min(a, axis)


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


def argmax(a, axis=None, out=None, keepdims=False):
    return _over_axis(a, axis, keepdims, _argument_of("argmax", lambda x, y: x > y), _INT64)


def argmin(a, axis=None, out=None, keepdims=False):
    return _over_axis(a, axis, keepdims, _argument_of("argmin", lambda x, y: x < y), _INT64)


def mean(a, axis=None, dtype=None, out=None, keepdims=False):
    a = _array_of(a)
    if a._dtype.kind == "U":
        _summing(a, None)
    if a._dtype.kind == "O":
        _throw("the mean of objects")
    if a.size == 0:
        if axis is None:
            return _wrapped(nan, _FLOAT64)
        _throw("the mean of an empty array")
    a = a.astype(float)
    contiguous = axis is None or _len(a._shape) == 1 or axis == -1 or axis == _len(a._shape) - 1
    add = _total(_FLOAT64, contiguous)
    return _over_axis(a, axis, keepdims, lambda items: add(items) / _len(items), _FLOAT64)


def nanmean(a, axis=None):
    a = _array_of(a).astype(float)
    return _over_axis(a, axis, False, lambda items: _pairwise_sum(_without_nan(items)) / _len(_without_nan(items)), _FLOAT64)


def average(a, axis=None, weights=None):
    a = _array_of(a)
    if weights is None:
        return mean(a, axis)
    w = _array_of(weights)
    if w._shape != a._shape:
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        _throw("np.average with such weights")
    total = sum(w.astype(float), axis)
    if _classof(total) is float64 and _base(total) == 0:
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return sum(a.astype(float) * w, axis) / total


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    a = _array_of(a)
    _summing(a, None)
    a = a.astype(float)
    if a.size == 0:
        return _wrapped(nan, _FLOAT64)

    def variance(items):
        mean = _pairwise_sum(items) / _len(items)
        return _over(_pairwise_sum([(x - mean) * (x - mean) for x in items]), (_len(items) - ddof) * 1.0)

    return _over_axis(a, axis, keepdims, variance, _FLOAT64)


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return sqrt(var(a, axis, ddof=ddof, keepdims=keepdims))


def _middle(items):
    n = _len(items)
    if n == 0:
        return nan
    for x in items:
        if x != x:
            return x
    ordered = _ordered(items)
    if n % 2 == 1:
        return ordered[n // 2] * 1.0
    return (ordered[n // 2 - 1] * 1.0 + ordered[n // 2]) / 2


def median(a, axis=None, out=None, keepdims=False):
    _summing(_array_of(a), None)
    return _over_axis(a, axis, keepdims, _middle, _FLOAT64)


def percentile(a, q, axis=None):
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


def quantile(a, q, axis=None):
    return percentile(a, q * 100, axis)


def any(a, axis=None, out=None, keepdims=False):
    def function(items):
        for x in items:
            if x:
                return True
        return False

    return _over_axis(a, axis, keepdims, function, _BOOL)


def all(a, axis=None, out=None, keepdims=False):
    def function(items):
        for x in items:
            if not x:
                return False
        return True

    return _over_axis(a, axis, keepdims, function, _BOOL)


def count_nonzero(a, axis=None):
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
        return sum(a, axis, keepdims=keepdims, initial=initial)
    if f._name == "multiply":
        return prod(a, axis, keepdims=keepdims)
    if f._name in ("maximum", "minimum"):
        return (max if f._name == "maximum" else min)(a, axis, keepdims=keepdims, initial=initial)
    if f._name == "logical_and":
        return all(a, axis, keepdims=keepdims)
    if f._name == "logical_or":
        return any(a, axis, keepdims=keepdims)
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
    return moveaxis(new, -1, axis)


def cumsum(a, axis=None, dtype=None, out=None):
    a = _array_of(a)
    return _accumulated(add, a, axis, dtype if a._dtype.kind == "U" else _summing(a, dtype))


def cumprod(a, axis=None, dtype=None, out=None):
    a = _array_of(a)
    return _accumulated(multiply, a, axis, dtype if a._dtype.kind == "U" else _summing(a, dtype))


def diff(a, n=1, axis=-1):
    a = _array_of(a)
    if a._dtype.kind == "b":
        return not_equal(a[1:], a[:-1])
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
