//! Frequencies of a corpus's Python idioms, and its names and constants.

use std::collections::BTreeMap;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_parameter, walk_stmt};
use ruff_python_ast::{Expr, ExprContext, Number, Parameter, Stmt};

use crate::sources::builtins;
use crate::syntax::with_parsed;

/// Names and constants that are kept of each role.
const KEPT: usize = 300;
/// Maximum length of a kept string.
const LONGEST: usize = 12;
/// The largest kept number.
const LARGEST: i64 = 1000;

/// The role of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Variable,
    Loop,
    Function,
    Parameter,
}

/// Counts of a corpus.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Idioms {
    counts: BTreeMap<String, u64>,
    names: BTreeMap<Role, Vec<(String, u64)>>,
    numbers: Vec<(i64, u64)>,
    texts: Vec<(String, u64)>,
    programs: usize,
}

impl Idioms {
    /// Counts the idioms of programs; those that do not parse are left out.
    pub fn of<'p>(programs: impl Iterator<Item = &'p str>) -> Self {
        let mut counter = Counter::default();
        for source in programs {
            let counted = with_parsed(source, |parsed| counter.visit_body(parsed.suite()));
            counter.programs += usize::from(counted.is_ok());
        }
        let names = counter.names.into_iter();
        Self {
            counts: counter.counts,
            names: names.map(|(role, names)| (role, most(names))).collect(),
            numbers: most(counter.numbers),
            texts: most(counter.texts),
            programs: counter.programs,
        }
    }

    /// Programs that were counted.
    pub fn programs(&self) -> usize {
        self.programs
    }

    /// Frequency of an idiom, such as `binop +`, `call len`, `method append`, `for range`.
    pub fn count(&self, idiom: &str) -> u64 {
        self.counts.get(idiom).copied().unwrap_or(0)
    }

    /// The weight of a production: none is impossible.
    pub(super) fn weight(&self, idiom: &str) -> u64 {
        self.count(idiom) + 1
    }

    /// A name of the corpus for a role.
    pub(super) fn name(&self, role: Role, rng: &mut ChaCha8Rng) -> String {
        const USUAL: [&str; 6] = ["x", "n", "total", "items", "value", "count"];
        let known = self.names.get(&role).map(Vec::as_slice).unwrap_or_default();
        let drawn = drawn(known, rng).cloned();
        drawn.unwrap_or_else(|| USUAL[rng.random_range(0..USUAL.len())].to_owned())
    }

    /// A small number, as often as the corpus has it.
    pub(super) fn number(&self, rng: &mut ChaCha8Rng) -> i64 {
        let known = drawn(&self.numbers, rng).copied();
        // A corpus has few numbers, and most of them are 0 and 1.
        match known {
            Some(number) if rng.random_bool(0.5) => number,
            _ => rng.random_range(0..=20),
        }
    }

    /// A short text.
    pub(super) fn text(&self, rng: &mut ChaCha8Rng) -> String {
        const USUAL: [&str; 6] = ["a", "abc", "hello", "x", "word", "one two"];
        let known = drawn(&self.texts, rng).cloned();
        known.unwrap_or_else(|| USUAL[rng.random_range(0..USUAL.len())].to_owned())
    }
}

/// The most frequent ones; ties keep their order.
fn most<T: Ord>(counts: BTreeMap<T, u64>) -> Vec<(T, u64)> {
    let mut all: Vec<(T, u64)> = counts.into_iter().collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    all.truncate(KEPT);
    all
}

/// Draws one by frequency.
fn drawn<'k, T>(known: &'k [(T, u64)], rng: &mut ChaCha8Rng) -> Option<&'k T> {
    let all: u64 = known.iter().map(|(_, count)| count).sum();
    let mut left = (all > 0).then(|| rng.random_range(0..all))?;
    for (one, count) in known {
        if left < *count {
            return Some(one);
        }
        left -= count;
    }
    None
}

#[derive(Default)]
struct Counter {
    counts: BTreeMap<String, u64>,
    names: BTreeMap<Role, BTreeMap<String, u64>>,
    numbers: BTreeMap<i64, u64>,
    texts: BTreeMap<String, u64>,
    programs: usize,
}

impl Counter {
    fn add(&mut self, idiom: impl Into<String>) {
        *self.counts.entry(idiom.into()).or_default() += 1;
    }

    fn name(&mut self, role: Role, name: &str) {
        let is_own = name.is_ascii() && !name.starts_with('_') && !is_builtin(name);
        if is_own {
            let names = self.names.entry(role).or_default();
            *names.entry(name.to_owned()).or_default() += 1;
        }
    }

    fn target(&mut self, role: Role, target: &Expr) {
        match target {
            Expr::Name(name) => self.name(role, name.id.as_str()),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|one| self.target(role, one)),
            Expr::Subscript(_) => self.add("store"),
            _ => {}
        }
    }

    /// Source of a loop's items.
    fn loop_over(&mut self, iter: &Expr) {
        let Expr::Call(call) = iter else {
            return self.add("for each");
        };
        let how = match &*call.func {
            Expr::Name(name) if name.id == "range" => "for range",
            Expr::Name(name) if name.id == "enumerate" => "for enumerate",
            Expr::Attribute(of) if of.attr.as_str() == "items" => "for items",
            _ => "for each",
        };
        self.add(how);
    }
}

/// Whether a name is one that programs should not bind.
pub(super) fn is_builtin(name: &str) -> bool {
    builtins::is_known(name) || matches!(name, "True" | "False" | "None" | "print" | "input")
}

impl<'a> Visitor<'a> for Counter {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Assign(assign) => {
                let swaps = |target: &Expr| target.is_tuple_expr() && assign.value.is_tuple_expr();
                self.add(match assign.targets.iter().any(swaps) {
                    true => "swap",
                    false => "assign",
                });
                for target in &assign.targets {
                    self.target(Role::Variable, target);
                }
            }
            Stmt::AugAssign(assign) => self.add(format!("augmented {}", assign.op.as_str())),
            Stmt::For(each) => {
                self.loop_over(&each.iter);
                self.target(Role::Loop, &each.target);
            }
            Stmt::While(_) => self.add("while"),
            Stmt::If(when) => self.add(match when.elif_else_clauses.is_empty() {
                true => "if",
                false => "if else",
            }),
            Stmt::FunctionDef(function) => {
                self.add("function");
                self.name(Role::Function, function.name.as_str());
            }
            Stmt::Break(_) => self.add("break"),
            Stmt::Continue(_) => self.add("continue"),
            Stmt::Return(_) => self.add("return"),
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_parameter(&mut self, parameter: &'a Parameter) {
        if parameter.name.as_str() != "self" {
            self.name(Role::Parameter, parameter.name.as_str());
        }
        walk_parameter(self, parameter);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::BinOp(op) => self.add(format!("binop {}", op.op.as_str())),
            Expr::Compare(compare) => {
                for op in &compare.ops {
                    self.add(format!("compare {}", op.as_str()));
                }
            }
            Expr::BoolOp(op) => self.add(op.op.as_str()),
            Expr::UnaryOp(op) => self.add(format!("unary {}", op.op.as_str())),
            Expr::Call(call) => match &*call.func {
                Expr::Name(name) => self.add(format!("call {}", name.id)),
                Expr::Attribute(of) => self.add(format!("method {}", of.attr)),
                _ => {}
            },
            Expr::ListComp(comp) => {
                let is_filtered = comp.generators.iter().any(|one| !one.ifs.is_empty());
                self.add(match is_filtered {
                    true => "filtered comprehension",
                    false => "comprehension",
                });
            }
            Expr::DictComp(_) => self.add("dict comprehension"),
            Expr::SetComp(_) => self.add("set comprehension"),
            Expr::Subscript(of) if of.ctx == ExprContext::Load => {
                self.add(if of.slice.is_slice_expr() {
                    "slice"
                } else {
                    "index"
                });
            }
            Expr::If(_) => self.add("conditional"),
            Expr::FString(_) => self.add("f-string"),
            Expr::List(_) => self.add("list"),
            Expr::Dict(_) => self.add("dict"),
            Expr::Set(_) => self.add("set"),
            Expr::Name(name) if name.ctx == ExprContext::Load => self.add("name"),
            Expr::NumberLiteral(number) => {
                self.add("number");
                if let Number::Int(int) = &number.value
                    && let Some(int) = int.as_i64().filter(|int| *int <= LARGEST)
                {
                    *self.numbers.entry(int).or_default() += 1;
                }
            }
            Expr::StringLiteral(text) => {
                self.add("text");
                let text = text.value.to_str();
                let plain = |c: char| c.is_ascii_alphanumeric() || " ,.-:".contains(c);
                if !text.is_empty() && text.len() <= LONGEST && text.chars().all(plain) {
                    *self.texts.entry(text.to_owned()).or_default() += 1;
                }
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corpus_is_counted() {
        let programs = [
            "def half(n):\n    return n // 2\nfor k in range(3):\n    total += half(k)\n",
            "words = 'a b'.split()\nfor i, w in enumerate(words):\n    print(f'{i}', w[1:], w[0])\n",
            "x = (\n",
        ];
        let idioms = Idioms::of(programs.into_iter());
        assert_eq!(idioms.programs(), 2);
        let known = [
            ("function", 1),
            ("binop //", 1),
            ("for range", 1),
            ("for enumerate", 1),
            ("augmented +", 1),
            ("method split", 1),
            ("call half", 1),
            ("slice", 1),
            ("index", 1),
            ("f-string", 1),
            ("while", 0),
        ];
        for (idiom, count) in known {
            assert_eq!(idioms.count(idiom), count, "{idiom}");
        }
        assert_eq!(idioms.numbers, [(0, 1), (1, 1), (2, 1), (3, 1)]);
        let names = |role| &idioms.names[&role][0].0;
        assert_eq!(
            (names(Role::Function).as_str(), names(Role::Loop).as_str()),
            ("half", "i")
        );
    }
}
