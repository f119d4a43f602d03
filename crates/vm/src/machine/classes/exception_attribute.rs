//! Attributes that exceptions have beside those that the program set.

use std::sync::Arc;

use crate::machine::classes::attribute::Found;
use crate::machine::eval::eval_loop::broken;
use crate::machine::{Flow, Machine, Run};
use crate::text;
use crate::value::{Attributes, Object, ObjectId, Value};

/// The attribute that holds the file name of an `OSError`. No program can reach it by this name.
pub(crate) const FILE_NAME: &str = " filename";
/// The same for the second file, such as the target of a rename.
const SECOND_NAME: &str = " filename2";

/// The subclass of `OSError` for each error number.
const OF_NUMBERS: [(i64, &str); 17] = [
    (1, "PermissionError"),
    (2, "FileNotFoundError"),
    (3, "ProcessLookupError"),
    (4, "InterruptedError"),
    (10, "ChildProcessError"),
    (11, "BlockingIOError"),
    (13, "PermissionError"),
    (17, "FileExistsError"),
    (20, "NotADirectoryError"),
    (21, "IsADirectoryError"),
    (32, "BrokenPipeError"),
    (103, "ConnectionAbortedError"),
    (104, "ConnectionResetError"),
    (108, "BrokenPipeError"),
    (110, "TimeoutError"),
    (111, "ConnectionRefusedError"),
    (114, "BlockingIOError"),
];

impl Machine {
    /// Returns the class and the attributes of a new exception: `OSError(2, "why", "file")` is a
    /// `FileNotFoundError` with two arguments.
    pub(in crate::machine) fn exception_parts(
        &mut self,
        class: ObjectId,
        mut arguments: Vec<Value>,
    ) -> (ObjectId, Attributes) {
        let mut class = class;
        let mut attributes = Attributes::default();
        let of_system = self.runtime.classes.get("OSError").copied();
        if (2..=5).contains(&arguments.len())
            && let Some(base) = of_system.filter(|base| self.derives(class, *base))
        {
            let number = match arguments.first() {
                Some(Value::Int(number)) => Some(*number),
                _ => None,
            };
            let found = OF_NUMBERS.iter().find(|(known, _)| Some(*known) == number);
            if class == base
                && let Some((_, name)) = found
            {
                class = self.class_id(name);
            }
            if arguments.len() > 2 {
                attributes.insert(FILE_NAME.into(), arguments[2].clone());
                if let Some(second) = arguments.get(4).filter(|second| **second != Value::None) {
                    attributes.insert(SECOND_NAME.into(), second.clone());
                }
                arguments.truncate(2);
            }
        }
        attributes.insert("args".into(), self.heap.tuple(arguments));
        (class, attributes)
    }

    /// Returns the message of an `OSError` with a number and a reason.
    pub(in crate::machine) fn system_error(&self, error: &Value, args: &[Value]) -> String {
        let text = |value: &Value| text::str(&self.heap, value).unwrap_or_default();
        let mut said = format!("[Errno {}] {}", text(&args[0]), text(&args[1]));
        if let Some(Object::Instance { attributes, .. }) = self.heap.object(error) {
            for (name, before) in [(FILE_NAME, ": "), (SECOND_NAME, " -> ")] {
                if let Some(file) = attributes.get(name) {
                    said.push_str(before);
                    said.push_str(&text::repr(&self.heap, file).unwrap_or_default());
                }
            }
        }
        said
    }

    /// Returns the message of a `SyntaxError` with a position: `bad (name.py, line 1)`. `None` if
    /// it has no position.
    pub(in crate::machine) fn syntax_error(&self, error: &Value, args: &[Value]) -> Option<String> {
        let [message, place] = args else { return None };
        let place = match self.heap.object(place) {
            Some(Object::Tuple(place)) if self.is_a(error, "SyntaxError") => place,
            _ => return None,
        };
        let message = text::str(&self.heap, message)?;
        let file = match place.first() {
            Some(Value::Str(path)) => path.rsplit('/').next(),
            _ => None,
        };
        let line = match place.get(1) {
            Some(Value::Int(line)) => Some(line),
            _ => None,
        };
        Some(match (file, line) {
            (Some(file), Some(line)) => format!("{message} ({file}, line {line})"),
            (Some(file), None) => format!("{message} ({file})"),
            (None, Some(line)) => format!("{message} (line {line})"),
            (None, None) => message,
        })
    }

    /// Returns the names of the builtin classes in the MRO of a class.
    fn builtin_bases(&self, class: ObjectId) -> Vec<Arc<str>> {
        let mro = match self.heap.get(class) {
            Object::Class(class) => class.mro.as_slice(),
            _ => &[],
        };
        let names = mro.iter().filter_map(|id| match self.heap.get(*id) {
            Object::Class(class) => class.builtin.clone(),
            _ => None,
        });
        names.collect()
    }

    /// Looks up attributes that exceptions have beside those that the program set.
    pub(in crate::machine) fn exception_attribute(
        &mut self,
        value: &Value,
        name: &str,
    ) -> Run<Found> {
        let Some(Object::Instance {
            class, attributes, ..
        }) = self.heap.object(value)
        else {
            return Err(broken("exception"));
        };
        let kinds = self.builtin_bases(*class);
        let is = |kind: &str| kinds.iter().any(|known| **known == *kind);
        let file = attributes.get(FILE_NAME).cloned();
        let second = attributes.get(SECOND_NAME).cloned();
        let args = attributes.get("args");
        let args = args.and_then(|args| match self.heap.object(args) {
            Some(Object::Tuple(args)) => Some(args.to_vec()),
            _ => None,
        });
        let args = args.unwrap_or_default();
        Ok(match name {
            "with_traceback" | "add_note" => Found::Value(self.heap.make(Object::BuiltinMethod {
                receiver: value.clone(),
                name: name.into(),
            })),
            "__suppress_context__" => {
                Found::Value(Value::Bool(attributes.contains_key("__cause__")))
            }
            "__traceback__" => {
                let function = self.library_value("traceback", "_traceback_of")?;
                Found::Call(function, vec![value.clone()])
            }
            "__cause__" | "__context__" => Found::Value(Value::None),
            "name"
                if ["NameError", "ImportError", "AttributeError"]
                    .iter()
                    .any(|kind| is(kind)) =>
            {
                let name = match args.as_slice() {
                    [Value::Str(text)] => named(text),
                    _ => None,
                };
                Found::Value(name.map_or(Value::None, Value::str))
            }
            "value" if is("StopIteration") => {
                Found::Value(args.into_iter().next().unwrap_or(Value::None))
            }
            "code" if is("SystemExit") => Found::Value(match args.len() {
                0 => Value::None,
                1 => args[0].clone(),
                _ => self.heap.tuple(args),
            }),
            "msg" | "lineno" | "colno" | "pos" if is("json.JSONDecodeError") => {
                let text = match args.first() {
                    Some(Value::Str(text)) => text.to_string(),
                    _ => String::new(),
                };
                Found::Value(
                    decoding(&text, name)
                        .ok_or_else(|| Flow::Unsupported(format!("{name} of an exception")))?,
                )
            }
            "encoding" | "object" | "start" | "end" | "reason"
                if args.len() == 5 && is("UnicodeError") =>
            {
                let names = ["encoding", "object", "start", "end", "reason"];
                let at = names.iter().position(|known| *known == name);
                Found::Value(args[at.unwrap_or_default()].clone())
            }
            "errno" | "strerror" if is("OSError") => {
                let found = args.get(usize::from(name == "strerror"));
                let found = found.filter(|_| args.len() == 2);
                Found::Value(found.cloned().unwrap_or(Value::None))
            }
            "filename" if is("OSError") => Found::Value(file.unwrap_or(Value::None)),
            "filename2" if is("OSError") => Found::Value(second.unwrap_or(Value::None)),
            "msg" if is("ImportError") => Found::Value(match args.as_slice() {
                [one] => one.clone(),
                _ => Value::None,
            }),
            "msg" if is("SyntaxError") => {
                Found::Value(args.into_iter().next().unwrap_or(Value::None))
            }
            _ if is("SyntaxError")
                && let Some(at) = PLACES.iter().position(|p| *p == name) =>
            {
                let place = args.get(1).and_then(|place| self.known_items(place));
                let found = place.and_then(|place| place.get(at).cloned());
                Found::Value(found.unwrap_or(Value::None))
            }
            _ if kinds.iter().any(|kind| kind.contains('.')) => {
                return Err(Flow::Unsupported(format!("{name} of an exception")));
            }
            _ => {
                let mut holders = EXCEPTION_ATTRIBUTES.iter();
                match holders.any(|(kind, names)| names.contains(&name) && is(kind)) {
                    true => return Err(Flow::Unsupported(format!("{name} of an exception"))),
                    false => Found::Missing,
                }
            }
        })
    }
}

/// Returns the name that a message of the machine is about, as in `name 'x' is not defined`.
fn named(text: &str) -> Option<&str> {
    let quoted = |text: &'_ str, before: &str| -> Option<usize> {
        text.find(before).map(|at| at + before.len())
    };
    let begins = [
        "No module named '",
        "name '",
        "has no attribute '",
        "local variable '",
    ];
    let from = begins.iter().find_map(|before| quoted(text, before))?;
    text[from..].split('\'').next()
}

/// Reads an attribute from the message of a `JSONDecodeError`:
/// `Extra data: line 1 column 3 (char 2)`.
fn decoding(text: &str, name: &str) -> Option<Value> {
    let (message, place) = text.rsplit_once(": line ")?;
    let (line, place) = place.split_once(" column ")?;
    let (column, place) = place.split_once(" (char ")?;
    let number = |text: &str| text.parse().ok().map(Value::Int);
    match name {
        "msg" => Some(Value::str(message)),
        "lineno" => number(line),
        "colno" => number(column),
        _ => number(place.strip_suffix(')')?),
    }
}

/// Attributes of a `SyntaxError`, in the order of its second argument.
const PLACES: [&str; 6] = [
    "filename",
    "lineno",
    "offset",
    "text",
    "end_lineno",
    "end_offset",
];

/// Attributes of exceptions that are not known here, with the class that has them.
const EXCEPTION_ATTRIBUTES: [(&str, &[&str]); 7] = [
    ("BaseException", &["__setstate__"]),
    (
        "OSError",
        &[
            "errno",
            "strerror",
            "filename",
            "filename2",
            "characters_written",
        ],
    ),
    ("ImportError", &["msg", "name", "path"]),
    ("NameError", &["name"]),
    ("AttributeError", &["name", "obj"]),
    (
        "UnicodeError",
        &["encoding", "object", "start", "end", "reason"],
    ),
    (
        "BaseExceptionGroup",
        &["message", "exceptions", "subgroup", "split", "derive"],
    ),
];
