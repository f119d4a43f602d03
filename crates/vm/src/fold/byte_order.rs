//! Conversions between integers and bytes: `int.to_bytes` and `int.from_bytes` with positional and
//! keyword arguments.

use std::sync::Arc;

use num_bigint::{BigInt, Sign};
use num_traits::Signed as _;

use super::Folded;
use crate::value::Value;

/// Maximum bytes of one integer.
const MOST: i64 = 1 << 16;

/// `number.to_bytes(length=1, byteorder='big', *, signed=False)`
pub fn to_bytes(number: &Value, places: &[Value], names: &[(Arc<str>, Value)]) -> Folded {
    let number = match number {
        Value::Int(number) => BigInt::from(*number),
        Value::Bool(number) => BigInt::from(u8::from(*number)),
        Value::BigInt(number) => number.as_ref().clone(),
        _ => return Folded::Unknown,
    };
    let Some([length, order, signed]) = given(["length", "byteorder", "signed"], places, names)
    else {
        return Folded::Unknown;
    };
    let (length, signed) = match (length, signed) {
        (None, signed) => (1, signed),
        (Some(Value::Int(length)), signed) if *length <= MOST => (*length, signed),
        _ => return Folded::Unknown,
    };
    let (Some(is_little), Some(signed)) = (is_little(order), flag(signed)) else {
        return Folded::Unknown;
    };
    let Ok(is_little) = is_little else {
        return Folded::value_error("byteorder must be either 'little' or 'big'");
    };
    let Ok(length) = usize::try_from(length) else {
        return Folded::value_error("length argument must be non-negative");
    };
    if number.is_negative() && !signed {
        return Folded::overflow("can't convert negative int to unsigned");
    }
    let filler = if number.is_negative() { 0xFF } else { 0 };
    let mut bytes = match (signed, number.sign()) {
        (_, Sign::NoSign) => Vec::new(),
        (true, _) => number.to_signed_bytes_le(),
        (false, _) => number.magnitude().to_bytes_le(),
    };
    if bytes.len() > length {
        return Folded::overflow("int too big to convert");
    }
    bytes.resize(length, filler);
    if !is_little {
        bytes.reverse();
    }
    Folded::Value(Value::Bytes(bytes.into()))
}

/// `int.from_bytes(bytes, byteorder='big', *, signed=False)`
pub fn from_bytes(bytes: &[u8], places: &[Value], names: &[(Arc<str>, Value)]) -> Folded {
    let Some([_, order, signed]) = given(["bytes", "byteorder", "signed"], places, names) else {
        return Folded::Unknown;
    };
    let (Some(is_little), Some(signed)) = (is_little(order), flag(signed)) else {
        return Folded::Unknown;
    };
    let number = match (is_little, signed) {
        (Err(()), _) => return Folded::value_error("byteorder must be either 'little' or 'big'"),
        (Ok(true), true) => BigInt::from_signed_bytes_le(bytes),
        (Ok(true), false) => BigInt::from_bytes_le(Sign::Plus, bytes),
        (Ok(false), true) => BigInt::from_signed_bytes_be(bytes),
        (Ok(false), false) => BigInt::from_bytes_be(Sign::Plus, bytes),
    };
    Folded::Value(Value::int(number))
}

/// Binds the arguments. `None` if they do not fit. The last is keyword-only.
fn given<'v>(
    known: [&str; 3],
    places: &'v [Value],
    names: &'v [(Arc<str>, Value)],
) -> Option<[Option<&'v Value>; 3]> {
    let mut found = [None; 3];
    if places.len() > 2 {
        return None;
    }
    for (at, value) in places.iter().enumerate() {
        found[at] = Some(value);
    }
    for (name, value) in names {
        let at = known.iter().position(|known| *known == &**name)?;
        if found[at].replace(value).is_some() {
            return None;
        }
    }
    Some(found)
}

/// Whether the least significant byte comes first. `None` if the order is not a string, an error if
/// it is neither of the two names.
fn is_little(order: Option<&Value>) -> Option<Result<bool, ()>> {
    match order {
        None => Some(Ok(false)),
        Some(Value::Str(order)) => Some(match &**order {
            "little" => Ok(true),
            "big" => Ok(false),
            _ => Err(()),
        }),
        Some(_) => None,
    }
}

fn flag(value: Option<&Value>) -> Option<bool> {
    match value {
        None => Some(false),
        Some(Value::Bool(value)) => Some(*value),
        Some(Value::Int(value)) => Some(*value != 0),
        Some(_) => None,
    }
}

/// `bytes.fromhex(text)`
pub fn from_hex(text: &str) -> Folded {
    let wrong = |at: usize| {
        let message = format!("non-hexadecimal number found in fromhex() arg at position {at}");
        Folded::Raise("ValueError", message)
    };
    let mut bytes = Vec::new();
    let mut digits = text.chars().enumerate().peekable();
    while let Some((at, c)) = digits.next() {
        if c.is_ascii_whitespace() || c == '\u{b}' {
            continue;
        }
        let Some(high) = c.to_digit(16) else {
            return wrong(at);
        };
        match digits.next().map(|(at, c)| (at, c.to_digit(16))) {
            Some((_, Some(low))) => bytes.push((16 * high + low) as u8),
            Some((at, None)) => return wrong(at),
            None => return wrong(at + 1),
        }
    }
    Folded::Value(Value::Bytes(bytes.into()))
}
