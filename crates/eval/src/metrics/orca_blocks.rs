//! ORCA's metrics of a plan: the visited blocks, their order, the state after each, and the block that raises.
//! Definitions are those of the scores that its authors store with each reply (`accuracy`):
//!
//! - *exact match* (`EM`): the lists of blocks are equal;
//! - *prefix* (`PF`): the common prefix, as part of the truth and as part of the prediction;
//! - *transitions* (`CF`): the same for the sets of pairs of consecutive blocks. Without any on both sides all are
//!   right; without any on one side, or without blocks, the authors define no score, and it counts 0;
//! - *blocks* (`BM`): the same for the sets of blocks;
//! - *symbol table* (`ST`): visits are compared by index, an entry counts only if both blocks are equal and only for
//!   names on both sides. The authors evaluate values with Python's `eval`; here quotes and blanks are stripped;
//! - *error block* (`EB`), *error type* (`ET`): of programs that raise, whether both are right.
//!
//! A trace visits the block of each of its lines. A line not after the previous one begins another visit of its
//! block.

use std::collections::{BTreeMap, BTreeSet};

use codexec_data::sources::{BlockPrediction, OrcaProgram};
use codexec_data::trace::{Outcome, Trace};

use super::metric::Metric;
use super::orca::{Values, bare};
use crate::statistics::share::Share;
use codexec_engine::orca::blocks::Blocks;
use codexec_engine::orca::reply::Plan;

/// The truth for a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlockTruth {
    /// Blocks in the order they run.
    pub blocks: Vec<u32>,
    /// The state after each.
    pub states: Vec<Values>,
    /// Class of the exception that it raises.
    pub raised: Option<String>,
}

impl From<&OrcaProgram> for BlockTruth {
    fn from(program: &OrcaProgram) -> Self {
        Self {
            blocks: program.blocks.clone(),
            states: program.block_states.clone(),
            raised: program.raised.clone(),
        }
    }
}

/// The prediction for a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlockGuess {
    /// Blocks in the order they run.
    pub blocks: Vec<u32>,
    /// The state after each; empty if unknown.
    pub states: Vec<Values>,
    /// The block that raises.
    pub error_block: Option<u32>,
    /// Class of the exception.
    pub error_type: Option<String>,
}

impl From<&Plan> for BlockGuess {
    fn from(plan: &Plan) -> Self {
        let entries = plan.visits.iter().map(|visit| visit.table.iter().flatten());
        let states = entries.map(|table| {
            let pairs = table.map(|entry| (entry.name.clone(), entry.value.clone()));
            pairs.collect::<BTreeMap<_, _>>()
        });
        let crash = plan.error.as_ref();
        Self {
            blocks: plan.blocks(),
            states: states.collect(),
            error_block: crash.and_then(|crash| crash.block),
            error_type: crash.and_then(|crash| crash.kind.clone()),
        }
    }
}

/// The authors' reading of a reply, and our reading of its symbol tables.
impl From<&BlockPrediction> for BlockGuess {
    fn from(stored: &BlockPrediction) -> Self {
        let read = Self::from(&Plan::read(&stored.reply));
        Self {
            states: match read.blocks == stored.blocks {
                true => read.states,
                false => Vec::new(),
            },
            blocks: stored.blocks.clone(),
            error_block: stored.error_block,
            error_type: stored.error_type.clone(),
        }
    }
}

impl BlockGuess {
    /// The visits of a trace, up to its end or its exception. Lines of no block are passed over.
    pub fn of_trace(trace: &Trace, blocks: &Blocks) -> Self {
        let mut found = Self::default();
        let mut last: Option<(u32, usize)> = None;
        for step in trace.until_raise() {
            let Some((block, place)) = blocks.at_line(step.line) else {
                continue;
            };
            let goes_on = last.is_some_and(|(b, before)| b == block && before < place);
            last = Some((block, place));
            let values = step.state.iter();
            let values = values.map(|(name, value)| (name.to_owned(), value.text.to_string()));
            match found.states.last_mut().filter(|_| goes_on) {
                Some(state) => *state = values.collect(),
                None => {
                    found.blocks.push(block);
                    found.states.push(values.collect());
                }
            }
        }
        if let Outcome::Raised {
            exception, line, ..
        } = &trace.outcome
        {
            found.error_block = blocks.at_line(*line).map(|(block, _)| block);
            found.error_type = Some(exception.clone());
        }
        found
    }
}

/// The graph of a program, if its blocks are the set's. `None` if the authors divide the program differently.
pub fn blocks_of(program: &OrcaProgram) -> Option<Blocks> {
    let blocks = Blocks::of(&program.code).ok()?;
    let lines = |(first, last): &(u32, u32)| (last.saturating_sub(*first) + 1) as usize;
    let stored: Vec<usize> = program.block_lines.values().map(lines).collect();
    let numbers = program.block_lines.keys().copied();
    (numbers.eq(1..=u32::try_from(blocks.len()).ok()?) && blocks.sizes() == stored)
        .then_some(blocks)
}

/// How a prediction compares with the truth.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BlockPair {
    /// The lists of blocks are equal.
    pub exact: bool,
    /// The common prefix as a part of the truth and of the prediction. `None` if one is empty.
    pub prefix: Option<(f64, f64)>,
    /// The same for the sets of transitions.
    pub transitions: Option<(f64, f64)>,
    /// The same for the sets of blocks.
    pub blocks: Option<(f64, f64)>,
    /// Values of the symbol tables: right ones and all that are compared.
    pub table: (usize, usize),
    /// Of a program that raises: whether the block is right.
    pub error_block: Option<bool>,
    /// Of a program that raises: whether the class is right.
    pub error_type: Option<bool>,
}

/// The metrics, in the order of tables.
pub const METRICS: &[Metric<BlockPair>] = &[
    Metric {
        name: "exact match",
        share: |pair| Share::of_bool(pair.exact),
        is_broken_down: false,
    },
    Metric {
        name: "prefix R",
        share: |pair| first(pair.prefix),
        is_broken_down: false,
    },
    Metric {
        name: "prefix P",
        share: |pair| second(pair.prefix),
        is_broken_down: false,
    },
    Metric {
        name: "transitions R",
        share: |pair| first(pair.transitions),
        is_broken_down: false,
    },
    Metric {
        name: "transitions P",
        share: |pair| second(pair.transitions),
        is_broken_down: false,
    },
    Metric {
        name: "blocks R",
        share: |pair| first(pair.blocks),
        is_broken_down: false,
    },
    Metric {
        name: "blocks P",
        share: |pair| second(pair.blocks),
        is_broken_down: false,
    },
    Metric {
        name: "symbol table",
        share: |pair| Share::of_mean(pair.table_accuracy()),
        is_broken_down: false,
    },
    Metric {
        name: "error block",
        share: |pair| Share::of_option(pair.error_block),
        is_broken_down: false,
    },
    Metric {
        name: "error type",
        share: |pair| Share::of_option(pair.error_type),
        is_broken_down: false,
    },
];

fn first(parts: Option<(f64, f64)>) -> Share {
    Share::of_mean(Some(parts.map_or(0.0, |(first, _)| first)))
}

fn second(parts: Option<(f64, f64)>) -> Share {
    Share::of_mean(Some(parts.map_or(0.0, |(_, second)| second)))
}

impl BlockPair {
    /// The share of compared values that are right.
    pub fn table_accuracy(&self) -> Option<f64> {
        let (right, all) = self.table;
        (all > 0).then(|| right as f64 / all as f64)
    }
}

/// Compares a prediction with the truth.
pub fn compare_blocks(guess: &BlockGuess, truth: &BlockTruth) -> BlockPair {
    let (p, g) = (&guess.blocks, &truth.blocks);
    let prefix = p.iter().zip(g).take_while(|(p, g)| p == g).count();
    let is_empty = p.is_empty() || g.is_empty();
    let raises = truth.raised.as_deref();
    BlockPair {
        exact: p == g,
        prefix: (!is_empty).then(|| parts(prefix, g.len(), p.len())),
        transitions: of_sets(&transitions(p), &transitions(g)).filter(|_| !is_empty),
        blocks: of_sets(&p.iter().collect(), &g.iter().collect()),
        table: table(guess, truth),
        error_block: raises
            .map(|_| guess.error_block.is_some() && guess.error_block.as_ref() == g.last()),
        error_type: raises.map(|class| guess.error_type.as_deref() == Some(class)),
    }
}

fn parts(both: usize, truth: usize, guess: usize) -> (f64, f64) {
    (both as f64 / truth as f64, both as f64 / guess as f64)
}

fn of_sets<T: Ord>(guess: &BTreeSet<T>, truth: &BTreeSet<T>) -> Option<(f64, f64)> {
    match (guess.len(), truth.len()) {
        (0, 0) => Some((1.0, 1.0)),
        (0, _) | (_, 0) => None,
        (p, g) => Some(parts(guess.intersection(truth).count(), g, p)),
    }
}

fn transitions(blocks: &[u32]) -> BTreeSet<(u32, u32)> {
    blocks.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Right and compared values.
fn table(guess: &BlockGuess, truth: &BlockTruth) -> (usize, usize) {
    let predicted = guess.blocks.iter().zip(&guess.states);
    let gold = truth.blocks.iter().zip(&truth.states);
    let (mut right, mut all) = (0, 0);
    for ((block, values), (true_block, true_values)) in predicted.zip(gold) {
        if block != true_block {
            continue;
        }
        for (name, value) in values {
            if let Some(gold) = true_values.get(name) {
                all += 1;
                right += usize::from(bare(value).eq(bare(gold)));
            }
        }
    }
    (right, all)
}

#[cfg(test)]
mod tests {
    use codexec_data::trace::{Engine, Event, Program, State, Step, Value};

    use super::*;

    fn truth(blocks: &[u32], raised: Option<&str>) -> BlockTruth {
        BlockTruth {
            blocks: blocks.to_vec(),
            states: vec![Values::new(); blocks.len()],
            raised: raised.map(str::to_owned),
        }
    }

    fn guess(blocks: &[u32]) -> BlockGuess {
        BlockGuess {
            blocks: blocks.to_vec(),
            ..BlockGuess::default()
        }
    }

    #[test]
    fn paths_are_compared_by_prefix_transitions_and_blocks() {
        let pair = compare_blocks(
            &guess(&[1, 2, 3, 2, 4, 5, 7, 6]),
            &truth(&[1, 2, 4, 5, 7], None),
        );
        assert!(!pair.exact);
        assert_eq!(pair.prefix, Some((0.4, 0.25)));
        assert_eq!(pair.transitions, Some((1.0, 4.0 / 7.0)));
        assert_eq!(pair.blocks, Some((1.0, 5.0 / 7.0)));
        assert_eq!((pair.error_block, pair.error_type), (None, None));
        // One block: without transitions on both sides, on one side.
        let pair = compare_blocks(&guess(&[1]), &truth(&[1], None));
        assert_eq!((pair.exact, pair.transitions), (true, Some((1.0, 1.0))));
        let pair = compare_blocks(&guess(&[1, 1]), &truth(&[1], None));
        assert_eq!(pair.transitions, None);
        let none = compare_blocks(&BlockGuess::default(), &truth(&[1], Some("E")));
        let got: f64 = METRICS.iter().map(|m| (m.share)(&none).got).sum();
        assert_eq!((got, none.error_block), (0.0, Some(false)));
    }

    #[test]
    fn tables_are_compared_where_blocks_are_equal() {
        let values = |pairs: &[(&str, &str)]| -> Values {
            let pairs = pairs.iter();
            pairs
                .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
                .collect()
        };
        let mut truth = truth(&[1, 2, 3], Some("KeyError"));
        truth.states = vec![
            values(&[("a", "[1, 'x']"), ("b", "1")]),
            values(&[("a", "2")]),
            values(&[("a", "3")]),
        ];
        let guess = BlockGuess {
            blocks: vec![1, 4, 3],
            states: vec![
                values(&[("a", "[1,\"x\"]"), ("b", "2"), ("c", "3")]),
                values(&[("a", "2")]),
                values(&[("a", "3")]),
            ],
            error_block: Some(3),
            error_type: Some("ValueError".to_owned()),
        };
        let pair = compare_blocks(&guess, &truth);
        assert_eq!(pair.table, (2, 3));
        assert_eq!(
            (pair.error_block, pair.error_type),
            (Some(true), Some(false))
        );
    }

    #[test]
    fn a_trace_visits_the_blocks_of_its_lines() {
        let blocks =
            Blocks::of("n = 2\nm = 1\nwhile n:\n    n -= 1\n    m = n\nprint(m)\n").unwrap();
        let step = |line: u32, n: &str| Step {
            line,
            event: Event::Line,
            function: "<module>".into(),
            depth: 0,
            file: 0,
            state: State::from_iter([("n".to_owned(), Value::observed(n))]),
            output: String::new(),
            value: None,
            confidence: None,
        };
        let mut trace = Trace::new(Engine::Run, Program::default());
        let lines = [
            (1, "2"),
            (2, "2"),
            (3, "2"),
            (4, "1"),
            (5, "1"),
            (3, "1"),
            (4, "0"),
            (5, "0"),
        ];
        trace.steps = lines.iter().map(|(line, n)| step(*line, n)).collect();
        trace.outcome = Outcome::Raised {
            file: 0,
            exception: "E".to_owned(),
            message: String::new(),
            line: 4,
            step: Some(6),
        };
        let guess = BlockGuess::of_trace(&trace, &blocks);
        assert_eq!(guess.blocks, [1, 2, 3, 2, 3]);
        assert_eq!(guess.states[2]["n"], "1");
        assert_eq!(
            (guess.error_block, guess.error_type.as_deref()),
            (Some(3), Some("E"))
        );
        // Twice the same block, as in a loop of one line.
        trace.steps = vec![step(4, "1"), step(5, "1"), step(4, "0"), step(99, "0")];
        trace.outcome = Outcome::Finished;
        assert_eq!(BlockGuess::of_trace(&trace, &blocks).blocks, [3, 3]);
    }
}
