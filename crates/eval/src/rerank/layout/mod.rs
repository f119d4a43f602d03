//! Problems and samples in the layouts that people have, in and out.
//!
//! | module | layout |
//! |---|---|
//! | `lines` | JSON Lines, or one JSON array: HumanEval, EvalPlus, MBPP, LiveCodeBench |
//! | `problem` | which tests the fields of a problem give |
//! | `directory` | programs with `NAME.in` and `NAME.out` |
//! | `packed` | private tests as LiveCodeBench publishes them |
//! | `output` | the same rows in the new order |

mod directory;
mod lines;
mod output;
mod packed;
mod problem;

use std::path::Path;

use codexec_data::sources::SourceError;
use serde_json::{Map, Value};

use super::test::Test;

pub(in crate::rerank) use lines::asked;
pub use output::{Verdict, ranked_rows};

/// The fields of a row.
pub type Fields = Map<String, Value>;

/// A problem.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Problem {
    /// Its name.
    pub id: String,
    /// The prompt that a sample continues; empty if there is none.
    pub prompt: String,
    /// The requested function.
    pub function: Option<String>,
    /// Tests that may be looked at for the order.
    pub tests: Vec<Test>,
    /// How a sample is judged.
    pub check: Check,
}

/// How a sample is judged.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Check {
    /// It is not known.
    #[default]
    None,
    /// It is right if the sample with this behind it comes to its end.
    Script(String),
    /// It is right if it passes these.
    Tests(Vec<Test>),
}

/// A program that may solve a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// Which problem.
    pub problem: usize,
    /// Its code, whole.
    pub code: String,
    /// The rest of the reply, in words.
    pub left_out: Vec<String>,
    /// Its row.
    row: usize,
    /// Which of the row's samples it is, where a row has several.
    item: Option<usize>,
}

/// The samples read.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleSet {
    /// The problems, in order.
    pub problems: Vec<Problem>,
    /// The samples, in order.
    pub samples: Vec<Sample>,
    rows: Vec<Fields>,
    /// The field of each row that holds a list of samples.
    lists: Vec<Option<String>>,
    /// Whether the input was one JSON array.
    pub is_array: bool,
}

/// Reads samples, and the problems that they are for where those are in a file of their own.
///
/// # Errors
/// With the file, the line and the cause.
pub fn read_samples(path: &Path, problems: Option<&Path>) -> Result<SampleSet, SourceError> {
    let set = match path.is_dir() {
        true => directory::read(path)?,
        false => lines::read(path, problems)?,
    };
    if set.samples.is_empty() {
        return Err(unreadable(
            path,
            format!("no sample in it; {}", lines::SAMPLES),
        ));
    }
    Ok(set)
}

impl SampleSet {
    /// The samples of a problem, by their number.
    pub fn of(&self, problem: usize) -> Vec<usize> {
        let all = self.samples.iter().enumerate();
        all.filter(|(_, sample)| sample.problem == problem)
            .map(|(at, _)| at)
            .collect()
    }

    /// Name of a sample: its file, or its number.
    pub fn name(&self, sample: usize) -> String {
        let Sample { row, item, .. } = &self.samples[sample];
        let path = self.rows[*row].get("path").and_then(Value::as_str);
        match (path, item) {
            (Some(path), None) => path.to_owned(),
            (_, Some(item)) => (item + 1).to_string(),
            (None, None) => {
                let problem = self.samples[sample].problem;
                let before = self.samples[..sample].iter();
                let before = before.filter(|other| other.problem == problem).count();
                (before + 1).to_string()
            }
        }
    }

    /// Whether each sample of a problem is right, if its row has a list `right`.
    pub fn known_right(&self, problem: usize) -> Option<Vec<bool>> {
        let samples = self.of(problem);
        let row = self.samples[*samples.first()?].row;
        let right = self.rows[row].get("right")?.as_array()?;
        let right: Option<Vec<bool>> = right.iter().map(Value::as_bool).collect();
        right.filter(|right| right.len() == samples.len())
    }

    /// Only the first problems, at most this many.
    pub fn truncate(&mut self, problems: usize) {
        self.problems.truncate(problems);
        self.samples.retain(|sample| sample.problem < problems);
    }
}

fn unreadable(path: &Path, message: impl Into<String>) -> SourceError {
    SourceError::Unreadable {
        path: path.to_owned(),
        message: message.into(),
    }
}
