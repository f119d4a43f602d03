//! The type that everything else consumes: the steps of an execution and its outcome.
//!
//! `docs/trace-format.md` defines the steps of a program and the contents of a state. Sibling
//! modules hold the forms of a trace (JSON, paper, delta); this one holds only the data.

mod call_stack;
pub mod cwm;
pub mod delta;
pub mod delta_text;
mod error;
pub mod frames;
mod json;
pub mod notation;
mod object;
pub mod origins;
mod outcome;
pub mod paper;
mod rows;
mod state;
pub mod syntax;
mod value;

pub use delta::{DeltaStep, DeltaTrace, delta, full, truncate_at_raise, whole_states};
pub use error::FormError;
pub use frames::Frames;
pub use json::{States, TraceForm};
pub use object::{ObjectText, without_attributes};
pub use outcome::{Cause, Link, MOST_CAUSES, Outcome};
pub use paper::{PaperStep, PaperTrace};
pub use rows::{TraceRow, Unknown};
pub use state::{KnownNames, State};
pub use value::{Origin, Text, Value, ValueType, int_text};

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Version of the JSON form. Raised whenever a reader of the previous one would misread.
pub const TRACE_VERSION: u32 = 3;

/// The oldest supported version. In version 1 an instance never shows attributes.
pub const OLDEST_TRACE_VERSION: u32 = 1;

/// The producer of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// CPython in the sandbox: the truth.
    Run,
    /// A network; nothing was executed.
    Predict,
    /// Executed where possible, missing values predicted.
    Guide,
    /// A language model, block by block; nothing was executed.
    Orca,
}

/// The program a trace belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Its origin: a path, a record id, `-` for standard input.
    pub id: String,
    /// Its text; omitted if the record around the trace has it already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its standard input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    /// Directory in which neighbouring modules are found, with links resolved. `None` for a single file. Not part of a
    /// trace, because it differs between machines.
    #[serde(skip)]
    pub root: Option<PathBuf>,
    /// The package that it is executed in, as by `python -m`: `__package__`. Empty for none.
    #[serde(skip)]
    pub package: String,
    /// The command-line arguments of the program: `sys.argv[1:]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// Environment variables in addition to the sandbox's. Not part of a trace: they may be secrets.
    #[serde(skip)]
    pub environment: Vec<(String, String)>,
    /// The dotted name for importing it, if it is a module of its project. Empty if it is executed as `__main__`.
    #[serde(skip)]
    pub module: String,
    /// Byte offset in the source of statements that are executed in its module after it has ended. `None` if there are
    /// none.
    #[serde(skip)]
    pub behind: Option<usize>,
}

impl Program {
    /// Whether it stands alone: without a root, arguments or environment.
    pub fn is_alone(&self) -> bool {
        self.root.is_none() && self.arguments.is_empty() && self.environment.is_empty()
    }

    /// Its absolute path: the value of `__file__`. `None` if it has no root.
    pub fn file(&self) -> Option<PathBuf> {
        let root = self.root.as_ref()?;
        let given = Path::new(&self.id);
        let places = [given.to_owned(), root.join(given)];
        let inside = places.iter().find_map(|place| {
            let real = place.canonicalize().ok()?;
            (real.starts_with(root) && real.is_file()).then_some(real)
        });
        let name = given.file_name().unwrap_or("prog.py".as_ref());
        Some(inside.unwrap_or_else(|| root.join(name)))
    }

    /// Its working directory: the process's if that is in the root, else the root. `None` if it has no root.
    pub fn directory(&self) -> Option<PathBuf> {
        let root = self.root.as_ref()?;
        let here = std::env::current_dir().and_then(|here| here.canonicalize());
        let here = here.ok().filter(|here| here.starts_with(root));
        Some(here.unwrap_or_else(|| root.clone()))
    }

    /// Its name on the command line: `sys.argv[0]`.
    pub fn name(&self) -> String {
        match self.file() {
            // As `python -m` does.
            Some(file) if !self.package.is_empty() => file.display().to_string(),
            _ if self.is_alone() => "prog.py".to_owned(),
            _ => self.id.clone(),
        }
    }
}

/// What made the interpreter report a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Event {
    /// A function, generator or class body is entered (or resumed).
    Call,
    /// A line is about to run.
    Line,
    /// A function, generator or class body is left: return, yield, or unwinding.
    Return,
}

/// One event of the program and the state after it.
///
/// The state is that of the frame of the *next* event, taken when that event fires: for a plain
/// statement the variables after it, for a line that calls a function the callee's arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Line of the event, 1-based.
    pub line: u32,
    /// The event's kind.
    pub event: Event,
    /// Name of the code object the event is in; `<module>` at the top.
    pub function: Text,
    /// Number of the program's own frames below this one; 0 in the module.
    pub depth: u32,
    /// File of the line: an index into [`Trace::files`]; 0 is the entry.
    #[serde(default, skip_serializing_if = "is_entry")]
    pub file: u32,
    /// The state afterwards.
    pub state: State,
    /// Text written to standard output during the step, verbatim.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// The value returned by a function or yielded by a generator. `None` if an exception unwound
    /// it, if a generator yielded `None`, and if it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Box<Value>>,
    /// For predictions: the engine's probability of this step, in 0..=1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f32>,
}

/// The steps of an execution and its outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// [`TRACE_VERSION`] of the writer.
    pub version: u32,
    /// Its producer.
    pub engine: Engine,
    /// For `run`: the interpreter, as `3.11.7`.
    pub python: Option<String>,
    /// For `predict`, `guide` and `orca`: the checkpoint, or the language model.
    pub checkpoint: Option<String>,
    /// For planned traces: the probability that every answer in it is right, in 0..=1.
    pub confidence: Option<f32>,
    /// The program.
    pub program: Program,
    /// The executed files of the program, the entry first. Empty if there is only the entry.
    pub files: Vec<SourceFile>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The outcome.
    pub outcome: Outcome,
    /// The exceptions that led to the one of the outcome, the nearest first, as CPython's traceback
    /// shows them: `__cause__`, else `__context__` unless that is suppressed.
    pub causes: Vec<Cause>,
    /// True when a predictor stopped at its length limit before the trace ended.
    pub truncated: bool,
    /// The limit that it stopped at.
    pub limit: Option<Limit>,
}

/// A file of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its path below the program's root.
    pub path: String,
    /// Its text, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// The limit that truncated a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// Tokens that the model can write for this program.
    Tokens(u32),
    /// Number of requested steps.
    Steps(u32),
}

/// Whether an index of a file is that of the entry.
#[allow(clippy::trivially_copy_pass_by_ref)] // as serde wants it
fn is_entry(file: &u32) -> bool {
    *file == 0
}

impl Trace {
    /// A trace without steps yet.
    pub fn new(engine: Engine, program: Program) -> Self {
        Self {
            version: TRACE_VERSION,
            engine,
            python: None,
            checkpoint: None,
            confidence: None,
            program,
            files: Vec::new(),
            steps: Vec::new(),
            outcome: Outcome::Finished,
            causes: Vec::new(),
            truncated: false,
            limit: None,
        }
    }

    /// Everything printed, joined.
    pub fn output(&self) -> String {
        self.steps.iter().map(|s| s.output.as_str()).collect()
    }

    /// The trace as used by records and checkpoints: instances show only their class, returned
    /// values and causes are omitted, and an exit with a status is a normal end.
    #[must_use]
    pub fn short(mut self) -> Self {
        if matches!(self.outcome, Outcome::Exited { .. }) {
            self.outcome = Outcome::Finished;
        }
        self.causes.clear();
        for step in &mut self.steps {
            step.value = None;
            step.state
                .replace(|value| match without_attributes(&value.text) {
                    Cow::Owned(text) => Some(Value {
                        text: text.into(),
                        objects: None,
                        ..value.clone()
                    }),
                    Cow::Borrowed(_) => None,
                });
        }
        self
    }

    /// Steps up to and including the one that raised an uncaught exception; all of them otherwise.
    pub fn until_raise(&self) -> &[Step] {
        match self.outcome {
            Outcome::Raised { step: Some(k), .. } if (k as usize) < self.steps.len() => {
                &self.steps[..=k as usize]
            }
            _ => &self.steps,
        }
    }
}
