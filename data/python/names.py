"""What names that nobody binds usually stand for: modules by their usual aliases, functions by the
modules that they are usually imported from, names of Python 2.

Loaded before the runtime of guided programs. Only looks up: what is not found is the runtime's affair.
"""

import sys

GUIDE_ALIASES = {
    "np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot", "mp": "multiprocessing",
    "dt": "datetime", "sp": "scipy", "tk": "tkinter", "nx": "networkx", "tf": "tensorflow",
    "sns": "seaborn", "ET": "xml.etree.ElementTree", "cPickle": "pickle", "StringIO": "io",
    "Queue": "queue", "ConfigParser": "configparser", "urlparse": "urllib.parse",
    "Tkinter": "tkinter", "it": "itertools", "osp": "os.path", "op": "operator",
}  # fmt: skip

# Names that are usually imported from these modules.
GUIDE_SYMBOLS = {
    name: module
    for module, names in {
        "collections": "defaultdict OrderedDict Counter deque namedtuple ChainMap",
        "functools": "partial wraps reduce lru_cache cmp_to_key total_ordering singledispatch",
        "itertools": "chain product permutations combinations groupby islice zip_longest repeat "
        "cycle accumulate takewhile dropwhile starmap tee combinations_with_replacement count",
        "datetime": "timedelta datetime date",
        "pathlib": "Path PurePath",
        "dataclasses": "dataclass field",
        "enum": "Enum IntEnum",
        "abc": "ABC ABCMeta abstractmethod",
        "contextlib": "contextmanager suppress closing ExitStack",
        "decimal": "Decimal getcontext",
        "fractions": "Fraction",
        "io": "StringIO BytesIO",
        "typing": "Any List Dict Optional Union Tuple Set Callable Iterable Iterator Sequence "
        "Mapping TypeVar Generic cast Type NoReturn NamedTuple ClassVar TYPE_CHECKING Generator",
        "copy": "deepcopy",
        "pprint": "pprint",
        "textwrap": "dedent",
        "urllib.parse": "urlparse urljoin quote unquote urlencode",
        "urllib.request": "urlopen",
        "threading": "Thread Lock",
        "operator": "itemgetter attrgetter methodcaller mul xor",
        "time": "sleep",
        "types": "SimpleNamespace ModuleType",
        "string": "ascii_letters ascii_lowercase ascii_uppercase digits punctuation",
        "importlib": "import_module",
        "math": "sqrt ceil floor gcd comb factorial log log2 log10 pi sin cos tan hypot isqrt prod",
        "heapq": "heappush heappop heapify nsmallest nlargest heappushpop",
        "bisect": "bisect_left bisect_right insort insort_left",
        "random": "randint shuffle randrange",
        "sys": "stdin stdout stderr argv setrecursionlimit",
        "statistics": "mean median stdev",
        "hashlib": "md5 sha1 sha256 sha512",
        "subprocess": "Popen PIPE",
        "warnings": "warn",
        "sympy": "isprime factorint divisors primerange nextprime prevprime primefactors totient",
    }.items()
    for name in names.split()
}

# Of Python 2.
GUIDE_RENAMED = {
    "xrange": range, "unicode": str, "basestring": str, "long": int, "unichr": chr, "izip": zip,
    "imap": map, "ifilter": filter, "file": open, "raw_input": input,
    "cmp": lambda a, b: (a > b) - (a < b),
}  # fmt: skip
GUIDE_METHODS = {"iteritems": "items", "itervalues": "values", "iterkeys": "keys", "next": "__next__"}

# Modules that are hardly ever a function's or a variable's name.
GUIDE_UNMISTAKABLE = frozenset("collections functools heapq itertools math os re sys".split())

# Where a function is usually from when the first guess does not take the keywords it is called with.
GUIDE_SECOND = {"comb": "scipy.special", "log": "numpy", "prod": "numpy"}


def guide_resolved(name, attributes, called, import_module):
    """The module or function that a name usually stands for, in a tuple, or None. `attributes` are
    read of it; `called` says whether it is called, or a base class."""
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
    # `count` may be a number as well: only what is used like the real one is it.
    if found is not None and (attributes or called or not callable(found[0])):
        return found if all(hasattr(found[0], a) for a in attributes) else None
    return None


def guide_symbol(name, import_module, table=GUIDE_SYMBOLS):
    """What a name is usually imported as from a module, in a tuple, or None."""
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
