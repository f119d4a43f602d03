//! The rules with a value predictor of guided execution that ranks values: its prediction for a
//! place comes first.

use std::collections::BTreeSet;

use super::rules::Rules;
use super::{Candidate, Generator, PrefixError, Snippet, Tried};
use crate::values::Predictor;

/// Ranks values by a predictor.
pub struct Neural {
    rules: Rules,
}

impl std::fmt::Debug for Neural {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Neural").finish_non_exhaustive()
    }
}

impl Neural {
    /// Returns the rules, ranked by this predictor.
    pub fn new(predictor: Box<dyn Predictor>, strict: bool) -> Self {
        Self {
            rules: Rules::ranked_by(predictor, strict),
        }
    }
}

impl Generator for Neural {
    fn name(&self) -> &'static str {
        "neural"
    }

    fn for_missing(&self, snippet: &Snippet, n: usize) -> Result<Vec<Candidate>, PrefixError> {
        self.rules.for_missing(snippet, n)
    }

    fn for_error(
        &self,
        snippet: &Snippet,
        tried: &Tried,
        n: usize,
    ) -> Result<Vec<Candidate>, PrefixError> {
        self.rules.for_error(snippet, tried, n)
    }

    fn for_lines(
        &self,
        snippet: &Snippet,
        tried: &[Tried],
        covered: &BTreeSet<u32>,
        n: usize,
    ) -> Result<Vec<(Option<usize>, Candidate)>, PrefixError> {
        self.rules.for_lines(snippet, tried, covered, n)
    }
}
