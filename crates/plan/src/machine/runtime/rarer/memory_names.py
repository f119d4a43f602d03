# What `os`, `os.path`, `pathlib` and `shutil` say of files in memory, and do to them.


def _mem_there(path):
    key = _mem_key(path)
    if key in _mem_nodes or _mem_is_root(key):
        return True
    _mem_known(key)
    return False


def _mem_node(path):
    key = _mem_key(path)
    if key not in _mem_nodes:
        if _mem_is_root(key):
            _throw("a directory of the machine")
        _mem_absent(key, "a file that may be there")
        raise _mem_missing(path)
    return _mem_nodes[key]


def _mem_forget(key):
    _mem_gone[key] = True
    del _mem_nodes[key]


def _mem_names(key):
    start = key if key == "/" else key + "/"
    found = []
    for path in _mem_nodes:
        if path.startswith(start) and "/" not in path[_len(start) :]:
            _push(found, path[_len(start) :])
    return found


def os__path__exists(path):
    return _mem_there(path)


def os__path__lexists(path):
    return _mem_there(path)


def os__path__isfile(path):
    return _mem_there(path) and not _mem_is_dir(_mem_key(path))


def os__path__isdir(path):
    return _mem_there(path) and _mem_is_dir(_mem_key(path))


def os__path__getsize(path):
    return os__stat(path).st_size


def os__stat(path, *, dir_fd=None, follow_symlinks=True):
    if isinstance(path, int):
        _throw("os.stat")
    node = _mem_node(path)
    node._settled()
    return os__stat_result(4096 if node._is_dir() else node._size())


def os__listdir(path="."):
    key = _mem_key(path)
    if key == "/" and _str(path)[:1] == "/":
        _throw("files of the machine")
    if not _mem_is_dir(key):
        if not _mem_there(path):
            _mem_absent(key, "a directory that may be there")
            raise _mem_missing(path)
        raise NotADirectoryError(20, "Not a directory", _mem_text(path))
    return _mem_names(key)


def os__remove(path, *, dir_fd=None):
    if _mem_node(path)._is_dir():
        raise IsADirectoryError(21, "Is a directory", _mem_text(path))
    _mem_forget(_mem_key(path))


def os__unlink(path, *, dir_fd=None):
    os__remove(path)


def os__mkdir(path, mode=511, *, dir_fd=None):
    key = _mem_key(path)
    if _mem_there(path):
        raise FileExistsError(17, "File exists", _mem_text(path))
    if not _mem_is_dir(_mem_parent(key)):
        if _mem_parent(key) in _mem_nodes:
            raise NotADirectoryError(20, "Not a directory", _mem_text(path))
        _mem_absent(_mem_parent(key), "a directory that may be there")
        raise _mem_missing(path)
    _mem_nodes[key] = _mem_Node(None)


def os__makedirs(name, mode=511, exist_ok=False):
    key = _mem_key(name)
    if _mem_is_dir(key) and exist_ok:
        return
    parent = _mem_parent(key)
    if not _mem_is_dir(parent):
        os__makedirs(parent, exist_ok=True)
    os__mkdir(name)


def os__rmdir(path, *, dir_fd=None):
    if not _mem_node(path)._is_dir():
        raise NotADirectoryError(20, "Not a directory", _mem_text(path))
    if _len(_mem_names(_mem_key(path))) != 0:
        raise OSError(39, "Directory not empty", _mem_text(path))
    _mem_forget(_mem_key(path))


def os__rename(src, dst, *, src_dir_fd=None, dst_dir_fd=None):
    old = _mem_key(src)
    new = _mem_key(dst)
    if old not in _mem_nodes:
        _mem_absent(old, "a file that may be there")
        raise FileNotFoundError(2, "No such file or directory", _mem_text(src), None, _mem_text(dst))
    if not _mem_is_dir(_mem_parent(new)):
        _mem_absent(_mem_parent(new), "a directory that may be there")
        raise FileNotFoundError(2, "No such file or directory", _mem_text(src), None, _mem_text(dst))
    if old == new:
        return
    if new in _mem_nodes:
        if _mem_nodes[old]._is_dir() or _mem_nodes[new]._is_dir():
            _throw("a directory that is renamed to one that is there")
        del _mem_nodes[new]
    for path in [*_mem_nodes]:
        if path == old or path.startswith(old + "/"):
            _mem_nodes[new + path[_len(old) :]] = _mem_nodes[path]
            _mem_forget(path)


def os__replace(src, dst, *, src_dir_fd=None, dst_dir_fd=None):
    os__rename(src, dst)


def os__walk(top, topdown=True, onerror=None, followlinks=False):
    top = _mem_text(top)
    key = _mem_key(top)
    if key == "/" and _str(top)[:1] == "/":
        _throw("files of the machine")
    if not _mem_is_dir(key):
        _mem_known(key)
        return
    inner = []
    files = []
    for name in _mem_names(key):
        _push(inner if _mem_is_dir(key + "/" + name if key != "/" else "/" + name) else files, name)
    if topdown:
        yield top, inner, files
    for name in inner:
        yield from os__walk(top + name if top[-1:] == "/" else top + "/" + name, topdown)
    if not topdown:
        yield top, inner, files


def shutil__copyfile(src, dst, *, follow_symlinks=True):
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


def shutil__copy(src, dst, *, follow_symlinks=True):
    if _mem_is_dir(_mem_key(dst)):
        dst = (dst._text if isinstance(dst, pathlib__Path) else dst) + "/" + _mem_key(src).split("/")[-1]
    return shutil__copyfile(src, dst)


def shutil__copy2(src, dst, *, follow_symlinks=True):
    return shutil__copy(src, dst)


def shutil__move(src, dst, copy_function=None):
    if _mem_is_dir(_mem_key(dst)):
        dst = (dst._text if isinstance(dst, pathlib__Path) else dst) + "/" + _mem_key(src).split("/")[-1]
        if _mem_key(dst) in _mem_nodes:
            _throw("a file that is moved to one that is there")
    os__rename(src, dst)
    return dst


def shutil__rmtree(path, ignore_errors=False, onerror=None):
    key = _mem_key(path)
    if key not in _mem_nodes:
        if ignore_errors:
            return
        _mem_node(path)
    for inner in [*_mem_nodes]:
        if inner == key or inner.startswith(key + "/"):
            _mem_forget(inner)


def _mem_path_open(self, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
    return _mem_open(self, mode, buffering, encoding, errors, newline)


def _mem_path_read(self, encoding=None, errors=None):
    with _mem_open(self, "r", -1, encoding, errors) as file:
        return file.read()


def _mem_path_write(self, data, encoding=None, errors=None, newline=None):
    if not isinstance(data, str):
        raise TypeError("data must be str, not " + _classof(data).__name__)
    with _mem_open(self, "w", -1, encoding, errors, newline) as file:
        return file.write(data)


def _mem_path_read_bytes(self):
    with _mem_open(self, "rb") as file:
        return file.read()


def _mem_path_write_bytes(self, data):
    with _mem_open(self, "wb") as file:
        return file.write(data)


def _mem_path_touch(self, mode=438, exist_ok=True):
    if not _mem_there(self):
        _mem_open(self, "w").close()
    elif not exist_ok:
        raise FileExistsError(17, "File exists", self._text)


def _mem_path_mkdir(self, mode=511, parents=False, exist_ok=False):
    try:
        os__mkdir(self._text)
    except FileNotFoundError:
        if not parents or self.parent == self:
            raise
        os__makedirs(self._text)
    except FileExistsError:
        if not exist_ok or not os__path__isdir(self):
            raise


def _mem_path_unlink(self, missing_ok=False):
    if not missing_ok or _mem_there(self):
        os__remove(self._text)


def _mem_path_rename(self, target):
    os__rename(self._text, target._text if isinstance(target, pathlib__Path) else target)
    return pathlib__Path(target)


def _mem_path_iterdir(self):
    for name in os__listdir(self._text):
        yield self / name


pathlib__Path.open = _mem_path_open
pathlib__Path.read_text = _mem_path_read
pathlib__Path.write_text = _mem_path_write
pathlib__Path.read_bytes = _mem_path_read_bytes
pathlib__Path.write_bytes = _mem_path_write_bytes
pathlib__Path.touch = _mem_path_touch
pathlib__Path.mkdir = _mem_path_mkdir
pathlib__Path.unlink = _mem_path_unlink
pathlib__Path.rename = _mem_path_rename
pathlib__Path.replace = _mem_path_rename
pathlib__Path.iterdir = _mem_path_iterdir
pathlib__Path.exists = lambda self: _mem_there(self)
pathlib__Path.is_file = lambda self: os__path__isfile(self)
pathlib__Path.is_dir = lambda self: os__path__isdir(self)
pathlib__Path.rmdir = lambda self: os__rmdir(self._text)
pathlib__Path.stat = lambda self, *, follow_symlinks=True: os__stat(self._text)
