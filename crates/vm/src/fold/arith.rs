//! Operators on numbers, strings, bytes and tuples, and the errors of all other constants.

use std::sync::Arc;

use super::compare::truth;
use super::integer::{self, Integer};
use super::type_errors::{has_no_sign, refused};
use super::type_name::type_name;
use super::{BinaryOp, Folded, MOST_BYTES, UnaryOp, complex, float};
use crate::value::{Heap, Object, Value};

/// A number as an operand.
enum Number {
    Int(Integer),
    Float(f64),
    Complex(f64, f64),
}

fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Float(value) => Some(Number::Float(*value)),
        Value::Complex(real, imag) => Some(Number::Complex(*real, *imag)),
        _ => Integer::of(value).map(Number::Int),
    }
}

/// `a op b`, or `a op= b` if `inplace`: the values are the same, the error messages differ.
pub fn binary(heap: &mut Heap, op: BinaryOp, inplace: bool, a: &Value, b: &Value) -> Folded {
    if !is_constant(heap, a) || !is_constant(heap, b) {
        return refused(heap, op, inplace, a, b);
    }
    if op == BinaryOp::Remainder && matches!(a, Value::Str(_) | Value::Bytes(_)) {
        // A string without a field accepts no number and no string.
        return match (a, b) {
            (_, Value::Object(_)) => Folded::Unknown,
            (Value::Str(text), _) if !text.contains('%') => {
                Folded::type_error("not all arguments converted during string formatting")
            }
            _ => Folded::Unknown,
        };
    }
    if let (Some(x), Some(y)) = (number(a), number(b))
        && let Some(result) = numbers(op, &x, &y)
    {
        let bitwise = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
        return match (a, b, result) {
            (Value::Bool(_), Value::Bool(_), Folded::Value(Value::Int(bit))) if bitwise => {
                Folded::bool(bit != 0)
            }
            (_, _, result) => result,
        };
    }
    let sequence = match op {
        BinaryOp::Add => concatenate(heap, a, b),
        BinaryOp::Multiply => {
            if is_sequence(heap, a) {
                Some(repeat(heap, a, b))
            } else if is_sequence(heap, b) {
                Some(repeat(heap, b, a))
            } else {
                None
            }
        }
        _ => None,
    };
    sequence.unwrap_or_else(|| unsupported(heap, op, inplace, a, b))
}

/// Whether a value is a scalar or a tuple, as a compiler's constants are.
fn is_constant(heap: &Heap, value: &Value) -> bool {
    heap.object(value)
        .is_none_or(|object| matches!(object, Object::Tuple(_)))
}

fn is_sequence(heap: &Heap, value: &Value) -> bool {
    matches!(value, Value::Str(_) | Value::Bytes(_))
        || matches!(heap.object(value), Some(Object::Tuple(_)))
}

fn unsupported(heap: &Heap, op: BinaryOp, inplace: bool, a: &Value, b: &Value) -> Folded {
    let (Some(left), Some(right)) = (type_name(heap, a), type_name(heap, b)) else {
        return Folded::Unknown;
    };
    let symbol = match (op, inplace) {
        (BinaryOp::Power, false) => "** or pow()".to_owned(),
        (_, false) => op.symbol().to_owned(),
        (_, true) => format!("{}=", op.symbol()),
    };
    Folded::type_error(format!(
        "unsupported operand type(s) for {symbol}: '{left}' and '{right}'"
    ))
}

/// Computes an operator on numbers. `None` if these numbers do not have the operator.
fn numbers(op: BinaryOp, a: &Number, b: &Number) -> Option<Folded> {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => integers(op, a, b),
        (Number::Complex(..), _) | (_, Number::Complex(..)) => {
            if !matches!(
                op,
                BinaryOp::Add
                    | BinaryOp::Subtract
                    | BinaryOp::Multiply
                    | BinaryOp::TrueDivide
                    | BinaryOp::Power
            ) {
                return None;
            }
            let (Some(a), Some(b)) = (as_complex(a), as_complex(b)) else {
                return Some(too_large());
            };
            Some(match op {
                BinaryOp::Add => complex::add(a, b),
                BinaryOp::Subtract => complex::subtract(a, b),
                BinaryOp::Multiply => complex::multiply(a, b),
                BinaryOp::TrueDivide => complex::true_divide(a, b),
                _ => complex::power(a, b),
            })
        }
        _ => {
            if !matches!(
                op,
                BinaryOp::Add
                    | BinaryOp::Subtract
                    | BinaryOp::Multiply
                    | BinaryOp::TrueDivide
                    | BinaryOp::FloorDivide
                    | BinaryOp::Remainder
                    | BinaryOp::Power
            ) {
                return None;
            }
            let (Some(a), Some(b)) = (as_float(a), as_float(b)) else {
                return Some(too_large());
            };
            Some(match op {
                BinaryOp::Add => Folded::Value(Value::Float(a + b)),
                BinaryOp::Subtract => Folded::Value(Value::Float(a - b)),
                BinaryOp::Multiply => Folded::Value(Value::Float(a * b)),
                BinaryOp::TrueDivide => float::true_divide(a, b),
                BinaryOp::FloorDivide => float::floor_divide(a, b),
                BinaryOp::Remainder => float::remainder(a, b),
                _ => float::power(a, b),
            })
        }
    }
}

/// Whether the result has more bits or items than are computed, and than anyone could answer.
pub fn is_huge(op: BinaryOp, a: &Value, b: &Value, heap: &Heap) -> bool {
    let count = |value: &Value| Integer::of(value).map(|value| value.saturated());
    match (op, Integer::of(a), Integer::of(b)) {
        (BinaryOp::Power, Some(base), Some(exponent)) => {
            base.bits() > 1 && base.bits().saturating_mul(exponent.saturated()) > super::MOST_BITS
        }
        (BinaryOp::LeftShift, Some(number), Some(by)) => {
            !number.is_zero() && number.bits().saturating_add(by.saturated()) > super::MOST_BITS
        }
        (BinaryOp::Multiply, None, Some(_)) => repeated(heap, a, count(b)),
        (BinaryOp::Multiply, Some(_), None) => repeated(heap, b, count(a)),
        _ => false,
    }
}

/// Whether a repeated sequence becomes too long.
fn repeated(heap: &Heap, value: &Value, times: Option<u64>) -> bool {
    let length = match (value, heap.object(value)) {
        (Value::Str(text), _) => text.len(),
        (Value::Bytes(bytes), _) => bytes.len(),
        (_, Some(Object::List(items))) => 8 * items.len(),
        (_, Some(Object::Tuple(items))) => 8 * items.len(),
        _ => return false,
    };
    times.is_some_and(|times| (length as u64).saturating_mul(times) > MOST_BYTES as u64)
}

fn too_large() -> Folded {
    Folded::overflow("int too large to convert to float")
}

fn as_float(number: &Number) -> Option<f64> {
    match number {
        Number::Int(value) => value.to_f64(),
        Number::Float(value) => Some(*value),
        Number::Complex(..) => None,
    }
}

fn as_complex(number: &Number) -> Option<(f64, f64)> {
    match number {
        Number::Complex(real, imag) => Some((*real, *imag)),
        _ => Some((as_float(number)?, 0.0)),
    }
}

fn integers(op: BinaryOp, a: &Integer, b: &Integer) -> Option<Folded> {
    Some(match op {
        BinaryOp::Add => integer::add(a, b),
        BinaryOp::Subtract => integer::subtract(a, b),
        BinaryOp::Multiply => integer::multiply(a, b),
        BinaryOp::TrueDivide => integer::true_divide(a, b),
        BinaryOp::FloorDivide => match integer::divide(a, b) {
            Some((quotient, _)) => Folded::Value(quotient.value()),
            None => Folded::zero_division("integer division or modulo by zero"),
        },
        BinaryOp::Remainder => match integer::divide(a, b) {
            Some((_, rest)) => Folded::Value(rest.value()),
            None => Folded::zero_division("integer modulo by zero"),
        },
        BinaryOp::Power if b.is_negative() => match (a.to_f64(), b.to_f64()) {
            (Some(a), Some(b)) => float::power(a, b),
            _ => too_large(),
        },
        BinaryOp::Power => integer::power(a, b),
        BinaryOp::LeftShift => integer::shift_left(a, b),
        BinaryOp::RightShift => integer::shift_right(a, b),
        BinaryOp::And => integer::bitwise(a, b, |a, b| a & b, |a, b| a & b),
        BinaryOp::Or => integer::bitwise(a, b, |a, b| a | b, |a, b| a | b),
        BinaryOp::Xor => integer::bitwise(a, b, |a, b| a ^ b, |a, b| a ^ b),
        BinaryOp::MatrixMultiply => return None,
    })
}

/// `a + b` if `a` is a sequence, otherwise `None`.
fn concatenate(heap: &mut Heap, a: &Value, b: &Value) -> Option<Folded> {
    let other = || type_name(heap, b).unwrap_or_default();
    Some(match (a, b) {
        (Value::Str(x), Value::Str(y)) => {
            if x.len() + y.len() > MOST_BYTES {
                return Some(Folded::Unknown);
            }
            Folded::Value(Value::Str([&**x, &**y].concat().into()))
        }
        (Value::Str(_), _) => Folded::type_error(format!(
            "can only concatenate str (not \"{}\") to str",
            other()
        )),
        (Value::Bytes(x), Value::Bytes(y)) => {
            if x.len() + y.len() > MOST_BYTES {
                return Some(Folded::Unknown);
            }
            Folded::Value(Value::Bytes([&**x, &**y].concat().into()))
        }
        (Value::Bytes(_), _) => Folded::type_error(format!("can't concat {} to bytes", other())),
        _ => {
            let Some(Object::Tuple(x)) = heap.object(a) else {
                return None;
            };
            let Some(Object::Tuple(y)) = heap.object(b) else {
                return Some(Folded::type_error(format!(
                    "can only concatenate tuple (not \"{}\") to tuple",
                    other()
                )));
            };
            // CPython returns the same object.
            if y.is_empty() {
                return Some(Folded::Value(a.clone()));
            }
            if x.is_empty() {
                return Some(Folded::Value(b.clone()));
            }
            if x.len() + y.len() > MOST_BYTES / 8 {
                return Some(Folded::Unknown);
            }
            let items: Arc<[Value]> = x.iter().chain(y.iter()).cloned().collect();
            Folded::Value(heap.make(Object::Tuple(items)))
        }
    })
}

/// `sequence * count`.
fn repeat(heap: &mut Heap, sequence: &Value, count: &Value) -> Folded {
    let Some(count) = Integer::of(count) else {
        let other = type_name(heap, count).unwrap_or_default();
        return Folded::type_error(format!(
            "can't multiply sequence by non-int of type '{other}'"
        ));
    };
    let Integer::Small(count) = count else {
        return Folded::overflow("cannot fit 'int' into an index-sized integer");
    };
    let times = u64::try_from(count).unwrap_or(0);
    // CPython's limits are those of 64 bits, regardless of the size of `usize` here.
    let length_of = |length: usize| (length as u64).checked_mul(times);
    let too_long = |length: usize| length_of(length).is_none_or(|n| n > i64::MAX as u64);
    let more_than = |most: usize, length| length_of(length).is_none_or(|n| n > most as u64);
    let count = usize::try_from(times).unwrap_or(usize::MAX);
    match sequence {
        Value::Str(text) => {
            if count > 1 && too_long(text.chars().count()) {
                Folded::overflow("repeated string is too long")
            } else if more_than(MOST_BYTES, text.len()) {
                Folded::Unknown
            } else {
                Folded::Value(Value::Str(text.repeat(count).into()))
            }
        }
        Value::Bytes(bytes) => {
            if count > 1 && too_long(bytes.len()) {
                Folded::overflow("repeated bytes are too long")
            } else if more_than(MOST_BYTES, bytes.len()) {
                Folded::Unknown
            } else {
                Folded::Value(Value::Bytes(bytes.repeat(count).into()))
            }
        }
        _ => {
            let Some(Object::Tuple(items)) = heap.object(sequence) else {
                return Folded::Unknown;
            };
            if items.is_empty() || count == 1 {
                return Folded::Value(sequence.clone());
            }
            if more_than(MOST_BYTES / 8, items.len()) {
                return Folded::Unknown;
            }
            let items: Arc<[Value]> = std::iter::repeat_n(items, count)
                .flat_map(|items| items.iter().cloned())
                .collect();
            Folded::Value(heap.make(Object::Tuple(items)))
        }
    }
}

/// `-a`, `+a`, `~a`, `not a`.
pub fn unary(heap: &Heap, op: UnaryOp, a: &Value) -> Folded {
    if op == UnaryOp::Not {
        return truth(heap, a).map_or(Folded::Unknown, |truth| Folded::bool(!truth));
    }
    if !is_constant(heap, a) && !has_no_sign(heap, a) {
        return Folded::Unknown;
    }
    let symbol = match (op, number(a)) {
        (UnaryOp::Positive, Some(Number::Int(value))) => return Folded::Value(value.value()),
        (UnaryOp::Positive, Some(_)) => return Folded::Value(a.clone()),
        (UnaryOp::Negative, Some(Number::Int(value))) => return integer::negate(&value),
        (UnaryOp::Negative, Some(Number::Float(value))) => {
            return Folded::Value(Value::Float(-value));
        }
        (UnaryOp::Negative, Some(Number::Complex(real, imag))) => {
            return Folded::Value(Value::Complex(-real, -imag));
        }
        (UnaryOp::Invert, Some(Number::Int(value))) => return integer::invert(&value),
        (UnaryOp::Positive, None) => "+",
        (UnaryOp::Negative, None) => "-",
        _ => "~",
    };
    let name = type_name(heap, a).unwrap_or_default();
    Folded::type_error(format!("bad operand type for unary {symbol}: '{name}'"))
}
