# Threads take turns, as in the sandbox (data/python/sandbox/threads.py). One runs until it waits
# or ends, then the longest ready continues. If none is ready, the clock jumps to the next timeout.

_count = 0
_alive = []
_thr_ready = []
# Timeouts of waits: time, number, turn, wait.
_ends = []
_number = [0]
# Event loops that wait for other threads, and how often another thread has continued.
_polls = []
_changes = [1]
# Calls before the program waits for its threads at its end.
_at_exit = []


class _Turn:
    def __init__(self, thread, stack):
        self.thread = thread
        self.stack = stack
        self.wait = 0
        self.late = False
        self.polled = 0


def _until(seconds):
    return _CLOCK[0] + (max(1, round(seconds * 1000000000)) if seconds > 0 else 0)


def _seconds():
    return _CLOCK[0] / 1e9


def _following():
    if _len(_thr_ready) != 0:
        turn = _thr_ready[0]
        del _thr_ready[0]
        _changes[0] += 1
        return turn
    for at in range(_len(_polls)):
        turn = _polls[at]
        if turn.polled != _changes[0]:
            del _polls[at]
            turn.wait += 1
            return turn
    while _len(_ends) != 0:
        first = 0
        for at in range(1, _len(_ends)):
            end, number = _ends[at][0], _ends[at][1]
            if (end, number) < (_ends[first][0], _ends[first][1]):
                first = at
        end, number, turn, wait = _ends[first]
        del _ends[first]
        if turn.wait == wait:
            turn.wait += 1
            turn.late = True
            _changes[0] += 1
            if _CLOCK[0] < end:
                _CLOCK[0] = end
            return turn
    _throw("threads that wait for one another forever")


def _wait(end=None):
    turn = _now[0]
    turn.late = False
    if end is not None:
        _number[0] += 1
        _push(_ends, (end, _number[0], turn, turn.wait))
    following = _following()
    if following is not turn:
        _now[0] = following
        _stack_switch(following.stack)
    return not turn.late


def _wake(turn):
    turn.wait += 1
    _push(_thr_ready, turn)


def _wait_in(waiting, end=None):
    turn = _now[0]
    _push(waiting, turn)
    if _wait(end):
        return True
    for at in range(_len(waiting)):
        if waiting[at] is turn:
            del waiting[at]
            break
    return False


def _wake_first(waiting, count=1):
    while count > 0 and _len(waiting) != 0:
        turn = waiting[0]
        del waiting[0]
        _wake(turn)
        count -= 1


def _sleep(seconds):
    if _len(_alive) == 0:
        _CLOCK[0] = _until(seconds)
    else:
        _wait(max(_until(seconds), _CLOCK[0] + 100000))


def _poll(loop, timer):
    # Waits until another thread has work for a loop, or until its first timer. False if alone.
    if _len(_alive) == 0:
        return False
    end = _until(timer[0] - loop.now) if timer is not None else None
    turn = _now[0]
    while True:
        turn.polled = _changes[0]
        if _len(loop.ready) != 0:
            return True
        if end is not None and end <= _CLOCK[0]:
            loop.jump(timer[0])
            return True
        _push(_polls, turn)
        _wait(end)
        for at in range(_len(_polls)):
            if _polls[at] is turn:
                del _polls[at]
                break


_push(_SLEEPERS, _sleep)
_push(_LOOP_WAITS, _poll)


class _Held:
    # Objects that `with` acquires.

    def __enter__(self):
        return self.acquire()

    def __exit__(self, kind, error, traceback):
        self.release()

    def __repr__(self):
        _throw("the text of a lock")


def _limit(blocking, timeout):
    if timeout == -1:
        return None
    if not blocking:
        raise ValueError("can't specify a timeout for a non-blocking call")
    if timeout < 0:
        raise ValueError("timeout value must be positive")
    return _until(timeout)


class _Lock(_Held):
    __module__ = "_thread"

    def __init__(self):
        self._held = False
        self._waiting = []

    def acquire(self, blocking=True, timeout=-1):
        end = _limit(blocking, timeout)
        while self._held:
            if not blocking or not _wait_in(self._waiting, end):
                return False
        self._held = True
        return True

    def release(self):
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False
        _wake_first(self._waiting)

    def locked(self):
        return self._held


_rename(_Lock, "lock")


def Lock():
    return _Lock()


class _RLock(_Held):
    __module__ = "_thread"

    def __init__(self):
        self._lock = _Lock()
        self._owner = None
        self._count = 0

    def acquire(self, blocking=True, timeout=-1):
        if self._owner is not _now[0]:
            if not self._lock.acquire(blocking, timeout):
                return False
            self._owner = _now[0]
        self._count += 1
        return True

    def release(self):
        if self._owner is not _now[0]:
            raise RuntimeError("cannot release un-acquired lock")
        self._count -= 1
        if self._count == 0:
            self._owner = None
            self._lock.release()

    def _is_owned(self):
        return self._owner is _now[0]

    def _release_save(self):
        count = self._count
        self._count = 0
        self._owner = None
        self._lock.release()
        return count

    def _acquire_restore(self, count):
        self._lock.acquire()
        self._owner = _now[0]
        self._count = count


_rename(_RLock, "RLock")


def RLock():
    return _RLock()


# Internal names of CPython's threads. A class of the program that defines one breaks them.
_THR_OWN = ("_stop", "_started", "_tstate_lock", "_delete", "_bootstrap", "_is_stopped", "_initialized", "_ident", "_stderr")


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        global _count
        if group is not None:
            raise AssertionError("group argument must be None for now")
        if name is None:
            _count += 1
            name = "Thread-" + _str(_count)
            if target is not None and hasattr(target, "__name__"):
                name += " (" + target.__name__ + ")"
        self._target = target
        self._name = _str(name)
        self._args = args
        self._kwargs = {} if kwargs is None else kwargs
        self._daemonic = current_thread().daemon if daemon is None else daemon
        self._thr_began = False
        self._thr_ended = False

    @property
    def name(self):
        self._made()
        return self._name

    @name.setter
    def name(self, name):
        self._made()
        self._name = _str(name)

    def _made(self):
        if not hasattr(self, "_thr_began"):
            raise AssertionError("Thread.__init__() not called")
        for name in _THR_OWN:
            if hasattr(self, name):
                _throw("a thread with a " + name + " of its own")

    def getName(self):
        return self._name

    def setName(self, name):
        self._name = _str(name)

    @property
    def daemon(self):
        return self._daemonic

    @daemon.setter
    def daemon(self, daemonic):
        if not hasattr(self, "_thr_began"):
            raise RuntimeError("Thread.__init__() not called")
        if self._thr_began:
            raise RuntimeError("cannot set daemon status of active thread")
        self._daemonic = daemonic

    def isDaemon(self):
        return self._daemonic

    def setDaemon(self, daemonic):
        self.daemon = daemonic

    @property
    def ident(self):
        if not self._thr_began:
            return None
        _throw("the number of a thread")

    @property
    def native_id(self):
        return self.ident

    def __repr__(self):
        if not self._thr_began:
            return "<" + type(self).__name__ + "(" + self._name + ", initial" + " daemon" * self._daemonic + ")>"
        _throw("the text of a thread")

    def start(self):
        try:
            began = self._thr_began
        except AttributeError:
            raise RuntimeError("thread.__init__() not called") from None
        self._made()
        if began:
            raise RuntimeError("threads can only be started once")
        self._thr_began = True
        self._thr_starter = _now[0]
        turn = _Turn(self, None)
        turn.stack = _stack_new(_run, turn)
        _push(_alive, self)
        _push(_thr_ready, turn)
        _wait()

    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def join(self, timeout=None):
        self._made()
        if not self._thr_began:
            raise RuntimeError("cannot join thread before it is started")
        if self is current_thread():
            raise RuntimeError("cannot join current thread")
        if not self._thr_ended:
            if self._thr_sentinel.acquire(True, -1 if timeout is None else max(timeout, 0)):
                self._thr_sentinel.release()

    def is_alive(self):
        return self._thr_began and not self._thr_ended


def _run(turn):
    thread = turn.thread
    thread._thr_sentinel = _Lock()
    thread._thr_sentinel.acquire()
    _wake(thread._thr_starter)
    try:
        thread.run()
    except BaseException:
        pass  # it is written to the standard error
    for at in range(_len(_alive)):
        if _alive[at] is thread:
            del _alive[at]
            break
    thread._thr_ended = True
    thread._thr_sentinel.release()
    following = _following()
    _now[0] = following
    _stack_leave(following.stack)


class _Main(Thread):
    def __init__(self):
        self._name = "MainThread"
        self._daemonic = False
        self._thr_began = True
        self._thr_ended = False
        self._thr_sentinel = _Lock()
        self._thr_sentinel.acquire()


_rename(_Main, "_MainThread")
_main = _Main()
_now = [_Turn(_main, 0)]


def _finish():
    # The main thread has ended. The program waits for the others.
    for call in _at_exit:
        call()
    left = [thread for thread in _alive if not thread.daemon]
    while _len(left) != 0:
        for thread in left:
            thread.join()
        left = [thread for thread in _alive if not thread.daemon]


def current_thread():
    return _now[0].thread


def currentThread():
    return _now[0].thread


def main_thread():
    return _main


def active_count():
    return 1 + _len(_alive)


def activeCount():
    return 1 + _len(_alive)


def enumerate():
    return [_main, *_alive]


def get_ident():
    if not _in_library():
        _throw("the number of a thread")
    # Libraries only check whether it is the same thread.
    return id(current_thread())


class Timer(Thread):
    def __init__(self, interval, function, args=None, kwargs=None):
        Thread.__init__(self)
        self.interval = interval
        self.function = function
        self.args = args if args is not None else []
        self.kwargs = kwargs if kwargs is not None else {}
        self.finished = Event()

    def cancel(self):
        self.finished.set()

    def run(self):
        self.finished.wait(self.interval)
        if not self.finished.is_set():
            self.function(*self.args, **self.kwargs)
        self.finished.set()


# Locks of cached properties: CPython 3.11 has one for each.
_locks = []


def _cached(function, instance, name):
    lock = None
    for known, its in _locks:
        if known is function:
            lock = its
    if lock is None:
        lock = _RLock()
        _push(_locks, (function, lock))
    with lock:
        names = vars(instance)
        if name in names:
            return names[name]
        value = function(instance)
        _set_own(instance, name, value)
        return value


# From `_thread`, which is the same module here. The program does not wait for such a thread.
def start_new_thread(function, args, kwargs=None):
    _throw("_thread.start_new_thread")
