//! Another oracle's answers after a round trip through the step form: the results of a network that is always
//! right. Answers that the form cannot express are rejected.

use codexec_trace::Origin;

use super::{Oracle, OracleError};
use crate::question::{Answer, AnswerError, Question};
use crate::step_form;

/// Writes every answer of another oracle as words, and reads it back.
pub struct Spelled<'o>(pub &'o mut dyn Oracle);

impl Oracle for Spelled<'_> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn origin(&self) -> Origin {
        self.0.origin()
    }

    fn answer(
        &mut self,
        questions: &[Question],
    ) -> Result<Vec<Result<Answer, AnswerError>>, OracleError> {
        let answers = self.0.answer(questions)?;
        let spelled = |(question, answer): (&Question, Result<Answer, AnswerError>)| {
            let refused = |error: step_form::StepFormError| AnswerError::Refused(error.to_string());
            let answer = answer?;
            step_form::source(question).map_err(refused)?;
            let words = step_form::target(question, &answer).map_err(refused)?;
            step_form::read(question, &words)
                .map_err(|error| AnswerError::Malformed(error.to_string()))
        };
        Ok(questions.iter().zip(answers).map(spelled).collect())
    }
}
