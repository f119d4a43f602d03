# The part of `_folded.math` that is written in Python.


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


def gcd(*values):
    result = 0
    for x in _indices("gcd", values, {}):
        result = _gcd(result, x)
    return result


def lcm(*values):
    result = 1
    for x in _indices("lcm", values, {}):
        if x == 0:
            result = 0
        elif result != 0:
            result = result // _gcd(result, x) * x  # asked
            if result < 0:
                result = -result
    return result


def prod(iterable, /, *, start=1):
    items = _items(iterable)
    if items is _END:
        items = _all(iterable)
    if not _scalars(items) or not _scalars((start,)):
        return _ask("math.prod", (items,), {"start": start})
    for x in items:
        start = start * x  # asked
    return start


def isqrt(n, /):
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


def comb(n, k, /):
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


def perm(n, k=None, /):
    if k is None:
        return factorial(n)
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


def factorial(n, /):
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
