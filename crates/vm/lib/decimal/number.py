# The class of `decimal`'s numbers.
# Level: methods


def _apply(work, a, value, turned, extra=0):
    """What an operator gives; `turned` for the one on the right."""
    b = _other(value)
    if b is None:
        return NotImplemented
    if turned:
        a, b = b, a
    return work(a, b, _STATE[0], extra)


class Decimal:
    _value_fields_ = ("_kind", "_sign", "_int", "_exp")

    def __new__(cls, value="0", context=None):
        x = _new(value, _context(context))
        if cls is Decimal and _classof(x) is cls:
            return x
        new = object.__new__(cls)
        new._sign = x._sign
        new._int = x._int
        new._exp = x._exp
        new._kind = x._kind
        return new

    @classmethod
    def from_float(cls, f):
        if not isinstance(f, (int, float)):
            raise TypeError("argument must be int or float")
        return cls(_of_float(f) if isinstance(f, float) else f)

    real = property(lambda self: self)
    imag = property(lambda self: _make(0, 0, 0))

    def __repr__(self):
        return "Decimal('" + _str(self) + "')"

    def __str__(self):
        return _dec_text(self, False, _STATE[0])

    def to_eng_string(self, context=None):
        return _dec_text(self, True, _context(context))

    def __format__(self, spec):
        return _dec_format(self, spec, _STATE[0])

    def __hash__(self):
        if self._kind == "N":
            raise TypeError("Cannot hash a signaling NaN value")
        if self._kind == "n":
            return object.__hash__(self)
        if self._kind == "F":
            return -314159 if self._sign else 314159
        prime = 2305843009213693951
        if self._exp >= 0:
            value = self._int * pow(10, self._exp, prime) % prime
        else:
            value = self._int * pow(pow(10, prime - 2, prime), -self._exp, prime) % prime
        return (-2 if value == 1 else -value) if self._sign else value

    def __bool__(self):
        return self._kind != "" or self._int != 0

    def __eq__(self, other):
        order = _order(self, other, True)
        return order if order is NotImplemented else order == 0

    def __lt__(self, other):
        order = _order(self, other, False)
        return order if order is NotImplemented else order is not None and order < 0

    def __le__(self, other):
        order = _order(self, other, False)
        return order if order is NotImplemented else order is not None and order <= 0

    def __gt__(self, other):
        order = _order(self, other, False)
        return order if order is NotImplemented else order is not None and order > 0

    def __ge__(self, other):
        order = _order(self, other, False)
        return order if order is NotImplemented else order is not None and order >= 0

    def __add__(self, other):
        return _apply(_add, self, other, False)

    __radd__ = __add__

    def __sub__(self, other):
        return _apply(_add, self, other, False, 1)

    def __rsub__(self, other):
        return _apply(_add, self, other, True, 1)

    def __mul__(self, other):
        return _apply(_multiply, self, other, False)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return _apply(_divide, self, other, False)

    def __rtruediv__(self, other):
        return _apply(_divide, self, other, True)

    def __floordiv__(self, other):
        return _apply(_parts, self, other, False, 1)

    def __rfloordiv__(self, other):
        return _apply(_parts, self, other, True, 1)

    def __mod__(self, other):
        return _apply(_parts, self, other, False, 2)

    def __rmod__(self, other):
        return _apply(_parts, self, other, True, 2)

    def __divmod__(self, other):
        return _apply(_parts, self, other, False, 3)

    def __rdivmod__(self, other):
        return _apply(_parts, self, other, True, 3)

    def __pow__(self, other, modulo=None):
        if modulo is not None:
            _throw("a power of decimal.Decimal with a modulo")
        other = _other(other)
        return NotImplemented if other is None else _power(self, other, _STATE[0])

    def __rpow__(self, other):
        return _apply(_power, self, other, True)

    def __pos__(self):
        ctx = _STATE[0]
        zero = self._kind == "" and self._int == 0 and ctx._rounding != "ROUND_FLOOR"
        return _limit(self.copy_abs() if zero else self, ctx)

    def __neg__(self):
        ctx = _STATE[0]
        zero = self._kind == "" and self._int == 0 and ctx._rounding != "ROUND_FLOOR"
        return _limit(self.copy_abs() if zero or self._kind in ("n", "N") else self.copy_negate(), ctx)

    def __abs__(self):
        return _limit(self if self._kind in ("n", "N") else self.copy_abs(), _STATE[0])

    def _whole(self, rounding):
        if self._kind == "F":
            raise OverflowError("cannot convert Infinity to integer")
        if self._kind:
            raise ValueError("cannot convert NaN to integer")
        value = _scaled(self._sign, self._int, self._exp, 0, rounding)[0]
        return -value if self._sign else value

    def __int__(self):
        return self._whole("ROUND_DOWN")

    __trunc__ = __int__

    def __floor__(self):
        return self._whole("ROUND_FLOOR")

    def __ceil__(self):
        return self._whole("ROUND_CEILING")

    def __round__(self, n=None):
        if n is None:
            return self._whole("ROUND_HALF_EVEN")
        if not isinstance(n, int):
            raise TypeError("optional arg must be an integer")
        return self.quantize(_make(0, 1, -n))

    def __float__(self):
        if self._kind == "N":
            raise ValueError("cannot convert signaling NaN to float")
        return float("-nan" if self._sign else "nan") if self._kind == "n" else float(_str(self))

    def as_tuple(self):
        digits = (*[int(c) for c in _str(self._int)],) if self._int or self._kind in ("", "F") else ()
        return DecimalTuple(self._sign, digits, self._kind or self._exp)

    def as_integer_ratio(self):
        if self._kind == "F":
            raise OverflowError("cannot convert Infinity to integer ratio")
        if self._kind:
            raise ValueError("cannot convert NaN to integer ratio")
        above = self._int * 10 ** max(self._exp, 0)
        below = 10 ** max(-self._exp, 0)
        a = above
        b = below
        while b:
            a, b = b, a % b
        return (-above if self._sign else above) // a, below // a

    def is_zero(self):
        return self._kind == "" and self._int == 0

    def is_nan(self):
        return self._kind in ("n", "N")

    def is_qnan(self):
        return self._kind == "n"

    def is_snan(self):
        return self._kind == "N"

    def is_signed(self):
        return self._sign == 1

    def is_infinite(self):
        return self._kind == "F"

    def is_finite(self):
        return self._kind == ""

    def adjusted(self):
        return 0 if self._kind else self._exp + _digits(self._int) - 1

    def conjugate(self):
        return self

    canonical = conjugate
    __copy__ = conjugate

    def __deepcopy__(self, memo):
        return self

    def copy_abs(self):
        return _make(0, self._int, self._exp, self._kind)

    def copy_negate(self):
        return _make(1 - self._sign, self._int, self._exp, self._kind)

    def copy_sign(self, other, context=None):
        return _make(_need(other)._sign, self._int, self._exp, self._kind)

    def same_quantum(self, other, context=None):
        other = _need(other)
        if self._kind or other._kind:
            return self._kind.lower() == other._kind.lower()
        return self._exp == other._exp

    def compare(self, other, context=None):
        other = _need(other)
        bad = _nan(self, other, _context(context))
        if bad is not None:
            return bad
        order = _dec_compare(self, other)
        return _make(1 if order < 0 else 0, abs(order), 0)

    def _extreme(self, other, context, turn):
        other = _need(other)
        ctx = _context(context)
        if self._kind == "n" and other._kind in ("", "F"):
            return _limit(other, ctx)
        if other._kind == "n" and self._kind in ("", "F"):
            return _limit(self, ctx)
        bad = _nan(self, other, ctx)
        if bad is not None:
            return bad
        order = _dec_compare(self, other)
        if order == 0:
            order = other._sign - self._sign
            if order == 0:
                order = -1 if self._exp < other._exp else 1
                order = -order if self._sign else order
        return _limit(self if order * turn > 0 else other, ctx)

    def max(self, other, context=None):
        return self._extreme(other, context, 1)

    def min(self, other, context=None):
        return self._extreme(other, context, -1)

    def quantize(self, exp, rounding=None, context=None):
        exp = _need(exp)
        ctx = _context(context)
        rounding = ctx._rounding if rounding is None else _rounding(rounding)
        if self._kind or exp._kind:
            bad = _nan(self, exp, ctx)
            if bad is not None:
                return bad
            return _make(self._sign, 0, 0, "F") if self._kind and exp._kind else _invalid(ctx)
        to = exp._exp
        if not ctx.Emin - ctx._prec + 1 <= to <= ctx.Emax:
            return _invalid(ctx)
        if self._int == 0:
            return _fix(self._sign, 0, to, ctx)
        high = self.adjusted()
        if high > ctx.Emax or high - to + 1 > ctx._prec:
            return _invalid(ctx)
        coef, inexact = _scaled(self._sign, self._int, self._exp, to, rounding)
        size = _digits(coef)
        if size > ctx._prec or size + to - 1 > ctx.Emax:
            return _invalid(ctx)
        if to > self._exp:
            _signal(ctx, (Inexact, Rounded) if inexact else (Rounded,))
        return _fix(self._sign, coef, to, ctx)

    def to_integral_value(self, rounding=None, context=None):
        ctx = _context(context)
        rounding = ctx._rounding if rounding is None else _rounding(rounding)
        if self._kind:
            return _limit(self, ctx)
        if self._exp >= 0:
            return _make(self._sign, self._int, self._exp)
        return _make(self._sign, _scaled(self._sign, self._int, self._exp, 0, rounding)[0], 0)

    to_integral = to_integral_value

    def to_integral_exact(self, rounding=None, context=None):
        ctx = _context(context)
        new = self.to_integral_value(rounding, ctx)
        if self._kind == "" and self._exp < 0 and self._int:
            _signal(ctx, (Rounded,) if new == self else (Inexact, Rounded))
        return new

    def normalize(self, context=None):
        ctx = _context(context)
        x = _limit(self, ctx)
        if x._kind:
            return x
        coef = x._int
        exp = x._exp
        if coef == 0:
            return _make(x._sign, 0, 0)
        while coef % 10 == 0 and exp < (ctx.Emax - ctx._prec + 1 if ctx.clamp else ctx.Emax):
            coef //= 10
            exp += 1
        return _make(x._sign, coef, exp)

    def scaleb(self, other, context=None):
        ctx = _context(context)
        other = _need(other)
        bad = _nan(self, other, ctx)
        if bad is not None:
            return bad
        limit = 2 * (ctx.Emax + ctx._prec)
        if other._kind or other._exp != 0 or other._int > limit:
            return _invalid(ctx)
        if self._kind:
            return self
        return _fix(self._sign, self._int, self._exp + int(other), ctx)

    def fma(self, other, third, context=None):
        ctx = _context(context)
        other = _need(other)
        third = _need(third)
        if self._kind or other._kind or third._kind:
            _throw("decimal.Decimal.fma with special values")
        whole = _make(self._sign ^ other._sign, self._int * other._int, self._exp + other._exp)
        return _add(whole, third, ctx)

    def sqrt(self, context=None):
        ctx = _context(context)
        if self._kind in ("n", "N"):
            return _nan(self, self, ctx)
        if self._kind == "" and self._int == 0:
            return _fix(self._sign, 0, self._exp // 2, ctx)
        if self._sign:
            return _invalid(ctx)
        if self._kind:
            return self
        coef = self._int * 10 if self._exp % 2 else self._int
        exp = self._exp // 2
        shift = ctx._prec + 1 - (_digits(coef) + 1) // 2
        rest = 0
        if shift >= 0:
            coef *= 100 ** shift
        else:
            coef, rest = divmod(coef, 100 ** -shift)
        root = _root(coef)
        if rest == 0 and root * root == coef:
            root = root // 10 ** shift if shift >= 0 else root * 10 ** -shift
            return _fix(0, root, exp, ctx, "ROUND_HALF_EVEN")
        return _fix(0, root + 1 if root % 5 == 0 else root, exp - shift, ctx, "ROUND_HALF_EVEN")

    def exp(self, context=None):
        ctx = _context(context)
        if self._kind in ("n", "N"):
            return _nan(self, self, ctx)
        if self._kind:
            return _make(0, 0, 0) if self._sign else self
        if self._int == 0:
            return _make(0, 1, 0)
        high = self.adjusted()
        if high > 18:
            return _fix(0, 1, -3 * ctx.Emax if self._sign else 3 * ctx.Emax, ctx)
        p = ctx._prec + 12 + max(0, high + 1)
        if high < -p:
            return _near(0, 10 ** p - self._sign, -p, ctx)
        v = _scaled(0, self._int, self._exp, -p, "ROUND_DOWN")[0]
        return _exp(-v if self._sign else v, p, ctx)

    def _logarithm(self, context, ten):
        ctx = _context(context)
        if self._kind in ("n", "N"):
            return _nan(self, self, ctx)
        if self._kind == "" and self._int == 0:
            return _make(1, 0, 0, "F")
        if self._sign:
            return _invalid(ctx)
        if self._kind:
            return self
        digits = _str(self._int)
        if digits.rstrip("0") == "1" and (ten or self.adjusted() == 0):
            return _fix(1 if self.adjusted() < 0 else 0, abs(self.adjusted()), 0, ctx)
        p = ctx._prec + 12 + _close(self)
        v = _log(self, p)
        v = v * 10 ** p // _ten(p) if ten else v
        return _near(1 if v < 0 else 0, abs(v), -p, ctx)

    def ln(self, context=None):
        return self._logarithm(context, False)

    def log10(self, context=None):
        return self._logarithm(context, True)

    def __getattr__(self, name):
        if name in ("compare_signal", "compare_total", "compare_total_mag", "is_normal", "is_canonical",
                    "is_subnormal", "logb", "logical_and", "logical_invert", "logical_or", "logical_xor",
                    "max_mag", "min_mag", "next_minus", "next_plus", "next_toward", "number_class",
                    "radix", "remainder_near", "rotate", "shift"):
            _throw("the method " + name + " of decimal.Decimal")
        raise AttributeError("'decimal.Decimal' object has no attribute '" + name + "'")
