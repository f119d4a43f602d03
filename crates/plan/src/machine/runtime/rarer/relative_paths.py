# Paths beside others.


def _path_relative(self, *other):
    if _len(other) == 0:
        raise TypeError("need at least one argument")
    base = pathlib__Path(*other)
    count = _len(base._names)
    if base._root != self._root or base._names != self._names[:count]:
        raise ValueError(
            _repr(self._text)
            + " is not in the subpath of "
            + _repr(base._text)
            + " OR one path is relative and the other is absolute."
        )
    return _path_of("", self._names[count:])


def _path_is_relative(self, *other):
    try:
        self.relative_to(*other)
    except ValueError:
        return False
    return True


pathlib__Path.relative_to = _path_relative
pathlib__Path.is_relative_to = _path_is_relative


def _path_names(path):
    if isinstance(path, pathlib__Path):
        path = path._text
    names = [name for name in os__path__normpath(path).split("/") if name != "" and name != "."]
    if _len(names) != 0 and names[0] == "..":
        _throw("a path above the directory in which the program runs")
    return path[:1] == "/", names


def os__path__relpath(path, start="."):
    if not path:
        raise ValueError("no path specified")
    absolute, names = _path_names(path)
    start_absolute, start_names = _path_names(start)
    if absolute != start_absolute:
        _throw("the directory in which the program runs")
    count = 0
    while count < _len(names) and count < _len(start_names) and names[count] == start_names[count]:
        count += 1
    return "/".join([".."] * (_len(start_names) - count) + names[count:]) or "."


def os__path__commonprefix(m):
    if not m:
        return ""
    least = min(m)
    most = max(m)
    for i, c in enumerate(least):
        if c != most[i]:
            return least[:i]
    return least


def os__path__commonpath(paths):
    if not paths:
        raise ValueError("commonpath() arg is an empty sequence")
    paths = [path._text if isinstance(path, pathlib__Path) else path for path in paths]
    absolute = paths[0][:1] == "/"
    for path in paths:
        if (path[:1] == "/") != absolute:
            raise ValueError("Can't mix absolute and relative paths")
    split = [[name for name in path.split("/") if name != "" and name != "."] for path in paths]
    return ("/" if absolute else "") + "/".join(os__path__commonprefix(split))
