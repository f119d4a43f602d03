//! `codexec why`: the chain of assignments and conditions behind a value, an output or an
//! exception.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::ValueEnum;
use codexec_data::sandbox::Limits;
use codexec_data::trace::Trace;
use codexec_query::{Question, Why, why};
use serde_json::json;

use super::engines::EngineArgs;
use super::guide::seconds;
use super::input::{read_program, show_syntax_error, stdin_of};
use super::json::Json;
use super::project::ProjectArgs;
use super::trace::select;
use super::view::{self, ViewStyle};
use super::{missing, terminal, usage, warn};
use crate::engine::{self, Answer, Answered, Need, Settings, Unanswered};

/// Output format of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people.
    Text,
    /// One JSON document.
    Json,
}

/// Show why a variable has its value, why something was printed, or why the program raised.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec why examples/10_raises_index.py          why it raises
  codexec why examples/03_sum_loop.py              why it printed its last line
  codexec why prog.py --output 3                   why it printed its third line
  codexec why examples/03_sum_loop.py --var total  why total has its value at the end
  codexec why prog.py --step 40 --var total        why total has its value after step 40
  codexec why prog.py --step 40                    why step 40 came to be
  codexec why prog.py --var self.balance           a single attribute
  codexec why prog.py --engine run --json          CPython's run, as JSON

The chain is a dynamic slice of the trace: the assignments, changes, calls and returns that the value is made of, and \
the conditions that led there, in the order in which they happened. Steps have the numbers of `codexec trace`.")]
pub(super) struct Args {
    /// The program: a file, or - for standard input.
    #[arg(value_name = "PROGRAM")]
    program: PathBuf,
    /// The step after which the variable has its value, as numbered by `codexec trace` [default:
    /// the last]
    #[arg(long, value_name = "N", conflicts_with = "output")]
    step: Option<usize>,
    /// The variable, or one of its attributes: `total`, `self.total`.
    #[arg(long, value_name = "NAME", conflicts_with = "output")]
    var: Option<String>,
    /// The line of output with this number [default: the last]
    #[arg(long, value_name = "N", num_args = 0..=1)]
    output: Option<Option<usize>>,
    /// Show only links up to this distance from the value in question.
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    #[command(flatten)]
    engine: EngineArgs,
    /// File with the standard input of the program.
    #[arg(long, value_name = "FILE", conflicts_with = "input")]
    stdin: Option<PathBuf>,
    /// Standard input of the program.
    #[arg(long, value_name = "TEXT")]
    input: Option<String>,
    #[command(flatten)]
    project: ProjectArgs,
    /// Maximum steps of the program [default: 100000; 1024 if a network is queried]
    #[arg(long, value_name = "N")]
    max_steps: Option<u32>,
    /// Maximum text of its trace [default: 33554432; 2097152 with --max-steps]
    #[arg(long, value_name = "BYTES", value_parser = super::trace_bytes)]
    max_trace: Option<usize>,
    /// Maximum seconds to execute the program [default: 5], or CPU seconds to plan it [default: 10]
    #[arg(long, value_name = "S", value_parser = seconds)]
    timeout: Option<f64>,
    /// Output format of the chain.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Same as --format json.
    #[arg(long)]
    json: bool,
    /// Show whole values, even in lines wider than the terminal.
    #[arg(long)]
    wide: bool,
    /// Show all links, without folding loops.
    #[arg(long)]
    all: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.check_usage()?;
    let answered = args.ask()?;
    let trace = &answered.trace;
    let id = || trace.program.id.clone();
    let Some(question) = args.question(trace) else {
        bail!(
            "{}: it neither raises nor prints; ask for a variable with --var, or for a step with --step",
            id()
        );
    };
    let answer = why(trace, &question, args.depth).with_context(id)?;
    let mut out = anstream::stdout().lock();
    if args.json || args.format == Format::Json {
        writeln!(out, "{:#}", Json(document(trace, &answer)))?;
    } else {
        let source = trace.program.source.as_deref().unwrap_or("");
        let style = ViewStyle {
            wide: args.wide,
            all: args.all,
            ..terminal::style()
        };
        write!(out, "{}", view::render_why(trace, &answer, source, &style))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The answer as JSON.
fn document(trace: &Trace, why: &Why) -> serde_json::Value {
    let files = trace.files.iter().map(|file| &file.path);
    json!({
        "program": trace.program.id,
        "files": files.collect::<Vec<_>>(),
        "engine": trace.engine,
        "steps": trace.steps.len(),
        "outcome": trace.outcome,
        "question": why.question,
        "links": why.links,
        "cut": why.cut,
    })
}

impl Args {
    fn check_usage(&self) -> anyhow::Result<()> {
        let timeout = ("--timeout", Need::Time, self.timeout.is_some());
        self.engine.check_usage(&[timeout], false)?;
        self.engine.warn_of_unasked(false);
        let row = self.engine.row();
        if !(row.has(Need::Plan) || row.has(Need::Sandbox)) {
            return Err(usage(&format!(
                "the traces of --engine {} do not distinguish calls; use --engine plan or run",
                row.name
            )));
        }
        if self.step == Some(0) || self.output == Some(Some(0)) {
            return Err(usage("steps and lines of output count from 1"));
        }
        Ok(())
    }

    /// The question. `None` if none was given and the program does nothing that one could ask
    /// about.
    fn question(&self, trace: &Trace) -> Option<Question> {
        let step = self.step.map(|step| step - 1);
        match (&self.var, step, self.output) {
            (Some(name), step, _) => Some(Question::Variable {
                name: name.clone(),
                step,
            }),
            (None, Some(step), _) => Some(Question::Step { step }),
            (None, None, Some(line)) => Some(Question::Output { line }),
            (None, None, None) => Question::usual(trace),
        }
    }

    /// The trace.
    fn ask(&self) -> anyhow::Result<Answered> {
        let stdin = stdin_of(&self.program, self.input.as_deref(), self.stdin.as_deref())?;
        let mut program = read_program(&self.program, stdin)?;
        self.project.equip(&mut program, &self.program)?;
        let time = self.timeout.map(Duration::from_secs_f64);
        let walk = select::limits(self.max_steps, self.max_trace, self.engine.is_cheap());
        let limits = Limits {
            max_steps: walk.steps,
            max_bytes: walk.text,
            wall: time.unwrap_or(walk.time),
            cpu: time.unwrap_or(walk.time),
            ..Limits::default()
        };
        let row = self.engine.row();
        let settings = Settings {
            max_steps: walk.steps as usize,
            plan_time: time,
            ..self.engine.settings(1, limits, row.imports_installed)?
        };
        let engines = (row.open)(&settings)?;
        let engine = engines.first().context("no engine")?;
        let programs = [program];
        let mut answer: Option<Answer> = None;
        engine.answer(&engine::Question::of(&programs), &mut |_, given| {
            answer = Some(given);
            ControlFlow::Break(())
        })?;
        let [program] = &programs;
        let answered = match answer.context("no answer")? {
            Ok(answered) => answered,
            Err(Unanswered::Syntax(error)) => {
                let source = program.source.as_deref().unwrap_or("");
                bail!("{}", show_syntax_error(&program.id, source, &error));
            }
            Err(error) => return Err(error).context(program.id.clone()),
        };
        if let Some(why) = &answered.stopped {
            warn(&format!("{}: planning stopped, {why}", program.id));
        }
        let (sandbox, packages) = (&self.engine.sandbox, &self.engine.packages);
        for hint in missing::hints(program, &answered, sandbox, packages) {
            warn(&format!("{}: {hint}", program.id));
        }
        Ok(answered)
    }
}
