# What surrounds a program: environment variables, the search path of modules, words of the language.

# Set on most machines: what they are is not known.
_USUAL_VARIABLES = (
    "HOME PATH USER LOGNAME USERNAME SHELL PWD OLDPWD LANG LC_ALL TERM TMPDIR TEMP TMP TZ EDITOR DISPLAY HOSTNAME PYTHONPATH "
    "VIRTUAL_ENV COLUMNS LINES"
).split()


class _Environ:
    # Variables that the program sets. Others are not set, as in the sandbox, where the program is ready for that.
    __module__ = "os"

    def __init__(self):
        self._set = {}

    def _has(self, name):
        if not isinstance(name, str):
            raise TypeError("str expected, not " + _classof(name).__name__)
        return name in self._set

    def get(self, name, default=None):
        if self._has(name):
            return self._set[name]
        return _unknown("os.environ") if name in _USUAL_VARIABLES else default

    def __getitem__(self, name):
        if self._has(name):
            return self._set[name]
        if name in _USUAL_VARIABLES or not _ready():
            return _unknown("os.environ")
        raise KeyError(name)

    def __setitem__(self, name, value):
        self._has(name)
        self._has(value)
        self._set[name] = value

    def __delitem__(self, name):
        if not self._has(name):
            self[name]
            _throw("the environment")
        del self._set[name]

    def __contains__(self, name):
        if name in _USUAL_VARIABLES and not self._has(name):
            _throw("the environment")
        return self._has(name)

    def setdefault(self, name, value=None):
        if name not in self:
            self[name] = value
        return self._set[name]

    def pop(self, name, *default):
        if self._has(name):
            return self._set.pop(name)
        if name in _USUAL_VARIABLES:
            _throw("the environment")
        return default[0] if _len(default) != 0 else self[name]

    def update(self, *args, **kwargs):
        for name, value in dict(*args, **kwargs).items():
            self[name] = value

    def __iter__(self):
        _throw("the environment")

    def __len__(self):
        _throw("the environment")

    def __repr__(self):
        _throw("the environment")

    def copy(self):
        return _unknown("os.environ")

    def keys(self):
        return _unknown("os.environ")

    def values(self):
        return _unknown("os.environ")

    def items(self):
        return _unknown("os.environ")


os__environ = _Environ()


def os__getenv(key, default=None):
    return os__environ.get(key, default)


class _SearchPath:
    # `sys.path`: what the program adds to it changes nothing that is known here.
    __module__ = "sys"

    def __init__(self):
        self._added = []

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
        return item in self._added

    def __getitem__(self, place):
        return _unknown("sys.path")

    def __iter__(self):
        _throw("sys.path")

    def __len__(self):
        _throw("sys.path")

    def __repr__(self):
        _throw("sys.path")


sys__path = _SearchPath()
sys__warnoptions = []



class _VersionText:
    # `sys.version`: it begins as that of 3.11, the rest is not known.
    __module__ = "sys"

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
        # Whether it stands before a text; where the known part decides nothing, nobody knows.
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


sys__version = _VersionText()
keyword__kwlist = (
    "False None True and as assert async await break class continue def del elif else except finally for from global if import "
    "in is lambda nonlocal not or pass raise return try while with yield"
).split()


def keyword__iskeyword(word, /):
    return word in keyword__kwlist
