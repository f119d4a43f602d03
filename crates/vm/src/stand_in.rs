//! Values that a program misses and planning goes on with: what is said of them, and what was made up.
//!
//! Who says it is the caller's affair ([`Guesses`]): predictors, or nobody. The machine makes a value of it, a plain one
//! where the guess is sure and says enough, else a *stand-in* that goes along with whatever is done to it, the same way
//! each time. The rules are those of guided execution (`data/python/sandbox/guide.py`), which has them in Python.

use std::collections::HashSet;
use std::fmt::{self, Debug};
use std::sync::Arc;

use codexec_trace::origins;

/// That planning goes on with values that are missing.
#[derive(Debug, Clone)]
pub struct GoesOn {
    /// Whether names that nobody binds, files that are not there and input that nobody gave are made up, too; else only what
    /// comes of modules that cannot be found and of functions that are not modelled.
    pub names: bool,
    /// What values probably are.
    pub guesses: Arc<dyn Guesses>,
}

/// Says of programs what values that they miss probably are.
pub trait Guesses: Debug + Send + Sync {
    /// For one program. It is asked when a value is missed for the first time.
    fn of(&self, source: &str) -> Arc<dyn ProgramGuesses>;
}

/// Says of one program what values that it misses probably are. Paths are texts as `df.x`, `load()`, `rows[]`.
pub trait ProgramGuesses: Debug + Send + Sync {
    /// What the uses of the value at a path ask for. `None` if there are none.
    fn known(&self, path: &str) -> Option<Known>;
    /// The place where a value is used.
    fn place(&self, line: u32, used: Used, name: &str) -> Option<Place>;
    /// What the condition should be that a value is part of where it is used.
    fn wish_of(&self, line: u32, used: Used, name: &str) -> Option<Wish>;
    /// What a condition on a line should be to lead further.
    fn wish(&self, line: u32) -> Option<Wish>;
    /// Whether two values should be the same that a condition on a line compares by identity, or what it compares with
    /// `None` should be it.
    fn same_wish(&self, line: u32) -> Option<Wish> {
        let _ = line;
        None
    }
    /// A text that suits what is done to the value at a path.
    fn text(&self, path: &str, wishes: &Wishes) -> String;
    /// The module, or the module and its member, that a name usually stands for.
    fn usual(&self, name: &str) -> Option<(String, Option<String>)>;
    /// Attributes that the program reads of a name.
    fn attributes(&self, name: &str) -> Vec<String>;
    /// Whether a handler around a line catches one of these exceptions by its own name.
    fn catches(&self, line: u32, errors: &[&str]) -> bool;
}

/// How a value is used where it is missed.
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
    /// Its name, as in reports of guided execution.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Attribute => "attribute",
            Self::Call => "call",
            Self::Import => "import",
        }
    }
}

/// A class of values: one of LExecutor's (Table 1), as `int_pos`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Guess {
    /// Its name.
    pub class: &'static str,
    /// How probable it is, in 0..=1.
    pub sure: f32,
}

/// What the uses of a value ask for.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    /// Its probable class.
    pub guess: Guess,
    /// What the value should be.
    pub wishes: Wishes,
    /// Whether somebody gave the value, who wants this one and no stand-in of its kind.
    pub is_given: bool,
}

/// What a value should be, so that it fits its uses.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wishes {
    /// Number that it should be.
    pub number: Option<f64>,
    /// Text that it should be.
    pub text: Option<String>,
    /// How many items it should have.
    pub count: Option<usize>,
    /// Keys that it should have.
    pub keys: Vec<String>,
    /// It is the class of an exception.
    pub exception: bool,
}

/// A place where a value is used.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Place {
    /// What the value is called.
    pub path: Option<String>,
    /// Its probable class.
    pub guess: Option<Guess>,
}

/// What a condition should be to lead further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// Whether it should be true.
    pub outcome: bool,
    /// How that changes.
    pub turn: Turn,
}

/// How the answer to a condition changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Never.
    Never,
    /// Every other time, for other values.
    Alternates,
    /// Else a loop would never end.
    EndsLoop,
}

/// A value that was made up.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeUp {
    /// Line that missed it, 1-based.
    pub line: u32,
    /// Index of its file in the trace; 0 is the entry.
    pub file: u32,
    /// How it is used there.
    pub used: Used,
    /// What was missing.
    pub name: String,
    /// Text of the value.
    pub text: String,
    /// Class of the value, as in [`Guess`].
    pub class: &'static str,
    /// How sure that was. `None`: nobody said.
    pub sure: Option<f32>,
}

/// What a stand-in is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StandIn {
    /// What it is called.
    pub(crate) path: Arc<str>,
    /// The type that it is probably of: `int`, `float`, `str`, `list`, `dict`, `tuple`, `set`, or `object`.
    pub(crate) kind: &'static str,
    /// What is printed of it.
    pub(crate) shown: Arc<str>,
    /// What it is as a number.
    pub(crate) number: f64,
    /// How many items it has.
    pub(crate) count: usize,
    /// Keys that it has.
    pub(crate) keys: Arc<[String]>,
    /// What it came of.
    pub(crate) parent: Option<crate::value::ObjectId>,
}

/// What was taken for granted of a value that was made up, and could be otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Line that needed it, 1-based.
    pub line: u32,
    /// Index of its file in the trace; 0 is the entry.
    pub file: u32,
    /// What the value is called, as `response.ok`.
    pub what: String,
    /// What was taken for granted.
    pub taken: Taken,
    /// How probable that is, in 0..=1.
    pub sure: f64,
    /// Whether it is otherwise than planning takes it by itself.
    pub other: bool,
    /// How many other possibilities there are, equally probable.
    pub others: usize,
}

/// What is taken for granted of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Taken {
    /// Whether a condition on it holds.
    Holds(bool),
    /// Whether it is `None`.
    IsNone(bool),
    /// What it is, as text.
    Is(String),
    /// What it is not, as text.
    IsNot(String),
    /// Whether a call raises, and which exception: the one that the `try` around it expects.
    Raises(String, bool),
}

/// In words that follow what the value is called: `is true`, `is not 200`, `raises Timeout`.
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

/// What marks the values of a trace that come of made-up ones.
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
