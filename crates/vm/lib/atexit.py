# Functions called at the end of the program, the last one first.

_exit_calls = []


def register(func, /, *args, **kwargs):
    if not callable(func):
        raise TypeError("the first argument must be callable")
    _push(_exit_calls, (func, args, kwargs))
    return func


def unregister(func, /):
    for at in range(_len(_exit_calls)):
        call = _exit_calls[at]
        if call is not None and (call[0] is func or call[0] == func):
            _exit_calls[at] = None


def _exit_run():
    # A function registered in the meantime is not called.
    for at in range(_len(_exit_calls) - 1, -1, -1):
        if _exit_calls[at] is None:
            continue
        func, args, kwargs = _exit_calls[at]
        try:
            func(*args, **kwargs)
        except BaseException:
            pass  # it is reported on standard error
    func = args = kwargs = None
    _exit_calls[:] = []
