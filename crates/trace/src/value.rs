//! A value as text, in the notation Python itself would read back.
//!
//! The text is canonical: strings have quotes at every depth (`'abc'`, `['1', 2]`), so that the
//! type follows from the text and a plain value can be passed to `ast.literal_eval`. The paper form
//! drops the quotes when it renders.

use serde::{Deserialize, Serialize};

/// A text stored inline up to 23 bytes, and shared by its copies otherwise.
pub type Text = smol_str::SmolStr;

/// The text of an integer.
pub fn int_text(value: i64) -> Text {
    smol_str::format_smolstr!("{value}")
}

/// Origin of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Read from a running interpreter.
    #[default]
    Observed,
    /// Written by a model.
    Predicted,
    /// Injected by a model so that execution could continue.
    Injected,
    /// Folded from other values, as a compiler folds constants.
    Computed,
}

/// Type tag of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueType {
    /// `None`
    None,
    /// `True`, `False`
    Bool,
    /// `12`, `<int 4096 bits>`
    Int,
    /// `1.5`, `inf`, `nan`
    Float,
    /// `(1+2j)`
    Complex,
    /// `'text'`
    Str,
    /// `b'text'`
    Bytes,
    /// `[1, 2]`
    List,
    /// `(1, 2)`
    Tuple,
    /// `{1, 2}`, `set()`
    Set,
    /// `frozenset({1})`
    Frozenset,
    /// `{'a': 1}`
    Dict,
    /// `deque([1])`
    Deque,
    /// `defaultdict({'a': 1})`
    Defaultdict,
    /// `Counter({'a': 1})`
    Counter,
    /// `OrderedDict({'a': 1})`
    Ordereddict,
    /// `range(0, 3)`
    Range,
    /// `Ellipsis`
    Ellipsis,
    /// `<module>`
    Module,
    /// `<function>`: functions, methods and builtins
    Function,
    /// `<class>`
    Class,
    /// `<ClassName>`: an instance of any other class; for a class of the program with its
    /// attributes, `<Account balance=3 owner='a'>`
    Object,
    /// Text of no known shape, as a model may write it.
    Unknown,
}

/// A value: its text, the type that follows from it, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Value {
    /// Type tag; follows from the text.
    #[serde(rename = "type")]
    pub ty: ValueType,
    /// Canonical text. Short ones take no memory of their own, and copies share long ones.
    pub text: Text,
    /// Its origin.
    #[serde(default, skip_serializing_if = "is_observed")]
    pub origin: Origin,
    /// If references were requested: the numbers of the objects in the text (lists, sets, dicts and instances), in the
    /// order in which their texts begin. Equal numbers mean the same object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objects: Option<Box<[u32]>>,
}

fn is_observed(origin: &Origin) -> bool {
    *origin == Origin::Observed
}

impl Value {
    /// A value with the type its text shows.
    pub fn new(text: impl Into<Text>, origin: Origin) -> Self {
        let text = text.into();
        Self {
            ty: ValueType::of_text(&text),
            text,
            origin,
            objects: None,
        }
    }

    /// The same value with the numbers of the objects in its text.
    #[must_use]
    pub fn with_objects(self, objects: Option<Box<[u32]>>) -> Self {
        Self { objects, ..self }
    }

    /// A value read from a running interpreter.
    pub fn observed(text: impl Into<Text>) -> Self {
        Self::new(text, Origin::Observed)
    }
}

impl ValueType {
    /// The type of a canonical text, or [`ValueType::Unknown`].
    pub fn of_text(text: &str) -> Self {
        let bytes = text.as_bytes();
        let Some(&first) = bytes.first() else {
            return Self::Unknown;
        };
        match text {
            "None" => return Self::None,
            "True" | "False" => return Self::Bool,
            "Ellipsis" => return Self::Ellipsis,
            "inf" | "-inf" | "nan" => return Self::Float,
            "set()" => return Self::Set,
            "<module>" => return Self::Module,
            "<function>" => return Self::Function,
            "<class>" => return Self::Class,
            _ => {}
        }
        match first {
            b'\'' | b'"' => Self::Str,
            b'[' => Self::List,
            b'{' if is_dict(bytes) => Self::Dict,
            b'{' => Self::Set,
            b'(' if text.ends_with("j)") && !text.contains([',', '\'', '"']) => Self::Complex,
            b'(' => Self::Tuple,
            b'<' if is_large_int(text) => Self::Int,
            b'<' if text.ends_with('>') => Self::Object,
            b'0'..=b'9' | b'-' => Self::of_number(text),
            b'b' if matches!(bytes.get(1), Some(b'\'' | b'"')) => Self::Bytes,
            _ => {
                let known = [
                    ("range(", Self::Range),
                    ("frozenset(", Self::Frozenset),
                    ("deque(", Self::Deque),
                    ("defaultdict(", Self::Defaultdict),
                    ("Counter(", Self::Counter),
                    ("OrderedDict(", Self::Ordereddict),
                ];
                known
                    .into_iter()
                    .find(|(p, _)| text.starts_with(p))
                    .map_or(Self::Unknown, |(_, t)| t)
            }
        }
    }

    fn of_number(text: &str) -> Self {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            Self::Int
        } else if text.ends_with('j') {
            Self::Complex
        } else if text.parse::<f64>().is_ok() {
            Self::Float
        } else {
            Self::Unknown
        }
    }
}

/// `<int 4096 bits>`, which an instance of a class `int` never looks like.
fn is_large_int(text: &str) -> bool {
    let digits = text
        .strip_prefix("<int ")
        .and_then(|rest| rest.strip_suffix(" bits>"));
    digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
}

/// A brace opens a dict when it is empty, cyclic, or has a colon at its own depth outside strings.
fn is_dict(text: &[u8]) -> bool {
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    if text.starts_with(b"{}") || text.starts_with(b"{...}") {
        return true;
    }
    for &b in text {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if b == b'\\' => escaped = true,
            Some(q) if b == q => quote = None,
            Some(_) => {}
            None => match b {
                b'\'' | b'"' => quote = Some(b),
                b'[' | b'(' | b'{' => depth += 1,
                b']' | b')' | b'}' => depth = depth.saturating_sub(1),
                b':' if depth == 1 => return true,
                _ => {}
            },
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_follows_from_text() {
        use ValueType as T;
        let cases = [
            ("None", T::None),
            ("True", T::Bool),
            ("-12", T::Int),
            ("<int 4096 bits>", T::Int),
            ("1e-05", T::Float),
            ("-inf", T::Float),
            ("2j", T::Complex),
            ("(1+2j)", T::Complex),
            ("((1+2j),)", T::Tuple),
            ("'1'", T::Str),
            ("b'1'", T::Bytes),
            ("['a', {1: 2}]", T::List),
            ("{}", T::Dict),
            ("{1: {2}}", T::Dict),
            ("{':', 'a'}", T::Set),
            ("{(1, 2)}", T::Set),
            ("set()", T::Set),
            ("frozenset({1})", T::Frozenset),
            ("deque([1])", T::Deque),
            ("range(0, 3)", T::Range),
            ("<Point>", T::Object),
            ("<Point x=1 y={2: 3}>", T::Object),
            ("<Point ...>", T::Object),
            ("<int x=<int 4096 bits>>", T::Object),
            ("{<Point x={1: 2}>}", T::Set),
            ("{<Point x=1>: 2}", T::Dict),
            ("banana", T::Unknown),
            ("", T::Unknown),
        ];
        for (text, want) in cases {
            assert_eq!(T::of_text(text), want, "{text}");
        }
    }
}
