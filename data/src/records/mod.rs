//! Records of examples, and files of them: JSON Lines, compressed or not, and Parquet.
//!
//! | module | what |
//! |---|---|
//! | `record` | [`Record`]: the fields, and the column of each |
//! | `reader` | [`RecordReader`]: record by record, in bounded memory |
//! | `writer` | [`RecordWriter`]: whole files or none |
//! | `split` | [`split()`]: train, valid and test by problem |
//! | `divide` | [`divide_corpus`]: the same for programs, before they are mutated |
//! | `summary` | [`Summary`]: counts and lengths |
//! | `table` | records as Parquet, for `datasets`, DuckDB, Polars and pandas |
//! | `traces`, `nested` | [`TraceWriter`]: traces one a row, typed in Parquet |
//!
//! The format follows from the name of the file. Nothing here knows what a record means.

mod columns;
mod divide;
pub(crate) mod lenient;
mod nested;
mod reader;
mod record;
mod split;
mod summary;
mod table;
mod traces;
mod writer;

use std::path::Path;

pub use divide::{Divided, divide_corpus};
pub use nested::{Field, Kind as FieldKind};
pub use reader::{RecordReader, read_records, record_files};
pub use record::{FINISHED, Kind, Record};
pub use split::{Part, PartReport, SplitConfig, SplitReport, split};
pub use summary::{Bar, Counts, Distinct, Lengths, Summary};
pub use writer::{RecordWriter, write_records};

pub use traces::{TRACE_COLUMNS, TraceWriter};
/// How a file holds its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A JSON object a line.
    JsonLines,
    /// The same, compressed with Zstandard.
    JsonLinesZstd,
    /// A Parquet table.
    Parquet,
}

impl Format {
    /// The format that a file's name says: `.parquet`, `.zst`, and JSON Lines for all others.
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(|e| e.to_str()) {
            Some("parquet") => Self::Parquet,
            Some("zst") => Self::JsonLinesZstd,
            _ => Self::JsonLines,
        }
    }

    /// The format of a shard in a directory, where files of other kinds lie too.
    fn of_shard(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let all = [Self::JsonLines, Self::JsonLinesZstd, Self::Parquet];
        all.into_iter().find(|f| name.ends_with(f.suffix()))
    }

    /// The end of the names of such files.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::JsonLines => ".jsonl",
            Self::JsonLinesZstd => ".jsonl.zst",
            Self::Parquet => ".parquet",
        }
    }
}
