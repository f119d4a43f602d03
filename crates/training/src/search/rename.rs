//! Renames a program without changing its behaviour: its own bindings change, but nothing that is
//! looked up by name at run time (attributes, keyword arguments, imports).

use std::collections::{HashMap, HashSet};

use codexec_data::syntax::with_parsed;
use rand::Rng;
use rand::seq::SliceRandom;
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_keyword, walk_parameter, walk_stmt};
use ruff_python_ast::{Expr, ExprContext, Keyword, Parameter, Stmt};
use ruff_python_stdlib::builtins::is_python_builtin;
use ruff_text_size::Ranged;

/// Names as short programs use them.
const NAMES: [&str; 96] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s",
    "t", "u", "v", "w", "x", "y", "z", "A", "B", "C", "D", "E", "F", "G", "H", "K", "L", "M", "N",
    "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z", "ans", "res", "cnt", "count", "total",
    "tmp", "num", "nums", "arr", "lst", "data", "value", "values", "item", "items", "index", "idx",
    "left", "right", "low", "high", "start", "end", "first", "last", "line", "lines", "word",
    "words", "text", "result", "answer", "number", "numbers", "current", "flag", "done", "solve",
    "main", "work", "check", "get", "calc", "find", "run", "step", "size",
];

/// Names that are keywords in some positions.
const SOFT: [&str; 4] = ["match", "case", "type", "_"];

#[derive(Default)]
struct Bound {
    names: Vec<String>,
    /// Names that cannot be renamed.
    fixed: HashSet<String>,
    in_class: bool,
}

impl Bound {
    fn bind(&mut self, name: &str) {
        if self.in_class {
            self.fixed.insert(name.to_owned());
        } else if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }
}

impl<'a> Visitor<'a> for Bound {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let outside = self.in_class;
        match stmt {
            Stmt::FunctionDef(function) => {
                self.bind(&function.name);
                self.in_class = false;
            }
            Stmt::ClassDef(class) => {
                self.fixed.insert(class.name.to_string());
                self.in_class = true;
            }
            Stmt::Import(import) => {
                for alias in &import.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name);
                    let first = name.split('.').next().unwrap_or_default();
                    self.fixed.insert(first.to_owned());
                }
            }
            Stmt::ImportFrom(import) => {
                for alias in &import.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.fixed.insert(name.to_string());
                }
            }
            _ => {}
        }
        walk_stmt(self, stmt);
        self.in_class = outside;
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) if name.ctx == ExprContext::Store => self.bind(&name.id),
            Expr::Attribute(attribute) => {
                self.fixed.insert(attribute.attr.to_string());
            }
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn visit_keyword(&mut self, keyword: &'a Keyword) {
        self.fixed
            .extend(keyword.arg.iter().map(ToString::to_string));
        walk_keyword(self, keyword);
    }

    fn visit_parameter(&mut self, parameter: &'a Parameter) {
        self.bind(&parameter.name);
        walk_parameter(self, parameter);
    }
}

/// The program with other names. `None` if it has no renamable binding, or does not parse.
pub(super) fn renamed(source: &str, rng: &mut (impl Rng + Send)) -> Option<String> {
    let found = with_parsed(source, |parsed| {
        let mut bound = Bound::default();
        for stmt in &parsed.syntax().body {
            bound.visit_stmt(stmt);
        }
        let names = parsed.tokens().iter();
        let names = names.filter(|token| token.kind() == TokenKind::Name);
        (bound, names.map(Ranged::range).collect::<Vec<_>>())
    });
    let (bound, places) = found.ok()?;
    let used: HashSet<&str> = places.iter().map(|place| &source[*place]).collect();
    let mut free: Vec<&str> = NAMES
        .into_iter()
        .filter(|name| !used.contains(name))
        .collect();
    free.shuffle(rng);
    let may_change = |name: &&String| {
        !bound.fixed.contains(*name)
            && !name.starts_with("__")
            && !SOFT.contains(&name.as_str())
            && !is_python_builtin(name, 11, false)
    };
    let old = bound.names.iter().filter(may_change);
    let others: HashMap<&str, &str> = old.map(String::as_str).zip(free).collect();
    if others.is_empty() {
        return None;
    }
    let (mut text, mut at) = (String::with_capacity(source.len()), 0);
    for place in places {
        if let Some(other) = others.get(&source[place]) {
            text.push_str(&source[at..place.start().to_usize()]);
            text.push_str(other);
            at = place.end().to_usize();
        }
    }
    text.push_str(&source[at..]);
    Some(text)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn words(source: &str) -> Option<String> {
        renamed(source, &mut ChaCha8Rng::seed_from_u64(1))
    }

    #[test]
    fn names_change_together_and_nothing_else_does() {
        let source = "import math as ma\ndef area(r, k=1):\n    return ma.pi * r ** 2 + k\nrows = [area(v, k=2) for v in [1]]\nprint(f'{rows} rows', rows.count(3))\n";
        let other = words(source).unwrap();
        let changed = ["area", "r", "rows", "v"];
        let tokens = |text: &str| -> Vec<String> {
            text.split(|c: char| !c.is_alphanumeric() && c != '_')
                .map(str::to_owned)
                .collect()
        };
        let (before, after) = (tokens(source), tokens(&other));
        assert_eq!(before.len(), after.len(), "{other}");
        let mut names: HashMap<String, String> = HashMap::new();
        let mut in_text = 0;
        for (old, new) in before.iter().zip(&after) {
            if old == "rows" && new == "rows" {
                in_text += 1;
            } else if changed.contains(&old.as_str()) {
                assert_ne!(old, new);
                let first = names.entry(old.clone()).or_insert_with(|| new.clone());
                assert_eq!(first, new);
            } else {
                assert_eq!(old, new);
            }
        }
        // The word in the string stays.
        assert_eq!(in_text, 1, "{other}");
        let distinct: HashSet<&String> = names.values().collect();
        assert_eq!(distinct.len(), changed.len());
    }

    #[test]
    fn what_is_looked_up_by_name_stays() {
        for source in [
            "print(1)\n",
            "import x\nx = 1\n",
            "y.a = 1\na = y.a\n",
            "x = = 1\n",
        ] {
            assert_eq!(words(source), None, "{source}");
        }
        let class =
            words("class A:\n    n = 1\n    def f(self):\n        return self.n\n").unwrap();
        assert!(
            class.starts_with("class A:\n    n = 1\n    def f("),
            "{class}"
        );
        assert!(
            class.ends_with(".n\n") && !class.contains("self"),
            "{class}"
        );
        let class = words("class A:\n    def f(self, n):\n        return n\nprint(A().f(1))\n");
        let class = class.unwrap();
        assert!(class.contains("class A:\n    def f(") && class.contains("A().f(1)"));
    }
}
