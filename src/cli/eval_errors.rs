//! `codexec eval errors`: scores predictions of runtime errors on programs whose outcomes are
//! known, and fits the weights that calibrate their probabilities.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::builder::PossibleValuesParser;
use codexec_data::errors::{ErrorOrigin, ErrorRecord, orca_error_records, read_error_records};
use codexec_data::files::{Existing, Reservation, write_whole};
use codexec_data::records::Part;
use codexec_data::sources::{is_orca_file, read_orca_set};
use serde_json::json;

use super::folding::{self, level_of};
use super::json::Json;
use super::{eval_figures, figures, note, progress_bar, single_threaded_products, usage};
use crate::check::calibration::{Calibration, Ends, Known};
use crate::check::{CHECKERS, Settings, Source, named};
use crate::engine;
use crate::eval::Estimate;
use crate::eval::errors::{
    ErrorDifference, ErrorScores, Judged, compare_errors, majority, score_errors,
};

/// The network with its uncorrected probabilities.
const OWN: &str = "ipa-own";
/// `codexec check` predicts and reports an error from this probability on.
const LEAST: f64 = 0.5;
/// The outcome of most programs.
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
  codexec eval errors inputs.jsonl.zst --other-inputs --engines ipa
  codexec eval errors errors.jsonl.zst --engines ipa --model one --against other
  codexec eval errors errors.jsonl.zst --html errors.html                     tables and curves
  codexec eval errors incomplete.json.gz --engines plan,ipa,combined          ORCA's set
  codexec eval errors found.jsonl.zst --part valid --fit calibration.json     weights of combined

The metrics are those of the Exception IPA-GNN paper; every score has a 95 % interval (bootstrap over
problems). docs/check.md defines them."
)]
pub(super) struct Args {
    /// Records as written by `codexec data errors`, or a data set of ORCA (.json, .json.gz).
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What predicts, in this order: the engines of `codexec check`; `no-fold` and
    /// `fold-operators`, the planner with less folding; `ipa-own`, the network with uncorrected
    /// probabilities; `majority`, the outcome of most programs.
    #[arg(long, value_delimiter = ',', value_name = "NAMES", value_parser = rows(), default_values_t = ["plan", "no-fold", MAJORITY].map(str::to_owned))]
    engines: Vec<String>,
    /// Part of the records: train, valid or test.
    #[arg(long, value_name = "PART", value_parser = part, default_value = "test")]
    part: Part,
    /// Leave out edited programs and inputs of other problems, to score natural errors alone.
    #[arg(long)]
    natural: bool,
    /// Score only programs that received the input of another problem.
    #[arg(long, conflicts_with = "natural")]
    other_inputs: bool,
    /// Hide the input: programs are checked with made-up inputs and, if available, the description.
    #[arg(long)]
    made_up_input: bool,
    /// Share of programs that raise, between 0 and 1, for engines with calibrated probabilities
    /// (default 0.05).
    #[arg(long, value_name = "P", value_parser = super::check::share)]
    base_rate: Option<f64>,
    /// Score at most this many records, sampled evenly.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Maximum steps per program.
    #[arg(long, default_value_t = 4096, value_name = "N")]
    max_steps: u32,
    /// Bootstrap resamples per interval; 0 for no intervals.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(..=100_000))]
    bootstrap: u32,
    /// Seed of the resamples and of made-up inputs.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Checkpoint directory, or a name on the Hugging Face hub (default: the embedded checkpoint).
    /// It holds the network if the engine is `ipa`, otherwise the planner's.
    #[arg(long, value_name = "DIR|NAME")]
    model: Option<String>,
    /// A second checkpoint for the first engine. It gets its own row, and the differences are
    /// shown.
    #[arg(long, value_name = "DIR|NAME", conflicts_with = "fit")]
    against: Option<String>,
    /// Fit the weights of `combined` and the calibration of `ipa` on these records, and write them
    /// to this file. Nothing is scored.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engines", "bootstrap", "model"])]
    fit: Option<PathBuf>,
    /// With --fit: checkpoint directory of the network to calibrate (default: the embedded
    /// checkpoint).
    #[arg(long, value_name = "DIR", requires = "fit")]
    network: Option<String>,
    /// Also write an HTML page: tables with intervals as bars, and confidence against accuracy.
    #[arg(long, value_name = "FILE", conflicts_with = "fit")]
    html: Option<PathBuf>,
    /// Overwrite the file of --fit and the page of --html.
    #[arg(long)]
    force: bool,
    /// Print one JSON document instead of Markdown tables.
    #[arg(long)]
    json: bool,
}

fn rows() -> PossibleValuesParser {
    let names = CHECKERS.iter().map(|row| row.name);
    PossibleValuesParser::new(names.chain(folding::names()).chain([OWN, MAJORITY]))
}

/// Number of records per part, in words.
fn parts(records: &[ErrorRecord]) -> String {
    let count = |part: Part| {
        let count = records.iter().filter(|r| r.split == part).count();
        format!("{count} of {}", part.name())
    };
    Part::ALL.map(count).join(", ")
}

fn part(name: &str) -> Result<Part, &'static str> {
    let found = Part::ALL.into_iter().find(|part| part.name() == name);
    found.ok_or("use train, valid or test")
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let reserved = match &args.fit {
        Some(path) => {
            let one = Reservation::of_file(path, Existing::replace_if(args.force));
            Some(one.with_context(|| path.display().to_string())?)
        }
        None => None,
    };
    if args.force && args.fit.is_none() && args.html.is_none() {
        return Err(usage(
            "--force overwrites what --fit or --html names; name one",
        ));
    }
    let _page = match &args.html {
        Some(path) => Some(super::data::reserve(path, args.force)?),
        None => None,
    };
    single_threaded_products()?;
    let (mut records, lacks_imports) = args.records()?;
    let there = parts(&records);
    records.retain(|record| record.split == args.part && args.scores(record.origin));
    if records.is_empty() {
        let asked = args.part.name();
        bail!(
            "no record of the part {asked} is scored; the files have {there}: choose with --part"
        );
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
    if let Some(path) = &args.fit {
        args.fit(path, &chosen, lacks_imports)?;
        drop(reserved);
        return Ok(ExitCode::SUCCESS);
    }
    let (mut all, mut judged) = (Vec::new(), Vec::new());
    let resamples = args.bootstrap as usize;
    for name in &args.engines {
        let of_row = args.judge(name, args.model.clone(), &chosen, lacks_imports)?;
        all.push((
            name.as_str(),
            score_errors(&of_row, &groups, resamples, args.seed),
        ));
        judged.push(of_row);
    }
    let mut differences = Vec::new();
    if let (Some(other), Some(name)) = (&args.against, args.engines.first()) {
        let of_row = args.judge(name, Some(other.clone()), &chosen, lacks_imports)?;
        all.push((
            other.as_str(),
            score_errors(&of_row, &groups, resamples, args.seed),
        ));
        differences = compare_errors(&judged[0], &of_row, &groups, resamples, args.seed);
    }
    if let Some(path) = &args.html {
        let about = eval_figures::about_errors(args.part.name(), args.bootstrap);
        let sections = eval_figures::errors(&all, &differences);
        figures::write(path, "Predictions of runtime errors", Some(about), sections)?;
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
            "differences": differences,
        });
        writeln!(out, "{:#}", Json(document))?;
    } else {
        out.write_all(tables(&all).as_bytes())?;
        out.write_all(differences_table(&differences).as_bytes())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// Whether records of an origin are scored.
    fn scores(&self, origin: ErrorOrigin) -> bool {
        match origin {
            ErrorOrigin::Natural | ErrorOrigin::Clean => !self.other_inputs,
            ErrorOrigin::Mutant => !self.natural && !self.other_inputs,
            ErrorOrigin::Input => !self.natural,
        }
    }

    /// The records of all files, and whether they lack imports, as ORCA's do.
    fn records(&self) -> anyhow::Result<(Vec<ErrorRecord>, bool)> {
        let of_orca = self.files.iter().filter(|file| is_orca_file(file)).count();
        if of_orca > 0 && of_orca < self.files.len() {
            return Err(usage("score ORCA's set and other records in separate runs"));
        }
        let mut records = Vec::new();
        for file in &self.files {
            match of_orca {
                0 => records.extend(read_error_records(file)?),
                _ => records.extend(orca_error_records(read_orca_set(file)?)),
            }
        }
        Ok((records, of_orca > 0))
    }

    /// Fits the weights of both engines' probabilities.
    fn fit(
        &self,
        path: &std::path::Path,
        records: &[&ErrorRecord],
        lacks_imports: bool,
    ) -> anyhow::Result<()> {
        let planned = self.judge("plan", None, records, lacks_imports)?;
        let read = self.judge(OWN, self.network.clone(), records, lacks_imports)?;
        let known: Vec<Known> = (planned.iter().zip(&read))
            .filter(|(_, read)| read.said)
            .map(|(planned, read)| Known {
                plan: planned.said.then_some(Ends {
                    error: planned.error,
                    clean: planned.clean,
                }),
                ipa: read.error,
                raises: planned.truth.is_some(),
            })
            .collect();
        let Some(fitted) = Calibration::fit(&known) else {
            bail!("nothing can be fitted: either all records raise or none does");
        };
        let mut text = serde_json::to_vec_pretty(&fitted)?;
        text.push(b'\n');
        write_whole(path, &text).with_context(|| path.display().to_string())?;
        let on = fitted.fitted_on;
        note(&format!(
            "{}: fitted on {} programs, {} of them raise; planning did not finish {}",
            path.display(),
            on.programs,
            on.raise,
            on.unfinished
        ));
        Ok(())
    }

    /// The predictions of one engine for the records.
    fn judge(
        &self,
        name: &str,
        model: Option<String>,
        records: &[&ErrorRecord],
        lacks_imports: bool,
    ) -> anyhow::Result<Vec<Judged>> {
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
            OWN => named("ipa"),
            name if level_of(name).is_some() => named("plan"),
            name => named(name),
        };
        let Some(row) = row else {
            bail!("no engine is called {name}");
        };
        let settings = Settings {
            calls: false,
            seed: self.seed,
            calibrated: name != OWN,
            base_rate: self.base_rate,
            lacks_imports,
            engine: engine::Settings {
                model,
                fold: level_of(name).unwrap_or_default(),
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
            one.clean = checked.clean;
            one.said = checked.end.is_some();
            // As reported by `codexec check`.
            if let Some(raised) = checked.raised.filter(|_| checked.error >= LEAST) {
                one.predicted = raised.kind;
                one.line = raised.line;
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
            // No input means an empty one: none is made up.
            false => Some(record.stdin.clone().unwrap_or_default()),
        };
        Source {
            path: record.id.clone(),
            text: record.code.clone(),
            stdin,
            project: None,
            description: record.description.clone(),
        }
    }
}

fn tables(all: &[(&str, ErrorScores)]) -> String {
    let mut text = String::from(
        "| predictor | accuracy | weighted F1 | weighted error F1 | line | detection | error line | precision | recall | detection F1 | false alarms | calibration error | says nothing |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for (name, scores) in all {
        let cells = [
            cell(scores.accuracy),
            cell(scores.weighted_f1),
            cell(scores.weighted_error_f1),
            cell(scores.line),
            cell(scores.detection),
            cell(scores.error_line),
            cell(scores.precision),
            cell(scores.recall),
            cell(scores.detection_f1),
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

/// The first row minus the second checkpoint's.
fn differences_table(differences: &[ErrorDifference]) -> String {
    if differences.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\nThe first row less the last, with 95 % intervals on the same resamples:\n\n| metric | difference | |\n|---|--:|---|\n",
    );
    for one in differences {
        let says = match one.is_significant() {
            true => "significant",
            false => "no significant difference",
        };
        text.push_str(&format!(
            "| {} | {} | {says} |\n",
            one.metric,
            cell(one.difference)
        ));
    }
    text
}

fn number(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |value| format!("{:.1}", 100.0 * value))
}

/// Percentage with its interval.
fn cell(estimate: Estimate) -> String {
    let value = number(estimate.value);
    match (estimate.low, estimate.high) {
        (Some(low), Some(high)) => {
            format!("{value} ({:.1}–{:.1})", 100.0 * low, 100.0 * high)
        }
        _ => value,
    }
}
