//! What is known of modules, builtin classes and functions: tables.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::fold::type_name::ITERTOOLS;
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
    match text.parse::<i64>() {
        Ok(i) => Value::Int(i),
        Err(_) => Value::Float(text.parse().unwrap_or(f64::NAN)),
    }
}

/// What a member of a module is.
pub(super) enum Member {
    Function,
    Class,
    Module,
    /// A part of a package, which is a module that nothing more is known of unless it stands in the table.
    Part,
    /// A builtin class or function under another name.
    Builtin(&'static str),
    /// A class of exceptions, with the builtin one that it derives from.
    Error(&'static str),
    Constant(&'static str),
    /// Another object, with the name of its class.
    Other(&'static str),
    /// What no star imports and of which nothing is known.
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

/// The methods and attributes of builtin types, by type.
fn methods() -> &'static HashMap<&'static str, Vec<&'static str>> {
    static METHODS: OnceLock<HashMap<&'static str, Vec<&'static str>>> = OnceLock::new();
    METHODS.get_or_init(|| {
        let rows = include_str!("methods.txt").lines().filter_map(|line| {
            let (kind, names) = line.split_once(' ')?;
            Some((kind, names.split(' ').collect()))
        });
        rows.collect()
    })
}

/// Whether a builtin class is known not to have an attribute.
pub(super) fn lacks(class: &str, name: &str) -> bool {
    match methods().get(class) {
        Some(names) => !names.contains(&name),
        None => class == "object" && !methods()["int"].contains(&name),
    }
}

/// Whether values of a builtin type have a method or attribute.
pub(super) fn has_method(kind: &str, name: &str) -> bool {
    let kind = kind.rsplit('.').next().unwrap_or(kind);
    match methods().get(kind) {
        Some(names) => names.contains(&name),
        None if matches!(name, "__next__" | "__iter__") => {
            let own = ["map", "zip", "filter", "enumerate", "reversed"];
            kind.ends_with("iterator") || own.contains(&kind) || ITERTOOLS.contains(&kind)
        }
        None => !name.starts_with("__"),
    }
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

/// Classes that no builtin name stands for.
pub(super) const UNNAMED: [&str; 7] = [
    "NoneType",
    "ellipsis",
    "NotImplementedType",
    "function",
    "method",
    "builtin_function_or_method",
    "generator",
];

/// Base and what derives from it.
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

/// Builtin functions that are no classes.
pub(super) const FUNCTIONS: [&str; 49] = [
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

/// Builtins that are functions or generators of the runtime.
pub(super) const RUNTIME: [&str; 8] = [
    "map",
    "filter",
    "zip",
    "enumerate",
    "reversed",
    "ExceptionGroup",
    "BaseExceptionGroup",
    "memoryview",
];

/// What `prelude.py` can call beside the builtins.
pub(super) const INTRINSICS: [&str; 70] = [
    "_remember",
    "_remembered",
    "_data",
    "_own_names",
    "_instance",
    "_scalar",
    "_base",
    "_rename",
    "_zipped",
    "_filled",
    "_range",
    "_int",
    "_fixed",
    "_scientific",
    "_pop",
    "_put",
    "_items",
    "_scalars",
    "_type_name",
    "_next",
    "_len",
    "_push",
    "_write",
    "_text",
    "_find",
    "_ask",
    "_sort_by",
    "_classof",
    "_own",
    "_throw",
    "_guess",
    "_final_next",
    "_ready",
    "_unknown",
    "_kind",
    "_init",
    "_reverse_iter",
    "_carry",
    "_unwrapped",
    "_spelled",
    "_re_compile",
    "_re_find",
    "_codec",
    "_twister",
    "_twister_float",
    "_twister_bits",
    "_own_attribute",
    "_mro",
    "_set_own",
    "_stderr",
    "_caller",
    "_doctest_run",
    "_stack_new",
    "_stack_switch",
    "_stack_leave",
    "_handled",
    "_places",
    "_program_names",
    "_open_agens",
    "_locals_of",
    "_addressed",
    "_percent_fields",
    "_percent_spelled",
    "_identical",
    "_copied",
    "_copied_deeply",
    "_copies_plainly",
    "_weak",
    "_weak_watch",
    "_weak_get",
];
