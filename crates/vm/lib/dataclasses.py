# The part of `dataclasses` that is written in Python.

import types


class _MISSING_TYPE:
    __module__ = "dataclasses"


MISSING = _MISSING_TYPE()


class InitVar:
    def __init__(self, type):
        self._type = type

    def __class_getitem__(cls, type):
        return InitVar(type)

    def __repr__(self):
        kind = self._type
        return "dataclasses.InitVar[" + (kind.__name__ if isinstance(kind, type) else _repr(kind)) + "]"


class Field:
    def __init__(self, default, factory, init, repr, compare, kw_only, metadata):
        self._given = default
        self.factory = factory
        self.init = init
        self.repr = repr
        self.compare = compare
        self.kw_only = kw_only
        self._metadata = metadata
        self._for_init = False

    @property
    def metadata(self):
        return types.MappingProxyType({} if self._metadata is None else self._metadata)

    @property
    def default(self):
        return MISSING if self._given is _END else self._given

    @property
    def default_factory(self):
        return MISSING if self.factory is _END else self.factory

    def __repr__(self):
        _throw("the text of a field")


def fields(class_or_instance):
    fields = getattr(class_or_instance, "__dataclass_fields__", None)
    if fields is None:
        raise TypeError("must be called with a dataclass type or instance")
    return (*[fields[name] for name in _field_names(fields)],)


def field(
    *, default=_END, default_factory=_END, init=True, repr=True, compare=True, kw_only=_END, metadata=None, **rest
):
    if default is not _END and default_factory is not _END:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, compare, kw_only, metadata)


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, frozen=False, kw_only=False, **rest):
    def decorate(cls):
        made = _dataclass(cls, init, repr, eq, order, frozen, kw_only, rest.get("unsafe_hash", False))
        if rest.get("slots", False):
            _set_own(made, "__slots__", (*_field_names(made.__dataclass_fields__),))
        return made

    if cls is None:
        return decorate
    return decorate(cls)


def _dataclass(cls, init, repr, eq, order, frozen, kw_only, unsafe_hash):
    fields = {}
    for base in _mro(cls)[:0:-1]:
        inherited = _own_attribute(base, "__dataclass_fields__")
        if inherited is not _END:
            for name in inherited:
                fields[name] = inherited[name]
    annotations = _own_attribute(cls, "__annotations__")
    if annotations is not _END:
        for name in annotations:
            text = annotations[name] if isinstance(annotations[name], str) else _spelled(annotations[name])
            if text[:8] == "ClassVar" or text[:15] == "typing.ClassVar":
                continue
            if text in ("KW_ONLY", "dataclasses.KW_ONLY"):
                kw_only = True
                continue
            value = _own_attribute(cls, name)
            if _classof(value) is Field:
                if value._given is not _END:
                    _set_own(cls, name, value._given)
                fields[name] = value
            else:
                if isinstance(value, (list, dict, set)):
                    raise ValueError(f"mutable default {_classof(value)} for field {name} is not allowed: use default_factory")
                fields[name] = Field(value, _END, True, True, True, _END, None)
            if fields[name].kw_only is _END:
                fields[name].kw_only = kw_only
            fields[name].name = name
            fields[name].type = annotations[name]
            kind = annotations[name]
            fields[name]._for_init = (
                kind is InitVar
                or _classof(kind) is InitVar
                or text[:7] == "InitVar"
                or text[:19] == "dataclasses.InitVar"
            )
    _set_own(cls, "__dataclass_fields__", fields)
    own = _field_names(fields)
    names = [name for name in fields if fields[name].init and not fields[name].kw_only]
    known = [name for name in fields if fields[name].init]
    needs = [name for name in known if fields[name].factory is _END and fields[name]._given is _END]
    needed = 1
    last = None
    for name in names:
        if fields[name].factory is _END and fields[name]._given is _END:
            if last is not None:
                raise TypeError(f"non-default argument {_repr(name)} follows default argument")
            needed += 1
        else:
            last = name
    title = cls.__qualname__

    def __init__(self, *args, **kwargs):
        # As CPython binds arguments: names first, then their number, then the missing ones.
        for name in kwargs:
            if name not in known:
                raise TypeError(f"{title}.__init__() got an unexpected keyword argument '{name}'")
            if name in names and names.index(name) < _len(args):
                raise TypeError(f"{title}.__init__() got multiple values for argument '{name}'")
        if _len(args) > _len(names):
            n = _len(names) + 1
            wanted = f"{n}" if n == needed else f"from {needed} to {n}"
            plural = "s" if n != 1 or n != needed else ""
            given = f"{_len(args) + 1}"
            named = _len([name for name in kwargs if name not in names])
            if named != 0:
                given = f"{given} positional arguments (and {named} keyword-only argument{'s' if named != 1 else ''})"
            raise TypeError(f"{title}.__init__() takes {wanted} positional argument{plural} but {given} were given")
        missing = [name for name in names[_len(args):] if name not in kwargs and name in needs]
        unnamed = [name for name in known if name not in names and name not in kwargs and name in needs]
        if _len(missing) != 0:
            raise TypeError(_missing_text(f"{title}.__init__()", missing))
        if _len(unnamed) != 0:
            raise TypeError(_missing_text(f"{title}.__init__()", unnamed, "keyword-only"))
        posts = []
        i = 0
        for name in fields:
            field = fields[name]
            if field.init and not field.kw_only and i < _len(args):
                value = args[i]
                i += 1
            elif field.init and name in kwargs:
                value = kwargs[name]
            elif field.factory is not _END:
                value = field.factory()
            elif field._given is not _END:
                # Without `init` the class has the value.
                if not field.init and _own_attribute(cls, "__slots__") is _END:
                    continue
                value = field._given
            else:
                continue
            if field._for_init:
                _push(posts, value)
            else:
                _set_own(self, name, value)
        post = _find(self, "__post_init__")
        if post is not _END:
            post(*posts)

    def __repr__(self):
        text = ""
        for name in own:
            if fields[name].repr:
                if text != "":
                    text += ", "
                text += name + "=" + _repr(getattr(self, name))
        return _classof(self).__qualname__ + "(" + text + ")"

    def values(self):
        return (*[getattr(self, name) for name in own if fields[name].compare],)

    def __eq__(self, other):
        if _classof(other) is _classof(self):
            return values(self) == values(other)
        return NotImplemented

    def __lt__(self, other):
        if _classof(other) is _classof(self):
            return values(self) < values(other)
        return NotImplemented

    def __le__(self, other):
        if _classof(other) is _classof(self):
            return values(self) <= values(other)
        return NotImplemented

    def __gt__(self, other):
        if _classof(other) is _classof(self):
            return values(self) > values(other)
        return NotImplemented

    def __ge__(self, other):
        if _classof(other) is _classof(self):
            return values(self) >= values(other)
        return NotImplemented

    def __setattr__(self, name, value):
        raise FrozenInstanceError("cannot assign to field '" + name + "'")

    if init and _own_attribute(cls, "__init__") is _END:
        _set_own(cls, "__init__", __init__)
    if repr and _own_attribute(cls, "__repr__") is _END:
        _set_own(cls, "__repr__", __repr__)
        _set_own(cls, "_repr_of_fields_", True)
    if eq and _own_attribute(cls, "__eq__") is _END:
        _set_own(cls, "__eq__", __eq__)
    if order:
        _set_own(cls, "__lt__", __lt__)
        _set_own(cls, "__le__", __le__)
        _set_own(cls, "__gt__", __gt__)
        _set_own(cls, "__ge__", __ge__)
    if frozen:
        _set_own(cls, "__setattr__", __setattr__)
    if unsafe_hash or frozen and eq and _own_attribute(cls, "__hash__") is _END:
        _set_own(cls, "_hash_values_", values)
        _set_own(cls, "_hash_fields_", (*[name for name in own if fields[name].compare],))
    _set_own(cls, "__match_args__", (*names,))
    if _own_attribute(cls, "__doc__") is _END:
        _set_own(cls, "__doc__", _FieldsText(_own_attribute(cls, "__init__") is __init__))
    return cls


class _FieldsText:
    """`__doc__` of a dataclass without one: its signature, which is written when it is wanted."""

    def __init__(self, is_usual):
        self.is_usual = is_usual

    def __get__(self, instance, owner):
        if not self.is_usual:
            _throw("the signature of a dataclass with its own __init__")
        fields = owner.__dataclass_fields__
        known = [name for name in fields if fields[name].init]
        named = [_field_text(fields[name]) for name in known if fields[name].kw_only]
        texts = [_field_text(fields[name]) for name in known if not fields[name].kw_only]
        return owner.__name__ + "(" + ", ".join(texts + (["*", *named] if _len(named) != 0 else [])) + ")"


def _field_text(field):
    text = field.name + ": " + _annotation_text(field.type)
    if field.factory is not _END:
        return text + " = <factory>"
    return text if field._given is _END else text + " = " + _repr(field._given)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, **options):
    space = {} if namespace is None else {**namespace}
    annotations = {}
    for item in fields:
        if isinstance(item, str):
            name, kind = item, "typing.Any"
        elif len(item) == 2:
            name, kind = item
        elif len(item) == 3:
            name, kind, space[item[0]] = item
        else:
            raise TypeError("Invalid field: " + _repr(item))
        if not isinstance(name, str) or not name.isidentifier():
            raise TypeError("Field names must be valid identifiers: " + _repr(name))
        if name in _KEYWORDS:
            raise TypeError("Field names must not be keywords: " + _repr(name))
        if name in annotations:
            raise TypeError("Field name duplicated: " + _repr(name))
        annotations[name] = kind
    space["__annotations__"] = annotations
    space["__module__"] = "types"
    return dataclass(type(cls_name, bases, space), **options)


class FrozenInstanceError(AttributeError):
    __module__ = "dataclasses"


def is_dataclass(x):
    cls = x if isinstance(x, type) else _classof(x)
    for c in _mro(cls):
        if _own_attribute(c, "__dataclass_fields__") is not _END:
            return True
    return False


def replace(obj, /, **changes):
    values = {}
    fields = obj.__dataclass_fields__
    for name in fields:
        if not fields[name].init:
            if name in changes:
                raise ValueError(f"field {name} is declared with init=False, it cannot be specified with replace()")
            continue
        if fields[name]._for_init:
            if name not in changes and fields[name]._given is _END:
                raise ValueError(f"InitVar {_repr(name)} must be specified with replace()")
            if name not in changes:
                continue
        values[name] = changes[name] if name in changes else getattr(obj, name)
    for name in changes:
        values[name] = changes[name]
    return _classof(obj)(**values)


def asdict(obj):
    if not _own(obj) or not is_dataclass(obj):
        raise TypeError("asdict() should be called on dataclass instances")
    return _plain(obj, True)


def astuple(obj):
    if not _own(obj) or not is_dataclass(obj):
        raise TypeError("astuple() should be called on dataclass instances")
    return _plain(obj, False)
