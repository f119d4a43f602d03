//! Mutants of one program.

use codexec_mutate::{Config, Mutant, MutateError, Mutator};

/// Mutants of a program, by the twelve operators of CodeExecutor.
///
/// ```
/// let mutants = codexec::mutate("x = 3\nprint(x + 1)\n").seed(7).take(5)?;
/// assert_eq!(mutants.len(), 5);
/// # Ok::<(), codexec_mutate::MutateError>(())
/// ```
pub fn mutate(source: impl Into<String>) -> MutateRequest {
    MutateRequest {
        source: source.into(),
        config: Config::default(),
        seed: 0,
    }
}

/// A program to mutate.
#[derive(Debug, Clone)]
#[must_use = "a request makes nothing before `take`"]
pub struct MutateRequest {
    source: String,
    config: Config,
    seed: u64,
}

impl MutateRequest {
    /// Seed (default 0). The same seed gives the same mutants on every machine.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The operators, and the number of edits per mutant.
    pub fn config(mut self, config: Config) -> Self {
        self.config = config;
        self
    }

    /// This many mutants, or fewer if the program has no more.
    ///
    /// # Errors
    /// If the program does not parse.
    pub fn take(self, count: usize) -> Result<Vec<Mutant>, MutateError> {
        let mutator = Mutator::new(self.config);
        Ok(mutator
            .mutants(&self.source, self.seed)?
            .take(count)
            .collect())
    }
}
