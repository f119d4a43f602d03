# The part of numpy that is written in Python: shapes.

import builtins


def shape(a):
    return _array_of(a)._shape


def ndim(a):
    return _array_of(a).ndim


def size(a, axis=None):
    a = _array_of(a)
    return a.size if axis is None else a._shape[axis]


def reshape(a, shape, order="C"):
    return _array_of(a).reshape(shape, order=order)


def ravel(a, order="C"):
    return _array_of(a).ravel(order)


def transpose(a, axes=None):
    if isinstance(a, _generic):
        return a
    a = _array_of(a)
    if axes is None:
        return a.T
    order = [_axis_of(x, a.ndim) for x in axes]
    if _len(order) != a.ndim:
        raise ValueError("axes don't match array")
    return _view(a, (*[a._shape[i] for i in order],), (*[a._strides[i] for i in order],), a._offset)


def swapaxes(a, axis1, axis2):
    a = _array_of(a)
    order = [*_range(a.ndim)]
    i = _axis_of(axis1, a.ndim)
    j = _axis_of(axis2, a.ndim)
    order[i], order[j] = j, i
    return transpose(a, order)


def moveaxis(a, source, destination):
    source = _axis_of(source, a.ndim)
    destination = _axis_of(destination, a.ndim)
    if source == destination:
        return a
    order = [i for i in _range(a.ndim) if i != source]
    return transpose(a, [*order[:destination], source, *order[destination:]])


def squeeze(a, axis=None):
    if isinstance(a, _generic):
        return a
    a = _array_of(a)
    kept = [i for i in _range(a.ndim) if not (a._shape[i] == 1 and (axis is None or i == _axis_of(axis, a.ndim)))]
    return _view(a, (*[a._shape[i] for i in kept],), (*[a._strides[i] for i in kept],), a._offset)


def expand_dims(a, axis):
    a = _array_of(a)
    axis = _axis_of(axis, a.ndim + 1)
    return _reshape(a, (*a._shape[:axis], 1, *a._shape[axis:]))


def atleast_1d(a):
    a = _array_of(a)
    return _reshape(a, (1,)) if a.ndim == 0 else a


def atleast_2d(a):
    a = _array_of(a)
    return _reshape(a, (1, a.size)) if a.ndim < 2 else a


def broadcast_to(a, shape):
    return _stretch(_array_of(a), _shape_from(shape))


def concatenate(arrays, axis=0, out=None, dtype=None):
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
        return _make(items, (builtins.sum(rows), *first._shape[1:]), dt)
    outer = _count_of(first._shape[:axis])
    sizes = [_count_of(x._shape[axis:]) for x in parts]
    flats = [_flat(x) for x in parts]
    items = []
    for i in _range(outer):
        for row, n in _zipped(flats, sizes):
            for x in row[i * n : i * n + n]:
                _push(items, x)
    return _make(items, (*first._shape[:axis], builtins.sum([x._shape[axis] for x in parts]), *first._shape[axis + 1 :]), dt)


def append(arr, values, axis=None):
    if axis is None:
        return concatenate((_array_of(arr).ravel(), _array_of(values).ravel()))
    return concatenate((arr, values), axis)


def hstack(tup):
    parts = [atleast_1d(x) for x in tup]
    return concatenate(parts, 0 if _len(parts) != 0 and parts[0].ndim == 1 else 1)


def vstack(tup):
    return concatenate([atleast_2d(x) for x in tup], 0)


row_stack = vstack


def stack(arrays, axis=0):
    parts = [_array_of(x) for x in arrays]
    if _len(parts) == 0:
        raise ValueError("need at least one array to stack")
    for x in parts:
        if x._shape != parts[0]._shape:
            raise ValueError("all input arrays must have the same shape")
    return concatenate([expand_dims(x, axis) for x in parts], axis)


def column_stack(tup):
    parts = [_array_of(x) for x in tup]
    return concatenate([_reshape(x, (x.size, 1)) if x.ndim < 2 else x for x in parts], 1)


def dstack(tup):
    parts = [_array_of(x) for x in tup]
    return concatenate([_reshape(x, (1, x.size, 1)) if x.ndim == 1 else _reshape(x, (*x._shape, 1)) for x in parts], 2)


def split(ary, sections, axis=0):
    a = _array_of(ary)
    n = a._shape[0]
    if isinstance(sections, (list, tuple, ndarray)):
        cuts = [_plain_item(x) for x in sections]
    else:
        if n % sections != 0:
            raise ValueError("array split does not result in an equal division")
        cuts = [i * (n // sections) for i in _range(1, sections)]
    if axis != 0:
        _throw("np.split along another axis")
    cuts = [0, *cuts, n]
    return [a[cuts[i] : cuts[i + 1]] for i in _range(_len(cuts) - 1)]


def array_split(ary, sections, axis=0):
    a = _array_of(ary)
    if isinstance(sections, (list, tuple, ndarray)) or axis != 0:
        return split(a, sections, axis)
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


def tile(A, reps):
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
            a = concatenate([a for i in _range(times)], axis)
    return a.copy()


def repeat(a, repeats, axis=None):
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
    return take(a, at, axis)


def take(a, indices, axis=None):
    a = _array_of(a)
    if axis is None:
        return a.ravel()[_array_of(indices) if not isinstance(indices, int) else indices]
    axis = _axis_of(axis, a.ndim)
    return a[(*[_ALL for i in _range(axis)], indices)]


def flip(m, axis=None):
    a = _array_of(m)
    axes = [*_range(a.ndim)] if axis is None else [_axis_of(x, a.ndim) for x in axis] if isinstance(axis, tuple) else [_axis_of(axis, a.ndim)]
    return a[(*[_BACKWARDS if i in axes else _ALL for i in _range(a.ndim)],)]


_BACKWARDS = _SLICE[::-1]


def fliplr(m):
    if _array_of(m).ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return _array_of(m)[:, ::-1]


def flipud(m):
    return _array_of(m)[::-1]


def rot90(m, k=1):
    a = _array_of(m)
    k = k % 4
    if k == 0:
        return a
    if k == 1:
        return a.T[::-1]
    if k == 2:
        return a[::-1, ::-1]
    return a[::-1].T


def roll(a, shift, axis=None):
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
    return take(a, [(i - shift) % n for i in _range(n)], axis)


def delete(arr, obj, axis=None):
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
    return take(a, _make([i for i in _range(n) if i not in dropped], (n - _len(_items(dropped)),), _INT64), axis)


def insert(arr, obj, values, axis=None):
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
    return concatenate((a[:i], new, a[i:]))


def pad(array, pad_width, mode="constant", constant_values=0):
    a = _array_of(array)
    if mode != "constant":
        _throw("np.pad with another mode")
    if isinstance(pad_width, int):
        pads = [(pad_width, pad_width) for n in a._shape]
    elif isinstance(pad_width[0], (int, _generic)):
        pads = [(pad_width[0], pad_width[1]) for n in a._shape]
    else:
        pads = [(p[0], p[1]) for p in pad_width]
    new = full((*[n + p[0] + p[1] for n, p in zip(a._shape, pads)],), constant_values, a._dtype)
    new[(*[_SLICE[p[0]:p[0] + n:] for n, p in zip(a._shape, pads)],)] = a
    return new
