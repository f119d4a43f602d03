# `fractions.Fraction`: two ints in lowest terms, the denominator positive. Works as in 3.11.
# Level: methods

_PRIME = 2305843009213693951


def _gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return -a if a < 0 else a


def _is_decimal(x):
    kind = _classof(x)
    return hasattr(kind, "as_integer_ratio") and hasattr(kind, "to_eng_string")


def _foreign(x):
    """Stops at numbers of kinds that are unknown here: what they give is for `numbers` and numpy to say."""
    kind = _classof(x)
    if kind.__module__ == "numpy" or hasattr(kind, "numerator"):
        _throw("fractions.Fraction with a number of another kind")
    if hasattr(kind, "as_integer_ratio") and not isinstance(x, float) and not _is_decimal(x):
        _throw("fractions.Fraction with a number of another kind")


def _no_complex(x):
    if isinstance(x, complex):
        _throw("fractions.Fraction with complex numbers")


def _set(x, n, d):
    """Gives `x` the value n/d, in lowest terms."""
    if d == 0:
        raise ZeroDivisionError(f"Fraction({n}, 0)")
    if d != 1:
        common = _gcd(n, d)
        if d < 0:
            common = -common
        if common != 1:
            n //= common
            d //= common
    x._numerator = n
    x._denominator = d


def _make(n, d):
    x = object.__new__(Fraction)
    _set(x, n, d)
    return x


def _frac_ready(n, d):
    """A Fraction of two ints that are in lowest terms already."""
    x = object.__new__(Fraction)
    x._numerator = n
    x._denominator = d
    return x


def _ratio(x):
    """The two ints of an int or a Fraction, None for others."""
    if isinstance(x, Fraction):
        return x._numerator, x._denominator
    if isinstance(x, int):
        return int(x), 1
    return None


def _digits(text):
    """Whether these are digits, with single underscores between them at most."""
    for part in text.split("_"):
        if not part.isdecimal():
            return False
    return True


def _bad(text):
    raise ValueError("Invalid literal for Fraction: " + _repr(text))


def _parse(given):
    text = given.strip()
    minus = text[:1] == "-"
    if minus or text[:1] == "+":
        text = text[1:]
    if "/" in text:
        whole, mark, below = text.partition("/")
        if not _digits(whole) or not _digits(below):
            _bad(given)
        n = int(whole)
        d = int(below)
        return (-n if minus else n), d
    mantissa, mark, power = text.replace("E", "e").partition("e")
    if mark and not _digits(power[1:] if power[:1] in ("+", "-") else power):
        _bad(given)
    whole, dot, places = mantissa.partition(".")
    if whole == "":
        if not _digits(places):
            _bad(given)
    elif not _digits(whole):
        _bad(given)
    elif places.strip("dD") != "" and not _digits(places):
        # 3.11.7 passes the letter d on to `int`, which then raises its own error
        _bad(given)
    n = int(whole) if whole else 0
    d = 1
    if places:
        places = places.replace("_", "")
        d = 10 ** _len(places)
        n = n * d + int(places)
    if mark:
        shift = int(power)
        if shift >= 0:
            n *= 10 ** shift
        else:
            d *= 10 ** -shift
    return (-n if minus else n), d


def _apply(exact, rough, self, value, turned):
    """What an operator gives; `turned` for the one on the right."""
    pair = _ratio(value)
    if pair is not None:
        n, d = pair
        if turned:
            return exact(n, d, self._numerator, self._denominator)
        return exact(self._numerator, self._denominator, n, d)
    if isinstance(value, float):
        if turned:
            return rough(float(value), self._numerator / self._denominator)
        return rough(self._numerator / self._denominator, value)
    _no_complex(value)
    _foreign(value)
    return NotImplemented


def _add(a, b, c, d):
    if b == d:
        return _make(a + c, b)
    return _make(a * d + c * b, b * d)


def _sub(a, b, c, d):
    return _add(a, b, -c, d)


def _mul(a, b, c, d):
    return _make(a * c, b * d)


def _div(a, b, c, d):
    if c == 0:
        raise ZeroDivisionError(f"Fraction({(a > 0) - (a < 0)}, 0)")
    return _make(a * d, b * c)


def _floordiv(a, b, c, d):
    return (a * d) // (b * c)


def _mod(a, b, c, d):
    return _make((a * d) % (b * c), b * d)


def _divmod(a, b, c, d):
    quotient, rest = divmod(a * d, b * c)
    return quotient, _make(rest, b * d)


def _rough_add(x, y):
    return x + y


def _rough_sub(x, y):
    return x - y


def _rough_mul(x, y):
    return x * y


def _rough_div(x, y):
    return x / y


def _rough_floordiv(x, y):
    return x // y


def _rough_mod(x, y):
    return x % y


def _rough_divmod(x, y):
    return divmod(x, y)


def _rough_power(x, y):
    """x ** y of a float and a float or int; a complex result is not supported."""
    if x < 0.0 and x - x == 0.0 and y - y == 0 and y != y // 1:
        _throw("a complex power of a negative number")
    return x ** y


def _power(n, d, times):
    if times >= 0:
        return _frac_ready(n ** times, d ** times)
    if n == 0:
        raise ZeroDivisionError("Fraction(1, 0)")
    if n > 0:
        return _frac_ready(d ** -times, n ** -times)
    return _frac_ready((-d) ** -times, (-n) ** -times)


def _order(self, value):
    """Whether the difference to a value is negative, zero or positive; None for an unordered pair."""
    pair = _ratio(value)
    if pair is None:
        if isinstance(value, float):
            if value != value:
                return None
            if value - value != 0.0:
                return -1 if value > 0.0 else 1
            pair = value.as_integer_ratio()
        elif _is_decimal(value):
            # a Decimal on the left also defers to the Fraction
            if not value.is_finite():
                _throw("a Fraction compared with a Decimal that is not finite")
            pair = value.as_integer_ratio()
        else:
            _foreign_order(value)
            return NotImplemented
    n, d = pair
    left = self._numerator * d
    right = n * self._denominator
    return (left > right) - (left < right)


def _foreign_order(value):
    if not isinstance(value, complex):
        _foreign(value)


class Fraction:
    _value_fields_ = ("_numerator", "_denominator")

    def __init__(self, numerator=0, denominator=None, *more, _normalize=True):
        if more:
            count = _len(more) + 3
            raise TypeError(f"Fraction.__new__() takes from 1 to 3 positional arguments but {count} were given")
        if denominator is None:
            if isinstance(numerator, str):
                n, d = _parse(numerator)
                _set(self, n, d)
                return
            pair = _ratio(numerator)
            if pair is None:
                if not isinstance(numerator, float) and not _is_decimal(numerator):
                    _foreign(numerator)
                    raise TypeError("argument should be a string or a Rational instance")
                pair = numerator.as_integer_ratio()
            self._numerator, self._denominator = pair
            return
        above = _ratio(numerator)
        below = _ratio(denominator)
        if above is None or below is None:
            _foreign(numerator) if above is None else None
            _foreign(denominator) if below is None else None
            raise TypeError("both arguments should be Rational instances")
        n = above[0] * below[1]
        d = above[1] * below[0]
        if not _normalize and (d < 0 or _gcd(n, d) > 1):
            _throw("a Fraction that is not in lowest terms")
        _set(self, n, d)

    def __init_subclass__(cls, **keywords):
        # CPython sets the value in `__new__`, here `__init__` does, so that no class may intervene
        if cls.__init__ is not Fraction.__init__ or cls.__new__ is not Fraction.__new__:
            _throw("a subclass of fractions.Fraction with an __init__ or __new__ of its own")
        super(Fraction, cls).__init_subclass__(**keywords)

    @classmethod
    def from_float(cls, f):
        if isinstance(f, int):
            return cls(f)
        if not isinstance(f, float):
            _foreign(f) if not isinstance(f, Fraction) else None
            name = _classof(f).__name__
            raise TypeError(f"{cls.__name__}.from_float() only takes floats, not {_repr(f)} ({name})")
        n, d = f.as_integer_ratio()
        return cls(n, d)

    @classmethod
    def from_decimal(cls, dec):
        if isinstance(dec, int):
            return cls(int(dec))
        if not _is_decimal(dec):
            _foreign(dec) if not isinstance(dec, Fraction) else None
            name = _classof(dec).__name__
            raise TypeError(f"{cls.__name__}.from_decimal() only takes Decimals, not {_repr(dec)} ({name})")
        n, d = dec.as_integer_ratio()
        return cls(n, d)

    numerator = property(lambda self: self._numerator)
    denominator = property(lambda self: self._denominator)
    real = property(lambda self: +self)
    imag = property(lambda self: 0)

    def conjugate(self):
        return +self

    def as_integer_ratio(self):
        return self._numerator, self._denominator

    def limit_denominator(self, max_denominator=1000000):
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if not isinstance(max_denominator, int):
            _throw("Fraction.limit_denominator with a limit that is no int")
        if self._denominator <= max_denominator:
            return _frac_ready(self._numerator, self._denominator)
        # the last two convergents: above / below, older_above / older_below
        older_above = 0
        older_below = 1
        above = 1
        below = 0
        n = self._numerator
        d = self._denominator
        while True:
            part = n // d
            if older_below + part * below > max_denominator:
                break
            older_above, above = above, older_above + part * above
            older_below, below = below, older_below + part * below
            n, d = d, n - part * d
        steps = (max_denominator - older_below) // below
        near = _make(older_above + steps * above, older_below + steps * below)
        last = _make(above, below)
        return near if abs(near - self) < abs(last - self) else last

    def __repr__(self):
        return f"{_classof(self).__name__}({self._numerator}, {self._denominator})"

    def __str__(self):
        if self._denominator == 1:
            return _str(self._numerator)
        return f"{self._numerator}/{self._denominator}"

    def __format__(self, spec):
        if spec != "":
            raise TypeError(f"unsupported format string passed to {_classof(self).__name__}.__format__")
        return _str(self)

    def __hash__(self):
        n = abs(self._numerator)
        rest = self._denominator % _PRIME
        if rest == 0:
            value = 314159
        elif self._denominator == 1:
            value = n % _PRIME
        else:
            value = n % _PRIME * pow(rest, _PRIME - 2, _PRIME) % _PRIME
        if self._numerator < 0:
            return -2 if value == 1 else -value
        return value

    def __bool__(self):
        return self._numerator != 0

    def __eq__(self, other):
        if isinstance(other, complex) and other.imag == 0:
            other = other.real
        order = _order(self, other)
        return order if order is NotImplemented else order == 0

    def __lt__(self, other):
        order = _order(self, other)
        return order if order is NotImplemented else order is not None and order < 0

    def __le__(self, other):
        order = _order(self, other)
        return order if order is NotImplemented else order is not None and order <= 0

    def __gt__(self, other):
        order = _order(self, other)
        return order if order is NotImplemented else order is not None and order > 0

    def __ge__(self, other):
        order = _order(self, other)
        return order if order is NotImplemented else order is not None and order >= 0

    def __add__(self, other):
        return _apply(_add, _rough_add, self, other, False)

    def __radd__(self, other):
        return _apply(_add, _rough_add, self, other, True)

    def __sub__(self, other):
        return _apply(_sub, _rough_sub, self, other, False)

    def __rsub__(self, other):
        return _apply(_sub, _rough_sub, self, other, True)

    def __mul__(self, other):
        return _apply(_mul, _rough_mul, self, other, False)

    def __rmul__(self, other):
        return _apply(_mul, _rough_mul, self, other, True)

    def __truediv__(self, other):
        return _apply(_div, _rough_div, self, other, False)

    def __rtruediv__(self, other):
        return _apply(_div, _rough_div, self, other, True)

    def __floordiv__(self, other):
        return _apply(_floordiv, _rough_floordiv, self, other, False)

    def __rfloordiv__(self, other):
        return _apply(_floordiv, _rough_floordiv, self, other, True)

    def __mod__(self, other):
        return _apply(_mod, _rough_mod, self, other, False)

    def __rmod__(self, other):
        return _apply(_mod, _rough_mod, self, other, True)

    def __divmod__(self, other):
        return _apply(_divmod, _rough_divmod, self, other, False)

    def __rdivmod__(self, other):
        return _apply(_divmod, _rough_divmod, self, other, True)

    def __pow__(self, other):
        pair = _ratio(other)
        if pair is not None and pair[1] == 1:
            return _power(self._numerator, self._denominator, pair[0])
        base = self._numerator / self._denominator
        if pair is not None:
            return _rough_power(base, pair[0] / pair[1])
        if isinstance(other, float):
            return _rough_power(base, other)
        _no_complex(other)
        _foreign(other)
        return base ** other

    def __rpow__(self, other):
        whole = self._denominator == 1
        if whole and self._numerator >= 0:
            _no_complex(other)
            _foreign(other) if _ratio(other) is None else None
            return other ** self._numerator
        pair = _ratio(other)
        if pair is not None:
            return _make(pair[0], pair[1]) ** self
        _no_complex(other)
        _foreign(other)
        if whole:
            return other ** self._numerator
        power = self._numerator / self._denominator
        return _rough_power(other, power) if isinstance(other, float) else other ** power

    def __pos__(self):
        return _frac_ready(self._numerator, self._denominator)

    def __neg__(self):
        return _frac_ready(-self._numerator, self._denominator)

    def __abs__(self):
        return _frac_ready(abs(self._numerator), self._denominator)

    def __float__(self):
        return self._numerator / self._denominator

    def __int__(self):
        return self.__trunc__()

    def __trunc__(self):
        if self._numerator < 0:
            return -(-self._numerator // self._denominator)
        return self._numerator // self._denominator

    def __floor__(self):
        return self._numerator // self._denominator

    def __ceil__(self):
        return -(-self._numerator // self._denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            whole, rest = divmod(self._numerator, self._denominator)
            twice = rest * 2
            if twice > self._denominator or (twice == self._denominator and whole % 2 == 1):
                whole += 1
            return whole
        if not isinstance(ndigits, int):
            _throw("round of a Fraction to digits that are no int")
        if ndigits > 0:
            shift = 10 ** ndigits
            return _make(round(_make(self._numerator * shift, self._denominator)), shift)
        shift = 10 ** -ndigits
        return _frac_ready(round(_make(self._numerator, self._denominator * shift)) * shift, 1)

    def __copy__(self):
        if _classof(self) is Fraction:
            return self
        return _classof(self)(self._numerator, self._denominator)

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        _throw("pickling a Fraction")
