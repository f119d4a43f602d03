//! Nobody answers.

use codexec_trace::Origin;

use super::{Oracle, OracleError};
use crate::question::{Answer, AnswerError, Question};

/// Answers nothing. With methods folded it is not even asked: planning ends with the uncomputed operation.
pub struct Nobody;

impl Oracle for Nobody {
    fn name(&self) -> &str {
        "nobody"
    }

    fn origin(&self) -> Origin {
        Origin::Predicted
    }

    fn guesses(&self) -> bool {
        true
    }

    fn answer(
        &mut self,
        questions: &[Question],
    ) -> Result<Vec<Result<Answer, AnswerError>>, OracleError> {
        let refused = |_: &Question| Err(AnswerError::Refused("nobody is asked".to_owned()));
        Ok(questions.iter().map(refused).collect())
    }
}
