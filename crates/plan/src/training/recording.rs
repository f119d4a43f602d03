//! An oracle that reports its questions.

use codexec_trace::Origin;

use crate::oracles::{Oracle, OracleError};
use crate::question::{Answer, AnswerError, Question, Shape};

/// Maximum values of a question that is passed on: a program that builds a table of millions of items asks for each
/// step again, with all of them.
pub(super) const MOST_VALUES: usize = 200_000;

/// Passes questions on, and reports each with its answer, in order. It stores none: some have lists of many
/// items. Questions of more than `MOST_VALUES` values are rejected.
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
        if questions.iter().all(is_modest) {
            return self.passed_on(questions);
        }
        // Small questions beside a large one are still answered, in their places.
        let modest: Vec<Question> = questions.iter().filter(|q| is_modest(q)).cloned().collect();
        let mut answers = self.passed_on(&modest)?.into_iter();
        let refused = || {
            Err(AnswerError::Refused(format!(
                "more than {MOST_VALUES} values"
            )))
        };
        let in_place = questions.iter().map(|question| match is_modest(question) {
            true => answers.next().unwrap_or_else(refused),
            false => refused(),
        });
        Ok(in_place.collect())
    }
}

impl<F: FnMut(&Question, &Answer)> Recording<'_, F> {
    fn passed_on(
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

fn is_modest(question: &Question) -> bool {
    let values: usize = question.objects.iter().map(items).sum();
    values <= MOST_VALUES
}

fn items(shape: &Shape) -> usize {
    match shape {
        Shape::Items(_, items) | Shape::Deque(items, _) => items.len(),
        Shape::Dict(_, _, pairs) => pairs.len(),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::{Data, Operation};

    struct Nothing;

    impl Oracle for Nothing {
        fn name(&self) -> &str {
            "nothing"
        }

        fn origin(&self) -> Origin {
            Origin::Predicted
        }

        fn answer(
            &mut self,
            questions: &[Question],
        ) -> Result<Vec<Result<Answer, AnswerError>>, OracleError> {
            let none = || Answer {
                result: Ok(Data::None),
                made: Vec::new(),
                changed: Vec::new(),
                output: String::new(),
                confidence: 1.0,
                sets_in_order: false,
            };
            Ok(questions.iter().map(|_| Ok(none())).collect())
        }
    }

    fn truth_of(count: usize) -> Question {
        Question {
            operation: Operation::Truth,
            operands: vec![Data::Object(0)],
            keywords: Vec::new(),
            names: Vec::new(),
            objects: vec![Shape::Items("list", vec![Data::None; count])],
        }
    }

    #[test]
    fn large_questions_are_refused_and_those_beside_them_answered() {
        let mut shown = Vec::new();
        let mut nothing = Nothing;
        let mut recording = Recording::new(&mut nothing, |question, _| {
            shown.push(items(&question.objects[0]));
        });
        let questions = [3, MOST_VALUES + 1, MOST_VALUES, 4].map(truth_of);
        let answers = recording.answer(&questions).unwrap();
        let answered: Vec<bool> = answers.iter().map(Result::is_ok).collect();
        assert_eq!(answered, [true, false, true, true]);
        assert_eq!(shown, [3, MOST_VALUES, 4]);
    }
}
