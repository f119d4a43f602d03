# The part of `contextlib` that is written in Python.

import functools


class _AsyncGeneratorContextManager:
    def __init__(self, gen):
        self.gen = gen

    async def __aenter__(self):
        return await _Awaiting(self.gen)

    async def __aexit__(self, kind, error, traceback):
        if kind is not None:
            try:
                await _Awaiting(self.gen, error)
            except StopAsyncIteration as e:
                return e is not error
            except BaseException as e:
                if e is not error:
                    raise
                return False
            raise RuntimeError("generator didn't stop after athrow()")
        ended = False
        try:
            await _Awaiting(self.gen)
        except StopAsyncIteration:
            ended = True
        if not ended:
            raise RuntimeError("generator didn't stop")
        return False


def asynccontextmanager(function):
    def helper(*args, **kwargs):
        return _AsyncGeneratorContextManager(function(*args, **kwargs))

    helper.__module__ = function.__module__
    helper.__name__ = function.__name__
    helper.__qualname__ = function.__qualname__
    helper.__doc__ = function.__doc__
    return helper


class suppress:
    def __init__(self, *kinds):
        self.kinds = kinds

    def __enter__(self):
        return None

    def __exit__(self, kind, error, traceback):
        return kind is not None and issubclass(kind, self.kinds)


class ContextDecorator:
    def _recreate_cm(self):
        return self

    def __call__(self, func):
        def inner(*args, **kwds):
            with self._recreate_cm():
                return func(*args, **kwds)

        return functools.wraps(func)(inner)


class AbstractContextManager:
    def __enter__(self):
        return self


class nullcontext:
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *excinfo):
        pass

    async def __aenter__(self):
        return self.enter_result

    async def __aexit__(self, *excinfo):
        pass


class _GeneratorContextManager(ContextDecorator):
    def __init__(self, function, args, kwargs):
        self.gen = function(*args, **kwargs)
        self._made_of = function, args, kwargs

    def _recreate_cm(self):
        return _GeneratorContextManager(*self._made_of)

    def __enter__(self):
        value = _next(self.gen)
        if value is _END:
            raise RuntimeError("generator didn't yield")
        return value

    def __exit__(self, kind, error, traceback):
        if kind is None:
            if _next(self.gen) is not _END:
                raise RuntimeError("generator didn't stop")
            return False
        try:
            self.gen.throw(error)
        except StopIteration as e:
            return e is not error
        except BaseException as e:
            if e is not error:
                raise
            return False
        raise RuntimeError("generator didn't stop after throw()")


def contextmanager(function):
    def helper(*args, **kwargs):
        return _GeneratorContextManager(function, args, kwargs)

    helper.__module__ = function.__module__
    helper.__name__ = function.__name__
    helper.__qualname__ = function.__qualname__
    helper.__doc__ = function.__doc__
    return helper


class ExitStack:
    def __init__(self):
        self._exits = []

    def __enter__(self):
        return self

    def enter_context(self, cm):
        value = cm.__enter__()
        _push(self._exits, cm.__exit__)
        return value

    def push(self, exit):
        _push(self._exits, exit.__exit__ if hasattr(exit, "__exit__") else exit)
        return exit

    def callback(self, callback, /, *args, **kwargs):
        def leave(kind, error, traceback):
            callback(*args, **kwargs)

        _push(self._exits, leave)
        return callback

    def pop_all(self):
        other = ExitStack()
        other._exits = self._exits
        self._exits = []
        return other

    def close(self):
        self.__exit__(None, None, None)

    def __exit__(self, kind, error, traceback):
        first = error
        while _len(self._exits) != 0:
            leave = _pop(self._exits)
            try:
                if leave(None if error is None else _classof(error), error, None if error is None else traceback):
                    error = None
            except BaseException as e:
                error = e
        if error is not None and error is not first:
            raise error
        return first is not None and error is None


class closing:
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, kind, error, traceback):
        self.thing.close()


class _RedirectStream:
    def __init__(self, new_target):
        self._new_target = new_target
        self._old_targets = []

    def __enter__(self):
        _push(self._old_targets, self._put(self._new_target))
        return self._new_target

    def __exit__(self, kind, error, traceback):
        self._put(_pop(self._old_targets))


class redirect_stdout(_RedirectStream):
    def _put(self, target):
        """Puts another stream in the place, and gives what was there."""
        return _redirect_stdout(target)


class redirect_stderr(_RedirectStream):
    def _put(self, target):
        return _redirect_stderr(target)
