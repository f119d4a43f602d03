//! Answers from a file: for tests, and to repeat an experiment without what answered it.

use std::collections::HashMap;

use codexec_trace::Origin;
use serde_json::{Value as Json, json};

use super::{Oracle, OracleError};
use crate::question::{Answer, AnswerError, Question};

/// Gives stored answers. Questions without one are rejected.
pub struct Recorded {
    name: String,
    origin: Origin,
    known: HashMap<String, Answer>,
}

impl Recorded {
    /// Stored answers, one JSON document per line, as written by [`line()`]. `name` and `origin` are those of the
    /// original oracle.
    ///
    /// # Errors
    /// The number of the first invalid line.
    pub fn new<'l>(
        name: &str,
        origin: Origin,
        lines: impl Iterator<Item = &'l str>,
    ) -> Result<Self, AnswerError> {
        let mut known = HashMap::new();
        for (line, number) in lines.zip(1..) {
            let bad = |why: &str| AnswerError::Malformed(format!("line {number}: {why}"));
            let document: Json =
                serde_json::from_str(line).map_err(|error| bad(&error.to_string()))?;
            let (Some(question), Some(answer)) = (document.get("question"), document.get("answer"))
            else {
                return Err(bad("no question with an answer"));
            };
            let answer = Answer::from_json(answer).map_err(|error| bad(&error.to_string()))?;
            known.insert(question.to_string(), answer);
        }
        Ok(Self {
            name: name.to_string(),
            origin,
            known,
        })
    }
}

/// A question and its answer as a line of such a file, without its end.
pub fn line(question: &Question, answer: &Answer) -> String {
    json!({ "question": question.json(), "answer": answer.json() }).to_string()
}

impl Oracle for Recorded {
    fn name(&self) -> &str {
        &self.name
    }

    fn origin(&self) -> Origin {
        self.origin
    }

    fn answer(
        &mut self,
        questions: &[Question],
    ) -> Result<Vec<Result<Answer, AnswerError>>, OracleError> {
        let one = |question: &Question| {
            let known = self.known.get(&question.json().to_string()).cloned();
            known.ok_or_else(|| AnswerError::Refused("no kept answer".to_string()))
        };
        Ok(questions.iter().map(one).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduler::plan;
    use codexec_trace::{Outcome, Program};
    use codexec_vm::machine::Settings;

    const LINES: &str = r#"{"question":{"kind":"method","name":"append","operands":[["o",0],4],"keywords":[],"objects":[["list",[3]]]},"answer":{"value":null,"changed":[[0,["list",[3,4]]]],"made":[],"output":"","confidence":0.5}}
{"question":{"kind":"method","name":"pop","operands":[["o",0]],"keywords":[],"objects":[["list",[3,4]]]},"answer":{"raised":{"kind":"ValueError","args":["no"]},"confidence":0.5}}"#;

    fn asking() -> Settings {
        Settings {
            fold: codexec_vm::machine::FoldLevel::Operators,
            ..Settings::default()
        }
    }

    #[test]
    fn kept_answers_plan_a_program_again() {
        let mut oracle = Recorded::new("kept", Origin::Predicted, LINES.lines()).unwrap();
        let program = Program {
            source: Some(
                "xs = [3]\nxs.append(4)\nprint(xs, len(xs) if 0 else xs.pop())\n".to_string(),
            ),
            ..Program::default()
        };
        let planned = plan(&program, &asking(), &mut oracle).unwrap().unwrap();
        assert!((planned.probability - 0.25).abs() < 1e-6);
        assert!(matches!(
            planned.trace.outcome,
            Outcome::Raised { line: 3, .. }
        ));
        let other = Program {
            source: Some("xs = [3]\nxs.append(5)\n".to_string()),
            ..Program::default()
        };
        let planned = plan(&other, &asking(), &mut oracle).unwrap().unwrap();
        assert_eq!(planned.unsupported.unwrap().what, "no kept answer");
    }

    #[test]
    fn lines_are_read_as_they_were_written() {
        let mut lines = Vec::new();
        for text in LINES.lines() {
            let document: Json = serde_json::from_str(text).unwrap();
            let answer = Answer::from_json(&document["answer"]).unwrap();
            assert_eq!(Answer::from_json(&answer.json()).unwrap(), answer);
            lines.push(answer);
        }
        assert_ne!(lines[0], lines[1]);
        let error = Recorded::new("kept", Origin::Predicted, ["{}"].into_iter())
            .err()
            .unwrap();
        assert!(error.to_string().contains("line 1"), "{error}");
    }
}
