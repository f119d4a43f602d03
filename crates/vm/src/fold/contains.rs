//! Membership: `item in container`.

use super::Folded;
use super::compare::{Kind, same_or_equal};
use super::integer::{self, Integer};
use super::key::{HashError, has_nan, key};
use super::type_name::type_name;
use crate::value::{Entries, Heap, Key, Object, Value, View};

/// `item in container`.
pub fn contains(heap: &Heap, container: &Value, item: &Value) -> Folded {
    let object = match (container, item) {
        (Value::Str(text), Value::Str(part)) => return Folded::bool(text.contains(&**part)),
        (Value::Str(_), _) => {
            return named(heap, item, |name| {
                Folded::type_error(format!(
                    "'in <string>' requires string as left operand, not {name}"
                ))
            });
        }
        (Value::Bytes(bytes), _) => return in_bytes(heap, bytes, item),
        (Value::Object(id), _) => heap.get(*id),
        _ => return not_iterable(heap, container),
    };
    match object {
        Object::List(items) => among(heap, items.iter(), item),
        Object::Tuple(items) => among(heap, items.iter(), item),
        Object::Deque(items, _) => among(heap, items.iter(), item),
        Object::Bytearray(bytes) => in_bytes(heap, bytes, item),
        Object::Dict(entries, _) => by_key(heap, item, |key| entries.contains_key(key)),
        Object::Set(elements) | Object::Frozenset(elements) => match heap.object(item) {
            // CPython looks up a set as a frozenset of its elements.
            Some(Object::Set(_)) => Folded::Unknown,
            _ => by_key(heap, item, |key| elements.contains_key(key)),
        },
        Object::Range(start, stop, step) => in_range(heap, [start, stop, step], item),
        Object::DictView { of, view } => match heap.get(*of) {
            Object::Dict(entries, _) => match view {
                View::Keys => by_key(heap, item, |key| entries.contains_key(key)),
                View::Values => among(heap, entries.values().map(|(_, value)| value), item),
                View::Items => in_items(heap, entries, item),
            },
            _ => Folded::Unknown,
        },
        Object::Function(_)
        | Object::Method { .. }
        | Object::Builtin(_)
        | Object::BuiltinMethod { .. }
        | Object::Slice(..)
        | Object::Module(_) => not_iterable(heap, container),
        _ => Folded::Unknown,
    }
}

fn named(heap: &Heap, value: &Value, message: impl Fn(&str) -> Folded) -> Folded {
    type_name(heap, value).map_or(Folded::Unknown, |name| message(&name))
}

fn not_iterable(heap: &Heap, container: &Value) -> Folded {
    named(heap, container, |name| {
        Folded::type_error(format!("argument of type '{name}' is not iterable"))
    })
}

fn in_bytes(heap: &Heap, bytes: &[u8], item: &Value) -> Folded {
    if let Some(item) = Integer::of(item) {
        let byte = match item {
            Integer::Small(item) => u8::try_from(item).ok(),
            Integer::Big(_) => None,
        };
        return match byte {
            Some(byte) => Folded::bool(bytes.contains(&byte)),
            None => Folded::value_error("byte must be in range(0, 256)"),
        };
    }
    let part: &[u8] = match (item, heap.object(item)) {
        (Value::Bytes(part), _) => part,
        (_, Some(Object::Bytearray(part))) => part,
        (_, Some(Object::Instance { .. } | Object::Opaque { .. })) => return Folded::Unknown,
        _ => {
            return named(heap, item, |name| {
                Folded::type_error(format!("a bytes-like object is required, not '{name}'"))
            });
        }
    };
    let found = part.is_empty() || bytes.windows(part.len()).any(|window| window == part);
    Folded::bool(found)
}

fn among<'a>(heap: &Heap, items: impl Iterator<Item = &'a Value>, item: &Value) -> Folded {
    for other in items {
        match same_or_equal(heap, other, item) {
            Some(true) => return Folded::bool(true),
            Some(false) => {}
            None => return Folded::Unknown,
        }
    }
    Folded::bool(false)
}

fn by_key(heap: &Heap, item: &Value, found: impl Fn(&Key) -> bool) -> Folded {
    match key(heap, item) {
        Ok(_) if has_nan(heap, item, 0) => Folded::Unknown,
        Ok(key) => Folded::bool(found(&key)),
        Err(HashError::Unhashable(message)) => Folded::type_error(message),
        Err(_) => Folded::Unknown,
    }
}

fn in_items(heap: &Heap, entries: &Entries, item: &Value) -> Folded {
    let pair = match heap.object(item) {
        Some(Object::Tuple(pair)) => pair,
        Some(Object::Instance { base: Some(_), .. }) => return Folded::Unknown,
        _ => return Folded::bool(false),
    };
    let [name, value] = &**pair else {
        return Folded::bool(false);
    };
    match key(heap, name) {
        Ok(_) if has_nan(heap, name, 0) => Folded::Unknown,
        Ok(key) => match entries.get(&key) {
            Some((_, known)) => Folded::maybe(same_or_equal(heap, known, value)),
            None => Folded::bool(false),
        },
        Err(HashError::Unhashable(message)) => Folded::type_error(message),
        Err(_) => Folded::Unknown,
    }
}

fn in_range(heap: &Heap, bounds: [&Value; 3], item: &Value) -> Folded {
    let whole = match item {
        Value::Float(value) if value.fract() != 0.0 || !value.is_finite() => {
            return Folded::bool(false);
        }
        Value::Float(value) | Value::Complex(value, 0.0) if value.is_finite() => {
            if value.fract() == 0.0 {
                integer::of_float(*value)
            } else {
                None
            }
        }
        _ => Integer::of(item),
    };
    let Some(whole) = whole else {
        return match Kind::of(heap, item) {
            Kind::Unknown => Folded::Unknown,
            _ => Folded::bool(false),
        };
    };
    let [Some(start), Some(stop), Some(step)] = bounds.map(Integer::of) else {
        return Folded::Unknown;
    };
    let inside = if step.is_negative() {
        integer::order(&whole, &start).is_le() && integer::order(&whole, &stop).is_gt()
    } else {
        integer::order(&whole, &start).is_ge() && integer::order(&whole, &stop).is_lt()
    };
    let distance = integer::normal(whole.big() - start.big());
    let hit = integer::divide(&distance, &step).is_some_and(|(_, rest)| rest.is_zero());
    Folded::bool(inside && hit)
}
