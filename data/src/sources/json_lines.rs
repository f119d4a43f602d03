//! JSON Lines, packed or not, read line by line.

use std::io::{BufRead, BufReader, Read};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::{SourceError, io_error};
use crate::files::open_packed;

/// Longer lines are not records: an endless line must not fill the memory.
const MAX_LINE: u64 = 64 << 20;

/// Lines of a text file, decompressed from gzip or Zstandard if necessary (see [`open_packed`]).
///
/// # Errors
/// If the file cannot be opened.
pub fn open_lines(path: &Path) -> Result<Box<dyn BufRead + Send>, SourceError> {
    let file = open_packed(path).map_err(io_error(path))?;
    Ok(Box::new(BufReader::new(file)))
}

/// The records of a JSON Lines(.zst) file; blank lines are passed over. Ends after the first error.
pub struct JsonLines<T> {
    /// `None` after an error or the end.
    file: Option<Box<dyn BufRead + Send>>,
    path: PathBuf,
    line: u64,
    most: u64,
    bytes: Vec<u8>,
    records: PhantomData<fn() -> T>,
}

/// Every record of a JSON Lines(.zst) file in memory.
///
/// # Errors
/// The errors of [`JsonLines`].
pub fn read_json_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, SourceError> {
    JsonLines::open(path)?.collect()
}

impl<T: DeserializeOwned> JsonLines<T> {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        Ok(Self::new(open_lines(path)?, path, MAX_LINE))
    }

    fn new(file: Box<dyn BufRead + Send>, path: &Path, most: u64) -> Self {
        Self {
            file: Some(file),
            path: path.to_owned(),
            line: 0,
            most,
            bytes: Vec::new(),
            records: PhantomData,
        }
    }

    /// The line read last, 1-based.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The next record. `None` at the end.
    fn read(&mut self, file: &mut dyn BufRead) -> Result<Option<T>, SourceError> {
        loop {
            self.line += 1;
            self.bytes.clear();
            let mut limited = file.take(self.most + 1);
            let read = limited.read_until(b'\n', &mut self.bytes);
            if read.map_err(io_error(&self.path))? == 0 {
                return Ok(None);
            }
            if self.bytes.len() as u64 > self.most {
                return Err(self.fail(format!("longer than {} bytes", self.most)));
            }
            let text = std::str::from_utf8(&self.bytes);
            let text = text.map_err(|error| self.fail(error.to_string()))?;
            // Editors on Windows put one before the first line.
            let text = match self.line {
                1 => text.strip_prefix('\u{feff}').unwrap_or(text),
                _ => text,
            };
            if !text.trim().is_empty() {
                let record = serde_json::from_str(text);
                return record.map(Some).map_err(|e| self.fail(cause(text, &e)));
            }
        }
    }

    fn fail(&self, message: String) -> SourceError {
        SourceError::Record {
            path: self.path.clone(),
            line: self.line,
            message,
        }
    }
}

/// The error in a line. Text that is not JSON at all is most likely another kind of file.
fn cause(text: &str, error: &serde_json::Error) -> String {
    if error.is_syntax() && !text.trim_start().starts_with(['{', '[']) {
        return "is not a JSON object; each line of JSON Lines is one".to_owned();
    }
    error.to_string()
}

impl<T: DeserializeOwned> Iterator for JsonLines<T> {
    type Item = Result<T, SourceError>;

    /// # Errors
    /// If the file cannot be read, or a line is not such a record, not UTF-8, or over 64 MiB.
    fn next(&mut self) -> Option<Self::Item> {
        let mut file = self.file.take()?;
        let record = self.read(&mut *file).transpose()?;
        if record.is_ok() {
            self.file = Some(file);
        }
        Some(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: impl BufRead + Send + 'static) -> Result<Vec<u32>, SourceError> {
        JsonLines::new(Box::new(file), Path::new("x"), 9).collect()
    }

    #[test]
    fn a_line_without_end_or_not_utf8_is_refused_by_its_number() {
        for text in [&b"1\n[1,2,3,4,5,6,7,8]"[..], b"1\n\xff\n"] {
            assert!(read(text).unwrap_err().to_string().starts_with("x:2: "));
        }
        assert_eq!(read(&b"1\n\n23"[..]).unwrap(), [1, 23]);
        assert_eq!(read("\u{feff}1\n2".as_bytes()).unwrap(), [1, 2]);
        assert!(read("1\n\u{feff}2".as_bytes()).is_err());
        assert!(read(BufReader::new(std::io::repeat(0))).is_err());
    }
}
