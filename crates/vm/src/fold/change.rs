//! Assignment to subscripts and slices, and their deletion.

use super::integer::Integer;
use super::slice::{self, Span};
use super::subscript::{
    Index, TOO_LARGE, deque_position, dict_key, index, index_error, missing, position,
};
use super::type_name::type_name;
use super::{Folded, MOST_BYTES};
use crate::value::{DictKind, Heap, Object, ObjectId, Value};

/// `container[index] = value`. The value on success is `None`.
pub fn set_item(heap: &mut Heap, container: &Value, index: &Value, value: &Value) -> Folded {
    change(heap, container, index, Some(value))
}

/// `del container[index]`. The value on success is `None`.
pub fn delete_item(heap: &mut Heap, container: &Value, index: &Value) -> Folded {
    change(heap, container, index, None)
}

/// Returns the error that a slice causes for any container.
pub fn slice_error(heap: &Heap, slice: &Value) -> Option<Folded> {
    match heap.object(slice)? {
        Object::Slice(start, stop, step) => slice::indices(heap, [start, stop, step], 0).err(),
        _ => None,
    }
}

fn change(heap: &mut Heap, container: &Value, index: &Value, value: Option<&Value>) -> Folded {
    let Value::Object(id) = container else {
        return unchangeable(heap, container, index, value.is_some());
    };
    let done = match heap.get(*id) {
        Object::List(_) => change_list(heap, *id, index, value),
        Object::Dict(..) => change_dict(heap, *id, index, value),
        Object::Deque(..) => change_deque(heap, *id, index, value),
        Object::Bytearray(_) => change_bytes(heap, *id, index, value),
        Object::Class(_)
        | Object::Instance { .. }
        | Object::Special { .. }
        | Object::Opaque { .. }
        | Object::Cell(_) => return Folded::Unknown,
        _ => return unchangeable(heap, container, index, value.is_some()),
    };
    match done {
        Ok(()) => Folded::Value(Value::None),
        Err(folded) => folded,
    }
}

/// Returns the error of a type without `__setitem__` or `__delitem__`.
fn unchangeable(heap: &Heap, container: &Value, value: &Value, set: bool) -> Folded {
    let (Some(name), Some(index)) = (type_name(heap, container), index(heap, value)) else {
        return Folded::Unknown;
    };
    let is_sequence = matches!(container, Value::Str(_) | Value::Bytes(_))
        || matches!(
            heap.object(container),
            Some(
                Object::Tuple(_)
                    | Object::Set(_)
                    | Object::Frozenset(_)
                    | Object::Range(..)
                    | Object::DictView { .. }
            )
        );
    Folded::type_error(match index {
        Index::Large(_) if is_sequence => return index_error(TOO_LARGE),
        _ if set => format!("'{name}' object does not support item assignment"),
        Index::At(_) if is_sequence => format!("'{name}' object doesn't support item deletion"),
        _ => format!("'{name}' object does not support item deletion"),
    })
}

fn change_list(
    heap: &mut Heap,
    id: ObjectId,
    value: &Value,
    new: Option<&Value>,
) -> Result<(), Folded> {
    let Object::List(items) = heap.get(id) else {
        return Err(Folded::Unknown);
    };
    let length = items.len();
    match index(heap, value).ok_or(Folded::Unknown)? {
        Index::At(at) => {
            let at = position(at, length)
                .ok_or_else(|| index_error("list assignment index out of range"))?;
            match (heap.get_mut(id), new) {
                (Object::List(items), Some(new)) => items[at] = new.clone(),
                (Object::List(items), None) => {
                    items.remove(at);
                }
                _ => {}
            }
            Ok(())
        }
        Index::Large(_) => Err(index_error(TOO_LARGE)),
        Index::Slice(parts) => {
            let indices = slice::indices(heap, parts, length)?;
            let new = match new {
                None => None,
                Some(new) => {
                    let error = if indices.step == 1 {
                        "can only assign an iterable"
                    } else {
                        "must assign iterable to extended slice"
                    };
                    Some(values(heap, new, error)?)
                }
            };
            match heap.get_mut(id) {
                Object::List(items) => change_slice(items, indices, new),
                _ => Err(Folded::Unknown),
            }
        }
        Index::Other(name) => Err(Folded::type_error(format!(
            "list indices must be integers or slices, not {name}"
        ))),
    }
}

/// Returns a byte's number. Any other plain value is an error.
fn byte(heap: &Heap, value: &Value) -> Result<u8, Folded> {
    let outside = || Folded::value_error("byte must be in range(0, 256)");
    match value {
        Value::Int(byte) => u8::try_from(*byte).map_err(|_| outside()),
        Value::BigInt(_) => Err(outside()),
        Value::Bool(byte) => Ok(u8::from(*byte)),
        Value::Object(_) => Err(Folded::Unknown),
        other => {
            let kind = type_name(heap, other).ok_or(Folded::Unknown)?;
            let message = format!("'{kind}' object cannot be interpreted as an integer");
            Err(Folded::type_error(message))
        }
    }
}

/// [`change_list`] for a bytearray.
fn change_bytes(
    heap: &mut Heap,
    id: ObjectId,
    value: &Value,
    new: Option<&Value>,
) -> Result<(), Folded> {
    let Object::Bytearray(bytes) = heap.get(id) else {
        return Err(Folded::Unknown);
    };
    let length = bytes.len();
    match index(heap, value).ok_or(Folded::Unknown)? {
        Index::At(at) => {
            // CPython checks the byte before the index.
            let new = new.map(|new| byte(heap, new)).transpose()?;
            let at =
                position(at, length).ok_or_else(|| index_error("bytearray index out of range"))?;
            match (heap.get_mut(id), new) {
                (Object::Bytearray(bytes), Some(new)) => bytes[at] = new,
                (Object::Bytearray(bytes), None) => {
                    bytes.remove(at);
                }
                _ => {}
            }
            Ok(())
        }
        Index::Slice(parts) => {
            let indices = slice::indices(heap, parts, length)?;
            let new = match new {
                None => None,
                Some(Value::Bytes(new)) => Some(new.to_vec()),
                Some(new) => match heap.object(new) {
                    Some(Object::Bytearray(new)) => Some(new.clone()),
                    Some(Object::List(items)) => {
                        let items = items.iter();
                        let new: Result<Vec<u8>, Folded> =
                            items.map(|item| byte(heap, item)).collect();
                        Some(new?)
                    }
                    _ => return Err(no_bytes(heap, new)),
                },
            };
            if let Some(new) = &new
                && indices.step != 1
                && new.len() != indices.count
            {
                return Err(Folded::value_error(format!(
                    "attempt to assign bytes of size {} to extended slice of size {}",
                    new.len(),
                    indices.count
                )));
            }
            match heap.get_mut(id) {
                Object::Bytearray(bytes) => change_slice(bytes, indices, new),
                _ => Err(Folded::Unknown),
            }
        }
        _ => Err(Folded::Unknown),
    }
}

/// Returns the error of a plain value that cannot be assigned to a slice of a bytearray.
fn no_bytes(heap: &Heap, value: &Value) -> Folded {
    match (value, type_name(heap, value)) {
        (Value::None, Some(name)) => {
            Folded::type_error(format!("cannot convert '{name}' object to bytearray"))
        }
        (Value::Object(_), _) | (_, None) => Folded::Unknown,
        _ => Folded::type_error(
            "can assign only bytes, buffers, or iterables of ints in range(0, 256)",
        ),
    }
}

fn change_slice<T>(
    items: &mut Vec<T>,
    indices: slice::Indices,
    new: Option<Vec<T>>,
) -> Result<(), Folded> {
    if indices.step == 1 {
        let start = usize::try_from(indices.start).unwrap_or(0);
        items.splice(start..start + indices.count, new.unwrap_or_default());
        return Ok(());
    }
    match new {
        None => {
            let mut gone: Vec<usize> = indices.iter().collect();
            gone.sort_unstable();
            let (mut at, mut next) = (0, 0);
            items.retain(|_| {
                let kept = gone.get(next) != Some(&at);
                next += usize::from(!kept);
                at += 1;
                kept
            });
        }
        Some(new) if new.len() != indices.count => {
            return Err(Folded::value_error(format!(
                "attempt to assign sequence of size {} to extended slice of size {}",
                new.len(),
                indices.count
            )));
        }
        Some(new) => {
            for (at, value) in indices.iter().zip(new) {
                items[at] = value;
            }
        }
    }
    Ok(())
}

/// Returns the values of an iterable that takes no steps of the machine.
fn values(heap: &Heap, value: &Value, error: &str) -> Result<Vec<Value>, Folded> {
    let object = match value {
        Value::Str(text) => {
            return Ok(text
                .chars()
                .map(|character| Value::str(character.encode_utf8(&mut [0; 4])))
                .collect());
        }
        Value::Bytes(bytes) => return Ok(bytes.iter().map(|b| Value::Int((*b).into())).collect()),
        Value::Object(id) => heap.get(*id),
        _ => return Err(Folded::type_error(error)),
    };
    match object {
        Object::List(items) => Ok(items.clone()),
        Object::Tuple(items) => Ok(items.to_vec()),
        Object::Deque(items, _) => Ok(items.iter().cloned().collect()),
        Object::Dict(entries, _) => Ok(entries.values().map(|entry| entry.0.clone()).collect()),
        Object::Range(start, stop, step) => {
            let span = Span::of(start, stop, step).ok_or(Folded::Unknown)?;
            let item = |at: usize| span.get(&Integer::Small(i64::try_from(at).ok()?));
            if item(MOST_BYTES / 8).is_some() {
                return Err(Folded::Unknown);
            }
            Ok((0..).map_while(item).collect())
        }
        Object::Function(_) | Object::Module(_) | Object::Method { .. } => {
            Err(Folded::type_error(error))
        }
        _ => Err(Folded::Unknown),
    }
}

fn change_dict(
    heap: &mut Heap,
    id: ObjectId,
    name: &Value,
    new: Option<&Value>,
) -> Result<(), Folded> {
    let key = dict_key(heap, name)?;
    let Object::Dict(entries, kind) = heap.get_mut(id) else {
        return Err(Folded::Unknown);
    };
    match new {
        Some(new) => {
            // The key that was inserted first stays.
            entries
                .entry(key)
                .and_modify(|entry| entry.1 = new.clone())
                .or_insert_with(|| (name.clone(), new.clone()));
            Ok(())
        }
        None if entries.shift_remove(&key).is_some() || *kind == DictKind::Counter => Ok(()),
        None => Err(missing(heap, name)),
    }
}

fn change_deque(
    heap: &mut Heap,
    id: ObjectId,
    value: &Value,
    new: Option<&Value>,
) -> Result<(), Folded> {
    let Object::Deque(items, _) = heap.get(id) else {
        return Err(Folded::Unknown);
    };
    let at = deque_position(heap, value, items.len())?;
    if let Object::Deque(items, _) = heap.get_mut(id) {
        match new {
            Some(new) => items[at] = new.clone(),
            None => {
                items.remove(at);
            }
        }
    }
    Ok(())
}
