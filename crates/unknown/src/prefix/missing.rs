//! What a program misses, as far as its text shows: names that are read before anything binds them,
//! and the modules that it imports.

use std::collections::{BTreeMap, HashSet};

use crate::analysis::Kind;
use crate::analysis::scopes::{Scope, is_builtin};
use crate::analysis::syntax::{children, text};
use crate::analysis::tree::Node;
use crate::guide::Location;

/// One import of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    /// The dotted module, without the dots of a relative import.
    pub module: String,
    /// Number of dots before it.
    pub level: usize,
    /// The imported names with the names that they bind; empty for `import module`.
    pub names: Vec<(String, String)>,
    /// The name that `import module as name` binds.
    pub alias: Option<String>,
    /// Whether it is a star import.
    pub all: bool,
    /// The line.
    pub line: u32,
}

/// Returns the names that are read before the program binds them, in order.
pub(super) fn names(root: Node<'_>, source: &str, locations: &[Location]) -> Vec<String> {
    let module = Scope::of(root, source);
    let mut reads: Vec<(usize, &str)> = locations
        .iter()
        .filter(|l| l.kind == Kind::Name)
        .map(|l| (l.span.start, l.name.as_str()))
        .collect();
    let mut bound: BTreeMap<&str, usize> = BTreeMap::new();
    let mut deferred = Vec::new();
    let mut deleted: Vec<(usize, &str)> = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let mut bind = |target: Option<Node<'_>>, at: usize| {
            for name in target.map(|t| targets(t, source)).unwrap_or_default() {
                let first = bound.entry(name).or_insert(at);
                *first = at.min(*first);
            }
        };
        let field = |name| node.child_by_field_name(name);
        match node.kind() {
            "assignment" if field("right").is_some() => bind(field("left"), node.end_byte()),
            "augmented_assignment" => {
                let left = field("left").filter(|l| l.kind() == "identifier");
                reads.extend(left.map(|l| (l.start_byte(), text(l, source))));
                bind(left, node.end_byte());
            }
            "for_statement" => bind(
                field("left"),
                field("right").map_or(node.end_byte(), |r| r.end_byte()),
            ),
            "named_expression" => bind(field("name"), node.end_byte()),
            "as_pattern" => bind(field("alias"), node.end_byte()),
            "except_clause" => bind(field("alias"), node.start_byte()),
            "case_pattern" => bind(Some(node), node.end_byte()),
            "delete_statement" => {
                let names = children(node)
                    .into_iter()
                    .filter(|n| n.kind() == "identifier");
                deleted.extend(names.map(|n| (n.start_byte(), text(n, source))));
            }
            "import_statement" | "import_from_statement" => {
                for name in node.children_by_field_name("name") {
                    let bound = name.child_by_field_name("alias").or(name.named_child(0));
                    bind(bound, node.end_byte());
                }
                continue;
            }
            "function_definition" | "class_definition" => {
                bind(field("name"), node.end_byte());
                let body = field("body");
                if node.kind() == "function_definition" {
                    deferred.extend(body.map(|b| b.byte_range()));
                }
                // Bindings inside a class or function are its own.
                open.extend(
                    children(node)
                        .into_iter()
                        .filter(|c| Some(c.id()) != body.map(|b| b.id())),
                );
                continue;
            }
            // Annotations are read at their place, except those of a function's local variables.
            "type" => {
                reads.extend(names_in_annotation(node, source));
                continue;
            }
            "lambda" => {
                deferred.extend(field("body").map(|b| b.byte_range()));
                continue;
            }
            _ => {}
        }
        open.extend(children(node));
    }
    reads.extend(deleted.iter().copied());
    reads.sort_unstable();
    let mut found: Vec<String> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    let deleted: HashSet<&str> = deleted.iter().map(|(_, name)| *name).collect();
    // Ranges inside others do not matter.
    deferred.sort_unstable_by_key(|range: &std::ops::Range<usize>| range.start);
    let (mut next, mut until) = (0, 0);
    for (at, name) in reads {
        while let Some(range) = deferred.get(next).filter(|range| range.start <= at) {
            until = range.end.max(until);
            next += 1;
        }
        let later = at < until;
        let missing = match bound.get(name) {
            Some(first) => !later && at < *first && !is_builtin(name),
            None if name == "super" || is_builtin(name) => name == "super",
            None => !module.binds(name) || deleted.contains(name),
        };
        if missing && seen.insert(name) {
            found.push(name.to_owned());
        }
    }
    found
}

/// Returns the names that an annotation reads, each with its position.
fn names_in_annotation<'s>(annotation: Node<'_>, source: &'s str) -> Vec<(usize, &'s str)> {
    let mut found = Vec::new();
    let mut open = vec![annotation];
    while let Some(part) = open.pop() {
        if part.kind() == "identifier" {
            found.push((part.start_byte(), text(part, source)));
        }
        let object = part.child_by_field_name("object");
        open.extend(object.map_or_else(|| children(part), |o| vec![o]));
    }
    found
}

/// Returns the names that a target binds.
fn targets<'s>(node: Node<'_>, source: &'s str) -> Vec<&'s str> {
    match node.kind() {
        "identifier" => vec![text(node, source)],
        "attribute" | "subscript" => Vec::new(),
        _ => children(node)
            .into_iter()
            .flat_map(|child| targets(child, source))
            .collect(),
    }
}

/// Returns the imports of a program, in order.
pub(super) fn imports(root: Node<'_>, source: &str) -> Vec<Import> {
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let line = crate::analysis::syntax::line(node);
        let names = node.children_by_field_name("name");
        let pair = |name: Node<'_>| {
            let own = name.child_by_field_name("name").unwrap_or(name);
            let alias = name
                .child_by_field_name("alias")
                .map(|a| text(a, source).to_owned());
            (text(own, source).to_owned(), alias)
        };
        match node.kind() {
            "import_statement" => {
                for (module, alias) in names.map(pair) {
                    found.push(Import {
                        module,
                        level: 0,
                        names: Vec::new(),
                        alias,
                        all: false,
                        line,
                    });
                }
            }
            "import_from_statement" => {
                let module = node.child_by_field_name("module_name");
                let module = module.map_or("", |m| text(m, source));
                let names = names.map(pair).map(|(name, alias)| {
                    let bound = alias.unwrap_or_else(|| name.clone());
                    (name, bound)
                });
                let all = children(node).iter().any(|c| c.kind() == "wildcard_import");
                found.push(Import {
                    module: module.trim_start_matches('.').trim().to_owned(),
                    level: module.chars().take_while(|c| *c == '.').count(),
                    names: names.collect(),
                    alias: None,
                    all,
                    line,
                });
            }
            _ => open.extend(children(node).into_iter().rev()),
        }
    }
    found
}
