//! CPython in the sandbox. With it a planned trace equals that of a run: this is how the planner is tested.

use codexec_data::sandbox::{Pool, SandboxError};
use codexec_trace::{Origin, Program};

use super::{Oracle, OracleError};
use crate::question::{Answer, AnswerError, Question};

/// Questions answered by one child of the sandbox.
const TOGETHER: usize = 48;

/// Executes operations in the sandbox.
pub struct Cpython<'a> {
    pool: &'a Pool,
    source: String,
}

impl<'a> Cpython<'a> {
    /// An oracle over a pool of interpreters. Its limits of output bound the size of answers.
    pub fn new(pool: &'a Pool) -> Self {
        // Code compiled by the program is not the program's own: it is not traced.
        let text = serde_json::Value::from(include_str!("cpython.py")).to_string();
        let source = format!("exec(compile({text}, 'oracle', 'exec'))\n");
        Self { pool, source }
    }

    /// Answers to the first of the questions, as far as the child got.
    fn ask(
        &self,
        questions: &[Question],
    ) -> Result<Vec<Result<Answer, AnswerError>>, SandboxError> {
        let mut stdin = String::new();
        for question in questions {
            stdin.push_str(&question.json().to_string());
            stdin.push('\n');
        }
        let program = Program {
            id: "questions".to_string(),
            source: Some(self.source.clone()),
            stdin: Some(stdin),
            ..Program::default()
        };
        let output = self.pool.run(&program)?.output();
        let answers = output.lines().take(questions.len());
        Ok(answers
            .map_while(|line| {
                let json = serde_json::from_str(line).ok()?;
                Some(Answer::from_json(&json))
            })
            .collect())
    }
}

impl Oracle for Cpython<'_> {
    fn name(&self) -> &str {
        "cpython"
    }

    fn origin(&self) -> Origin {
        Origin::Observed
    }

    fn answer(
        &mut self,
        questions: &[Question],
    ) -> Result<Vec<Result<Answer, AnswerError>>, OracleError> {
        let mut answers = Vec::with_capacity(questions.len());
        while answers.len() < questions.len() {
            let left = &questions[answers.len()..];
            let together = &left[..left.len().min(TOGETHER)];
            let answered = self.ask(together)?;
            let all = answered.len() == together.len();
            answers.extend(answered);
            if !all {
                // The child died at this question: alone it has all of the time and output.
                let question = &questions[answers.len()];
                let alone = self.ask(std::slice::from_ref(question))?.pop();
                answers.push(alone.unwrap_or_else(|| {
                    let why = "a question that ends the interpreter".to_string();
                    Err(AnswerError::Refused(why))
                }));
            }
        }
        Ok(answers)
    }
}
