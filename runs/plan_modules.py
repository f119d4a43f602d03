"""Writes crates/vm/src/machine/modules.txt: what members modules of the standard library have, in their order.

    python3.11 runs/plan_modules.py > crates/vm/src/machine/modules.txt
"""

import builtins
import importlib
import os
import pkgutil
import types
import zlib

MODULES = """math cmath string sys os time random re collections collections.abc itertools functools operator
heapq bisect copy datetime decimal fractions statistics json typing enum dataclasses abc contextlib io numbers
types textwrap array queue struct calendar unicodedata base64 binascii hashlib pprint contextvars doctest hmac
argparse ast asyncio atexit bz2 cmd codecs colorsys concurrent concurrent.futures configparser csv difflib email errno fileinput
fnmatch gc getpass glob graphlib gzip html html.parser http http.client importlib inspect ipaddress keyword linecache locale
logging lzma multiprocessing optparse pathlib pickle platform resource sched secrets shelve shlex shutil signal
socket sqlite3 subprocess tarfile tempfile threading timeit traceback unittest unittest.mock urllib
urllib.error urllib.parse urllib.request uuid warnings weakref xml xml.etree xml.etree.ElementTree zipfile zlib zoneinfo
marshal zipimport pyexpat pyexpat.errors pyexpat.model _ast _bz2 _lzma _signal _socket select _ssl pwd grp _sre""".split()
FUNCTIONS = {"function", "builtin_function_or_method", "_lru_cache_wrapper", "method"}
CONSTANTS = {"math", "cmath", "string", "calendar", "array", "argparse", "asyncio", "csv", "logging", "subprocess", "decimal", "errno", "io", "threading", "time", "pyexpat.errors", "pyexpat.model", "_signal", "_socket", "select", "_ssl", "_sre"}
# Of modules that depend on the machine: the same on every Linux.
SINGLE_CONSTANTS = {("sys", "maxsize"), ("sys", "maxunicode"), ("sys", "byteorder"), ("sys", "platform")}
SINGLE_CONSTANTS |= {("os", x) for x in "curdir pardir sep pathsep linesep name extsep devnull".split()}
SINGLE_CONSTANTS |= {("os", x) for x in "SEEK_SET SEEK_CUR SEEK_END F_OK R_OK W_OK X_OK".split()}
SINGLE_CONSTANTS |= {("os", x) for x in dir(os) if x.startswith(("O_", "EX_", "F_", "P_", "RTLD_", "PRIO_"))}
SINGLE_CONSTANTS |= {("os", "supports_bytes_environ")}
SINGLE_CONSTANTS |= {("zlib", x) for x in dir(zlib) if x.startswith(("Z_", "DEF")) or x == "MAX_WBITS"}
SINGLE_CONSTANTS |= {("concurrent.futures", x) for x in "FIRST_COMPLETED FIRST_EXCEPTION ALL_COMPLETED".split()}

OF_EVERY_MODULE = set("__name__ __doc__ __package__ __loader__ __spec__ __file__ __cached__ __builtins__ __path__ __all__ __dict__".split())

print("# Members of modules, written by runs/plan_modules.py: functions (f), classes (c), builtins (b), exceptions with their base (e), modules (m), further parts of a package (s), constants (v), other objects with their class (o), names that no star imports and of which nothing is known (h), private names, but for those of every module (p).")
LOADED = {name: importlib.import_module(name) for name in MODULES}
for name, module in LOADED.items():
    names = getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]
    print("[%s]" % name)
    row, kind = [], None
    for member in list(names) + [None]:
        value = getattr(module, member, None) if member else None
        if member is None:
            now = None
        elif getattr(value, "__module__", None) == "builtins" and getattr(builtins, value.__name__, None) is value:
            now = "b"
        elif isinstance(value, type) and issubclass(value, BaseException):
            now = "e"
        elif isinstance(value, type):
            now = "c"
        elif isinstance(value, types.ModuleType):
            now = "m"
        elif type(value) in (bool, int, float, str) and repr(value)[0] != '"' and (name in CONSTANTS or (name, member) in SINGLE_CONSTANTS):
            now = "v"
        elif callable(value) and type(value).__name__ in FUNCTIONS:
            now = "f"
        else:
            now = "o"
        if (now != kind or kind == "v") and row:
            print(kind, " ".join(row))
            row = []
        kind = now
        if now == "v":
            row.append("%s %r" % (member, value))
        elif now == "o":
            row.append("%s:%s" % (member, type(value).__name__))
        elif now == "b":
            row.append("%s:%s" % (member, value.__name__))
        elif now == "e":
            base = next(c for c in value.__mro__ if c.__module__ == "builtins")
            row.append("%s:%s" % (member, base.__name__))
        elif member:
            row.append(member)
    # What `from package import part` finds beside the members.
    parts = [part.name for part in pkgutil.iter_modules(getattr(module, "__path__", []))]
    parts = [part for part in parts if part not in names and not part.startswith("_") and part != "test"]
    if parts:
        print("s", " ".join(parts))
    hidden = [n for n in vars(module) if not n.startswith("_") and n not in names and n not in parts]
    if hidden:
        print("h", " ".join(hidden))
    private = [n for n in vars(module) if n.startswith("_") and n not in names and n not in OF_EVERY_MODULE]
    if private:
        print("p", " ".join(private))
