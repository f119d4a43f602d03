//! The names that an expression reads and binds, with the scopes of comprehensions.
//!
//! Also determines whether the expression uses only variables and the builtins and methods of
//! [`builtins`](super::builtins).

use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Comprehension, Expr, ExprContext};

use super::builtins;

/// The names that an expression reads and binds, and whether it uses nothing else.
pub(super) struct Names {
    /// Read, builtins left out.
    pub(super) free: Vec<String>,
    /// Bound.
    pub(super) stored: Vec<String>,
    /// Builtins read.
    pub(super) builtin: Vec<String>,
    /// Bound by the comprehensions around.
    inner: Vec<String>,
    /// False as soon as anything else is used.
    pub(super) alone: bool,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            free: Vec::new(),
            stored: Vec::new(),
            builtin: Vec::new(),
            inner: Vec::new(),
            alone: true,
        }
    }
}

impl Names {
    /// The names read.
    pub(super) fn read(&mut self, name: &str) {
        if self.inner.iter().any(|n| n == name) {
            return;
        }
        let names = if builtins::is_known(name) {
            self.alone &= builtins::is_callable(name);
            &mut self.builtin
        } else {
            &mut self.free
        };
        if !names.iter().any(|n| n == name) {
            names.push(name.to_owned());
        }
    }

    /// The names that an assignment binds or changes.
    pub(super) fn target(&mut self, target: &Expr) {
        match target {
            Expr::Name(name) => {
                let name = name.id.to_string();
                if !self.stored.contains(&name) {
                    self.stored.push(name);
                }
            }
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|e| self.target(e)),
            Expr::List(list) => list.elts.iter().for_each(|e| self.target(e)),
            Expr::Starred(starred) => self.target(&starred.value),
            Expr::Subscript(item) => {
                self.visit_expr(&item.value);
                self.visit_expr(&item.slice);
            }
            _ => self.alone = false,
        }
    }

    fn call(&mut self, call: &ruff_python_ast::ExprCall) {
        match &*call.func {
            Expr::Name(name) => {
                let known = builtins::is_callable(name.id.as_str());
                self.alone &= known && !self.inner.iter().any(|n| *n == name.id.as_str());
                self.read(name.id.as_str());
            }
            Expr::Attribute(method) => {
                let of_builtin =
                    matches!(&*method.value, Expr::Name(n) if builtins::is_known(n.id.as_str()));
                self.alone &= !of_builtin && builtins::is_method(method.attr.as_str());
                self.visit_expr(&method.value);
            }
            _ => self.alone = false,
        }
        for argument in &call.arguments.args {
            self.visit_expr(argument);
        }
        for keyword in &call.arguments.keywords {
            // No supported value is a file or a function.
            let other = keyword
                .arg
                .as_ref()
                .is_none_or(|arg| arg == "file" || arg == "key");
            self.alone &= !other;
            self.visit_expr(&keyword.value);
        }
    }

    /// The parts of a comprehension, each in its scope.
    fn comprehension(&mut self, generators: &[Comprehension], parts: &[&Expr]) {
        let outer = self.inner.len();
        for (at, generator) in generators.iter().enumerate() {
            self.alone &= !generator.is_async;
            if at == 0 {
                self.visit_expr(&generator.iter);
            }
            bound(&generator.target, &mut self.inner, &mut self.alone);
        }
        for (at, generator) in generators.iter().enumerate() {
            if at > 0 {
                self.visit_expr(&generator.iter);
            }
            generator.ifs.iter().for_each(|test| self.visit_expr(test));
        }
        parts.iter().for_each(|part| self.visit_expr(part));
        self.inner.truncate(outer);
    }
}

fn bound(target: &Expr, names: &mut Vec<String>, alone: &mut bool) {
    match target {
        Expr::Name(name) => names.push(name.id.to_string()),
        Expr::Tuple(tuple) => tuple.elts.iter().for_each(|e| bound(e, names, alone)),
        Expr::List(list) => list.elts.iter().for_each(|e| bound(e, names, alone)),
        Expr::Starred(starred) => bound(&starred.value, names, alone),
        _ => *alone = false,
    }
}

impl<'a> Visitor<'a> for Names {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => {
                self.alone &= name.ctx == ExprContext::Load;
                self.read(name.id.as_str());
            }
            Expr::Call(call) => self.call(call),
            Expr::ListComp(c) => self.comprehension(&c.generators, &[&c.elt]),
            Expr::SetComp(c) => self.comprehension(&c.generators, &[&c.elt]),
            Expr::Generator(c) => self.comprehension(&c.generators, &[&c.elt]),
            Expr::DictComp(c) => {
                let parts: Vec<&Expr> = c.key.as_deref().into_iter().chain([&*c.value]).collect();
                self.comprehension(&c.generators, &parts);
            }
            Expr::Attribute(_)
            | Expr::Lambda(_)
            | Expr::Named(_)
            | Expr::Await(_)
            | Expr::Yield(_)
            | Expr::YieldFrom(_)
            | Expr::TString(_)
            | Expr::IpyEscapeCommand(_) => self.alone = false,
            _ => walk_expr(self, expr),
        }
    }
}
