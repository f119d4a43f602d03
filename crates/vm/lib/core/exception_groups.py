# Exception groups, and how `except*` handles them (PEP 654).


class BaseExceptionGroup(BaseException):
    __module__ = "builtins"

    def __new__(cls, *args):
        if _len(args) != 2:
            raise TypeError(f"BaseExceptionGroup.__new__() takes exactly 2 arguments ({_len(args)} given)")
        message, exceptions = args
        if not isinstance(message, str):
            raise TypeError("BaseExceptionGroup.__new__() argument 1 must be str, not " + _classof(message).__name__)
        if not isinstance(exceptions, (list, tuple, str, bytes, range)):
            raise TypeError("second argument (exceptions) must be a sequence")
        if _len(exceptions) == 0:
            raise ValueError("second argument (exceptions) must be a non-empty sequence")
        plain = True
        for i, error in enumerate(exceptions):
            if not isinstance(error, BaseException):
                raise ValueError(f"Item {i} of second argument (exceptions) is not an exception")
            plain = plain and isinstance(error, Exception)
        if cls is BaseExceptionGroup and plain:
            cls = ExceptionGroup
        elif not plain and issubclass(cls, Exception):
            kind = "an ExceptionGroup" if cls is ExceptionGroup else _repr(cls.__name__)
            raise TypeError("Cannot nest BaseExceptions in " + kind)
        self = BaseException.__new__(cls)
        _set_own(self, "args", (message, exceptions))
        _set_own(self, "_eg_message", message)
        _set_own(self, "_eg_exceptions", (*exceptions,))
        return self

    @property
    def message(self):
        return self._eg_message

    @property
    def exceptions(self):
        return self._eg_exceptions

    def __init__(self, *args):
        _set_own(self, "args", args)

    def __str__(self):
        count = _len(self.exceptions)
        return f"{self.message} ({count} sub-exception{'s' if count != 1 else ''})"

    def derive(self, excs, /):
        return BaseExceptionGroup(self.message, excs)

    def split(self, condition, /):
        return _eg_split(self, _eg_condition(condition))

    def subgroup(self, condition, /):
        return _eg_split(self, _eg_condition(condition), False)[0]


class ExceptionGroup(BaseExceptionGroup, Exception):
    __module__ = "builtins"


def _eg_condition(condition):
    if isinstance(condition, type) and issubclass(condition, BaseException) or isinstance(condition, tuple):
        return lambda error: isinstance(error, condition)
    if not callable(condition):
        raise TypeError("expected a function, exception type or tuple of exception types")
    return condition


def _eg_split(error, condition, both=True):
    """The part that a condition holds for, and the rest; None for a part without exceptions."""
    if condition(error):
        return (error, None)
    if not isinstance(error, BaseExceptionGroup):
        return (None, error)
    found = []
    rest = []
    for inner in error.exceptions:
        match, other = _eg_split(inner, condition, both)
        if match is not None:
            _push(found, match)
        if other is not None:
            _push(rest, other)
    return (_eg_part(error, found), _eg_part(error, rest) if both else None)


def _eg_part(group, errors):
    if _len(errors) == 0:
        return None
    part = group.derive(errors)
    if not isinstance(part, BaseExceptionGroup):
        raise TypeError("derive must return an instance of BaseExceptionGroup")
    for name in ("__cause__", "__context__"):
        value = getattr(group, name)
        if value is not None:
            _set_own(part, name, value)
    notes = getattr(group, "__notes__", None)
    if notes is not None:
        part.__notes__ = notes.copy()
    _set_own(part, "_eg_from", _eg_root(group))
    return part


def _eg_root(error):
    return getattr(error, "_eg_from", error)


def _eg_match(error, kinds):
    """What is left for the next `except*`, and what this one handles."""
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        if not isinstance(kind, type) or not issubclass(kind, BaseException):
            raise TypeError("catching classes that do not inherit from BaseException is not allowed")
        if issubclass(kind, BaseExceptionGroup):
            raise TypeError("catching ExceptionGroup with except* is not allowed. Use except instead.")
    if error is None:
        return (None, None)
    if isinstance(error, kinds):
        return (None, error if isinstance(error, BaseExceptionGroup) else BaseExceptionGroup("", (error,)))
    if isinstance(error, BaseExceptionGroup):
        match, rest = error.split(kinds)
        return (rest, match)
    return (error, None)


def _eg_reraised(origin, errors):
    """What goes on after all `except*`: of what was caught the part that was not handled, and what the handlers raised."""
    raised = []
    again = []
    if not isinstance(origin, BaseExceptionGroup):
        # It was wrapped, so at most one of them could handle it.
        return errors[0] if _len(errors) != 0 else None
    for error in errors:
        if error is not None:
            _push(again if _eg_root(error) is _eg_root(origin) else raised, error)
    kept = []
    for error in again:
        _eg_leaves(error, kept)
    rest = None
    if _len(kept) != 0:
        rest = _eg_split(origin, lambda error: any([error is one for one in kept]), False)[0]
    if _len(raised) == 0:
        return rest
    if rest is not None:
        _push(raised, rest)
    return raised[0] if _len(raised) == 1 else BaseExceptionGroup("", raised)


def _eg_leaves(error, into):
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            _eg_leaves(inner, into)
    else:
        _push(into, error)
