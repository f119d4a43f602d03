//! Values as text: `repr`, `str` and `ascii` as in CPython 3.11, and the canonical text of a trace.
//!
//! There is no text if a method of the program would have to be called, or if something is unknown
//! (an address, the order of a set).

use crate::fold::compare::{is_exception, metaclass_defines};
use crate::fold::{Folded, codecs, number_text};
use crate::value::{Class, Heap, Object, ObjectId, Value};
pub(crate) use quoted::to_ascii;
use writer::{repr_below, repr_of};

pub(crate) mod annotations;
mod attributes;
mod canonical;
pub(crate) mod kept;
pub mod quoted;
mod writer;

pub use canonical::{canonical, canonical_with_objects};

/// A conversion of an f-string field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conversion {
    /// `!s`, or none.
    Str,
    /// `!r`
    Repr,
    /// `!a`
    Ascii,
}

impl Conversion {
    /// Returns the conversion for an argument of `FORMAT_VALUE`. A field without a conversion is
    /// formatted with `str`.
    pub fn from_arg(argument: u32) -> Self {
        match argument & 3 {
            2 => Self::Repr,
            3 => Self::Ascii,
            _ => Self::Str,
        }
    }
}

/// Why there is no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NoText {
    /// It needs the program's code, an address, or something else that is unknown.
    Unknown,
    /// An integer has more digits than CPython converts.
    Digits,
}

type Written = Result<(), NoText>;

/// `repr(value)`.
pub fn repr(heap: &Heap, value: &Value) -> Option<String> {
    repr_of(heap, value).ok()
}

/// `repr(value)` of a container with sets in a guessed order: the text, and these sets. `None` if
/// it has no such set, or no text.
pub fn in_guessed_order(heap: &Heap, value: &Value) -> Option<(String, Vec<ObjectId>)> {
    let (text, guessed) = writer::guessed_repr(heap, value).ok()?;
    (!guessed.is_empty()).then_some((text, guessed))
}

/// `repr(value)` if CPython has room for this many nested calls.
pub fn repr_within(heap: &Heap, value: &Value, room: usize) -> Option<String> {
    repr_below(heap, value, room, 0).ok()
}

/// `str(value)` if CPython has room for this many nested calls.
pub fn str_within(heap: &Heap, value: &Value, room: usize) -> Option<String> {
    str_at(heap, value, 0, room).ok()
}

/// `str(value)`.
pub fn str(heap: &Heap, value: &Value) -> Option<String> {
    str_of(heap, value).ok()
}

/// `ascii(value)`.
pub fn ascii(heap: &Heap, value: &Value) -> Option<String> {
    repr(heap, value).map(|text| to_ascii(&text))
}

/// Returns the text of a value under a conversion, or the `ValueError` for an integer with too many
/// digits.
pub fn convert(heap: &Heap, conversion: Conversion, value: &Value) -> Folded {
    let text = match conversion {
        // CPython returns the same object.
        Conversion::Str if matches!(value, Value::Str(_)) => return Folded::Value(value.clone()),
        Conversion::Str => str_of(heap, value),
        Conversion::Repr => repr_of(heap, value),
        Conversion::Ascii => repr_of(heap, value).map(|text| to_ascii(&text)),
    };
    match text {
        Ok(text) => Folded::Value(Value::Str(text.into())),
        Err(NoText::Unknown) => Folded::Unknown,
        Err(NoText::Digits) => Folded::Raise(
            "ValueError",
            format!(
                "Exceeds the limit ({} digits) for integer string conversion; use \
                 sys.set_int_max_str_digits() to increase the limit",
                number_text::MOST_DIGITS
            ),
        ),
    }
}

fn str_of(heap: &Heap, value: &Value) -> Result<String, NoText> {
    str_at(heap, value, 0, usize::MAX)
}

/// [`str_of`] inside `depth` exceptions.
fn str_at(heap: &Heap, value: &Value, depth: usize, room: usize) -> Result<String, NoText> {
    if let Value::Str(text) = value {
        return Ok((**text).to_owned());
    }
    if depth > DEEPEST || depth >= room {
        return Err(NoText::Unknown);
    }
    if let Some(Object::Instance {
        class,
        attributes,
        base,
    }) = heap.object(value)
    {
        let Object::Class(class) = heap.get(*class) else {
            return Err(NoText::Unknown);
        };
        if defines_text(heap, class, &["__str__", "__repr__", "__format__"]) {
            return Err(NoText::Unknown);
        }
        return match base {
            Some(base @ Value::Str(_)) => str_at(heap, base, depth + 1, room),
            Some(_) => repr_below(heap, value, room, depth),
            None => exception_message(heap, class, attributes.get("args"), depth + 1, room),
        };
    }
    if let Some(Object::Class(class)) = heap.object(value)
        && metaclass_defines(heap, class, &["__str__", "__format__"])
    {
        return Err(NoText::Unknown);
    }
    repr_below(heap, value, room, depth)
}

/// Whether a class of the program, or one of its bases, defines its own text.
fn defines_text(heap: &Heap, class: &Class, names: &[&str]) -> bool {
    class.mro.iter().any(|id| match heap.get(*id) {
        Object::Class(of) => {
            of.builtin.is_none() && names.iter().any(|name| of.attributes.contains_key(*name))
        }
        _ => true,
    })
}

/// Maximum depth of exceptions within exceptions.
const DEEPEST: usize = 100;

/// Returns `str` of an exception.
fn exception_message(
    heap: &Heap,
    class: &Class,
    args: Option<&Value>,
    depth: usize,
    room: usize,
) -> Result<String, NoText> {
    let Some(args @ Value::Object(id)) = args.filter(|_| is_exception(heap, class)) else {
        return Err(NoText::Unknown);
    };
    let Object::Tuple(items) = heap.get(*id) else {
        return Err(NoText::Unknown);
    };
    let own = class.mro.iter().find_map(|id| match heap.get(*id) {
        Object::Class(of) => match of.builtin.as_deref() {
            Some("KeyError") => Some("KeyError"),
            Some("OSError" | "SyntaxError" | "ImportError") if items.len() > 1 => Some(""),
            Some("UnicodeError") if items.len() > 1 => Some("UnicodeError"),
            Some("BaseExceptionGroup") => Some(""),
            _ => None,
        },
        _ => Some(""),
    });
    match (own, &**items) {
        (Some("KeyError"), [item]) => repr_below(heap, item, room, depth),
        (
            Some("UnicodeError"),
            [
                Value::Str(encoding),
                of,
                Value::Int(start),
                Value::Int(end),
                Value::Str(reason),
            ],
        ) => {
            let at = usize::try_from(*start).unwrap_or(usize::MAX);
            let wrong = match of {
                Value::Bytes(bytes) => bytes.get(at).copied().map(Ok),
                Value::Str(text) => text.chars().nth(at).map(Err),
                _ => None,
            };
            let wrong = wrong.ok_or(NoText::Unknown)?;
            Ok(codecs::message(encoding, wrong, *start, *end, reason))
        }
        (None, [item]) => str_at(heap, item, depth, room),
        (None | Some("KeyError"), []) => Ok(String::new()),
        (None | Some("KeyError"), _) => repr_below(heap, args, room, depth),
        _ => Err(NoText::Unknown),
    }
}
