# Functions that are made of operators alone, executed by the machine. Without folding the operators and comparisons of the
# program's values are asked: those of the lines that end in `# asked`. Places in a heap or a list are the machine's own.
# Their arguments are of types that CPython takes: others were refused before (calls/refusals.rs).


def fold__abs(x, /):
    if not _scalars((x,)) or isinstance(x, complex):
        return _ask("abs", (x,), {})
    if x > 0:  # asked
        return +x
    if x == 0:
        return x - x
    return -x  # asked


def fold__divmod(a, b, /):
    for method, other in ((_find(a, "__divmod__"), b), (_find(b, "__rdivmod__"), a)):
        if method is not _END:
            value = method(other)
            if value is not NotImplemented:
                return value
    if isinstance(a, float) or isinstance(b, float):
        if b == 0:
            raise ZeroDivisionError("float divmod()")
    return (a // b, a % b)  # asked


def fold__sum(iterable, /, start=0):
    if isinstance(start, str):
        raise TypeError("sum() can't sum strings [use ''.join(seq) instead]")
    if isinstance(start, bytes):
        raise TypeError("sum() can't sum bytes [use b''.join(seq) instead]")
    if isinstance(start, bytearray):
        raise TypeError("sum() can't sum bytearray [use b''.join(seq) instead]")
    if _kind(iterable) == "iterator" or _find(iterable, "__iter__") is not _END or _find(iterable, "__getitem__") is not _END:
        iterable, start = _until_own(iterable, start)
        if iterable is _END:
            return start
    items = _items(iterable)
    if items is _END:
        items = _all(iterable)
    if isinstance(start, list) and not _own(start):
        for x in items:
            if not isinstance(x, list) or _own(x):
                break
        else:
            return _ask("sum", (items, start), {})
    for x in items:
        start = start + x  # asked
    return start


def _indices(name, values, kwargs):
    for x in values:
        if not isinstance(x, int):
            if _own(x):
                index = _find(x, "__index__")
                if index is _END:
                    raise TypeError("'" + _type_name(x) + "' object cannot be interpreted as an integer")
                continue
            raise TypeError("'" + _type_name(x) + "' object cannot be interpreted as an integer")
    return [x if isinstance(x, int) else _find(x, "__index__")() for x in values]


def _gcd(a, b):
    while b != 0:  # asked
        a, b = b, a % b  # asked
    if a < 0:  # asked
        return -a
    return +a


def fold__math__gcd(*values):
    result = 0
    for x in _indices("gcd", values, {}):
        result = _gcd(result, x)
    return result


def fold__math__lcm(*values):
    result = 1
    for x in _indices("lcm", values, {}):
        if x == 0:
            result = 0
        elif result != 0:
            result = result // _gcd(result, x) * x  # asked
            if result < 0:
                result = -result
    return result


def fold__math__prod(iterable, /, *, start=1):
    items = _items(iterable)
    if items is _END:
        items = _all(iterable)
    if not _scalars(items) or not _scalars((start,)):
        return _ask("math.prod", (items,), {"start": start})
    for x in items:
        start = start * x  # asked
    return start


def fold__math__isqrt(n, /):
    n = _indices("isqrt", (n,), {})[0]
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    if n < 2:
        return +n
    x = n
    power = 1
    while power * power <= n:
        power = power * 2
    x = power
    while True:
        y = (x + n // x) // 2
        if y >= x:
            return x
        x = y


def fold__math__comb(n, k, /):
    n, k = _indices("comb", (n, k), {})
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    if k > n:
        return 0
    if k > n - k:
        k = n - k
    if k > 2000:
        return _ask("math.comb", (n, k), {})
    result = 1
    i = 1
    while i <= k:
        result = result * (n - k + i) // i  # asked
        i += 1
    return result


def fold__math__perm(n, k=None, /):
    if k is None:
        return fold__math__factorial(n)
    n, k = _indices("perm", (n, k), {})
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    if k > n:
        return 0
    if k > 2000:
        return _ask("math.perm", (n, k), {})
    result = 1
    while k > 0:
        result = result * n  # asked
        n -= 1
        k -= 1
    return result


def fold__math__factorial(n, /):
    n = _indices("factorial", (n,), {})[0]
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    if n > 2000:
        return _ask("math.factorial", (n,), {})
    result = 1
    while n > 1:
        result = result * n  # asked
        n -= 1
    return result


# -- heapq


def fold__heapq__heappush(heap, item, /):
    _push(heap, item)
    _siftdown(heap, 0, _len(heap) - 1)


def fold__heapq__heappop(heap, /):
    if _len(heap) == 0:
        raise IndexError("index out of range")
    last = _pop(heap)
    if _len(heap) != 0:
        first = heap[0]
        heap[0] = last
        _siftup(heap, 0)
        return first
    return last


def fold__heapq__heapreplace(heap, item, /):
    if _len(heap) == 0:
        raise IndexError("index out of range")
    first = heap[0]
    heap[0] = item
    _siftup(heap, 0)
    return first


def fold__heapq__heappushpop(heap, item, /):
    if _len(heap) != 0:
        first = heap[0]
        if first < item:  # asked
            heap[0] = item
            _siftup(heap, 0)
            return first
    return item


def fold__heapq__heapify(heap, /):
    i = _len(heap) // 2 - 1
    while i >= 0:
        _siftup(heap, i)
        i -= 1


def _siftdown(heap, start, at):
    # Neighbours change places, so that a comparison that raises leaves what CPython leaves.
    new = heap[at]
    while at > start:
        parent = (at - 1) >> 1
        above = heap[parent]
        if new < above:  # asked
            heap[parent] = new
            heap[at] = above
            at = parent
            continue
        break


def _siftup(heap, at):
    end = _len(heap)
    start = at
    new = heap[at]
    child = 2 * at + 1
    while child < end:
        right = child + 1
        if right < end:
            left_item = heap[child]
            right_item = heap[right]
            if not left_item < right_item:  # asked
                child = right
        heap[at] = heap[child]
        heap[child] = new
        at = child
        child = 2 * at + 1
    _siftdown(heap, start, at)


def _heapify_max(heap):
    i = _len(heap) // 2 - 1
    while i >= 0:
        _siftup_max(heap, i)
        i -= 1


def _siftdown_max(heap, start, at):
    # Neighbours change places, so that a comparison that raises leaves what CPython leaves.
    new = heap[at]
    while at > start:
        parent = (at - 1) >> 1
        above = heap[parent]
        if above < new:  # asked
            heap[parent] = new
            heap[at] = above
            at = parent
            continue
        break


def _siftup_max(heap, at):
    end = _len(heap)
    start = at
    new = heap[at]
    child = 2 * at + 1
    while child < end:
        right = child + 1
        if right < end:
            left_item = heap[child]
            right_item = heap[right]
            if not right_item < left_item:  # asked
                child = right
        heap[at] = heap[child]
        heap[child] = new
        at = child
        child = 2 * at + 1
    _siftdown_max(heap, start, at)


def fold__heapq__nsmallest(n, iterable, key=None):
    items = _all(iterable)
    if n == 1:
        if _len(items) == 0:
            return []
        return [_extreme("min", (items,), key, None, False)]
    if n >= _len(items):
        return _sorted(items, key, False)[:n]
    if n <= 0:
        return []
    return _best_of(n, items, key, False)


def fold__heapq__nlargest(n, iterable, key=None):
    items = _all(iterable)
    if n == 1:
        if _len(items) == 0:
            return []
        return [_extreme("max", (items,), key, None, False)]
    if n >= _len(items):
        return _sorted(items, key, True)[:n]
    if n <= 0:
        return []
    return _best_of(n, items, key, True)


def _best_of(n, items, key, largest):
    # What `heapq` does: a heap of the best n, with the order of appearance.
    if not isinstance(n, int):
        raise TypeError("'" + _type_name(n) + "' object cannot be interpreted as an integer")
    result = []
    i = 0
    for x in items:
        if i == n or i == -n:
            break
        k = x if key is None else key(x)
        _push(result, (k, i, x))
        i = i - 1 if largest else i + 1
    if _len(result) == 0:
        return result
    if largest:
        fold__heapq__heapify(result)
    else:
        _heapify_max(result)
    top = result[0][0]
    order = -n if largest else n
    for x in items[n:]:
        k = x if key is None else key(x)
        if largest:
            if top < k:  # asked
                result[0] = (k, order, x)
                _siftup(result, 0)
                top = result[0][0]
                order -= 1
        elif k < top:  # asked
            result[0] = (k, order, x)
            _siftup_max(result, 0)
            top = result[0][0]
            order += 1
    if largest:
        return [x for k, i, x in _popped(result)][::-1]
    return [x for k, i, x in _popped(result)]


def _popped(rows):
    heap = [*rows]
    fold__heapq__heapify(heap)
    ordered = []
    while _len(heap) != 0:
        _push(ordered, fold__heapq__heappop(heap))
    return ordered


def fold__heapq__merge(*iterables, key=None, reverse=False):
    return _merge(iterables, key, reverse)


def _merge(iterables, key, reverse):
    # A heap of keys, places and numbers of the iterables, whose items lie in lists of their own.
    heap = []
    its = []
    items = []
    for iterable in iterables:
        it = iter(iterable)
        x = _next(it)
        if x is not _END:
            at = _len(its)
            _push(its, it)
            _push(items, x)
            _push(heap, (x if key is None else key(x), -at if reverse else at))
    if reverse:
        _heapify_max(heap)
    else:
        fold__heapq__heapify(heap)
    while _len(heap) != 0:
        place = heap[0][1]
        at = -place if reverse else place
        yield items[at]
        x = _next(its[at])
        if x is _END:
            last = _pop(heap)
            if _len(heap) == 0:
                return
            heap[0] = last
        else:
            items[at] = x
            heap[0] = (x if key is None else key(x), place)
        if reverse:
            _siftup_max(heap, 0)
        else:
            _siftup(heap, 0)


# -- bisect


def _length_of(a):
    method = _find(a, "__len__")
    if method is not _END:
        return method()
    length = _len(a)
    if length > 0 and isinstance(a, (set, frozenset)):
        raise TypeError("'" + _type_name(a) + "' object does not support indexing")
    return length


def _whole(value, before="'", after="' object cannot be interpreted as an integer"):
    """The number that a value stands for as an index; CPython's message where it stands for none."""
    number = _as_index(value)
    if not isinstance(number, int):
        raise TypeError(before + _type_name(value) + after)
    return number


def fold__bisect__bisect_right(a, x, lo=0, hi=None, *, key=None):
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


def fold__bisect__bisect_left(a, x, lo=0, hi=None, *, key=None):
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


def fold__bisect__bisect(a, x, lo=0, hi=None, *, key=None):
    return fold__bisect__bisect_right(a, x, lo, hi, key=key)


def fold__bisect__insort_right(a, x, lo=0, hi=None, *, key=None):
    at = fold__bisect__bisect_right(a, x if key is None else key(x), lo, hi, key=key)
    if _classof(a) is list:
        _put(a, at, x)
    else:
        a.insert(at, x)


def fold__bisect__insort_left(a, x, lo=0, hi=None, *, key=None):
    at = fold__bisect__bisect_left(a, x if key is None else key(x), lo, hi, key=key)
    if _classof(a) is list:
        _put(a, at, x)
    else:
        a.insert(at, x)


def fold__bisect__insort(a, x, lo=0, hi=None, *, key=None):
    fold__bisect__insort_right(a, x, lo, hi, key=key)


def fold__operator__add(a, b, /):
    return a + b  # asked


def fold__operator__sub(a, b, /):
    return a - b  # asked


def fold__operator__mul(a, b, /):
    return a * b  # asked


def fold__operator__truediv(a, b, /):
    return a / b  # asked


def fold__operator__floordiv(a, b, /):
    return a // b  # asked


def fold__operator__mod(a, b, /):
    return a % b  # asked


def fold__operator__pow(a, b, /):
    return a ** b  # asked


def fold__operator__and_(a, b, /):
    return a & b  # asked


def fold__operator__or_(a, b, /):
    return a | b  # asked


def fold__operator__xor(a, b, /):
    return a ^ b  # asked


def fold__operator__lshift(a, b, /):
    return a << b  # asked


def fold__operator__rshift(a, b, /):
    return a >> b  # asked


def fold__operator__eq(a, b, /):
    return a == b  # asked


def fold__operator__ne(a, b, /):
    return a != b  # asked


def fold__operator__lt(a, b, /):
    return a < b  # asked


def fold__operator__le(a, b, /):
    return a <= b  # asked


def fold__operator__gt(a, b, /):
    return a > b  # asked


def fold__operator__ge(a, b, /):
    return a >= b  # asked


def fold__operator__getitem(a, b, /):
    return a[b]  # asked


def fold__operator__setitem(a, b, c, /):
    a[b] = c  # asked


def fold__operator__delitem(a, b, /):
    del a[b]  # asked


def fold__operator__contains(a, b, /):
    return b in a  # asked


def fold__operator__concat(a, b, /):
    return a + b  # asked


def fold__operator__not_(a, /):
    return not a  # asked


def fold__operator__truth(a, /):
    return True if a else False  # asked


def fold__operator__is_(a, b, /):
    return a is b  # asked


def fold__operator__is_not(a, b, /):
    return a is not b  # asked


def fold__operator__neg(a, /):
    return -a  # asked


def fold__operator__pos(a, /):
    return +a  # asked


def fold__operator__inv(a, /):
    return ~a  # asked


def fold__operator__invert(a, /):
    return ~a  # asked


def fold__operator__iadd(a, b, /):
    a += b  # asked
    return a


def fold__operator__isub(a, b, /):
    a -= b  # asked
    return a


def fold__operator__imul(a, b, /):
    a *= b  # asked
    return a


def fold__operator__itruediv(a, b, /):
    a /= b  # asked
    return a


def fold__operator__ifloordiv(a, b, /):
    a //= b  # asked
    return a


def fold__operator__imod(a, b, /):
    a %= b  # asked
    return a


def fold__operator__ipow(a, b, /):
    a **= b  # asked
    return a


def fold__operator__iand(a, b, /):
    a &= b  # asked
    return a


def fold__operator__ior(a, b, /):
    a |= b  # asked
    return a


def fold__operator__ixor(a, b, /):
    a ^= b  # asked
    return a


def fold__operator__iconcat(a, b, /):
    a += b  # asked
    return a


def fold__operator__countOf(a, b, /):
    count = 0
    for x in a:
        if x is b or x == b:  # asked
            count += 1
    return count


def fold__operator__indexOf(a, b, /):
    for i, x in enumerate(a):
        if x is b or x == b:  # asked
            return i
    raise ValueError("sequence.index(x): x not in sequence")


def fold__operator__call(obj, /, *args, **kwargs):
    return obj(*args, **kwargs)


def fold__operator__index(a, /):
    return a + 0 if isinstance(a, int) else _find(a, "__index__")()  # asked
