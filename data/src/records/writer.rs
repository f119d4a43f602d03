//! Writes records one by one to a file that appears completely or not at all.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use super::lines::Lines;
use super::table::Table;
use super::{Format, Record};
use crate::files::WholeFile;
use crate::sources::{SourceError, io_error};

/// Zstandard level of compressed files.
pub(super) const LEVEL: i32 = 9;

/// Writes records to a temporary name; [`RecordWriter::finish`] gives the file its name. A writer
/// dropped before leaves nothing. The name determines the format (see [`Format::of`]).
pub struct RecordWriter {
    path: PathBuf,
    sink: Sink,
    written: u64,
}

enum Sink {
    Lines(Lines),
    Table(Box<Table<BufWriter<WholeFile>>>),
}

impl RecordWriter {
    /// Begins a file. A link stays a link: its target is replaced.
    ///
    /// # Errors
    /// If the name has no supported suffix (see [`Format::to_write`]), and the errors of
    /// [`WholeFile::create`].
    pub fn create(path: &Path) -> Result<Self, SourceError> {
        let format = Format::to_write(path)?;
        let file = BufWriter::new(WholeFile::create(path).map_err(io_error(path))?);
        let sink = match format {
            Format::Parquet => {
                let table = Table::new(file).map_err(std::io::Error::other);
                Sink::Table(Box::new(table.map_err(io_error(path))?))
            }
            format => Sink::Lines(Lines::new(file, format).map_err(io_error(path))?),
        };
        Ok(Self {
            path: path.to_owned(),
            sink,
            written: 0,
        })
    }

    /// Appends a record.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn push(&mut self, record: &Record) -> Result<(), SourceError> {
        let result = match &mut self.sink {
            Sink::Lines(out) => out.push(record),
            Sink::Table(table) => table.push(record).map_err(std::io::Error::other),
        };
        result.map_err(io_error(&self.path))?;
        self.written += 1;
        Ok(())
    }

    /// Number of records appended.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Makes the file durable and gives it its name. Returns the number of records.
    ///
    /// # Errors
    /// If the file cannot be written; nothing is left of it then.
    pub fn finish(self) -> Result<u64, SourceError> {
        let Self {
            path,
            sink,
            written,
        } = self;
        let finish = || -> std::io::Result<()> {
            let file = match sink {
                Sink::Lines(out) => out.finish()?,
                Sink::Table(table) => table.finish().map_err(std::io::Error::other)?,
            };
            file.into_inner()?.publish()
        };
        finish().map_err(io_error(&path))?;
        Ok(written)
    }
}

/// Writes all records to a file.
///
/// # Errors
/// The errors of [`RecordWriter`].
pub fn write_records<'a>(
    path: &Path,
    records: impl Iterator<Item = &'a Record>,
) -> Result<(), SourceError> {
    let mut writer = RecordWriter::create(path)?;
    for record in records {
        writer.push(record)?;
    }
    writer.finish().map(drop)
}
