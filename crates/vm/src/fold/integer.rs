//! Arithmetic of integers of any size.

use std::sync::Arc;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};

use super::{Folded, MOST_BITS};
use crate::value::Value;

/// An integer in the same form as in a value.
#[derive(Debug, Clone)]
pub(crate) enum Integer {
    Small(i64),
    Big(Arc<BigInt>),
}

use Integer::{Big, Small};

impl Integer {
    /// Converts a value to an integer. `True` and `False` are integers.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(value) => Some(Small(i64::from(*value))),
            Value::Int(value) => Some(Small(*value)),
            Value::BigInt(value) => Some(Big(value.clone())),
            _ => None,
        }
    }

    pub(crate) fn big(&self) -> BigInt {
        match self {
            Small(value) => BigInt::from(*value),
            Big(value) => (**value).clone(),
        }
    }

    pub(crate) fn value(self) -> Value {
        match self {
            Small(value) => Value::Int(value),
            Big(value) => Value::BigInt(value),
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        matches!(self, Small(0))
    }

    pub(crate) fn is_negative(&self) -> bool {
        match self {
            Small(value) => *value < 0,
            Big(value) => value.is_negative(),
        }
    }

    /// Returns the nearest `u64`.
    pub(crate) fn saturated(&self) -> u64 {
        match self {
            Small(value) => u64::try_from(*value).unwrap_or_default(),
            Big(value) if value.is_negative() => 0,
            Big(value) => value.to_u64().unwrap_or(u64::MAX),
        }
    }

    /// Returns the number of bits of its absolute value.
    pub(crate) fn bits(&self) -> u64 {
        match self {
            Small(value) => u64::from(64 - value.unsigned_abs().leading_zeros()),
            Big(value) => value.bits(),
        }
    }

    /// Returns the nearest float. `None` if it is beyond the range of floats.
    pub(crate) fn to_f64(&self) -> Option<f64> {
        match self {
            #[allow(clippy::cast_precision_loss)] // Rounding is intended.
            Small(value) => Some(*value as f64),
            Big(value) => {
                let bits = value.bits();
                let drop = bits.saturating_sub(64);
                let (head, rest) = (value.magnitude() >> drop, value.trailing_zeros());
                let inexact = rest.is_some_and(|zeros| zeros < drop);
                let head = u128::from(head.to_u64()?) << 1 | u128::from(inexact);
                let value_of = rounded(head, i64::try_from(drop).ok()? - 1)?;
                Some(if value.is_negative() {
                    -value_of
                } else {
                    value_of
                })
            }
        }
    }
}

fn small(value: i128) -> Folded {
    Folded::Value(match i64::try_from(value) {
        Ok(value) => Value::Int(value),
        Err(_) => Value::int(BigInt::from(value)),
    })
}

fn big(value: BigInt) -> Folded {
    Folded::Value(Value::int(value))
}

pub(super) fn add(a: &Integer, b: &Integer) -> Folded {
    match (a, b) {
        (Small(a), Small(b)) => small(i128::from(*a) + i128::from(*b)),
        _ if a.bits().max(b.bits()) >= MOST_BITS => Folded::Unknown,
        _ => big(a.big() + b.big()),
    }
}

pub(super) fn subtract(a: &Integer, b: &Integer) -> Folded {
    match (a, b) {
        (Small(a), Small(b)) => small(i128::from(*a) - i128::from(*b)),
        _ if a.bits().max(b.bits()) >= MOST_BITS => Folded::Unknown,
        _ => big(a.big() - b.big()),
    }
}

pub(super) fn multiply(a: &Integer, b: &Integer) -> Folded {
    match (a, b) {
        (Small(a), Small(b)) => small(i128::from(*a) * i128::from(*b)),
        _ if a.bits() + b.bits() > MOST_BITS => Folded::Unknown,
        _ => big(a.big() * b.big()),
    }
}

/// Returns quotient and remainder, rounded down. `None` if the divisor is zero.
pub(crate) fn divide(a: &Integer, b: &Integer) -> Option<(Integer, Integer)> {
    if b.is_zero() {
        return None;
    }
    if let (Small(a), Small(b)) = (a, b) {
        let (a, b) = (i128::from(*a), i128::from(*b));
        let (mut quotient, mut rest) = (a / b, a % b);
        if rest != 0 && (rest < 0) != (b < 0) {
            quotient -= 1;
            rest += b;
        }
        let back = |value: i128| match i64::try_from(value) {
            Ok(value) => Small(value),
            Err(_) => Big(Arc::new(BigInt::from(value))),
        };
        return Some((back(quotient), back(rest)));
    }
    let (a, b) = (a.big(), b.big());
    let (mut quotient, mut rest) = (&a / &b, &a % &b);
    if !rest.is_zero() && rest.is_negative() != b.is_negative() {
        quotient -= 1;
        rest += b;
    }
    Some((normal(quotient), normal(rest)))
}

/// Returns an integer in the form that a value has.
pub(crate) fn normal(value: BigInt) -> Integer {
    value.to_i64().map_or_else(|| Big(Arc::new(value)), Small)
}

/// `a / b`, correctly rounded, as CPython computes it for any size.
pub(super) fn true_divide(a: &Integer, b: &Integer) -> Folded {
    if b.is_zero() {
        return Folded::zero_division("division by zero");
    }
    let negative = a.is_negative() != b.is_negative();
    let magnitude = if a.is_zero() {
        Some(0.0)
    } else {
        quotient(&a.big(), &b.big())
    };
    match magnitude {
        Some(value) => Folded::Value(Value::Float(if negative { -value } else { value })),
        None => Folded::overflow("integer division result too large for a float"),
    }
}

/// Returns the float nearest to `|a| / |b|`. `None` if it is too large.
fn quotient(a: &BigInt, b: &BigInt) -> Option<f64> {
    let size = |value: &BigInt| i64::try_from(value.bits()).unwrap_or(i64::MAX / 4);
    // The quotient has 66 or 67 bits. Bits lost below them are folded into the last one.
    let shift = 66 - (size(a) - size(b));
    if shift < -1024 {
        return None;
    }
    if shift > 1300 {
        return Some(0.0);
    }
    let (mut top, mut bottom): (BigUint, BigUint) = (a.magnitude().clone(), b.magnitude().clone());
    if shift >= 0 {
        top <<= shift;
    } else {
        bottom <<= -shift;
    }
    let whole = &top / &bottom;
    let inexact = &whole * &bottom != top;
    rounded(whole.to_u128()? | u128::from(inexact), -shift)
}

/// `mantissa * 2 ** exponent`, rounded half to even. `None` if it is beyond the range of floats.
/// The last bit of a mantissa of more than 54 bits may represent all bits below it.
fn rounded(mantissa: u128, exponent: i64) -> Option<f64> {
    if mantissa == 0 {
        return Some(0.0);
    }
    let bits = i64::from(128 - mantissa.leading_zeros());
    let top = bits + exponent;
    if top > 1024 {
        return None;
    }
    let precision = 53 - (-1021 - top).max(0);
    let drop = (bits - precision).max(0);
    let kept = if drop > bits {
        0
    } else if drop == 0 {
        mantissa
    } else {
        let kept = mantissa.checked_shr(u32::try_from(drop).ok()?).unwrap_or(0);
        let half = 1_u128 << (drop - 1);
        let rest = mantissa & (half | (half - 1));
        kept + u128::from(rest > half || rest == half && kept & 1 == 1)
    };
    let scale = i32::try_from(exponent + drop).ok()?;
    #[allow(clippy::cast_precision_loss)] // It has 53 bits, or 54 with a zero last.
    let value = kept as f64 * 2_f64.powi(scale / 2) * 2_f64.powi(scale - scale / 2);
    value.is_finite().then_some(value)
}

/// `a ** b` for a non-negative `b`.
pub(super) fn power(a: &Integer, b: &Integer) -> Folded {
    match (a, b) {
        (_, Small(0)) => small(1),
        (Small(1), _) => small(1),
        (Small(0), _) => small(0),
        (Small(-1), _) => {
            let odd = match b {
                Small(b) => b % 2 != 0,
                Big(b) => b.bit(0),
            };
            small(if odd { -1 } else { 1 })
        }
        (_, Small(exponent)) => {
            let Ok(exponent) = u32::try_from(*exponent) else {
                return Folded::Unknown;
            };
            if a.bits().saturating_mul(u64::from(exponent)) > MOST_BITS {
                return Folded::Unknown;
            }
            big(a.big().pow(exponent))
        }
        _ => Folded::Unknown,
    }
}

pub(super) fn shift_left(a: &Integer, b: &Integer) -> Folded {
    if b.is_negative() {
        return Folded::value_error("negative shift count");
    }
    if a.is_zero() {
        return small(0);
    }
    match b {
        Big(_) => Folded::overflow("too many digits in integer"),
        Small(count) => match u64::try_from(*count) {
            Ok(count) if a.bits().saturating_add(count) <= MOST_BITS => big(a.big() << count),
            _ => Folded::Unknown,
        },
    }
}

pub(super) fn shift_right(a: &Integer, b: &Integer) -> Folded {
    if b.is_negative() {
        return Folded::value_error("negative shift count");
    }
    match b {
        Small(count) if count.unsigned_abs() < a.bits() => match a {
            Small(value) => small(i128::from(value >> count)),
            Big(value) => big(value.as_ref() >> count.unsigned_abs()),
        },
        _ => small(if a.is_negative() { -1 } else { 0 }),
    }
}

/// A bitwise operation on 64 bits, or on any number of bits.
pub(super) fn bitwise(
    a: &Integer,
    b: &Integer,
    short: impl Fn(i64, i64) -> i64,
    long: impl Fn(BigInt, BigInt) -> BigInt,
) -> Folded {
    match (a, b) {
        (Small(a), Small(b)) => Folded::Value(Value::Int(short(*a, *b))),
        _ => big(long(a.big(), b.big())),
    }
}

pub(super) fn negate(a: &Integer) -> Folded {
    match a {
        Small(value) => small(-i128::from(*value)),
        Big(value) => big(-value.as_ref()),
    }
}

pub(super) fn invert(a: &Integer) -> Folded {
    match a {
        Small(value) => small(i128::from(!*value)),
        Big(value) => big(-value.as_ref() - 1),
    }
}

/// Compares two integers.
pub(crate) fn order(a: &Integer, b: &Integer) -> std::cmp::Ordering {
    match (a, b) {
        (Small(a), Small(b)) => a.cmp(b),
        (Big(a), Big(b)) => a.cmp(b),
        (Small(_), Big(b)) if b.sign() == Sign::Minus => std::cmp::Ordering::Greater,
        (Small(_), Big(_)) => std::cmp::Ordering::Less,
        (Big(_), Small(_)) => order(b, a).reverse(),
    }
}

/// Compares an integer with a float, exactly. `None` for a NaN.
pub(super) fn order_with_float(a: &Integer, b: f64) -> Option<std::cmp::Ordering> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    if b.is_nan() {
        return None;
    }
    if b.is_infinite() {
        return Some(if b > 0.0 { Less } else { Greater });
    }
    let whole = of_float(b.trunc())?;
    Some(match order(a, &whole) {
        Equal if b.fract() > 0.0 => Less,
        Equal if b.fract() < 0.0 => Greater,
        order => order,
    })
}

/// Returns the integer equal to a float without a fraction.
pub(crate) fn of_float(value: f64) -> Option<Integer> {
    use num_traits::FromPrimitive as _;
    BigInt::from_f64(value).map(normal)
}
/// Maximum single-word steps of a power with a modulus.
const MOST_STEPS: u64 = 1 << 31;

/// Whether `pow(base, power, modulus)` is more work than planning does.
pub(crate) fn is_long_power(power: &Integer, modulus: &Integer) -> bool {
    let words = modulus.bits() / 64 + 1;
    let steps = words.saturating_mul(words).saturating_mul(power.bits());
    steps > MOST_STEPS
}

/// `pow(base, power, modulus)`. A negative power uses the inverse of the base. The result has the
/// sign of the modulus.
pub(crate) fn power_modulo(base: &Integer, power: &Integer, modulus: &Integer) -> Folded {
    let raise = |message: &str| Folded::Raise("ValueError", message.to_owned());
    if modulus.is_zero() {
        return raise("pow() 3rd argument cannot be 0");
    }
    let positive = modulus.big().abs();
    if positive == BigInt::from(1) {
        return Folded::Value(Value::Int(0));
    }
    let mut base = base.big();
    if power.is_negative() {
        base = match base.modinv(&positive) {
            Some(inverse) => inverse,
            None => return raise("base is not invertible for the given modulus"),
        };
    }
    let rest = base.modpow(&power.big().abs(), &positive);
    let below = modulus.is_negative() && !rest.is_zero();
    Folded::Value(Value::int(if below { rest - positive } else { rest }))
}
