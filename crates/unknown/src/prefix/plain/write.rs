//! Values as a person would write them: plain ones, `SimpleNamespace` and lambdas with what is used
//! of them, `MagicMock` if neither suffices.

mod items;
mod leaf;
mod mock;

use std::collections::{BTreeMap, BTreeSet};

use super::super::draft::{Draft, Home, Value, quoted};
use super::super::snippet::Snippet;
use super::shape::{Node, Shape};

/// Deeper values are `None`.
const DEEPEST: usize = 24;
/// Longer values are unreadable.
const LONGEST: usize = 2000;
/// A value that must be a number.
pub(super) const NUMBER: u8 = 1;
/// A value that must be a string.
pub(super) const WORD: u8 = 2;
/// A value that must be a `MagicMock`.
pub(super) const MOCK: u8 = 3;

/// Second choices for writing values, by path: for a value that nothing is taken from, a number,
/// then a string; `MOCK` for any value.
pub(super) type Ways = BTreeMap<String, u8>;

/// Writes the values of one prefix.
pub(super) struct Writer<'a> {
    pub snippet: &'a Snippet,
    pub draft: &'a Draft,
    pub shape: &'a Shape,
    pub ways: &'a Ways,
    /// Import statements that the text needs.
    pub imports: BTreeSet<&'static str>,
    /// Whether a value could not be written.
    pub failed: bool,
    open: Vec<String>,
    /// Values that are compared with others, as expressions.
    compared: BTreeMap<String, String>,
}

/// The evidence about a value.
struct Parts<'n> {
    node: &'n Node,
    /// Attributes.
    attributes: Vec<&'n str>,
    /// Subscripts: strings and numbers, as written.
    keys: Vec<&'n str>,
    called: bool,
    /// Whether any item is taken.
    any: bool,
    sliced: bool,
    entered: bool,
    iterated: bool,
}

static NOTHING: Node = Node {
    steps: Vec::new(),
    said: BTreeMap::new(),
    lines: BTreeSet::new(),
};

impl<'n> Parts<'n> {
    fn of(node: &'n Node) -> Self {
        let steps = || node.steps.iter().map(String::as_str);
        let names = steps().filter_map(|s| s.strip_prefix('.'));
        let keys = steps().filter_map(|s| s.strip_prefix('[')?.strip_suffix(']'));
        Self {
            node,
            attributes: names.filter(|n| *n != "__enter__").collect(),
            keys: keys.filter(|k| !matches!(*k, "" | ":")).collect(),
            called: steps().any(|s| s == "()"),
            any: steps().any(|s| s == "[]"),
            sliced: steps().any(|s| s == "[:]"),
            entered: steps().any(|s| s == ".__enter__"),
            iterated: node.said.contains_key("len"),
        }
    }

    /// Returns the answer to a question, if it was always the same.
    fn always(&self, question: &str) -> Option<i64> {
        let said = self.node.said.get(question)?;
        let first = *said.first()?;
        said.iter().all(|s| *s == first).then_some(first)
    }

    fn has_items(&self) -> bool {
        !self.keys.is_empty() || self.any || self.sliced || self.iterated
    }

    /// Whether it was asked questions that neither a namespace nor a lambda answers.
    fn is_asked_more(&self) -> bool {
        self.node
            .said
            .keys()
            .any(|question| match question.as_str() {
                "bool" => self.always("bool") != Some(1),
                "len" | "isinstance" | "issubclass" => false,
                question if question.starts_with("==") => self.node.said[question].contains(&1),
                question if question.starts_with("!=") => self.node.said[question].contains(&0),
                _ => true,
            })
    }
}

fn step(path: &str, step: &str) -> String {
    format!("{path}{step}")
}

/// Returns alternating answers as an expression.
fn turns(said: &[i64]) -> String {
    let one = |n: &i64| if *n == 0 { "False" } else { "True" };
    let runs: Vec<&[i64]> = said.chunk_by(|a, b| a == b).collect();
    if said.len() <= 6 {
        let all: Vec<&str> = said.iter().map(one).collect();
        return format!("[{}]", all.join(", "));
    }
    let all = runs
        .iter()
        .map(|run| format!("[{}] * {}", one(&run[0]), run.len()));
    all.collect::<Vec<_>>().join(" + ")
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        snippet: &'a Snippet,
        draft: &'a Draft,
        shape: &'a Shape,
        ways: &'a Ways,
    ) -> Self {
        Self {
            snippet,
            draft,
            shape,
            ways,
            imports: BTreeSet::new(),
            failed: false,
            open: Vec::new(),
            compared: leaf::compared_with_others(draft, shape),
        }
    }

    fn way(&self, path: &str) -> u8 {
        self.ways.get(path).copied().unwrap_or(0)
    }

    fn parts(&self, path: &str) -> Parts<'a> {
        Parts::of(self.shape.get(path).unwrap_or(&NOTHING))
    }

    fn raised(&self, path: &str) -> Option<&'a str> {
        self.draft.raises.get(path).map(String::as_str)
    }

    fn mock(&mut self) -> &'static str {
        self.imports.insert("from unittest.mock import MagicMock");
        "MagicMock"
    }

    /// Returns the value under a path as an expression.
    pub(super) fn value(&mut self, path: &str) -> String {
        if self.open.len() > DEEPEST || self.open.iter().any(|p| p == path) {
            return "None".to_owned();
        }
        self.open.push(path.to_owned());
        let text = match self.draft.values.get(path) {
            Some(value) if *value != Value::StandIn && self.draft.owns(path) => {
                self.written(value, path)
            }
            _ => self.made(path),
        };
        self.open.pop();
        if text.len() > LONGEST {
            self.failed = true;
            return "None".to_owned();
        }
        text
    }

    fn written(&mut self, value: &Value, path: &str) -> String {
        match value {
            Value::StandIn => self.value(path),
            Value::StandInAt(other) if other == path => self.made(path),
            Value::StandInAt(other) => match self.is_name(other) {
                true => other.clone(),
                false => self.value(other),
            },
            Value::Code(code) => code.clone(),
            Value::Class if self.way(path) == MOCK => self.mock().to_owned(),
            Value::Class => format!("type({}, (), {{}})", quoted(last(path))),
            Value::Exception => format!("type({}, (Exception,), {{}})", quoted(last(path))),
            Value::List(items) => {
                let below = step(path, "[]");
                format!("[{}]", self.all(items, |_| below.clone()))
            }
            Value::Tuple(items) => {
                let all = self.all(items, |k| format!("{path}[{k}]"));
                format!("({all}{})", if items.len() == 1 { "," } else { "" })
            }
            Value::Dict(items) => {
                let mut all = Vec::new();
                for (key, value) in items {
                    let value = self.written_below(value, &format!("{path}[{key:?}]"));
                    all.push(format!("{}: {value}", quoted(key)));
                }
                format!("{{{}}}", all.join(", "))
            }
        }
    }

    fn all(&mut self, items: &[Value], below: impl Fn(usize) -> String) -> String {
        let mut all = Vec::new();
        for (k, item) in items.iter().enumerate() {
            all.push(self.written_below(item, &below(k)));
        }
        all.join(", ")
    }

    fn written_below(&mut self, value: &Value, path: &str) -> String {
        match value {
            Value::StandIn => self.value(path),
            value => self.written(value, path),
        }
    }

    /// Whether a path is a name that the prefix binds.
    fn is_name(&self, path: &str) -> bool {
        let mut homes = self.draft.roots.homes(path);
        homes.any(|home| *home == Home::Name)
    }

    /// Writes a value that the draft does not define.
    fn made(&mut self, path: &str) -> String {
        let parts = self.parts(path);
        let kinds = ["isinstance", "issubclass"].into_iter();
        if let Some(said) = kinds.filter_map(|q| parts.node.said.get(q)).next() {
            return match (said.contains(&0), parts.node.is_leaf()) {
                (false, _) => "object".to_owned(),
                (true, true) => format!("type({}, (), {{}})", quoted(last(path))),
                (true, false) => {
                    let mock = self.mock();
                    format!("type({}, ({mock},), {{}})", quoted(last(path)))
                }
            };
        }
        if self.snippet.calls.decorators.contains(path) {
            return "lambda f: f".to_owned();
        }
        if self.way(path) == MOCK {
            return self.mocked(path, &parts);
        }
        if parts.node.is_leaf() {
            return self.leaf(path, &parts);
        }
        let takes = [
            parts.called,
            !parts.attributes.is_empty(),
            parts.has_items(),
            parts.entered,
        ];
        if takes.iter().filter(|t| **t).count() > 1 {
            return self.mocked(path, &parts);
        }
        if parts.has_items() {
            return self.items(path, &parts);
        }
        if parts.is_asked_more() {
            return self.mocked(path, &parts);
        }
        if parts.called {
            return self.function(path);
        }
        if parts.entered {
            if self.snippet.calls.asynchronous {
                return self.mocked(path, &parts);
            }
            self.imports.insert("from contextlib import nullcontext");
            let inside = step(path, ".__enter__()");
            let is_used = self.parts(&inside).node.lines.len() > 1
                || !self.parts(&inside).node.steps.is_empty()
                || self.draft.values.contains_key(&inside)
                || self.way(&inside) != 0
                || self.snippet.prepared.evidence.get(&inside).is_some();
            let inside = match is_used {
                true => self.value(&inside),
                false => String::new(),
            };
            return format!("nullcontext({inside})");
        }
        if let Some(text) = self.as_text(path, &parts) {
            return text;
        }
        self.namespace(path, &parts)
    }

    /// Writes a string, if only string methods are called, and their results are not used.
    fn as_text(&mut self, path: &str, parts: &Parts<'_>) -> Option<String> {
        const METHODS: &[&str] = &[
            "capitalize",
            "casefold",
            "encode",
            "format",
            "lower",
            "lstrip",
            "replace",
            "rstrip",
            "strip",
            "title",
            "upper",
        ];
        let plain = parts.attributes.iter().all(|name| {
            let called = format!("{path}.{name}()");
            let leaf = self
                .shape
                .get(&called)
                .is_none_or(|n| n.is_leaf() && n.said.is_empty());
            METHODS.contains(name) && leaf && !self.draft.values.contains_key(&called)
        });
        (plain && self.way(path) == 0).then(|| self.word(path))
    }

    fn namespace(&mut self, path: &str, parts: &Parts<'_>) -> String {
        self.imports.insert("from types import SimpleNamespace");
        let mut fields = Vec::new();
        for name in &parts.attributes {
            let below = format!("{path}.{name}");
            match self.raised(&below) {
                Some(raised) if self.is_called(&below) => {
                    let mock = self.mock();
                    fields.push(format!("{name}={mock}(side_effect={raised})"));
                }
                // The attribute is missing.
                Some(raised) if raised.starts_with("AttributeError") => {}
                Some(_) => self.failed = true,
                None => {
                    let value = self.value(&below);
                    fields.push(format!("{name}={value}"));
                }
            }
        }
        fields.extend(self.special(path, false));
        format!("SimpleNamespace({})", fields.join(", "))
    }

    /// Whether the program calls it anywhere.
    fn is_called(&self, path: &str) -> bool {
        let calls = &self.snippet.calls;
        calls.plainly.contains(path) || calls.with_keywords.contains(path)
    }

    /// Writes a function that returns the value of its call.
    fn function(&mut self, path: &str) -> String {
        let called = step(path, "()");
        let parts = self.parts(&called);
        let known = self.snippet.calls.plainly.contains(path)
            && !self.snippet.calls.with_keywords.contains(path);
        let parameters = if known { "*_" } else { "*_, **__" };
        if let Some(text) = self.effect(&called, &parts) {
            let mock = self.mock();
            return format!("{mock}(side_effect={text})");
        }
        let mut value = self.value(&called);
        if let Some((at, needs)) = self.snippet.calls.callbacks.get(path) {
            // A framework would call it.
            let arguments = vec!["\"a\""; *needs].join(", ");
            let before: String = (0..*at).map(|k| format!("_{k}, ")).collect();
            if self.is_told(&called) {
                value = format!("(f({arguments}), {value})[1]");
            } else {
                value = format!("f({arguments})");
            }
            return format!("lambda {before}f, *_, **__: {value}");
        }
        if self.snippet.calls.awaited.contains(&called) {
            self.imports.insert("from unittest.mock import AsyncMock");
            return format!("AsyncMock(return_value={value})");
        }
        format!("lambda {parameters}: {value}")
    }

    /// Returns what calls give in turn or raise, if they do.
    fn effect(&mut self, called: &str, parts: &Parts<'_>) -> Option<String> {
        if let Some(raised) = self.raised(called) {
            if parts.node.is_leaf() && parts.node.said.is_empty() && self.way(called) == 0 {
                return Some(raised.to_owned());
            }
            self.imports.insert("from itertools import chain, repeat");
            let value = self.value(called);
            return Some(format!("chain([{raised}], repeat({value}))"));
        }
        let plain = parts.node.is_leaf()
            && parts.node.said.len() == 1
            && parts.node.said.contains_key("bool")
            && parts.always("bool").is_none();
        if !plain || self.draft.values.contains_key(called) {
            return None;
        }
        let said = self.in_turn(called, "bool", &parts.node.said["bool"]);
        Some(said)
    }

    fn in_turn(&mut self, path: &str, question: &str, said: &[i64]) -> String {
        self.imports.insert("from itertools import cycle");
        let known = self.draft.answers.get(&format!("{path} {question}"));
        format!("cycle({})", turns(known.map_or(said, Vec::as_slice)))
    }
}

/// Returns the last name of a path.
fn last(path: &str) -> &str {
    let is_end = |c: char| !c.is_alphanumeric() && c != '_';
    let name = path.trim_end_matches(is_end).rsplit(is_end).find(|name| {
        name.chars()
            .next()
            .is_some_and(|c| c.is_alphabetic() || c == '_')
    });
    name.unwrap_or("a")
}
