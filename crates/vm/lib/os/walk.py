# The part of `os` that is written in Python.
# Level: methods

import pathlib


class _Entry:
    __module__ = "posix"

    def __init__(self, name, path):
        self.name = name
        self.path = path

    def is_dir(self, *, follow_symlinks=True):
        return _mem_is_dir(_mem_key(self.path))

    def is_file(self, *, follow_symlinks=True):
        return not _mem_is_dir(_mem_key(self.path))

    def is_symlink(self):
        return False

    def stat(self, *, follow_symlinks=True):
        return stat(self.path)

    def __fspath__(self):
        return self.path

    def __getattr__(self, name):
        _throw("os.DirEntry." + name)

    def __repr__(self):
        return "<DirEntry " + _repr(self.name) + ">"


_rename(_Entry, "DirEntry")


class _Entries:
    __module__ = "posix"

    def __init__(self, entries):
        self._left = entries

    def __iter__(self):
        return self

    def __next__(self):
        if _len(self._left) == 0:
            raise StopIteration
        return self._left.pop(0)

    def close(self):
        self._left = []

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.close()


_rename(_Entries, "ScandirIterator")


def scandir(path="."):
    if not isinstance(path, (str, pathlib.Path)):
        _throw("os.scandir")
    text = _mem_text(path)
    return _Entries([_Entry(name, _mem_below(text, name)) for name in listdir(path)])
