# `unittest`: assertion contexts for expected exceptions and logs, and counts of elements.
# Level: methods

import logging


class SkipTest(Exception):
    __module__ = "unittest.case"


class _ShouldStop(Exception):
    __module__ = "unittest.case"


# -- contexts


def _is_kind(expected, base):
    if isinstance(expected, tuple):
        for one in expected:
            if not _is_kind(one, base):
                return False
        return True
    return isinstance(expected, type) and issubclass(expected, base)


class _Context:
    __module__ = "unittest.case"

    def __init__(self, test_case):
        self.test_case = test_case

    def _raiseFailure(self, standardMsg):
        msg = self.test_case._formatMessage(self.msg, standardMsg)
        raise self.test_case.failureException(msg)


class _Raises(_Context):
    __module__ = "unittest.case"

    def __init__(self, expected, test_case, expected_regex=None):
        self.expected = expected
        self.test_case = test_case
        if expected_regex is not None:
            expected_regex = _compile(expected_regex)
        self.expected_regex = expected_regex
        self.obj_name = None
        self.msg = None

    def handle(self, name, args, kwargs):
        if not _is_kind(self.expected, BaseException):
            raise TypeError(name + "() arg 1 must be an exception type or tuple of exception types")
        if not args:
            self.msg = kwargs.pop("msg", None)
            for key in kwargs:
                raise TypeError(_repr(key) + " is an invalid keyword argument for this function")
            return self
        function = args[0]
        try:
            self.obj_name = function.__name__
        except AttributeError:
            self.obj_name = _unknown_text() if _shows_address(function) and not _has_own_text(_classof(function)) else _str(function)
        with self:
            function(*args[1:], **kwargs)

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, tb):
        if exc_type is None:
            try:
                name = self.expected.__name__
            except AttributeError:
                name = _str(self.expected)
            if _is_unknown(self.obj_name) or self.obj_name:
                self._raiseFailure(_ut_join(name, " not raised by ", self.obj_name if _is_unknown(self.obj_name) else _str(self.obj_name)))
            self._raiseFailure(name + " not raised")
        if not issubclass(exc_type, self.expected):
            return False
        self.exception = exc_value
        if self.expected_regex is None:
            return True
        pattern = self.expected_regex
        if not _search(pattern, _str(exc_value)):
            self._raiseFailure('"' + _str(pattern.pattern) + '" does not match "' + _str(exc_value) + '"')
        return True


class _Watcher:
    """What `assertLogs` gives."""

    __module__ = "unittest._log"

    def __init__(self):
        self.records = []
        self.output = []

    def __iter__(self):
        return iter((self.records, self.output))

    def __getitem__(self, index):
        return (self.records, self.output)[index]

    def __len__(self):
        return 2

    def __repr__(self):
        return "_LoggingWatcher(records=" + _repr(self.records) + ", output=" + _repr(self.output) + ")"


def _log_handler(watcher):
    class Capturing(logging.Handler):
        __module__ = "unittest._log"

        def flush(self):
            pass

        def emit(self, record):
            watcher.records.append(record)
            watcher.output.append(self.format(record))

    _rename(Capturing, "_CapturingHandler")
    return Capturing()


class _Logs(_Context):
    __module__ = "unittest._log"

    def __init__(self, test_case, logger_name, level, no_logs):
        self.test_case = test_case
        self.logger_name = logger_name
        if level:
            if isinstance(level, str):
                known = logging.getLevelName(level)
                self.level = known if isinstance(known, int) else level
            else:
                self.level = level
        else:
            self.level = 20
        self.msg = None
        self.no_logs = no_logs

    def __enter__(self):
        logger = self.logger_name
        if not isinstance(logger, logging.Logger):
            logger = logging.getLogger(logger)
        self.logger = logger
        formatter = logging.Formatter("%(levelname)s:%(name)s:%(message)s")
        self.watcher = _Watcher()
        handler = _log_handler(self.watcher)
        handler.setLevel(self.level)
        handler.setFormatter(formatter)
        self.old_handlers = logger.handlers[:]
        self.old_level = logger.level
        self.old_propagate = logger.propagate
        logger.handlers = [handler]
        logger.setLevel(self.level)
        logger.propagate = False
        if not self.no_logs:
            return self.watcher

    def __exit__(self, exc_type, exc_value, tb):
        self.logger.handlers = self.old_handlers
        self.logger.propagate = self.old_propagate
        self.logger.setLevel(self.old_level)
        if exc_type is not None:
            return False
        if self.no_logs:
            if _len(self.watcher.records) > 0:
                self._raiseFailure("Unexpected logs found: " + _repr(self.watcher.output))
        elif _len(self.watcher.records) == 0:
            self._raiseFailure("no logs of level " + _str(logging.getLevelName(self.level)) + " or higher triggered on " + self.logger.name)


_rename(_Context, "_BaseTestCaseContext")
_rename(_Raises, "_AssertRaisesContext")
_rename(_Watcher, "_LoggingWatcher")
_rename(_Logs, "_AssertLogsContext")


# -- counts of elements


class _Nothing:
    """In the place of an element that was counted."""


def _tally(items, own):
    """How often elements are there, as `Counter` finds it: a dict, or triples with hashes where elements are the program's."""
    if not own:
        table = {}
        for x in items:
            table[x] = table.get(x, 0) + 1
        return table
    table = []
    for x in items:
        h = _hash(x)
        found = _counted(table, h, x)
        again = _counted(table, h, x)
        if found is not again:
            _throw("elements that are equal now and then")
        if found is None:
            table.append([h, x, 1])
        else:
            found[2] += 1
    return table


def _counted(table, h, x):
    for entry in table:
        if entry[0] == h and (entry[1] is x or entry[1] == x):
            return entry
    return None


def _count_in(table, x):
    found = _counted(table, _hash(x), x)
    return 0 if found is None else found[2]


def _same_tallies(one, two, own):
    if not own:
        return one == two
    for table in (one, two):
        for entry in table:
            if _count_in(one, entry[1]) != _count_in(two, entry[1]):
                return False
    return True


def _uneven(first, second, own):
    """Elements whose numbers differ: triples."""
    one = _tally(first, own)
    two = _tally(second, own)
    found = []
    if not own:
        for x in one:
            if one[x] != two.get(x, 0):
                found.append((one[x], two.get(x, 0), x))
        for x in two:
            if x not in one:
                found.append((0, two[x], x))
        return found
    for entry in one:
        n = _count_in(two, entry[1])
        if entry[2] != n:
            found.append((entry[2], n, entry[1]))
    for entry in two:
        if _counted(one, _hash(entry[1]), entry[1]) is None:
            found.append((0, entry[2], entry[1]))
    return found


def _uneven_slowly(first, second):
    """The same where elements have no hash."""
    nothing = _Nothing()
    s = first[:]
    t = second[:]
    found = []
    for i, x in enumerate(s):
        if x is nothing:
            continue
        n = 0
        m = 0
        j = i
        while j < _len(s):
            if s[j] == x:
                n += 1
                s[j] = nothing
            j += 1
        for j, y in enumerate(t):
            if y == x:
                m += 1
                t[j] = nothing
        if n != m:
            found.append((n, m, x))
    for i, x in enumerate(t):
        if x is nothing:
            continue
        m = 0
        j = i
        while j < _len(t):
            if t[j] == x:
                m += 1
                t[j] = nothing
            j += 1
        found.append((0, m, x))
    return found
