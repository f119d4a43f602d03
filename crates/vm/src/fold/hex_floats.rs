//! `float.fromhex`: floats from hexadecimal text, rounded to the nearest, ties to even.

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

use super::Folded;
use crate::value::Value;

/// Bits of the significand.
const DIGITS: i64 = 53;
/// Exponent of the lowest bit of a float.
const LOWEST: i64 = -1074;
/// Exponent of two at which a number becomes too large.
const HIGHEST: i64 = 1024;
/// Digits of an exponent that are read. More digits do not change the result.
const MOST_EXPONENT: usize = 9;

/// `float.fromhex(text)`
pub fn read(text: &str) -> Folded {
    match value(text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}')) {
        Some(Ok(number)) => Folded::Value(Value::Float(number)),
        Some(Err(())) => Folded::Raise(
            "OverflowError",
            "hexadecimal value too large to represent as a float".to_owned(),
        ),
        None => Folded::Raise(
            "ValueError",
            "invalid hexadecimal floating-point string".to_owned(),
        ),
    }
}

/// Parses a number. `None` if it is invalid, an error if it is too large.
fn value(text: &str) -> Option<Result<f64, ()>> {
    let (negative, text) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let signed = |number: f64| if negative { -number } else { number };
    let lower = text.to_ascii_lowercase();
    match lower.as_str() {
        "inf" | "infinity" => return Some(Ok(signed(f64::INFINITY))),
        "nan" => return Some(Ok(signed(f64::NAN))),
        _ => {}
    }
    let digits = lower.strip_prefix("0x").unwrap_or(&lower);
    let (digits, exponent) = match digits.split_once('p') {
        Some((digits, exponent)) => (digits, power(exponent)?),
        None => (digits, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    if all.is_empty() || !all.bytes().all(|c| c.is_ascii_hexdigit()) {
        return None;
    }
    let significand = BigUint::parse_bytes(all.as_bytes(), 16)?;
    let behind = 4 * i64::try_from(fraction.len()).ok()?;
    Some(rounded(significand, exponent - behind).map(signed))
}

/// Parses the exponent after `p`.
fn power(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    let size: i64 = match digits.len() {
        0 => 0,
        1..=MOST_EXPONENT => digits.parse().ok()?,
        _ => i64::pow(10, MOST_EXPONENT as u32),
    };
    Some(if negative { -size } else { size })
}

/// `significand * 2 ** exponent`
fn rounded(mut significand: BigUint, mut exponent: i64) -> Result<f64, ()> {
    if significand.is_zero() {
        return Ok(0.0);
    }
    let bits = i64::try_from(significand.bits()).map_err(|_| ())?;
    let top = bits + exponent;
    if top > HIGHEST {
        return Err(());
    }
    if top < LOWEST {
        return Ok(0.0);
    }
    // Bits for which a float of this size has no room.
    let spare = (top - DIGITS).max(LOWEST) - exponent;
    if spare > 0 {
        let half = BigUint::one() << (spare - 1) as u64;
        let kept = &significand >> spare as u64;
        let rest = significand - (&kept << spare as u64);
        let up = rest > half || rest == half && kept.bit(0);
        significand = kept + u8::from(up);
        exponent += spare;
    }
    let number = significand.to_f64().ok_or(())?;
    let number = libm::ldexp(number, i32::try_from(exponent).map_err(|_| ())?);
    if number.is_finite() {
        Ok(number)
    } else {
        Err(())
    }
}
