//! `codexec eval`: scores an engine and its baselines on files of examples, with confidence
//! intervals.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use codexec_data::files::Existing;
use codexec_data::records::{Kind, Record, read_records};
use codexec_data::sandbox::Limits;
use codexec_data::sources::{OrcaProgram, is_orca_file, read_orca_predictions, read_orca_set};
use codexec_data::trace::Program;

use super::engines::{Beside, EngineArgs, Search, beside};
use super::eval_output::{check_results, write_results};
use super::json::Json;
use super::{
    eval_compare, eval_errors, eval_guide, eval_prefix, eval_questions, eval_rerank, eval_search,
    figures, progress_bar,
};
use crate::engine::{Answer, Engine, Need, Question, Row, Settings};
use crate::eval::answers::Answers;
use crate::eval::orca_set::{self, Stored, evaluate_orca};
use crate::eval::records::{evaluate, from_statement, learn, of_entry, program_of, truth_of};
use crate::eval::{Evaluation, RESULTS_VERSION, SetResults};

/// Score an engine and its baselines on files of examples.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "\
Examples:
  codexec data traces examples --out valid.jsonl
  codexec eval --data valid.jsonl
  codexec eval --data valid.jsonl --no-fold               the network is asked everything
  codexec eval --data valid.jsonl --also no-fold,whole      also the network alone, and whole traces
  codexec eval --data valid.jsonl --whole --beam 1,5,10   three widths of the beam side by side
  codexec eval --data valid.jsonl --engine run            check the data
  codexec eval --data incomplete.json.gz                  ORCA's set, beside the stored predictions
  codexec eval --data lines.jsonl --data valid.jsonl --out results
  codexec eval --data valid.jsonl --html results.html     a page with charts
  codexec eval --data incomplete.json.gz --engine guide   executed with injected values
  codexec eval --data incomplete.json.gz --engine orca --model gpt-4o-mini --answers kept.jsonl
  codexec eval guide --programs functions.jsonl.gz        coverage of incomplete programs
  codexec eval prefix --programs functions.jsonl.gz       the same, with prefixes prepended
  codexec eval errors errors.jsonl.zst                    predictions of runtime errors
  codexec eval questions questions.jsonl.zst              the planner's questions, by operation
  codexec eval rerank candidates.jsonl                    rankings of generated programs
  codexec eval search valid.jsonl.zst                     code-to-code search
  codexec eval compare old new                            which differences are significant

The metrics are the paper's: output accuracy, trace accuracy, precision, recall and F1 of lines and \
of identifiers, on the paper form; structural ones; and ORCA's for its own set. Every score has a \
95 % interval (bootstrap over programs). Baselines: `no change`, and `most frequent` (learned from \
--train). docs/evaluation.md defines the metrics.")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Examples as written by `codexec data`: JSON Lines(.zst), Parquet, or a directory of such
    /// files; or a data set of ORCA (.json, .json.gz). Can be repeated.
    #[arg(long, value_name = "FILE", required = true)]
    data: Vec<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
    /// Other engines to compare with. `no-fold` and `fold-operators` are the planner with less
    /// folding.
    #[arg(long, value_delimiter = ',', value_name = "ENGINE", value_parser = beside())]
    also: Vec<Beside>,
    /// Examples that the `most frequent` baseline learns from.
    #[arg(long, value_name = "FILE")]
    train: Vec<PathBuf>,
    /// Hypotheses of beam search [default: 10 with --whole], or worlds of planning [default: 1].
    /// Several widths, such as 1,5,10, are scored side by side; breakdowns and calibration are
    /// those of the first
    #[arg(long, value_delimiter = ',', value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=64))]
    beam: Vec<u16>,
    /// Score at most this many examples of each kind, sampled evenly from each file.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Allow predicted lines in any order, instead of only the program's control flow.
    #[arg(long)]
    no_flow: bool,
    /// Bootstrap resamples per interval; 0 for no intervals.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(..=100_000))]
    bootstrap: u32,
    /// Seed of the resamples.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print one JSON document with the score of every example, instead of Markdown tables.
    #[arg(long)]
    json: bool,
    /// Also write results.md and results.json to this directory.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write an HTML page: tables with intervals as bars, and confidence against accuracy.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Overwrite existing results in --out and the page of --html.
    #[arg(long)]
    force: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Compare(eval_compare::Args),
    Errors(eval_errors::Args),
    Guide(eval_guide::Args),
    Prefix(eval_prefix::Args),
    Questions(eval_questions::Args),
    Rerank(eval_rerank::Args),
    Search(eval_search::Args),
}

/// The contents of one `--data`.
enum Data {
    Records(Vec<Record>),
    Orca(Vec<OrcaProgram>, Vec<Stored>),
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Some(Command::Compare(args)) => return eval_compare::run(args),
        Some(Command::Errors(args)) => return eval_errors::run(args),
        Some(Command::Guide(args)) => return eval_guide::run(args),
        Some(Command::Prefix(args)) => return eval_prefix::run(args),
        Some(Command::Questions(args)) => return eval_questions::run(args),
        Some(Command::Rerank(args)) => return eval_rerank::run(args),
        Some(Command::Search(args)) => return eval_search::run(args),
        None => {}
    }
    args.check_usage()?;
    if args.rows().any(|row| row.has(Need::Network)) && !args.engine.asks_server() {
        super::single_threaded_products()?;
    }
    // Checked before predictions start, since these may take hours.
    let data = args
        .data
        .iter()
        .map(|path| read(path))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let mut train = Vec::new();
    for path in &args.train {
        train.extend(read_records(path)?);
    }
    if let Some(directory) = &args.out {
        std::fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
        check_results(directory, Existing::replace_if(args.force))?;
    }
    let _page = match &args.html {
        Some(path) => Some(super::data::reserve(path, args.force)?),
        None => None,
    };
    let engines = args.engines()?;
    let heading = engines.first().map(|(_, engine)| engine.heading());
    let mut evaluation = Evaluation {
        version: RESULTS_VERSION,
        engine: heading.unwrap_or_default(),
        settings: args.settings(),
        bootstrap: args.bootstrap as usize,
        seed: args.seed,
        sets: Vec::new(),
    };
    for (path, data) in args.data.iter().zip(&data) {
        let name = name_of(path);
        match data {
            Data::Records(records) => {
                for kind in Kind::ALL {
                    let set = args.records(path, kind, records, &train, &engines)?;
                    evaluation.sets.extend(set);
                }
            }
            Data::Orca(programs, stored) => {
                let chosen = evenly(programs.iter().collect(), args.limit);
                let asked: Vec<Program> =
                    (chosen.iter()).map(|p| orca_set::program_of(p)).collect();
                let question = Question {
                    lacks_imports: true,
                    ..Question::of(&asked)
                };
                let answers = args.answers(&engines, &question)?;
                let draws = (args.bootstrap as usize, args.seed);
                let set = evaluate_orca(&name, &chosen, &answers, stored, draws);
                evaluation.sets.push(set);
            }
        }
    }
    if let Some(directory) = &args.out {
        write_results(directory, &evaluation)?;
    }
    if let Some(path) = &args.html {
        let about = figures::about(&evaluation);
        figures::write(
            path,
            "Results",
            Some(about),
            figures::evaluation(&evaluation),
        )?;
    }
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{}", Json(&evaluation))?;
    } else {
        write!(out, "{evaluation}")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Display name of a file in results.
fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Reads a file of examples and checks every truth in it.
fn read(path: &Path) -> anyhow::Result<Data> {
    if !path.is_dir() && is_orca_file(path) {
        let programs = read_orca_set(path)?;
        if programs.is_empty() {
            bail!("{}: no program in it", path.display());
        }
        let mut stored = Vec::new();
        for (title, file) in stored_beside(path) {
            stored.push((title, read_orca_predictions(&file)?));
        }
        return Ok(Data::Orca(programs, stored));
    }
    let records = read_records(path)?;
    if records.is_empty() {
        bail!("{}: no example in it", path.display());
    }
    for record in &records {
        if !record.has_trace() {
            bail!(
                "{}: record {} has no trace (its outcome: {}); `codexec data traces` makes some, and `codexec mutate` \
                 without --no-run",
                path.display(),
                record.id,
                record.outcome
            );
        }
        truth_of(record).with_context(|| format!("{}: record {}", path.display(), record.id))?;
    }
    Ok(Data::Records(records))
}

/// Predictions stored beside a set `NAME.json.gz`: every `NAME-WHO.json.gz`, sorted by name.
fn stored_beside(set: &Path) -> Vec<(String, PathBuf)> {
    let text = |path: &Path| path.file_name().map(|n| n.to_string_lossy().into_owned());
    let name = text(set).unwrap_or_default();
    let (stem, suffix) = name.split_at(name.find(".json").unwrap_or(name.len()));
    let directory = set.parent().filter(|p| !p.as_os_str().is_empty());
    let entries = std::fs::read_dir(directory.unwrap_or(Path::new(".")));
    let files = entries.into_iter().flatten().flatten().map(|e| e.path());
    let mut found: Vec<(String, PathBuf)> = files
        .filter_map(|file| {
            let name = text(&file)?;
            let who = name.strip_prefix(stem)?.strip_prefix('-')?;
            let who = who.strip_suffix(suffix)?;
            Some((format!("stored: {who}"), file))
        })
        .collect();
    found.sort();
    found
}

/// An engine and its row.
type Opened = (&'static Row, Box<dyn Engine>);

impl Args {
    /// The rows of all engines to score.
    fn rows(&self) -> impl Iterator<Item = &'static Row> {
        let beside = self.also.iter().map(|beside| beside.row);
        std::iter::once(self.engine.row()).chain(beside)
    }

    /// The selected engine, once for each beam width, and the engines to compare with, with default
    /// settings.
    fn engines(&self) -> anyhow::Result<Vec<Opened>> {
        let settings = self.engine_settings()?;
        let row = self.engine.row();
        let mut engines: Vec<Opened> = Vec::new();
        engines.extend(
            (row.open)(&settings)?
                .into_iter()
                .map(|engine| (row, engine)),
        );
        for beside in &self.also {
            let row = beside.row;
            let settings = Settings {
                model: None,
                quantised: false,
                widths: Vec::new(),
                rule: None,
                flow: true,
                min_confidence: 0.0,
                fold: beside.fold,
                answers: None,
                server: settings.server.clone().filter(|_| !row.has(Need::Model)),
                ..settings.clone()
            };
            engines.extend(
                (row.open)(&settings)?
                    .into_iter()
                    .map(|engine| (row, engine)),
            );
        }
        Ok(engines)
    }

    fn settings(&self) -> Vec<(String, String)> {
        let mut settings = Vec::new();
        if self.engine.row().has(Need::Network) && !self.engine.asks_server() {
            if !self.beam.is_empty() {
                let widths: Vec<String> = self.beam.iter().map(u16::to_string).collect();
                settings.push(("beam".to_owned(), widths.join(", ")));
            }
            let flow = if self.no_flow { "off" } else { "on" };
            settings.push(("flow".to_owned(), flow.to_owned()));
            if self.engine.search == Some(Search::Published) {
                settings.push(("search".to_owned(), "published".to_owned()));
            }
            if self.engine.quantised {
                settings.push(("weights".to_owned(), "8 bits".to_owned()));
            }
        }
        if let Some(limit) = self.limit {
            settings.push(("limit".to_owned(), limit.to_string()));
        }
        settings
    }

    /// Checks that the parser cannot make: options that the engine would ignore.
    fn check_usage(&self) -> anyhow::Result<()> {
        let own = [
            ("--beam", Need::Beam, !self.beam.is_empty()),
            ("--no-flow", Need::Search, self.no_flow),
        ];
        self.engine.check_usage(&own, false)?;
        if self.force && self.out.is_none() && self.html.is_none() {
            return Err(super::usage(
                "--force overwrites what --out or --html names; name one",
            ));
        }
        // Engines to compare with may query the same network.
        if self.also.is_empty() {
            self.engine.warn_of_unasked(!self.beam.is_empty());
        }
        Ok(())
    }

    fn engine_settings(&self) -> anyhow::Result<Settings> {
        Ok(Settings {
            widths: self.beam.iter().copied().map(usize::from).collect(),
            flow: !self.no_flow,
            together: true,
            // Scores should not depend on the machine.
            ..self.engine.settings(0, Limits::default(), false)?
        })
    }

    /// The answers of each engine.
    fn answers(&self, engines: &[Opened], question: &Question<'_>) -> anyhow::Result<Vec<Answers>> {
        let mut all = Vec::with_capacity(engines.len());
        for (row, engine) in engines {
            let doing = match row.executes {
                true => "running",
                false => "predicting",
            };
            let bar = progress_bar(question.programs.len() as u64, doing);
            let mut answers = Vec::with_capacity(question.programs.len());
            let mut done = |_: &Program, answer: Answer| {
                answers.push(answer);
                bar.inc(1);
                ControlFlow::Continue(())
            };
            engine.answer(question, &mut done)?;
            bar.finish_and_clear();
            all.push(Answers::of(engine.label(question), answers));
        }
        Ok(all)
    }

    /// Results on the examples of one kind. `None` if there are none.
    fn records(
        &self,
        path: &Path,
        kind: Kind,
        records: &[Record],
        train: &[Record],
        engines: &[Opened],
    ) -> anyhow::Result<Option<SetResults>> {
        let all = records.iter().filter(|r| r.kind == kind).collect();
        let chosen = evenly(all, self.limit);
        if chosen.is_empty() {
            return Ok(None);
        }
        let stood = |record: &&Record| {
            let mut program = program_of(record);
            let stood = record.standing().equip(&mut program, path);
            stood.map_err(|why| {
                anyhow::anyhow!("{}: record {}: {why}", path.display(), record.id)
            })?;
            Ok(program)
        };
        let programs: anyhow::Result<Vec<Program>> = chosen.iter().map(stood).collect();
        let programs = programs?;
        let question = Question {
            kind,
            ..Question::of(&programs)
        };
        let mut answers = self.answers(engines, &question)?;
        for ((row, _), answers) in engines.iter().zip(&mut answers) {
            for trace in answers.traces.iter_mut().flatten() {
                of_entry(trace);
            }
            if kind != Kind::SingleLine || row.has(Need::Search) {
                continue;
            }
            for (trace, record) in answers.traces.iter_mut().zip(&chosen) {
                if let Some(ran) = trace {
                    *ran = from_statement(ran, &truth_of(record)?);
                }
            }
        }
        let name = format!("{}, {}", name_of(path), kind.name());
        let draws = (self.bootstrap as usize, self.seed);
        let frequent = learn(train, kind);
        let set = evaluate(&name, kind, &chosen, &answers, &frequent, draws)?;
        Ok(Some(set))
    }
}

/// At most `count` of `all`, spread evenly.
fn evenly<T: Copy>(all: Vec<T>, count: Option<u32>) -> Vec<T> {
    let count = count.map_or(all.len(), |n| (n as usize).min(all.len()));
    (0..count).map(|k| all[k * all.len() / count]).collect()
}
