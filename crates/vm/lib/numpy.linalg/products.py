# The part of `numpy.linalg` that is written in Python.

import numpy


def matrix_power(a, n):
    a = numpy._array_of(a)
    if a.ndim != 2 or a._shape[0] != a._shape[1]:
        raise numpy.LinAlgError("Last 2 dimensions of the array must be square")
    if not isinstance(n, (int, numpy._integer)):
        raise TypeError("exponent must be an integer")
    n = _base(n)
    if n < 0:
        a = inv(a)
        n = -n
    if n == 0:
        return numpy.eye(a._shape[0], dtype=a._dtype)
    result = None
    while n > 0:
        if n % 2 == 1:
            result = a if result is None else numpy.matmul(result, a)
        n = n // 2
        if n > 0:
            a = numpy.matmul(a, a)
    return result


def norm(x, ord=None, axis=None):
    if axis is not None or ord not in (None, 2, 1):
        _throw("np.linalg.norm of that kind")
    a = numpy._array_of(x).astype(float)
    if a.ndim == 2 and ord is not None:
        _throw("np.linalg.norm of that kind")
    if ord == 1:
        return numpy.sum(numpy.absolute(a))
    items = numpy._flat(a)
    return numpy._wrapped(_ask("math.sqrt", (numpy._dots(items, items, numpy._FLOAT64),), {}), numpy._FLOAT64)


def solve(a, b):
    a = numpy._array_of(a)
    b = numpy._array_of(b)
    rows, order, sign = numpy._factored(a)
    if rows is None:
        raise numpy.LinAlgError("Singular matrix")
    n = a._shape[0]
    columns = [numpy._flat(b)] if b.ndim == 1 else numpy._lanes(b, 0)[0]
    solved = []
    for column in columns:
        x = [column[i] * 1.0 for i in order]
        for i in _range(n):
            for j in _range(i):
                x[i] -= rows[i][j] * x[j]
        for i in _range(n - 1, -1, -1):
            for j in _range(n - 1, i, -1):
                x[i] -= rows[i][j] * x[j]
            x[i] /= rows[i][i]
        _push(solved, x)
    if b.ndim == 1:
        return numpy._make(solved[0], (n,), numpy._FLOAT64)
    return numpy._make([x for row in solved for x in row], (_len(solved), n), numpy._FLOAT64).T.copy()


def inv(a):
    a = numpy._array_of(a)
    return solve(a, numpy.eye(a._shape[0]))


def det(a):
    rows, order, sign = numpy._factored(numpy._array_of(a))
    if rows is None:
        return numpy._wrapped(0.0, numpy._FLOAT64)
    total = 0.0
    for i in _range(_len(rows)):
        x = rows[i][i]
        if x < 0:
            sign = -sign
            x = -x
        total += _ask("math.log", (x,), {})
    return numpy._wrapped(sign * _ask("math.exp", (total,), {}), numpy._FLOAT64)
