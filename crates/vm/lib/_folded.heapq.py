# The part of `_folded.heapq` that is written in Python.

# -- heapq


def heappush(heap, item, /):
    _push(heap, item)
    _siftdown(heap, 0, _len(heap) - 1)


def heappop(heap, /):
    if _len(heap) == 0:
        raise IndexError("index out of range")
    last = _pop(heap)
    if _len(heap) != 0:
        first = heap[0]
        heap[0] = last
        _siftup(heap, 0)
        return first
    return last


def heapreplace(heap, item, /):
    if _len(heap) == 0:
        raise IndexError("index out of range")
    first = heap[0]
    heap[0] = item
    _siftup(heap, 0)
    return first


def heappushpop(heap, item, /):
    if _len(heap) != 0:
        first = heap[0]
        if first < item:  # asked
            heap[0] = item
            _siftup(heap, 0)
            return first
    return item


def heapify(heap, /):
    i = _len(heap) // 2 - 1
    while i >= 0:
        _siftup(heap, i)
        i -= 1


def _siftdown(heap, start, at):
    # Swaps neighbours, so that a comparison that raises leaves the heap as CPython does.
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
    # Swaps neighbours, so that a comparison that raises leaves the heap as CPython does.
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


def nsmallest(n, iterable, key=None):
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


def nlargest(n, iterable, key=None):
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
    # As in `heapq`: a heap of the best n, with the order of appearance.
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
        heapify(result)
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
    heapify(heap)
    ordered = []
    while _len(heap) != 0:
        _push(ordered, heappop(heap))
    return ordered


def merge(*iterables, key=None, reverse=False):
    return _merge(iterables, key, reverse)


def _merge(iterables, key, reverse):
    # A heap of keys, indices and numbers of the iterables, whose items are in their own lists.
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
        heapify(heap)
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
