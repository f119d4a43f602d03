//! Names that statements bind in their own scope.

use std::collections::HashSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Alias, ExceptHandler, Expr, ExprContext, Pattern, Stmt};

/// The name that a pattern binds by itself.
pub(super) fn captured(pattern: &Pattern) -> Option<&str> {
    let name = match pattern {
        Pattern::MatchAs(p) => p.name.as_ref(),
        Pattern::MatchStar(p) => p.name.as_ref(),
        Pattern::MatchMapping(p) => p.rest.as_ref(),
        _ => None,
    };
    name.map(|n| n.as_str())
}

/// Names that statements bind in their own scope.
#[derive(Default)]
pub(super) struct Binds<'a> {
    pub names: HashSet<&'a str>,
    /// Names declared to belong to a scope outside.
    pub outer: HashSet<&'a str>,
    /// Whether the scope is a generator's or a coroutine's.
    pub lazy: bool,
}

impl<'a> Binds<'a> {
    pub(super) fn of(body: &'a [Stmt]) -> Self {
        let mut binds = Self::default();
        binds.visit_body(body);
        binds
    }
}

impl<'a> Visitor<'a> for Binds<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(f) => {
                self.names.insert(&f.name);
            }
            Stmt::ClassDef(c) => {
                self.names.insert(&c.name);
            }
            Stmt::Global(g) => self.outer.extend(g.names.iter().map(|n| n.as_str())),
            Stmt::Nonlocal(n) => self.outer.extend(n.names.iter().map(|n| n.as_str())),
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_alias(&mut self, alias: &'a Alias) {
        let name = alias.asname.as_ref().unwrap_or(&alias.name);
        self.names
            .insert(name.split('.').next().unwrap_or_default());
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(n) if n.ctx != ExprContext::Load => {
                self.names.insert(&n.id);
            }
            Expr::Yield(_) | Expr::YieldFrom(_) | Expr::Await(_) => self.lazy = true,
            Expr::Lambda(_) => return,
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(h) = handler;
        self.names.extend(h.name.as_ref().map(|n| n.as_str()));
        visitor::walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        self.names.extend(captured(pattern));
        visitor::walk_pattern(self, pattern);
    }
}
