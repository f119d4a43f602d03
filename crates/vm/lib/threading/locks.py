# Synchronisation of threads: conditions, semaphores, events, barriers; and thread-local values.


class Condition:
    def __init__(self, lock=None):
        self._lock = _RLock() if lock is None else lock
        self._waiters = []

    def acquire(self, blocking=True, timeout=-1):
        return self._lock.acquire(blocking, timeout)

    def release(self):
        self._lock.release()

    def __enter__(self):
        return self._lock.__enter__()

    def __exit__(self, kind, error, traceback):
        self._lock.release()

    def __repr__(self):
        _throw("the text of a condition")

    def _is_owned(self):
        if isinstance(self._lock, _RLock):
            return self._lock._is_owned()
        return self._lock._held

    def wait(self, timeout=None):
        if not self._is_owned():
            raise RuntimeError("cannot wait on un-acquired lock")
        again = isinstance(self._lock, _RLock)
        state = self._lock._release_save() if again else self._lock.release()
        told = False
        try:
            if timeout is None:
                told = _wait_in(self._waiters)
            elif timeout > 0:
                told = _wait_in(self._waiters, _until(timeout))
        finally:
            if again:
                self._lock._acquire_restore(state)
            else:
                self._lock.acquire()
        return told

    def wait_for(self, predicate, timeout=None):
        end = None
        rest = timeout
        result = predicate()
        while not result:
            if rest is not None:
                if end is None:
                    end = _seconds() + rest
                else:
                    rest = end - _seconds()
                    if rest <= 0:
                        break
            self.wait(rest)
            result = predicate()
        return result

    def notify(self, n=1):
        if not self._is_owned():
            raise RuntimeError("cannot notify on un-acquired lock")
        _wake_first(self._waiters, n)

    def notify_all(self):
        self.notify(_len(self._waiters))

    def notifyAll(self):
        self.notify_all()


class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._cond = Condition(_Lock())
        self._value = value

    def acquire(self, blocking=True, timeout=None):
        if not blocking and timeout is not None:
            raise ValueError("can't specify timeout for non-blocking acquire")
        end = None
        with self._cond:
            while self._value == 0:
                if not blocking:
                    return False
                if timeout is not None:
                    if end is None:
                        end = _seconds() + timeout
                    else:
                        timeout = end - _seconds()
                        if timeout <= 0:
                            return False
                self._cond.wait(timeout)
            self._value -= 1
            return True

    def release(self, n=1):
        if n < 1:
            raise ValueError("n must be one or more")
        with self._cond:
            self._value += n
            self._cond.notify(n)

    def __enter__(self):
        return self.acquire()

    def __exit__(self, kind, error, traceback):
        self.release()

    def __repr__(self):
        _throw("the text of a semaphore")


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        Semaphore.__init__(self, value)
        self._initial_value = value

    def release(self, n=1):
        if n >= 1 and self._value + n > self._initial_value:
            raise ValueError("Semaphore released too many times")
        Semaphore.release(self, n)


class Event:
    def __init__(self):
        self._cond = Condition(_Lock())
        self._flag = False

    def is_set(self):
        return self._flag

    def isSet(self):
        return self._flag

    def set(self):
        with self._cond:
            self._flag = True
            self._cond.notify_all()

    def clear(self):
        self._flag = False

    def wait(self, timeout=None):
        with self._cond:
            return self._flag or self._cond.wait(timeout)

    def __repr__(self):
        _throw("the text of an event")


class BrokenBarrierError(RuntimeError):
    __module__ = "threading"


class Barrier:
    def __init__(self, parties, action=None, timeout=None):
        self._cond = Condition(_Lock())
        self._action = action
        self._timeout = timeout
        self._parties = parties
        # 0 filling, 1 draining, -1 resetting, -2 broken
        self._state = 0
        self._count = 0

    def wait(self, timeout=None):
        if timeout is None:
            timeout = self._timeout
        with self._cond:
            while self._state == -1 or self._state == 1:
                self._cond.wait()
            if self._state < 0:
                raise BrokenBarrierError
            index = self._count
            self._count += 1
            try:
                if index + 1 == self._parties:
                    try:
                        if self._action is not None:
                            self._action()
                        self._state = 1
                        self._cond.notify_all()
                    except:
                        self._break()
                        raise
                else:
                    if not self._cond.wait_for(lambda: self._state != 0, timeout):
                        self._break()
                        raise BrokenBarrierError
                    if self._state < 0:
                        raise BrokenBarrierError
                return index
            finally:
                self._count -= 1
                if self._count == 0 and (self._state == -1 or self._state == 1):
                    self._state = 0
                    self._cond.notify_all()

    def _break(self):
        self._state = -2
        self._cond.notify_all()

    def reset(self):
        with self._cond:
            if self._count > 0:
                if self._state == 0 or self._state == -2:
                    self._state = -1
            else:
                self._state = 0
            self._cond.notify_all()

    def abort(self):
        with self._cond:
            self._break()

    @property
    def parties(self):
        return self._parties

    @property
    def n_waiting(self):
        return self._count if self._state == 0 else 0

    @property
    def broken(self):
        return self._state == -2

    def __repr__(self):
        _throw("the text of a barrier")


class local:
    __module__ = "_thread"

    def __new__(cls, *args, **kwargs):
        self = object.__new__(cls)
        _set_own(self, "_made", (args, kwargs))
        _set_own(self, "_of", [(_now[0], {})])
        return self

    def _values(self):
        now = _now[0]
        for turn, values in self._of:
            if turn is now:
                return values
        values = {}
        _push(self._of, (now, values))
        if type(self).__init__ is not object.__init__:
            args, kwargs = self._made
            self.__init__(*args, **kwargs)
        return values

    @property
    def __dict__(self):
        return self._values()

    def __getattr__(self, name):
        values = self._values()
        if name not in values:
            title = "_thread._local" if type(self) is local else type(self).__name__
            raise AttributeError("'" + title + "' object has no attribute '" + name + "'")
        return values[name]

    def __setattr__(self, name, value):
        self._values()[name] = value

    def __delattr__(self, name):
        values = self._values()
        if name not in values:
            raise AttributeError(name)
        del values[name]


_rename(local, "_local")
