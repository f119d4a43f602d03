def f(a, *args, k=1, **kw):
    return a, args, k, kw


r = f(1, 2, 3, k=4, z=5)
s = f(*[1], **{"k": 2})


def g(p, /, q, *, r):
    return p + q + r


t = g(1, q=2, r=3)
