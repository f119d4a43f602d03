//! A corpus as a stream of programs, whatever it is kept in.

use std::path::{Path, PathBuf};

use super::corpus::COLUMNS;
use super::directory::Directory;
use super::{CorpusProgram, Rows, SourceError};

/// What a corpus has at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A program.
    Program(CorpusProgram),
    /// A file of a directory that is no program after all.
    Skipped(Skipped),
}

/// A file or directory that was left out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
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
/// Lines(.zst), or a Parquet table, with `code` and, where known, `id`, `stdin`, `samples`,
/// `problem_id`, `source` and `licence`.
///
/// A program without an id is called after its place; ends of lines are all `\n`.
///
/// # Errors
/// When it cannot be opened. Later, when a line or row has no `code`, or a directory no program;
/// what cannot be read in a directory is no error but [`Found::Skipped`].
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

/// Reads a corpus at once (see [`programs`]).
///
/// # Errors
/// Those of [`programs`]; here a file that would be skipped is one too.
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
