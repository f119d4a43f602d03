//! `codexec diff`: two versions of a program under the same injected values.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use serde_json::json;

use super::guide::Settings;
use super::guide_view::ended_by_return;
use super::input::{show_syntax_error, syntax_error};
use super::json::Json;
use super::view::text::clean;
use crate::guide::{ComparedVersions, Difference, compare};

/// How the comparison is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// One JSON document.
    Json,
}

/// Say whether two versions of a program behave the same, under the same injected values.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  codexec diff old.py new.py

Both versions run several times, each time under other injected values, the same for both. Functions \
and methods that a version only defines are called. The verdict is `same`, `different` (with what \
differs, and for which values), or `not distinguished`: no difference was found, and the output says \
which questions stay open.

Exit code: 0 same, 1 different, 2 wrong usage or a file that cannot be compared, 3 not distinguished.")]
pub(super) struct Args {
    /// The old version.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The new version.
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// How the comparison is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    settings: Settings,
}

/// What cannot be compared: 1 says that versions differ.
const TROUBLE: u8 = 2;

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match compared(args) {
        Err(error) if !error.is::<clap::Error>() && !super::is_broken_pipe(&error) => {
            super::say(&super::message(&super::of_standard_output(error)));
            Ok(ExitCode::from(TROUBLE))
        }
        other => other,
    }
}

fn compared(args: &Args) -> anyhow::Result<ExitCode> {
    let settings = &args.settings;
    let (old, new) = (settings.read(&args.old)?, settings.read(&args.new)?);
    let predictor = settings.predictor()?;
    let pool = settings.pool(2, true)?;
    let found = compare(&pool, &old, &new, predictor.as_ref(), &settings.options())?;
    let mut failed = false;
    for (program, guided) in [(&old, &found.old), (&new, &found.new)] {
        if let Some(error) = syntax_error(&guided.trace.outcome) {
            let source = program.source.as_deref().unwrap_or_default();
            super::say(&show_syntax_error(&program.id, source, &error));
            failed = true;
        } else if let Some(line) = guided.returned {
            super::note(&format!("{}: {}", program.id, ended_by_return(line)));
        }
    }
    if failed {
        return Ok(ExitCode::from(TROUBLE));
    }
    let mut out = anstream::stdout().lock();
    let format = if args.json { Format::Json } else { args.format };
    match format {
        Format::Json => {
            let document = json!({
                "difference": found.difference,
                "worlds": found.worlds,
                "old": {"id": old.id, "coverage": found.old.coverage,
                        "injected": found.old.injected},
                "new": {"id": new.id, "coverage": found.new.coverage,
                        "injected": found.new.injected},
            });
            writeln!(out, "{:#}", Json(document))?;
        }
        Format::Text => write!(out, "{}", text(&found))?,
    }
    out.flush()?;
    Ok(ExitCode::from(match found.difference {
        Difference::Same => 0,
        Difference::Different { .. } => 1,
        Difference::NotDistinguished { .. } => 3,
    }))
}

fn text(found: &ComparedVersions) -> String {
    match &found.difference {
        Difference::Same => "same\n".to_owned(),
        Difference::Different { values, picked } => {
            let mut text = "different\n".to_owned();
            let shown = |value: &Option<String>| match value {
                Some(value) => clean(value.trim_end_matches('\n')),
                None => "(not there)".to_owned(),
            };
            for (name, old, new) in values {
                let (old, new) = (shown(old), shown(new));
                text.push_str(&format!("  {}: {old} -> {new}\n", clean(name)));
            }
            let is = picked
                .iter()
                .map(|(term, value)| clean(&format!("{term} is {value}")));
            if !picked.is_empty() {
                text.push_str(&format!("where {}\n", is.collect::<Vec<_>>().join(", ")));
            }
            text
        }
        Difference::NotDistinguished { why } => {
            let mut text = "not distinguished\n".to_owned();
            for one in why {
                text.push_str(&format!("  {}\n", clean(one)));
            }
            text
        }
    }
}
