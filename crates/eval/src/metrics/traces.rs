//! The metrics of the CodeExecutor paper (section 4.2) for whole traces, on paper-form text:
//! output accuracy, trace accuracy, and precision, recall and F1 of lines and identifiers.
//!
//! They reproduce the results of `CodeExecutor/inference/metric.py` of microsoft/CodeBERT,
//! including its quirks, for comparison with published figures. For our own metrics see
//! [`structure`](super::structure). The published evaluation judges at most 766 target tokens: the
//! caller, who has the tokenizer, truncates text to that.

use serde::Serialize;

use super::identifier::identifier_counts;
use super::line::line_counts;
use super::output::output_right;
use super::pieces::pieces;
use super::ratio;
use crate::statistics::prf::{Counts, Prf};

/// Scores of a set of programs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TraceScores {
    /// Share of the programs with output whose output is predicted exactly. `None` if no truth has
    /// output.
    pub output_accuracy: Option<f64>,
    /// Share of the programs with every piece right; 0 without programs.
    pub trace_accuracy: f64,
    /// Pieces: steps and outputs.
    pub line: Prf,
    /// Names and their values.
    pub identifier: Prf,
    /// Number of programs.
    pub programs: usize,
    /// Number of programs whose truth has output.
    pub programs_with_output: usize,
}

/// Scores pairs of a predicted and a true trace, both in paper form.
pub fn score_traces<P, G>(pairs: impl IntoIterator<Item = (P, G)>) -> TraceScores
where
    P: AsRef<str>,
    G: AsRef<str>,
{
    let (mut lines, mut identifiers) = (Counts::default(), Counts::default());
    let (mut programs, mut exact, mut with_output, mut outputs_right) = (0, 0, 0, 0);
    for (predicted, gold) in pairs {
        let (predicted, gold) = (pieces(predicted.as_ref()), pieces(gold.as_ref()));
        let here = line_counts(&predicted, &gold);
        programs += 1;
        exact += usize::from(here.correct == here.gold && here.predicted == here.gold);
        lines += here;
        identifiers += identifier_counts(&predicted, &gold);
        if let Some(right) = output_right(&predicted, &gold) {
            with_output += 1;
            outputs_right += usize::from(right);
        }
    }
    TraceScores {
        output_accuracy: ratio(outputs_right, with_output),
        trace_accuracy: ratio(exact, programs).unwrap_or(0.0),
        line: lines.into(),
        identifier: identifiers.into(),
        programs,
        programs_with_output: with_output,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_to_score_is_no_panic() {
        let none = score_traces(Vec::<(String, String)>::new());
        assert_eq!((none.output_accuracy, none.programs), (None, 0));
        let silent = score_traces([("", "<line> <0> <state> a : 1 </state>")]);
        assert_eq!((silent.output_accuracy, silent.line.f1), (None, 0.0));
    }

    #[test]
    fn two_empty_traces_agree() {
        assert_eq!(score_traces([("", "")]).trace_accuracy, 1.0);
    }
}
