# `inspect`: signatures of functions and classes of the program.

import types


class _ParameterKind:
    def __init__(self, value, name, description):
        _set_own(self, "_value_", value)
        _set_own(self, "_name_", name)
        self.value = value
        self.name = name
        self.description = description

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"<_ParameterKind.{self.name}: {self.value}>"

    def __index__(self):
        return self.value

    def __int__(self):
        return self.value

    def __eq__(self, other):
        return self.value == (other.value if isinstance(other, _ParameterKind) else other)

    def __lt__(self, other):
        return self.value < (other.value if isinstance(other, _ParameterKind) else other)

    def __le__(self, other):
        return self.value <= (other.value if isinstance(other, _ParameterKind) else other)

    def __gt__(self, other):
        return self.value > (other.value if isinstance(other, _ParameterKind) else other)

    def __ge__(self, other):
        return self.value >= (other.value if isinstance(other, _ParameterKind) else other)

    def __hash__(self):
        return hash(self.value)


_POSITIONAL_ONLY = _ParameterKind(0, "POSITIONAL_ONLY", "positional-only")
_POSITIONAL_OR_KEYWORD = _ParameterKind(1, "POSITIONAL_OR_KEYWORD", "positional or keyword")
_VAR_POSITIONAL = _ParameterKind(2, "VAR_POSITIONAL", "variadic positional")
_KEYWORD_ONLY = _ParameterKind(3, "KEYWORD_ONLY", "keyword-only")
_VAR_KEYWORD = _ParameterKind(4, "VAR_KEYWORD", "variadic keyword")


class _empty:
    __module__ = "inspect"


class Parameter:
    POSITIONAL_ONLY = _POSITIONAL_ONLY
    POSITIONAL_OR_KEYWORD = _POSITIONAL_OR_KEYWORD
    VAR_POSITIONAL = _VAR_POSITIONAL
    KEYWORD_ONLY = _KEYWORD_ONLY
    VAR_KEYWORD = _VAR_KEYWORD
    empty = _empty

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        self.name = name
        self.kind = kind
        self.default = default
        self.annotation = annotation

    def __str__(self):
        text = self.name
        if self.annotation is not _empty:
            text = text + ": " + _annotation_text(self.annotation)
        if self.default is not _empty:
            text += (" = " if self.annotation is not _empty else "=") + _repr(self.default)
        if self.kind is _VAR_POSITIONAL:
            return "*" + text
        return "**" + text if self.kind is _VAR_KEYWORD else text

    def __repr__(self):
        return '<Parameter "' + _str(self) + '">'

    def __eq__(self, other):
        if not isinstance(other, Parameter):
            return NotImplemented
        same = self.name == other.name and self.kind is other.kind
        return same and self.default == other.default and self.annotation == other.annotation

    def __hash__(self):
        return hash((self.name, self.kind))


class BoundArguments:
    def __init__(self, signature, arguments):
        self.signature = signature
        self.arguments = arguments

    @property
    def args(self):
        args = []
        for name, parameter in self.signature.parameters.items():
            if parameter.kind in (_VAR_KEYWORD, _KEYWORD_ONLY) or name not in self.arguments:
                break
            if parameter.kind is _VAR_POSITIONAL:
                args.extend(self.arguments[name])
            else:
                _push(args, self.arguments[name])
        return (*args,)

    @property
    def kwargs(self):
        named = {}
        started = False
        for name, parameter in self.signature.parameters.items():
            if not started:
                if parameter.kind in (_VAR_KEYWORD, _KEYWORD_ONLY):
                    started = True
                elif name not in self.arguments:
                    started = True
                    continue
            if not started or name not in self.arguments:
                continue
            if parameter.kind is _VAR_KEYWORD:
                named.update(self.arguments[name])
            else:
                named[name] = self.arguments[name]
        return named

    def apply_defaults(self):
        found = {}
        for name, parameter in self.signature.parameters.items():
            if name in self.arguments:
                found[name] = self.arguments[name]
            elif parameter.default is not _empty:
                found[name] = parameter.default
            elif parameter.kind is _VAR_POSITIONAL:
                found[name] = ()
            elif parameter.kind is _VAR_KEYWORD:
                found[name] = {}
        self.arguments = found

    def __repr__(self):
        return "<BoundArguments (" + ", ".join([name + "=" + _repr(value) for name, value in self.arguments.items()]) + ")>"


class Signature:
    empty = _empty

    def __init__(self, parameters=None, *, return_annotation=_empty):
        self.parameters = types.MappingProxyType({p.name: p for p in parameters or ()})
        self.return_annotation = return_annotation

    def __str__(self):
        shown = []
        only_positional = False
        star = True
        for _, parameter in self.parameters.items():
            kind = parameter.kind
            if kind is _POSITIONAL_ONLY:
                only_positional = True
            elif only_positional:
                _push(shown, "/")
                only_positional = False
            if kind is _VAR_POSITIONAL:
                star = False
            elif kind is _KEYWORD_ONLY and star:
                _push(shown, "*")
                star = False
            _push(shown, _str(parameter))
        if only_positional:
            _push(shown, "/")
        text = "(" + ", ".join(shown) + ")"
        if self.return_annotation is not _empty:
            text += " -> " + _annotation_text(self.return_annotation)
        return text

    def __repr__(self):
        return "<Signature " + _str(self) + ">"

    def __eq__(self, other):
        if not isinstance(other, Signature):
            return NotImplemented
        same = [p for _, p in self.parameters.items()] == [p for _, p in other.parameters.items()]
        return same and self.return_annotation == other.return_annotation

    def __hash__(self):
        return hash((tuple(self.parameters.values()), self.return_annotation))

    def replace(self, *, parameters=_END, return_annotation=_END):
        kept = [p for _, p in self.parameters.items()]
        return Signature(
            kept if parameters is _END else parameters,
            return_annotation=self.return_annotation if return_annotation is _END else return_annotation,
        )

    def bind(self, /, *args, **kwargs):
        return _bound_arguments(self, args, kwargs, False)

    def bind_partial(self, /, *args, **kwargs):
        return _bound_arguments(self, args, kwargs, True)


def _bound_arguments(signature, args, kwargs, partial):
    arguments = {}
    parameters = [p for _, p in signature.parameters.items()]
    at = 0
    given = 0
    rest = []
    n = _len(args)
    while True:
        if given == n:
            if at == _len(parameters):
                break
            parameter = parameters[at]
            if parameter.kind is _VAR_POSITIONAL:
                at += 1
                break
            if parameter.name in kwargs:
                if parameter.kind is _POSITIONAL_ONLY:
                    raise TypeError(f"{_repr(parameter.name)} parameter is positional only, but was passed as a keyword")
                break
            if parameter.kind is _VAR_KEYWORD or parameter.default is not _empty:
                if parameter.kind is _POSITIONAL_ONLY or parameter.kind is _POSITIONAL_OR_KEYWORD:
                    at += 1
                    continue
                break
            if partial or parameter.kind is _KEYWORD_ONLY:
                break
            raise TypeError(f"missing a required argument: {_repr(parameter.name)}")
        if at == _len(parameters):
            raise TypeError("too many positional arguments")
        parameter = parameters[at]
        if parameter.kind in (_VAR_KEYWORD, _KEYWORD_ONLY):
            raise TypeError("too many positional arguments")
        at += 1
        if parameter.kind is _VAR_POSITIONAL:
            arguments[parameter.name] = (*args[given:],)
            break
        if parameter.name in kwargs and parameter.kind is not _POSITIONAL_ONLY:
            raise TypeError(f"multiple values for argument {_repr(parameter.name)}")
        arguments[parameter.name] = args[given]
        given += 1
    into = None
    for parameter in parameters:
        if parameter.kind is _VAR_KEYWORD:
            into = parameter
    left = {name: kwargs[name] for name in kwargs}
    for parameter in parameters[at:]:
        if parameter.kind is _VAR_KEYWORD or parameter.kind is _VAR_POSITIONAL:
            continue
        name = parameter.name
        if name in left:
            if parameter.kind is _POSITIONAL_ONLY:
                raise TypeError(f"{_repr(name)} parameter is positional only, but was passed as a keyword")
            arguments[name] = left.pop(name)
        elif not partial and parameter.default is _empty:
            raise TypeError(f"missing a required argument: {_repr(name)}")
    if _len(left) != 0:
        if into is None:
            for name in left:
                raise TypeError(f"got an unexpected keyword argument {_repr(name)}")
        arguments[into.name] = left
    return BoundArguments(signature, arguments)


def signature(callable_, *, follow_wrapped=True):
    while follow_wrapped and getattr(callable_, "__wrapped__", None) is not None:
        callable_ = callable_.__wrapped__
    own = getattr(callable_, "__signature__", None)
    if own is not None:
        return own
    if getattr(callable_, "__qualname__", None) == "_caller_of.<locals>.__call__":
        # The wrapper of a slot does not tell what it calls.
        return Signature([Parameter("args", _VAR_POSITIONAL), Parameter("kwargs", _VAR_KEYWORD)])
    if isinstance(callable_, type):
        for name in ("__init__", "__new__"):
            found = getattr(callable_, name, None)
            if getattr(found, "__code__", None) is not None:
                return _without_first(_signature_of(found))
        _throw("the signature of a class")
    if callable_ is object.__init__:
        names = (("self", _POSITIONAL_ONLY), ("args", _VAR_POSITIONAL), ("kwargs", _VAR_KEYWORD))
        return Signature([Parameter(name, kind) for name, kind in names])
    if _type_name(callable_) in ("partial", "functools.partial"):
        return _signature_of_partial(callable_)
    function = getattr(callable_, "__func__", None)
    if function is not None:
        return _without_first(_signature_of(function))
    if getattr(callable_, "__code__", None) is None:
        call = getattr(callable_, "__call__", None)
        if getattr(call, "__func__", None) is None:
            _throw("the signature of what is no function")
        return _without_first(_signature_of(call.__func__))
    return _signature_of(callable_)


def _without_first(signature):
    parameters = [p for _, p in signature.parameters.items()]
    if _len(parameters) != 0 and parameters[0].kind is not _VAR_POSITIONAL:
        parameters = parameters[1:]
    return Signature(parameters, return_annotation=signature.return_annotation)


def _signature_of_partial(partial):
    whole = signature(partial.func)
    try:
        given = whole.bind_partial(*partial.args, **partial.keywords).arguments
    except TypeError as error:
        raise ValueError(f"partial object {_repr(partial)} has incorrect arguments") from error
    first = []
    last = []
    # After the first argument that is given by name, there are only keyword arguments.
    by_name = False
    for name, parameter in whole.parameters.items():
        kind = parameter.kind
        if name in given and kind is _POSITIONAL_ONLY:
            continue
        if name in given and kind is _POSITIONAL_OR_KEYWORD:
            if name not in partial.keywords:
                continue
            by_name = True
        is_variadic = kind is _VAR_POSITIONAL or kind is _VAR_KEYWORD
        default = given[name] if name in given and not is_variadic else parameter.default
        if by_name and kind is _VAR_POSITIONAL:
            continue
        if by_name and kind is _POSITIONAL_OR_KEYWORD:
            kind = _KEYWORD_ONLY
        _push(last if by_name else first, Parameter(name, kind, default=default, annotation=parameter.annotation))
    return Signature(first + last, return_annotation=whole.return_annotation)


def _signature_of(function):
    code = function.__code__
    annotations = function.__annotations__
    defaults = function.__defaults__ or ()
    named = function.__kwdefaults__ or {}
    count = code.co_argcount
    first_default = count - _len(defaults)
    parameters = []

    def add(name, kind, default):
        _push(parameters, Parameter(name, kind, default=default, annotation=annotations.get(name, _empty)))

    for i, name in enumerate(code.co_varnames[:count]):
        only = i < code.co_posonlyargcount
        kind = _POSITIONAL_ONLY if only else _POSITIONAL_OR_KEYWORD
        add(name, kind, defaults[i - first_default] if i >= first_default else _empty)
    only_named = code.co_kwonlyargcount
    at = count + only_named
    if code._flags & 4:
        add(code.co_varnames[at], _VAR_POSITIONAL, _empty)
        at += 1
    for name in code.co_varnames[count : count + only_named]:
        add(name, _KEYWORD_ONLY, named.get(name, _empty))
    if code._flags & 8:
        add(code.co_varnames[at], _VAR_KEYWORD, _empty)
    return Signature(parameters, return_annotation=annotations.get("return", _empty))


def cleandoc(doc):
    lines = doc.expandtabs().split("\n")
    indents = [_len(line) - _len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(indents) if indents else 0
    lines = [lines[0].lstrip()] + [line[margin:] for line in lines[1:]]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        del lines[0]
    return "\n".join(lines)


def getdoc(x):
    doc = getattr(x, "__doc__", None)
    return cleandoc(doc) if isinstance(doc, str) else None


def isfunction(x):
    return getattr(_classof(x), "__name__", None) == "function"


def ismethod(x):
    return getattr(_classof(x), "__name__", None) == "method"


def isclass(x):
    return isinstance(x, type)


def getmro(cls):
    return cls.__mro__


def ismethoddescriptor(x):
    if isclass(x) or ismethod(x) or isfunction(x):
        return False
    kind = _classof(x)
    return hasattr(kind, "__get__") and not hasattr(kind, "__set__")


def isgeneratorfunction(x):
    code = getattr(x, "__code__", None)
    return code is not None and code._flags & 32 != 0


def iscoroutinefunction(x):
    code = getattr(x, "__code__", None)
    return code is not None and code._flags & 128 != 0


CO_OPTIMIZED = 1
CO_NEWLOCALS = 2
CO_VARARGS = 4
CO_VARKEYWORDS = 8
CO_NESTED = 16
CO_GENERATOR = 32
CO_COROUTINE = 128
CO_ITERABLE_COROUTINE = 256
CO_ASYNC_GENERATOR = 512


def getattr_static(obj, attr, default=_END):
    found = _END
    for kind in _mro(_classof(obj)):
        found = _own_attribute(kind, attr)
        if found is not _END:
            break
    own = _END
    if isinstance(obj, type):
        for kind in _mro(obj):
            own = _own_attribute(kind, attr)
            if own is not _END:
                break
    elif _own_names(obj) is not None:
        own = obj.__dict__.get(attr, _END) if hasattr(obj, "__dict__") else _END
    of_class = _END if found is _END else _classof(found)
    is_data = of_class is not _END and (
        of_class is property or hasattr(of_class, "__get__") and (hasattr(of_class, "__set__") or hasattr(of_class, "__delete__"))
    )
    for result in (found, own) if is_data else (own, found):
        if result is not _END:
            return result
    if default is not _END:
        return default
    raise AttributeError(attr)


def getmembers(object, predicate=None):
    found = []
    names = dir(object)
    if isinstance(object, type) and _find(object, "_member_map_") is not _END:
        _throw("inspect.getmembers of an enumeration")
    seen = set()
    for key in names:
        try:
            value = getattr(object, key)
            if key in seen:
                raise AttributeError
        except AttributeError:
            if key != "__weakref__":
                continue
            if isinstance(object, type):
                if predicate not in (isclass, isfunction, ismethod):
                    _throw("the text of a descriptor")
                continue
            value = None
        if not predicate or predicate(value):
            found.append((key, value))
        seen.add(key)
    found.sort(key=lambda pair: pair[0])
    return found
