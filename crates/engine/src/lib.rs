//! Ways to get the trace of a program: one file each, one interface, one table.
//!
//! | module | what |
//! |---|---|
//! | [`plan`](mod@plan) | the control flow is walked, a network answers each operation; nothing is executed |
//! | [`whole`] | a network writes it in one piece; nothing is executed |
//! | [`run`] | CPython executes the program in the sandbox |
//! | [`guide`] | the same, with what is missing made up |
//! | [`orca`](mod@orca) | a language model plans it in one reply; nothing is executed |
//! | [`project`], [`environment`] | modules beside programs, and where packages are installed |
//! | `imports` | imports that programs lack, put in front of them |
//! | [`in_order`](mod@in_order) | work on many programs whose results are wanted in order |
//! | [`outputs`] | what programs print, by any of them |
//!
//! The command line and the scoring read [`ENGINES`]. Nothing is read, printed or scored here.

pub mod environment;
pub mod guide;
mod imports;
pub mod in_order;
pub mod orca;
pub mod outputs;
pub mod plan;
pub mod project;
pub mod run;
pub mod whole;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use codexec_plan::machine::{Assumed, Fact, Machine, WOULD_DECIDE};

use codexec_data::records::Kind;
use codexec_data::sandbox::{Injected, PoolConfig, SandboxError};
use codexec_data::syntax::SyntaxError;
use codexec_data::trace::{Outcome, Program, Trace};
use codexec_plan::machine::{Finder, FoldLevel};

use codexec_model::decode::Rule;
use codexec_model::error::Error;
use codexec_unknown::analysis::ParseError;
use codexec_unknown::guide::GuideOptions;
use codexec_unknown::llm::{Failure, ServerOptions};
use serde::{Deserialize, Serialize};

/// What writes traces.
pub trait Engine: Send + Sync {
    /// What results are headed with. Running is never called a prediction.
    fn heading(&self) -> String;

    /// What its row in tables of results is called.
    fn label(&self, question: &Question<'_>) -> String;

    /// Tells its answers from those of another engine, checkpoint or setting: kept ones are found by it.
    ///
    /// # Errors
    /// When the weights cannot be looked at.
    fn identity(&self) -> Result<String, EngineError> {
        Ok(self.label(&Question::of(&[])))
    }

    /// Answers for every program and hands each answer to `done`, in order, as soon as it and all
    /// before it are there. `done` may say that no more are wanted.
    ///
    /// # Errors
    /// When no program can be answered; what is wrong with one is its answer.
    fn answer(&self, question: &Question<'_>, done: &mut Done<'_>) -> Result<(), EngineError>;
}

/// Takes the answers.
pub type Done<'d> = dyn FnMut(&Program, Answer) -> ControlFlow<()> + 'd;

/// Programs whose traces are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Question<'p> {
    /// The programs.
    pub programs: &'p [Program],
    /// What kind of examples they are; tells a network its task.
    pub kind: Kind,
    /// They lack imports that they need: an engine that runs them puts those in front.
    pub lacks_imports: bool,
    /// Nothing is known of what surrounds them, where the engine goes on with what is not known: arguments of the command
    /// line, the environment, an input that is not given, files.
    pub open_world: bool,
    /// An engine that continues with unknown values takes a branch if one decides. If another branch ends differently, one
    /// such end is among the other worlds of the answer.
    pub either_way: bool,
}

impl<'p> Question<'p> {
    /// Whole programs as they are.
    pub fn of(programs: &'p [Program]) -> Self {
        Self {
            programs,
            kind: Kind::CodeNet,
            lacks_imports: false,
            open_world: false,
            either_way: false,
        }
    }
}

/// What an engine says of one program.
pub type Answer = Result<Answered, Unanswered>;

/// A trace and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The trace.
    pub trace: Trace,
    /// Log-probability of the whole trace, where the engine has one.
    pub score: Option<f32>,
    /// The program is longer than the network's window of so many tokens, and only its beginning was
    /// read.
    pub cut_at: Option<usize>,
    /// Why the trace stops before its end, where the engine could not go on.
    pub stopped: Option<Stopped>,
    /// Modules of which nothing is known, where the engine went on with values of theirs.
    pub unknown: Vec<Stopped>,
    /// Facts around the program that it looked at, and that are only taken for granted, where the engine goes on with what
    /// is not known.
    pub assumed: Vec<Assumed>,
    /// Values that were made up, in order.
    pub injected: Vec<Injected>,
    /// What was taken for granted of them, in order, where the engine says so.
    pub decisions: Vec<Decided>,
    /// Other worlds, in which some of that is otherwise, as many as were asked for. The first ones are the same however many
    /// that is.
    pub others: Vec<Answered>,
    /// Questions that a network was asked, where the engine asks them one by one.
    pub questions: Option<u64>,
}

/// What was taken for granted of a value that was made up, and could be otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// Line that needed it, from 1.
    pub line: u32,
    /// Path of the file, where it is not the program itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<String>,
    /// What the value is called, as `response.ok`.
    pub what: String,
    /// What was taken for granted, in words that follow `what`: `is true` or `is false` of a condition, `is None`, `is 200`,
    /// `is not 200`, `raises Timeout`, `does not raise Timeout`.
    pub taken: String,
    /// How probable that is, in 0..=1.
    pub sure: f64,
    /// Whether it is otherwise than planning takes it by itself.
    pub other: bool,
}

/// Where an engine could not go on, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// Line of the program, from 1, where one is known.
    pub line: Option<u32>,
    /// Where that line stands: index in [`Trace::files`]; 0 is the program itself.
    pub file: u32,
    /// In words, without the line.
    pub why: String,
    /// Whether it was one statement of a module, which was left out, and planning went on.
    pub skipped: bool,
}

impl Stopped {
    /// Where planning ended, in the program itself if its line is known.
    pub fn at(line: Option<u32>, why: String) -> Self {
        Self {
            line,
            file: 0,
            why,
            skipped: false,
        }
    }
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.why)
    }
}

impl Answered {
    /// A trace that nothing more is known of.
    pub fn certain(trace: Trace) -> Self {
        Self {
            trace,
            score: None,
            cut_at: None,
            stopped: None,
            unknown: Vec::new(),
            assumed: Vec::new(),
            injected: Vec::new(),
            decisions: Vec::new(),
            others: Vec::new(),
            questions: None,
        }
    }
}

/// Why a program has no trace.
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    /// It does not parse.
    #[error("{}", .0.message)]
    Syntax(SyntaxError),
    /// It cannot be rewritten.
    #[error(transparent)]
    Unreadable(#[from] ParseError),
}

impl Unanswered {
    /// What stands for the trace, without steps: how the program ended before it began.
    pub fn trace(self, row: &Row, program: &Program) -> Answered {
        let mut trace = Trace::new(row.by, program.clone());
        trace.outcome = match self {
            Self::Syntax(error) => Outcome::SyntaxError {
                line: error.line,
                column: error.column,
                message: error.message,
            },
            Self::Unreadable(error) => Outcome::Killed {
                why: error.to_string(),
            },
        };
        Answered::certain(trace)
    }
}

/// Why an engine cannot answer at all.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A network cannot be had, or not used.
    #[error(transparent)]
    Network(#[from] Error),
    /// No program can be run.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// A language model cannot be asked.
    #[error("{0}")]
    Server(String),
}

impl From<Failure> for EngineError {
    fn from(failure: Failure) -> Self {
        Self::Server(failure.why().to_owned())
    }
}

/// What engines are made with. Each takes what it needs; see [`Need`].
#[derive(Debug, Clone)]
pub struct Settings {
    /// Checkpoint directory, or a name on the Hugging Face hub; the embedded one without it.
    pub model: Option<String>,
    /// Whether weights are rounded to 8 bits.
    pub quantised: bool,
    /// Widths of the beam, or worlds of a planner; there is one engine for each, and one of a usual width where there
    /// are none.
    pub widths: Vec<usize>,
    /// How beam search goes; the checkpoint's own way without it.
    pub rule: Option<Rule>,
    /// What a planner folds; the rest it asks.
    pub fold: FoldLevel,
    /// Least probability of a planned trace; planning stops below it.
    pub min_confidence: f64,
    /// Whether a planner binds what programs miss to values that fit their use.
    pub inject: bool,
    /// Values in place of those that a planner would make up.
    pub given: Vec<plan::given::Given>,
    /// Whether a planner goes on to the end with made-up values where modules cannot be found and functions are not modelled.
    pub goes_on: bool,
    /// Whether a planner goes on with values of modules of which nothing is known, until one would decide something.
    pub unknown: bool,
    /// Whether of a planned trace only the place is wanted where it raised, and programs share what they have in common:
    /// modules that they import, and the program that calls stand behind.
    pub places_only: bool,
    /// Modules besides those of a program and of the standard library that a planner follows.
    pub packages: project::Packages,
    /// What finds modules and files in their place, where they are not those of a file system.
    pub finder: Option<Arc<dyn Finder>>,
    /// Whether predicted lines keep to the control flow that the syntax allows.
    pub flow: bool,
    /// Whether programs are decoded together: faster, and the last digits of a confidence may depend on
    /// the programs beside it.
    pub together: bool,
    /// Most steps of a predicted trace; that of a run is a limit of the sandbox.
    pub max_steps: usize,
    /// CPU time that planning one program may take; the planner's usual limit if `None`.
    pub plan_time: Option<Duration>,
    /// The sandbox.
    pub sandbox: PoolConfig,
    /// How missing values are made up.
    pub guide: GuideOptions,
    /// The language model that is asked; without it, a planner asks the checkpoint.
    pub server: Option<ServerOptions>,
    /// A file that keeps answers; what has an answer there is not asked.
    pub answers: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            model: None,
            quantised: false,
            widths: Vec::new(),
            rule: None,
            fold: FoldLevel::default(),
            inject: false,
            given: Vec::new(),
            goes_on: false,
            unknown: false,
            places_only: false,
            packages: project::Packages::default(),
            finder: None,
            min_confidence: 0.0,
            flow: true,
            together: false,
            max_steps: 1024,
            plan_time: None,
            sandbox: PoolConfig::default(),
            guide: GuideOptions::default(),
            server: None,
            answers: None,
        }
    }
}

/// Engines, ready to answer.
pub type Engines = Vec<Box<dyn Engine>>;

/// What an engine works with, and so which settings it obeys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A model with a name: a checkpoint, or one that a server has.
    Model,
    /// A network.
    Network,
    /// The search for whole traces.
    Search,
    /// Several hypotheses.
    Beam,
    /// The planner.
    Plan,
    /// The sandbox.
    Sandbox,
    /// Modules besides those of a program and of the standard library.
    Modules,
    /// A limit of time.
    Time,
    /// A server with a language model, where one is named.
    Server,
    /// Answers that can be kept.
    Answers,
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in one line of help.
    pub about: &'static str,
    /// What it works with.
    pub needs: &'static [Need],
    /// Whether its traces are of executions, not predicted.
    pub executes: bool,
    /// What its traces name.
    pub by: codexec_data::trace::Engine,
    /// Whether programs can import what is installed where nothing is said of that.
    pub imports_installed: bool,
    /// Makes it; several where the settings ask for several.
    pub open: fn(&Settings) -> Result<Engines, EngineError>,
}

impl Row {
    /// Whether it works with something.
    pub fn has(&self, need: Need) -> bool {
        self.needs.contains(&need)
    }
}

/// All engines; the first is taken where none is asked for.
pub const ENGINES: &[Row] = &[plan::ROW, whole::ROW, run::ROW, guide::ROW, orca::ROW];

/// Another name of the first engine: that which predicts.
pub const PREDICT: &str = "predict";

/// The engine of a name.
pub fn named(name: &str) -> Option<&'static Row> {
    let name = if name == PREDICT {
        ENGINES[0].name
    } else {
        name
    };
    ENGINES.iter().find(|row| row.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_engine_has_its_own_name_and_needs_something() {
        let names: BTreeSet<&str> = ENGINES.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), ENGINES.len());
        for row in ENGINES {
            assert!(named(row.name).is_some_and(|found| found.about == row.about));
            assert!(!row.needs.is_empty(), "{}", row.name);
            assert!(!row.about.ends_with('.'), "{}", row.name);
        }
        assert!(named("oracle").is_none());
    }

    #[test]
    fn a_network_answers_in_order_and_once_for_each_width() {
        let settings = Settings {
            widths: vec![1, 2],
            max_steps: 4,
            ..Settings::default()
        };
        let source = |text: &str| Program {
            id: text.to_owned(),
            source: Some(text.to_owned()),
            stdin: None,
            ..Program::default()
        };
        let programs = ["x = 1\n", "x = = 1\n", "y = 2\n"].map(source);
        let question = Question::of(&programs);
        let engines = (named("whole").unwrap().open)(&settings).unwrap();
        let labels: Vec<String> = engines.iter().map(|e| e.label(&question)).collect();
        assert_eq!(labels, ["whole: default, beam 1", "whole: default, beam 2"]);
        let mut seen = Vec::new();
        let mut done = |program: &Program, answer: Answer| {
            seen.push((program.id.clone(), answer.is_ok()));
            ControlFlow::Continue(())
        };
        engines[0].answer(&question, &mut done).unwrap();
        let ok: Vec<bool> = seen.iter().map(|(_, ok)| *ok).collect();
        assert_eq!(ok, [true, false, true]);
        let mut count = 0;
        let mut once = |_: &Program, _: Answer| {
            count += 1;
            ControlFlow::Break(())
        };
        engines[0].answer(&question, &mut once).unwrap();
        assert_eq!(count, 1);
    }
}
