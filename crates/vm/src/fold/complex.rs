//! Arithmetic of complex numbers, in the same steps as CPython.

use super::Folded;
use crate::compile::floats;
use crate::value::Value;

pub(super) type Complex = (f64, f64);

fn value(number: Complex) -> Folded {
    Folded::Value(Value::Complex(number.0, number.1))
}

pub(super) fn add(a: Complex, b: Complex) -> Folded {
    value((a.0 + b.0, a.1 + b.1))
}

pub(super) fn subtract(a: Complex, b: Complex) -> Folded {
    value((a.0 - b.0, a.1 - b.1))
}

pub(super) fn multiply(a: Complex, b: Complex) -> Folded {
    value(product(a, b))
}

pub(super) fn true_divide(a: Complex, b: Complex) -> Folded {
    quotient(a, b).map_or_else(|| Folded::zero_division("complex division by zero"), value)
}

fn product(a: Complex, b: Complex) -> Complex {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// `a / b`. `None` if the divisor is zero.
fn quotient(a: Complex, b: Complex) -> Option<Complex> {
    let (real, imag) = (b.0.abs(), b.1.abs());
    if real >= imag {
        if real == 0.0 {
            return None;
        }
        let ratio = b.1 / b.0;
        let denominator = b.0 + b.1 * ratio;
        Some((
            (a.0 + a.1 * ratio) / denominator,
            (a.1 - a.0 * ratio) / denominator,
        ))
    } else if imag >= real {
        let ratio = b.0 / b.1;
        let denominator = b.0 * ratio + b.1;
        Some((
            (a.0 * ratio + a.1) / denominator,
            (a.1 * ratio - a.0) / denominator,
        ))
    } else {
        Some((f64::NAN, f64::NAN))
    }
}

pub(super) fn power(a: Complex, b: Complex) -> Folded {
    let whole = b.1 == 0.0 && b.0 == b.0.floor() && b.0.abs() <= 100.0;
    let result = if whole {
        #[allow(clippy::cast_possible_truncation)] // At most 100.
        whole_power(a, b.0 as i64)
    } else {
        general_power(a, b)
    };
    match result {
        None => Folded::zero_division("0.0 to a negative or complex power"),
        Some((real, imag)) if real.is_infinite() || imag.is_infinite() => {
            Folded::overflow("complex exponentiation")
        }
        Some(result) => value(result),
    }
}

fn whole_power(a: Complex, exponent: i64) -> Option<Complex> {
    let count = exponent.unsigned_abs();
    let (mut result, mut square, mut mask) = ((1.0, 0.0), a, 1);
    while count >= mask {
        if count & mask != 0 {
            result = product(result, square);
        }
        mask <<= 1;
        square = product(square, square);
    }
    if exponent > 0 {
        Some(result)
    } else {
        quotient((1.0, 0.0), result)
    }
}

fn general_power(a: Complex, b: Complex) -> Option<Complex> {
    if a == (0.0, 0.0) {
        return (b.1 == 0.0 && b.0 >= 0.0).then_some((0.0, 0.0));
    }
    let size = a.0.hypot(a.1);
    let mut length = floats::power(size, b.0);
    let angle = floats::angle(a.1, a.0);
    let mut phase = angle * b.0;
    if b.1 != 0.0 {
        length /= floats::exp(angle * b.1);
        phase += b.1 * floats::ln(size);
    }
    // The sine of infinity sets the same `errno` as a power of zero.
    (!phase.is_infinite()).then(|| (length * floats::cos(phase), length * floats::sin(phase)))
}
