# The part of `os` that is written in Python.
# Level: methods

import abc


class PathLike(abc.ABC):
    @abc.abstractmethod
    def __fspath__(self):
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, subclass):
        if cls is PathLike and hasattr(subclass, "__fspath__"):
            return True
        return NotImplemented


def stat(path, *, dir_fd=None, follow_symlinks=True):
    if isinstance(path, int):
        _throw("os.stat")
    node = _mem_node(path)
    node._settled()
    modified = _project_modified(_mem_key(path)) if node._given else None
    return stat_result(4096 if node._is_dir() else node._size(), modified)


def getcwd():
    return _cwd()


def chdir(path):
    if isinstance(path, int):
        _throw("os.chdir of a file descriptor")
    key = _mem_key(path)
    node = _mem_find(key)
    if node is None:
        if _mem_is_root(key):
            raise PermissionError(1, "Operation not permitted", _mem_text(path))
        _mem_absent(key, "a directory that may be there")
        raise _mem_missing(path)
    if not node._is_dir():
        raise NotADirectoryError(20, "Not a directory", _mem_text(path))
    _HERE[0] = key


def listdir(path="."):
    key = _mem_key(path)
    if key == "/" and _str(path)[:1] == "/":
        _throw("files of the machine")
    if not _mem_is_dir(key):
        if not _mem_there(path):
            _mem_absent(key, "a directory that may be there")
            raise _mem_missing(path)
        raise NotADirectoryError(20, "Not a directory", _mem_text(path))
    if _mem_may_have_more(key):
        return _unknown("os.listdir")
    return _mem_names(key)


def remove(path, *, dir_fd=None):
    if _mem_node(path)._is_dir():
        raise IsADirectoryError(21, "Is a directory", _mem_text(path))
    _mem_forget(_mem_key(path))


def unlink(path, *, dir_fd=None):
    remove(path)


def mkdir(path, mode=511, *, dir_fd=None):
    key = _mem_key(path)
    if _mem_there(path):
        raise FileExistsError(17, "File exists", _mem_text(path))
    if not _mem_is_dir(_mem_parent(key)):
        if _mem_find(_mem_parent(key)) is not None:
            raise NotADirectoryError(20, "Not a directory", _mem_text(path))
        _mem_absent(_mem_parent(key), "a directory that may be there")
        raise _mem_missing(path)
    _mem_nodes[key] = _mem_Node(None)


def makedirs(name, mode=511, exist_ok=False):
    key = _mem_key(name)
    if _mem_is_dir(key) and exist_ok:
        return
    parent = _mem_parent(key)
    if not _mem_is_dir(parent):
        makedirs(parent, exist_ok=True)
    mkdir(name)


def rmdir(path, *, dir_fd=None):
    if not _mem_node(path)._is_dir():
        raise NotADirectoryError(20, "Not a directory", _mem_text(path))
    if _len(_mem_names(_mem_key(path))) != 0:
        raise OSError(39, "Directory not empty", _mem_text(path))
    _mem_forget(_mem_key(path))


def rename(src, dst, *, src_dir_fd=None, dst_dir_fd=None):
    old = _mem_key(src)
    new = _mem_key(dst)
    if _mem_find(old) is None:
        _mem_absent(old, "a file that may be there")
        raise FileNotFoundError(2, "No such file or directory", _mem_text(src), None, _mem_text(dst))
    if not _mem_is_dir(_mem_parent(new)):
        _mem_absent(_mem_parent(new), "a directory that may be there")
        raise FileNotFoundError(2, "No such file or directory", _mem_text(src), None, _mem_text(dst))
    if old == new:
        return
    _mem_load_all(old)
    if _mem_find(new) is not None:
        if _mem_nodes[old]._is_dir() or _mem_nodes[new]._is_dir():
            _throw("a directory that is renamed to one that is there")
        del _mem_nodes[new]
    for path in [*_mem_nodes]:
        if path == old or path.startswith(old + "/"):
            _mem_nodes[new + path[_len(old) :]] = _mem_nodes[path]
            _mem_forget(path)
    _mem_nodes[new]._listed = []


def replace(src, dst, *, src_dir_fd=None, dst_dir_fd=None):
    rename(src, dst)


def walk(top, topdown=True, onerror=None, followlinks=False):
    top = _mem_text(top)
    key = _mem_key(top)
    if key == "/" and _str(top)[:1] == "/":
        _throw("files of the machine")
    if not _mem_is_dir(key):
        _mem_known(key)
        if _mem_assumed(key):
            _throw("a directory that may be there")
        return
    inner = []
    files = []
    for name in _mem_names(key):
        _push(inner if _mem_is_dir(key + "/" + name if key != "/" else "/" + name) else files, name)
    if topdown:
        yield top, inner, files
    for name in inner:
        yield from walk(top + name if top[-1:] == "/" else top + "/" + name, topdown)
    if not topdown:
        yield top, inner, files
