//! The exceptions that a program itself catches at each line: it expects the ones that it names.

use std::collections::BTreeMap;

use super::syntax::{bare, children, last_line, line, text};
use super::tree::Node;

/// Most names kept per line.
const MOST: usize = 100;

/// Returns the names of the exceptions that handlers around a line catch; `*` for a bare `except`.
pub(crate) fn caught(root: Node<'_>, source: &str) -> BTreeMap<u32, Vec<String>> {
    let mut found: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        open.extend(children(node));
        if node.kind() != "try_statement" {
            continue;
        }
        let Some(body) = node.child_by_field_name("body") else {
            continue;
        };
        let mut names = names(node, source);
        names.retain(|name| !name.is_empty());
        names.truncate(MOST);
        for line in line(body)..=last_line(body) {
            let at = found.entry(line).or_default();
            let room = MOST - at.len().min(MOST);
            at.extend(names.iter().take(room).cloned());
        }
    }
    found
}

fn names(statement: Node<'_>, source: &str) -> Vec<String> {
    let mut names = Vec::new();
    for clause in children(statement) {
        if !clause.kind().starts_with("except") {
            continue;
        }
        let Some(first) = children(clause).first().copied() else {
            continue;
        };
        let value = match first.kind() {
            "block" => {
                names.push("*".to_owned());
                continue;
            }
            "as_pattern" => first.named_child(0).unwrap_or(first),
            _ => first,
        };
        let value = bare(value);
        let kinds = match value.kind() {
            "tuple" => children(value),
            _ => vec![value],
        };
        let last = |n: Node<'_>| {
            let name = text(n, source);
            name.rsplit('.').next().unwrap_or(name).to_owned()
        };
        names.extend(kinds.into_iter().map(last));
    }
    names
}
