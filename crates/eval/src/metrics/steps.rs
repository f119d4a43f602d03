//! Single steps of a prediction: which are right, and how sure the predictor was of them.
//!
//! A step after a wrong one is mostly its consequence. So a step is not only right or not, but also
//! *reached* or not: whether everything before it is right, which a predictor's probability of a step
//! also presupposes.

use std::collections::BTreeMap;

use codexec_data::sources::{Category, categories};
use codexec_data::trace::{Origin, Trace};

use super::breakdown::{Breakdown, Range};
use super::structure::{Matching, judged};
use crate::statistics::share::Share;

/// One step of the truth, or of the prediction if that continues.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// Its number, from 1.
    pub number: usize,
    /// The line that runs, if any.
    pub line: Option<u32>,
    /// Line, state and output are right.
    pub right: bool,
    /// All steps before are right.
    pub reached: bool,
    /// The predictor's confidence, if it predicted a step here and reported one.
    pub confidence: Option<f64>,
}

/// Every step of a prediction and the truth, in order, up to the exception of each.
pub fn verdicts(predicted: &Trace, actual: &Trace, matching: Matching) -> Vec<Verdict> {
    let (p, a) = judged(predicted, actual);
    let mut reached = true;
    let verdict = |k: usize| {
        let (guess, truth) = (p.get(k), a.get(k));
        let right = guess
            .zip(truth)
            .is_some_and(|(guess, truth)| matching.same_step(guess, truth));
        let found = Verdict {
            number: k + 1,
            line: truth.map(|s| s.line),
            right,
            reached,
            confidence: guess.and_then(|s| s.confidence).map(f64::from),
        };
        reached &= right;
        found
    };
    (0..p.len().max(a.len())).map(verdict).collect()
}

const COLUMNS: [&str; 2] = ["right", "right where all before is"];

const NUMBERS: [Range; 9] = [
    Range(1, 1),
    Range(2, 2),
    Range(3, 3),
    Range(4, 4),
    Range(5, 5),
    Range(6, 10),
    Range(11, 20),
    Range(21, 50),
    Range(51, usize::MAX),
];

fn shares(verdict: &Verdict) -> [Share; 2] {
    let right = Share::of_bool(verdict.right);
    let reached = if verdict.reached {
        right
    } else {
        Share::default()
    };
    [right, reached]
}

/// True steps by their number.
pub fn by_number(programs: &[Vec<Verdict>]) -> Breakdown {
    let mut table = Breakdown::new("step", &COLUMNS);
    for range in NUMBERS {
        let steps = programs.iter().flatten();
        let here = steps.filter(|v| v.line.is_some() && range.holds(v.number));
        table.push(range.to_string(), here.map(shares));
    }
    table
}

/// Predicted values that are new at their step, by where they come from: computed, predicted, injected.
pub fn by_origin<'t>(pairs: impl Iterator<Item = (&'t Trace, &'t Trace)>) -> Breakdown {
    const NAMES: [(&str, Origin); 4] = [
        ("observed", Origin::Observed),
        ("computed", Origin::Computed),
        ("predicted", Origin::Predicted),
        ("injected", Origin::Injected),
    ];
    let mut found: [Vec<[Share; 2]>; 4] = Default::default();
    for (predicted, actual) in pairs {
        let (p, a) = judged(predicted, actual);
        let mut reached = true;
        for (k, step) in p.iter().enumerate() {
            let before = k.checked_sub(1).map(|k| &p[k].state);
            for (name, value) in step.state.iter() {
                let old = before.and_then(|state| state.get(name));
                if old.is_some_and(|old| old.text == value.text) {
                    continue;
                }
                let truth = a.get(k).and_then(|step| step.state.get(name));
                let right = Share::of_bool(truth.is_some_and(|truth| truth.text == value.text));
                let where_reached = if reached { right } else { Share::default() };
                let row = NAMES.iter().position(|(_, origin)| *origin == value.origin);
                if let Some(row) = row {
                    found[row].push([right, where_reached]);
                }
            }
            let same = a
                .get(k)
                .is_some_and(|truth| Matching::Canonical.same_step(step, truth));
            reached &= same;
        }
    }
    let mut table = Breakdown::new("origin of values", &COLUMNS);
    for ((name, _), shares) in NAMES.iter().zip(found) {
        table.push(*name, shares);
    }
    table
}

/// True steps by the kind of their line. `sources` has the text of each program; lines of programs
/// that do not parse are left out.
pub fn by_category(programs: &[Vec<Verdict>], sources: &[&str]) -> Breakdown {
    let mut found: BTreeMap<Category, Vec<[Share; 2]>> = BTreeMap::new();
    for (steps, source) in programs.iter().zip(sources) {
        let Ok(lines) = categories(source) else {
            continue;
        };
        for verdict in steps {
            let category = verdict.line.and_then(|line| lines.get(&line));
            if let Some(category) = category {
                found.entry(*category).or_default().push(shares(verdict));
            }
        }
    }
    let mut table = Breakdown::new("statement", &COLUMNS);
    for category in Category::ALL {
        let here = found.remove(&category).unwrap_or_default();
        table.push(category.name(), here);
    }
    table
}

#[cfg(test)]
mod tests {
    use codexec_data::trace::{Engine, Event, Program, State, Step, Value};

    use super::*;

    fn trace(steps: &[(u32, &str)]) -> Trace {
        let mut trace = Trace::new(Engine::Run, Program::default());
        let step = |(line, value): &(u32, &str)| Step {
            line: *line,
            event: Event::Line,
            function: "<module>".into(),
            depth: 0,
            file: 0,
            state: State::from_iter([("a".to_owned(), Value::observed(*value))]),
            output: String::new(),
            value: None,
            confidence: Some(0.5),
        };
        trace.steps = steps.iter().map(step).collect();
        trace
    }

    #[test]
    fn values_are_counted_where_they_are_new() {
        let truth = trace(&[(1, "1"), (2, "1"), (3, "3")]);
        let mut guess = trace(&[(1, "1"), (2, "1"), (3, "4")]);
        let origins = [Origin::Computed, Origin::Computed, Origin::Predicted];
        for (step, origin) in guess.steps.iter_mut().zip(origins) {
            let value = |(name, value): (&str, &Value)| {
                let value = value.clone();
                (name.to_owned(), Value { origin, ..value })
            };
            step.state = step.state.iter().map(value).collect();
        }
        let table = by_origin([(&guess, &truth)].into_iter());
        let rows: Vec<(&str, usize, Share)> = table
            .rows
            .iter()
            .map(|row| (row.name.as_str(), row.count, row.shares[1]))
            .collect();
        assert_eq!(rows[1], ("computed", 1, Share::new(1, 1)));
        assert_eq!(rows[2], ("predicted", 1, Share::new(0, 1)));
    }

    #[test]
    fn after_a_wrong_step_nothing_is_reached() {
        let truth = trace(&[(1, "1"), (2, "2"), (3, "3")]);
        let guess = trace(&[(1, "1"), (2, "9"), (3, "3"), (4, "4")]);
        let found = verdicts(&guess, &truth, Matching::Canonical);
        let seen: Vec<_> = found.iter().map(|v| (v.line, v.right, v.reached)).collect();
        let wanted = [
            (Some(1), true, true),
            (Some(2), false, true),
            (Some(3), true, false),
            (None, false, false),
        ];
        assert_eq!(seen, wanted);
        let table = by_number(std::slice::from_ref(&found));
        assert_eq!(table.rows[1].shares, [Share::new(0, 1), Share::new(0, 1)]);
        assert_eq!(table.rows[2].shares, [Share::new(1, 1), Share::new(0, 0)]);
        assert_eq!(table.rows[3].count, 0);
        let table = by_category(&[found], &["a = 1\na = [2]\nwhile a:\n    pass\n"]);
        let count = |name: &str| {
            let row = table.rows.iter().find(|r| r.name == name);
            row.map(|r| (r.count, r.shares[0]))
        };
        assert_eq!(table.rows.len(), 7);
        assert_eq!(count("numbers"), Some((1, Share::new(1, 1))));
        assert_eq!(count("lists and tuples"), Some((1, Share::new(0, 1))));
        assert_eq!(count("control flow"), Some((1, Share::new(1, 1))));
    }
}
