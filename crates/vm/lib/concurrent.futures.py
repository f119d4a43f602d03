# `ThreadPoolExecutor` as in CPython 3.11: a worker is started if none became idle.

import collections
import queue
import threading


# CPython's value for the single processor of the sandbox.
_FUT_USUAL = 5
_pools = []
_numbers = [0]


class Future:
    __module__ = "concurrent.futures._base"

    def __init__(self):
        self._condition = threading.Condition()
        self._state = "pending"
        self._result = None
        self._error = None
        self._callbacks = []
        self._watchers = []

    def _finish(self, state):
        with self._condition:
            self._state = state
            for watcher in self._watchers:
                watcher._add(self)
            self._condition.notify_all()
        self._told()

    def _told(self):
        for callback in self._callbacks:
            try:
                callback(self)
            except Exception:
                pass  # it is logged
        self._callbacks = []

    def _wait(self, timeout):
        with self._condition:
            if not self.done():
                self._condition.wait(timeout)
            if self._state == "cancelled":
                from concurrent.futures import CancelledError

                raise CancelledError()
            if not self.done():
                raise TimeoutError()

    def result(self, timeout=None):
        self._wait(timeout)
        if self._error is not None:
            raise self._error
        return self._result

    def exception(self, timeout=None):
        self._wait(timeout)
        return self._error

    def done(self):
        return self._state == "finished" or self._state == "cancelled"

    def running(self):
        return self._state == "running"

    def cancelled(self):
        return self._state == "cancelled"

    def cancel(self):
        if self._state == "running" or self._state == "finished":
            return False
        if self._state == "pending":
            with self._condition:
                self._state = "cancelled"
                self._condition.notify_all()
            self._told()
        return True

    def add_done_callback(self, fn):
        if self.done():
            try:
                fn(self)
            except Exception:
                pass
        else:
            self._callbacks.append(fn)

    def set_running_or_notify_cancel(self):
        if self._state == "cancelled":
            for watcher in self._watchers:
                watcher._add(self)
            return False
        self._state = "running"
        return True

    def set_result(self, result):
        if self.done():
            _throw("a future that is done twice")
        self._result = result
        self._finish("finished")

    def set_exception(self, exception):
        if self.done():
            _throw("a future that is done twice")
        self._error = exception
        self._finish("finished")

    def __repr__(self):
        _throw("the text of a future")


class _Watcher:
    def __init__(self, enough):
        self._event = threading.Event()
        self._finished = []
        self._enough = enough

    def _add(self, future):
        _push(self._finished, future)
        if self._enough(future):
            self._event.set()


def _work(pool):
    if pool._initializer is not None:
        try:
            pool._initializer(*pool._initargs)
        except BaseException:
            _throw("an initializer that raises")
    while True:
        item = pool._work_queue.get()
        if item is None:
            pool._work_queue.put(None)
            return
        future, function, args, kwargs = item
        if future.set_running_or_notify_cancel():
            try:
                result = function(*args, **kwargs)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
        item = future = function = args = kwargs = result = None
        pool._idle.release()


class ThreadPoolExecutor:
    __module__ = "concurrent.futures.thread"

    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=()):
        if max_workers is None:
            max_workers = _FUT_USUAL
        if max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        if initializer is not None and not callable(initializer):
            raise TypeError("initializer must be a callable")
        self._max_workers = max_workers
        self._prefix = thread_name_prefix
        if thread_name_prefix == "":
            self._prefix = "ThreadPoolExecutor-" + _str(_numbers[0])
            _numbers[0] += 1
        self._initializer = initializer
        self._initargs = initargs
        self._work_queue = queue.SimpleQueue()
        self._idle = threading.Semaphore(0)
        self._threads = []
        self._shutdown = False

    def submit(self, fn, /, *args, **kwargs):
        if self._shutdown:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = Future()
        self._work_queue.put((future, fn, args, kwargs))
        if not self._idle.acquire(timeout=0):
            if _len(self._threads) < self._max_workers:
                name = self._prefix + "_" + _str(_len(self._threads))
                thread = threading.Thread(name=name, target=_work, args=(self,))
                thread.start()
                _push(self._threads, thread)
                if _len(self._threads) == 1:
                    _push(_pools, self)
        return future

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        if timeout is not None:
            _throw("the clock of an executor")
        futures = [self.submit(fn, *args) for args in zip(*iterables)]
        return self._results(futures)

    def _results(self, futures):
        try:
            while _len(futures) != 0:
                future = futures[0]
                del futures[0]
                try:
                    yield future.result()
                finally:
                    future.cancel()
        finally:
            for future in futures:
                future.cancel()

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._shutdown = True
        if cancel_futures:
            while not self._work_queue.empty():
                item = self._work_queue.get()
                if item is not None:
                    item[0].cancel()
        self._work_queue.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.shutdown()
        return False


def _leave():
    for pool in _pools:
        if not pool._shutdown:
            for _ in pool._threads:
                pool._work_queue.put(None)
    for pool in _pools:
        for thread in pool._threads:
            thread.join()


_push(threading._at_exit, _leave)


def as_completed(fs, timeout=None):
    if timeout is not None:
        _throw("the clock of an executor")
    fs = [*dict.fromkeys(fs)]
    done = [future for future in fs if future.done()]
    if _len(done) > 1:
        _throw("the order of a set of objects")
    waiting = [future for future in fs if not future.done()]
    watcher = _Watcher(lambda future: True)
    for future in waiting:
        _push(future._watchers, watcher)
    yield from done
    left = _len(waiting)
    while left > 0:
        watcher._event.wait()
        finished = watcher._finished
        watcher._finished = []
        watcher._event.clear()
        left -= _len(finished)
        yield from finished


_Sets = collections.namedtuple("DoneAndNotDoneFutures", "done not_done")


def wait(fs, timeout=None, return_when="ALL_COMPLETED"):
    fs = [*dict.fromkeys(fs)]
    done = [future for future in fs if future.done()]
    raised = [future for future in done if future._state == "finished" and future._error is not None]
    enough = return_when == "FIRST_COMPLETED" and _len(done) != 0
    enough = enough or return_when == "FIRST_EXCEPTION" and _len(raised) != 0
    if not enough and _len(done) != _len(fs):
        left = [_len(fs) - _len(done)]

        def is_enough(future):
            left[0] -= 1
            if left[0] == 0 or return_when == "FIRST_COMPLETED":
                return True
            return return_when == "FIRST_EXCEPTION" and future._error is not None

        watcher = _Watcher(is_enough)
        for future in fs:
            if not future.done():
                _push(future._watchers, watcher)
        watcher._event.wait(timeout)
        done = [*done, *watcher._finished]
    return _Sets({future for future in fs if future in done}, {future for future in fs if future not in done})
