"""Programs that share a child one after the other: which may, and how the next one starts as if alone.

Not a protection: a program that wants to can leave traces for the next. Programs of one origin, such
as the mutants of one program, are what this is for.
"""

import re
import sys
from operator import is_

# Programs that name any of these never share a child: they could leave something behind for the
# next one that `SharedChild` does not put back.
MUST_ISOLATE = frozenset(
    "ctypes gc signal _thread asyncio concurrent multiprocessing inspect settrace setprofile _getframe "
    "f_back __subclasses__ __del__ __builtins__ builtins modules os posix resource weakref atexit "
    "faulthandler tracemalloc importlib __import__ locale warnings tempfile mmap fcntl socket subprocess "
    "getcontext setcontext localcontext DefaultContext setswitchinterval displayhook excepthook "
    "set_int_max_str_digits __class__ setattr breakpoint logging codecs register contextvars sched "
    "write_text write_bytes touch mkdir iterdir glob rglob iglob".split()
)
ISOLATED_PLACES = {
    "open": re.compile(r"open\s*\((?!\s*0)").search,
    "thread": re.compile(r"\bthread").search,
    "sys.path": re.compile(r"\bsys\.path\b").search,
}
MOST_SHARING = 64

ONLY_NAMES = {ord(mark): " " for mark in map(chr, range(128)) if not (mark.isalnum() or mark == "_")}


def names_in(source):
    """The names in a program, and other words."""
    # For ASCII this takes half the time of a regular expression.
    return frozenset(source.translate(ONLY_NAMES).split() if source.isascii() else WORD(source))


WORD = re.compile(r"\w+").findall


def must_isolate(source, names):
    if not MUST_ISOLATE.isdisjoint(names):
        return True
    return any(text in source and found(source) for text, found in ISOLATED_PLACES.items())


def sharing_group(programs, at):
    """The programs from `at` on that may share a child, at least one, each with the names in it."""
    group = []
    for source, data in programs[at : at + MOST_SHARING]:
        names = names_in(source)
        alone = must_isolate(source, names)
        if alone and group:
            break
        group.append((source, data, names))
        if alone:
            break
    return group


class SharedChild:
    """Puts back what a program may have changed, so that the next one in the same child starts as
    if alone. Not a protection: a program that wants to can leave traces."""

    def __init__(self):
        self.modules = dict(sys.modules)
        self.main = sys.modules["__main__"]
        self.module_names, self.module_values = tuple(self.modules), tuple(self.modules.values())
        self.always, self.named = [], {}
        for name, module in self.modules.items():
            if type(module) is not type(sys) or name == "__main__":
                continue
            names = vars(module)
            kept = names, dict(names), tuple(names), tuple(names.values())
            if name == "builtins" or name == "sys":
                self.always.append(kept)
            else:
                # `_random` is also reached as `random._random`, `os.path` by either of its names.
                for part in name.split("."):
                    self.named.setdefault(part.strip("_"), []).append(kept)
        self.recursion = sys.getrecursionlimit()
        self.argv, self.path = ["prog.py"], list(sys.path)

    def put_back(self, names):
        """After a program with these names in it."""
        sys.settrace(None)
        sys.setrecursionlimit(self.recursion)
        sys.modules["__main__"] = self.main
        if not same_items(sys.modules, self.module_names, self.module_values):
            sys.modules.clear()
            sys.modules.update(self.modules)
        for kept in self.always:
            put_back_names(*kept)
        for name in names:
            for kept in self.named.get(name.strip("_"), ()):
                put_back_names(*kept)


def same_items(now, keys, values):
    """Whether these are a dictionary's very keys and values: by identity, which asks no program."""
    return len(now) == len(keys) and all(map(is_, now, keys)) and all(map(is_, now.values(), values))


def put_back_names(now, before, keys, values):
    if same_items(now, keys, values):
        return
    for key, value in before.items():
        if now.get(key, now) is not value:
            now[key] = value
    if len(now) != len(before):
        for key in [key for key in now if key not in before]:
            del now[key]
