# `ThreadPoolExecutor`. In the sandbox no thread is interrupted: a worker that is started runs what waits, and so do the workers
# when the program waits for them. As in CPython, a worker is started where none has finished an item since.

# Workers that every machine has, where the program gives no number.
_FUT_CERTAIN = 5
_fut_waiting = []


class _fut_Worker:
    def __getattr__(self, name):
        _throw("a worker's " + name)


_fut_worker = _fut_Worker()


def _fut_run():
    while _len(_fut_waiting) != 0:
        executor, future, function, args, kwargs = _fut_waiting.pop(0)
        if future._state == "cancelled":
            continue
        _push(_THREADS, _fut_worker)
        future._state = "running"
        try:
            future._result = function(*args, **kwargs)
        except BaseException as error:
            future._error = error
        _pop(_THREADS)
        future._state = "finished"
        future._told()
        executor._idle += 1


class concurrent__futures__Future:
    __module__ = "concurrent.futures._base"

    def __init__(self):
        self._state = "pending"
        self._result = None
        self._error = None
        self._callbacks = []

    def _wait(self):
        if not self.done():
            _fut_run()
        if self._state == "cancelled":
            from concurrent.futures import CancelledError

            raise CancelledError()
        if not self.done():
            _throw("a future that nothing runs")

    def _told(self):
        for callback in self._callbacks:
            callback(self)
        self._callbacks = []

    def result(self, timeout=None):
        self._wait()
        if self._error is not None:
            raise self._error
        return self._result

    def exception(self, timeout=None):
        self._wait()
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
            self._state = "cancelled"
            self._told()
        return True

    def add_done_callback(self, fn):
        if self.done():
            fn(self)
        else:
            self._callbacks.append(fn)

    def __repr__(self):
        _throw("the text of a future")


_rename(concurrent__futures__Future, "Future")


class concurrent__futures__ThreadPoolExecutor:
    __module__ = "concurrent.futures.thread"

    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=()):
        if max_workers is not None and max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        if initializer is not None:
            _throw("an initializer of workers")
        self._most = max_workers
        self._workers = 0
        self._idle = 0
        self._closed = False

    def submit(self, fn, /, *args, **kwargs):
        if self._closed:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = concurrent__futures__Future()
        _push(_fut_waiting, (self, future, fn, args, kwargs))
        if self._idle > 0:
            self._idle -= 1
        elif self._most is None or self._workers < self._most:
            if self._most is None and self._workers == _FUT_CERTAIN:
                _throw("how many workers there are")
            self._workers += 1
            _fut_run()
        return future

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        futures = [self.submit(fn, *args) for args in zip(*iterables)]
        return self._results(futures)

    def _results(self, futures):
        try:
            while _len(futures) != 0:
                yield futures.pop(0).result()
        finally:
            for future in futures:
                future.cancel()

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._closed = True
        if cancel_futures:
            for item in _fut_waiting:
                if item[0] is self:
                    item[1].cancel()
        if wait:
            _fut_run()
        elif _len(_fut_waiting) != 0:
            _throw("workers that nobody waits for")

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.shutdown()
        return False


_rename(concurrent__futures__ThreadPoolExecutor, "ThreadPoolExecutor")


def concurrent__futures__as_completed(fs, timeout=None):
    fs = [*dict.fromkeys(fs)]
    done = [future for future in fs if future.done()]
    if _len(done) > 1:
        _throw("the order of a set of objects")
    waiting = [future for future in fs if not future.done()]
    order = []
    for future in waiting:
        future.add_done_callback(order.append)
    yield from done
    for _ in waiting:
        if _len(order) == 0:
            _fut_run()
        yield order.pop(0)


def concurrent__futures__wait(fs, timeout=None, return_when="ALL_COMPLETED"):
    fs = [*fs]
    if return_when != "ALL_COMPLETED" and any([future.done() for future in fs]):
        return _fut_apart(fs)
    if any([not future.done() for future in fs]):
        _fut_run()
    return _fut_apart(fs)


_fut_Sets = collections__namedtuple("DoneAndNotDoneFutures", "done not_done")


def _fut_apart(fs):
    return _fut_Sets({future for future in fs if future.done()}, {future for future in fs if not future.done()})
