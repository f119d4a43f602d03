//! Generators of prefixes. One file per generator, one interface: the three queries of the paper.

mod llm;
mod neural;
mod rules;

use std::collections::BTreeSet;

use super::{Candidate, PrefixError, Snippet, Tried};

pub use llm::{Llm, LlmOptions, Usage};
pub use neural::Neural;
pub use rules::Rules;
pub(super) use rules::value_of;

/// Proposes prefixes. Local generators always give the same answer to the same query; `llm` does
/// only if its answers are kept.
pub trait Generator: Sync {
    /// Returns its name on the command line.
    fn name(&self) -> &'static str;

    /// Undefinedness guidance: about `n` prefixes for what the program misses, best first.
    ///
    /// # Errors
    /// If it cannot be queried.
    fn for_missing(&self, snippet: &Snippet, n: usize) -> Result<Vec<Candidate>, PrefixError>;

    /// Error guidance: refinements of a prefix that ended in an error, at most `n`.
    ///
    /// # Errors
    /// If it cannot be queried.
    fn for_error(
        &self,
        snippet: &Snippet,
        tried: &Tried,
        n: usize,
    ) -> Result<Vec<Candidate>, PrefixError>;

    /// Coverage guidance: refinements aimed at lines that no prefix reaches yet, at most `n` for
    /// each place, each with the index of its parent.
    ///
    /// # Errors
    /// If it cannot be queried.
    fn for_lines(
        &self,
        snippet: &Snippet,
        tried: &[Tried],
        covered: &BTreeSet<u32>,
        n: usize,
    ) -> Result<Vec<(Option<usize>, Candidate)>, PrefixError>;

    /// Returns the cost of queries about a program, if it is counted.
    fn usage(&self, _snippet: &Snippet) -> Option<Usage> {
        None
    }
}

/// Names of the generators.
pub const GENERATORS: &[&str] = &["rules", "neural", "llm"];
