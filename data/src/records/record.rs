//! The record of one example: its fields, and the column of each in a table.
//!
//! `id`, `code`, `code_tokens`, `trace` and `trace_tokens` are the fields of the published data sets; our own tokens
//! are words of our own form (see [`crate::tokenizer`]). Every field is written with a value of its type, which is
//! empty if unknown, so that all files have the same columns of the same types. Tables have null there, and always for
//! an unknown `differs`. Published records can be read directly: their tokens may be lists, and every other field may
//! be missing. Add a new field only here: to [`Record`], and as a row of [`COLUMNS`].

use serde::{Deserialize, Serialize};

use super::columns::{Cells, Column};
use super::lenient::{
    as_text, as_texts, filled, filled_name, id, joined, joined_option, line_option, name_option,
    or_default, seed, seeds, text_option,
};
use super::standing::{Standing, variables};
use crate::sources::StatementKind;

/// The task an example belongs to; each has a prefix token.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One statement and its changes.
    SingleLine,
    /// An example of a tutorial.
    Tutorial,
    /// A program of the CodeNet kind; also the task of a published record.
    #[default]
    CodeNet,
}

impl Kind {
    /// Every kind, in the order of difficulty.
    pub const ALL: [Self; 3] = [Self::SingleLine, Self::Tutorial, Self::CodeNet];

    /// The prefix token that tells the model the task.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::SingleLine => "<singleline>",
            Self::Tutorial => "<tutorial>",
            Self::CodeNet => "<codenet>",
        }
    }

    /// Its name in records and on the command line.
    pub fn name(self) -> &'static str {
        self.prefix().trim_matches(['<', '>'])
    }
}

/// One example.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Unique within a build.
    #[serde(default, deserialize_with = "id")]
    pub id: String,
    /// The task.
    #[serde(default)]
    pub kind: Kind,
    /// The program as text.
    pub code: String,
    /// Its standard input.
    #[serde(default, deserialize_with = "text_option", serialize_with = "filled")]
    pub stdin: Option<String>,
    /// Directory of its project, relative to the directory of the file of records. `None` for a
    /// single file.
    #[serde(default, deserialize_with = "text_option", serialize_with = "filled")]
    pub root: Option<String>,
    /// Its command-line arguments: `sys.argv[1:]`.
    #[serde(default, deserialize_with = "or_default")]
    pub arguments: Vec<String>,
    /// Environment variables in addition to the sandbox's, as `NAME=VALUE`.
    #[serde(default, deserialize_with = "variables")]
    pub environment: Vec<String>,
    /// The program in source form, without the prefix.
    #[serde(default, deserialize_with = "joined")]
    pub code_tokens: String,
    /// The full trace in paper form.
    #[serde(default, deserialize_with = "joined_option", serialize_with = "filled")]
    pub trace: Option<String>,
    /// The target in delta form; in the published sets, the trace in paper form.
    #[serde(default, deserialize_with = "joined")]
    pub trace_tokens: String,
    /// Outcome of the program: `finished`, the name of the exception, or that of the limit (`timeout`,
    /// `step_limit`, ...); `not_run` if it was not run. The published sets hold only finished programs.
    #[serde(default = "finished")]
    pub outcome: String,
    /// Line of the exception, 1-based.
    #[serde(default, deserialize_with = "line_option", serialize_with = "filled")]
    pub error_line: Option<u32>,
    /// Of a single line: what kind of statement it is.
    #[serde(
        default,
        deserialize_with = "name_option",
        serialize_with = "filled_name"
    )]
    pub statement: Option<StatementKind>,
    /// The problem it solves; splits are made by it.
    #[serde(default, deserialize_with = "text_option", serialize_with = "filled")]
    pub problem: Option<String>,
    /// Source of the parent program.
    #[serde(default, deserialize_with = "text_option", serialize_with = "filled")]
    pub source: Option<String>,
    /// Its licence.
    #[serde(default, deserialize_with = "text_option", serialize_with = "filled")]
    pub licence: Option<String>,
    /// Id of the parent program.
    #[serde(default, deserialize_with = "text_option", serialize_with = "filled")]
    pub parent: Option<String>,
    /// Codes of the operators that made this mutant, in order of site.
    #[serde(default, deserialize_with = "or_default")]
    pub operators: Vec<String>,
    /// Which of its operator's sites in the parent each of them was applied at, counted from 0.
    #[serde(default, deserialize_with = "or_default")]
    pub sites: Vec<u64>,
    /// The seed that each of them drew with: operator, site and seed replay the mutant. A string in
    /// files: it uses all 64 bits, and many readers of JSON keep 53 of a number.
    #[serde(default, deserialize_with = "seeds", serialize_with = "as_texts")]
    pub seeds: Vec<u64>,
    /// Whether a mutant's trace differs from its parent's on the same input.
    #[serde(default)]
    pub differs: Option<bool>,
    /// Seed of the draw, as text in files.
    #[serde(default, deserialize_with = "seed", serialize_with = "as_text")]
    pub seed: u64,
}

impl Record {
    /// Location and inputs of its program.
    pub fn standing(&self) -> Standing {
        Standing {
            root: self.root.clone(),
            arguments: self.arguments.clone(),
            environment: self.environment.clone(),
        }
    }

    /// Whether it has a trace: a program that was not run has none.
    #[must_use]
    pub fn has_trace(&self) -> bool {
        self.trace.is_some() || !self.trace_tokens.is_empty()
    }
}

/// The columns of a table of records, one per field, in order.
pub(super) const COLUMNS: [Column; 22] = [
    Column::new("id", Cells::Text(|r| &r.id)),
    Column::new("kind", Cells::Text(|r| r.kind.name())),
    Column::new("code", Cells::Text(|r| &r.code)),
    Column::new("stdin", Cells::OptionalText(|r| r.stdin.as_deref())),
    Column::new("root", Cells::OptionalText(|r| r.root.as_deref())),
    Column::new("arguments", Cells::Texts(|r| &r.arguments)),
    Column::new("environment", Cells::Texts(|r| &r.environment)),
    Column::new("code_tokens", Cells::Text(|r| &r.code_tokens)),
    Column::new("trace", Cells::OptionalText(|r| r.trace.as_deref())),
    Column::new("trace_tokens", Cells::Text(|r| &r.trace_tokens)),
    Column::new("outcome", Cells::Text(|r| &r.outcome)),
    Column::new("error_line", Cells::OptionalNumber(|r| r.error_line)),
    Column::new(
        "statement",
        Cells::OptionalText(|r| r.statement.map(StatementKind::name)),
    ),
    Column::new("problem", Cells::OptionalText(|r| r.problem.as_deref())),
    Column::new("source", Cells::OptionalText(|r| r.source.as_deref())),
    Column::new("licence", Cells::OptionalText(|r| r.licence.as_deref())),
    Column::new("parent", Cells::OptionalText(|r| r.parent.as_deref())),
    Column::new("operators", Cells::Texts(|r| &r.operators)),
    Column::new("sites", Cells::Numbers(|r| &r.sites)),
    Column::new("seeds", Cells::NumeralList(|r| &r.seeds)),
    Column::new("differs", Cells::OptionalBool(|r| r.differs)),
    Column::new("seed", Cells::Numeral(|r| r.seed)),
];

/// The outcome of a program that ran to its end.
pub const FINISHED: &str = "finished";

fn finished() -> String {
    FINISHED.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> Option<String> {
        Some("x".to_owned())
    }

    #[test]
    fn every_field_has_a_column() {
        // No `..`: a new field must be given a value here, and then a column.
        let whole = Record {
            id: "x".to_owned(),
            kind: Kind::Tutorial,
            code: "x".to_owned(),
            stdin: text(),
            root: text(),
            arguments: vec!["x".to_owned()],
            environment: vec!["X=x".to_owned()],
            code_tokens: "x".to_owned(),
            trace: text(),
            trace_tokens: "x".to_owned(),
            outcome: "x".to_owned(),
            error_line: Some(1),
            statement: Some(StatementKind::Print),
            problem: text(),
            source: text(),
            licence: text(),
            parent: text(),
            operators: vec!["CRP".to_owned()],
            sites: vec![1],
            seeds: vec![1],
            differs: Some(true),
            seed: 1,
        };
        let json = serde_json::to_value(&whole).unwrap();
        let fields: Vec<&str> = json
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let columns: Vec<&str> = COLUMNS.iter().map(|c| c.name).collect();
        assert_eq!(fields, columns);
        assert_eq!(json["seeds"], serde_json::json!(["1"]));
    }

    #[test]
    fn every_field_is_written_whatever_is_known() {
        let json = serde_json::to_value(Record::default()).unwrap();
        let columns = COLUMNS.iter().map(|c| c.name);
        assert!(json.as_object().unwrap().keys().eq(columns));
        assert!(json["stdin"] == "" && json["sites"].as_array().unwrap().is_empty());
        let values = json.as_object().unwrap().iter();
        let mut nulls = values.filter(|(_, value)| value.is_null());
        assert!(nulls.all(|(name, _)| name == "differs"));
        let read: Record = serde_json::from_value(json).unwrap();
        assert_eq!(read, Record::default());
    }

    #[test]
    fn seeds_are_read_as_text_and_as_numbers() {
        let read = |line: &str| serde_json::from_str::<Record>(line).unwrap();
        let most = u64::MAX;
        for line in [
            format!(r#"{{"code": "", "seed": {most}, "seeds": [1, {most}]}}"#),
            format!(r#"{{"code": "", "seed": "{most}", "seeds": ["1", "{most}"]}}"#),
        ] {
            let record = read(&line);
            assert_eq!((record.seed, record.seeds), (most, vec![1, most]));
        }
        let nothing = read(r#"{"code": "", "seed": null, "seeds": null, "sites": null}"#);
        assert_eq!(
            (nothing.seed, nothing.seeds, nothing.sites),
            (0, vec![], vec![])
        );
        assert!(serde_json::from_str::<Record>(r#"{"code": "", "seed": "x"}"#).is_err());
    }

    #[test]
    fn a_published_record_is_read() {
        let line = r#"{"id": 7, "code": "a = 1", "code_tokens": ["<0>", "a", "=", "1"],
            "trace": ["<line> <0>"], "trace_tokens": ["<line>", "<0>"], "more": [1]}"#;
        let record: Record = serde_json::from_str(line).unwrap();
        let expected = Record {
            id: "7".to_owned(),
            code: "a = 1".to_owned(),
            code_tokens: "<0> a = 1".to_owned(),
            trace: Some("<line> <0>".to_owned()),
            trace_tokens: "<line> <0>".to_owned(),
            outcome: FINISHED.to_owned(),
            ..Record::default()
        };
        assert_eq!(record, expected);
        assert!(serde_json::from_str::<Record>(r#"{"id": "x"}"#).is_err());
        assert!(serde_json::from_str::<Record>(r#"{"code": "", "code_tokens": [1]}"#).is_err());
    }
}
