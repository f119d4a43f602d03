#: text
class StandIn(str):
    """Goes along with whatever is done to it; GIVEN says what comes of it."""
    def __new__(cls, path="value", *_, **__):
        self = str.__new__(cls, "a")
        self._path = path
        return self
#: object
class StandIn:
    """Goes along with whatever is done to it; GIVEN says what comes of it."""
    def __init__(self, path="value", *_, **__):
        self._path = path
    def __str__(self): return "a"
    def __fspath__(self): return "a"
#: core
    def _give(self, step):
        value = GIVEN.get(self._path + step, GIVEN)
        if isinstance(value, BaseException): raise GIVEN.pop(self._path + step)
        if value is not GIVEN: return value
        return self.__dict__.setdefault(step, StandIn(self._path + step))
    def _say(self, question, otherwise=True):
        said = GIVEN.get(self._path + " " + question, otherwise)
        if not isinstance(said, list): return said
        said.append(said.pop(0))  # takes turns
        return said[-1]
    def __getattribute__(self, name):
        own = object.__getattribute__(self, "__dict__")
        if name in own: return own[name]
        if name[:2] == "__" or name in vars(StandIn): return object.__getattribute__(self, name)
        return self._give("." + name)
    def __bool__(self): return bool(self._say("bool"))
    def __len__(self): return self._say("len", 2)
    def __index__(self): return self._say("int", 1)
    def __iter__(self): return iter([self._give("[]") for _ in range(self._say("len", 2))])
#: next
    def __next__(self): return self._give("[]")
#: call
    def __call__(self, *args, **kwargs): return self._give("()")
#: callbacks
    def __call__(self, *args, **kwargs):
        for one in [*args, *kwargs.values()]:
            if hasattr(one, "__code__"):  # a callback: a framework would call it
                names = one.__code__.co_varnames[:one.__code__.co_argcount]
                names = names[:len(names) - len(one.__defaults__ or ())]
                try:
                    result = one(*[GIVEN.get(name, StandIn(name)) for name in names])
                    if hasattr(result, "send"): result.send(None)
                except Exception: pass
        if len(args) == 1 and isinstance(args[0], (type, type(lambda: 0))):
            return args[0]  # a decorator
        return self._give("()")
#: items
    def __getitem__(self, key):
        exact = f'["{key}"]' if type(key) is str else f"[{key}]"
        known = exact in self.__dict__ or self._path + exact in GIVEN
        return self._give(exact if known else "[:]" if isinstance(key, slice) else "[]")
    def __setitem__(self, key, value):
        self.__dict__[f'["{key}"]' if type(key) is str else f"[{key}]"] = value
    def __delitem__(self, key): pass
#: context
    def __enter__(self): return self._give(".__enter__()")
    def __exit__(self, *_): pass
#: awaits
    def __await__(self):
        return self
        yield
    async def __aenter__(self): return self._give(".__enter__()")
    async def __aexit__(self, *_): pass
    async def __aiter__(self):
        for one in self: yield one
#: instances
    def __instancecheck__(self, value): return bool(self._say("isinstance"))
    def __subclasscheck__(self, value): return bool(self._say("issubclass"))
#: contains
    def __contains__(self, item): return bool(self._say("contains"))
#: comparisons
    def _compare(self, sign, other):
        return self._say(f"{sign} {getattr(other, '_path', other)}", self._say(sign))
    def __hash__(self): return 1
#: calls
def call_all(found):
    """Calls functions and methods that the program defines, and perhaps never calls."""
    for one in list(found):
        if isinstance(one, type) and one is not StandIn:
            call_all(vars(one).values())
        elif hasattr(one, "__code__") and one is not call_all:
            names = one.__code__.co_varnames[:one.__code__.co_argcount]
            try:
                result = one(*[GIVEN.get(name, StandIn(name)) for name in names])
                if hasattr(result, "__next__"): list(zip(range(9), result))
                elif hasattr(result, "send"): result.send(None)
            except BaseException: pass
atexit.register(call_all, globals().values())
#: short text
class StandIn(str):
    """Goes along with whatever is done to it; GIVEN says what comes of it."""
    def __new__(cls, path="a", *_, **__): return str.__new__(cls, "a")
    def __init__(self, path="a", *_, **__): self._path = path
    def __getattribute__(self, name):
        known = name[:1] == "_" or name in self.__dict__
        return super().__getattribute__(name) if known else self._give("." + name)
#: short object
class StandIn:
    """Goes along with whatever is done to it; GIVEN says what comes of it."""
    def __init__(self, path="a", *_, **__): self._path = path
    def __getattr__(self, name): return self._give("." + name)
#: short give
    def _give(self, step): return GIVEN.setdefault(self._path + step, StandIn(self._path + step))
#: short raise
    def _give(self, step):
        value = GIVEN.setdefault(self._path + step, StandIn(self._path + step))
        if isinstance(value, Exception): raise GIVEN.pop(self._path + step)
        return value
#: short say
    def _say(self, question, otherwise=True):
        said = GIVEN.get(f"{self._path} {question}", otherwise)
        if isinstance(said, list): said.append(said.pop(0))  # takes turns
        return said[-1] if isinstance(said, list) else said
