//! Workings of operations on floats.

use num_bigint::BigInt;

use super::numbers::{decimals, integer, number, product, rows};
use super::sums::{backwards, signed};
use crate::question::Data;
use codexec_vm::fold::number_text;

/// Maximum characters of a float that is added or compared digit by digit.
const LONGEST_FLOAT: usize = 20;
/// Bound of floats that are divided or multiplied as the integers that they are.
const LARGEST_WHOLE: f64 = 1e12;
/// Maximum digits of operands multiplied digit by digit.
const MOST_FLOAT_PRODUCTS: usize = 40;

/// The decimal text of the absolute value of a number, if it has no exponent and is not long.
fn plain_text(data: &Data) -> Option<String> {
    let text = number(data)?;
    let text = text.trim_start_matches('-');
    (text.len() <= LONGEST_FLOAT && text.bytes().all(|c| c.is_ascii_digit() || c == b'.'))
        .then(|| text.to_string())
}

pub(super) fn float(data: &Data) -> Option<f64> {
    match data {
        Data::Float(value) => Some(*value),
        Data::Int(value) => number_text::integer(value)?.parse().ok(),
        Data::Bool(value) => Some(f64::from(u8::from(*value))),
        _ => None,
    }
}

/// Numbers of digits before the point, with signs, and if that does not decide, the first digits that differ.
pub(super) fn comparison(a: &Data, b: &Data) -> Option<String> {
    let (left, right) = (plain_text(a)?, plain_text(b)?);
    let (x, y) = (float(a)?, float(b)?);
    let sign = |is_negative: bool| if is_negative { "-" } else { "" };
    let (whole, fraction) = left.split_once('.').unwrap_or((&left, ""));
    let (other, decimals) = right.split_once('.').unwrap_or((&right, ""));
    let mut out = format!(
        "{}{}:{}{}",
        sign(x < 0.0),
        whole.len(),
        sign(y < 0.0),
        other.len()
    );
    if (x < 0.0) == (y < 0.0) && whole.len() == other.len() {
        let places = fraction.len().max(decimals.len());
        let padded = |whole: &str, part: &str| format!("{whole}{part:0<places$}");
        let (left, right) = (padded(whole, fraction), padded(other, decimals));
        let mut pairs = left.chars().zip(right.chars());
        match pairs.find(|(a, b)| a != b) {
            Some((a, b)) => out.push_str(&format!(",{a}:{b}")),
            None => out.push_str(",="),
        }
    }
    Some(out)
}

/// The integer value of a float, if it has one.
pub(super) fn whole(data: &Data) -> Option<BigInt> {
    match data {
        Data::Float(value) if value.fract() == 0.0 && value.abs() < LARGEST_WHOLE => {
            num_traits::FromPrimitive::from_f64(*value)
        }
        data => integer(data),
    }
}

/// The digits of a number without its point, and the number of decimals: `3.60` is `(36, 1)`.
fn scaled(data: &Data) -> Option<(BigInt, usize)> {
    let text = plain_text(data)?;
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let fraction = fraction.trim_end_matches('0');
    Some((format!("{whole}{fraction}").parse().ok()?, fraction.len()))
}

/// With this many zeros appended.
fn shifted(number: BigInt, zeros: usize) -> Option<BigInt> {
    Some(number * BigInt::from(10).pow(u32::try_from(zeros).ok()?))
}

/// `a * b`: the digits without points multiplied, and the number of decimals: `36*27=252+720=279,2`.
pub(super) fn times(a: &Data, b: &Data) -> Option<String> {
    if let (Some(a), Some(b)) = (whole(a), whole(b)) {
        return product(&a, &b);
    }
    let ((of, places), (by, more)) = (scaled(a)?, scaled(b)?);
    // The shorter one is the multiplier.
    let (of, by) = if of < by { (by, of) } else { (of, by) };
    let (text, other) = (of.to_string(), by.to_string());
    if text.len() * other.len() > MOST_FLOAT_PRODUCTS {
        return None;
    }
    let mut out = format!("{text}*{other}=");
    let value = &of * &by;
    if other.len() > 1 {
        out.push_str(&rows(&of, &by)?);
        out.push('=');
    }
    out.push_str(&format!(
        "{},{}",
        backwards(&value.to_string()),
        places + more
    ));
    Some(out)
}

/// `a / b` as long division of the digits without points: `159.3 / 24.1` is `1593/241=…`.
pub(super) fn divided(a: &Data, b: &Data) -> Option<String> {
    if let (Some(a), Some(b)) = (whole(a), whole(b)) {
        return decimals(&a, &b);
    }
    let ((of, places), (by, more)) = (scaled(a)?, scaled(b)?);
    let most = places.max(more);
    let (of, by) = (shifted(of, most - places)?, shifted(by, most - more)?);
    Some(format!("{of}/{by}={}", decimals(&of, &by)?))
}

/// `a + b` or `a - b` with at least one float: with equally many decimals, and the digits of the value in
/// decimal from the last on. `3.25 + 1.5` is `3.25+1.50=57.4`.
pub(super) fn sum(a: &Data, b: &Data, minus: bool) -> Option<String> {
    let ((of, places), (by, more)) = (scaled(a)?, scaled(b)?);
    let most = places.max(more);
    let (of, by) = (shifted(of, most - places)?, shifted(by, most - more)?);
    let (x, y) = (float(a)?, float(b)?);
    if x == 0.0 || y == 0.0 {
        return None;
    }
    let alike = x.is_sign_negative() == (y.is_sign_negative() != minus);
    let y = if minus { -y } else { y };
    let (of, by) = if !alike && of < by {
        (by, of)
    } else {
        (of, by)
    };
    let value = if alike { &of + &by } else { &of - &by };
    let steps = backwards(&pointed(&value, most));
    Some(signed(
        &pointed(&of, most),
        &pointed(&by, most),
        alike,
        x + y < 0.0,
        Some(&steps),
    ))
}

/// A number with this many decimals.
fn pointed(digits: &BigInt, places: usize) -> String {
    let text = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = text.split_at(text.len() - places);
    if places == 0 {
        return text;
    }
    format!("{whole}.{fraction}")
}
