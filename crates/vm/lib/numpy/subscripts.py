# The part of numpy that is written in Python: subscripts.

import builtins


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
    # The items that a key selects: a view, or lists of positions if the indices include arrays.
    if not isinstance(key, tuple):
        key = (key,)
    count = 0
    for x in key:
        if x is None or x is Ellipsis:
            continue
        if isinstance(x, ndarray) and x._dtype.kind == "b":
            count += x.ndim
        elif isinstance(x, (builtins.bool, bool_)):
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
                for k, found in enumerate(nonzero(x)):
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
                value = array(value)
            if isinstance(value, ndarray) and value._shape != ():
                if value.size != 1:
                    if a._dtype.kind in "iu":
                        raise TypeError("int() argument must be a string, a bytes-like object or a real number, not 'list'")
                    raise ValueError("setting an array element with a sequence.")
                value = _flat(value)[0]
            a._data[offset] = _assigned(_plain_item(value), a._dtype)
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
