//! `codexec trace`: the trace of a program, predicted, run, or guided.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use candle_core::{DType, Device};
use clap::ValueEnum;
use codexec_data::records::TraceWriter;
use codexec_data::sandbox::{Limits, Pool, PoolConfig};
use codexec_data::tokenizer::SyntaxError;
use codexec_data::trace::{Outcome, Program, Trace};
use serde_json::json;

use super::input::{expand, read_program, read_text, show_syntax_error};
use super::json::Json;
use super::packages::PackageArgs;
use super::view::text::{clean, clean_but_tabs};
use super::view::{self, ViewStyle};
use super::{terminal, usage, warn};
use crate::decode::Rule;
use crate::eval::{first_divergence, score_traces};
use crate::guide::{GuideOptions, guide};
use crate::model::Checkpoint;
use crate::tasks::default_model;
use crate::tasks::evaluation::paper_text;
use crate::tasks::trace::{PredictOptions, Predicted, predict_each};
use crate::values::predictors::standard;

/// Which engine writes the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// A network predicts the trace; nothing is executed.
    Predict,
    /// CPython executes the program in the sandbox.
    Run,
    /// CPython executes it; missing values are injected (see `codexec guide`).
    Guide,
}

/// How the trace is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// The JSON form; JSON Lines for several programs.
    Json,
    /// The paper's form: `<line> <0> <state> a : 1 </state>`.
    Paper,
}

/// How beam search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Search {
    /// As published: until as many hypotheses have ended as the beam is wide.
    Published,
    /// Among tokens at least half as likely as the likeliest, until no hypothesis that goes on can
    /// become better than the best that ended.
    Best,
}

impl From<Search> for Rule {
    fn from(search: Search) -> Self {
        match search {
            Search::Published => Self::Published,
            Search::Best => Self::Best,
        }
    }
}

/// Write the trace of a program: predicted, executed, or executed with injected values.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec trace examples/01_add.py                             predict; nothing is executed
  codexec trace examples/01_add.py --compare                   compare with the execution
  codexec trace examples/06_gcd.py --engine run --input '9 6'  execute in the sandbox
  codexec trace snippet.py --engine guide                      execute with injected values
  codexec trace examples --engine run --out traces.parquet     typed rows for datasets, Polars, Arrow
  codexec trace examples/02_list_ops.py --engine run --wide    whole values, however long
  cat examples/03_sum_loop.py | codexec trace - --format json

Traces of several programs are written in the order of the programs, each as soon as it is there. Text is
as wide as the terminal, or as COLUMNS says. Control characters, and those that turn text around, are
escaped in every form.

A NAME.in beside NAME.py is its standard input unless --stdin or --input is given.")]
pub(super) struct Args {
    /// Programs: files, directories of .py files, or - for standard input.
    #[arg(required = true, value_name = "PROGRAM")]
    programs: Vec<PathBuf>,
    /// Which engine writes the trace.
    #[arg(long, value_enum, default_value_t = Engine::Predict)]
    engine: Engine,
    /// File with the standard input of the programs.
    #[arg(long, value_name = "FILE", conflicts_with = "input")]
    stdin: Option<PathBuf>,
    /// Standard input of the programs.
    #[arg(long, value_name = "TEXT")]
    input: Option<String>,
    /// Hypotheses kept by beam search; 1 is greedy.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=64))]
    beam: u16,
    /// How beam search goes: without it `best` for our own checkpoints, and `published` for those that
    /// write the paper's form.
    #[arg(long, value_enum, value_name = "HOW")]
    search: Option<Search>,
    /// Most steps of a trace.
    #[arg(long, default_value_t = 1024, value_name = "N")]
    max_steps: u32,
    /// Checkpoint directory, or a name on the Hugging Face hub; the embedded one without it.
    #[arg(long, value_name = "DIR|NAME")]
    model: Option<String>,
    /// Round the weights to 8 bits: a quarter of the memory, and faster with large checkpoints.
    #[arg(long)]
    quantised: bool,
    /// How the trace is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Show whole values, in lines that may be longer than the terminal is wide.
    #[arg(long)]
    wide: bool,
    /// The same as --format json.
    #[arg(long)]
    json: bool,
    /// Execute the program, too, and show the first difference.
    #[arg(long)]
    compare: bool,
    /// Write the traces to this file, one a row with the same columns (docs/data.md): .jsonl, .jsonl.zst
    /// or .parquet.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["compare", "json"], value_parser = super::data::records_file)]
    out: Option<PathBuf>,
    /// Overwrite the file that is there.
    #[arg(long, requires = "out")]
    force: bool,
    /// Seed; has no effect yet, because all engines are deterministic.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Interpreter for the sandbox instead of the one found on the path.
    #[arg(long, value_name = "FILE")]
    python: Option<PathBuf>,
    #[command(flatten)]
    packages: PackageArgs,
    /// Run programs even where the machine cannot isolate them.
    #[arg(long)]
    unsafe_no_sandbox: bool,
}

/// One program's results.
struct Traced<'p> {
    program: &'p Program,
    trace: Trace,
    actual: Option<Trace>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.check_usage()?;
    let files = expand(&args.programs)?;
    let _reserved = match &args.out {
        Some(path) => Some(super::data::reserve(path, args.force)?),
        None => None,
    };
    if args.engine == Engine::Predict && (args.model.is_none() || files.len() > 1) {
        super::single_threaded_products()?;
    }
    let mut failed = 0usize;
    let mut programs = Vec::new();
    for file in &files {
        match args
            .stdin_of(file)
            .and_then(|stdin| read_program(file, stdin))
        {
            Ok(program) => programs.push(program),
            Err(error) if files.len() == 1 => return Err(error),
            Err(error) => {
                failed += 1;
                super::say(&super::message(&error));
            }
        }
    }
    let mut output = Output::new(args, files.len() > 1)?;
    failed += match args.engine {
        Engine::Predict => predict_all(args, &programs, &mut output)?,
        Engine::Run | Engine::Guide => run_all(args, programs, &mut output)?,
    };
    output.finish()?;
    Ok(if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// Runs programs one by one and writes each trace; the number of programs that do not parse.
fn run_all(args: &Args, programs: Vec<Program>, output: &mut Output<'_>) -> anyhow::Result<usize> {
    let pool = args.pool(programs.len())?;
    let mut failed = 0;
    let options = GuideOptions {
        seed: args.seed,
        time: Limits::default().wall,
        ..GuideOptions::default()
    };
    for program in programs {
        let trace = match args.engine {
            Engine::Guide => guide(&pool, &program, standard().as_ref(), &options)?.trace,
            _ => pool.run(&program)?,
        };
        if let Outcome::SyntaxError {
            line,
            column,
            message,
        } = &trace.outcome
        {
            failed += 1;
            let error = SyntaxError {
                line: *line,
                column: *column,
                message: message.clone(),
            };
            report_syntax_error(&program, &error);
            continue;
        }
        let traced = Traced {
            program: &program,
            trace,
            actual: None,
        };
        output.write(&traced)?;
    }
    Ok(failed)
}

/// Predicts programs and writes each trace in its turn; the number of programs that do not parse.
fn predict_all(
    args: &Args,
    programs: &[Program],
    output: &mut Output<'_>,
) -> anyhow::Result<usize> {
    let mut checkpoint = load_model(args.model.as_deref())?;
    if args.quantised {
        checkpoint = checkpoint.quantised()?;
    }
    let pool = if args.compare {
        Some(args.pool(programs.len())?)
    } else {
        None
    };
    let options = PredictOptions {
        beam: usize::from(args.beam),
        max_steps: args.max_steps as usize,
        rule: args.search.map(Rule::from),
        ..PredictOptions::default()
    };
    let mut failed = 0;
    let write = |program: &Program, predicted: Predicted| -> anyhow::Result<()> {
        let prediction = match predicted {
            Ok(prediction) => prediction,
            Err(error) => {
                failed += 1;
                report_syntax_error(program, &error);
                return Ok(());
            }
        };
        if prediction.source_cut {
            let limit = checkpoint.config.codexec.max_source;
            warn(&format!(
                "{}: longer than the model's window of {limit} tokens; only its beginning was read",
                program.id
            ));
        }
        // The other forms say it themselves.
        if args.form() == Format::Paper && prediction.trace.truncated {
            let why = view::truncation_text(&prediction.trace);
            warn(&format!("{}: {why}", program.id));
        }
        // Beside a prediction, which names instances by their class alone.
        let actual = pool.as_ref().map(|pool| pool.run(program)).transpose()?;
        let actual = actual.map(Trace::short);
        let traced = Traced {
            program,
            trace: prediction.trace,
            actual,
        };
        output.write(&traced)
    };
    predict_each(&checkpoint, programs, &options, write)?;
    Ok(failed)
}

fn report_syntax_error(program: &Program, error: &SyntaxError) {
    let source = program.source.as_deref().unwrap_or("");
    super::say(&show_syntax_error(&program.id, source, error));
}

/// The embedded checkpoint, or the one that is named.
pub(super) fn load_model(name: Option<&str>) -> anyhow::Result<Checkpoint> {
    let device = Device::Cpu;
    Ok(match name {
        None => default_model::load(&device)?,
        Some(name) => Checkpoint::open(name, &device, DType::F32)?,
    })
}

impl Args {
    /// What the parser does not see: options that contradict each other.
    fn check_usage(&self) -> anyhow::Result<()> {
        let paper = self.format == Format::Paper;
        let dashes = self.programs.iter().filter(|p| p.as_os_str() == "-");
        Err(usage(if self.compare && self.engine != Engine::Predict {
            "--compare sets a prediction beside the truth; use it with --engine predict"
        } else if self.compare && paper {
            "--compare has no paper form; use --format text or json"
        } else if self.json && paper {
            "--json is --format json; leave out one of --json and --format paper"
        } else if dashes.count() > 1 {
            "standard input can be read once: give - once"
        } else {
            return Ok(());
        }))
    }

    fn stdin_of(&self, file: &std::path::Path) -> anyhow::Result<Option<String>> {
        if let Some(text) = &self.input {
            return Ok(Some(text.clone()));
        }
        let beside = file.with_extension("in");
        match &self.stdin {
            Some(path) => read_text(path).map(Some),
            None if file.extension().is_some() && beside.is_file() => read_text(&beside).map(Some),
            None => Ok(None),
        }
    }

    fn pool(&self, programs: usize) -> anyhow::Result<Pool> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Pool::new(PoolConfig {
            python: self.python.clone(),
            workers: cores.min(programs).max(1),
            limits: Limits {
                max_steps: self.max_steps,
                ..Limits::default()
            },
            packages: self.packages.packages(self.engine == Engine::Guide),
            unsafe_no_sandbox: self.unsafe_no_sandbox,
            ..PoolConfig::default()
        })?)
    }

    /// How traces are written.
    fn form(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// Where traces go: rows of a file, or standard output.
struct Output<'a> {
    args: &'a Args,
    /// There are several, so that each is named.
    many: bool,
    rows: Option<TraceWriter>,
}

impl<'a> Output<'a> {
    fn new(args: &'a Args, many: bool) -> anyhow::Result<Self> {
        let rows = args.out.as_deref().map(TraceWriter::create).transpose()?;
        Ok(Self { args, many, rows })
    }

    /// Writes one of the traces, so that a reader of standard output has it at once.
    fn write(&mut self, one: &Traced<'_>) -> anyhow::Result<()> {
        if let Some(rows) = &mut self.rows {
            return Ok(rows.push(&one.trace)?);
        }
        let many = self.many;
        let mut out = anstream::stdout().lock();
        match self.args.form() {
            Format::Json if many => writeln!(out, "{}", Json(one.json()))?,
            Format::Json => writeln!(out, "{:#}", Json(one.json()))?,
            Format::Paper => writeln!(out, "{}", clean_but_tabs(&paper_text(&one.trace)))?,
            Format::Text => {
                if many {
                    writeln!(out, "== {}", clean(&one.program.id))?;
                }
                writeln!(out, "{}", one.text(self.args.wide))?;
            }
        }
        Ok(out.flush()?)
    }

    /// Gives the file its name, if there is one.
    fn finish(self) -> anyhow::Result<()> {
        Ok(self.rows.map_or(Ok(()), TraceWriter::finish)?)
    }
}

impl Traced<'_> {
    fn json(&self) -> serde_json::Value {
        let Some(actual) = &self.actual else {
            return json!(self.trace);
        };
        let scores = score_traces([(paper_text(&self.trace), paper_text(actual))]);
        json!({
            "predicted": self.trace,
            "actual": actual,
            "divergence": first_divergence(&self.trace, actual),
            "metrics": scores,
        })
    }

    fn text(&self, wide: bool) -> String {
        let source = self.program.source.as_deref().unwrap_or("");
        let style = ViewStyle {
            wide,
            ..terminal::style()
        };
        match &self.actual {
            None => view::render(&self.trace, source, &style),
            Some(actual) => view::render_comparison(&self.trace, actual, source, &style),
        }
    }
}
