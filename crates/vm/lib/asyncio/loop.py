# The event loop of `asyncio`. Its clock jumps to the next timer. Callbacks run in CPython's order.
# Level: methods

import builtins
import concurrent.futures
import inspect


class _Loop:
    def __init__(self):
        _push(_CLOCK_READERS, True)
        self._now = 0.0
        self._clock = _CLOCK[0]
        self.ready = []
        # Timers by their time. The ones before `first` are done.
        self.timers = []
        self.first = 0
        self.count = 0
        self.current = None
        self.tasks = []
        self.main_ended = False
        # An asynchronous generator is closed after the main task. What it raised is raised again.
        self.closes_late = False
        self._executor = None

    @property
    def now(self):
        # Programs that sleep without `await` advance the clock, too.
        if self._clock != _CLOCK[0]:
            self._now += (_CLOCK[0] - self._clock) / 1e9
            self._clock = _CLOCK[0]
        # Timers created in one round expire in one round, in the order of their creation.
        self._now += 0.000001
        return self._now

    def jump(self, when):
        _CLOCK[0] += int((when - self.now) * 1000000000)
        self._clock = _CLOCK[0]
        # A wait for a time ends slightly later.
        self._now = when + 0.0005

    def call_soon(self, function, *args):
        _push(self.ready, (function, args))

    def call_soon_threadsafe(self, function, *args):
        _push(self.ready, (function, args))

    def run_in_executor(self, executor, function, *args):
        if executor is None:
            if self._executor is None:
                self._executor = concurrent.futures.ThreadPoolExecutor(thread_name_prefix="asyncio")
            executor = self._executor
        future = Future()

        def settle(done):
            if future.done():
                return
            if done._error is not None:
                future.set_exception(done._error)
            else:
                future.set_result(done._result)

        executor.submit(function, *args).add_done_callback(lambda done: self.call_soon_threadsafe(settle, done))
        return future

    def call_at(self, when, function, *args, context=None):
        return _TimerHandle(self.at(when, function, *args))

    def call_later(self, delay, function, *args, context=None):
        return self.call_at(self.now + delay, function, *args)

    def at(self, when, function, *args):
        self.count += 1
        timer = [when, self.count, function, args, True]
        i = _len(self.timers)
        while i > self.first and self.timers[i - 1][0] > when:
            i -= 1
        _put(self.timers, i, timer)
        return timer

    def next_timer(self):
        return self.timers[self.first] if self.first < _len(self.timers) else None

    def drop_timer(self):
        self.first += 1
        if self.first > 64 and 2 * self.first > _len(self.timers):
            self.timers = self.timers[self.first :]
            self.first = 0

    def time(self):
        return self.now

    def once(self):
        if _len(self.ready) == 0:
            timer = self.next_timer()
            while timer is not None and not timer[4]:
                self.drop_timer()
                timer = self.next_timer()
            if _len(_LOOP_WAITS) != 0 and _LOOP_WAITS[0](self, timer):
                pass
            elif timer is None:
                _throw("a coroutine that waits for ever")
            else:
                self.jump(timer[0])
        timer = self.next_timer()
        while timer is not None and timer[0] <= self.now:
            self.drop_timer()
            if timer[4]:
                _push(self.ready, (timer[2], timer[3]))
            timer = self.next_timer()
        todo = self.ready
        self.ready = []
        for function, args in todo:
            function(*args)

    def run_until_complete(self, future):
        future = ensure_future(future)
        while not future.done():
            self.once()
        # The loop stops in a callback of the future, one round later.
        self.once_more()
        return future.result()

    def once_more(self):
        if _len(self.ready) != 0:
            self.once()

    def create_task(self, coro, *, name=None):
        return Task(coro, name)

    def create_future(self):
        return Future()

    def is_running(self):
        return True

    def close(self):
        pass


_rename(_Loop, "_UnixSelectorEventLoop")


class _TimerHandle:
    __module__ = "asyncio.events"

    def __init__(self, timer):
        self._timer = timer
        self._gone = False

    def cancel(self):
        self._gone = True
        self._timer[4] = False

    def cancelled(self):
        return self._gone

    def when(self):
        return self._timer[0]

    def __repr__(self):
        _throw("the text of a timer")


_rename(_TimerHandle, "TimerHandle")
_loops = []


def _loop():
    if _len(_loops) == 0:
        raise RuntimeError("no running event loop")
    return _loops[-1]


class CancelledError(BaseException):
    __module__ = "asyncio.exceptions"


class InvalidStateError(Exception):
    __module__ = "asyncio.exceptions"


class QueueEmpty(Exception):
    __module__ = "asyncio.queues"


class QueueFull(Exception):
    __module__ = "asyncio.queues"

TimeoutError = builtins.TimeoutError
FIRST_COMPLETED = "FIRST_COMPLETED"
FIRST_EXCEPTION = "FIRST_EXCEPTION"
ALL_COMPLETED = "ALL_COMPLETED"


class Future:
    __module__ = "_asyncio"

    def __init__(self):
        self._loop = _loop()
        self._state = "pending"
        self._result = None
        self._error = None
        self._callbacks = []
        self._why = None
        self._cancelling = None

    def _cancelled(self):
        # The exception that left the task is raised once more.
        error = self._cancelling
        if error is not None:
            self._cancelling = None
            return error
        return CancelledError() if self._why is None else CancelledError(self._why)

    def done(self):
        return self._state != "pending"

    def cancelled(self):
        return self._state == "cancelled"

    def result(self):
        if self._state == "cancelled":
            raise self._cancelled()
        if self._state == "pending":
            raise InvalidStateError("Result is not set.")
        if self._error is not None:
            _carry(self._error)
        return self._result

    def exception(self):
        if self._state == "cancelled":
            raise self._cancelled()
        if self._state == "pending":
            raise InvalidStateError("Exception is not set.")
        return self._error

    def add_done_callback(self, function, *, context=None):
        if self._state == "pending":
            _push(self._callbacks, function)
        else:
            self._loop.call_soon(function, self)

    def remove_done_callback(self, function):
        before = _len(self._callbacks)
        self._callbacks = [known for known in self._callbacks if known != function]
        return before - _len(self._callbacks)

    def _finish(self, state):
        self._state = state
        callbacks = self._callbacks
        self._callbacks = []
        for function in callbacks:
            self._loop.call_soon(function, self)

    def set_result(self, result):
        if self._state != "pending":
            raise InvalidStateError("invalid state")
        self._result = result
        self._finish("finished")

    def set_exception(self, error):
        if self._state != "pending":
            raise InvalidStateError("invalid state")
        self._error = error() if isinstance(error, type) else error
        self._finish("finished")

    def cancel(self, msg=None):
        if self._state != "pending":
            return False
        self._why = msg
        self._finish("cancelled")
        return True

    def get_loop(self):
        return self._loop

    def __await__(self):
        if self._state == "pending":
            yield self
        return self.result()

    __iter__ = __await__


class Task(Future):
    __module__ = "_asyncio"

    def __init__(self, coro, name=None):
        Future.__init__(self)
        self._coro = coro
        self._waits = None
        self._must_cancel = False
        self._loop.count += 1
        if name is None:
            _names[0] += 1
            name = "Task-" + _str(_names[0])
        self._name = _str(name)
        _push(self._loop.tasks, self)
        self._loop.call_soon(self._step, None)

    def get_name(self):
        return self._name

    def set_name(self, name):
        self._name = _str(name)

    def get_coro(self):
        return self._coro

    def cancel(self, msg=None):
        if self._state != "pending":
            return False
        if self._waits is not None and self._waits.cancel(msg):
            return True
        self._must_cancel = True
        self._why = msg
        return True

    def _step(self, error):
        if self._must_cancel:
            error = self._cancelled()
            self._must_cancel = False
        self._waits = None
        before = self._loop.current
        self._loop.current = self
        try:
            if error is None:
                waits = self._coro.send(None)
            else:
                waits = self._coro.throw(error)
        except StopIteration as e:
            if self._must_cancel:
                self._must_cancel = False
                Future.cancel(self, self._why)
            else:
                self.set_result(e.value)
        except CancelledError as e:
            self._cancelling = e
            Future.cancel(self)
        except Exception as e:
            self.set_exception(e)
        else:
            if waits is None:
                self._loop.call_soon(self._step, None)
            else:
                self._waits = waits
                waits.add_done_callback(self._wake)
                if self._must_cancel and waits.cancel(self._why):
                    self._must_cancel = False
        self._loop.current = before

    def _wake(self, future):
        self._step(future._error if future._state == "finished" else future._cancelled())

_names = [0]


def _is_coroutine(value):
    return _type_name(value) == "coroutine"


iscoroutine = _is_coroutine


def isfuture(value):
    return isinstance(value, Future)


def run(main, *, debug=None):
    if _len(_loops) != 0:
        raise RuntimeError("asyncio.run() cannot be called from a running event loop")
    if not _is_coroutine(main):
        raise ValueError("a coroutine was expected, got " + _repr(main))
    return _run(_Loop(), main)


def _run(loop, main):
    _push(_loops, loop)
    try:
        task = Task(main)
        while not task.done():
            loop.once()
        loop.main_ended = True
        loop.once_more()
        others = [other for other in loop.tasks if not other.done()]
        for other in others:
            other.cancel()
        while _len([other for other in others if not other.done()]) != 0:
            loop.once()
        closing = [Task(_Closing(agen)) for agen in _open_agens()]
        while _len([other for other in closing if not other.done()]) != 0:
            loop.once()
        if loop.closes_late and task._error is not None:
            raise task._error
        return task.result()
    finally:
        if loop._executor is not None:
            loop._executor.shutdown()
        _pop(_loops)


class _Closing:
    """`agen.aclose()`"""

    def __init__(self, agen):
        self._agen = agen
        self._goes_on = None

    def send(self, value):
        return self.throw(GeneratorExit()) if self._goes_on is None else self._step(value, None)

    def throw(self, error):
        if self._goes_on is None:
            loop = _loops[-1]
            loop.closes_late = loop.closes_late or loop.main_ended
            self._goes_on = _anext(self._agen, error)
            return self._step(None, None)
        return self._step(None, error)

    def _step(self, value, error):
        try:
            return self._goes_on.send(value) if error is None else self._goes_on.throw(error)
        except (StopAsyncIteration, GeneratorExit):
            pass
        raise StopIteration(None)


def _dropped(agen):
    if _len(_loops) != 0:
        _loops[-1].call_soon(Task, _Closing(agen))


def new_event_loop():
    _throw("an event loop of the program's own")


def get_event_loop():
    if _len(_loops) == 0:
        _throw("an event loop of the program's own")
    return _loops[-1]


def get_running_loop():
    return _loop()


def current_task(loop=None):
    return _loop().current


def all_tasks(loop=None):
    return {task for task in _loop().tasks if not task.done()}


def create_task(coro, *, name=None, context=None):
    return Task(coro, name)


def ensure_future(value):
    if isinstance(value, Future):
        return value
    if _len(_loops) == 0:
        # CPython creates a loop, which runs later.
        _throw("asyncio.ensure_future without a running loop")
    if _is_coroutine(value):
        return Task(value)
    if hasattr(value, "__await__"):
        return Task(_awaited(value))
    raise TypeError("An asyncio.Future, a coroutine or an awaitable is required")


async def _awaited(value):
    return await value


async def sleep(delay, result=None):
    if delay <= 0:
        await _Bare()
        return result
    loop = _loop()
    future = Future()
    timer = loop.at(loop.now + delay, _set, future, result)
    try:
        return await future
    finally:
        timer[4] = False


class _Bare:
    def __await__(self):
        yield


def _set(future, result):
    if not future.done():
        future.set_result(result)


class _Gathered(Future):
    def cancel(self, msg=None):
        if self.done():
            return False
        some = False
        for child in self._children:
            if child.cancel(msg):
                some = True
        if some:
            self._wanted = True
        return some


_rename(_Gathered, "_GatheringFuture")


def gather(*aws, return_exceptions=False):
    outer = _Gathered()
    outer._wanted = False
    children = [ensure_future(aw) for aw in aws]
    outer._children = children
    state = [0]

    def done(child):
        state[0] += 1
        if outer.done():
            return
        if not return_exceptions:
            if child.cancelled():
                outer.set_exception(CancelledError())
                return
            if child._error is not None:
                outer.set_exception(child._error)
                return
        if state[0] == _len(children):
            results = []
            for one in children:
                if one.cancelled():
                    _push(results, CancelledError())
                elif one._error is not None:
                    _push(results, one._error)
                else:
                    _push(results, one._result)
            if outer._wanted:
                outer.set_exception(CancelledError())
            else:
                outer.set_result(results)

    if _len(children) == 0:
        outer.set_result([])
    for child in children:
        child.add_done_callback(done)
    return outer


async def wait_for(fut, timeout):
    if timeout is None:
        return await fut
    loop = _loop()
    fut = ensure_future(fut)
    if timeout <= 0 and not fut.done():
        fut.cancel()
        raise builtins.TimeoutError()
    waiter = Future()
    timer = loop.at(loop.now + timeout, _set, waiter, None)

    def release(future):
        _set(waiter, None)

    fut.add_done_callback(release)
    await waiter
    timer[4] = False
    if fut.done():
        return fut.result()
    fut.remove_done_callback(release)
    waiter = Future()
    fut.add_done_callback(release)
    fut.cancel()
    await waiter
    try:
        return fut.result()
    except CancelledError as error:
        raise builtins.TimeoutError() from error


def shield(arg):
    inner = ensure_future(arg)
    if inner.done():
        return inner
    outer = Future()

    def inner_done(inner):
        if outer.cancelled():
            return
        if inner.cancelled():
            outer.cancel()
        elif inner._error is not None:
            outer.set_exception(inner._error)
        else:
            outer.set_result(inner._result)

    def outer_done(outer):
        if not inner.done():
            inner.remove_done_callback(inner_done)

    inner.add_done_callback(inner_done)
    outer.add_done_callback(outer_done)
    return outer


async def wait(fs, *, timeout=None, return_when="ALL_COMPLETED"):
    loop = _loop()
    fs = [f for f in fs]
    waiter = Future()
    timer = None
    if timeout is not None:
        timer = loop.at(loop.now + timeout, _set, waiter, None)
    left = [_len([f for f in fs if not f.done()])]

    def done(future):
        left[0] -= 1
        failed = return_when == "FIRST_EXCEPTION" and not future.cancelled() and future._error is not None
        if left[0] <= 0 or return_when == "FIRST_COMPLETED" or failed:
            if timer is not None:
                timer[4] = False
            if not waiter.done():
                waiter.set_result(None)

    for f in fs:
        if not f.done():
            f.add_done_callback(done)
    if left[0] > 0 and not (return_when == "FIRST_COMPLETED" and left[0] < _len(fs)):
        await waiter
    for f in fs:
        f.remove_done_callback(done)
    return {f for f in fs if f.done()}, {f for f in fs if not f.done()}


def as_completed(fs, *, timeout=None):
    if timeout is not None:
        _throw("as_completed with a time limit")
    queue = Queue()
    todo = [ensure_future(f) for f in fs]
    for f in todo:
        f.add_done_callback(queue.put_nowait)
    for f in todo:
        yield _next_of(queue)


async def _next_of(queue):
    future = await queue.get()
    return future.result()


async def to_thread(func, /, *args, **kwargs):
    return await _loop().run_in_executor(None, lambda: func(*args, **kwargs))


def iscoroutinefunction(func):
    return inspect.iscoroutinefunction(func)


def iscoroutine(obj):
    return inspect.iscoroutine(obj) or inspect.isgenerator(obj)
