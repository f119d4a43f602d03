# The part of `_folded.operator` that is written in Python.


def add(a, b, /):
    return a + b  # asked


def sub(a, b, /):
    return a - b  # asked


def mul(a, b, /):
    return a * b  # asked


def truediv(a, b, /):
    return a / b  # asked


def floordiv(a, b, /):
    return a // b  # asked


def mod(a, b, /):
    return a % b  # asked


def pow(a, b, /):
    return a ** b  # asked


def and_(a, b, /):
    return a & b  # asked


def or_(a, b, /):
    return a | b  # asked


def xor(a, b, /):
    return a ^ b  # asked


def lshift(a, b, /):
    return a << b  # asked


def rshift(a, b, /):
    return a >> b  # asked


def eq(a, b, /):
    return a == b  # asked


def ne(a, b, /):
    return a != b  # asked


def lt(a, b, /):
    return a < b  # asked


def le(a, b, /):
    return a <= b  # asked


def gt(a, b, /):
    return a > b  # asked


def ge(a, b, /):
    return a >= b  # asked


def getitem(a, b, /):
    return a[b]  # asked


def setitem(a, b, c, /):
    a[b] = c  # asked


def delitem(a, b, /):
    del a[b]  # asked


def contains(a, b, /):
    return b in a  # asked


def concat(a, b, /):
    return a + b  # asked


def not_(a, /):
    return not a  # asked


def truth(a, /):
    return True if a else False  # asked


def is_(a, b, /):
    return a is b  # asked


def is_not(a, b, /):
    return a is not b  # asked


def neg(a, /):
    return -a  # asked


def pos(a, /):
    return +a  # asked


def inv(a, /):
    return ~a  # asked


def invert(a, /):
    return ~a  # asked


def iadd(a, b, /):
    a += b  # asked
    return a


def isub(a, b, /):
    a -= b  # asked
    return a


def imul(a, b, /):
    a *= b  # asked
    return a


def itruediv(a, b, /):
    a /= b  # asked
    return a


def ifloordiv(a, b, /):
    a //= b  # asked
    return a


def imod(a, b, /):
    a %= b  # asked
    return a


def ipow(a, b, /):
    a **= b  # asked
    return a


def iand(a, b, /):
    a &= b  # asked
    return a


def ior(a, b, /):
    a |= b  # asked
    return a


def ixor(a, b, /):
    a ^= b  # asked
    return a


def iconcat(a, b, /):
    a += b  # asked
    return a


def countOf(a, b, /):
    count = 0
    for x in a:
        if x is b or x == b:  # asked
            count += 1
    return count


def indexOf(a, b, /):
    for i, x in enumerate(a):
        if x is b or x == b:  # asked
            return i
    raise ValueError("sequence.index(x): x not in sequence")


def call(obj, /, *args, **kwargs):
    return obj(*args, **kwargs)


def index(a, /):
    return a + 0 if isinstance(a, int) else _find(a, "__index__")()  # asked
