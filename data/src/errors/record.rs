//! One record: a program with an input, and its outcome. Files of records are JSON Lines, compressed according to
//! their name.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::kinds::KINDS;
use crate::files::WholeFile;
use crate::records::{Format, Lines, Part};
use crate::sources::{JsonLines, SourceError, io_error};

/// Origin of a record's program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ErrorOrigin {
    /// Unedited, and it raises.
    Natural,
    /// Edited. It may raise or not.
    Mutant,
    /// Unedited, and it does not raise.
    Clean,
    /// Unedited, given the input of another problem. It may raise or not.
    Input,
}

impl ErrorOrigin {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Natural, Self::Mutant, Self::Clean, Self::Input];

    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Mutant => "mutant",
            Self::Clean => "clean",
            Self::Input => "input",
        }
    }
}

/// A program with an input, and its outcome in the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorRecord {
    /// Its id: that of the program, with the number of the input and of the mutant.
    pub id: String,
    /// The problem that it solves; the division is by it.
    pub problem: Option<String>,
    /// Its text.
    pub code: String,
    /// Its standard input.
    pub stdin: Option<String>,
    /// The problem's own words about the input.
    pub description: Option<String>,
    /// Summary of the given input: number of lines and words, types and ranges.
    pub input_summary: Option<String>,
    /// The kind of error, one of [`KINDS`]. `None` if it ends without an uncaught exception.
    pub error: Option<String>,
    /// The innermost line of the program in the traceback, 1-based.
    pub error_line: Option<u32>,
    /// Origin of the program.
    pub origin: ErrorOrigin,
    /// What edited it: codes of mutation operators, and names of type-confusing edits.
    pub operators: Vec<String>,
    /// Source of the program.
    pub source: String,
    /// Its licence.
    pub licence: String,
    /// The part of the division.
    pub split: Part,
}

/// The records of a file, in order.
///
/// # Errors
/// Names the file and the line: it cannot be read, a line is not a record, or an error is of no known kind.
pub fn read_error_records(path: &Path) -> Result<Vec<ErrorRecord>, SourceError> {
    let mut records = Vec::new();
    for record in JsonLines::<ErrorRecord>::open(path)? {
        let record = record?;
        if let Some(kind) = &record.error
            && !KINDS.contains(&kind.as_str())
        {
            return Err(SourceError::Unreadable {
                path: path.to_owned(),
                message: format!("record {}: no kind of error is called {kind}", record.id),
            });
        }
        records.push(record);
    }
    Ok(records)
}

/// Writes records to a file, which appears completely or not at all.
///
/// # Errors
/// If it cannot be written.
pub fn write_error_records(path: &Path, records: &[ErrorRecord]) -> Result<(), SourceError> {
    let write = || -> std::io::Result<()> {
        let file = BufWriter::new(WholeFile::create(path)?);
        let mut lines = Lines::new(file, Format::of(path))?;
        records.iter().try_for_each(|record| lines.push(record))?;
        lines.finish()?.into_inner()?.publish()
    };
    write().map_err(io_error(path))
}

/// A valid name of such a file.
///
/// # Errors
/// If it does not end as JSON Lines do.
pub fn error_file(name: &str) -> Result<PathBuf, &'static str> {
    let path = PathBuf::from(name);
    match Format::to_write(&path) {
        Ok(format) if format != Format::Parquet => Ok(path),
        _ => Err("the name must end in .jsonl, .jsonl.gz or .jsonl.zst"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(error: Option<&str>) -> ErrorRecord {
        ErrorRecord {
            id: "a#0".to_owned(),
            problem: None,
            code: "print(1 / 0)\n".to_owned(),
            stdin: None,
            description: None,
            input_summary: None,
            error: error.map(str::to_owned),
            error_line: error.map(|_| 1),
            origin: ErrorOrigin::Natural,
            operators: Vec::new(),
            source: "x".to_owned(),
            licence: "MIT".to_owned(),
            split: Part::Test,
        }
    }

    #[test]
    fn records_come_back_from_both_forms() {
        let dir = tempfile::tempdir().unwrap();
        let records = [record(Some("ZeroDivisionError")), record(None)];
        for name in ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst"] {
            let path = dir.path().join(name);
            write_error_records(&path, &records).unwrap();
            assert_eq!(read_error_records(&path).unwrap(), records);
        }
        let text = serde_json::to_string(&records[0]).unwrap();
        assert!(text.contains(r#""origin":"natural""#) && text.contains(r#""split":"test""#));
        assert!(text.contains(r#""stdin":null"#));
    }

    #[test]
    fn unknown_kinds_and_names_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.jsonl");
        write_error_records(&path, &[record(Some("OddError"))]).unwrap();
        let error = read_error_records(&path).unwrap_err().to_string();
        assert!(
            error.contains("OddError") && error.contains("a.jsonl"),
            "{error}"
        );
        assert!(error_file("a.parquet").is_err() && error_file("a.jsonl.zst").is_ok());
    }
}
