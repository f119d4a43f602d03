# The parser of `strptime` for `datetime`, and functions of `calendar`.
# Level: methods

import datetime


# -- strptime

# For each numeric directive the numbers of digits, and the range of values, that it accepts.
_READ = {
    "d": ((2, 1, 31), (1, 1, 9)), "H": ((2, 0, 23), (1, 0, 9)), "I": ((2, 1, 12), (1, 1, 9)),
    "j": ((3, 1, 366), (2, 1, 99), (1, 1, 9)), "m": ((2, 1, 12), (1, 1, 9)), "M": ((2, 0, 59), (1, 0, 9)),
    "S": ((2, 0, 61), (1, 0, 9)), "U": ((2, 0, 53), (1, 0, 9)), "W": ((2, 0, 53), (1, 0, 9)), "w": ((1, 0, 6),),
    "u": ((1, 1, 7),), "V": ((2, 1, 53), (1, 0, 9)), "y": ((2, 0, 99),), "Y": ((4, 0, 9999),), "G": ((4, 0, 9999),),
    "f": ((6, 0, 999999), (5, 0, 99999), (4, 0, 9999), (3, 0, 999), (2, 0, 99), (1, 0, 9)),
}
_NAMES = {
    "B": [name.lower() for name in datetime._MONTHS], "b": [name[:3].lower() for name in datetime._MONTHS],
    "A": [name.lower() for name in datetime._WEEK], "a": [name[:3].lower() for name in datetime._WEEK], "p": ["am", "pm"],
    "Z": ["utc", "gmt"],
}
_FULL = {"c": "%a %b %d %H:%M:%S %Y", "x": "%m/%d/%y", "X": "%H:%M:%S"}


def _parts(format, whole):
    """The parts of a format: a directive's letter, a space for some spaces, or a text of "=" and a character."""
    parts = []
    at = 0
    while at < _len(format):
        c = format[at]
        at += 1
        if c.isspace():
            if not parts or parts[-1] != " ":
                parts += [" "]
        elif c != "%":
            parts += ["=" + c.lower()]
        else:
            c = format[at : at + 1]
            at += 1
            if c == "":
                raise ValueError("stray % in format '" + whole + "'")
            if c in _FULL:
                parts += _parts(_FULL[c], whole)
            elif c == "%":
                parts += ["=%"]
            elif c in _READ or c in _NAMES or c == "z":
                parts += [c]
            else:
                bad = "%" if c.isspace() or c in "\\.^$*+?(){}[]|" else c
                raise ValueError("'" + bad + "' is a bad directive in format '" + whole + "'")
    return parts


def _ends(part, text, at):
    """Where a part may end that begins at a place of a text, the end that is tried first first."""
    if part[0] == "=":
        return [at + 1] if text[at : at + 1].lower() == part[1:] else []
    if part in _READ:
        ends = []
        for count, least, most in _READ[part]:
            if least <= datetime._digits(text, at, count) <= most:
                ends += [at + count]
        if part == "d" and text[at : at + 1] == " " and datetime._digits(text, at + 1, 1) > 0:
            ends += [at + 2]
        return ends
    if part in _NAMES:
        return [at + _len(name) for name in _NAMES[part] if text[at : at + _len(name)].lower() == name]
    ends = []
    if part == " ":
        while text[at : at + 1].isspace():
            at += 1
            ends = [at] + ends
        return ends
    if text[at : at + 1] == "Z":
        return [at + 1]
    if text[at : at + 1] not in ("+", "-") or datetime._digits(text, at + 1, 2) < 0:
        return []
    at += 4 if text[at + 3 : at + 4] == ":" else 3
    if not 0 <= datetime._digits(text, at, 2) <= 59:
        return []
    ends = [at + 2]
    at += 3 if text[at + 2 : at + 3] == ":" else 2
    if 0 <= datetime._digits(text, at, 2) <= 59:
        ends = [at + 2] + ends
        for count in (1, 2, 3, 4, 5, 6):
            if text[at + 2 : at + 3] == "." and datetime._digits(text, at + 3, count) >= 0:
                ends = [at + 3 + count] + ends
    return ends


def _match(parts, i, text, at):
    """The places where the parts of a format end, None if the text does not match."""
    if i == _len(parts):
        return []
    for end in _ends(parts[i], text, at):
        rest = _match(parts, i + 1, text, end)
        if rest is not None:
            return [end] + rest
    return None


def _read_zone(text):
    if text == "Z":
        return 0
    whole = text
    if text[3] == ":":
        text = text[:3] + text[4:]
        if _len(text) > 5:
            if text[5] != ":":
                raise ValueError("Inconsistent use of : in " + whole)
            text = text[:5] + text[6:]
    seconds = int(text[1:3]) * 3600 + int(text[3:5]) * 60 + int(text[5:7] or 0)
    part = text[8:]
    micros = seconds * 1000000 + int(part + "0" * (6 - _len(part)))
    return -micros if text[0] == "-" else micros


def _read(text, format):
    """Arguments of `datetime` for a text in a format."""
    parts = _parts(format, format)
    letters = [part for part in parts if part[0] not in "= "]
    for part in letters:
        if letters.count(part) > 1:
            _throw("a directive of strptime given twice")
    ends = _match(parts, 0, text, 0)
    if ends is None:
        if "Z" in letters:
            _throw("the local time zone")
        raise ValueError("time data " + _repr(text) + " does not match format " + _repr(format))
    end = ends[-1] if ends else 0
    if end != _len(text):
        raise ValueError("unconverted data remains: " + text[end:])
    got = {}
    year = weekday = None
    at = 0
    for i, part in enumerate(parts):
        word = text[at : ends[i]]
        at = ends[i]
        if part in _READ:
            got[part] = int(word) if part != "f" else int(word + "0" * (6 - _len(word)))
        elif part in _NAMES:
            got[part] = word if part == "Z" else _NAMES[part].index(word.lower())
        elif part == "z":
            got["z"] = _read_zone(word)
        if part == "y":
            year = got["y"] + (2000 if got["y"] <= 68 else 1900)
        elif part == "Y":
            year = got["Y"]
        elif part in ("A", "a"):
            weekday = got[part]
        elif part == "w":
            weekday = (got["w"] + 6) % 7
        elif part == "u":
            weekday = got["u"] - 1
        elif part in ("b", "B"):
            got["m"] = got[part] + 1
    month = got.get("m", 1)
    day = got.get("d", 1)
    if "G" in got or "V" in got:
        if year is not None or "G" not in got or "V" not in got or weekday is None or "j" in got:
            _throw("%G or %V of strptime without the other and a weekday, or with another year")
        ordinal = datetime._first_monday(got["G"]) + (got["V"] - 1) * 7 + weekday
        year, month, day = datetime._from_ordinal(ordinal)
    leap = year is None and month == 2 and day == 29
    if year is None:
        year = 1904 if leap else 1900
    if "j" in got or weekday is not None and ("U" in got or "W" in got):
        if leap:
            _throw("a day of the year without a year")
        first = datetime.date(year, 1, 1).toordinal()
        if "j" in got:
            first += got["j"] - 1
        else:
            sunday = 1 if "U" in got else 0
            first -= (first + 6 + sunday) % 7
            if datetime.date(year, 1, 1).toordinal() != first:
                first += 7 * (got["U"] if sunday else got["W"])
            else:
                first += 7 * ((got["U"] if sunday else got["W"]) - 1)
            if "U" in got and "W" in got:
                _throw("%U and %W of strptime together")
            first += (weekday + sunday) % 7
        year, month, day = datetime._from_ordinal(first)
    datetime.date(year, month, day)
    hour = got.get("H", 0)
    if "I" in got:
        hour = got["I"] % 12 + (12 if got.get("p", 0) == 1 else 0)
        if "H" in got and letters.index("H") > letters.index("I"):
            hour = got["H"]
    zone = None
    if "z" in got:
        zone = datetime._zone(datetime._span(got["z"]))
        if "Z" in got:
            zone = datetime.timezone(datetime._span(got["z"]), got["Z"])
    return 1900 if leap else year, month, day, hour, got.get("M", 0), got.get("S", 0), got.get("f", 0), zone


# -- calendar


class IllegalMonthError(ValueError):
    def __init__(self, month):
        self.month = month

    def __str__(self):
        return "bad month number " + _repr(self.month) + "; must be 1-12"

class _localized_month:
    def __init__(self, names):
        self._names = names

    def __getitem__(self, i):
        return self._names[i]

    def __len__(self):
        return _len(self._names)


class _localized_day:
    def __init__(self, names):
        self._names = names

    def __getitem__(self, i):
        return self._names[i]

    def __len__(self):
        return _len(self._names)


day_name = _localized_day([*datetime._WEEK])
day_abbr = _localized_day([name[:3] for name in datetime._WEEK])
month_name = _localized_month(["", *datetime._MONTHS])
month_abbr = _localized_month(["", *[name[:3] for name in datetime._MONTHS]])


def isleap(year):
    return datetime._leap(year)


def leapdays(y1, y2):
    y1 -= 1
    y2 -= 1
    return (y2 // 4 - y1 // 4) - (y2 // 100 - y1 // 100) + (y2 // 400 - y1 // 400)


def weekday(year, month, day):
    return datetime.date(year if 1 <= year <= 9999 else 2000 + year % 400, month, day).weekday()


def monthrange(year, month):
    if not 1 <= month <= 12:
        raise IllegalMonthError(month)
    return weekday(year, month, 1), datetime._month_days(year, month)
