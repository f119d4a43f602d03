//! `codexec data generated`: generated programs with their traces.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use codexec_data::generated::build::{GeneratedConfig, GeneratedTally, generated_records};
use codexec_data::generated::{Functions, Idioms, Shape, Written, skeleton_hash};
use codexec_data::records::RecordReader;
use serde::Serialize;

use super::{Common, corpus};
use crate::cli::traced_by::TracedByArgs;
use crate::cli::{note, progress_bar};

/// Write generated programs: from a grammar with the frequencies of a corpus, or from its
/// functions.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec data generated corpus.jsonl.zst --count 10000 --engine plan --out programs.jsonl.zst
  codexec data generated corpus.jsonl.zst --of functions --without valid.jsonl.zst --out calls.jsonl.zst

Of programs that differ only in names and constants, the first is kept.")]
pub(in crate::cli) struct Args {
    /// A directory of .py files, or records with `code`: the source of frequencies or functions.
    corpus: PathBuf,
    /// grammar: a typed grammar whose productions are as frequent as in the corpus; functions: one
    /// or two functions of the corpus, called with random values.
    #[arg(long, value_enum, default_value_t = Of::Grammar)]
    of: Of,
    /// Number of programs.
    #[arg(long, default_value_t = 1000, value_name = "N")]
    count: usize,
    /// Minimum and maximum statements of a program from the grammar.
    #[arg(long, default_value = "4,12", value_name = "MIN,MAX", value_parser = range)]
    statements: [usize; 2],
    /// Maximum nesting of blocks.
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = depth)]
    depth: usize,
    /// Maximum functions of a program from the grammar.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = depth)]
    functions: usize,
    /// Minimum and maximum steps of an execution. Other programs are left out.
    #[arg(long, default_value = "4,200", value_name = "MIN,MAX", value_parser = range)]
    steps: [usize; 2],
    /// Maximum share of programs that end in an exception.
    #[arg(long, default_value_t = 0.15, value_name = "PART", value_parser = crate::cli::singleline::part)]
    raising: f64,
    /// Records for validation or test. No program is nearly identical to one of them, and nothing
    /// is taken from their problems. Can be repeated.
    #[arg(long, value_name = "FILE")]
    without: Vec<PathBuf>,
    /// Print a summary as one JSON document.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    traced: TracedByArgs,
    #[command(flatten)]
    common: Common,
}

/// Source of programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Of {
    Grammar,
    Functions,
}

/// Output of `--json`.
#[derive(Serialize)]
struct Summary {
    out: PathBuf,
    records: u64,
    #[serde(flatten)]
    tally: GeneratedTally,
}

fn range(text: &str) -> Result<[usize; 2], &'static str> {
    let wanted = "write MIN,MAX, as 4,12";
    let (least, most) = text.split_once(',').ok_or(wanted)?;
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wanted);
    let range = [number(least)?, number(most)?];
    let is_range = range[0] <= range[1] && range[1] > 0;
    is_range.then_some(range).ok_or(wanted)
}

/// More is useless: nobody nests blocks deeper than eight.
fn depth(text: &str) -> Result<usize, &'static str> {
    let number = text.parse().ok().filter(|depth| *depth <= 8);
    number.ok_or("expected a number from 0 to 8")
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let _reserved = args.common.reserve()?;
    let (mut reserved, mut problems) = (HashSet::new(), HashSet::new());
    for file in &args.without {
        for record in RecordReader::open(file)? {
            let record = record?;
            reserved.extend(skeleton_hash(&record.code));
            problems.extend(record.problem);
        }
    }
    let mut programs = corpus::read(&args.corpus)?;
    programs.retain(|program| {
        !program
            .problem
            .as_ref()
            .is_some_and(|p| problems.contains(p))
    });
    if programs.is_empty() {
        bail!(
            "{}: no program to count or take functions of",
            args.corpus.display()
        );
    }
    let config = GeneratedConfig {
        count: args.count,
        raising: args.raising,
        max_source_words: args.common.max_source,
        max_target_words: args.common.max_target,
        shape: Shape {
            statements: args.statements,
            depth: args.depth,
            functions: args.functions,
            steps: args.steps,
        },
        seed: args.common.seed,
    };
    let traced = args.traced.tracer(config.seed, || args.common.pool())?;
    let tracer = traced.as_tracer();
    let codes = programs.iter().map(|program| program.code.as_str());
    let written = match args.of {
        Of::Grammar => Written::Grammar(Idioms::of(codes)),
        Of::Functions => {
            let functions = Functions::of(codes, tracer, config.seed)?;
            note(&format!(
                "{} functions can be called, of {} that stand alone",
                functions.len(),
                functions.tried()
            ));
            if functions.is_empty() {
                bail!(
                    "{}: no function that stands alone and can be called with plain values",
                    args.corpus.display()
                );
            }
            Written::Functions(functions)
        }
    };
    let bar = progress_bar(args.count as u64, "programs");
    let mut examples = args.common.examples()?;
    let progress = |kept: usize| bar.set_position(kept as u64);
    let mut sink = |record| examples.push(&record);
    let tally = generated_records(&written, tracer, &config, &reserved, &progress, &mut sink)?;
    bar.finish_and_clear();
    traced.explain();
    let summary = Summary {
        out: args.common.out.clone(),
        records: examples.finish()?,
        tally,
    };
    if args.json {
        writeln!(std::io::stdout(), "{}", serde_json::to_string(&summary)?)?;
    } else {
        explain(&summary.tally);
    }
    Ok(ExitCode::SUCCESS)
}

fn explain(tally: &GeneratedTally) {
    let share = |count: usize| count as f64 / tally.written.max(1) as f64 * 100.0;
    note(&format!(
        "{} written, {} kept; left out: {} near-duplicates ({:.1} %), {} like reserved ones, {} too few or many steps, {} too long, {} more that raise, {} without a trace",
        tally.written,
        tally.kept,
        tally.near_duplicates,
        share(tally.near_duplicates),
        tally.reserved,
        tally.steps,
        tally.too_large,
        tally.raised_beyond_share,
        tally.no_example
    ));
}
