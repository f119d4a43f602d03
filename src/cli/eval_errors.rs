//! `codexec eval errors`: predictions of runtime errors, scored on programs whose ends are known.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::builder::PossibleValuesParser;
use codexec_data::errors::{ErrorOrigin, ErrorRecord, read_error_records};
use codexec_data::records::Part;
use serde_json::json;

use super::json::Json;
use super::{progress_bar, single_threaded_products};
use crate::check::{CHECKERS, Settings, Source, named};
use crate::engine;
use crate::eval::Estimate;
use crate::eval::errors::{ErrorScores, Judged, majority, score_errors};

/// The planner that asks a network everything.
const NO_FOLD: &str = "no-fold";
/// What most programs are.
const MAJORITY: &str = "majority";

/// Score predictions of runtime errors: kinds, lines, detection, calibration.
#[derive(Debug, clap::Args)]
#[command(
    visible_alias = "check",
    after_help = "\
Examples:
  codexec data errors corpus.jsonl.zst --out errors.jsonl.zst
  codexec eval errors errors.jsonl.zst
  codexec eval errors errors.jsonl.zst --engines plan --made-up-input
  codexec eval errors errors.jsonl.zst --part valid --natural --limit 500 --json

The metrics are those of the Exception IPA-GNN paper; every score has a 95 % interval (bootstrap over
problems). docs/check.md defines them."
)]
pub(super) struct Args {
    /// Records, as `codexec data errors` writes them.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What predicts, in this order: engines of `codexec check`; `no-fold` is the planner without folding, `majority`
    /// what most programs are.
    #[arg(long, value_delimiter = ',', value_name = "NAMES", value_parser = rows(), default_values_t = ["plan", NO_FOLD, MAJORITY].map(str::to_owned))]
    engines: Vec<String>,
    /// The part of the records: train, valid or test.
    #[arg(long, value_name = "PART", value_parser = part, default_value = "test")]
    part: Part,
    /// Leave out edited programs, so that natural errors are scored by themselves.
    #[arg(long)]
    natural: bool,
    /// Hide the input: programs are checked with made-up ones, and the description where there is one.
    #[arg(long)]
    made_up_input: bool,
    /// Score at most this many records, taken evenly.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Most steps that a program is followed.
    #[arg(long, default_value_t = 4096, value_name = "N")]
    max_steps: u32,
    /// Resamples behind each interval; 0 for no intervals.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(..=100_000))]
    bootstrap: u32,
    /// Seed of the resamples and of made-up inputs.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Checkpoint directory of the planner, or a name on the Hugging Face hub; the embedded one without it.
    #[arg(long, value_name = "DIR|NAME")]
    model: Option<String>,
    /// One JSON document instead of Markdown tables.
    #[arg(long)]
    json: bool,
}

fn rows() -> PossibleValuesParser {
    let names = CHECKERS.iter().map(|row| row.name);
    PossibleValuesParser::new(names.chain([NO_FOLD, MAJORITY]))
}

fn part(name: &str) -> Result<Part, &'static str> {
    let found = Part::ALL.into_iter().find(|part| part.name() == name);
    found.ok_or("use train, valid or test")
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    single_threaded_products()?;
    let mut records = Vec::new();
    for file in &args.files {
        records.extend(read_error_records(file)?);
    }
    records.retain(|record| {
        record.split == args.part && !(args.natural && record.origin == ErrorOrigin::Mutant)
    });
    if records.is_empty() {
        bail!("no record of the part {} in the files", args.part.name());
    }
    let most = args.limit.map_or(records.len(), |n| n as usize);
    let count = most.min(records.len());
    let chosen: Vec<&ErrorRecord> = (0..count)
        .map(|k| &records[k * records.len() / count])
        .collect();
    let groups: Vec<&str> = chosen
        .iter()
        .map(|record| record.problem.as_deref().unwrap_or(&record.id))
        .collect();
    let mut all = Vec::new();
    for name in &args.engines {
        let judged = args.judge(name, &chosen)?;
        let scores = score_errors(&judged, &groups, args.bootstrap as usize, args.seed);
        all.push((name.as_str(), scores));
    }
    let mut out = anstream::stdout().lock();
    if args.json {
        let rows = all
            .iter()
            .map(|(name, scores)| json!({"name": name, "scores": scores}));
        let document = json!({
            "part": args.part.name(),
            "records": chosen.len(),
            "made_up_input": args.made_up_input,
            "rows": rows.collect::<Vec<_>>(),
        });
        writeln!(out, "{:#}", Json(document))?;
    } else {
        out.write_all(tables(&all).as_bytes())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// What one engine says of the records.
    fn judge(&self, name: &str, records: &[&ErrorRecord]) -> anyhow::Result<Vec<Judged>> {
        let truth = |record: &ErrorRecord| Judged {
            truth: record.error.clone(),
            truth_line: record.error_line,
            ..Judged::default()
        };
        if name == MAJORITY {
            let truths: Vec<Option<String>> = records.iter().map(|r| r.error.clone()).collect();
            let most = majority(&truths);
            let of = |record: &&ErrorRecord| Judged {
                truth: record.error.clone(),
                truth_line: record.error_line,
                ..most.clone()
            };
            return Ok(records.iter().map(of).collect());
        }
        let row = match name {
            NO_FOLD => named("plan"),
            name => named(name),
        };
        let Some(row) = row else {
            bail!("no engine is called {name}");
        };
        let settings = Settings {
            calls: false,
            seed: self.seed,
            engine: engine::Settings {
                model: self.model.clone(),
                fold: name != NO_FOLD,
                max_steps: self.max_steps as usize,
                ..engine::Settings::default()
            },
            ..Settings::default()
        };
        let sources: Vec<Source> = records.iter().map(|record| self.source(record)).collect();
        let bar = progress_bar(sources.len() as u64, "programs");
        let mut judged = Vec::with_capacity(sources.len());
        let checker = (row.open)(&settings)?;
        checker.check(&sources, &mut |number, checked| {
            let mut one = truth(records[number]);
            one.error = checked.error;
            if let Some(end) = checked.end {
                one.said = true;
                one.predicted = end.kind;
                one.line = end.line;
            }
            judged.push(one);
            bar.inc(1);
            ControlFlow::Continue(())
        })?;
        bar.finish_and_clear();
        Ok(judged)
    }

    fn source(&self, record: &ErrorRecord) -> Source {
        let stdin = match self.made_up_input {
            true => None,
            // No input is an empty one: none is made up.
            false => Some(record.stdin.clone().unwrap_or_default()),
        };
        Source {
            path: record.id.clone(),
            text: record.code.clone(),
            stdin,
            description: record.description.clone(),
        }
    }
}

fn tables(all: &[(&str, ErrorScores)]) -> String {
    let mut text = String::from(
        "| predictor | accuracy | weighted F1 | weighted error F1 | line | precision | recall | false alarms | calibration error | says nothing |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for (name, scores) in all {
        let cells = [
            cell(scores.accuracy),
            cell(scores.weighted_f1),
            cell(scores.weighted_error_f1),
            cell(scores.line),
            cell(scores.precision),
            cell(scores.recall),
            cell(scores.false_alarms),
            number(scores.calibration.expected_error),
            scores.unsaid.to_string(),
        ];
        text.push_str(&format!("| {name} | {} |\n", cells.join(" | ")));
    }
    let Some((name, scores)) = all.first() else {
        return text;
    };
    text.push_str(&format!(
        "\n{} programs, {} of them raise. By kind, {name}:\n\n| kind | programs | predicted | right |\n|---|--:|--:|--:|\n",
        scores.programs, scores.raise
    ));
    for kind in &scores.kinds {
        text.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            kind.kind, kind.truths, kind.predicted, kind.right
        ));
    }
    text
}

fn number(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |value| format!("{:.1}", 100.0 * value))
}

/// Percent with its interval.
fn cell(estimate: Estimate) -> String {
    let value = number(estimate.value);
    match (estimate.low, estimate.high) {
        (Some(low), Some(high)) => {
            format!("{value} ({:.1}–{:.1})", 100.0 * low, 100.0 * high)
        }
        _ => value,
    }
}
