//! A request and its answer.

use std::sync::Arc;
use std::time::Duration;

use codexec_plan::machine::{Finder, FoldLevel, Settings};
use codexec_plan::oracles::{Nobody, Oracle};
use codexec_plan::scheduler::{self, Planned};
use codexec_plan::stand_in::{GoesOn, Guesses, places};
use codexec_trace::origins::mark_injected;
use codexec_trace::{Program, States, Trace};
use serde::{Deserialize, Serialize, Serializer};
use web_time::Instant;

use crate::beside::{Beside, ROOT};
use crate::guesses::Text;
use crate::words;

/// Maximum steps that are planned where the request does not say.
const STEPS: usize = 5000;
/// Maximum steps that a request may ask for.
const MOST_STEPS: usize = 200_000;
/// Maximum text of a trace, in bytes.
const TEXT: usize = 16 << 20;
/// Maximum instructions.
const INSTRUCTIONS: u64 = 30_000_000;
/// Maximum memory of a program's objects: a page has less than a process.
const MEMORY: usize = 256 << 20;
/// Most time, in milliseconds, where the request does not say.
const MILLISECONDS: u64 = 3000;

/// Maximum worlds that a request may ask for.
const MOST_WORLDS: usize = 9;

/// A program to plan.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Its text.
    pub source: String,
    /// Its standard input.
    #[serde(default)]
    pub stdin: Option<String>,
    /// Its `sys.argv[1:]`.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Maximum steps.
    #[serde(default)]
    pub max_steps: Option<usize>,
    /// Maximum time.
    #[serde(default)]
    pub max_milliseconds: Option<u64>,
    /// Its name.
    #[serde(default)]
    pub name: Option<String>,
    /// Whether names that nobody binds, files that are not there, and input that nobody gave are made up, too.
    #[serde(default)]
    pub inject: bool,
    /// Files beside the program.
    #[serde(default)]
    pub files: Vec<File>,
    /// Maximum worlds of planning where made-up values decide.
    #[serde(default)]
    pub worlds: Option<usize>,
    /// What is computed; a network is asked the rest, if there is one.
    #[serde(default)]
    pub fold: Fold,
    /// Values in place of made-up ones. The checker's module alone takes them.
    #[serde(default)]
    pub given: Vec<GivenValue>,
}

/// A value that replaces a made-up one.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct GivenValue {
    /// Line of the program that misses it, from 1.
    pub line: u32,
    /// `name`, `attribute` or `call`.
    pub kind: String,
    /// The missing expression.
    pub what: String,
    /// The value, as Python writes it.
    pub value: String,
}

/// What is computed for a program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fold {
    /// All that is known.
    #[default]
    Methods,
    /// Operators and what belongs to them.
    Operators,
    /// Nothing.
    Nothing,
}

/// A file beside the program.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Its path below the directory of the program.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The prediction for a program.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// In the world of the usual decisions.
    #[serde(flatten)]
    pub first: World,
    /// Other executions, most probable first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<World>,
    /// Elapsed time.
    pub milliseconds: f64,
}

/// What a program will do where decisions on made-up values are taken in one way.
#[derive(Debug, Serialize)]
pub struct World {
    /// Its trace; states are written as changes.
    #[serde(serialize_with = "changes")]
    pub trace: Trace,
    /// Values that were made up.
    pub made_up: Vec<MadeUp>,
    /// Assumptions about them.
    pub decisions: Vec<TakenForGranted>,
    /// Why planning ended before the program does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// Its probability, in 0..=1.
    pub probability: f64,
}

/// A value that was made up so that planning could continue.
#[derive(Debug, Serialize)]
pub struct MadeUp {
    /// Line that missed it, from 1.
    pub line: u32,
    /// Index of the file in the trace, unless it is the program itself.
    #[serde(skip_serializing_if = "is_entry")]
    pub file: u32,
    /// `name`, `attribute`, `call` or `import`.
    pub kind: &'static str,
    /// The missing expression.
    pub what: String,
    /// Canonical text of the value.
    pub value: String,
    /// Class of the value, as the predictors of guided execution have it.
    #[serde(skip)]
    pub class: &'static str,
    /// How sure that was, in 0..=1. `None`: nobody said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sure: Option<f32>,
}

/// What was taken for granted of a value that was made up, and could be otherwise.
#[derive(Debug, Serialize)]
pub struct TakenForGranted {
    /// Line that needed it, from 1.
    pub line: u32,
    /// Index of the file in the trace, unless it is the program itself.
    #[serde(skip_serializing_if = "is_entry")]
    pub file: u32,
    /// Name of the value.
    pub what: String,
    /// What was taken for granted, in words that follow `what`.
    pub taken: String,
    /// Its probability, in 0..=1.
    pub sure: f64,
    /// Whether it is otherwise than planning takes it by itself.
    pub other: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde wants it
fn is_entry(file: &u32) -> bool {
    *file == 0
}

/// Why there is no answer.
#[derive(Debug, Serialize)]
struct Refused {
    error: String,
}

fn changes<S: Serializer>(trace: &Trace, serializer: S) -> Result<S::Ok, S::Error> {
    trace.form(States::Changes).serialize(serializer)
}

/// An answer as JSON, or why there is none.
pub fn answered<A: Serialize>(answer: Result<A, String>) -> String {
    let written =
        answer.and_then(|answer| serde_json::to_string(&answer).map_err(|error| error.to_string()));
    written.unwrap_or_else(|error| serde_json::json!(Refused { error }).to_string())
}

/// The answer to a request, both as JSON.
pub(crate) fn answer(request: &[u8]) -> String {
    let request = serde_json::from_slice(request);
    let request = request.map_err(|error| format!("the request cannot be read: {error}"));
    answered(request.and_then(|request| plan(&request)))
}

/// Plans a program. What is not folded ends it.
///
/// # Errors
/// A message if planning itself fails; the outcome of the program is in the answer.
pub fn plan(request: &Request) -> Result<Answer, String> {
    if !request.given.is_empty() {
        return Err("values are given to the checker's module alone".to_owned());
    }
    plan_with(request, Arc::new(Text), None)
}

/// Plans a program with what is said of missing values, and with somebody who answers what is not folded. `None`: that ends
/// it.
///
/// # Errors
/// The errors of [`plan`].
pub fn plan_with(
    request: &Request,
    guesses: Arc<dyn Guesses>,
    oracle: Option<&mut dyn Oracle>,
) -> Result<Answer, String> {
    let begun = Instant::now();
    let program = Program {
        id: request.name.clone().unwrap_or_else(|| "prog.py".to_owned()),
        source: Some(request.source.clone()),
        stdin: request.stdin.clone(),
        arguments: request.arguments.clone(),
        // A program by itself stands nowhere, as on the command line.
        root: (!request.files.is_empty()).then(|| ROOT.into()),
        ..Program::default()
    };
    let mut settings = settings(request, guesses);
    if oracle.is_some() && !request.inject {
        // As on the command line, who is asked answers for what is missing, too.
        settings.goes_on = None;
    }
    let planned = match oracle {
        Some(oracle) => scheduler::plan(&program, &settings, oracle),
        None => scheduler::plan(&program, &settings, &mut Nobody),
    };
    let planned = planned.map_err(|error| error.to_string())?;
    let mut planned = planned.ok_or_else(|| "nothing was planned".to_owned())?;
    let others = std::mem::take(&mut planned.others);
    Ok(Answer {
        first: read(planned),
        others: others.into_iter().map(read).collect(),
        milliseconds: begun.elapsed().as_secs_f64() * 1000.0,
    })
}

fn settings(request: &Request, guesses: Arc<dyn Guesses>) -> Settings {
    let milliseconds = request.max_milliseconds.unwrap_or(MILLISECONDS);
    let files = request.files.iter();
    let files = files.map(|file| (file.path.clone(), file.text.clone()));
    let finder =
        (!request.files.is_empty()).then(|| Arc::new(Beside::of(files)) as Arc<dyn Finder>);
    Settings {
        max_steps: request.max_steps.unwrap_or(STEPS).min(MOST_STEPS),
        max_instructions: INSTRUCTIONS,
        max_cpu: Duration::from_millis(milliseconds),
        max_memory: MEMORY,
        max_text: TEXT,
        references: true,
        fold: match request.fold {
            Fold::Methods => FoldLevel::Methods,
            Fold::Operators => FoldLevel::Operators,
            Fold::Nothing => FoldLevel::Nothing,
        },
        worlds: request.worlds.unwrap_or(1).clamp(1, MOST_WORLDS),
        finder,
        goes_on: Some(GoesOn {
            names: request.inject,
            guesses,
        }),
        ..Settings::default()
    }
}

fn read(planned: Planned) -> World {
    let Planned {
        mut trace,
        unsupported,
        made_up,
        decisions,
        probability,
        ..
    } = planned;
    if !made_up.is_empty() {
        mark_injected(&mut trace, &places(&made_up, &decisions));
    }
    let made_up = made_up.into_iter().map(|one| MadeUp {
        line: one.line,
        file: one.file,
        kind: one.used.as_str(),
        what: one.name,
        value: one.text,
        class: one.class,
        sure: one.sure,
    });
    let decisions = decisions.into_iter().map(|one| TakenForGranted {
        line: one.line,
        file: one.file,
        taken: one.taken.to_string(),
        what: one.what,
        sure: one.sure,
        other: one.other,
    });
    World {
        trace,
        made_up: made_up.collect(),
        decisions: decisions.collect(),
        stopped: unsupported.as_ref().map(words::stopped),
        probability,
    }
}
