# Times, and dates with times, of `datetime`.
# Level: methods

import calendar
import time as _time


# Name of the local time zone in the sandbox.
_LOCAL = "UTC"


# -- times


def _parse_clock(text, at, end):
    """The four numbers of a time at a place of a text, and whether more follows; None if it is none."""
    found = [0, 0, 0, 0]
    colons = True
    for i in (0, 1, 2):
        found[i] = _digits(text, at, 2)
        if found[i] < 0:
            return None
        c = text[at + 2 : at + 3]
        at += 3
        if i == 0:
            colons = c == ":"
        if at >= end:
            return found, c != ""
        if colons and c == ":":
            continue
        if c == "." or c == ",":
            break
        if colons:
            return None
        at -= 1
    count = end - at if end - at < 6 else 6
    found[3] = _digits(text, at, count)
    if found[3] < 0:
        return None
    found[3] *= 10 ** (6 - count)
    at += count
    while "0" <= text[at : at + 1] <= "9":
        at += 1
    return found, text[at : at + 1] != ""


def _parse_time(text):
    """Arguments of `time` for a text in an ISO format, None if it is none."""
    end = 0
    while end < _len(text) and text[end] not in "+-Z":
        end += 1
    found = _parse_clock(text, 0, end)
    if found is None or end == _len(text) and found[1]:
        return None
    if end == _len(text):
        return (*found[0], None)
    if text[end] == "Z":
        return (*found[0], UTC) if end + 1 == _len(text) else None
    zone = _parse_clock(text, end + 1, _len(text))
    if zone is None or zone[1]:
        return None
    hour, minute, second, micro = zone[0]
    sign = -1 if text[end] == "-" else 1
    seconds = sign * (hour * 3600 + minute * 60 + second)
    if seconds == 0:
        return (*found[0], UTC)
    return (*found[0], _zone(timedelta(0, seconds, sign * micro)))


class _Clock(_Ordered):
    """What times and datetimes share."""

    def _set_clock(self, hour, minute, second, microsecond, tzinfo, fold):
        self._hour = _index(hour)
        self._minute = _index(minute)
        self._second = _index(second)
        self._microsecond = _index(microsecond)
        for name, value, last in (
            ("hour", self._hour, 23), ("minute", self._minute, 59), ("second", self._second, 59),
            ("microsecond", self._microsecond, 999999),
        ):
            if not 0 <= value <= last:
                raise ValueError(name + " must be in 0.." + _str(last))
        if fold not in (0, 1):
            raise ValueError("fold must be either 0 or 1")
        if tzinfo is not None and not isinstance(tzinfo, _tzinfo_class):
            kind = _classof(tzinfo).__name__
            raise TypeError("tzinfo argument must be None or of a tzinfo subclass, not type '" + kind + "'")
        self._tzinfo = tzinfo
        self._fold = fold

    hour = property(lambda self: self._hour)
    minute = property(lambda self: self._minute)
    second = property(lambda self: self._second)
    microsecond = property(lambda self: self._microsecond)
    tzinfo = property(lambda self: self._tzinfo)
    fold = property(lambda self: self._fold)

    def _clock(self):
        return (self._hour, self._minute, self._second, self._microsecond)

    def _asked(self):
        return self if isinstance(self, datetime) else None

    def utcoffset(self):
        return None if self._tzinfo is None else self._tzinfo.utcoffset(self._asked())

    def tzname(self):
        return None if self._tzinfo is None else self._tzinfo.tzname(self._asked())

    def dst(self):
        return None if self._tzinfo is None else self._tzinfo.dst(self._asked())

    def _iso_clock(self, timespec):
        text = "%02d:%02d:%02d" % (self._hour, self._minute, self._second)
        if timespec == "hours":
            text = text[:2]
        elif timespec == "minutes":
            text = text[:5]
        elif timespec == "milliseconds":
            text += ".%03d" % (self._microsecond // 1000)
        elif timespec == "microseconds" or timespec == "auto" and self._microsecond != 0:
            text += ".%06d" % self._microsecond
        elif timespec != "seconds" and timespec != "auto":
            raise ValueError("Unknown timespec value")
        return text + _offset_text(self.utcoffset(), ":")

    def _repr_with(self, numbers):
        while numbers[-1] == 0 and _len(numbers) > self._least:
            numbers = numbers[:-1]
        text = ", ".join([_str(number) for number in numbers])
        zone = "" if self._tzinfo is None else ", tzinfo=" + _repr(self._tzinfo)
        fold = ", fold=1" if self._fold else ""
        text += zone + fold if isinstance(self, time) else fold + zone
        return _title(self) + "(" + text + ")"

    def _micros(self):
        """Microseconds from the start of the calendar or the day, without the offset of the zone."""
        days = self.toordinal() if isinstance(self, datetime) else 0
        seconds = days * 86400 + self._hour * 3600 + self._minute * 60 + self._second
        return seconds * 1000000 + self._microsecond

    def _between(self, other, equal, does):
        """Microseconds from another time to this; None where they cannot be equal."""
        if self._tzinfo is other._tzinfo:
            return self._micros() - other._micros()
        mine = self.utcoffset()
        theirs = other.utcoffset()
        if (mine is None) != (theirs is None):
            if equal:
                return None
            kind = "times" if does == "compare" and isinstance(self, time) else "datetimes"
            raise TypeError("can't " + does + " offset-naive and offset-aware " + kind)
        between = self._micros() - other._micros()
        return between if mine is None else between - mine._micros() + theirs._micros()

    def __hash__(self):
        offset = self.utcoffset()
        if offset is not None:
            return hash(_span(self._micros() - offset._micros()))
        micro = self._microsecond
        day = []
        if isinstance(self, date):
            day = [self._year // 256, self._year % 256, self._month, self._day]
        clock = [self._hour, self._minute, self._second, micro // 65536, micro // 256 % 256, micro % 256]
        return hash(bytes([*day, *clock]))

    def __format__(self, spec):
        return self.strftime(spec) if spec != "" else _str(self)


class time(_Clock):
    _value_fields_ = ("_hour", "_minute", "_second", "_microsecond", "_tzinfo")
    _least = 2

    def __init__(self, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        self._set_clock(hour, minute, second, microsecond, tzinfo, fold)

    @classmethod
    def fromisoformat(cls, time_string):
        if not isinstance(time_string, str):
            raise TypeError("fromisoformat: argument must be str")
        found = _parse_time(time_string[1:] if time_string[:1] == "T" else time_string)
        if found is None:
            raise ValueError("Invalid isoformat string: " + _repr(time_string))
        return cls(*found)

    def isoformat(self, timespec="auto"):
        return self._iso_clock(timespec)

    def strftime(self, format):
        return _date_format(format, self, (1900, 1, 1), self._clock())

    def replace(self, *args, **kwargs):
        names = ("hour", "minute", "second", "microsecond", "tzinfo")
        return _classof(self)(**_changed(self, names, args, kwargs))

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        return self._repr_with([*self._clock()])

    def _order(self, other, equal):
        if not isinstance(other, time):
            return NotImplemented
        between = self._between(other, equal, "compare")
        return 1 if between is None else _order(between, 0)


def _changed(value, names, args, kwargs):
    """The arguments that make a time anew, with those given to `replace`."""
    given = {"fold": value._fold}
    for i, name in enumerate(names):
        given[name] = args[i] if i < _len(args) else getattr(value, name)
    if _len(args) > _len(names):
        raise TypeError("replace() takes at most " + _str(_len(names)) + " positional arguments")
    for name in kwargs:
        if name not in given:
            raise TypeError("'" + name + "' is an invalid keyword argument for replace()")
        given[name] = kwargs[name]
    return given
_set_own(time, "min", time(0, 0))
_set_own(time, "max", time(23, 59, 59, 999999))
_set_own(time, "resolution", timedelta(microseconds=1))


class datetime(_Clock, date):
    _value_fields_ = ("_year", "_month", "_day", "_hour", "_minute", "_second", "_microsecond", "_tzinfo")
    _least = 5

    def __init__(self, year=_Gap, month=_Gap, day=_Gap, hour=0, minute=0, second=0, microsecond=0,
                 tzinfo=None, *, fold=0):
        self._set_date(year, month, day)
        self._set_clock(hour, minute, second, microsecond, tzinfo, fold)

    @classmethod
    def today(cls):
        if _assumes("clock", ""):
            return _unknown("the clock")
        return cls._from_seconds(_time.time(), 0, None)

    @classmethod
    def now(cls, tz=None):
        if _assumes("clock", ""):
            return _unknown("the clock")
        if tz is None:
            return cls._from_seconds(_time.time(), 0, None)
        return cls.fromtimestamp(_time.time(), tz)

    @classmethod
    def utcnow(cls):
        if _assumes("clock", ""):
            return _unknown("the clock")
        return cls._from_seconds(_time.time(), 0, None)

    @classmethod
    def fromtimestamp(cls, timestamp, tz=None):
        if tz is None:
            return cls._from_seconds(timestamp, 0, None)
        if isinstance(tz, timezone):
            return cls._from_seconds(timestamp, tz._offset._micros(), tz)
        if not isinstance(tz, tzinfo):
            kind = _classof(tz).__name__
            raise TypeError("tzinfo argument must be None or of a tzinfo subclass, not type '" + kind + "'")
        return tz.fromutc(cls._from_seconds(timestamp, 0, tz))

    @classmethod
    def utcfromtimestamp(cls, timestamp):
        return cls._from_seconds(timestamp, 0, None)

    @classmethod
    def _from_seconds(cls, timestamp, offset, tz):
        if not isinstance(timestamp, (int, float)):
            raise TypeError("'" + _classof(timestamp).__name__ + "' object cannot be interpreted as an integer")
        if timestamp != timestamp:
            raise ValueError("Invalid value NaN (not a number)")
        if isinstance(timestamp, int):
            micros = timestamp * 1000000
        else:
            if timestamp - timestamp != 0:
                raise OverflowError("timestamp out of range for platform time_t")
            whole = int(timestamp)
            above, below = _ratio((timestamp - whole) * 1000000.0)
            micros = whole * 1000000 + _nearest(above, below)
        return cls._from_micros(micros + 62135683200000000 + offset, tz, False)

    @classmethod
    def _from_micros(cls, micros, tz, moved):
        """A datetime of the microseconds since the day before 0001-01-01."""
        seconds, micro = divmod(micros, 1000000)
        ordinal, second = divmod(seconds, 86400)
        if moved and not 1 <= ordinal <= 3652059:
            raise OverflowError("date value out of range")
        return cls(*_from_ordinal(ordinal), second // 3600, second // 60 % 60, second % 60, micro, tz)

    @classmethod
    def combine(cls, date, time, tzinfo=_Gap):
        if not isinstance(date, _date_class):
            raise TypeError("combine() argument 1 must be datetime.date, not " + _title(date))
        if not isinstance(time, _time_class):
            raise TypeError("combine() argument 2 must be datetime.time, not " + _title(time))
        zone = time._tzinfo if tzinfo is _Gap else tzinfo
        return cls(date._year, date._month, date._day, *time._clock(), zone, fold=time._fold)

    @classmethod
    def fromisoformat(cls, date_string):
        if not isinstance(date_string, str):
            raise TypeError("fromisoformat: argument must be str")
        at = _separator(date_string)
        day = None if _len(date_string) < 7 else _parse(date_string[:at])
        clock = ()
        if day is not None and _len(date_string) > at:
            clock = _parse_time(date_string[at + 1 :])
        if day is None or clock is None:
            raise ValueError("Invalid isoformat string: " + _repr(date_string))
        return cls(*day, *clock)

    @classmethod
    def strptime(cls, date_string, format):
        for i, value in ((1, date_string), (2, format)):
            if not isinstance(value, str):
                raise TypeError("strptime() argument %d must be str, not %s" % (i, _classof(value).__name__))
        return cls(*calendar._read(date_string, format))

    def date(self):
        return date(self._year, self._month, self._day)

    def time(self):
        return time(*self._clock(), fold=self._fold)

    def timetz(self):
        return time(*self._clock(), self._tzinfo, fold=self._fold)

    def timestamp(self):
        offset = self.utcoffset()
        past = 0 if offset is None else offset._micros()
        return (self._micros() - past - 62135683200000000) / 1000000

    def astimezone(self, tz=None):
        if tz is not None and not isinstance(tz, tzinfo):
            kind = _classof(tz).__name__
            raise TypeError("tzinfo argument must be None or of a tzinfo subclass, not type '" + kind + "'")
        if tz is None:
            tz = timezone(timedelta(0), _LOCAL)
        elif tz is self._tzinfo:
            return self
        offset = self.utcoffset()
        micros = self._micros() - (0 if offset is None else offset._micros())
        if isinstance(tz, timezone):
            return _classof(self)._from_micros(micros + tz._offset._micros(), tz, True)
        return tz.fromutc(_classof(self)._from_micros(micros, tz, True))

    def timetuple(self):
        return _time._time_tuple(self, -1)

    def utctimetuple(self):
        offset = self.utcoffset()
        return _time._time_tuple(self if offset is None else self - offset, 0)

    def replace(self, *args, **kwargs):
        names = ("year", "month", "day", "hour", "minute", "second", "microsecond", "tzinfo")
        return _classof(self)(**_changed(self, names, args, kwargs))

    def isoformat(self, sep="T", timespec="auto"):
        if not isinstance(sep, str) or _len(sep) != 1:
            kind = _classof(sep).__name__
            raise TypeError("isoformat() argument 1 must be a unicode character, not " + kind)
        return "%04d-%02d-%02d" % (self._year, self._month, self._day) + sep + self._iso_clock(timespec)

    def __str__(self):
        return self.isoformat(" ")

    def __repr__(self):
        return self._repr_with([self._year, self._month, self._day, *self._clock()])

    def _order(self, other, equal):
        if not isinstance(other, date):
            return NotImplemented
        if not isinstance(other, datetime):
            if equal:
                return 1
            raise TypeError("can't compare " + _title(self) + " to " + _title(other))
        between = self._between(other, equal, "compare")
        return 1 if between is None else _order(between, 0)

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return _classof(self)._from_micros(self._micros() + other._micros(), self._tzinfo, True)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return _classof(self)._from_micros(self._micros() - other._micros(), self._tzinfo, True)
        if isinstance(other, datetime):
            return _span(self._between(other, False, "subtract"))
        if isinstance(other, date):
            raise TypeError(f"unsupported operand type(s) for -: '{_title(self)}' and '{_title(other)}'")
        return NotImplemented
_set_own(datetime, "min", datetime(1, 1, 1))
_set_own(datetime, "max", datetime(9999, 12, 31, 23, 59, 59, 999999))
_set_own(datetime, "resolution", timedelta(microseconds=1))


def _separator(text):
    """Where the date of a text in an ISO format ends."""
    if _len(text) == 7:
        return 7
    if text[4:5] == "-":
        if text[5:6] != "W":
            return 10
        if text[8:9] != "-":
            return 8
        if _len(text) == 9:
            return 0
        return 8 if "0" <= text[10:11] <= "9" else 10
    if text[4:5] != "W":
        return 8
    at = 7
    while "0" <= text[at : at + 1] <= "9":
        at += 1
    return at if at < 9 else 7 if at % 2 == 0 else 8


# Used where a parameter has the name of the class.
_time_class = time
