"""Programs that share a child one after the other: which may, and how the next one starts as if alone.

Not a protection: a program that wants to can leave traces for the next. Programs of one origin, such
as the mutants of one program, are what this is for.
"""

import re
import sys

# Programs that name any of these never share a child: they could leave something behind for the
# next one that `Company` does not put back.
LONERS = re.compile(
    r"\b(?:ctypes|gc|signal|thread\w*|_thread|asyncio|concurrent|multiprocessing|inspect|"
    r"settrace|setprofile|_getframe|f_back|__subclasses__|__del__|__builtins__|builtins|modules|"
    r"os|posix|resource|weakref|atexit|faulthandler|tracemalloc|importlib|__import__|locale|"
    r"warnings|tempfile|mmap|fcntl|socket|subprocess|getcontext|setcontext|localcontext|"
    r"DefaultContext|setswitchinterval|displayhook|excepthook|set_int_max_str_digits|sys\.path|"
    r"__class__|setattr|breakpoint|logging|codecs|register|contextvars|sched)\b|open\s*\((?!\s*0)"
)
COMPANY_LARGEST = 64


def company_of(programs, at):
    """The programs from `at` on that may share a child: at least one."""
    group = programs[at : at + 1]
    if LONERS.search(group[0][0]):
        return group
    while len(group) < COMPANY_LARGEST and at + len(group) < len(programs):
        following = programs[at + len(group)]
        if LONERS.search(following[0]):
            break
        group.append(following)
    return group


class Company:
    """Puts back what a program may have changed, so that the next one in the same child starts as
    if alone. Not a protection: a program that wants to can leave traces."""

    def __init__(self):
        self.modules = dict(sys.modules)
        self.names = {
            name: (vars(module), dict(vars(module)))
            for name, module in self.modules.items()
            if type(module) is type(sys) and name != "__main__"
        }
        self.recursion = sys.getrecursionlimit()
        self.argv, self.path = ["prog.py"], list(sys.path)

    def put_back(self, source):
        sys.settrace(None)
        sys.setrecursionlimit(self.recursion)
        if sys.modules != self.modules:
            sys.modules.clear()
            sys.modules.update(self.modules)
        for name, (now, before) in self.names.items():
            if name == "builtins" or name == "sys" or name in source:
                for key, value in before.items():
                    if now.get(key, now) is not value:
                        now[key] = value
                if len(now) != len(before):
                    for key in [key for key in now if key not in before]:
                        del now[key]
