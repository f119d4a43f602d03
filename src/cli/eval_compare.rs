//! `codexec eval compare`: two files of results on the same examples.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;

use super::figures;
use super::json::Json;
use crate::eval::{Evaluation, compare_evaluations};

/// Compare two result files and list the scores that differ significantly.
///
/// Paired bootstrap over programs: both results use the same resamples. A score is called different
/// only when the 95 % interval of the difference excludes 0.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  codexec eval --data valid.jsonl --whole --out old
  codexec eval --data valid.jsonl --whole --model run/checkpoint --out new
  codexec eval compare old new
  codexec eval compare old new --html compared.html")]
pub(super) struct Args {
    /// Results printed by `codexec eval --json`, or the directory of `codexec eval --out`.
    a: PathBuf,
    /// The results to compare them with.
    b: PathBuf,
    /// Number of resamples.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    bootstrap: u32,
    /// Seed of the resamples.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print JSON instead of Markdown tables.
    #[arg(long)]
    json: bool,
    /// Also write an HTML page with both side by side.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Overwrite an existing page.
    #[arg(long, requires = "html")]
    force: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let _page = match &args.html {
        Some(path) => Some(super::data::reserve(path, args.force)?),
        None => None,
    };
    let (a, b) = (read(&args.a)?, read(&args.b)?);
    let found = compare_evaluations(&a, &b, args.bootstrap as usize, args.seed)
        .with_context(|| format!("{} and {}", args.a.display(), args.b.display()))?;
    if let Some(path) = &args.html {
        let about = format!(
            "A: {}. B: {}. Percent; B less A with its 95 % interval by paired bootstrap over programs ({} resamples, seed {}).",
            found.a, found.b, found.bootstrap, found.seed
        );
        figures::write(path, "Comparison", Some(about), figures::comparison(&found))?;
    }
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{}", Json(&found))?;
    } else {
        write!(out, "{found}")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> anyhow::Result<Evaluation> {
    let inside = path.join("results.json");
    let path = if path.is_dir() { &inside } else { path };
    let name = || path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(name)?;
    let mut results: Evaluation = serde_json::from_str(&text).with_context(|| {
        let name = name();
        format!("{name}: not a results.json that this program's `codexec eval` wrote")
    })?;
    // Two checkpoints can have the same name, such as the embedded ones of two builds.
    results.engine = format!("{} ({})", results.engine, name());
    Ok(results)
}
