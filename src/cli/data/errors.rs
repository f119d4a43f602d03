//! `codexec data errors`: programs with inputs and their outcomes in the sandbox.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use codexec_data::errors::{
    Descriptions, ErrorConfig, ErrorCounts, ErrorProgress, ErrorSet, KINDS, NO_ERROR, error_build,
    error_file, error_records, write_error_records,
};
use codexec_data::files::beside;
use codexec_data::records::Part;
use codexec_data::sandbox::Limits;
use serde_json::json;

use super::corpus;
use super::split::Division;
use crate::cli::json::Json;
use crate::cli::sandbox::SandboxArgs;
use crate::cli::{note, progress_bar, warn};

/// Write programs with inputs and the runtime errors that end them.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec data errors corpus.jsonl.zst --out errors.jsonl.zst
  codexec data errors corpus.jsonl.zst --descriptions problems.jsonl.zst --out errors.jsonl.zst
  codexec data errors valid.jsonl.zst --fractions 0,0,100 --out test.jsonl
  codexec data errors corpus.jsonl.zst --out errors.jsonl.zst --resume     resume a killed build
  codexec data errors corpus.jsonl.zst --other-inputs 3 --mutants 0 --confusions 0 --out errors.jsonl
  codexec data errors programs/ --mutants 20 --confusions 20 --out errors.jsonl --json

Each program is run unchanged, and edited: by the twelve mutation operators, and by edits that confuse a \
type, an index or a name. With --other-inputs it also runs with inputs of other problems. Train and valid get as many records that raise as records that do not. The \
test part has no edited program. The parts share no problem and no code. More: docs/check.md.")]
pub(in crate::cli) struct Args {
    /// A directory of NAME.py with NAME.in, NAME.1.in, …; or JSON Lines(.zst) or Parquet with `code`.
    corpus: PathBuf,
    /// Output file: .jsonl or .jsonl.zst.
    #[arg(long, value_name = "FILE", value_parser = error_file)]
    out: PathBuf,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
    /// Resume a stopped build from OUT.progress, with the same settings and programs.
    #[arg(long)]
    resume: bool,
    /// Problems with descriptions of their input: JSON Lines(.zst) with `input_desc`, and
    /// `problem_id` or `group`.
    #[arg(long, value_name = "FILE")]
    descriptions: Option<PathBuf>,
    /// Mutants per program from mutation operators.
    #[arg(long, default_value_t = 8, value_name = "N")]
    mutants: usize,
    /// Mutants per program from edits that confuse a type, an index or a name.
    #[arg(long, default_value_t = 8, value_name = "N")]
    confusions: usize,
    /// Sample inputs per program.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    inputs: u16,
    /// Inputs made up for a program that reads input but has no samples.
    #[arg(long, default_value_t = 2, value_name = "N")]
    guesses: usize,
    /// Inputs of other problems given to each program that reads input. The description is the
    /// other problem's.
    #[arg(long, default_value_t = 0, value_name = "N")]
    other_inputs: usize,
    /// Keep all records, however many of train and valid raise.
    #[arg(long)]
    unbalanced: bool,
    #[command(flatten)]
    division: Division,
    /// Seed of random draws. The same seed gives the same file.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Worker processes.
    #[arg(long, value_name = "N", value_parser = crate::cli::workers)]
    jobs: Option<usize>,
    #[command(flatten)]
    sandbox: SandboxArgs,
    /// Print the summary as one JSON document.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.resume && super::is_built(&args.out) {
        return Ok(ExitCode::SUCCESS);
    }
    let _reserved = super::reserve(&args.out, args.force)?;
    let config = ErrorConfig {
        mutants: args.mutants,
        confusions: args.confusions,
        inputs: usize::from(args.inputs),
        guesses: args.guesses,
        other_inputs: args.other_inputs,
        split: args.division.config()?,
        balanced: !args.unbalanced,
        seed: args.seed,
        ..ErrorConfig::default()
    };
    let descriptions = match &args.descriptions {
        Some(path) => Descriptions::read(path)?,
        None => Descriptions::default(),
    };
    if args.descriptions.is_some() && descriptions.is_empty() {
        warn("--descriptions: no problem of the file has an `input_desc`");
    }
    let corpus = corpus::read(&args.corpus)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = args.jobs.unwrap_or(cores).max(1);
    let pool = args.sandbox.pool(workers, Limits::default())?;
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(workers)
        .build()?;
    let path = beside(&args.out);
    if path.exists() && !args.resume && !args.force {
        bail!(
            "{}: an unfinished build is here; resume it with --resume, or start over with --force",
            path.display()
        );
    }
    let build = error_build(&corpus, &descriptions, &config);
    let progress = ErrorProgress::open(&path, args.resume, build)?;
    if progress.done() > 0 {
        note(&format!("{} programs were already done", progress.done()));
    }
    let bar = progress_bar(corpus.len() as u64, "programs");
    let done = || bar.inc(1);
    let set = threads
        .install(|| error_records(&pool, &corpus, &descriptions, &config, &progress, &done))?;
    bar.finish_and_clear();
    if set.records.is_empty() {
        progress.finish()?;
        bail!(
            "no record was made: {}",
            match corpus.is_empty() {
                true => "the corpus has no programs".to_owned(),
                false => left_out(&set),
            }
        );
    }
    write_error_records(&args.out, &set.records)?;
    progress.finish()?;
    note(&format!(
        "{}: {} records; left out: {}",
        args.out.display(),
        set.records.len(),
        left_out(&set)
    ));
    let mut out = anstream::stdout().lock();
    if args.json {
        let document = json!({
            "records": set.records.len(),
            "parts": set.counts(),
            "left_out": set.left_out,
        });
        writeln!(out, "{:#}", Json(document))?;
    } else {
        out.write_all(table(&set).as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn left_out(set: &ErrorSet) -> String {
    let all: Vec<String> = set
        .left_out
        .iter()
        .map(|(why, count)| format!("{count} {why}"))
        .collect();
    match all.is_empty() {
        true => "nothing".to_owned(),
        false => all.join(", "),
    }
}

/// A row for each kind: natural and edited records, by part.
fn table(set: &ErrorSet) -> String {
    let counted = set.counts();
    let mut text = String::from(
        "| kind | train: found | edited | other input | valid: found | edited | other input | test: found | other input |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let of = |kind: &str, part: Part| counted.get(part, kind);
    let found = |counts: &ErrorCounts| counts.natural + counts.clean;
    let mut sums = [0; 8];
    let kinds = KINDS.iter().copied().chain([NO_ERROR]);
    for kind in kinds {
        let [train, valid, test] = Part::ALL.map(|part| of(kind, part));
        let row = [
            found(&train),
            train.mutant,
            train.input,
            found(&valid),
            valid.mutant,
            valid.input,
            found(&test),
            test.input,
        ];
        if row.iter().all(|count| *count == 0) {
            continue;
        }
        for (sum, count) in sums.iter_mut().zip(row) {
            *sum += count;
        }
        text.push_str(&line(kind, row));
    }
    text + &line("all", sums)
}

fn line(name: &str, row: [u64; 8]) -> String {
    let cells: Vec<String> = row.iter().map(u64::to_string).collect();
    format!("| {name} | {} |\n", cells.join(" | "))
}
