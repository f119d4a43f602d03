//! `codexec trace`: the trace of a program, by one of the engines.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::ValueEnum;
use codexec_data::records::TraceWriter;
use codexec_data::sandbox::{Limits, Pool};
use codexec_data::syntax::SyntaxError;
use codexec_data::trace::{Outcome, Program, Trace};
use serde_json::json;

use super::engines::EngineArgs;
use super::guide::seconds;
use super::input::{
    are_many, expand_with_code, read_program, show_syntax_error, stdin_of, syntax_error,
};
use super::json::Json;
use super::view::text::{clean, clean_but_tabs};
use super::view::{self, ViewStyle};
use super::{terminal, usage, warn};
use crate::engine::project::{Files, above_packages};
use crate::engine::{Answer, Answered, Need, Question, Settings, Unanswered};
use crate::eval::records::paper_text;
use crate::eval::{first_divergence, score_traces};
use crate::guide::GuideOptions;
use codexec_plan::machine::Finder;

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

/// Write the trace of a program: predicted, executed, or executed with injected values.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec trace examples/01_add.py                             predict; nothing is executed
  codexec trace examples/01_add.py --no-fold                   ask the network everything
  codexec trace examples/01_add.py --whole --beam 5            beam search over whole traces
  codexec trace examples/01_add.py --compare                   compare with the execution
  codexec trace examples/06_gcd.py --engine run --input '9 6'  execute in the sandbox
  codexec trace snippet.py --engine guide                      execute with injected values
  codexec trace prog.py --no-fold --answers kept.jsonl         keep the network's answers; reuse them
  codexec trace prog.py --endpoint http://localhost:11434/v1 --model qwen2.5-coder
                                                               a language model answers
  codexec trace prog.py --engine orca --endpoint http://localhost:11434/v1 --model qwen2.5-coder
                                                               it plans the whole execution
  codexec trace -m shop.report                                 a module of the project in this directory
  codexec trace tests/test_stack.py --root .                   modules are found in this directory
  codexec trace examples --engine run --out traces.parquet     typed rows for Polars, Arrow
  codexec trace examples/02_list_ops.py --engine run --wide    whole values, however long
  cat examples/03_sum_loop.py | codexec trace - --format json

Traces of several programs are written in the order of the programs, each as soon as it is there. Text is \
as wide as the terminal, or as COLUMNS says. Control characters, and those that turn text around, are \
escaped in every form.

A NAME.in beside NAME.py is its standard input unless --stdin or --input is given.")]
pub(super) struct Args {
    /// Programs: files, directories of .py files, or - for standard input.
    #[arg(required_unless_present = "module", value_name = "PROGRAM")]
    programs: Vec<PathBuf>,
    /// A module to execute as `python -m` does, found from --root or the working directory.
    #[arg(short, long, value_name = "MODULE", conflicts_with_all = ["programs", "out"])]
    module: Option<String>,
    #[command(flatten)]
    engine: EngineArgs,
    /// File with the standard input of the programs.
    #[arg(long, value_name = "FILE", conflicts_with = "input")]
    stdin: Option<PathBuf>,
    /// Standard input of the programs.
    #[arg(long, value_name = "TEXT")]
    input: Option<String>,
    /// Directory in which the modules that a program imports are looked for before the standard library, or `none`
    /// [default: that of the program]
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    root: Option<PathBuf>,
    /// Hypotheses of beam search [default: 10 with --whole], or worlds that planning goes on in where an answer is
    /// unsure [default: 1]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=64))]
    beam: Option<u16>,
    /// Most steps of a trace.
    #[arg(long, default_value_t = 1024, value_name = "N")]
    max_steps: u32,
    /// Most text of a trace: of names, values and output of all its steps.
    #[arg(long, default_value_t = Limits::default().max_bytes, value_name = "BYTES", value_parser = super::trace_bytes)]
    max_trace: usize,
    /// Seconds that a program may run where it is executed [default: 1], or CPU seconds that planning it may take
    /// [default: 10].
    #[arg(long, value_name = "S", value_parser = seconds)]
    timeout: Option<f64>,
    /// How the trace is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Show whole values, in lines that may be longer than the terminal is wide, and all steps of a long trace.
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
}

/// One program's results.
struct Traced<'p> {
    program: &'p Program,
    trace: Trace,
    actual: Option<Trace>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.check_usage()?;
    let entry = args.entry()?;
    let files = match &entry {
        Some(entry) => vec![entry.file.clone()],
        None => expand_with_code(&args.programs)?,
    };
    let _reserved = match &args.out {
        Some(path) => Some(super::data::reserve(path, args.force)?),
        None => None,
    };
    let engine = &args.engine;
    let network = engine.row().has(Need::Network) && !engine.asks_server() && !engine.asks_nobody();
    if network && (engine.model.is_none() || files.len() > 1) {
        super::single_threaded_products()?;
    }
    let (mut programs, mut unread) = (Vec::new(), Vec::new());
    for file in &files {
        match args.read(file, entry.as_ref()) {
            Ok(program) => programs.push(program),
            Err(error) if files.len() == 1 => return Err(error),
            Err(error) => {
                super::say(&super::message(&error));
                unread.push(Unread {
                    before: programs.len(),
                    id: file.display().to_string(),
                    why: error.root_cause().to_string(),
                });
            }
        }
    }
    let many = entry.is_none() && are_many(&args.programs, &files);
    let mut output = Output::new(args, many)?;
    let failed = unread.len() + write_all(args, &programs, &unread, &mut output)?;
    output.finish()?;
    Ok(if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// What is executed of a project.
struct Entry {
    file: PathBuf,
    /// Without links.
    root: PathBuf,
    /// `__package__`
    package: String,
}

/// The entry of `python -m MODULE`: of a package its `__main__`.
fn entry_of_module(module: &str, root: &Path) -> anyhow::Result<Entry> {
    let root = root
        .canonicalize()
        .with_context(|| format!("--root {}", root.display()))?;
    let find = |name: &str| Files.find(&root, name).map_err(anyhow::Error::msg);
    let missing = || {
        anyhow::anyhow!(
            "no module {module} in {}: go to the project's directory, or name it with --root",
            root.display()
        )
    };
    let mut name = module.to_owned();
    let mut found = find(&name)?.with_context(missing)?;
    if found.is_package {
        name.push_str(".__main__");
        let why = || format!("{module} is a package without a __main__.py: it cannot be executed");
        found = find(&name)?.with_context(why)?;
    }
    let (package, _) = name.rsplit_once('.').unwrap_or_default();
    let here = Path::new(".").canonicalize().unwrap_or_default();
    let file = root.join(&*found.path);
    Ok(Entry {
        file: file.strip_prefix(here).map(Path::to_owned).unwrap_or(file),
        package: package.to_owned(),
        root,
    })
}

/// The entry of a directory with a `__main__.py`: of a package as `python -m` executes it.
fn entry_of_directory(directory: &Path, root: Option<&Path>) -> anyhow::Result<Entry> {
    let file = directory.join("__main__.py");
    let real = directory
        .canonicalize()
        .with_context(|| directory.display().to_string())?;
    let top = above_packages(&real);
    let below = real.strip_prefix(top).unwrap_or(&real);
    let parts = below.iter().map(|part| part.to_string_lossy());
    let package = parts.collect::<Vec<_>>().join(".");
    let root = root.map(Path::canonicalize).transpose()?;
    Ok(Entry {
        file,
        root: root.unwrap_or_else(|| top.to_owned()),
        package,
    })
}

/// A file that could not be read.
struct Unread {
    /// How many programs stand before it.
    before: usize,
    id: String,
    why: String,
}

impl Unread {
    /// Its row: one for each program that was asked for.
    fn write(&self, args: &Args, output: &mut Output<'_>) -> anyhow::Result<()> {
        if !output.has_rows() {
            return Ok(());
        }
        let program = Program {
            id: self.id.clone(),
            ..Program::default()
        };
        let mut trace = Trace::new(args.engine.row().by, program.clone());
        trace.outcome = Outcome::Killed {
            why: format!("unread: {}", self.why),
        };
        output.write(&Traced {
            program: &program,
            trace,
            actual: None,
        })
    }
}

/// Asks the engine about programs and writes each trace in its turn; the number of programs without one.
fn write_all(
    args: &Args,
    programs: &[Program],
    unread: &[Unread],
    output: &mut Output<'_>,
) -> anyhow::Result<usize> {
    let mut unread = unread.iter().peekable();
    let mut written = 0;
    let settings = args.settings(programs.len())?;
    let engines = (args.engine.row().open)(&settings)?;
    let engine = engines.first().context("no width of the beam")?;
    let pool = match args.compare {
        true => Some(Pool::new(settings.sandbox)?),
        false => None,
    };
    let (mut failed, mut ended) = (0, Ok(()));
    let mut next = |program: &Program, answer: Answer, output: &mut Output<'_>| {
        while let Some(file) = unread.next_if(|file| file.before <= written) {
            file.write(args, output)?;
        }
        written += 1;
        write(args, program, answer, pool.as_ref(), output)
    };
    let mut done = |program: &Program, answer: Answer| match next(program, answer, output) {
        Ok(has_trace) => {
            failed += usize::from(!has_trace);
            ControlFlow::Continue(())
        }
        Err(error) => {
            ended = Err(error);
            ControlFlow::Break(())
        }
    };
    engine.answer(&Question::of(programs), &mut done)?;
    ended?;
    for file in unread {
        file.write(args, output)?;
    }
    Ok(failed)
}

/// Writes the trace of one program, without steps where it is no Python; whether there is one with steps.
fn write(
    args: &Args,
    program: &Program,
    answer: Answer,
    pool: Option<&Pool>,
    output: &mut Output<'_>,
) -> anyhow::Result<bool> {
    let is_unread = matches!(answer, Err(Unanswered::Unreadable(_)));
    let answered = answer.unwrap_or_else(|why| unanswered(args, program, why));
    let syntax = syntax_error(&answered.trace.outcome);
    if let Some(error) = &syntax {
        report_syntax_error(program, error);
    } else if is_unread {
        let why = format!(
            "{}: {}",
            program.id,
            view::outcome_text(&answered.trace.outcome)
        );
        super::say(&super::message(&anyhow::Error::msg(why)));
    }
    let has_trace = syntax.is_none() && !is_unread;
    if !has_trace && !output.has_rows() {
        return Ok(false);
    }
    args.warn_of(program, &answered);
    let actual = pool.map(|pool| pool.run(program)).transpose()?;
    // Beside a whole prediction, which names instances by their class alone.
    let whole = args.engine.row().has(Need::Search);
    let actual = actual.map(|actual| if whole { actual.short() } else { actual });
    output.write(&Traced {
        program,
        trace: answered.trace,
        actual,
    })?;
    Ok(has_trace)
}

/// What is written of a program without a trace: how it ended before it began.
fn unanswered(args: &Args, program: &Program, why: Unanswered) -> Answered {
    let mut trace = Trace::new(args.engine.row().by, program.clone());
    trace.outcome = match why {
        Unanswered::Syntax(error) => Outcome::SyntaxError {
            line: error.line,
            column: error.column,
            message: error.message,
        },
        Unanswered::Unreadable(error) => Outcome::Killed {
            why: error.to_string(),
        },
    };
    Answered::certain(trace)
}

fn report_syntax_error(program: &Program, error: &SyntaxError) {
    let source = program.source.as_deref().unwrap_or("");
    super::say(&show_syntax_error(&program.id, source, error));
}

impl Args {
    /// What the parser does not see: options that contradict each other.
    fn check_usage(&self) -> anyhow::Result<()> {
        let paper = self.format == Format::Paper;
        let dashes = self.programs.iter().filter(|p| p.as_os_str() == "-");
        let beam = ("--beam", Need::Beam, self.beam.is_some());
        let timeout = ("--timeout", Need::Time, self.timeout.is_some());
        self.engine.check_usage(&[beam, timeout], self.compare)?;
        self.engine.warn_of_unasked(self.beam.is_some());
        Err(usage(if self.compare && self.engine.row().executes {
            "--compare sets a prediction beside the truth; use it with --engine plan or whole"
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

    fn read(&self, file: &Path, entry: Option<&Entry>) -> anyhow::Result<Program> {
        let stdin = stdin_of(file, self.input.as_deref(), self.stdin.as_deref())?;
        let mut program = read_program(file, stdin)?;
        match entry {
            Some(entry) => {
                program.root = Some(entry.root.clone());
                program.package.clone_from(&entry.package);
            }
            None => program.root = self.root_of(file)?,
        }
        Ok(program)
    }

    /// The module of `-m`, or the one directory that has a `__main__.py`.
    fn entry(&self) -> anyhow::Result<Option<Entry>> {
        let given = self
            .root
            .as_deref()
            .filter(|root| root.as_os_str() != "none");
        if let Some(module) = &self.module {
            return entry_of_module(module, given.unwrap_or(Path::new("."))).map(Some);
        }
        match self.programs.as_slice() {
            [directory] if self.out.is_none() && directory.join("__main__.py").is_file() => {
                entry_of_directory(directory, given).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Where modules beside a program are looked for.
    fn root_of(&self, file: &Path) -> anyhow::Result<Option<PathBuf>> {
        let root = match &self.root {
            Some(root) if root.as_os_str() == "none" => return Ok(None),
            Some(root) => root.as_path(),
            // Rows have no column for files.
            _ if self.out.is_some() => return Ok(None),
            // Of what comes through a pipe nobody knows where it belongs.
            None if file.as_os_str() == "-" => return Ok(None),
            None => file.parent().unwrap_or(Path::new("")),
        };
        let root = match root.as_os_str().is_empty() {
            true => Path::new("."),
            false => root,
        };
        let real = root.canonicalize();
        real.map(Some)
            .with_context(|| format!("--root {}", root.display()))
    }

    /// Settings of the engine for so many programs.
    fn settings(&self, programs: usize) -> anyhow::Result<Settings> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let usual = Limits::default();
        let time = self.timeout.map(Duration::from_secs_f64);
        let limits = Limits {
            max_steps: self.max_steps,
            max_bytes: self.max_trace,
            wall: time.unwrap_or(usual.wall),
            cpu: time.unwrap_or(usual.cpu),
            ..usual
        };
        let guide = GuideOptions {
            seed: self.seed,
            time: limits.wall,
            ..GuideOptions::default()
        };
        let installed = self.engine.row().imports_installed;
        let workers = cores.min(programs).max(1);
        Ok(Settings {
            widths: self.beam.map(usize::from).into_iter().collect(),
            max_steps: self.max_steps as usize,
            plan_time: time,
            guide,
            ..self.engine.settings(workers, limits, installed)?
        })
    }

    /// Says what a trace leaves out where its form does not.
    fn warn_of(&self, program: &Program, answered: &Answered) {
        if let Some(limit) = answered.cut_at {
            warn(&format!(
                "{}: longer than the model's window of {limit} tokens; only its beginning was read",
                program.id
            ));
        }
        if let Some(why) = &answered.stopped {
            warn(&format!("{}: planning stopped, {why}", program.id));
        }
        let trace = &answered.trace;
        if matches!(trace.outcome, Outcome::TraceLimit | Outcome::OutputLimit) {
            warn(&format!(
                "{}: the trace has more text than {} bytes; --max-trace allows more",
                program.id, self.max_trace
            ));
        }
        if self.form() == Format::Paper && trace.truncated {
            let why = view::truncation_text(trace);
            warn(&format!("{}: {why}", program.id));
        }
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

    /// Whether there is a row for each program, even one without a trace.
    fn has_rows(&self) -> bool {
        self.many || self.rows.is_some() || self.args.form() == Format::Json
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
