//! Builtin functions that the library has in Python, applied to plain numbers and texts, and to
//! lists and tuples of them. The result is computed directly.

use crate::machine::Machine;
use crate::machine::calls::call::Keywords;
use crate::value::{Class, Object, Value};

impl Machine {
    /// Returns the result of such a function. `None`: the library computes it.
    pub(in crate::machine) fn of_scalars(
        &mut self,
        name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Option<Value> {
        let is_plain = is_of_scalars(name)
            && self.settings.fold.operators()
            && keywords.is_empty()
            && self.doubts.unknown.is_empty()
            && self.heap.stand_ins.is_empty()
            && !self.record.has_surrogates
            && self.is_far_from_deep();
        if !is_plain {
            return None;
        }
        let value = match (name, arguments) {
            ("abs", [Value::Int(number)]) => Value::Int(number.checked_abs()?),
            ("abs", [Value::Bool(truth)]) => Value::Int(i64::from(*truth)),
            ("abs", [Value::Float(number)]) => Value::Float(number.abs()),
            ("min" | "max", [_, _, ..]) => extreme(arguments, name == "max")?,
            ("min" | "max", [items]) => extreme(self.scalars_of(items)?, name == "max")?,
            ("any" | "all", [items]) => {
                Value::Bool(truths(self.scalars_of(items)?, name == "all")?)
            }
            ("sum", [items]) => sum(self.scalars_of(items)?)?,
            ("sorted", [items]) => {
                let sorted = sorted(self.scalars_of(items)?)?;
                self.heap.list(sorted)
            }
            _ => return None,
        };
        let items = arguments.iter().filter_map(|items| self.scalars_of(items));
        let count = items.map(<[Value]>::len).sum();
        self.charge(count);
        if matches!(name, "abs" | "sum") {
            self.count_folded();
        }
        Some(value)
    }

    fn scalars_of(&self, items: &Value) -> Option<&[Value]> {
        match self.heap.object(items)? {
            Object::List(items) => Some(items),
            Object::Tuple(items) => Some(items),
            _ => None,
        }
    }
}

/// Whether a builtin function is one of these.
pub(in crate::machine) fn is_of_scalars(name: &str) -> bool {
    matches!(
        name,
        "abs" | "all" | "any" | "max" | "min" | "sorted" | "sum"
    )
}

/// Converts a number, or a text that plainly is one, to a builtin class: `str(7)`, `int('7')`.
pub(in crate::machine) fn converted(class: &Class, value: &Value) -> Option<Value> {
    /// Maximum digits that always fit in an integer of the machine.
    const MOST_DIGITS: usize = 18;
    match (class.builtin.as_deref()?, value) {
        ("int", Value::Int(_)) | ("str", Value::Str(_)) => Some(value.clone()),
        ("str", Value::Int(number)) => Some(Value::str(&number.to_string())),
        ("int", Value::Str(text)) => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let is_plain = (1..=MOST_DIGITS).contains(&digits.len())
                && digits.bytes().all(|digit| digit.is_ascii_digit());
            let number = text.parse().ok().filter(|_| is_plain)?;
            Some(Value::Int(number))
        }
        _ => None,
    }
}

/// Whether a value is less than another of its type. `None` if they are not numbers or texts of one
/// type.
fn is_less(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left < right),
        (Value::Float(left), Value::Float(right)) => Some(left < right),
        (Value::Str(left), Value::Str(right)) => Some(left < right),
        _ => None,
    }
}

/// Returns the first of the smallest or of the greatest items.
fn extreme(items: &[Value], is_greatest: bool) -> Option<Value> {
    let (mut best, rest) = items.split_first()?;
    // A single item is compared with itself: the library handles items without an order.
    is_less(best, best)?;
    for item in rest {
        let is_better = match is_greatest {
            true => is_less(best, item)?,
            false => is_less(item, best)?,
        };
        if is_better {
            best = item;
        }
    }
    Some(best.clone())
}

/// Whether any item, or each item, is true.
fn truths(items: &[Value], each: bool) -> Option<bool> {
    for item in items {
        let truth = match item {
            Value::None => false,
            Value::Bool(truth) => *truth,
            Value::Int(number) => *number != 0,
            Value::Float(number) => *number != 0.0,
            Value::Str(text) => !text.is_empty(),
            _ => return None,
        };
        if truth != each {
            return Some(truth);
        }
    }
    Some(each)
}

fn sum(items: &[Value]) -> Option<Value> {
    let mut sum = 0_i64;
    for item in items {
        let Value::Int(number) = item else {
            return None;
        };
        sum = sum.checked_add(*number)?;
    }
    Some(Value::Int(sum))
}

/// Returns the items in order. Equal ones keep their order.
fn sorted(items: &[Value]) -> Option<Vec<Value>> {
    let is_one_type = items.iter().all(|item| match (item, &items[0]) {
        (Value::Int(_), Value::Int(_)) | (Value::Str(_), Value::Str(_)) => true,
        (Value::Float(number), Value::Float(_)) => !number.is_nan(),
        _ => false,
    });
    if !is_one_type {
        return None;
    }
    let mut sorted = items.to_vec();
    sorted.sort_by(|left, right| match (left, right) {
        (Value::Int(left), Value::Int(right)) => left.cmp(right),
        (Value::Str(left), Value::Str(right)) => left.cmp(right),
        (Value::Float(left), Value::Float(right)) => {
            left.partial_cmp(right).unwrap_or(std::cmp::Ordering::Equal)
        }
        _ => std::cmp::Ordering::Equal,
    });
    Some(sorted)
}
