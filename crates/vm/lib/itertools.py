# The part of `itertools` that is written in Python.


def count(start=0, step=1):
    return _count(start, step)


def _count(i, step):
    # The text shows the next number.
    while True:
        now = i
        i += step
        yield now


def cycle(iterable):
    return _cycle(iter(iterable))


def _cycle(it):
    saved = []
    for x in _steps(it):
        yield x
        _push(saved, x)
    if _len(saved) == 0:
        return
    while True:
        for x in saved:
            yield x


def repeat(object, times=None):
    return _repeat(object, times)


def _repeat(value, times):
    if times is None:
        while True:
            yield value
    while times > 0:
        times -= 1
        yield value


def chain(*iterables):
    return _chain(iter(iterables))


def islice(iterable, *args):
    if _len(args) == 1:
        start, stop, step = None, args[0], None
    else:
        start, stop, step = (*args, None)[:3]
    start, stop, step = [_slice_place(x) for x in (start, stop, step)]
    if stop is not None and (not isinstance(stop, int) or stop == -1):
        raise ValueError("Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if start is not None and (not isinstance(start, int) or start < 0) or stop is not None and stop < 0:
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if step is not None and (not isinstance(step, int) or step < 1):
        raise ValueError("Step for islice() must be a positive integer or None.")
    return _islice(iter(iterable), start or 0, stop, 1 if step is None else step)


def _slice_place(value):
    return value if value is None else _as_index(value)


def _islice(it, start, stop, step):
    i = 0
    while stop is None or i < stop:
        x = _next(it)
        if x is _END:
            return
        if i >= start and (i - start) % step == 0:
            yield x
        i += 1


def takewhile(function, iterable):
    return _takewhile(function, iter(iterable))


def _takewhile(function, it):
    for x in _steps(it):
        if not function(x):
            return
        yield x


def dropwhile(function, iterable):
    return _dropwhile(function, iter(iterable))


def _dropwhile(function, it):
    dropping = True
    for x in _steps(it):
        if dropping and function(x):
            continue
        dropping = False
        yield x


def filterfalse(function, iterable):
    return _filterfalse(function, iter(iterable))


def _filterfalse(function, it):
    for x in _steps(it):
        if function is None:
            if not x:
                yield x
        elif not function(x):
            yield x


def starmap(function, iterable):
    return _starmap(function, iter(iterable))


def _starmap(function, it):
    for x in _steps(it):
        yield function(*_list(x))


def pairwise(iterable):
    return _pairwise(iter(iterable))


def _pairwise(it):
    a = _next(it)
    if a is _END:
        return
    for b in _steps(it):
        yield (a, b)
        a = b


def zip_longest(*iterables, fillvalue=None):
    return _zip_longest([iter(x) for x in iterables], fillvalue)


def _zip_longest(its, fillvalue):
    left = _len(its)
    if left == 0:
        return
    ended = [False for it in its]
    while True:
        row = []
        for i, it in enumerate(its):
            x = _END
            if not ended[i]:
                x = _next(it)
                if x is _END:
                    ended[i] = True
                    left -= 1
                    if left == 0:
                        return
            _push(row, fillvalue if x is _END else x)
        yield (*row,)


def accumulate(iterable, func=None, *, initial=_END):
    return _accumulate(iter(iterable), func, initial)


def _accumulate(it, function, total):
    if total is _END or total is None:
        total = _next(it)
        if total is _END:
            return
    yield total
    for x in _steps(it):
        if function is None:
            total = total + x
        else:
            total = function(total, x)
        yield total


def tee(iterable, n=2):
    it = iter(iterable)
    seen = []
    return (*[__tee(it, seen) for i in range(n)],)


def __tee(it, seen):
    i = 0
    while True:
        if i == _len(seen):
            x = _next(it)
            if x is _END:
                return
            _push(seen, x)
        yield seen[i]
        i += 1


def groupby(iterable, key=None):
    return _groupby(iter(iterable), key)


def _groupby(it, key):
    x = _next(it)
    if x is _END:
        return
    # The next value, its key, and the number of the group.
    state = [x, x if key is None else key(x), 0]
    while True:
        target = state[1]
        yield (target, __grouper(it, key, state, target, state[2]))
        state[2] += 1
        while state[1] == target:
            x = _next(it)
            if x is _END:
                return
            state[0] = x
            state[1] = x if key is None else key(x)


def __grouper(it, key, state, target, turn):
    while state[2] == turn and state[1] == target:
        yield state[0]
        x = _next(it)
        if x is _END:
            return
        state[0] = x
        state[1] = x if key is None else key(x)


def product(*iterables, repeat=1):
    if repeat < 0:
        raise ValueError("repeat argument cannot be negative")
    pools = [_list(x) for x in iterables]
    return _product(pools * repeat)


def _product(pools):
    for pool in pools:
        if _len(pool) == 0:
            return
    at = [0 for pool in pools]
    while True:
        yield (*[pool[at[i]] for i, pool in enumerate(pools)],)
        i = _len(pools) - 1
        while i >= 0:
            at[i] += 1
            if at[i] < _len(pools[i]):
                break
            at[i] = 0
            i -= 1
        else:
            return


def permutations(iterable, r=None):
    pool = _list(iterable)
    if r is None:
        r = _len(pool)
    if r < 0:
        raise ValueError("r must be non-negative")
    return _permutations(pool, r)


def _permutations(pool, r):
    n = _len(pool)
    if r > n:
        return
    indices = [i for i, x in enumerate(pool)]
    cycles = [n - i for i in indices[:r]]
    yield (*[pool[i] for i in indices[:r]],)
    while n:
        i = r - 1
        while i >= 0:
            cycles[i] -= 1
            if cycles[i] == 0:
                indices = indices[:i] + indices[i + 1 :] + indices[i : i + 1]
                cycles[i] = n - i
            else:
                j = n - cycles[i]
                first = indices[i]
                indices[i] = indices[j]
                indices[j] = first
                yield (*[pool[k] for k in indices[:r]],)
                break
            i -= 1
        else:
            return


def combinations(iterable, r):
    if r < 0:
        raise ValueError("r must be non-negative")
    return _combinations(_list(iterable), r, 1)


def combinations_with_replacement(iterable, r):
    if r < 0:
        raise ValueError("r must be non-negative")
    return _combinations(_list(iterable), r, 0)


def _combinations(pool, r, step):
    # `step` is 1 if an item is taken once, and 0 if it may be taken again.
    n = _len(pool)
    if (step and r > n) or (r and not n):
        return
    indices = [0]
    indices = indices * r
    i = 0
    while i < r:
        indices[i] = i * step
        i += 1
    while True:
        yield (*[pool[i] for i in indices],)
        i = r - 1
        while i >= 0 and indices[i] == n - 1 - (r - 1 - i) * step:
            i -= 1
        if i < 0:
            return
        next_index = indices[i] + 1
        while i < r:
            indices[i] = next_index
            next_index += step
            i += 1


def compress(data, selectors):
    return _compress(iter(data), iter(selectors))


def _compress(data, selectors):
    for x in data:
        s = _next(selectors)
        if s is _END:
            return
        if s:
            yield x
