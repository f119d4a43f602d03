//! The order of sorted values, if every comparison is known.

use super::{CompareOp, Folded, MOST_DEPTH, compare::compare};
use crate::value::{Heap, Object, Value};

/// Maximum values that are sorted.
const MOST_VALUES: usize = 1 << 18;

/// Returns the indices of `keys` in ascending (or `reverse`) order, equal keys in their original
/// order. `None` if a comparison is unknown, raises, or does not order all values (NaN, sets).
pub fn order_of(heap: &Heap, keys: &[Value], reverse: bool) -> Option<Vec<usize>> {
    let mut left = MOST_PARTS;
    if keys.len() > MOST_VALUES || !keys.iter().all(|key| is_ordered(heap, key, 0, &mut left)) {
        return None;
    }
    // By hand: a comparison can fail here, and the standard library may panic if values have no
    // total order.
    let mut places: Vec<usize> = (0..keys.len()).collect();
    let mut spare = places.clone();
    let less = |a: usize, b: usize| {
        let (a, b) = if reverse { (b, a) } else { (a, b) };
        match compare(heap, CompareOp::Less, &keys[a], &keys[b]) {
            Folded::Value(Value::Bool(less)) => Some(less),
            _ => None,
        }
    };
    let mut width = 1;
    while width < places.len() {
        for start in (0..places.len()).step_by(2 * width) {
            let middle = (start + width).min(places.len());
            let end = (start + 2 * width).min(places.len());
            let (mut left, mut right) = (start, middle);
            for slot in &mut spare[start..end] {
                let takes_right =
                    left == middle || (right < end && less(places[right], places[left])?);
                let from = if takes_right { &mut right } else { &mut left };
                *slot = places[*from];
                *from += 1;
            }
        }
        std::mem::swap(&mut places, &mut spare);
        width *= 2;
    }
    Some(places)
}

/// Maximum parts that are examined.
const MOST_PARTS: usize = 1_000_000;

/// Whether any two values of this form are ordered, if they can be compared at all.
fn is_ordered(heap: &Heap, value: &Value, depth: usize, left: &mut usize) -> bool {
    *left = left.saturating_sub(1);
    match value {
        _ if *left == 0 => false,
        Value::Float(value) => !value.is_nan(),
        Value::Bool(_)
        | Value::Int(_)
        | Value::BigInt(_)
        | Value::Str(_)
        | Value::Bytes(_)
        | Value::None => true,
        _ if depth == MOST_DEPTH => false,
        _ => match heap.object(value) {
            Some(Object::List(items)) => items
                .iter()
                .all(|item| is_ordered(heap, item, depth + 1, left)),
            Some(Object::Tuple(items)) => items
                .iter()
                .all(|item| is_ordered(heap, item, depth + 1, left)),
            _ => false,
        },
    }
}
