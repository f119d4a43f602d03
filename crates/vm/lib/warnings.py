# The part of `warnings` that is written in Python. Warnings go to standard error, which is unread.

import re

# Rules of the program, the last one first: the action, a pattern of the text or None, a class.
_RULES = []
# The list that records warnings, if there is one, and the warnings that it has received.
_TAKEN = None
_SEEN = []


def warn(message, category=None, stacklevel=1, source=None):
    global _SEEN
    if isinstance(message, Warning):
        category = _classof(message)
    elif category is None:
        category = UserWarning
    if not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError("category must be a Warning subclass, not '" + _classof(category).__name__ + "'")
    text = _str(message)
    if not isinstance(message, Warning):
        message = category(message)
    action = _action(text, category)
    if action == "error":
        raise message
    if action == "ignore":
        return
    if _TAKEN is not None:
        if action != "always":
            if (text, category) in _SEEN:
                _throw("a warning that is repeated")
            _SEEN.append((text, category))
        _TAKEN.append(WarningMessage(message, category))
    elif _STDERR is not None:
        _throw("warnings that the program reads")


def _action(text, category):
    for action, pattern, kind in _RULES:
        if issubclass(category, kind) and (pattern is None or pattern.match(text)):
            return action
    # The default rules, for a warning of the program itself.
    if issubclass(category, (PendingDeprecationWarning, ImportWarning, ResourceWarning)):
        return "ignore"
    return "default"


class WarningMessage:
    def __init__(self, message, category, filename=None, lineno=None, file=None, line=None, source=None):
        self.message = message
        self.category = category
        self.file = file
        self.line = line
        self.source = source

    def _place(self):
        _throw("where a warning was given")

    filename = property(_place)
    lineno = property(_place)
    __str__ = _place
    __repr__ = _place


def _rule(action, pattern, category, append):
    if action not in ("error", "ignore", "always", "default", "module", "once"):
        raise AssertionError("invalid action: " + _repr(action))
    rule = (action, pattern, category)
    if rule in _RULES:
        _RULES.remove(rule)
    if append:
        _RULES.append(rule)
    else:
        _RULES.insert(0, rule)


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    if module or lineno:
        _throw("a rule for warnings of a module or a line")
    _rule(action, re.compile(message, re.I) if message else None, category, append)


def simplefilter(action, category=Warning, lineno=0, append=False):
    if lineno:
        _throw("a rule for warnings of a line")
    _rule(action, None, category, append)


def resetwarnings():
    _RULES[:] = [("default", None, Warning)]


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        self._record = record
        self._entered = False
        self._rule = None if action is None else (action, category, lineno, append)

    def __enter__(self):
        global _TAKEN, _SEEN
        if self._entered:
            raise RuntimeError("Cannot enter " + _repr(self) + " twice")
        self._entered = True
        self._before = (_RULES[:], _TAKEN, _SEEN)
        if self._rule is not None:
            simplefilter(*self._rule)
        if not self._record:
            return None
        _TAKEN = []
        _SEEN = []
        return _TAKEN

    def __exit__(self, *exc_info):
        global _TAKEN, _SEEN
        if not self._entered:
            raise RuntimeError("Cannot exit " + _repr(self) + " without entering first")
        rules, _TAKEN, _SEEN = self._before
        _RULES[:] = rules


def _deprecated(name, message="", *, remove, _version=None):
    # It warns about a library module, which is not visible.
    pass
