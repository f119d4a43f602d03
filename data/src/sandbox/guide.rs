//! Programs that miss values: what is sent along with one, and what comes back besides its trace.
//!
//! The plan says what each missing value is taken for; `data/python/sandbox/guide.py` follows it. Making the
//! plan and the instrumented program is the caller's affair. The report is written by the child, so
//! every number and text in it is checked like the trace.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::trace::{Program, Trace};

/// A place where a value is used.
#[derive(Debug, Clone, Serialize)]
pub struct GuidePlace {
    /// How it is used there.
    pub kind: &'static str,
    /// What is read.
    pub name: String,
    /// Its line, 1-based.
    pub line: u32,
    /// The path under which values are known, where it has one.
    pub path: Option<String>,
    /// What the value probably is, where anything was predicted.
    pub likely: Option<GuideClass>,
    /// What the condition there should be, where it is part of one.
    pub wanted: Option<GuideWish>,
}

/// A class of values.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct GuideClass {
    /// Its name.
    pub name: &'static str,
    /// How probable it is.
    pub sure: f32,
}

/// What a condition should be.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct GuideWish {
    /// Its line, 1-based.
    pub line: u32,
    /// What leads further.
    pub outcome: bool,
    /// How it turns for other values: 0 never, 1 every other time, 2 where it would go round for ever.
    pub turn: u8,
}

/// What is known of values under a path.
#[derive(Debug, Clone, Serialize)]
pub struct GuideValue {
    /// What they probably are.
    pub likely: GuideClass,
    /// Wishes for the value.
    pub hint: serde_json::Value,
}

/// What goes to the sandbox with an instrumented program.
#[derive(Debug, Clone, Default, Serialize)]
pub struct GuidePlan {
    /// The places by the numbers that the program has them under.
    pub places: Vec<GuidePlace>,
    /// Values by path.
    pub values: BTreeMap<String, GuideValue>,
    /// Attributes that the program reads of a name.
    pub attributes: BTreeMap<String, Vec<String>>,
    /// Names that the program calls, or takes for a base class.
    pub called: Vec<String>,
    /// What conditions should be.
    pub wanted: Vec<GuideWish>,
    /// Names of the exceptions that the program itself catches, by line; `*` for all.
    pub caught: BTreeMap<u32, Vec<String>>,
    /// First and last line of each statement.
    pub statements: Vec<(u32, u32)>,
    /// `adaptive`, `fine`, `coarse` or `coarse-random`.
    pub abstraction: &'static str,
    /// Whether anything is made up at all.
    pub inject: bool,
    /// Whether names are looked for in modules that they usually come from.
    pub resolve: bool,
    /// Whether the program was given standard input.
    pub has_input: bool,
    /// Names that may be missing and are deleted.
    pub deleted: BTreeSet<String>,
    /// Text of files that are not there. `None`: any.
    pub file: Option<String>,
    /// Whether a made-up mapping has only the keys that the program writes out.
    pub strict: bool,
    /// For what is drawn.
    pub seed: u64,
    /// Time after which the program is stopped and reported, a little less than the pool's limit.
    pub seconds: f64,
    /// In which world the program is one of two versions to compare; none: it stands alone.
    pub world: Option<World>,
}

/// What made-up values are and what is said of them where two versions of a program are compared: both
/// run in the same worlds. `data/python/sandbox/terms.py` says what comes of it.
#[derive(Debug, Clone, Default, Serialize)]
pub struct World {
    /// Its number; in world 0 conditions are told what leads further.
    pub number: u32,
    /// Numbers and texts that a value of a path may be, `len(path)` for its length.
    pub pools: BTreeMap<String, Vec<serde_json::Value>>,
    /// Numbers and texts that any value may be.
    pub literals: Vec<serde_json::Value>,
    /// What questions were answered before, by their text.
    pub answers: BTreeMap<String, bool>,
    /// Exceptions that calls of something unknown may raise; none: they do not.
    pub raises: Vec<String>,
    /// Functions to call; none: those that the program does not call.
    pub calls: Option<Vec<MadeCall>>,
}

/// What a version did in a world. All texts come in two forms: with what made-up values are there, and
/// as terms over their names.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compared {
    /// Variables, results of calls, what callbacks gave.
    pub results: Vec<MadeResult>,
    /// What was done to made-up things, in order.
    pub effects: Vec<Effect>,
    /// What the program learnt of made-up values.
    pub asked: Vec<Learnt>,
    /// The same as answers for other runs.
    pub answers: BTreeMap<String, bool>,
    /// What made-up numbers and texts were.
    pub picked: Vec<Picked>,
    /// Functions that were called when the program had ended.
    pub calls: Vec<MadeCall>,
    /// Whether made-up text was read that carries no term: of files, of standard input.
    pub opaque: bool,
}

/// A result of a version, under its name.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct MadeResult {
    /// Of a variable, or of what gave the result.
    pub name: String,
    /// With what made-up values are there.
    pub value: String,
    /// Over the names of made-up values.
    pub term: String,
}

/// Something that was done to a made-up thing.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Effect {
    /// With what made-up values are there.
    pub value: String,
    /// Over the names of made-up values.
    pub term: String,
}

/// Something that the program learnt of a made-up value.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Learnt {
    /// What was asked.
    pub term: String,
    /// What was said.
    pub answer: String,
}

/// What a made-up number or text was.
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
    /// What is called.
    pub function: String,
    /// Names of the arguments.
    pub arguments: Vec<String>,
}

/// One value that was made up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Injected {
    /// Line that missed it, 1-based.
    pub line: u32,
    /// The module of the project that the line stands in, below the root; none: the program itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// `name`, `attribute`, `call` or `import`.
    pub kind: String,
    /// What was missing.
    pub name: String,
    /// Canonical text of the value.
    pub text: String,
    /// Its class.
    pub class: String,
    /// How sure the predictor was, in 0..=1.
    pub sure: Option<f32>,
}

/// What a guided run gives.
#[derive(Debug, Clone, PartialEq)]
pub struct GuidedRun {
    /// The trace, under the program that was asked about.
    pub trace: Trace,
    /// What was made up, in order.
    pub injected: Vec<Injected>,
    /// Numbers of statements that were executed to their end.
    pub done: Vec<u32>,
    /// Lines that were begun.
    pub begun: Vec<u32>,
    /// What it is compared by, where it ran in a world.
    pub compared: Option<Compared>,
    /// Whether these are known: not of a program that was killed.
    pub reported: bool,
}

/// The report as it stands in a payload.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Report {
    injected: Vec<Injected>,
    done: Vec<u32>,
    begun: Vec<u32>,
    #[serde(default)]
    compared: Option<Compared>,
}

/// Most values of a report.
pub(crate) const MOST_INJECTED: usize = 2000;
/// Longest text of one value, in characters.
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

/// What the worker reads in place of a program's source.
pub(crate) fn request(instrumented: &str, plan: &GuidePlan, program: &Program) -> Program {
    let source = serde_json::json!({ "source": instrumented, "plan": plan });
    Program {
        source: Some(source.to_string()),
        ..program.clone()
    }
}
