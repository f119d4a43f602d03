//! Workings of sums and differences.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::super::powers;
use super::floats::float;
use super::numbers::{MOST_DIGITS, digits, integer, number};
use crate::question::Data;
use codexec_vm::fold::number_text;

/// Maximum terms in the working.
const MOST_TERMS: usize = 64;

/// Partial sums, with equal neighbours taken together.
pub(super) fn of(start: Option<&Data>, items: &[Data]) -> Option<String> {
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
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => Some(Data::Int(a + b)),
        _ => Some(Data::Float(float(a)? + float(b)?)),
    }
}

/// The digits of a value in the order of computation. Operands of one digit need no working, and numbers written as
/// powers of ten have none.
pub(super) fn units_first(a: &BigInt, b: &BigInt, value: &BigInt) -> Option<String> {
    let (of, by) = (digits(a)?, digits(b)?);
    if of.len().max(by.len()) < 2 || powers::is_written(&of) || powers::is_written(&by) {
        return None;
    }
    Some(backwards(&number_text::integer(&value.abs())?))
}

pub(super) fn backwards(digits: &str) -> String {
    digits.chars().rev().collect()
}

/// `a + b` or `a - b`: first without signs, the larger in front, then digit by digit.
pub(super) fn of_two(a: &BigInt, b: &BigInt, minus: bool) -> Option<String> {
    let b = if minus { -b } else { b.clone() };
    let value = a + &b;
    let alike = a.is_negative() == b.is_negative();
    let (of, by) = (a.abs(), b.abs());
    let swapped = !alike && of < by;
    let (of, by) = if swapped { (by, of) } else { (of, by) };
    let steps = units_first(&of, &by, &value).or_else(|| at_power(&of, &by, alike));
    let is_plain = if minus {
        !a.is_negative() && !value.is_negative() && !b.is_positive()
    } else {
        !a.is_negative() && !b.is_negative()
    };
    if is_plain {
        return steps;
    }
    let (of, by) = (number_text::integer(&of)?, number_text::integer(&by)?);
    if of.len().max(by.len()) > MOST_DIGITS {
        return None;
    }
    let (of, by) = (operand(&of), operand(&by));
    Some(signed(
        &of,
        &by,
        alike,
        value.is_negative(),
        steps.as_deref(),
    ))
}

/// In a question's notation: in brackets if it is a power of ten.
fn operand(text: &str) -> String {
    let written = powers::written(text);
    if powers::is_written(text) {
        format!("({written})")
    } else {
        written
    }
}

/// An operation on absolute values, with the sign of its value in front, and its steps.
pub(super) fn signed(
    of: &str,
    by: &str,
    plus: bool,
    is_negative: bool,
    steps: Option<&str>,
) -> String {
    let plain = format!("{of}{}{by}", if plus { '+' } else { '-' });
    let signed = if is_negative {
        format!("-({plain})")
    } else {
        plain
    };
    match steps {
        Some(steps) => format!("{signed}={steps}"),
        None => signed,
    }
}

/// Above and below the power of ten in the larger number's notation: `1+1=2,150+600=057`.
fn at_power(of: &BigInt, by: &BigInt, plus: bool) -> Option<String> {
    let text = digits(of.max(by))?;
    let unit = BigInt::from(10).pow(u32::try_from(powers::exponent(&text)?).ok()?);
    let ((high, low), (other_high, other_low)) = (parts(of, &unit), parts(by, &unit));
    let line = |a: &BigInt, b: &BigInt| {
        let b = if plus { b.clone() } else { -b };
        let (value, alike) = (a + &b, a.is_negative() == b.is_negative());
        let (a, b) = (a.abs(), b.abs());
        let (a, b) = if !alike && a < b { (b, a) } else { (a, b) };
        let steps = backwards(&value.abs().to_string());
        signed(
            &a.to_string(),
            &b.to_string(),
            alike,
            value.is_negative(),
            Some(&steps),
        )
    };
    let mut lines = Vec::new();
    if !other_high.is_zero() {
        lines.push(line(&high, &other_high));
    }
    if !low.is_zero() && !other_low.is_zero() {
        lines.push(line(&low, &other_low));
    }
    (!lines.is_empty()).then(|| lines.join(","))
}

/// The multiple of a power of ten nearest to a non-negative number, and the remainder added to it.
pub(super) fn parts(number: &BigInt, unit: &BigInt) -> (BigInt, BigInt) {
    let times = (number + unit / 2) / unit;
    let rest = number - &times * unit;
    (times, rest)
}
