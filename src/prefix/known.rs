//! What names usually stand for: what Python 2 called things, instances of builtin types, and which
//! modules every Python has. Usual imports are in `codexec_data::names`.

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

/// What a name of Python 2 is in Python 3.
pub(super) fn renamed(name: &str) -> Option<&'static str> {
    let found = OLD.iter().find(|(old, _)| *old == name);
    found.map(|(_, new)| *new)
}

/// Whether a module, by its dotted name, belongs to the standard library.
pub(super) fn is_standard(module: &str) -> bool {
    let top = module.split('.').next().unwrap_or(module);
    top.starts_with('_') || STANDARD.binary_search(&top).is_ok()
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
        assert_eq!(renamed("xrange"), Some("range"));
        assert!(is_standard("os.path") && !is_standard("numpy"));
    }
}
