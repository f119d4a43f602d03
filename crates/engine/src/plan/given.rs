//! Values given by a user for what a program misses, which replace injected ones.
//!
//! A value is given for a place: a line and the missing expression. `4:.count=5` is the attribute `count` on line 4,
//! `2:rows()=[]` the result of a call of `rows` on line 2, `1:limit=3` the name `limit`. The machine uses it each time
//! it injects a value there. `Edited` passes it to the machine, and asks the predictors for everything else.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use codexec_data::sandbox::Injected;
use codexec_data::syntax::with_parsed;
use codexec_plan::stand_in::{Guess, Guesses, Known, Place, ProgramGuesses, Used, Wish, Wishes};
use codexec_plan::text::canonical;
use codexec_plan::value::{Heap, Value};
use ruff_python_ast::{Expr, Number, Stmt, UnaryOp};

use super::guesses::Predicted;

/// Separates a path with a given value from other places of that path. No path of a program contains it.
const MARK: char = '\u{1}';
/// The largest whole number that a wish holds exactly.
const MOST_WHOLE: i64 = 1 << 53;
/// Maximum items of a given list, including nested lists.
const MOST_ITEMS: usize = 256;

/// An error in a given value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GivenError {
    /// The place is malformed.
    #[error("write LINE:WHAT=VALUE, as 4:.count=5, '2:rows()=[]' or 1:limit=3")]
    Place,
    /// This kind of place cannot have a given value.
    #[error(
        "a value of the kind {0} cannot be given; a name, an attribute and what a call gives can"
    )]
    Kind(String),
    /// The value is not a literal.
    #[error(
        "{0} is no literal of Python: write a number, a text in quotes, True, False, None, or a list or tuple of these"
    )]
    NoLiteral(String),
    /// A literal of an unsupported kind.
    #[error(
        "{0} cannot be given: write a number, a text in quotes, True, False, None, or a list or tuple of these"
    )]
    NotOfThese(&'static str),
    /// The number is too large.
    #[error("a whole number that is given is at most 2**53")]
    Large,
    /// The list is too long.
    #[error("a list that is given has at most {MOST_ITEMS} items")]
    Long,
}

/// A value for a missing expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// Line of the program that misses it, from 1.
    pub line: u32,
    /// Its use there.
    pub used: Used,
    /// The missing expression.
    pub name: String,
    /// The value, as the user wrote it.
    pub text: String,
    value: Literal,
}

/// Whether a given value was used, best first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Taken {
    /// It is.
    Yes,
    /// Another value was injected instead: usually a stand-in.
    Other(String),
    /// Nothing was injected there.
    No,
}

/// The value of a literal.
#[derive(Debug, Clone, PartialEq)]
enum Literal {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Self>),
    Tuple(Vec<Self>),
    /// `...`: an injected item.
    Open,
}

impl Given {
    /// A value for a place. `kind` is `name`, `attribute` or `call`.
    ///
    /// # Errors
    /// If the value is not a supported literal.
    pub fn new(line: u32, kind: &str, name: &str, text: &str) -> Result<Self, GivenError> {
        let used = match kind {
            "name" => Used::Name,
            "attribute" => Used::Attribute,
            "call" => Used::Call,
            other => return Err(GivenError::Kind(other.to_owned())),
        };
        let value = Literal::read(text)?;
        Ok(Self {
            line,
            used,
            name: name.to_owned(),
            text: text.trim().to_owned(),
            value,
        })
    }

    /// Whether it is for the place of an injected value.
    pub fn is_for(&self, one: &Injected) -> bool {
        // A name is missing once, wherever that is.
        let is_line = self.used == Used::Name || one.line == self.line;
        is_line && one.file.is_none() && one.kind == self.used.as_str() && one.name == self.name
    }

    /// Whether it is among the injected values.
    pub fn taken(&self, all: &[Injected]) -> Taken {
        let mut other = Taken::No;
        for one in all.iter().filter(|one| self.is_for(one)) {
            let is_it = match self.value.is_open() {
                true => one.class == self.value.class(),
                false => one.text == self.value.canonical(),
            };
            if is_it {
                return Taken::Yes;
            }
            other = Taken::Other(one.text.clone());
        }
        other
    }

    /// Why it is in none of some worlds, each with its injected values. `None` if it is in one of them.
    pub fn unused<'w>(&self, worlds: impl IntoIterator<Item = &'w [Injected]>) -> Option<String> {
        let taken = worlds.into_iter().map(|all| self.taken(all)).min();
        match taken.unwrap_or(Taken::No) {
            Taken::Yes => None,
            Taken::Other(text) => Some(format!(
                "what is made up there is {text}; {}",
                self.instead()
            )),
            Taken::No => Some("nothing is made up there".to_owned()),
        }
    }

    /// The text if another value was injected instead.
    fn instead(&self) -> &'static str {
        match self.value {
            Literal::List(_) | Literal::Tuple(_) => "write [..., ...] for made-up items",
            _ => "a value of this kind cannot stand there",
        }
    }

    /// The same place and value on another line.
    #[must_use]
    pub fn on_line(&self, line: u32) -> Self {
        Self {
            line,
            ..self.clone()
        }
    }

    /// The place in command-line notation.
    pub fn place(&self) -> String {
        let (line, name) = (self.line, &self.name);
        match self.used {
            Used::Attribute => format!("{line}:.{name}"),
            Used::Call => format!("{line}:{name}()"),
            Used::Name | Used::Import => format!("{line}:{name}"),
        }
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.place(), self.text)
    }
}

impl FromStr for Given {
    type Err = GivenError;

    fn from_str(text: &str) -> Result<Self, GivenError> {
        let (place, value) = text.split_once('=').ok_or(GivenError::Place)?;
        let (line, what) = place.trim().split_once(':').ok_or(GivenError::Place)?;
        let line = line.trim().parse().map_err(|_| GivenError::Place)?;
        let what = what.trim();
        let (kind, name) = match (what.strip_prefix('.'), what.strip_suffix("()")) {
            (Some(name), _) => ("attribute", name),
            (None, Some(name)) => ("call", name),
            (None, None) => ("name", what),
        };
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(GivenError::Place);
        }
        Self::new(line, kind, name, value)
    }
}

impl Literal {
    fn read(text: &str) -> Result<Self, GivenError> {
        let text = text.trim();
        let none =
            || GivenError::NoLiteral(if text.is_empty() { "nothing" } else { text }.to_owned());
        let mut items = 0;
        let read = with_parsed(text, |parsed| match parsed.syntax().body.as_slice() {
            [Stmt::Expr(one)] => Some(Self::of(&one.value, &mut items)),
            _ => None,
        });
        let value = read.ok().flatten().ok_or_else(none)?;
        match value.map_err(|why| why.unwrap_or_else(none))? {
            Self::Open => Err(none()),
            _ if items > MOST_ITEMS => Err(GivenError::Long),
            value => Ok(value),
        }
    }

    /// The value of an expression. The error is `None` if it is not a literal.
    fn of(expression: &Expr, items: &mut usize) -> Result<Self, Option<GivenError>> {
        let mut all = |parts: &[Expr]| {
            *items += parts.len();
            let parts = parts.iter().map(|part| Self::of(part, items));
            parts.collect::<Result<Vec<_>, _>>()
        };
        let not = |what| Err(Some(GivenError::NotOfThese(what)));
        Ok(match expression {
            Expr::NoneLiteral(_) => Self::None,
            Expr::EllipsisLiteral(_) => Self::Open,
            Expr::BooleanLiteral(one) => Self::Bool(one.value),
            Expr::StringLiteral(one) => Self::Text(one.value.to_str().to_owned()),
            Expr::NumberLiteral(one) => match &one.value {
                Number::Int(int) => match int.as_i64().filter(|int| *int <= MOST_WHOLE) {
                    Some(int) => Self::Int(int),
                    None => return Err(Some(GivenError::Large)),
                },
                Number::Float(float) => Self::Float(*float),
                Number::Complex { .. } => return not("a complex number"),
            },
            Expr::UnaryOp(one) if one.op == UnaryOp::USub => match Self::of(&one.operand, items)? {
                Self::Int(int) => Self::Int(-int),
                Self::Float(float) => Self::Float(-float),
                _ => return Err(None),
            },
            Expr::List(one) => Self::List(all(&one.elts)?),
            Expr::Tuple(one) => Self::Tuple(all(&one.elts)?),
            Expr::Dict(_) => return not("a dict"),
            Expr::Set(_) => return not("a set"),
            Expr::BytesLiteral(_) => return not("bytes"),
            _ => return Err(None),
        })
    }

    /// Its class, in the predictors' vocabulary.
    fn class(&self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Bool(true) => "True",
            Self::Bool(false) => "False",
            Self::Int(0) => "int_zero",
            Self::Int(..0) => "int_neg",
            Self::Int(_) => "int_pos",
            Self::Float(float) if *float == 0.0 => "float_zero",
            Self::Float(float) if *float < 0.0 => "float_neg",
            Self::Float(_) => "float_pos",
            Self::Text(text) if text.is_empty() => "str_empty",
            Self::Text(_) => "str_nonempty",
            Self::List(items) if items.is_empty() => "list_empty",
            Self::List(_) => "list_nonempty",
            Self::Tuple(items) if items.is_empty() => "tuple_empty",
            Self::Tuple(_) => "tuple_nonempty",
            Self::Open => "object",
        }
    }

    /// The machine's form of it.
    fn known(&self) -> Known {
        let mut wishes = Wishes::default();
        match self {
            Self::Int(int) => wishes.number = Some(*int as f64),
            Self::Float(float) => wishes.number = Some(*float),
            Self::Text(text) => wishes.text = Some(text.clone()).filter(|text| !text.is_empty()),
            Self::List(items) | Self::Tuple(items) => wishes.count = Some(items.len()),
            _ => {}
        }
        Known {
            guess: self.guess(),
            wishes,
            is_given: true,
        }
    }

    fn guess(&self) -> Guess {
        Guess {
            class: self.class(),
            sure: 1.0,
        }
    }

    /// Whether it contains an injected item.
    fn is_open(&self) -> bool {
        match self {
            Self::Open => true,
            Self::List(items) | Self::Tuple(items) => items.iter().any(Self::is_open),
            _ => false,
        }
    }

    /// The item at `[0][2]`.
    fn at(&self, path: &str) -> Option<&Self> {
        let Some(rest) = path.strip_prefix('[') else {
            return path.is_empty().then_some(self);
        };
        let (number, rest) = rest.split_once(']')?;
        let (Self::List(items) | Self::Tuple(items)) = self else {
            return None;
        };
        items.get(number.parse::<usize>().ok()?)?.at(rest)
    }

    fn canonical(&self) -> String {
        let mut heap = Heap::default();
        let value = self.value(&mut heap);
        canonical(&heap, &value)
    }

    fn value(&self, heap: &mut Heap) -> Value {
        match self {
            Self::None | Self::Open => Value::None,
            Self::Bool(value) => Value::Bool(*value),
            Self::Int(int) => Value::Int(*int),
            Self::Float(float) => Value::Float(*float),
            Self::Text(text) => Value::str(text),
            Self::List(items) => {
                let items = items.iter().map(|item| item.value(heap)).collect();
                heap.list(items)
            }
            Self::Tuple(items) => {
                let items = items.iter().map(|item| item.value(heap)).collect();
                heap.tuple(items)
            }
        }
    }
}

/// The predictors, except for places with given values.
#[derive(Debug)]
pub(super) struct Edited(pub(super) Arc<[Given]>);

impl Guesses for Edited {
    fn of(&self, source: &str) -> Arc<dyn ProgramGuesses> {
        let predicted = Predicted.of(source);
        let given = self.0.iter().map(|one| {
            let place = predicted.place(one.line, one.used, &one.name);
            let path = place.and_then(|place| place.path);
            let (line, name) = (one.line, &one.name);
            let (path, marked) = match one.used {
                Used::Call => {
                    let path = path.unwrap_or_else(|| format!("{name}()"));
                    let open = path.strip_suffix(')').unwrap_or(&path);
                    let marked = format!("{open}{MARK}{line}{MARK})");
                    (path, marked)
                }
                Used::Attribute => {
                    let path = path.unwrap_or_else(|| name.clone());
                    let marked = format!("{path}{MARK}{line}{MARK}");
                    (path, marked)
                }
                Used::Name | Used::Import => (name.clone(), name.clone()),
            };
            OfPlace {
                given: one.clone(),
                path,
                marked,
            }
        });
        let given = given.collect();
        Arc::new(EditedProgram { predicted, given })
    }
}

/// A given value, and the path of its place.
#[derive(Debug)]
struct OfPlace {
    given: Given,
    /// As the predictors call it.
    path: String,
    /// The same for this place alone.
    marked: String,
}

#[derive(Debug)]
struct EditedProgram {
    predicted: Arc<dyn ProgramGuesses>,
    given: Vec<OfPlace>,
}

impl EditedProgram {
    fn at(&self, line: u32, used: Used, name: &str) -> Option<&OfPlace> {
        self.given.iter().find(|one| {
            let given = &one.given;
            let is_line = used == Used::Name || given.line == line;
            is_line && given.used == used && given.name == name
        })
    }

    /// The value given for a path, or the predictors' name for the path.
    fn find(&self, path: &str) -> Result<&Literal, String> {
        for one in &self.given {
            let Some(rest) = path.strip_prefix(&one.marked) else {
                continue;
            };
            match one.given.value.at(rest) {
                Some(Literal::Open) | None => {}
                Some(value) => return Ok(value),
            }
            if rest.is_empty() || rest.starts_with(['[', '.', '(']) {
                return Err(format!("{}{rest}", one.path));
            }
        }
        Err(path.to_owned())
    }
}

impl ProgramGuesses for EditedProgram {
    fn known(&self, path: &str) -> Option<Known> {
        match self.find(path) {
            Ok(value) => Some(value.known()),
            Err(path) => self.predicted.known(&path),
        }
    }

    fn place(&self, line: u32, used: Used, name: &str) -> Option<Place> {
        match self.at(line, used, name) {
            Some(one) => Some(Place {
                path: Some(one.marked.clone()),
                guess: Some(one.given.value.guess()),
            }),
            None => self.predicted.place(line, used, name),
        }
    }

    fn wish_of(&self, line: u32, used: Used, name: &str) -> Option<Wish> {
        self.predicted.wish_of(line, used, name)
    }

    fn wish(&self, line: u32) -> Option<Wish> {
        self.predicted.wish(line)
    }

    fn same_wish(&self, line: u32) -> Option<Wish> {
        self.predicted.same_wish(line)
    }

    fn text(&self, path: &str, wishes: &Wishes) -> String {
        match self.find(path) {
            Ok(Literal::Text(text)) => text.clone(),
            Ok(_) => self.predicted.text("", wishes),
            Err(path) => self.predicted.text(&path, wishes),
        }
    }

    fn usual(&self, name: &str) -> Option<(String, Option<String>)> {
        match self.at(0, Used::Name, name) {
            Some(_) => None,
            None => self.predicted.usual(name),
        }
    }

    fn attributes(&self, name: &str) -> Vec<String> {
        self.predicted.attributes(name)
    }

    fn catches(&self, line: u32, errors: &[&str]) -> bool {
        self.predicted.catches(line, errors)
    }
}

/// Whether the value at a path is given, so that planning does not decide it.
pub(super) fn is_given(path: &str, given: &[Given]) -> bool {
    let is_name = |one: &Given| one.used == Used::Name && one.name == path;
    path.trim_end_matches(')').ends_with(MARK) || given.iter().any(is_name)
}

/// A path without the separator of its place.
pub(super) fn without_marks(path: &str) -> String {
    path.split(MARK).step_by(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> GivenError {
        Given::new(1, "name", "x", text).unwrap_err()
    }

    #[test]
    fn a_place_is_read_as_it_is_written() {
        for text in ["4:.count=5", "2:rows()=[..., 'a']", "1:limit=-3"] {
            let given: Given = text.parse().unwrap();
            assert_eq!(given.to_string(), text);
        }
        let equal: Given = "3:name='a=b'".parse().unwrap();
        assert_eq!(equal.text, "'a=b'");
        for text in ["x=1", "4:.=1", "4:a.b=1", "4:rows", "four:x=1", "1:f(x)=2"] {
            assert_eq!(text.parse::<Given>(), Err(GivenError::Place), "{text}");
        }
    }

    #[test]
    fn what_is_no_value_is_refused_with_the_reason() {
        assert_eq!(refused(""), GivenError::NoLiteral("nothing".to_owned()));
        for text in ["x", "1 +", "f()", "[x]", "-'a'", "...", "1\n2", "sale"] {
            assert_eq!(
                refused(text),
                GivenError::NoLiteral(text.to_owned()),
                "{text}"
            );
        }
        assert_eq!(refused("{1: 2}"), GivenError::NotOfThese("a dict"));
        assert_eq!(refused("[{1}]"), GivenError::NotOfThese("a set"));
        assert_eq!(refused("9007199254740993"), GivenError::Large);
        let long = format!("[{}]", "1, ".repeat(MOST_ITEMS + 1));
        assert_eq!(refused(&long), GivenError::Long);
        let import = Given::new(1, "import", "x", "1").unwrap_err();
        assert_eq!(import, GivenError::Kind("import".to_owned()));
    }

    #[test]
    fn a_value_is_found_within_what_is_given() {
        let value = Literal::read("[1, (2, 'a'), ...]").unwrap();
        assert_eq!(value.at("[1][1]"), Some(&Literal::Text("a".to_owned())));
        assert_eq!(value.at("[2]"), Some(&Literal::Open));
        assert_eq!(value.at("[3]"), None);
        assert_eq!(value.at(".x"), None);
        let value = Literal::read("[1, (2, 'a')]").unwrap();
        assert_eq!(value.canonical(), "[1, (2, 'a')]");
    }

    #[test]
    fn marks_are_taken_off_paths() {
        let path = format!("db.rows({MARK}2{MARK})[].kind");
        assert_eq!(without_marks(&path), "db.rows()[].kind");
        assert!(is_given(&format!("db.rows({MARK}2{MARK})"), &[]));
        assert!(!is_given(&path, &[]));
        let name: Given = "1:db=None".parse().unwrap();
        assert!(is_given("db", &[name]) && !is_given("db", &[]));
        assert_eq!(without_marks("db.rows()"), "db.rows()");
    }
}
