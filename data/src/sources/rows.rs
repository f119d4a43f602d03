//! Records of any type from a file of any format, one by one.

use std::path::Path;

use serde::de::DeserializeOwned;

use super::SourceError;
use super::json_lines::JsonLines;
use super::table::Table;
use crate::records::Format;

/// The records of a file, in order, in bounded memory. Ends after the first error.
pub struct Rows<T>(Inner<T>);

enum Inner<T> {
    Lines(JsonLines<T>),
    Table(Box<Table<T>>),
}

impl<T: DeserializeOwned> Rows<T> {
    /// Opens a file, whose name determines its format; from a table only these columns are read.
    ///
    /// # Errors
    /// If it cannot be opened, or a table has no column `code`.
    pub fn open(path: &Path, columns: &[&str]) -> Result<Self, SourceError> {
        Ok(Self(match Format::of(path) {
            Format::Parquet => Inner::Table(Box::new(Table::open(path, columns)?)),
            _ => Inner::Lines(JsonLines::open(path)?),
        }))
    }
}

impl<T: DeserializeOwned> Iterator for Rows<T> {
    type Item = Result<T, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Inner::Lines(lines) => lines.next(),
            Inner::Table(table) => table.next(),
        }
    }
}
