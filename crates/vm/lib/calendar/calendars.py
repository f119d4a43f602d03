# Calendars as text, with English names.
# Level: methods

_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_MONTHS = [
    "", "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
]
_LENGTHS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


class IllegalWeekdayError(ValueError):
    def __init__(self, weekday):
        self.weekday = weekday

    def __str__(self):
        return "bad weekday number " + _repr(self.weekday) + "; must be 0 (Monday) to 6 (Sunday)"


def _cal_whole(number):
    if isinstance(number, float):
        raise TypeError("'float' object cannot be interpreted as an integer")
    if not isinstance(number, int):
        _throw("a year or month of a calendar that is no int")


def _cal_range(year, month):
    """The weekday of the first day of a month, and how many days it has."""
    if not 1 <= month <= 12:
        raise IllegalMonthError(month)
    if not 1 <= year <= 9999:
        year = 2000 + year % 400
    _cal_whole(year)
    _cal_whole(month)
    leap = 1 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 0
    days = (year - 1) * 365 + (year - 1) // 4 - (year - 1) // 100 + (year - 1) // 400
    for before in range(1, month):
        days += _LENGTHS[before]
    if month > 2:
        days += leap
    return days % 7, _LENGTHS[month] + (leap if month == 2 else 0)


def _beside(texts, width, space):
    return (space * " ").join([text.center(width) for text in texts])


class Calendar:
    def __init__(self, firstweekday=0):
        self.firstweekday = firstweekday

    def getfirstweekday(self):
        return self._firstweekday % 7

    def setfirstweekday(self, firstweekday):
        self._firstweekday = firstweekday

    firstweekday = property(getfirstweekday, setfirstweekday)

    def iterweekdays(self):
        for day in range(self.firstweekday, self.firstweekday + 7):
            yield day % 7

    def itermonthdays(self, year, month):
        first, count = _cal_range(year, month)
        for _ in range((first - self.firstweekday) % 7):
            yield 0
        yield from range(1, count + 1)
        for _ in range((self.firstweekday - first - count) % 7):
            yield 0

    def itermonthdays2(self, year, month):
        for i, day in enumerate(self.itermonthdays(year, month), self.firstweekday):
            yield day, i % 7

    def itermonthdays3(self, year, month):
        first, count = _cal_range(year, month)
        before = (first - self.firstweekday) % 7
        after = (self.firstweekday - first - count) % 7
        last_year, last = (year - 1, 12) if month == 1 else (year, month - 1)
        next_year, following = (year + 1, 1) if month == 12 else (year, month + 1)
        end = (_cal_range(last_year, last)[1] if last == 2 else _LENGTHS[last]) + 1
        for day in range(end - before, end):
            yield last_year, last, day
        for day in range(1, count + 1):
            yield year, month, day
        for day in range(1, after + 1):
            yield next_year, following, day

    def itermonthdays4(self, year, month):
        for i, (y, m, d) in enumerate(self.itermonthdays3(year, month)):
            yield y, m, d, (self.firstweekday + i) % 7

    def itermonthdates(self, year, month):
        _throw("calendar.Calendar.itermonthdates")

    def monthdatescalendar(self, year, month):
        _throw("calendar.Calendar.monthdatescalendar")

    def yeardatescalendar(self, year, width=3):
        _throw("calendar.Calendar.yeardatescalendar")

    def monthdays2calendar(self, year, month):
        days = [day for day in self.itermonthdays2(year, month)]
        return [days[i : i + 7] for i in range(0, _len(days), 7)]

    def monthdayscalendar(self, year, month):
        days = [day for day in self.itermonthdays(year, month)]
        return [days[i : i + 7] for i in range(0, _len(days), 7)]

    def yeardays2calendar(self, year, width=3):
        months = [self.monthdays2calendar(year, month) for month in range(1, 13)]
        return [months[i : i + width] for i in range(0, 12, width)]

    def yeardayscalendar(self, year, width=3):
        months = [self.monthdayscalendar(year, month) for month in range(1, 13)]
        return [months[i : i + width] for i in range(0, 12, width)]


class TextCalendar(Calendar):
    def formatday(self, day, weekday, width):
        return ("" if day == 0 else "%2i" % day).center(width)

    def formatweek(self, theweek, width):
        return " ".join([self.formatday(day, weekday, width) for day, weekday in theweek])

    def formatweekday(self, day, width):
        name = _DAYS[day] if width >= 9 else _DAYS[day][:3]
        return name[:width].center(width)

    def formatweekheader(self, width):
        return " ".join([self.formatweekday(day, width) for day in self.iterweekdays()])

    def formatmonthname(self, theyear, themonth, width, withyear=True):
        name = _MONTHS[themonth]
        if withyear:
            name += " " + _repr(theyear)
        return name.center(width)

    def formatmonth(self, theyear, themonth, w=0, l=0):
        w = max(2, w)
        l = max(1, l)
        text = self.formatmonthname(theyear, themonth, 7 * (w + 1) - 1).rstrip() + "\n" * l
        text += self.formatweekheader(w).rstrip() + "\n" * l
        for week in self.monthdays2calendar(theyear, themonth):
            text += self.formatweek(week, w).rstrip() + "\n" * l
        return text

    def formatyear(self, theyear, w=2, l=1, c=6, m=3):
        w = max(2, w)
        l = max(1, l)
        c = max(2, c)
        wide = (w + 1) * 7 - 1
        text = _repr(theyear).center(wide * m + c * (m - 1)).rstrip() + "\n" * l
        header = self.formatweekheader(w)
        for i, row in enumerate(self.yeardays2calendar(theyear, m)):
            months = [k for k in range(m * i + 1, min(m * (i + 1) + 1, 13))]
            text += "\n" * l
            names = [self.formatmonthname(theyear, k, wide, False) for k in months]
            text += _beside(names, wide, c).rstrip() + "\n" * l
            text += _beside([header for k in months], wide, c).rstrip() + "\n" * l
            for j in range(max([len(month) for month in row])):
                weeks = [self.formatweek(month[j], w) if j < len(month) else "" for month in row]
                text += _beside(weeks, wide, c).rstrip() + "\n" * l
        return text

    def prweek(self, theweek, width):
        print(self.formatweek(theweek, width), end="")

    def prmonth(self, theyear, themonth, w=0, l=0):
        print(self.formatmonth(theyear, themonth, w, l), end="")

    def pryear(self, theyear, w=0, l=0, c=6, m=3):
        print(self.formatyear(theyear, w, l, c, m), end="")

_TEXT = TextCalendar()


def firstweekday():
    return _TEXT.getfirstweekday()


def setfirstweekday(firstweekday):
    if not 0 <= firstweekday <= 6:
        raise IllegalWeekdayError(firstweekday)
    _TEXT.firstweekday = firstweekday


def monthcalendar(year, month):
    return _TEXT.monthdayscalendar(year, month)


def weekheader(width):
    return _TEXT.formatweekheader(width)


def month(theyear, themonth, w=0, l=0):
    return _TEXT.formatmonth(theyear, themonth, w, l)


def prmonth(theyear, themonth, w=0, l=0):
    _TEXT.prmonth(theyear, themonth, w, l)


def calendar(theyear, w=2, l=1, c=6, m=3):
    return _TEXT.formatyear(theyear, w, l, c, m)


def prcal(theyear, w=0, l=0, c=6, m=3):
    _TEXT.pryear(theyear, w, l, c, m)
