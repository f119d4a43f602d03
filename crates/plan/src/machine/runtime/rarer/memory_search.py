# Searches among files in memory: `glob`, `os.scandir` and the like, and copies of whole directories.


def _mem_matches(name, pattern):
    # Whether a name is one of the shell's pattern; `[` begins a set of characters if it is closed.
    if pattern == "":
        return name == ""
    first = pattern[0]
    if first == "*":
        for at in range(_len(name) + 1):
            if _mem_matches(name[at:], pattern[1:]):
                return True
        return False
    if name == "":
        return False
    if first == "[":
        end = pattern.find("]", 3 if pattern[1:2] == "!" else 2)
        if end > 0:
            inside = pattern[1:end]
            if "-" in inside or "\\" in inside:
                _throw("a range of characters in a pattern of names")
            wanted = inside[:1] != "!"
            return (name[0] in (inside if wanted else inside[1:])) == wanted and _mem_matches(name[1:], pattern[end + 1 :])
    return (first == "?" or first == name[0]) and _mem_matches(name[1:], pattern[1:])


def _mem_is_magic(text):
    return "*" in text or "?" in text or "[" in text


def _mem_below(directory, name):
    return name if directory == "" else directory + name if directory[-1:] == "/" else directory + "/" + name


def _mem_listed(directory):
    key = _mem_key(directory if directory != "" else ".")
    if key == "/" and directory[:1] == "/":
        _throw("files of the machine")
    if not _mem_is_dir(key):
        _mem_known(key)
        return []
    return _mem_names(key)


def _mem_deeper(directory):
    # Everything below a directory, itself first as no name, what is hidden left out.
    yield ""
    for name in _mem_listed(directory):
        if name[:1] != ".":
            if _mem_is_dir(_mem_key(_mem_below(directory, name))):
                for rest in _mem_deeper(_mem_below(directory, name)):
                    yield name if rest == "" else name + "/" + rest
            else:
                yield name


def _mem_found(pattern, recursive, only_directories):
    at = pattern.rfind("/")
    directory = pattern[: at + 1] if pattern[: at + 1].strip("/") == "" else pattern[:at]
    last = pattern[at + 1 :]
    if not _mem_is_magic(pattern):
        if os__path__isdir(directory) if last == "" else _mem_there(pattern):
            yield pattern
        return
    directories = _mem_found(directory, recursive, True) if _mem_is_magic(directory) else [directory]
    for directory in directories:
        if recursive and last == "**":
            if directory == "" or _mem_is_dir(_mem_key(directory)):
                for name in _mem_deeper(directory):
                    path = _mem_below(directory, name) if name != "" else directory + "/" if directory[-1:] not in ("", "/") else directory
                    if not only_directories or name == "" or _mem_is_dir(_mem_key(path)):
                        yield path
        elif _mem_is_magic(last):
            for name in _mem_listed(directory):
                path = _mem_below(directory, name)
                if (name[:1] != "." or last[:1] == ".") and _mem_matches(name, last):
                    if not only_directories or _mem_is_dir(_mem_key(path)):
                        yield path
        elif os__path__isdir(directory) if last == "" else _mem_there(_mem_below(directory, last)):
            yield _mem_below(directory, last) if last != "" else directory + "/"


def glob__iglob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    if root_dir is not None or include_hidden or not isinstance(pathname, str):
        _throw("glob.iglob")
    return (path for path in _mem_found(pathname, recursive, False) if path != "")


def glob__glob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    if root_dir is not None or include_hidden or not isinstance(pathname, str):
        _throw("glob.glob")
    return [path for path in _mem_found(pathname, recursive, False) if path != ""]


def _mem_path_matches(directory, parts):
    # Paths below a directory that a pattern's parts name; `**` is any depth, and hidden names count.
    if _len(parts) == 0:
        yield directory
        return
    part = parts[0]
    if not directory.is_dir():
        return
    if part == "**":
        yield from _mem_path_matches(directory, parts[1:])
        for name in _mem_listed(directory._text):
            inner = directory / name
            if inner.is_dir():
                yield from _mem_path_matches(inner, parts)
    elif not _mem_is_magic(part):
        if (directory / part).exists():
            yield from _mem_path_matches(directory / part, parts[1:])
    else:
        for name in _mem_listed(directory._text):
            if _mem_matches(name, part):
                yield from _mem_path_matches(directory / name, parts[1:])


def _mem_path_glob(self, pattern):
    if not isinstance(pattern, str) or pattern == "" or pattern[:1] == "/" or ".." in pattern or pattern.count("**") > 1 or pattern[-2:] == "**":
        _throw("Path.glob")
    return (path for path in _mem_path_matches(self, [part for part in pattern.split("/") if part not in ("", ".")]))


def _mem_path_rglob(self, pattern):
    if not isinstance(pattern, str) or pattern == "":
        _throw("Path.rglob")
    return _mem_path_glob(self, "**/" + pattern)


pathlib__Path.glob = _mem_path_glob
pathlib__Path.rglob = _mem_path_rglob


class _mem_Entry:
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
        return os__stat(self.path)

    def __fspath__(self):
        return self.path

    def __getattr__(self, name):
        _throw("os.DirEntry." + name)

    def __repr__(self):
        return "<DirEntry " + _repr(self.name) + ">"


_rename(_mem_Entry, "DirEntry")


class _mem_Entries:
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


_rename(_mem_Entries, "ScandirIterator")


def os__scandir(path="."):
    if not isinstance(path, (str, pathlib__Path)):
        _throw("os.scandir")
    text = _mem_text(path)
    return _mem_Entries([_mem_Entry(name, _mem_below(text, name)) for name in os__listdir(path)])


def shutil__copytree(src, dst, symlinks=False, ignore=None, copy_function=None, ignore_dangling_symlinks=False, dirs_exist_ok=False):
    if ignore is not None or copy_function is not None:
        _throw("shutil.copytree")
    names = os__listdir(src)
    os__makedirs(_mem_text(dst), exist_ok=dirs_exist_ok)
    for name in names:
        inner = _mem_below(_mem_text(src), name)
        copy = _mem_below(_mem_text(dst), name)
        if _mem_is_dir(_mem_key(inner)):
            shutil__copytree(inner, copy, dirs_exist_ok=dirs_exist_ok)
        else:
            shutil__copyfile(inner, copy)
    return dst
