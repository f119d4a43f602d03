# The part of `shutil` that is written in Python.
# Level: methods

import os
import pathlib


def copyfile(src, dst, *, follow_symlinks=True):
    node = _mem_node(src)
    if node._is_dir():
        raise IsADirectoryError(21, "Is a directory", _mem_text(src))
    if _mem_key(src) == _mem_key(dst):
        _throw("a file that is copied to itself")
    with _mem_open(dst, "w"):
        pass
    made = _mem_nodes[_mem_key(dst)]
    node._settled()
    made._text = node._text
    made._data = node._data
    return dst


def copy(src, dst, *, follow_symlinks=True):
    if _mem_is_dir(_mem_key(dst)):
        dst = (dst._text if isinstance(dst, pathlib.Path) else dst) + "/" + _mem_key(src).split("/")[-1]
    return copyfile(src, dst)


def copy2(src, dst, *, follow_symlinks=True):
    return copy(src, dst)


def move(src, dst, copy_function=None):
    if _mem_is_dir(_mem_key(dst)):
        dst = (dst._text if isinstance(dst, pathlib.Path) else dst) + "/" + _mem_key(src).split("/")[-1]
        if _mem_find(_mem_key(dst)) is not None:
            _throw("a file that is moved to one that is there")
    os.rename(src, dst)
    return dst


def rmtree(path, ignore_errors=False, onerror=None):
    key = _mem_key(path)
    if _mem_find(key) is None:
        if ignore_errors:
            return
        _mem_node(path)
    for inner in [*_mem_nodes]:
        if inner == key or inner.startswith(key + "/"):
            _mem_forget(inner)


def copytree(src, dst, symlinks=False, ignore=None, copy_function=None, ignore_dangling_symlinks=False, dirs_exist_ok=False):
    if ignore is not None or copy_function is not None:
        _throw("shutil.copytree")
    names = os.listdir(src)
    os.makedirs(_mem_text(dst), exist_ok=dirs_exist_ok)
    for name in names:
        inner = _mem_below(_mem_text(src), name)
        copy = _mem_below(_mem_text(dst), name)
        if _mem_is_dir(_mem_key(inner)):
            copytree(inner, copy, dirs_exist_ok=dirs_exist_ok)
        else:
            copyfile(inner, copy)
    return dst


def _terminal_part(name):
    try:
        return int(os.environ._set[name])
    except (KeyError, ValueError):
        return 0


def get_terminal_size(fallback=(80, 24)):
    # The output goes to no terminal.
    size = _unknown("the size of the terminal", os.terminal_size(fallback))
    columns, lines = _terminal_part("COLUMNS"), _terminal_part("LINES")
    return os.terminal_size((columns if columns > 0 else size.columns, lines if lines > 0 else size.lines))
