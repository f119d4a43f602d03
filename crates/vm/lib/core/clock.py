# Libraries that leave no trace (warnings go to standard error), and paths as far as they are texts.

# How threads sleep, if there are any.
_SLEEPERS = []
# How an event loop waits, if there are any.
_LOOP_WAITS = []

# The working directory, if the program has changed it.
_HERE = [None]


def _cwd():
    if _HERE[0] is not None:
        return _HERE[0]
    # Without a project the program runs in the root directory.
    project = _project()
    return "/" if project is None else project[1]


# The sandbox's clock: it starts at 2020-01-01, a reading takes a millisecond, sleeping advances it.
_CLOCK_START = 1577836800000000000
_CLOCK = [0]
# Library modules that read it although CPython's do not, or more or less often.
_CLOCK_READERS = []


def _clock_read():
    if _len(_CLOCK_READERS) != 0:
        _throw("the clock beside asyncio or unittest")
    _CLOCK[0] += 1000000
    return _CLOCK[0]
