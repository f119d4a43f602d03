//! Values that nothing is taken from: by their comparisons, by their uses, otherwise a word.

use std::collections::BTreeMap;

use super::super::super::draft::{Draft, Value, quoted};
use super::super::super::stand_in::COMPARISONS;
use super::super::shape::{Node, Shape};
use super::{NUMBER, Parts, WORD, Writer, last};
use crate::analysis::hints::solve;
use crate::prefix::generators::value_of;
use crate::values::predictors::of_derived;

impl Writer<'_> {
    /// Writes a value that nothing is taken from.
    pub(super) fn leaf(&mut self, path: &str, parts: &Parts<'_>) -> String {
        match self.way(path) {
            NUMBER => return "1".to_owned(),
            WORD => return self.word(path),
            _ => {}
        }
        if let Some(text) = self.compared(parts) {
            return text;
        }
        if let Some(text) = self.compared.get(path) {
            return text.clone();
        }
        let asked = |q: &String| {
            !matches!(q.as_str(), "bool" | "int" | "contains")
                && !q.starts_with("==")
                && !q.starts_with("!=")
        };
        if parts.node.said.keys().any(asked)
            || parts.node.said.contains_key("bool") && parts.always("bool").is_none()
        {
            return self.mocked(path, parts);
        }
        match (
            parts.always("contains"),
            parts.node.said.contains_key("contains"),
        ) {
            (Some(0), _) => return "[]".to_owned(),
            (_, true) => return self.mocked(path, parts),
            _ => {}
        }
        if let Some(number) = parts.always("int") {
            return number.to_string();
        }
        match parts.always("bool") {
            Some(0) if self.is_set(path) => return self.mocked(path, parts),
            Some(0) => return "None".to_owned(),
            Some(_) if !self.is_handed_on(path) => return "True".to_owned(),
            _ => {}
        }
        let special = self.special(path, false);
        if !special.is_empty() {
            self.imports.insert("from types import SimpleNamespace");
            return format!("SimpleNamespace({})", special.join(", "));
        }
        if let Some(text) = self.by_use(path) {
            return text;
        }
        if self.is_asked_whether_callable(path) {
            return "lambda *_: None".to_owned();
        }
        if self.is_set(path) {
            self.imports.insert("from types import SimpleNamespace");
            return "SimpleNamespace()".to_owned();
        }
        self.word(path)
    }

    /// Returns dunder attributes that the program reads: stand-ins are not asked for them.
    pub(super) fn special(&self, path: &str, is_mock: bool) -> Vec<String> {
        let uses = self.snippet.prepared.evidence.get(path);
        let names = uses.into_iter().flat_map(|u| u.attributes.iter());
        let special = names.filter(|n| n.starts_with("__") && n.ends_with("__"));
        let usual = |name: &str| {
            matches!(
                name,
                "__class__"
                    | "__dict__"
                    | "__doc__"
                    | "__module__"
                    | "__enter__"
                    | "__exit__"
                    | "__iter__"
                    | "__len__"
                    | "__bool__"
                    | "__call__"
                    | "__getitem__"
                    | "__setitem__"
                    | "__eq__"
                    | "__hash__"
                    | "__str__"
                    | "__repr__"
                    | "__next__"
                    | "__contains__"
                    | "__delitem__"
                    | "__getattribute__"
                    | "__setattr__"
                    | "__delattr__"
                    | "__new__"
            )
        };
        let methods = uses.map(|u| &u.methods);
        let field = |name: &String| {
            let called = methods.is_some_and(|m| m.contains(name));
            match called {
                true if is_mock => None,
                true => Some(format!("{name}=lambda *_, **__: None")),
                false => Some(format!("{name}=\"a\"")),
            }
        };
        special.filter(|n| !usual(n)).filter_map(field).collect()
    }

    pub(super) fn is_asked_whether_callable(&self, path: &str) -> bool {
        let uses = self.snippet.prepared.evidence.get(path);
        let asks = |u: &crate::analysis::Uses| u.handed_to.contains(&("callable".to_owned(), 0));
        uses.is_some_and(asks)
    }

    /// Returns the value that the uses make clear.
    pub(super) fn by_use(&mut self, path: &str) -> Option<String> {
        let uses = self.snippet.prepared.evidence.get(path)?;
        if of_derived(uses).1 < 0.7 {
            return None;
        }
        // A stand-in is not `None`, and is true.
        let is_nothing = |code: &str| {
            matches!(
                code,
                "None" | "False" | "0" | "0.0" | "\"\"" | "[]" | "()" | "{}" | "set()"
            )
        };
        match value_of(self.snippet, path, uses, None) {
            Value::Code(code) if !is_nothing(&code) => Some(code),
            Value::Code(code) if code.starts_with('0') => Some("1".to_owned()),
            _ => None,
        }
    }

    /// Whether the program sets attributes of a value without reading any.
    pub(super) fn is_set(&self, path: &str) -> bool {
        let uses = self.snippet.prepared.evidence.get(path);
        uses.is_some_and(|u| !u.attributes.is_empty() && u.methods != u.attributes)
    }

    /// Whether a value has other uses than a test for truth.
    pub(super) fn is_handed_on(&self, path: &str) -> bool {
        let uses = self.snippet.prepared.evidence.get(path);
        uses.is_none_or(|u| u.is_used() || !u.handed_to.is_empty())
    }

    /// Returns a value by its comparisons.
    pub(super) fn compared(&self, parts: &Parts<'_>) -> Option<String> {
        let mut found = None;
        for (question, said) in &parts.node.said {
            let Some((sign, with)) = question.split_once(' ') else {
                continue;
            };
            if !COMPARISONS.iter().any(|(s, _)| *s == sign) || self.draft.owns(with) {
                continue;
            }
            let first = *said.first()? != 0;
            if said.iter().any(|s| (*s != 0) != first) || found.is_some() {
                return None;
            }
            found = Some(match with.parse::<f64>() {
                Ok(number) => {
                    let solved = solve(number, sign, first);
                    match with.parse::<i64>() {
                        Ok(_) => format!("{}", solved as i64),
                        Err(_) => format!("{solved:?}"),
                    }
                }
                Err(_) if (sign == "==") == first && matches!(sign, "==" | "!=") => {
                    let written =
                        with.starts_with(['(', '[', '{']) && with.ends_with([')', ']', '}']);
                    match written || matches!(with, "None" | "True" | "False") {
                        true => with.to_owned(),
                        false => quoted(with),
                    }
                }
                Err(_) => return None,
            });
        }
        found
    }

    /// Returns a string that names the value.
    pub(super) fn word(&self, path: &str) -> String {
        quoted(last(path))
    }
}

/// Returns values for the ones that are compared with another value that nothing is taken from, so
/// that the outcome is the same.
pub(super) fn compared_with_others(draft: &Draft, shape: &Shape) -> BTreeMap<String, String> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for (path, node) in shape.iter().filter(|(_, node)| node.is_leaf()) {
        for (question, said) in &node.said {
            let Some((sign, other)) = question.split_once(' ') else {
                continue;
            };
            let known = |p: &str| draft.values.get(p).is_some_and(|v| *v != Value::StandIn);
            let is_sign = COMPARISONS.iter().any(|(s, _)| *s == sign);
            let is_leaf = shape.get(other).is_none_or(Node::is_leaf);
            if !is_sign || !is_leaf || !draft.owns(other) || known(path) || known(other) {
                continue;
            }
            let Some(first) = said.first().map(|s| *s != 0) else {
                continue;
            };
            if path == other || found.contains_key(path) {
                continue;
            }
            let solved = solve(0.0, sign, first);
            let known = found.get(other).cloned();
            let (own, with) = match (sign, known) {
                ("==" | "!=", Some(with)) if solved == 0.0 => (with.clone(), with),
                ("==" | "!=", None) if solved == 0.0 => (quoted(last(other)), quoted(last(other))),
                ("==" | "!=", _) => continue,
                (_, None) => {
                    let (own, with) = match solved {
                        s if s > 0.0 => ("2", "1"),
                        s if s < 0.0 => ("1", "2"),
                        _ => ("1", "1"),
                    };
                    (own.to_owned(), with.to_owned())
                }
                (_, Some(with)) => match with.parse::<i64>() {
                    Ok(number) => ((number + solved as i64).to_string(), with),
                    Err(_) => continue,
                },
            };
            found.insert(path.to_owned(), own);
            found.insert(other.to_owned(), with);
        }
    }
    found
}
