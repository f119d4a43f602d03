//! Programs in JSON Lines(.zst): `code`, and what else is known of them.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{SourceError, read_json_lines};

/// One program of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusProgram {
    /// Its id in the corpus.
    #[serde(default)]
    pub id: String,
    /// Its text.
    pub code: String,
    /// The same program without a trivial `main()`, where the corpus has it.
    #[serde(default)]
    pub code_flat: Option<String>,
    /// The problem it solves; splits are made by it.
    #[serde(default, alias = "problem_id", alias = "group")]
    pub problem: Option<String>,
    /// Where it was found.
    #[serde(default, alias = "src")]
    pub source: Option<String>,
    /// Its licence.
    #[serde(default)]
    pub licence: Option<String>,
    /// One standard input it can be run with.
    #[serde(default)]
    pub stdin: Option<String>,
    /// Sample inputs.
    #[serde(default)]
    pub samples: Vec<Sample>,
}

/// A sample input and the output the problem asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Standard input.
    #[serde(default, rename = "in")]
    pub input: Option<String>,
    /// Expected standard output.
    #[serde(default, rename = "out")]
    pub output: Option<String>,
}

impl CorpusProgram {
    /// The inputs to run it with, at most `most`; one empty where none is known.
    pub fn inputs(&self, most: usize) -> Vec<Option<String>> {
        let known = self
            .stdin
            .iter()
            .chain(self.samples.iter().filter_map(|s| s.input.as_ref()));
        let mut inputs: Vec<Option<String>> = known.take(most).cloned().map(Some).collect();
        if inputs.is_empty() {
            inputs.push(None);
        }
        inputs
    }
}

/// Reads a corpus.
///
/// # Errors
/// When the file cannot be read, or a line has no `code`.
pub fn read_corpus(path: &Path) -> Result<Vec<CorpusProgram>, SourceError> {
    let mut programs: Vec<CorpusProgram> = read_json_lines(path)?;
    for (at, program) in programs.iter_mut().enumerate() {
        if program.id.is_empty() {
            program.id = format!("{}:{}", path.display(), at + 1);
        }
    }
    Ok(programs)
}
