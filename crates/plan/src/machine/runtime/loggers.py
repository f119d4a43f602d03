# Loggers where methods are asked: what they write goes to the standard error, which no trace shows. In place of `logging/`.


class logging__Logger:
    __module__ = "logging"

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
        return logging__getLogger(self.name + "." + suffix)


_ROOT = logging__Logger("root", 30)
_LOGGERS = {}


def logging__getLogger(name=None):
    if name is None or name == "root":
        return _ROOT
    if name not in _LOGGERS:
        _LOGGERS[name] = logging__Logger(name)
    return _LOGGERS[name]


def logging__basicConfig(**kwargs):
    for name in kwargs:
        if name not in ("level", "format", "datefmt", "force", "style"):
            _throw("logging to a place of its own")
    if "level" in kwargs:
        _ROOT.level = kwargs["level"]


def logging__disable(level=50):
    pass


def logging__debug(msg, *args, **kwargs):
    pass


def logging__info(msg, *args, **kwargs):
    pass


def logging__warning(msg, *args, **kwargs):
    _ROOT._quiet(msg, args)


def logging__error(msg, *args, **kwargs):
    _ROOT._quiet(msg, args)


def logging__exception(msg, *args, **kwargs):
    _ROOT._quiet(msg, args)


def logging__critical(msg, *args, **kwargs):
    _ROOT._quiet(msg, args)


_rename(logging__Logger, "Logger")
