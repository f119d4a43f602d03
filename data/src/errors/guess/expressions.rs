//! What expressions read, in the order in which they are evaluated.

use ruff_python_ast::{Arguments, Comprehension, Expr, ExprCall, Stmt};

use super::shapes::{kind_of, name_of, rounds_of, split_of_call};
use super::{Callee, Kind, MOST_DEPTH, MOST_ROUNDS, Reader, Wanted};

impl<'p> Reader<'p> {
    /// Performs the reads of an expression, in evaluation order.
    pub(super) fn expr(&mut self, expr: &'p Expr, wanted: Wanted<'p>) {
        if !self.visit() {
            return;
        }
        match expr {
            Expr::Call(call) => self.call(call, wanted),
            Expr::ListComp(node) => self.comprehension(&node.elt, &node.generators, wanted),
            Expr::SetComp(node) => self.comprehension(&node.elt, &node.generators, wanted),
            Expr::Generator(node) => self.comprehension(&node.elt, &node.generators, wanted),
            Expr::DictComp(node) => {
                self.comprehension(&node.value, &node.generators, Wanted::default());
            }
            Expr::BinOp(node) => {
                self.expr(&node.left, Wanted::default());
                self.expr(&node.right, Wanted::default());
            }
            Expr::BoolOp(node) => self.all(&node.values),
            Expr::Compare(node) => {
                self.expr(&node.left, Wanted::default());
                self.all(&node.comparators);
            }
            Expr::UnaryOp(node) => self.expr(&node.operand, Wanted::default()),
            Expr::If(node) => {
                self.expr(&node.test, Wanted::default());
                self.expr(&node.body, Wanted::default());
            }
            Expr::Tuple(node) => {
                for (k, one) in node.elts.iter().enumerate() {
                    let name = wanted.names.get(k).and_then(Expr::as_name_expr);
                    let name = name.map(|name| name.id.as_str());
                    self.expr(one, Wanted { names: &[], name });
                }
            }
            Expr::List(node) => self.all(&node.elts),
            Expr::Subscript(node) => {
                self.expr(&node.value, Wanted::default());
                self.expr(&node.slice, Wanted::default());
            }
            Expr::Attribute(node) => self.expr(&node.value, wanted),
            Expr::Starred(node) => self.expr(&node.value, wanted),
            Expr::Named(node) => {
                let name = node.target.as_name_expr().map(|name| name.id.as_str());
                self.expr(&node.value, Wanted { names: &[], name });
            }
            _ => {}
        }
    }

    fn all(&mut self, all: &'p [Expr]) {
        for one in all {
            self.expr(one, Wanted::default());
        }
    }

    fn call(&mut self, call: &'p ExprCall, wanted: Wanted<'p>) {
        let args = &*call.arguments.args;
        if self.reads_line(call) {
            let held = wanted.name.and_then(|name| self.lines_held.get(name));
            let shape = held.copied().unwrap_or((Kind::Word, None));
            return self.line(shape, wanted);
        }
        match (name_of(&call.func), args) {
            (Some("int"), [one]) if self.line_of(one) => self.line((Kind::Int, None), wanted),
            (Some("float"), [one]) if self.line_of(one) => self.line((Kind::Float, None), wanted),
            (Some("map"), [of, one]) => match self.split_line(one) {
                Some(()) => {
                    let kind = match of {
                        Expr::Name(name) => kind_of(&name.id),
                        Expr::Lambda(_) => Kind::Int,
                        _ => Kind::Word,
                    };
                    self.line((kind, Some(wanted.names.len())), wanted);
                }
                None if self.reads_all(one) => self.everything(),
                None => self.expr(one, wanted),
            },
            (Some("list" | "tuple" | "set" | "sorted" | "reversed" | "iter"), [one, ..]) => {
                self.expr(one, wanted);
            }
            (Some(name), _) if self.functions.contains_key(name) => {
                self.arguments(&call.arguments);
                self.follow(name, wanted);
            }
            _ if split_of_call(call).is_some_and(|line| self.line_of(line)) => {
                let held = wanted.name.and_then(|name| self.lines_held.get(name));
                let kind = held.map_or(Kind::Word, |(kind, _)| *kind);
                self.line((kind, Some(wanted.names.len())), wanted);
            }
            _ if self.reads_all_call(call) => self.everything(),
            _ => {
                self.expr(&call.func, wanted);
                self.arguments(&call.arguments);
            }
        }
    }

    fn arguments(&mut self, arguments: &'p Arguments) {
        self.all(&arguments.args);
        for keyword in &arguments.keywords {
            self.expr(&keyword.value, Wanted::default());
        }
    }

    fn follow(&mut self, name: &str, wanted: Wanted<'p>) {
        let Some(&callee) = self.functions.get(name) else {
            return;
        };
        if self.depth >= MOST_DEPTH {
            return;
        }
        self.depth += 1;
        match callee {
            Callee::Value(value) => self.expr(value, wanted),
            Callee::Body(body) => match body {
                // The caller unpacks the result of a one-line function.
                [Stmt::Return(node)] => {
                    if let Some(value) = &node.value {
                        self.expr(value, wanted);
                    }
                }
                body => self.body(body),
            },
        }
        self.depth -= 1;
    }

    fn comprehension(&mut self, elt: &'p Expr, loops: &'p [Comprehension], wanted: Wanted<'p>) {
        let Some((first, more)) = loops.split_first() else {
            return self.expr(elt, wanted);
        };
        let iter = &first.iter;
        if let Some(()) = self.split_line(iter) {
            let of_element = match elt {
                Expr::Call(call) => name_of(&call.func).map_or(Kind::Word, kind_of),
                _ => Kind::Word,
            };
            return self.line((of_element, Some(wanted.names.len())), wanted);
        }
        if self.is_stream(iter) || self.reads_all(iter) {
            return self.everything();
        }
        self.expr(iter, Wanted::default());
        let rounds = rounds_of(iter).and_then(|count| self.value(count));
        for _ in 0..rounds.unwrap_or(2).clamp(0, MOST_ROUNDS) {
            if !self.visit() {
                return;
            }
            self.comprehension(elt, more, Wanted::default());
        }
    }
}
