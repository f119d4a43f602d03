# The part of `timeit` that is written in Python.

import itertools
import time


# -- timing of code


_TIMED = """def inner(_it, _timer):
    {setup}
    _t0 = _timer()
    for _i in _it:
        {stmt}
        pass
    _t1 = _timer()
    return _t1 - _t0
"""


def timeit(stmt="pass", setup="pass", timer=None, number=1000000, globals=None):
    return Timer(stmt, setup, timer, globals).timeit(number)


def repeat(stmt="pass", setup="pass", timer=None, repeat=5, number=1000000, globals=None):
    return Timer(stmt, setup, timer, globals).repeat(repeat, number)


def default_timer():
    return time.perf_counter()


class Timer:
    def __init__(self, stmt="pass", setup="pass", timer=None, globals=None):
        self.timer = time.perf_counter if timer is None else timer
        space = {}
        texts = []
        for name, given, indent in (("setup", setup, 4), ("stmt", stmt, 8)):
            if isinstance(given, str):
                texts.append(given.replace("\n", "\n" + " " * indent))
            elif callable(given):
                space["_" + name] = given
                texts.append("_" + name + "()")
            else:
                raise ValueError(name + " is neither a string nor callable")
        self.src = _TIMED.replace("{setup}", texts[0]).replace("{stmt}", texts[1])
        if _len(space) != 0:
            # In CPython they are parameters.
            space = {**({} if globals is None else globals), **space}
            globals = None
        exec(self.src, space if globals is None else globals, space)
        self.inner = space["inner"]

    def timeit(self, number=1000000):
        return self.inner(itertools.repeat(None, number), self.timer)

    def repeat(self, repeat=5, number=1000000):
        return [self.timeit(number) for i in range(repeat)]

    def autorange(self, callback=None):
        _throw("timeit.Timer.autorange")
