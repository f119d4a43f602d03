# Shims for modules, properties and methods as bases; descriptors; and code as programs see it.

import types


class _Module(types.ModuleType):
    """What classes of the program come from in place of `types.ModuleType`."""

    __module__ = "builtins"
    _has_dict_ = True

    def __init__(self, name, doc=None):
        if not isinstance(name, str):
            raise TypeError("module.__init__() argument 1 must be str, not " + type(name).__name__)
        self.__name__ = name
        self.__doc__ = doc
        self.__package__ = None
        self.__loader__ = None
        self.__spec__ = None

    def __repr__(self):
        where = self.__dict__.get("__file__")
        return "<module " + _repr(self.__name__) + ("" if where is None else " from " + _repr(where)) + ">"


_rename(_Module, "module")


class _Property(_PROPERTY):
    """What classes of the program come from in place of `property`."""

    __module__ = "builtins"

    def __init__(self, fget=None, fset=None, fdel=None, doc=None):
        _set_base(self, property(fget, fset, fdel, doc))

    @property
    def fget(self):
        return _data(self).fget

    @property
    def fset(self):
        return _data(self).fset

    @property
    def fdel(self):
        return _data(self).fdel

    def __get__(self, obj, cls=None):
        if obj is None:
            return self
        get = _data(self).fget
        if get is None:
            _throw("a property without a getter")
        return get(obj)

    def __set__(self, obj, value):
        put = _data(self).fset
        if put is None:
            _throw("a property without a setter")
        put(obj, value)

    def __delete__(self, obj):
        delete = _data(self).fdel
        if delete is None:
            _throw("a property without a deleter")
        delete(obj)

    def getter(self, fget):
        return _classof(self)(fget, self.fset, self.fdel)

    def setter(self, fset):
        return _classof(self)(self.fget, fset, self.fdel)

    def deleter(self, fdel):
        return _classof(self)(self.fget, self.fset, fdel)


class _StaticMethod(_STATICMETHOD):
    __module__ = "builtins"

    def __init__(self, function):
        _set_base(self, function)

    @property
    def __func__(self):
        return _data(self)

    def __get__(self, obj, cls=None):
        return _data(self)

    def __call__(self, *args, **kwargs):
        return _data(self)(*args, **kwargs)


class _ClassMethod(_CLASSMETHOD):
    __module__ = "builtins"

    def __init__(self, function):
        _set_base(self, function)

    @property
    def __func__(self):
        return _data(self)

    def __get__(self, obj, cls=None):
        return _bound_to(_data(self), _classof(obj) if cls is None else cls)


def _getter_of(function):
    """`function.__get__`"""

    def __get__(instance, owner=None, /):
        if instance is None:
            if owner is None:
                raise TypeError("__get__(None, None) is invalid")
            return function
        return _bound_to(function, instance)

    return __get__


def _getter_of_descriptor(descriptor):
    """`__get__` of a static method, a class method or a property."""

    def __get__(instance, owner=None, /):
        if instance is None and owner is None:
            raise TypeError("__get__(None, None) is invalid")
        if isinstance(descriptor, staticmethod):
            return descriptor.__func__
        if isinstance(descriptor, classmethod):
            return _bound_to(descriptor.__func__, _classof(instance) if owner is None else owner)
        return descriptor if instance is None else descriptor.fget(instance)

    return __get__


def _caller_of(function):
    """`function.__call__`"""

    def __call__(*args, **kwargs):
        return function(*args, **kwargs)

    return __call__


class _Code:
    __module__ = "builtins"

    def __init__(self, *parts):
        (
            self.co_name,
            self.co_qualname,
            self.co_argcount,
            self.co_posonlyargcount,
            self.co_kwonlyargcount,
            self.co_firstlineno,
            self.co_varnames,
            self.co_names,
            self.co_cellvars,
            self.co_freevars,
            self._flags,
            self._constants,
            self._file,
            future,
        ) = parts
        self.co_flags = self._flags | (0x10 if "<locals>." in self.co_qualname else 0) | (0x1000000 if future else 0)
        self.co_nlocals = _len(self.co_varnames)

    @property
    def co_filename(self):
        if self._file is None:
            _throw("the file of a code")
        return self._file

    @property
    def co_consts(self):
        if self._constants is None:
            _throw("code among constants")
        return self._constants

    def __getattr__(self, name):
        _throw(name + " of code")


def _part_of_code(made, parts, name):
    return getattr(made(*parts), name)


_rename(_Code, "code")


def _replaced_code(code, /, **changes):
    for name in changes:
        if name != "co_name":
            _throw("replace of code")
    return _renamed_code(code, changes["co_name"]) if changes else code


class _Descriptor:
    __module__ = "builtins"

    def __repr__(self):
        _throw("the text of a descriptor")


class _Member(_Descriptor):
    __module__ = "builtins"


_rename(_Descriptor, "getset_descriptor")
_rename(_Member, "member_descriptor")
_DESCRIPTOR = _Descriptor()
_MEMBER = _Member()
