from contextlib import contextmanager

S = ValueError("s")
try:
    raise S
except ValueError:
    pass


def numbers():
    yield 1
    raise S


def delegating():
    try:
        yield from numbers()
    finally:
        y = 2


def managed():
    try:
        yield 1
    finally:
        y = 2


managed = contextmanager(managed)


def body():
    with managed():
        sum(x for x in delegating())


body()
