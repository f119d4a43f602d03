//! Values as keys of a dict or elements of a set.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{ToPrimitive as _, Zero as _};

use super::MOST_DEPTH;
use super::compare::is_exception;
use super::integer::{self, Integer};
use super::type_name::{library, type_name};
use crate::value::{Class, Heap, Key, Object, ObjectId, Value, View};

/// The reason why a value has no [`Key`] here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HashError {
    /// It is unhashable: the message of the `TypeError`.
    Unhashable(String),
    /// This class defines `__hash__` or `__eq__` and must be asked.
    AskClass(ObjectId),
    /// Its hash and equality are unknown.
    Unknown,
}

/// Returns the key of a value.
pub fn key(heap: &Heap, value: &Value) -> Result<Key, HashError> {
    key_at(heap, value, 0, &mut { MOST_PARTS })
}

/// Maximum trailing zeros of a decimal number that is keyed as an integer.
const MOST_ZEROS: u32 = 400;
/// Maximum bits of the digits of a decimal number whose trailing zeros are removed.
const MOST_BITS: u64 = 4096;
/// Maximum parts of a key: tuples that share their items count in full each time.
const MOST_PARTS: usize = 100_000;

/// Whether a stored key is small enough to be a part of another key.
fn fits(key: &Key, depth: usize, left: &mut usize) -> bool {
    let all = |keys: &[Key], left: &mut usize| {
        depth < MOST_DEPTH && keys.iter().all(|key| fits(key, depth + 1, left))
    };
    *left = left.saturating_sub(1);
    *left > 0
        && match key {
            Key::Tuple(keys) => all(keys, left),
            Key::Frozenset(keys) => all(keys, left),
            _ => true,
        }
}

fn key_at(heap: &Heap, value: &Value, depth: usize, left: &mut usize) -> Result<Key, HashError> {
    *left = left.saturating_sub(1);
    if *left == 0 {
        return Err(HashError::Unknown);
    }
    let id = match value {
        Value::None => return Ok(Key::None),
        Value::Ellipsis => return Ok(Key::Ellipsis),
        Value::NotImplemented => return Ok(Key::NotImplemented),
        Value::Bool(value) => return Ok(Key::Int(i64::from(*value))),
        Value::Int(value) => return Ok(Key::Int(*value)),
        Value::BigInt(value) => return Ok(Key::BigInt(value.clone())),
        Value::Float(value) => return Ok(of_float(*value)),
        Value::Complex(real, imag) if *imag == 0.0 => return Ok(of_float(*real)),
        // Adding zero makes `-0.0` positive.
        Value::Complex(real, imag) => {
            return Ok(Key::Complex((real + 0.0).to_bits(), imag.to_bits()));
        }
        Value::Str(text) => return Ok(Key::Str(text.clone())),
        Value::Bytes(bytes) => return Ok(Key::Bytes(bytes.clone())),
        Value::Object(id) => *id,
    };
    match heap.get(id) {
        // By identity.
        Object::Opaque { .. } if heap.stand_ins.contains_key(&id) => Ok(Key::Identity(id)),
        Object::Tuple(items) if depth < MOST_DEPTH => {
            let keys: Result<Arc<[Key]>, HashError> = items
                .iter()
                .map(|item| key_at(heap, item, depth + 1, left))
                .collect();
            keys.map(Key::Tuple)
        }
        Object::Frozenset(elements) => {
            if !elements.keys().all(|key| fits(key, depth, left)) {
                return Err(HashError::Unknown);
            }
            // Elements compared by the program may have other keys than the ones they are stored
            // under.
            let asked = elements.values().filter(|_| !heap.hashed.is_empty());
            for element in asked {
                if let Err(HashError::AskClass(class)) = key_at(heap, element, depth + 1, left) {
                    return Err(HashError::AskClass(class));
                }
            }
            let mut keys: Vec<Key> = elements.keys().cloned().collect();
            keys.sort_by_cached_key(|key| format!("{key:?}"));
            Ok(Key::Frozenset(keys.into()))
        }
        Object::List(_)
        | Object::Dict(..)
        | Object::Set(_)
        | Object::Deque(..)
        | Object::Bytearray(_)
        | Object::Slice(..) => Err(unhashable(heap, value)),
        Object::DictView { view, .. } if *view != View::Values => Err(unhashable(heap, value)),
        Object::DictView { .. }
        | Object::Function(_)
        | Object::Module(_)
        | Object::Iterator(_)
        | Object::Generator { .. } => Ok(Key::Identity(id)),
        Object::Special {
            kind: "partial", ..
        }
        | Object::Builtin(_) => Ok(Key::Identity(id)),
        Object::Class(class) => of_class(heap, id, value, class),
        Object::Instance { class, base, .. } => {
            of_instance(heap, id, value, *class, base.as_ref(), depth, left)
        }
        Object::Method { function, receiver } => match (function.id(), receiver.id()) {
            (Some(function), Some(receiver)) => {
                let parts = [Key::Identity(receiver), Key::Identity(function)];
                Ok(Key::Tuple(parts.into()))
            }
            _ => Err(HashError::Unknown),
        },
        Object::Range(..) => {
            let parts = range_parts(heap.get(id)).ok_or(HashError::Unknown)?;
            let keys = parts
                .iter()
                .map(|part| key_at(heap, part, depth + 1, left))
                .collect::<Result<Vec<Key>, HashError>>()?;
            Ok(Key::Range(keys.into()))
        }
        _ => Err(HashError::Unknown),
    }
}

/// Returns what the equality and the hash of a range depend on: its length, its start unless it is
/// empty, and its step if it has a second element. `None` if its bounds do not fit into 64 bits.
pub(crate) fn range_parts(range: &Object) -> Option<[Value; 3]> {
    let Object::Range(Value::Int(start), Value::Int(stop), Value::Int(step)) = range else {
        return None;
    };
    let (from, to, by) = (i128::from(*start), i128::from(*stop), i128::from(*step));
    let span = if by > 0 { to - from } else { from - to };
    let length = match span {
        ..=0 => 0,
        span => (span - 1) / by.abs() + 1,
    };
    let length = i64::try_from(length).ok()?;
    let part = |least: i64, value: i64| match length >= least {
        true => Value::Int(value),
        false => Value::None,
    };
    Some([Value::Int(length), part(1, *start), part(2, *step)])
}

/// Whether a value contains a NaN, which is found by identity.
pub(crate) fn has_nan(heap: &Heap, value: &Value, depth: usize) -> bool {
    match value {
        Value::Float(value) => value.is_nan(),
        Value::Complex(real, imag) => real.is_nan() || imag.is_nan(),
        _ => match heap.object(value) {
            Some(Object::Tuple(items)) => {
                depth == MOST_DEPTH || items.iter().any(|item| has_nan(heap, item, depth + 1))
            }
            Some(Object::Frozenset(elements)) => {
                depth == MOST_DEPTH || elements.values().any(|item| has_nan(heap, item, depth + 1))
            }
            _ => false,
        },
    }
}

fn of_float(value: f64) -> Key {
    if value.fract() != 0.0 || !value.is_finite() {
        return Key::Float(value.to_bits());
    }
    match integer::of_float(value) {
        Some(Integer::Small(value)) => Key::Int(value),
        Some(Integer::Big(value)) => Key::BigInt(value),
        None => Key::Float(value.to_bits()),
    }
}

fn unhashable(heap: &Heap, value: &Value) -> HashError {
    match type_name(heap, value) {
        Some(name) => HashError::Unhashable(format!("unhashable type: '{name}'")),
        None => HashError::Unknown,
    }
}

/// The first class in the MRO that defines one of the methods decides. A class that only defines
/// `__eq__` is unhashable.
/// Returns the key of a class: itself, unless its metaclass compares classes.
fn of_class(heap: &Heap, id: ObjectId, value: &Value, class: &Class) -> Result<Key, HashError> {
    let Some(Object::Class(metaclass)) = class.metaclass.map(|id| heap.get(id)) else {
        return Ok(Key::Identity(id));
    };
    for at in &metaclass.mro {
        let Object::Class(of) = heap.get(*at) else {
            return Err(HashError::Unknown);
        };
        if of.builtin.is_some() {
            break;
        }
        let compares = of.attributes.contains_key("__eq__");
        match of.attributes.get("__hash__") {
            Some(Value::None) => return Err(unhashable(heap, value)),
            None if compares => return Err(unhashable(heap, value)),
            Some(_) => return Err(HashError::AskClass(*at)),
            None => {}
        }
    }
    Ok(Key::Identity(id))
}

fn of_instance(
    heap: &Heap,
    id: ObjectId,
    value: &Value,
    class: ObjectId,
    base: Option<&Value>,
    depth: usize,
    left: &mut usize,
) -> Result<Key, HashError> {
    let Object::Class(own) = heap.get(class) else {
        return Err(HashError::Unknown);
    };
    // Scalars of a library, members of an `IntEnum` and named tuples have the keys of their values.
    let named =
        own.attributes.contains_key("_fields") || own.attributes.contains_key("_member_map_");
    if let Some(base) = base
        && (named || library(own).is_some())
    {
        return key_at(heap, base, depth + 1, left);
    }
    for at in &own.mro {
        let Object::Class(of) = heap.get(*at) else {
            return Err(HashError::Unknown);
        };
        if of.builtin.is_none() {
            if let Some(base) = base
                && ["_plain_key_", "_fields"]
                    .iter()
                    .any(|name| of.attributes.contains_key(*name))
            {
                return key_at(heap, base, depth + 1, left);
            }
            if let Some(fields) = of.attributes.get("_hash_fields_") {
                return of_fields(heap, id, fields, *at, depth, left);
            }
            // Inside another key: a date, a decimal number.
            if depth > 0
                && let Some(fields) = of.attributes.get("_value_fields_")
            {
                return of_fields(heap, id, fields, *at, depth, left).map(of_number);
            }
            match (
                of.attributes.get("__hash__"),
                of.attributes.contains_key("__eq__"),
            ) {
                // The value of a slot with this name is called.
                (None, _) if of.slots.iter().flatten().any(|slot| &**slot == "__hash__") => {
                    return Err(HashError::AskClass(*at));
                }
                (Some(Value::None), _) | (None, true) => return Err(unhashable(heap, value)),
                (Some(_), _) => return Err(HashError::AskClass(*at)),
                (None, false) => {}
            }
        } else if of.builtin.as_deref() == Some("object") || is_exception(heap, of) {
            return match base {
                None => Ok(Key::Identity(id)),
                Some(base) => match key_at(heap, base, depth + 1, left) {
                    Err(HashError::Unhashable(_)) => Err(unhashable(heap, value)),
                    key => key,
                },
            };
        } else if base.is_none() {
            return Err(HashError::Unknown);
        }
    }
    Err(HashError::Unknown)
}

/// Turns the fields of a `Decimal` or a `Fraction` into its number, so that equal numbers have one
/// key. Keeps other fields.
fn of_number(key: Key) -> Key {
    let big = |key: &Key| match key {
        Key::Int(value) => Some(BigInt::from(*value)),
        Key::BigInt(value) => Some((**value).clone()),
        _ => None,
    };
    let whole = |value: BigInt| match value.to_i64() {
        Some(value) => Key::Int(value),
        None => Key::BigInt(Arc::new(value)),
    };
    let Key::Tuple(fields) = &key else {
        return key;
    };
    match &**fields {
        [_, numerator, Key::Int(1)] => numerator.clone(),
        [
            class,
            Key::Str(kind),
            Key::Int(sign),
            digits,
            Key::Int(exponent),
        ] if kind.is_empty() => {
            let Some(mut digits) = big(digits).filter(|digits| digits.bits() <= MOST_BITS) else {
                return key;
            };
            let (mut exponent, ten) = (*exponent, BigInt::from(10));
            while !digits.is_zero() && (&digits % &ten).is_zero() {
                digits /= &ten;
                exponent += 1;
            }
            if *sign != 0 {
                digits = -digits;
            }
            match u32::try_from(exponent) {
                Ok(exponent) if exponent <= MOST_ZEROS => whole(digits * ten.pow(exponent)),
                _ if digits.is_zero() => Key::Int(0),
                _ => Key::Tuple(Arc::from([
                    class.clone(),
                    whole(digits),
                    Key::Int(exponent),
                ])),
            }
        }
        _ => key,
    }
}

/// The value with the same hash as an instance.
pub(crate) enum HashedAs<'h> {
    /// The value of a named tuple or of a member of an `IntEnum`; the name of any other member.
    Value(&'h Value),
    /// A tuple of the fields of a frozen dataclass.
    Fields(Vec<&'h Value>),
}

/// Returns the value with the same hash as an instance. `None` if the hash depends on an address or
/// a method of the program.
pub(crate) fn hashed_as(heap: &Heap, id: ObjectId) -> Option<HashedAs<'_>> {
    let Object::Instance {
        class,
        base,
        attributes,
    } = heap.get(id)
    else {
        return None;
    };
    let Object::Class(own) = heap.get(*class) else {
        return None;
    };
    let is_member = own.attributes.contains_key("_member_map_");
    if let Some(base) = base
        && (is_member || own.attributes.contains_key("_fields"))
    {
        return Some(HashedAs::Value(base));
    }
    for at in &own.mro {
        let Object::Class(of) = heap.get(*at) else {
            return None;
        };
        if of.builtin.is_none() {
            if let Some(fields) = of.attributes.get("_hash_fields_") {
                let Some(Object::Tuple(names)) = heap.object(fields) else {
                    return None;
                };
                let fields = names.iter().map(|name| match name {
                    Value::Str(name) => attributes.get(name),
                    _ => None,
                });
                return fields.collect::<Option<_>>().map(HashedAs::Fields);
            }
            if of.attributes.contains_key("__hash__") || of.attributes.contains_key("__eq__") {
                return None;
            }
        }
    }
    attributes
        .get("_name_")
        .filter(|_| is_member)
        .map(HashedAs::Value)
}

/// Returns the key of an object that is hashed and compared by some of its attributes: an instance
/// of a frozen dataclass.
fn of_fields(
    heap: &Heap,
    id: ObjectId,
    fields: &Value,
    class: ObjectId,
    depth: usize,
    left: &mut usize,
) -> Result<Key, HashError> {
    let (Some(Object::Tuple(names)), Object::Instance { attributes, .. }) =
        (heap.object(fields), heap.get(id))
    else {
        return Err(HashError::Unknown);
    };
    if depth == MOST_DEPTH {
        return Err(HashError::Unknown);
    }
    let mut keys = vec![Key::Identity(class)];
    for name in names.iter() {
        let Value::Str(name) = name else {
            return Err(HashError::Unknown);
        };
        let value = attributes.get(name).ok_or(HashError::Unknown)?;
        keys.push(key_at(heap, value, depth + 1, left)?);
    }
    Ok(Key::Tuple(keys.into()))
}
