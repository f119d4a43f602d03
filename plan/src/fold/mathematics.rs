//! Functions of `math` with floats, conversions between numbers and rounding: what compilers fold of them.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{FromPrimitive as _, ToPrimitive as _};

use super::Folded;
use super::integer::Integer;
use crate::value::Value;

fn float(value: f64) -> Folded {
    Folded::Value(Value::Float(value))
}

fn domain() -> Folded {
    Folded::Raise("ValueError", "math domain error".to_owned())
}

fn range() -> Folded {
    Folded::overflow("math range error")
}

/// The float that a number is for these functions.
fn real(value: &Value) -> Option<f64> {
    match value {
        Value::Float(value) => Some(*value),
        other => Integer::of(other)?.to_f64(),
    }
}

/// An integer out of a float without a fraction.
fn whole(value: f64) -> Folded {
    if value.is_nan() {
        return Folded::Raise(
            "ValueError",
            "cannot convert float NaN to integer".to_owned(),
        );
    }
    match (value.is_infinite(), BigInt::from_f64(value)) {
        (false, Some(big)) => Folded::Value(match big.to_i64() {
            Some(small) => Value::Int(small),
            None => Value::BigInt(big.into()),
        }),
        _ => Folded::overflow("cannot convert float infinity to integer"),
    }
}

/// `int(value)` of a number.
pub fn int(value: &Value) -> Folded {
    match value {
        Value::Float(value) => whole(value.trunc()),
        other => Integer::of(other).map_or(Folded::Unknown, |value| Folded::Value(value.value())),
    }
}

/// `float(value)` of a number.
pub fn float_of(value: &Value) -> Folded {
    match value {
        Value::Float(value) => float(*value),
        other => match Integer::of(other).map(|value| value.to_f64()) {
            Some(Some(value)) => float(value),
            Some(None) => Folded::overflow("int too large to convert to float"),
            None => Folded::Unknown,
        },
    }
}

/// `round(value)` and `round(value, digits)` of a number.
pub fn round(value: &Value, digits: Option<&Value>) -> Folded {
    let digits = match digits {
        None | Some(Value::None) => None,
        Some(Value::Int(digits @ 0..=300)) => Some(*digits),
        Some(Value::Int(digits @ -17..=-1)) => return round_before_point(value, *digits),
        _ => return Folded::Unknown,
    };
    match (value, digits) {
        (Value::Float(value), None) => whole(value.round_ties_even()),
        (Value::Float(value), Some(digits)) if value.is_finite() => {
            // Both round the exact value of the float, to even where it lies between two.
            let digits = usize::try_from(digits).unwrap_or_default();
            format!("{value:.digits$}")
                .parse()
                .map_or(Folded::Unknown, float)
        }
        (Value::Float(value), Some(_)) => float(*value),
        (other, _) => int(other),
    }
}

/// `round(1250, -2)`: to tens, hundreds and so on, halves to the even one.
fn round_before_point(value: &Value, digits: i64) -> Folded {
    let unit = 10_i128.pow(digits.unsigned_abs() as u32);
    let (number, fraction) = match value {
        Value::Int(number) => (i128::from(*number), 0.0),
        Value::Float(x) if x.abs() < 1e18 => (x.floor() as i128, x - x.floor()),
        _ => return Folded::Unknown,
    };
    let (times, rest) = (number.div_euclid(unit), number.rem_euclid(unit));
    let is_up = match (rest * 2).cmp(&unit) {
        Ordering::Less => false,
        Ordering::Greater => true,
        Ordering::Equal => fraction > 0.0 || times % 2 != 0,
    };
    let rounded = (times + i128::from(is_up)) * unit;
    match value {
        Value::Float(x) => float((rounded as f64).abs().copysign(*x)),
        _ => i64::try_from(rounded).map_or(Folded::Unknown, |n| Folded::Value(Value::Int(n))),
    }
}

/// A function of `math` by its name; unknown where it has to be asked.
pub fn call(name: &str, arguments: &[Value]) -> Folded {
    if let ("floor" | "ceil" | "trunc", [value]) = (name, arguments) {
        return match value {
            Value::Float(x) if name == "floor" => whole(x.floor()),
            Value::Float(x) if name == "ceil" => whole(x.ceil()),
            other => int(other),
        };
    }
    let Some(numbers) = arguments.iter().map(real).collect::<Option<Vec<f64>>>() else {
        return Folded::Unknown;
    };
    if let ("isclose", [x, y]) = (name, &numbers[..]) {
        return Folded::bool(
            x == y
                || x.is_finite() && y.is_finite() && (x - y).abs() <= 1e-9 * x.abs().max(y.abs()),
        );
    }
    match (name, arguments) {
        ("ldexp", [_, Value::Int(exponent)]) => return scaled(numbers[0], *exponent),
        ("ldexp", _) => return Folded::Unknown,
        _ => {}
    }
    match numbers[..] {
        [x] => of_one(name, x),
        [x, y] => of_two(name, x, y),
        _ if name == "hypot" && numbers.iter().all(|x| usual(*x)) => float(hypotenuse(&numbers)),
        _ => Folded::Unknown,
    }
}

/// The two values of `math.frexp` and `math.modf`.
pub fn pair(name: &str, value: &Value) -> Option<[Value; 2]> {
    let x = real(value)?;
    match name {
        "modf" if x.is_infinite() => Some([Value::Float(0.0_f64.copysign(x)), Value::Float(x)]),
        "modf" => {
            let fraction = (x - x.trunc()).copysign(x);
            Some([Value::Float(fraction), Value::Float(x.trunc())])
        }
        "frexp" => {
            let (mantissa, exponent) = libm::frexp(x);
            let exponent = if x.is_finite() { exponent } else { 0 };
            Some([Value::Float(mantissa), Value::Int(i64::from(exponent))])
        }
        _ => None,
    }
}

/// `math.dist` of two points.
pub fn distance(p: &[Value], q: &[Value]) -> Folded {
    if p.len() != q.len() {
        return Folded::Raise(
            "ValueError",
            "both points must have the same number of dimensions".to_owned(),
        );
    }
    let apart = p.iter().zip(q).map(|(p, q)| Some(real(p)? - real(q)?));
    match apart.collect::<Option<Vec<f64>>>() {
        Some(apart) if apart.iter().all(|x| usual(*x)) => float(hypotenuse(&apart)),
        _ => Folded::Unknown,
    }
}

/// `math.ldexp`
fn scaled(x: f64, exponent: i64) -> Folded {
    let exponent = exponent.clamp(-5_000, 5_000);
    match libm::scalbn(x, i32::try_from(exponent).unwrap_or_default()) {
        value if value.is_infinite() && x.is_finite() => range(),
        value => float(value),
    }
}

/// `math.gamma` of the integers for which it is exact.
fn gamma(x: f64) -> Folded {
    match x {
        1.0..=23.0 if x.fract() == 0.0 => {
            let factors = 2..x as u64;
            float(factors.fold(1.0, |product, factor| product * factor as f64))
        }
        _ if x.fract() == 0.0 && x <= 0.0 => domain(),
        _ => Folded::Unknown,
    }
}

fn of_one(name: &str, x: f64) -> Folded {
    let domain_if = |wrong: bool, result: f64| if wrong { domain() } else { float(result) };
    match name {
        "sqrt" => domain_if(x < 0.0, x.sqrt()),
        "fabs" => float(x.abs()),
        "log" => domain_if(x <= 0.0, x.ln()),
        "log2" => domain_if(x <= 0.0, x.log2()),
        "log10" => domain_if(x <= 0.0, x.log10()),
        "exp" if x.is_finite() && x.exp().is_infinite() => range(),
        "exp" => float(x.exp()),
        "sin" => domain_if(x.is_infinite(), x.sin()),
        "cos" => domain_if(x.is_infinite(), x.cos()),
        "tan" => domain_if(x.is_infinite(), x.tan()),
        "asin" => domain_if(x.abs() > 1.0, x.asin()),
        "acos" => domain_if(x.abs() > 1.0, x.acos()),
        "atan" => float(x.atan()),
        "degrees" => float(x * (180.0 / std::f64::consts::PI)),
        "radians" => float(x * (std::f64::consts::PI / 180.0)),
        "isnan" => Folded::bool(x.is_nan()),
        "isinf" => Folded::bool(x.is_infinite()),
        "isfinite" => Folded::bool(x.is_finite()),
        "hypot" => float(x.abs()),
        "exp2" if x.is_finite() && x.exp2().is_infinite() => range(),
        "exp2" => float(x.exp2()),
        "expm1" if x.is_finite() && x.exp_m1().is_infinite() => range(),
        "expm1" => float(x.exp_m1()),
        "log1p" => domain_if(x <= -1.0, x.ln_1p()),
        "sinh" if x.is_finite() && x.sinh().is_infinite() => range(),
        "sinh" => float(x.sinh()),
        "cosh" if x.is_finite() && x.cosh().is_infinite() => range(),
        "cosh" => float(x.cosh()),
        "tanh" => float(x.tanh()),
        "gamma" => gamma(x),
        "ulp" if x.is_finite() => float(x.abs().next_up() - x.abs()),
        _ => Folded::Unknown,
    }
}

fn of_two(name: &str, x: f64, y: f64) -> Folded {
    match name {
        "atan2" => float(x.atan2(y)),
        "copysign" => float(x.copysign(y)),
        "hypot" if usual(x) && usual(y) => float(hypotenuse(&[x, y])),
        "nextafter" => float(libm::nextafter(x, y)),
        "remainder" if x.is_infinite() || y == 0.0 => domain(),
        "remainder" => float(libm::remainder(x, y)),
        "fmod" if x.is_finite() && y != 0.0 => float(x % y),
        "log" if x > 0.0 && y > 0.0 && y != 1.0 => float(x.ln() / y.ln()),
        "pow" if x.is_finite() && y.is_finite() => match x.powf(y) {
            _ if x == 0.0 && y < 0.0 => domain(),
            result if result.is_nan() => domain(),
            result if result.is_infinite() => range(),
            result => float(result),
        },
        _ => Folded::Unknown,
    }
}

/// Neither too large nor too small for its square.
fn usual(x: f64) -> bool {
    x.is_finite() && (x == 0.0 || (1e-100..1e100).contains(&x.abs()))
}

/// The square root of a sum of squares, rounded once as far as a correction by the remainder goes.
fn hypotenuse(values: &[f64]) -> f64 {
    let (mut sum, mut rest) = (0.0_f64, 0.0_f64);
    for x in values {
        let square = x * x;
        let (large, small) = if sum >= square {
            (sum, square)
        } else {
            (square, sum)
        };
        sum = large + small;
        rest += (large - sum) + small + x.mul_add(*x, -square);
    }
    let root = sum.sqrt();
    if root == 0.0 {
        return root;
    }
    root + (rest - root.mul_add(root, -sum)) / (2.0 * root)
}
