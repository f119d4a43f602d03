//! Prefixes: code to put in front of a program that misses values, so that running it executes as many
//! of its lines as possible, over a small set of runs (Treefix).
//!
//! | module | what |
//! |---|---|
//! | `snippet` | the program: what it misses (`missing`), what stands in front of its lines (`guards`) and how to get past that (`ways`, `compared`, `change`) |
//! | `calls`, `places` | how the program calls what, and what stands where |
//! | `draft`, `roots` | a prefix while it is worked on, and its text; `stand_in` is the class that it has meanwhile |
//! | `known` | what names usually stand for |
//! | [`generators`] | what proposes prefixes: one file each |
//! | `search` | the paper's Algorithm 1; `post` leaves failing lines out |
//! | `plain` | the prefixes that were found, written as a person would |
//! | `values`, `needs` | what values a prefix gives, and what tools it needs, for counting |
//! | `search_tree` | what was tried, and the smallest set that executes as much as all |
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

/// What can keep prefixes from being looked for.
#[derive(Debug, thiserror::Error)]
pub enum PrefixError {
    /// The program cannot be read, or nothing can be run.
    #[error(transparent)]
    Guide(#[from] GuideError),
    /// A generator could not be asked about this program.
    #[error("{generator}: {why}")]
    Generator {
        /// Which.
        generator: &'static str,
        /// Why not, and what to do.
        why: String,
    },
    /// A generator cannot be asked about any.
    #[error("{generator}: {why}")]
    Refused {
        /// Which.
        generator: &'static str,
        /// Why not, and what to do.
        why: String,
    },
}

/// How prefixes are looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct PrefixOptions {
    /// Rounds of error and coverage guidance (the paper's k).
    pub rounds: usize,
    /// Candidates that a query is answered with (the paper's n).
    pub candidates: usize,
    /// Prefixes that are refined for their error in a round.
    pub repairs: usize,
    /// Most runs.
    pub runs: usize,
    /// Most time. Unlike the other limits it makes the result depend on the machine.
    pub time: Duration,
    /// Most lines that one run executes.
    pub events: u32,
    /// CPU time of one run. Counting lines ends almost all that do not end by themselves, so that the
    /// same comes of them on any machine.
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

/// How far a step came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct StepResult {
    /// Which.
    pub step: Step,
    /// In which round; 0 before the first.
    pub round: usize,
    /// Lines that all prefixes so far execute.
    pub cumulative: usize,
    /// Lines that the best of them executes.
    pub best: usize,
    /// Prefixes so far.
    pub prefixes: usize,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// The generator.
    pub generator: String,
    /// Coverage of all prefixes together.
    pub coverage: Coverage,
    /// The lines that are executed by one of them.
    pub covered: BTreeSet<u32>,
    /// The lines that count.
    #[serde(skip)]
    pub lines: BTreeSet<u32>,
    /// The smallest set that reaches it (the paper's P), the best one (p_best) first: numbers in `tried`.
    pub set: Vec<usize>,
    /// The tree: all that were tried, in order.
    pub tried: Vec<Tried>,
    /// How far each step came.
    pub steps: Vec<StepResult>,
    /// Runs.
    pub runs: usize,
    /// Packages that the program imports and that were not there: made up.
    pub missing_packages: Vec<String>,
    /// What asking a language model took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Why a query was not answered, where one was not; what was found without it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unanswered: Option<String>,
    /// The generator refused to go on in the middle of it, and will for any other program.
    #[serde(skip)]
    pub refused: bool,
    /// Time it took.
    #[serde(skip)]
    pub time: Duration,
}

impl Found {
    /// Whether a generator was asked and never answered, so that nothing of this is its doing.
    pub fn is_unanswered(&self) -> bool {
        let answers = self.usage.map_or(0, |usage| usage.answers);
        self.unanswered.is_some() && answers == 0
    }

    /// The best single prefix.
    pub fn best(&self) -> Option<&Tried> {
        self.set.first().and_then(|&k| self.tried.get(k))
    }
}

/// Looks for prefixes of a program.
///
/// # Errors
/// When the program is nested too deeply, nothing can be run, or the generator cannot be asked.
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
