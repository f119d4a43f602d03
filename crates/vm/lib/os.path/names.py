# The part of `os.path` that is written in Python.

import os
import pathlib


curdir = "."
pardir = ".."
extsep = "."
sep = "/"
pathsep = ":"
altsep = None
defpath = "/bin:/usr/bin"
devnull = "/dev/null"
supports_unicode_filenames = False


def _path_text(path):
    """What `os.fspath` makes of a path."""
    if isinstance(path, str):
        return path
    if isinstance(path, (bytes, bytearray)):
        _throw("a path of bytes")
    if isinstance(path, pathlib.PurePosixPath):
        return path._text
    if not hasattr(_classof(path), "__fspath__"):
        raise TypeError("expected str, bytes or os.PathLike object, not " + _classof(path).__name__)
    text = _classof(path).__fspath__(path)
    if not isinstance(text, str):
        _throw("a path that is no text")
    return text


def _after_slash(path):
    i = 0
    for at, c in enumerate(path):
        if c == "/":
            i = at + 1
    return i


def split(path):
    path = _path_text(path)
    i = _after_slash(path)
    head = path[:i]
    n = i
    while n > 0 and head[n - 1] == "/":
        n -= 1
    return (head[:n] if n > 0 else head, path[i:])


def basename(path):
    path = _path_text(path)
    return path[_after_slash(path):]


def dirname(path):
    return split(path)[0]


def normpath(path):
    path = _path_text(path)
    if path == "":
        return "."
    root = path[: len(path) - len(path.lstrip("/"))]
    root = root if root == "//" else root[:1]
    parts = []
    for part in path.split("/"):
        if part == "" or part == ".":
            continue
        if part != ".." or (root == "" and _len(parts) == 0) or (_len(parts) != 0 and parts[-1] == ".."):
            _push(parts, part)
        elif _len(parts) != 0:
            parts.pop()
    return root + "/".join(parts) or "."


def abspath(path):
    return normpath(join(_cwd(), _path_text(path)))


def expanduser(path):
    path = _path_text(path)
    if path[:1] != "~":
        return path
    if not _sandboxed():
        return _unknown("the home directory")
    # The sandbox has no users.
    name, slash, rest = path.partition("/")
    if name != "~" or "HOME" not in os.environ:
        return path
    return (os.environ["HOME"].rstrip("/") + slash + rest) or "/"


def realpath(path, *, strict=False):
    if strict:
        _throw("os.path.realpath")
    path = abspath(path)
    project = _project()
    if project is None:
        # The program's directory contains no links.
        if path.count("/") > 1 and path[:5] != "/tmp/":
            _throw("links of the machine")
        return path
    return _project_follow(path)


def isabs(path):
    return _path_text(path)[:1] == "/"


def splitext(path):
    path = _path_text(path)
    i = _after_slash(path)
    dot = -1
    named = False
    for at, c in enumerate(path):
        if at < i:
            continue
        if c == "." and named:
            dot = at
        elif c != ".":
            named = True
    return (path, "") if dot < 0 else (path[:dot], path[dot:])


def join(path, *parts):
    path = _path_text(path)
    for part in parts:
        try:
            part = _path_text(part)
        except TypeError:
            name = _repr(_classof(part).__name__)
            raise TypeError("join() argument must be str, bytes, or os.PathLike object, not " + name) from None
        if part[:1] == "/":
            path = part
        elif path == "" or path[-1:] == "/":
            path += part
        else:
            path += "/" + part
    return path


def _path_names(path):
    path = _path_text(path)
    names = [name for name in normpath(path).split("/") if name != "" and name != "."]
    if _len(names) != 0 and names[0] == "..":
        _throw("a path above the directory in which the program runs")
    return path[:1] == "/", names


def relpath(path, start="."):
    path = _path_text(path)
    if path == "":
        raise ValueError("no path specified")
    absolute, names = _path_names(path)
    start_absolute, start_names = _path_names(start)
    if absolute != start_absolute:
        _throw("the directory in which the program runs")
    count = 0
    while count < _len(names) and count < _len(start_names) and names[count] == start_names[count]:
        count += 1
    return "/".join([".."] * (_len(start_names) - count) + names[count:]) or "."


def commonprefix(m):
    if not m:
        return ""
    least = min(m)
    most = max(m)
    for i, c in enumerate(least):
        if c != most[i]:
            return least[:i]
    return least


def commonpath(paths):
    if not paths:
        raise ValueError("commonpath() arg is an empty sequence")
    paths = [_path_text(path) for path in paths]
    absolute = paths[0][:1] == "/"
    for path in paths:
        if (path[:1] == "/") != absolute:
            raise ValueError("Can't mix absolute and relative paths")
    split = [[name for name in path.split("/") if name != "" and name != "."] for path in paths]
    return ("/" if absolute else "") + "/".join(commonprefix(split))


def normcase(s):
    return _path_text(s)
