//! `codexec data candidates`: problems with right and wrong programs, to evaluate rankings.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use codexec_data::sandbox::Limits;

use super::{corpus, reserve};
use crate::cli::rerank::write_rows;
use crate::cli::sandbox::SandboxArgs;
use crate::cli::{note, progress_bar, workers};
use crate::rerank::candidates::{CandidateConfig, candidates};

/// Write problems with right and wrong programs from a corpus, to evaluate `codexec rerank`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec data candidates corpus.jsonl.zst --out candidates.jsonl
  codexec data candidates corpus.jsonl.zst --problems 50 --candidates 10 --out candidates.jsonl
  codexec eval rerank candidates.jsonl

Right programs print the expected output of the problem's samples, or without samples that of the corpus's program; \
the others are submissions that do not, and mutants that the samples tell apart. The first sample is a public test, \
all others are private. More: docs/rerank.md.")]
pub(in crate::cli) struct Args {
    /// Programs: a directory of NAME.py with NAME.in, NAME.1.in, …; or JSON Lines(.zst) or Parquet with `code`.
    corpus: PathBuf,
    /// Output file, as JSON Lines.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
    /// Number of problems.
    #[arg(long, default_value_t = 200, value_name = "N")]
    problems: usize,
    /// Candidates per problem.
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=1000))]
    candidates: u16,
    /// Maximum right candidates per problem. The number is drawn from 1 to this.
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    most_right: u16,
    /// Worker processes.
    #[arg(long, value_name = "N", value_parser = workers)]
    jobs: Option<usize>,
    /// Seed of random draws. The same seed gives the same file.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

pub(in crate::cli) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let _reserved = reserve(&args.out, args.force)?;
    let corpus = corpus::read(&args.corpus)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = args
        .sandbox
        .pool(args.jobs.unwrap_or(cores).max(1), Limits::default())?;
    let config = CandidateConfig {
        problems: args.problems,
        candidates: usize::from(args.candidates),
        most_right: usize::from(args.most_right),
        seed: args.seed,
        ..CandidateConfig::default()
    };
    let bar = progress_bar(corpus.len() as u64, "problems tried");
    let rows = candidates(&pool, &corpus, &config, &|| bar.inc(1))?;
    bar.finish_and_clear();
    if rows.is_empty() {
        bail!(
            "{}: no problem has a right program and enough wrong ones",
            args.corpus.display()
        );
    }
    let fields: Vec<_> = rows
        .iter()
        .filter_map(|row| row.as_object().cloned())
        .collect();
    write_rows(&args.out, &fields, false)?;
    let right = rows.iter().filter_map(|row| row["right"].as_array());
    let right = right.flatten().filter(|right| **right == true).count();
    note(&format!(
        "{}: {} problems, {} candidates, {right} of them right",
        args.out.display(),
        rows.len(),
        rows.len() * config.candidates
    ));
    Ok(ExitCode::SUCCESS)
}
