//! ORCA's metrics of a trace (Patel et al., 2025), on the lines of a program, and our two additions
//! to its value accuracy.
//!
//! A trace is a list of lines, with consecutive equal ones merged, and states at some of them.
//! Scores are means over programs; a prediction without lines scores 0. Definitions, to the last
//! quirk, are those of the authors' evaluation:
//!
//! - *exact match*: the lists of lines are equal;
//! - *prefix*: the common prefix, as part of the truth and as part of the prediction;
//! - *coverage*: the same for the sets of lines;
//! - *values (ORCA)*: states are compared by index, an entry counts only if both lines are equal and
//!   only for names on both sides; values are compared by [`orca_value`](super::orca_value); one that
//!   cannot be evaluated makes the program score 0;
//! - *detection*: whether the program is predicted to raise; *error line*: for programs that raise,
//!   whether it is predicted, and at the right line.
//!
//! Ours: *values (aligned)*, the true (name, entry) pairs inside the correct prefix that are right,
//! micro-averaged, without quotes and blanks; *trace with states*, exact match with every true value
//! right. Metrics of blocks and of transitions between them are in [`orca_blocks`](super::orca_blocks).

use std::collections::{BTreeMap, BTreeSet};

use codexec_data::sources::{OrcaProgram, OrcaState, StatementPrediction};
use codexec_data::trace::{Outcome, Trace};
use serde::{Deserialize, Serialize};

use super::metric::{Metric, shares};
use super::orca_value::same_as_gold;
use crate::statistics::share::Share;

/// Values by name, as text.
pub type Values = BTreeMap<String, String>;

/// The truth for a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrcaTruth {
    /// Lines in the order they run.
    pub order: Vec<u32>,
    /// States as the set has them.
    pub states: Vec<OrcaState>,
    /// Whether the program raises.
    pub raised: bool,
}

impl OrcaTruth {
    /// The truth about a program of the set, states at their stored lines.
    pub fn as_stored(program: &OrcaProgram) -> Self {
        Self {
            order: program.order.clone(),
            states: program.states.clone(),
            raised: program.raised.is_some(),
        }
    }

    /// The same with the states at the program's own lines.
    ///
    /// ORCA ran each program inside a function, and some after added imports: the stored lines of
    /// states are those of that file, 1 to 10 more than in the order. Uses the offset that places
    /// most states on the order, the smallest among equals; anything before the program is dropped.
    pub fn placed(program: &OrcaProgram) -> Self {
        let moved = |offset: u32| -> Vec<OrcaState> {
            let states = program.states.iter().filter_map(|state| {
                let line = state.line?.checked_sub(offset).filter(|line| *line > 0)?;
                Some(OrcaState {
                    line: Some(line),
                    values: state.values.clone(),
                })
            });
            states.collect()
        };
        let placed = |states: &[OrcaState]| {
            let lines = states.iter().filter_map(|s| s.line);
            align(lines, &program.order).iter().flatten().count()
        };
        let best = (0..=LARGEST_OFFSET)
            .map(|offset| (offset, moved(offset)))
            .max_by_key(|(offset, states)| (placed(states), std::cmp::Reverse(offset.abs_diff(1))));
        Self {
            states: best.map(|(_, states)| states).unwrap_or_default(),
            ..Self::as_stored(program)
        }
    }
}

/// Lines that ORCA put before a program, at most.
const LARGEST_OFFSET: u32 = 12;

/// The prediction for a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrcaGuess {
    /// Lines in the order they run.
    pub order: Vec<u32>,
    /// States, each after a line.
    pub states: Vec<(u32, Values)>,
    /// Whether the program raises, if predicted.
    pub flagged: Option<bool>,
    /// At which line; the last one of the order without a prediction.
    pub error_line: Option<u32>,
}

impl From<StatementPrediction> for OrcaGuess {
    fn from(stored: StatementPrediction) -> Self {
        let states = stored.symbol_table.into_iter();
        Self {
            order: stored.execution_order,
            states: states.map(|s| (s.line, s.symbol_table)).collect(),
            flagged: stored.is_error,
            error_line: stored.error_line,
        }
    }
}

/// The lines of a trace up to its end or its exception. Of several consecutive steps on one line,
/// the last one's state.
impl From<&Trace> for OrcaGuess {
    fn from(trace: &Trace) -> Self {
        let mut states: Vec<(u32, Values)> = Vec::new();
        for step in trace.until_raise() {
            let pairs = step.state.iter();
            let values = pairs
                .map(|(n, v)| (n.to_owned(), v.text.to_string()))
                .collect();
            match states.last_mut() {
                Some((line, last)) if *line == step.line => *last = values,
                _ => states.push((step.line, values)),
            }
        }
        let error_line = match trace.outcome {
            Outcome::Raised { line, .. } => Some(line),
            _ => None,
        };
        Self {
            order: states.iter().map(|(line, _)| *line).collect(),
            states,
            flagged: Some(error_line.is_some()),
            error_line,
        }
    }
}

/// The comparison of one prediction with the truth.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct OrcaPair {
    /// The lists of lines are equal.
    pub exact: bool,
    /// Lines of the common prefix.
    pub prefix: usize,
    /// Lines of the prediction, and of the truth.
    pub lengths: (usize, usize),
    /// Different lines of the prediction and of the truth, and of both.
    pub covered: (usize, usize, usize),
    /// Value accuracy as ORCA defines it. `None` if it defines none.
    pub value: Option<f64>,
    /// True (name, entry) pairs inside the correct prefix: right ones and all.
    pub aligned: (usize, usize),
    /// Exact, and every true value is right.
    pub with_states: bool,
    /// Whether the program raises, and whether that is predicted.
    pub detection: (bool, Option<bool>),
    /// Of a program that raises: whether the line is right.
    pub error_line: Option<bool>,
}

/// ORCA's metrics of a pair.
pub const METRICS: &[Metric<OrcaPair>] = &[
    Metric {
        name: "exact match",
        share: |pair| Share::of_bool(pair.exact),
        is_broken_down: true,
    },
    Metric {
        name: "prefix R",
        share: |pair| pair.part(pair.prefix, pair.lengths.1),
        is_broken_down: true,
    },
    Metric {
        name: "prefix P",
        share: |pair| pair.part(pair.prefix, pair.lengths.0),
        is_broken_down: false,
    },
    Metric {
        name: "coverage R",
        share: |pair| pair.part(pair.covered.2, pair.covered.1),
        is_broken_down: false,
    },
    Metric {
        name: "coverage P",
        share: |pair| pair.part(pair.covered.2, pair.covered.0),
        is_broken_down: false,
    },
    Metric {
        name: "values (ORCA)",
        share: |pair| Share::of_mean(Some(pair.value.filter(|_| !pair.is_empty()).unwrap_or(0.0))),
        is_broken_down: false,
    },
    Metric {
        name: "values (aligned)",
        share: |pair| Share::new(pair.aligned.0, pair.aligned.1),
        is_broken_down: true,
    },
    Metric {
        name: "trace with states",
        share: |pair| Share::of_bool(pair.with_states),
        is_broken_down: false,
    },
    Metric {
        name: "detection",
        share: |pair| Share::of_option(pair.detection.1.map(|f| f == pair.detection.0)),
        is_broken_down: false,
    },
    Metric {
        name: "error line",
        share: |pair| Share::of_option(pair.error_line),
        is_broken_down: false,
    },
];

/// The same for predictions of whole blocks, without other data; a missing answer detects nothing.
pub const BLOCK_METRICS: &[Metric<OrcaPair>] = &[
    Metric {
        name: "exact match",
        share: METRICS[0].share,
        is_broken_down: false,
    },
    Metric {
        name: "prefix R",
        share: METRICS[1].share,
        is_broken_down: false,
    },
    Metric {
        name: "prefix P",
        share: METRICS[2].share,
        is_broken_down: false,
    },
    Metric {
        name: "coverage R",
        share: METRICS[3].share,
        is_broken_down: false,
    },
    Metric {
        name: "coverage P",
        share: METRICS[4].share,
        is_broken_down: false,
    },
    Metric {
        name: "detection",
        share: |pair| Share::of_bool(pair.detection.1 == Some(pair.detection.0)),
        is_broken_down: false,
    },
];

impl OrcaPair {
    /// One of the two has no lines.
    fn is_empty(&self) -> bool {
        self.lengths.0 == 0 || self.lengths.1 == 0
    }

    fn part(&self, got: usize, of: usize) -> Share {
        let value = match self.is_empty() {
            true => 0.0,
            false => got as f64 / of as f64,
        };
        Share::of_mean(Some(value))
    }

    /// The program's contribution to each of [`METRICS`].
    pub fn shares(&self) -> Vec<Share> {
        shares(METRICS, self)
    }
}

/// Programs by outcome and prediction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confusion {
    /// Raises, and is predicted to.
    pub true_positive: usize,
    /// Raises, without a prediction of it.
    pub false_negative: usize,
    /// Predicted to raise, and does not.
    pub false_positive: usize,
    /// Neither raises nor is predicted to.
    pub true_negative: usize,
}

impl Confusion {
    /// Counts programs: whether each raises, and whether that is predicted. Programs without a
    /// prediction are in no cell.
    pub fn of(programs: impl IntoIterator<Item = (bool, Option<bool>)>) -> Self {
        let mut found = Self::default();
        for program in programs {
            match program {
                (true, Some(true)) => found.true_positive += 1,
                (true, Some(false)) => found.false_negative += 1,
                (false, Some(true)) => found.false_positive += 1,
                (false, Some(false)) => found.true_negative += 1,
                (_, None) => {}
            }
        }
        found
    }
}

/// Compares one prediction with the truth. `stored` is the truth with states at their stored lines,
/// as in the definition of ORCA's value accuracy; `placed` has them at the program's.
pub fn compare_orca(guess: &OrcaGuess, stored: &OrcaTruth, placed: &OrcaTruth) -> OrcaPair {
    let (p, g) = (&guess.order, &stored.order);
    let exact = p == g;
    let prefix = p.iter().zip(g).take_while(|(p, g)| p == g).count();
    let (p_set, g_set): (BTreeSet<_>, BTreeSet<_>) = (p.iter().collect(), g.iter().collect());
    let (right, all, every_value) = aligned_values(guess, placed, prefix);
    let said = match (guess.flagged, guess.error_line) {
        (Some(false), _) => None,
        (_, Some(line)) => Some(line),
        (_, None) => p.last().copied(),
    };
    OrcaPair {
        exact,
        prefix,
        lengths: (p.len(), g.len()),
        covered: (p_set.len(), g_set.len(), p_set.intersection(&g_set).count()),
        value: value_by_index(guess, stored),
        aligned: (right, all),
        with_states: exact && every_value,
        detection: (stored.raised, guess.flagged),
        error_line: stored
            .raised
            .then(|| said.is_some() && said == g.last().copied()),
    }
}

/// ORCA's value accuracy of one program. `None` if a line is missing, a value cannot be evaluated,
/// or no value is comparable.
fn value_by_index(guess: &OrcaGuess, truth: &OrcaTruth) -> Option<f64> {
    if truth.states.iter().any(|s| s.line.is_none()) {
        return None;
    }
    let (mut right, mut wrong) = (0usize, 0usize);
    for ((line, predicted), gold) in guess.states.iter().zip(&truth.states) {
        if gold.line != Some(*line) {
            continue;
        }
        for (name, text) in predicted {
            let Some(gold) = gold.values.get(name) else {
                continue;
            };
            if same_as_gold(text, gold).ok()? {
                right += 1;
            } else {
                wrong += 1;
            }
        }
    }
    (right + wrong > 0).then(|| right as f64 / (right + wrong) as f64)
}

/// Right and all true values inside the correct prefix, and whether every placed one is right.
fn aligned_values(guess: &OrcaGuess, truth: &OrcaTruth, prefix: usize) -> (usize, usize, bool) {
    let gold = truth
        .states
        .iter()
        .filter_map(|s| Some((s.line?, &s.values)));
    let gold: Vec<(u32, &Values)> = gold.collect();
    let gold_at = align(gold.iter().map(|(line, _)| *line), &truth.order);
    let guess_at = align(guess.states.iter().map(|(line, _)| *line), &guess.order);
    let predicted: BTreeMap<usize, &Values> = guess_at
        .iter()
        .zip(&guess.states)
        .filter_map(|(at, (_, values))| Some(((*at)?, values)))
        .collect();
    let (mut right, mut all, mut every) = (0, 0, true);
    for (at, (_, values)) in gold_at.iter().zip(&gold) {
        let Some(at) = *at else { continue };
        let same_line = guess.order.get(at) == truth.order.get(at);
        let found = predicted.get(&at).filter(|_| same_line);
        for (name, text) in *values {
            let good = found
                .and_then(|values| values.get(name))
                .is_some_and(|predicted| bare(predicted).eq(bare(text)));
            every &= good;
            if at < prefix {
                all += 1;
                right += usize::from(good);
            }
        }
    }
    (right, all, every)
}

/// Position of each line in `order`, each after the previous one. `None` if it cannot be placed.
fn align(lines: impl IntoIterator<Item = u32>, order: &[u32]) -> Vec<Option<usize>> {
    let mut from = 0;
    let place = |line: u32| {
        let found = order[from..].iter().position(|l| *l == line)? + from;
        from = found + 1;
        Some(found)
    };
    lines.into_iter().map(place).collect()
}

/// A value without quotes and blanks.
pub(super) fn bare(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars()
        .filter(|c| !matches!(c, ' ' | '\t' | '\'' | '"'))
}

#[cfg(test)]
mod tests {
    use codexec_data::trace::{Engine, Program};

    use super::*;

    #[test]
    fn states_are_moved_to_the_lines_of_the_program() {
        let state = |line: u32, value: &str| OrcaState {
            line: Some(line),
            values: [("a".to_owned(), value.to_owned())].into(),
        };
        let program = OrcaProgram {
            order: vec![1, 2, 3, 2, 4],
            states: [(1, "?"), (3, "1"), (4, "2"), (5, "3"), (4, "4"), (6, "5")]
                .map(|(line, value)| state(line, value))
                .into(),
            ..OrcaProgram::default()
        };
        let placed = OrcaTruth::placed(&program);
        let lines: Vec<u32> = placed.states.iter().filter_map(|s| s.line).collect();
        assert_eq!(lines, [1, 2, 3, 2, 4]);
        assert_eq!(placed.states[0].values["a"], "1");
        assert_eq!(OrcaTruth::as_stored(&program).states.len(), 6);
    }

    #[test]
    fn a_trace_without_steps_scores_nothing() {
        let trace = Trace::new(Engine::Predict, Program::default());
        let truth = OrcaTruth {
            order: vec![1],
            raised: true,
            ..OrcaTruth::default()
        };
        let pair = compare_orca(&OrcaGuess::from(&trace), &truth, &truth);
        let got: f64 = pair.shares().iter().map(|s| s.got).sum();
        assert_eq!(got, 0.0);
        assert_eq!(pair.shares().len(), METRICS.len());
    }
}
