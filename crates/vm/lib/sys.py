# The part of `sys` that is written in Python.

import traceback


def _structure(name, fields, values):
    """A tuple with names for its parts, as those of `sys` are."""

    class structure(_NamedTuple):
        __module__ = "sys"

        def __new__(cls, *args, **kwargs):
            raise TypeError("cannot create 'sys." + name + "' instances")

        def __repr__(self):
            parts = [field + "=" + _repr(value) for field, value in zip(fields, _data(self))]
            return "sys." + name + "(" + ", ".join(parts) + ")"

    _rename(structure, name)
    fields = fields.split()
    _with_fields(structure, (*fields,), {})
    return _scalar(structure, values)


# The version that planned execution follows, and the interpreter as the sandbox starts it.
version_info = _structure("version_info", "major minor micro releaselevel serial", (3, 11, 7, "final", 0))
hexversion = 0x30B07F0
api_version = 1013
float_repr_style = "short"
dont_write_bytecode = True
float_info = _structure(
    "float_info",
    "max max_exp max_10_exp min min_exp min_10_exp dig mant_dig epsilon radix rounds",
    (1.7976931348623157e308, 1024, 308, 2.2250738585072014e-308, -1021, -307, 15, 53, 2.220446049250313e-16, 2, 1),
)
int_info = _structure("int_info", "bits_per_digit sizeof_digit default_max_str_digits str_digits_check_threshold", (30, 4, 4300, 640))
hash_info = _structure(
    "hash_info",
    "width modulus inf nan imag algorithm hash_bits seed_bits cutoff",
    (64, 2305843009213693951, 314159, 0, 1000003, "siphash13", 64, 128, 0),
)
flags = _structure(
    "flags",
    "debug inspect interactive optimize dont_write_bytecode no_user_site no_site ignore_environment verbose bytes_warning quiet "
    "hash_randomization isolated dev_mode utf8_mode warn_default_encoding safe_path int_max_str_digits",
    (0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, False, 1, 0, False, -1),
)


class _Implementation:
    """What of the interpreter is the same for all of CPython 3.11."""

    __module__ = "types"
    name = "cpython"
    cache_tag = "cpython-311"
    version = version_info
    hexversion = hexversion

    def __getattr__(self, name):
        _throw("sys.implementation." + name)

    def __repr__(self):
        _throw("the text of sys.implementation")


_rename(_Implementation, "SimpleNamespace")
implementation = _Implementation()


# Number of known frames if a program asks for one.
_MOST_FRAMES = 16


class _Frame:
    __module__ = "builtins"

    def __init__(self, frames, at):
        self._frames = frames
        self._at = at
        if frames[at] is None:
            _throw("a frame of the library")
        self.f_globals, self._line, self._made, self._parts, self._place = frames[at]

    @property
    def f_code(self):
        return self._made(*self._parts)

    @property
    def f_lineno(self):
        line = _frame_line(self._place, self.f_globals, self._parts[0])
        return self._line if line is None else line

    @property
    def f_locals(self):
        if self.f_code.co_name != "<module>":
            _throw("f_locals of a frame")
        return self.f_globals

    @property
    def f_back(self):
        at = self._at + 1
        if at < _len(self._frames):
            return _Frame(self._frames, at)
        # The caller of the program has frames, too.
        _throw("a frame outside of the program")

    def __getattr__(self, name):
        _throw(name + " of a frame")


_rename(_Frame, "frame")


def _getframe(depth=0, /):
    if not isinstance(depth, int):
        raise TypeError("'" + _classof(depth).__name__ + "' object cannot be interpreted as an integer")
    depth = depth if depth > 0 else 0
    frames = _frames(depth + _MOST_FRAMES)
    if None in frames[:depth]:
        _throw("a frame of the library")
    if _len(frames) <= depth < _len(frames) + _MOST_FRAMES:
        _throw("a frame outside of the program")
    if depth >= _len(frames):
        raise ValueError("call stack is not deep enough")
    return _Frame(frames[depth:], 0)


# Maximum digits of integers in texts, and whether that exceeds the default.
_digits = 4300
_no_limit = False


def get_int_max_str_digits():
    return _digits


def set_int_max_str_digits(maxdigits):
    global _digits, _no_limit
    if not isinstance(maxdigits, int):
        raise TypeError("'" + _classof(maxdigits).__name__ + "' object cannot be interpreted as an integer")
    if maxdigits != 0 and maxdigits < 640:
        raise ValueError("maxdigits must be 0 or larger than 640")
    if 0 < maxdigits < 4300:
        _throw("a smaller limit of digits")
    _digits = maxdigits
    _no_limit = maxdigits != 4300


class _SearchPath:
    # `sys.path`: additions by the program do not change what is known. It is fully known if the
    # packages of an interpreter are present, and nothing was added.
    def __init__(self):
        self._added = []

    def _is_known(self):
        return _search_path() is not None and _project() is not None and not self._added and _sandboxed()

    def _known(self):
        if not self._is_known():
            _throw("sys.path")
        return [_project()[0], *_search_path()]

    def append(self, item, /):
        self._added.append(item)

    def insert(self, place, item, /):
        self._added.append(item)

    def extend(self, items, /):
        self._added.extend(items)

    def __iadd__(self, items):
        self._added.extend(items)
        return self

    def remove(self, item, /):
        if item not in self._added:
            _throw("sys.path")
        self._added.remove(item)

    def __contains__(self, item):
        return item in self._added or self._is_known() and item in self._known()

    def __getitem__(self, place):
        if not self._is_known():
            return _unknown("sys.path")
        return self._known()[place]

    def __iter__(self):
        return iter(self._known())

    def __len__(self):
        return _len(self._known())

    def __repr__(self):
        return _repr(self._known())


path = _SearchPath()
warnoptions = []


class _VersionText:
    # `sys.version`: begins as in 3.11, the rest is unknown.
    def __getitem__(self, place):
        if isinstance(place, int) and 0 <= place < 4:
            return "3.11"[place]
        if isinstance(place, slice) and place.start is None and place.step is None and place.stop is not None and 0 <= place.stop <= 4:
            return "3.11"[: place.stop]
        return _unknown("sys.version")

    def startswith(self, prefix):
        if isinstance(prefix, str) and _len(prefix) <= 4:
            return "3.11".startswith(prefix)
        return _unknown("sys.version")

    def _before(self, other):
        # Whether it is less than a text. Unknown if the known part does not decide it.
        if not isinstance(other, str) or other.startswith("3.11"):
            _throw("sys.version")
        return "3.11" < other

    def __lt__(self, other):
        return self._before(other)

    __le__ = __lt__

    def __gt__(self, other):
        return not self._before(other)

    __ge__ = __gt__

    def __eq__(self, other):
        _throw("sys.version")

    __hash__ = None

    def split(self, sep=None, maxsplit=-1):
        return _unknown("sys.version")

    def __iter__(self):
        _throw("sys.version")

    def __len__(self):
        _throw("sys.version")

    def __repr__(self):
        _throw("sys.version")


version = _VersionText()


class _Modules:
    # `sys.modules`: contains imported modules, no module outside the library; the rest is unknown.
    def __contains__(self, name):
        if _module(name) is not None:
            return True
        return _unknown("sys.modules") if _is_library_name(name) else False

    def __getitem__(self, name):
        module = _module(name)
        if module is not None:
            return module
        if _is_library_name(name):
            return _unknown("sys.modules")
        raise KeyError(name)

    def get(self, name, default=None):
        module = _module(name)
        if module is not None:
            return module
        return _unknown("sys.modules") if _is_library_name(name) else default

    def setdefault(self, name, default=None):
        module = self.get(name)
        if module is None:
            module = default
            _place_module(name, module)
        return module

    def pop(self, name, *default):
        module = _module(name)
        if module is not None:
            _remove_module(name)
            return module
        if _is_library_name(name):
            return _unknown("sys.modules")
        if _len(default) == 0:
            raise KeyError(name)
        return default[0]

    def update(self, modules):
        for name, module in modules.items():
            _place_module(name, module)

    def __setitem__(self, name, module):
        if module is None or not isinstance(name, str):
            _throw("a module put into sys.modules")
        _place_module(name, module)

    def __delitem__(self, name):
        if _module(name) is None:
            if _is_library_name(name):
                _throw("a module deleted from sys.modules")
            raise KeyError(name)
        _remove_module(name)

    def __getattr__(self, name):
        _throw("sys.modules." + name)

    def __iter__(self):
        _throw("sys.modules")

    def __len__(self):
        _throw("sys.modules")

    def __repr__(self):
        _throw("sys.modules")


modules = _Modules()


class _BuiltinImporter:
    __module__ = "_frozen_importlib"


class _FrozenImporter:
    __module__ = "_frozen_importlib"


class _PathFinder:
    __module__ = "_frozen_importlib_external"

    @staticmethod
    def find_distributions(*args, **kwargs):
        from importlib.metadata import MetadataPathFinder

        return MetadataPathFinder.find_distributions(*args, **kwargs)


_rename(_BuiltinImporter, "BuiltinImporter")
_rename(_FrozenImporter, "FrozenImporter")
_rename(_PathFinder, "PathFinder")

# The interpreter's own finders. The program may add to them.
meta_path = [_BuiltinImporter, _FrozenImporter, _PathFinder]


def exc_info():
    error = _handled()
    if error is None:
        return (None, None, None)
    return (_classof(error), error, traceback._traceback_of(error))


def exception():
    return _handled()


def audit(event, /, *args):
    # There are no audit hooks.
    if not isinstance(event, str):
        raise TypeError("expected str for argument 'event', not " + type(event).__name__)


def intern(string, /):
    if type(string) is not str:
        if isinstance(string, str):
            raise TypeError("can't intern " + type(string).__name__)
        raise TypeError("intern() argument must be str, not " + type(string).__name__)
    return string


def getfilesystemencoding():
    return "utf-8"


def getfilesystemencodeerrors():
    return "surrogateescape"
