# Replaces `logging/` if methods are asked. Output goes to standard error, which no trace shows.
# Level: operators


class Logger:
    def __init__(self, name, level=0):
        self.name = name
        self.level = level
        self.handlers = []
        self.propagate = True
        self.disabled = False

    def _quiet(self, message, args):
        for value in (message, args):
            if _kind(value) == "own":
                _throw("an object of the program in a log")
        for value in args:
            if _kind(value) == "own":
                _throw("an object of the program in a log")

    def debug(self, msg, *args, **kwargs):
        pass

    def info(self, msg, *args, **kwargs):
        pass

    def warning(self, msg, *args, **kwargs):
        self._quiet(msg, args)

    def warn(self, msg, *args, **kwargs):
        self._quiet(msg, args)

    def error(self, msg, *args, **kwargs):
        self._quiet(msg, args)

    def exception(self, msg, *args, **kwargs):
        self._quiet(msg, args)

    def critical(self, msg, *args, **kwargs):
        self._quiet(msg, args)

    def log(self, level, msg, *args, **kwargs):
        self._quiet(msg, args)

    def setLevel(self, level):
        self.level = level

    def getEffectiveLevel(self):
        if self.level != 0:
            return self.level
        return _ROOT.level

    def isEnabledFor(self, level):
        return level >= self.getEffectiveLevel()

    def hasHandlers(self):
        return False

    def getChild(self, suffix):
        return getLogger(self.name + "." + suffix)


_ROOT = Logger("root", 30)
_LOGGERS = {}


def getLogger(name=None):
    if name is None or name == "root":
        return _ROOT
    if name not in _LOGGERS:
        _LOGGERS[name] = Logger(name)
    return _LOGGERS[name]


def basicConfig(**kwargs):
    for name in kwargs:
        if name not in ("level", "format", "datefmt", "force", "style"):
            _throw("logging to a place of its own")
    if "level" in kwargs:
        _ROOT.level = kwargs["level"]


def disable(level=50):
    pass


def debug(msg, *args, **kwargs):
    pass


def info(msg, *args, **kwargs):
    pass


def warning(msg, *args, **kwargs):
    _ROOT._quiet(msg, args)


def error(msg, *args, **kwargs):
    _ROOT._quiet(msg, args)


def exception(msg, *args, **kwargs):
    _ROOT._quiet(msg, args)


def critical(msg, *args, **kwargs):
    _ROOT._quiet(msg, args)
