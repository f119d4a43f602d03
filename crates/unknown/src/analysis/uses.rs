//! How a program uses a value: the evidence for its kind. Nothing is concluded from it here.

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
    /// A function is called; the value is its result.
    Call,
}

impl Kind {
    /// Returns its name in reports.
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

/// A comparison with a literal, and its wanted outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The operator with the value on its left: `==`, `<`, `in`, ...
    pub operator: String,
    /// The literal that it is compared with.
    pub literal: Literal,
    /// The outcome that leads further.
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

/// All uses of one path.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Uses {
    /// It is called.
    pub called: bool,
    /// It is raised, or named in an `except` clause.
    pub exception: bool,
    /// It is the class in a pattern of `match`.
    pub pattern: bool,
    /// It is a base class.
    pub base: bool,
    /// `with` enters it.
    pub entered: bool,
    /// It is iterated over.
    pub iterated: bool,
    /// Its items are passed on with a star.
    pub starred: bool,
    /// `async for` iterates over it.
    pub awaited: bool,
    /// The number of targets that it is unpacked into.
    pub unpacked: Option<usize>,
    /// Its items are passed on as keyword arguments.
    pub keywords: bool,
    /// Its length is read.
    pub sized: bool,
    /// Strings that are looked up or searched in it.
    pub keys: BTreeSet<String>,
    /// Strings that should rather be absent from it.
    pub absent: BTreeSet<String>,
    /// The largest integer index, at most 32.
    pub indexed: Option<usize>,
    /// It is indexed with several values at once, like an array.
    pub multi: bool,
    /// It is sliced.
    pub sliced: bool,
    /// A value of another kind is looked up in it.
    pub looked_up: bool,
    /// It is an operand of arithmetic with a number, or negated.
    pub arithmetic: bool,
    /// It is added to a string.
    pub joined: bool,
    /// It is added to a list.
    pub extended: bool,
    /// It is an operand that neither a number nor text nor a list could be with the other side.
    pub operated: bool,
    /// Attributes that are read.
    pub attributes: BTreeSet<String>,
    /// The attributes that are called.
    pub methods: BTreeSet<String>,
    /// One of its methods makes a decorator, which no method of a builtin type does.
    pub decorates: bool,
    /// The separator that it is split at.
    pub separator: Option<String>,
    /// Functions that it is passed to, with the position: `os.path.join`, 0.
    pub handed_to: BTreeSet<(String, usize)>,
    /// Comparisons with literals.
    pub comparisons: Vec<Comparison>,
    /// Types that `isinstance` tests for, and whether that is wanted.
    pub instance_of: Vec<(String, bool)>,
    /// It is compared with `None`; whether being `None` leads further.
    pub none: Option<bool>,
    /// The program itself sets it if it is missing or empty.
    pub set_when_missing: bool,
    /// A condition tests its truth; the outcome that leads further.
    pub truth: Option<bool>,
}

/// Most uses of a kind that are noted per value: enough to tell its kind, and every read of the
/// value scans them.
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

    /// Notes a function that it is passed to.
    pub(super) fn hand_to(&mut self, function: &str, place: usize) {
        if self.handed_to.len() < MOST_USES {
            self.handed_to.insert((function.to_owned(), place));
        }
    }

    /// Notes a type that `isinstance` tests for.
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

    /// Whether the value itself is used in any way.
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
