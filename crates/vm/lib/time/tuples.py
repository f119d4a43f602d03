# `time.struct_time` and its functions in `time`. The local time zone is the sandbox's, UTC.
# Level: methods

import datetime


class struct_time(_NamedTuple):
    def __new__(cls, sequence, /):
        values = _list(sequence)
        if _len(values) < 9:
            raise TypeError(f"time.struct_time() takes an at least 9-sequence ({_len(values)}-sequence given)")
        return _scalar(cls, (*values[:9],))

    def __repr__(self):
        values = _data(self)
        return "time.struct_time(" + ", ".join([name + "=" + _repr(values[i]) for i, name in enumerate(self._fields)]) + ")"

    @property
    def tm_zone(self):
        return "UTC"

    @property
    def tm_gmtoff(self):
        return 0
_with_fields(
    struct_time,
    ("tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst"),
    {},
)


def _time_tuple(day, summer):
    clock = day._clock()
    first = datetime.date(day._year, 1, 1).toordinal()
    weekday = datetime.date(day._year, day._month, day._day).weekday()
    date = (day._year, day._month, day._day)
    number = datetime.date(*date).toordinal() - first + 1
    return struct_time((*date, clock[0], clock[1], clock[2], weekday, number, summer))


def gmtime(seconds=None, /):
    if seconds is None:
        seconds = time()
    return _time_tuple(datetime.datetime._from_seconds(seconds // 1, 0, None), 0)


def localtime(seconds=None, /):
    return gmtime(seconds)


def _stamp(t):
    if not isinstance(t, tuple):
        raise TypeError("Tuple or struct_time argument required")
    return datetime.datetime(*t[:6], tzinfo=datetime.timezone.utc)


def strftime(format, t=None, /):
    return _stamp(gmtime() if t is None else t).strftime(format)


def asctime(t=None, /):
    return _stamp(gmtime() if t is None else t).ctime()


def ctime(seconds=None, /):
    return asctime(gmtime(seconds))


def mktime(t, /):
    return (_stamp(t) - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)).total_seconds()


def strptime(data_string, format="%a %b %d %H:%M:%S %Y", /):
    return _time_tuple(datetime.datetime.strptime(data_string, format), -1)


tzname = ("UTC", "UTC")
