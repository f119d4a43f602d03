"""The stand-in: an object that goes along with whatever a program does to it.

Loaded after guide.py. What is asked of it comes out the same every time: the same attribute, item
or result is the same object, and a condition that was told something is told so again. There is one
for each builtin type that a value may be of, and an instance of it; that of objects is a `str`
underneath, so that code which insists on text takes it, too.
"""

_UNPACKING = {
    opcode.opmap[name]: extra for name, extra in (("UNPACK_SEQUENCE", 0), ("UNPACK_EX", 1))
}


_UNKNOWN = object()


class StandIn(str):
    """See the module."""

    def __new__(cls, *arguments, **keywords):
        return str.__new__(cls, "a")

    def __init__(self, *arguments, **keywords):
        pass

    def __init_subclass__(cls, **_):
        pass

    def __getattribute__(self, name):
        if name[:2] == "__" and name[-2:] == "__":
            guide = _current_guide[0]
            if name == "__dict__" and guide.kinds is None and _is_asked_for(guide, name):
                return _stand_in_child(self, ".__dict__", "attribute", name)
            return _plain_getattr(self, name)
        own = _plain_getattr(self, "__dict__")
        if name in own["set"]:
            return own["set"][name]
        if _guide_frame(1).f_code.co_filename not in _NEAR:
            try:
                return _plain_getattr(self, name)  # to a library it is what it is underneath
            except AttributeError:
                pass
        if name == "keys" and not _is_asked_for(own["guide"], name):
            return lambda: []  # of `dict(x)` and `**x`
        return _stand_in_child(self, "." + name, "attribute", name)

    def __getattr__(self, name):
        if name in ("__name__", "__qualname__", "__module__"):
            return "a"
        if name in ("__file__", "__version__"):
            return "a"
        own = _plain_getattr(self, "__dict__")
        if name in own["set"]:
            return own["set"][name]
        if _is_asked_for(own["guide"], name):
            return _stand_in_child(self, "." + name, "attribute", name)
        raise AttributeError(name)

    def __setattr__(self, name, value):
        own = _plain_getattr(self, "__dict__")
        own["set"][name] = value
        if guide_is_of_program(value):
            own["guide"].handed.append(value)

    def __delattr__(self, name):
        _plain_getattr(self, "__dict__")["set"].pop(name, None)

    def __call__(*arguments, **keywords):
        self, arguments = arguments[0], arguments[1:]
        guide = _plain_getattr(self, "__dict__")["guide"]
        place, guide.calling = guide.calling, None
        callbacks = [x for x in (*arguments, *keywords.values()) if guide_is_of_program(x)]
        guide.handed.extend(callbacks)
        if len(arguments) == 1 and not keywords and callbacks and place is None:
            guide.decorated[id(arguments[0])] = arguments[0]
            return arguments[0]  # a decorator
        return _stand_in_child(self, "()", "call", None, place)

    def __iter__(self):
        own = _plain_getattr(self, "__dict__")
        _, frame = guide_line()
        count = None
        if frame is not None and frame.f_lasti >= 0:
            code = frame.f_code.co_code
            extra = _UNPACKING.get(code[frame.f_lasti])
            if extra is not None:
                count = (code[frame.f_lasti + 1] & 255) + extra
        if count is not None:
            return iter([_stand_in_child(self, "[%d]" % k, None) for k in range(count)])
        if own["guide"].is_walked(self):
            return iter([])
        return iter([_stand_in_child(self, "[]", None, None, None, k) for k in range(own["count"])])

    def __next__(self):
        own = _plain_getattr(self, "__dict__")
        own["next"] = own.get("next", 0) + 1
        if own["next"] % 3 == 0:
            raise StopIteration
        return _stand_in_child(self, "[]", None, None, None, own["next"])

    def __getitem__(self, key):
        own = _plain_getattr(self, "__dict__")
        if type(key) is slice:
            return _stand_in_child(self, "[:]", None)
        text = guide_key(key)
        if text in own["items"]:
            return own["items"][text]
        path = "[%s]" % text if type(key) is int else '["%s"]' % key if type(key) is str else "[]"
        if own["path"] + path not in own["guide"].values:
            return _stand_in_child(self, "[]", None, None, None, text)
        return _stand_in_child(self, path, None)

    def __setitem__(self, key, value):
        _plain_getattr(self, "__dict__")["items"][guide_key(key)] = value

    def __delitem__(self, key):
        _plain_getattr(self, "__dict__")["items"].pop(guide_key(key), None)

    def __enter__(self):
        return _stand_in_child(self, ".__enter__()", None)

    def __exit__(self, *_):
        return False

    async def __aenter__(self):
        return _stand_in_child(self, ".__enter__()", None)

    async def __aexit__(self, *_):
        return False

    def __await__(self):
        return _stand_in_child(self, "", None, None, None, "await")
        yield

    def __aiter__(self):
        return StandInIterator(self)

    def __mro_entries__(self, bases):
        first = [base for base in bases if id(type(base)) in _STAND_INS][0]
        return (StandInBase,) if first is self else ()

    def __instancecheck__(self, value):
        return _decide(self, "isinstance", value)

    def __subclasscheck__(self, value):
        return _decide(self, "issubclass", value)

    def __prepare__(self, *_, **__):
        return {}

    def __repr__(self):
        return _plain_getattr(self, "__dict__")["text"]

    def __str__(self):
        return _plain_getattr(self, "__dict__")["text"]

    def __format__(self, spec):
        return _plain_getattr(self, "__dict__")["text"]

    def __bytes__(self):
        return b"a"

    def __index__(self):
        return _number(self)

    def __int__(self):
        return _number(self)

    def __float__(self):
        return float(_number(self))

    def __complex__(self):
        return complex(_number(self))

    def __fspath__(self):
        return "a"

    def __len__(self):
        return _plain_getattr(self, "__dict__")["count"]

    def __hash__(self):
        return id(self) >> 4

    def __bool__(self):
        return _decide(self, "bool")

    def __contains__(self, item):
        return _decide(self, "in", item)

    def __iadd__(self, other):
        return self

    def __reversed__(self):
        return iter(list(self)[::-1])

    def __dir__(self):
        return ["a"]

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce_ex__(self, protocol):
        return (str, ("a",))

    def __divmod__(self, other):
        return (_stand_in_child(self, "//", None), _stand_in_child(self, "%", None))


class StandInIterator:
    """What `async for` goes through."""

    def __init__(self, of):
        self.of, self.count = of, 0

    async def __anext__(self):
        self.count += 1
        if self.count > 2:
            raise StopAsyncIteration
        return _stand_in_child(self.of, "[]", None, None, None, self.count)


class StandInBase:
    """In place of a base class that is not there."""

    def __init__(self, *arguments, **keywords):
        pass

    def __init_subclass__(cls, **_):
        pass

    def __getattr__(self, name):
        if name[:2] == "__" and name[-2:] == "__":
            raise AttributeError(name)
        guide = _current_guide[0]
        key = (id(self), name)
        if key not in guide.found:
            guide.kept[id(self)] = self
            guide.found[key] = guide.derived("self." + name, None, "attribute")
        return guide.found[key]


def _operation(name):
    def operation(self, *others):
        own = _plain_getattr(self, "__dict__")
        if own["kind"] not in ("int", "float"):
            return _stand_in_child(self, "." + name, None)
        # Arithmetic with a number is a number of the same kind.
        key = ("." + name, None)
        if key not in own["children"]:
            path = (own["path"] + "." + name)[-300:]
            own["children"][key] = guide_stand_in(own["guide"], path, own["kind"], {})
        return own["children"][key]

    return operation


for _name in "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split():
    setattr(StandIn, "__%s__" % _name, _operation(_name))
    setattr(StandIn, "__r%s__" % _name, _operation("r" + _name))
for _name in "neg pos abs invert round trunc floor ceil".split():
    setattr(StandIn, "__%s__" % _name, _operation(_name))


def _is_truth_asked(frame):
    """Whether the comparison that a frame is at decides a condition; else its result is a value,
    which in arrays, say, is one more object."""
    while frame is not None and frame.f_code.co_filename == _NEAR[1]:
        frame = frame.f_back
    if frame is None or frame.f_code.co_filename != PROGRAM_FILE or frame.f_lasti < 0:
        return True
    code = frame.f_code
    codes, at = code.co_code, frame.f_lasti
    if opcode.opname[codes[at]] != "COMPARE_OP":
        return True
    at += 2
    while at < len(codes) and opcode.opname[codes[at]] == "CACHE":
        at += 2
    following = opcode.opname[codes[at]] if at < len(codes) else ""
    return "JUMP" in following or following in ("UNARY_NOT", "TO_BOOL", "COPY", "SWAP", "ROT_TWO")


def _comparison(name):
    def comparison(self, other):
        if self is other or _is_truth_asked(_guide_frame(1)):
            return _decide(self, name, other)
        return _stand_in_child(self, "." + name, None, None, None, guide_key(other))

    return comparison


for _name in "eq ne lt le gt ge".split():
    setattr(StandIn, "__%s__" % _name, _comparison(_name))


# What libraries do with a stand-in is what they would do with a value of its type.
_PLAIN_TO_LIBRARIES = (
    "__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __add__ __mul__ __mod__ __sub__ __contains__ "
    "__getitem__ __iter__ __len__"
).split()
_NEAR = (PROGRAM_FILE, _guide_frame(0).f_code.co_filename)


def _plain_to_libraries(adaptive, plain):
    def method(self, *others):
        if _guide_frame(1).f_code.co_filename not in _NEAR:
            result = plain(self, *others)
            if result is not NotImplemented:
                return result
        return adaptive(self, *others)

    return method


def _kinds(others=()):
    """The stand-in of each builtin type; `others` in place of some methods."""
    left_out = ("__new__", "__dict__", "__weakref__", "__module__", "__doc__")
    methods = {name: value for name, value in vars(StandIn).items() if name not in left_out}
    methods.update(others)
    bases = dict(int=int, float=float, list=list, dict=dict, tuple=tuple, set=set, str=str)
    found = {name: type("StandIn", (base,), dict(methods)) for name, base in bases.items()}
    if not others:
        found["str"] = StandIn
    for cls in found.values():
        for name in _PLAIN_TO_LIBRARIES:
            plain = getattr(cls.__base__, name, None)
            if plain is not None and cls.__base__ in (str, int, float):
                setattr(cls, name, _plain_to_libraries(vars(cls)[name], plain))
    return found


_STAND_IN_KINDS = _kinds()
_STAND_INS = frozenset(map(id, _STAND_IN_KINDS.values()))
_LEAVES.update((kind, lambda value: "<StandIn>") for kind in _STAND_INS)
_current_guide = [None]


def _is_asked_for(guide, name):
    """Whether the program is at an attribute of that name, and not some library."""
    place = guide.at
    return place is not None and place.name == name and place.line == guide_line()[0]


def _decide(stand_in, operation, other=None):
    if stand_in is other and operation in ("eq", "ne", "le", "ge", "lt", "gt"):
        return operation in ("eq", "le", "ge")
    return _plain_getattr(stand_in, "__dict__")["guide"].decide(stand_in, operation, other)


def _number(stand_in):
    number = _plain_getattr(stand_in, "__dict__")["number"]
    return int(number) if number is not None else 1


def guide_stand_in(guide, path, kind="str", hint=None):
    """A new stand-in of a kind that goes by a path."""
    _current_guide[0] = guide
    hint = hint or {}
    kinds = guide.kinds or _STAND_IN_KINDS
    cls = kinds.get(kind, kinds["str"])
    text, number = hint.get("text", "a"), hint.get("number")
    if cls.__base__ is str:
        made = str.__new__(cls, text)
    elif kind in ("int", "float"):
        made = cls.__base__.__new__(cls, 1 if number is None else number)
        text = repr(cls.__base__(1 if number is None else number))
    else:
        made = cls.__base__.__new__(cls)
    _plain_getattr(made, "__dict__").update(
        guide=guide, path=path, kind=kind, text=text, number=number, count=hint.get("count", 2),
        set={}, items={}, said={}, children={}, term=path, value=path, plain=_UNKNOWN,
        above=guide.above, asked=set(), lists=set(),
    )  # fmt: skip
    return made


def _stand_in_child(parent, step, kind, name=None, place=None, number=None):
    """What comes of a stand-in by an attribute, a call, an item or an operation: always the same."""
    own = _plain_getattr(parent, "__dict__")
    if own["guide"].kinds is not None:
        return _term_child(parent, step, kind, name, place, number)
    key = (step, number)
    if key in own["children"]:
        return own["children"][key]
    guide = own["guide"]
    if kind == "attribute":
        place = guide.at if guide.at is not None and guide.at.name == name else None
    path = own["path"] + step
    if place is not None and place.path and (place.path in guide.values or path not in guide.values):
        path = place.path
    if len(path) > 300:
        path = path[-100:]
    outside, guide.above = guide.above, parent
    try:
        value = guide.derived(path, place, kind)
    finally:
        guide.above = outside
    own["children"][key] = value
    return value
