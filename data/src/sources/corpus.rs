//! A program of a corpus: `code` and additional fields.

use serde::{Deserialize, Serialize};

use super::normalise_newlines;
use crate::records::lenient::id_option;

/// One program of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Fields")]
pub struct CorpusProgram {
    /// Its id in the corpus.
    pub id: String,
    /// Its text; every line ends in `\n`.
    pub code: String,
    /// The same program without a trivial `main()`, where the corpus has it.
    pub code_flat: Option<String>,
    /// The problem it solves; splits are made by it.
    pub problem: Option<String>,
    /// Its location.
    pub source: Option<String>,
    /// Its licence.
    pub licence: Option<String>,
    /// One standard input for it.
    pub stdin: Option<String>,
    /// Sample inputs.
    pub samples: Vec<Sample>,
    /// Whether some of its original lines ended in `\r\n` or `\r`.
    #[serde(skip)]
    pub ends_rewritten: bool,
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

/// The fields of corpora, some under several names.
#[derive(Deserialize)]
struct Fields {
    #[serde(default, deserialize_with = "id_option")]
    id: Option<String>,
    code: String,
    code_flat: Option<String>,
    #[serde(default, deserialize_with = "id_option")]
    problem: Option<String>,
    #[serde(default, deserialize_with = "id_option")]
    problem_id: Option<String>,
    #[serde(default, deserialize_with = "id_option")]
    group: Option<String>,
    source: Option<String>,
    src: Option<String>,
    licence: Option<String>,
    license: Option<String>,
    stdin: Option<String>,
    samples: Option<Vec<Sample>>,
}

/// The names of the columns that are read of a table.
pub(super) const COLUMNS: [&str; 12] = [
    "id",
    "code",
    "code_flat",
    "problem",
    "problem_id",
    "group",
    "source",
    "src",
    "licence",
    "license",
    "stdin",
    "samples",
];

impl From<Fields> for CorpusProgram {
    fn from(fields: Fields) -> Self {
        let has_other_ends = |code: &String| code.contains('\r');
        Self {
            ends_rewritten: has_other_ends(&fields.code)
                || fields.code_flat.as_ref().is_some_and(has_other_ends),
            id: fields.id.unwrap_or_default(),
            code: normalise_newlines(fields.code),
            code_flat: fields.code_flat.map(normalise_newlines),
            problem: fields.problem.or(fields.problem_id).or(fields.group),
            source: fields.source.or(fields.src),
            licence: fields.licence.or(fields.license),
            stdin: fields.stdin,
            samples: fields.samples.unwrap_or_default(),
        }
    }
}

impl CorpusProgram {
    /// The inputs to run it with, at most `most`; a single empty one if none is known.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_more_than_one_name_and_may_be_missing() {
        let read = |text: &str| serde_json::from_str::<CorpusProgram>(text).unwrap();
        let program = read(
            r#"{"code": "a\r\nb\rc", "problem_id": 12, "group": "c:p00012", "src": "x",
                "license": "MIT", "samples": null, "id": 3, "more": {"a": 1}}"#,
        );
        let text = |t: &str| Some(t.to_owned());
        assert_eq!(
            program,
            CorpusProgram {
                id: "3".to_owned(),
                code: "a\nb\nc".to_owned(),
                problem: text("12"),
                source: text("x"),
                licence: text("MIT"),
                ends_rewritten: true,
                ..CorpusProgram::default()
            }
        );
        assert_eq!(read(r#"{"code": "", "group": "g"}"#).problem, text("g"));
        let missing = serde_json::from_str::<CorpusProgram>(r#"{"id": "x"}"#);
        assert!(missing.unwrap_err().to_string().contains("code"));
    }
}
