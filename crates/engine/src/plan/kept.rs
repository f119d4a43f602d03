//! A file of a network's answers: no question is asked twice.
//!
//! The file has one JSON object per line. The key of an answer is its question and the checkpoint, so that one
//! checkpoint never gets another's answers. Failures of the network are also stored.

use std::path::Path;

use codexec_data::trace::Origin;
use codexec_plan::oracles::{Oracle, OracleError};
use codexec_plan::question::{Answer, AnswerError, Question};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::super::EngineError;
use codexec_model::Checkpoint;
use codexec_model::error::Error;
use codexec_unknown::llm::{Recorded, digest};

/// A stored answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
struct Line {
    by: String,
    question: Json,
    answer: Json,
}

#[derive(Deserialize)]
struct Fields {
    by: String,
    question: Json,
    answer: Json,
}

impl TryFrom<Fields> for Line {
    type Error = AnswerError;

    fn try_from(fields: Fields) -> Result<Self, AnswerError> {
        match Answer::from_json(&fields.answer) {
            Err(AnswerError::Malformed(why)) => Err(AnswerError::Malformed(why)),
            Ok(_) | Err(AnswerError::Refused(_)) => Ok(Self {
                by: fields.by,
                question: fields.question,
                answer: fields.answer,
            }),
        }
    }
}

/// The answers of one checkpoint in a file.
pub(super) struct Answers {
    file: Recorded<Line>,
    by: String,
}

impl Answers {
    /// Opens a file, creating it if missing.
    pub(super) fn open(
        path: &Path,
        checkpoint: &Checkpoint,
        quantised: bool,
    ) -> Result<Self, EngineError> {
        let bits = if quantised { ", 8 bits" } else { "" };
        let by = format!("{} {}{bits}", checkpoint.name, checkpoint.fingerprint()?);
        let file = Recorded::open(path).map_err(EngineError::Server)?;
        Ok(Self { file, by })
    }

    fn request(&self, question: &Json) -> String {
        digest(&self.by, question.to_string().as_bytes(), 0)
    }

    fn get(&self, question: &Json) -> Option<Result<Answer, AnswerError>> {
        let line = self.file.get(&self.request(question))?;
        Some(Answer::from_json(&line.answer))
    }

    fn keep(&self, question: Json, answer: &Result<Answer, AnswerError>) -> Result<(), String> {
        let request = self.request(&question);
        let answer = match answer {
            Ok(answer) => answer.json(),
            Err(error) => json!({ "refused": error.to_string() }),
        };
        let by = self.by.clone();
        let line = Line {
            by,
            question,
            answer,
        };
        self.file.keep(&request, &line)
    }
}

/// Asks an oracle for answers not in the file.
pub(super) struct Kept<'a, O> {
    oracle: O,
    answers: &'a Answers,
}

impl<'a, O: Oracle> Kept<'a, O> {
    pub(super) fn new(oracle: O, answers: &'a Answers) -> Self {
        Self { oracle, answers }
    }
}

impl<O: Oracle> Oracle for Kept<'_, O> {
    fn name(&self) -> &str {
        self.oracle.name()
    }

    fn origin(&self) -> Origin {
        self.oracle.origin()
    }

    fn guesses(&self) -> bool {
        self.oracle.guesses()
    }

    fn answer(
        &mut self,
        questions: &[Question],
    ) -> Result<Vec<Result<Answer, AnswerError>>, OracleError> {
        let keys: Vec<Json> = questions.iter().map(Question::json).collect();
        let mut found: Vec<_> = keys.iter().map(|key| self.answers.get(key)).collect();
        let new = questions.iter().zip(&found).filter(|(_, f)| f.is_none());
        let new: Vec<Question> = new.map(|(question, _)| question.clone()).collect();
        let mut answered = match new.is_empty() {
            true => Vec::new(),
            false => self.oracle.answer(&new)?,
        }
        .into_iter();
        for (found, key) in found.iter_mut().zip(keys) {
            if found.is_some() {
                continue;
            }
            let Some(answer) = answered.next() else { break };
            let kept = self.answers.keep(key, &answer);
            kept.map_err(|why| OracleError::Other(Box::new(Error::Oracle(why))))?;
            *found = Some(answer);
        }
        let none = || Err(AnswerError::Refused("no answer".to_owned()));
        Ok(found
            .into_iter()
            .map(|found| found.unwrap_or_else(none))
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use codexec_plan::question::{Data, Operation};

    use super::*;

    /// Answers `abs(n)` for even numbers, and counts the questions.
    struct Even(usize);

    impl Oracle for Even {
        fn name(&self) -> &str {
            "even"
        }

        fn origin(&self) -> Origin {
            Origin::Predicted
        }

        fn answer(
            &mut self,
            questions: &[Question],
        ) -> Result<Vec<Result<Answer, AnswerError>>, OracleError> {
            self.0 += questions.len();
            let one = |question: &Question| match &question.operands[0] {
                Data::Int(n) if n.bit(0) => Err(AnswerError::Malformed("odd".to_owned())),
                value => Ok(Answer {
                    result: Ok(value.clone()),
                    made: Vec::new(),
                    changed: Vec::new(),
                    output: String::new(),
                    confidence: 0.3,
                    sets_in_order: false,
                }),
            };
            Ok(questions.iter().map(one).collect())
        }
    }

    fn questions(numbers: &[i32]) -> Vec<Question> {
        let one = |n: &i32| Question {
            operation: Operation::Call("abs".into()),
            operands: vec![Data::Int((*n).into())],
            keywords: Vec::new(),
            names: Vec::new(),
            objects: Vec::new(),
        };
        numbers.iter().map(one).collect()
    }

    fn answers(path: &Path, by: &str) -> Answers {
        Answers {
            file: Recorded::open(path).unwrap(),
            by: by.to_owned(),
        }
    }

    #[test]
    fn what_was_answered_is_not_asked_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("answers.jsonl");
        let kept = answers(&path, "a");
        let mut oracle = Kept::new(Even(0), &kept);
        let first = oracle.answer(&questions(&[2, 3])).unwrap();
        let more = oracle.answer(&questions(&[4, 2, 3])).unwrap();
        assert_eq!(oracle.oracle.0, 3);
        assert_eq!(more[1], first[0]);
        // As after another start, and by another checkpoint.
        let again = answers(&path, "a");
        let mut oracle = Kept::new(Even(0), &again);
        let found = oracle.answer(&questions(&[3, 2])).unwrap();
        assert_eq!(oracle.oracle.0, 0);
        assert_eq!(found[1], first[0]);
        let said = |found: &Result<Answer, AnswerError>| found.clone().unwrap_err().to_string();
        assert_eq!(said(&found[0]), said(&first[1]));
        let other = answers(&path, "b");
        let mut oracle = Kept::new(Even(0), &other);
        oracle.answer(&questions(&[2])).unwrap();
        assert_eq!(oracle.oracle.0, 1);
    }

    #[test]
    fn lines_that_hold_no_answer_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("answers.jsonl");
        let good = json!({"request": "1", "by": "a", "question": {}, "answer": {"value": 1}});
        for bad in [
            json!({"request": "2", "choices": ["x"]}),
            json!({"request": "2", "by": "a", "question": {}, "answer": {"value": ["?"]}}),
        ] {
            std::fs::write(&path, format!("{good}\n{bad}\n")).unwrap();
            let why = Recorded::<Line>::open(&path).unwrap_err();
            assert!(why.contains("line 2: no kept answer"), "{why}");
        }
    }
}
