//! What a program does with a value: the evidence for its kind. Nothing is concluded from it here.

use std::collections::BTreeSet;

use serde::Serialize;

/// How a value is used at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A name is read.
    Name,
    /// An attribute is read.
    Attribute,
    /// A function is called; the value is what it returns.
    Call,
}

impl Kind {
    /// As it is written in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Attribute => "attribute",
            Self::Call => "call",
        }
    }
}

/// A literal that a value is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// A string.
    Text(String),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// `True` or `False`.
    Bool(bool),
}

/// A comparison with a literal that should come out in a certain way.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// As written, with the value on its left: `==`, `<`, `in`, ...
    pub operator: String,
    /// What it is compared with.
    pub literal: Literal,
    /// What leads further.
    pub wanted: bool,
    /// Whether the length is compared, not the value.
    pub length: bool,
}

impl Comparison {
    /// Whether the value should be the literal itself.
    pub fn is_same(&self) -> bool {
        matches!(
            self.operator.as_str(),
            "==" | "is" | "in" | "startswith" | "endswith"
        ) == self.wanted
    }
}

/// Everything seen about one path.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Uses {
    /// It is called.
    pub called: bool,
    /// It is raised, or stands in an `except` clause.
    pub exception: bool,
    /// It is the class in a pattern of `match`.
    pub pattern: bool,
    /// It is a base class.
    pub base: bool,
    /// `with` enters it.
    pub entered: bool,
    /// It is iterated over.
    pub iterated: bool,
    /// Its items are handed on with a star.
    pub starred: bool,
    /// `async for` goes over it.
    pub awaited: bool,
    /// It is unpacked into so many targets.
    pub unpacked: Option<usize>,
    /// Its items are handed on as keyword arguments.
    pub keywords: bool,
    /// Its length is asked for.
    pub sized: bool,
    /// A string is looked up in it, or it is asked for one.
    pub keys: BTreeSet<String>,
    /// What of that should rather not be in it.
    pub absent: BTreeSet<String>,
    /// It is indexed with integers, the largest of which this is.
    pub indexed: Option<usize>,
    /// It is indexed with several things at once, as arrays are.
    pub multi: bool,
    /// It is sliced.
    pub sliced: bool,
    /// Something else is looked up in it.
    pub looked_up: bool,
    /// It is part of arithmetic with a number, or negated.
    pub arithmetic: bool,
    /// It is added to a string.
    pub joined: bool,
    /// It is added to a list.
    pub extended: bool,
    /// It is part of an operation that neither numbers nor text nor lists have with the other side.
    pub operated: bool,
    /// What is asked of it.
    pub attributes: BTreeSet<String>,
    /// What of that is called.
    pub methods: BTreeSet<String>,
    /// A method of it makes a decorator, which no method of a builtin type does.
    pub decorates: bool,
    /// What it is split at.
    pub separator: Option<String>,
    /// Functions that it is handed to, with the place: `os.path.join`, 0.
    pub handed_to: BTreeSet<(String, usize)>,
    /// Comparisons with literals.
    pub comparisons: Vec<Comparison>,
    /// `isinstance` with a type, and whether that is wanted.
    pub instance_of: Vec<(String, bool)>,
    /// It is compared with `None`, and being `None` leads further.
    pub none: Option<bool>,
    /// Where it is missing or empty, the program sets it itself.
    pub set_when_missing: bool,
    /// A condition asks for its truth, and this leads further.
    pub truth: Option<bool>,
}

/// Uses of a kind that are noted of one value: enough to tell what it is, and each place that reads
/// it looks at them.
const MOST_USES: usize = 500;

impl Uses {
    /// Notes an attribute.
    pub(super) fn read(&mut self, name: &str) {
        if self.attributes.len() < MOST_USES {
            self.attributes.insert(name.to_owned());
        }
    }

    /// Notes a method that is called.
    pub(super) fn call(&mut self, name: &str) {
        if self.methods.len() < MOST_USES {
            self.methods.insert(name.to_owned());
        }
    }

    /// Notes a function that it is handed to.
    pub(super) fn hand_to(&mut self, function: &str, place: usize) {
        if self.handed_to.len() < MOST_USES {
            self.handed_to.insert((function.to_owned(), place));
        }
    }

    /// Notes a type that `isinstance` asks for.
    pub(super) fn ask_for(&mut self, kind: &str, wanted: bool) {
        if self.instance_of.len() < MOST_USES {
            self.instance_of.push((kind.to_owned(), wanted));
        }
    }

    /// Notes a comparison.
    pub(super) fn compare(&mut self, comparison: &Comparison) {
        if self.comparisons.len() < MOST_USES {
            self.comparisons.push(comparison.clone());
        }
    }

    /// Whether anything is done with the value itself.
    pub fn is_used(&self) -> bool {
        self.called
            || self.entered
            || self.iterated
            || self.unpacked.is_some()
            || self.keywords
            || self.indexed.is_some()
            || self.multi
            || self.starred
            || self.sliced
            || self.looked_up
            || self.arithmetic
            || self.joined
            || !self.keys.is_empty()
            || !self.attributes.is_empty()
    }
}
