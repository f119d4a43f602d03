# Functions made of operators alone, executed by the machine. Without folding, operators on the
# program's values are asked: on lines that end in `# asked`. Indices are the machine's own.
# Arguments have types that CPython accepts. Others were refused before (calls/refusals.rs).


def abs(x, /):
    if not _scalars((x,)) or isinstance(x, complex):
        return _ask("abs", (x,), {})
    if x > 0:  # asked
        return +x
    if x == 0:
        return x - x
    return -x  # asked


def divmod(a, b, /):
    for method, other in ((_find(a, "__divmod__"), b), (_find(b, "__rdivmod__"), a)):
        if method is not _END:
            value = method(other)
            if value is not NotImplemented:
                return value
    if isinstance(a, float) or isinstance(b, float):
        if b == 0:
            raise ZeroDivisionError("float divmod()")
    return (a // b, a % b)  # asked


def sum(iterable, /, start=0):
    if isinstance(start, str):
        raise TypeError("sum() can't sum strings [use ''.join(seq) instead]")
    if isinstance(start, bytes):
        raise TypeError("sum() can't sum bytes [use b''.join(seq) instead]")
    if isinstance(start, bytearray):
        raise TypeError("sum() can't sum bytearray [use b''.join(seq) instead]")
    if _kind(iterable) == "iterator" or _find(iterable, "__iter__") is not _END or _find(iterable, "__getitem__") is not _END:
        iterable, start = _until_own(iterable, start)
        if iterable is _END:
            return start
    items = _items(iterable)
    if items is _END:
        items = _all(iterable)
    if isinstance(start, list) and not _own(start):
        for x in items:
            if not isinstance(x, list) or _own(x):
                break
        else:
            return _ask("sum", (items, start), {})
    for x in items:
        start = start + x  # asked
    return start
