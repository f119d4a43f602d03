//! Where programs come from: one file per kind of source. Nothing here runs a program.

mod corpus;
mod directory;
mod templates;

pub use corpus::{CorpusProgram, read_corpus};
pub use directory::read_directory;
pub use templates::{Template, read_templates};

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Why programs could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A file could not be opened or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line is not a record of the expected shape.
    #[error("{}:{line}: {message}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Its line, 1-based.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A directory holds no Python program.
    #[error("{}: no .py file in it", .0.display())]
    Empty(PathBuf),
}

pub(crate) fn io_error(path: &Path) -> impl FnOnce(std::io::Error) -> SourceError + '_ {
    |source| SourceError::Io {
        path: path.to_owned(),
        source,
    }
}

/// Lines of a text file, decompressed when its name ends in `.zst`.
///
/// # Errors
/// When the file cannot be opened.
pub fn open_lines(path: &Path) -> Result<Box<dyn BufRead>, SourceError> {
    let file = File::open(path).map_err(io_error(path))?;
    if path.extension().is_some_and(|e| e == "zst") {
        let decoder = zstd::Decoder::new(file).map_err(io_error(path))?;
        return Ok(Box::new(BufReader::new(decoder)));
    }
    Ok(Box::new(BufReader::new(file)))
}

/// A line longer than this is no record: what never ends a line must not fill the memory.
const MAX_LINE: u64 = 64 << 20;

/// Every record of a JSON Lines(.zst) file; blank lines are passed over.
///
/// # Errors
/// When the file cannot be read, or a line is not such a record, not UTF-8, or over 64 MiB.
pub fn read_json_lines<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Vec<T>, SourceError> {
    read_lines(open_lines(path)?, path, MAX_LINE)
}

fn read_lines<T: serde::de::DeserializeOwned>(
    mut file: impl BufRead,
    path: &Path,
    most: u64,
) -> Result<Vec<T>, SourceError> {
    let (mut records, mut bytes) = (Vec::new(), Vec::new());
    for line in 1.. {
        let fail = |message: String| SourceError::Record {
            path: path.to_owned(),
            line,
            message,
        };
        bytes.clear();
        let mut limited = file.by_ref().take(most + 1);
        let read = limited.read_until(b'\n', &mut bytes);
        if read.map_err(io_error(path))? == 0 {
            break;
        }
        if bytes.len() as u64 > most {
            return Err(fail(format!("longer than {most} bytes")));
        }
        let text = std::str::from_utf8(&bytes).map_err(|error| fail(error.to_string()))?;
        if !text.trim().is_empty() {
            records.push(serde_json::from_str(text).map_err(|error| fail(error.to_string()))?);
        }
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_end_or_not_utf8_is_refused_by_its_number() {
        for second in [&b"[1,2,3,4,5,6,7,8]"[..], b"\xff\n"] {
            let text = [b"1\n", second].concat();
            let read = read_lines::<u32>(&text[..], Path::new("x"), 9);
            assert!(read.unwrap_err().to_string().starts_with("x:2: "));
        }
        let read = read_lines::<u32>(&b"1\n\n23"[..], Path::new("x"), 9);
        assert_eq!(read.unwrap(), [1, 23]);
        let endless = read_lines::<u32>(BufReader::new(std::io::repeat(0)), Path::new("x"), 9);
        assert!(endless.is_err());
    }
}
