//! Missing values with which planning continues: the guesses about them, and the values that were
//! made up.
//!
//! The caller provides the guesses ([`Guesses`]), from predictors or from nothing. The machine
//! makes a value from a guess: a plain one if the guess is certain and specific enough, otherwise a
//! *stand-in* that accepts any operation and answers consistently. The rules are those of guided
//! execution (`data/python/sandbox/guide.py`), which implements them in Python.

use std::collections::HashSet;
use std::fmt::{self, Debug};
use std::sync::Arc;

use codexec_trace::origins;

/// Settings for planning that continues with missing values.
#[derive(Debug, Clone)]
pub struct GoesOn {
    /// Whether unbound names, missing files and missing input are made up, too. If false, only the
    /// results of missing modules and unmodelled functions are.
    pub names: bool,
    /// Guesses about the values.
    pub guesses: Arc<dyn Guesses>,
}

/// Guesses about the missing values of programs.
pub trait Guesses: Debug + Send + Sync {
    /// Returns the guesses for one program. Called when a value is missed for the first time.
    fn of(&self, source: &str) -> Arc<dyn ProgramGuesses>;
}

/// Guesses about the missing values of one program. Paths are texts such as `df.x`, `load()`,
/// `rows[]`.
pub trait ProgramGuesses: Debug + Send + Sync {
    /// Returns what the uses of the value at a path require. `None` if there are none.
    fn known(&self, path: &str) -> Option<Known>;
    /// Returns the place where a value is used.
    fn place(&self, line: u32, used: Used, name: &str) -> Option<Place>;
    /// Returns the wanted outcome of the condition that contains a use of a value.
    fn wish_of(&self, line: u32, used: Used, name: &str) -> Option<Wish>;
    /// Returns the outcome of a line's condition that leads further.
    fn wish(&self, line: u32) -> Option<Wish>;
    /// Returns whether two values that a line's condition compares by identity should be the same,
    /// or whether the value that it compares with `None` should be `None`.
    fn same_wish(&self, line: u32) -> Option<Wish> {
        let _ = line;
        None
    }
    /// Returns a text that suits the operations on the value at a path.
    fn text(&self, path: &str, wishes: &Wishes) -> String;
    /// Returns the module, or the module and its member, that a name usually refers to.
    fn usual(&self, name: &str) -> Option<(String, Option<String>)>;
    /// Returns the attributes of a name that the program reads.
    fn attributes(&self, name: &str) -> Vec<String>;
    /// Returns whether a handler around a line names one of these exceptions.
    fn catches(&self, line: u32, errors: &[&str]) -> bool;
}

/// The use for which a value is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Used {
    /// A variable is read.
    Name,
    /// An attribute is read.
    Attribute,
    /// A function is called.
    Call,
    /// A module is imported.
    Import,
}

impl Used {
    /// Its name in the reports of guided execution.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Attribute => "attribute",
            Self::Call => "call",
            Self::Import => "import",
        }
    }
}

/// A class of values: one of LExecutor's (Table 1), such as `int_pos`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Guess {
    /// Its name.
    pub class: &'static str,
    /// Its probability, in 0..=1.
    pub sure: f32,
}

/// What the uses of a value require.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    /// Its probable class.
    pub guess: Guess,
    /// The wanted value.
    pub wishes: Wishes,
    /// Whether the value was given explicitly, so that this value is wanted and not a stand-in of
    /// its kind.
    pub is_given: bool,
}

/// Properties that a value needs to fit its uses.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wishes {
    /// The wanted number.
    pub number: Option<f64>,
    /// The wanted text.
    pub text: Option<String>,
    /// The wanted number of items.
    pub count: Option<usize>,
    /// The wanted keys.
    pub keys: Vec<String>,
    /// Whether it is the class of an exception.
    pub exception: bool,
}

/// A place where a value is used.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Place {
    /// The path of the value.
    pub path: Option<String>,
    /// Its probable class.
    pub guess: Option<Guess>,
}

/// The outcome of a condition that leads further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// Whether it should be true.
    pub outcome: bool,
    /// How the outcome changes.
    pub turn: Turn,
}

/// How the outcome of a condition changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Never.
    Never,
    /// Every other time, for other values.
    Alternates,
    /// It changes so that a loop ends.
    EndsLoop,
}

/// A made-up value.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeUp {
    /// Line where it was missing, 1-based.
    pub line: u32,
    /// Index of its file in the trace; 0 is the entry.
    pub file: u32,
    /// Its use there.
    pub used: Used,
    /// The missing name.
    pub name: String,
    /// Text of the value.
    pub text: String,
    /// Class of the value, as in [`Guess`].
    pub class: &'static str,
    /// The certainty of the guess. `None` if there was no guess.
    pub sure: Option<f32>,
}

/// The properties of a stand-in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StandIn {
    /// Its path.
    pub(crate) path: Arc<str>,
    /// Its probable type: `int`, `float`, `str`, `list`, `dict`, `tuple`, `set`, or `object`.
    pub(crate) kind: &'static str,
    /// Its text when printed.
    pub(crate) shown: Arc<str>,
    /// Its value as a number.
    pub(crate) number: f64,
    /// Its number of items.
    pub(crate) count: usize,
    /// Its keys.
    pub(crate) keys: Arc<[String]>,
    /// The value from which it was derived.
    pub(crate) parent: Option<crate::value::ObjectId>,
}

/// An assumption about a made-up value that could also be otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Line that needed the assumption, 1-based.
    pub line: u32,
    /// Index of its file in the trace; 0 is the entry.
    pub file: u32,
    /// The path of the value, such as `response.ok`.
    pub what: String,
    /// The assumption.
    pub taken: Taken,
    /// Its probability, in 0..=1.
    pub sure: f64,
    /// Whether it differs from the assumption that planning makes by default.
    pub other: bool,
    /// The number of other possibilities, which are equally probable.
    pub others: usize,
}

/// An assumption about a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Taken {
    /// Whether a condition on it holds.
    Holds(bool),
    /// Whether it is `None`.
    IsNone(bool),
    /// Its value, as text.
    Is(String),
    /// A value that it does not have, as text.
    IsNot(String),
    /// Whether a call raises, and which exception: one that the surrounding `try` expects.
    Raises(String, bool),
}

/// The assumption in words that follow the value's path: `is true`, `is not 200`, `raises Timeout`.
impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Holds(holds) => write!(f, "is {holds}"),
            Self::IsNone(true) => f.write_str("is None"),
            Self::IsNone(false) => f.write_str("is not None"),
            Self::Is(text) => write!(f, "is {text}"),
            Self::IsNot(text) => write!(f, "is not {text}"),
            Self::Raises(error, true) => write!(f, "raises {error}"),
            Self::Raises(error, false) => write!(f, "does not raise {error}"),
        }
    }
}

/// Returns the marks for the values of a trace that depend on made-up ones.
pub fn places(made_up: &[MadeUp], decisions: &[Decision]) -> origins::MadeUp {
    let raised = decisions.iter();
    let raised = raised.filter(|one| matches!(one.taken, Taken::Raises(_, true)));
    let raised: HashSet<(u32, u32)> = raised.map(|one| (one.file, one.line)).collect();
    let all = made_up.iter();
    let errors = all
        .clone()
        .filter(|one| one.used == Used::Call && one.sure.is_none())
        .filter(|one| raised.contains(&(one.file, one.line)));
    origins::MadeUp {
        places: all
            .map(|one| (one.file, one.line, one.text.clone()))
            .collect(),
        texts: errors.map(|one| one.text.clone()).collect(),
    }
}
