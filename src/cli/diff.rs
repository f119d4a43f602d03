//! `codexec diff`: two versions of a program under the same made-up values.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use serde_json::json;

use super::guide::{Settings, run_all};
use super::input::{show_syntax_error, syntax_error};
use super::json::Json;
use super::view::outcome_text;
use super::view::text::clean;
use crate::guided::{Difference, compare, with_calls};

/// How the comparison is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// One JSON document.
    Json,
}

/// Say whether two versions of a program do the same, with the same made-up values.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  codexec diff old.py new.py

The outcome is `same`, `different` (with the variables or the output that differ), or `exceptional`:
one of them, or both, do not come to their end. Functions of a file that does nothing else are called,
with arguments that are made up.")]
pub(super) struct Args {
    /// The version before.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The version after.
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// How the comparison is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    settings: Settings,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let settings = &args.settings;
    let mut programs = vec![settings.read(&args.old)?, settings.read(&args.new)?];
    for program in &mut programs {
        let called = program.source.as_deref().map(with_calls).transpose()?;
        program.source = called;
    }
    let ran = run_all(settings, programs)?;
    let mut failed = false;
    for one in &ran {
        if let Some(error) = syntax_error(&one.guided.trace.outcome) {
            let source = one.program.source.as_deref().unwrap_or_default();
            super::say(&show_syntax_error(&one.program.id, source, &error));
            failed = true;
        }
    }
    let [old, new] = ran.as_slice() else {
        anyhow::bail!("two programs were given and {} came back", ran.len());
    };
    if failed {
        return Ok(ExitCode::from(1));
    }
    let difference = compare(&old.guided.trace, &new.guided.trace);
    let mut out = anstream::stdout().lock();
    match args.format {
        Format::Json => {
            let document = json!({
                "difference": difference,
                "old": {"id": old.program.id, "coverage": old.guided.coverage,
                        "injected": old.guided.injected},
                "new": {"id": new.program.id, "coverage": new.guided.coverage,
                        "injected": new.guided.injected},
            });
            writeln!(out, "{:#}", Json(document))?;
        }
        Format::Text => write!(out, "{}", text(&difference))?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn text(difference: &Difference) -> String {
    match difference {
        Difference::Same => "same\n".to_owned(),
        Difference::Different { values } => {
            let mut text = "different\n".to_owned();
            let shown = |value: &Option<String>| match value {
                Some(value) => clean(value.trim_end_matches('\n')),
                None => "(not there)".to_owned(),
            };
            for (name, old, new) in values {
                text.push_str(&format!(
                    "  {}: {} -> {}\n",
                    clean(name),
                    shown(old),
                    shown(new)
                ));
            }
            text
        }
        Difference::Exceptional { old, new } => format!(
            "exceptional\n  old: {}\n  new: {}\n",
            outcome_text(old),
            outcome_text(new)
        ),
    }
}
