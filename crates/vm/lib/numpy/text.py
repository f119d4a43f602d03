# The part of numpy that is written in Python: text.


def _padded(text, width):
    n = width - _len(text)
    return " " * n + text if n > 0 else text


def _word(items, dt, top):
    # The texts of all items, padded to one width.
    if dt.kind == "b":
        return [("True" if x else "False") if top else (" True" if x else "False") for x in items]
    if dt.kind == "U":
        return [_repr(x) for x in items]
    if dt.kind == "O":
        for x in items:
            if isinstance(x, (list, ndarray)) or _own(x):
                _throw("the text of an array of objects")
        return [_repr(x) for x in items]
    if dt.kind == "f":
        return _float_words(items)
    words = [_str(x) for x in items]
    width = 0
    for x in words:
        if _len(x) > width:
            width = _len(x)
    return [_padded(x, width) for x in words]


def _float_parts(x):
    text = _str(x)
    if "e" in text or _decimals(text) > 8:
        text = _fixed(x, 8)
    n = _len(text)
    dot = 0
    while dot < n and text[dot] != ".":
        dot += 1
    while text[n - 1] == "0" and n > dot + 1:
        n -= 1
    return text[:dot], text[dot + 1 : n]


def _decimals(text):
    dot = 0
    while dot < _len(text) and text[dot] != ".":
        dot += 1
    return _len(text) - dot - 1


def _float_words(items):
    largest = 0.0
    smallest = None
    finite = []
    for x in items:
        if x != x or x - x != 0:
            continue
        _push(finite, x)
        y = -x if x < 0 else x
        if y == 0:
            continue
        if y > largest:
            largest = y
        if smallest is None or y < smallest:
            smallest = y
    if smallest is not None and (largest >= _MOST or smallest < 0.0001 or largest / smallest > 1000.0):
        return _exponent_words(items, finite)
    parts = [_float_parts(x) for x in finite]
    left = 0
    right = 0
    for whole, rest in parts:
        if _len(whole) > left:
            left = _len(whole)
        if _len(rest) > right:
            right = _len(rest)
    words = {}
    for x in items:
        if x != x:
            text = "nan"
        elif x - x != 0:
            text = "inf" if x > 0 else "-inf"
        else:
            continue
        if _len(text) > left + right + 1:
            left = _len(text) - right - 1
    texts = []
    for x in items:
        if x != x:
            _push(texts, _padded("nan", left + right + 1))
        elif x - x != 0:
            _push(texts, _padded("inf" if x > 0 else "-inf", left + right + 1))
        else:
            whole, rest = _float_parts(x)
            _push(texts, _padded(whole, left) + "." + rest + " " * (right - _len(rest)))
    return texts


_MOST = 1.0e8


def _exponent_words(items, finite):
    # Mantissas padded to one width, with an exponent.
    if _len(finite) != _len(items):
        _throw("the text of infinite numbers beside large ones")
    parts = []
    most = 0
    for x in finite:
        mantissa, exponent = _scientific(x)
        rest = _decimals(mantissa)
        if rest > most:
            most = rest
        _push(parts, (mantissa, exponent))
    texts = []
    width = 0
    for mantissa, exponent in parts:
        rest = _decimals(mantissa)
        text = mantissa + "0" * (most - rest) + exponent
        if _len(text) > width:
            width = _len(text)
        _push(texts, text)
    return [_padded(x, width) for x in texts]


def _array_words(a, separator, prefix, suffix):
    n = _count_of(a._shape)
    if n > 1000:
        _throw("the text of an array of more than 1000 items")
    items = _flat(a)
    words = _word(items, a._dtype, a._shape == ())
    indent = " " * (_len(prefix) + 1)
    return _bracketed(words, a._shape, 0, 0, separator, indent, 75 - _len(suffix))


def _bracketed(words, shape, depth, at, separator, indent, width):
    left = _len(shape) - depth
    if left == 0:
        return words[at]
    n = shape[depth]
    bare = "," if separator == ", " else ""
    if left == 1:
        most = width - 1
        text = ""
        line = indent
        i = 0
        while i < n:
            word = words[at + i]
            if _len(line) + _len(word) > most and _len(line) > _len(indent):
                text += _stripped(line) + "\n"
                line = indent
            line += word
            if i != n - 1:
                line += separator
            i += 1
        text += line
    else:
        text = ""
        step = _count_of(shape[depth + 1 :])
        i = 0
        while i < n:
            text += indent + _bracketed(words, shape, depth + 1, at + i * step, separator, indent + " ", width - 1)
            if i != n - 1:
                text += bare + "\n" * (left - 1)
            i += 1
    return "[" + text[_len(indent) :] + "]"


def _stripped(line):
    n = _len(line)
    while n > 0 and line[n - 1] == " ":
        n -= 1
    return line[:n]


def _array_text(a, separator, prefix, suffix):
    if a._shape == ():
        return _str(_flat(a)[0])
    if _count_of(a._shape) == 0:
        return "[]"
    return _array_words(a, separator, prefix, suffix)


def _array_repr(a):
    dt = a._dtype
    shown = dt.name not in ("int64", "float64", "bool") or a.size == 0
    if a.size == 0:
        text = "array([]"
        if a._shape != (0,):
            text += ", shape=" + _repr(a._shape)
        return text + ", dtype=" + _dtype_text(dt) + ")"
    if a._shape == ():
        text = "array(" + _word(_flat(a), dt, True)[0]
        return text + (", dtype=" + _dtype_text(dt) if shown else "") + ")"
    text = "array(" + _array_words(a, ", ", "array(", ")")
    if not shown:
        return text + ")"
    last = 0
    for c in text:
        last = 0 if c == "\n" else last + 1
    ending = "dtype=" + _dtype_text(dt) + ")"
    if last + _len(ending) + 2 > 75:
        return text + ",\n      " + ending
    return text + ", " + ending


def _dtype_text(dt):
    if dt.kind == "U":
        return "'<U" + _str(dt.size) + "'"
    return dt.name


def array2string(a, **options):
    if options:
        _throw("np.array2string with options")
    return _str(a)


def array_repr(a):
    return _repr(a)


def array_str(a):
    return _str(a)
