//! Where prediction and truth part: the first difference between two traces, step by step.
//!
//! Only the first difference is reported. Later ones are mostly its consequence.

use codexec_data::trace::{Outcome, State, Step, Trace};
use serde::Serialize;

use super::structure::{Matching, judged, same_outcome};

/// The first difference of two traces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Divergence {
    /// Index of the step, from 0; the number of steps where only the outcome differs.
    pub step: usize,
    /// The difference there.
    pub what: Difference,
}

/// A difference at one step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Difference {
    /// Another line runs.
    Line {
        /// 1-based.
        predicted: u32,
        /// 1-based.
        actual: u32,
    },
    /// A variable has another value, is missing, or should not be there.
    State {
        /// Its name.
        name: String,
        /// Value as text.
        predicted: Option<String>,
        /// Value as text.
        actual: Option<String>,
    },
    /// Something else is printed.
    Output {
        /// Text as written.
        predicted: String,
        /// Text as written.
        actual: String,
    },
    /// All steps agree, but the programs end differently.
    Outcome {
        /// The predicted outcome.
        predicted: Outcome,
        /// The outcome of the program.
        actual: Outcome,
    },
    /// One trace ends where the other continues.
    Length {
        /// Number of steps.
        predicted: usize,
        /// Number of steps.
        actual: usize,
    },
}

/// [`first_divergence_by`] on canonical text.
pub fn first_divergence(predicted: &Trace, actual: &Trace) -> Option<Divergence> {
    first_divergence_by(predicted, actual, Matching::Canonical)
}

/// The first difference of two traces, each judged up to the step at which it raised. `None` if
/// they agree. Within a step: the line, then variables in the order of the truth, then output.
pub fn first_divergence_by(
    predicted: &Trace,
    actual: &Trace,
    matching: Matching,
) -> Option<Divergence> {
    let (p, a) = judged(predicted, actual);
    for (step, (p, a)) in p.iter().zip(a).enumerate() {
        if let Some(what) = step_difference(p, a, matching) {
            return Some(Divergence { step, what });
        }
    }
    let what = if p.len() != a.len() {
        Difference::Length {
            predicted: p.len(),
            actual: a.len(),
        }
    } else if predicted.truncated || !same_outcome(&predicted.outcome, &actual.outcome) {
        Difference::Outcome {
            predicted: predicted.outcome.clone(),
            actual: actual.outcome.clone(),
        }
    } else {
        return None;
    };
    let step = p.len().min(a.len());
    Some(Divergence { step, what })
}

fn step_difference(predicted: &Step, actual: &Step, matching: Matching) -> Option<Difference> {
    if predicted.line != actual.line {
        return Some(Difference::Line {
            predicted: predicted.line,
            actual: actual.line,
        });
    }
    state_difference(&predicted.state, &actual.state, matching).or_else(|| {
        let same = matching.same_output(&predicted.output, &actual.output);
        (!same).then(|| Difference::Output {
            predicted: predicted.output.clone(),
            actual: actual.output.clone(),
        })
    })
}

/// The first name of the truth with another value, else the first name it does not have.
fn state_difference(predicted: &State, actual: &State, matching: Matching) -> Option<Difference> {
    let differs = |name: &&str| match (predicted.get(name), actual.get(name)) {
        (Some(p), Some(a)) => !matching.same_value(&p.text, &a.text),
        (None, None) => false,
        _ => true,
    };
    let names = actual.iter().chain(predicted.iter()).map(|(name, _)| name);
    let name = names.into_iter().find(differs)?;
    let text = |state: &State| state.get(name).map(|v| v.text.to_string());
    Some(Difference::State {
        name: name.to_owned(),
        predicted: text(predicted),
        actual: text(actual),
    })
}

#[cfg(test)]
mod tests {
    use codexec_data::trace::{Engine, Event, Program, Value};

    use super::*;
    use crate::metrics::structure::{compare, score_structure};

    /// Line, state and output.
    type Shown<'a> = (u32, &'a [(&'a str, &'a str)], &'a str);

    fn trace(steps: &[Shown<'_>]) -> Trace {
        let mut trace = Trace::new(Engine::Run, Program::default());
        trace.steps = steps
            .iter()
            .map(|(line, state, output)| Step {
                line: *line,
                event: Event::Line,
                function: "<module>".into(),
                depth: 0,
                file: 0,
                state: state
                    .iter()
                    .map(|(n, v)| ((*n).to_owned(), Value::observed(*v)))
                    .collect(),
                output: (*output).to_owned(),
                value: None,
                confidence: None,
            })
            .collect();
        trace
    }

    /// `a = 1`, `b = 'x'`, `print(a)`.
    fn truth() -> Trace {
        trace(&[
            (1, &[("a", "1")], ""),
            (2, &[("a", "1"), ("b", "'x'")], ""),
            (3, &[("a", "1"), ("b", "'x'")], "1\n"),
        ])
    }

    fn raised(exception: &str, step: u32) -> Outcome {
        Outcome::Raised {
            file: 0,
            exception: exception.into(),
            message: "division by zero".into(),
            line: 2,
            step: Some(step),
        }
    }

    fn what(predicted: &Trace, actual: &Trace) -> Option<(usize, Difference)> {
        first_divergence(predicted, actual).map(|d| (d.step, d.what))
    }

    #[test]
    fn equal_traces_have_none_whatever_the_order_of_names() {
        let mut other = truth();
        let state: Vec<_> = other.steps[1].state.iter().collect();
        let turned = state
            .iter()
            .rev()
            .map(|(n, v)| (n.to_string(), (*v).clone()));
        other.steps[1].state = turned.collect();
        assert_eq!(what(&other, &truth()), None);
        let scores = compare(&other, &truth(), Matching::Canonical);
        assert!(scores.exact && scores.order_exact && scores.output && scores.outcome);
        assert_eq!((scores.values, scores.values_right), (5, 5));
    }

    #[test]
    fn the_line_comes_before_the_state() {
        let mut wrong = truth();
        wrong.steps[1].line = 4;
        wrong.steps[1].state.set("a", Value::observed("9"));
        let difference = Difference::Line {
            predicted: 4,
            actual: 2,
        };
        assert_eq!(what(&wrong, &truth()), Some((1, difference)));
        let scores = compare(&wrong, &truth(), Matching::Canonical);
        assert_eq!(
            (scores.prefix, scores.values, scores.values_right),
            (1, 1, 1)
        );
        assert!(!scores.order_exact && scores.output);
    }

    #[test]
    fn wrong_missing_and_invented_names() {
        let state = |p: Option<&str>, a: Option<&str>, name: &str| Difference::State {
            name: name.into(),
            predicted: p.map(str::to_owned),
            actual: a.map(str::to_owned),
        };
        let mut wrong = truth();
        wrong.steps[1].state.set("b", Value::observed("'y'"));
        let difference = state(Some("'y'"), Some("'x'"), "b");
        assert_eq!(what(&wrong, &truth()), Some((1, difference)));
        let scores = compare(&wrong, &truth(), Matching::Canonical);
        assert_eq!((scores.values, scores.values_right), (5, 4));
        assert!(scores.order_exact && !scores.exact);

        wrong.steps[1].state.remove("b");
        let difference = state(None, Some("'x'"), "b");
        assert_eq!(what(&wrong, &truth()), Some((1, difference)));

        let mut more = truth();
        more.steps[0].state.set("z", Value::observed("0"));
        assert_eq!(
            what(&more, &truth()),
            Some((0, state(Some("0"), None, "z")))
        );
        let scores = compare(&more, &truth(), Matching::Canonical);
        assert_eq!((scores.exact, scores.value_accuracy()), (false, Some(1.0)));
    }

    #[test]
    fn output_length_and_outcome() {
        let mut wrong = truth();
        wrong.steps[2].output = "2\n".into();
        let output = Difference::Output {
            predicted: "2\n".into(),
            actual: "1\n".into(),
        };
        assert_eq!(what(&wrong, &truth()), Some((2, output)));

        let mut short = truth();
        short.steps.pop();
        let length = Difference::Length {
            predicted: 2,
            actual: 3,
        };
        assert_eq!(what(&short, &truth()), Some((2, length)));
        assert_eq!(compare(&short, &truth(), Matching::Canonical).prefix, 2);

        let mut limit = truth();
        limit.outcome = Outcome::StepLimit;
        let outcome = Difference::Outcome {
            predicted: Outcome::StepLimit,
            actual: Outcome::Finished,
        };
        assert_eq!(what(&limit, &truth()), Some((3, outcome)));
    }

    #[test]
    fn a_truth_that_raised_is_judged_up_to_the_raise() {
        let mut actual = truth();
        actual.outcome = raised("ZeroDivisionError", 1);
        let mut predicted = truth();
        predicted.steps.truncate(2);
        predicted.outcome = raised("ZeroDivisionError", 1);
        assert_eq!(what(&predicted, &actual), None);
        assert!(compare(&predicted, &actual, Matching::Canonical).exact);

        predicted.outcome = raised("ValueError", 1);
        assert!(matches!(
            what(&predicted, &actual),
            Some((2, Difference::Outcome { .. }))
        ));
        let scores = compare(&predicted, &actual, Matching::Canonical);
        assert_eq!((scores.outcome, scores.exception), (true, Some(false)));
    }

    #[test]
    fn running_past_the_crash_is_wrong() {
        let mut actual = truth();
        actual.outcome = raised("ZeroDivisionError", 1);
        let length = Difference::Length {
            predicted: 3,
            actual: 2,
        };
        assert_eq!(what(&truth(), &actual), Some((2, length)));
        let scores = compare(&truth(), &actual, Matching::Canonical);
        assert!(!scores.exact && !scores.order_exact && !scores.outcome);
        assert_eq!((scores.prefix, scores.prefix_recall()), (2, Some(1.0)));
    }

    #[test]
    fn paper_matching_leaves_out_quotes_and_blanks() {
        let mut paper = truth();
        paper.steps[1].state.set("b", Value::observed("x"));
        paper.steps[2].state.set("b", Value::observed("x"));
        paper.steps[2].output = "1".into();
        assert_eq!(first_divergence_by(&paper, &truth(), Matching::Paper), None);
        assert!(what(&paper, &truth()).is_some());
        assert!(Matching::Paper.same_value("[ a , 1 ]", "['a', 1]"));
        assert!(!Matching::Paper.same_value("[ a , 1 ]", "['a', 2]"));
    }

    #[test]
    fn sets_are_averaged_as_documented() {
        let mut crash = truth();
        crash.outcome = raised("ZeroDivisionError", 1);
        let mut wrong = truth();
        wrong.steps[0].line = 2;
        let by = Matching::Canonical;
        let pairs = [
            compare(&truth(), &truth(), by),
            compare(&truth(), &crash, by),
            compare(&wrong, &truth(), by),
        ];
        let scores = score_structure(pairs);
        assert_eq!(scores.exact, Some(1.0 / 3.0));
        assert_eq!(scores.order_exact, Some(1.0 / 3.0));
        assert_eq!(scores.prefix_recall, Some(2.0 / 3.0));
        assert_eq!(scores.value_accuracy, Some(1.0));
        assert_eq!(scores.outcome_accuracy, Some(2.0 / 3.0));
        assert_eq!(scores.exception_accuracy, Some(0.0));
        assert_eq!(score_structure([]).exact, None);
    }
}
