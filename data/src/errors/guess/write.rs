//! Generated lines: numbers within their bounds, small ones first, and short words.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use ruff_python_ast::Expr;

use super::shapes::literal;
use super::{Kind, MOST_ROUNDS, Reader, Wanted};

impl Reader<'_> {
    /// Some lines of integers, if the whole input is read together.
    pub(super) fn everything(&mut self) {
        self.has_read = true;
        let count = self.number("n");
        self.lines.push(count.to_string());
        let row: Vec<String> = (0..count.clamp(1, MOST_ROUNDS))
            .map(|_| self.number("a").to_string())
            .collect();
        self.lines.push(row.join(" "));
    }

    /// Makes up a line.
    pub(super) fn line(&mut self, (kind, parts): (Kind, Option<usize>), wanted: Wanted<'_>) {
        self.has_read = true;
        let names: Vec<Option<&str>> = wanted
            .names
            .iter()
            .map(|one| one.as_name_expr().map(|name| name.id.as_str()))
            .collect();
        let starred = wanted.names.iter().any(Expr::is_starred_expr);
        let count = match parts {
            None => 1,
            Some(0 | 1) => self.last.unwrap_or(3).clamp(1, MOST_ROUNDS) as usize,
            Some(n) if starred => n + 2,
            Some(n) => n,
        };
        let mut all = Vec::with_capacity(count);
        for k in 0..count {
            let name = names.get(k).copied().flatten().or(wanted.name);
            let held = name.filter(|_| kind == Kind::Word && parts.is_some());
            let held = held.and_then(|name| self.lines_held.get(name));
            match held.map_or(kind, |(kind, _)| *kind) {
                Kind::Int => {
                    let number = self.number(name.unwrap_or_default());
                    if let Some(name) = name.filter(|_| parts.is_none() || k < names.len()) {
                        self.known.insert(name.to_owned(), number);
                    }
                    if parts.is_none() || k == 0 && !names.is_empty() {
                        self.last = Some(number);
                    }
                    all.push(number.to_string());
                }
                Kind::Float => all.push(format!("{}.5", self.number(name.unwrap_or_default()))),
                Kind::Word => all.push(self.word()),
            }
        }
        self.lines.push(all.join(" "));
    }

    fn number(&mut self, name: &str) -> i64 {
        if self.zeros {
            return 0;
        }
        let (low, high) = self.bounds.get(name).unwrap_or((1, self.high));
        let high = high.min(low.saturating_add(self.high));
        self.rng.random_range(low.min(high)..=high)
    }

    fn word(&mut self) -> String {
        if self.zeros {
            return "0".to_owned();
        }
        let length = self.rng.random_range(3..=5);
        let letter = |rng: &mut ChaCha8Rng| char::from(b'a' + rng.random_range(0..5u8));
        (0..length).map(|_| letter(&mut self.rng)).collect()
    }

    /// The number that an expression is, as far as known.
    pub(super) fn value(&self, expr: &Expr) -> Option<i64> {
        use ruff_python_ast::Operator::{Add, FloorDiv, Mult, Sub};
        match expr {
            Expr::Name(name) => self.known.get(name.id.as_str()).copied(),
            Expr::BinOp(node) => {
                let (left, right) = (self.value(&node.left)?, self.value(&node.right)?);
                match node.op {
                    Add => left.checked_add(right),
                    Sub => left.checked_sub(right),
                    Mult => left.checked_mul(right),
                    FloorDiv => left.checked_div(right),
                    _ => None,
                }
            }
            Expr::Call(_) => self.last,
            other => literal(other),
        }
    }
}
