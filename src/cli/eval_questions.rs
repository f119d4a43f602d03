//! `codexec eval questions`: scores a checkpoint on the planner's questions.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use codexec_data::files::write_whole;
use codexec_data::records::{Record, RecordReader, read_records};
use codexec_plan::step_form::without_working;
use serde_json::json;

use super::eval_figures::{self, PageArgs};
use super::json::Json;
use super::view::text::clean;
use super::{note, progress_bar, single_threaded_products};
use crate::engine::plan::{Network, checkpoint};
use crate::eval::calibration::fit_temperature;
use crate::eval::questions::{Answered, Scores, score};

/// Questions answered between two updates of the progress bar.
const TOGETHER: usize = 128;

/// Score a checkpoint on the planner's questions, by operation.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec data plan valid.jsonl.zst --out questions.jsonl.zst
  codexec eval questions questions.jsonl.zst
  codexec eval questions questions.jsonl.zst --model run/checkpoint --limit 1000 --json
  codexec eval questions questions.jsonl.zst --seen plan.jsonl.zst methods.jsonl.zst
  codexec eval questions questions.jsonl.zst --wrong wrong.jsonl
  codexec eval questions questions.jsonl.zst --model run/checkpoint --fit     fit the temperature

Exact: every word of the answer is right, its working apart. The operations with most wrong answers come first.")]
pub(super) struct Args {
    /// Questions as written by `codexec data plan`.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Checkpoint directory, or a name on the Hugging Face hub (default: the embedded checkpoint).
    #[arg(long, value_name = "DIR|NAME")]
    model: Option<String>,
    /// Files of training examples. Questions that do not occur in them are also scored separately.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    seen: Vec<PathBuf>,
    /// Score at most this many questions, sampled evenly.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Maximum number of operations in the table.
    #[arg(long, value_name = "N", default_value_t = 20)]
    operations: usize,
    /// Fit the temperature (the divisor of an answer's log-odds) on these questions and write it to
    /// the checkpoint's config.json. Nothing is scored; score it on other questions.
    #[arg(long, requires = "model", conflicts_with_all = ["wrong", "seen", "json"])]
    fit: bool,
    /// Also write every wrongly answered question as JSON Lines: question, answer, truth,
    /// confidence.
    #[arg(long, value_name = "FILE")]
    wrong: Option<PathBuf>,
    /// Print one JSON document instead of Markdown tables.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    page: PageArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let _page = args.page.reserve()?;
    single_threaded_products()?;
    let mut records = Vec::new();
    for file in &args.files {
        records.extend(read_records(file)?);
    }
    if records.is_empty() {
        bail!("no question in the files");
    }
    let count = args
        .limit
        .map_or(records.len(), |n| (n as usize).min(records.len()));
    let chosen: Vec<&Record> = (0..count)
        .map(|k| &records[k * records.len() / count])
        .collect();
    let seen = among(&chosen, &args.seen)?;
    let checkpoint = checkpoint(args.model.as_deref())?;
    let network = Network::new(&checkpoint)?;
    let bar = progress_bar(count as u64, "questions");
    let mut answers = Vec::with_capacity(count);
    for group in chosen.chunks(TOGETHER) {
        let sources: Vec<&str> = group
            .iter()
            .map(|record| record.code_tokens.as_str())
            .collect();
        for (record, found) in group.iter().zip(network.words(&sources)?) {
            let (answer, confidence) = found.map_or((None, 0.0), |(words, sure)| {
                (Some(joined(&words)), f64::from(sure))
            });
            answers.push(Answered {
                code: &record.code,
                truth: joined(&record.trace_tokens),
                answer,
                confidence,
                seen: seen.contains(record.code_tokens.as_str()),
            });
        }
        bar.inc(group.len() as u64);
    }
    bar.finish_and_clear();
    if let (true, Some(directory)) = (args.fit, &args.model) {
        fit(directory.as_ref(), &answers)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(path) = &args.wrong {
        write_whole(path, wrong_lines(&answers).as_bytes())?;
    }
    let mut scores = score(&answers);
    scores.operations.truncate(args.operations);
    let about = "Exact: every word of the answer is right, its working apart. Percent.";
    args.page.write("Questions of the planner", about, || {
        eval_figures::questions(&checkpoint.name, &scores, !args.seen.is_empty())
    })?;
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(
            out,
            "{:#}",
            Json(json!({ "checkpoint": checkpoint.name, "scores": scores }))
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    write_tables(&mut out, &checkpoint.name, &scores, !args.seen.is_empty())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the scores as text: all questions, those not trained on if they are told apart, and each operation.
fn write_tables(
    out: &mut dyn Write,
    checkpoint: &str,
    scores: &Scores,
    knows_seen: bool,
) -> std::io::Result<()> {
    let percent = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
    writeln!(
        out,
        "{}: {:.1} % of {} questions answered exactly, expected calibration error {:.1} %\n",
        clean(checkpoint),
        percent(scores.exact, scores.questions),
        scores.questions,
        100.0 * scores.calibration.expected_error.unwrap_or_default(),
    )?;
    if knows_seen {
        writeln!(
            out,
            "Trained on: {} of them ({:.1} %). Of the others, {:.1} % are answered exactly.\n",
            scores.questions - scores.unseen,
            percent(scores.questions - scores.unseen, scores.questions),
            percent(scores.unseen_exact, scores.unseen),
        )?;
    }
    writeln!(
        out,
        "| operation | questions | exact | a wrong answer |\n|---|--:|--:|---|"
    )?;
    for row in &scores.operations {
        let example = row.example.as_ref().map(|[code, answer, truth]| {
            format!(
                "`{}`: `{}`, true `{}`",
                short(code),
                short(answer),
                short(truth)
            )
        });
        writeln!(
            out,
            "| `{}` | {} | {:.1} | {} |",
            clean(&row.name).replace('|', "\\|"),
            row.questions,
            percent(row.exact, row.questions),
            example.unwrap_or_default()
        )?;
    }
    Ok(())
}

/// Writes the fitted temperature to the configuration of a checkpoint.
fn fit(directory: &Path, answers: &[Answered<'_>]) -> anyhow::Result<()> {
    let predictions: Vec<(f64, bool)> = answers
        .iter()
        .map(|answered| {
            (
                answered.confidence,
                answered.answer.as_ref() == Some(&answered.truth),
            )
        })
        .collect();
    let Some(found) = fit_temperature(&predictions) else {
        bail!("nothing can be fitted: either all answers are right or none is");
    };
    let path = directory.join("config.json");
    let name = || path.display().to_string();
    let text = std::fs::read(&path).with_context(name)?;
    let mut config: serde_json::Value = serde_json::from_slice(&text).with_context(name)?;
    let Some(own) = config["codexec"].as_object_mut() else {
        bail!("{}: no `codexec` in it", name());
    };
    // An earlier temperature has already been applied.
    let before = own.get("temperature").and_then(serde_json::Value::as_f64);
    let temperature = found * before.unwrap_or(1.0);
    own.insert(
        "temperature".to_owned(),
        json!((temperature * 1000.0).round() / 1000.0),
    );
    write_whole(&path, format!("{config:#}\n").as_bytes()).with_context(name)?;
    note(&format!(
        "{}: temperature {temperature:.3}, fitted on {} answers",
        name(),
        answers.len()
    ));
    Ok(())
}

/// The wrong answers, one JSON object per line.
fn wrong_lines(answers: &[Answered<'_>]) -> String {
    let is_wrong = |answered: &&Answered<'_>| answered.answer.as_ref() != Some(&answered.truth);
    let line = |answered: &Answered<'_>| {
        let row = json!({
            "question": answered.code,
            "answer": answered.answer,
            "truth": answered.truth,
            "confidence": answered.confidence,
        });
        format!("{row}\n")
    };
    answers.iter().filter(is_wrong).map(line).collect()
}

/// The sources of the questions in these files.
fn among<'r>(chosen: &[&'r Record], files: &[PathBuf]) -> anyhow::Result<HashSet<&'r str>> {
    let asked: HashSet<&str> = chosen.iter().map(|r| r.code_tokens.as_str()).collect();
    let mut seen = HashSet::new();
    for file in files {
        for record in RecordReader::open(file)? {
            seen.extend(asked.get(record?.code_tokens.as_str()));
        }
    }
    Ok(seen)
}

/// The words of an answer, without its working and insignificant blanks.
fn joined(words: &str) -> String {
    without_working(words).split_whitespace().collect()
}

/// Text for a table cell.
fn short(text: &str) -> String {
    let text: String = clean(text).replace('|', "\\|").replace('`', "'");
    match text.char_indices().nth(48) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
