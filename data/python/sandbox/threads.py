"""Cooperative threads, so that a program with threads runs the same every time.

A thread runs until it waits (for a lock, an item of a queue, the end of another thread, in `time.sleep`)
or ends. Then the thread that has been ready longest goes on. Where none is ready, the clock moves to the
earliest end of a sleep or of a wait with a timeout. CPython behaves like this where no thread is
interrupted and the operating system wakes threads in the order in which they became ready. It applies to
programs for which `has_threads` is true.

Not supported: interrupting a thread that busy-waits for a variable; replacing locks that libraries
made before the program began (`logging`); running others while a thread waits in C.
"""

import _thread
from collections import deque
from heapq import heappop, heappush


LEAST_SLEEP_NS = 100_000


class Turn:
    """A thread: what it waits for, and the number of its wait."""

    __slots__ = ("gate", "wait", "late", "polled", "sentinels", "rung")

    def __init__(self):
        self.gate = _thread.allocate_lock()
        self.gate.acquire()
        self.wait, self.late, self.polled, self.sentinels = 0, False, 0, []
        self.rung = False  # woken to see to an alarm


class Turns:
    """The scheduler. Times are those of the fixed clock, in nanoseconds."""

    def __init__(self, clock):
        self.clock = clock
        self.current = self.main = Turn()
        self.ready, self.ends, self.polls = deque(), [], deque()
        self.alive, self.count, self.changes = 1, 0, 1

    def start(self, function, arguments=(), keywords=None, done=None):
        """A new thread: ready, after the other ready ones."""
        turn = Turn()

        def run():
            turn.gate.acquire()
            try:
                function(*arguments, **(keywords or {}))
            finally:
                if done is not None:
                    done()
                for sentinel in turn.sentinels:
                    if sentinel.locked():
                        sentinel.release()
                self.alive -= 1
                self.current = following = self.following()
                following.gate.release()

        ident = _thread.start_new_thread(run, ())
        self.alive += 1
        self.ready.append(turn)
        return ident

    def until(self, seconds):
        """The time after that many seconds. Libraries wait again for the remainder, so a positive wait
        always advances the clock."""
        return self.clock.now + (max(1, round(seconds * 1_000_000_000)) if seconds > 0 else 0)

    def wait_here(self, end=None):
        """Suspends the current thread until it is woken (true), or until `end` (false)."""
        turn = self.current
        while True:
            turn.late = turn.rung = False
            if end is not None:
                self.count += 1
                heappush(self.ends, (end, self.count, turn, turn.wait))
            following = self.following()
            if following is not turn:
                self.current = following
                following.gate.release()
                turn.gate.acquire()
            if not turn.rung:
                return not turn.late
            try:
                self.clock.alarm.until(self.clock.now)
            except BaseException:
                if turn in self.ready:
                    self.ready.remove(turn)  # it does not wait any more
                raise

    def expect(self, due):
        """Records that an alarm is due, which the main thread handles."""
        self.count += 1
        heappush(self.ends, (due, self.count, None, due))

    def following(self):
        """Removes and returns the thread that runs next. If there is none, the program waits forever."""
        if self.ready:
            self.changes += 1
            return self.ready.popleft()
        for turn in self.polls:
            if turn.polled != self.changes:
                self.polls.remove(turn)
                turn.wait += 1
                return turn
        while self.ends:
            end, _, turn, wait = heappop(self.ends)
            if turn is None:
                if self.clock.alarm.due == wait and not self.main.rung:
                    self.clock.now = max(self.clock.now, end)
                    self.main.wait += 1
                    self.main.rung = True
                    return self.main
            elif turn.wait == wait:
                turn.wait += 1
                turn.late = True
                self.changes += 1
                self.clock.now = max(self.clock.now, end)
                return turn
        forever = _thread.allocate_lock()
        forever.acquire()
        forever.acquire()

    def wake(self, turn):
        """Makes a waiting thread ready."""
        turn.wait += 1
        self.ready.append(turn)

    def sleep(self, seconds):
        """`time.sleep`"""
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        if self.alive == 1:
            self.clock.move_to(self.until(seconds))
        else:
            # Threads that sleep for no time in a loop advance to the end of other sleeps.
            self.wait_here(max(self.until(seconds), self.clock.now + LEAST_SLEEP_NS))

    def poll(self, select, selector, timeout):
        """An event loop waits for ready files, which other threads may write to."""
        if self.alive == 1:
            return None
        end = None if timeout is None else self.until(max(timeout, 0))
        while True:
            self.current.polled = self.changes
            events = select(selector, 0)
            if events or end is not None and end <= self.clock.now:
                return events
            turn = self.current
            self.polls.append(turn)
            try:
                self.wait_here(end)
            finally:
                if turn in self.polls:
                    self.polls.remove(turn)


class TurnLock:
    """`threading.Lock`"""

    __slots__ = ("_held", "_waiting", "__weakref__")

    def __init__(self):
        self._held, self._waiting = False, deque()

    def acquire(self, blocking=True, timeout=-1):
        end = time_limit(blocking, timeout)
        while self._held:
            if not blocking:
                return False
            turn, woken = turns.current, False
            self._waiting.append(turn)
            try:
                woken = turns.wait_here(end)
            finally:
                if not woken and turn in self._waiting:
                    self._waiting.remove(turn)
            if not woken:
                return False
        self._held = True
        return True

    def release(self):
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False
        if self._waiting:
            turns.wake(self._waiting.popleft())

    def locked(self):
        return self._held

    def _at_fork_reinit(self):
        self.__init__()

    def __exit__(self, kind, error, traceback):
        self.release()

    def __repr__(self):
        state = "locked" if self._held else "unlocked"
        return "<%s _thread.lock object at %#x>" % (state, id(self))

    __enter__ = acquire_lock = acquire
    release_lock = release
    locked_lock = locked


class TurnRLock:
    """`threading.RLock`"""

    __slots__ = ("_lock", "_owner", "_count", "__weakref__")

    def __init__(self):
        self._lock, self._owner, self._count = TurnLock(), 0, 0

    def acquire(self, blocking=True, timeout=-1):
        if self._owner != _thread.get_ident():
            if not self._lock.acquire(blocking, timeout):
                return False
            self._owner = _thread.get_ident()
        self._count += 1
        return True

    def release(self):
        if self._owner != _thread.get_ident():
            raise RuntimeError("cannot release un-acquired lock")
        self._count -= 1
        if not self._count:
            self._owner = 0
            self._lock.release()

    def _is_owned(self):
        return self._owner == _thread.get_ident()

    def _release_save(self):
        if not self._count:
            raise RuntimeError("cannot release un-acquired lock")
        state = self._count, self._owner
        self._count = self._owner = 0
        self._lock.release()
        return state

    def _acquire_restore(self, state):
        self._lock.acquire()
        self._count, self._owner = state

    def _recursion_count(self):
        return self._count if self._is_owned() else 0

    def _at_fork_reinit(self):
        self.__init__()

    def __exit__(self, kind, error, traceback):
        self.release()

    def __repr__(self):
        told = "locked" if self._count else "unlocked", self._owner, self._count, id(self)
        return "<%s _thread.RLock object owner=%d count=%d at %#x>" % told

    __enter__ = acquire


class TurnHandle:
    """The thread handle of CPython 3.13."""

    def __init__(self, ident=None):
        self._ended = TurnLock()
        self._ended.acquire()
        self.ident = ident

    def is_done(self):
        return not self._ended.locked()

    def _set_done(self):
        if self._ended.locked():
            self._ended.release()

    def join(self, timeout=None):
        if self._ended.acquire(True, -1 if timeout is None else max(timeout, 0)):
            self._ended.release()


def time_limit(blocking, timeout):
    """The end of a wait; None for no limit."""
    if timeout == -1:
        return None
    if not blocking:
        raise ValueError("can't specify a timeout for a non-blocking call")
    if timeout < 0:
        newer = sys.version_info >= (3, 13)
        raise ValueError("timeout value must be " + ("a non-negative number" if newer else "positive"))
    if timeout > _thread.TIMEOUT_MAX:
        raise OverflowError("timeout value is too large")
    return turns.until(timeout)


def start_with_handle(function, handle=None, daemon=True):
    """`_thread.start_joinable_thread`"""
    handle = TurnHandle() if handle is None else handle
    handle.ident = turns.start(function, done=handle._set_done)
    return handle


def thread_sentinel():
    """`_thread._set_sentinel`: a lock that is released when the thread ends."""
    sentinel = TurnLock()
    turns.current.sentinels.append(sentinel)
    return sentinel


for _class, _name in (TurnLock, "lock"), (TurnRLock, "RLock"), (TurnHandle, "_ThreadHandle"):
    _class.__name__ = _class.__qualname__ = _name
    _class.__module__ = "_thread"
turns = None


def take_turns(threading, clock):
    """Makes the threads of the next program take turns. For a process of one program."""
    import functools
    import queue

    global turns
    turns = Turns(clock)
    is_class = isinstance(threading.Lock, type)
    seconds = lambda: (clock.now - FIXED_START_NS) / 1e9
    for name, value in (
        ("_allocate_lock", TurnLock), ("Lock", TurnLock if is_class else allocate_lock),
        ("_CRLock", TurnRLock), ("_start_new_thread", turns.start), ("_time", seconds),
        ("_set_sentinel", thread_sentinel), ("_start_joinable_thread", start_with_handle),
        ("_ThreadHandle", TurnHandle), ("_LockType", TurnLock),
    ):  # fmt: skip
        if hasattr(threading, name):
            setattr(threading, name, value)
    queue.time = seconds
    functools.RLock = TurnRLock  # of `cached_property`
    if hasattr(queue, "_PySimpleQueue"):
        queue.SimpleQueue = queue._PySimpleQueue
        queue.SimpleQueue.__name__ = queue.SimpleQueue.__qualname__ = "SimpleQueue"
    time.sleep = turns.sleep
    clock.turns = turns


def allocate_lock():
    return TurnLock()


allocate_lock.__module__ = "_thread"
