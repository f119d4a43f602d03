//! Variants of a question: other values of similar size in the same places.
//!
//! Equal values stay equal most of the time, so that a key still exists in the dict and a substring still occurs;
//! sorted lists stay sorted; lists grow, shrink and change their order.

use std::collections::{HashMap, HashSet};

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use rand::Rng;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use crate::question::{Data, Operation, Question, Shape};
use codexec_vm::fold::BinaryOp;

/// A question with other values.
pub fn vary(question: &Question, rng: &mut ChaCha8Rng) -> Question {
    let mut variation = Variation {
        scalars: HashMap::new(),
        letters: rng.random_bool(0.6).then(HashMap::new),
        keep_formats: keeps_formats(question),
        rng,
    };
    let mut varied = question.clone();
    let sizes = !matches!(question.operation, Operation::SortBy) && variation.rng.random_bool(0.6);
    for shape in &mut varied.objects {
        variation.shape(shape, sizes);
    }
    for (at, operand) in varied.operands.iter_mut().enumerate() {
        let format = at == 1 && matches!(question.operation, Operation::Format);
        if !format {
            variation.data(operand);
        }
    }
    varied
}

/// Whether an answer would be too large to learn from, and slow to make: a power, a shift or a repetition by a large
/// number.
#[must_use]
pub fn is_huge(question: &Question) -> bool {
    let number = |data: &Data, most: i64| match data {
        Data::Int(n) => n.to_i64().is_none_or(|n| n.abs() > most),
        _ => false,
    };
    let Operation::Binary(op, _) = &question.operation else {
        return false;
    };
    let [left, right] = question.operands.as_slice() else {
        return false;
    };
    let is_repeated = |data: &Data| matches!(data, Data::Str(_) | Data::Bytes(_) | Data::Object(_));
    match op {
        BinaryOp::Power => number(right, 64) && !matches!(left, Data::Float(_)),
        BinaryOp::LeftShift => number(right, 256),
        BinaryOp::Multiply => {
            (is_repeated(left) && number(right, 10_000))
                || (is_repeated(right) && number(left, 10_000))
        }
        _ => false,
    }
}

/// Whether strings are formats, which other letters would break.
fn keeps_formats(question: &Question) -> bool {
    match &question.operation {
        Operation::Method(name) | Operation::Call(name) => {
            name.contains("format") || name.contains("strftime") || name.starts_with("re.")
        }
        Operation::Binary(op, _) => op.symbol() == "%",
        Operation::Format => true,
        _ => false,
    }
}

struct Variation<'r> {
    /// Replacements of scalars, by text.
    scalars: HashMap<String, Data>,
    /// Replacements of letters shared by all strings.
    letters: Option<HashMap<char, char>>,
    keep_formats: bool,
    rng: &'r mut ChaCha8Rng,
}

impl Variation<'_> {
    fn shape(&mut self, shape: &mut Shape, sizes: bool) {
        match shape {
            Shape::Items(kind, items) => {
                let record = *kind == "tuple" && items.len() <= 3;
                let sorted = is_sorted(items);
                if sizes && !record {
                    self.resize(items);
                }
                self.all(items);
                if sorted && self.rng.random_bool(0.9) {
                    sort(items);
                }
                if *kind == "bytearray" {
                    for item in items.iter_mut() {
                        *item = Data::Int(self.rng.random_range(32..127).into());
                    }
                }
                if matches!(*kind, "set" | "frozenset") {
                    distinct(items, |item| item);
                }
            }
            Shape::Deque(items, _) => {
                if sizes {
                    self.resize(items);
                }
                self.all(items);
            }
            Shape::Dict(_, _, pairs) => {
                if sizes {
                    self.resize(pairs);
                }
                for (key, value) in pairs.iter_mut() {
                    self.data(key);
                    self.data(value);
                }
                distinct(pairs, |pair| &pair.0);
            }
            Shape::Three(_, three) => {
                for (at, data) in three.iter_mut().enumerate() {
                    // Another step makes another kind of range.
                    if at < 2 || self.rng.random_bool(0.1) {
                        self.data(data);
                    }
                }
            }
            Shape::Method(..)
            | Shape::View(..)
            | Shape::Named(_)
            | Shape::Opaque(..)
            | Shape::Placeholder => {}
        }
    }

    fn all(&mut self, items: &mut [Data]) {
        for item in items {
            self.data(item);
        }
    }

    /// Another number of items: some are dropped or repeated.
    fn resize<T: Clone>(&mut self, items: &mut Vec<T>) {
        if items.is_empty() {
            return;
        }
        if self.rng.random_bool(0.3) {
            items.shuffle(self.rng);
        }
        match self.rng.random_range(0..4) {
            0 => {
                let most = items.len();
                items.truncate(self.rng.random_range(usize::from(most > 1)..=most));
            }
            1 => {
                for _ in 0..self.rng.random_range(1..=3) {
                    let again = items[self.rng.random_range(0..items.len())].clone();
                    let at = self.rng.random_range(0..=items.len());
                    items.insert(at, again);
                }
            }
            _ => {}
        }
    }

    fn data(&mut self, data: &mut Data) {
        let text = match &*data {
            Data::Int(value) => format!("i{value}"),
            Data::Float(value) => format!("f{value}"),
            Data::Str(text) => format!("s{text}"),
            Data::Bool(_) => {
                if self.rng.random_bool(0.3) {
                    *data = Data::Bool(self.rng.random());
                }
                return;
            }
            Data::Bytes(bytes) => {
                let bytes = bytes.iter().map(|byte| match byte {
                    b'a'..=b'z' => self.rng.random_range(b'a'..=b'z'),
                    other => *other,
                });
                *data = Data::Bytes(bytes.collect());
                return;
            }
            _ => return,
        };
        if let Some(known) = self.scalars.get(&text)
            && self.rng.random_bool(0.85)
        {
            *data = known.clone();
            return;
        }
        let new = match &*data {
            _ if self.rng.random_bool(0.12) => data.clone(),
            Data::Int(value) => Data::Int(self.int(value)),
            Data::Float(value) => Data::Float(self.float(*value)),
            Data::Str(value) => Data::Str(self.text(value).into()),
            other => other.clone(),
        };
        self.scalars.insert(text, new.clone());
        *data = new;
    }

    fn int(&mut self, value: &BigInt) -> BigInt {
        let Some(value) = value.to_i64() else {
            let digits = value.to_string().len();
            return self.digits(digits);
        };
        let rng = &mut *self.rng;
        let size = match value.unsigned_abs() {
            0 | 1 if rng.random_bool(0.6) => return value.into(),
            0..=9 => rng.random_range(0..=12),
            10..=20 => rng.random_range(0..=30),
            21..=99 => rng.random_range(5..=120),
            other => {
                let digits = other.to_string().len();
                let digits = if rng.random_bool(0.2) {
                    digits - 1
                } else {
                    digits
                };
                return self.digits(digits) * value.signum();
            }
        };
        let negative = if value < 0 {
            rng.random_bool(0.8)
        } else {
            rng.random_bool(0.04)
        };
        BigInt::from(if negative { -size } else { size })
    }

    fn digits(&mut self, count: usize) -> BigInt {
        let mut text = self.rng.random_range(1..=9).to_string();
        for _ in 1..count {
            let zero = self.rng.random_bool(0.15);
            let digit = if zero {
                0
            } else {
                self.rng.random_range(0..=9)
            };
            text.push_str(&digit.to_string());
        }
        text.parse().unwrap_or_default()
    }

    fn float(&mut self, value: f64) -> f64 {
        if !value.is_finite() || value == 0.0 {
            return value;
        }
        let text: String = codexec_vm::fold::number_text::float(value)
            .chars()
            .map(|c| match c {
                '1'..='9' => char::from(self.rng.random_range(b'1'..=b'9')),
                other => other,
            })
            .collect();
        text.parse().unwrap_or(value)
    }

    fn text(&mut self, text: &str) -> String {
        if self.keep_formats && (text.contains(['{', '%', '\\', '[', '(']) || text.len() <= 3) {
            return text.to_string();
        }
        let mut letters: Vec<char> = text.chars().map(|c| self.letter(c)).collect();
        if letters.len() > 2 && self.rng.random_bool(0.35) {
            let at = self.rng.random_range(0..letters.len());
            if self.rng.random_bool(0.5) {
                letters.remove(at);
            } else {
                let count = self.rng.random_range(1..=4).min(letters.len() - at);
                let again: Vec<char> = letters[at..at + count].to_vec();
                letters.splice(at..at, again);
            }
        }
        letters.into_iter().collect()
    }

    fn letter(&mut self, c: char) -> char {
        if let Some(known) = self.letters.as_ref().and_then(|letters| letters.get(&c)) {
            return *known;
        }
        let range = match c {
            '0'..='9' => b'0'..=b'9',
            'a'..='z' => b'a'..=b'z',
            'A'..='Z' => b'A'..=b'Z',
            _ => return c,
        };
        let new = char::from(self.rng.random_range(range));
        if let Some(letters) = &mut self.letters {
            letters.insert(c, new);
        }
        new
    }
}

fn is_sorted(items: &[Data]) -> bool {
    let pair = |pair: &[Data]| match pair {
        [Data::Int(a), Data::Int(b)] => a <= b,
        [Data::Float(a), Data::Float(b)] => a <= b,
        [Data::Str(a), Data::Str(b)] => a <= b,
        _ => false,
    };
    items.len() > 2 && items.windows(2).all(pair)
}

fn sort(items: &mut [Data]) {
    items.sort_by(|a, b| match (a, b) {
        (Data::Int(a), Data::Int(b)) => a.cmp(b),
        (Data::Float(a), Data::Float(b)) => a.total_cmp(b),
        (Data::Str(a), Data::Str(b)) => a.cmp(b),
        _ => std::cmp::Ordering::Equal,
    });
}

fn distinct<T>(items: &mut Vec<T>, key: impl Fn(&T) -> &Data) {
    let mut seen = HashSet::new();
    items.retain(|item| seen.insert(format!("{:?}", key(item))));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binary(op: BinaryOp, left: Data, right: i64) -> Question {
        Question {
            operation: Operation::Binary(op, false),
            operands: vec![left, Data::Int(right.into())],
            keywords: Vec::new(),
            names: Vec::new(),
            objects: Vec::new(),
        }
    }

    #[test]
    fn large_powers_shifts_and_repetitions_are_huge() {
        let number = || Data::Int(7.into());
        let text = || Data::Str("ab".into());
        for (huge, question) in [
            (true, binary(BinaryOp::Power, number(), 1_000)),
            (false, binary(BinaryOp::Power, number(), 9)),
            (false, binary(BinaryOp::Power, Data::Float(0.5), 1_000)),
            (true, binary(BinaryOp::LeftShift, number(), 100_000)),
            (true, binary(BinaryOp::Multiply, text(), 1_000_000)),
            (false, binary(BinaryOp::Multiply, number(), 1_000_000)),
            (false, binary(BinaryOp::Add, number(), 1_000_000)),
        ] {
            assert_eq!(is_huge(&question), huge, "{question:?}");
        }
    }
}
