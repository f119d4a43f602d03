# The part of `os` that is written in Python.

import os.path


# -- paths


def fspath(path):
    return os.path._path_text(path)


class stat_result:
    def __init__(self, size):
        self.st_size = size

    def __getattr__(self, name):
        _throw("os.stat_result." + name)

    def __repr__(self):
        _throw("the text of os.stat_result")
# What surrounds a program: environment variables, the search path of modules, words of the language.

# Set on most machines: what they are is not known.
_USUAL_VARIABLES = (
    "HOME PATH USER LOGNAME USERNAME SHELL PWD OLDPWD LANG LC_ALL TERM TMPDIR TEMP TMP TZ EDITOR DISPLAY HOSTNAME PYTHONPATH "
    "VIRTUAL_ENV COLUMNS LINES"
).split()


class _Environ:
    # Variables that the program is given or sets. Others are not set, as in the sandbox, where the program is ready for
    # that.
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


environ = _Environ()


def getenv(key, default=None):
    return environ.get(key, default)
