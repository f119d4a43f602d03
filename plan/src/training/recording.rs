//! An oracle that remembers what it was asked.

use codexec_data::trace::Origin;

use crate::oracles::{Oracle, OracleError};
use crate::question::{Answer, AnswerError, Question};

/// A question with its answer.
#[derive(Debug, Clone)]
pub struct Example {
    /// The question.
    pub question: Question,
    /// Its answer.
    pub answer: Answer,
}

/// Passes questions on, and keeps them with their answers.
pub struct Recording<'o> {
    inner: &'o mut dyn Oracle,
    /// What was asked and answered since this was emptied, in order.
    pub examples: Vec<Example>,
}

impl<'o> Recording<'o> {
    /// Around an oracle.
    pub fn new(inner: &'o mut dyn Oracle) -> Self {
        Self {
            inner,
            examples: Vec::new(),
        }
    }
}

impl Oracle for Recording<'_> {
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
                self.examples.push(Example {
                    question: question.clone(),
                    answer: answer.clone(),
                });
            }
        }
        Ok(answers)
    }
}
