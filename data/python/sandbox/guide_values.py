"""What a guided program sees: its builtins and names, values that are made up, files and resources."""


_ASKS_FOR_FILES = frozenset("exists lexists isfile isdir islink ismount is_file is_dir is_symlink".split())


class GuideBuiltins(dict):
    """The builtins of a guided program: what is not in them either is missing."""

    def __missing__(self, name):
        return self.guide.missing_name(name)

    def __getattr__(self, name):
        return getattr(builtins, name)


class GuideDict(dict):
    """A made-up mapping: a key that is asked for and is not there is made up, and then it is there."""

    __slots__ = ("guide", "path", "naming")

    def __missing__(self, key):
        step = "[%s]" % key if type(key) is int else '["%s"]' % key if type(key) is str else "[]"
        path = self.path + step
        path = path if path in self.guide.values else self.path + "[]"
        value = self.guide.item(path, key, self)
        dict.__setitem__(self, key, value)
        return value

    def get(self, key, *default):
        return dict.get(self, key, *default) if default or key in self else self[key]

    def pop(self, key, *default):
        if not default:
            self[key]
        return dict.pop(self, key, *default)

    def __delitem__(self, key):
        dict.pop(self, key, None)

    def copy(self):
        return self.guide.mapping(self.path, dict(self))

    def __await__(self):
        return self
        yield

    __copy__ = copy

    def __deepcopy__(self, memo):
        import copy

        return self.guide.mapping(self.path, copy.deepcopy(dict(self), memo))

    def __reduce_ex__(self, protocol):
        return dict, (dict(self),)


_NESTS[id(GuideDict)] = _NESTS[id(dict)]
_PLAIN |= {id(GuideDict)}


class GuideAwaited:
    """What is there at once when it is awaited."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __await__(self):
        return self.value
        yield


class GuideAttribute:
    """Has one attribute, whatever it is called."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __getattribute__(self, name):
        return _plain_getattr(self, "value")


class GuideModule(types.ModuleType):
    """A module that is not there."""

    def __init__(self, guide, name):
        types.ModuleType.__init__(self, name or "module")
        vars(self).update(__path__=[], __all__=[], _codexec_guide=guide)

    def __getattr__(self, name):
        if name == "__version__":
            return "1.0.0"
        if name[:2] == "__" and name[-2:] == "__":
            raise AttributeError(name)
        own = vars(self)
        guide, whole = own["_codexec_guide"], "%s.%s" % (own["__name__"], name)
        place = guide.at if guide.at is not None and guide.at.name == name else None
        key = name if name in guide.values else whole
        own[name] = guide.derived(key if place is None else place.path or key, place, "attribute")
        return own[name]

    def __call__(self, *arguments, **keywords):
        return self._codexec_guide.derived(vars(self)["__name__"] + "()")


_LEAVES[id(GuideModule)] = _LEAVES[id(types.ModuleType)]


class GuideFile(io.StringIO):
    """A file that is not there: made up for reading, kept in memory for writing."""

    CONTENTS = {"json": '{"a": 1}', "csv": "a,b\n1,2\n", "py": "a = 1\n", "xml": "<a>1</a>"}

    @classmethod
    def of(cls, guide, file="a", mode="r", *_, **__):
        name = str(file)
        text = guide.files.get(name)
        if text is None or "w" in str(mode):
            ending = name.rpartition(".")[2].lower()
            known = cls.CONTENTS.get(ending, "a 1\nb 2\n")
            fits = guide.plan["file"] if ending not in ("json", "py", "xml") else None
            text = "" if "r" not in str(mode) else fits or known
        if "b" in str(mode):
            return io.BytesIO(text.encode())
        made = cls(text)
        made.guide, made.name, made.mode = guide, name, mode
        if "a" in str(mode):
            made.seek(0, 2)
        return made

    def read(self, *size):
        text = io.StringIO.read(self, *size)
        self.guide.kept[id(text)] = text
        return text

    def close(self):
        if not self.closed:
            self.guide.files[self.name] = self.getvalue()
        io.StringIO.close(self)


class DummyCallable:
    """The paper's object; the class itself is its callable."""

    def __init__(self, *arguments, **keywords):
        pass


class DummyResource:
    """The paper's resource."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return True


def guide_is_below_stand_in(value, kind):
    """Whether a value is a class below one that is not there, or a `super()` in one."""
    if kind is super:
        value = value.__thisclass__
    return isinstance(value, type) and StandInBase in value.__mro__


def guide_is_of_program(value):
    return type(value) is types.FunctionType and value.__code__.co_filename == PROGRAM_FILE


def guide_reaches_out(function):
    """Whether a function opens a file or reads input; a project has an `open` of its own."""
    return function is builtins.open or function is io.open or function is builtins.input


def guide_asks_for_files(function):
    """Whether a function says what there is on the machine."""
    module, name = getattr(function, "__module__", None), getattr(function, "__name__", None)
    return module in ("genericpath", "posixpath", "pathlib") and name in _ASKS_FOR_FILES


def guide_lists_files(function):
    """Whether a function looks for files, and finds none without an error."""
    module, name = getattr(function, "__module__", None), getattr(function, "__name__", None)
    return (module, name) in (("os", "walk"), ("glob", "glob"), ("glob", "iglob"))


def guide_touches_machine(function):
    module = getattr(function, "__module__", None)
    return type(module) is str and module.partition(".")[0] in _MACHINE


def guide_plain(name, draw, way):
    """The value of a class as the paper has it: its Table 1, or Table 2 where `way` is coarse."""
    values = {
        "None": [None], "True": [True], "False": [False],
        "int_neg": [-1], "int_zero": [0], "int_pos": [1],
        "float_neg": [-1.0], "float_zero": [0.0], "float_pos": [1.0],
        "str_empty": [""], "str_nonempty": ["a"],
        "list_empty": [[]], "list_nonempty": [[object()]],
        "tuple_empty": [()], "tuple_nonempty": [(object(),)],
        "set_empty": [set()], "set_nonempty": [{object()}],
        "dict_empty": [{}], "dict_nonempty": [{"a": object()}],
        "callable": [DummyCallable], "resource": [DummyResource()], "object": [DummyCallable()],
    }  # fmt: skip
    if way == "fine":
        return values[name][0]
    coarse = "True" if name in ("True", "False") else name.partition("_")[0]
    members = {
        "True": ["True", "False"], "int": ["int_neg", "int_zero", "int_pos"],
        "float": ["float_neg", "float_zero", "float_pos"], "str": ["str_empty", "str_nonempty"],
        "list": ["list_empty", "list_nonempty"], "tuple": ["tuple_empty", "tuple_nonempty"],
        "set": ["set_empty", "set_nonempty"], "dict": ["dict_empty", "dict_nonempty"],
    }  # fmt: skip
    if coarse not in members:
        return values[name][0]
    if draw is not None:
        return values[draw.choice(members[coarse])][0]
    return values["True" if coarse == "True" else members[coarse][-1]][0]


def guide_line():
    """The line of the program that is being executed, and its frame."""
    frame = _guide_frame(2)
    while frame is not None:
        if frame.f_code.co_filename == PROGRAM_FILE:
            return frame.f_lineno, frame
        frame = frame.f_back
    return 0, None


def guide_has(value, name):
    """Whether a value of a class of the program has an attribute, without asking its methods."""
    try:
        if name in _plain_getattr(value, "__dict__"):
            return True
    except AttributeError:
        pass
    found = [vars(kind) for kind in type(value).__mro__]
    return any(name in own or "__getattr__" in own for own in found) or isinstance(value, type)


def guide_key(value):
    try:
        return guide_text(value)
    except Exception:
        return "?"


def guide_text(value):
    """The text of a made-up value."""
    if isinstance(value, type) and issubclass(value, BaseException):
        return "<exception>"
    _spent[0] = 0
    return _render(value)[:200]


def guide_exception(path):
    name = path.rpartition(".")[2]
    name = name if name.isidentifier() else "Missing"
    return GuideErrors(name, (Exception,), {"__getattr__": _missing_of_error, "__init__": _take_all})


def guide_pattern(guide, path):
    """A class for patterns of `match`: made-up values may be instances of it."""
    name = path.rpartition(".")[2]

    class Kind(type):
        def __instancecheck__(cls, value):
            if id(type(value)) in _STAND_INS:
                return guide.decide(value, "isinstance", name)
            return type.__instancecheck__(cls, value)

    positional = tuple("item_%d" % k for k in range(16))
    return Kind(name, (StandInBase,), {"__match_args__": positional})


class GuideErrors(type):
    """Classes of exceptions that are not there."""

    def __getattr__(cls, name):
        if name[:2] == "__":
            raise AttributeError(name)
        return GuideErrors(name, (Exception,), {"__getattr__": _missing_of_error})


def _take_all(error, *arguments, **_):
    Exception.__init__(error, *arguments)


def _missing_of_error(error, name):
    if name[:2] == "__":
        raise AttributeError(name)
    return "a"
