//! Numbers.

use num_traits::FromPrimitive;

use crate::machine::eval::eval_loop::broken;
use crate::machine::{Machine, Run};
use crate::value::Value;

impl Machine {
    /// `_twister`
    pub(super) fn intrinsic_twister(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(self.twist("_twister", arguments)?))
    }

    /// `_twister_float`
    pub(super) fn intrinsic_twister_float(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(self.twist("_twister_float", arguments)?))
    }

    /// `_twister_bits`
    pub(super) fn intrinsic_twister_bits(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(self.twist("_twister_bits", arguments)?))
    }

    /// `_int`
    pub(super) fn intrinsic_int(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Float(x)] if x.is_finite() => {
                let whole = num_bigint::BigInt::from_f64(x.trunc());
                whole.map_or(Value::None, Value::int)
            }
            [value @ (Value::Int(_) | Value::BigInt(_))] => value.clone(),
            [Value::Bool(value)] => Value::Int(i64::from(*value)),
            _ => return Err(broken("call")),
        }))
    }

    /// `_fixed`
    pub(super) fn intrinsic_fixed(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Float(x), Value::Int(digits)] => {
                let digits = usize::try_from(*digits).unwrap_or(0);
                Value::str(&format!("{x:.digits$}"))
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_scientific`: returns the mantissa with at most 8 digits after the point, and the exponent
    /// in numpy's format.
    pub(super) fn intrinsic_scientific(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Float(x)] => {
                let shortest = format!("{x:e}");
                let rounded = format!("{x:.8e}");
                let text = if shortest.len() <= rounded.len() {
                    shortest
                } else {
                    rounded
                };
                let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
                let mut mantissa = mantissa.to_string();
                if mantissa.contains('.') {
                    mantissa = mantissa.trim_end_matches('0').to_string();
                } else {
                    mantissa.push('.');
                }
                let exponent: i32 = exponent.parse().unwrap_or(0);
                let sign = if exponent < 0 { '-' } else { '+' };
                let exponent = format!("e{sign}{:02}", exponent.abs());
                let parts = vec![Value::Str(mantissa.into()), Value::Str(exponent.into())];
                self.heap.tuple(parts)
            }
            _ => return Err(broken("call")),
        }))
    }
}
