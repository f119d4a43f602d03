//! `codexec eval`: a checkpoint and its baselines on a file of examples.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use codexec_data::records::{Kind, Record, read_records};
use codexec_data::trace::Program;

use super::progress_bar;
use super::trace::load_model;
use crate::tasks::evaluation::{Evaluation, evaluate, learn, program_of, truth_of};
use crate::tasks::trace::{PredictOptions, Prediction, predict};

/// Score a checkpoint and its baselines on a file of examples.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  codexec data traces examples --out valid.jsonl
  codexec eval --data valid.jsonl --beam 1

The metrics are the paper's: output accuracy, trace accuracy, precision, recall and F1 of lines and
of identifiers, on the paper form; and structural ones. Baselines: `no change`, and `most frequent`
(learned from --train).")]
pub(super) struct Args {
    /// Examples as `codexec data` writes them: JSON Lines(.zst), Parquet, or a directory of such files.
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// Examples from which the `most frequent` baseline learns.
    #[arg(long, value_name = "FILE")]
    train: Vec<PathBuf>,
    /// Checkpoint directory, or a name on the Hugging Face hub; the embedded one without it.
    #[arg(long, value_name = "DIR|NAME")]
    model: Option<String>,
    /// Hypotheses kept by beam search; 1 is greedy.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=64))]
    beam: u16,
    /// Score at most this many examples of each kind, taken evenly from the file.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Let lines follow each other in any order, not only as the program's control flow allows.
    #[arg(long)]
    no_flow: bool,
    /// One JSON document instead of Markdown tables.
    #[arg(long)]
    json: bool,
}

/// Examples between two movements of the progress bar.
const GROUP: usize = 64;

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let records = read_records(&args.data)?;
    if records.is_empty() {
        bail!("{}: no example in it", args.data.display());
    }
    for record in &records {
        // Before anything is predicted, which may take hours.
        truth_of(record)
            .with_context(|| format!("{}: record {}", args.data.display(), record.id))?;
    }
    let checkpoint = load_model(args.model.as_deref())?;
    let mut train = Vec::new();
    for path in &args.train {
        train.extend(read_records(path)?);
    }
    let mut evaluation = Evaluation::default();
    for kind in Kind::ALL {
        let all: Vec<&Record> = records.iter().filter(|r| r.kind == kind).collect();
        let chosen = evenly(&all, args.limit.map_or(all.len(), |n| n as usize));
        if chosen.is_empty() {
            continue;
        }
        let options = PredictOptions {
            beam: usize::from(args.beam),
            prefix: kind.prefix(),
            flow: !args.no_flow,
            ..PredictOptions::default()
        };
        let bar = progress_bar(chosen.len() as u64, "predicting");
        let mut predictions: Vec<Option<Prediction>> = Vec::new();
        for group in chosen.chunks(GROUP) {
            let programs: Vec<Program> = group.iter().map(|r| program_of(r)).collect();
            let found = predict(&checkpoint, &programs, &options)?;
            predictions.extend(found.into_iter().map(Result::ok));
            bar.inc(group.len() as u64);
        }
        bar.finish_and_clear();
        let frequent = learn(&train, kind);
        let name = &checkpoint.name;
        evaluate(
            &mut evaluation,
            kind,
            &chosen,
            &predictions,
            name,
            &frequent,
        )?;
    }
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", serde_json::to_value(&evaluation)?)?;
    } else {
        writeln!(out, "{evaluation}")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// `count` of `all`, spread over it.
fn evenly<'a>(all: &[&'a Record], count: usize) -> Vec<&'a Record> {
    let count = count.min(all.len());
    (0..count).map(|k| all[k * all.len() / count]).collect()
}
