//! Arithmetic of floats where Python differs from the hardware: floor division, signs of zero,
//! errors.

use super::Folded;
use super::complex;
use crate::compile::floats;
use crate::value::Value;

fn float(value: f64) -> Folded {
    Folded::Value(Value::Float(value))
}

pub(super) fn true_divide(a: f64, b: f64) -> Folded {
    if b == 0.0 {
        return Folded::zero_division("float division by zero");
    }
    float(a / b)
}

pub(super) fn floor_divide(a: f64, b: f64) -> Folded {
    if b == 0.0 {
        return Folded::zero_division("float floor division by zero");
    }
    let rest = a % b;
    let mut quotient = (a - rest) / b;
    if rest != 0.0 && (b < 0.0) != (rest < 0.0) {
        quotient -= 1.0;
    }
    if quotient == 0.0 {
        return float(0.0_f64.copysign(a / b));
    }
    let mut floor = quotient.floor();
    if quotient - floor > 0.5 {
        floor += 1.0;
    }
    float(floor)
}

pub(super) fn remainder(a: f64, b: f64) -> Folded {
    if b == 0.0 {
        return Folded::zero_division("float modulo");
    }
    let mut rest = a % b;
    if rest == 0.0 {
        rest = 0.0_f64.copysign(b);
    } else if (b < 0.0) != (rest < 0.0) {
        rest += b;
    }
    float(rest)
}

/// `a ** b`, with the special cases in CPython's order.
pub(super) fn power(a: f64, b: f64) -> Folded {
    let odd = (b.abs() % 2.0) == 1.0;
    if b == 0.0 {
        return float(1.0);
    }
    if a.is_nan() {
        return float(a);
    }
    if b.is_nan() {
        return float(if a == 1.0 { 1.0 } else { b });
    }
    if b.is_infinite() {
        let size = a.abs();
        return float(if size == 1.0 {
            1.0
        } else if (b > 0.0) == (size > 1.0) {
            b.abs()
        } else {
            0.0
        });
    }
    if a.is_infinite() {
        return float(match (b > 0.0, odd) {
            (true, true) => a,
            (true, false) => a.abs(),
            (false, true) => 0.0_f64.copysign(a),
            (false, false) => 0.0,
        });
    }
    if a == 0.0 {
        if b < 0.0 {
            return Folded::zero_division("0.0 cannot be raised to a negative power");
        }
        return float(if odd { a } else { 0.0 });
    }
    if a < 0.0 && b != b.floor() {
        return complex::power((a, 0.0), (b, 0.0));
    }
    let negative = a < 0.0 && odd;
    let size = a.abs();
    let result = if size == 1.0 {
        1.0
    } else {
        floats::power(size, b)
    };
    if result.is_infinite() {
        return Folded::overflow("(34, 'Numerical result out of range')");
    }
    float(if negative { -result } else { result })
}
