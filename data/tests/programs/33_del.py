a = 1
b = [1, 2]
del a
del b[0]


def f():
    t = 1
    u = 2
    del t
    return u


f()
