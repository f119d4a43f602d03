//! Operators on constants, as far as CPython's compiler applies them.

use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};

use super::ast::{Binary, Unary};
use super::literals::integer;
use crate::code::Constant;
use crate::floats;

/// Maximum bits of an integer that folding makes.
const MAX_INT_BITS: u64 = 128;
/// Maximum elements of a collection.
const MAX_COLLECTION: i64 = 256;
/// Maximum characters of a string.
const MAX_STR: i64 = 4096;
/// Maximum elements of a collection, including inner ones.
const MAX_TOTAL_ITEMS: i64 = 1024;

/// A number of a kind that an operator works on.
enum Number {
    Int(BigInt),
    Float(f64),
    Complex(f64, f64),
}

fn number(value: &Constant) -> Option<Number> {
    Some(match value {
        Constant::Bool(value) => Number::Int(i64::from(*value).into()),
        Constant::Int(value) => Number::Int((*value).into()),
        Constant::BigInt(value) => Number::Int((**value).clone()),
        Constant::Float(value) => Number::Float(*value),
        Constant::Complex(real, imaginary) => Number::Complex(*real, *imaginary),
        _ => return None,
    })
}

/// The integer that a float without fraction is.
pub(super) fn whole(value: f64) -> Option<BigInt> {
    BigInt::from_f64(value)
}

/// A float from an integer, rounded to even. `None` if it is too large.
fn to_float(value: &BigInt) -> Option<f64> {
    value.to_f64().filter(|value| value.is_finite())
}

pub(super) fn unary(op: Unary, value: &Constant) -> Option<Constant> {
    if op == Unary::Not {
        return Some(Constant::Bool(!super::optimize::truth(value)));
    }
    Some(match (op, number(value)?) {
        (Unary::Invert, Number::Int(value)) => integer(!value),
        (Unary::Plus, Number::Int(value)) => integer(value),
        (Unary::Minus, Number::Int(value)) => integer(-value),
        (Unary::Plus, Number::Float(value)) => Constant::Float(value),
        (Unary::Minus, Number::Float(value)) => Constant::Float(-value),
        (Unary::Plus, Number::Complex(real, imaginary)) => Constant::Complex(real, imaginary),
        (Unary::Minus, Number::Complex(real, imaginary)) => Constant::Complex(-real, -imaginary),
        _ => return None,
    })
}

pub(super) fn binary(left: &Constant, op: Binary, right: &Constant) -> Option<Constant> {
    match (number(left), number(right)) {
        (Some(Number::Int(a)), Some(Number::Int(b))) => {
            if let (Constant::Bool(a), Constant::Bool(b)) = (left, right) {
                match op {
                    Binary::And => return Some(Constant::Bool(a & b)),
                    Binary::Or => return Some(Constant::Bool(a | b)),
                    Binary::Xor => return Some(Constant::Bool(a ^ b)),
                    _ => {}
                }
            }
            integers(&a, op, &b)
        }
        (Some(Number::Complex(a, b)), Some(other)) => complexes((a, b), op, parts(other)?),
        (Some(other), Some(Number::Complex(a, b))) => complexes(parts(other)?, op, (a, b)),
        (Some(a), Some(b)) => floats(parts(a)?.0, op, parts(b)?.0),
        (Some(Number::Int(count)), None) if op == Binary::Multiply => repeat(right, &count),
        (None, Some(Number::Int(count))) if op == Binary::Multiply => repeat(left, &count),
        (None, None) => sequences(left, op, right),
        _ => None,
    }
}

fn parts(value: Number) -> Option<(f64, f64)> {
    match value {
        Number::Int(value) => to_float(&value).map(|value| (value, 0.0)),
        Number::Float(value) => Some((value, 0.0)),
        Number::Complex(real, imaginary) => Some((real, imaginary)),
    }
}

fn integers(a: &BigInt, op: Binary, b: &BigInt) -> Option<Constant> {
    Some(integer(match op {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => {
            if !a.is_zero() && !b.is_zero() && a.bits() + b.bits() > MAX_INT_BITS {
                return None;
            }
            a * b
        }
        Binary::FloorDivide if !b.is_zero() => floor_divide(a, b),
        Binary::Remainder if !b.is_zero() => a - b * floor_divide(a, b),
        Binary::TrueDivide if !b.is_zero() => return true_divide(a, b).map(Constant::Float),
        Binary::Power => {
            if b.is_negative() {
                return floats(to_float(a)?, Binary::Power, to_float(b)?);
            }
            if !a.is_zero() && !b.is_zero() && a.bits() > MAX_INT_BITS / b.to_u64()? {
                return None;
            }
            if a.is_zero() {
                BigInt::from(u8::from(b.is_zero()))
            } else {
                a.pow(b.to_u32()?)
            }
        }
        Binary::Lshift => {
            let shift = if b.is_negative() { return None } else { b };
            if a.is_zero() {
                return Some(Constant::Int(0));
            }
            let shift = shift.to_u64().filter(|shift| *shift <= MAX_INT_BITS)?;
            if a.bits() > MAX_INT_BITS - shift {
                return None;
            }
            a << shift
        }
        Binary::Rshift => {
            if b.is_negative() {
                return None;
            }
            match b.to_u64().filter(|shift| *shift < a.bits()) {
                Some(shift) => a >> shift,
                None => BigInt::from(if a.is_negative() { -1 } else { 0 }),
            }
        }
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        _ => return None,
    }))
}

fn floor_divide(a: &BigInt, b: &BigInt) -> BigInt {
    let quotient = a / b;
    let exact = (&quotient * b) == *a;
    if !exact && (a.is_negative() != b.is_negative()) {
        quotient - 1
    } else {
        quotient
    }
}

/// The quotient, rounded once.
fn true_divide(a: &BigInt, b: &BigInt) -> Option<f64> {
    let small = |value: &BigInt| {
        value
            .to_i64()
            .filter(|value| value.unsigned_abs() <= 1 << 53)
    };
    if let (Some(a), Some(b)) = (small(a), small(b)) {
        return Some(a as f64 / b as f64);
    }
    // 64 bits of quotient and a sticky bit, which round as the whole would.
    let shift = 66 - (a.bits() as i64 - b.bits() as i64);
    let (scaled, divisor) = if shift > 0 {
        (a.abs() << shift, b.abs())
    } else {
        (a.abs(), b.abs() << -shift)
    };
    let mut quotient = &scaled / &divisor;
    if &quotient * &divisor != scaled {
        quotient |= BigInt::from(1);
    }
    if !(-900..900).contains(&shift) {
        return None;
    }
    let value = quotient.to_f64()? * 2f64.powi(-(shift as i32));
    Some(if a.is_negative() != b.is_negative() {
        -value
    } else {
        value
    })
}

fn floats(a: f64, op: Binary, b: f64) -> Option<Constant> {
    Some(Constant::Float(match op {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::TrueDivide if b != 0.0 => a / b,
        Binary::FloorDivide if b != 0.0 => divmod(a, b).0,
        Binary::Remainder if b != 0.0 => divmod(a, b).1,
        Binary::Power => {
            let fails = (a == 0.0 && b < 0.0) || (a < 0.0 && b.fract() != 0.0 && b.is_finite());
            let value = floats::power(a, b);
            if fails || (value.is_infinite() && a.is_finite() && b.is_finite()) {
                return None;
            }
            value
        }
        _ => return None,
    }))
}

fn divmod(a: f64, b: f64) -> (f64, f64) {
    let mut remainder = a % b;
    let mut quotient = (a - remainder) / b;
    if remainder != 0.0 {
        if (b < 0.0) != (remainder < 0.0) {
            remainder += b;
            quotient -= 1.0;
        }
    } else {
        remainder = 0f64.copysign(b);
    }
    let floor = if quotient != 0.0 {
        let floor = quotient.floor();
        if quotient - floor > 0.5 {
            floor + 1.0
        } else {
            floor
        }
    } else {
        0f64.copysign(a / b)
    };
    (floor, remainder)
}

fn complexes(a: (f64, f64), op: Binary, b: (f64, f64)) -> Option<Constant> {
    let (real, imaginary) = match op {
        Binary::Add => (a.0 + b.0, a.1 + b.1),
        Binary::Subtract => (a.0 - b.0, a.1 - b.1),
        Binary::Multiply => product(a, b),
        Binary::TrueDivide if b.0.abs() >= b.1.abs() && b.0 != 0.0 => {
            let ratio = b.1 / b.0;
            let divisor = b.0 + b.1 * ratio;
            ((a.0 + a.1 * ratio) / divisor, (a.1 - a.0 * ratio) / divisor)
        }
        Binary::TrueDivide if b.1.abs() > b.0.abs() => {
            let ratio = b.0 / b.1;
            let divisor = b.0 * ratio + b.1;
            ((a.0 * ratio + a.1) / divisor, (a.1 * ratio - a.0) / divisor)
        }
        Binary::Power => return complex_power(a, b),
        _ => return None,
    };
    Some(Constant::Complex(real, imaginary))
}

fn product(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// By multiplication where the exponent is a small integer, else in polar form.
fn complex_power(a: (f64, f64), b: (f64, f64)) -> Option<Constant> {
    let value = if b.1 == 0.0 && b.0.fract() == 0.0 && b.0.abs() <= 100.0 {
        let exponent = b.0.abs() as u32;
        let (mut value, mut power) = ((1.0, 0.0), a);
        let mut mask = 1;
        while exponent >= mask {
            if exponent & mask != 0 {
                value = product(value, power);
            }
            mask <<= 1;
            power = product(power, power);
        }
        if b.0 <= 0.0 {
            return finite(complexes((1.0, 0.0), Binary::TrueDivide, value)?);
        }
        value
    } else if a == (0.0, 0.0) {
        if b.1 != 0.0 || b.0 < 0.0 {
            return None;
        }
        (0.0, 0.0)
    } else {
        let size = a.0.hypot(a.1);
        let angle = floats::angle(a.1, a.0);
        let mut length = floats::power(size, b.0);
        let mut phase = angle * b.0;
        if b.1 != 0.0 {
            length /= floats::exp(angle * b.1);
            phase += b.1 * floats::ln(size);
        }
        (length * floats::cos(phase), length * floats::sin(phase))
    };
    finite(Constant::Complex(value.0, value.1))
}

fn finite(value: Constant) -> Option<Constant> {
    match value {
        Constant::Complex(real, imaginary) if real.is_finite() && imaginary.is_finite() => {
            Some(value)
        }
        _ => None,
    }
}

fn sequences(left: &Constant, op: Binary, right: &Constant) -> Option<Constant> {
    match (left, op, right) {
        (Constant::Str(a), Binary::Add, Constant::Str(b)) => {
            Some(Constant::Str(format!("{a}{b}").into()))
        }
        (Constant::Bytes(a), Binary::Add, Constant::Bytes(b)) => {
            Some(Constant::Bytes(a.iter().chain(b.iter()).copied().collect()))
        }
        (Constant::Tuple(a), Binary::Add, Constant::Tuple(b)) => {
            Some(Constant::Tuple(a.iter().chain(b.iter()).cloned().collect()))
        }
        _ => None,
    }
}

fn repeat(value: &Constant, count: &BigInt) -> Option<Constant> {
    let count = count.to_i64()?;
    let fits =
        |length: usize, most: i64| length == 0 || (0..=most / length as i64).contains(&count);
    let times = count.max(0) as usize;
    match value {
        Constant::Str(text) if fits(text.chars().count(), MAX_STR) => Some(Constant::Str(
            text.repeat(if text.is_empty() { 0 } else { times }).into(),
        )),
        Constant::Bytes(bytes) if fits(bytes.len(), MAX_STR) => Some(Constant::Bytes(
            bytes
                .repeat(if bytes.is_empty() { 0 } else { times })
                .into(),
        )),
        Constant::Tuple(items) if fits(items.len(), MAX_COLLECTION) => {
            if count != 0 && !items.is_empty() {
                complexity(value, MAX_TOTAL_ITEMS)?;
            }
            let times = if items.is_empty() { 0 } else { times };
            let total = items.len() * times;
            Some(Constant::Tuple(
                items.iter().cycle().take(total).cloned().collect(),
            ))
        }
        _ => None,
    }
}

/// The rest of a limit on the elements of a tuple and its inner tuples.
fn complexity(value: &Constant, mut limit: i64) -> Option<i64> {
    if let Constant::Tuple(items) = value {
        limit -= items.len() as i64;
        for item in items.iter() {
            if limit < 0 {
                return None;
            }
            limit = complexity(item, limit)?;
        }
        if limit < 0 {
            return None;
        }
    }
    Some(limit)
}
