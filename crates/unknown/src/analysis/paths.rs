//! The paths of expressions, such as `foo.bar()[0]`, and the other names of the same value.
//!
//! A path is text: a name followed by the operations on its value. A variable assigned from a path
//! is an alias of it, so uses of the variable count for the path. Scopes are not distinguished: the
//! same name is taken for the same value.

use std::collections::HashMap;

use super::syntax::{bare, children, text};
use super::tree::Node;
use super::uses::Literal;

/// The step from a value to an element of its iteration.
pub(super) const ELEMENT: &str = "[]";
/// The step from a value to the target that `with` binds.
const ENTERED: &str = ".__enter__()";

/// Longer paths are ignored.
const LONGEST: usize = 200;

/// Returns the path of an expression, if it has one.
pub(crate) fn path_of(node: Node<'_>, source: &str) -> Option<String> {
    let mut path = String::new();
    write_path(node, source, &mut path)?;
    Some(path)
}

/// Appends the path of an expression.
fn write_path(node: Node<'_>, source: &str, path: &mut String) -> Option<()> {
    let node = bare(node);
    let inner = |field, path: &mut String| {
        node.child_by_field_name(field)
            .and_then(|n| write_path(n, source, path))
    };
    match node.kind() {
        "identifier" => path.push_str(text(node, source)),
        "attribute" => {
            inner("object", path)?;
            path.push('.');
            path.push_str(text(node.child_by_field_name("attribute")?, source));
        }
        "call" => {
            if let Some((object, name)) = read_by_name(node, source) {
                write_path(object, source, path)?;
                path.push('.');
                path.push_str(name);
            } else {
                inner("function", path)?;
                path.push_str("()");
            }
        }
        "subscript" => {
            inner("value", path)?;
            write_key(node, source, path);
        }
        "await" => write_path(node.named_child(0)?, source, path)?,
        "named_expression" => inner("name", path)?,
        _ => return None,
    }
    (path.len() < LONGEST).then_some(())
}

/// Returns the value and the name of `getattr(value, "name")`.
fn read_by_name<'t, 's>(node: Node<'t>, source: &'s str) -> Option<(Node<'t>, &'s str)> {
    let function = node.child_by_field_name("function")?;
    if text(function, source) != "getattr" {
        return None;
    }
    let arguments = arguments(node)?;
    let name = plain_string(*arguments.get(1)?, source)?;
    Some((*arguments.first()?, name))
}

/// Appends the step of a subscript to a path.
fn write_key(node: Node<'_>, source: &str, path: &mut String) {
    let mut keys = node.children_by_field_name("subscript");
    let (Some(one), None) = (keys.next(), keys.next()) else {
        return path.push_str(ELEMENT);
    };
    match (one.kind(), plain_string(one, source)) {
        ("integer", _) => {
            path.push('[');
            path.push_str(text(one, source));
            path.push(']');
        }
        (_, Some(key)) if key.len() < 60 => path.push_str(&format!("[{key:?}]")),
        ("slice", _) => path.push_str("[:]"),
        _ => path.push_str(ELEMENT),
    }
}

/// Returns the arguments of a call. A sole generator argument has no parentheses besides its own;
/// it is the argument.
pub(crate) fn arguments<'t>(call: Node<'t>) -> Option<Vec<Node<'t>>> {
    let found = call.child_by_field_name("arguments")?;
    Some(match found.kind() {
        "generator_expression" => vec![found],
        _ => children(found),
    })
}

/// For `map(f, xs)`, also inside `list(...)`: returns the function and the node of `xs`.
pub(super) fn mapped<'t>(node: Node<'t>, source: &str) -> Option<(String, Node<'t>)> {
    let arguments = arguments(node)?;
    let called = text(node.child_by_field_name("function")?, source);
    match (called, arguments.as_slice()) {
        ("map", [function, items]) => Some((path_of(*function, source)?, *items)),
        ("list" | "tuple", [inner]) => mapped(*inner, source),
        _ => None,
    }
}

/// Returns the characters of a string literal without prefix, escapes or interpolation.
pub(crate) fn plain_string<'s>(node: Node<'_>, source: &'s str) -> Option<&'s str> {
    if node.kind() != "string" {
        return None;
    }
    let inner: Vec<_> = children(node);
    let [start, rest @ .., end] = inner.as_slice() else {
        return None;
    };
    if !matches!(text(*start, source), "'" | "\"" | "'''" | "\"\"\"") {
        return None;
    }
    let inside = source.get(start.end_byte()..end.start_byte())?;
    let plain = rest.iter().all(|n| n.kind() == "string_content") && !inside.contains('\\');
    plain.then_some(inside)
}

/// Returns the value of a literal.
pub(crate) fn literal(node: Node<'_>, source: &str) -> Option<Literal> {
    let written = text(node, source).replace('_', "");
    match node.kind() {
        "string" => plain_string(node, source).map(|t| Literal::Text(t.to_owned())),
        "integer" => written.parse().ok().map(Literal::Int),
        "float" => written.parse().ok().map(Literal::Float),
        "true" => Some(Literal::Bool(true)),
        "false" => Some(Literal::Bool(false)),
        "unary_operator" => match (written.parse(), written.parse()) {
            (Ok(int), _) => Some(Literal::Int(int)),
            (_, Ok(float)) => Some(Literal::Float(float)),
            _ => None,
        },
        _ => None,
    }
}

/// The paths that each variable is assigned from.
#[derive(Debug, Default)]
pub(crate) struct Aliases {
    sources: HashMap<String, Vec<String>>,
}

impl Aliases {
    /// Reads every binding below `root`.
    pub(crate) fn of(root: Node<'_>, source: &str) -> Self {
        let mut aliases = Self::default();
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            let field = |name| node.child_by_field_name(name);
            match node.kind() {
                "assignment" => aliases.bind(field("left"), field("right"), "", source),
                "named_expression" => aliases.bind(field("name"), field("value"), "", source),
                "for_statement" | "for_in_clause" => {
                    aliases.bind(field("left"), field("right"), ELEMENT, source);
                }
                "as_pattern" if in_with(node) => {
                    let target = field("alias").and_then(|a| a.named_child(0));
                    aliases.bind(target, node.named_child(0), ENTERED, source);
                }
                _ => {}
            }
            open.extend(children(node));
        }
        aliases
    }

    fn bind(&mut self, left: Option<Node<'_>>, right: Option<Node<'_>>, by: &str, source: &str) {
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        if by == ELEMENT && right.kind() == "call" {
            self.bind_handed_on(left, right, source);
        }
        if let Some(path) = path_of(right, source) {
            self.bind_path(left, path + by, source);
        }
    }

    /// `enumerate(xs)`, `zip(xs, ys)` and similar functions pass on the elements of their
    /// arguments.
    fn bind_handed_on(&mut self, left: Node<'_>, call: Node<'_>, source: &str) {
        let function = call.child_by_field_name("function");
        let arguments = arguments(call);
        let (Some(function), Some(arguments)) = (function, arguments) else {
            return;
        };
        let mut targets = match left.kind() {
            "pattern_list" | "tuple_pattern" | "list_pattern" => children(left),
            _ => vec![left],
        };
        let pairs = match (text(function, source), targets.len()) {
            ("enumerate", 2) => targets.split_off(1).into_iter().zip(arguments),
            ("zip", _) => targets.into_iter().zip(arguments),
            ("sorted" | "reversed" | "list" | "set" | "tuple" | "iter" | "tqdm", _) => {
                vec![left].into_iter().zip(arguments)
            }
            _ => return,
        };
        for (target, argument) in pairs {
            if let Some(path) = path_of(argument, source) {
                self.bind_path(target, path + ELEMENT, source);
            }
        }
    }

    fn bind_path(&mut self, left: Node<'_>, path: String, source: &str) {
        match left.kind() {
            "identifier" => {
                let name = text(left, source).to_owned();
                let sources = self.sources.entry(name).or_default();
                if sources.len() < 4 && !sources.contains(&path) {
                    sources.push(path);
                }
            }
            "pattern_list" | "tuple_pattern" | "list_pattern" => {
                for (k, target) in children(left).into_iter().enumerate() {
                    self.bind_path(target, format!("{path}[{k}]"), source);
                }
            }
            _ => {}
        }
    }

    /// Returns a path and the other paths of the same value.
    pub(crate) fn all(&self, path: &str) -> Vec<String> {
        let mut found = vec![path.to_owned()];
        let mut at = 0;
        while at < found.len() && found.len() < 8 {
            let path = found[at].clone();
            let end = path.find(['.', '[', '(']).unwrap_or(path.len());
            for source in self.sources.get(&path[..end]).into_iter().flatten() {
                let other = format!("{source}{}", &path[end..]);
                if other.len() < LONGEST && !found.contains(&other) {
                    found.push(other);
                }
            }
            at += 1;
        }
        found
    }
}

fn in_with(node: Node<'_>) -> bool {
    node.parent().is_some_and(|p| p.kind() == "with_item")
}
