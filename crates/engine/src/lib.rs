//! Engines, which produce the trace of a program: one file each, one interface, one table.
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
//! The command line and the evaluation use [`ENGINES`]. Nothing is read, printed or scored here.

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

/// Produces traces.
pub trait Engine: Send + Sync {
    /// What results are headed with. Running is never called a prediction.
    fn heading(&self) -> String;

    /// What its row in tables of results is called.
    fn label(&self, question: &Question<'_>) -> String;

    /// Distinguishes its answers from those of another engine, checkpoint or setting: the key of stored
    /// answers.
    ///
    /// # Errors
    /// If the weights cannot be looked at.
    fn identity(&self) -> Result<String, EngineError> {
        Ok(self.label(&Question::of(&[])))
    }

    /// Answers for every program and passes each answer to `done`, in order, as soon as it and all
    /// before it are ready. `done` can stop the iteration.
    ///
    /// # Errors
    /// If no program can be answered. An error in one program is its answer.
    fn answer(&self, question: &Question<'_>, done: &mut Done<'_>) -> Result<(), EngineError>;
}

/// Takes the answers.
pub type Done<'d> = dyn FnMut(&Program, Answer) -> ControlFlow<()> + 'd;

/// Programs to trace.
#[derive(Debug, Clone, Copy)]
pub struct Question<'p> {
    /// The programs.
    pub programs: &'p [Program],
    /// What kind of examples they are; tells a network its task.
    pub kind: Kind,
    /// They lack imports: an engine that runs them prepends the missing ones.
    pub lacks_imports: bool,
    /// Their surroundings are unknown, if the engine can continue with unknown values: command-line arguments, the
    /// environment, missing input, files.
    pub open_world: bool,
    /// An engine that continues with unknown values takes a branch if one decides. If another branch ends differently, one
    /// such end is among the other worlds of the answer.
    pub either_way: bool,
}

impl<'p> Question<'p> {
    /// Complete programs, unchanged.
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

/// An engine's answer for one program.
pub type Answer = Result<Answered, Unanswered>;

/// A trace and additional information.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The trace.
    pub trace: Trace,
    /// Log-probability of the whole trace, if the engine has one.
    pub score: Option<f32>,
    /// The program exceeds the network's window of this many tokens, and only its beginning was
    /// read.
    pub cut_at: Option<usize>,
    /// Why the trace stops before its end, if the engine stopped.
    pub stopped: Option<Stopped>,
    /// Unknown modules, if the engine continued with values from them.
    pub unknown: Vec<Stopped>,
    /// External facts that it used and only assumed, if the engine can continue with unknown values.
    pub assumed: Vec<Assumed>,
    /// Injected values, in order.
    pub injected: Vec<Injected>,
    /// Assumptions about them, in order, if the engine reports them.
    pub decisions: Vec<Decided>,
    /// Other worlds, in which some of the assumptions differ, as many as requested. The first ones do not depend on
    /// that number.
    pub others: Vec<Answered>,
    /// Number of questions to a network, if the engine asks them one by one.
    pub questions: Option<u64>,
}

/// An assumption about an injected value, which could be otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// Line that needed it, from 1.
    pub line: u32,
    /// Path of the file, unless it is the program itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<String>,
    /// The name of the value, such as `response.ok`.
    pub what: String,
    /// The assumption, in words that follow `what`: `is true` or `is false` for a condition, `is None`, `is 200`,
    /// `is not 200`, `raises Timeout`, `does not raise Timeout`.
    pub taken: String,
    /// Its probability, in 0..=1.
    pub sure: f64,
    /// Whether it is otherwise than planning takes it by itself.
    pub other: bool,
}

/// Where an engine stopped, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// Line of the program, from 1, if known.
    pub line: Option<u32>,
    /// File of that line: an index into [`Trace::files`]; 0 is the program itself.
    pub file: u32,
    /// In words, without the line.
    pub why: String,
    /// Whether only one statement of a module was skipped, and planning continued.
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
    /// A trace without additional information.
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
    /// Replacement for the trace, without steps: how the program ended before it began.
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
    /// A language model is not available.
    #[error("{0}")]
    Server(String),
}

impl From<Failure> for EngineError {
    fn from(failure: Failure) -> Self {
        Self::Server(failure.why().to_owned())
    }
}

/// Settings for making engines. Each takes what it needs; see [`Need`].
#[derive(Debug, Clone)]
pub struct Settings {
    /// Checkpoint directory, or a name on the Hugging Face hub (default: the embedded checkpoint).
    pub model: Option<String>,
    /// Whether weights are rounded to 8 bits.
    pub quantised: bool,
    /// Widths of the beam, or worlds of a planner, with one engine for each; one of the default width if empty.
    pub widths: Vec<usize>,
    /// The beam search variant (default: the checkpoint's own).
    pub rule: Option<Rule>,
    /// What a planner folds; it asks the rest.
    pub fold: FoldLevel,
    /// Minimum probability of a planned trace; planning stops below it.
    pub min_confidence: f64,
    /// Whether a planner binds what programs miss to values that fit their use.
    pub inject: bool,
    /// Given values that replace injected ones.
    pub given: Vec<plan::given::Given>,
    /// Whether a planner continues to the end with injected values for missing modules and functions that are not
    /// modelled.
    pub goes_on: bool,
    /// Whether a planner continues with values from unknown modules until one would decide something.
    pub unknown: bool,
    /// Whether a planned trace only needs the place where it raised, so that programs share common parts: imported
    /// modules, and the program that calls follow.
    pub places_only: bool,
    /// Modules that a planner follows besides those of the program and the standard library.
    pub packages: project::Packages,
    /// Finds modules and files, if they do not come from a file system.
    pub finder: Option<Arc<dyn Finder>>,
    /// Whether predicted lines follow the control flow allowed by the syntax.
    pub flow: bool,
    /// Whether programs are decoded together: faster, but the last digits of a confidence can depend on
    /// the other programs.
    pub together: bool,
    /// Maximum steps of a predicted trace; that of a run is a limit of the sandbox.
    pub max_steps: usize,
    /// CPU time for planning one program; the planner's default limit if `None`.
    pub plan_time: Option<Duration>,
    /// The sandbox.
    pub sandbox: PoolConfig,
    /// How missing values are injected.
    pub guide: GuideOptions,
    /// The language model. By default a planner asks the checkpoint.
    pub server: Option<ServerOptions>,
    /// A file of stored answers, which are reused.
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

/// An engine's resources, and so the settings it obeys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A named model: a checkpoint, or one on a server.
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
    /// Modules besides those of the program and the standard library.
    Modules,
    /// A limit of time.
    Time,
    /// A server with a language model, if one is named.
    Server,
    /// Answers that can be kept.
    Answers,
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Its name on the command line.
    pub name: &'static str,
    /// Description in one line of help.
    pub about: &'static str,
    /// Its resources.
    pub needs: &'static [Need],
    /// Whether its traces are of executions, not predicted.
    pub executes: bool,
    /// Its name in traces.
    pub by: codexec_data::trace::Engine,
    /// The default for importing installed packages.
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

/// All engines; the first is the default.
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
