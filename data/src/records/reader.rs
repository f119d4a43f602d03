//! Reads records one by one, from a file or from the shards of a directory.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::record::COLUMNS;
use super::{Format, Record};
use crate::sources::{JsonLines, Rows, SourceError, io_error};

/// The names of the columns that are read of a table.
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| COLUMNS.iter().map(|c| c.name).collect());

/// The records of a file, or of the shards in a directory in sequence. Ends after the first error.
pub struct RecordReader {
    /// Files not yet started, in reverse order.
    files: Vec<PathBuf>,
    rows: Option<Rows<Record>>,
}

impl RecordReader {
    /// Opens a file, or a directory of shards (see [`record_files`]).
    ///
    /// # Errors
    /// If the file or directory cannot be read.
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        let mut files = record_files(path)?;
        files.reverse();
        let mut reader = Self { files, rows: None };
        // To report a missing file at once.
        reader.advance()?;
        Ok(reader)
    }

    /// Moves to the next file. Returns whether there was one.
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

/// Records of runtime errors have the optional fields of an example without values, so they would pass for one.
fn refuse_errors(path: &Path) -> Result<(), SourceError> {
    // A pipe can be read only once.
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
        // Other errors in the line are reported when it is read.
        _ => Ok(()),
    }
}

/// The files of `path`: itself, or in a directory every `.jsonl`, `.jsonl.zst`, `.jsonl.gz` and `.parquet`
/// file, sorted by name, without subdirectories.
///
/// # Errors
/// If the directory cannot be read or holds no such file.
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

/// Reads all records into memory.
///
/// # Errors
/// If the file cannot be read, or a line or row is not a record.
pub fn read_records(path: &Path) -> Result<Vec<Record>, SourceError> {
    RecordReader::open(path)?.collect()
}
