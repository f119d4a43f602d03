# Locks, queues, groups and time limits of `asyncio`.
# Level: methods

import heapq
import builtins


class Lock:
    __module__ = "asyncio.locks"

    def __init__(self):
        self._locked = False
        self._waiters = []

    def locked(self):
        return self._locked

    async def acquire(self):
        if not self._locked and _len([w for w in self._waiters if not w.cancelled()]) == 0:
            self._locked = True
            return True
        waiter = Future()
        _push(self._waiters, waiter)
        try:
            await waiter
        finally:
            self._waiters = [w for w in self._waiters if w is not waiter]
        self._locked = True
        return True

    def release(self):
        if not self._locked:
            raise RuntimeError("Lock is not acquired.")
        self._locked = False
        for waiter in self._waiters[:1]:
            _set(waiter, True)

    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, kind, error, traceback):
        self.release()


class Condition:
    __module__ = "asyncio.locks"

    def __init__(self, lock=None):
        self._lock = Lock() if lock is None else lock
        self._waiters = []

    def locked(self):
        return self._lock.locked()

    async def acquire(self):
        return await self._lock.acquire()

    def release(self):
        self._lock.release()

    async def __aenter__(self):
        await self._lock.acquire()

    async def __aexit__(self, kind, error, traceback):
        self._lock.release()

    async def wait(self):
        if not self._lock.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        self._lock.release()
        cancelled = None
        try:
            waiter = Future()
            _push(self._waiters, waiter)
            try:
                await waiter
                return True
            finally:
                self._waiters = [w for w in self._waiters if w is not waiter]
        finally:
            while True:
                try:
                    await self._lock.acquire()
                    break
                except CancelledError as e:
                    cancelled = e
            if cancelled is not None:
                raise cancelled

    async def wait_for(self, predicate):
        result = predicate()
        while not result:
            await self.wait()
            result = predicate()
        return result

    def notify(self, n=1):
        if not self._lock.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        count = 0
        for waiter in self._waiters:
            if count >= n:
                break
            if not waiter.done():
                count += 1
                waiter.set_result(False)

    def notify_all(self):
        self.notify(_len(self._waiters))


class Event:
    __module__ = "asyncio.locks"

    def __init__(self):
        self._waiters = []
        self._value = False

    def is_set(self):
        return self._value

    def set(self):
        if not self._value:
            self._value = True
            for waiter in self._waiters:
                _set(waiter, True)

    def clear(self):
        self._value = False

    async def wait(self):
        if self._value:
            return True
        waiter = Future()
        _push(self._waiters, waiter)
        try:
            await waiter
            return True
        finally:
            self._waiters = [w for w in self._waiters if w is not waiter]


class Semaphore:
    __module__ = "asyncio.locks"

    def __init__(self, value=1):
        if value < 0:
            raise ValueError("Semaphore initial value must be >= 0")
        self._value = value
        self._waiters = []

    def locked(self):
        return self._value == 0 or _len([w for w in self._waiters if not w.cancelled()]) != 0

    async def acquire(self):
        if not self.locked():
            self._value -= 1
            return True
        waiter = Future()
        _push(self._waiters, waiter)
        try:
            await waiter
        finally:
            self._waiters = [w for w in self._waiters if w is not waiter]
        if self._value > 0:
            self._wake_up_next()
        return True

    def release(self):
        self._value += 1
        self._wake_up_next()

    def _wake_up_next(self):
        for waiter in self._waiters:
            if not waiter.done():
                self._value -= 1
                waiter.set_result(True)
                return

    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, kind, error, traceback):
        self.release()


class BoundedSemaphore(Semaphore):
    __module__ = "asyncio.locks"

    def __init__(self, value=1):
        self._bound = value
        Semaphore.__init__(self, value)

    def release(self):
        if self._value >= self._bound:
            raise ValueError("BoundedSemaphore released too many times")
        Semaphore.release(self)


class Queue:
    __module__ = "asyncio.queues"

    def __init__(self, maxsize=0):
        self._maxsize = maxsize
        self._getters = []
        self._putters = []
        self._unfinished = 0
        self._finished = Event()
        self._finished.set()
        self._queue = []

    @property
    def maxsize(self):
        return self._maxsize

    def _take(self):
        item = self._queue[0]
        self._queue = self._queue[1:]
        return item

    def _keep(self, item):
        _push(self._queue, item)

    def qsize(self):
        return _len(self._queue)

    def empty(self):
        return _len(self._queue) == 0

    def full(self):
        return self._maxsize > 0 and _len(self._queue) >= self._maxsize

    def _wakeup(self, waiters):
        while _len(waiters) != 0:
            waiter = waiters[0]
            del waiters[0]
            if not waiter.done():
                waiter.set_result(None)
                break

    async def put(self, item):
        while self.full():
            putter = Future()
            _push(self._putters, putter)
            await putter
        return self.put_nowait(item)

    def put_nowait(self, item):
        if self.full():
            raise QueueFull
        self._keep(item)
        self._unfinished += 1
        self._finished.clear()
        self._wakeup(self._getters)

    async def get(self):
        while self.empty():
            getter = Future()
            _push(self._getters, getter)
            await getter
        return self.get_nowait()

    def get_nowait(self):
        if self.empty():
            raise QueueEmpty
        item = self._take()
        self._wakeup(self._putters)
        return item

    def task_done(self):
        if self._unfinished <= 0:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        if self._unfinished == 0:
            self._finished.set()

    async def join(self):
        if self._unfinished > 0:
            await self._finished.wait()


class LifoQueue(Queue):
    __module__ = "asyncio.queues"

    def _take(self):
        return _pop(self._queue)


class PriorityQueue(Queue):
    __module__ = "asyncio.queues"

    def _keep(self, item):
        heapq.heappush(self._queue, item)

    def _take(self):
        return heapq.heappop(self._queue)


class timeout:
    __module__ = "asyncio.timeouts"

    def __init__(self, delay):
        self._delay = delay
        self._expired = False

    async def __aenter__(self):
        loop = _loop()
        self._task = loop.current
        self._timer = None
        if self._delay is not None:
            self._timer = loop.at(loop.now + self._delay, self._expire)
        return self

    def _expire(self):
        self._expired = True
        self._task.cancel()

    def expired(self):
        return self._expired

    def when(self):
        return None if self._timer is None else self._timer[0]

    def reschedule(self, when):
        if self._timer is not None:
            self._timer[4] = False
        self._timer = None if when is None else _loop().at(when, self._expire)

    async def __aexit__(self, kind, error, traceback):
        if self._timer is not None:
            self._timer[4] = False
        if self._expired and kind is CancelledError:
            raise builtins.TimeoutError from error
        return None


class TaskGroup:
    __module__ = "asyncio.taskgroups"

    def __init__(self):
        self._tasks = []
        self._errors = []
        self._parent = None
        self._waiter = None
        self._exiting = False
        self._aborting = False
        self._cancels_parent = False

    async def __aenter__(self):
        self._parent = _loop().current
        return self

    def create_task(self, coro, *, name=None, context=None):
        if self._exiting and _len(self._tasks) == 0 or self._aborting:
            _throw("a task for a group that is shutting down")
        task = Task(coro, name)
        _push(self._tasks, task)
        task.add_done_callback(self._done)
        return task

    def _abort(self):
        self._aborting = True
        for task in self._tasks:
            if not task.done():
                task.cancel()

    def _done(self, task):
        self._tasks = [other for other in self._tasks if other is not task]
        if self._waiter is not None and _len(self._tasks) == 0 and not self._waiter.done():
            self._waiter.set_result(True)
        if task.cancelled() or task._error is None:
            return
        _push(self._errors, task._error)
        if not self._parent.done() and not self._aborting:
            self._abort()
            self._cancels_parent = True
            self._parent.cancel()

    async def __aexit__(self, kind, error, traceback):
        self._exiting = True
        cancelled = error if kind is CancelledError else None
        if self._cancels_parent:
            cancelled = None
        if kind is not None and not self._aborting:
            self._abort()
        while _len(self._tasks) != 0:
            if self._waiter is None:
                self._waiter = Future()
            try:
                await self._waiter
            except CancelledError as e:
                if not self._aborting:
                    cancelled = e
                    self._abort()
            self._waiter = None
        if cancelled is not None and _len(self._errors) == 0:
            _carry(cancelled)
        if kind is not None and kind is not CancelledError:
            _push(self._errors, error)
        if _len(self._errors) != 0:
            raise BaseExceptionGroup("unhandled errors in a TaskGroup", self._errors) from None
_rename(timeout, "Timeout")
