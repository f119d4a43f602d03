# Files that the program makes, kept in memory like those of the sandbox
# (data/python/sandbox/memory_files.py), over those of its project, which are read when needed. The
# contents of others are unknown; without a project the program's directory is empty at first.
# Level: methods

import io
import pathlib
import sys


class _mem_Node:
    # A file: its text or bytes, whichever was written or read last; a directory if it has neither.

    # Whether the project has it.
    _given = False

    def __init__(self, text):
        self._text = text
        self._data = None
        self._unread = None
        self._listed = []
        self._writers = []
        self._begun = _CLOCK[0]

    def _is_dir(self):
        return self._text is None and self._data is None and self._unread is None

    def _load(self):
        # Reads the bytes of a file of the project.
        if self._unread is not None:
            self._data = _project_bytes(self._unread)
            self._unread = None

    def _clear(self):
        self._text = ""
        self._data = None
        self._unread = None

    def _as_text(self):
        self._load()
        if self._text is None:
            self._text = self._data.decode()
            self._data = None
        return self._text

    def _is_text(self):
        # Whether it is UTF-8.
        self._load()
        if self._text is not None:
            return True
        try:
            self._data.decode()
        except UnicodeDecodeError:
            return False
        return True

    def _as_bytes(self):
        self._load()
        if self._data is None:
            self._data = self._text.encode()
            self._text = None
        return self._data

    def _size(self):
        if self._unread is not None:
            return self._count
        if self._text is not None and self._text.isascii():
            return _len(self._text)
        return _len(self._as_bytes())

    def _settled(self, writer=None):
        # Text written by another open file may still be in its buffer.
        for number in self._writers:
            other = _weak_get(number)
            if other is not None and other is not writer and other._waits:
                _throw("a file that is read before it is flushed")


_mem_nodes = {}


def _mem_shown(key):
    # Whether a path is in the project, the library or a package, where the contents are known.
    project = _project()
    if project is None:
        return False
    for place in [project[0], *(_search_path() or ())]:
        if key == place or key.startswith(place + "/"):
            return True
    return False


def _mem_find(key):
    # The file or directory of a path, or None.
    node = _mem_nodes.get(key)
    if node is None and _mem_shown(key):
        above = key
        while _mem_shown(above):
            if above in _mem_gone:
                return None
            above = _mem_parent(above)
        found = _project_look(key)
        if found is not None:
            node = _mem_Node(None)
            node._given = True
            if isinstance(found, int):
                node._unread = key
                node._count = found
            else:
                node._listed = found
            _mem_nodes[key] = node
    return node


def _mem_key(path):
    if isinstance(path, pathlib.Path):
        path = path._text
    elif not isinstance(path, str):
        if not hasattr(path, "__fspath__"):
            _throw("a path that is no text")
        path = path.__fspath__()
    names = []
    if path[:1] != "/":
        path = _cwd() + "/" + path
    for name in path.split("/"):
        if name == "..":
            if _len(names) != 0:
                _pop(names)
        elif name != "" and name != ".":
            _push(names, name)
    return "/" + "/".join(names)


def _mem_is_root(key):
    return key == "/" or key == "/tmp"


def _mem_parent(key):
    at = key.rfind("/")
    return key[:at] if at > 0 else "/"


def _mem_is_dir(key):
    if _mem_is_root(key):
        return True
    node = _mem_find(key)
    return node is not None and node._is_dir()


# Directories of every machine.
# Names of ASCII, including that of the C locale.
_MEM_ASCII = ("ascii", "us-ascii", "ansi_x3.4-1968")
_MEM_SYSTEM = ("/usr", "/etc", "/bin", "/lib", "/lib64", "/dev", "/proc", "/sys", "/home", "/root", "/var", "/opt", "/sbin", "/run", "/mnt")


def _mem_known(key):
    if _mem_shown(key):
        return
    for top in _MEM_SYSTEM:
        if key == top or key.startswith(top + "/"):
            # Files installed with the interpreter beside its library are absent.
            if key.startswith(sys.base_prefix + "/share/"):
                return
            _throw("files of the machine")


# Names that files had.
_mem_gone = {}


def _mem_assumed(key):
    # Whether a file is unknown: it does not exist now, but may when the program runs. A directory
    # that the program made itself contains nothing else.
    above = _mem_nodes.get(_mem_parent(key))
    if key in _mem_gone or above is not None and not above._given:
        return False
    return _assumes("files", key)


def _mem_may_have_more(key):
    # Whether other contents of a directory that existed before the program are unknown.
    node = _mem_find(key)
    return node is not None and node._given and _assumes("files", key)


def _mem_absent(key, what):
    # Ends planning unless a file is certainly missing, or the program handles that.
    _mem_known(key)
    if not _mem_shown(key) and key not in _mem_gone and _mem_parent(key) not in _mem_nodes and not _ready():
        _throw(what)


def _mem_text(path):
    return path._text if isinstance(path, pathlib.Path) else path


def _mem_missing(path):
    return FileNotFoundError(2, "No such file or directory", _mem_text(path))


def _mem_open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    if opener is not None or isinstance(file, int) or not isinstance(mode, str):
        _throw("open")
    file = _mem_text(file)
    letters = [c for c in mode if c in "rwax"]
    if _len({*mode}) != _len(mode) or [c for c in mode if c not in "rwaxbt+"]:
        raise ValueError("invalid mode: " + _repr(mode))
    if "b" in mode and "t" in mode:
        raise ValueError("can't have text and binary mode at once")
    if _len(letters) == 0:
        raise ValueError("Must have exactly one of create/read/write/append mode and at most one plus")
    if _len(letters) > 1:
        raise ValueError("must have exactly one of create/read/write/append mode")
    kind = letters[0]
    binary = "b" in mode
    if binary and encoding is not None:
        raise ValueError("binary mode doesn't take an encoding argument")
    if binary and errors is not None:
        raise ValueError("binary mode doesn't take an errors argument")
    if binary and newline is not None:
        raise ValueError("binary mode doesn't take a newline argument")
    if encoding == "locale" and not binary:
        # The sandbox has the C locale, and UTF-8 if no encoding is given.
        encoding = "ANSI_X3.4-1968"
    if not binary and encoding is not None and encoding.lower() not in ("utf-8", "utf8") + _MEM_ASCII:
        _throw("the encoding of a file")
    key = _mem_key(file)
    node = _mem_find(key)
    if node is None:
        _mem_known(key)
        above = _mem_find(_mem_parent(key))
        if above is not None and not above._is_dir():
            raise NotADirectoryError(20, "Not a directory", file)
        if kind == "r":
            made = _missed_call("open", _mem_shown(key) or key in _mem_gone)
            if made is not _END:
                return made
            _mem_absent(key, "open")
            if _mem_assumed(key):
                return _unknown("open")
            raise _mem_missing(file)
        if _mem_is_root(key):
            raise IsADirectoryError(21, "Is a directory", file)
        if not _mem_is_dir(_mem_parent(key)):
            _mem_absent(_mem_parent(key), "a directory that may be there")
            raise _mem_missing(file)
        node = _mem_Node("")
        _mem_nodes[key] = node
    elif node._is_dir():
        raise IsADirectoryError(21, "Is a directory", file)
    elif kind == "x":
        raise FileExistsError(17, "File exists", file)
    node._settled()
    if kind == "w":
        node._clear()
    if buffering == 0 and not binary:
        raise ValueError("can't have unbuffered text I/O")
    if binary:
        opened = _mem_Random if "+" in mode else _mem_Reader if kind == "r" else _mem_Writer
        made = opened(node, file, mode, kind)
    else:
        made = _mem_Text(node, file, mode, kind, encoding, errors, newline)
    if buffering == 1 or buffering == 0:
        made._waits_never = True
    if kind != "r" or "+" in mode:
        _push(node._writers, _weak(made))
    return made


class _mem_File:
    _waits_never = False
    _telling = True

    def _begin(self, node, name, mode, kind):
        self._node = node
        self.name = name._text if isinstance(name, pathlib.Path) else name
        self._reads = kind == "r" or "+" in mode
        self._writes = kind != "r" or "+" in mode
        self._appends = kind == "a"
        self._ahead = False
        self._shut = False
        self._waits = False
        self._at = self._length() if self._appends else 0

    def _open(self):
        if self._shut:
            raise ValueError("I/O operation on closed file.")

    def _unset(self, value):
        raise AttributeError("attribute 'closed' of '_io." + type(self).__name__ + "' objects is not writable")

    closed = property(lambda self: self._shut, _unset)

    def _may_read(self):
        self._open()
        if not self._reads:
            from io import UnsupportedOperation

            raise UnsupportedOperation(self._unread)
        self._node._settled(self)

    def _may_write(self):
        self._open()
        if not self._writes:
            from io import UnsupportedOperation

            raise UnsupportedOperation(self._unwritten)
        self._node._settled(self)
        if self._ahead and not self._appends and self._at < self._length():
            _throw("a file that is written where it was read ahead")
        self._waits = not self._waits_never

    def __getattr__(self, name):
        if name[:2] != "__":
            _throw("a file's " + name)
        raise AttributeError("'_io." + type(self).__name__ + "' object has no attribute '" + name + "'")

    def _put(self, part):
        whole = self._whole()
        at = _len(whole) if self._appends else self._at
        if at > _len(whole):
            whole = whole + self._filling * (at - _len(whole))
        self._at = at + _len(part)
        self._keep(whole[:at] + part + whole[self._at :])

    def read(self, size=-1, /):
        self._may_read()
        whole = self._whole()
        part = whole[self._at :] if size is None or size < 0 else whole[self._at : self._at + size]
        self._at += _len(part)
        self._ahead = self._reads_ahead
        return part

    def readline(self, size=-1, /):
        self._may_read()
        whole = self._whole()
        end = whole.find(self._newline, self._at) + 1
        if end == 0:
            end = _len(whole)
        if size is not None and 0 <= size < end - self._at:
            end = self._at + size
        line = whole[self._at : end]
        self._at += _len(line)
        self._ahead = self._reads_ahead
        return line

    def readlines(self, hint=-1, /):
        lines = []
        count = 0
        for line in self:
            _push(lines, line)
            count += _len(line)
            if hint is not None and 0 < hint <= count:
                break
        return lines

    def __iter__(self):
        self._open()
        return self

    def __next__(self):
        line = self.readline()
        self._telling = _len(line) == 0 or not self._reads_ahead
        if _len(line) == 0:
            raise StopIteration
        return line

    def writelines(self, lines, /):
        self._open()
        for line in lines:
            self.write(line)

    def truncate(self, size=None, /):
        self._may_write()
        size = self._at if size is None else size
        whole = self._whole()
        self._keep(whole[:size] + self._filling * (size - _len(whole)))
        return size

    def readable(self):
        self._open()
        return self._reads

    def writable(self):
        self._open()
        return self._writes

    def seekable(self):
        self._open()
        return True

    def isatty(self):
        self._open()
        return False

    def fileno(self):
        self._open()
        _throw("the number of a file")

    def flush(self):
        self._open()
        self._waits = False

    def close(self):
        self._shut = True
        self._waits = False

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, kind, error, traceback):
        self.close()


class _mem_Text(_mem_File):
    __module__ = "_io"
    _filling = "\0"
    _newline = "\n"
    _reads_ahead = True
    _unread = "not readable"
    _unwritten = "not writable"

    def __init__(self, node, name, mode, kind, encoding, errors, newline):
        self.mode = mode
        self.encoding = "UTF-8" if encoding is None else encoding
        self.errors = "strict" if errors is None else errors
        self._ends = newline
        # A file that is appended to is not read, so it may contain anything.
        self._adds_bytes = kind == "a" and "+" not in mode and not node._is_text()
        self._begin(node, name, mode, kind)

    def _put(self, part):
        if not self._adds_bytes:
            return super()._put(part)
        self._node._data = self._node._as_bytes() + part.encode()
        self._at = self._length()

    def _whole(self):
        if self._node._text is None and self.errors != "strict":
            try:
                self._node._as_bytes().decode()
            except UnicodeDecodeError:
                _throw("bytes that are no UTF-8")
        text = self._node._as_text()
        if not self._reads:
            return text
        if self.encoding.lower() in _MEM_ASCII and not text.isascii():
            _throw("the encoding of a file")
        if self._ends is None and "\r" in text:
            if self._writes:
                _throw("line ends of a file that is read and written")
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        elif self._ends is not None and self._ends != "" and self._ends != "\n":
            _throw("line ends of a file")
        return text

    def _keep(self, text):
        self._node._text = text

    def _length(self):
        return self._node._size() if self._adds_bytes else _len(self._node._as_text())

    def write(self, text, /):
        if not isinstance(text, str):
            self._open()
            raise TypeError("write() argument must be str, not " + _classof(text).__name__)
        self._may_write()
        if self.encoding.lower() in _MEM_ASCII and not text.isascii():
            text.encode("ascii", self.errors)
            _throw("the encoding of a file")
        ends = self._ends
        self._put(text.replace("\n", ends) if ends is not None and ends != "" and ends != "\n" else text)
        return _len(text)

    def seek(self, at, whence=0, /):
        self._open()
        if whence == 1 and at != 0:
            from io import UnsupportedOperation

            raise UnsupportedOperation("can't do nonzero cur-relative seeks")
        if whence == 2 and at != 0:
            from io import UnsupportedOperation

            raise UnsupportedOperation("can't do nonzero end-relative seeks")
        if whence == 0 and at < 0:
            raise ValueError("negative seek position " + _str(at))
        self._ahead = False
        self._telling = True
        self._waits = False
        if whence == 2:
            self._at = self._length()
        elif whence == 0:
            if at != 0 and not self._node._as_text().isascii():
                _throw("a place in a text that is not ASCII")
            self._at = at
        return self.tell()

    def tell(self):
        self._open()
        if not self._telling:
            raise OSError("telling position disabled by next() call")
        self._waits = False
        if self._adds_bytes:
            return self._node._size()
        before = self._node._as_text()[: self._at]
        if "\r" in before and self._ends is None:
            _throw("a place in a text with other line ends")
        return self._at if before.isascii() else _len(before.encode())

    def detach(self):
        _throw("a file without its buffer")

    @property
    def buffer(self):
        _throw("the buffer of a file")

    @property
    def newlines(self):
        _throw("the line ends of a file")

    def reconfigure(self, **options):
        _throw("a file that is reconfigured")

    def __repr__(self):
        return "<_io.TextIOWrapper name=" + _repr(self.name) + " mode=" + _repr(self.mode) + " encoding=" + _repr(self.encoding) + ">"


_rename(_mem_Text, "TextIOWrapper")


class _mem_Bytes(_mem_File):
    def read(self, size=-1, /):
        self._not_shut("read of")
        return _mem_File.read(self, size)

    def readline(self, size=-1, /):
        self._not_shut("readline of")
        return _mem_File.readline(self, size)

    def truncate(self, size=None, /):
        self._not_shut("truncate of")
        return _mem_File.truncate(self, size)

    def flush(self):
        self._not_shut("flush of")
        self._waits = False

    def _not_shut(self, what):
        if self._shut:
            raise ValueError(what + " closed file")

    _filling = b"\0"
    _newline = b"\n"
    _reads_ahead = False
    _unread = "read"
    _unwritten = "write"

    def __init__(self, node, name, mode, kind):
        plus = "+" if "+" in mode else ""
        self.mode = "rb+" if plus and kind in "rw" else kind + "b" + plus
        self._begin(node, name, mode, kind)

    def _whole(self):
        return self._node._as_bytes()

    def _keep(self, data):
        self._node._data = data

    def _length(self):
        return _len(self._node._as_bytes())

    def write(self, data, /):
        if isinstance(data, str):
            raise TypeError("a bytes-like object is required, not 'str'")
        self._not_shut("write to")
        self._may_write()
        if not isinstance(data, (bytes, bytearray, memoryview)):
            _throw("an object in place of bytes")
        part = data.tobytes() if isinstance(data, memoryview) else bytes(data)
        self._put(part)
        return _len(part)

    def seek(self, at, whence=0, /):
        self._not_shut("seek of")
        place = at + (0, self._at, self._length())[whence]
        if place < 0:
            raise OSError(22, "Invalid argument")
        self._waits = False
        self._at = place
        return place

    def tell(self):
        self._open()
        return self._at

    def __repr__(self):
        return "<_io." + type(self).__name__ + " name=" + _repr(self.name) + ">"


class _mem_Reader(_mem_Bytes):
    __module__ = "_io"


class _mem_Writer(_mem_Bytes):
    __module__ = "_io"


class _mem_Random(_mem_Bytes):
    __module__ = "_io"


_rename(_mem_Reader, "BufferedReader")
_rename(_mem_Writer, "BufferedWriter")
_rename(_mem_Random, "BufferedRandom")
# Functions of `os`, `os.path`, `pathlib` and `shutil` for files in memory.


def _mem_there(path):
    key = _mem_key(path)
    if _mem_is_root(key) or _mem_find(key) is not None:
        return True
    _mem_known(key)
    return _unknown("files") if _mem_assumed(key) else False


def _mem_node(path):
    key = _mem_key(path)
    node = _mem_find(key)
    if node is None:
        if _mem_is_root(key):
            _throw("a directory of the machine")
        _mem_absent(key, "a file that may be there")
        if _mem_assumed(key):
            _throw("a file that may be there")
        raise _mem_missing(path)
    return node


def _mem_forget(key):
    _mem_gone[key] = True
    del _mem_nodes[key]


def _mem_names(key):
    start = key if key == "/" else key + "/"
    directory = _mem_find(key)
    found = []
    if directory is not None:
        # The order of a directory differs on each machine. Here and in the sandbox it is by name.
        found = [name for name in directory._listed if start + name not in _mem_gone or start + name in _mem_nodes]
    for path in _mem_nodes:
        if path.startswith(start) and "/" not in path[_len(start) :] and path[_len(start) :] not in found:
            _push(found, path[_len(start) :])
    return found


def _mem_load_all(key):
    if _mem_find(key)._is_dir():
        for name in _mem_names(key):
            _mem_load_all(key + "/" + name)
# Searches among files in memory: `glob`, `os.scandir` and the like, and copies of whole directories.


def _mem_matches(name, pattern):
    # Whether a name matches a shell pattern; `[` begins a set of characters if it is closed.
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
        return _unknown("a directory") if _mem_assumed(key) else []
    if _mem_may_have_more(key):
        return _unknown("a directory")
    return _mem_names(key)


# The classes that they are instances of.
_register(io.TextIOBase, _mem_Text)
_register(io.BufferedIOBase, _mem_Bytes)
