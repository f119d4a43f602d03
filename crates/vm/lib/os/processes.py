# Processes. The sandbox starts none.


def system(command):
    if not isinstance(command, (str, bytes)):
        _throw("os.system of that")
    # The status of a shell that could not be started.
    return _unknown("os.system", 32512)


def strerror(code, /):
    if not isinstance(code, int):
        raise TypeError("'" + _classof(code).__name__ + "' object cannot be interpreted as an integer")
    return _strerror(code)


def getpid():
    return _unknown("os.getpid()", 2)


def getppid():
    return _unknown("os.getppid()", 1)


def cpu_count():
    return _unknown("os.cpu_count()", 1)


def sched_getaffinity(pid, /):
    return _unknown("os.sched_getaffinity()", {0})


def getloadavg():
    return _unknown("os.getloadavg()", (0.0, 0.0, 0.0))


def getlogin():
    # There is no terminal.
    if not _sandboxed():
        return _unknown("os.getlogin()")
    raise PermissionError(13, "Permission denied")


def isatty(fd, /):
    if isinstance(fd, int) and 0 <= fd <= 2:
        return _unknown("os.isatty()", False)
    _throw("os.isatty of that")
