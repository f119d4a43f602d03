# The part of `os.path` that is written in Python.
# Level: methods

import os


def exists(path):
    return _mem_there(path)


def lexists(path):
    return _mem_there(path)


def isfile(path):
    return _mem_there(path) and not _mem_is_dir(_mem_key(path))


def isdir(path):
    return _mem_there(path) and _mem_is_dir(_mem_key(path))


def getsize(path):
    return os.stat(path).st_size
