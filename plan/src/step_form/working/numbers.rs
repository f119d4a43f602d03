//! Workings of operations on numbers.

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive as _, Zero};

use super::super::powers;
use super::super::source::AT_ENDS;
use crate::fold::number_text;
use crate::question::Data;

/// Most terms that are noted down.
const MOST_TERMS: usize = 64;
/// Digits of the largest number that is divided or multiplied on paper.
const MOST_DIGITS: usize = 18;
/// Digits of the largest number that is compared.
const MOST_COMPARED: usize = 30;
/// Digits of the largest number whose quotient is noted with its decimals.
const MOST_DIVIDED: usize = 12;
/// Significant digits of a quotient.
const MOST_DECIMALS: usize = 17;
/// Digits of the largest power.
const LARGEST_POWER: usize = 13;
/// Largest shift.
const MOST_SHIFT: u32 = 20;
/// Largest number that is noted in binary.
const LARGEST_IN_BINARY: u32 = 0xFFFF;

/// Partial sums, with equal neighbours taken together.
pub(super) fn sum(start: Option<&Data>, items: &[Data]) -> Option<String> {
    let mut terms: Vec<(&Data, usize)> = start.map(|data| (data, 1)).into_iter().collect();
    for (at, item) in items.iter().enumerate() {
        match terms.last_mut() {
            Some((data, count)) if at > 0 && *data == item => *count += 1,
            _ => terms.push((item, 1)),
        }
    }
    let apart: usize = terms.iter().map(|(_, count)| count).sum();
    if apart < 3 || terms.len() > MOST_TERMS {
        return None;
    }
    let mut total = Data::Int(BigInt::ZERO);
    let mut out = String::new();
    for (at, (data, count)) in terms.into_iter().enumerate() {
        for _ in 0..count {
            total = add(&total, data)?;
        }
        if at > 0 {
            out.push('+');
        }
        out.push_str(&number(data)?);
        if count > 1 {
            out.push_str(&format!("*{count}"));
        }
        if at > 0 || count > 1 {
            out.push('=');
            out.push_str(&number(&total)?);
        }
    }
    Some(out)
}

fn add(a: &Data, b: &Data) -> Option<Data> {
    let float = |data: &Data| match data {
        Data::Float(value) => Some(*value),
        Data::Int(value) => number_text::integer(value)?.parse().ok(),
        Data::Bool(value) => Some(f64::from(u8::from(*value))),
        _ => None,
    };
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => Some(Data::Int(a + b)),
        _ => Some(Data::Float(float(a)? + float(b)?)),
    }
}

fn integer(data: &Data) -> Option<BigInt> {
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

/// The digits of the absolute value, where they are few enough.
fn digits(value: &BigInt) -> Option<String> {
    let text = number_text::integer(&value.abs())?;
    (text.len() <= MOST_DIGITS).then_some(text)
}

pub(super) fn division(a: &BigInt, b: &BigInt) -> Option<String> {
    if b.is_zero() || a.abs() < b.abs() {
        return None;
    }
    digits(b)?;
    let by = b.abs();
    let mut rest = BigInt::ZERO;
    let mut lines: Vec<String> = Vec::new();
    for digit in digits(a)?.bytes() {
        let part: BigInt = rest * 10 + (digit - b'0');
        let times = &part / &by;
        rest = &part % &by;
        if !times.is_zero() || !lines.is_empty() {
            lines.push(format!("{part}:{times}:{rest}"));
        }
    }
    Some(lines.join(","))
}

fn rows(a: &BigInt, b: &BigInt) -> Option<String> {
    let by = digits(b)?;
    if digits(a)?.len() < 2 || by.len() < 2 {
        return None;
    }
    let of = a.abs();
    let mut place = BigInt::from(1);
    let mut rows = Vec::new();
    for digit in by.bytes().rev() {
        rows.push((&of * (digit - b'0') * &place).to_string());
        place *= 10;
    }
    Some(rows.join("+"))
}

/// The digits of a value in the order in which it is computed. Small operands need no working, and numbers that are
/// written as powers of ten have none.
fn units_first(a: &BigInt, b: &BigInt, value: &BigInt) -> Option<String> {
    let (of, by) = (digits(a)?, digits(b)?);
    let (most, least) = (of.len().max(by.len()), of.len().min(by.len()));
    if (most < 3 && least < 2) || powers::is_written(&of) || powers::is_written(&by) {
        return None;
    }
    Some(number_text::integer(&value.abs())?.chars().rev().collect())
}

/// `a + b` or `a - b`: first without signs, the larger in front, then digit by digit.
pub(super) fn sum_of_two(a: &BigInt, b: &BigInt, minus: bool) -> Option<String> {
    let b = if minus { -b } else { b.clone() };
    let value = a + &b;
    let digit_by_digit = units_first(a, &b, &value);
    if minus && !a.is_negative() && !value.is_negative() && !b.is_positive() {
        return digit_by_digit;
    }
    if !a.is_negative() && !b.is_negative() && !minus {
        return digit_by_digit;
    }
    let (of, by) = (
        number_text::integer(&a.abs())?,
        number_text::integer(&b.abs())?,
    );
    if of.len().max(by.len()) > MOST_DIGITS {
        return None;
    }
    let (of, by) = (powers::written(&of), powers::written(&by));
    let alike = a.is_negative() == b.is_negative();
    let plain = if alike {
        format!("{of}+{by}")
    } else if a.abs() >= b.abs() {
        format!("{of}-{by}")
    } else {
        format!("{by}-{of}")
    };
    let signed = if value.is_negative() {
        format!("-({plain})")
    } else {
        plain
    };
    Some(match digit_by_digit {
        Some(digits) => format!("{signed}={digits}"),
        None => signed,
    })
}

/// A row for each digit, or the digits of the product.
pub(super) fn product(a: &BigInt, b: &BigInt) -> Option<String> {
    rows(a, b).or_else(|| units_first(a, b, &(a * b)))
}

/// Power after power; a square of more than one digit as a product.
pub(super) fn power(a: &BigInt, b: &BigInt) -> Option<String> {
    let exponent = b.to_u32().filter(|exponent| (2..=64).contains(exponent))?;
    let of = a.abs();
    if of < BigInt::from(2) || of == BigInt::from(10) {
        return None;
    }
    if exponent == 2 {
        return product(a, a);
    }
    let mut value = a.clone();
    let mut lines = Vec::new();
    for _ in 1..exponent {
        value *= a;
        let text = value.to_string();
        if text.len() > LARGEST_POWER {
            return None;
        }
        lines.push(text);
    }
    Some(lines.join(","))
}

/// `a << b`
pub(super) fn doublings(a: &BigInt, b: &BigInt) -> Option<String> {
    let shift = b
        .to_u32()
        .filter(|shift| (2..=MOST_SHIFT).contains(shift))?;
    (digits(a)?.len() <= MOST_DIVIDED / 2).then(|| {
        let lines: Vec<String> = (1..=shift).map(|by| (a << by).to_string()).collect();
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
        lines.push(half.to_string());
        if half.is_zero() {
            break;
        }
    }
    Some(lines.join(","))
}

/// Both operands and the value in binary, of one length.
pub(super) fn bits(a: &BigInt, b: &BigInt, value: &BigInt) -> Option<String> {
    let small = |number: &BigInt| {
        number
            .to_u32()
            .filter(|n| *n > 0 && *n <= LARGEST_IN_BINARY)
    };
    let (a, b, value) = (small(a)?, small(b)?, value.to_u32()?);
    let width = usize::try_from(u32::BITS - (a | b).leading_zeros()).ok()?;
    (width > 1).then(|| format!("{a:0width$b},{b:0width$b},{value:0width$b}"))
}

/// How many digits both have, with a sign, and where that decides nothing the first that differ.
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

/// How many items a list has that shows the ends and how many are left out between them.
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
