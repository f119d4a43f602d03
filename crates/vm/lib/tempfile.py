# `tempfile`: files in memory, with names drawn as in the sandbox. Other machines draw others.
# Level: methods

import os
import pathlib
import shutil


_TEMP_SEED = 20230508
_TEMP_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_"
_temp_numbers = []


def _temp_place(suffix, prefix, dir):
    # A path that does not exist.
    for part in (suffix, prefix):
        if part is not None and not isinstance(part, str):
            _throw("names of temporary files that are no text")
    if dir is None:
        dir = "/tmp"
    elif isinstance(dir, pathlib.Path):
        dir = dir._text
    elif not isinstance(dir, str):
        _throw("a directory of temporary files that is no text")
    start = dir if dir[-1:] == "/" else dir + "/"
    start += "tmp" if prefix is None else prefix
    end = "" if suffix is None else suffix
    if _len(_temp_numbers) == 0:
        _push(_temp_numbers, _twister(_TEMP_SEED))
    _guess()
    while True:
        letters = [_TEMP_LETTERS[int(_twister_float(_temp_numbers[0]) * 37)] for _ in range(8)]
        path = start + "".join(letters) + end
        if _mem_key(path) not in _mem_nodes:
            return path


def _temp_open(path, mode, buffering, encoding, newline, errors):
    if not _mem_is_dir(_mem_parent(_mem_key(path))):
        _mem_absent(_mem_parent(_mem_key(path)), "a directory that may be there")
        raise _mem_missing(path)
    _mem_nodes[_mem_key(path)] = _mem_Node("")
    return _mem_open(path, mode, buffering, encoding, errors, newline)


def gettempdir():
    return "/tmp"


def gettempprefix():
    return "tmp"


def mkdtemp(suffix=None, prefix=None, dir=None):
    path = _temp_place(suffix, prefix, dir)
    os.mkdir(path, 448)
    return path


def mktemp(suffix="", prefix="tmp", dir=None):
    return _temp_place(suffix, prefix, dir)


def mkstemp(suffix=None, prefix=None, dir=None, text=False):
    _throw("the number of a file")


class TemporaryDirectory:
    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False):
        self.name = mkdtemp(suffix, prefix, dir)
        self._temp_kept = True

    def __repr__(self):
        return "<TemporaryDirectory " + _repr(self.name) + ">"

    def __enter__(self):
        return self.name

    def __exit__(self, exc, value, tb):
        self.cleanup()

    def cleanup(self):
        if self._temp_kept or _mem_there(self.name):
            self._temp_kept = False
            shutil.rmtree(self.name, True)


class _TemporaryFileWrapper:
    def __init__(self, file, name, delete=True):
        self.file = file
        self.name = name
        self.delete = delete
        self._temp_shut = False

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __enter__(self):
        self.file.__enter__()
        return self

    def __exit__(self, exc, value, tb):
        self.close()

    def __iter__(self):
        for line in self.file:
            yield line

    def close(self):
        if not self._temp_shut:
            self._temp_shut = True
            self.file.close()
            if self.delete:
                os.unlink(self.name)


def NamedTemporaryFile(mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None, delete=True, *, errors=None):
    path = _temp_place(suffix, prefix, dir)
    file = _temp_open(path, mode, buffering, encoding, newline, errors)
    return _TemporaryFileWrapper(file, path, delete)


def TemporaryFile(mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None, *, errors=None):
    path = _temp_place(suffix, prefix, dir)
    file = _temp_open(path, mode, buffering, encoding, newline, errors)
    del _mem_nodes[_mem_key(path)]
    return file
