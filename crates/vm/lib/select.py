# Waiting for files. They may be registered, but nothing waits.
# Level: methods

error = OSError


def select(rlist, wlist, xlist, timeout=None, /):
    _throw("select.select")


def _file_number(file):
    if isinstance(file, int):
        number = file
    else:
        number = getattr(file, "fileno", None)
        if number is None:
            raise TypeError("argument must be an int, or have a fileno() method.")
        number = number()
    if number < 0:
        raise ValueError("file descriptor cannot be a negative integer (" + _str(number) + ")")
    return number


class poll:
    __module__ = "select"

    def __init__(self):
        _set_own(self, "_files", {})

    def register(self, fd, eventmask=7, /):
        self._files[_file_number(fd)] = eventmask

    def modify(self, fd, eventmask, /):
        number = _file_number(fd)
        if number not in self._files:
            raise FileNotFoundError(2, "No such file or directory")
        self._files[number] = eventmask

    def unregister(self, fd, /):
        del self._files[_file_number(fd)]

    def poll(self, timeout=None, /):
        _throw("select.poll")


class epoll:
    __module__ = "select"

    def __init__(self, sizehint=-1, flags=0):
        if sizehint != -1 and sizehint <= 0:
            raise ValueError("negative sizehint")
        _set_own(self, "_open", True)

    @property
    def closed(self):
        return not self._open

    def close(self):
        _set_own(self, "_open", False)

    def fileno(self):
        _throw("the number of a file")

    def register(self, fd, eventmask=7):
        # It depends on the kind of the file.
        _throw("select.epoll.register")

    def modify(self, fd, eventmask):
        _throw("select.epoll.modify")

    def unregister(self, fd):
        _throw("select.epoll.unregister")

    def poll(self, timeout=None, maxevents=-1):
        _throw("select.epoll.poll")

    def __enter__(self):
        if not self._open:
            raise ValueError("I/O operation on closed epoll object")
        return self

    def __exit__(self, exc_type=None, exc_value=None, exc_tb=None, /):
        self.close()
