# `logging` without files, threads and clocks. No trace shows the standard error, so what goes there is formatted only for what
# that calls (texts of the program's objects); the time, the thread, the process and the text of a traceback are not needed for it.
# Wherever else they would be seen, the machine stops.


def _log_standard_error():
    return _standard_error()


def _log_is_unread(stream):
    return stream is _stderr()


class _log_Probe(Exception):
    pass


def _log_exception():
    """The exception that the program handles, or None."""
    try:
        raise _log_Probe()
    except _log_Probe as probe:
        return probe.__context__


def _log_failure():
    """The exception that is handled here, be it by the program or by a handler, or None."""
    try:
        raise
    except BaseException as error:
        if isinstance(error, RuntimeError) and error.args == ("No active exception to reraise",):
            return None
        return error


class _log_Unknown:
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


_log_UNKNOWN = _log_Unknown()


def _log_is_mapping(value):
    if isinstance(value, dict):
        return True
    if value is None or isinstance(value, (str, int, float, complex, bytes, list, tuple, set, frozenset, type, BaseException)):
        return False
    cls = _classof(value)
    return "Mapping" in getattr(cls, "_abstract_", ()) or cls.__name__ in ("ChainMap", "mappingproxy")


# -- levels

logging__CRITICAL = 50
logging__FATAL = 50
logging__ERROR = 40
logging__WARNING = 30
logging__WARN = 30
logging__INFO = 20
logging__DEBUG = 10
logging__NOTSET = 0
logging__BASIC_FORMAT = "%(levelname)s:%(name)s:%(message)s"
logging__raiseExceptions = True
logging__logThreads = True
logging__logMultiprocessing = True
logging__logProcesses = True

logging___levelToName = {50: "CRITICAL", 40: "ERROR", 30: "WARNING", 20: "INFO", 10: "DEBUG", 0: "NOTSET"}
logging___nameToLevel = {
    "CRITICAL": 50, "FATAL": 50, "ERROR": 40, "WARN": 30, "WARNING": 30, "INFO": 20, "DEBUG": 10, "NOTSET": 0,
}


def logging__getLevelNamesMapping():
    return logging___nameToLevel.copy()


def logging__getLevelName(level):
    known = logging___levelToName.get(level)
    if known is None:
        known = logging___nameToLevel.get(level)
    return "Level %s" % level if known is None else known


def logging__addLevelName(level, levelName):
    logging___levelToName[level] = levelName
    logging___nameToLevel[levelName] = level


def _log_level(level):
    if isinstance(level, int):
        return level
    if _str(level) != level:
        raise TypeError("Level not an integer or a valid string: %r" % (level,))
    if level not in logging___nameToLevel:
        raise ValueError("Unknown level: %r" % (level,))
    return logging___nameToLevel[level]


# -- records

# What a record has of the outside, each with a value that can be formatted in its place where nobody reads the text.
_log_OUTSIDE = {
    "pathname": "", "filename": "", "module": "", "lineno": 0, "funcName": "",
    "created": 0.0, "msecs": 0.0, "relativeCreated": 0.0, "asctime": "",
    "thread": 0, "threadName": "", "process": 0, "processName": "",
    "exc_text": None, "stack_info": None,
}
_log_TAKEN = ("name", "msg", "args", "levelname", "levelno", "exc_info", "message") + tuple(_log_OUTSIDE)


def _log_outside(name, what):
    def get(record):
        if name not in record._log_given:
            _throw(what)
        return record._log_given[name]

    def put(record, value):
        record._log_given[name] = value

    return property(get, put)


def _log_stem(name):
    """The name of a file without its ending."""
    dot = name.rfind(".")
    return name[:dot] if dot > 0 and name[:dot].strip(".") != "" else name


class logging__LogRecord:
    __module__ = "logging"

    pathname = _log_outside("pathname", "the file where a record was logged")
    filename = _log_outside("filename", "the file where a record was logged")
    module = _log_outside("module", "the file where a record was logged")
    lineno = _log_outside("lineno", "where a record was logged")
    funcName = _log_outside("funcName", "where a record was logged")
    created = _log_outside("created", "the time of a log record")
    msecs = _log_outside("msecs", "the time of a log record")
    relativeCreated = _log_outside("relativeCreated", "the time of a log record")
    asctime = _log_outside("asctime", "the time of a log record")
    thread = _log_outside("thread", "the thread of a log record")
    threadName = _log_outside("threadName", "the thread of a log record")
    process = _log_outside("process", "the process of a log record")
    processName = _log_outside("processName", "the process of a log record")
    exc_text = _log_outside("exc_text", "the text of a traceback in a log")
    stack_info = _log_outside("stack_info", "the text of a stack in a log")

    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None, **kwargs):
        self._log_given = {}
        # A record has its time.
        _CLOCK[0] += 1000000
        self.name = name
        self.msg = msg
        if args and len(args) == 1 and _log_is_mapping(args[0]) and args[0]:
            args = args[0]
        self.args = args
        self.levelname = logging__getLevelName(level)
        self.levelno = level
        if pathname is not _log_UNKNOWN:
            self.pathname = pathname
            if isinstance(pathname, str):
                self.filename = pathname[pathname.rfind("/") + 1 :]
                self.module = _log_stem(self.filename)
            elif isinstance(pathname, bytes) or hasattr(pathname, "__fspath__"):
                _throw("a path of a log record that is no text")
            else:
                self.filename = pathname
                self.module = "Unknown module"
        self.exc_info = exc_info
        self.exc_text = None
        if sinfo is not _log_UNKNOWN:
            self.stack_info = sinfo
        if lineno is not _log_UNKNOWN:
            self.lineno = lineno
        if func is not _log_UNKNOWN:
            self.funcName = func

    def __repr__(self):
        place = "%s, %s" % (self.pathname, self.lineno)
        return '<LogRecord: %s, %s, %s, "%s">' % (self.name, self.levelno, place, self.msg)

    def getMessage(self):
        text = _str(self.msg)
        if self.args:
            text = text % self.args
        return text


_rename(logging__LogRecord, "LogRecord")

# What the program can put in the place of classes and functions.
_log_state = {"record": logging__LogRecord, "logger": None}


def logging__setLogRecordFactory(factory):
    _log_state["record"] = factory


def logging__getLogRecordFactory():
    return _log_state["record"]


def _log_add(record, attributes):
    for name in attributes:
        if not isinstance(name, str):
            _throw("an attribute of a log record that is no name")
        setattr(record, name, attributes[name])


def logging__makeLogRecord(dict):
    record = _log_state["record"](None, None, "", 0, "", (), None, None)
    _log_add(record, dict)
    return record
