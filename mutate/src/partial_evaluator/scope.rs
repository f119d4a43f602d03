//! State of the walk: meanings of names, scopes, reads, and exits of loops and functions.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::{Expr, Parameters, Stmt};
use ruff_text_size::TextRange;

use super::value::Value;

/// The walk cannot continue: the next read is uncertain.
pub(super) struct Stop;

/// Streams that buffer each for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layer {
    Text,
    Bytes,
    File,
}

/// The part of the input that a function reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Take {
    Input,
    Line,
    All,
    Lines,
}

/// The meaning of a name or an expression.
#[derive(Debug, Clone)]
pub(super) enum Thing<'a> {
    Known(Value),
    /// Some value that does not read.
    Data,
    /// Possibly something that reads.
    Opaque,
    Builtin(&'a str),
    Sys,
    Stream(Layer),
    Reader(Layer, Take),
    Function(Function<'a>),
}

/// A function of the program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Function<'a> {
    pub name: &'a str,
    pub range: TextRange,
    pub parameters: Option<&'a Parameters>,
    pub body: Body<'a>,
    /// The frame that it was defined in.
    pub parent: usize,
    /// That frame's unique number: another may have replaced it.
    pub parent_id: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Body<'a> {
    Expression(&'a Expr),
    Statements(&'a [Stmt]),
}

/// The names of one running scope.
#[derive(Clone)]
pub(super) struct Frame<'a> {
    pub id: usize,
    /// The frame around it in the text.
    pub parent: Option<usize>,
    pub locals: HashSet<&'a str>,
    pub things: HashMap<&'a str, Thing<'a>>,
    /// Whether it is a comprehension's.
    pub inner: bool,
    /// Whether the function may run again.
    pub shared: bool,
}

/// One read, or several by one expression, and the expression's value.
#[derive(Debug, Clone)]
pub(super) struct Event {
    pub range: TextRange,
    pub value: Value,
    /// Whether it is the whole right side of an assignment that unpacks it.
    pub unpacked: bool,
    /// The prompt of `input`.
    pub prompts: Vec<TextRange>,
    /// Start of the statement.
    pub statement: u32,
    /// The frame, or the one around a comprehension.
    pub frame: usize,
    pub commit: usize,
    /// In a function that may run again.
    pub shared: bool,
    /// In a branch that may not be taken.
    pub conditional: bool,
    /// The loop it is in, its variable and which time round.
    pub turn: Option<(usize, String, usize)>,
}

/// A point up to which everything can be written back: all before it runs once and in this order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Commit {
    pub position: usize,
    pub events: usize,
    /// The statement that comes next, the frame it runs in, and the module's statement around it.
    pub statement: u32,
    pub frame: usize,
    pub outer: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leave {
    Break,
    Continue,
    Return,
}

/// A place where a loop or a function may have been left.
#[derive(Clone)]
pub(super) struct Exit {
    pub leave: Leave,
    /// Loops around it, or the frame for a return.
    pub of: usize,
    /// The input read by then; `None` if uncertain.
    pub position: Option<usize>,
    pub commit: usize,
}

pub(super) enum Flow<'a> {
    Next,
    Break,
    Continue,
    Return(Thing<'a>),
}

/// A loop that is walked.
pub(super) struct Turn<'a> {
    pub id: usize,
    pub frame: usize,
    pub variable: Option<&'a str>,
    pub count: usize,
}
