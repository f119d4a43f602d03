//! Tables of known modules, builtin classes and functions.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::OnceLock;

use crate::value::Value;

pub(super) fn constant(text: &str) -> Value {
    if let Some(inner) = text.strip_prefix('\'') {
        let inner = inner.strip_suffix('\'').unwrap_or(inner);
        let text = inner
            .replace("\\t", "\t")
            .replace("\\n", "\n")
            .replace("\\r", "\r")
            .replace("\\x0b", "\u{b}")
            .replace("\\x0c", "\u{c}")
            .replace("\\'", "'")
            .replace("\\\\", "\\");
        return Value::str(&text);
    }
    if let "True" | "False" = text {
        return Value::Bool(text == "True");
    }
    match text.parse::<i64>() {
        Ok(i) => Value::Int(i),
        Err(_) => Value::Float(text.parse().unwrap_or(f64::NAN)),
    }
}

/// The kind of a module's member.
pub(super) enum Member {
    Function,
    Class,
    Module,
    /// A part of a package: a module of which nothing else is known unless it is in the table.
    Part,
    /// A builtin class or function under another name.
    Builtin(&'static str),
    /// An exception class, with the builtin one that it derives from.
    Error(&'static str),
    Constant(&'static str),
    /// Another object, with the name of its class.
    Other(&'static str),
    /// A member that a star import skips and of which nothing is known.
    Hidden,
}

pub(super) type Modules = HashMap<&'static str, Vec<(&'static str, Member)>>;

pub(super) fn modules() -> &'static Modules {
    static MODULES: OnceLock<Modules> = OnceLock::new();
    MODULES.get_or_init(|| {
        let mut all = Modules::new();
        let mut current = "";
        for line in include_str!("modules.txt").lines() {
            if let Some(name) = line.strip_prefix('[') {
                current = name.trim_end_matches(']');
                all.entry(current).or_default();
                continue;
            }
            let Some((kind, rest)) = line.split_once(' ') else {
                continue;
            };
            let members = all.entry(current).or_default();
            match kind {
                "f" => members.extend(rest.split(' ').map(|name| (name, Member::Function))),
                "c" => members.extend(rest.split(' ').map(|name| (name, Member::Class))),
                "m" => members.extend(rest.split(' ').map(|name| (name, Member::Module))),
                "s" => members.extend(rest.split(' ').map(|name| (name, Member::Part))),
                "h" => members.extend(rest.split(' ').map(|name| (name, Member::Hidden))),
                "b" | "e" => members.extend(rest.split(' ').filter_map(|row| {
                    let (name, of) = row.split_once(':')?;
                    let member = match kind {
                        "b" => Member::Builtin(of),
                        _ => Member::Error(of),
                    };
                    Some((name, member))
                })),
                "o" => members.extend(rest.split(' ').filter_map(|row| {
                    let (name, class) = row.split_once(':')?;
                    Some((name, Member::Other(class)))
                })),
                "v" => {
                    if let Some((name, value)) = rest.split_once(' ') {
                        members.push((name, Member::Constant(value)));
                    }
                }
                _ => {}
            }
        }
        all
    })
}

/// Whether a module of the table of modules has a private name, which is all that is known of it.
pub(super) fn has_private_name(module: &str, name: &str) -> bool {
    static PRIVATE: OnceLock<Names> = OnceLock::new();
    const OF_EVERY_MODULE: [&str; 11] = [
        "__all__",
        "__builtins__",
        "__cached__",
        "__dict__",
        "__doc__",
        "__file__",
        "__loader__",
        "__name__",
        "__package__",
        "__path__",
        "__spec__",
    ];
    let table = PRIVATE.get_or_init(|| {
        let (mut all, mut current) = (Names::new(), "");
        for line in include_str!("modules.txt").lines() {
            if let Some(name) = line.strip_prefix('[') {
                current = name.trim_end_matches(']');
            } else if let Some(names) = line.strip_prefix("p ") {
                all.insert(current, names.split(' ').collect());
            }
        }
        all
    });
    // The sandbox changes `sys`.
    module == "sys" || OF_EVERY_MODULE.contains(&name) || has(table, module, name)
}

/// Names of attributes, by class.
type Names = HashMap<&'static str, HashSet<&'static str>>;

/// Reads a table of classes and names, without the marks of data.
fn names_in(table: &'static str) -> Names {
    let rows = table.lines().filter_map(|line| {
        let (class, names) = line.split_once(' ').unwrap_or((line, ""));
        let names = names.split(' ').map(|name| name.trim_end_matches('='));
        (!class.is_empty()).then(|| (class, names.collect()))
    });
    rows.collect()
}

/// Methods and attributes of values of builtin types, by type.
fn methods() -> &'static Names {
    static METHODS: OnceLock<Names> = OnceLock::new();
    METHODS.get_or_init(|| names_in(include_str!("methods.txt")))
}

/// Attributes of library classes that the runtime replaces.
fn stand_ins() -> &'static Names {
    static STAND_INS: OnceLock<Names> = OnceLock::new();
    STAND_INS.get_or_init(|| names_in(include_str!("stand_ins.txt")))
}

fn has(table: &Names, class: &str, name: &str) -> bool {
    table.get(class).is_some_and(|names| names.contains(name))
}

/// Returns the last part of the name of a builtin class.
fn plain_name(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

/// Whether a builtin class has an attribute, including those of classes. `None` if that is not
/// known.
pub(super) fn class_has(class: &str, name: &str) -> Option<bool> {
    // Bases that add nothing to `object` that programs look up.
    const PLAIN: [&str; 3] = ["abc.ABC", "typing.Generic", "typing.Protocol"];
    let kind = match PLAIN.contains(&class) && !name.starts_with("__") && !name.starts_with("_abc")
    {
        true => "object",
        false => plain_name(class),
    };
    let known = methods().contains_key(kind).then(|| {
        ["object", "type", kind]
            .iter()
            .any(|kind| has(methods(), kind, name))
    });
    known.or_else(|| {
        let names = stand_ins().get(class)?;
        Some(names.contains(name) || has(methods(), "object", name) || has(methods(), "type", name))
    })
}

/// Whether the methods of a builtin type are known.
pub(super) fn is_listed(kind: &str) -> bool {
    methods().contains_key(kind.rsplit('.').next().unwrap_or(kind))
}

/// Whether values of a builtin type have a method or attribute.
pub(super) fn has_method(kind: &str, name: &str) -> bool {
    let kind = plain_name(kind);
    if has(methods(), "object", name) || has(methods(), kind, name) {
        return true;
    }
    if methods().contains_key(kind) {
        return false;
    }
    match name {
        "__next__" | "__iter__" => kind.ends_with("iterator"),
        _ => !name.starts_with("__"),
    }
}

/// Returns the names of a builtin type, including those of `object`, in order. `None` if they are
/// not known.
pub(super) fn names_of(kind: &str) -> Option<BTreeSet<&'static str>> {
    let of_object = methods().get("object")?.iter().copied();
    let own = methods().get(plain_name(kind))?.iter().copied();
    Some(of_object.chain(own).collect())
}

/// Whether an attribute of a builtin type's values is not a method.
pub(super) fn is_data(kind: &str, name: &str) -> bool {
    static DATA: OnceLock<HashSet<(&str, &str)>> = OnceLock::new();
    let data = DATA.get_or_init(|| {
        let rows = include_str!("methods.txt").lines();
        let rows = rows.filter_map(|line| line.split_once(' '));
        let marked = rows.flat_map(|(kind, names)| {
            let names = names.split(' ').filter_map(|name| name.strip_suffix('='));
            names.map(move |name| (kind, name))
        });
        marked.collect()
    });
    data.contains(&(plain_name(kind), name))
}

/// Whether a library class that the runtime replaces has a name, which the runtime may lack.
pub(in crate::machine) fn library_has(dotted: &str, name: &str) -> bool {
    let of_numpy = || {
        NUMPY_ARRAY_NAMES
            .split_whitespace()
            .any(|known| known == name)
    };
    has(stand_ins(), dotted, name)
        || has(methods(), plain_name(dotted), name)
        || dotted.starts_with("numpy.") && of_numpy()
}

/// Whether `numpy` has a name. One that the runtime lacks is unsupported, and not an error of the
/// program.
pub(super) fn numpy_has(name: &str) -> bool {
    let mut names = include_str!("numpy_names.txt").split_whitespace();
    name.starts_with("__") || names.any(|known| known == name)
}

/// Attributes of numpy's arrays and numbers.
const NUMPY_ARRAY_NAMES: &str = include_str!("numpy_array_names.txt");

/// Returns the names in the namespace of such a class, in order.
pub(super) fn own_names(dotted: &str) -> Option<Vec<&'static str>> {
    let line = include_str!("stand_ins.txt").lines().find(|line| {
        line.strip_prefix(dotted)
            .is_some_and(|rest| rest.starts_with(' '))
    })?;
    let names = line.split(' ').skip(1).take_while(|name| *name != "|");
    Some(names.collect())
}

/// Returns the names in the `__dict__` of a class of the language, in order; for `builtins`, those
/// that `dir` lists.
pub(super) fn own_members(class: &str) -> Option<Vec<&'static str>> {
    let mut rows = include_str!("own_members.txt").lines();
    rows.find_map(|row| {
        let (name, members) = row.split_once(' ')?;
        (name == class).then(|| members.split(' ').collect())
    })
}

/// Native modules of which all names are known.
const NATIVE: [&str; 6] = ["_signal", "_socket", "_sre", "_ssl", "builtins", "select"];

/// Returns the names that `dir` lists for a native module.
pub(super) fn listed_of_module(module: &str) -> Option<BTreeSet<&'static str>> {
    if !NATIVE.contains(&module) {
        return None;
    }
    if let Some(names) = own_members(module) {
        return Some(names.into_iter().collect());
    }
    let every = [
        "__doc__",
        "__file__",
        "__loader__",
        "__name__",
        "__package__",
        "__spec__",
    ];
    // These are in the interpreter itself.
    let has_file = !["_signal", "_sre"].contains(&module);
    let every = every
        .into_iter()
        .filter(|name| has_file || *name != "__file__");
    let private: &[&str] = match module {
        "_ssl" => &[
            "_DEFAULT_CIPHERS",
            "_OPENSSL_API_VERSION",
            "_SSLContext",
            "_SSLSocket",
            "_test_decode_cert",
        ],
        _ => &[],
    };
    let members = modules().get(module)?.iter().map(|(name, _)| *name);
    Some(
        members
            .chain(every)
            .chain(private.iter().copied())
            .collect(),
    )
}

/// Returns the abstract classes that a builtin class counts as. `None` if that is not known.
pub(super) fn abstract_classes(class: &str) -> Option<&'static HashSet<&'static str>> {
    static ABSTRACT: OnceLock<Names> = OnceLock::new();
    let table = ABSTRACT.get_or_init(|| names_in(include_str!("abstract_classes.txt")));
    table.get(plain_name(class))
}

pub(super) const CLASSES: [&str; 26] = [
    "type",
    "int",
    "float",
    "complex",
    "str",
    "bytes",
    "bytearray",
    "list",
    "tuple",
    "dict",
    "set",
    "frozenset",
    "range",
    "slice",
    "property",
    "staticmethod",
    "classmethod",
    "super",
    "NoneType",
    "ellipsis",
    "NotImplementedType",
    "function",
    "method",
    "builtin_function_or_method",
    "collections.deque",
    "generator",
];

/// Classes that have no builtin name.
pub(super) const UNNAMED: [&str; 7] = [
    "NoneType",
    "ellipsis",
    "NotImplementedType",
    "function",
    "method",
    "builtin_function_or_method",
    "generator",
];

/// Base classes, each with its subclasses.
pub(super) const ERRORS: [&str; 16] = [
    "object BaseException",
    "BaseException Exception GeneratorExit KeyboardInterrupt SystemExit",
    "Exception ArithmeticError AssertionError AttributeError BufferError EOFError ImportError \
     LookupError MemoryError NameError OSError ReferenceError RuntimeError StopIteration \
     StopAsyncIteration SyntaxError SystemError TypeError ValueError Warning",
    "ArithmeticError FloatingPointError OverflowError ZeroDivisionError",
    "ImportError ModuleNotFoundError",
    "LookupError IndexError KeyError",
    "NameError UnboundLocalError",
    "OSError BlockingIOError ChildProcessError ConnectionError FileExistsError FileNotFoundError \
     InterruptedError IsADirectoryError NotADirectoryError PermissionError ProcessLookupError \
     TimeoutError",
    "ConnectionError BrokenPipeError ConnectionAbortedError ConnectionRefusedError \
     ConnectionResetError",
    "RuntimeError NotImplementedError RecursionError",
    "SyntaxError IndentationError",
    "IndentationError TabError",
    "ValueError UnicodeError",
    "UnicodeError UnicodeDecodeError UnicodeEncodeError UnicodeTranslateError",
    "Warning BytesWarning DeprecationWarning EncodingWarning FutureWarning ImportWarning \
     PendingDeprecationWarning ResourceWarning RuntimeWarning SyntaxWarning UnicodeWarning \
     UserWarning",
    "ValueError json.JSONDecodeError",
];

/// Builtin functions that are not classes.
pub(super) const FUNCTIONS: [&str; 52] = [
    "__build_class__",
    "__import__",
    "abs",
    "aiter",
    "all",
    "anext",
    "any",
    "ascii",
    "bin",
    "breakpoint",
    "callable",
    "chr",
    "compile",
    "copyright",
    "credits",
    "delattr",
    "dir",
    "divmod",
    "eval",
    "exec",
    "exit",
    "format",
    "getattr",
    "globals",
    "hasattr",
    "hash",
    "help",
    "hex",
    "id",
    "input",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "license",
    "locals",
    "max",
    "memoryview",
    "min",
    "next",
    "oct",
    "open",
    "ord",
    "pow",
    "print",
    "quit",
    "repr",
    "round",
    "setattr",
    "sorted",
    "sum",
    "vars",
];

/// Builtin classes of iterators. Functions of the runtime with the same names make them.
pub(super) const ITERATORS: [&str; 5] = ["map", "filter", "zip", "enumerate", "reversed"];

/// Builtins that are functions or classes of the runtime.
pub(super) const RUNTIME: [&str; 3] = ["ExceptionGroup", "BaseExceptionGroup", "memoryview"];
