# The part of numpy that is written in Python: order.


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
    return moveaxis(_make(items, (*left, a._shape[axis]), dt), -1, axis)


def sort(a, axis=-1, kind=None, order=None):
    a = _array_of(a)
    if a._dtype.kind == "O":
        _throw("sorting an array of objects")
    return _along(a, axis, _ordered, a._dtype)


def argsort(a, axis=-1, kind=None, order=None):
    # Equal items keep their order, as in arrays of at most 16 items without vector instructions.
    a = _array_of(a)
    if a.ndim == 0:
        a = atleast_1d(a)
    if kind is None and a.size > 16 and unique(a).size != a.size:
        _throw("np.argsort of many equal items")
    return _along(a, axis, _order, _INT64)


def lexsort(keys, axis=-1):
    keys = [_flat(_array_of(k)) for k in keys]
    rows = [(*row,) for row in zip(*keys[::-1])]
    items = _order(rows)
    return _make(items, (_len(items),), _INT64)


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None):
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


def searchsorted(a, v, side="left", sorter=None):
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


def digitize(x, bins, right=False):
    return searchsorted(bins, x, "left" if right else "right")


def partition(a, kth, axis=-1):
    return sort(a, axis)
