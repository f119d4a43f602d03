//! Our own metrics, on traces and not on text: exactness, order of lines, values, outcome.
//!
//! If the truth raised, both traces are judged up to the raising step ([`Trace::until_raise`]): the
//! unwinding after it is bookkeeping, but a prediction that continues past the exception is wrong.
//! Events, functions and depths are not judged, because predictors of the paper form cannot know
//! them; neither are messages of exceptions.

use codexec_data::trace::{Outcome, State, Step, Trace};
use serde::Serialize;

use super::ratio;

/// When two values or outputs are the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Matching {
    /// Their canonical text is equal: `'1'` and `1` differ.
    #[default]
    Canonical,
    /// Equal without quotes, and without blanks but inside of words: all that a predictor that
    /// speaks the paper form can know.
    Paper,
}

impl Matching {
    /// Whether two values, as text, are the same.
    pub fn same_value(self, a: &str, b: &str) -> bool {
        let kept = |c: &char| !c.is_whitespace() && !matches!(c, '\'' | '"');
        match self {
            Self::Canonical => a == b,
            Self::Paper => a == b || a.chars().filter(kept).eq(b.chars().filter(kept)),
        }
    }

    /// Whether two steps wrote the same.
    pub fn same_output(self, a: &str, b: &str) -> bool {
        match self {
            Self::Canonical => a == b,
            Self::Paper => a.trim() == b.trim(),
        }
    }

    /// Whether two states bind the same names, in any order, to the same values.
    pub fn same_state(self, a: &State, b: &State) -> bool {
        let same = |(name, v): (&str, &codexec_data::trace::Value)| {
            b.get(name)
                .is_some_and(|w| self.same_value(&v.text, &w.text))
        };
        a.len() == b.len() && a.iter().all(same)
    }

    /// Whether two steps agree in line, state and output.
    pub fn same_step(self, a: &Step, b: &Step) -> bool {
        a.line == b.line
            && self.same_state(&a.state, &b.state)
            && self.same_output(&a.output, &b.output)
    }
}

/// The comparison of one prediction with the truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PairScores {
    /// Lines, states, outputs and outcome are all right.
    pub exact: bool,
    /// The lines are right, all of them in order.
    pub order_exact: bool,
    /// Steps before the first wrong line.
    pub prefix: usize,
    /// Steps of the prediction.
    pub predicted_steps: usize,
    /// Steps of the truth.
    pub actual_steps: usize,
    /// (variable, step) pairs of the truth within the prefix.
    pub values: usize,
    /// Number predicted with the right value.
    pub values_right: usize,
    /// All that was printed is right.
    pub output: bool,
    /// The kind of outcome is right.
    pub outcome: bool,
    /// Where the truth raised: the prediction raises the same exception.
    pub exception: Option<bool>,
}

impl PairScores {
    /// Share of the true values within the prefix that are right. `None` if there are none.
    pub fn value_accuracy(&self) -> Option<f64> {
        ratio(self.values_right, self.values)
    }

    /// Share of the truth before the first wrong line. `None` if it has no steps.
    pub fn prefix_recall(&self) -> Option<f64> {
        ratio(self.prefix, self.actual_steps)
    }
}

/// Scores of a set of programs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct StructureScores {
    /// Part of the programs predicted exactly: lines, states, outputs and outcome.
    pub exact: Option<f64>,
    /// Share of the programs whose lines are all right.
    pub order_exact: Option<f64>,
    /// Mean over programs of the part of the steps before the first wrong line.
    pub prefix_recall: Option<f64>,
    /// Part of the true (variable, step) pairs within the correct prefixes that are right,
    /// micro-averaged.
    pub value_accuracy: Option<f64>,
    /// Share of the programs with the predicted output.
    pub output_accuracy: Option<f64>,
    /// Share of the programs whose kind of outcome is right.
    pub outcome_accuracy: Option<f64>,
    /// Share of the programs that raise whose exception is right.
    pub exception_accuracy: Option<f64>,
    /// Number of programs.
    pub programs: usize,
}

/// The steps of both traces that are judged.
pub(super) fn judged<'t>(predicted: &'t Trace, actual: &'t Trace) -> (&'t [Step], &'t [Step]) {
    (predicted.until_raise(), actual.until_raise())
}

/// Steps before the first wrong line.
pub fn common_prefix(predicted: &[Step], actual: &[Step]) -> usize {
    let pairs = predicted.iter().zip(actual);
    pairs.take_while(|(p, a)| p.line == a.line).count()
}

/// Whether two outcomes are of one kind; exceptions may differ.
pub fn same_kind(predicted: &Outcome, actual: &Outcome) -> bool {
    std::mem::discriminant(predicted) == std::mem::discriminant(actual)
}

/// Whether two outcomes are the same: kind, exception and its line, but not its message.
pub fn same_outcome(predicted: &Outcome, actual: &Outcome) -> bool {
    match (predicted, actual) {
        (
            Outcome::Raised {
                exception: p,
                line: p_line,
                ..
            },
            Outcome::Raised {
                exception: a,
                line: a_line,
                ..
            },
        ) => p == a && p_line == a_line,
        (Outcome::SyntaxError { line: p, .. }, Outcome::SyntaxError { line: a, .. }) => p == a,
        _ => same_kind(predicted, actual),
    }
}

/// Where the truth raised: whether the prediction raises the same exception, on whatever line.
pub fn exception_right(predicted: &Outcome, actual: &Outcome) -> Option<bool> {
    let name = |outcome: &Outcome| match outcome {
        Outcome::Raised { exception, .. } => Some(exception.clone()),
        _ => None,
    };
    let actual = name(actual)?;
    Some(name(predicted) == Some(actual))
}

/// Compares one prediction with the truth.
pub fn compare(predicted: &Trace, actual: &Trace, matching: Matching) -> PairScores {
    let (p, a) = judged(predicted, actual);
    let prefix = common_prefix(p, a);
    let order_exact = prefix == p.len() && prefix == a.len();
    let (mut values, mut values_right) = (0, 0);
    for (p, a) in p.iter().zip(a).take(prefix) {
        let right = |(name, v): &(&str, &codexec_data::trace::Value)| {
            let guess = p.state.get(name);
            guess.is_some_and(|w| matching.same_value(&w.text, &v.text))
        };
        values += a.state.len();
        values_right += a.state.iter().filter(right).count();
    }
    let steps_agree = p.iter().zip(a).all(|(p, a)| matching.same_step(p, a));
    let printed = |steps: &[Step]| -> String { steps.iter().map(|s| s.output.as_str()).collect() };
    PairScores {
        exact: order_exact
            && steps_agree
            && !predicted.truncated
            && same_outcome(&predicted.outcome, &actual.outcome),
        order_exact,
        prefix,
        predicted_steps: p.len(),
        actual_steps: a.len(),
        values,
        values_right,
        output: matching.same_output(&printed(p), &printed(a)),
        // Anything after the cut is unknown.
        outcome: !predicted.truncated && same_kind(&predicted.outcome, &actual.outcome),
        exception: exception_right(&predicted.outcome, &actual.outcome),
    }
}

/// Adds up the scores of single programs.
pub fn score_structure(pairs: impl IntoIterator<Item = PairScores>) -> StructureScores {
    let pairs: Vec<PairScores> = pairs.into_iter().collect();
    let part = |right: fn(&PairScores) -> bool| {
        ratio(pairs.iter().filter(|p| right(p)).count(), pairs.len())
    };
    let raised: Vec<bool> = pairs.iter().filter_map(|p| p.exception).collect();
    let recalls: Vec<f64> = pairs.iter().filter_map(PairScores::prefix_recall).collect();
    StructureScores {
        exact: part(|p| p.exact),
        order_exact: part(|p| p.order_exact),
        prefix_recall: (!recalls.is_empty())
            .then(|| recalls.iter().sum::<f64>() / recalls.len() as f64),
        value_accuracy: ratio(
            pairs.iter().map(|p| p.values_right).sum(),
            pairs.iter().map(|p| p.values).sum(),
        ),
        output_accuracy: part(|p| p.output),
        outcome_accuracy: part(|p| p.outcome),
        exception_accuracy: ratio(raised.iter().filter(|r| **r).count(), raised.len()),
        programs: pairs.len(),
    }
}
