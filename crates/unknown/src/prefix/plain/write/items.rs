//! Values with items: lists, dictionaries, and values that are subscripted with any key.

use super::super::shape::Node;
use super::{Parts, Writer, step};

impl Writer<'_> {
    pub(super) fn items(&mut self, path: &str, parts: &Parts<'_>) -> String {
        let is_number = |k: &&str| k.trim_start_matches('-').parse::<usize>().is_ok();
        let numbers = parts.keys.iter().all(is_number);
        let strings = parts.keys.iter().all(|k| k.starts_with('"'));
        let count = parts.always("len");
        let fixed = !parts.iterated || count.is_some();
        let asked = |q: &String| {
            !matches!(q.as_str(), "len" | "bool") || q == "bool" && parts.always("bool").is_none()
        };
        let more = parts.node.said.keys().any(asked);
        let truth = parts.always("bool");
        let none = truth == Some(0) || count == Some(0);
        if more || !fixed {
            return self.mocked(path, parts);
        }
        if none && parts.keys.is_empty() && !parts.any {
            return "[]".to_owned();
        }
        let any = step(path, "[]");
        if !parts.keys.is_empty() && strings && !parts.sliced && !parts.iterated && !parts.any {
            let mut all = Vec::new();
            for key in &parts.keys {
                let below = format!("{path}[{key}]");
                if self
                    .raised(&below)
                    .is_some_and(|r| r.starts_with("KeyError"))
                {
                    continue;
                }
                let value = self.value(&below);
                all.push(format!("{key}: {value}"));
            }
            return format!("{{{}}}", all.join(", "));
        }
        if numbers && (parts.iterated || !parts.keys.is_empty()) {
            let numbered = parts.keys.iter().filter_map(|k| k.parse::<i64>().ok());
            let needed = numbered
                .map(|k| if k < 0 { -k } else { k + 1 })
                .max()
                .unwrap_or(0);
            let count = count.unwrap_or(needed).max(needed).min(64);
            let mut all = Vec::new();
            let other = self.value(&any);
            for k in 0..count {
                let below = format!("{path}[{k}]");
                match self.shape.get(&below) {
                    Some(_) => all.push(self.value(&below)),
                    None => all.push(other.clone()),
                }
            }
            if all.len() > 3 && all.iter().all(|one| *one == all[0]) {
                return format!("[{}] * {}", all[0], all.len());
            }
            return format!("[{}]", all.join(", "));
        }
        if parts.any && !parts.iterated && parts.keys.is_empty() && !parts.sliced {
            self.imports.insert("from collections import defaultdict");
            let value = self.value(&any);
            return format!("defaultdict(lambda: {value})");
        }
        if parts.sliced && parts.keys.is_empty() && !parts.any {
            let below = step(path, "[:]");
            if self.shape.get(&below).is_none_or(Node::is_leaf) {
                return self.word(path);
            }
        }
        self.mocked(path, parts)
    }
}
