//! Values as a `MagicMock`, configured where its default answer leads elsewhere.

use std::collections::BTreeMap;

use super::super::super::draft::Value;
use super::super::super::stand_in::COMPARISONS;
use super::{MOCK, Parts, Writer, step};
use crate::prefix::generators::value_of;
use crate::values::predictors::of_derived;

impl Writer<'_> {
    /// Whether a `MagicMock` must be configured for a value.
    pub(super) fn is_told(&self, path: &str) -> bool {
        let parts = self.parts(path);
        let value = self.draft.values.get(path);
        let below = || parts.node.steps.iter().map(|s| step(path, s));
        value.is_some_and(|v| *v != Value::StandIn)
            || self.way(path) != 0 && self.way(path) != MOCK
            || self.draft.raises.contains_key(path)
            || self.snippet.calls.decorators.contains(path)
            || self.compared.contains_key(path)
            || parts.called && self.snippet.calls.callbacks.contains_key(path)
            || parts.node.is_leaf() && !self.special(path, false).is_empty()
            || parts.called && self.snippet.calls.awaited.contains(&step(path, "()"))
            || parts.node.said.keys().any(|q| match q.as_str() {
                "bool" => parts.always("bool") != Some(1),
                "int" => parts.always("int") != Some(1),
                _ => true,
            })
            || parts.node.is_leaf() && self.way(path) != MOCK && {
                let uses = self.snippet.prepared.evidence.get(path);
                uses.is_some_and(|u| of_derived(u).1 >= 0.7 && self.clear(path, u))
            }
            || parts.node.steps.len() < 200 && below().any(|p| p.len() < 280 && self.is_told(&p))
    }

    pub(super) fn clear(&self, path: &str, uses: &crate::analysis::Uses) -> bool {
        matches!(value_of(self.snippet, path, uses, None), Value::Code(_))
    }

    pub(super) fn mocked(&mut self, path: &str, parts: &Parts<'_>) -> String {
        let mut told: Vec<String> = Vec::new();
        for name in &parts.attributes {
            let below = format!("{path}.{name}");
            if let Some(raised) = self.raised(&below) {
                self.failed |= !self.is_called(&below);
                let mock = self.mock();
                told.push(format!("{name}={mock}(side_effect={raised})"));
            } else if name.starts_with("__") {
                self.failed |= self.is_told(&below);
            } else if self.is_told(&below) {
                let value = self.value(&below);
                told.push(format!("{name}={value}"));
            }
        }
        if parts.called {
            let called = step(path, "()");
            let below = self.parts(&called);
            if let Some(text) = self.effect(&called, &below) {
                told.push(format!("side_effect={text}"));
            } else if self.snippet.calls.callbacks.contains_key(path) {
                let text = self.function(path);
                told.push(format!("side_effect={text}"));
            } else if self.snippet.calls.awaited.contains(&called) {
                self.imports.insert("from unittest.mock import AsyncMock");
                let value = self.value(&called);
                told.push(format!("side_effect=AsyncMock(return_value={value})"));
            } else if self.is_told(&called) {
                let value = self.value(&called);
                told.push(format!("return_value={value}"));
            }
        }
        if parts.entered {
            let inside = step(path, ".__enter__()");
            if let Some(raised) = self.raised(&inside) {
                let mock = self.mock();
                told.push(format!("__enter__={mock}(side_effect={raised})"));
            } else if self.is_told(&inside) {
                let value = self.value(&inside);
                match self.snippet.calls.asynchronous {
                    true => {
                        self.imports.insert("from unittest.mock import AsyncMock");
                        told.push(format!("__aenter__=AsyncMock(return_value={value})"));
                    }
                    false => told.push(format!("__enter__=lambda _: {value}")),
                }
            }
        }
        told.extend(self.special(path, true));
        self.subscripts(path, parts, &mut told);
        self.answers(path, parts, &mut told);
        let mock = self.mock();
        format!("{mock}({})", told.join(", "))
    }

    pub(super) fn subscripts(&mut self, path: &str, parts: &Parts<'_>, told: &mut Vec<String>) {
        let any = step(path, "[]");
        let count = parts.node.said.get("len").and_then(|s| s.first()).copied();
        let keyed: Vec<&&str> = parts.keys.iter().collect();
        let uses = self.snippet.prepared.evidence.get(path);
        if !keyed.is_empty() {
            let mut all = Vec::new();
            for key in keyed {
                let value = self.value(&format!("{path}[{key}]"));
                all.push(format!("{key}: {value}"));
            }
            let otherwise = match parts.any {
                true => self.value(&any),
                false => "\"a\"".to_owned(),
            };
            told.push(format!(
                "__getitem__=lambda _, key: {{{}}}.get(key, {otherwise})",
                all.join(", ")
            ));
        } else if parts.any && !parts.iterated && self.is_told(&any) {
            let value = self.value(&any);
            told.push(format!("__getitem__=lambda *_: {value}"));
        } else if parts.sliced && self.is_told(&step(path, "[:]")) {
            let value = self.value(&step(path, "[:]"));
            told.push(format!("__getitem__=lambda *_: {value}"));
        }
        if let Some(count) = count {
            if parts.any {
                let value = self.value(&any);
                let all = match count {
                    0..=3 => vec![value; count as usize].join(", "),
                    _ => format!("*[{value}] * {count}"),
                };
                told.push(format!("__iter__=lambda _: iter([{all}])"));
                if self.snippet.calls.asynchronous {
                    told.push(format!("**{{\"__aiter__.return_value\": [{all}]}}"));
                }
            }
            if !parts.any || uses.is_some_and(|u| u.sized) {
                told.push(format!("__len__=lambda _: {count}"));
            }
        }
    }

    pub(super) fn answers(&mut self, path: &str, parts: &Parts<'_>, told: &mut Vec<String>) {
        let mut signs: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
        for (question, said) in &parts.node.said {
            let sign = question.split(' ').next().unwrap_or(question);
            match question.as_str() {
                "bool" | "contains" | "int" => {
                    signs.insert(sign, said.clone());
                }
                // Answers of comparisons with different operands are merged.
                _ if COMPARISONS.iter().any(|(s, _)| *s == sign) && question.contains(' ') => {
                    signs.entry(sign).or_default().extend(said);
                }
                _ => {}
            }
        }
        for (question, said) in signs {
            let method = match question {
                "bool" => "bool",
                "contains" => "contains",
                "int" => "index",
                sign => match COMPARISONS.iter().find(|(s, _)| *s == sign) {
                    Some((_, name)) => name,
                    None => continue,
                },
            };
            let first = said.first().copied().unwrap_or(1);
            let same = said.iter().all(|s| *s == first);
            let usual = matches!(
                (method, first),
                ("bool" | "ne" | "index", 1) | ("contains" | "eq", 0)
            );
            if same && usual {
                continue;
            }
            if same {
                let value = match (method, first) {
                    ("index", n) => n.to_string(),
                    (_, 0) => "False".to_owned(),
                    _ => "True".to_owned(),
                };
                told.push(format!("__{method}__=lambda *_: {value}"));
            } else if method != "index" {
                let said = self.in_turn(path, question, &said);
                let mock = self.mock();
                told.push(format!("__{method}__={mock}(side_effect={said})"));
            }
        }
    }
}
