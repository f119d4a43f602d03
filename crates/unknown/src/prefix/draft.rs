//! A prefix under construction: its imports, its values, the answers of its stand-ins, and its
//! text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

pub(super) use super::roots::{Home, Roots};
use super::stand_in::{self, Features};

/// A value as a prefix writes it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A stand-in: it supports every operation.
    StandIn,
    /// A stand-in with another path.
    StandInAt(String),
    /// An expression.
    Code(String),
    /// A class to derive from.
    Class,
    /// A class of exceptions.
    Exception,
    /// A list of values.
    List(Vec<Self>),
    /// A tuple of values.
    Tuple(Vec<Self>),
    /// A dictionary with strings for keys.
    Dict(Vec<(String, Self)>),
}

impl Value {
    /// A string.
    pub(super) fn text(text: &str) -> Self {
        Self::Code(quoted(text))
    }

    /// Returns this number of stand-ins.
    pub(super) fn items(count: usize) -> Vec<Self> {
        vec![Self::StandIn; count]
    }

    /// Sets the value at the end of a path inside this one; `[]` means every element. Returns false
    /// if anything but subscripts leads there, or if stand-ins on the way have their own paths.
    fn put(&mut self, path: &str, value: &Self) -> bool {
        if path.is_empty() {
            *self = value.clone();
            return true;
        }
        let inside = path.strip_prefix('[').and_then(|p| p.split_once(']'));
        let Some((key, rest)) = inside else {
            return false;
        };
        match self {
            Self::Dict(items) => {
                let key = key.trim_matches('"');
                if !items.iter().any(|(k, _)| k == key) {
                    items.push((key.to_owned(), Self::StandIn));
                }
                let found = items.iter_mut().find(|(k, _)| k == key);
                found.is_some_and(|(_, item)| item.put(rest, value))
            }
            Self::List(items) if key.is_empty() => {
                let mut all = !items.is_empty();
                for item in items {
                    all &= item.put(rest, value);
                }
                all
            }
            Self::List(items) | Self::Tuple(items) => {
                let item = key.parse().ok().and_then(|at: usize| items.get_mut(at));
                item.is_some_and(|item| item.put(rest, value))
            }
            _ => false,
        }
    }

    /// Returns the expression for a value under `path`.
    fn expression(&self, path: &str) -> String {
        let items = |items: &[Self], numbered: bool| {
            let one = |(k, item): (usize, &Self)| {
                let step = if numbered {
                    format!("[{k}]")
                } else {
                    "[]".to_owned()
                };
                item.expression(&(path.to_owned() + &step))
            };
            let all: Vec<String> = items.iter().enumerate().map(one).collect();
            all.join(", ")
        };
        match self {
            Self::StandIn => format!("StandIn({})", quoted(path)),
            Self::StandInAt(path) => format!("StandIn({})", quoted(path)),
            Self::Code(code) => code.clone(),
            Self::Class => format!(
                "type({}, (), dict(__init__=lambda *_, **__: None, __getattr__=lambda self, name: \
                 StandIn(\"self.\" + name)))",
                quoted(last_name(path))
            ),
            Self::Exception => format!("type({}, (Exception,), {{}})", quoted(last_name(path))),
            Self::List(values) => format!("[{}]", items(values, false)),
            Self::Tuple(values) if values.len() == 1 => format!("({},)", items(values, true)),
            Self::Tuple(values) => format!("({})", items(values, true)),
            Self::Dict(values) => {
                let one = |(key, value): &(String, Self)| {
                    let path = format!("{path}[{key:?}]");
                    format!("{}: {}", quoted(key), value.expression(&path))
                };
                let all: Vec<String> = values.iter().map(one).collect();
                format!("{{{}}}", all.join(", "))
            }
        }
    }
}

/// A prefix under construction; see the module.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Draft {
    /// Roots of paths and their origins, in the order in which the program needs them.
    pub roots: Roots,
    /// Import statements by the name that they bind.
    pub imports: BTreeMap<String, String>,
    /// Values by path, including those of the roots.
    pub values: BTreeMap<String, Value>,
    /// Answers by path and question; several answers take turns.
    pub answers: BTreeMap<String, Vec<i64>>,
    /// Exceptions that a path raises once, as expressions.
    pub raises: BTreeMap<String, String>,
    /// Functions of real modules that are replaced with stand-ins, by dotted name, with the path of
    /// the stand-in.
    pub patches: BTreeMap<String, String>,
    /// The package of relative imports.
    pub package: Option<String>,
    /// Lines by subject.
    pub lines: BTreeMap<&'static str, String>,
    /// Whether stand-ins are plain objects, not strings.
    pub objects: bool,
    /// Whether installed packages are replaced with stand-ins too.
    pub made_up: bool,
    /// What the program uses.
    pub features: Features,
    /// Whether functions of the program are called after it ends.
    pub calls: bool,
}

impl Draft {
    /// Whether it takes so much memory that there cannot be many like it.
    pub(super) fn is_large(&self) -> bool {
        self.roots.len() + self.values.len() > 2_000
    }

    /// Whether the prefix chooses the value under this path.
    pub(super) fn owns(&self, path: &str) -> bool {
        let root = root_of(path);
        self.roots.has(root) && !self.imports.contains_key(root) || self.is_patched(path)
    }

    /// Returns the text.
    pub(super) fn text(&self) -> String {
        self.text_with(&stand_in::class(&self.features, !self.objects))
    }

    /// Returns the text with this class of stand-ins, if it needs one.
    pub(super) fn text_with(&self, class: &str) -> String {
        let mut imports = BTreeSet::new();
        let mut modules = String::new();
        let mut names = String::new();
        let mut given = String::new();
        for (root, home) in self.roots.iter() {
            if let Some(import) = self.imports.get(root) {
                imports.insert(import.clone());
                continue;
            }
            let value = self.values.get(root).unwrap_or(&Value::StandIn);
            match home {
                Home::Module(module) => {
                    imports.insert("import sys".to_owned());
                    let module = quoted(module);
                    let _ = writeln!(
                        modules,
                        "sys.modules[{module}] = {}",
                        value.expression(root)
                    );
                }
                Home::Of(module, name) => {
                    imports.insert("import sys".to_owned());
                    let place = format!("sys.modules[{}].{name}", quoted(module));
                    names.push_str(&binding(&place, root, value));
                }
                Home::Name => names.push_str(&binding(root, root, value)),
                Home::Parameter => {}
            }
        }
        if let Some(package) = &self.package {
            let _ = writeln!(modules, "__package__ = {}", quoted(package));
        }
        for (path, value) in &self.values {
            let bound = self.roots.homes(path).any(|home| *home != Home::Parameter);
            if bound || !self.owns(path) || self.patches.values().any(|p| p == path) {
                continue;
            }
            let _ = writeln!(given, "    {}: {},", quoted(path), value.expression(path));
        }
        for (question, said) in &self.answers {
            let is_number = question.ends_with(" len") || question.ends_with(" int");
            let one = |n: &i64| match (is_number, n) {
                (true, n) => n.to_string(),
                (false, 0) => "False".to_owned(),
                (false, _) => "True".to_owned(),
            };
            let said = match said.as_slice() {
                [only] => one(only),
                few if few.len() <= 6 => {
                    format!("[{}]", few.iter().map(one).collect::<Vec<_>>().join(", "))
                }
                // As runs of equal items.
                many => {
                    let runs = many.chunk_by(|a, b| a == b);
                    let runs = runs.map(|run| format!("[{}] * {}", one(&run[0]), run.len()));
                    runs.collect::<Vec<_>>().join(" + ")
                }
            };
            let _ = writeln!(given, "    {}: {said},", quoted(question));
        }
        let mut patches = String::new();
        for (target, path) in &self.patches {
            if let Some((module, _)) = target.rsplit_once('.') {
                imports.insert(format!("import {module}"));
            }
            let value = self.values.get(path).unwrap_or(&Value::StandIn);
            let _ = writeln!(patches, "{target} = {}", value.expression(path));
        }
        for line in self.lines.values() {
            for part in line.lines() {
                if part.starts_with("import ") || part.starts_with("from ") {
                    imports.insert(part.to_owned());
                } else {
                    let _ = writeln!(patches, "{part}");
                }
            }
        }
        if self.calls {
            imports.insert("import atexit".to_owned());
            names.push_str(stand_in::calls());
        }
        let mut body = modules + &patches + &names;
        let mut text = String::new();
        for import in &imports {
            let _ = writeln!(text, "{import}");
        }
        if body.contains("StandIn(") || given.contains("StandIn(") {
            text.push_str(class);
            // After the names, since its values may refer to them.
            if given.is_empty() {
                body.push_str("GIVEN = {}\n");
            } else {
                let _ = write!(body, "GIVEN = {{\n{given}}}\n");
            }
            for (path, raised) in &self.raises {
                let _ = writeln!(body, "GIVEN[{}] = {raised}  # raised once", quoted(path));
            }
        }
        text + &body
    }

    fn is_patched(&self, path: &str) -> bool {
        let below = |rest: &str| rest.is_empty() || rest.starts_with(['(', '.', '[', ' ']);
        let mut patches = self.patches.values();
        patches.any(|p| path.strip_prefix(p.as_str()).is_some_and(below))
    }

    /// Sets the value under a path.
    pub(super) fn set(&mut self, path: &str, value: Value) {
        self.raises.remove(path);
        if self.set_inside(path, &value) {
            return;
        }
        if value == Value::StandIn && path.contains(['.', '(', '[']) {
            self.values.remove(path);
        } else {
            self.values.insert(path.to_owned(), value);
        }
    }

    /// Sets a value inside a collection. If the collection cannot express it, it becomes a
    /// stand-in.
    fn set_inside(&mut self, path: &str, value: &Value) -> bool {
        let ends = path.match_indices(['.', '[', '(']).map(|(at, _)| at);
        for end in ends.filter(|at| *at > 0) {
            let Some(whole) = self.values.get_mut(&path[..end]) else {
                continue;
            };
            match whole {
                Value::StandIn | Value::StandInAt(_) | Value::Class | Value::Exception => {}
                whole => {
                    if whole.put(&path[end..], value) {
                        return true;
                    }
                    if !matches!(whole, Value::List(_) | Value::Tuple(_) | Value::Dict(_))
                        || !path[end..].starts_with('[')
                    {
                        *whole = Value::StandIn;
                    }
                }
            }
        }
        false
    }

    /// Returns the value under a path.
    pub(super) fn value(&self, path: &str) -> &Value {
        self.values.get(path).unwrap_or(&Value::StandIn)
    }
}

/// Returns the statements that bind a value to a place.
fn binding(place: &str, name: &str, value: &Value) -> String {
    let again = if place == name {
        String::new()
    } else {
        format!("{place} = {name}\n")
    };
    match value {
        Value::Exception => format!("class {name}(Exception): pass\n{again}"),
        Value::Class => format!(
            "class {name}:\n    def __init__(self, *_, **__): pass\n    \
             def __getattr__(self, name):\n        \
             if name[:2] == \"__\": raise AttributeError(name)\n        \
             return StandIn(\"self.\" + name)\n{again}"
        ),
        value => format!("{place} = {}\n", value.expression(name)),
    }
}

/// Returns the name that a path begins with.
pub(super) fn root_of(path: &str) -> &str {
    let end = path.find(['.', '[', '(', ' ']).unwrap_or(path.len());
    &path[..end]
}

fn last_name(path: &str) -> &str {
    let name = path.rsplit('.').next().unwrap_or(path);
    let name = name.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
    if name.is_empty() { "Missing" } else { name }
}

/// Returns a string as a Python literal.
pub(super) fn quoted(text: &str) -> String {
    if text.contains('"') && !text.contains(['\'', '\\', '\n', '\r']) {
        return format!("'{text}'");
    }
    serde_json::to_string(text).unwrap_or_default()
}
