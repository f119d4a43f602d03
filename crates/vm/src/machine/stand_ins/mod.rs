//! Stand-ins: values that a program misses and planning goes on with ([`crate::stand_in`]).
//!
//! | file | what |
//! |---|---|
//! | `making` | a value for a path: plain, or a stand-in; what comes of a stand-in |
//! | `deciding` | what conditions on one are told, how many items it has |
//! | `executing` | instructions one of whose operands is a stand-in |
//! | `formatting` | text that has one |
//! | `calling` | calls of one, and of other functions with one |
//! | `raising` | calls of one that raise what the `try` around them expects |
//! | `excusing` | what is made up in place of an error |
//! | `refused` | what the sandbox refuses to libraries that do without |
//!
//! A stand-in is an [`Object::Opaque`](crate::value::Object) as other unknown values are; what it is stands beside the
//! heap. The same attribute, item or result of one is the same object, and a condition that was told something is told so
//! again.

mod calling;
mod deciding;
mod excusing;
mod executing;
mod formatting;
mod making;
mod raising;
mod refused;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::stand_in::{Decision, MadeUp, ProgramGuesses};
use crate::value::{ObjectId, Value};

/// What was made up during one program.
#[derive(Debug, Clone, Default)]
pub(super) struct StandIns {
    /// Text of the program, before it is first asked about.
    pub(super) source: Arc<str>,
    /// Whether the program was given standard input.
    pub(super) has_input: bool,
    guesses: Option<Arc<dyn ProgramGuesses>>,
    /// Values for names.
    names: HashMap<Arc<str>, Value>,
    /// What came of values, by how.
    children: HashMap<(ObjectId, Arc<str>), Value>,
    /// Classes of exceptions that are not there, by their paths.
    errors: HashMap<Arc<str>, Value>,
    /// What conditions were told.
    said: HashMap<ObjectId, bool>,
    /// Texts of conditions on values, as `x > 3`.
    conditions: HashMap<ObjectId, Arc<str>>,
    /// Whether values are taken for `None`.
    said_none: HashMap<ObjectId, bool>,
    /// What values are not.
    is_not: HashMap<ObjectId, Value>,
    /// What was taken for granted, in order.
    decisions: Vec<Decision>,
    /// How often conditions of a line and a path were asked.
    turns: HashMap<(u32, Arc<str>), u32>,
    /// How often the loops of a line went round.
    pub(in crate::machine) rounds: HashMap<u32, u32>,
    /// Items that loops over unknown values have left.
    pub(in crate::machine) left: HashMap<ObjectId, u32>,
    /// Whether one of them has many.
    pub(in crate::machine) has_many: bool,
    /// Values that were asked about or walked, by lines.
    asked: HashMap<ObjectId, Vec<(u32, u32)>>,
    /// Paths of the lists that came of values.
    lists: HashMap<ObjectId, HashSet<Arc<str>>>,
    /// How many items an asynchronous iterator gave.
    given: HashMap<ObjectId, usize>,
    /// Whether a module that is not there was imported with `*`.
    pub(super) imported_all: bool,
    /// The class that stands for base classes.
    base: Option<Value>,
    /// Functions and classes that a stand-in decorated.
    decorated: HashSet<ObjectId>,
    /// Functions of the program that were handed to what is not there, which may call them.
    handed: Vec<Value>,
    /// Addresses of the code of functions that were entered.
    pub(super) entered: HashSet<usize>,
    /// The exception that a call is to raise, as it is carried.
    wanted: Option<ObjectId>,
    /// What was made up, in order.
    pub(super) made: Vec<MadeUp>,
}
