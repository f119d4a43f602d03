# The part of `typing` that is written in Python.

import collections
import collections.abc
import types
import typing

TYPE_CHECKING = False


class NewType:
    def __init__(self, name, tp):
        self.__name__ = name
        self.__supertype__ = tp

    def __call__(self, x, /):
        return x

    def __repr__(self):
        return "__main__." + self.__name__


def runtime_checkable(cls):
    _set_own(cls, "_is_runtime_protocol", True)
    return cls


_ALIASES = ("_UnionGenericAlias", "_GenericAlias", "_CallableGenericAlias", "_LiteralGenericAlias", "_AnnotatedAlias", "GenericAlias")


def get_origin(tp):
    kind = _type_name(tp)
    if kind == "_AnnotatedAlias":
        return typing.Annotated
    if kind in _ALIASES:
        return tp.__origin__
    if kind == "types.UnionType":
        return types.UnionType
    return typing.Generic if tp is typing.Generic else None


def get_args(tp):
    kind = _type_name(tp)
    if kind == "_AnnotatedAlias":
        return (tp.__origin__,) + tp.__metadata__
    if kind == "types.UnionType":
        return tp.__args__
    if kind not in _ALIASES:
        return ()
    args = tp.__args__
    if tp.__origin__ is collections.abc.Callable and not (_len(args) == 2 and (args[0] is Ellipsis or _type_name(args[0]) == "ParamSpec")):
        return ([*args[:-1]], args[-1])
    return args


def cast(kind, value):
    return value


def final(f):
    try:
        f.__final__ = True
    except (AttributeError, TypeError):
        pass
    return f


def overload(function):
    return function


def _functional(typename, fields=None, /, **kwargs):
    """`NamedTuple("Point", [("x", int), ("y", int)])`"""
    if fields is None:
        fields = kwargs.items()
    elif _len(kwargs) != 0:
        raise TypeError("Either list of fields or keywords can be provided to NamedTuple, not both")
    kinds = {name: kind for name, kind in fields}
    new = collections.namedtuple(typename, [*kinds])
    new.__annotations__ = kinds
    return new


class NamedTuple(_NamedTuple):
    def __new__(cls, *args, **kwargs):
        if cls is NamedTuple:
            return _functional(*args, **kwargs)
        return _NamedTuple.__new__(cls, *args, **kwargs)

    def __finish__(cls):
        if _mro(cls)[1] is not NamedTuple:
            # Another base may have to be finished: an enumeration.
            for base in _mro(cls):
                finish = _END if base is NamedTuple else _own_attribute(base, "__finish__")
                if finish is not _END:
                    return finish(cls)
            return cls
        names = []
        usual = {}
        annotations = _own_attribute(cls, "__annotations__")
        if annotations is not _END:
            for name in annotations:
                _push(names, name)
                value = _own_attribute(cls, name)
                if value is not _END:
                    usual[name] = value
                elif _len(_items(usual)) != 0:
                    raise TypeError("non-default namedtuple field " + name + " cannot follow default fields " + _joined_names(usual))
        return _with_fields(cls, (*names,), usual)


def _joined_names(names):
    text = ""
    for name in names:
        text += name if text == "" else ", " + name
    return text


# -- annotations


_HINT_NAMES = {
    kind.__name__: kind
    for kind in (int, str, float, bool, complex, bytes, bytearray, list, dict, tuple, set, frozenset, object, type, range, Exception)
}


def _hint(value):
    if isinstance(value, str):
        # Local names of functions are not found, as in CPython.
        value = eval(value, {**_HINT_NAMES, **_program_names()})
    return _classof(None) if value is None else value


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    hints = {}
    if isinstance(obj, type):
        for base in reversed(_mro(obj)):
            annotations = _own_attribute(base, "__annotations__")
            if annotations is not _END:
                for name in annotations:
                    hints[name] = _hint(annotations[name])
        return hints
    annotations = getattr(obj, "__annotations__", None)
    if annotations is None:
        raise TypeError(_repr(obj) + " is not a module, class, method, or function.")
    for name in annotations:
        hints[name] = _hint(annotations[name])
    return hints
