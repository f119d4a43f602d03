//! `codexec trace`: writes the trace of a program, from one of the engines.

mod given;
pub(super) mod page;
pub(super) mod select;
mod watch;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::ValueEnum;
use codexec_data::files::write_whole;
use codexec_data::records::TraceWriter;
use codexec_data::sandbox::{Injected, Limits, Pool};
use codexec_data::syntax::SyntaxError;
use codexec_data::trace::cwm::cwm;
use codexec_data::trace::{Outcome, Program, States, Trace};
use serde::Serialize;
use serde_json::json;

use super::engines::EngineArgs;
use super::guide::seconds;
use super::input::{
    are_many, expand_with_code, read_program, show_syntax_error, stdin_of, syntax_error,
};
use super::json::Json;
use super::project::{Entry, ModuleArgs, ProjectArgs};
use super::view::text::{clean, clean_but_layout, clean_but_tabs};
use super::view::{self, ViewStyle};
use super::worlds::Worlds;
use super::{missing, terminal, usage, warn};
use crate::engine::{Answer, Answered, Need, Question, Settings, Unanswered};
use crate::eval::records::paper_text;
use crate::eval::{first_divergence, score_traces};
use crate::guide::GuideOptions;
use codexec_query::Selected;
use given::GivenArgs;
use select::{SelectArgs, Walk};

/// Output format of the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people.
    Text,
    /// The JSON form; JSON Lines for several programs.
    Json,
    /// The paper's form: `<line> <0> <state> a : 1 </state>`.
    Paper,
    /// The frames of code world models: `<|line_sep|>{"a": "1"}<|action_sep|>b = a`. With --function, from the
    /// first call of a function to its return.
    Cwm,
}

/// Notation of states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StateForm {
    /// All names of the frame.
    Full,
    /// Changes since the last state of the frame.
    Changes,
}

impl From<StateForm> for States {
    fn from(form: StateForm) -> Self {
        match form {
            StateForm::Full => Self::Full,
            StateForm::Changes => Self::Changes,
        }
    }
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
  codexec trace snippet.py --beam 5                            its other executions if values are missing
  codexec trace snippet.py --world 3                           the third of these worlds
  codexec trace prog.py --no-fold --answers kept.jsonl         keep the network's answers; reuse them
  codexec trace prog.py --endpoint http://localhost:11434/v1 --model qwen2.5-coder
                                                               a language model answers
  codexec trace prog.py --engine orca --endpoint http://localhost:11434/v1 --model qwen2.5-coder
                                                               it plans the whole execution
  codexec trace -m shop.report                                 a module of the project in this directory
  codexec trace report.py -- --top 3 data.csv                  with arguments; data.csv is read beside it
  codexec trace tests/test_stack.py --root .                   imports are looked up in this directory
  codexec trace examples --engine run --out traces.parquet     typed rows for Polars, Arrow
  codexec trace examples/02_list_ops.py --engine run --wide    whole values, however long
  codexec trace examples/03_sum_loop.py --var total            the steps that change total
  codexec trace prog.py --line 12 --visit 7 --var x            x when line 12 runs for the 7th time
  codexec trace prog.py --function f --last 20                 the last 20 steps of f
  codexec trace prog.py --output --format json                 the output, with steps and lines
  codexec trace prog.py --html trace.html                      a page to look at; `codexec view` opens it
  codexec trace prog.py --watch                                again whenever it is saved
  codexec trace prog.py --format json --states changes         states as changes: short for long traces
  codexec trace prog.py --format json --references             with object numbers
  codexec trace prog.py --format cwm --function f              frames of code world models, of one call
  cat examples/03_sum_loop.py | codexec trace - --format json

Text folds the loops of a trace of more than 60 steps: iterations that go a way that was shown before are one row. \
--all shows all steps. Without --max-steps, text of one program and selected steps come from up to 100,000 steps.

Traces of several programs are written in order, each as soon as it is ready. Text is \
as wide as the terminal, or as COLUMNS says. Control characters, and those that turn text around, are \
escaped in every form.

A NAME.in beside NAME.py is its standard input unless --stdin or --input is given.")]
pub(super) struct Args {
    /// Programs: files, directories of .py files, or - for standard input.
    #[arg(
        required_unless_present = "module",
        conflicts_with = "module",
        value_name = "PROGRAM"
    )]
    programs: Vec<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
    /// File with the standard input of the programs.
    #[arg(long, value_name = "FILE", conflicts_with = "input")]
    stdin: Option<PathBuf>,
    /// Standard input of the programs.
    #[arg(long, value_name = "TEXT")]
    input: Option<String>,
    /// Hypotheses of beam search [default: 10 with --whole], or worlds of planning where an answer is uncertain or
    /// a value is made up [default: 1]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=64))]
    beam: Option<u16>,
    /// Show this world of those that --beam lists (default: the first).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    world: Option<u16>,
    #[command(flatten)]
    pub(super) given: GivenArgs,
    /// Maximum steps of a trace [default: 1024; 100000 for the text of one program and for selected
    /// steps]
    #[arg(long, value_name = "N")]
    max_steps: Option<u32>,
    /// Maximum text of a trace: everything its steps change and print [default: 2097152; 33554432 where steps
    /// have the larger default]
    #[arg(long, value_name = "BYTES", value_parser = super::trace_bytes)]
    max_trace: Option<usize>,
    /// Maximum seconds to execute a program [default: 1; 5 with up to 100000 steps], or CPU seconds to plan it
    /// [default: 10].
    #[arg(long, value_name = "S", value_parser = seconds)]
    timeout: Option<f64>,
    /// Output format of the trace.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// How states are written in JSON and in rows.
    #[arg(long, value_enum, value_name = "FORM", default_value_t = StateForm::Full)]
    states: StateForm,
    /// Number each list, set, dict and instance in a state, so that two names for one object differ from two equal
    /// objects. In JSON, for the engines plan, run and guide.
    #[arg(long)]
    references: bool,
    #[command(flatten)]
    select: SelectArgs,
    /// Show whole values, even in lines wider than the terminal, and all steps of a long trace.
    #[arg(long)]
    wide: bool,
    /// Same as --format json.
    #[arg(long)]
    json: bool,
    /// Also execute the program and show the first difference.
    #[arg(long)]
    compare: bool,
    /// Write the traces to this file, one row each, all with the same columns (docs/data.md): .jsonl,
    /// .jsonl.gz, .jsonl.zst or .parquet.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["compare", "json"], value_parser = super::data::records_file)]
    out: Option<PathBuf>,
    /// Write a self-contained HTML page of one program's trace, which needs no network. With --compare and --beam it
    /// has all traces.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "json", "format", "states", "references", "wide"])]
    html: Option<PathBuf>,
    /// Trace the program again whenever it or one of its modules is saved, until Ctrl-C.
    #[arg(long)]
    watch: bool,
    /// Whether `codexec view` makes such a page.
    #[arg(skip)]
    pub(super) is_viewed: bool,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
    /// Seed. No effect yet, because all engines are deterministic.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    project: ProjectArgs,
    #[command(flatten)]
    module: ModuleArgs,
}

/// One program's results.
pub(super) struct Traced<'p> {
    program: &'p Program,
    trace: Trace,
    actual: Option<Trace>,
    /// Made-up values.
    injected: Vec<Injected>,
    /// Its other possible executions.
    worlds: Worlds,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.check_usage()?;
    if args.watch {
        return watch::watch(args);
    }
    let entry = args.entry()?;
    let files = match &entry {
        Some(entry) => vec![entry.file.clone()],
        None => expand_with_code(&args.programs)?,
    };
    let _reserved = match args.out.as_ref().or(args.html.as_ref()) {
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
    if args.html.is_some() && many {
        return Err(usage("--html is a page of one program; name one file"));
    }
    let mut output = Output::new(args, many)?;
    let failed = unread.len() + write_all(args, &programs, &unread, &mut output)? + output.failed;
    output.finish()?;
    Ok(if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// An unreadable file.
struct Unread {
    /// Number of programs before it.
    before: usize,
    id: String,
    why: String,
}

impl Unread {
    /// Its row: one for each requested program.
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
            injected: Vec::new(),
            worlds: Worlds::default(),
        })
    }
}

/// Queries the engine about programs and writes the traces in order. Returns how many have none.
fn write_all(
    args: &Args,
    programs: &[Program],
    unread: &[Unread],
    output: &mut Output<'_>,
) -> anyhow::Result<usize> {
    let mut unread = unread.iter().peekable();
    let mut written = 0;
    let settings = args.settings(programs.len(), output.many)?;
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

/// Writes the trace of one program, if it is valid Python. Returns whether it has steps.
fn write(
    args: &Args,
    program: &Program,
    answer: Answer,
    pool: Option<&Pool>,
    output: &mut Output<'_>,
) -> anyhow::Result<bool> {
    let is_unread = matches!(answer, Err(Unanswered::Unreadable(_)));
    let answered = answer.unwrap_or_else(|why| why.trace(args.engine.row(), program));
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
    let traced = results(
        args,
        program,
        answered,
        pool,
        output.many || output.rows.is_some(),
    )?;
    output.write(&traced)?;
    Ok(has_trace)
}

/// The output for a program: the selected world, and with a comparison what really happened. `many`: a missing world is
/// not an error.
fn results<'p>(
    args: &Args,
    program: &'p Program,
    answered: Answered,
    pool: Option<&Pool>,
    many: bool,
) -> anyhow::Result<Traced<'p>> {
    let number = args.world.map_or(1, usize::from);
    let (answered, worlds) = Worlds::choose(answered, number);
    if worlds.count() < number {
        let are = if worlds.count() == 1 { "is" } else { "are" };
        let there = view::counted(worlds.count(), "world");
        let why = format!("{}: no world {number}: there {are} {there}", program.id);
        // With several programs, each has its own trace.
        if !many {
            anyhow::bail!(why);
        }
        warn(&format!("{why}, and the first is written"));
    }
    args.warn_of(program, &answered, many);
    let actual = pool.map(|pool| pool.run(program)).transpose()?;
    // For comparison with a whole prediction, which names instances only by their class.
    let whole = args.engine.row().has(Need::Search);
    let actual = actual.map(|actual| if whole { actual.short() } else { actual });
    Ok(Traced {
        program,
        trace: answered.trace,
        actual,
        injected: answered.injected,
        worlds,
    })
}

/// Traces the one named program and applies `make`. The syntax error, which has been reported, if it is not valid Python.
///
/// # Errors
/// If there are several programs, if it cannot be read, and the errors of `make`.
pub(super) fn of_one<T>(
    args: &Args,
    make: impl FnOnce(&Traced<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<Result<T, SyntaxError>> {
    args.check_usage()?;
    let entry = args.entry()?;
    let files = match &entry {
        Some(entry) => vec![entry.file.clone()],
        None => expand_with_code(&args.programs)?,
    };
    let [file] = files.as_slice() else {
        return Err(usage("a page is of one program; name one file"));
    };
    let program = args.read(file, entry.as_ref())?;
    let engines = (args.engine.row().open)(&args.settings(1, false)?)?;
    let engine = engines.first().context("no width of the beam")?;
    let pool = match args.compare {
        true => Some(Pool::new(args.settings(1, false)?.sandbox)?),
        false => None,
    };
    let mut answered = None;
    let programs = [program];
    engine.answer(&Question::of(&programs), &mut |_, answer| {
        answered = Some(answer);
        ControlFlow::Break(())
    })?;
    let [program] = &programs;
    let answer = answered.context("no answer")?;
    let answered = answer.unwrap_or_else(|why| why.trace(args.engine.row(), program));
    if let Some(error) = syntax_error(&answered.trace.outcome) {
        report_syntax_error(program, &error);
        return Ok(Err(error));
    }
    make(&results(args, program, answered, pool.as_ref(), false)?).map(Ok)
}

fn report_syntax_error(program: &Program, error: &SyntaxError) {
    let source = program.source.as_deref().unwrap_or("");
    super::say(&show_syntax_error(&program.id, source, error));
}

impl Args {
    /// Checks that the parser cannot make: options that contradict each other.
    fn check_usage(&self) -> anyhow::Result<()> {
        let paper = self.format == Format::Paper;
        let dashes = self.programs.iter().filter(|p| p.as_os_str() == "-");
        let beam = ("--beam", Need::Beam, self.beam.is_some());
        let timeout = ("--timeout", Need::Time, self.timeout.is_some());
        let world = ("--world", Need::Plan, self.world.is_some());
        let set = ("--set", Need::Plan, !self.given.set.is_empty());
        self.engine
            .check_usage(&[beam, world, timeout, set], self.compare)?;
        self.engine.warn_of_unasked(false);
        let cwm = self.format == Format::Cwm;
        if let Some(why) = match cwm {
            true => self.select.refused_but_function(),
            false => self.select.refused(self.compare, paper, self.out.is_some()),
        } {
            return Err(usage(why));
        }
        if let Some(why) = self.refuses_watch() {
            return Err(usage(why));
        }
        if self.makes_page() && self.select.selects() {
            return Err(usage(
                "a page has the whole trace; leave out the selection of steps",
            ));
        }
        Err(usage(
            if self.force && self.out.is_none() && self.html.is_none() {
                "--force overwrites the file of --out or --html; name one"
            } else if self.is_viewed
                && (self.out.is_some() || self.html.is_some() || self.form() != Format::Text)
            {
                "`codexec view` shows a page; write files with `codexec trace`"
            } else if self.compare && self.engine.row().executes {
                "--compare sets a prediction beside the truth; use it with --engine plan or whole"
            } else if self.compare && (paper || cwm) {
                "--compare does not support this format; use --format text or json"
            } else if self.json && (paper || cwm) {
                "--json is --format json; leave out one of --json and --format"
            } else if self.out.is_some() && cwm {
                "--out writes rows of traces; --format cwm writes to standard output"
            } else if self.references && self.form() != Format::Json {
                "--references applies to JSON; use it with --format json"
            } else if self.references && !self.engine.knows_objects() {
                "whole predictions and language models do not identify objects; use --engine plan, run or guide"
            } else if self.states == StateForm::Changes && !self.writes_states() {
                "--states applies to JSON and rows; use it with --format json or --out"
            } else if self.states == StateForm::Changes && (self.compare || self.select.selects()) {
                "--states applies to whole traces; leave out --compare and the selection of steps"
            } else if dashes.count() > 1 {
                "standard input can be read only once: give - once"
            } else {
                return Ok(());
            },
        ))
    }

    fn read(&self, file: &Path, entry: Option<&Entry>) -> anyhow::Result<Program> {
        let stdin = stdin_of(file, self.input.as_deref(), self.stdin.as_deref())?;
        let mut program = read_program(file, stdin)?;
        match entry {
            Some(entry) => entry.place(&mut program),
            // Rows are of standalone programs, unless a root is named.
            None if self.out.is_some() && !self.project.has_root() => {}
            None => self.project.place(&mut program, file)?,
        }
        self.project.give(&mut program);
        Ok(program)
    }

    /// The module of `-m`, or the single directory with a `__main__.py`.
    fn entry(&self) -> anyhow::Result<Option<Entry>> {
        if let Some(module) = &self.module.module {
            return self.project.entry_of_module(module).map(Some);
        }
        match self.programs.as_slice() {
            [directory] if self.out.is_none() => self.project.entry_of_directory(directory),
            _ => Ok(None),
        }
    }

    /// Settings of the engine for this many programs. `many`: whether each is named.
    fn settings(&self, programs: usize, many: bool) -> anyhow::Result<Settings> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let usual = Limits::default();
        let time = self.timeout.map(Duration::from_secs_f64);
        let walk = self.walk(many);
        let limits = Limits {
            max_steps: walk.steps,
            max_bytes: walk.text,
            wall: time.unwrap_or(walk.time),
            cpu: time.unwrap_or(walk.time),
            ..usual
        };
        let guide = GuideOptions {
            seed: self.seed,
            time: limits.wall,
            ..GuideOptions::default()
        };
        let installed = self.engine.row().imports_installed;
        let workers = cores.min(programs).max(1);
        let mut settings = self.engine.settings(workers, limits, installed)?;
        settings.sandbox.references =
            self.references || self.makes_page() && self.engine.knows_objects();
        Ok(Settings {
            goes_on: true,
            given: self.given.set.clone(),
            widths: self
                .beam
                .max(self.world)
                .map(usize::from)
                .into_iter()
                .collect(),
            max_steps: walk.steps as usize,
            plan_time: time,
            guide,
            ..settings
        })
    }

    /// Limits for walking a program. `many`: there are several.
    fn walk(&self, many: bool) -> Walk {
        let text = self.form() == Format::Text && !many || self.makes_page();
        let part = (text || self.select.selects()) && !self.compare && self.out.is_none();
        select::limits(
            self.max_steps,
            self.max_trace,
            part && self.engine.is_cheap(),
        )
    }

    /// Notes what a trace omits if its format cannot express it.
    fn warn_of(&self, program: &Program, answered: &Answered, many: bool) {
        if let Some(limit) = answered.cut_at {
            warn(&format!(
                "{}: longer than the model's window of {limit} tokens; only its beginning was read",
                program.id
            ));
        }
        if let Some(why) = &answered.stopped {
            warn(&format!("{}: planning stopped, {why}", program.id));
        }
        if self.beam.is_some_and(|beam| beam > 1)
            && self.engine.asks_nobody()
            && answered.decisions.is_empty()
        {
            warn(&format!(
                "{}: no made-up value decides anything and no network is asked, so there is one world",
                program.id
            ));
        }
        let trace = &answered.trace;
        let (sandbox, packages) = (&self.engine.sandbox, &self.engine.packages);
        for hint in missing::hints(program, answered, sandbox, packages) {
            warn(&format!("{}: {hint}", program.id));
        }
        self.given.warn_of(program, answered);
        if let Some(first) = answered.injected.first()
            && self.form() != Format::Text
        {
            let more = match answered.injected.len() {
                1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            let (name, line) = (&first.name, first.line);
            warn(&format!(
                "{}: values were made up: {name} (line {line}){more}",
                program.id
            ));
        }
        if matches!(trace.outcome, Outcome::TraceLimit | Outcome::OutputLimit) {
            warn(&format!(
                "{}: the trace has more text than {} bytes; --max-trace allows more",
                program.id,
                self.walk(many).text
            ));
        }
        if self.form() == Format::Paper && trace.truncated {
            let why = view::truncation_text(trace);
            warn(&format!("{}: {why}", program.id));
        }
    }

    /// Whether the trace is shown as a page.
    fn makes_page(&self) -> bool {
        self.html.is_some() || self.is_viewed
    }

    /// Whether states are written for programs.
    fn writes_states(&self) -> bool {
        self.out.is_some() || self.form() == Format::Json
    }

    /// Output format of traces.
    fn form(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// Where traces go: rows of a file, or standard output.
struct Output<'a> {
    args: &'a Args,
    /// Whether there are several, so that each is named.
    many: bool,
    rows: Option<TraceWriter>,
    /// Number of programs without the requested steps.
    failed: usize,
}

impl<'a> Output<'a> {
    fn new(args: &'a Args, many: bool) -> anyhow::Result<Self> {
        let states = args.states.into();
        let rows = args.out.as_deref();
        let rows = rows.map(|path| TraceWriter::create(path, states));
        let rows = rows.transpose()?;
        Ok(Self {
            args,
            many,
            rows,
            failed: 0,
        })
    }

    /// Whether each program has a row, even without a trace.
    fn has_rows(&self) -> bool {
        self.many || self.rows.is_some() || self.args.form() == Format::Json
    }

    /// Writes one trace at once, so that a reader of standard output sees it immediately.
    fn write(&mut self, one: &Traced<'_>) -> anyhow::Result<()> {
        if let Some(rows) = &mut self.rows {
            return Ok(rows.push(&one.trace)?);
        }
        if let Some(path) = &self.args.html {
            let html = page::of(one, self.args).html()?;
            return write_whole(path, html.as_bytes()).with_context(|| path.display().to_string());
        }
        let many = self.many;
        let form = self.args.form();
        let (selected, error) = match form {
            Format::Cwm => (None, None),
            _ => self.args.select.of(&one.trace),
        };
        if let Some(error) = error {
            let error = anyhow::Error::new(error).context(one.program.id.clone());
            if !many {
                return Err(error);
            }
            super::say(&super::message(&error));
            self.failed += 1;
        }
        let mut out = anstream::stdout().lock();
        match form {
            Format::Json => match (&selected, &one.actual) {
                (Some(selected), _) => document(&mut out, many, &selected.document())?,
                (None, Some(actual)) => document(&mut out, many, &one.compared(actual))?,
                (None, None) => {
                    let form = one.trace.form(self.args.states.into());
                    match one.worlds.are_several() {
                        true => {
                            let worlds = one.worlds.json();
                            document(&mut out, many, &WithWorlds { form, worlds })?;
                        }
                        false => document(&mut out, many, &form)?,
                    }
                }
            },
            Format::Cwm => {
                let text = match cwm(&one.trace, self.args.select.only_function()) {
                    Ok(text) => text,
                    Err(error) if !many => return Err(error.into()),
                    Err(error) => {
                        super::say(&super::message(&anyhow::Error::new(error)));
                        self.failed += 1;
                        return Ok(());
                    }
                };
                match many {
                    true => {
                        let row = json!({"id": one.program.id, "text": text});
                        document(&mut out, true, &row)?;
                    }
                    false => writeln!(out, "{}", clean_but_layout(&text))?,
                }
            }
            Format::Paper => writeln!(out, "{}", clean_but_tabs(&paper_text(&one.trace)))?,
            Format::Text => {
                if many {
                    writeln!(out, "== {}", clean(&one.program.id))?;
                }
                write!(out, "{}", one.whole_text(self.args, selected.as_ref()))?;
            }
        }
        Ok(out.flush()?)
    }

    /// Moves the file into place, if there is one.
    fn finish(self) -> anyhow::Result<()> {
        Ok(self.rows.map_or(Ok(()), TraceWriter::finish)?)
    }
}

/// A trace, and the program's other possible executions.
#[derive(Serialize)]
struct WithWorlds<F: Serialize> {
    #[serde(flatten)]
    form: F,
    worlds: serde_json::Value,
}

/// Writes a document, on one line if there are several.
fn document(out: &mut impl Write, many: bool, value: &impl Serialize) -> std::io::Result<()> {
    match many {
        true => writeln!(out, "{}", Json(value)),
        false => writeln!(out, "{:#}", Json(value)),
    }
}

impl Traced<'_> {
    /// Text of the program.
    pub(super) fn source(&self) -> &str {
        self.program.source.as_deref().unwrap_or_default()
    }

    /// A prediction beside what happened.
    fn compared(&self, actual: &Trace) -> serde_json::Value {
        let scores = score_traces([(paper_text(&self.trace), paper_text(actual))]);
        json!({
            "predicted": self.trace,
            "actual": actual,
            "divergence": first_divergence(&self.trace, actual),
            "metrics": scores,
        })
    }

    fn text(&self, args: &Args, selected: Option<&Selected<'_>>) -> String {
        let source = self.program.source.as_deref().unwrap_or("");
        let style = ViewStyle {
            wide: args.wide,
            all: args.select.all,
            ..terminal::style()
        };
        match (&self.actual, selected) {
            (None, None) => view::render(&self.trace, source, &style),
            (None, Some(selected)) => view::render_selected(selected, source, &style),
            (Some(actual), _) => view::render_comparison(&self.trace, actual, source, &style),
        }
    }
}
