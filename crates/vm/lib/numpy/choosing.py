# The part of numpy that is written in Python: choosing.

import builtins


def nonzero(a):
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


def flatnonzero(a):
    return nonzero(_array_of(a).ravel())[0]


def argwhere(a):
    a = atleast_1d(a)
    found = nonzero(a)
    return transpose(stack(found))


def where(condition, x=_END, y=_END):
    c = _array_of(condition)
    if x is _END and y is _END:
        return nonzero(c)
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


def select(conditions, choices, default=0):
    result = default
    for c, x in zip(conditions[::-1], choices[::-1]):
        result = where(c, x, result)
    return result


def clip(a, a_min=None, a_max=None, out=None):
    result = a
    if a_min is not None:
        result = maximum(result, a_min)
    if a_max is not None:
        result = minimum(result, a_max)
    return result


def extract(condition, arr):
    return _array_of(arr).ravel()[_array_of(condition).astype(builtins.bool).ravel()]


def compress(condition, a):
    return extract(condition, a)


def isin(element, test_elements, invert=False):
    a = _array_of(element)
    others = {x: True for x in _flat(_array_of(test_elements))}
    return _make([(x in others) != invert for x in _flat(a)], a._shape, _BOOL)


def in1d(a, b):
    return isin(_array_of(a).ravel(), b)


def union1d(a, b):
    return unique(concatenate((_array_of(a).ravel(), _array_of(b).ravel())))


def intersect1d(a, b):
    a = unique(a)
    return a[isin(a, b)]


def setdiff1d(a, b):
    a = unique(a)
    return a[isin(a, b, True)]


def array_equal(a, b):
    a = _array_of(a)
    b = _array_of(b)
    if a._shape != b._shape:
        return False
    return True if all(equal(a, b)) else False


def isclose(a, b, rtol=1e-05, atol=1e-08):
    return less_equal(absolute(subtract(a, b)), atol + rtol * absolute(b))


def allclose(a, b, rtol=1e-05, atol=1e-08):
    return True if all(isclose(a, b, rtol, atol)) else False


def bincount(x, weights=None, minlength=0):
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


def round(a, decimals=0, out=None):
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


around = round
