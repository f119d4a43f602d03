# `logging`: loggers, and functions for the root.


# -- the tree of loggers


class logging__PlaceHolder:
    """A name that only loggers below it have been asked for."""

    __module__ = "logging"

    def __init__(self, alogger):
        self.loggerMap = {alogger: None}

    def append(self, alogger):
        self.loggerMap[alogger] = None


class logging__Manager:
    __module__ = "logging"

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
        self._disable = _log_level(value)

    disable = property(_get_disable, _set_disable)

    def getLogger(self, name):
        if not isinstance(name, str):
            raise TypeError("A logger name must be a string")
        held = self.loggerDict.get(name)
        if held is not None and not isinstance(held, logging__PlaceHolder):
            return held
        logger = (self.loggerClass or logging__getLoggerClass())(name)
        logger.manager = self
        self.loggerDict[name] = logger
        if held is not None:
            self._fixupChildren(held, logger)
        self._fixupParents(logger)
        return logger

    def setLoggerClass(self, klass):
        _log_check_class(klass)
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
                self.loggerDict[above] = logging__PlaceHolder(alogger)
            elif isinstance(held, logging__Logger):
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
            if isinstance(logger, logging__Logger):
                logger._cache.clear()
        self.root._cache.clear()


def _log_exc_info(exc_info):
    """What a record gets for the argument."""
    if not exc_info or isinstance(exc_info, tuple):
        return exc_info
    error = exc_info if isinstance(exc_info, BaseException) else _log_exception()
    if error is None:
        return (None, None, None)
    return (_classof(error), error, _log_UNKNOWN)


class logging__Logger(logging__Filterer):
    __module__ = "logging"

    def __init__(self, name, level=0):
        logging__Filterer.__init__(self)
        self.name = name
        self.level = _log_level(level)
        self.parent = None
        self.propagate = True
        self.handlers = []
        self.disabled = False
        self._cache = {}

    def setLevel(self, level):
        self.level = _log_level(level)
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
            if logging__raiseExceptions:
                raise TypeError("level must be an integer")
            return
        if self.isEnabledFor(level):
            self._log(level, msg, args, **kwargs)

    def findCaller(self, stack_info=False, stacklevel=1):
        stack = _log_UNKNOWN if stack_info else None
        if stacklevel != 1:
            return _log_UNKNOWN, _log_UNKNOWN, _log_UNKNOWN, stack
        name, line = _caller()
        return _log_UNKNOWN, line, name, stack

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None, sinfo=None):
        record = _log_state["record"](name, level, fn, lno, msg, args, exc_info, func, sinfo)
        if extra is not None:
            for key in extra:
                if key in _log_TAKEN or isinstance(key, str) and hasattr(record, key) and not hasattr(_classof(record), key):
                    raise KeyError("Attempt to overwrite %r in LogRecord" % key)
                _log_add(record, {key: extra[key]})
        return record

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        stack = None
        try:
            file, line, function, stack = self.findCaller(stack_info, stacklevel)
        except ValueError:
            file, line, function = "(unknown file)", 0, "(unknown function)"
        exc_info = _log_exc_info(exc_info)
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
        if logging__lastResort:
            if record.levelno >= logging__lastResort.level:
                logging__lastResort.handle(record)
        elif logging__raiseExceptions:
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
        level = logging__getLevelName(self.getEffectiveLevel())
        return "<%s %s (%s)>" % (_classof(self).__name__, self.name, level)


class logging__RootLogger(logging__Logger):
    __module__ = "logging"

    def __init__(self, level):
        logging__Logger.__init__(self, "root", level)


_rename(logging__PlaceHolder, "PlaceHolder")
_rename(logging__Manager, "Manager")
_rename(logging__Logger, "Logger")
_rename(logging__RootLogger, "RootLogger")

logging__root = logging__RootLogger(30)
logging__Logger.root = logging__root
logging__Logger.manager = logging__Manager(logging__root)
_log_state["logger"] = logging__Logger


def _log_check_class(klass):
    if klass != logging__Logger and not issubclass(klass, logging__Logger):
        raise TypeError("logger not derived from logging.Logger: " + klass.__name__)


def logging__setLoggerClass(klass):
    _log_check_class(klass)
    _log_state["logger"] = klass


def logging__getLoggerClass():
    return _log_state["logger"]


def logging__getLogger(name=None):
    if not name or isinstance(name, str) and name == logging__root.name:
        return logging__root
    return logging__Logger.manager.getLogger(name)


class logging__LoggerAdapter:
    __module__ = "logging"

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
        level = logging__getLevelName(self.getEffectiveLevel())
        return "<%s %s (%s)>" % (_classof(self).__name__, self.logger.name, level)


_rename(logging__LoggerAdapter, "LoggerAdapter")


# -- functions for the root


def logging__basicConfig(**kwargs):
    force = kwargs.pop("force", False)
    kwargs.pop("encoding", None)
    kwargs.pop("errors", None)
    root = logging__root
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
            handlers = [logging__FileHandler(filename, mode)]
        else:
            handlers = [logging__StreamHandler(kwargs.pop("stream", None))]
    elif "stream" in kwargs or "filename" in kwargs:
        raise ValueError("'stream' or 'filename' should not be specified together with 'handlers'")
    datefmt = kwargs.pop("datefmt", None)
    style = kwargs.pop("style", "%")
    format = kwargs.pop("format", _log_style(style)[1])
    formatter = logging__Formatter(format, datefmt, style)
    for handler in handlers:
        if handler.formatter is None:
            handler.setFormatter(formatter)
        root.addHandler(handler)
    level = kwargs.pop("level", None)
    if level is not None:
        root.setLevel(level)
    if kwargs:
        raise ValueError("Unrecognised argument(s): " + ", ".join(kwargs))


def _log_root():
    """The root; it gets a handler where it has none."""
    if len(logging__root.handlers) == 0:
        logging__basicConfig()
    return logging__root


def logging__critical(msg, *args, **kwargs):
    _log_root().critical(msg, *args, **kwargs)


def logging__fatal(msg, *args, **kwargs):
    logging__critical(msg, *args, **kwargs)


def logging__error(msg, *args, **kwargs):
    _log_root().error(msg, *args, **kwargs)


def logging__exception(msg, *args, exc_info=True, **kwargs):
    logging__error(msg, *args, exc_info=exc_info, **kwargs)


def logging__warning(msg, *args, **kwargs):
    _log_root().warning(msg, *args, **kwargs)


def logging__warn(msg, *args, **kwargs):
    logging__warning(msg, *args, **kwargs)


def logging__info(msg, *args, **kwargs):
    _log_root().info(msg, *args, **kwargs)


def logging__debug(msg, *args, **kwargs):
    _log_root().debug(msg, *args, **kwargs)


def logging__log(level, msg, *args, **kwargs):
    _log_root().log(level, msg, *args, **kwargs)


def logging__disable(level=50):
    logging__root.manager.disable = level
    logging__root.manager._clear_cache()


def logging__captureWarnings(capture):
    if capture:
        _throw("warnings in a log")


def _log_is_held(handler):
    """Whether a logger has the handler; others may be gone."""
    loggers = [logging__root]
    for logger in logging__root.manager.loggerDict.values():
        if isinstance(logger, logging__Logger):
            loggers.append(logger)
    for logger in loggers:
        for held in logger.handlers:
            if held is handler:
                return True
    return handler is logging__lastResort


def logging__shutdown(handlerList=None):
    if handlerList is not None:
        _throw("shutdown of given handlers")
    for handler in reversed(_log_handlers[:]):
        if not _log_is_held(handler):
            stream = getattr(handler, "stream", None)
            quiet = stream is None or _log_is_unread(stream) or _classof(stream).__module__ in ("io", "_io")
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
