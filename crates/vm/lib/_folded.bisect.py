# The part of `_folded.bisect` that is written in Python.

# -- bisect


def _length_of(a):
    method = _find(a, "__len__")
    if method is not _END:
        return method()
    length = _len(a)
    if length > 0 and isinstance(a, (set, frozenset)):
        raise TypeError("'" + _type_name(a) + "' object does not support indexing")
    return length


def bisect_right(a, x, lo=0, hi=None, *, key=None):
    lo = _whole(lo)
    if hi is not None:
        hi = _whole(hi, "argument should be integer or None, not '", "'")
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = _length_of(a)
    while lo < hi:
        middle = (lo + hi) // 2
        item = a[middle]
        if key is not None:
            item = key(item)
        if x < item:  # asked
            hi = middle
        else:
            lo = middle + 1
    return lo


def bisect_left(a, x, lo=0, hi=None, *, key=None):
    lo = _whole(lo)
    if hi is not None:
        hi = _whole(hi, "argument should be integer or None, not '", "'")
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = _length_of(a)
    while lo < hi:
        middle = (lo + hi) // 2
        item = a[middle]
        if key is not None:
            item = key(item)
        if item < x:  # asked
            lo = middle + 1
        else:
            hi = middle
    return lo


def bisect(a, x, lo=0, hi=None, *, key=None):
    return bisect_right(a, x, lo, hi, key=key)


def insort_right(a, x, lo=0, hi=None, *, key=None):
    at = bisect_right(a, x if key is None else key(x), lo, hi, key=key)
    if _classof(a) is list:
        _put(a, at, x)
    else:
        a.insert(at, x)


def insort_left(a, x, lo=0, hi=None, *, key=None):
    at = bisect_left(a, x if key is None else key(x), lo, hi, key=key)
    if _classof(a) is list:
        _put(a, at, x)
    else:
        a.insert(at, x)


def insort(a, x, lo=0, hi=None, *, key=None):
    insort_right(a, x, lo, hi, key=key)
