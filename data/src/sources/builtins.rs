//! The builtins and methods allowed in a standalone statement: those that compute with values and
//! reach neither files, nor code, nor the interpreter.

const CALLABLE: [&str; 43] = [
    "abs",
    "all",
    "any",
    "ascii",
    "bin",
    "bool",
    "bytearray",
    "bytes",
    "chr",
    "complex",
    "dict",
    "divmod",
    "enumerate",
    "filter",
    "float",
    "format",
    "frozenset",
    "hex",
    "int",
    "isinstance",
    "issubclass",
    "len",
    "list",
    "map",
    "max",
    "min",
    "oct",
    "ord",
    "pow",
    "print",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "slice",
    "sorted",
    "str",
    "sum",
    "tuple",
    "type",
    "zip",
    "callable",
];

const EXCEPTIONS: [&str; 22] = [
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "EOFError",
    "Exception",
    "FileNotFoundError",
    "ImportError",
    "IndexError",
    "KeyError",
    "LookupError",
    "NameError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PermissionError",
    "RuntimeError",
    "StopIteration",
    "SyntaxError",
    "TimeoutError",
    "TypeError",
    "ValueError",
    "ZeroDivisionError",
];

/// Builtins that are not called in a standalone statement; a variable with such a name counts as
/// one.
const OTHER: [&str; 37] = [
    "BaseException",
    "Ellipsis",
    "GeneratorExit",
    "IOError",
    "KeyboardInterrupt",
    "NotImplemented",
    "SystemExit",
    "__import__",
    "breakpoint",
    "classmethod",
    "compile",
    "delattr",
    "dir",
    "eval",
    "exec",
    "getattr",
    "globals",
    "hasattr",
    "hash",
    "help",
    "id",
    "input",
    "iter",
    "locals",
    "memoryview",
    "next",
    "object",
    "open",
    "vars",
    "super",
    "setattr",
    "property",
    "staticmethod",
    "aiter",
    "anext",
    "exit",
    "quit",
];

const STR: [&str; 46] = [
    "capitalize",
    "casefold",
    "center",
    "count",
    "encode",
    "endswith",
    "expandtabs",
    "find",
    "format",
    "index",
    "isalnum",
    "isalpha",
    "isascii",
    "isdecimal",
    "isdigit",
    "isidentifier",
    "islower",
    "isnumeric",
    "isprintable",
    "isspace",
    "istitle",
    "isupper",
    "join",
    "ljust",
    "lower",
    "lstrip",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rindex",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "swapcase",
    "title",
    "translate",
    "upper",
    "zfill",
    "format_map",
];
const LIST: [&str; 11] = [
    "append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse",
    "sort",
];
const DICT: [&str; 10] = [
    "clear",
    "copy",
    "get",
    "items",
    "keys",
    "pop",
    "popitem",
    "setdefault",
    "update",
    "values",
];
const SET: [&str; 17] = [
    "add",
    "clear",
    "copy",
    "difference",
    "difference_update",
    "discard",
    "intersection",
    "intersection_update",
    "isdisjoint",
    "issubset",
    "issuperset",
    "pop",
    "remove",
    "symmetric_difference",
    "symmetric_difference_update",
    "union",
    "update",
];
const TUPLE: [&str; 2] = ["count", "index"];
const NUMBER: [&str; 4] = ["bit_length", "conjugate", "is_integer", "to_bytes"];
const BYTES: [&str; 17] = [
    "count",
    "decode",
    "endswith",
    "find",
    "hex",
    "index",
    "join",
    "lower",
    "lstrip",
    "replace",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "upper",
    "partition",
];

/// The builtin types by the methods they have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Methods {
    /// Of `str`.
    Str,
    /// Of `list`.
    List,
    /// Of `dict`.
    Dict,
    /// Of `set`.
    Set,
    /// Of `tuple`.
    Tuple,
    /// Of `int` and `float`.
    Number,
    /// Of `bytes`.
    Bytes,
}

const METHODS: [(Methods, &[&str]); 7] = [
    (Methods::Str, &STR),
    (Methods::List, &LIST),
    (Methods::Dict, &DICT),
    (Methods::Set, &SET),
    (Methods::Tuple, &TUPLE),
    (Methods::Number, &NUMBER),
    (Methods::Bytes, &BYTES),
];

/// Whether a name means a builtin unless it is rebound.
pub fn is_known(name: &str) -> bool {
    let class = name.starts_with(char::is_uppercase)
        && (name.ends_with("Error") || name.ends_with("Warning"));
    is_callable(name) || class || OTHER.contains(&name)
}

/// True for a builtin that a statement may call.
pub fn is_callable(name: &str) -> bool {
    CALLABLE.contains(&name) || is_exception(name)
}

/// True for the class of a common exception.
pub fn is_exception(name: &str) -> bool {
    EXCEPTIONS.contains(&name)
}

/// True for a method of some builtin type.
pub fn is_method(name: &str) -> bool {
    types_with(name).next().is_some()
}

/// The builtin types that have a method.
pub fn types_with(name: &str) -> impl Iterator<Item = Methods> {
    METHODS
        .iter()
        .filter(move |(_, names)| names.contains(&name))
        .map(|(of, _)| *of)
}
