//! Usual meanings of names: Python 2's names, instances of builtin types, and the modules that
//! every Python has. Usual imports are in `codexec_data::names`.

use ruff_python_stdlib::sys::is_known_standard_library;

/// Names of Python 2, as expressions of Python 3.
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

/// Returns the Python 3 expression for a name of Python 2.
pub(super) fn renamed(name: &str) -> Option<&'static str> {
    let found = OLD.iter().find(|(old, _)| *old == name);
    found.map(|(_, new)| *new)
}

/// Whether a module, by its dotted name, is in the standard library of every machine.
pub(super) fn is_standard(module: &str) -> bool {
    let top = module.split('.').next().unwrap_or(module);
    top.starts_with('_') || is_known_standard_library(VERSION, top) && !ELSEWHERE.contains(&top)
}

/// Returns an instance of a builtin type.
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

/// The Python version whose standard library counts: modules that it removed are not everywhere.
const VERSION: u8 = 13;

/// Standard library modules that are not on every machine, or that no program means.
const ELSEWHERE: &[&str] = &[
    "antigravity",
    "ensurepip",
    "genericpath",
    "idlelib",
    "msvcrt",
    "nt",
    "nturl2path",
    "pydoc_data",
    "pyexpat",
    "sre_compile",
    "sre_constants",
    "sre_parse",
    "this",
    "tkinter",
    "turtle",
    "turtledemo",
    "winreg",
    "winsound",
    "xx",
    "xxlimited",
    "xxlimited_35",
    "xxsubtype",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        assert_eq!(renamed("xrange"), Some("range"));
        assert!(is_standard("os.path") && is_standard("__future__") && !is_standard("numpy"));
        assert!(!is_standard("distutils.core") && !is_standard("tkinter"));
    }
}
