//! Stand-ins: replacements for missing values with which planning continues ([`crate::stand_in`]).
//!
//! | file | contents |
//! |---|---|
//! | `making` | values for paths, plain or stand-ins, and values derived from a stand-in |
//! | `deciding` | outcomes of conditions on stand-ins, and the number of their items |
//! | `executing` | instructions with a stand-in among their operands |
//! | `formatting` | formatted text with a stand-in |
//! | `calling` | calls of a stand-in, and of other functions with one as an argument |
//! | `raising` | calls of a stand-in that raise an exception that the surrounding `try` expects |
//! | `excusing` | values that replace an error |
//! | `refused` | requests that the sandbox refuses to libraries that can do without |
//!
//! A stand-in is an [`Object::Opaque`](crate::value::Object), like other unknown values; its
//! properties are stored beside the heap. The same attribute, item or result of a stand-in is the
//! same object, and a repeated condition has the same outcome.

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

/// The made-up values of one program.
#[derive(Debug, Clone, Default)]
pub(super) struct StandIns {
    /// Text of the program, until the first guess about it is requested.
    pub(super) source: Arc<str>,
    /// Whether the program was given standard input.
    pub(super) has_input: bool,
    guesses: Option<Arc<dyn ProgramGuesses>>,
    /// Values of names.
    names: HashMap<Arc<str>, Value>,
    /// Values derived from others, by the operation.
    children: HashMap<(ObjectId, Arc<str>), Value>,
    /// Classes of missing exceptions, by path.
    errors: HashMap<Arc<str>, Value>,
    /// Outcomes of conditions.
    said: HashMap<ObjectId, bool>,
    /// Texts of conditions on values, such as `x > 3`.
    conditions: HashMap<ObjectId, Arc<str>>,
    /// Whether values are assumed to be `None`.
    said_none: HashMap<ObjectId, bool>,
    /// Values from which stand-ins are known to differ.
    is_not: HashMap<ObjectId, Value>,
    /// The assumptions, in order.
    decisions: Vec<Decision>,
    /// How often conditions of a line and a path were tested.
    turns: HashMap<(u32, Arc<str>), u32>,
    /// Iterations of the loops on a line.
    pub(in crate::machine) rounds: HashMap<u32, u32>,
    /// Remaining items of loops over unknown values.
    pub(in crate::machine) left: HashMap<ObjectId, u32>,
    /// Whether one of them has many items.
    pub(in crate::machine) has_many: bool,
    /// Values that were tested or walked, by line.
    asked: HashMap<ObjectId, Vec<(u32, u32)>>,
    /// Paths of the lists derived from values.
    lists: HashMap<ObjectId, HashSet<Arc<str>>>,
    /// Number of items that asynchronous iterators have yielded.
    given: HashMap<ObjectId, usize>,
    /// Whether a missing module was imported with `*`.
    pub(super) imported_all: bool,
    /// The class that replaces base classes.
    base: Option<Value>,
    /// Functions and classes decorated by a stand-in.
    decorated: HashSet<ObjectId>,
    /// Functions of the program that were passed to missing objects, which may call them.
    handed: Vec<Value>,
    /// Addresses of the code of entered functions.
    pub(super) entered: HashSet<usize>,
    /// The exception that a call is to raise, while it propagates.
    wanted: Option<ObjectId>,
    /// The made-up values, in order.
    pub(super) made: Vec<MadeUp>,
}
