//! Slices: their bounds, and the items that they select from a sequence.

use num_bigint::BigInt;
use num_traits::{One as _, Signed as _, Zero as _};

use super::Folded;
use super::integer::{self, Integer};
use crate::value::{Heap, Object, Value};

/// The parts of a slice object.
pub(super) type Parts<'a> = [&'a Value; 3];

/// The start of a slice in a sequence, its step and its number of items.
#[derive(Debug, Clone, Copy)]
pub(super) struct Indices {
    pub(super) start: i64,
    pub(super) step: i64,
    pub(super) count: usize,
}

impl Indices {
    /// Returns the indices, in order.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        let at = move |index: usize| {
            let offset = i64::try_from(index).unwrap_or(0) * self.step;
            usize::try_from(self.start + offset).unwrap_or(0)
        };
        (0..self.count).map(at)
    }

    /// Returns the range of indices of a slice without a step.
    fn plain(self) -> Option<std::ops::Range<usize>> {
        let start = usize::try_from(self.start).ok()?;
        (self.step == 1).then(|| start..start + self.count)
    }

    /// Returns the selected items of a sequence.
    pub(super) fn of<T: Clone>(self, items: &[T]) -> Vec<T> {
        self.iter()
            .filter_map(|at| items.get(at))
            .cloned()
            .collect()
    }

    /// Whether it selects all of a sequence in order.
    pub(super) fn is_whole(self, length: usize) -> bool {
        self.step == 1 && self.count == length
    }
}

/// Converts a part of a slice: `None`, an integer, or an error.
fn part(heap: &Heap, value: &Value) -> Result<Option<Integer>, Folded> {
    match (value, Integer::of(value)) {
        (Value::None, _) => Ok(None),
        (_, Some(value)) => Ok(Some(value)),
        _ => match heap.object(value) {
            // A class may define `__index__`.
            Some(Object::Instance { .. } | Object::Opaque { .. }) => Err(Folded::Unknown),
            _ => Err(Folded::type_error(
                "slice indices must be integers or None or have an __index__ method",
            )),
        },
    }
}

/// Converts the parts to integers: start, stop, step.
fn parts(
    heap: &Heap,
    [start, stop, step]: Parts,
) -> Result<(Option<Integer>, Option<Integer>, Integer), Folded> {
    let step = part(heap, step)?.unwrap_or(Integer::Small(1));
    if step.is_zero() {
        return Err(Folded::value_error("slice step cannot be zero"));
    }
    Ok((part(heap, start)?, part(heap, stop)?, step))
}

/// Returns the bounds of a slice in a sequence of this length.
pub(super) fn indices(heap: &Heap, slice: Parts, length: usize) -> Result<Indices, Folded> {
    let (start, stop, step) = parts(heap, slice)?;
    let clamp = |value: Integer| match value {
        Integer::Small(value) => value.max(-i64::MAX),
        Integer::Big(value) if value.is_negative() => -i64::MAX,
        Integer::Big(_) => i64::MAX,
    };
    let step = clamp(step);
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let (lower, upper) = if step < 0 {
        (-1, length - 1)
    } else {
        (0, length)
    };
    let within = |bound: Option<Integer>, default: i64| match bound.map(clamp) {
        None => default,
        Some(bound) if bound < 0 => (bound + length).max(lower),
        Some(bound) => bound.min(upper),
    };
    let (first, last) = if step < 0 {
        (upper, lower)
    } else {
        (lower, upper)
    };
    let (start, stop) = (within(start, first), within(stop, last));
    let distance = if step < 0 { start - stop } else { stop - start };
    let count = if distance > 0 {
        usize::try_from((distance - 1) / step.abs() + 1).unwrap_or(0)
    } else {
        0
    };
    Ok(Indices { start, step, count })
}

/// A range, as integers of any size.
pub(super) struct Span {
    start: BigInt,
    step: BigInt,
    length: BigInt,
}

/// Whether two ranges have the same items.
pub(super) fn equal_ranges(a: &Object, b: &Object) -> Option<bool> {
    let (Object::Range(start, stop, step), Object::Range(other, until, by)) = (a, b) else {
        return None;
    };
    let (a, b) = (Span::of(start, stop, step)?, Span::of(other, until, by)?);
    Some(
        a.length == b.length
            && (a.length.is_zero() || a.start == b.start)
            && (a.length <= BigInt::one() || a.step == b.step),
    )
}

impl Span {
    pub(super) fn of(start: &Value, stop: &Value, step: &Value) -> Option<Self> {
        let big = |value: &Value| Integer::of(value).map(|value| value.big());
        let (start, stop, step) = (big(start)?, big(stop)?, big(step)?);
        let distance = if step.is_negative() {
            &start - stop
        } else {
            stop - &start
        };
        let length = if step.is_zero() {
            return None;
        } else if distance.is_positive() {
            (distance - 1_u32) / step.abs() + 1_u32
        } else {
            BigInt::zero()
        };
        Some(Self {
            start,
            step,
            length,
        })
    }

    fn item(&self, at: &BigInt) -> Value {
        integer::normal(&self.start + at * &self.step).value()
    }

    /// Returns the item at an index, which may be negative.
    pub(super) fn get(&self, index: &Integer) -> Option<Value> {
        let mut index = index.big();
        if index.is_negative() {
            index += &self.length;
        }
        (!index.is_negative() && index < self.length).then(|| self.item(&index))
    }

    /// Returns the range that a slice selects.
    pub(super) fn slice(&self, heap: &Heap, slice: Parts) -> Result<Object, Folded> {
        let (start, stop, step) = parts(heap, slice)?;
        let (lower, upper) = if step.is_negative() {
            (-BigInt::one(), &self.length - 1_u32)
        } else {
            (BigInt::zero(), self.length.clone())
        };
        let within = |bound: Option<Integer>, default: &BigInt| match bound.map(|b| b.big()) {
            None => default.clone(),
            Some(bound) if bound.is_negative() => (bound + &self.length).max(lower.clone()),
            Some(bound) => bound.min(upper.clone()),
        };
        let (first, last) = if step.is_negative() {
            (&upper, &lower)
        } else {
            (&lower, &upper)
        };
        let (start, stop) = (within(start, first), within(stop, last));
        Ok(Object::Range(
            self.item(&start),
            self.item(&stop),
            integer::normal(step.big() * &self.step).value(),
        ))
    }
}

/// Returns the characters that a slice selects.
pub(super) fn of_text(text: &str, indices: Indices) -> String {
    if text.is_ascii() {
        let bytes = text.as_bytes();
        if let Some(part) = indices.plain().and_then(|range| text.get(range)) {
            return part.to_owned();
        }
        return indices
            .iter()
            .filter_map(|at| bytes.get(at))
            .map(|byte| char::from(*byte))
            .collect();
    }
    let characters: Vec<char> = text.chars().collect();
    indices.iter().filter_map(|at| characters.get(at)).collect()
}
