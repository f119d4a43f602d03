# The part of `os` that is written in Python.

import os.path


# -- paths


def fspath(path):
    return os.path._path_text(path)


class stat_result:
    def __init__(self, size, modified=None):
        self.st_size = size
        if modified is not None:
            self.st_mtime = modified

    def __getattr__(self, name):
        if name == "st_mtime" and self.st_size == 4096 and _in_library():
            # A library checks whether a directory has changed.
            return 0.0
        _throw("os.stat_result." + name)

    def __repr__(self):
        _throw("the text of os.stat_result")
# The surroundings of a program: environment variables, module search path, language.

# Set on most machines, to unknown values.
_USUAL_VARIABLES = (
    "HOME PATH USER LOGNAME USERNAME SHELL PWD OLDPWD LANG LC_ALL TERM TMPDIR TEMP TMP TZ EDITOR DISPLAY HOSTNAME PYTHONPATH "
    "VIRTUAL_ENV COLUMNS LINES"
).split()


class _Environ:
    # Variables that the program receives or sets. If the program handles a missing one, it is not
    # set, as in the sandbox.
    def __init__(self):
        self._set = {}
        for name, value in _environment():
            self._set[name] = value

    def _has(self, name):
        if not isinstance(name, str):
            raise TypeError("str expected, not " + _classof(name).__name__)
        return name in self._set

    def get(self, name, default=None):
        if self._has(name):
            return self._set[name]
        return _unknown("os.environ") if name in _USUAL_VARIABLES or _assumes("environment", name) else default

    def __getitem__(self, name):
        if self._has(name):
            return self._set[name]
        if name in _USUAL_VARIABLES or not _ready() or _assumes("environment", name):
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
        if not self._has(name) and (name in _USUAL_VARIABLES or _assumes("environment", name)):
            _throw("the environment")
        return self._has(name)

    def setdefault(self, name, value=None):
        if name not in self:
            self[name] = value
        return self._set[name]

    def pop(self, name, *default):
        if self._has(name):
            return self._set.pop(name)
        if name in _USUAL_VARIABLES or _assumes("environment", name):
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


# Variables that the sandbox sets (`data/src/sandbox/start.rs`), in order.
_FIXED_VARIABLES = (
    ("BLIS_NUM_THREADS", "1"),
    ("LC_ALL", "C.UTF-8"),
    ("MKL_NUM_THREADS", "1"),
    ("NUMEXPR_NUM_THREADS", "1"),
    ("OMP_NUM_THREADS", "1"),
    ("OPENBLAS_NUM_THREADS", "1"),
    ("PYTHONHASHSEED", "0"),
    ("PYTHONUTF8", "1"),
    ("TZ", "UTC"),
    ("VECLIB_MAXIMUM_THREADS", "1"),
)


class _KnownEnviron(_MutableMapping):
    """The environment of the sandbox, with what the program is given and sets."""

    def __init__(self):
        self._set = {name: value for name, value in _FIXED_VARIABLES}
        for name, value in _environment():
            self._set[name] = value

    def _text(self, value):
        if not isinstance(value, str):
            raise TypeError("str expected, not " + _classof(value).__name__)
        return value

    def __getitem__(self, key):
        if self._text(key) in self._set:
            return self._set[key]
        raise KeyError(key) from None

    def __setitem__(self, key, value):
        self._text(key)
        self._set[key] = self._text(value)

    def __delitem__(self, key):
        if self._text(key) not in self._set:
            raise KeyError(key) from None
        del self._set[key]

    def __iter__(self):
        for key in _list(self._set):
            yield key

    def __len__(self):
        return _len(self._set)

    def __repr__(self):
        return "environ({" + ", ".join([_repr(key) + ": " + _repr(value) for key, value in self._set.items()]) + "})"

    def copy(self):
        return dict(self)

    def setdefault(self, key, value):
        if key not in self:
            self[key] = value
        return self[key]

    def __or__(self, other):
        if not isinstance(other, (dict, _MutableMapping)):
            return NotImplemented
        new = dict(self)
        new.update(other)
        return new

    def __ior__(self, other):
        self.update(other)
        return self


_rename(_KnownEnviron, "_Environ")
environ = _KnownEnviron() if _sandboxed() else _Environ()


def getenv(key, default=None):
    return environ.get(key, default)
