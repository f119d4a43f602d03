//! Whether a value may still read later: a stream, a function that reads, or a container of one.

use std::collections::HashSet;

use ruff_python_ast::Expr;
use ruff_text_size::{Ranged, TextRange};

use super::names::listed;

/// Built-in functions whose result cannot read, for any arguments.
const TO_DATA: &str = "int float str len sum max min print ord chr abs range bool bytes repr hash \
    isinstance divmod pow round format next";

/// Whether a value may still read, later.
pub(super) struct Leak<'a, 's> {
    pub readers: &'s HashSet<&'a str>,
    /// Names whose calls return only data.
    pub harmless: &'s HashSet<&'a str>,
    /// Names in the text and their positions.
    pub mentions: &'s [(u32, &'a str)],
}

impl Leak<'_, '_> {
    fn mentioned(&self, range: TextRange) -> bool {
        let inside = |at: u32| range.contains(at.into());
        self.mentions
            .iter()
            .any(|(at, n)| self.readers.contains(n) && inside(*at))
    }

    fn any<'e>(&self, all: impl IntoIterator<Item = &'e Expr>) -> bool {
        all.into_iter().any(|e| self.leaks(e))
    }

    pub(super) fn leaks(&self, value: &Expr) -> bool {
        match value {
            Expr::Name(n) => self.readers.contains(n.id.as_str()),
            Expr::Attribute(a) => self.readers.contains(a.attr.as_str()) || self.leaks(&a.value),
            Expr::Call(c) => {
                let arguments = || {
                    self.any(&c.arguments.args)
                        || self.any(c.arguments.keywords.iter().map(|k| &k.value))
                };
                match &*c.func {
                    Expr::Name(n) if listed(TO_DATA, &n.id) => false,
                    Expr::Name(n) if listed("list tuple set sorted", &n.id) => {
                        c.arguments.args.iter().any(|e| self.items_leak(e))
                    }
                    Expr::Name(n) if self.harmless.contains(n.id.as_str()) => arguments(),
                    Expr::Attribute(a) if self.harmless.contains(a.attr.as_str()) => arguments(),
                    f => self.leaks(f) || arguments(),
                }
            }
            Expr::Compare(_) | Expr::FString(_) => false,
            Expr::UnaryOp(u) => self.leaks(&u.operand),
            Expr::BinOp(b) => self.leaks(&b.left) || self.leaks(&b.right),
            Expr::BoolOp(b) => self.any(&b.values),
            Expr::If(i) => self.leaks(&i.body) || self.leaks(&i.orelse),
            Expr::Tuple(t) => self.any(&t.elts),
            Expr::List(l) => self.any(&l.elts),
            Expr::Set(s) => self.any(&s.elts),
            Expr::Subscript(s) => self.leaks(&s.value),
            Expr::Starred(s) => self.items_leak(&s.value),
            Expr::ListComp(c) => self.leaks(&c.elt),
            Expr::SetComp(c) => self.leaks(&c.elt),
            e => self.mentioned(e.range()),
        }
    }

    fn items_leak(&self, iterable: &Expr) -> bool {
        match iterable {
            Expr::Generator(g) => self.leaks(&g.elt),
            Expr::Attribute(a) if a.attr.as_str() == "stdin" => false,
            Expr::Call(c) if matches!(&*c.func, Expr::Name(n) if n.id.as_str() == "map") => {
                match c.arguments.args.first() {
                    Some(Expr::Lambda(l)) => self.leaks(&l.body),
                    Some(Expr::Name(n)) => {
                        let name = n.id.as_str();
                        self.readers.contains(name) && !self.harmless.contains(name)
                    }
                    _ => self.leaks(iterable),
                }
            }
            e => self.leaks(e),
        }
    }

    /// Whether calling the value returns only data.
    pub(super) fn calls_are_harmless(&self, value: &Expr) -> bool {
        match value {
            Expr::Name(n) => self.harmless.contains(n.id.as_str()),
            Expr::Attribute(a) => self.harmless.contains(a.attr.as_str()),
            Expr::Lambda(l) => !self.leaks(&l.body),
            _ => false,
        }
    }
}
