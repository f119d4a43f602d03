//! Integers with many zeros in a row: `10**9+7` for 1000000007, so that a network need not count them.

use num_bigint::BigInt;
use ruff_python_ast::Operator;

/// Fewest zeros in a row that become a power of ten.
const LEAST_ZEROS: usize = 6;
/// Largest exponent that is read.
const MOST_EXPONENT: u32 = 5_000;

/// An integer's decimal text, with its longest run of zeros as a power of ten: `-2*10**11-250`.
pub(super) fn written(text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    let Some((from, to)) = zeros(digits) else {
        return text.to_string();
    };
    let (before, after) = (&digits[..from], digits[to..].trim_start_matches('0'));
    let times = if before == "1" {
        String::new()
    } else {
        format!("{before}*")
    };
    let rest = match (after, sign) {
        ("", _) => String::new(),
        (after, "-") => format!("-{after}"),
        (after, _) => format!("+{after}"),
    };
    format!("{sign}{times}10**{}{rest}", digits.len() - from)
}

/// Whether an integer's decimal text becomes one with a power of ten.
pub(super) fn is_written(text: &str) -> bool {
    zeros(text.trim_start_matches('-')).is_some()
}

/// The exponent of the power of ten that an integer's digits are written with.
pub(super) fn exponent(digits: &str) -> Option<usize> {
    zeros(digits).map(|(from, _)| digits.len() - from)
}

/// Start and end of the longest run of zeros, if it is long enough.
fn zeros(digits: &str) -> Option<(usize, usize)> {
    let mut longest = (0, 0);
    let mut from = 0;
    for (at, digit) in digits.bytes().enumerate() {
        if digit != b'0' {
            from = at + 1;
        } else if at + 1 - from > longest.1 - longest.0 {
            longest = (from, at + 1);
        }
    }
    (longest.0 > 0 && longest.1 - longest.0 >= LEAST_ZEROS).then_some(longest)
}

/// The value of `a op b` in such a text.
pub(super) fn value(a: &BigInt, op: Operator, b: &BigInt) -> Option<BigInt> {
    match op {
        Operator::Add => Some(a + b),
        Operator::Sub => Some(a - b),
        Operator::Mult => Some(a * b),
        Operator::Pow if *a == BigInt::from(10) => {
            let exponent = u32::try_from(b).ok().filter(|e| *e <= MOST_EXPONENT)?;
            Some(BigInt::from(10).pow(exponent))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_become_a_power() {
        for (text, expected) in [
            ("1000000007", "10**9+7"),
            ("998244353", "998244353"),
            ("200000000250", "2*10**11+250"),
            ("-1000000000000100", "-10**15-100"),
            ("100000", "100000"),
            ("1000000", "10**6"),
            ("-12300000000", "-123*10**8"),
            ("10000000100000000", "100000001*10**8"),
            ("0", "0"),
        ] {
            assert_eq!(written(text), expected);
        }
    }
}
