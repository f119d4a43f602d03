//! Functions of `math` for targets without a system library: correctly rounded.

use codexec_compile::floats::{angle, cos, exp, ln, power, sin};

/// Computes a function of `math` for which `pymath` has no system library on WebAssembly.
pub(crate) fn of_one(name: &str, x: f64) -> Option<pymath::Result<f64>> {
    let (function, overflows): (fn(f64) -> f64, bool) = match name {
        "acos" => (pxfm::f_acos, false),
        "acosh" => (pxfm::f_acosh, false),
        "asin" => (pxfm::f_asin, false),
        "asinh" => (pxfm::f_asinh, false),
        "atan" => (pxfm::f_atan, false),
        "atanh" => (pxfm::f_atanh, false),
        "cos" => (cos, false),
        "cosh" => (pxfm::f_cosh, true),
        "exp" => (exp, true),
        "log" => (ln, false),
        "log2" => (pxfm::f_log2, false),
        "log10" => (pxfm::f_log10, false),
        "sin" => (sin, false),
        "tan" => (pxfm::f_tan, false),
        "tanh" => (pxfm::f_tanh, false),
        _ => return None,
    };
    let result = function(x);
    Some(match result {
        _ if result.is_nan() && !x.is_nan() => Err(pymath::Error::EDOM),
        _ if result.is_infinite() && x.is_finite() && overflows => Err(pymath::Error::ERANGE),
        _ if result.is_infinite() && x.is_finite() => Err(pymath::Error::EDOM),
        _ => Ok(result),
    })
}

/// The same for two arguments.
pub(crate) fn of_two(name: &str, x: f64, y: f64) -> Option<pymath::Result<f64>> {
    match name {
        "atan2" => Some(Ok(angle(x, y))),
        "pow" if x.is_finite() && y.is_finite() => {
            let result = power(x, y);
            Some(match result {
                _ if result.is_nan() => Err(pymath::Error::EDOM),
                _ if result.is_infinite() && x == 0.0 => Err(pymath::Error::EDOM),
                _ if result.is_infinite() => Err(pymath::Error::ERANGE),
                _ => Ok(result),
            })
        }
        _ => None,
    }
}
