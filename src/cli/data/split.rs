//! `codexec data split`: train, valid and test by problem.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use codexec_data::files::Existing;
use codexec_data::records::{Format, SplitConfig, record_files, split};

use crate::cli::{note, warn};

/// Split examples into train, valid and test by problem.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  codexec data split mutants.jsonl.zst --out sets --fractions 90,5,5

No problem has examples in two of the three. Examples without a problem go by their parent program, \
and those without either by their own id. The hash of that id and --split-seed alone decide, so the \
shards of one build can be split one by one. split.json in --out says how much went where.")]
pub(in crate::cli) struct Args {
    /// Examples: JSON Lines(.zst), Parquet, or a directory of such files.
    file: PathBuf,
    /// Directory for train, valid, test and split.json.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    division: Division,
    /// jsonl, jsonl.zst or parquet (default: the input's format).
    #[arg(long, value_parser = format, value_name = "FORMAT")]
    format: Option<Format>,
    /// Overwrite an existing split.
    #[arg(long)]
    force: bool,
}

/// How problems are assigned.
#[derive(Debug, clap::Args)]
pub(super) struct Division {
    /// Shares of the problems in train, valid and test, in percent.
    #[arg(long, default_value = "90,5,5", value_parser = fractions, value_name = "A,B,C")]
    fractions: Fractions,
    /// Seed of the split.
    #[arg(long, default_value_t = 0, value_name = "N")]
    split_seed: u64,
    /// Problem ids, one per line, that always go to test.
    #[arg(long, value_name = "FILE")]
    test_problems: Option<PathBuf>,
}

impl Division {
    /// The requested split.
    pub(super) fn config(&self) -> anyhow::Result<SplitConfig> {
        let test_problems = match &self.test_problems {
            Some(path) => problems(path)?,
            None => HashSet::new(),
        };
        Ok(SplitConfig {
            fractions: self.fractions.0,
            seed: self.split_seed,
            test_problems,
        })
    }
}

/// Three shares.
#[derive(Debug, Clone, Copy)]
struct Fractions([f64; 3]);

fn fractions(text: &str) -> Result<Fractions, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|t| t.trim().parse().ok()).collect();
    let three = numbers.and_then(|n| <[f64; 3]>::try_from(n).ok());
    let whole = |f: &[f64; 3]| {
        let sum: f64 = f.iter().sum();
        f.iter().all(|x| *x >= 0.0) && (sum - 100.0).abs() < 1e-6
    };
    let three = three.filter(whole);
    three
        .map(Fractions)
        .ok_or_else(|| "three percentages that make 100, as 90,5,5".to_owned())
}

fn format(name: &str) -> Result<Format, &'static str> {
    Format::ALL
        .into_iter()
        .find(|f| f.suffix().strip_prefix('.') == Some(name))
        .ok_or("use jsonl, jsonl.zst or parquet")
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let format = match args.format {
        Some(format) => format,
        // A directory has the format of its first shard.
        None => record_files(&args.file)?
            .first()
            .map_or(Format::JsonLines, |file| Format::of(file)),
    };
    let config = args.division.config()?;
    let report = split(
        &args.file,
        &args.out,
        format,
        &config,
        Existing::replace_if(args.force),
    )?;
    for part in &report.parts {
        note(&format!(
            "{}: {} examples of {} problems",
            args.out.join(&part.file).display(),
            part.records,
            part.problems,
        ));
        if part.records == 0 {
            warn(&format!(
                "{} is empty: too few problems for its share",
                part.name
            ));
        }
    }
    if let Some(path) = &args.division.test_problems {
        let (found, listed) = (report.test_problems_found, report.test_problems_listed);
        note(&format!(
            "{}: {found} of {listed} problems found (they are compared with the field `problem`)",
            path.display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// A list of ids, one per line. Blank lines and lines starting with `#` are skipped.
fn problems(path: &Path) -> anyhow::Result<HashSet<String>> {
    let text = crate::cli::input::read_text(path)?;
    let ids = text.lines().map(str::trim);
    let ids: HashSet<String> = ids
        .filter(|id| !id.is_empty() && !id.starts_with('#'))
        .map(str::to_owned)
        .collect();
    (!ids.is_empty())
        .then_some(ids)
        .with_context(|| format!("{}: no problem id in it", path.display()))
}
