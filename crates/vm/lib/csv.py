# Rows of delimited text. A line without quotes is split at once; others use CPython's states.
# Level: methods

QUOTE_MINIMAL = 0
QUOTE_ALL = 1
QUOTE_NONNUMERIC = 2
QUOTE_NONE = 3


class Error(Exception):
    __module__ = "_csv"


def _fail(words):
    raise Error(words)


# -- dialects


class excel:
    delimiter = ","
    quotechar = '"'
    doublequote = True
    skipinitialspace = False
    lineterminator = "\r\n"
    quoting = 0


class excel_tab(excel):
    delimiter = "\t"


class unix_dialect(excel):
    lineterminator = "\n"
    quoting = 1

_DEFAULTS = {
    "delimiter": ",", "doublequote": True, "escapechar": None, "lineterminator": "\r\n", "quotechar": '"',
    "quoting": 0, "skipinitialspace": False, "strict": False,
}


class _Dialect:
    __module__ = "_csv"

    def __init__(self, dialect, options):
        found = {}
        for name in options:
            if name not in _DEFAULTS:
                raise TypeError("'" + name + "' is an invalid keyword argument for this function")
        if isinstance(dialect, str):
            dialect = get_dialect(dialect)
        for name in _DEFAULTS:
            value = _DEFAULTS[name] if dialect is None else getattr(dialect, name, _DEFAULTS[name])
            found[name] = options[name] if name in options else value
        for name in ("delimiter", "escapechar", "quotechar"):
            value = found[name]
            if value is not None or name == "delimiter":
                if not isinstance(value, str):
                    words = " must be string, not " if name == "delimiter" else " must be string or None, not "
                    raise TypeError('"' + name + '"' + words + _classof(value).__name__)
                if _len(value) > 1 or (_len(value) == 0 and name == "delimiter"):
                    raise TypeError('"' + name + '" must be a 1-character string')
                if value == "":
                    _throw("an empty character of a dialect of csv")
        quoting = found["quoting"]
        if _classof(quoting) is not int:
            raise TypeError('"quoting" must be an integer')
        if not 0 <= quoting <= 3:
            raise TypeError('bad "quoting" value')
        if quoting != 3 and found["quotechar"] is None:
            if dialect is not None or "quoting" in options:
                raise TypeError("quotechar must be set if quoting enabled")
            quoting = 3
        if not isinstance(found["lineterminator"], str):
            _throw("a line end of csv that is no text")
        self.delimiter = found["delimiter"]
        self.doublequote = True if found["doublequote"] else False
        self.escapechar = found["escapechar"]
        self.lineterminator = found["lineterminator"]
        self.quotechar = found["quotechar"]
        self.quoting = quoting
        self.skipinitialspace = True if found["skipinitialspace"] else False
        self.strict = True if found["strict"] else False


_rename(_Dialect, "Dialect")
_NAMED = {"excel": excel, "excel-tab": excel_tab, "unix": unix_dialect}


def register_dialect(name, dialect=None, **fmtparams):
    if not isinstance(name, str):
        raise TypeError("dialect name must be a string")
    _NAMED[name] = _Dialect(dialect, fmtparams)


def get_dialect(name):
    if name not in _NAMED:
        _fail("unknown dialect")
    found = _NAMED[name]
    return found if isinstance(found, _Dialect) else _Dialect(found, {})


def list_dialects():
    return [name for name in _NAMED]


# -- readers


class _Reader:
    __module__ = "_csv"

    def __init__(self, lines, dialect, options):
        self._lines = iter(lines)
        self.dialect = _Dialect(dialect, options)
        self.line_num = 0
        self._begin()

    def _begin(self):
        self._fields = []
        self._field = ""
        self._state = "record"
        self._numeric = False

    def __iter__(self):
        return self

    def __next__(self):
        row = self._row()
        if row is None:
            raise StopIteration
        return row

    def _row(self):
        """The next row, None behind the last one."""
        dialect = self.dialect
        quote = dialect.quotechar
        skip = dialect.skipinitialspace
        plain = dialect.quoting != 2 and dialect.escapechar is None and not (skip and dialect.delimiter == " ")
        self._begin()
        for line in self._lines:
            if not isinstance(line, str):
                words = "iterator should return strings, not " + _classof(line).__name__
                _fail(words + " (the file should be opened in text mode)")
            self.line_num += 1
            if plain and self._state == "record" and (quote is None or quote not in line):
                body = line.rstrip("\r\n")
                if "\n" not in body and "\r" not in body:
                    fields = [] if body == "" else body.split(dialect.delimiter)
                    return [field.lstrip(" ") for field in fields] if skip else fields
            self._line(line)
            if self._state == "record":
                return self._fields
        if self._field != "" or self._state == "quoted":
            if dialect.strict:
                _fail("unexpected end of data")
            self._save()
            return self._fields
        return None

    def _save(self):
        field = self._field
        if self._numeric:
            field = float(field)
            self._numeric = False
        self._fields.append(field)
        self._field = ""

    def _line(self, line):
        dialect = self.dialect
        at = 0
        size = _len(line)
        quote = dialect.quotechar if dialect.quoting != 3 else None
        body = _len(line.rstrip("\r\n"))
        while at < size:
            if dialect.escapechar is None:
                if self._state == "quoted":
                    end = line.find(quote, at)
                    end = size if end < 0 else end
                    self._field += line[at:end]
                    at = end
                elif self._state == "field":
                    end = line.find(dialect.delimiter, at)
                    end = body if end < 0 else end
                    if at < end and "\r" not in line[at:end] and "\n" not in line[at:end]:
                        self._field += line[at:end]
                        at = end
            if at < size:
                self._take(line[at], quote)
            at += 1
        self._take("", quote)

    def _take(self, c, quote):
        """A character, "" for the end of the line."""
        dialect = self.dialect
        state = self._state
        ends = c == "" or c == "\n" or c == "\r"
        if ends and state == "record":
            self._state = "record" if c == "" else "eat"
        elif ends and (state == "start" or state == "field" or state == "behind" or (state == "after" and c != "")):
            self._save()
            self._state = "record" if c == "" else "eat"
        elif state == "start" or state == "record":
            self._state = "start"
            if c == quote:
                self._state = "quoted"
            elif c == dialect.escapechar:
                self._state = "escaped"
            elif c == " " and dialect.skipinitialspace:
                pass
            elif c == dialect.delimiter:
                self._save()
            else:
                self._numeric = dialect.quoting == 2
                self._field += c
                self._state = "field"
        elif state == "escaped":
            self._field += "\n" if c == "" else c
            self._state = "after" if c != "" and ends else "field"
        elif state == "field" or state == "after":
            if c == "":
                return
            if c == dialect.escapechar:
                self._state = "escaped"
            elif c == dialect.delimiter:
                self._save()
                self._state = "start"
            else:
                self._field += c
        elif state == "quoted":
            if c == "":
                return
            if c == dialect.escapechar:
                self._state = "quoted escaped"
            elif c == quote:
                self._state = "behind" if dialect.doublequote else "field"
            else:
                self._field += c
        elif state == "quoted escaped":
            self._field += "\n" if c == "" else c
            self._state = "quoted"
        elif state == "behind":
            if c == quote:
                self._field += c
                self._state = "quoted"
            elif c == dialect.delimiter:
                self._save()
                self._state = "start"
            elif not dialect.strict:
                self._field += c
                self._state = "field"
            else:
                _fail("'" + dialect.delimiter + "' expected after '" + dialect.quotechar + "'")
        elif c == "":
            self._state = "record"
        elif not ends:
            words = "new-line character seen in unquoted field"
            _fail(words + " - do you need to open the file in universal-newline mode?")


_rename(_Reader, "reader")


def reader(csvfile, dialect=None, **fmtparams):
    return _Reader(csvfile, dialect, fmtparams)


class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", *args, **kwds):
        self._fieldnames = fieldnames
        self.restkey = restkey
        self.restval = restval
        self.reader = reader(f, dialect, *args, **kwds)
        self.dialect = dialect
        self.line_num = 0

    def __iter__(self):
        return self

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            self._fieldnames = self.reader._row()
        self.line_num = self.reader.line_num
        return self._fieldnames

    @fieldnames.setter
    def fieldnames(self, value):
        self._fieldnames = value

    def __next__(self):
        if self.line_num == 0:
            self.fieldnames
        row = self.reader._row()
        if row is not None:
            self.line_num = self.reader.line_num
        while row is not None and _len(row) == 0:
            row = self.reader._row()
        if row is None:
            raise StopIteration
        names = self.fieldnames
        result = {name: value for name, value in zip(names, row)}
        if _len(names) < _len(row):
            result[self.restkey] = row[_len(names) :]
        elif _len(names) > _len(row):
            for name in names[_len(row) :]:
                result[name] = self.restval
        return result


# -- writers


class _Writer:
    __module__ = "_csv"

    def __init__(self, file, dialect, options):
        self._write = getattr(file, "write", None)
        if self._write is None:
            raise TypeError('argument 1 must have a "write" method')
        self.dialect = _Dialect(dialect, options)

    def _quoted(self, text, quoted):
        dialect = self.dialect
        quote = dialect.quotechar
        escape = dialect.escapechar
        needed = False
        for c in dialect.delimiter + dialect.lineterminator + (escape or "") + (quote or ""):
            if c in text:
                needed = True
        if not needed:
            return quote + text + quote if quoted else text
        parts = []
        for c in text:
            if c == dialect.delimiter or c == escape or c == quote or c in dialect.lineterminator:
                if dialect.quoting == 3 or c == escape or (c == quote and not dialect.doublequote):
                    if escape is None:
                        _fail("need to escape, but no escapechar set")
                    parts.append(escape)
                else:
                    quoted = True
                    if c == quote:
                        parts.append(quote)
            parts.append(c)
        text = "".join(parts)
        return quote + text + quote if quoted else text

    def _is_text(self, field):
        if isinstance(field, (int, float, complex)):
            return False
        if field is not None and not isinstance(field, (str, bytes, list, tuple, dict, set)):
            _throw("an object that csv asks whether it is a number")
        return True

    def writerow(self, row, /):
        dialect = self.dialect
        if row is None or isinstance(row, (int, float)):
            _fail("iterable expected, not " + _classof(row).__name__)
        parts = []
        for field in row:
            quoted = dialect.quoting == 1 or (dialect.quoting == 2 and self._is_text(field))
            text = field if isinstance(field, str) else "" if field is None else _str(field)
            parts.append(self._quoted(text, quoted))
        if _len(parts) == 1 and parts[0] == "":
            if dialect.quoting == 3:
                _fail("single empty field record must be quoted")
            parts[0] = dialect.quotechar + dialect.quotechar
        return self._write(dialect.delimiter.join(parts) + dialect.lineterminator)

    def writerows(self, rows, /):
        for row in rows:
            self.writerow(row)


_rename(_Writer, "writer")


def writer(csvfile, dialect=None, **fmtparams):
    return _Writer(csvfile, dialect, fmtparams)


class DictWriter:
    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", *args, **kwds):
        self.fieldnames = fieldnames
        self.restval = restval
        if extrasaction.lower() not in ("raise", "ignore"):
            raise ValueError("extrasaction (" + _str(extrasaction) + ") must be 'raise' or 'ignore'")
        self.extrasaction = extrasaction
        self.writer = writer(f, dialect, *args, **kwds)

    def writeheader(self):
        return self.writerow({name: name for name in self.fieldnames})

    def _dict_to_list(self, rowdict):
        if self.extrasaction == "raise":
            wrong = [_repr(name) for name in rowdict.keys() if name not in self.fieldnames]
            if _len(wrong) > 1:
                _throw("the order of a set in the words of csv")
            if wrong:
                raise ValueError("dict contains fields not in fieldnames: " + wrong[0])
        return [rowdict.get(name, self.restval) for name in self.fieldnames]

    def writerow(self, rowdict):
        return self.writer.writerow(self._dict_to_list(rowdict))

    def writerows(self, rowdicts):
        for rowdict in rowdicts:
            self.writer.writerow(self._dict_to_list(rowdict))
