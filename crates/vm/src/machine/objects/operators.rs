//! Operators of lists and bytearrays, `+` and `*`, and of sets, `|`, `&`, `-` and `^`.
//!
//! Without folding, only those of lists that hold the program's own objects, because no oracle
//! knows more about them.

use std::collections::VecDeque;

use crate::fold::{BinaryOp, Folded};
use crate::machine::{Flow, Machine, Run};
use crate::value::{DictKind, Elements, Object, Value};

/// Maximum items of a repeated list.
const MOST_ITEMS: usize = 1 << 20;

impl Machine {
    /// `left op right` if one is a list, a set or a type. `None` if it must be asked.
    pub(in crate::machine) fn container_binary(
        &mut self,
        op: BinaryOp,
        inplace: bool,
        left: &Value,
        right: &Value,
    ) -> Run<Option<Value>> {
        let is_type = |value: &Value| {
            let object = self.heap.object(value);
            matches!(
                object,
                Some(Object::Class(_) | Object::Opaque { .. } | Object::Special { .. })
            )
        };
        if op == BinaryOp::Or
            && (is_type(left) || *left == Value::None && is_type(right))
            && let Some(union) = self.union(left, right)
        {
            return Ok(Some(union));
        }
        if !(self.is_own(left) || self.is_own(right)) && self.asks_all(&[left, right]) {
            return Ok(None);
        }
        let is_set = |value: &Value| {
            let object = self.heap.object(value);
            matches!(object, Some(Object::Set(_) | Object::Frozenset(_)))
        };
        if is_set(left) && is_set(right) {
            self.join_for_operator(op, inplace, left, right)?;
        }
        if op == BinaryOp::Or
            && let Some(merged) = self.own_merged(left, right, inplace)?
        {
            return Ok(Some(merged));
        }
        if op == BinaryOp::Or
            && inplace
            && self.settings.fold.methods()
            && let Some(helper) = self.merging_helper(left, right)
        {
            return Err(self.helper(helper, vec![left.clone(), right.clone()])?);
        }
        if let (BinaryOp::Add, Value::Bytes(bytes), Some(Object::Bytearray(more))) =
            (op, left, self.heap.object(right))
        {
            let joined = Value::Bytes([&bytes[..], more].concat().into());
            return self.settle(Folded::Value(joined));
        }
        let number = |value: &Value| match value {
            Value::Bool(flag) => Value::Int(i64::from(*flag)),
            other => other.clone(),
        };
        let (times_left, times_right) = (number(left), number(right));
        let result = match (
            self.heap.object(left),
            self.heap.object(right),
            &times_left,
            &times_right,
        ) {
            (Some(Object::Deque(items, most)), other, _, times) => {
                deque_binary(op, (items, *most), other, times)?
            }
            (Some(Object::List(items)), _, _, _) => {
                let items = items.clone();
                self.list_binary(op, inplace, items, &times_right)?
            }
            (_, Some(Object::List(items)), Value::Int(times), _) if op == BinaryOp::Multiply => {
                let items = items.clone();
                Some(Object::List(repeated(&items, *times)?))
            }
            (Some(Object::Bytearray(bytes)), other, _, right) => {
                bytearray_binary(op, bytes, other, right)?
            }
            (
                Some(Object::Set(a) | Object::Frozenset(a)),
                Some(Object::Set(b) | Object::Frozenset(b)),
                _,
                _,
            ) => {
                let (a, b) = (a.clone(), b.clone());
                if let Some(value) = self.set_combined(op, left, right, inplace) {
                    return Ok(Some(value));
                }
                self.set_binary(op, left, a, b)
            }
            _ => None,
        };
        let Some(result) = result else {
            return Ok(None);
        };
        self.count_folded();
        self.charge(self.items_of(left) + self.items_of(right));
        match (inplace, left.id(), self.heap.object(left)) {
            (
                true,
                Some(id),
                Some(Object::List(_) | Object::Set(_) | Object::Bytearray(_) | Object::Deque(..)),
            ) => {
                self.heap.replace(id, result);
                Ok(Some(left.clone()))
            }
            _ => Ok(Some(self.heap.make(result))),
        }
    }

    /// Returns the runtime function for `dict |= value`. `None` if it is not needed.
    fn merging_helper(&self, dict: &Value, value: &Value) -> Option<&'static str> {
        let Some(Object::Dict(_, kind)) = self.heap.object(dict) else {
            return None;
        };
        let of_counter = *kind == DictKind::Counter;
        match self.heap.object(value) {
            Some(Object::Dict(_, DictKind::Counter)) if of_counter => None,
            Some(Object::Dict(..)) if of_counter => Some("_counted_into"),
            Some(Object::List(_) | Object::Tuple(_) | Object::Iterator(_))
            | Some(Object::Generator { .. })
                if !of_counter =>
            {
                Some("_merged_pairs")
            }
            _ => None,
        }
    }

    fn list_binary(
        &mut self,
        op: BinaryOp,
        inplace: bool,
        mut items: Vec<Value>,
        right: &Value,
    ) -> Run<Option<Object>> {
        Ok(match (op, right) {
            (BinaryOp::Add, right)
                if inplace || matches!(self.heap.object(right), Some(Object::List(_))) =>
            {
                let Some(more) = self.items_in_order(right) else {
                    return Ok(None);
                };
                items.extend(more);
                Some(Object::List(items))
            }
            (BinaryOp::Multiply, Value::Int(times)) => {
                Some(Object::List(repeated(&items, *times)?))
            }
            _ => None,
        })
    }

    /// Computes an operator of sets with an element whose hash is unknown. The order of such sets
    /// is unknown.
    fn set_binary(
        &self,
        op: BinaryOp,
        left: &Value,
        mut a: Elements,
        b: Elements,
    ) -> Option<Object> {
        match op {
            BinaryOp::Or => {
                for (key, item) in b {
                    a.entry(key).or_insert(item);
                }
            }
            BinaryOp::And => {
                // The smaller one is iterated.
                let (mut small, large) = if b.len() > a.len() { (a, b) } else { (b, a) };
                small.retain(|key, _| large.contains_key(key));
                a = small;
            }
            BinaryOp::Subtract => a.retain(|key, _| !b.contains_key(key)),
            BinaryOp::Xor => {
                let (mut first, second) = (a.clone(), b.clone());
                first.retain(|key, _| !b.contains_key(key));
                first.extend(second.into_iter().filter(|(key, _)| !a.contains_key(key)));
                a = first;
            }
            _ => return None,
        }
        let frozen = matches!(self.heap.object(left), Some(Object::Frozenset(_)));
        Some(if frozen {
            Object::Frozenset(a)
        } else {
            Object::Set(a)
        })
    }
}

fn repeated<T: Clone>(items: &[T], times: i64) -> Run<Vec<T>> {
    let times = usize::try_from(times).unwrap_or(0);
    if items.len().saturating_mul(times) > MOST_ITEMS {
        return Err(Flow::Unsupported("a list as long as that".to_string()));
    }
    Ok(std::iter::repeat_n(items, times)
        .flatten()
        .cloned()
        .collect())
}

/// Returns the result of an operator whose left operand is a deque, given the other operand as an
/// object and as a number.
fn deque_binary(
    op: BinaryOp,
    (items, most): (&VecDeque<Value>, Option<usize>),
    other: Option<&Object>,
    times: &Value,
) -> Run<Option<Object>> {
    let mut all: Vec<Value> = items.iter().cloned().collect();
    match (op, other, times) {
        (BinaryOp::Multiply, _, Value::Int(times)) => all = repeated(&all, *times)?,
        (BinaryOp::Add, Some(Object::Deque(more, _)), _) => all.extend(more.iter().cloned()),
        _ => return Ok(None),
    }
    // The last `maxlen` items stay.
    let extra = most.map_or(0, |most| all.len().saturating_sub(most));
    Ok(Some(Object::Deque(
        all.into_iter().skip(extra).collect(),
        most,
    )))
}

/// Returns the result of an operator whose left operand is a bytearray, given the other operand as
/// an object and as a number or bytes.
fn bytearray_binary(
    op: BinaryOp,
    bytes: &[u8],
    other: Option<&Object>,
    right: &Value,
) -> Run<Option<Object>> {
    Ok(match (op, other, right) {
        (BinaryOp::Multiply, _, Value::Int(times)) => {
            Some(Object::Bytearray(repeated(bytes, *times)?))
        }
        (BinaryOp::Add, Some(Object::Bytearray(more)), _) => {
            Some(Object::Bytearray([bytes, more].concat()))
        }
        (BinaryOp::Add, _, Value::Bytes(more)) => Some(Object::Bytearray([bytes, more].concat())),
        _ => None,
    })
}
