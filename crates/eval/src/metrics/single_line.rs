//! The metrics of the CodeExecutor paper for SingleLine, where a trace is one state: there are no
//! lines to judge, and values are compared only up to their next colon.
//!
//! That makes `{ 1 : 2 }` and `{ 1 : 3 }` equal. It is kept for comparison with published figures.

use serde::Serialize;

use super::pieces::{same_variables, strip, variables};
use super::ratio;
use crate::statistics::prf::{Counts, Prf};

/// Scores of a set of statements.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SingleLineScores {
    /// Share of the statements whose state is right in every variable; 0 without statements.
    pub trace_accuracy: f64,
    /// Names and their values.
    pub identifier: Prf,
    /// Number of statements.
    pub programs: usize,
}

/// Scores pairs of a predicted and a true state, as `<state> a : 1 <dictsep> b : 2 </state>`.
pub fn score_single_lines<P, G>(pairs: impl IntoIterator<Item = (P, G)>) -> SingleLineScores
where
    P: AsRef<str>,
    G: AsRef<str>,
{
    let mut identifiers = Counts::default();
    let (mut programs, mut exact) = (0, 0);
    for (predicted, gold) in pairs {
        let predicted = variables(strip(predicted.as_ref()), between_colons);
        let gold = variables(strip(gold.as_ref()), between_colons);
        programs += 1;
        exact += usize::from(predicted == gold);
        identifiers += Counts {
            predicted: predicted.len(),
            gold: gold.len(),
            correct: same_variables(&predicted, &gold),
        };
    }
    SingleLineScores {
        trace_accuracy: ratio(exact, programs).unwrap_or(0.0),
        identifier: identifiers.into(),
        programs,
    }
}

/// Name, and the text between the first and the second colon.
fn between_colons(entry: &str) -> Option<(&str, &str)> {
    let (name, rest) = entry.split_once(':')?;
    let value = rest.split_once(':').map_or(rest, |(value, _)| value);
    Some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_variable_costs_recall() {
        let scores = score_single_lines([("a : 1", "<state> b : 2 <dictsep> a : 1 </state>")]);
        assert_eq!(scores.trace_accuracy, 0.0);
        assert_eq!(
            (scores.identifier.precision, scores.identifier.recall),
            (1.0, 0.5)
        );
    }
}
