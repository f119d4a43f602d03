# The part of `functools` that is written in Python.

import collections


WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)


def reduce(function, sequence, initial=_END, /):
    it = iter(sequence)
    if initial is _END:
        initial = _next(it)
        if initial is _END:
            raise TypeError("reduce() of empty iterable with no initial value")
    for x in _steps(it):
        initial = function(initial, x)
    return initial


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _cached(maxsize, 128)

    def decorate(function):
        return _cached(function, maxsize, typed)

    return decorate


def cache(function):
    return _cached(function, None)


_CACHED_KEYWORDS = "\0keywords"


def _cached(function, most, typed=False):
    known = {}
    hits = 0
    misses = 0

    def cached(*args, **kwargs):
        nonlocal hits, misses
        # Keyword arguments count in their order, after a marker.
        asked = (*args, _CACHED_KEYWORDS, *kwargs.items()) if kwargs else args
        if typed:
            asked = (*asked, *[_classof(x) for x in args], *[_classof(x) for x in kwargs.values()])
        if asked in known:
            hits += 1
            value = known[asked]
            if most is not None:
                del known[asked]
                known[asked] = value
            return value
        misses += 1
        value = function(*args, **kwargs)
        if most is None or most > 0:
            if most is not None and asked not in known and _len(_items(known)) >= most:
                del known[_items(known)[0]]
            known[asked] = value
        return value

    def cache_clear():
        nonlocal known, hits, misses
        known = {}
        hits = 0
        misses = 0

    def cache_info():
        return collections.namedtuple("CacheInfo", ["hits", "misses", "maxsize", "currsize"])(hits, misses, most, _len(_items(known)))

    cached.cache_clear = cache_clear
    cached.cache_parameters = lambda: {"maxsize": most, "typed": typed}
    cached.cache_info = cache_info
    cached.__module__ = function.__module__
    cached.__name__ = function.__name__
    cached.__qualname__ = function.__qualname__
    if _kind(function) == "other" and not isinstance(function, type):
        # Builtin functions have no annotations, and a library does not read their docstrings.
        if not _in_library():
            cached.__doc__ = function.__doc__
    else:
        cached.__doc__ = function.__doc__
        cached.__annotations__ = getattr(function, "__annotations__", {})
    cached.__wrapped__ = function
    return cached


# Attributes of a function that are not in its `__dict__`.
_OF_FUNCTIONS = (
    "__annotations__", "__code__", "__defaults__", "__doc__", "__kwdefaults__", "__module__", "__name__", "__qualname__",
)


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    for name in assigned:
        if name == "__doc__" and _kind(wrapped) != "function" and _in_library() and not isinstance(wrapped, type):
            # A library does not read the docstrings of builtin functions.
            continue
        if name == "__annotations__" and _kind(wrapped) == "other":
            # Builtin functions have none, and classes have their own.
            value = {**wrapped.__dict__.get(name, {})} if isinstance(wrapped, type) else _END
        else:
            value = getattr(wrapped, name, _END)
        if value is not _END:
            setattr(wrapper, name, value)
    for name in updated:
        if name == "__dict__":
            _wraps_attributes(wrapper, wrapped)
        else:
            getattr(wrapper, name).update(getattr(wrapped, name, {}))
    wrapper.__wrapped__ = wrapped
    return wrapper


def _wraps_attributes(wrapper, wrapped):
    # Attributes that the program gave to a function, or that an object has in its dict.
    if _kind(wrapped) == "own":
        for name, value in [*getattr(wrapped, "__dict__", {}).items()]:
            setattr(wrapper, name, value)
    if isinstance(wrapped, type):
        for name, value in [*wrapped.__dict__.items()]:
            if name[:2] != "__":
                setattr(wrapper, name, value)
    for name in _own_names(wrapped) if _kind(wrapped) == "function" else ():
        if name not in _OF_FUNCTIONS:
            setattr(wrapper, name, getattr(wrapped, name))


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    def decorate(wrapper):
        return update_wrapper(wrapper, wrapped, assigned, updated)

    return decorate


_ABSTRACT_NAMES = (
    "Container Hashable Iterable Iterator Reversible Generator Sized Callable Collection Sequence MutableSequence Set MutableSet Mapping "
    "MutableMapping Number Complex Real Rational Integral"
).split()


class partialmethod:
    def __init__(self, func, /, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __get__(self, instance, owner=None):
        if instance is None or not callable(self.func):
            _throw("functools.partialmethod of that")

        def bound(*args, **keywords):
            return self.func(instance, *self.args, *args, **{**self.keywords, **keywords})

        return bound


def singledispatch(function):
    registry = {object: function}

    abstract = []

    def dispatch(cls):
        bases = list(_mro(cls))
        for at in range(_len(bases)):
            base = bases[at]
            if base in registry:
                return registry[base]
            # Abstract classes come after the last class that implements them.
            found = [kind for kind in abstract if issubclass(base, kind) and not any([issubclass(later, kind) for later in bases[at + 1 :]])]
            for kind in found:
                if all([issubclass(kind, other) for other in found]):
                    return registry[kind]
            if _len(found) != 0:
                _throw("functools.singledispatch of two abstract classes")
        return function

    def add(cls, implementation):
        module = getattr(cls, "__module__", "")
        if module != "__main__" and cls.__name__ in _ABSTRACT_NAMES:
            if cls not in abstract:
                abstract.append(cls)
        elif _classof(cls) is not type and hasattr(_classof(cls), "register"):
            if cls not in abstract:
                abstract.append(cls)
        registry[cls] = implementation
        return implementation

    def register(cls, func=None):
        if func is not None:
            return add(cls, func)
        if isinstance(cls, type):
            return lambda implementation: add(cls, implementation)
        kinds = getattr(cls, "__annotations__", {})
        for name in kinds:
            kind = kinds[name]
            if name == "return" or not isinstance(kind, type):
                _throw("functools.singledispatch without a class")
            return add(kind, cls)
        raise TypeError(
            f"Invalid first argument to `register()`: {_repr(cls)}. Use either `@register(some_class)` or plain "
            "`@register` on an annotated function."
        )

    @wraps(function)
    def wrapper(*args, **kwargs):
        if _len(args) == 0:
            raise TypeError(function.__name__ + " requires at least 1 positional argument")
        return dispatch(_classof(args[0]))(*args, **kwargs)

    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = registry
    return wrapper


def total_ordering(cls):
    if not _has(cls, "__gt__"):
        cls.__gt__ = _total_gt
    if not _has(cls, "__le__"):
        cls.__le__ = _total_le
    if not _has(cls, "__ge__"):
        cls.__ge__ = _total_ge
    if not _has(cls, "__lt__"):
        _throw("total_ordering without __lt__")
    return cls


def _has(cls, name):
    return _kind(getattr(cls, name, None)) == "function"


def _total_gt(self, other):
    return not (self < other) and self != other


def _total_le(self, other):
    return self < other or self == other


def _total_ge(self, other):
    return not (self < other)


class _Key:
    def __init__(self, compare, value):
        self.compare = compare
        self.value = value

    def __lt__(self, other):
        return self.compare(self.value, other.value) < 0

    def __gt__(self, other):
        return self.compare(self.value, other.value) > 0

    def __eq__(self, other):
        return self.compare(self.value, other.value) == 0

    def __le__(self, other):
        return self.compare(self.value, other.value) <= 0

    def __ge__(self, other):
        return self.compare(self.value, other.value) >= 0


def cmp_to_key(compare):
    def key(value):
        return _Key(compare, value)

    return key


class singledispatchmethod:
    def __init__(self, func):
        if not callable(func):
            _throw("functools.singledispatchmethod of a descriptor")
        self.dispatcher = singledispatch(func)
        self.func = func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, method)

    def __get__(self, instance, owner=None):
        def bound(*args, **keywords):
            method = self.dispatcher.dispatch(_classof(args[0]))
            if instance is None or not callable(method):
                _throw("functools.singledispatchmethod of that")
            return method(instance, *args, **keywords)

        return bound
