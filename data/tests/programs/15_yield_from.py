def inner():
    got = yield 1
    return got


def outer():
    result = yield from inner()
    yield result


g = outer()
a = next(g)
b = g.send("x")
