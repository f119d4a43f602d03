# The part of `pathlib` that is written in Python.
# Level: methods

import os
import os.path


def _open(self, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
    return _mem_open(self, mode, buffering, encoding, errors, newline)


def _read(self, encoding=None, errors=None):
    with _mem_open(self, "r", -1, encoding, errors) as file:
        return file.read()


def _mem_path_write(self, data, encoding=None, errors=None, newline=None):
    if not isinstance(data, str):
        raise TypeError("data must be str, not " + _classof(data).__name__)
    with _mem_open(self, "w", -1, encoding, errors, newline) as file:
        return file.write(data)


def _read_bytes(self):
    with _mem_open(self, "rb") as file:
        return file.read()


def _write_bytes(self, data):
    with _mem_open(self, "wb") as file:
        return file.write(data)


def _touch(self, mode=438, exist_ok=True):
    if not _mem_there(self):
        _mem_open(self, "w").close()
    elif not exist_ok:
        raise FileExistsError(17, "File exists", self._text)


def _mkdir(self, mode=511, parents=False, exist_ok=False):
    try:
        os.mkdir(self._text)
    except FileNotFoundError:
        if not parents or self.parent == self:
            raise
        os.makedirs(self._text)
    except FileExistsError:
        if not exist_ok or not os.path.isdir(self):
            raise


def _unlink(self, missing_ok=False):
    if not missing_ok or _mem_there(self):
        os.remove(self._text)


def _mem_path_rename(self, target):
    os.rename(self._text, target._text if isinstance(target, Path) else target)
    return Path(target)


def _iterdir(self):
    for name in os.listdir(self._text):
        yield self / name


def _matches(directory, parts):
    # Paths below a directory that match a pattern's parts; `**` is any depth. Hidden names count.
    if _len(parts) == 0:
        yield directory
        return
    part = parts[0]
    if not directory.is_dir():
        return
    if part == "**":
        yield from _matches(directory, parts[1:])
        for name in _mem_listed(directory._text):
            inner = directory / name
            if inner.is_dir():
                yield from _matches(inner, parts)
    elif not _mem_is_magic(part):
        if (directory / part).exists():
            yield from _matches(directory / part, parts[1:])
    else:
        for name in _mem_listed(directory._text):
            if _mem_matches(name, part):
                yield from _matches(directory / name, parts[1:])


def _glob(self, pattern):
    if not isinstance(pattern, str) or pattern == "" or pattern[:1] == "/" or ".." in pattern or pattern.count("**") > 1 or pattern[-2:] == "**":
        _throw("Path.glob")
    return (path for path in _matches(self, [part for part in pattern.split("/") if part not in ("", ".")]))


def _rglob(self, pattern):
    if not isinstance(pattern, str) or pattern == "":
        _throw("Path.rglob")
    return _glob(self, "**/" + pattern)


def _add_file_methods():
    Path.open = _open
    Path.read_text = _read
    Path.write_text = _mem_path_write
    Path.read_bytes = _read_bytes
    Path.write_bytes = _write_bytes
    Path.touch = _touch
    Path.mkdir = _mkdir
    Path.unlink = _unlink
    Path.rename = _mem_path_rename
    Path.replace = _mem_path_rename
    Path.iterdir = _iterdir
    Path.exists = lambda self: _mem_there(self)
    Path.is_file = lambda self: os.path.isfile(self)
    Path.is_dir = lambda self: os.path.isdir(self)
    Path.rmdir = lambda self: os.rmdir(self._text)
    Path.stat = lambda self, *, follow_symlinks=True: os.stat(self._text)
    Path.glob = _glob
    Path.rglob = _rglob
