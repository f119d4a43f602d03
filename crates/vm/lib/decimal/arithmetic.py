# Arithmetic of `decimal`. Each function takes numbers and a context.
# Level: methods


def _limit(x, ctx):
    if x._kind == "":
        return _fix(x._sign, x._int, x._exp, ctx)
    return _nan(x, x, ctx) if x._kind != "F" else x


def _invalid(ctx, kind=InvalidOperation):
    _signal(ctx, (kind,))
    return _make(0, 0, 0, "n")


def _nan(a, b, ctx):
    """The NaN that an operation with a NaN gives, None if neither is one."""
    bad = a if a._kind == "N" else b if b._kind == "N" else a if a._kind == "n" else b if b._kind == "n" else None
    if bad is None:
        return None
    if bad._kind == "N":
        _signal(ctx, (InvalidOperation,))
    return _make(bad._sign, bad._int % 10 ** (ctx._prec - ctx.clamp) if bad._int else 0, 0, "n")


def _add(a, b, ctx, turn=0):
    """The sum, or with `turn` 1 the difference."""
    turned = b._sign ^ turn
    if a._kind or b._kind:
        bad = _nan(a, b, ctx)
        if bad is not None:
            return bad
        if a._kind and b._kind and a._sign != turned:
            return _invalid(ctx)
        return a if a._kind else _make(turned, 0, 0, "F")
    prec = ctx._prec
    exp = min(a._exp, b._exp)
    x = a._int
    y = b._int
    if x == 0 and y == 0:
        sign = min(a._sign, turned)
        return _fix(1 if ctx._rounding == "ROUND_FLOOR" and a._sign != turned else sign, 0, exp, ctx)
    if x == 0:
        exp = max(exp, b._exp - prec - 1)
        return _fix(turned, y * 10 ** (b._exp - exp), exp, ctx)
    if y == 0:
        exp = max(exp, a._exp - prec - 1)
        return _fix(a._sign, x * 10 ** (a._exp - exp), exp, ctx)
    xe = a._exp
    ye = b._exp
    if xe - ye > prec or ye - xe > prec:
        # Digits far below the last one only matter by their presence.
        if xe > ye:
            least = xe + min(-1, _digits(x) - prec - 2)
            if _digits(y) + ye - 1 < least:
                y = 1
                ye = least
        else:
            least = ye + min(-1, _digits(y) - prec - 2)
            if _digits(x) + xe - 1 < least:
                x = 1
                xe = least
        exp = min(xe, ye)
    total = (-x if a._sign else x) * 10 ** (xe - exp) + (-y if turned else y) * 10 ** (ye - exp)
    if total == 0:
        return _fix(1 if ctx._rounding == "ROUND_FLOOR" and a._sign != turned else 0, 0, exp, ctx)
    return _fix(1 if total < 0 else 0, abs(total), exp, ctx)


def _multiply(a, b, ctx, _=0):
    sign = a._sign ^ b._sign
    if a._kind or b._kind:
        bad = _nan(a, b, ctx)
        if bad is not None:
            return bad
        if a._kind == "" and a._int == 0 or b._kind == "" and b._int == 0:
            return _invalid(ctx)
        return _make(sign, 0, 0, "F")
    return _fix(sign, a._int * b._int, a._exp + b._exp, ctx)


def _divide(a, b, ctx, _=0):
    sign = a._sign ^ b._sign
    if a._kind or b._kind:
        bad = _nan(a, b, ctx)
        if bad is not None:
            return bad
        if a._kind:
            return _invalid(ctx) if b._kind else _make(sign, 0, 0, "F")
        _signal(ctx, (Clamped,))
        return _make(sign, 0, ctx.Emin - ctx._prec + 1)
    if b._int == 0:
        if a._int == 0:
            return _invalid(ctx, _Undefined)
        _signal(ctx, (DivisionByZero,))
        return _make(sign, 0, 0, "F")
    ideal = a._exp - b._exp
    if a._int == 0:
        return _fix(sign, 0, ideal, ctx)
    shift = _digits(b._int) - _digits(a._int) + ctx._prec + 1
    exp = ideal - shift
    q, rest = divmod(a._int * 10 ** max(shift, 0), b._int * 10 ** max(-shift, 0))
    if rest:
        if q % 5 == 0:
            q += 1
    else:
        while exp < ideal and q % 10 == 0:
            q //= 10
            exp += 1
    return _fix(sign, q, exp, ctx)


def _parts(a, b, ctx, want):
    """The quotient without its fraction (`want` 1), what remains (2) or both (3)."""
    sign = a._sign ^ b._sign
    if a._kind or b._kind:
        bad = _nan(a, b, ctx)
        if bad is None and a._kind:
            if want == 1 and not b._kind:
                return _make(sign, 0, 0, "F")
            bad = _invalid(ctx)
            if want == 3 and not b._kind:
                return _make(sign, 0, 0, "F"), bad
        if bad is not None:
            return (bad, bad) if want == 3 else bad
    elif b._int == 0:
        if a._int == 0:
            bad = _invalid(ctx, _Undefined)
            return (bad, bad) if want == 3 else bad
        whole = _make(sign, 0, 0, "F")
        if want == 1:
            _signal(ctx, (DivisionByZero,))
            return whole
        found = (InvalidOperation, DivisionByZero)
        _signal(ctx, found if want == 3 else found[:1])
        rest = _make(0, 0, 0, "n")
        return (whole, rest) if want == 3 else rest
    ideal = a._exp if b._kind else min(a._exp, b._exp)
    apart = 0 if b._kind or a._int == 0 else a.adjusted() - b.adjusted()
    q = 0
    if b._kind or a._int == 0 or apart <= -2:
        r = a._int * 10 ** (a._exp - ideal) if a._int else 0
    elif apart <= ctx._prec:
        q, r = divmod(a._int * 10 ** (a._exp - ideal), b._int * 10 ** (b._exp - ideal))
    if apart > ctx._prec or q >= 10 ** ctx._prec:
        bad = _invalid(ctx, _Impossible)
        return (bad, bad) if want == 3 else bad
    whole = _fix(sign, q, 0, ctx)
    if want == 1:
        return whole
    rest = _fix(a._sign, r, ideal, ctx)
    return (whole, rest) if want == 3 else rest


def _dec_compare(a, b):
    """-1, 0 or 1; for numbers that are no NaN."""
    x = 0 if a._kind == "" and a._int == 0 else -1 if a._sign else 1
    y = 0 if b._kind == "" and b._int == 0 else -1 if b._sign else 1
    if x != y or x == 0:
        return -1 if x < y else 1 if x > y else 0
    if a._kind or b._kind:
        return 0 if a._kind and b._kind else x if a._kind else -x
    high = a.adjusted() - b.adjusted()
    if high == 0:
        exp = min(a._exp, b._exp)
        high = a._int * 10 ** (a._exp - exp) - b._int * 10 ** (b._exp - exp)
    return x if high > 0 else -x if high < 0 else 0


def _root(n):
    """The root of a whole number, without its fraction."""
    x = 1 << (n.bit_length() + 1) // 2
    while x * x > n:
        x = (x + n // x) // 2
    return x


def _near(sign, coef, exp, ctx):
    """A number that stands for one with more digits."""
    return _fix(sign, coef * 10 + 1, exp - 1, ctx, "ROUND_HALF_EVEN")


_TENS = {}


def _log_of(n, unit):
    """The logarithm of n / unit, for 1 to 10, in units."""
    halves = 0
    while n - unit > unit // 100:
        n = _root(n * unit)
        halves += 1
    x = (n - unit) * unit // (n + unit)
    square = x * x // unit
    total = x
    k = 3
    while x:
        x = x * square // unit
        total += x // k
        k += 2
    return total << (halves + 1)


def _ten(p):
    if p not in _TENS:
        _TENS[p] = _log_of(10 ** (p + 11), 10 ** (p + 10)) // 10 ** 10
    return _TENS[p]


def _log(a, p):
    """The logarithm of a positive number, in units of 10 ** -p."""
    high = a.adjusted()
    p += 10
    shift = p - _digits(a._int) + 1
    n = a._int * 10 ** shift if shift >= 0 else a._int // 10 ** -shift
    return (_log_of(n, 10 ** p) + high * _ten(p)) // 10 ** 10


def _close(a):
    """How many digits a number is like 1."""
    exp = min(a._exp, 0)
    apart = abs(a._int * 10 ** (a._exp - exp) - 10 ** -exp) if -1 <= a.adjusted() <= 0 else 0
    return max(0, -exp - _digits(apart)) if apart else 0


def _exp(v, p, ctx, rounding="ROUND_HALF_EVEN"):
    """The exponential of v in units of 10 ** -p."""
    unit = 10 ** p
    ten = _ten(p)
    k = v // ten
    x = (v - k * ten) >> 8
    total = unit
    term = unit
    i = 1
    while term:
        term = term * x // (unit * i)
        total += term
        i += 1
    for _ in (1, 2, 3, 4, 5, 6, 7, 8):
        total = total * total // unit
    if rounding == "ROUND_HALF_EVEN":
        return _near(0, total, k - p, ctx)
    drop = max(0, _digits(total) - ctx._prec - 20)
    near = _drop(0, total, drop, "ROUND_HALF_EVEN")[0]
    if near % 10 ** 20 == 0 and rounding[:10] != "ROUND_HALF":
        _throw("a power of decimal.Decimal that is nearly exact, with rounding in one direction")
    _signal(ctx, (Inexact, Rounded))
    return _fix(0, near, k - p + drop, ctx, rounding)


def _power(a, b, ctx, _=0):
    bad = _nan(a, b, ctx)
    if bad is not None:
        return bad
    whole = b._kind == "" and (b._exp >= 0 or b._int % 10 ** min(-b._exp, _digits(b._int) + 1) == 0)
    prec = ctx._prec
    if b._kind == "" and b._int == 0:
        if a._kind == "" and a._int == 0:
            return _invalid(ctx)
        return _make(0, 1, 0)
    if whole and b.adjusted() > 17:
        _throw("a power with an exponent of more than 18 digits")
    n = int(b) if whole else 0
    sign = a._sign if n % 2 else 0
    if a._sign and not whole and not (a._kind == "" and a._int == 0) and not (b._kind == "F" and a._kind == "F"):
        return _invalid(ctx)
    if a._kind or a._int == 0:
        zero = (a._kind == "") != (b._sign == 1)
        return _make(sign, 0, 0, "" if zero else "F")
    one = _dec_compare(a.copy_abs(), _make(0, 1, 0))
    if b._kind:
        if one == 0:
            return _fix(0, 10 ** prec, -prec, ctx)
        return _make(0, 0, 0, "F" if (one > 0) == (b._sign == 0) else "")
    if one == 0:
        if not whole:
            _signal(ctx, (Inexact, Rounded))
            return _make(0, 10 ** (prec - 1), 1 - prec)
        if n < 0:
            return _make(sign, 1, 0)
        exp = a._exp * n
        if exp < 1 - prec:
            return _fix(sign, 10 ** prec, -prec, ctx)
        return _make(sign, 10 ** -exp, exp) if exp <= 0 else _make(sign, 1, 0)
    high = a.adjusted()
    if abs(high if high >= 0 else high + 1) * (abs(n) if whole else 10 ** max(b.adjusted(), 0)) > 10 * ctx.Emax:
        up = (one > 0) == (b._sign == 0)
        if not up and whole and abs(n) < 1000000000:
            _signal(ctx, (Clamped, Inexact, Rounded, Subnormal,
                              Underflow))
            return _make(sign, 0, ctx.Emin - prec + 1)
        return _fix(sign, 1, 3 * ctx.Emax if up else -3 * ctx.Emax, ctx)
    if not whole:
        p = 2 * prec + 20 + max(0, b.adjusted() + 8) + _close(a)
        return _exp(_scaled(0, _log(a, p) * (-b._int if b._sign else b._int), b._exp, 0, "ROUND_DOWN")[0],
                        p, ctx, ctx._rounding)
    inner = ctx.copy()
    inner.clear_traps()
    inner.prec = prec + _digits(b._int) + b._exp + 2 + (1 if n < 0 else 0)
    inner.rounding = "ROUND_HALF_EVEN"
    base = _divide(_make(0, 1, 0), a, inner) if n < 0 else a
    n = abs(n)
    x = base
    for bit in bin(n)[3:]:
        x = _multiply(x, x, inner)
        if bit == "1":
            x = _multiply(x, base, inner)
        if x._kind or x._int == 0:
            break
    found = [one for one in _SIGNALS if inner.flags[one]]
    if x._kind or x._int == 0:
        _signal(ctx, found)
        return _make(sign, 0, 0, x._kind) if x._kind else _fix(sign, 0, x._exp, ctx)
    for one in found:
        ctx.flags[one] = True
    return _fix(sign, x._int, x._exp, ctx)
