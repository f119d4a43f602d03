# Conversion of other values to `decimal`'s numbers, and of the numbers to text.
# Level: methods


def _make(sign, coef, exp, kind=""):
    x = object.__new__(Decimal)
    x._sign = sign
    x._int = coef
    x._exp = exp
    x._kind = kind
    return x


def _read(text):
    """A number of a text, None if it is none."""
    text = text.strip().replace("_", "")
    sign = 1 if text[:1] == "-" else 0
    if text[:1] in ("-", "+"):
        text = text[1:]
    low = text.lower()
    if low in ("inf", "infinity"):
        return _make(sign, 0, 0, "F")
    for start, kind in (("nan", "n"), ("snan", "N")):
        rest = low[_len(start) :]
        if low[: _len(start)] == start and (rest == "" or rest.isdecimal()):
            return _make(sign, int("0" + rest), 0, kind)
    at = low.find("e")
    exp = 0
    if at >= 0:
        power = low[at + 1 :]
        low = low[:at]
        digits = power[1:] if power[:1] in ("-", "+") else power
        if not digits.isdecimal():
            return None
        exp = -int(digits) if power[0] == "-" else int(digits)
    at = low.find(".")
    if at >= 0:
        exp -= _len(low) - at - 1
        low = low[:at] + low[at + 1 :]
    return _make(sign, int(low), exp) if low.isdecimal() else None


def _of_tuple(value):
    if _len(value) != 3:
        raise ValueError("argument must be a sequence of length 3")
    sign, digits, exp = value
    if not isinstance(sign, int) or sign not in (0, 1):
        raise ValueError("sign must be an integer with the value 0 or 1")
    kind = ""
    if isinstance(exp, str):
        if exp not in ("F", "n", "N"):
            raise ValueError("string argument in the third position must be 'F', 'n' or 'N'")
        kind = exp
        exp = 0
    elif not isinstance(exp, int):
        raise ValueError("exponent must be an integer")
    coef = 0
    for digit in digits:
        if not isinstance(digit, int) or not 0 <= digit <= 9:
            raise ValueError("coefficient must be a tuple of digits")
        coef = coef * 10 + digit
    return _make(int(sign), 0 if kind == "F" else coef, exp, kind)


def _of_float(value):
    sign = 1 if _str(value)[0] == "-" else 0
    if value != value:
        return _make(0, 0, 0, "n")
    if value - value != 0:
        return _make(sign, 0, 0, "F")
    above, below = abs(value).as_integer_ratio()
    k = below.bit_length() - 1
    return _make(sign, above * 5 ** k, -k)


def _new(value, ctx):
    """A number of a value of any kind that can be one."""
    if isinstance(value, Decimal):
        return value
    if isinstance(value, int):
        return _make(1 if value < 0 else 0, abs(int(value)), 0)
    if isinstance(value, str):
        x = _read(value)
        return _invalid(ctx, _Syntax) if x is None else x
    if isinstance(value, float):
        if ctx.traps[FloatOperation]:
            _signal(ctx, (FloatOperation,))
        ctx.flags[FloatOperation] = True
        return _of_float(value)
    if isinstance(value, (tuple, list, DecimalTuple)):
        return _of_tuple(value)
    raise TypeError("conversion from " + _classof(value).__name__ + " to Decimal is not supported")


def _other(value):
    """The other number of an operation, None if it can be none."""
    if isinstance(value, Decimal):
        return value
    return _make(1 if value < 0 else 0, abs(int(value)), 0) if isinstance(value, int) else None


def _need(value):
    x = _other(value)
    if x is None:
        raise TypeError("conversion from " + _classof(value).__name__ + " to Decimal is not supported")
    return x


def _order(a, value, equal):
    """The order of a number and a value, None for an unordered pair, NotImplemented for a value of another kind."""
    b = _of_float(value) if isinstance(value, float) else _other(value)
    if b is None:
        return NotImplemented
    if isinstance(value, float):
        ctx = _STATE[0]
        if not equal:
            _signal(ctx, (FloatOperation,))
        ctx.flags[FloatOperation] = True
    if a._kind in ("n", "N") or b._kind in ("n", "N"):
        if not equal or a._kind == "N" or b._kind == "N":
            _invalid(_STATE[0])
        return None
    return _dec_compare(a, b)


def _dec_text(x, engineer, ctx):
    sign = "-" if x._sign else ""
    if x._kind:
        return sign + {"F": "Infinity", "n": "NaN", "N": "sNaN"}[x._kind] + (_str(x._int) if x._int else "")
    digits = _str(x._int)
    left = x._exp + _len(digits)
    dot = 1
    if x._exp <= 0 and left > -6:
        dot = left
    elif engineer:
        dot = (left + 1) % 3 - 1 if x._int == 0 else (left - 1) % 3 + 1
    text = sign + _dotted(digits, dot)
    return text if left == dot else text + ("E" if ctx.capitals else "e") + "%+d" % (left - dot)


def _dotted(digits, dot):
    """Digits with a point before the one at `dot`."""
    if dot <= 0:
        return "0." + "0" * -dot + digits
    return digits + "0" * (dot - _len(digits)) if dot >= _len(digits) else digits[:dot] + "." + digits[dot:]


def _dec_format(x, spec, ctx):
    if not isinstance(spec, str):
        raise TypeError("format arg must be str")
    fill = " "
    align = ""
    at = 0
    if spec[1:2] in ("<", ">", "=", "^"):
        fill = spec[0]
        align = spec[1]
        at = 2
    elif spec[:1] in ("<", ">", "=", "^"):
        align = spec[0]
        at = 1
    plus = "-"
    if spec[at : at + 1] in ("+", "-", " "):
        plus = spec[at]
        at += 1
    no_minus = spec[at : at + 1] == "z"
    at += 1 if no_minus else 0
    bad = False
    padded = spec[at : at + 1] == "0"
    if padded:
        bad = align != ""
        align = "="
        fill = "0"
        at += 1
    start = at
    while "0" <= spec[at : at + 1] <= "9":
        at += 1
    width = int(spec[start:at] or "0")
    comma = spec[at : at + 1] == ","
    at += 1 if comma else 0
    places = None
    if spec[at : at + 1] == ".":
        start = at + 1
        at = start
        while "0" <= spec[at : at + 1] <= "9":
            at += 1
        bad = bad or at == start
        places = int(spec[start:at] or "0")
    kind = spec[at:]
    if bad or kind not in ("", "e", "E", "f", "F", "g", "G", "%", "n"):
        raise ValueError("invalid format string")
    if kind == "n":
        _throw("the format type n of decimal.Decimal")
    kind = kind or ("G" if ctx.capitals else "g")
    if x._kind:
        body = _dec_text(x.copy_abs(), False, ctx) + ("%" if kind == "%" else "")
        sign = "-" if x._sign else plus if plus != "-" else ""
        if padded:
            align = ">"
            fill = " "
        padded = False
        whole = body
        tail = ""
    else:
        coef = x._int
        exp = x._exp + (2 if kind == "%" else 0)
        drop = 0
        if places == 0 and kind in "gG":
            places = 1
        if places is not None:
            size = _digits(coef)
            if kind in "fF%":
                coef = _scaled(x._sign, coef, exp, -places, ctx._rounding)[0]
                exp = -places
            elif kind in "eE" or size > places:
                keep = places + 1 if kind in "eE" else places
                if coef and (size > keep or kind in "eE"):
                    was = exp
                    exp += size - keep
                    coef = _scaled(x._sign, coef, was, exp, ctx._rounding)[0]
                    if _digits(coef) > keep:
                        coef //= 10
                        exp += 1
        if coef == 0 and exp > 0 and kind in "fF%":
            exp = 0
        sign = "-" if x._sign and not (no_minus and coef == 0) else plus if plus != "-" else ""
        digits = _str(coef)
        left = exp + _len(digits)
        if kind in "eE":
            dot = 1 - places if coef == 0 and places is not None else 1
        else:
            dot = left if kind in "fF%" or exp <= 0 and left > -6 else 1
        body = _dotted(digits, dot)
        at = body.find(".")
        whole = body if at < 0 else body[:at]
        tail = "" if at < 0 else body[at:]
        if left != dot or kind in "eE":
            tail += ("E" if kind in "EG" else "e") + "%+d" % (left - dot)
        if kind == "%":
            tail += "%"
        if comma:
            if padded:
                while _len(whole) + (_len(whole) - 1) // 3 < width - _len(sign) - _len(tail):
                    whole = "0" + whole
            first = _len(whole) % 3
            groups = [whole[:first]] if first else []
            whole = ",".join(groups + [whole[i : i + 3] for i in range(first, _len(whole), 3)])
    body = whole + tail
    rest = fill * (width - _len(sign) - _len(body))
    if align == "<":
        return sign + body + rest
    if align == "=":
        return sign + rest + body
    if align == "^":
        half = _len(rest) // 2
        return rest[:half] + sign + body + rest[half:]
    return rest + sign + body


class DecimalTuple:
    def __init__(self, sign, digits, exponent):
        self.sign = sign
        self.digits = digits
        self.exponent = exponent

    def _all(self):
        return (self.sign, self.digits, self.exponent)

    def __iter__(self):
        return iter(self._all())

    def __len__(self):
        return 3

    def __getitem__(self, key):
        return self._all()[key]

    def __eq__(self, other):
        if isinstance(other, DecimalTuple):
            other = other._all()
        return self._all() == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self):
        return hash(self._all())

    def __repr__(self):
        return "DecimalTuple(sign=%r, digits=%r, exponent=%r)" % self._all()
