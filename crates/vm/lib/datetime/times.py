# Dates and time zones of `datetime`.
# Level: methods

import time as _time


class _Iso:
    def __init__(self, year, week, weekday):
        self._all = (year, week, weekday)

    year = property(lambda self: self._all[0])
    week = property(lambda self: self._all[1])
    weekday = property(lambda self: self._all[2])

    def __getitem__(self, at):
        return self._all[at]

    def __iter__(self):
        return iter(self._all)

    def __len__(self):
        return 3

    def _order(self, other, equal):
        if not isinstance(other, (tuple, _Iso)):
            return NotImplemented
        return _order(self._all, other._all if isinstance(other, _Iso) else other)

    __eq__ = _Ordered.__eq__
    __lt__ = _Ordered.__lt__
    __le__ = _Ordered.__le__
    __gt__ = _Ordered.__gt__
    __ge__ = _Ordered.__ge__

    def __hash__(self):
        return hash(self._all)

    def __repr__(self):
        return "datetime.IsoCalendarDate(year=%d, week=%d, weekday=%d)" % self._all


_rename(_Iso, "IsoCalendarDate")


class date(_Ordered):
    _value_fields_ = ("_year", "_month", "_day")

    def __init__(self, year=_Gap, month=_Gap, day=_Gap):
        self._set_date(year, month, day)

    def _set_date(self, year, month, day):
        numbers = []
        for at, name, value in ((1, "year", year), (2, "month", month), (3, "day", day)):
            if value is _Gap:
                raise TypeError("function missing required argument '" + name + "' (pos " + _str(at) + ")")
            numbers += [_index(value)]
        self._year, self._month, self._day = numbers
        _check(self._year, self._month, self._day)

    year = property(lambda self: self._year)
    month = property(lambda self: self._month)
    day = property(lambda self: self._day)

    @classmethod
    def today(cls):
        if _assumes("clock", ""):
            return _unknown("the clock")
        now = datetime._from_seconds(_time.time(), 0, None)
        return cls(now._year, now._month, now._day)

    @classmethod
    def fromtimestamp(cls, timestamp):
        moment = datetime._from_seconds(timestamp, 0, None)
        return cls(moment._year, moment._month, moment._day)

    @classmethod
    def fromordinal(cls, ordinal):
        if _index(ordinal) < 1:
            raise ValueError("ordinal must be >= 1")
        return cls(*_from_ordinal(ordinal))

    @classmethod
    def fromisoformat(cls, date_string):
        if not isinstance(date_string, str):
            raise TypeError("fromisoformat: argument must be str")
        found = _parse(date_string) if _len(date_string) in (7, 8, 10) else None
        if found is None:
            raise ValueError("Invalid isoformat string: " + _repr(date_string))
        return cls(*found)

    @classmethod
    def fromisocalendar(cls, year, week, day):
        return cls(*_from_week(_index(year), _index(week), _index(day)))

    def toordinal(self):
        return _ordinal(self._year, self._month, self._day)

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return (self.toordinal() + 6) % 7 + 1

    def isocalendar(self):
        today = self.toordinal()
        year = self._year
        if today < _first_monday(year):
            year -= 1
        elif today >= _first_monday(year + 1):
            year += 1
        return _Iso(year, (today - _first_monday(year)) // 7 + 1, self.isoweekday())

    def timetuple(self):
        return _time._time_tuple(self, -1)

    def replace(self, year=_Gap, month=_Gap, day=_Gap):
        return _classof(self)(
            self._year if year is _Gap else year,
            self._month if month is _Gap else month,
            self._day if day is _Gap else day,
        )

    def isoformat(self):
        return "%04d-%02d-%02d" % (self._year, self._month, self._day)

    def _clock(self):
        return (0, 0, 0, 0)

    def strftime(self, format):
        return _date_format(format, self, (self._year, self._month, self._day), self._clock())

    def ctime(self):
        day = (self._year, self._month, self._day)
        return _date_format("%a %b %e %H:%M:%S ", self, day, self._clock()) + "%04d" % self._year

    def __format__(self, spec):
        return self.strftime(spec) if spec != "" else _str(self)

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        return _title(self) + "(%d, %d, %d)" % (self._year, self._month, self._day)

    def __hash__(self):
        year = self._year
        return hash(bytes([year // 256, year % 256, self._month, self._day]))

    def _order(self, other, equal):
        if not isinstance(other, date):
            return NotImplemented
        if isinstance(other, datetime) and _classof(self) is date:
            if equal:
                return 1
            raise TypeError("can't compare " + _title(other) + " to " + _title(self))
        return _order((self._year, self._month, self._day), (other._year, other._month, other._day))

    def _moved(self, days):
        ordinal = self.toordinal() + days
        if not 1 <= ordinal <= 3652059:
            raise OverflowError("date value out of range")
        return _classof(self)(*_from_ordinal(ordinal))

    def __add__(self, other):
        return self._moved(other._days) if isinstance(other, timedelta) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self._moved(-other._days)
        if isinstance(other, datetime):
            raise TypeError(f"unsupported operand type(s) for -: '{_title(self)}' and '{_title(other)}'")
        if isinstance(other, date):
            return timedelta(self.toordinal() - other.toordinal())
        return NotImplemented
_set_own(date, "min", date(1, 1, 1))
_set_own(date, "max", date(9999, 12, 31))
_set_own(date, "resolution", timedelta(1))


# -- time zones


class tzinfo:
    def utcoffset(self, dt):
        raise NotImplementedError("a tzinfo subclass must implement utcoffset()")

    def tzname(self, dt):
        raise NotImplementedError("a tzinfo subclass must implement tzname()")

    def dst(self, dt):
        raise NotImplementedError("a tzinfo subclass must implement dst()")

    def fromutc(self, dt):
        if not isinstance(dt, datetime):
            raise TypeError("fromutc: argument must be a datetime")
        if dt._tzinfo is not self:
            raise ValueError("fromutc: dt.tzinfo is not self")
        offset = dt.utcoffset()
        if offset is None:
            raise ValueError("fromutc: non-None utcoffset() result required")
        saved = dt.dst()
        if saved is None:
            raise ValueError("fromutc: non-None dst() result required")
        if offset != saved:
            dt = dt + (offset - saved)
            saved = dt.dst()
            if saved is None:
                raise ValueError("fromutc: tz.dst() gave inconsistent results; cannot convert")
        return dt + saved


def _offset_text(offset, colon):
    """An offset as in +05:30, with a text in place of the colons."""
    if offset is None:
        return ""
    sign = "-" if offset._days < 0 else "+"
    offset = +abs(offset)
    seconds = offset._seconds
    text = sign + "%02d" % (seconds // 3600) + colon + "%02d" % (seconds // 60 % 60)
    if seconds % 60 != 0 or offset._microseconds != 0:
        text += colon + "%02d" % (seconds % 60)
    return text + ".%06d" % offset._microseconds if offset._microseconds else text


class timezone(tzinfo):
    def __init__(self, offset, name=_Gap):
        if not isinstance(offset, timedelta):
            raise TypeError("timezone() argument 1 must be datetime.timedelta, not " + _classof(offset).__name__)
        if name is not _Gap and not isinstance(name, str):
            raise TypeError("timezone() argument 2 must be str, not " + _classof(name).__name__)
        if not -86400000000 < offset._micros() < 86400000000:
            between = "strictly between -timedelta(hours=24) and timedelta(hours=24), not "
            raise ValueError("offset must be a timedelta " + between + _repr(offset) + ".")
        self._offset = offset
        self._name = None if name is _Gap else name

    def _dated(self, name, dt):
        if dt is not None and not isinstance(dt, datetime):
            kind = _classof(dt).__name__
            raise TypeError(name + "(dt) argument must be a datetime instance or None, not " + kind)

    def utcoffset(self, dt):
        self._dated("utcoffset", dt)
        return self._offset

    def tzname(self, dt):
        self._dated("tzname", dt)
        return _str(self)

    def dst(self, dt):
        self._dated("dst", dt)
        return None

    def fromutc(self, dt):
        if not isinstance(dt, datetime):
            raise TypeError("fromutc: argument must be a datetime")
        if dt._tzinfo is not self:
            raise ValueError("fromutc: dt.tzinfo is not self")
        return dt + self._offset

    def __eq__(self, other):
        return self._offset == other._offset if isinstance(other, timezone) else NotImplemented

    def __hash__(self):
        return hash(self._offset)

    def __str__(self):
        if self._name is not None:
            return self._name
        return "UTC" + _offset_text(self._offset, ":") if self._offset else "UTC"

    def __repr__(self):
        if self._name is None and not self._offset:
            return "datetime.timezone.utc"
        name = "" if self._name is None else ", " + _repr(self._name)
        return "datetime.timezone(" + _repr(self._offset) + name + ")"
UTC = timezone(timedelta(0))
_set_own(timezone, "utc", UTC)
_set_own(timezone, "min", timezone(timedelta(minutes=-1439)))
_set_own(timezone, "max", timezone(timedelta(minutes=1439)))


def _zone(offset):
    return timezone(offset) if offset else UTC


# Used where a parameter has the name of the class.
_date_class = date
_tzinfo_class = tzinfo
