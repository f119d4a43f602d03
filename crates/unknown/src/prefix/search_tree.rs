//! The tree of prefixes: the tried ones, their parents, and their results.

use std::collections::BTreeSet;

use codexec_data::sandbox::{Asked, Attempted, Raised};
use codexec_trace::Outcome;
use serde::Serialize;

use super::draft::Draft;
use crate::guide::{Coverage, Statements};

/// The query that a prefix answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// The program without a prefix.
    None,
    /// What the program misses.
    Undefinedness,
    /// The error that a prefix ended in.
    Error,
    /// Lines that no prefix reaches.
    Coverage,
}

impl Step {
    /// Returns its name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Undefinedness => "undefinedness",
            Self::Error => "error",
            Self::Coverage => "coverage",
        }
    }
}

/// A prefix proposed by a generator.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Its text.
    pub text: String,
    /// The draft, if the rules wrote it.
    pub(super) draft: Option<Draft>,
    /// A line that it should reach; it is not run if the line is already reached.
    pub(super) target: Option<u32>,
}

impl Candidate {
    /// Wraps a prefix of which only the text is known.
    pub fn of_text(text: String) -> Self {
        Self {
            text,
            draft: None,
            target: None,
        }
    }

    /// Returns its approximate size in bytes.
    pub(super) fn size(&self) -> usize {
        // A draft holds the content of its text in more pieces.
        self.text.len() * 8 + 1_000
    }

    pub(super) fn of_draft(draft: Draft, target: Option<u32>) -> Self {
        Self {
            text: draft.text(),
            draft: Some(draft),
            target,
        }
    }
}

/// A tried prefix.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tried {
    /// The prefix that it refines, as an index into the tree.
    pub parent: Option<usize>,
    /// The query that it answers.
    pub step: Step,
    /// Its text, without the failed lines.
    pub prefix: String,
    /// Number of failed lines that were dropped.
    pub dropped: usize,
    /// The program's coverage.
    pub coverage: Coverage,
    /// Lines of the program that were executed without crashing.
    pub covered: BTreeSet<u32>,
    /// How the program ended.
    pub outcome: Outcome,
    /// The exception that ended it.
    pub error: Option<Raised>,
    #[serde(skip)]
    pub(super) draft: Option<Draft>,
    /// Exceptions, including caught ones.
    #[serde(skip)]
    pub(super) errors: Vec<Raised>,
    #[serde(skip)]
    pub(super) asked: Vec<Asked>,
    #[serde(skip)]
    pub(super) begun: BTreeSet<u32>,
    /// The line that left the program by `exit`.
    #[serde(skip)]
    pub(super) exit: Option<u32>,
}

impl Tried {
    pub(super) fn of(candidate: &Candidate, attempted: Attempted, statements: &Statements) -> Self {
        let begun: BTreeSet<u32> = attempted.begun.into_iter().collect();
        let (coverage, covered) = statements.coverage(&attempted.done, &begun);
        let error = match &attempted.outcome {
            Outcome::Raised {
                exception,
                message,
                line,
                ..
            } => Some(Raised {
                line: *line,
                exception: exception.clone(),
                message: message.clone(),
            }),
            _ => None,
        };
        Self {
            parent: None,
            step: Step::None,
            prefix: candidate.text.clone(),
            dropped: 0,
            coverage,
            covered,
            outcome: attempted.outcome,
            error,
            draft: candidate.draft.clone(),
            errors: attempted.errors,
            asked: attempted.asked,
            begun,
            exit: attempted.exit,
        }
    }

    /// Returns its approximate size in bytes.
    pub(super) fn size(&self) -> usize {
        let lines = self.covered.len() + self.begun.len();
        let asked: usize = self.asked.iter().map(|a| a.what.len() + 80).sum();
        self.prefix.len() * 8 + lines * 16 + asked
    }

    /// Returns the obstacles: the error that ended it, and the caught ones.
    pub(super) fn troubles(&self) -> Vec<&Raised> {
        let mut found: Vec<&Raised> = self.error.iter().collect();
        let errors = self.errors.iter().filter(|e| e.exception != "SystemExit");
        for one in errors.rev() {
            let same = |e: &&Raised| e.line == one.line && e.exception == one.exception;
            if !found.iter().any(same) {
                found.push(one);
            }
        }
        found
    }
}

/// Returns a small set of prefixes that together execute the same lines as all: the fewest that
/// greedy choice finds, none of them redundant. The best one comes first; ties go to one that ends
/// by itself, then to the earlier.
pub(super) fn smallest_set(tried: &[Tried]) -> Vec<usize> {
    let sets: Vec<Bits> = tried.iter().map(|t| Bits::of(&t.covered)).collect();
    let mut left = Bits::default();
    for set in &sets {
        left.add(set);
    }
    let mut chosen: Vec<usize> = Vec::new();
    loop {
        let ended = |t: &Tried| matches!(t.outcome, Outcome::Finished | Outcome::Raised { .. });
        let best = (0..tried.len())
            .map(|k| {
                (
                    sets[k].common(&left),
                    ended(&tried[k]),
                    std::cmp::Reverse(k),
                )
            })
            .max();
        match best {
            Some((gain, _, std::cmp::Reverse(k))) if gain > 0 || chosen.is_empty() => {
                left.remove(&sets[k]);
                chosen.push(k);
            }
            _ => break,
        }
    }
    // Drops the ones that later choices made redundant, except the best.
    let mut at = chosen.len();
    while at > 1 {
        at -= 1;
        let mut others = Bits::default();
        for (_, &k) in chosen.iter().enumerate().filter(|(k, _)| *k != at) {
            others.add(&sets[k]);
        }
        let own = &sets[chosen[at]];
        if own.common(&others) == own.common(own) {
            chosen.remove(at);
        }
    }
    chosen
}

/// Lines, one bit each: a program may have many lines and many prefixes.
#[derive(Debug, Default)]
struct Bits {
    words: Vec<u64>,
}

impl Bits {
    fn of(lines: &BTreeSet<u32>) -> Self {
        let most = lines.last().map_or(0, |line| *line as usize / 64 + 1);
        let mut words = vec![0; most];
        for &line in lines {
            words[line as usize / 64] |= 1 << (line % 64);
        }
        Self { words }
    }

    fn add(&mut self, other: &Self) {
        let most = self.words.len().max(other.words.len());
        self.words.resize(most, 0);
        for (own, other) in self.words.iter_mut().zip(&other.words) {
            *own |= other;
        }
    }

    fn remove(&mut self, other: &Self) {
        for (own, other) in self.words.iter_mut().zip(&other.words) {
            *own &= !other;
        }
    }

    fn common(&self, other: &Self) -> u32 {
        let pairs = self.words.iter().zip(&other.words);
        pairs.map(|(a, b)| (a & b).count_ones()).sum()
    }
}
