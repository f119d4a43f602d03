//! `codexec data merge`: merges the shards of a data set.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use codexec_data::mutants::{Merge, Output, merge};

use super::mutate_summary;

/// Merge the output of `codexec mutate --shard`, checking manifests and dropping duplicates.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  codexec mutate corpus/ --shard 1/2 --out one
  codexec mutate corpus/ --shard 2/2 --out two
  codexec data merge one two --out mutants.jsonl.zst

The builds must be finished, of one corpus, and with the same settings and versions. They are taken in \
the order of their shards; of equal code in two of them the first is kept.")]
pub(super) struct Args {
    /// Outputs of `codexec mutate`: directories, or files with their manifests beside them.
    #[arg(required = true)]
    builds: Vec<PathBuf>,
    /// Output: a directory, FILE.jsonl.zst, FILE.jsonl or FILE.parquet.
    #[arg(long, value_name = "DIR|FILE", value_parser = super::mutate::output)]
    out: PathBuf,
    /// Merge even if shards are missing.
    #[arg(long)]
    partial: bool,
    /// Overwrite an existing build.
    #[arg(long)]
    force: bool,
    /// Print the summary as one JSON document.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let work = Merge {
        inputs: args.builds.clone(),
        output: Output::named(&args.out),
        partial: args.partial,
        force: args.force,
    };
    let bar = super::progress_bar(0, "records");
    let report = merge(&work, &|records| bar.inc(records))?;
    bar.finish_and_clear();
    let text = match args.json {
        true => serde_json::to_string_pretty(&mutate_summary::json(&report))? + "\n",
        false => mutate_summary::text(&report.counts),
    };
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
