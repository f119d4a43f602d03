# `logging`: filters and handlers.


# -- formatting where nobody reads the text


def _log_tell(error):
    """Calls what writing the traceback of an exception calls: the texts of it and of those behind it."""
    if not isinstance(error, BaseException) or _classof(error).__name__ in ("ExceptionGroup", "BaseExceptionGroup"):
        _throw("an exception of an odd kind in a log")
    seen = [error]
    waiting = [error]
    _log_text_of(error)
    while waiting:
        error = waiting.pop()
        cause = error.__cause__
        if cause is not None and not _log_is_in(cause, seen):
            seen.append(cause)
            _log_text_of(cause)
        else:
            cause = None
        context = error.__context__
        if cause is not None or context is None or error.__suppress_context__ or _log_is_in(context, seen):
            context = None
        else:
            seen.append(context)
            _log_text_of(context)
        for other in (cause, context):
            if other is not None:
                waiting.append(other)


def _log_is_in(error, errors):
    for known in errors:
        if known is error:
            return True
    return False


def _log_text_of(error):
    try:
        _str(error)
    except BaseException:
        pass


def _log_is_plain(formatter):
    """Whether formatting is what this library does."""
    if formatter is None:
        return True
    cls = _classof(formatter)
    if cls is not logging__Formatter:
        for name in ("format", "formatMessage", "formatException", "formatStack", "formatTime", "usesTime"):
            if getattr(cls, name, None) is not getattr(logging__Formatter, name):
                return False
    return _classof(formatter._style) in (logging__PercentStyle, logging__StrFormatStyle, logging__StringTemplateStyle)


def _log_format_unread(formatter, record):
    formatter = _log_plain if formatter is None else formatter
    record.message = record.getMessage()
    if formatter.datefmt is not None and not isinstance(formatter.datefmt, str):
        _throw("a format of a time that is no text")
    try:
        _log_fill(formatter._style, record, True)
    except KeyError as error:
        _log_no_field(error)
    given = record._log_given
    if record.exc_info and "exc_text" in given and not given["exc_text"]:
        if record.exc_info[1] is None:
            record.exc_text = formatter.formatException(record.exc_info)
        else:
            _log_tell(record.exc_info[1])
            del given["exc_text"]


# -- filters


class logging__Filter:
    __module__ = "logging"

    def __init__(self, name=""):
        self.name = name
        self.nlen = len(name)

    def filter(self, record):
        if self.nlen == 0:
            return True
        if self.name == record.name:
            return True
        if record.name.find(self.name, 0, self.nlen) != 0:
            return False
        return record.name[self.nlen] == "."


class logging__Filterer:
    __module__ = "logging"

    def __init__(self):
        self.filters = []

    def addFilter(self, filter):
        if filter not in self.filters:
            self.filters.append(filter)

    def removeFilter(self, filter):
        if filter in self.filters:
            self.filters.remove(filter)

    def filter(self, record):
        for one in self.filters:
            passed = one.filter(record) if hasattr(one, "filter") else one(record)
            if not passed:
                return False
        return True


_rename(logging__Filter, "Filter")
_rename(logging__Filterer, "Filterer")


# -- handlers

_log_handlers = []
_log_handler_names = {}


class _log_Lock:
    """A lock that only one thread asks for."""

    __module__ = "_thread"

    def __init__(self):
        self._depth = 0

    def acquire(self, blocking=True, timeout=-1):
        self._depth += 1
        return True

    def release(self):
        if self._depth == 0:
            raise RuntimeError("cannot release un-acquired lock")
        self._depth -= 1

    def __enter__(self):
        return self.acquire()

    def __exit__(self, kind, error, traceback):
        self.release()


_rename(_log_Lock, "RLock")


class logging__Handler(logging__Filterer):
    __module__ = "logging"

    def __init__(self, level=0):
        logging__Filterer.__init__(self)
        self._name = None
        self.level = _log_level(level)
        self.formatter = None
        self._closed = False
        _log_handlers.append(self)
        self.createLock()

    def get_name(self):
        return self._name

    def set_name(self, name):
        if self._name in _log_handler_names:
            del _log_handler_names[self._name]
        self._name = name
        if name:
            _log_handler_names[name] = self

    name = property(get_name, set_name)

    def createLock(self):
        self.lock = _log_Lock()

    def acquire(self):
        if self.lock:
            self.lock.acquire()

    def release(self):
        if self.lock:
            self.lock.release()

    def setLevel(self, level):
        self.level = _log_level(level)

    def format(self, record):
        formatter = self.formatter if self.formatter else _log_plain
        return formatter.format(record)

    def emit(self, record):
        raise NotImplementedError("emit must be implemented by Handler subclasses")

    def handle(self, record):
        passed = self.filter(record)
        if passed:
            self.acquire()
            try:
                self.emit(record)
            finally:
                self.release()
        return passed

    def setFormatter(self, fmt):
        self.formatter = fmt

    def flush(self):
        pass

    def close(self):
        self._closed = True
        if self._name and self._name in _log_handler_names:
            del _log_handler_names[self._name]

    def handleError(self, record):
        # What is told of the error goes to the standard error.
        if not logging__raiseExceptions:
            return
        error = _log_failure()
        if error is None:
            raise AttributeError("'NoneType' object has no attribute 'tb_frame'")
        _log_tell(error)
        try:
            _repr(record.msg)
            _str(record.args)
        except RecursionError:
            raise
        except Exception:
            pass

    def __repr__(self):
        return "<%s (%s)>" % (_classof(self).__name__, logging__getLevelName(self.level))


class logging__StreamHandler(logging__Handler):
    __module__ = "logging"
    terminator = "\n"

    def __init__(self, stream=None):
        logging__Handler.__init__(self)
        self.stream = _log_standard_error() if stream is None else stream

    @classmethod
    def __class_getitem__(cls, item):
        _throw("a parametrised StreamHandler")

    def flush(self):
        self.acquire()
        try:
            if self.stream and hasattr(self.stream, "flush"):
                self.stream.flush()
        finally:
            self.release()

    def emit(self, record):
        try:
            if (
                _log_is_unread(self.stream)
                and _classof(self).format is logging__Handler.format
                and isinstance(record, logging__LogRecord)
                and _log_is_plain(self.formatter)
            ):
                _log_format_unread(self.formatter, record)
            else:
                text = self.format(record)
                stream = self.stream
                stream.write(text + self.terminator)
            self.flush()
        except RecursionError:
            raise
        except Exception:
            self.handleError(record)

    def setStream(self, stream):
        if stream is self.stream:
            return None
        before = self.stream
        self.acquire()
        try:
            self.flush()
            self.stream = stream
        finally:
            self.release()
        return before

    def __repr__(self):
        name = _str(getattr(self.stream, "name", ""))
        if name:
            name = name + " "
        return "<%s %s(%s)>" % (_classof(self).__name__, name, logging__getLevelName(self.level))


class logging__NullHandler(logging__Handler):
    __module__ = "logging"

    def handle(self, record):
        pass

    def emit(self, record):
        pass

    def createLock(self):
        self.lock = None


class logging__FileHandler(logging__StreamHandler):
    __module__ = "logging"

    def __init__(self, filename, mode="a", encoding=None, delay=False, errors=None):
        _throw("a log in a file")


class logging___StderrHandler(logging__StreamHandler):
    __module__ = "logging"

    def __init__(self, level=0):
        logging__Handler.__init__(self, level)

    @property
    def stream(self):
        return _log_standard_error()


_rename(logging__Handler, "Handler")
_rename(logging__StreamHandler, "StreamHandler")
_rename(logging__NullHandler, "NullHandler")
_rename(logging__FileHandler, "FileHandler")
_rename(logging___StderrHandler, "_StderrHandler")

logging__lastResort = logging___StderrHandler(30)
