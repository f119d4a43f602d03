//! Programs with missing values: the request, and the results besides the trace.
//!
//! The plan assigns a prediction to each missing value; `data/python/sandbox/guide.py` follows it. The
//! caller makes the plan and the instrumented program. The child writes the report, so every number and text
//! in it is checked like the trace.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::trace::{Program, Trace};

/// A place where a value is used.
#[derive(Debug, Clone, Serialize)]
pub struct GuidePlace {
    /// Its use there.
    pub kind: &'static str,
    /// The expression read.
    pub name: String,
    /// Its line, 1-based.
    pub line: u32,
    /// The path that identifies its value, if it has one.
    pub path: Option<String>,
    /// The value's predicted class, if there is a prediction.
    pub likely: Option<GuideClass>,
    /// The desired result of the condition there, if it is part of one.
    pub wanted: Option<GuideWish>,
}

/// A class of values.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct GuideClass {
    /// Its name.
    pub name: &'static str,
    /// Its probability.
    pub sure: f32,
}

/// The desired result of a condition.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct GuideWish {
    /// Its line, 1-based.
    pub line: u32,
    /// The result that leads further.
    pub outcome: bool,
    /// How often it flips for other values: 0 never, 1 every other time, 2 if it would loop forever.
    pub turn: u8,
}

/// Information about values under a path.
#[derive(Debug, Clone, Serialize)]
pub struct GuideValue {
    /// Their predictions.
    pub likely: GuideClass,
    /// Wishes for the value.
    pub hint: serde_json::Value,
}

/// What goes to the sandbox with an instrumented program.
#[derive(Debug, Clone, Default, Serialize)]
pub struct GuidePlan {
    /// The places by their numbers in the program.
    pub places: Vec<GuidePlace>,
    /// Values by path.
    pub values: BTreeMap<String, GuideValue>,
    /// Attributes that the program reads of a name.
    pub attributes: BTreeMap<String, Vec<String>>,
    /// Names that the program calls, or takes for a base class.
    pub called: Vec<String>,
    /// Desired results of conditions.
    pub wanted: Vec<GuideWish>,
    /// Names of the exceptions that the program itself catches, by line; `*` for all.
    pub caught: BTreeMap<u32, Vec<String>>,
    /// First and last line of each statement.
    pub statements: Vec<(u32, u32)>,
    /// `adaptive`, `fine`, `coarse` or `coarse-random`.
    pub abstraction: &'static str,
    /// Whether anything is injected at all.
    pub inject: bool,
    /// Whether names are looked for in modules that they usually come from.
    pub resolve: bool,
    /// Whether the program has standard input.
    pub has_input: bool,
    /// Names that may be missing and are deleted.
    pub deleted: BTreeSet<String>,
    /// Text of missing files. `None` for any.
    pub file: Option<String>,
    /// Whether an injected mapping has only the keys that the program spells out.
    pub strict: bool,
    /// For what is drawn.
    pub seed: u64,
    /// Time after which the program is stopped and reported, a little less than the pool's limit.
    pub seconds: f64,
    /// World of a program that is one of two versions to compare. `None` if it stands alone.
    pub world: Option<World>,
}

/// Injected values and their properties for comparing two versions of a program: both run in the same
/// worlds. `data/python/sandbox/terms.py` defines their effects.
#[derive(Debug, Clone, Default, Serialize)]
pub struct World {
    /// Its number; in world 0 conditions get the result that leads further.
    pub number: u32,
    /// Possible numbers and strings of a path's value, `len(path)` for its length.
    pub pools: BTreeMap<String, Vec<serde_json::Value>>,
    /// Possible numbers and strings of any value.
    pub literals: Vec<serde_json::Value>,
    /// What questions were answered before, by their text.
    pub answers: BTreeMap<String, bool>,
    /// Exceptions that calls of something unknown may raise; empty if they do not.
    pub raises: Vec<String>,
    /// Functions to call. `None`: those that the program does not call.
    pub calls: Option<Vec<MadeCall>>,
}

/// The behaviour of a version in a world. All texts have two forms: with the actual injected values,
/// and as terms over their names.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compared {
    /// Variables, results of calls, what callbacks gave.
    pub results: Vec<MadeResult>,
    /// Operations on injected objects, in order.
    pub effects: Vec<Effect>,
    /// The program's observations of injected values.
    pub asked: Vec<Learnt>,
    /// The same as answers for other runs.
    pub answers: BTreeMap<String, bool>,
    /// The actual injected numbers and strings.
    pub picked: Vec<Picked>,
    /// Functions that were called when the program had ended.
    pub calls: Vec<MadeCall>,
    /// Whether injected text without a term was read: from files, from standard input.
    pub opaque: bool,
}

/// A result of a version, under its name.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct MadeResult {
    /// Of a variable, or of what gave the result.
    pub name: String,
    /// With the actual injected values.
    pub value: String,
    /// Over the names of injected values.
    pub term: String,
}

/// An operation on an injected object.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Effect {
    /// With the actual injected values.
    pub value: String,
    /// Over the names of injected values.
    pub term: String,
}

/// An observation of an injected value.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Learnt {
    /// The question.
    pub term: String,
    /// The answer.
    pub answer: String,
}

/// An actual injected number or string.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Picked {
    /// Its name.
    pub term: String,
    /// Its text.
    pub text: String,
}

/// A call that no program makes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MadeCall {
    /// The callee.
    pub function: String,
    /// Names of the arguments.
    pub arguments: Vec<String>,
}

/// One injected value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Injected {
    /// Line that missed it, 1-based.
    pub line: u32,
    /// The project module of the line, relative to the root. `None` for the program itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// `name`, `attribute`, `call` or `import`.
    pub kind: String,
    /// The missing expression.
    pub name: String,
    /// Canonical text of the value.
    pub text: String,
    /// Its class.
    pub class: String,
    /// The predictor's confidence, in 0..=1.
    pub sure: Option<f32>,
}

/// Results of a guided run.
#[derive(Debug, Clone, PartialEq)]
pub struct GuidedRun {
    /// The trace, under the original program.
    pub trace: Trace,
    /// The injected values, in order.
    pub injected: Vec<Injected>,
    /// Numbers of statements that were executed to their end.
    pub done: Vec<u32>,
    /// Lines that were begun.
    pub begun: Vec<u32>,
    /// The data for comparison, if it ran in a world.
    pub compared: Option<Compared>,
    /// Whether these are known: not of a program that was killed.
    pub reported: bool,
}

/// The report in its payload form.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Report {
    injected: Vec<Injected>,
    done: Vec<u32>,
    begun: Vec<u32>,
    #[serde(default)]
    compared: Option<Compared>,
}

/// Maximum values of a report.
pub(crate) const MOST_INJECTED: usize = 2000;
/// Maximum length of one value's text, in characters.
const LONGEST: usize = 400;

impl GuidedRun {
    pub(crate) fn new(trace: Trace, report: Option<Report>) -> Self {
        let reported = report.is_some();
        let Report {
            injected,
            done,
            begun,
            compared,
        } = report.unwrap_or_default();
        let short = |text: String| text.chars().take(LONGEST).collect::<String>();
        let injected = injected.into_iter().take(MOST_INJECTED);
        let injected = injected.map(|one| Injected {
            line: one.line,
            file: one.file.map(short),
            kind: short(one.kind),
            name: short(one.name),
            text: short(one.text),
            class: short(one.class),
            sure: one.sure.filter(|sure| (0.0..=1.0).contains(sure)),
        });
        Self {
            trace,
            injected: injected.collect(),
            done,
            begun,
            compared,
            reported,
        }
    }
}

/// The worker's input instead of a program's source.
pub(crate) fn request(instrumented: &str, plan: &GuidePlan, program: &Program) -> Program {
    let source = serde_json::json!({ "source": instrumented, "plan": plan });
    Program {
        source: Some(source.to_string()),
        ..program.clone()
    }
}
