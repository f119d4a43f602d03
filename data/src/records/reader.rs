//! Reading records one by one, from a file or from the shards of a directory.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::record::COLUMNS;
use super::{Format, Record};
use crate::sources::{JsonLines, Rows, SourceError, io_error};

/// The names of the columns that are read of a table.
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| COLUMNS.iter().map(|c| c.name).collect());

/// The records of a file, or of the shards in a directory one after another. Ends after the first
/// error.
pub struct RecordReader {
    /// Files not begun yet, the next one last.
    files: Vec<PathBuf>,
    rows: Option<Rows<Record>>,
}

impl RecordReader {
    /// Opens a file, or a directory of shards (see [`record_files`]).
    ///
    /// # Errors
    /// When the file or directory cannot be read.
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        let mut files = record_files(path)?;
        files.reverse();
        let mut reader = Self { files, rows: None };
        // So that a missing file is said at once.
        reader.advance()?;
        Ok(reader)
    }

    /// Goes on to the next file; whether there was one.
    fn advance(&mut self) -> Result<bool, SourceError> {
        self.rows = match self.files.pop() {
            Some(path) => {
                refuse_errors(&path)?;
                Some(Rows::open(&path, &NAMES)?)
            }
            None => None,
        };
        Ok(self.rows.is_some())
    }
}

impl Iterator for RecordReader {
    type Item = Result<Record, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let error = match self.rows.as_mut()?.next() {
                Some(Ok(record)) => return Some(Ok(record)),
                Some(Err(error)) => error,
                None => match self.advance() {
                    Ok(_) => continue,
                    Err(error) => error,
                },
            };
            self.rows = None;
            return Some(Err(error));
        }
    }
}

/// Fields that only records of runtime errors have.
#[derive(serde::Deserialize)]
struct OfErrors {
    origin: Option<serde::de::IgnoredAny>,
    split: Option<serde::de::IgnoredAny>,
}

/// Records of runtime errors have the fields of an example that were never given a value, so they would pass for one.
fn refuse_errors(path: &Path) -> Result<(), SourceError> {
    // Another look at what can be read once would lose it.
    if Format::of(path) == Format::Parquet || !path.is_file() {
        return Ok(());
    }
    match JsonLines::<OfErrors>::open(path)?.next() {
        Some(Ok(OfErrors {
            origin: Some(_),
            split: Some(_),
        })) => Err(SourceError::Unreadable {
            path: path.to_owned(),
            message: "its records are of `codexec data errors`, which `codexec eval errors` and `codexec pretrain` with \
                      task = \"errors\" read; they are divided as they are made (--fractions)"
                .to_owned(),
        }),
        // What else is wrong with the line is said when it is read.
        _ => Ok(()),
    }
}

/// The files that `path` stands for: itself, or in a directory every `.jsonl`, `.jsonl.zst`, `.jsonl.gz` and
/// `.parquet` file, in order of name; directories below it are not entered.
///
/// # Errors
/// When the directory cannot be read or holds no such file.
pub fn record_files(path: &Path) -> Result<Vec<PathBuf>, SourceError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(io_error(path))? {
        let file = entry.map_err(io_error(path))?.path();
        if Format::is_shard(&file) && file.is_file() {
            files.push(file);
        }
    }
    if files.is_empty() {
        return Err(SourceError::Empty {
            path: path.to_owned(),
            what: ".jsonl, .jsonl.zst, .jsonl.gz or .parquet",
        });
    }
    files.sort();
    Ok(files)
}

/// Reads all records at once.
///
/// # Errors
/// When the file cannot be read, or a line or row is no record.
pub fn read_records(path: &Path) -> Result<Vec<Record>, SourceError> {
    RecordReader::open(path)?.collect()
}
