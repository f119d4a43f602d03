//! Which earlier statements a piece of a longer session needs.
//!
//! A backward slice over top-level statements by the names they bind, change and use. It errs on the
//! side of too much; that the piece really runs is found out by running it.

use std::collections::HashSet;

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprContext, Stmt};

use crate::syntax::with_parsed;

/// The names that a piece of code is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Certainly bound: earlier bindings are out of reach.
    pub bound: HashSet<String>,
    /// Possibly bound, or their value changed in place.
    pub changed: HashSet<String>,
    /// Read where it stands.
    pub used: HashSet<String>,
    /// Read in function bodies: when they are called, at any position.
    pub late: HashSet<String>,
    /// Binds names that it does not show: `from x import *`.
    pub opaque: bool,
    stored: HashSet<String>,
    global: HashSet<String>,
}

impl Names {
    /// The names of some code. `None` if it does not parse.
    pub fn of(code: &str) -> Self {
        let names = with_parsed(code, |parsed| {
            let mut names = Self::default();
            for stmt in parsed.suite() {
                names.top(stmt);
            }
            names
        });
        names.unwrap_or_default()
    }

    /// A statement at the top: it runs whatever happens.
    fn top(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::FunctionDef(function) => {
                self.bound.insert(function.name.to_string());
            }
            Stmt::ClassDef(class) => {
                self.bound.insert(class.name.to_string());
            }
            Stmt::Assign(assign) => {
                assign.targets.iter().for_each(|target| self.bind(target));
            }
            Stmt::AnnAssign(assign) if assign.value.is_some() => self.bind(&assign.target),
            Stmt::Import(import) => {
                for alias in &import.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
                    self.bound
                        .insert(name.split('.').next().unwrap_or(name).to_owned());
                }
            }
            Stmt::ImportFrom(import) => {
                for alias in &import.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.opaque |= name.as_str() == "*";
                    self.bound.insert(name.to_string());
                }
            }
            _ => {}
        }
        let mut inside = Inside(self);
        inside.visit_stmt(stmt);
    }

    fn bind(&mut self, target: &Expr) {
        match target {
            Expr::Name(name) => {
                self.bound.insert(name.id.to_string());
            }
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|e| self.bind(e)),
            Expr::List(list) => list.elts.iter().for_each(|e| self.bind(e)),
            Expr::Starred(starred) => self.bind(&starred.value),
            _ => {}
        }
    }
}

struct Inside<'a>(&'a mut Names);

impl Inside<'_> {
    fn change(&mut self, expr: &Expr) {
        match expr {
            Expr::Name(name) => {
                self.0.changed.insert(name.id.to_string());
            }
            Expr::Attribute(attribute) => self.change(&attribute.value),
            Expr::Subscript(item) => self.change(&item.value),
            Expr::Call(call) => self.change(&call.func),
            _ => {}
        }
    }
}

impl Inside<'_> {
    /// Outer names used by the body of a scope; its own bindings are local.
    fn scope(&mut self, parameters: Option<Vec<String>>, body: &[Stmt]) {
        let mut names = Names::default();
        let mut inside = Inside(&mut names);
        body.iter().for_each(|stmt| inside.visit_stmt(stmt));
        let own = |name: &String| {
            let stored = names.stored.contains(name) && !names.global.contains(name);
            stored || parameters.iter().flatten().any(|p| p == name)
        };
        let used = names.used.iter().filter(|name| !own(name)).cloned();
        match parameters {
            Some(_) => self.0.late.extend(used),
            None => self.0.used.extend(used),
        }
        self.0.late.extend(names.late);
    }
}

impl<'a> Visitor<'a> for Inside<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            // It reads the name that it changes.
            Stmt::AugAssign(assign) => {
                if let Expr::Name(name) = &*assign.target {
                    self.0.used.insert(name.id.to_string());
                }
            }
            Stmt::Global(global) => {
                self.0
                    .global
                    .extend(global.names.iter().map(ToString::to_string));
            }
            Stmt::FunctionDef(function) => {
                self.0.stored.insert(function.name.to_string());
                let parameters = function.parameters.iter();
                let parameters = parameters.map(|p| p.name().to_string()).collect();
                for decorator in &function.decorator_list {
                    self.visit_decorator(decorator);
                }
                self.visit_parameters(&function.parameters);
                return self.scope(Some(parameters), &function.body);
            }
            Stmt::ClassDef(class) => {
                self.0.stored.insert(class.name.to_string());
                for decorator in &class.decorator_list {
                    self.visit_decorator(decorator);
                }
                if let Some(arguments) = &class.arguments {
                    self.visit_arguments(arguments);
                }
                return self.scope(None, &class.body);
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) if name.ctx == ExprContext::Load => {
                self.0.used.insert(name.id.to_string());
            }
            Expr::Name(name) => {
                if name.ctx == ExprContext::Del {
                    self.0.used.insert(name.id.to_string());
                }
                self.0.stored.insert(name.id.to_string());
                self.change(expr);
            }
            Expr::Attribute(target) if target.ctx != ExprContext::Load => {
                self.change(&target.value)
            }
            Expr::Subscript(target) if target.ctx != ExprContext::Load => {
                self.change(&target.value)
            }
            // A method may change its receiver.
            Expr::Call(call) => {
                if let Expr::Attribute(method) = &*call.func {
                    self.change(&method.value);
                }
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// Which of `earlier`, by index, `piece` needs; in order.
pub fn needed(earlier: &[Names], piece: &[&Names]) -> Vec<usize> {
    // What functions read must hold when they are called: at the latest, at the end.
    let mut late: HashSet<&str> = HashSet::new();
    let mut found: Vec<usize> = Vec::new();
    loop {
        let chosen = found.iter().map(|&at| &earlier[at]);
        let before = late.len();
        late.extend(
            chosen
                .chain(piece.iter().copied())
                .flat_map(|n| n.late.iter().map(String::as_str)),
        );
        if late.len() == before && before > 0 {
            return found;
        }
        found = pass(earlier, piece, late.clone());
        if late.is_empty() && found.iter().all(|&at| earlier[at].late.is_empty()) {
            return found;
        }
    }
}

/// One pass from the end, where the names `wanted` must be bound.
fn pass<'a>(earlier: &'a [Names], piece: &[&'a Names], mut wanted: HashSet<&'a str>) -> Vec<usize> {
    let bind = |wanted: &mut HashSet<&str>, names: &Names| {
        wanted.retain(|name| !names.bound.contains(*name));
    };
    for names in piece.iter().rev() {
        bind(&mut wanted, names);
        wanted.extend(names.used.iter().map(String::as_str));
    }
    let mut found = Vec::new();
    for (at, names) in earlier.iter().enumerate().rev() {
        let touched = |set: &HashSet<String>| set.iter().any(|name| wanted.contains(name.as_str()));
        if names.opaque || touched(&names.bound) || touched(&names.changed) {
            found.push(at);
            bind(&mut wanted, names);
            wanted.extend(names.used.iter().map(String::as_str));
        }
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice(earlier: &[&str], piece: &str) -> Vec<usize> {
        let earlier: Vec<Names> = earlier.iter().map(|code| Names::of(code)).collect();
        needed(&earlier, &[&Names::of(piece)])
    }

    #[test]
    fn definitions_changes_and_what_they_use_are_needed_and_nothing_else() {
        let earlier = [
            "import math",
            "x = [1]",
            "unused = 5",
            "def f(a):\n    return a + y",
            "y = math.pi",
            "x.append(2)",
            "x[0] = f(3)",
            "z = 1",
        ];
        assert_eq!(slice(&earlier, "x"), [0, 1, 3, 4, 5, 6]);
        assert_eq!(slice(&earlier, "f(2)"), [0, 3, 4]);
        assert_eq!(slice(&earlier, "x = z"), [7]);
        assert_eq!(
            slice(&["x = 1", "def f(x):\n    x.y = x\n    z = x"], "x + z"),
            [0]
        );
        assert_eq!(slice(&["x = 1", "x = 2", "x += 1"], "x"), [1, 2]);
        assert_eq!(slice(&["x = 1", "if x:\n    x = 2"], "x"), [0, 1]);
    }
}
