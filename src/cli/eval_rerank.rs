//! `codexec eval rerank`: compares sample orders on problems whose correct samples are known.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use codexec_data::sandbox::Limits;
use codexec_plan::machine::FoldLevel;

use super::engines::{Beside, beside};
use super::eval_figures::{self, PageArgs};
use super::json::Json;
use super::outputs::{KeptArgs, one_engine};
use super::sandbox::SandboxArgs;
use super::{progress_bar, single_threaded_products};
use crate::engine::outputs::Teller;
use crate::engine::{Need, Settings, orca};
use crate::eval::rerank::{OfEngine, score_rerank};
use crate::rerank::{programs, read_samples};

/// Score sample orders: random, shortest first, majority vote, and each engine's.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec data candidates corpus.jsonl.zst --out candidates.jsonl
  codexec eval rerank candidates.jsonl --engines plan,no-fold,run
  codexec eval rerank candidates.jsonl --engines whole --limit 20 --outputs kept.jsonl

Samples are those of `codexec data candidates`, or rows with `code_list` and, for each of it, whether it is `right`. \
Only the public tests are shown to the engines.")]
pub(super) struct Args {
    /// Problems with their samples.
    samples: PathBuf,
    /// Engines whose orders are scored. `no-fold` and `fold-operators` are the planner with less
    /// folding.
    #[arg(long, value_delimiter = ',', value_name = "ENGINE", default_value = "plan,no-fold,run", value_parser = beside())]
    engines: Vec<Beside>,
    /// Score only the first problems, at most this many.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    #[command(flatten)]
    kept: KeptArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
    /// Hypotheses of the beam search of whole traces.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    beam: u16,
    /// Bootstrap resamples per interval; 0 for no intervals.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(..=100_000))]
    bootstrap: u32,
    /// Seed of the resamples.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print JSON instead of a Markdown table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    page: PageArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.engines.iter().any(|e| e.row.name == orca::ROW.name) {
        return Err(super::usage("--engines orca does not predict output"));
    }
    let _page = args.page.reserve()?;
    single_threaded_products()?;
    let mut set = read_samples(&args.samples, None)?;
    if let Some(limit) = args.limit {
        set.truncate(limit as usize);
    }
    let mut right = Vec::with_capacity(set.problems.len());
    for (at, problem) in set.problems.iter().enumerate() {
        let Some(known) = set.known_right(at) else {
            bail!(
                "{}: {}: no list `right` that says of each sample whether it is",
                args.samples.display(),
                problem.id
            );
        };
        right.push(known);
    }
    let programs = programs(&set);
    let kept = args.kept.open()?;
    let mut engines = Vec::new();
    for beside in &args.engines {
        let row = beside.row;
        let settings = Settings {
            fold: beside.fold,
            together: true,
            widths: match row.has(Need::Search) {
                true => vec![usize::from(args.beam)],
                false => Vec::new(),
            },
            sandbox: args
                .sandbox
                .config(0, Limits::default(), Default::default()),
            ..Settings::default()
        };
        let engine = one_engine(row, &settings)?;
        let teller = Teller::new(row, engine.as_ref(), kept.as_ref())?;
        let doing = if row.executes {
            "running"
        } else {
            "predicting"
        };
        let bar = progress_bar(programs.len() as u64, doing);
        let told = teller.tell(&programs, &|more| bar.inc(more as u64))?;
        bar.finish_and_clear();
        let fold = match beside.fold {
            FoldLevel::Methods => "",
            FoldLevel::Operators => ", operators folded",
            FoldLevel::Nothing => ", no folding",
        };
        engines.push(OfEngine {
            name: format!("{}{fold}", row.name),
            executes: row.executes,
            told,
        });
    }
    let scores = score_rerank(&set, &right, &engines, args.bootstrap as usize, args.seed);
    let about = eval_figures::about_problems(args.bootstrap);
    args.page
        .write("Orders of samples", about, || eval_figures::rerank(&scores))?;
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", Json(&scores))?;
    } else {
        write!(out, "{scores}")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
