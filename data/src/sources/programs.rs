//! A corpus as a stream of programs, whatever it is kept in.

use std::path::{Path, PathBuf};

use super::corpus::COLUMNS;
use super::directory::Directory;
use super::{CorpusProgram, Rows, SourceError};

/// An entry of a corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A program.
    Program(CorpusProgram),
    /// A file of a directory that is not a program.
    Skipped(Skipped),
}

/// A skipped file or directory, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The file.
    pub path: PathBuf,
    /// Its error.
    pub cause: String,
}

impl std::fmt::Display for Skipped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.cause)
    }
}

/// The programs of a corpus, in an order that only the corpus decides, in bounded memory. Ends
/// after the first error.
pub struct Programs {
    path: PathBuf,
    from: From,
    read: u64,
}

enum From {
    Directory(Directory),
    Rows(Box<Rows<CorpusProgram>>),
}

/// Opens a corpus: a directory of `NAME.py` with `NAME.in`, `NAME.1.in`, … as standard inputs; JSON
/// Lines(.zst), or a Parquet table, with `code` and optionally `id`, `stdin`, `samples`,
/// `problem_id`, `source` and `licence`.
///
/// A program without an id is named by its position; line ends are all `\n`.
///
/// # Errors
/// If it cannot be opened. Later, if a line or row has no `code`, or a directory no program; an
/// unreadable file in a directory is not an error but [`Found::Skipped`].
pub fn programs(path: &Path) -> Result<Programs, SourceError> {
    let from = if path.is_dir() {
        From::Directory(Directory::open(path)?)
    } else if path.is_file() && path.extension().is_some_and(|e| e == "py") {
        return Err(SourceError::Unreadable {
            path: path.to_owned(),
            message:
                "is one program; a corpus is a directory of .py files, or JSON Lines or Parquet \
                      with `code`"
                    .to_owned(),
        });
    } else {
        From::Rows(Box::new(Rows::open(path, &COLUMNS)?))
    };
    Ok(Programs {
        path: path.to_owned(),
        from,
        read: 0,
    })
}

/// Reads a corpus into memory (see [`programs`]).
///
/// # Errors
/// The errors of [`programs`]; here a file that would be skipped is also one.
pub fn read_corpus(path: &Path) -> Result<Vec<CorpusProgram>, SourceError> {
    let all = programs(path)?.map(|found| match found? {
        Found::Program(program) => Ok(program),
        Found::Skipped(Skipped { path, cause }) => Err(SourceError::Unreadable {
            path,
            message: cause,
        }),
    });
    all.collect()
}

impl Iterator for Programs {
    type Item = Result<Found, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rows = match &mut self.from {
            From::Directory(directory) => return directory.next(),
            From::Rows(rows) => rows,
        };
        let mut program = match rows.next()? {
            Ok(program) => program,
            Err(error) => return Some(Err(error)),
        };
        self.read += 1;
        if program.id.is_empty() {
            program.id = format!("{}:{}", self.path.display(), self.read);
        }
        Some(Ok(Found::Program(program)))
    }
}
