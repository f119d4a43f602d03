//! Functions of complex numbers with finite parts: `complex`, `abs` and `cmath`.

use super::Folded;
use super::complex::Complex;
use super::integer::Integer;
use crate::compile::floats;
use crate::value::{Heap, Value};

/// Smallest part with full precision. Below it `cmath.sqrt` scales.
const SMALLEST: f64 = f64::MIN_POSITIVE;
/// Largest real part that `cmath.exp` accepts without scaling.
const LARGEST_EXPONENT: f64 = 700.0;

/// Folds a call by its name. Unknown if it must be asked.
pub fn call(heap: &mut Heap, name: &str, arguments: &[Value]) -> Folded {
    let Some(parts) = arguments
        .iter()
        .map(parts)
        .collect::<Option<Vec<Complex>>>()
    else {
        return Folded::Unknown;
    };
    let usual = |part: f64| part.is_finite();
    if name != "complex"
        && !parts
            .iter()
            .all(|(real, imag)| usual(*real) && usual(*imag))
    {
        return Folded::Unknown;
    }
    let float = |value: f64| Folded::Value(Value::Float(value));
    let complex = |real: f64, imag: f64| Folded::Value(Value::Complex(real, imag));
    match (name, &parts[..]) {
        ("complex", []) => complex(0.0, 0.0),
        ("complex", [(real, imag)]) => complex(*real, *imag),
        // `a + b * 1j`, computed part by part.
        ("complex", [a, b]) => {
            let is_complex = |value: &Value| matches!(value, Value::Complex(..));
            match (is_complex(&arguments[0]), is_complex(&arguments[1])) {
                (false, false) => complex(a.0, b.0),
                (true, false) => complex(a.0, b.0 + a.1),
                (false, true) => complex(a.0 - b.1, b.0),
                (true, true) => complex(a.0 - b.1, b.0 + a.1),
            }
        }
        ("abs", [(real, imag)]) => match real.hypot(*imag) {
            size if size.is_finite() => float(size),
            _ => Folded::Unknown,
        },
        ("cmath.phase", [(real, imag)]) => float(floats::angle(*imag, *real)),
        ("cmath.polar", [(real, imag)]) => {
            let parts = [real.hypot(*imag), floats::angle(*imag, *real)];
            Folded::Value(heap.tuple(parts.map(Value::Float).to_vec()))
        }
        ("cmath.rect", [(size, _), (0.0, _)]) => complex(*size, size * 0.0),
        ("cmath.rect", [(size, _), (phase, _)]) => {
            complex(size * floats::cos(*phase), size * floats::sin(*phase))
        }
        ("cmath.exp", [(real, imag)]) if *real < LARGEST_EXPONENT => {
            let size = floats::exp(*real);
            complex(size * floats::cos(*imag), size * floats::sin(*imag))
        }
        ("cmath.sqrt", [z]) => root(*z).map_or(Folded::Unknown, |(real, imag)| complex(real, imag)),
        ("cmath.isclose", [a, b]) => {
            let size = |a: Complex| a.0.hypot(a.1);
            let apart = size((a.0 - b.0, a.1 - b.1));
            Folded::bool(a == b || apart <= 1e-9 * size(*a).max(size(*b)))
        }
        ("cmath.isfinite", [_]) => Folded::bool(true),
        ("cmath.isnan" | "cmath.isinf", [_]) => Folded::bool(false),
        _ => Folded::Unknown,
    }
}

/// `complex(text)`
pub fn of_text(text: &str) -> Folded {
    let wrong = || {
        Folded::Raise(
            "ValueError",
            "complex() arg is a malformed string".to_owned(),
        )
    };
    let text = text.trim();
    let text = match text.strip_prefix('(') {
        Some(rest) => rest.strip_suffix(')').map_or("", str::trim),
        None => text,
    };
    if !text.is_ascii() || text.contains('_') {
        return Folded::Unknown;
    }
    // The words `infinity`, `inf` and `nan` are case-insensitive, as in Python.
    let mut rest = text.to_ascii_lowercase();
    for word in ["infinity", "inf", "nan"] {
        rest = rest.replace(word, "0");
    }
    if !rest
        .bytes()
        .all(|c| c.is_ascii_digit() || b"+-.ej".contains(&c))
    {
        return wrong();
    }
    let number = |text: &str| match text {
        "" | "+" => Some(1.0),
        "-" => Some(-1.0),
        text => text.parse::<f64>().ok(),
    };
    let Some(before) = text.strip_suffix(['j', 'J']) else {
        return match text.parse() {
            Ok(real) => Folded::Value(Value::Complex(real, 0.0)),
            Err(_) => wrong(),
        };
    };
    // The sign before the imaginary part is not that of an exponent.
    let bytes = before.as_bytes();
    let signs = (1..bytes.len()).rev();
    let mut signs =
        signs.filter(|at| b"+-".contains(&bytes[*at]) && !b"eE".contains(&bytes[at - 1]));
    let at = signs.next().unwrap_or(0);
    let real = if at == 0 {
        Some(0.0)
    } else {
        before[..at].parse().ok()
    };
    match (real, number(&before[at..])) {
        (Some(real), Some(imag)) => Folded::Value(Value::Complex(real, imag)),
        _ => wrong(),
    }
}

/// Returns the real and imaginary part of a number.
fn parts(value: &Value) -> Option<Complex> {
    match value {
        Value::Complex(real, imag) => Some((*real, *imag)),
        Value::Float(value) => Some((*value, 0.0)),
        other => Some((Integer::of(other)?.to_f64()?, 0.0)),
    }
}

/// Returns the square root as `cmath.sqrt` computes it.
fn root((real, imag): Complex) -> Option<Complex> {
    if real == 0.0 && imag == 0.0 {
        return Some((0.0, imag));
    }
    let (width, height) = (real.abs(), imag.abs());
    if width < SMALLEST && height < SMALLEST {
        return None;
    }
    let eighth = width / 8.0;
    let long = 2.0 * (eighth + eighth.hypot(height / 8.0)).sqrt();
    let short = height / (2.0 * long);
    Some(if real >= 0.0 {
        (long, short.copysign(imag))
    } else {
        (short, long.copysign(imag))
    })
}
