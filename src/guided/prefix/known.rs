//! What names usually stand for: modules under their usual names, what is usually imported from them,
//! what Python 2 called things, and which modules every Python has.

/// Modules by the name that they usually go by.
const ALIASES: &[(&str, &str)] = &[
    ("ConfigParser", "configparser"),
    ("ET", "xml.etree.ElementTree"),
    ("Queue", "queue"),
    ("StringIO", "io"),
    ("Tkinter", "tkinter"),
    ("_json", "json"),
    ("cPickle", "pickle"),
    ("dt", "datetime"),
    ("it", "itertools"),
    ("mp", "multiprocessing"),
    ("op", "operator"),
    ("osp", "os.path"),
    ("t", "typing"),
    ("tk", "tkinter"),
    ("tp", "typing"),
    ("urlparse", "urllib.parse"),
];

/// Modules with the names that are usually imported from them.
const SYMBOLS: &[(&str, &str)] = &[
    (
        "collections",
        "defaultdict OrderedDict Counter deque namedtuple ChainMap",
    ),
    (
        "functools",
        "partial wraps reduce lru_cache cmp_to_key total_ordering singledispatch",
    ),
    (
        "itertools",
        "chain product permutations combinations groupby islice zip_longest repeat cycle \
         accumulate takewhile dropwhile starmap tee combinations_with_replacement count",
    ),
    ("datetime", "timedelta datetime date timezone"),
    ("pathlib", "Path PurePath"),
    ("dataclasses", "dataclass field asdict"),
    ("enum", "Enum IntEnum"),
    ("abc", "ABC ABCMeta abstractmethod"),
    ("contextlib", "contextmanager suppress closing ExitStack"),
    ("decimal", "Decimal getcontext"),
    ("fractions", "Fraction"),
    ("io", "StringIO BytesIO"),
    (
        "typing",
        "Any List Dict Optional Union Tuple Set Callable Iterable Iterator Sequence Mapping TypeVar \
         Generic cast Type NoReturn NamedTuple ClassVar TYPE_CHECKING Generator Deque FrozenSet \
         AsyncIterator AsyncIterable Awaitable",
    ),
    ("copy", "deepcopy"),
    ("pprint", "pprint"),
    ("textwrap", "dedent"),
    ("urllib.parse", "urlparse urljoin quote unquote urlencode"),
    ("threading", "Thread Lock"),
    ("operator", "itemgetter attrgetter methodcaller mul xor"),
    ("time", "sleep"),
    ("types", "SimpleNamespace ModuleType"),
    (
        "string",
        "ascii_letters ascii_lowercase ascii_uppercase digits punctuation",
    ),
    ("importlib", "import_module"),
    (
        "math",
        "sqrt ceil floor gcd comb factorial log log2 log10 pi sin cos tan hypot isqrt prod",
    ),
    (
        "heapq",
        "heappush heappop heapify nsmallest nlargest heappushpop",
    ),
    ("bisect", "bisect_left bisect_right insort insort_left"),
    ("random", "randint shuffle randrange"),
    ("sys", "stdin stdout stderr argv setrecursionlimit"),
    ("statistics", "mean median stdev"),
    ("hashlib", "md5 sha1 sha256 sha512"),
    ("warnings", "warn"),
    ("collections.abc", "MutableMapping"),
];

/// What Python 2 called things, as an expression of Python 3.
const OLD: &[(&str, &str)] = &[
    ("basestring", "str"),
    ("cmp", "lambda a, b: (a > b) - (a < b)"),
    ("file", "open"),
    ("ifilter", "filter"),
    ("imap", "map"),
    ("izip", "zip"),
    ("long", "int"),
    ("raw_input", "lambda *_: \"1\""),
    ("unichr", "chr"),
    ("unicode", "str"),
    ("xrange", "range"),
];

/// The module that a name usually stands for.
pub(super) fn module_of(name: &str) -> Option<&'static str> {
    let aliased = ALIASES.iter().find(|(alias, _)| *alias == name);
    aliased
        .map(|(_, module)| *module)
        .or_else(|| standard(name))
}

/// The module that a name is usually imported from.
pub(super) fn home_of(name: &str) -> Option<&'static str> {
    let holds = |names: &str| names.split_whitespace().any(|n| n == name);
    let found = SYMBOLS.iter().find(|(_, names)| holds(names));
    found.map(|(module, _)| *module)
}

/// What a name of Python 2 is in Python 3.
pub(super) fn renamed(name: &str) -> Option<&'static str> {
    let found = OLD.iter().find(|(old, _)| *old == name);
    found.map(|(_, new)| *new)
}

/// The name itself where it is a module of the standard library.
fn standard(name: &str) -> Option<&'static str> {
    STANDARD.binary_search(&name).ok().map(|at| STANDARD[at])
}

/// Whether a module, by its dotted name, belongs to the standard library.
pub(super) fn is_standard(module: &str) -> bool {
    let top = module.split('.').next().unwrap_or(module);
    top.starts_with('_') || standard(top).is_some()
}

/// An instance of a builtin type.
pub(super) fn instance(name: &str) -> Option<&'static str> {
    Some(match name {
        "str" | "unicode" | "basestring" | "six.string_types" | "string_types" => "\"a\"",
        "bytes" => "b\"a\"",
        "bytearray" => "bytearray(b\"a\")",
        "int" | "numbers.Number" | "Number" | "six.integer_types" => "1",
        "float" => "1.0",
        "complex" => "1j",
        "bool" => "True",
        "list" | "Sequence" | "collections.abc.Sequence" | "Iterable" | "abc.Iterable" => "[\"a\"]",
        "tuple" => "(\"a\", \"a\")",
        "set" => "{\"a\"}",
        "frozenset" => "frozenset(\"a\")",
        "dict" | "Mapping" | "collections.abc.Mapping" | "abc.Mapping" => "{\"a\": \"a\"}",
        "type" => "type(\"Kind\", (), {})",
        "Exception" | "BaseException" => "Exception(\"a\")",
        "ValueError" => "ValueError(\"a\")",
        "slice" => "slice(1, 2)",
        "range" => "range(2)",
        "object" => "object()",
        "type(None)" => "None",
        _ => return None,
    })
}

/// The modules of the standard library that there are on every machine.
#[rustfmt::skip]
const STANDARD: &[&str] = &[
    "__future__", "abc", "argparse", "array", "ast", "asyncio", "atexit", "base64", "bdb", "binascii", "bisect",
    "builtins", "bz2", "cProfile", "calendar", "cmath", "cmd", "code", "codecs", "codeop",
    "collections", "colorsys", "compileall", "concurrent", "configparser", "contextlib",
    "contextvars", "copy", "copyreg", "csv", "ctypes", "curses", "dataclasses", "datetime", "dbm",
    "decimal", "difflib", "dis", "doctest", "email", "encodings", "enum", "errno", "faulthandler",
    "fcntl", "filecmp", "fileinput", "fnmatch", "fractions", "ftplib", "functools", "gc", "getopt",
    "getpass", "gettext", "glob", "graphlib", "grp", "gzip", "hashlib", "heapq", "hmac", "html",
    "http", "imaplib", "importlib", "inspect", "io", "ipaddress", "itertools", "json", "keyword",
    "linecache", "locale", "logging", "lzma", "mailbox", "marshal", "math", "mimetypes", "mmap",
    "modulefinder", "multiprocessing", "netrc", "ntpath", "numbers", "opcode", "operator",
    "optparse", "os", "pathlib", "pdb", "pickle", "pickletools", "pkgutil", "platform", "plistlib",
    "poplib", "posix", "posixpath", "pprint", "profile", "pstats", "pty", "pwd", "py_compile",
    "pyclbr", "pydoc", "queue", "quopri", "random", "re", "readline", "reprlib", "resource",
    "rlcompleter", "runpy", "sched", "secrets", "select", "selectors", "shelve", "shlex", "shutil",
    "signal", "site", "smtplib", "socket", "socketserver", "sqlite3", "ssl", "stat", "statistics",
    "string", "stringprep", "struct", "subprocess", "symtable", "sys", "sysconfig", "syslog",
    "tabnanny", "tarfile", "tempfile", "termios", "textwrap", "threading", "time", "timeit", "token",
    "tokenize", "tomllib", "trace", "traceback", "tracemalloc", "tty", "types", "typing",
    "unicodedata", "unittest", "urllib", "uuid", "venv", "warnings", "wave", "weakref",
    "webbrowser", "wsgiref", "xml", "xmlrpc", "zipapp", "zipfile", "zipimport", "zlib", "zoneinfo",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        assert!(STANDARD.is_sorted());
        assert_eq!(module_of("ET"), Some("xml.etree.ElementTree"));
        assert_eq!(home_of("deque"), Some("collections"));
        assert_eq!(renamed("xrange"), Some("range"));
        assert!(is_standard("os.path") && !is_standard("numpy"));
    }
}
