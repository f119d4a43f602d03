//! Prefixes by rules, without a model: values from their uses (`start`), repairs by the exception
//! that a prefix ended in (`repair`, `turns`), branches reached by giving their conditions other
//! values (`flip`).

mod flip;
mod repair;
mod start;
mod turns;

pub(in crate::prefix) use start::value_of;

use std::collections::BTreeSet;

use super::super::draft::Draft;
use super::{Candidate, Generator, PrefixError, Snippet, Tried};
use crate::values::Predictor;

/// The rule-based generator; see the module.
#[derive(Default)]
pub struct Rules {
    predictor: Option<Box<dyn Predictor>>,
    strict: bool,
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rules").finish_non_exhaustive()
    }
}

impl Rules {
    /// Creates the rules. If `strict`, a prefix neither calls functions that the program does not
    /// call, nor lets the program continue after `exit`.
    pub fn new(strict: bool) -> Self {
        Self {
            predictor: None,
            strict,
        }
    }

    /// Creates the rules with a predictor that ranks values.
    pub(super) fn ranked_by(predictor: Box<dyn Predictor>, strict: bool) -> Self {
        Self {
            predictor: Some(predictor),
            strict,
        }
    }
}

impl Generator for Rules {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn for_missing(&self, snippet: &Snippet, n: usize) -> Result<Vec<Candidate>, PrefixError> {
        let drafts = start::drafts(snippet, self.predictor.as_deref());
        let all = drafts.into_iter().take(n);
        Ok(all.map(|d| Candidate::of_draft(d, None)).collect())
    }

    fn for_error(
        &self,
        snippet: &Snippet,
        tried: &Tried,
        n: usize,
    ) -> Result<Vec<Candidate>, PrefixError> {
        let Some(draft) = &tried.draft else {
            return Ok(Vec::new());
        };
        let mut found: Vec<Draft> = Vec::new();
        for trouble in tried.troubles().into_iter().take(3) {
            for one in repair::repairs(snippet, draft, tried, trouble) {
                if !found.contains(&one) && one != *draft {
                    found.push(one);
                }
            }
        }
        found.truncate(n);
        Ok(found
            .into_iter()
            .map(|d| Candidate::of_draft(d, None))
            .collect())
    }

    fn for_lines(
        &self,
        snippet: &Snippet,
        tried: &[Tried],
        covered: &BTreeSet<u32>,
        n: usize,
    ) -> Result<Vec<(Option<usize>, Candidate)>, PrefixError> {
        Ok(flip::candidates(snippet, tried, covered, n, self.strict))
    }
}
