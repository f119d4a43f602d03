# The part of `glob` that is written in Python.
# Level: methods

import os.path


def _deeper(directory):
    # Everything below a directory, which comes first with an empty name. Hidden names are skipped.
    yield ""
    for name in _mem_listed(directory):
        if name[:1] != ".":
            if _mem_is_dir(_mem_key(_mem_below(directory, name))):
                for rest in _deeper(_mem_below(directory, name)):
                    yield name if rest == "" else name + "/" + rest
            else:
                yield name


def _found(pattern, recursive, only_directories):
    at = pattern.rfind("/")
    directory = pattern[: at + 1] if pattern[: at + 1].strip("/") == "" else pattern[:at]
    last = pattern[at + 1 :]
    if not _mem_is_magic(pattern):
        if os.path.isdir(directory) if last == "" else _mem_there(pattern):
            yield pattern
        return
    directories = _found(directory, recursive, True) if _mem_is_magic(directory) else [directory]
    for directory in directories:
        if recursive and last == "**":
            if directory == "" or _mem_is_dir(_mem_key(directory)):
                for name in _deeper(directory):
                    path = _mem_below(directory, name) if name != "" else directory + "/" if directory[-1:] not in ("", "/") else directory
                    if not only_directories or name == "" or _mem_is_dir(_mem_key(path)):
                        yield path
        elif _mem_is_magic(last):
            for name in _mem_listed(directory):
                path = _mem_below(directory, name)
                if (name[:1] != "." or last[:1] == ".") and _mem_matches(name, last):
                    if not only_directories or _mem_is_dir(_mem_key(path)):
                        yield path
        elif os.path.isdir(directory) if last == "" else _mem_there(_mem_below(directory, last)):
            yield _mem_below(directory, last) if last != "" else directory + "/"


def iglob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    if root_dir is not None or include_hidden or not isinstance(pathname, str):
        _throw("glob.iglob")
    return (path for path in _found(pathname, recursive, False) if path != "")


def glob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    if root_dir is not None or include_hidden or not isinstance(pathname, str):
        _throw("glob.glob")
    return [path for path in _found(pathname, recursive, False) if path != ""]
