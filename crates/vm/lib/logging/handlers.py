# `logging`: filters and handlers.
# Level: methods

import os
import os.path

# -- formatting for an unread text


def _tell(error):
    """Calls what writing the traceback of an exception calls: the texts of it and of those behind it."""
    if not isinstance(error, BaseException) or _classof(error).__name__ in ("ExceptionGroup", "BaseExceptionGroup"):
        _throw("an exception of an odd kind in a log")
    seen = [error]
    waiting = [error]
    _text_of(error)
    while waiting:
        error = waiting.pop()
        cause = error.__cause__
        if cause is not None and not _is_in(cause, seen):
            seen.append(cause)
            _text_of(cause)
        else:
            cause = None
        context = error.__context__
        if cause is not None or context is None or error.__suppress_context__ or _is_in(context, seen):
            context = None
        else:
            seen.append(context)
            _text_of(context)
        for other in (cause, context):
            if other is not None:
                waiting.append(other)


def _is_in(error, errors):
    for known in errors:
        if known is error:
            return True
    return False


def _text_of(error):
    try:
        _str(error)
    except BaseException:
        pass


def _is_plain(formatter):
    """Whether formatting is what this library does."""
    if formatter is None:
        return True
    cls = _classof(formatter)
    if cls is not Formatter:
        for name in ("format", "formatMessage", "formatException", "formatStack", "formatTime", "usesTime"):
            if getattr(cls, name, None) is not getattr(Formatter, name):
                return False
    return _classof(formatter._style) in (PercentStyle, StrFormatStyle, StringTemplateStyle)


def _format_unread(formatter, record):
    formatter = _log_plain if formatter is None else formatter
    record.message = record.getMessage()
    if formatter.datefmt is not None and not isinstance(formatter.datefmt, str):
        _throw("a format of a time that is no text")
    try:
        _fill(formatter._style, record, True)
    except KeyError as error:
        _no_field(error)
    given = record._log_given
    if record.exc_info and "exc_text" in given and not given["exc_text"]:
        if record.exc_info[1] is None:
            record.exc_text = formatter.formatException(record.exc_info)
        else:
            _tell(record.exc_info[1])
            del given["exc_text"]


# -- filters


class Filter:
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


class Filterer:
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


# -- handlers

_handlers = []
_handler_names = {}


class _Lock:
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


_rename(_Lock, "RLock")


class Handler(Filterer):
    def __init__(self, level=0):
        Filterer.__init__(self)
        self._name = None
        self.level = _level(level)
        self.formatter = None
        self._closed = False
        _handlers.append(self)
        self.createLock()

    def get_name(self):
        return self._name

    def set_name(self, name):
        if self._name in _handler_names:
            del _handler_names[self._name]
        self._name = name
        if name:
            _handler_names[name] = self

    name = property(get_name, set_name)

    def createLock(self):
        self.lock = _Lock()

    def acquire(self):
        if self.lock:
            self.lock.acquire()

    def release(self):
        if self.lock:
            self.lock.release()

    def setLevel(self, level):
        self.level = _level(level)

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
        if self._name and self._name in _handler_names:
            del _handler_names[self._name]

    def handleError(self, record):
        # The report of the error goes to standard error.
        if not raiseExceptions:
            return
        error = _failure()
        if error is None:
            raise AttributeError("'NoneType' object has no attribute 'tb_frame'")
        _tell(error)
        try:
            _repr(record.msg)
            _str(record.args)
        except RecursionError:
            raise
        except Exception:
            pass

    def __repr__(self):
        return "<%s (%s)>" % (_classof(self).__name__, getLevelName(self.level))


class StreamHandler(Handler):
    terminator = "\n"

    def __init__(self, stream=None):
        Handler.__init__(self)
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
                _is_unread(self.stream)
                and _classof(self).format is Handler.format
                and isinstance(record, LogRecord)
                and _is_plain(self.formatter)
            ):
                _format_unread(self.formatter, record)
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
        return "<%s %s(%s)>" % (_classof(self).__name__, name, getLevelName(self.level))


class NullHandler(Handler):
    def handle(self, record):
        pass

    def emit(self, record):
        pass

    def createLock(self):
        self.lock = None


class FileHandler(StreamHandler):
    def __init__(self, filename, mode="a", encoding=None, delay=False, errors=None):
        self.baseFilename = os.path.abspath(os.fspath(filename))
        self.mode = mode
        self.encoding = encoding
        self.errors = errors
        self.delay = delay
        if delay:
            Handler.__init__(self)
            self.stream = None
        else:
            StreamHandler.__init__(self, self._open())

    def close(self):
        self.acquire()
        try:
            try:
                if self.stream:
                    try:
                        self.flush()
                    finally:
                        stream = self.stream
                        self.stream = None
                        stream.close()
            finally:
                StreamHandler.close(self)
        finally:
            self.release()

    def _open(self):
        return _mem_open(self.baseFilename, self.mode, -1, self.encoding, self.errors)

    def emit(self, record):
        if self.stream is None and (self.mode != "w" or not self._closed):
            self.stream = self._open()
        if self.stream:
            StreamHandler.emit(self, record)

    def __repr__(self):
        return "<%s %s (%s)>" % (_classof(self).__name__, self.baseFilename, getLevelName(self.level))


class _StderrHandler(StreamHandler):
    def __init__(self, level=0):
        Handler.__init__(self, level)

    @property
    def stream(self):
        return _log_standard_error()

lastResort = _StderrHandler(30)
