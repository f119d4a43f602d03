//! `codexec guide`: runs incomplete programs and reports the injected values.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::ValueEnum;
use codexec_data::sandbox::{Limits, Pool};
use codexec_data::trace::{Outcome, Program, Trace};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::json;

use super::guide_view::{Look, page, text};
use super::input::{
    are_many, expand_with_code, read_program, show_syntax_error, stdin_of, syntax_error,
};
use super::json::Json;
use super::learn;
use super::project::ProjectArgs;
use super::record;
use super::sandbox::{PackageArgs, SandboxArgs};
use super::view::text::clean;
use super::view::{counted, outcome_text};
use crate::analysis::with_calls;
use crate::guide::{Abstraction, GuideError, GuideOptions, Guided, guide, prepare};
use crate::values::Predictor;
use crate::values::predictors::{Combined, DEFAULT, Linear, Neural, PREDICTORS, predictor};

/// Output format of a guided run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Text for people.
    Text,
    /// One JSON document; JSON Lines for several programs.
    Json,
    /// A self-contained page.
    Html,
}

/// How classes become values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Classes {
    /// Values that fit their use; stand-ins if the use is unclear.
    Adaptive,
    /// The paper's 22, one value each.
    Fine,
    /// The paper's 12, one value each.
    Coarse,
    /// The paper's 12, with a value drawn for each.
    CoarseRandom,
}

/// Additional reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Report {
    /// Each line of the program, marked as executed or not.
    Coverage,
}

/// Predictors with weights.
const TRAINED: [&str; 3] = ["combined", "linear", "neural"];

/// Settings shared by `guide` and `diff`.
#[derive(Debug, clap::Args)]
pub(super) struct Settings {
    /// Predictor of missing values: combined, linear, type-use, neural, frequency, random, naive or
    /// as-is.
    #[arg(long, default_value = DEFAULT, value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(PREDICTORS))]
    pub predictor: String,
    /// Use this predictor instead of the embedded one: a file from `codexec guide learn`, or a
    /// neural predictor's directory from `codexec pretrain`.
    #[arg(long, value_name = "PATH")]
    pub predictor_model: Option<PathBuf>,
    /// How a class becomes a value (default: adaptive).
    #[arg(long, value_enum)]
    pub abstraction: Option<Classes>,
    /// Seed of random draws. The same seed gives the same run.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Maximum seconds per program.
    #[arg(long, default_value_t = 5.0, value_name = "S", value_parser = seconds)]
    pub timeout: f64,
    /// Maximum steps of a run.
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    pub max_steps: u32,
    /// Maximum text of a trace: everything its steps change and print.
    #[arg(long, default_value_t = 8 << 20, value_name = "BYTES", value_parser = super::trace_bytes)]
    pub max_trace: usize,
    /// Do not import names from the modules that usually define them.
    #[arg(long)]
    pub no_resolve: bool,
    /// Restrict an injected mapping to the keys that the program spells out; any other raises
    /// KeyError.
    #[arg(long)]
    pub strict: bool,
    /// Standard input of the programs.
    #[arg(long, value_name = "TEXT")]
    pub input: Option<String>,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
    #[command(flatten)]
    pub packages: PackageArgs,
}

/// Run incomplete programs: missing values are predicted, injected and shown.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec guide snippet.py                        what ran, what was injected, how it ended
  codexec guide main.py -- --top 3                with arguments; neighbouring modules and files are available
  codexec guide snippet.py --report coverage      each line, marked as executed or not
  codexec guide snippets/                         a directory, in parallel, with a summary
  codexec guide functions.py --call               also call the functions of the file
  codexec guide snippet.py --predictor as-is      as plain Python would run it
  codexec guide snippet.py --format html > run.html
  codexec guide record -- python -m pytest        record the values that your project uses
  codexec guide learn events.jsonl.zst            a predictor trained on them

Undefined names and attributes, modules that are not installed, missing files and calls of injected \
values get a value that fits their use. The program's own errors stay.")]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Programs: files, directories of .py files, or - for standard input.
    #[arg(required = true, value_name = "FILE")]
    programs: Vec<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// An additional report.
    #[arg(long, value_enum)]
    report: Option<Report>,
    /// Call functions and methods that the program never names, with injected arguments. The calls
    /// appear as lines after the program.
    #[arg(long)]
    call: bool,
    /// Also print the K most probable classes of each place (JSON only).
    #[arg(long, value_name = "K")]
    top: Option<usize>,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    project: ProjectArgs,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Record(record::Args),
    Learn(learn::Args),
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 3600.0 => Ok(value),
        _ => Err("expected seconds, more than 0 and at most 3600".to_owned()),
    }
}

/// One program's run.
pub(super) struct Ran {
    pub program: Program,
    pub guided: Guided,
    pub time: Duration,
    /// The program cannot be rewritten and was not run.
    is_unread: bool,
}

impl Ran {
    /// Whether the program can be run.
    fn has_begun(&self) -> bool {
        let outcome = &self.guided.trace.outcome;
        !self.is_unread && syntax_error(outcome).is_none()
    }
}

impl Settings {
    /// Workers for this many programs. `installed` is the default for importing installed packages.
    /// `references` numbers objects, as a page needs it.
    pub(super) fn pool(
        &self,
        programs: usize,
        installed: bool,
        references: bool,
    ) -> anyhow::Result<Pool> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let time = Duration::from_secs_f64(self.timeout);
        let limits = Limits {
            wall: time,
            cpu: time,
            max_steps: self.max_steps,
            max_bytes: self.max_trace,
            ..Limits::default()
        };
        let workers = cores.min(programs).max(1);
        let python = self.sandbox.python.as_deref();
        let packages = self.packages.packages(python, installed)?;
        let mut config = self.sandbox.config(workers, limits, packages);
        config.references = references;
        Ok(Pool::new(config)?)
    }

    pub(super) fn options(&self) -> GuideOptions {
        GuideOptions {
            abstraction: match self.abstraction.unwrap_or(Classes::Adaptive) {
                Classes::Adaptive => Abstraction::Adaptive,
                Classes::Fine => Abstraction::Fine,
                Classes::Coarse => Abstraction::Coarse,
                Classes::CoarseRandom => Abstraction::CoarseRandom,
            },
            resolve: !self.no_resolve,
            strict: self.strict,
            seed: self.seed,
            time: Duration::from_secs_f64(self.timeout),
            changed_elsewhere: false,
        }
    }

    pub(super) fn predictor(&self) -> anyhow::Result<Box<dyn Predictor>> {
        if self.predictor_model.is_some() && !TRAINED.contains(&&*self.predictor) {
            return Err(super::usage(
                "--predictor-model goes with --predictor combined, linear or neural",
            ));
        }
        self.named(&self.predictor)
    }

    /// The predictor with this name.
    pub(super) fn named(&self, name: &str) -> anyhow::Result<Box<dyn Predictor>> {
        match (&self.predictor_model, name) {
            (Some(directory), "neural") => return Ok(Box::new(Neural::open(directory)?)),
            (Some(file), "combined") => return Ok(Box::new(Combined::open(file)?)),
            (Some(file), "linear") => return Ok(Box::new(Linear::open(file)?)),
            _ => {}
        }
        match predictor(name, self.seed) {
            Some(found) => Ok(found),
            None => bail!("no predictor is named {name}"),
        }
    }

    /// Reads a program with its standard input: the given text, or the file beside it.
    pub(super) fn read(&self, file: &Path, project: &ProjectArgs) -> anyhow::Result<Program> {
        let mut program = read_program(file, stdin_of(file, self.input.as_deref(), None)?)?;
        project.equip(&mut program, file)?;
        Ok(program)
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Some(Command::Record(args)) => return record::run(args),
        Some(Command::Learn(args)) => return learn::run(args),
        None => {}
    }
    let files = expand_with_code(&args.programs)?;
    if args.format == Format::Html && files.len() > 1 {
        return Err(super::usage(
            "--format html shows one program; name one file",
        ));
    }
    let mut failed = 0;
    let mut programs = Vec::new();
    for file in &files {
        match args.settings.read(file, &args.project) {
            Ok(mut program) => {
                if args.call {
                    let source = program.source.as_deref().unwrap_or_default();
                    if let Some(calls) = with_calls(source)? {
                        program.source = Some(calls.text);
                        program.behind = Some(calls.behind);
                    }
                }
                programs.push(program);
            }
            Err(error) if files.len() == 1 => return Err(error),
            Err(error) => {
                failed += 1;
                super::say(&super::message(&error));
            }
        }
    }
    let many = are_many(&args.programs, &files);
    let ran = run_all(&args.settings, programs, args.format == Format::Html)?;
    for one in ran.iter().filter(|one| !one.has_begun()) {
        failed += 1;
        let source = one.program.source.as_deref().unwrap_or_default();
        let outcome = &one.guided.trace.outcome;
        super::say(&match syntax_error(outcome) {
            Some(error) => show_syntax_error(&one.program.id, source, &error),
            None => {
                let why = format!("{}: {}", one.program.id, outcome_text(outcome));
                super::message(&anyhow::Error::msg(why))
            }
        });
    }
    if many || args.form() == Format::Json || failed == 0 {
        args.write(&ran, many)?;
    }
    Ok(ExitCode::from(u8::from(failed > 0)))
}

/// Runs programs in parallel, one per worker. The results keep their order.
pub(super) fn run_all(
    settings: &Settings,
    programs: Vec<Program>,
    references: bool,
) -> anyhow::Result<Vec<Ran>> {
    let pool = settings.pool(programs.len(), true, references)?;
    let predictor = settings.predictor()?;
    let options = settings.options();
    let one = |program: Program| {
        let begun = Instant::now();
        let (guided, is_unread) = match guide(&pool, &program, predictor.as_ref(), &options) {
            Err(GuideError::Parse(error)) => {
                let why = error.to_string();
                (Guided::not_run(&program, Outcome::Killed { why }), true)
            }
            guided => (guided?, false),
        };
        Ok(Ran {
            guided,
            time: begun.elapsed(),
            program,
            is_unread,
        })
    };
    programs.into_par_iter().map(one).collect()
}

/// A run in its output form. The trace, which can be long, is written as it is walked.
#[derive(Serialize)]
struct Document<'r> {
    id: &'r str,
    outcome: &'r Outcome,
    coverage: serde_json::Value,
    covered: serde_json::Value,
    /// The executable lines.
    counted: serde_json::Value,
    returned: serde_json::Value,
    injected: serde_json::Value,
    trace: &'r Trace,
    #[serde(skip_serializing_if = "Option::is_none")]
    predictions: Option<serde_json::Value>,
}

impl Args {
    /// Output format of runs.
    fn form(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    fn write(&self, ran: &[Ran], many: bool) -> anyhow::Result<()> {
        let mut out = anstream::stdout().lock();
        let look = Look {
            color: std::io::stdout().is_terminal(),
            coverage: self.report == Some(Report::Coverage),
        };
        for one in ran {
            match self.form() {
                Format::Json if many => writeln!(out, "{}", Json(self.json(one)?))?,
                Format::Json => writeln!(out, "{:#}", Json(self.json(one)?))?,
                Format::Html => write!(out, "{}", page(&one.program, &one.guided)?)?,
                Format::Text if many => writeln!(out, "{}", row(one))?,
                Format::Text => write!(out, "{}", text(&one.program, &one.guided, look))?,
            }
        }
        if many && self.form() == Format::Text {
            writeln!(out, "{}", summary(ran))?;
        }
        Ok(out.flush()?)
    }

    fn json<'r>(&self, one: &'r Ran) -> anyhow::Result<Document<'r>> {
        let predictions = self.top.map(|top| self.predictions(one, top));
        Ok(Document {
            id: &one.program.id,
            outcome: &one.guided.trace.outcome,
            coverage: json!(one.guided.coverage),
            covered: json!(one.guided.covered),
            counted: json!(one.guided.lines),
            returned: json!(one.guided.returned),
            injected: json!(one.guided.injected),
            trace: &one.guided.trace,
            predictions: predictions.transpose()?,
        })
    }

    /// The top predictions for every place, whether its value is missing or not.
    fn predictions(&self, one: &Ran, top: usize) -> anyhow::Result<serde_json::Value> {
        let source = one.program.source.as_deref().unwrap_or_default();
        let prepared = prepare(source)?;
        let predictor = self.settings.predictor()?;
        let locations = &prepared.instrumented.locations;
        let queries: Vec<_> = locations
            .iter()
            .map(|p| prepared.query(source, p))
            .collect();
        let predicted = predictor.predict_all(&queries);
        let places = locations.iter().zip(predicted).map(|(place, predicted)| {
            let classes = predicted.iter().take(top);
            let classes = classes.map(|p| json!({"class": p.class, "sure": p.probability}));
            json!({
                "line": place.line,
                "kind": place.kind,
                "name": place.name,
                "classes": classes.collect::<Vec<_>>(),
            })
        });
        Ok(places.collect())
    }
}

/// One program of many.
fn row(one: &Ran) -> String {
    let share = match one.has_begun() {
        true => one.guided.coverage.share(),
        false => 0.0,
    };
    format!(
        "{:>5.1}%  {:>3} made up  {}  {}",
        100.0 * share,
        one.guided.injected.len(),
        clean(&one.program.id),
        outcome_text(&one.guided.trace.outcome)
    )
}

fn summary(ran: &[Ran]) -> String {
    let ran: Vec<&Ran> = ran.iter().filter(|one| one.has_begun()).collect();
    let count = ran.len().max(1) as f64;
    let mean = ran.iter().map(|r| r.guided.coverage.share()).sum::<f64>() / count;
    let full = ran.iter().filter(|r| r.guided.coverage.is_full()).count();
    let lines: usize = ran.iter().map(|r| r.guided.coverage.lines).sum();
    let time: Duration = ran.iter().map(|r| r.time).sum();
    format!(
        "{}: {:.1}% of their lines on average, {:.1}% executed whole, {:.2} ms a line",
        counted(ran.len(), "program"),
        100.0 * mean,
        100.0 * full as f64 / count,
        1000.0 * time.as_secs_f64() / lines.max(1) as f64
    )
}
