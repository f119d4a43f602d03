# Context variables. Their addresses are unknown: planning ends if one would be written. The
# variables of a context are ordered by first assignment; CPython orders them by address.


class _cv_Missing:
    __module__ = "Token"

    def __repr__(self):
        return "<Token.MISSING>"


_rename(_cv_Missing, "MISSING")


class _cv_Address:
    """Stands for a message with an address."""

    def __repr__(self):
        _throw("the address of a context variable")

    def __str__(self):
        _throw("the address of a context variable")


_cv_ADDRESS = _cv_Address()


def _cv_title(value):
    return "'_contextvars." + _classof(value).__name__ + "' object"


def _cv_lacks(value, name):
    raise AttributeError(_cv_title(value) + " has no attribute " + _repr(name))


def _cv_keep(value, name, new, fixed):
    """Sets what begins with `_cv_`; the rest of the attributes is not to be set."""
    if name[:4] == "_cv_":
        object.__setattr__(value, name, new)
    elif name in fixed:
        if _classof(value) is Token:
            raise AttributeError("attribute '" + name + "' of '_contextvars.Token' objects is not writable")
        raise AttributeError("readonly attribute")
    elif hasattr(_classof(value), name):
        raise AttributeError(_cv_title(value) + " attribute " + _repr(name) + " is read-only")
    else:
        _cv_lacks(value, name)


def _cv_base(name):
    raise TypeError("type '_contextvars." + name + "' is not an acceptable base type")


class Token:
    __module__ = "_contextvars"
    MISSING = _cv_Missing()
    __hash__ = None

    def __init_subclass__(cls, **kwargs):
        _cv_base("Token")

    @classmethod
    def __class_getitem__(cls, item):
        return cls

    def __init__(self, *parts, **kwargs):
        if _len(parts) != 4 or parts[0] is not _END:
            raise RuntimeError("Tokens can only be created by ContextVars")
        object.__setattr__(self, "var", parts[1])
        object.__setattr__(self, "old_value", parts[2])
        self._cv_context = parts[3]
        self._cv_used = False

    def __setattr__(self, name, value):
        _cv_keep(self, name, value, ("var", "old_value"))

    def __getattr__(self, name):
        _cv_lacks(self, name)

    def __repr__(self):
        _throw("the address of a token")


class ContextVar:
    __module__ = "_contextvars"

    def __init_subclass__(cls, **kwargs):
        _cv_base("ContextVar")

    @classmethod
    def __class_getitem__(cls, item):
        return cls

    def __init__(self, *names, default=_END, **others):
        count = _len(names)
        if count + len(others) + (0 if default is _END else 1) > 2:
            _throw("ContextVar() of too many arguments")
        if count != 1:
            words = "exactly 1 positional argument (0 given)" if count == 0 else "at most 1 positional argument (2 given)"
            raise TypeError("ContextVar() takes " + words)
        for name in others:
            raise TypeError("'" + name + "' is an invalid keyword argument for ContextVar()")
        if not isinstance(names[0], str):
            raise TypeError("context variable name must be a str")
        object.__setattr__(self, "name", names[0])
        self._cv_default = default
        self._cv_number = _cv_STATE["made"]
        _cv_STATE["made"] += 1

    def __setattr__(self, name, value):
        _cv_keep(self, name, value, ("name",))

    def __getattr__(self, name):
        _cv_lacks(self, name)

    def get(self, default=_END, /):
        known = _cv_STATE["context"]._cv_values
        if self._cv_number in known:
            return known[self._cv_number][1]
        if default is not _END:
            return default
        if self._cv_default is not _END:
            return self._cv_default
        raise LookupError(self)

    def set(self, value, /):
        context = _cv_STATE["context"]
        known = context._cv_values
        old = known[self._cv_number][1] if self._cv_number in known else Token.MISSING
        token = Token(_END, self, old, context)
        known[self._cv_number] = (self, value)
        return token

    def reset(self, token, /):
        if not isinstance(token, Token):
            raise TypeError("expected an instance of Token, got " + _repr(token))
        if token._cv_used:
            raise RuntimeError(_cv_ADDRESS)
        context = _cv_STATE["context"]
        if token.var is not self or token._cv_context is not context:
            raise ValueError(_cv_ADDRESS)
        token._cv_used = True
        if token.old_value is Token.MISSING:
            if self._cv_number not in context._cv_values:
                raise LookupError(self)
            del context._cv_values[self._cv_number]
        else:
            context._cv_values[self._cv_number] = (self, token.old_value)

    def __repr__(self):
        _throw("the address of a context variable")


class Context:
    __module__ = "_contextvars"
    __hash__ = None
    _abstract_ = ("Mapping", "Sized", "Iterable", "Container", "Collection")

    def __init_subclass__(cls, **kwargs):
        _cv_base("Context")

    def __init__(self, *args, **kwargs):
        if _len(args) != 0 or kwargs:
            raise TypeError("Context() does not accept any arguments")
        self._cv_values = {}
        self._cv_entered = False

    def __setattr__(self, name, value):
        _cv_keep(self, name, value, ())

    def __getattr__(self, name):
        _cv_lacks(self, name)

    def run(self, /, *args, **kwargs):
        if _len(args) == 0:
            raise TypeError("run() missing 1 required positional argument")
        if self._cv_entered:
            raise RuntimeError(_cv_ADDRESS)
        before = _cv_STATE["context"]
        self._cv_entered = True
        _cv_STATE["context"] = self
        try:
            return args[0](*args[1:], **kwargs)
        finally:
            _cv_STATE["context"] = before
            self._cv_entered = False

    def copy(self):
        other = Context()
        other._cv_values = {**self._cv_values}
        return other

    def _cv_place(self, var):
        """The number of a variable, None without a value."""
        if not isinstance(var, ContextVar):
            raise TypeError("a ContextVar key was expected, got " + _repr(var))
        return var._cv_number if var._cv_number in self._cv_values else None

    def get(self, key, default=None, /):
        place = self._cv_place(key)
        return default if place is None else self._cv_values[place][1]

    def __getitem__(self, key):
        place = self._cv_place(key)
        if place is None:
            raise KeyError(key)
        return self._cv_values[place][1]

    def __contains__(self, key):
        return self._cv_place(key) is not None

    def __len__(self):
        return len(self._cv_values)

    def __iter__(self):
        return self.keys()

    def keys(self):
        return iter([pair[0] for pair in self._cv_values.values()])

    def values(self):
        return iter([pair[1] for pair in self._cv_values.values()])

    def items(self):
        return iter([pair for pair in self._cv_values.values()])

    def __eq__(self, other):
        if not isinstance(other, Context):
            return NotImplemented
        if len(self._cv_values) != len(other._cv_values):
            return False
        for number in self._cv_values:
            if number not in other._cv_values:
                return False
            mine = self._cv_values[number][1]
            theirs = other._cv_values[number][1]
            if mine is not theirs and not mine == theirs:
                return False
        return True

    def __repr__(self):
        _throw("the address of a context")

_cv_STATE = {"context": Context(), "made": 0}


def copy_context():
    return _cv_STATE["context"].copy()
