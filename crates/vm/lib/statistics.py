# Statistics of ints, floats, fractions and decimals. `_stat_sum` is exact, by a common denominator.
# Level: methods

import math
from collections import namedtuple


_INF = float("inf")
_EXACT = (("fractions", "Fraction"), ("decimal", "Decimal"))


class StatisticsError(ValueError):
    __module__ = "statistics"


def _fail(words):
    raise StatisticsError(words)


def _check(x):
    if isinstance(x, (str, bytes, list, tuple, dict, set)) or x is None:
        raise TypeError("can't convert type '" + _classof(x).__name__ + "' to numerator/denominator")
    _throw("statistics of numbers that are no ints or floats")


def _sums(data):
    """The class of fractional items, the sums of items and squares, the denominator, the count, the sum of NaN and inf."""
    real = None
    count = 0
    odd = None
    sums = {}
    squares = {}
    for x in data:
        kind = _classof(x)
        count += 1
        if kind is float:
            real = float if real is None or real is float else _check(x)
            if x - x != 0.0:
                odd = x if odd is None else odd + x
                continue
            n, d = x.as_integer_ratio()
        elif kind is int:
            n = x
            d = 1
        elif kind is bool:
            n = 1 if x else 0
            d = 1
        elif (kind.__module__, kind.__name__) in _EXACT and real in (None, kind):
            real = kind
            n, d = x.as_integer_ratio()
        else:
            _check(x)
        if d in sums:
            sums[d] += n
            squares[d] += n * n
        else:
            sums[d] = n
            squares[d] = n * n
    most = 1
    for d in sums:
        most = d if d % most == 0 else most if most % d == 0 else math.lcm(d, most)
    total = 0
    square = 0
    for d in sums:
        times = most // d
        total += sums[d] * times
        square += squares[d] * (times * times)
    return real, total, square, most, count, odd


def _convert(n, d, real):
    """A fraction as a number of the data's kind."""
    if real is None and n % d == 0:
        return n // d
    if real is None or real is float:
        return n / d
    return real(n) / d


def mean(data):
    real, total, square, d, n, odd = _sums(data)
    if n < 1:
        _fail("mean requires at least one data point")
    return _convert(total, d * n, real) if odd is None else odd / n


def _fsum(items):
    """The sum as `math.fsum` has it."""
    items = [x if _classof(x) is float else _float(x) for x in items]
    for x in items:
        if x == x and x - x == 0.0 and (x > 1e300 or x < -1e300):
            _throw("sums near the end of floats")
    infinite = 0.0
    special = 0.0
    for x in items:
        if x - x != 0.0:
            special += x
            if x == x:
                infinite += x
    if special != 0.0:
        if infinite != infinite:
            raise ValueError("-inf + inf in fsum")
        return special
    real, total, square, d, n, odd = _sums(items)
    return total / d


def _float(x):
    if isinstance(x, (str, bytes, list, tuple, dict, set)) or x is None:
        raise TypeError("must be real number, not " + _classof(x).__name__)
    return float(x)


def _stat_listed(data):
    """A list of the items, and whether the data had no length."""
    if isinstance(data, (list, tuple)):
        return data
    return [x for x in data]


def fmean(data, weights=None):
    data = _stat_listed(data)
    n = _len(data)
    if weights is None:
        total = _fsum(data)
        if n == 0:
            _fail("fmean requires at least one data point")
        return total / n
    weights = _stat_listed(weights)
    num = _fsum([x * w for x, w in zip(data, weights)])
    if n != _len(weights):
        _fail("data and weights must be the same length")
    den = _fsum(weights)
    if not den:
        _fail("sum of weights must be non-zero")
    return num / den


def geometric_mean(data):
    _throw("statistics.geometric_mean")


LinearRegression = namedtuple("LinearRegression", ("slope", "intercept"))


def linear_regression(x, y, /, *, proportional=False):
    if proportional:
        n = _len(x)
        if _len(y) != n:
            _fail("linear regression requires that both inputs have same number of data points")
        if n < 2:
            _fail("linear regression requires at least two data points")
        dx, dy = x, y
    else:
        n, dx, dy = _pairs(x, y, "linear regression")
    sxy = _fsum([a * b for a, b in zip(dx, dy)])
    sxx = _fsum([a * a for a in dx])
    if sxx == 0:
        _fail("x is constant")
    slope = sxy / sxx
    intercept = 0.0 if proportional else _fsum(y) / n - slope * (_fsum(x) / n)
    return LinearRegression(slope, intercept)


def harmonic_mean(data, weights=None):
    words = "harmonic mean does not support negative values"
    data = _stat_listed(data)
    n = _len(data)
    if n < 1:
        _fail("harmonic_mean requires at least one data point")
    if n == 1 and weights is None:
        x = data[0]
        if isinstance(x, (int, float)):
            if x < 0:
                _fail(words)
            return x
        if not (x is None or isinstance(x, (str, bytes, list, tuple, dict, set))):
            _throw("statistics of numbers that are no ints or floats")
        raise TypeError("unsupported type")
    above = n
    below = 1
    odd_sum = None
    if weights is None:
        weights = [1] * n
    else:
        weights = _stat_listed(weights)
        if _len(weights) != n:
            _fail("Number of weights does not match data size")
        for w in weights:
            if w < 0:
                _fail(words)
        real, above, square, below, count, odd_sum = _sums(weights)
    items = []
    for w, x in zip(weights, data):
        if x < 0:
            _fail(words)
        if not w:
            items.append(0)
        elif x == 0:
            return 0
        else:
            items.append(w / x)
    real, total, square, d, count, odd = _sums(items)
    if odd is None and total <= 0 or odd is not None and odd <= 0:
        _fail("Weighted sum must be positive")
    if odd_sum is not None:
        _throw("weights that are no finite numbers")
    if odd is not None:
        return above / below / odd
    return _convert(above * d, below * total, real)


# -- medians and modes


def _stat_sorted(data):
    data = sorted(data)
    if _len(data) == 0:
        _fail("no median for empty data")
    return data


def median(data):
    data = _stat_sorted(data)
    n = _len(data)
    i = n // 2
    if n % 2 == 1:
        return data[i]
    return (data[i - 1] + data[i]) / 2


def median_low(data):
    data = _stat_sorted(data)
    return data[(_len(data) - 1) // 2]


def median_high(data):
    data = _stat_sorted(data)
    return data[_len(data) // 2]


def median_grouped(data, interval=1.0):
    data = _stat_sorted(data)
    n = _len(data)
    x = data[n // 2]
    below = 0
    for y in data:
        if y != y:
            _throw("a grouped median of texts or NaN")
    while below < n and data[below] < x:
        below += 1
    equal = 0
    while below + equal < n and not x < data[below + equal]:
        equal += 1
    if x != x or isinstance(interval, str) or isinstance(x, str):
        _throw("a grouped median of texts or NaN")
    interval = float(interval)
    low = float(x) - interval / 2.0
    return low + interval * (n / 2 - below) / equal


def _counts(data):
    counts = {}
    for x in data:
        counts[x] = counts.get(x, 0) + 1
    return counts


def mode(data):
    best = 0
    found = None
    for x, count in _counts(data).items():
        if count > best:
            best = count
            found = x
    if best == 0:
        _fail("no mode for empty data")
    return found


def multimode(data):
    counts = _counts(data)
    most = 0
    for x in counts:
        if counts[x] > most:
            most = counts[x]
    return [x for x, count in counts.items() if count == most]


def quantiles(data, *, n=4, method="exclusive"):
    if n < 1:
        _fail("n must be at least 1")
    data = sorted(data)
    size = _len(data)
    if size < 2:
        _fail("must have at least two data points")
    result = []
    if method == "inclusive":
        m = size - 1
        i = 1
        while i < n:
            j, delta = divmod(i * m, n)
            result.append((data[j] * (n - delta) + data[j + 1] * delta) / n)
            i += 1
        return result
    if method == "exclusive":
        m = size + 1
        i = 1
        while i < n:
            j = i * m // n
            j = 1 if j < 1 else size - 1 if j > size - 1 else j
            delta = i * m - j * n
            result.append((data[j - 1] * (n - delta) + data[j] * delta) / n)
            i += 1
        return result
    raise ValueError("Unknown method: " + _repr(method))


# -- variances


def _isqrt(n):
    """The whole square root of a number below 2 ** 1000."""
    if n == 0:
        return 0
    a = int(float(n) ** 0.5)
    if a == 0:
        a = 1
    a = (a + n // a) // 2
    a = (a + n // a) // 2
    while a * a > n:
        a -= 1
    while (a + 1) * (a + 1) <= n:
        a += 1
    return a


def _odd_root(n, m):
    a = _isqrt(n // m)
    return a if a * a * m == n else a | 1


def _root(n, m):
    """The square root of a fraction, correctly rounded."""
    q = (n.bit_length() - m.bit_length() - 109) // 2
    if q >= 0:
        return (_odd_root(n, m << 2 * q) << q) / 1
    return _odd_root(n << -2 * q, m) / (1 << -q)


def _spread(data, center, least, name):
    """The sum of squared distances as a fraction with the number of items, for a variance."""
    if center is None:
        real, total, square, d, count, odd = _sums(data)
        n = count * square - total * total
        d = d * d * count
    else:
        if not isinstance(center, (int, float)):
            _throw("statistics of numbers that are no ints or floats")
        real, n, square, d, count, odd = _sums([(x - center) * (x - center) for x in data])
    if count < least:
        _fail(name + " requires at least " + ("two data points" if least == 2 else "one data point"))
    times = count - least + 1
    return real, n, d * times, times, odd


def _variance(data, center, least, name):
    real, n, d, times, odd = _spread(data, center, least, name)
    return _convert(n, d, real) if odd is None else odd / times


def _deviation(data, center, least, name):
    real, n, d, times, odd = _spread(data, center, least, name)
    if odd is not None:
        raise AttributeError("'float' object has no attribute 'numerator'")
    if real is not None and real.__name__ == "Decimal":
        _throw("a root of decimal numbers")
    return _root(n, d)


def variance(data, xbar=None):
    return _variance(data, xbar, 2, "variance")


def pvariance(data, mu=None):
    return _variance(data, mu, 1, "pvariance")


def stdev(data, xbar=None):
    return _deviation(data, xbar, 2, "stdev")


def pstdev(data, mu=None):
    return _deviation(data, mu, 1, "pstdev")


# -- two series


def _pairs(x, y, name):
    n = _len(x)
    if _len(y) != n:
        _fail(name + " requires that both inputs have same number of data points")
    if n < 2:
        _fail(name + " requires at least two data points")
    xbar = _fsum(x) / n
    ybar = _fsum(y) / n
    return n, [a - xbar for a in x], [b - ybar for b in y]


def covariance(x, y, /):
    n, dx, dy = _pairs(x, y, "covariance")
    return _fsum([a * b for a, b in zip(dx, dy)]) / (n - 1)


def correlation(x, y, /):
    n, dx, dy = _pairs(x, y, "correlation")
    sxy = _fsum([a * b for a, b in zip(dx, dy)])
    squared = _fsum([a * a for a in dx]) * _fsum([b * b for b in dy])
    if squared == 0.0:
        _fail("at least one of the inputs is constant")
    if squared - squared != 0.0:
        _throw("a correlation that is not finite")
    above, below = squared.as_integer_ratio()
    return sxy / _root(above, below)
