"""Files in memory: a program can read what it writes, and no file of the machine changes.

The working directory and the one for temporary files are empty at first; of a project (project.py) the working directory
is in its root, whose files are there until the program writes or removes them, which changes what it sees and nothing else.
A program may make files and directories in them, by `open`, `os`, `pathlib`, `shutil` and `tempfile`; elsewhere the files of
the sandbox are read as before. Python's own classes read and write (`io.TextIOWrapper` and the
buffers below it), so that encodings, line ends, buffers and messages are those of CPython.

Not supported: importing modules that the program has written, links, permissions, and libraries that open files in C
(for `sqlite3`, see memory_databases.py).
"""

import errno
import posixpath
import stat

# Words of a program that may write or inspect files.
FILE_NAMES = (
    "write_text write_bytes touch mkdir makedirs listdir scandir iterdir glob rglob iglob walk tempfile FileHandler".split()
)
WRITES_FILES = re.compile(r"\bopen\s*\((?!\s*[0-2]\s*[),])|\b(?:%s)\b" % "|".join(FILE_NAMES)).search
MEMORY_ROOTS = ("/", "/tmp")
FIRST_DESCRIPTOR = 1 << 20
# Maximum bytes of a project file that is changed.
MOST_LIFTED = 16 << 20


def may_use_files(source):
    """Whether a program may write or inspect files, itself or through a library module."""
    if WRITES_FILES(source):
        return True
    if "import" not in source:
        return False
    imported = imported_in(source)
    return imported is None or any(name.partition(".")[0] not in SHAREABLE for name in imported)


class MemoryNode:
    """A file, or a directory if it has no data."""

    __slots__ = ("data", "number", "changed", "mode")

    def __init__(self, data, number, now):
        self.data, self.number, self.changed = data, number, now
        self.mode = 0o755 if data is None else 0o644


class MemoryFileIO(io.RawIOBase):
    """An open file, below its buffers."""

    def __init__(self, files, node, name, mode, descriptor):
        self._files, self._node, self.name, self._at = files, node, name, 0
        self._reads = "r" in mode or "+" in mode
        self._writes = "r" not in mode or "+" in mode
        self._appends = "a" in mode
        self._descriptor = descriptor
        first = "xb" if "x" in mode else "ab" if "a" in mode else "rb"
        self.mode = first + "+" if self._reads and self._writes else first if first != "rb" or self._reads else "wb"
        if self._appends:
            self._at = len(node.data)

    def _open(self, wanted=True, what=""):
        if self.closed:
            raise ValueError("I/O operation on closed file.")
        if not wanted:
            raise io.UnsupportedOperation("File not open for " + what)

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
        if self._descriptor is None:
            self._descriptor = self._files.described(self)
        return self._descriptor

    def readinto(self, buffer):
        self._open(self._reads, "reading")
        data = self._node.data[self._at : self._at + len(buffer)]
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def write(self, data):
        self._open(self._writes, "writing")
        data, held = bytes(data), self._node.data
        if self._appends:
            self._at = len(held)
        if self._at > len(held):
            held.extend(bytes(self._at - len(held)))
        held[self._at : self._at + len(data)] = data
        self._at += len(data)
        self._node.changed = self._files.clock.now
        return len(data)

    def seek(self, offset, whence=0):
        self._open()
        at = offset + (0, self._at, len(self._node.data))[whence]
        if at < 0:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        self._at = at
        return at

    def tell(self):
        self._open()
        return self._at

    def truncate(self, size=None):
        self._open(self._writes, "writing")
        size, data = self._at if size is None else size, self._node.data
        del data[size:]
        data.extend(bytes(size - len(data)))
        return size


MemoryFileIO.__name__ = MemoryFileIO.__qualname__ = "FileIO"
MemoryFileIO.__module__ = "_io"


class MemoryEntry:
    """An entry of `os.scandir`."""

    def __init__(self, files, name, path):
        self._files, self.name, self.path = files, name, path

    def is_dir(self, *, follow_symlinks=True):
        return stat.S_ISDIR(self.stat().st_mode)

    def is_file(self, *, follow_symlinks=True):
        return not self.is_dir()

    def is_symlink(self):
        return stat.S_ISLNK(self._files.lstat(self.path).st_mode)

    def is_junction(self):
        return False

    def stat(self, *, follow_symlinks=True):
        return self._files.stat(self.path)

    def inode(self):
        return self.stat().st_ino

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return "<DirEntry %r>" % self.name


MemoryEntry.__name__ = MemoryEntry.__qualname__ = "DirEntry"
MemoryEntry.__module__ = "posix"


class MemoryScan:
    """The iterator of `os.scandir`."""

    def __init__(self, entries):
        self._entries = iter(entries)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._entries)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._entries = iter(())


MemoryScan.__name__ = MemoryScan.__qualname__ = "ScandirIterator"
MemoryScan.__module__ = "posix"


class MemoryFiles:
    """The files and directories of a program by absolute path, and replacements for functions of `os`."""

    REPLACED = (
        "stat lstat listdir scandir remove unlink rename replace mkdir rmdir access chmod utime chdir getcwd "
        "open close read write fsync fstat truncate link symlink listxattr"
    ).split()

    def __init__(self, clock, project=None):
        self.clock, self.numbers = clock, 1000
        self.root = None if project is None else project.root
        self.cwd = "/" if self.root is None else project.directory
        self.start = self.cwd
        self.gone = set()  # paths of the project's files that the program has removed
        self.nodes, self.descriptors, self.numbered = {}, {}, 0
        self.real = {name: getattr(os, name) for name in self.REPLACED if hasattr(os, name)}
        self.real_open = io.open

    def key(self, path):
        """The absolute form of a path, or None for a non-path."""
        if isinstance(path, int):
            return None
        path = os.fspath(path)
        path = os.fsdecode(path) if isinstance(path, bytes) else path
        if not path or "\0" in path:
            return None
        path = posixpath.normpath(posixpath.join(self.cwd, path))
        return path[1:] if path[:2] == "//" else path

    def there(self, path):
        """A path as the process sees it, unaffected by the program's changes of directory."""
        if self.cwd == self.start or isinstance(path, int):
            return path
        return posixpath.join(self.cwd, os.fsdecode(path))

    def is_own(self, key):
        """Whether a path is that of a directory in which the program may make files."""
        if key in self.nodes:
            return self.nodes[key].data is None
        return key in MEMORY_ROOTS or self.is_shown(key) and self.is_real_directory(key)

    def is_shown(self, key):
        """Whether a path belongs to the project."""
        return self.root is not None and key is not None and (key == self.root or key.startswith(self.root.rstrip("/") + "/"))

    def is_gone(self, key):
        while self.gone and self.is_shown(key):
            if key in self.gone:
                return True
            key = posixpath.dirname(key)
        return False

    def is_real(self, key):
        if self.is_gone(key):
            return False
        try:
            self.real["lstat"](key)
        except OSError:
            return False
        return True

    def is_real_directory(self, key):
        try:
            return not self.is_gone(key) and stat.S_ISDIR(self.real["stat"](key).st_mode)
        except OSError:
            return False

    def lift(self, key, empty=False):
        """Copies a project file or directory into memory before a change."""
        if key in self.nodes or not self.is_shown(key) or not self.is_real(key):
            return
        try:
            found, data = self.real["stat"](key), None
        except OSError:
            return  # a link that leads nowhere
        if not stat.S_ISDIR(found.st_mode):
            data = bytearray()
            if not empty:
                with self.real_open(key, "rb") as file:
                    data += file.read(MOST_LIFTED + 1)
                if len(data) > MOST_LIFTED:
                    raise self.failed(errno.EFBIG, key)
        self.make(key, data).mode = found.st_mode & 0o7777

    def lift_all(self, key):
        self.lift(key)
        if self.nodes[key].data is None:
            for name in self.names(key):
                self.lift_all(posixpath.join(key, name))

    def forget(self, key):
        self.nodes.pop(key, None)
        if self.is_shown(key) and self.is_real(key):
            self.gone.add(key)

    def may_make(self, key):
        parent = posixpath.dirname(key)
        return self.is_own(parent) and key not in MEMORY_ROOTS and not self.is_real(key)

    def make(self, key, data):
        self.numbers += 1
        self.nodes[key] = node = MemoryNode(data, self.numbers, self.clock.now)
        return node

    def failed(self, number, *paths):
        paths = [os.fspath(path) for path in paths]
        names = paths if len(paths) == 1 else (paths[0], None, paths[1])
        return OSError(number, os.strerror(number), *names)

    def look(self, key, *paths):
        """Raises a system call's error for a missing path: the sandbox denies the call before checking."""
        if key is not None and key not in self.nodes and key not in MEMORY_ROOTS and not self.is_real(key):
            raise self.failed(errno.ENOENT, *paths)

    def look_above(self, key, *paths):
        """The same for the parent directory of a new path."""
        above = posixpath.dirname(key)
        if above in self.nodes and self.nodes[above].data is not None:
            raise self.failed(errno.ENOTDIR, *paths)
        if not self.is_own(above):
            self.look(above, *paths)

    def described(self, raw):
        self.numbered += 1
        number = FIRST_DESCRIPTOR + self.numbered
        self.descriptors[number] = raw
        return number

    # -- files ------------------------------------------------------------------------------------

    def opened(self, file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
        def real():
            moved = opener
            if moved is None and self.cwd != self.start and not isinstance(file, int):
                moved = lambda name, flags: self.real["open"](self.there(name), flags, 0o666)
            return self.real_open(file, mode, buffering, encoding, errors, newline, closefd, moved)

        raw = None
        if opener is not None:
            file, opener = opener(file, self.flags(mode)), None
        if isinstance(file, int):
            raw = self.descriptors.get(file)
            if raw is None:
                return real()
        else:
            file = os.fspath(file)
            key = self.key(file) if isinstance(mode, str) else None
            makes = isinstance(mode, str) and not set("wax").isdisjoint(mode)
            if makes or isinstance(mode, str) and "+" in mode:
                self.lift(key, "w" in mode)
            elif self.is_gone(key):
                self.look(key, file)
            if key is None or key not in self.nodes and not (makes and self.may_make(key)):
                if key is not None:
                    self.look_above(key, file)
                return real()
        try:
            self.real_open("", mode, buffering, encoding, errors, newline)  # what it says of its arguments
        except OSError:
            pass
        if raw is None:
            node = self.nodes.get(key)
            if node is None:
                node = self.make(key, bytearray())
            elif node.data is None:
                raise self.failed(errno.EISDIR, file)
            elif "x" in mode:
                raise self.failed(errno.EEXIST, file)
            if "w" in mode:
                del node.data[:]
            raw = MemoryFileIO(self, node, file, mode, None)
        if buffering == 0:
            if "b" not in mode:
                raise ValueError("can't have unbuffered text I/O")
            return raw
        size = io.DEFAULT_BUFFER_SIZE if buffering in (-1, 1) else buffering
        kind = io.BufferedRandom if "+" in mode else io.BufferedReader if "r" in mode else io.BufferedWriter
        buffer = kind(raw, size)
        if "b" in mode:
            return buffer
        text = io.TextIOWrapper(buffer, encoding or "UTF-8", errors, newline, buffering == 1)
        text.mode = mode
        return text

    @staticmethod
    def flags(mode):
        """The flags of `os.open` for a mode."""
        more = os.O_RDWR if "+" in mode else os.O_RDONLY if "r" in mode else os.O_WRONLY
        made = {"w": os.O_CREAT | os.O_TRUNC, "x": os.O_CREAT | os.O_EXCL, "a": os.O_CREAT | os.O_APPEND}
        return more | os.O_CLOEXEC | made.get(mode.strip("bt+"), 0)

    def open(self, path, flags, mode=0o777, *, dir_fd=None):
        key = self.key(path)
        makes = flags & os.O_CREAT
        if flags & (os.O_WRONLY | os.O_RDWR):
            self.lift(key, flags & os.O_TRUNC)
        elif self.is_gone(key):
            self.look(key, path)
        if dir_fd is not None or key not in self.nodes and not (makes and self.may_make(key)):
            return self.real["open"](self.there(path), flags, mode, dir_fd=dir_fd)
        node = self.nodes.get(key)
        if node is None:
            node = self.make(key, bytearray())
        elif makes and flags & os.O_EXCL:
            raise self.failed(errno.EEXIST, path)
        elif node.data is None:
            raise self.failed(errno.EISDIR, path)
        if flags & os.O_TRUNC:
            del node.data[:]
        kind = {os.O_RDONLY: "r", os.O_WRONLY: "w", os.O_RDWR: "r+"}[flags & (os.O_RDWR | os.O_WRONLY)]
        if flags & os.O_APPEND:
            kind = "a+" if "+" in kind else "a"
        raw = MemoryFileIO(self, node, path, kind, None)
        raw.name = raw.fileno()
        return raw.name

    def close(self, fd):
        if FIRST_DESCRIPTOR < fd <= FIRST_DESCRIPTOR + self.numbered and fd not in self.descriptors:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        if fd not in self.descriptors:
            return self.real["close"](fd)
        self.descriptors.pop(fd).close()

    def read(self, fd, length, /):
        if fd not in self.descriptors:
            return self.real["read"](fd, length)
        return self.descriptors[fd].read(length)

    def write(self, fd, data, /):
        if fd not in self.descriptors:
            return self.real["write"](fd, data)
        return self.descriptors[fd].write(data)

    def fsync(self, fd):
        number = fd if isinstance(fd, int) else fd.fileno()
        if number not in self.descriptors:
            return self.real["fsync"](fd)

    def fstat(self, fd):
        return self.stat(fd)

    def truncate(self, path, length):
        self.lift(self.key(path))
        node = self.nodes.get(self.key(path))
        if node is None or node.data is None:
            self.look(self.key(path), path)
            return self.real["truncate"](path, length)
        MemoryFileIO(self, node, path, "r+", None).truncate(length)

    # -- names ------------------------------------------------------------------------------------

    def stat(self, path, *, dir_fd=None, follow_symlinks=True):
        if isinstance(path, int):
            raw = self.descriptors.get(path)
            node = None if raw is None else raw._node
        else:
            node = self.nodes.get(self.key(path))
        if node is None:
            if isinstance(path, int):
                return self.real["fstat"](path)
            if self.is_gone(self.key(path)):
                self.look(self.key(path), path)
            if self.cwd != self.start:
                self.look(self.key(path), path)
            return self.real["stat"](self.there(path), dir_fd=dir_fd, follow_symlinks=follow_symlinks)
        kind = (stat.S_IFDIR if node.data is None else stat.S_IFREG) | node.mode
        size, when = 4096 if node.data is None else len(node.data), node.changed
        whole = (kind, node.number, 1, 1 + (node.data is None), 0, 0, size) + (when // 1_000_000_000,) * 3
        times = {"st_%stime" % letter: when / 1_000_000_000 for letter in "amc"}
        return os.stat_result(whole, {**times, **{name + "_ns": when for name in times}})

    def lstat(self, path, *, dir_fd=None):
        return self.stat(path, dir_fd=dir_fd, follow_symlinks=False)

    def names(self, key):
        start = key if key == "/" else key + "/"
        within = [path[len(start) :] for path in self.nodes if path.startswith(start) and path != start]
        names = [name for name in within if "/" not in name]
        if not self.is_shown(key) or not self.is_real_directory(key):
            return names
        # The directory order differs between machines.
        there = [name for name in sorted(self.real["listdir"](key)) if not self.is_gone(start + name)]
        return there + [name for name in names if name not in there]

    def is_top(self, path, key):
        """Whether the machine's root is meant, and not the program's directory."""
        return key == "/" and os.fspath(path)[:1] in ("/", b"/")

    def listdir(self, path="."):
        key = self.key(path)
        if key is None or not self.is_own(key) or self.is_top(path, key):
            node = self.nodes.get(key)
            if node is not None:
                raise self.failed(errno.ENOTDIR, path)
            return self.real["listdir"](self.there(path))
        names = self.names(key)
        return [os.fsencode(name) for name in names] if isinstance(path, bytes) else names

    def scandir(self, path="."):
        key = self.key(path)
        if key is None or not self.is_own(key) or self.is_top(path, key):
            return self.real["scandir"](self.there(path))
        path = os.fspath(path)
        return MemoryScan([MemoryEntry(self, name, posixpath.join(path, name)) for name in self.names(key)])

    def remove(self, path, *, dir_fd=None):
        key = self.key(path)
        self.lift(key, True)
        if key not in self.nodes:
            self.look(key, path)
            return self.real["remove"](path, dir_fd=dir_fd)
        if self.nodes[key].data is None:
            raise self.failed(errno.EISDIR, path)
        self.forget(key)

    unlink = remove

    def mkdir(self, path, mode=0o777, *, dir_fd=None):
        key = self.key(path)
        if key in self.nodes or key in MEMORY_ROOTS or self.is_shown(key) and self.is_real(key):
            raise self.failed(errno.EEXIST, path)
        if key is None or not self.may_make(key):
            if key is not None:
                self.look_above(key, path)
            return self.real["mkdir"](path, mode, dir_fd=dir_fd)
        self.make(key, None)

    def rmdir(self, path, *, dir_fd=None):
        key = self.key(path)
        self.lift(key, True)
        if key not in self.nodes:
            self.look(key, path)
            return self.real["rmdir"](path, dir_fd=dir_fd)
        if self.nodes[key].data is not None:
            raise self.failed(errno.ENOTDIR, path)
        if self.names(key):
            raise self.failed(errno.ENOTEMPTY, path)
        self.forget(key)

    def rename(self, src, dst, *, src_dir_fd=None, dst_dir_fd=None):
        old, new = self.key(src), self.key(dst)
        if self.is_shown(old) and self.is_real(old) and (new in self.nodes or self.may_make(new) or self.is_shown(new)):
            self.lift_all(old)
        self.lift(new, True)
        if old not in self.nodes or new not in self.nodes and not self.may_make(new):
            self.look(old, src, dst)
            self.look_above(new, src, dst)
            return self.real["rename"](src, dst, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
        if old == new:
            return
        if new in self.nodes:
            kinds = self.nodes[old].data is None, self.nodes[new].data is None
            if kinds != (False, False):
                wrong = {(True, True): errno.ENOTEMPTY, (True, False): errno.ENOTDIR, (False, True): errno.EISDIR}
                if kinds != (True, True) or self.names(new):
                    raise self.failed(wrong[kinds], src, dst)
            self.forget(new)
        for path in [path for path in self.nodes if path == old or path.startswith(old + "/")]:
            self.nodes[new + path[len(old) :]] = self.nodes.pop(path)
        self.forget(old)

    replace = rename

    def access(self, path, mode, *, dir_fd=None, effective_ids=False, follow_symlinks=True):
        key = self.key(path)
        if key not in self.nodes and key not in MEMORY_ROOTS:
            if self.is_gone(key):
                return False
            # Written files stay in memory.
            return self.real["access"](self.there(path), mode & ~os.W_OK if self.is_shown(key) else mode)
        return not mode & os.X_OK or bool(self.stat(path).st_mode & 0o111)

    def chmod(self, path, mode, *, dir_fd=None, follow_symlinks=True):
        self.lift(self.key(path))
        if self.key(path) not in self.nodes:
            self.look(self.key(path), path)
            return self.real["chmod"](path, mode)
        self.nodes[self.key(path)].mode = mode & 0o7777

    def utime(self, path, times=None, *, ns=None, dir_fd=None, follow_symlinks=True):
        self.lift(self.key(path))
        if self.key(path) not in self.nodes:
            self.look(self.key(path), path)
            return self.real["utime"](path, times)
        given = self.clock.now if times is None else int(times[1] * 1_000_000_000)
        self.nodes[self.key(path)].changed = given if ns is None else ns[1]

    def link(self, src, dst, **_):
        raise self.failed(errno.EPERM, src, dst)

    symlink = link

    def listxattr(self, path=None, *, follow_symlinks=True):
        return [] if self.key(path or ".") in self.nodes else self.real["listxattr"](path)

    def chdir(self, path):
        key = self.key(path)
        if key in self.nodes:
            if self.nodes[key].data is not None:
                raise self.failed(errno.ENOTDIR, path)
        else:
            if self.is_gone(key):
                self.look(key, path)
            if not self.is_shown(key) or not self.is_real_directory(key):
                # The sandbox denies it before checking.
                if self.is_shown(key) and self.is_real(key):
                    raise self.failed(errno.ENOTDIR, path)
                self.look(key, path)
                self.real["chdir"](path)
                key = self.real["getcwd"]()
        self.cwd = key

    def getcwd(self):
        return self.cwd

    def install(self, source):
        for name in self.real:
            setattr(os, name, getattr(self, name))
        os.supports_fd, os.supports_dir_fd = set(), set()
        builtins.open = io.open = self.opened
        for name in ("pathlib", "pathlib._local", "pathlib._abc", "tempfile", "shutil"):
            sys.modules.pop(name, None)  # they may have kept what is replaced
        if "shutil" in source or "tempfile" in source:
            import shutil
            import tempfile

            shutil._use_fd_functions = shutil._USE_CP_SENDFILE = False
            tempfile._io, tempfile.tempdir = io, "/tmp"
        if "shelve" in source or "dbm" in source:
            import dbm.dumb

            # The others open files in C.
            dbm._defaultmod = dbm._modules["dbm.dumb"] = dbm.dumb
        if "sqlite3" in source:
            keep_databases_in_memory(self)


MemoryFiles.opened.__name__ = "open"


def keep_files_in_memory(source, project=None):
    """Makes the next program write to memory. For a process of one program."""
    MemoryFiles(fixed_clock, project).install(source)
