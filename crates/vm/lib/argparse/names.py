# `argparse`: names, errors, `Namespace`, actions. Standard error is unread: see `_arg_is_unread`.
# Level: methods

import copy


SUPPRESS = "==SUPPRESS=="
OPTIONAL = "?"
ZERO_OR_MORE = "*"
ONE_OR_MORE = "+"
PARSER = "A..."
REMAINDER = "..."
_UNRECOGNIZED_ARGS_ATTR = "_unrecognized_args"


# -- what is outside


def _columns():
    """How wide the terminal is."""
    return 80


def _vars(x):
    """The dict of an object: it is read only."""
    return x.__dict__


class _Output:
    def write(self, text):
        _write(text)
        return _len(text)


_OUTPUT = _Output()


def _standard_output():
    return _OUTPUT if _STDOUT is None else _STDOUT


def _arg_standard_error():
    return _standard_error()


def _is_unread(file):
    return file is _stderr()


# -- helpers


def _suppressed(x):
    return isinstance(x, str) and x == "==SUPPRESS=="


def _unexpected(function, names):
    for name in names:
        raise TypeError(function + "() got an unexpected keyword argument '" + name + "'")


def _within(x, items):
    for item in items:
        if item is x:
            return True
    return False


def _place(x, items):
    at = 0
    for item in items:
        if item is x:
            return at
        at += 1
    return -1


def _copy(items):
    if items is None:
        return []
    if _classof(items) is list:
        return items[:]
    return copy.copy(items)


def _same(a, b, fresh):
    """Whether `a is b`. Equal texts and numbers may be one object or two; a fresh number is another one."""
    kind = _classof(a)
    if kind is not _classof(b):
        return False
    if kind is str:
        if a != b:
            return False
        if _len(a) > 1 or a > "\xff":
            _throw("identity of equal values")
        return True
    if kind is int:
        if a != b or not -5 <= a <= 256:
            if a == b and not fresh:
                _throw("identity of equal values")
            return False
        return True
    if kind is bytes:
        if a != b:
            return False
        if _len(a) > 1:
            _throw("identity of equal values")
        return True
    if kind is float or kind is complex:
        if fresh:
            return False
        if a == b or (a != a and b != b):
            _throw("identity of equal values")
        return False
    if kind is tuple or kind is frozenset:
        if not a and not b:
            return True
        if fresh or _own(a) or _own(b) or a != b:
            return a is b
        _throw("identity of equal values")
    return a is b


def _arg_type_name(kind):
    name = getattr(kind, "__name__", _END)
    return _repr(kind) if name is _END else name


def _name(argument):
    """What messages call an argument."""
    if argument is None:
        return None
    if argument.option_strings:
        return "/".join(argument.option_strings)
    if argument.metavar not in (None, SUPPRESS):
        return argument.metavar
    if argument.dest not in (None, SUPPRESS):
        return argument.dest
    if argument.choices:
        return "{" + ",".join(argument.choices) + "}"
    return None


class ArgumentError(Exception):
    def __init__(self, argument, message):
        Exception.__init__(self, argument, message)
        self.argument_name = _name(argument)
        self.message = message

    def __str__(self):
        if self.argument_name is None:
            return _str(self.message)
        return "argument " + _str(self.argument_name) + ": " + _str(self.message)


class ArgumentTypeError(Exception):
    __module__ = "argparse"


class _AttributeHolder:
    def __repr__(self):
        parts = [_repr(x) for x in self._get_args()]
        others = {}
        for name, value in self._get_kwargs():
            if name.isidentifier():
                parts.append(name + "=" + _repr(value))
            else:
                others[name] = value
        if others:
            parts.append("**" + _repr(others))
        return _classof(self).__name__ + "(" + ", ".join(parts) + ")"

    def _get_kwargs(self):
        return [pair for pair in _vars(self).items()]

    def _get_args(self):
        return []


class Namespace(_AttributeHolder):
    def __init__(self, **kwargs):
        for name in kwargs:
            setattr(self, name, kwargs[name])

    def __eq__(self, other):
        if not isinstance(other, Namespace):
            return NotImplemented
        return _vars(self) == _vars(other)

    def __contains__(self, key):
        return key in _vars(self)
