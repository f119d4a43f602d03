//! Recognises expressions that read a line, its parts, or all of the input, and the uses of names that hold
//! a line.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprCall, Number, Stmt};

use super::{Kind, Reader};

/// Conversions of names that hold a line: the type, and the number of parts.
pub(super) type Held = BTreeMap<String, (Kind, Option<usize>)>;

impl Reader<'_> {
    /// Whether an expression is a line: `input()`, `input().strip()`, `sys.stdin.readline()`.
    pub(super) fn line_of(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call(call) if self.reads_line(call) => true,
            Expr::Call(call) => match &*call.func {
                Expr::Attribute(method) => {
                    let trims = ["strip", "rstrip", "lstrip", "replace", "decode"];
                    trims.contains(&method.attr.as_str()) && self.line_of(&method.value)
                }
                _ => false,
            },
            _ => false,
        }
    }

    pub(super) fn reads_line(&self, call: &ExprCall) -> bool {
        is_reader(&call.func, &self.readers)
    }

    /// Whether an expression is the parts of a line.
    pub(super) fn split_line(&self, expr: &Expr) -> Option<()> {
        match split_of(expr) {
            Some(line) => self.line_of(line).then_some(()),
            None => self.line_of(expr).then_some(()),
        }
    }

    pub(super) fn is_stream(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Name(name) => name.id == "stdin",
            Expr::Attribute(node) => node.attr.as_str() == "stdin",
            Expr::Call(call) => {
                let of_zero = matches!(&*call.arguments.args, [one] if literal(one) == Some(0));
                name_of(&call.func) == Some("open") && of_zero
                    || matches!(&*call.func, Expr::Attribute(node) if node.attr.as_str() == "readlines")
            }
            _ => false,
        }
    }

    /// `sys.stdin.read()`, and its parts and lines.
    pub(super) fn reads_all(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Call(call) if self.reads_all_call(call))
    }

    pub(super) fn reads_all_call(&self, call: &ExprCall) -> bool {
        let Expr::Attribute(method) = &*call.func else {
            return false;
        };
        match method.attr.as_str() {
            "read" | "readlines" => self.is_stream(&method.value) || is_buffer(&method.value),
            "split" | "splitlines" | "strip" | "rstrip" => self.reads_all(&method.value),
            _ => false,
        }
    }
}

/// `input`, `sys.stdin.readline`, and names for them.
pub(super) fn is_reader(expr: &Expr, readers: &BTreeSet<String>) -> bool {
    match expr {
        Expr::Name(name) => {
            matches!(name.id.as_str(), "input" | "raw_input") || readers.contains(name.id.as_str())
        }
        Expr::Attribute(node) => node.attr.as_str() == "readline",
        _ => false,
    }
}

fn is_buffer(expr: &Expr) -> bool {
    matches!(expr, Expr::Attribute(node) if node.attr.as_str() == "buffer")
}

/// The line of `line.split()`.
fn split_of(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Call(call) => split_of_call(call),
        _ => None,
    }
}

pub(super) fn split_of_call(call: &ExprCall) -> Option<&Expr> {
    match &*call.func {
        Expr::Attribute(method) if method.attr.as_str() == "split" => Some(&method.value),
        _ => None,
    }
}

/// The end of `range(…)`.
pub(super) fn rounds_of(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Call(call) if name_of(&call.func) == Some("range") => match &*call.arguments.args {
            [end] | [_, end] => Some(end),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn name_of(expr: &Expr) -> Option<&str> {
    expr.as_name_expr().map(|name| name.id.as_str())
}

pub(super) fn kind_of(function: &str) -> Kind {
    match function {
        "int" => Kind::Int,
        "float" => Kind::Float,
        _ => Kind::Word,
    }
}

pub(super) fn literal(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::NumberLiteral(literal) => match &literal.value {
            Number::Int(value) => value.as_i64(),
            _ => None,
        },
        _ => None,
    }
}

/// Uses of names that hold a line, or a part of one: `int(s)`, `s.split()`, `int(parts[0])`.
pub(super) fn uses_of(body: &[Stmt]) -> Held {
    let mut uses = Uses(Held::new());
    uses.visit_body(body);
    uses.0
}

struct Uses(Held);

impl Uses {
    fn note(&mut self, expr: &Expr, count: Option<usize>) {
        let Expr::Call(call) = expr else { return };
        let (kind, inner) = match (name_of(&call.func), &*call.arguments.args) {
            (Some("int"), [one]) => (Kind::Int, one),
            (Some("float"), [one]) => (Kind::Float, one),
            (Some("map"), [Expr::Name(of), one]) => (kind_of(&of.id), one),
            (None, _) => (Kind::Word, expr),
            _ => return,
        };
        let (line, parts) = match (split_of(inner), inner) {
            (Some(line), _) => (line, Some(count.unwrap_or(0))),
            (None, Expr::Subscript(node)) => (&*node.value, Some(0)),
            (None, inner) => (inner, None),
        };
        if let Expr::Name(name) = line {
            self.0.entry(name.id.to_string()).or_insert((kind, parts));
        }
    }
}

impl Visitor<'_> for Uses {
    fn visit_stmt(&mut self, statement: &Stmt) {
        if let Stmt::Assign(node) = statement
            && let Some(Expr::Tuple(names)) = node.targets.first()
        {
            self.note(&node.value, Some(names.elts.len()));
        }
        walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expr: &Expr) {
        self.note(expr, None);
        walk_expr(self, expr);
    }
}
