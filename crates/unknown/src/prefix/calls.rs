//! How a program calls its values: with keywords, as decorators, in `await`.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::paths::{Aliases, arguments, path_of};
use crate::analysis::syntax::{children, text};
use crate::analysis::tree::Node;

/// Paths by how they are called.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// Paths that are called, always without keywords or `**`.
    pub plainly: BTreeSet<String>,
    /// Paths that are called with keywords or `**`.
    pub with_keywords: BTreeSet<String>,
    /// Decorators.
    pub decorators: BTreeSet<String>,
    /// Awaited values, whether calls or not.
    pub awaited: BTreeSet<String>,
    /// Paths that are called with a function of the program: the position of that argument, and the
    /// number of arguments that it needs.
    pub callbacks: BTreeMap<String, (usize, usize)>,
    /// Whether the program has `async with` or `async for`.
    pub asynchronous: bool,
    /// The functions of the program, for calls of those that nothing calls.
    pub functions: Vec<Function>,
}

/// A function or method of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Function {
    /// Its name in the module: `Shop.price`.
    pub name: String,
    /// Parameters that need an argument.
    pub parameters: Vec<String>,
    /// Whether it is a generator.
    pub yields: bool,
    /// Whether it is a coroutine.
    pub awaits: bool,
    /// Its lines.
    pub lines: (u32, u32),
}

impl Calls {
    /// Reads every call below `root`.
    pub(super) fn of(root: Node<'_>, source: &str, aliases: &Aliases) -> Self {
        let mut found = Self::default();
        functions(root, "", source, &mut found.functions);
        let needs: BTreeMap<String, usize> = found
            .functions
            .iter()
            .map(|f| (f.name.clone(), f.parameters.len()))
            .collect();
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            let all = |node: Node<'_>| match path_of(node, source) {
                Some(path) => aliases.all(&path),
                None => Vec::new(),
            };
            match node.kind() {
                "call" => {
                    let arguments = arguments(node);
                    let is_keyword =
                        |n: &Node<'_>| matches!(n.kind(), "keyword_argument" | "dictionary_splat");
                    let keywords = arguments.iter().flatten().any(is_keyword);
                    let called = node.child_by_field_name("function");
                    let handed = arguments.iter().flatten().enumerate();
                    let mut handed = handed.filter_map(|(k, a)| match a.kind() {
                        "identifier" => Some((k, *needs.get(text(*a, source))?)),
                        "lambda" => Some((k, parameters_of(*a, source).len())),
                        _ => None,
                    });
                    if let Some(callback) = handed.next() {
                        let paths = called.map(all).unwrap_or_default().into_iter();
                        found.callbacks.extend(paths.map(|path| (path, callback)));
                    }
                    let into = match keywords {
                        true => &mut found.with_keywords,
                        false => &mut found.plainly,
                    };
                    into.extend(called.map(all).unwrap_or_default());
                }
                "decorator" => {
                    let value = node.named_child(0);
                    found.decorators.extend(value.map(all).unwrap_or_default());
                }
                "await" => {
                    let value = node.named_child(0);
                    found.awaited.extend(value.map(all).unwrap_or_default());
                }
                "async" => found.asynchronous = true,
                _ => {}
            }
            open.extend(node.children());
        }
        found
    }
}

/// Collects the functions of a module or class, and the methods of its classes.
fn functions(block: Node<'_>, within: &str, source: &str, found: &mut Vec<Function>) {
    for statement in children(block) {
        let name = statement.child_by_field_name("name");
        let name = name.map_or("", |n| text(n, source));
        let body = statement.child_by_field_name("body");
        match (statement.kind(), body) {
            ("class_definition", Some(body)) if within.is_empty() => {
                functions(body, &format!("{name}."), source, found);
            }
            ("function_definition", Some(body)) => {
                found.push(Function {
                    name: format!("{within}{name}"),
                    parameters: parameters_of(statement, source),
                    yields: yields(body),
                    awaits: statement.children().any(|c| c.kind() == "async"),
                    lines: (
                        crate::analysis::syntax::line(body),
                        crate::analysis::syntax::last_line(body),
                    ),
                });
            }
            // Functions of a module may be inside a condition, or decorated.
            ("expression_statement" | "import_statement" | "import_from_statement", _) => {}
            (kind, _) if within.is_empty() || kind == "decorated_definition" => {
                functions(statement, within, source, found);
            }
            _ => {}
        }
    }
}

/// Returns the parameters of a function or lambda that need an argument.
fn parameters_of(function: Node<'_>, source: &str) -> Vec<String> {
    let parameters = function.child_by_field_name("parameters").map(children);
    let parameters = parameters.unwrap_or_default().into_iter();
    let needed = parameters.filter_map(|p| match p.kind() {
        "identifier" => Some(text(p, source).to_owned()),
        "typed_parameter" => {
            let name = p.named_child(0).filter(|n| n.kind() == "identifier")?;
            Some(text(name, source).to_owned())
        }
        _ => None,
    });
    needed.collect()
}

fn yields(body: Node<'_>) -> bool {
    let mut open = vec![body];
    while let Some(node) = open.pop() {
        match node.kind() {
            "yield" => return true,
            "function_definition" | "lambda" | "class_definition" => {}
            _ => open.extend(children(node)),
        }
    }
    false
}
