//! Two versions of a program under the same made-up values (the paper's RQ4).
//!
//! Both are run with the same predictor and seed. They are the same when they end alike, print the
//! same and leave the same variables; what only one of them has as a variable is shown, too. Of a
//! file that only defines functions, each is called, with arguments that are missing.

use std::collections::BTreeSet;

use codexec_data::trace::{Outcome, State, Trace};
use serde::Serialize;


/// What came of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Difference {
    /// Both do the same.
    Same,
    /// Both come to their end, and differ.
    Different {
        /// In what, as `name`, old and new text; `output` for what was printed.
        values: Vec<(String, Option<String>, Option<String>)>,
    },
    /// One or both do not come to their end.
    Exceptional {
        /// How the old one ends.
        old: Outcome,
        /// How the new one ends.
        new: Outcome,
    },
}

/// Compares the traces of two versions.
pub fn compare(old: &Trace, new: &Trace) -> Difference {
    if old.outcome != Outcome::Finished || new.outcome != Outcome::Finished {
        return Difference::Exceptional {
            old: old.outcome.clone(),
            new: new.outcome.clone(),
        };
    }
    let (a, b) = (last_of_module(old), last_of_module(new));
    let names: BTreeSet<&str> = a.iter().chain(b.iter()).map(|(name, _)| name).collect();
    let mut values = Vec::new();
    for name in names {
        let of = |state: &State| state.get(name).map(|v| v.text.clone());
        if of(&a) != of(&b) {
            values.push((name.to_owned(), of(&a), of(&b)));
        }
    }
    if old.output() != new.output() {
        values.push(("output".to_owned(), Some(old.output()), Some(new.output())));
    }
    if values.is_empty() {
        Difference::Same
    } else {
        Difference::Different { values }
    }
}

/// The last state of the module's own frame: a step has that of the frame of the step behind it.
fn last_of_module(trace: &Trace) -> State {
    let steps = &trace.steps;
    let of_module = |k: &usize| match steps.get(k + 1) {
        Some(next) => next.function == "<module>",
        // What is called when the module has ended begins at its depth.
        None => steps[*k].function == "<module>" || steps[*k].depth > 0,
    };
    let last = (0..steps.len()).rev().find(of_module);
    last.map(|k| steps[k].state.clone()).unwrap_or_default()
}
