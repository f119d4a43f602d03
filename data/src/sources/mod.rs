//! Sources of programs: one file per kind. Nothing here runs a program.

mod below;
pub mod builtins;
mod categories;
mod corpus;
mod directory;
mod docs;
mod encoding;
mod json_lines;
mod names;
mod newlines;
mod orca;
mod orca_returns;
mod programs;
mod python_files;
mod rows;
mod snippets;
mod statements;
mod table;
mod templates;

pub use below::{below, plain_bytes};
pub use categories::{Category, categories};
pub use corpus::{CorpusProgram, Sample};
pub use docs::{Block, Docs, Entry, Page, read_docs};
pub use encoding::python_text;
pub use json_lines::{JsonLines, open_lines, read_json_lines};
pub use newlines::normalise_newlines;
pub use orca::{
    BlockPrediction, OrcaPredictions, OrcaProgram, OrcaState, StatementPrediction, StoredState,
    is_orca_file, read_orca_predictions, read_orca_set,
};
pub use orca_returns::ending_at_returns;
pub use programs::{Found, Programs, Skipped, programs, read_corpus};
pub use python_files::{Collected, FileChoice, PythonText, collect_statements, python_texts};
pub use rows::Rows;
pub use snippets::{Taken, snippet};
pub use statements::{Statement, StatementKind, kind_of, statements};
#[cfg(test)]
pub(crate) use table::object;
pub use templates::{Template, read_templates, write_templates};

use std::path::{Path, PathBuf};

/// Why a file could not be read, or written.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A file could not be opened, read or written.
    #[error("{}: {source}{}", path.display(), next_step(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A line is not a record of the expected shape.
    #[error("{}:{line}: {message}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Its line, 1-based.
        line: u64,
        /// The error.
        message: String,
    },
    /// A file is of another kind, or lacks required parts.
    #[error("{}: {message}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error.
        message: String,
    },
    /// A row of a table is not a record of the expected shape.
    #[error("{}: row group {row_group}, row {row}: {message}", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// The row group, 1-based.
        row_group: usize,
        /// Its row, 1-based; 0 if none could be read.
        row: u64,
        /// The error.
        message: String,
    },
    /// A directory holds no file of the kind that was looked for.
    #[error("{}: no {what} file in it", path.display())]
    Empty {
        /// The directory.
        path: PathBuf,
        /// The endings that were looked for.
        what: &'static str,
    },
    /// No copy of the Python documentation was found.
    #[error("{}: no Python tutorial here (its sources, _sources/tutorial/*.rst.txt); install it with `apt-get install python3-doc`, or unpack the HTML archive of docs.python.org/3/download.html and give its directory with --docs", .0.display())]
    NoDocs(PathBuf),
}

fn next_step(source: &std::io::Error) -> &'static str {
    use std::io::ErrorKind;
    match source.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "; make room and run again",
        ErrorKind::FileTooLarge => {
            "; raise the limit on the size of files (ulimit -f) and run again"
        }
        _ => "",
    }
}

pub(crate) fn io_error(path: &Path) -> impl FnOnce(std::io::Error) -> SourceError + '_ {
    |source| SourceError::Io {
        path: path.to_owned(),
        source,
    }
}
