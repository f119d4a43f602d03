//! Oracles.

#[cfg(feature = "sandbox")]
mod cpython;
mod nobody;
mod recorded;
mod spelled;

#[cfg(feature = "sandbox")]
pub use cpython::Cpython;
pub use nobody::Nobody;
pub use recorded::{Recorded, line};
pub use spelled::Spelled;

use codexec_trace::Origin;

use crate::question::{Answer, AnswerError, Question};

/// Answers questions.
pub trait Oracle {
    /// Its name in results: `cpython`, `network`.
    fn name(&self) -> &str;

    /// What its values are: predicted, or observed where it executes operations.
    fn origin(&self) -> Origin;

    /// Whether its answers are guesses: such an oracle is not asked when methods are folded, since it cannot know the
    /// rest.
    fn guesses(&self) -> bool {
        false
    }

    /// An answer for each question, in their order.
    ///
    /// # Errors
    /// If nothing can be answered any more, because the oracle itself failed. A single unanswerable
    /// question is an [`AnswerError`] in its place.
    fn answer(
        &mut self,
        questions: &[Question],
    ) -> Result<Vec<Result<Answer, AnswerError>>, OracleError>;

    /// Up to `most` answers for each question, at least one, most probable first. A certain oracle has one.
    ///
    /// # Errors
    /// As [`Self::answer`].
    fn opinions(
        &mut self,
        questions: &[Question],
        most: usize,
    ) -> Result<Vec<Vec<Result<Answer, AnswerError>>>, OracleError> {
        let _ = most;
        let answers = self.answer(questions)?.into_iter();
        Ok(answers.map(|answer| vec![answer]).collect())
    }
}

/// An oracle failed.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// The sandbox could not run anything.
    #[cfg(feature = "sandbox")]
    #[error(transparent)]
    Sandbox(#[from] codexec_data::sandbox::SandboxError),
    /// The network, or whatever else answers.
    #[error("{0}")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}
