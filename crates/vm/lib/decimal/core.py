# The basis of `decimal`'s arithmetic: errors, contexts, rounding.
# Numbers have `_sign` (0, 1), `_int` (digits), `_exp`, `_kind` (""; "F" inf, "n" NaN, "N" sNaN).
# Level: methods

ROUND_UP = "ROUND_UP"
ROUND_DOWN = "ROUND_DOWN"
ROUND_CEILING = "ROUND_CEILING"
ROUND_FLOOR = "ROUND_FLOOR"
ROUND_HALF_UP = "ROUND_HALF_UP"
ROUND_HALF_DOWN = "ROUND_HALF_DOWN"
ROUND_HALF_EVEN = "ROUND_HALF_EVEN"
ROUND_05UP = "ROUND_05UP"
MAX_PREC = 999999999999999999
MAX_EMAX = 999999999999999999
MIN_EMIN = -999999999999999999
HAVE_CONTEXTVAR = True

_ROUNDINGS = ("ROUND_CEILING", "ROUND_FLOOR", "ROUND_UP", "ROUND_DOWN", "ROUND_HALF_UP", "ROUND_HALF_DOWN",
                  "ROUND_HALF_EVEN", "ROUND_05UP")


class DecimalException(ArithmeticError):
    __module__ = "decimal"


class Clamped(DecimalException):
    __module__ = "decimal"


class InvalidOperation(DecimalException):
    __module__ = "decimal"


class FloatOperation(DecimalException, TypeError):
    __module__ = "decimal"


class DivisionByZero(DecimalException, ZeroDivisionError):
    __module__ = "decimal"


class Inexact(DecimalException):
    __module__ = "decimal"


class Rounded(DecimalException):
    __module__ = "decimal"


class Subnormal(DecimalException):
    __module__ = "decimal"


class Overflow(Inexact, Rounded):
    __module__ = "decimal"


class Underflow(Inexact, Rounded, Subnormal):
    __module__ = "decimal"


class _Impossible(InvalidOperation):
    __module__ = "decimal"


class _Undefined(InvalidOperation, ZeroDivisionError):
    __module__ = "decimal"


class _Syntax(InvalidOperation):
    __module__ = "decimal"
_rename(_Impossible, "DivisionImpossible")
_rename(_Undefined, "DivisionUndefined")
_rename(_Syntax, "ConversionSyntax")

_INVALID = (InvalidOperation, _Impossible, _Undefined, _Syntax)
_SIGNALS = (InvalidOperation, FloatOperation, DivisionByZero, Overflow,
                Underflow, Subnormal, Inexact, Rounded, Clamped)
_dec_SHOWN = (Clamped, InvalidOperation, DivisionByZero, Inexact,
              FloatOperation, Overflow, Rounded, Subnormal, Underflow)


def _signal(ctx, found):
    """Sets the flags of conditions, and raises for those that are trapped."""
    names = []
    kind = None
    for one in _INVALID:
        if one in found:
            ctx.flags[InvalidOperation] = True
            if ctx.traps[InvalidOperation]:
                names.append(one)
                kind = InvalidOperation
    for one in _SIGNALS[1:]:
        if one in found:
            ctx.flags[one] = True
            if ctx.traps[one]:
                names.append(one)
                kind = one if kind is None else kind
    if kind is not None:
        raise kind(names)


def _marks(given, default):
    """A dict of signals to truth values, of a list of signals or a dict."""
    given = default if given is None else given
    if isinstance(given, dict):
        return {one: bool(given[one]) for one in _SIGNALS}
    return {one: one in given for one in _SIGNALS}


def _dec_whole(value, low, high, words):
    if not isinstance(value, int):
        raise TypeError("an integer is required")
    if not low <= value <= high:
        raise ValueError("valid " + words)
    return int(value)


class Context:
    def __init__(self, prec=None, rounding=None, Emin=None, Emax=None, capitals=None, clamp=None, flags=None,
                 traps=None):
        base = _STATE[1] if _len(_STATE) > 1 else None
        self.prec = 28 if base is None else base.prec
        self.rounding = "ROUND_HALF_EVEN" if base is None else base.rounding
        self.Emin = -999999 if base is None else base.Emin
        self.Emax = 999999 if base is None else base.Emax
        self.capitals = 1 if base is None else base.capitals
        self.clamp = 0 if base is None else base.clamp
        self.traps = _marks(traps, _SIGNALS[:1] + _SIGNALS[2:4] if base is None else base.traps)
        self.flags = _marks(flags, ())
        self._change(prec=prec, rounding=rounding, Emin=Emin, Emax=Emax, capitals=capitals, clamp=clamp)

    def _change(self, prec=None, rounding=None, Emin=None, Emax=None, capitals=None, clamp=None, flags=None,
                traps=None):
        if prec is not None:
            self.prec = prec
        if rounding is not None:
            self.rounding = rounding
        if Emin is not None:
            self.Emin = _dec_whole(Emin, -MAX_EMAX, 0, "range for Emin is [MIN_EMIN, 0]")
        if Emax is not None:
            self.Emax = _dec_whole(Emax, 0, MAX_EMAX, "range for Emax is [0, MAX_EMAX]")
        if capitals is not None:
            self.capitals = _dec_whole(capitals, 0, 1, "values for capitals are [0, 1]")
        if clamp is not None:
            self.clamp = _dec_whole(clamp, 0, 1, "values for clamp are [0, 1]")
        if flags is not None:
            self.flags = _marks(flags, ())
        if traps is not None:
            self.traps = _marks(traps, ())

    @property
    def prec(self):
        return self._prec

    @prec.setter
    def prec(self, value):
        self._prec = _dec_whole(value, 1, MAX_PREC, "range for prec is [1, MAX_PREC]")

    @property
    def rounding(self):
        return self._rounding

    @rounding.setter
    def rounding(self, value):
        self._rounding = _rounding(value)

    def copy(self):
        new = Context(self.prec, self.rounding, self.Emin, self.Emax, self.capitals, self.clamp)
        new.flags = _marks(self.flags, ())
        new.traps = _marks(self.traps, ())
        return new

    __copy__ = copy

    def clear_flags(self):
        self.flags = _marks((), ())

    def clear_traps(self):
        self.traps = _marks((), ())

    def Etiny(self):
        return self.Emin - self.prec + 1

    def Etop(self):
        return self.Emax - self.prec + 1

    def create_decimal(self, num="0"):
        return _limit(_new(num, self), self)

    def create_decimal_from_float(self, f):
        return _limit(Decimal.from_float(f), self)

    def add(self, a, b):
        return _add(_need(a), _need(b), self)

    def subtract(self, a, b):
        return _add(_need(a), _need(b), self, 1)

    def multiply(self, a, b):
        return _multiply(_need(a), _need(b), self)

    def divide(self, a, b):
        return _divide(_need(a), _need(b), self)

    def divide_int(self, a, b):
        return _parts(_need(a), _need(b), self, 1)

    def remainder(self, a, b):
        return _parts(_need(a), _need(b), self, 2)

    def power(self, a, b, modulo=None):
        return _power(_need(a), _need(b), self) if modulo is None else _throw("power with a modulo")

    def quantize(self, a, b):
        return _need(a).quantize(b, None, self)

    def sqrt(self, a):
        return _need(a).sqrt(self)

    def exp(self, a):
        return _need(a).exp(self)

    def ln(self, a):
        return _need(a).ln(self)

    def log10(self, a):
        return _need(a).log10(self)

    def plus(self, a):
        return _limit(_need(a), self)

    def abs(self, a):
        return _limit(_need(a).copy_abs(), self)

    def compare(self, a, b):
        return _need(a).compare(b, self)

    def normalize(self, a):
        return _need(a).normalize(self)

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


def _rounding(value):
    if not isinstance(value, str) or value not in _ROUNDINGS:
        lines = [", ".join(names) for names in (_ROUNDINGS[:4], _ROUNDINGS[4:7], _ROUNDINGS[7:])]
        raise TypeError("valid values for rounding are:\n  [" + ",\n   ".join(lines) + "]")
    return value


# The current context, then the one from which new contexts are made.
_STATE = []
_STATE.append(Context())
_STATE.append(Context())
DefaultContext = _STATE[1]
BasicContext = Context(9, "ROUND_HALF_UP", traps=_SIGNALS[:1] + _SIGNALS[2:5]
                                         + _SIGNALS[8:])
ExtendedContext = Context(9, "ROUND_HALF_EVEN", traps=())


def _context(given):
    if given is None:
        return _STATE[0]
    if not isinstance(given, Context):
        raise TypeError("optional argument must be a context")
    return given


def getcontext():
    return _STATE[0]


def setcontext(context):
    if not isinstance(context, Context):
        raise TypeError("argument must be a context")
    known = context in (DefaultContext, BasicContext, ExtendedContext)
    _STATE[0] = context.copy() if known else context


class _Manager:
    def __init__(self, context):
        self._new = context

    def __enter__(self):
        self._old = _STATE[0]
        _STATE[0] = self._new
        return self._new

    def __exit__(self, kind, value, trace):
        _STATE[0] = self._old
        return False


_rename(_Manager, "ContextManager")


def localcontext(ctx=None, **kwargs):
    new = _context(ctx).copy()
    new._change(**kwargs)
    return _Manager(new)


# -- rounding


def _digits(n):
    """How many digits a number from 0 has."""
    if n < 1000000000000000:
        return _len(_str(n))
    k = (n.bit_length() - 1) * 30102999566 // 100000000000
    while n >= 10 ** k:
        k += 1
    return k


def _drop(sign, coef, count, rounding):
    """The digits without the last `count` of them, rounded, and whether that is inexact."""
    if count > _digits(coef) + 1:
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


def _scaled(sign, coef, was, exp, rounding):
    """The digits for another exponent, and whether that is inexact."""
    if coef == 0:
        return 0, False
    return (coef * 10 ** (was - exp), False) if was >= exp else _drop(sign, coef, exp - was, rounding)


def _fix(sign, coef, exp, ctx, rounding=None):
    """A number as a context has it: with no more digits than its precision, and an exponent in its range."""
    prec = ctx._prec
    size = _digits(coef)
    if size <= prec and ctx.Emin <= exp <= ctx.Emax - prec + 1:
        return _make(sign, coef, exp)
    rounding = ctx._rounding if rounding is None else rounding
    tiny = ctx.Emin - prec + 1
    top = ctx.Emax - prec + 1
    if coef == 0:
        fit = min(max(exp, tiny), top if ctx.clamp else ctx.Emax)
        if fit != exp:
            _signal(ctx, (Clamped,))
        return _make(sign, 0, fit)
    least = size + exp - prec
    found = []
    over = least > top
    if not over:
        small = least < tiny
        least = tiny if small else least
        if exp < least:
            coef, inexact = _drop(sign, coef, least - exp, rounding)
            exp = least
            if _digits(coef) > prec:
                coef //= 10
                exp += 1
            over = exp > top
            found.append(Rounded)
            if inexact:
                found.append(Inexact)
                if small:
                    found.append(Underflow)
            if coef == 0:
                found.append(Clamped)
        if small:
            found.append(Subnormal)
    if over:
        _signal(ctx, (Overflow, Inexact, Rounded))
        away = rounding[:10] == "ROUND_HALF" or rounding in ("ROUND_UP", "ROUND_FLOOR" if sign else "ROUND_CEILING")
        return _make(sign, 0, 0, "F") if away else _make(sign, 10 ** prec - 1, top)
    if ctx.clamp and exp > top:
        coef *= 10 ** (exp - top)
        exp = top
        found.append(Clamped)
    if found:
        _signal(ctx, found)
    return _make(sign, coef, exp)
