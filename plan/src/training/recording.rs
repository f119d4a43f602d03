//! An oracle that shows what it was asked.

use codexec_data::trace::Origin;

use crate::oracles::{Oracle, OracleError};
use crate::question::{Answer, AnswerError, Question};

/// Passes questions on, and shows each with its answer, in order. It keeps none: some have lists of a million items.
pub struct Recording<'o, F> {
    inner: &'o mut dyn Oracle,
    seen: F,
}

impl<'o, F: FnMut(&Question, &Answer)> Recording<'o, F> {
    /// Around an oracle; `seen` is shown every question that it answers.
    pub fn new(inner: &'o mut dyn Oracle, seen: F) -> Self {
        Self { inner, seen }
    }
}

impl<F: FnMut(&Question, &Answer)> Oracle for Recording<'_, F> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn origin(&self) -> Origin {
        self.inner.origin()
    }

    fn answer(
        &mut self,
        questions: &[Question],
    ) -> Result<Vec<Result<Answer, AnswerError>>, OracleError> {
        let answers = self.inner.answer(questions)?;
        for (question, answer) in questions.iter().zip(&answers) {
            if let Ok(answer) = answer {
                (self.seen)(question, answer);
            }
        }
        Ok(answers)
    }
}
