//! Methods of numbers and of ranges.

use crate::fold::Folded;
use crate::machine::Machine;
use crate::machine::objects::known_methods::Known;
use crate::value::Value;

impl Machine {
    /// `index` and `count` of a range.
    pub(in crate::machine) fn range_method(
        &mut self,
        range: (Value, Value, Value),
        name: &str,
        arguments: &[Value],
    ) -> Known {
        let (Value::Int(start), Value::Int(stop), Value::Int(step)) = range else {
            return Ok(None);
        };
        let [Value::Int(item)] = arguments else {
            return Ok(None);
        };
        let (start, stop, step) = (i128::from(start), i128::from(stop), i128::from(step));
        let wide = i128::from(*item);
        let inside = match step > 0 {
            true => start <= wide && wide < stop,
            false => stop < wide && wide <= start,
        };
        let found = inside && (wide - start) % step == 0;
        match name {
            "count" => Ok(Some(Value::Int(i64::from(found)))),
            "index" if found => Ok(Some(Value::Int(((wide - start) / step) as i64))),
            "index" => Err(self.raise("ValueError", &format!("{item} is not in range"))),
            _ => Ok(None),
        }
    }
}

pub(in crate::machine) fn number_method(number: &Value, name: &str, arguments: &[Value]) -> Folded {
    let bits =
        |bits: u64| i64::try_from(bits).map_or(Folded::Unknown, |n| Folded::Value(Value::Int(n)));
    match (name, number, arguments) {
        ("bit_length", Value::Int(number), []) => {
            bits(u64::from(u64::BITS - number.unsigned_abs().leading_zeros()))
        }
        ("bit_length", Value::BigInt(number), []) => bits(number.bits()),
        ("bit_count", Value::Int(number), []) => {
            bits(u64::from(number.unsigned_abs().count_ones()))
        }
        ("bit_count", Value::BigInt(number), []) => bits(number.magnitude().count_ones()),
        ("is_integer", Value::Float(number), []) => {
            Folded::Value(Value::Bool(number.is_finite() && number.fract() == 0.0))
        }
        ("hex", Value::Float(number), []) => Folded::Value(Value::Str(hexadecimal(*number).into())),
        ("conjugate", Value::Int(_) | Value::Float(_), []) => Folded::Value(number.clone()),
        _ => Folded::Unknown,
    }
}

/// `float.hex`
fn hexadecimal(number: f64) -> String {
    let sign = if number.is_sign_negative() && !number.is_nan() {
        "-"
    } else {
        ""
    };
    let bits = number.to_bits();
    let (digits, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i64);
    match (exponent, digits) {
        (0x7ff, 0) => format!("{sign}inf"),
        (0x7ff, _) => "nan".to_owned(),
        (0, 0) => format!("{sign}0x0.0p+0"),
        (0, _) => format!("{sign}0x0.{digits:013x}p-1022"),
        _ => format!("{sign}0x1.{digits:013x}p{:+}", exponent - 1023),
    }
}
