//! `codexec schema`: the formats of codexec's documents, for programs that read them.

use std::io::Write;
use std::process::ExitCode;

use clap::ValueEnum;
use codexec_data::records::{TRACE_CHANGE_COLUMNS, TRACE_COLUMNS, features, record_features};
use serde_json::Value;

use super::usage;

/// A kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Document {
    /// A trace, as written by `codexec trace --format json`.
    Trace,
    /// The output of `codexec check --format json`.
    Check,
    /// A record of a data set, as a line of JSON Lines.
    Records,
}

/// Print the JSON Schema of a document that codexec writes, or its column types for `datasets`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec schema trace > trace.schema.json
  codexec schema records --features > features.json    Features.from_dict(json.load(open('features.json')))
  codexec schema trace --features                      the rows of `codexec trace --out`
  codexec schema trace --features --changes            the same, of --states changes")]
pub(super) struct Args {
    /// The kind of document.
    document: Document,
    /// Print the column types of a table for the library `datasets`.
    #[arg(long)]
    features: bool,
    /// For traces whose states are written as changes.
    #[arg(long, requires = "features")]
    changes: bool,
}

impl Document {
    /// Its JSON Schema.
    fn schema(self) -> &'static str {
        match self {
            Self::Trace => include_str!("schema/trace.json"),
            Self::Check => include_str!("schema/check.json"),
            Self::Records => include_str!("schema/records.json"),
        }
    }

    /// The types of its columns. `None` if it is not a table row.
    fn features(self, changes: bool) -> Option<Value> {
        match self {
            Self::Trace if changes => Some(features(TRACE_CHANGE_COLUMNS)),
            Self::Trace => Some(features(TRACE_COLUMNS)),
            Self::Records => Some(record_features()),
            Self::Check => None,
        }
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut out = anstream::stdout().lock();
    if !args.features {
        out.write_all(args.document.schema().as_bytes())?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(features) = args.document.features(args.changes) else {
        return Err(usage(
            "the output of `check` is not a table; leave out --features",
        ));
    };
    writeln!(out, "{features:#}")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
