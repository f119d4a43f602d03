# What the numbers of `decimal` are computed with: errors, contexts, rounding. Loaded before arithmetic.py.
# A number has `_sign` (0 or 1), `_int` (its digits), `_exp` and `_kind`: "" finite, "F" infinite, "n" NaN, "N" sNaN.

decimal__ROUND_UP = "ROUND_UP"
decimal__ROUND_DOWN = "ROUND_DOWN"
decimal__ROUND_CEILING = "ROUND_CEILING"
decimal__ROUND_FLOOR = "ROUND_FLOOR"
decimal__ROUND_HALF_UP = "ROUND_HALF_UP"
decimal__ROUND_HALF_DOWN = "ROUND_HALF_DOWN"
decimal__ROUND_HALF_EVEN = "ROUND_HALF_EVEN"
decimal__ROUND_05UP = "ROUND_05UP"
decimal__MAX_PREC = 999999999999999999
decimal__MAX_EMAX = 999999999999999999
decimal__MIN_EMIN = -999999999999999999
decimal__HAVE_CONTEXTVAR = True

_dec_ROUNDINGS = ("ROUND_CEILING", "ROUND_FLOOR", "ROUND_UP", "ROUND_DOWN", "ROUND_HALF_UP", "ROUND_HALF_DOWN",
                  "ROUND_HALF_EVEN", "ROUND_05UP")


class decimal__DecimalException(ArithmeticError):
    __module__ = "decimal"


class decimal__Clamped(decimal__DecimalException):
    __module__ = "decimal"


class decimal__InvalidOperation(decimal__DecimalException):
    __module__ = "decimal"


class decimal__FloatOperation(decimal__DecimalException, TypeError):
    __module__ = "decimal"


class decimal__DivisionByZero(decimal__DecimalException, ZeroDivisionError):
    __module__ = "decimal"


class decimal__Inexact(decimal__DecimalException):
    __module__ = "decimal"


class decimal__Rounded(decimal__DecimalException):
    __module__ = "decimal"


class decimal__Subnormal(decimal__DecimalException):
    __module__ = "decimal"


class decimal__Overflow(decimal__Inexact, decimal__Rounded):
    __module__ = "decimal"


class decimal__Underflow(decimal__Inexact, decimal__Rounded, decimal__Subnormal):
    __module__ = "decimal"


class _dec_Impossible(decimal__InvalidOperation):
    __module__ = "decimal"


class _dec_Undefined(decimal__InvalidOperation, ZeroDivisionError):
    __module__ = "decimal"


class _dec_Syntax(decimal__InvalidOperation):
    __module__ = "decimal"


_rename(decimal__DecimalException, "DecimalException")
_rename(decimal__Clamped, "Clamped")
_rename(decimal__InvalidOperation, "InvalidOperation")
_rename(decimal__FloatOperation, "FloatOperation")
_rename(decimal__DivisionByZero, "DivisionByZero")
_rename(decimal__Inexact, "Inexact")
_rename(decimal__Rounded, "Rounded")
_rename(decimal__Subnormal, "Subnormal")
_rename(decimal__Overflow, "Overflow")
_rename(decimal__Underflow, "Underflow")
_rename(_dec_Impossible, "DivisionImpossible")
_rename(_dec_Undefined, "DivisionUndefined")
_rename(_dec_Syntax, "ConversionSyntax")

_dec_INVALID = (decimal__InvalidOperation, _dec_Impossible, _dec_Undefined, _dec_Syntax)
_dec_SIGNALS = (decimal__InvalidOperation, decimal__FloatOperation, decimal__DivisionByZero, decimal__Overflow,
                decimal__Underflow, decimal__Subnormal, decimal__Inexact, decimal__Rounded, decimal__Clamped)
_dec_SHOWN = (decimal__Clamped, decimal__InvalidOperation, decimal__DivisionByZero, decimal__Inexact,
              decimal__FloatOperation, decimal__Overflow, decimal__Rounded, decimal__Subnormal, decimal__Underflow)


def _dec_signal(ctx, found):
    """Sets the flags of conditions, and raises for those that are trapped."""
    names = []
    kind = None
    for one in _dec_INVALID:
        if one in found:
            ctx.flags[decimal__InvalidOperation] = True
            if ctx.traps[decimal__InvalidOperation]:
                names.append(one)
                kind = decimal__InvalidOperation
    for one in _dec_SIGNALS[1:]:
        if one in found:
            ctx.flags[one] = True
            if ctx.traps[one]:
                names.append(one)
                kind = one if kind is None else kind
    if kind is not None:
        raise kind(names)


def _dec_marks(given, default):
    """A dict of signals to truth values, of a list of signals or a dict."""
    given = default if given is None else given
    if isinstance(given, dict):
        return {one: bool(given[one]) for one in _dec_SIGNALS}
    return {one: one in given for one in _dec_SIGNALS}


def _dec_whole(value, low, high, words):
    if not isinstance(value, int):
        raise TypeError("an integer is required")
    if not low <= value <= high:
        raise ValueError("valid " + words)
    return int(value)


class decimal__Context:
    __module__ = "decimal"

    def __init__(self, prec=None, rounding=None, Emin=None, Emax=None, capitals=None, clamp=None, flags=None,
                 traps=None):
        base = _dec_STATE[1] if _len(_dec_STATE) > 1 else None
        self.prec = 28 if base is None else base.prec
        self.rounding = "ROUND_HALF_EVEN" if base is None else base.rounding
        self.Emin = -999999 if base is None else base.Emin
        self.Emax = 999999 if base is None else base.Emax
        self.capitals = 1 if base is None else base.capitals
        self.clamp = 0 if base is None else base.clamp
        self.traps = _dec_marks(traps, _dec_SIGNALS[:1] + _dec_SIGNALS[2:4] if base is None else base.traps)
        self.flags = _dec_marks(flags, ())
        self._change(prec=prec, rounding=rounding, Emin=Emin, Emax=Emax, capitals=capitals, clamp=clamp)

    def _change(self, prec=None, rounding=None, Emin=None, Emax=None, capitals=None, clamp=None, flags=None,
                traps=None):
        if prec is not None:
            self.prec = prec
        if rounding is not None:
            self.rounding = rounding
        if Emin is not None:
            self.Emin = _dec_whole(Emin, -decimal__MAX_EMAX, 0, "range for Emin is [MIN_EMIN, 0]")
        if Emax is not None:
            self.Emax = _dec_whole(Emax, 0, decimal__MAX_EMAX, "range for Emax is [0, MAX_EMAX]")
        if capitals is not None:
            self.capitals = _dec_whole(capitals, 0, 1, "values for capitals are [0, 1]")
        if clamp is not None:
            self.clamp = _dec_whole(clamp, 0, 1, "values for clamp are [0, 1]")
        if flags is not None:
            self.flags = _dec_marks(flags, ())
        if traps is not None:
            self.traps = _dec_marks(traps, ())

    @property
    def prec(self):
        return self._prec

    @prec.setter
    def prec(self, value):
        self._prec = _dec_whole(value, 1, decimal__MAX_PREC, "range for prec is [1, MAX_PREC]")

    @property
    def rounding(self):
        return self._rounding

    @rounding.setter
    def rounding(self, value):
        self._rounding = _dec_rounding(value)

    def copy(self):
        new = decimal__Context(self.prec, self.rounding, self.Emin, self.Emax, self.capitals, self.clamp)
        new.flags = _dec_marks(self.flags, ())
        new.traps = _dec_marks(self.traps, ())
        return new

    __copy__ = copy

    def clear_flags(self):
        self.flags = _dec_marks((), ())

    def clear_traps(self):
        self.traps = _dec_marks((), ())

    def Etiny(self):
        return self.Emin - self.prec + 1

    def Etop(self):
        return self.Emax - self.prec + 1

    def create_decimal(self, num="0"):
        return _dec_limit(_dec_new(num, self), self)

    def create_decimal_from_float(self, f):
        return _dec_limit(decimal__Decimal.from_float(f), self)

    def add(self, a, b):
        return _dec_add(_dec_need(a), _dec_need(b), self)

    def subtract(self, a, b):
        return _dec_add(_dec_need(a), _dec_need(b), self, 1)

    def multiply(self, a, b):
        return _dec_multiply(_dec_need(a), _dec_need(b), self)

    def divide(self, a, b):
        return _dec_divide(_dec_need(a), _dec_need(b), self)

    def divide_int(self, a, b):
        return _dec_parts(_dec_need(a), _dec_need(b), self, 1)

    def remainder(self, a, b):
        return _dec_parts(_dec_need(a), _dec_need(b), self, 2)

    def power(self, a, b, modulo=None):
        return _dec_power(_dec_need(a), _dec_need(b), self) if modulo is None else _throw("power with a modulo")

    def quantize(self, a, b):
        return _dec_need(a).quantize(b, None, self)

    def sqrt(self, a):
        return _dec_need(a).sqrt(self)

    def exp(self, a):
        return _dec_need(a).exp(self)

    def ln(self, a):
        return _dec_need(a).ln(self)

    def log10(self, a):
        return _dec_need(a).log10(self)

    def plus(self, a):
        return _dec_limit(_dec_need(a), self)

    def abs(self, a):
        return _dec_limit(_dec_need(a).copy_abs(), self)

    def compare(self, a, b):
        return _dec_need(a).compare(b, self)

    def normalize(self, a):
        return _dec_need(a).normalize(self)

    def __getattr__(self, name):
        if name[:1] != "_":
            _throw("the member " + name + " of decimal.Context")
        raise AttributeError("'decimal.Context' object has no attribute '" + name + "'")

    def __repr__(self):
        marks = []
        for given in (self.flags, self.traps):
            marks.append("[" + ", ".join([one.__name__ for one in _dec_SHOWN if given[one]]) + "]")
        return "Context(prec=%d, rounding=%s, Emin=%d, Emax=%d, capitals=%d, clamp=%d, flags=%s, traps=%s)" % (
            self.prec, self.rounding, self.Emin, self.Emax, self.capitals, self.clamp, marks[0], marks[1])


_rename(decimal__Context, "Context")


def _dec_rounding(value):
    if not isinstance(value, str) or value not in _dec_ROUNDINGS:
        lines = [", ".join(names) for names in (_dec_ROUNDINGS[:4], _dec_ROUNDINGS[4:7], _dec_ROUNDINGS[7:])]
        raise TypeError("valid values for rounding are:\n  [" + ",\n   ".join(lines) + "]")
    return value


# The current context, then the one that new contexts are made after.
_dec_STATE = []
_dec_STATE.append(decimal__Context())
_dec_STATE.append(decimal__Context())
decimal__DefaultContext = _dec_STATE[1]
decimal__BasicContext = decimal__Context(9, "ROUND_HALF_UP", traps=_dec_SIGNALS[:1] + _dec_SIGNALS[2:5]
                                         + _dec_SIGNALS[8:])
decimal__ExtendedContext = decimal__Context(9, "ROUND_HALF_EVEN", traps=())


def _dec_context(given):
    if given is None:
        return _dec_STATE[0]
    if not isinstance(given, decimal__Context):
        raise TypeError("optional argument must be a context")
    return given


def decimal__getcontext():
    return _dec_STATE[0]


def decimal__setcontext(context):
    if not isinstance(context, decimal__Context):
        raise TypeError("argument must be a context")
    known = context in (decimal__DefaultContext, decimal__BasicContext, decimal__ExtendedContext)
    _dec_STATE[0] = context.copy() if known else context


class _dec_Manager:
    __module__ = "decimal"

    def __init__(self, context):
        self._new = context

    def __enter__(self):
        self._old = _dec_STATE[0]
        _dec_STATE[0] = self._new
        return self._new

    def __exit__(self, kind, value, trace):
        _dec_STATE[0] = self._old
        return False


_rename(_dec_Manager, "ContextManager")


def decimal__localcontext(ctx=None, **kwargs):
    new = _dec_context(ctx).copy()
    new._change(**kwargs)
    return _dec_Manager(new)


# -- rounding


def _dec_digits(n):
    """How many digits a number from 0 has."""
    if n < 1000000000000000:
        return _len(_str(n))
    k = (n.bit_length() - 1) * 30102999566 // 100000000000
    while n >= 10 ** k:
        k += 1
    return k


def _dec_drop(sign, coef, count, rounding):
    """The digits without the last `count` of them, rounded, and whether that is inexact."""
    if count > _dec_digits(coef) + 1:
        coef = 1 if coef else 0
        count = 2
    unit = 10 ** count
    q, rest = divmod(coef, unit)
    if rest == 0:
        return q, False
    if rounding == "ROUND_HALF_EVEN":
        up = 2 * rest > unit or 2 * rest == unit and q % 2 == 1
    elif rounding == "ROUND_HALF_UP":
        up = 2 * rest >= unit
    elif rounding == "ROUND_HALF_DOWN":
        up = 2 * rest > unit
    elif rounding == "ROUND_DOWN":
        up = False
    elif rounding == "ROUND_UP":
        up = True
    elif rounding == "ROUND_CEILING":
        up = sign == 0
    elif rounding == "ROUND_FLOOR":
        up = sign == 1
    else:
        up = q % 5 == 0
    return (q + 1 if up else q), True


def _dec_scaled(sign, coef, was, exp, rounding):
    """The digits for another exponent, and whether that is inexact."""
    if coef == 0:
        return 0, False
    return (coef * 10 ** (was - exp), False) if was >= exp else _dec_drop(sign, coef, exp - was, rounding)


def _dec_fix(sign, coef, exp, ctx, rounding=None):
    """A number as a context has it: with no more digits than its precision, and an exponent in its range."""
    prec = ctx._prec
    size = _dec_digits(coef)
    if size <= prec and ctx.Emin <= exp <= ctx.Emax - prec + 1:
        return _dec_make(sign, coef, exp)
    rounding = ctx._rounding if rounding is None else rounding
    tiny = ctx.Emin - prec + 1
    top = ctx.Emax - prec + 1
    if coef == 0:
        fit = min(max(exp, tiny), top if ctx.clamp else ctx.Emax)
        if fit != exp:
            _dec_signal(ctx, (decimal__Clamped,))
        return _dec_make(sign, 0, fit)
    least = size + exp - prec
    found = []
    over = least > top
    if not over:
        small = least < tiny
        least = tiny if small else least
        if exp < least:
            coef, inexact = _dec_drop(sign, coef, least - exp, rounding)
            exp = least
            if _dec_digits(coef) > prec:
                coef //= 10
                exp += 1
            over = exp > top
            found.append(decimal__Rounded)
            if inexact:
                found.append(decimal__Inexact)
                if small:
                    found.append(decimal__Underflow)
            if coef == 0:
                found.append(decimal__Clamped)
        if small:
            found.append(decimal__Subnormal)
    if over:
        _dec_signal(ctx, (decimal__Overflow, decimal__Inexact, decimal__Rounded))
        away = rounding[:10] == "ROUND_HALF" or rounding in ("ROUND_UP", "ROUND_FLOOR" if sign else "ROUND_CEILING")
        return _dec_make(sign, 0, 0, "F") if away else _dec_make(sign, 10 ** prec - 1, top)
    if ctx.clamp and exp > top:
        coef *= 10 ** (exp - top)
        exp = top
        found.append(decimal__Clamped)
    if found:
        _dec_signal(ctx, found)
    return _dec_make(sign, coef, exp)
