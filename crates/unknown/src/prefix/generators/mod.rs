//! What proposes prefixes. One file a generator, one interface: the three queries of the paper.

mod llm;
mod neural;
mod rules;

use std::collections::BTreeSet;

use super::{Candidate, PrefixError, Snippet, Tried};

pub use llm::{Llm, LlmOptions, Usage};
pub use neural::Neural;
pub use rules::Rules;
pub(super) use rules::value_of;

/// Proposes prefixes. The same query always gets the same answer from generators that run here; not from
/// `llm`, unless its answers are kept.
pub trait Generator: Sync {
    /// What it is called on the command line.
    fn name(&self) -> &'static str;

    /// Undefinedness guidance: prefixes for what the program misses, about `n`, the best first.
    ///
    /// # Errors
    /// When it cannot be asked.
    fn for_missing(&self, snippet: &Snippet, n: usize) -> Result<Vec<Candidate>, PrefixError>;

    /// Error guidance: refinements of a prefix that ended in an error, at most `n`.
    ///
    /// # Errors
    /// When it cannot be asked.
    fn for_error(
        &self,
        snippet: &Snippet,
        tried: &Tried,
        n: usize,
    ) -> Result<Vec<Candidate>, PrefixError>;

    /// Coverage guidance: refinements aimed at lines that nothing reaches yet, at most `n` for each
    /// place, with the number of what they refine.
    ///
    /// # Errors
    /// When it cannot be asked.
    fn for_lines(
        &self,
        snippet: &Snippet,
        tried: &[Tried],
        covered: &BTreeSet<u32>,
        n: usize,
    ) -> Result<Vec<(Option<usize>, Candidate)>, PrefixError>;

    /// What asking about a program has taken, if somebody counts that.
    fn usage(&self, _snippet: &Snippet) -> Option<Usage> {
        None
    }
}

/// Names of the generators.
pub const GENERATORS: &[&str] = &["rules", "neural", "llm"];
