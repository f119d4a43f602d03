//! Workings of operations on numbers.

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive as _, Zero};

use super::super::powers;
use super::super::source::AT_ENDS;
use super::sums::{backwards, parts, units_first};
use crate::question::Data;
use codexec_vm::fold::number_text;

/// Maximum digits for long division and multiplication.
pub(super) const MOST_DIGITS: usize = 20;
/// Maximum digits for comparison.
const MOST_COMPARED: usize = 30;
/// Products of two digits in rows, at most.
const MOST_PRODUCTS: usize = 60;
/// Maximum digits of a number whose quotient is written with decimals.
const MOST_DIVIDED: usize = 12;
/// Significant digits of a quotient.
const MOST_DECIMALS: usize = 17;
/// Digits of the largest power.
const LARGEST_POWER: usize = 13;
/// Maximum shift of numbers other than one.
const MOST_SHIFT: u32 = 20;
/// Largest exponent.
const MOST_EXPONENT: u32 = 128;
/// Maximum number written in binary.
const LARGEST_IN_BINARY: u32 = 0xFFFF;

pub(super) fn integer(data: &Data) -> Option<BigInt> {
    match data {
        Data::Int(value) => Some(value.clone()),
        Data::Bool(value) => Some(u8::from(*value).into()),
        _ => None,
    }
}

pub(super) fn number(data: &Data) -> Option<String> {
    match data {
        Data::Float(value) => Some(number_text::float(*value)),
        data => number_text::integer(&integer(data)?),
    }
}

/// The digits of the absolute value, if they are few enough.
pub(super) fn digits(value: &BigInt) -> Option<String> {
    let text = number_text::integer(&value.abs())?;
    (text.len() <= MOST_DIGITS).then_some(text)
}

/// Long division, and if the signs differ, the difference of the remainder from the divisor.
pub(super) fn division(a: &BigInt, b: &BigInt) -> Option<String> {
    if b.is_zero() {
        return None;
    }
    let (by, of) = (b.abs(), digits(a)?);
    digits(b)?;
    let mut rest = BigInt::ZERO;
    let mut lines: Vec<String> = Vec::new();
    for digit in of.bytes() {
        let part: BigInt = rest * 10 + (digit - b'0');
        let times = &part / &by;
        rest = &part % &by;
        if !times.is_zero() || !lines.is_empty() {
            lines.push(format!("{part}:{times}:{rest}"));
        }
    }
    if a.is_negative() != b.is_negative() && !rest.is_zero() {
        let lacks = backwards(&(&by - &rest).to_string());
        lines.push(format!("{by}-{rest}={lacks}"));
    }
    (!lines.is_empty()).then(|| lines.join(","))
}

/// A row for each digit of the shorter number, the units first.
pub(super) fn rows(a: &BigInt, b: &BigInt) -> Option<String> {
    let (of, by) = (digits(a)?, digits(b)?);
    if of.len() < 2 || by.len() < 2 || of.len() * by.len() > MOST_PRODUCTS {
        return None;
    }
    let (of, by) = if of.len() < by.len() {
        (b.abs(), of)
    } else {
        (a.abs(), by)
    };
    let mut place = BigInt::from(1);
    let mut rows = Vec::new();
    for digit in by.bytes().rev() {
        rows.push((&of * (digit - b'0') * &place).to_string());
        place *= 10;
    }
    Some(rows.join("+"))
}

/// A row for each digit and the digits of their sum from the units on, or only those of the product.
pub(super) fn product(a: &BigInt, b: &BigInt) -> Option<String> {
    let value = a * b;
    times_power(a, b)
        .or_else(|| {
            let digits = backwards(&value.abs().to_string());
            rows(a, b).map(|rows| format!("{rows}={digits}"))
        })
        .or_else(|| units_first(a, b, &value))
}

/// The parts above and below the power of ten in a number's notation, multiplied separately.
fn times_power(a: &BigInt, b: &BigInt) -> Option<String> {
    let (of, by) = (digits(a)?, digits(b)?);
    let (text, number, times) = match (powers::exponent(&of), powers::exponent(&by)) {
        (Some(_), None) => (of, a.abs(), b.abs()),
        (None, Some(_)) => (by, b.abs(), a.abs()),
        _ => return None,
    };
    let unit = BigInt::from(10).pow(u32::try_from(powers::exponent(&text)?).ok()?);
    let part = |part: BigInt| {
        let sign = if part.is_negative() { "-" } else { "" };
        let value = backwards(&(part.abs() * &times).to_string());
        (!part.is_zero()).then(|| format!("{part}*{times}={sign}{value}"))
    };
    let (high, low) = parts(&number, &unit);
    let parts: Vec<String> = [high, low].into_iter().filter_map(part).collect();
    (times > BigInt::from(1)).then(|| parts.join(","))
}

/// Power after power, each with its exponent; a square of more than one digit as a product.
pub(super) fn power(a: &BigInt, b: &BigInt) -> Option<String> {
    let exponent = b
        .to_u32()
        .filter(|exponent| (2..=MOST_EXPONENT).contains(exponent))?;
    let of = a.abs();
    if of < BigInt::from(2) || of == BigInt::from(10) {
        return None;
    }
    if *a == BigInt::from(2) {
        return Some(powers_of_two(exponent));
    }
    if exponent == 2 {
        return product(a, a);
    }
    let mut value = a.clone();
    let mut lines = Vec::new();
    for by in 2..=exponent {
        value *= a;
        let text = value.to_string();
        if text.len() > LARGEST_POWER {
            return None;
        }
        lines.push(format!("{by}:{text}"));
    }
    Some(lines.join(","))
}

/// Doubled from the last power of 1,024 on, which is known by heart, each after the number of remaining doublings. A
/// digit of a double depends on the digit and on whether the next one is above four, so it can be written from the
/// first digit on.
fn powers_of_two(exponent: u32) -> String {
    let line = |left: u32| format!("{left}:{}", BigInt::from(1) << (exponent - left));
    let lines: Vec<String> = (0..=exponent % 10).rev().map(line).collect();
    lines.join(",")
}

/// `a << b`
pub(super) fn doublings(a: &BigInt, b: &BigInt) -> Option<String> {
    let shift = b
        .to_u32()
        .filter(|shift| (2..=MOST_EXPONENT).contains(shift))?;
    if *a == BigInt::from(1) {
        return Some(powers_of_two(shift));
    }
    (shift <= MOST_SHIFT && digits(a)?.len() <= MOST_DIVIDED / 2).then(|| {
        let line = |by: u32| format!("{by}:{}", a << by);
        let lines: Vec<String> = (1..=shift).map(line).collect();
        lines.join(",")
    })
}

/// `a >> b`, until nothing is left.
pub(super) fn halves(a: &BigInt, b: &BigInt) -> Option<String> {
    let shift = b.to_u32().filter(|shift| *shift >= 2)?;
    if a.is_negative() || digits(a)?.len() > MOST_DIVIDED {
        return None;
    }
    let mut lines = Vec::new();
    for by in 1..=shift {
        let half = a >> by;
        lines.push(format!("{by}:{half}"));
        if half.is_zero() {
            break;
        }
    }
    Some(lines.join(","))
}

/// Both operands and the value in binary, of equal length; a negative number as its complement, after a
/// `~`.
pub(super) fn bits(a: &BigInt, b: &BigInt, value: &BigInt) -> Option<String> {
    if a.is_zero() || b.is_zero() {
        return None;
    }
    let of = |number: &BigInt| {
        let is_negative = number.is_negative();
        let bits = if is_negative {
            -number - 1_u32
        } else {
            number.clone()
        };
        let bits = bits.to_u32().filter(|bits| *bits <= LARGEST_IN_BINARY)?;
        Some((if is_negative { "~" } else { "" }, bits))
    };
    let all = [of(a)?, of(b)?, of(value)?];
    let widest = all.iter().fold(0, |widest, (_, bits)| widest | bits);
    let width = usize::try_from(u32::BITS - widest.leading_zeros()).ok()?;
    (width > 1).then(|| {
        all.map(|(sign, bits)| format!("{sign}{bits:0width$b}"))
            .join(",")
    })
}

/// Numbers of digits, with signs, and if that does not decide, the first digits that differ.
pub(super) fn comparison(a: &BigInt, b: &BigInt) -> Option<String> {
    let of = |number: &BigInt| {
        number_text::integer(&number.abs()).filter(|text| text.len() <= MOST_COMPARED)
    };
    let (left, right) = (of(a)?, of(b)?);
    let sign = |number: &BigInt| if number.is_negative() { "-" } else { "" };
    if left.len() < 2 && right.len() < 2 && !a.is_negative() && !b.is_negative() {
        return None;
    }
    let mut out = format!("{}{}:{}{}", sign(a), left.len(), sign(b), right.len());
    if a.is_negative() == b.is_negative() && left.len() == right.len() {
        let mut pairs = left.chars().zip(right.chars());
        match pairs.find(|(a, b)| a != b) {
            Some((a, b)) => out.push_str(&format!(",{a}:{b}")),
            None => out.push_str(",="),
        }
    }
    Some(out)
}

/// Long division with decimals, up to the digits that a float has.
pub(super) fn decimals(a: &BigInt, b: &BigInt) -> Option<String> {
    if b.is_zero() || a.is_zero() || digits(a)?.len().max(digits(b)?.len()) > MOST_DIVIDED {
        return None;
    }
    let by = b.abs();
    let mut rest = BigInt::ZERO;
    let (mut lines, mut significant): (Vec<String>, usize) = (Vec::new(), 0);
    let text = digits(a)?;
    let mut step = |digit: u8, lines: &mut Vec<String>, rest: &mut BigInt, last: bool| {
        let part: BigInt = &*rest * 10 + digit;
        let times = &part / &by;
        *rest = &part % &by;
        if !times.is_zero() || !lines.is_empty() || last {
            lines.push(format!("{part}:{times}:{rest}"));
            significant += usize::from(significant > 0 || !times.is_zero());
        }
        significant
    };
    let mut noted = 0;
    for (at, digit) in text.bytes().enumerate() {
        noted = step(digit - b'0', &mut lines, &mut rest, at + 1 == text.len());
    }
    if !rest.is_zero() {
        lines.push(String::from("."));
    }
    while !rest.is_zero() && noted < MOST_DECIMALS && lines.len() < 2 * MOST_DECIMALS {
        noted = step(0, &mut lines, &mut rest, true);
    }
    Some(lines.join(","))
}

/// Number of items of a list that shows its ends and the number of omitted items.
pub(super) fn left_out(count: usize) -> String {
    let some = count - AT_ENDS;
    format!("{AT_ENDS}+{}={some}+{AT_ENDS}={count}", some - AT_ENDS)
}

pub(super) fn euclid(a: &BigInt, b: &BigInt) -> Option<String> {
    digits(a)?;
    digits(b)?;
    let (mut a, mut b) = (a.abs(), b.abs());
    let mut rests = Vec::new();
    while b.sign() != Sign::NoSign {
        let rest = &a % &b;
        rests.push(rest.to_string());
        (a, b) = (b, rest);
    }
    (!rests.is_empty()).then(|| rests.join(","))
}

pub(super) fn at_least(item: &Data, x: &Data) -> Option<bool> {
    Some(integer(item)? >= integer(x)?)
}

pub(super) fn above(item: &Data, x: &Data) -> Option<bool> {
    Some(integer(item)? > integer(x)?)
}
