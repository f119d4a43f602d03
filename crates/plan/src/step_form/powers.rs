//! Integers with many zeros or nines in a row: `10**9+7` for 1000000007, `10**9-7` for 999999993, so that a network need
//! not count them.

use num_bigint::BigInt;
use ruff_python_ast::Operator;

/// Fewest zeros or nines in a row that become a power of ten.
const LEAST_ALIKE: usize = 6;
/// Maximum exponent.
const MOST_EXPONENT: u32 = 5_000;

/// An integer's decimal text, with its longest run of zeros or nines as a power of ten: `-2*10**11-250`.
pub(super) fn written(text: &str) -> String {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let Some((run, times)) = run(digits).and_then(|run| Some((run, run.multiple(digits)?))) else {
        return text.to_string();
    };
    let (sign, rest_sign) = match (is_negative, run.is_nines) {
        (false, false) => ("", '+'),
        (false, true) => ("", '-'),
        (true, false) => ("-", '-'),
        (true, true) => ("-", '+'),
    };
    let times = match times.as_str() {
        "1" => String::new(),
        times => format!("{times}*"),
    };
    let rest = match run.rest(digits) {
        Some(rest) => format!("{rest_sign}{rest}"),
        None => String::new(),
    };
    format!("{sign}{times}10**{}{rest}", digits.len() - run.from)
}

/// Whether an integer's decimal text contains a power of ten.
pub(super) fn is_written(text: &str) -> bool {
    run(text.trim_start_matches('-')).is_some()
}

/// The exponent of the power of ten that an integer's digits are written with.
pub(super) fn exponent(digits: &str) -> Option<usize> {
    run(digits).map(|run| digits.len() - run.from)
}

/// Equal digits in a row.
#[derive(Clone, Copy)]
struct Run {
    from: usize,
    to: usize,
    /// Nines instead of zeros.
    is_nines: bool,
}

impl Run {
    fn len(self) -> usize {
        self.to - self.from
    }

    /// Multiplier of the power of ten.
    fn multiple(self, digits: &str) -> Option<String> {
        let before = &digits[..self.from];
        if !self.is_nines {
            return Some(before.to_string());
        }
        let before: BigInt = if before.is_empty() {
            BigInt::ZERO
        } else {
            before.parse().ok()?
        };
        Some((before + 1_u32).to_string())
    }

    /// The part added to it, or subtracted after nines.
    fn rest(self, digits: &str) -> Option<String> {
        let after = &digits[self.to..];
        if !self.is_nines {
            let after = after.trim_start_matches('0');
            return (!after.is_empty()).then(|| after.to_string());
        }
        let below = BigInt::from(10).pow(u32::try_from(after.len()).ok()?);
        let after: BigInt = if after.is_empty() {
            BigInt::ZERO
        } else {
            after.parse().ok()?
        };
        Some((below - after).to_string())
    }
}

/// The longest run of zeros or of nines, if it is long enough.
fn run(digits: &str) -> Option<Run> {
    let mut longest: Option<Run> = None;
    let mut from = 0;
    let bytes = digits.as_bytes();
    for at in 0..bytes.len() {
        if at > 0 && bytes[at] != bytes[at - 1] {
            from = at;
        }
        let run = Run {
            from,
            to: at + 1,
            is_nines: bytes[at] == b'9',
        };
        if matches!(bytes[at], b'0' | b'9')
            && longest.is_none_or(|longest| run.len() > longest.len())
        {
            longest = Some(run);
        }
    }
    longest.filter(|run| run.len() >= LEAST_ALIKE)
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
    fn zeros_and_nines_become_a_power() {
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
            ("999999", "10**6-1"),
            ("99999", "99999"),
            ("-999999999999101", "-10**15+899"),
            ("1999999999999997000", "2*10**18-3000"),
            ("1000000999999", "10**12+999999"),
            ("10000009999999", "1000001*10**7-1"),
        ] {
            assert_eq!(written(text), expected);
        }
    }
}
