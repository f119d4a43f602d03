# The part of `time` that is written in Python.


def sleep(seconds, /):
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    if _len(_SLEEPERS) != 0:
        return _SLEEPERS[0](seconds)
    _CLOCK[0] += int(seconds * 1000000000)


def time_ns():
    if _assumes("clock", ""):
        return _unknown("the clock")
    return _CLOCK_START + _clock_read()


def time():
    return time_ns() / 1e9


def monotonic_ns():
    return _clock_read()


def monotonic():
    return _clock_read() / 1e9


def perf_counter_ns():
    return _clock_read()


def perf_counter():
    return _clock_read() / 1e9


def process_time_ns():
    return _clock_read()


def process_time():
    return _clock_read() / 1e9


def thread_time_ns():
    return _clock_read()


def thread_time():
    return _clock_read() / 1e9
