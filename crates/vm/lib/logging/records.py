# `logging` without files and threads. No trace shows standard error, so its text is only formatted
# if that calls the program (objects as text), without the thread and the text of a traceback.
# The machine stops wherever else they would be visible.
# Level: methods


def _log_standard_error():
    return _standard_error()


def _is_unread(stream):
    return stream is _stderr()


class _Probe(Exception):
    pass


def _exception():
    """The exception that the program handles, or None."""
    try:
        raise _Probe()
    except _Probe as probe:
        return probe.__context__


def _failure():
    """The exception that is handled here, be it by the program or by a handler, or None."""
    try:
        raise
    except BaseException as error:
        if isinstance(error, RuntimeError) and error.args == ("No active exception to reraise",):
            return None
        return error


class _Unknown:
    """In the place of what is not known: only to be handed on."""

    def __repr__(self):
        _throw("where a record was logged")

    def __str__(self):
        _throw("where a record was logged")

    def __eq__(self, other):
        _throw("where a record was logged")

    def __hash__(self):
        _throw("where a record was logged")

    def __bool__(self):
        _throw("where a record was logged")

    def __getattr__(self, name):
        _throw("where a record was logged")


_UNKNOWN = _Unknown()


def _is_mapping(value):
    if isinstance(value, dict):
        return True
    if value is None or isinstance(value, (str, int, float, complex, bytes, list, tuple, set, frozenset, type, BaseException)):
        return False
    cls = _classof(value)
    return "Mapping" in getattr(cls, "_abstract_", ()) or cls.__name__ in ("ChainMap", "mappingproxy")


# -- levels

CRITICAL = 50
FATAL = 50
ERROR = 40
WARNING = 30
WARN = 30
INFO = 20
DEBUG = 10
NOTSET = 0
BASIC_FORMAT = "%(levelname)s:%(name)s:%(message)s"
raiseExceptions = True
logThreads = True
logMultiprocessing = True
logProcesses = True

_levelToName = {50: "CRITICAL", 40: "ERROR", 30: "WARNING", 20: "INFO", 10: "DEBUG", 0: "NOTSET"}
_nameToLevel = {
    "CRITICAL": 50, "FATAL": 50, "ERROR": 40, "WARN": 30, "WARNING": 30, "INFO": 20, "DEBUG": 10, "NOTSET": 0,
}


def getLevelNamesMapping():
    return _nameToLevel.copy()


def getLevelName(level):
    known = _levelToName.get(level)
    if known is None:
        known = _nameToLevel.get(level)
    return "Level %s" % level if known is None else known


def addLevelName(level, levelName):
    _levelToName[level] = levelName
    _nameToLevel[levelName] = level


def _level(level):
    if isinstance(level, int):
        return level
    if _str(level) != level:
        raise TypeError("Level not an integer or a valid string: %r" % (level,))
    if level not in _nameToLevel:
        raise ValueError("Unknown level: %r" % (level,))
    return _nameToLevel[level]


# -- records

# Environment-dependent fields of a record, with a formattable placeholder for unread texts.
_OUTSIDE = {
    "pathname": "", "filename": "", "module": "", "lineno": 0, "funcName": "",
    "created": 0.0, "msecs": 0.0, "relativeCreated": 0.0, "asctime": "",
    "thread": 0, "threadName": "", "process": 0, "processName": "",
    "exc_text": None, "stack_info": None,
}
_TAKEN = ("name", "msg", "args", "levelname", "levelno", "exc_info", "message") + tuple(_OUTSIDE)


def _outside(name, what):
    def get(record):
        if name not in record._log_given:
            _throw(what)
        return record._log_given[name]

    def put(record, value):
        record._log_given[name] = value

    return property(get, put)


def _stem(name):
    """The name of a file without its ending."""
    dot = name.rfind(".")
    return name[:dot] if dot > 0 and name[:dot].strip(".") != "" else name


class LogRecord:
    pathname = _outside("pathname", "the file where a record was logged")
    filename = _outside("filename", "the file where a record was logged")
    module = _outside("module", "the file where a record was logged")
    lineno = _outside("lineno", "where a record was logged")
    funcName = _outside("funcName", "where a record was logged")
    created = _outside("created", "the time of a log record")
    msecs = _outside("msecs", "the time of a log record")
    relativeCreated = _outside("relativeCreated", "the time of a log record")
    asctime = _outside("asctime", "the time of a log record")
    thread = _outside("thread", "the thread of a log record")
    threadName = _outside("threadName", "the thread of a log record")
    process = _outside("process", "the process of a log record")
    processName = _outside("processName", "the process of a log record")
    exc_text = _outside("exc_text", "the text of a traceback in a log")
    stack_info = _outside("stack_info", "the text of a stack in a log")

    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None, **kwargs):
        self._log_given = {}
        # Creating a record reads the clock.
        _CLOCK[0] += 1000000
        if _sandboxed() and _len(_CLOCK_READERS) == 0:
            self.created = (_CLOCK_START + _CLOCK[0]) / 1e9
            self.msecs = int((self.created - int(self.created)) * 1000) + 0.0
            self.process = 2
            self.processName = "MainProcess"
        self.name = name
        self.msg = msg
        if args and len(args) == 1 and _is_mapping(args[0]) and args[0]:
            args = args[0]
        self.args = args
        self.levelname = getLevelName(level)
        self.levelno = level
        if pathname is not _UNKNOWN:
            self.pathname = pathname
            if isinstance(pathname, str):
                self.filename = pathname[pathname.rfind("/") + 1 :]
                self.module = _stem(self.filename)
            elif isinstance(pathname, bytes) or hasattr(pathname, "__fspath__"):
                _throw("a path of a log record that is no text")
            else:
                self.filename = pathname
                self.module = "Unknown module"
        self.exc_info = exc_info
        self.exc_text = None
        if sinfo is not _UNKNOWN:
            self.stack_info = sinfo
        if lineno is not _UNKNOWN:
            self.lineno = lineno
        if func is not _UNKNOWN:
            self.funcName = func

    def __repr__(self):
        place = "%s, %s" % (self.pathname, self.lineno)
        return '<LogRecord: %s, %s, %s, "%s">' % (self.name, self.levelno, place, self.msg)

    def getMessage(self):
        text = _str(self.msg)
        if self.args:
            text = text % self.args
        return text

# Classes and functions that the program can replace.
_state = {"record": LogRecord, "logger": None}


def setLogRecordFactory(factory):
    _state["record"] = factory


def getLogRecordFactory():
    return _state["record"]


def _add(record, attributes):
    for name in attributes:
        if not isinstance(name, str):
            _throw("an attribute of a log record that is no name")
        setattr(record, name, attributes[name])


def makeLogRecord(dict):
    record = _state["record"](None, None, "", 0, "", (), None, None)
    _add(record, dict)
    return record
