"""Makes the world of a program the same on every run: clocks, randomness, process numbers.

Loaded before any program, in the long-lived worker, between the tracer and the worker.

Not fixed: addresses in `id()` and default `repr`s (determined by the memory layout, which depends
on earlier programs of the worker), `_random.Random` and `uuid.uuid1` reached in C, the name of the
kernel, and clocks reached through ctypes.
"""

import os
import sys
import time
import types

FIXED_START_NS = 1_577_836_800_000_000_000  # 2020-01-01 00:00:00 UTC
FIXED_TICK_NS = 1_000_000  # a clock that is read has moved on by a millisecond
LOOP_TICK_NS = 1_000  # where an event loop of `asyncio` reads it: timers that are made in one round are due in one
WAKE_NS = 500_000  # what waits for a time wakes up a little later, as it does where selectors count milliseconds
FIXED_SEED = 20230508

FIXED_PRELOADED = (
    "math cmath collections collections.abc itertools heapq bisect functools operator string re "
    "fractions decimal copy typing enum dataclasses array statistics random queue threading "
    "selectors contextlib textwrap numbers struct json abc io types opcode traceback linecache "
    "pprint datetime time os sys __future__"
).split()


FIXED_CLOCKS = (
    "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time process_time_ns thread_time "
    "thread_time_ns clock_gettime clock_gettime_ns sleep gmtime localtime ctime asctime strftime"
).split()


def fixed_builtin(name, function):
    """A function that does not become a method in a class, like functions written in C: `logging` has one."""

    def called(_, *args, **kwargs):
        return function(*args, **kwargs)

    called.__name__ = called.__qualname__ = name
    return types.MethodType(called, time)


def fixed_preload():
    """Imports the modules that programs import, without hooks that would run at every fork."""
    register = getattr(os, "register_at_fork", None)
    if register is not None:
        os.register_at_fork = lambda **hooks: None
    try:
        for name in FIXED_PRELOADED:
            try:
                __import__(name)
            except ImportError:
                pass
    finally:
        if register is not None:
            os.register_at_fork = register


class FixedClock:
    """One clock for every reader; sleeping advances it and returns at once."""

    def __init__(self):
        self.now = FIXED_START_NS
        self.turns = None  # of threads, where the program may have some
        self.alarm = None  # where the program may set one

    def reset(self):
        self.now = FIXED_START_NS

    def move_to(self, end):
        """Advances to a time, through the alarms before it."""
        if self.alarm is not None:
            self.alarm.until(end)
        self.now = max(self.now, end)

    def install(self):
        real = {name: getattr(time, name) for name in ("gmtime", "localtime", "strftime", "asctime")}

        def read_ns(*_):
            self.now += FIXED_TICK_NS
            if self.alarm is not None:
                self.alarm.until(self.now)
            return self.now

        def elapsed_ns(*_):
            return read_ns() - FIXED_START_NS

        def sleep(seconds):
            if seconds < 0:
                raise ValueError("sleep length must be non-negative")
            self.move_to(self.now + int(seconds * 1_000_000_000))

        def broken_down(convert):
            return lambda seconds=None: convert(read_ns() / 1e9 if seconds is None else seconds)

        time.time_ns = read_ns
        time.time = lambda: read_ns() / 1e9
        for name in ("monotonic", "perf_counter", "process_time", "thread_time"):
            setattr(time, name + "_ns", elapsed_ns)
            setattr(time, name, lambda: elapsed_ns() / 1e9)

        def monotonic():
            caller = sys._getframe(2)
            if caller.f_code.co_name == "time" and caller.f_globals.get("__name__") == "asyncio.base_events":
                self.now += LOOP_TICK_NS
                return (self.now - FIXED_START_NS) / 1e9
            return elapsed_ns() / 1e9

        time.monotonic = monotonic
        time.clock_gettime = lambda clock: read_ns() / 1e9
        time.clock_gettime_ns = read_ns
        time.sleep = sleep
        time.gmtime = broken_down(real["gmtime"])
        time.localtime = broken_down(real["localtime"])
        time.ctime = lambda seconds=None: real["asctime"](time.localtime(seconds))
        time.asctime = lambda t=None: real["asctime"](time.localtime() if t is None else t)
        time.strftime = lambda format, t=None: real["strftime"](
            format, time.localtime() if t is None else t
        )
        for name in FIXED_CLOCKS:
            setattr(time, name, fixed_builtin(name, getattr(time, name)))
        self.install_selectors()

    def install_selectors(self):
        """Event loops sleep in a selector: there, too, an idle wait advances the clock."""
        import selectors

        def wrapped(select):
            def ready(selector, timeout=None):
                if self.turns is not None:
                    events = self.turns.poll(select, selector, timeout)
                    if events is not None:
                        return events
                if timeout is None or timeout <= 0:
                    return select(selector, timeout)
                events = select(selector, 0)
                if not events:
                    self.move_to(self.now + int(timeout * 1_000_000_000) + WAKE_NS)
                return events

            return ready

        for name in ("SelectSelector", "PollSelector", "EpollSelector", "KqueueSelector"):
            kind = getattr(selectors, name, None)
            if kind is not None:
                kind.select = wrapped(kind.select)


class FixedRandomness:
    """Every unseeded generator gets the same seed."""

    def __init__(self):
        import random

        self.random = random
        self.source = random.Random(FIXED_SEED)
        self.hidden, self.seed_with = random._inst, random.Random.seed

    def reset(self):
        self.seed_with(self.source, FIXED_SEED)
        self.seed_with(self.hidden, FIXED_SEED)

    def install(self):
        random, source, seed_with = self.random, self.source, self.seed_with

        def seed(self, a=None, version=2):
            seed_with(self, FIXED_SEED if a is None else a, version)

        def urandom(size, /):
            if size < 0:
                raise ValueError("negative argument not allowed")
            return source.getrandbits(8 * size).to_bytes(size, "little") if size else b""

        random.Random.seed = seed
        random.seed = random._inst.seed
        random._urandom = os.urandom = urandom
        self.reset()


def fixed_datetime(clock):
    """Makes C's `datetime` use the fixed clock: extension modules share its types, so the Python
    version is not an alternative."""
    import ctypes
    import datetime
    import gc

    def now(cls, tz=None):
        return cls.fromtimestamp(clock(), tz)

    def utcnow(cls):
        return cls.fromtimestamp(clock(), datetime.timezone.utc).replace(tzinfo=None)

    (names,) = gc.get_referents(vars(datetime.datetime))
    names["now"], names["utcnow"] = classmethod(now), classmethod(utcnow)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(datetime.datetime))


def fixed_world():
    """Installs everything. Returns a function that restores its start before each program."""
    global fixed_clock
    fixed_preload()
    fixed_clock = clock = FixedClock()
    randomness = FixedRandomness()
    clock.install()
    randomness.install()
    try:
        fixed_datetime(time.time)
    except ImportError:
        # The Python version uses `time`, but has other messages.
        sys.modules.pop("datetime", None)
        sys.modules["_datetime"] = None
        import datetime  # noqa: F401

    os.getpid, os.getppid = lambda: 2, lambda: 1
    os.cpu_count = lambda: 1
    os.getloadavg = lambda: (0.0, 0.0, 0.0)
    if hasattr(os, "sched_getaffinity"):
        os.sched_getaffinity = lambda pid, /: {0}

    def reset():
        clock.reset()
        randomness.reset()

    return reset
