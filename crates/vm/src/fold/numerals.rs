//! Numbers parsed from text: `int(text)`, `int(text, base)` and `float(text)`.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

use num_bigint::BigInt;

use super::Folded;
use super::str_beyond_ascii::decimal_digit;
use crate::value::Value;

/// Maximum digits that CPython converts.
const MOST_DIGITS: usize = 4300;

/// `int(text, base)`. `shown` is the `repr` of the text, for the message.
pub fn int(text: &str, base: i64, shown: &str) -> Folded {
    let Ok(wanted) = u32::try_from(base) else {
        return Folded::value_error("int() base must be >= 2 and <= 36, or 0");
    };
    if wanted == 1 || wanted > 36 {
        return Folded::value_error("int() base must be >= 2 and <= 36, or 0");
    }
    let text = &*in_ascii(text);
    let wrong = || {
        Folded::value_error(format!(
            "invalid literal for int() with base {base}: {shown}"
        ))
    };
    let digits = trimmed(text);
    let (negative, digits) = signed(digits);
    let lower = digits.to_ascii_lowercase();
    let prefix = match lower.get(..2) {
        Some("0x") => Some(16),
        Some("0o") => Some(8),
        Some("0b") => Some(2),
        _ => None,
    };
    let (base, digits) = match prefix {
        Some(of) if wanted == of || wanted == 0 => {
            (of, lower[2..].strip_prefix('_').unwrap_or(&lower[2..]))
        }
        _ if wanted == 0 => {
            if lower.starts_with('0') && lower.bytes().any(|b| !matches!(b, b'0' | b'_')) {
                return wrong();
            }
            (10, lower.as_str())
        }
        _ => (wanted, lower.as_str()),
    };
    let Some(digits) = without_underscores(digits, |c| c.is_digit(base)) else {
        return wrong();
    };
    if !base.is_power_of_two() && digits.len() > MOST_DIGITS {
        return Folded::value_error(format!(
            "Exceeds the limit ({MOST_DIGITS} digits) for integer string conversion: value has {} digits; use \
             sys.set_int_max_str_digits() to increase the limit",
            digits.len()
        ));
    }
    match BigInt::parse_bytes(digits.as_bytes(), base) {
        Some(number) if negative => Folded::Value(Value::int(-number)),
        Some(number) => Folded::Value(Value::int(number)),
        None => wrong(),
    }
}

/// `float(text)`. `shown` as in [`int`].
pub fn float(text: &str, shown: &str) -> Folded {
    let text = &*in_ascii(text);
    let wrong = || Folded::value_error(format!("could not convert string to float: {shown}"));
    let (negative, digits) = signed(trimmed(text));
    let lower = digits.to_ascii_lowercase();
    let size = match lower.as_str() {
        "inf" | "infinity" => Some(f64::INFINITY),
        "nan" => Some(new_nan()),
        _ if !lower.starts_with(|c: char| c.is_ascii_digit() || c == '.') => None,
        _ => underscored(&lower).and_then(|digits| digits.parse().ok()),
    };
    size.map_or_else(wrong, |size: f64| {
        Folded::Value(Value::Float(if negative { -size } else { size }))
    })
}

/// Returns a NaN with its own payload, so that it is a new object. `math.nan` has no payload.
fn new_nan() -> f64 {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    f64::from_bits(f64::NAN.to_bits() | COUNT.fetch_add(1, Ordering::Relaxed) & 0xffff_ffff)
}

/// Replaces digits and white space by those of ASCII. Other characters beyond ASCII are not valid
/// in numbers.
fn in_ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    let plain = |c: char| match c {
        _ if c.is_ascii() => c,
        _ if c.is_whitespace() => ' ',
        _ => decimal_digit(c).unwrap_or('?'),
    };
    text.chars().map(plain).collect()
}

/// Removes surrounding white space.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| {
        matches!(
            c,
            ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1f}'
        )
    })
}

fn signed(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Removes underscores between digits. `None` if an underscore is elsewhere, or there are other
/// characters.
fn without_underscores(text: &str, digit: impl Fn(char) -> bool) -> Option<String> {
    let parts: Vec<&str> = text.split('_').collect();
    let whole = |part: &&str| !part.is_empty() && part.chars().all(&digit);
    parts.iter().all(whole).then(|| parts.concat())
}

/// [`without_underscores`] for a text with a point and an exponent.
fn underscored(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let between = |at: usize| {
        at > 0
            && bytes[at - 1].is_ascii_digit()
            && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
    };
    let fits = (0..bytes.len()).all(|at| bytes[at] != b'_' || between(at));
    fits.then(|| text.replace('_', ""))
}

/// `bin(value)`, `oct(value)` or `hex(value)` of an integer.
pub fn in_base(name: &str, value: &Value) -> Folded {
    let number = match value {
        Value::Int(number) => &BigInt::from(*number),
        Value::BigInt(number) => number.as_ref(),
        _ => return Folded::Unknown,
    };
    Folded::Value(Value::Str(match name {
        "bin" => format!("{number:#b}").into(),
        "oct" => format!("{number:#o}").into(),
        _ => format!("{number:#x}").into(),
    }))
}
