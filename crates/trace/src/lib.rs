//! The one type everything else is about: what an execution did, step by step, and how it ended.
//!
//! The rule that says which steps a program has and what a state holds is `docs/trace-format.md`.
//! Forms of a trace (JSON, paper, delta) live in the sibling modules; this one holds only the data.

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
pub use outcome::Outcome;
pub use paper::{PaperStep, PaperTrace};
pub use rows::{TraceRow, Unknown};
pub use state::{KnownNames, State};
pub use value::{Origin, Text, Value, ValueType, int_text};

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Version of the JSON form. Raised whenever a reader of the previous one would misread.
pub const TRACE_VERSION: u32 = 3;

/// The oldest version that is read. In version 1 an instance never shows attributes.
pub const OLDEST_TRACE_VERSION: u32 = 1;

/// Who produced a trace.
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
    /// Where it came from: a path, a record id, `-` for standard input.
    pub id: String,
    /// Its text; left out where the record that holds the trace has it already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What it was given on standard input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    /// Directory in which modules beside it are found, without links. `None`: it is one file. A trace does not have it:
    /// it is another one on each machine.
    #[serde(skip)]
    pub root: Option<PathBuf>,
    /// The package that it is executed in, as `python -m` does: `__package__`. Empty: in none.
    #[serde(skip)]
    pub package: String,
    /// What follows the program on the command line: `sys.argv[1:]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// Variables of the environment besides those of the sandbox. A trace does not have them: they may be secrets.
    #[serde(skip)]
    pub environment: Vec<(String, String)>,
    /// The dotted name that it is imported by, where it is a module of its project. Empty: it is executed as `__main__`.
    #[serde(skip)]
    pub module: String,
    /// Byte of the source behind which there are statements that are executed in its module when it has ended. `None`:
    /// all of it is the program.
    #[serde(skip)]
    pub behind: Option<usize>,
}

impl Program {
    /// Whether it stands alone: without a root, arguments and environment.
    pub fn is_alone(&self) -> bool {
        self.root.is_none() && self.arguments.is_empty() && self.environment.is_empty()
    }

    /// Its own file, absolute: what `__file__` is. `None` if it has no root.
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

    /// Its working directory: the one that this process is in if it is in the root, else the root. `None` if it has no
    /// root.
    pub fn directory(&self) -> Option<PathBuf> {
        let root = self.root.as_ref()?;
        let here = std::env::current_dir().and_then(|here| here.canonicalize());
        let here = here.ok().filter(|here| here.starts_with(root));
        Some(here.unwrap_or_else(|| root.clone()))
    }

    /// What it is called on the command line: `sys.argv[0]`.
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

/// One event of the program and what held after it.
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
    /// Where the line stands: index in [`Trace::files`]; 0 is the entry.
    #[serde(default, skip_serializing_if = "is_entry")]
    pub file: u32,
    /// What holds afterwards.
    pub state: State,
    /// What was written to standard output during the step, verbatim.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// Of a return: what the function gave back, or a generator handed out. None where an exception
    /// unwound it, where a generator handed out `None`, and where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Box<Value>>,
    /// For predictions: the probability the engine gives this step, in 0..=1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f32>,
}

/// What an execution did and how it ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// [`TRACE_VERSION`] of the writer.
    pub version: u32,
    /// Who produced it.
    pub engine: Engine,
    /// For `run`: the interpreter, as `3.11.7`.
    pub python: Option<String>,
    /// For `predict`, `guide` and `orca`: the checkpoint, or the language model.
    pub checkpoint: Option<String>,
    /// For planned traces: the probability that every answer in it is right, in 0..=1.
    pub confidence: Option<f32>,
    /// What was executed.
    pub program: Program,
    /// The program's files that were executed, the entry first. Empty if that is all.
    pub files: Vec<SourceFile>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// How it ended.
    pub outcome: Outcome,
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
    /// Its text, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// What cut a truncated prediction off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// Tokens that the model can write for this program.
    Tokens(u32),
    /// Steps that were asked for.
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
            truncated: false,
            limit: None,
        }
    }

    /// Everything printed, joined.
    pub fn output(&self) -> String {
        self.steps.iter().map(|s| s.output.as_str()).collect()
    }

    /// What records and the texts of checkpoints say of a trace: instances are named by their class
    /// alone, what functions give back is left out, and an exit with a status is an end.
    #[must_use]
    pub fn short(mut self) -> Self {
        if matches!(self.outcome, Outcome::Exited { .. }) {
            self.outcome = Outcome::Finished;
        }
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

    /// Steps up to and including the one at which an uncaught exception was raised; all of them
    /// otherwise.
    pub fn until_raise(&self) -> &[Step] {
        match self.outcome {
            Outcome::Raised { step: Some(k), .. } if (k as usize) < self.steps.len() => {
                &self.steps[..=k as usize]
            }
            _ => &self.steps,
        }
    }
}
