# Durations of `datetime`, and the common part of dates and times.
# Level: methods

MINYEAR = 1
MAXYEAR = 9999

_DAYS = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_BEFORE = (0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
                "November", "December")
_WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class _Gap:
    """Stands for an argument that is not given."""


def _title(value):
    """The name of a value's type, as CPython's messages have it."""
    kind = _classof(value)
    known = (date, datetime, time, timedelta, timezone)
    for one in known:
        if kind is one:
            return "datetime." + kind.__name__
    return kind.__name__


def _index(value):
    if not isinstance(value, int):
        raise TypeError("'" + _classof(value).__name__ + "' object cannot be interpreted as an integer")
    if value > 9223372036854775807 or value < -9223372036854775808:
        raise OverflowError("Python int too large to convert to C long")
    if value > 2147483647:
        raise OverflowError("signed integer is greater than maximum")
    if value < -2147483648:
        raise OverflowError("signed integer is less than minimum")
    return int(value)


def _leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _month_days(year, month):
    return 29 if month == 2 and _leap(year) else _DAYS[month]


def _year_day(year, month, day):
    """The day's number in its year, from 1."""
    return _BEFORE[month] + (1 if month > 2 and _leap(year) else 0) + day


def _ordinal(year, month, day):
    before = year - 1
    return before * 365 + before // 4 - before // 100 + before // 400 + _year_day(year, month, day)


def _from_ordinal(n):
    """Year, month and day of a day's number from 0001-01-01, which is 1."""
    n400, n = divmod(n - 1, 146097)
    n100, n = divmod(n, 36524)
    n4, n = divmod(n, 1461)
    n1, n = divmod(n, 365)
    year = n400 * 400 + 1 + n100 * 100 + n4 * 4 + n1
    if n1 == 4 or n100 == 4:
        return year - 1, 12, 31
    month = 1
    while n >= _month_days(year, month):
        n -= _month_days(year, month)
        month += 1
    return year, month, n + 1


def _first_monday(year):
    """The ordinal of the Monday of week 1 of an ISO year."""
    first = _ordinal(year, 1, 1)
    weekday = (first + 6) % 7
    return first - weekday + (7 if weekday > 3 else 0)


def _from_week(year, week, day):
    """Year, month and day of a day of an ISO week."""
    if not 1 <= year <= 9999:
        raise ValueError("Year is out of range: " + _str(year))
    if week < 1 or week > 52 and not (week == 53 and _first_monday(year + 1) - _first_monday(year) == 371):
        raise ValueError("Invalid week: " + _str(week))
    if not 1 <= day <= 7:
        raise ValueError("Invalid day: " + _str(day) + " (range is [1, 7])")
    return _from_ordinal(_first_monday(year) + (week - 1) * 7 + day - 1)


def _digits(text, at, count):
    """The number of `count` digits at a place of a text, -1 if other characters are there."""
    part = text[at : at + count]
    if _len(part) != count or count == 0:
        return -1
    for c in part:
        if not "0" <= c <= "9":
            return -1
    return int(part)


def _parse(text):
    """Year, month and day of a date in an ISO format, None if it is none."""
    year = _digits(text, 0, 4)
    dashed = text[4:5] == "-"
    at = 5 if dashed else 4
    if year < 0:
        return None
    if text[at : at + 1] == "W":
        week = _digits(text, at + 1, 2)
        at += 3
        day = 1
        if at < _len(text):
            if dashed:
                if text[at : at + 1] != "-":
                    return None
                at += 1
            day = _digits(text, at, 1)
        if week < 0 or day < 0:
            return None
        if year == 0:
            return 1, 0, 0
        last = 53 if _first_monday(year + 1) - _first_monday(year) == 371 else 52
        return _from_week(year, week, day) if 1 <= week <= last and 1 <= day <= 7 else None
    month = _digits(text, at, 2)
    at += 2
    if dashed:
        if text[at : at + 1] != "-":
            return None
        at += 1
    day = _digits(text, at, 2)
    return None if month < 0 or day < 0 else (year, month, day)


def _check(year, month, day):
    if not 1 <= year <= 9999:
        raise ValueError("year " + _str(year) + " is out of range")
    if not 1 <= month <= 12:
        raise ValueError("month must be in 1..12")
    if not 1 <= day <= _month_days(year, month):
        raise ValueError("day is out of range for month")


def _order(left, right):
    """-1, 0 or 1, as one tuple is less than, equal to or greater than the other."""
    return -1 if left < right else 1 if left > right else 0


class _Ordered:
    """Comparisons by `_order`, which gives -1, 0, 1 or NotImplemented."""

    def __eq__(self, other):
        order = self._order(other, True)
        return order if order is NotImplemented else order == 0

    def __lt__(self, other):
        order = self._order(other, False)
        return order if order is NotImplemented else order < 0

    def __le__(self, other):
        order = self._order(other, False)
        return order if order is NotImplemented else order <= 0

    def __gt__(self, other):
        order = self._order(other, False)
        return order if order is NotImplemented else order > 0

    def __ge__(self, other):
        order = self._order(other, False)
        return order if order is NotImplemented else order >= 0


# -- durations


def _ratio(x):
    """Numerator and denominator of a float."""
    if x != x:
        raise ValueError("cannot convert NaN to integer ratio")
    if x - x != 0:
        raise OverflowError("cannot convert Infinity to integer ratio")
    below = 1
    while x != int(x):
        x *= 2.0
        below *= 2
    return int(x), below


def _nearest(a, b):
    """The integer nearest to a / b, the even one of two."""
    if b == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    if b < 0:
        a = -a
        b = -b
    q = a // b
    rest = 2 * (a - q * b)
    return q + 1 if rest > b or rest == b and q % 2 == 1 else q


def _span(micros):
    """A span of a number of microseconds."""
    return timedelta(0, 0, micros)


class timedelta(_Ordered):
    _value_fields_ = ("_days", "_seconds", "_microseconds")

    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        total = 0
        left = 0.0
        for name, value, unit in (
            ("microseconds", microseconds, 1),
            ("milliseconds", milliseconds, 1000),
            ("seconds", seconds, 1000000),
            ("minutes", minutes, 60000000),
            ("hours", hours, 3600000000),
            ("days", days, 86400000000),
            ("weeks", weeks, 604800000000),
        ):
            if isinstance(value, int):
                total += value * unit
            elif isinstance(value, float):
                whole = int(value)
                part = (value - whole) * unit
                total += whole * unit + int(part)
                left += part - int(part)
            else:
                kind = _classof(value).__name__
                raise TypeError("unsupported type for timedelta " + name + " component: " + kind)
        if left != 0:
            whole = int(left)
            part = left - whole
            total += whole
            if part > 0.5 or part == 0.5 and total % 2 == 1:
                total += 1
            elif part < -0.5 or part == -0.5 and total % 2 == 1:
                total -= 1
        rest, self._microseconds = divmod(total, 1000000)
        self._days, self._seconds = divmod(rest, 86400)
        if self._days > 2147483647 or self._days < -2147483648:
            raise OverflowError("Python int too large to convert to C int")
        if self._days > 999999999 or self._days < -999999999:
            raise OverflowError("days=" + _str(self._days) + "; must have magnitude <= 999999999")

    days = property(lambda self: self._days)
    seconds = property(lambda self: self._seconds)
    microseconds = property(lambda self: self._microseconds)

    def _micros(self):
        return (self._days * 86400 + self._seconds) * 1000000 + self._microseconds

    def total_seconds(self):
        return self._micros() / 1000000

    def __repr__(self):
        parts = []
        for name, value in (("days", self._days), ("seconds", self._seconds), ("microseconds", self._microseconds)):
            if value != 0:
                parts += [name + "=" + _str(value)]
        return _title(self) + "(" + (", ".join(parts) if parts else "0") + ")"

    def __str__(self):
        text = "%d:%02d:%02d" % (self._seconds // 3600, self._seconds // 60 % 60, self._seconds % 60)
        if self._days != 0:
            text = _str(self._days) + (" day, " if self._days in (1, -1) else " days, ") + text
        return text + ".%06d" % self._microseconds if self._microseconds else text

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return _span(self._micros() + other._micros())

    def __sub__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return _span(self._micros() - other._micros())

    def __neg__(self):
        return _span(-self._micros())

    def __pos__(self):
        return _span(self._micros())

    def __abs__(self):
        return -self if self._days < 0 else +self

    def __mul__(self, other):
        if isinstance(other, int):
            return _span(self._micros() * other)
        if isinstance(other, float):
            above, below = _ratio(other)
            return _span(_nearest(self._micros() * above, below))
        return NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self._micros() / other._micros()
        if isinstance(other, int):
            return _span(_nearest(self._micros(), other))
        if isinstance(other, float):
            above, below = _ratio(other)
            return _span(_nearest(self._micros() * below, above))
        return NotImplemented

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return self._micros() // other._micros()
        if isinstance(other, int):
            return _span(self._micros() // other)
        return NotImplemented

    def __mod__(self, other):
        if isinstance(other, timedelta):
            return _span(self._micros() % other._micros())
        return NotImplemented

    def __divmod__(self, other):
        if isinstance(other, timedelta):
            q = self._micros() // other._micros()
            return q, _span(self._micros() - q * other._micros())
        return NotImplemented

    def __bool__(self):
        return self._micros() != 0

    def __hash__(self):
        return hash((self._days, self._seconds, self._microseconds))

    def _order(self, other, equal):
        if not isinstance(other, timedelta):
            return NotImplemented
        return _order(self._micros(), other._micros())
_set_own(timedelta, "min", timedelta(-999999999))
_set_own(timedelta, "max", timedelta(999999999, 86399, 999999))
_set_own(timedelta, "resolution", timedelta(microseconds=1))


# -- formats


def _directive(c, day, clock):
    """Number, width and filling of a numeric directive, a text for others, None if it is none. A clock is a tuple."""
    year, month, number = day
    ordinal = _ordinal(year, month, number)
    yearday = _year_day(year, month, number)
    weekday = (ordinal + 6) % 7
    iso = year
    if ordinal < _first_monday(year):
        iso -= 1
    elif ordinal >= _first_monday(year + 1):
        iso += 1
    hour = clock[0]
    twelve = (hour + 11) % 12 + 1
    numbers = {
        "Y": (year, 1, "0"), "m": (month, 2, "0"), "d": (number, 2, "0"), "y": (year % 100, 2, "0"),
        "e": (number, 2, " "), "C": (year // 100, 1, "0"), "j": (yearday, 3, "0"), "u": (weekday + 1, 1, "0"),
        "w": ((weekday + 1) % 7, 1, "0"), "H": (hour, 2, "0"), "I": (twelve, 2, "0"), "k": (hour, 2, " "),
        "l": (twelve, 2, " "), "M": (clock[1], 2, "0"), "S": (clock[2], 2, "0"), "G": (iso, 1, "0"),
        "g": (iso % 100, 2, "0"), "V": ((ordinal - _first_monday(iso)) // 7 + 1, 2, "0"),
        "U": ((yearday + 6 - (weekday + 1) % 7) // 7, 2, "0"), "W": ((yearday + 6 - weekday) // 7, 2, "0"),
    }
    if c in numbers:
        return numbers[c]
    texts = {
        "b": _MONTHS[month - 1][:3], "h": _MONTHS[month - 1][:3], "B": _MONTHS[month - 1],
        "a": _WEEK[weekday][:3], "A": _WEEK[weekday], "p": "PM" if hour >= 12 else "AM",
        "P": "pm" if hour >= 12 else "am", "n": "\n", "t": "\t", "%": "%",
    }
    return texts[c] if c in texts else None


_WHOLE = {
    "c": "%a %b %e %H:%M:%S %Y", "x": "%m/%d/%y", "X": "%H:%M:%S", "D": "%m/%d/%y", "F": "%Y-%m-%d", "T": "%H:%M:%S",
    "R": "%H:%M", "r": "%I:%M:%S %p",
}


def _date_format(spec, value, day, clock):
    """A text in a format of `strftime`, in the C locale and with the flags of glibc."""
    if not isinstance(spec, str):
        raise TypeError("strftime() argument 1 must be str, not " + _classof(spec).__name__)
    out = ""
    at = 0
    while at < _len(spec):
        c = spec[at]
        at += 1
        if c != "%":
            out += c
            continue
        start = at
        c = spec[at : at + 1]
        if c == "z" or c == "Z":
            if isinstance(value, (datetime, time)):
                out += _offset_text(value.utcoffset(), "") if c == "z" else value.tzname() or ""
            at += 1
            continue
        if c == "f":
            out += "%06d" % clock[3]
            at += 1
            continue
        flag = ""
        upper = False
        while c != "" and c in "-_0^":
            if c == "^":
                upper = True
            else:
                flag = c
            at += 1
            c = spec[at : at + 1]
        at += 1
        if c != "" and c in "s:EO+#123456789" or at > start + 1 and c != "" and (c in "zZ" or c in _WHOLE):
            _throw("the directive " + spec[start - 1 : at] + " of strftime")
        if c in _WHOLE:
            out += _date_format(_WHOLE[c], value, day, clock)
            continue
        found = None if c == "" else _directive(c, day, clock)
        if found is None:
            if upper:
                _throw("the directive " + spec[start - 1 : at] + " of strftime")
            out += spec[start - 1 : at]
        elif isinstance(found, str):
            out += found.upper() if upper and c != "P" else found
        else:
            number, width, fill = found
            if c in "YGC" and flag in ("_", "0") and day[0] < 1001:
                _throw("the directive %" + flag + c + " of strftime for an early year")
            text = _str(number)
            if flag != "-":
                fill = " " if flag == "_" else "0" if flag == "0" else fill
                text = fill * (width - _len(text)) + text
            out += text
    return out
