# Threads. A thread runs when it is started, until it ends: so it is in the sandbox, where no thread is interrupted. A thread
# that waits for another is not walked.

_thr_count = 0
_thr_all = []


class threading__Thread:
    __module__ = "threading"

    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        global _thr_count
        if group is not None:
            raise AssertionError("group argument must be None for now")
        _thr_count += 1
        if name is None:
            name = "Thread-" + _str(_thr_count)
            if target is not None:
                name += " (" + target.__name__ + ")"
        self._target = target
        self._name = name
        self._args = args
        self._kwargs = {} if kwargs is None else kwargs
        self._daemonic = daemon is True
        self._began = False
        self._ended = False

    @property
    def name(self):
        return self._name

    @name.setter
    def name(self, name):
        self._name = _str(name)

    @property
    def daemon(self):
        return self._daemonic

    @daemon.setter
    def daemon(self, daemonic):
        self._daemonic = daemonic

    @property
    def ident(self):
        _throw("the number of a thread")

    def __repr__(self):
        _throw("the text of a thread")

    def start(self):
        if self._began:
            raise RuntimeError("threads can only be started once")
        self._began = True
        _push(_THREADS, self)
        try:
            self.run()
        except SystemExit:
            pass
        except BaseException:
            _throw("an exception in a thread")
        _pop(_THREADS)
        self._ended = True

    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def join(self, timeout=None):
        if not self._began:
            raise RuntimeError("cannot join thread before it is started")

    def is_alive(self):
        return self._began and not self._ended


_rename(threading__Thread, "Thread")


class _thr_Main(threading__Thread):
    def __init__(self):
        self._name = "MainThread"
        self._daemonic = False
        self._began = True
        self._ended = False


_rename(_thr_Main, "_MainThread")
_thr_main = _thr_Main()


def threading__current_thread():
    return _THREADS[-1] if _len(_THREADS) != 0 else _thr_main


def threading__main_thread():
    return _thr_main


def threading__active_count():
    return 1 + _len(_THREADS)


class _thr_Held:
    """What `with` acquires."""

    def __enter__(self):
        return self.acquire()

    def __exit__(self, kind, error, traceback):
        self.release()

    def __repr__(self):
        _throw("the text of a lock")


class _thr_Lock(_thr_Held):
    __module__ = "_thread"

    def __init__(self):
        self._held = False

    def acquire(self, blocking=True, timeout=-1):
        if self._held:
            if blocking:
                _throw("a thread that waits for a lock")
            return False
        self._held = True
        return True

    def release(self):
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False

    def locked(self):
        return self._held


_rename(_thr_Lock, "lock")


def threading__Lock():
    return _thr_Lock()


class _thr_RLock(_thr_Held):
    __module__ = "_thread"

    def __init__(self):
        self._held = []

    def acquire(self, blocking=True, timeout=-1):
        thread = threading__current_thread()
        if _len(self._held) != 0 and self._held[0] is not thread:
            if blocking:
                _throw("a thread that waits for a lock")
            return False
        _push(self._held, thread)
        return True

    def release(self):
        if _len(self._held) == 0 or self._held[0] is not threading__current_thread():
            raise RuntimeError("cannot release un-acquired lock")
        _pop(self._held)


_rename(_thr_RLock, "RLock")


def threading__RLock():
    return _thr_RLock()


class threading__Event:
    __module__ = "threading"

    def __init__(self):
        self._flag = False

    def is_set(self):
        return self._flag

    def set(self):
        self._flag = True

    def clear(self):
        self._flag = False

    def wait(self, timeout=None):
        if not self._flag:
            _throw("a thread that waits for an event")
        return True

    def __repr__(self):
        _throw("the text of an event")


_rename(threading__Event, "Event")


class threading__Semaphore:
    __module__ = "threading"

    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._value = value

    def acquire(self, blocking=True, timeout=None):
        if self._value == 0:
            if blocking:
                _throw("a thread that waits for a semaphore")
            return False
        self._value -= 1
        return True

    def release(self, n=1):
        if n < 1:
            raise ValueError("n must be one or more")
        self._value += n

    def __enter__(self):
        return self.acquire()

    def __exit__(self, kind, error, traceback):
        self.release()


_rename(threading__Semaphore, "Semaphore")


class threading__local:
    __module__ = "_thread"

    def __init__(self):
        _throw("values of a thread")


_rename(threading__local, "local")
