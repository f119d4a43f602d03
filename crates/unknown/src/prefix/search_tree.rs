//! The tree of prefixes: what was tried, what it came from, and what came of it.

use std::collections::BTreeSet;

use codexec_data::sandbox::{Asked, Attempted, Raised};
use codexec_trace::Outcome;
use serde::Serialize;

use super::draft::Draft;
use crate::guide::{Coverage, Statements};

/// The query that a prefix is the answer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// The program as it is.
    None,
    /// What the program misses.
    Undefinedness,
    /// An error that a prefix ended in.
    Error,
    /// Lines that no prefix reaches.
    Coverage,
}

impl Step {
    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Undefinedness => "undefinedness",
            Self::Error => "error",
            Self::Coverage => "coverage",
        }
    }
}

/// A prefix that a generator proposes.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Its text.
    pub text: String,
    /// What the rules know of it.
    pub(super) draft: Option<Draft>,
    /// A line that it is to reach; not run once that is reached.
    pub(super) target: Option<u32>,
}

impl Candidate {
    /// A prefix that nothing is known of but its text.
    pub fn of_text(text: String) -> Self {
        Self {
            text,
            draft: None,
            target: None,
        }
    }

    /// About the bytes that it takes.
    pub(super) fn size(&self) -> usize {
        // A draft holds what its text says in more pieces.
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

/// A prefix that was tried.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tried {
    /// The prefix that it refines, by its number in the tree.
    pub parent: Option<usize>,
    /// The query that it answers.
    pub step: Step,
    /// Its text, lines that failed left out.
    pub prefix: String,
    /// Lines of the prefix that failed and were left out.
    pub dropped: usize,
    /// How much of the program was executed.
    pub coverage: Coverage,
    /// Lines of the program that were executed without crashing.
    pub covered: BTreeSet<u32>,
    /// How the program ended.
    pub outcome: Outcome,
    /// The exception that ended it.
    pub error: Option<Raised>,
    #[serde(skip)]
    pub(super) draft: Option<Draft>,
    /// Exceptions, caught ones included.
    #[serde(skip)]
    pub(super) errors: Vec<Raised>,
    #[serde(skip)]
    pub(super) asked: Vec<Asked>,
    #[serde(skip)]
    pub(super) begun: BTreeSet<u32>,
    /// Line that left the program by `exit`.
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

    /// About the bytes that it takes.
    pub(super) fn size(&self) -> usize {
        let lines = self.covered.len() + self.begun.len();
        let asked: usize = self.asked.iter().map(|a| a.what.len() + 80).sum();
        self.prefix.len() * 8 + lines * 16 + asked
    }

    /// What stands in the way: the error that ended it, and those that were caught.
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

/// A small set of prefixes that together execute what all of them do: the fewest that greedy choice
/// finds, none of which is dispensable. The best one comes first; ties go to one that ends by itself, then
/// to the earlier.
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
    // What later ones made dispensable; not the best.
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

/// Lines, a bit each: a program may have many, and many prefixes.
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
