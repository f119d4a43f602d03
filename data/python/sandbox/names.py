"""The usual meaning of unbound names: modules by their usual aliases, functions by the modules that
they are usually imported from, names of Python 2.

Loaded before the runtime of guided programs; Rust provides USUAL_NAMES, the text of names.txt. Only
looks up names: the runtime handles missing ones.
"""

import sys


def guide_table(section):
    """The lines of a part of the table, as words."""
    part = USUAL_NAMES.partition("[" + section + "]")[2].partition("\n[")[0]
    return [line.split() for line in part.splitlines()[1:] if line]


# Modules by alias; modules that names are imported from.
GUIDE_ALIASES = dict(guide_table("aliases"))
GUIDE_SYMBOLS = {name: words[0] for words in guide_table("symbols")[::-1] for name in words[1:]}

# Of Python 2.
GUIDE_RENAMED = {
    "xrange": range, "unicode": str, "basestring": str, "long": int, "unichr": chr, "izip": zip,
    "imap": map, "ifilter": filter, "file": open, "raw_input": input,
    "cmp": lambda a, b: (a > b) - (a < b),
}  # fmt: skip
GUIDE_METHODS = {"iteritems": "items", "itervalues": "values", "iterkeys": "keys", "next": "__next__"}

# Modules that are hardly ever a function's or a variable's name.
GUIDE_UNMISTAKABLE = frozenset("collections functools heapq itertools math os re sys".split())

# The usual origin of a function if the first guess does not accept its keywords.
GUIDE_SECOND = {"comb": "scipy.special", "log": "numpy", "prod": "numpy"}


def guide_resolved(name, attributes, called, import_module):
    """The module or function that a name usually refers to, in a tuple, or None. `attributes` are
    read from it; `called` tells whether it is called, or a base class."""
    if name in GUIDE_RENAMED:
        found = GUIDE_RENAMED[name]
        return (found,) if all(hasattr(found, a) for a in attributes) else None
    if called:
        found = guide_symbol(name, import_module)
        if found is not None and all(hasattr(found[0], a) for a in attributes):
            return found
    library = name in getattr(sys, "stdlib_module_names", ())
    module = GUIDE_ALIASES.get(name)
    if module is None and (library or attributes and guide_is_installed(name)):
        module = name
    if module is not None and (attributes or name in GUIDE_UNMISTAKABLE or module != name and not called):
        try:
            found = import_module(module, {}, {}, ["*"], 0)
        except ImportError:
            found = None
        enough = any if library or module != name else all
        if found is not None and (not attributes or enough(hasattr(found, a) for a in attributes)):
            return (found,)
    found = guide_symbol(name, import_module)
    # `count` may also be a number: only uses like the real one's count.
    if found is not None and (attributes or called or not callable(found[0])):
        return found if all(hasattr(found[0], a) for a in attributes) else None
    return None


def guide_symbol(name, import_module, table=GUIDE_SYMBOLS):
    """The usual import of a name from a module, in a tuple, or None."""
    try:
        return (getattr(import_module(table[name], {}, {}, ["*"], 0), name),)
    except (KeyError, ImportError, AttributeError):
        return None


def guide_is_installed(name):
    """Whether a module of that name can be imported from a package directory or the library."""
    import importlib.util

    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False
