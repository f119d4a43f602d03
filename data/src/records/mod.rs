//! Records of examples, and files of them: JSON Lines, compressed or not, and Parquet.
//!
//! | module | what |
//! |---|---|
//! | `record` | [`Record`]: the fields, and the column of each |
//! | `standing` | [`Standing`]: the project that a record's program belongs to |
//! | `reader` | [`RecordReader`]: record by record, in bounded memory |
//! | `writer` | [`RecordWriter`]: whole files or none |
//! | `split` | [`split()`]: train, valid and test by problem |
//! | `divide` | [`divide_corpus`]: the same for programs, before they are mutated |
//! | `summary` | [`Summary`]: counts and lengths |
//! | `table` | records as Parquet, for `datasets`, DuckDB, Polars and pandas |
//! | `traces`, `nested` | [`TraceWriter`]: traces one a row, typed in Parquet |
//!
//! The name of a file determines its format. Nothing here knows the meaning of a record.

mod columns;
mod divide;
pub(crate) mod lenient;
mod lines;
mod nested;
mod reader;
mod record;
mod split;
mod standing;
mod summary;
mod table;
mod traces;
mod writer;

use std::path::Path;

use crate::sources::SourceError;

pub use divide::{Divided, divide_corpus};
pub(crate) use lines::Lines;
pub use nested::{Field, Kind as FieldKind, features};
pub use reader::{RecordReader, read_records, record_files};
pub use record::{FINISHED, Kind, Record};
pub use split::{Part, PartReport, SplitConfig, SplitReport, split};
pub use standing::Standing;
pub use summary::{Bar, Counts, Distinct, Lengths, Summary};
pub use table::record_features;
pub use traces::{TRACE_CHANGE_COLUMNS, TRACE_COLUMNS, TraceWriter};
pub use writer::{RecordWriter, write_records};

/// Advice for a name with another suffix.
pub const ENDINGS: &str = "give a name that ends in .jsonl, .jsonl.gz, .jsonl.zst or .parquet";

/// Format of a file of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A JSON object a line.
    JsonLines,
    /// The same, compressed with gzip, which every reader knows.
    JsonLinesGzip,
    /// The same, compressed with Zstandard.
    JsonLinesZstd,
    /// A Parquet table.
    Parquet,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 4] = [
        Self::JsonLines,
        Self::JsonLinesGzip,
        Self::JsonLinesZstd,
        Self::Parquet,
    ];

    /// The format that a file is read in: `.parquet`, `.zst`, `.gz`, and JSON Lines for all others.
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(|e| e.to_str()) {
            Some("parquet") => Self::Parquet,
            Some("zst") => Self::JsonLinesZstd,
            Some("gz") => Self::JsonLinesGzip,
            _ => Self::JsonLines,
        }
    }

    /// The format that a file's name asks for when it is written.
    ///
    /// # Errors
    /// If it has none of their suffixes: a file that a reader could not recognise by name is not
    /// written.
    pub fn to_write(path: &Path) -> Result<Self, SourceError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let format = Self::ALL.into_iter().find(|f| name.ends_with(f.suffix()));
        format.ok_or_else(|| SourceError::Unreadable {
            path: path.to_owned(),
            message: ENDINGS.to_owned(),
        })
    }

    /// Whether a file in a directory holds records, among files of other kinds. Hidden ones are
    /// ignored.
    fn is_shard(path: &Path) -> bool {
        let Some(name) = path.file_name().and_then(|n| n.to_str()) else {
            return false;
        };
        let mut all = Self::ALL.map(Self::suffix).into_iter();
        !name.starts_with('.') && all.any(|suffix| name.ends_with(suffix))
    }

    /// The suffixes of such files.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::JsonLines => ".jsonl",
            Self::JsonLinesGzip => ".jsonl.gz",
            Self::JsonLinesZstd => ".jsonl.zst",
            Self::Parquet => ".parquet",
        }
    }
}
