//! Prefixes: code before a program with missing values, so that running it executes as many of its
//! lines as possible, over a small set of runs (Treefix).
//!
//! | module | what |
//! |---|---|
//! | `snippet` | the program: what it misses (`missing`), what guards its lines (`guards`) and how to pass the guards (`ways`, `compared`, `change`) |
//! | `calls`, `places` | how the program calls its values, and the expressions on each line |
//! | `draft`, `roots` | a prefix under construction, and its text; `stand_in` is its preliminary class of stand-ins |
//! | `known` | usual meanings of names |
//! | [`generators`] | the generators of prefixes: one file each |
//! | `search` | the paper's Algorithm 1; `post` drops failing lines |
//! | `plain` | the found prefixes, written as a person would |
//! | `values`, `needs` | the values of a prefix, and the tools that it needs, for statistics |
//! | `search_tree` | the tried prefixes, and the smallest set that executes as much as all |
//!
//! Every prefix is Python that a person can read, paste and edit. All runs are in the sandbox.

mod branch_conditions;
mod calls;
mod change;
mod compared;
mod draft;
pub mod generators;
mod guards;
mod known;
mod missing;
mod needs;
mod places;
mod plain;
mod post;
mod roots;
mod search;
mod search_tree;
mod snippet;
mod stand_in;
mod values;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use codexec_data::sandbox::Pool;
use codexec_trace::Program;
use serde::Serialize;

use crate::guide::{Coverage, GuideError};

pub use generators::{Generator, Usage};
pub use needs::Needs;
pub use search_tree::{Candidate, Step, Tried};
pub use snippet::Snippet;
pub use values::values;

/// Why the search for prefixes cannot run.
#[derive(Debug, thiserror::Error)]
pub enum PrefixError {
    /// The program cannot be read, or nothing can be run.
    #[error(transparent)]
    Guide(#[from] GuideError),
    /// A generator cannot be queried about this program.
    #[error("{generator}: {why}")]
    Generator {
        /// The generator.
        generator: &'static str,
        /// The reason, and the remedy.
        why: String,
    },
    /// A generator cannot be queried about any program.
    #[error("{generator}: {why}")]
    Refused {
        /// The generator.
        generator: &'static str,
        /// The reason, and the remedy.
        why: String,
    },
}

/// How prefixes are searched.
#[derive(Debug, Clone, PartialEq)]
pub struct PrefixOptions {
    /// Rounds of error and coverage guidance (the paper's k).
    pub rounds: usize,
    /// Candidates per query (the paper's n).
    pub candidates: usize,
    /// Prefixes per round that are refined for their error.
    pub repairs: usize,
    /// Most runs.
    pub runs: usize,
    /// Time limit. Unlike the other limits, it makes the result depend on the machine.
    pub time: Duration,
    /// Most lines that one run executes.
    pub events: u32,
    /// CPU time of one run. The limit on lines ends almost all endless runs first, so that the
    /// result is the same on every machine.
    pub run_time: Duration,
}

impl Default for PrefixOptions {
    fn default() -> Self {
        Self {
            rounds: 16,
            candidates: 10,
            repairs: 12,
            runs: 200,
            time: Duration::from_secs(10),
            events: 5_000,
            run_time: Duration::from_secs(1),
        }
    }
}

/// The state after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct StepResult {
    /// The step.
    pub step: Step,
    /// Its round; 0 before the first.
    pub round: usize,
    /// Lines that all prefixes so far execute together.
    pub cumulative: usize,
    /// Lines that the best prefix executes.
    pub best: usize,
    /// Number of prefixes so far.
    pub prefixes: usize,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// The generator.
    pub generator: String,
    /// Coverage of all prefixes together.
    pub coverage: Coverage,
    /// The lines that at least one of them executes.
    pub covered: BTreeSet<u32>,
    /// The lines that count.
    #[serde(skip)]
    pub lines: BTreeSet<u32>,
    /// The smallest set that reaches it (the paper's P), the best one (p_best) first, as indices
    /// into `tried`.
    pub set: Vec<usize>,
    /// The tree: all tried prefixes, in order.
    pub tried: Vec<Tried>,
    /// The state after each step.
    pub steps: Vec<StepResult>,
    /// Number of runs.
    pub runs: usize,
    /// Packages that the program imports and that were not installed; they were made up.
    pub missing_packages: Vec<String>,
    /// The cost of queries to a language model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Why a query was not answered, if one was not; the other results are valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unanswered: Option<String>,
    /// Whether the generator refused to continue during the search, and will refuse any other
    /// program.
    #[serde(skip)]
    pub refused: bool,
    /// The time that it took.
    #[serde(skip)]
    pub time: Duration,
}

impl Found {
    /// Whether a generator was queried and never answered, so that none of this is its work.
    pub fn is_unanswered(&self) -> bool {
        let answers = self.usage.map_or(0, |usage| usage.answers);
        self.unanswered.is_some() && answers == 0
    }

    /// Returns the best single prefix.
    pub fn best(&self) -> Option<&Tried> {
        self.set.first().and_then(|&k| self.tried.get(k))
    }
}

/// Searches for prefixes of a program.
///
/// # Errors
/// If the program is nested too deeply, nothing can be run, or the generator cannot be queried.
pub fn find(
    pool: &Pool,
    program: &Program,
    generator: &dyn Generator,
    options: &PrefixOptions,
) -> Result<Found, PrefixError> {
    let begun = Instant::now();
    let mut snippet = Snippet::of(program, pool.modules()).map_err(GuideError::from)?;
    snippet.deadline = begun.checked_add(options.time);
    search::Search::new(pool, &snippet, options, begun).run(generator)
}

#[cfg(test)]
mod tests;
