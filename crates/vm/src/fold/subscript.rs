//! Subscripts, slices and unpacking. The `change` module modifies containers.

use super::Folded;
pub use super::change::{delete_item, set_item, slice_error};
use super::integer::Integer;
use super::key::{HashError, has_nan, key};
use super::slice::{self, Parts, Span};
use super::type_name::type_name;
use crate::text;
use crate::value::{DictKind, Heap, Key, Object, Value};

pub(super) const TOO_LARGE: &str = "cannot fit 'int' into an index-sized integer";

/// The index between the brackets.
pub(super) enum Index<'a> {
    At(i64),
    /// An integer larger than any container.
    Large(Integer),
    Slice(Parts<'a>),
    /// Any other value, by the name of its type.
    Other(String),
}

/// Classifies an index. `None` if a class may define `__index__`.
pub(super) fn index<'a>(heap: &'a Heap, value: &Value) -> Option<Index<'a>> {
    if let Some(value) = Integer::of(value) {
        return Some(match value {
            Integer::Small(at) => Index::At(at),
            large @ Integer::Big(_) => Index::Large(large),
        });
    }
    match heap.object(value) {
        Some(Object::Slice(start, stop, step)) => Some(Index::Slice([start, stop, step])),
        Some(Object::Instance { .. } | Object::Opaque { .. }) => None,
        _ => type_name(heap, value).map(|name| Index::Other(name.into_owned())),
    }
}

/// Returns the position of an index in a sequence of this length.
pub(super) fn position(at: i64, length: usize) -> Option<usize> {
    if at < 0 {
        length.checked_sub(usize::try_from(at.unsigned_abs()).ok()?)
    } else {
        usize::try_from(at).ok().filter(|at| *at < length)
    }
}

pub(super) fn index_error(message: &str) -> Folded {
    Folded::Raise("IndexError", message.to_owned())
}

/// `container[index]`.
pub fn get(heap: &mut Heap, container: &Value, index: &Value) -> Folded {
    match of_sequence(heap, container, index) {
        Ok(Taken::Value(value)) => Folded::Value(value),
        Ok(Taken::New(object)) => Folded::Value(heap.make(object)),
        Err(folded) => folded,
    }
}

enum Taken {
    Value(Value),
    New(Object),
}

/// The error messages of a kind of sequence: its name for an index out of range, and the words
/// before the name of a wrong type.
struct Words {
    out_of_range: &'static str,
    wrong_type: &'static str,
}

const STR: Words = Words {
    out_of_range: "string index out of range",
    wrong_type: "",
};
const BYTES: Words = Words {
    out_of_range: "index out of range",
    wrong_type: "byte",
};
const BYTEARRAY: Words = Words {
    out_of_range: "bytearray index out of range",
    wrong_type: "bytearray",
};
const LIST: Words = Words {
    out_of_range: "list index out of range",
    wrong_type: "list",
};
const TUPLE: Words = Words {
    out_of_range: "tuple index out of range",
    wrong_type: "tuple",
};

/// Returns one item or a slice of a sequence with this length.
fn take(
    heap: &Heap,
    words: &Words,
    length: usize,
    value: &Value,
    item: impl FnOnce(usize) -> Option<Value>,
    part: impl FnOnce(slice::Indices) -> Taken,
) -> Result<Taken, Folded> {
    match index(heap, value).ok_or(Folded::Unknown)? {
        Index::At(at) => position(at, length)
            .and_then(item)
            .map(Taken::Value)
            .ok_or_else(|| index_error(words.out_of_range)),
        Index::Large(_) => Err(index_error(TOO_LARGE)),
        Index::Slice(parts) => slice::indices(heap, parts, length).map(part),
        Index::Other(name) => Err(Folded::type_error(if words.wrong_type.is_empty() {
            format!("string indices must be integers, not '{name}'")
        } else {
            format!(
                "{} indices must be integers or slices, not {name}",
                words.wrong_type
            )
        })),
    }
}

fn of_sequence(heap: &Heap, container: &Value, value: &Value) -> Result<Taken, Folded> {
    let same = || Taken::Value(container.clone());
    let object = match container {
        Value::Str(text) => return of_text(heap, container, text, value),
        Value::Bytes(bytes) => {
            let item = |at: usize| bytes.get(at).map(|byte| Value::Int(i64::from(*byte)));
            return take(heap, &BYTES, bytes.len(), value, item, |indices| {
                if indices.is_whole(bytes.len()) {
                    return same();
                }
                Taken::Value(Value::Bytes(indices.of(bytes).into()))
            });
        }
        Value::Object(id) => heap.get(*id),
        _ => return Err(not_subscriptable(heap, container)),
    };
    match object {
        Object::List(items) => {
            let item = |at: usize| items.get(at).cloned();
            take(heap, &LIST, items.len(), value, item, |indices| {
                Taken::New(Object::List(indices.of(items)))
            })
        }
        Object::Tuple(items) => {
            let item = |at: usize| items.get(at).cloned();
            take(heap, &TUPLE, items.len(), value, item, |indices| {
                if indices.is_whole(items.len()) {
                    return same();
                }
                Taken::New(Object::Tuple(indices.of(items).into()))
            })
        }
        Object::Bytearray(bytes) => {
            let item = |at: usize| bytes.get(at).map(|byte| Value::Int(i64::from(*byte)));
            take(heap, &BYTEARRAY, bytes.len(), value, item, |indices| {
                Taken::New(Object::Bytearray(indices.of(bytes)))
            })
        }
        Object::Deque(items, _) => deque_position(heap, value, items.len())
            .and_then(|at| items.get(at).cloned().ok_or(Folded::Unknown))
            .map(Taken::Value),
        Object::Range(start, stop, step) => {
            let span = Span::of(start, stop, step).ok_or(Folded::Unknown)?;
            let at = match index(heap, value).ok_or(Folded::Unknown)? {
                Index::At(at) => Integer::Small(at),
                Index::Large(at) => at,
                Index::Slice(parts) => return span.slice(heap, parts).map(Taken::New),
                Index::Other(name) => {
                    return Err(Folded::type_error(format!(
                        "range indices must be integers or slices, not {name}"
                    )));
                }
            };
            span.get(&at)
                .map(Taken::Value)
                .ok_or_else(|| index_error("range object index out of range"))
        }
        Object::Dict(entries, kind) => {
            let key = dict_key(heap, value)?;
            match (entries.get(&key), kind) {
                (Some((_, value)), _) => Ok(Taken::Value(value.clone())),
                (None, DictKind::Counter) => Ok(Taken::Value(Value::Int(0))),
                (None, DictKind::Default(factory)) if *factory != Value::None => {
                    Err(Folded::Unknown)
                }
                _ => Err(missing(heap, value)),
            }
        }
        Object::Class(_)
        | Object::Instance { .. }
        | Object::Special { .. }
        | Object::Opaque { .. }
        | Object::Cell(_) => Err(Folded::Unknown),
        _ => Err(not_subscriptable(heap, container)),
    }
}

fn of_text(heap: &Heap, whole: &Value, text: &str, value: &Value) -> Result<Taken, Folded> {
    let length = if text.is_ascii() {
        text.len()
    } else {
        text.chars().count()
    };
    let item = |at: usize| {
        let character = if length == text.len() {
            text.as_bytes().get(at).map(|byte| char::from(*byte))
        } else {
            text.chars().nth(at)
        };
        character.map(|character| Value::str(character.encode_utf8(&mut [0; 4])))
    };
    take(heap, &STR, length, value, item, |indices| {
        Taken::Value(if indices.is_whole(length) {
            whole.clone()
        } else {
            Value::Str(slice::of_text(text, indices).into())
        })
    })
}

fn not_subscriptable(heap: &Heap, container: &Value) -> Folded {
    match type_name(heap, container) {
        Some(name) => Folded::type_error(format!("'{name}' object is not subscriptable")),
        None => Folded::Unknown,
    }
}

/// Returns the position in a deque, which supports indices but no slices.
pub(super) fn deque_position(heap: &Heap, value: &Value, length: usize) -> Result<usize, Folded> {
    match index(heap, value).ok_or(Folded::Unknown)? {
        Index::At(at) => {
            position(at, length).ok_or_else(|| index_error("deque index out of range"))
        }
        Index::Large(_) => Err(index_error(TOO_LARGE)),
        Index::Slice(_) => Err(wrong_deque_index("slice")),
        Index::Other(name) => Err(wrong_deque_index(&name)),
    }
}

fn wrong_deque_index(name: &str) -> Folded {
    Folded::type_error(format!("sequence index must be integer, not '{name}'"))
}

pub(super) fn dict_key(heap: &Heap, value: &Value) -> Result<Key, Folded> {
    match key(heap, value) {
        // A NaN is found by identity, which a value does not contain.
        Ok(_) if has_nan(heap, value, 0) => Err(Folded::Unknown),
        Ok(key) => Ok(key),
        Err(HashError::Unhashable(message)) => Err(Folded::type_error(message)),
        Err(_) => Err(Folded::Unknown),
    }
}

pub(super) fn missing(heap: &Heap, key: &Value) -> Folded {
    match text::repr(heap, key) {
        Some(text) => Folded::Raise("KeyError", text),
        None => Folded::Unknown,
    }
}

/// `a, b = values`, with `got` items for `count` names. The value on success is `None`.
pub fn unpack(got: usize, count: usize) -> Folded {
    if got < count {
        Folded::value_error(format!(
            "not enough values to unpack (expected {count}, got {got})"
        ))
    } else if got > count {
        Folded::value_error(format!("too many values to unpack (expected {count})"))
    } else {
        Folded::Value(Value::None)
    }
}

/// `a, *rest, b = values`, with `got` items for `least` names beside the starred one. The value on
/// success is `None`.
pub fn unpack_starred(got: usize, least: usize) -> Folded {
    if got < least {
        Folded::value_error(format!(
            "not enough values to unpack (expected at least {least}, got {got})"
        ))
    } else {
        Folded::Value(Value::None)
    }
}

/// `a, b = value` if the value is not iterable: the error. `Unknown` if it may be iterable.
pub fn unpack_scalar(heap: &Heap, value: &Value) -> Folded {
    let scalar = match (value, heap.object(value)) {
        (Value::Str(_) | Value::Bytes(_), _) => false,
        (_, None) => true,
        (_, Some(object)) => matches!(
            object,
            Object::Function(_) | Object::Module(_) | Object::Method { .. }
        ),
    };
    match type_name(heap, value) {
        Some(name) if scalar => {
            Folded::type_error(format!("cannot unpack non-iterable {name} object"))
        }
        _ => Folded::Unknown,
    }
}
