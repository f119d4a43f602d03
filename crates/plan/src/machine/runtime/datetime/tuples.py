# `time.struct_time` and what `time` does with it. The local time zone is that of the sandbox, UTC.


class time__struct_time(_NamedTuple):
    __module__ = "time"

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


_rename(time__struct_time, "struct_time")
_with_fields(
    time__struct_time,
    ("tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst"),
    {},
)


def _time_tuple(day, summer):
    clock = day._clock()
    first = datetime__date(day._year, 1, 1).toordinal()
    weekday = datetime__date(day._year, day._month, day._day).weekday()
    date = (day._year, day._month, day._day)
    number = datetime__date(*date).toordinal() - first + 1
    return time__struct_time((*date, clock[0], clock[1], clock[2], weekday, number, summer))


def time__gmtime(seconds=None, /):
    if seconds is None:
        seconds = time__time()
    return _time_tuple(datetime__datetime._from_seconds(seconds // 1, 0, None), 0)


def time__localtime(seconds=None, /):
    return time__gmtime(seconds)


def _time_stamp(t):
    if not isinstance(t, tuple):
        raise TypeError("Tuple or struct_time argument required")
    return datetime__datetime(*t[:6], tzinfo=datetime__timezone.utc)


def time__strftime(format, t=None, /):
    return _time_stamp(time__gmtime() if t is None else t).strftime(format)


def time__asctime(t=None, /):
    return _time_stamp(time__gmtime() if t is None else t).ctime()


def time__ctime(seconds=None, /):
    return time__asctime(time__gmtime(seconds))


def time__mktime(t, /):
    return (_time_stamp(t) - datetime__datetime(1970, 1, 1, tzinfo=datetime__timezone.utc)).total_seconds()


def time__strptime(data_string, format="%a %b %d %H:%M:%S %Y", /):
    return _time_tuple(datetime__datetime.strptime(data_string, format), -1)
