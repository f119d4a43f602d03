//! A comparison of a value: the values, or answers, that give it the wanted outcome.

use super::change::Change;
use super::draft::Value;
use crate::analysis::hints::solve;

/// A comparison of a value, and its wanted outcome.
pub(super) struct Compared<'o> {
    /// The operator as written.
    pub operator: &'o str,
    /// The operator, with `==` for `is`.
    pub sign: &'o str,
    /// The wanted outcome.
    pub wanted: bool,
    /// Whether both sides should be the same.
    pub same: bool,
    /// The paths of the value.
    pub paths: Vec<String>,
}

impl Compared<'_> {
    /// Sets the value to this code.
    pub(super) fn set(&self, code: &str) -> Vec<Change> {
        let code = Value::Code(code.to_owned());
        vec![Change::Set(self.paths.clone(), code)]
    }

    /// Sets the answer of the comparison itself.
    pub(super) fn answer(&self) -> Vec<Change> {
        self.answer_to(self.sign.to_owned())
    }

    fn answer_to(&self, question: String) -> Vec<Change> {
        let said = i64::from(self.wanted);
        vec![Change::Answer(self.paths.clone(), question, said)]
    }

    /// A comparison with a number.
    pub(super) fn number(&self, number: f64, is_float: bool) -> Vec<Vec<Change>> {
        let solved = solve(number, self.operator, self.wanted);
        let code = match is_float {
            true => format!("{solved:?}"),
            false => format!("{}", solved as i64),
        };
        vec![self.set(&code), self.answer()]
    }

    /// A comparison with another value, which has these names.
    pub(super) fn other(&self, others: &[String]) -> Vec<Vec<Change>> {
        let mut ways = Vec::new();
        if self.same && matches!(self.operator, "is" | "is not") {
            ways.push(vec![Change::Same(self.paths.clone(), others.to_vec())]);
        }
        for other in others.iter().rev().take(2) {
            // Only for these two: the value may be compared with others.
            ways.push(self.answer_to(format!("{} {other}", self.sign)));
        }
        ways.push(self.answer());
        let both = |left: &str, right: &str| {
            let right = Value::Code(right.to_owned());
            let mut way = self.set(left);
            way.push(Change::Set(others.to_vec(), right));
            way
        };
        if self.same && matches!(self.sign, "==" | "!=") {
            if let Some(other) = others.first() {
                // The same stand-in for both.
                let it = Value::StandInAt(other.clone());
                ways.push(vec![
                    Change::Set(self.paths.clone(), it.clone()),
                    Change::Set(vec![other.clone()], it),
                ]);
                ways.push(both("1", "1"));
            }
        } else if solve(0.0, self.sign, self.wanted) > 0.0 {
            ways.push(both("2", "1"));
        } else {
            ways.push(both("1", "2"));
        }
        ways.extend(["0", "1", "None"].map(|code| self.set(code)));
        ways
    }
}

/// Returns ways to give a value this number of items or characters.
pub(super) fn of_length(paths: Vec<String>, count: f64) -> Vec<Vec<Change>> {
    let list = Value::List(Value::items(count as usize));
    let text = Value::text(&"a".repeat(count as usize));
    let answer = Change::Answer(paths.clone(), "len".to_owned(), count as i64);
    vec![
        vec![answer],
        vec![Change::Set(paths.clone(), list)],
        vec![Change::Set(paths, text)],
    ]
}
