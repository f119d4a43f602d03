//! Functions of `math` on floats, conversions between numbers, and rounding, as far as compilers
//! fold them.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{FromPrimitive as _, Signed as _, ToPrimitive as _};
use pymath::math;

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

/// Converts a number to a float for these functions. `None` if it is not a number, an exception if
/// it is too large.
fn real(value: &Value) -> Result<Option<f64>, Folded> {
    match value {
        Value::Float(value) => Ok(Some(*value)),
        other => match Integer::of(other).map(|number| number.to_f64()) {
            None => Ok(None),
            Some(Some(number)) => Ok(Some(number)),
            Some(None) => Err(Folded::overflow("int too large to convert to float")),
        },
    }
}

/// Whether a value is an integer or a float.
pub fn is_real(value: &Value) -> bool {
    !matches!(real(value), Ok(None))
}

/// Converts a float without a fraction to an integer.
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

/// Maximum digits of a float after the point, and before it.
const MOST_PLACES: (i64, i64) = (323, 308);

/// `round(value)` and `round(value, digits)` of a number.
pub fn round(value: &Value, digits: Option<&Value>) -> Folded {
    let digits = match digits.map(|digits| (digits, Integer::of(digits))) {
        None | Some((Value::None, _)) => None,
        Some((_, Some(Integer::Small(digits)))) => Some(digits),
        Some((_, Some(big))) if big.is_negative() => Some(i64::MIN),
        Some((_, Some(_))) => Some(i64::MAX),
        Some((_, None)) => return Folded::Unknown,
    };
    match (value, digits) {
        (Value::Float(value), None) => whole(value.round_ties_even()),
        (Value::Float(value), Some(digits)) if value.is_finite() => match digits {
            digits if digits > MOST_PLACES.0 => float(*value),
            digits if digits < -MOST_PLACES.1 => float(0.0 * value),
            // Both round the exact value of the float, ties to even.
            0.. => {
                let digits = usize::try_from(digits).unwrap_or_default();
                rounded_float(&format!("{value:.digits$}"))
            }
            _ => {
                let Some(whole) = BigInt::from_f64(value.abs().floor()) else {
                    return Folded::Unknown;
                };
                let rounded = before_point(&whole, value.fract() != 0.0, digits.unsigned_abs());
                let sign = if value.is_sign_negative() { "-" } else { "" };
                rounded_float(&format!("{sign}{rounded}"))
            }
        },
        (Value::Float(value), Some(_)) => float(*value),
        (other, Some(digits @ ..0)) => match Integer::of(other).map(|number| number.big()) {
            Some(number) => Folded::Value(Value::int(before_point(
                &number,
                false,
                digits.unsigned_abs(),
            ))),
            None => Folded::Unknown,
        },
        (other, _) => int(other),
    }
}

fn rounded_float(digits: &str) -> Folded {
    match digits.parse::<f64>() {
        Ok(value) if value.is_finite() => float(value),
        Ok(_) => Folded::overflow("rounded value too large to represent"),
        Err(_) => Folded::Unknown,
    }
}

/// Rounds a number to tens, hundreds and so on, ties to even. `more`: it is slightly larger than
/// the integer.
fn before_point(number: &BigInt, more: bool, places: u64) -> BigInt {
    // With more places it is closer to zero than to a unit.
    let digits = number.bits() * 302 / 1000 + 2;
    let Some(places) = u32::try_from(places)
        .ok()
        .filter(|places| u64::from(*places) <= digits)
    else {
        return BigInt::from(0);
    };
    let unit = BigInt::from(10).pow(places);
    let mut times = number / &unit;
    let mut rest = number - &times * &unit;
    if rest.is_negative() {
        times -= 1;
        rest += &unit;
    }
    let twice: BigInt = rest * 2;
    let is_up = match twice.cmp(&unit) {
        Ordering::Less => false,
        Ordering::Greater => true,
        Ordering::Equal => more || times.bit(0),
    };
    (times + u8::from(is_up)) * unit
}

/// Folds a function of `math` by its name. Unknown if it must be asked.
pub fn call(name: &str, arguments: &[Value]) -> Folded {
    if let ("floor" | "ceil" | "trunc", [value]) = (name, arguments) {
        return match value {
            Value::Float(x) if name == "floor" => whole(x.floor()),
            Value::Float(x) if name == "ceil" => whole(x.ceil()),
            other => int(other),
        };
    }
    if let ("log" | "log2" | "log10", [value, base @ ..]) = (name, arguments)
        && let Some(folded) = logarithm(name, value, base)
    {
        return folded;
    }
    if let ("ldexp", [x, exponent]) = (name, arguments) {
        return match (real(x), Integer::of(exponent)) {
            (Ok(Some(x)), Some(exponent)) => scaled(x, &exponent),
            (Err(folded), Some(_)) => folded,
            _ => Folded::Unknown,
        };
    }
    let numbers = match arguments
        .iter()
        .map(real)
        .collect::<Result<Option<Vec<f64>>, _>>()
    {
        Ok(Some(numbers)) => numbers,
        Ok(None) => return Folded::Unknown,
        Err(folded) => return folded,
    };
    match (name, &numbers[..]) {
        ("hypot", numbers) => float(math::hypot(numbers)),
        (_, [x]) => of_one(name, *x),
        (_, [x, y]) => of_two(name, *x, *y),
        _ => Folded::Unknown,
    }
}

/// Returns the two values of `math.frexp` and `math.modf`.
pub fn pair(name: &str, value: &Value) -> Option<[Value; 2]> {
    let x = real(value).ok()??;
    match name {
        "modf" => {
            let (fraction, whole) = math::modf(x);
            Some([Value::Float(fraction), Value::Float(whole)])
        }
        "frexp" => {
            let (mantissa, exponent) = math::frexp(x);
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
    let numbers = |point: &[Value]| {
        point
            .iter()
            .map(real)
            .collect::<Result<Option<Vec<f64>>, _>>()
    };
    match (numbers(p), numbers(q)) {
        (Ok(Some(p)), Ok(Some(q))) => float(math::dist(&p, &q)),
        (Err(folded), _) | (_, Err(folded)) => folded,
        _ => Folded::Unknown,
    }
}

/// `math.fsum` of items.
pub fn exact_sum(items: &[Value]) -> Folded {
    let numbers = match items
        .iter()
        .map(real)
        .collect::<Result<Option<Vec<f64>>, _>>()
    {
        Ok(Some(numbers)) => numbers,
        Ok(None) => return Folded::Unknown,
        Err(folded) => return folded,
    };
    match math::fsum(numbers) {
        Ok(sum) => float(sum),
        Err(pymath::Error::EDOM) => Folded::Raise("ValueError", "-inf + inf in fsum".to_owned()),
        Err(pymath::Error::ERANGE) => Folded::overflow("intermediate overflow in fsum"),
    }
}

/// `math.isclose(x, y, rel_tol=…, abs_tol=…)`
pub fn is_close(
    x: &Value,
    y: &Value,
    relative: Option<&Value>,
    absolute: Option<&Value>,
) -> Folded {
    let all = [Some(x), Some(y), relative, absolute];
    let mut numbers = [None; 4];
    for (number, value) in numbers.iter_mut().zip(all) {
        *number = match value.map(real) {
            None => None,
            Some(Ok(Some(number))) => Some(number),
            Some(Ok(None)) => return Folded::Unknown,
            Some(Err(folded)) => return folded,
        };
    }
    let [Some(x), Some(y), relative, absolute] = numbers else {
        return Folded::Unknown;
    };
    match math::isclose(x, y, relative, absolute) {
        Ok(is) => Folded::bool(is),
        Err(_) => Folded::Raise("ValueError", "tolerances must be non-negative".to_owned()),
    }
}

/// `math.ldexp`
fn scaled(x: f64, exponent: &Integer) -> Folded {
    let far = if exponent.is_negative() {
        i32::MIN
    } else {
        i32::MAX
    };
    let exponent = match exponent {
        Integer::Small(exponent) => i32::try_from(*exponent).ok(),
        Integer::Big(_) => None,
    };
    settled(math::ldexp(x, exponent.unwrap_or(far)))
}

/// `math.log` and its variants, of an integer beyond the range of floats or with a base. `None` for
/// other arguments.
fn logarithm(name: &str, value: &Value, base: &[Value]) -> Option<Folded> {
    let of = |value: &Value| match (value, Integer::of(value)) {
        (_, Some(Integer::Big(number)))
            if number.is_positive() && Integer::Big(number.clone()).to_f64().is_none() =>
        {
            let (mantissa, exponent) = parts(&number);
            Some(log_of(name, mantissa)? + log_of(name, 2.0)? * exponent)
        }
        (Value::Float(x), _) => log_of(name, *x),
        (_, Some(number)) => log_of(name, number.to_f64().unwrap_or(-1.0)),
        _ => None,
    };
    let is_number =
        |value: &Value| matches!(value, Value::Float(_)) || Integer::of(value).is_some();
    match base {
        [] if matches!(Integer::of(value), Some(Integer::Big(_))) => {
            Some(of(value).map_or_else(domain, float))
        }
        [base] if name == "log" && is_number(value) && is_number(base) => {
            let Some(top) = of(value) else {
                return Some(domain());
            };
            Some(match of(base) {
                None => domain(),
                Some(0.0) => Folded::zero_division("float division by zero"),
                Some(bottom) => float(top / bottom),
            })
        }
        _ => None,
    }
}

fn log_of(name: &str, x: f64) -> Option<f64> {
    #[cfg(target_family = "wasm")]
    if let Some(result) = super::floats::of_one(name, x) {
        return result.ok();
    }
    let result = match name {
        "log" => math::log(x, None),
        "log2" => math::log2(x),
        _ => math::log10(x),
    };
    result.ok()
}

/// Returns a positive integer as a number from a half to one, and the power of two by which to
/// multiply it.
fn parts(number: &BigInt) -> (f64, f64) {
    let bits = number.bits();
    let drop = bits.saturating_sub(64);
    let high = number >> drop;
    // A dropped bit may decide between two floats.
    let is_rounded = number.trailing_zeros().is_some_and(|zeros| zeros < drop);
    let high = high.to_u64().unwrap_or_default() | u64::from(is_rounded);
    #[allow(clippy::cast_precision_loss)] // Rounding is intended.
    match (high as f64 / 2_f64.powi(64), (drop + 64) as f64) {
        (1.0, exponent) => (0.5, exponent + 1.0),
        parts => parts,
    }
}

fn settled(result: pymath::Result<f64>) -> Folded {
    match result {
        Ok(value) => float(value),
        Err(pymath::Error::EDOM) => domain(),
        Err(pymath::Error::ERANGE) => range(),
    }
}

fn of_one(name: &str, x: f64) -> Folded {
    #[cfg(target_family = "wasm")]
    if let Some(result) = super::floats::of_one(name, x) {
        return settled(result);
    }
    let function: fn(f64) -> pymath::Result<f64> = match name {
        "isnan" => return Folded::bool(x.is_nan()),
        "isinf" => return Folded::bool(x.is_infinite()),
        "isfinite" => return Folded::bool(x.is_finite()),
        "degrees" => return float(math::degrees(x)),
        "radians" => return float(math::radians(x)),
        "ulp" => return float(math::ulp(x)),
        "log" => return settled(math::log(x, None)),
        "acos" => math::acos,
        "acosh" => math::acosh,
        "asin" => math::asin,
        "asinh" => math::asinh,
        "atan" => math::atan,
        "atanh" => math::atanh,
        "cbrt" => return float(cube_root(x)),
        "cos" => math::cos,
        "cosh" => math::cosh,
        "erf" => math::erf,
        "erfc" => math::erfc,
        "exp" => math::exp,
        "exp2" => math::exp2,
        "expm1" => math::expm1,
        "fabs" => math::fabs,
        // From 24 on, `pymath` and CPython compute it alike. CPython's table also contains 23.
        "gamma" if x == 23.0 => return float(1_124_000_727_777_607_680_000.0),
        "gamma" => math::gamma,
        "lgamma" => math::lgamma,
        "log10" => math::log10,
        "log1p" => math::log1p,
        "log2" => math::log2,
        "sin" => math::sin,
        "sinh" => math::sinh,
        "sqrt" => math::sqrt,
        "tan" => math::tan,
        "tanh" => math::tanh,
        _ => return Folded::Unknown,
    };
    settled(function(x))
}

/// Returns the cube root as glibc up to 2.40 computes it, which is not always the nearest float.
/// (Rust's own is, and hides the system's function.)
fn cube_root(x: f64) -> f64 {
    const FACTORS: [f64; 5] = [
        1.0 / 1.587_401_051_968_199_5,
        1.0 / 1.259_921_049_894_873_2,
        1.0,
        1.259_921_049_894_873_2,
        1.587_401_051_968_199_5,
    ];
    const POLYNOMIAL: [f64; 7] = [
        0.354_895_765_043_919_86,
        1.508_191_937_815_849,
        2.114_994_941_673_713,
        2.446_931_225_635_344_3,
        1.834_692_774_836_130_9,
        0.784_932_344_976_639_2,
        0.145_263_899_385_486_37,
    ];
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let (mantissa, exponent) = math::frexp(x.abs());
    // a - (b - (c - …) * m) * m, with the first two added.
    let inner = POLYNOMIAL[2..].iter().rev().copied();
    let inner = inner.reduce(|inner, factor| factor - inner * mantissa);
    let start = POLYNOMIAL[0] + (POLYNOMIAL[1] - inner.unwrap_or(0.0) * mantissa) * mantissa;
    let cube = start * start * start;
    let root = start * (cube + 2.0 * mantissa) / (2.0 * cube + mantissa);
    let factor = FACTORS[usize::try_from(2 + exponent % 3).unwrap_or(2)];
    let root = math::ldexp(root * factor, exponent / 3).unwrap_or(0.0);
    root.copysign(x)
}

fn of_two(name: &str, x: f64, y: f64) -> Folded {
    #[cfg(target_family = "wasm")]
    if let Some(result) = super::floats::of_two(name, x, y) {
        return settled(result);
    }
    let function: fn(f64, f64) -> pymath::Result<f64> = match name {
        "isclose" => {
            return math::isclose(x, y, None, None).map_or(Folded::Unknown, Folded::bool);
        }
        "nextafter" => return float(math::nextafter(x, y, None)),
        "atan2" => math::atan2,
        "copysign" => math::copysign,
        "fmod" => math::fmod,
        "pow" => math::pow,
        "remainder" => math::remainder,
        _ => return Folded::Unknown,
    };
    settled(function(x, y))
}
