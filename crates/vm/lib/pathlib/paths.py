# The part of `pathlib` that is written in Python.

import os.path


def _parts(texts):
    """Root and names of joined paths."""
    root = ""
    names = []
    for text in texts:
        if isinstance(text, PurePosixPath):
            text = text._text
        elif not isinstance(text, str):
            raise TypeError("expected str, bytes or os.PathLike object, not " + _classof(text).__name__)
        if text[:1] == "/":
            root = "/"
            names = []
        name = ""
        for c in text + "/":
            if c != "/":
                name += c
            else:
                if name != "" and name != ".":
                    _push(names, name)
                name = ""
    return root, names


def _of(root, names, kind=None):
    path = _instance(Path if kind is None else kind)
    path.__init__(root, *names)
    return path


class _PathParents:
    _abstract_ = ("Sequence", "Reversible", "Collection", "Sized", "Iterable", "Container")

    def __init__(self, kind, paths):
        self._kind = kind
        self._paths = paths

    def __len__(self):
        return _len(self._paths)

    def __getitem__(self, index):
        return self._paths[index]

    def __iter__(self):
        return iter(self._paths)

    def __contains__(self, path):
        return path in self._paths

    def __repr__(self):
        return "<" + self._kind + ".parents>"


class PurePosixPath:
    def __init__(self, *texts):
        root, names = _parts(texts)
        text = ""
        for name in names:
            text += name if text == "" else "/" + name
        self._root = root
        self._names = names
        self._text = root + text if root + text != "" else "."

    def __truediv__(self, other):
        if not isinstance(other, (str, PurePosixPath)):
            return NotImplemented
        return _classof(self)(self, other)

    def __rtruediv__(self, other):
        if not isinstance(other, str):
            return NotImplemented
        return _classof(self)(other, self)

    def joinpath(self, *others):
        return _classof(self)(self, *others)

    def __str__(self):
        return self._text

    def __fspath__(self):
        return self._text

    def as_posix(self):
        return self._text

    def __repr__(self):
        return _classof(self).__name__ + "(" + _repr(self._text) + ")"

    def __eq__(self, other):
        if not isinstance(other, PurePosixPath):
            return NotImplemented
        return self._text == other._text

    def __hash__(self):
        return hash(self.parts)

    def __lt__(self, other):
        if not isinstance(other, PurePosixPath):
            return NotImplemented
        return self.parts < other.parts

    def __gt__(self, other):
        if not isinstance(other, PurePosixPath):
            return NotImplemented
        return self.parts > other.parts

    @property
    def parts(self):
        return ((self._root, *self._names) if self._root else (*self._names,))

    @property
    def name(self):
        return self._names[-1] if self._names else ""

    @property
    def suffix(self):
        name = self.name
        dot = -1
        for at, c in enumerate(name):
            if c == ".":
                dot = at
        return name[dot:] if 0 < dot < _len(name) - 1 else ""

    @property
    def suffixes(self):
        name = self.name
        if name[-1:] == ".":
            return []
        found = []
        part = ""
        started = False
        for c in name:
            if c == "." and started:
                if part[:1] == ".":
                    _push(found, part)
                part = "."
            else:
                part += c
            if c != ".":
                started = True
        if part[:1] == "." and started and part != name:
            _push(found, part)
        return found

    @property
    def stem(self):
        name = self.name
        return name[: _len(name) - _len(self.suffix)]

    @property
    def root(self):
        return self._root

    @property
    def drive(self):
        return ""

    @property
    def anchor(self):
        return self._root

    @property
    def parent(self):
        return _of(self._root, self._names[:-1], _classof(self))

    @property
    def parents(self):
        found = []
        count = _len(self._names)
        while count > 0:
            count -= 1
            _push(found, _of(self._root, self._names[:count], _classof(self)))
        return _PathParents(_classof(self).__name__, (*found,))

    def is_absolute(self):
        return self._root != ""

    def with_name(self, name):
        if not self._names:
            raise ValueError(_repr(self) + " has an empty name")
        return _of(self._root, [*self._names[:-1], name], _classof(self))

    def with_stem(self, stem):
        return self.with_name(stem + self.suffix)

    def with_suffix(self, suffix):
        if suffix and suffix[:1] != "." or suffix == ".":
            raise ValueError("Invalid suffix " + _repr(suffix))
        return self.with_name(self.stem + suffix)

    def __getattr__(self, name):
        _throw("pathlib." + _classof(self).__name__ + "." + name)
PurePath = PurePosixPath


class Path(PurePosixPath):
    __module__ = "pathlib"

    @classmethod
    def cwd(cls):
        return cls(_cwd())

    @classmethod
    def home(cls):
        return cls("~").expanduser()

    def expanduser(self):
        if self._root == "" and _len(self._names) != 0 and self._names[0][:1] == "~":
            if not _sandboxed():
                return _unknown("the home directory")
            home = os.path.expanduser(self._names[0])
            if home[:1] == "~":
                raise RuntimeError("Could not determine home directory.")
            return _classof(self)(home, *self._names[1:])
        return self

    def absolute(self):
        return self if self.is_absolute() else _classof(self)(Path.cwd(), self)

    def resolve(self, strict=False):
        if strict:
            _throw("Path.resolve")
        return _classof(self)(os.path.realpath(self._text))


_rename(Path, "PosixPath")
PosixPath = Path
# Relations between paths.


def _relative(self, *other):
    if _len(other) == 0:
        raise TypeError("need at least one argument")
    base = Path(*other)
    count = _len(base._names)
    if base._root != self._root or base._names != self._names[:count]:
        raise ValueError(
            _repr(self._text)
            + " is not in the subpath of "
            + _repr(base._text)
            + " OR one path is relative and the other is absolute."
        )
    return _of("", self._names[count:])


def _is_relative(self, *other):
    try:
        self.relative_to(*other)
    except ValueError:
        return False
    return True


Path.relative_to = _relative
Path.is_relative_to = _is_relative


if _folds_methods():
    _add_file_methods()
