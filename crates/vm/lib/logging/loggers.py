# `logging`: loggers, and functions of the root logger.
# Level: methods

# -- the tree of loggers


class PlaceHolder:
    """A name that only loggers below it have been asked for."""

    def __init__(self, alogger):
        self.loggerMap = {alogger: None}

    def append(self, alogger):
        self.loggerMap[alogger] = None


class Manager:
    def __init__(self, rootnode):
        self.root = rootnode
        self.disable = 0
        self.emittedNoHandlerWarning = False
        self.loggerDict = {}
        self.loggerClass = None
        self.logRecordFactory = None

    def _get_disable(self):
        return self._disable

    def _set_disable(self, value):
        self._disable = _level(value)

    disable = property(_get_disable, _set_disable)

    def getLogger(self, name):
        if not isinstance(name, str):
            raise TypeError("A logger name must be a string")
        held = self.loggerDict.get(name)
        if held is not None and not isinstance(held, PlaceHolder):
            return held
        logger = (self.loggerClass or getLoggerClass())(name)
        logger.manager = self
        self.loggerDict[name] = logger
        if held is not None:
            self._fixupChildren(held, logger)
        self._fixupParents(logger)
        return logger

    def setLoggerClass(self, klass):
        _check_class(klass)
        self.loggerClass = klass

    def setLogRecordFactory(self, factory):
        self.logRecordFactory = factory

    def _fixupParents(self, alogger):
        name = alogger.name
        dot = name.rfind(".")
        parent = None
        while dot > 0 and not parent:
            above = name[:dot]
            held = self.loggerDict.get(above)
            if held is None:
                self.loggerDict[above] = PlaceHolder(alogger)
            elif isinstance(held, Logger):
                parent = held
            else:
                held.append(alogger)
            dot = name.rfind(".", 0, dot - 1)
        alogger.parent = parent or self.root

    def _fixupChildren(self, ph, alogger):
        name = alogger.name
        for child in ph.loggerMap:
            if child.parent.name[: _len(name)] != name:
                alogger.parent = child.parent
                child.parent = alogger

    def _clear_cache(self):
        for logger in self.loggerDict.values():
            if isinstance(logger, Logger):
                logger._cache.clear()
        self.root._cache.clear()


def _exc_info(exc_info):
    """What a record gets for the argument."""
    if not exc_info or isinstance(exc_info, tuple):
        return exc_info
    error = exc_info if isinstance(exc_info, BaseException) else _exception()
    if error is None:
        return (None, None, None)
    return (_classof(error), error, _UNKNOWN)


class Logger(Filterer):
    def __init__(self, name, level=0):
        Filterer.__init__(self)
        self.name = name
        self.level = _level(level)
        self.parent = None
        self.propagate = True
        self.handlers = []
        self.disabled = False
        self._cache = {}

    def setLevel(self, level):
        self.level = _level(level)
        self.manager._clear_cache()

    def debug(self, msg, *args, **kwargs):
        if self.isEnabledFor(10):
            self._log(10, msg, args, **kwargs)

    def info(self, msg, *args, **kwargs):
        if self.isEnabledFor(20):
            self._log(20, msg, args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        if self.isEnabledFor(30):
            self._log(30, msg, args, **kwargs)

    def warn(self, msg, *args, **kwargs):
        self.warning(msg, *args, **kwargs)

    def error(self, msg, *args, **kwargs):
        if self.isEnabledFor(40):
            self._log(40, msg, args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.error(msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        if self.isEnabledFor(50):
            self._log(50, msg, args, **kwargs)

    def fatal(self, msg, *args, **kwargs):
        self.critical(msg, *args, **kwargs)

    def log(self, level, msg, *args, **kwargs):
        if not isinstance(level, int):
            if raiseExceptions:
                raise TypeError("level must be an integer")
            return
        if self.isEnabledFor(level):
            self._log(level, msg, args, **kwargs)

    def findCaller(self, stack_info=False, stacklevel=1):
        stack = _UNKNOWN if stack_info else None
        if stacklevel != 1:
            return _UNKNOWN, _UNKNOWN, _UNKNOWN, stack
        name, line = _caller()
        return _UNKNOWN, line, name, stack

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None, sinfo=None):
        record = _state["record"](name, level, fn, lno, msg, args, exc_info, func, sinfo)
        if extra is not None:
            for key in extra:
                if key in _TAKEN or isinstance(key, str) and hasattr(record, key) and not hasattr(_classof(record), key):
                    raise KeyError("Attempt to overwrite %r in LogRecord" % key)
                _add(record, {key: extra[key]})
        return record

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        stack = None
        try:
            file, line, function, stack = self.findCaller(stack_info, stacklevel)
        except ValueError:
            file, line, function = "(unknown file)", 0, "(unknown function)"
        exc_info = _exc_info(exc_info)
        self.handle(self.makeRecord(self.name, level, file, line, msg, args, exc_info, function, extra, stack))

    def handle(self, record):
        if not self.disabled and self.filter(record):
            self.callHandlers(record)

    def addHandler(self, hdlr):
        if hdlr not in self.handlers:
            self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def hasHandlers(self):
        logger = self
        while logger:
            if logger.handlers:
                return True
            if not logger.propagate:
                return False
            logger = logger.parent
        return False

    def callHandlers(self, record):
        logger = self
        found = False
        while logger:
            for handler in logger.handlers:
                found = True
                if record.levelno >= handler.level:
                    handler.handle(record)
            logger = logger.parent if logger.propagate else None
        if found:
            return
        if lastResort:
            if record.levelno >= lastResort.level:
                lastResort.handle(record)
        elif raiseExceptions:
            self.manager.emittedNoHandlerWarning = True

    def getEffectiveLevel(self):
        logger = self
        while logger:
            if logger.level:
                return logger.level
            logger = logger.parent
        return 0

    def isEnabledFor(self, level):
        if self.disabled:
            return False
        known = self._cache.get(level)
        if known is None:
            known = False if self.manager.disable >= level else level >= self.getEffectiveLevel()
            self._cache[level] = known
        return known

    def getChild(self, suffix):
        if self.root is not self:
            suffix = ".".join((self.name, suffix))
        return self.manager.getLogger(suffix)

    def __repr__(self):
        level = getLevelName(self.getEffectiveLevel())
        return "<%s %s (%s)>" % (_classof(self).__name__, self.name, level)


class RootLogger(Logger):
    def __init__(self, level):
        Logger.__init__(self, "root", level)

root = RootLogger(30)
Logger.root = root
Logger.manager = Manager(root)
_state["logger"] = Logger


def _check_class(klass):
    if klass != Logger and not issubclass(klass, Logger):
        raise TypeError("logger not derived from logging.Logger: " + klass.__name__)


def setLoggerClass(klass):
    _check_class(klass)
    _state["logger"] = klass


def getLoggerClass():
    return _state["logger"]


def getLogger(name=None):
    if not name or isinstance(name, str) and name == root.name:
        return root
    return Logger.manager.getLogger(name)


class LoggerAdapter:
    def __init__(self, logger, extra=None):
        self.logger = logger
        self.extra = extra

    @classmethod
    def __class_getitem__(cls, item):
        _throw("a parametrised LoggerAdapter")

    def process(self, msg, kwargs):
        kwargs["extra"] = self.extra
        return msg, kwargs

    def debug(self, msg, *args, **kwargs):
        self.log(10, msg, *args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self.log(20, msg, *args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self.log(30, msg, *args, **kwargs)

    def warn(self, msg, *args, **kwargs):
        self.warning(msg, *args, **kwargs)

    def error(self, msg, *args, **kwargs):
        self.log(40, msg, *args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.log(40, msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self.log(50, msg, *args, **kwargs)

    def log(self, level, msg, *args, **kwargs):
        if self.isEnabledFor(level):
            msg, kwargs = self.process(msg, kwargs)
            self.logger.log(level, msg, *args, **kwargs)

    def isEnabledFor(self, level):
        return self.logger.isEnabledFor(level)

    def setLevel(self, level):
        self.logger.setLevel(level)

    def getEffectiveLevel(self):
        return self.logger.getEffectiveLevel()

    def hasHandlers(self):
        return self.logger.hasHandlers()

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False):
        return self.logger._log(level, msg, args, exc_info=exc_info, extra=extra, stack_info=stack_info)

    def _get_manager(self):
        return self.logger.manager

    def _set_manager(self, value):
        self.logger.manager = value

    manager = property(_get_manager, _set_manager)

    @property
    def name(self):
        return self.logger.name

    def __repr__(self):
        level = getLevelName(self.getEffectiveLevel())
        return "<%s %s (%s)>" % (_classof(self).__name__, self.logger.name, level)


# -- functions of the root logger


def basicConfig(**kwargs):
    force = kwargs.pop("force", False)
    kwargs.pop("encoding", None)
    kwargs.pop("errors", None)
    root = Logger.root
    if force:
        for handler in root.handlers[:]:
            root.removeHandler(handler)
            handler.close()
    if _len(root.handlers) != 0:
        return
    handlers = kwargs.pop("handlers", None)
    if handlers is None:
        if "stream" in kwargs and "filename" in kwargs:
            raise ValueError("'stream' and 'filename' should not be specified together")
        filename = kwargs.pop("filename", None)
        mode = kwargs.pop("filemode", "a")
        if filename:
            handlers = [FileHandler(filename, mode)]
        else:
            handlers = [StreamHandler(kwargs.pop("stream", None))]
    elif "stream" in kwargs or "filename" in kwargs:
        raise ValueError("'stream' or 'filename' should not be specified together with 'handlers'")
    datefmt = kwargs.pop("datefmt", None)
    style = kwargs.pop("style", "%")
    format = kwargs.pop("format", _style(style)[1])
    formatter = Formatter(format, datefmt, style)
    for handler in handlers:
        if handler.formatter is None:
            handler.setFormatter(formatter)
        root.addHandler(handler)
    level = kwargs.pop("level", None)
    if level is not None:
        root.setLevel(level)
    if kwargs:
        raise ValueError("Unrecognised argument(s): " + ", ".join(kwargs))


def _root():
    """The root; it gets a handler where it has none."""
    if len(root.handlers) == 0:
        basicConfig()
    return root


def critical(msg, *args, **kwargs):
    _root().critical(msg, *args, **kwargs)


def fatal(msg, *args, **kwargs):
    critical(msg, *args, **kwargs)


def error(msg, *args, **kwargs):
    _root().error(msg, *args, **kwargs)


def exception(msg, *args, exc_info=True, **kwargs):
    error(msg, *args, exc_info=exc_info, **kwargs)


def warning(msg, *args, **kwargs):
    _root().warning(msg, *args, **kwargs)


def warn(msg, *args, **kwargs):
    warning(msg, *args, **kwargs)


def info(msg, *args, **kwargs):
    _root().info(msg, *args, **kwargs)


def debug(msg, *args, **kwargs):
    _root().debug(msg, *args, **kwargs)


def log(level, msg, *args, **kwargs):
    _root().log(level, msg, *args, **kwargs)


def disable(level=50):
    root.manager.disable = level
    root.manager._clear_cache()


def captureWarnings(capture):
    if capture:
        _throw("warnings in a log")


def _is_held(handler):
    """Whether a logger has the handler; others may be gone."""
    loggers = [root]
    for logger in root.manager.loggerDict.values():
        if isinstance(logger, Logger):
            loggers.append(logger)
    for logger in loggers:
        for held in logger.handlers:
            if held is handler:
                return True
    return handler is lastResort


def shutdown(handlerList=None):
    if handlerList is not None:
        _throw("shutdown of given handlers")
    for handler in reversed(_handlers[:]):
        if not _is_held(handler):
            stream = getattr(handler, "stream", None)
            quiet = stream is None or _is_unread(stream) or _classof(stream).__module__ in ("io", "_io")
            if not quiet or _classof(handler).__module__ != "logging":
                _throw("shutdown of a handler that may be gone")
        try:
            handler.acquire()
            handler.flush()
            handler.close()
        except (OSError, ValueError):
            pass
        finally:
            handler.release()
