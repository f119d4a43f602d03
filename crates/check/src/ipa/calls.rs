//! Which functions of a module an expression calls by name, and what ends a program.

use std::collections::HashMap;

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, Stmt, StmtFunctionDef};

/// The top-level functions of a module whose bodies run where they are called: defined once, neither
/// decorated nor asynchronous, no generators.
#[derive(Default)]
pub(super) struct Functions<'a>(HashMap<&'a str, &'a StmtFunctionDef>);

impl<'a> Functions<'a> {
    pub(super) fn of(body: &'a [Stmt]) -> Self {
        let mut found: HashMap<&str, Option<&StmtFunctionDef>> = HashMap::new();
        for statement in body {
            if let Stmt::FunctionDef(node) = statement {
                let is_plain =
                    !node.is_async && node.decorator_list.is_empty() && !yields(&node.body);
                let entry = found.entry(node.name.as_str());
                entry
                    .and_modify(|other| *other = None)
                    .or_insert(is_plain.then_some(node));
            }
        }
        let once = found
            .into_iter()
            .filter_map(|(name, node)| Some((name, node?)));
        Self(once.collect())
    }

    pub(super) fn get(&self, name: &str) -> Option<&'a StmtFunctionDef> {
        self.0.get(name).copied()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Looks for `yield`, outside of functions inside.
#[derive(Default)]
struct Yields(bool);

impl<'a> Visitor<'a> for Yields {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        if !matches!(statement, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
            walk_stmt(self, statement);
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Yield(_) | Expr::YieldFrom(_) => self.0 = true,
            Expr::Lambda(_) => {}
            _ => walk_expr(self, expr),
        }
    }
}

fn yields(body: &[Stmt]) -> bool {
    let mut visitor = Yields::default();
    visitor.visit_body(body);
    visitor.0
}

/// Collects names that are called.
#[derive(Default)]
struct Called<'a>(Vec<&'a str>);

impl<'a> Visitor<'a> for Called<'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if matches!(expr, Expr::Lambda(_)) {
            return;
        }
        // The callee follows its arguments.
        walk_expr(self, expr);
        if let Expr::Call(call) = expr
            && let Expr::Name(name) = &*call.func
        {
            self.0.push(name.id.as_str());
        }
    }
}

/// The names that an expression calls, in the order in which they run.
pub(super) fn called(expr: &Expr) -> Vec<&str> {
    let mut visitor = Called::default();
    visitor.visit_expr(expr);
    visitor.0
}

/// Whether an expression statement ends the program without an error.
pub(super) fn ends_program(expr: &Expr) -> bool {
    let Expr::Call(call) = expr else { return false };
    match &*call.func {
        Expr::Name(name) => matches!(name.id.as_str(), "exit" | "quit"),
        Expr::Attribute(node) => {
            let of = |module: &str| matches!(&*node.value, Expr::Name(name) if name.id.as_str() == module);
            match node.attr.as_str() {
                "exit" => of("sys"),
                "_exit" => of("os"),
                _ => false,
            }
        }
        _ => false,
    }
}

/// Whether `raise` of an expression ends the program without an error.
pub(super) fn is_exit(expr: &Expr) -> bool {
    match expr {
        Expr::Name(name) => name.id.as_str() == "SystemExit",
        Expr::Call(call) => is_exit(&call.func),
        _ => false,
    }
}
