//! Mersenne twisters: the generators from which the runtime's `random` draws after a seed, as
//! CPython does.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use rand_mt::Mt;
use sha2::{Digest, Sha512};

use crate::fold::hash::hash;
use crate::machine::{Flow, Machine, Run};
use crate::value::Value;

/// Maximum bits of one number.
const MOST_BITS: usize = 1 << 20;

/// A generator.
#[derive(Debug, Clone)]
pub(in crate::machine) struct Twister(Mt);

impl Twister {
    /// Creates the generator for a seed: its absolute value in words of 32 bits, least significant
    /// first.
    fn new(seed: &BigInt) -> Self {
        let mut words = seed.magnitude().to_u32_digits();
        if words.is_empty() {
            words.push(0);
        }
        Self(Mt::new_with_key(words))
    }

    fn float(&mut self) -> f64 {
        let (high, low) = (self.0.next_u32() >> 5, self.0.next_u32() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    fn bits(&mut self, count: usize) -> BigInt {
        if count <= 32 {
            return match count {
                0 => BigInt::ZERO,
                _ => (self.0.next_u32() >> (32 - count)).into(),
            };
        }
        let mut words = Vec::with_capacity(count.div_ceil(32));
        let mut left = count;
        while left > 0 {
            let word = self.0.next_u32();
            words.push(if left < 32 { word >> (32 - left) } else { word });
            left = left.saturating_sub(32);
        }
        num_bigint::BigUint::new(words).into()
    }
}

/// Returns the number that CPython derives from a seed.
fn seed_of(machine: &Machine, value: &Value) -> Option<BigInt> {
    let of_bytes = |bytes: &[u8]| {
        let mut all = bytes.to_vec();
        all.extend(Sha512::digest(bytes));
        BigInt::from_bytes_be(num_bigint::Sign::Plus, &all)
    };
    Some(match value {
        Value::Bool(value) => i64::from(*value).into(),
        Value::Int(value) => (*value).into(),
        Value::BigInt(value) => (**value).clone(),
        Value::Float(_) => hash(&machine.heap, value)?.into(),
        Value::Str(text) => of_bytes(text.as_bytes()),
        Value::Bytes(bytes) => of_bytes(bytes),
        _ => return None,
    })
}

impl Machine {
    /// `_twister(seed)` makes a generator. `_twister_float(it)` and `_twister_bits(it, count)` draw
    /// numbers from it. `_twister_bits(it, count, end)` draws until a number is less than `end`.
    pub(in crate::machine) fn twist(&mut self, name: &str, arguments: &[Value]) -> Run<Value> {
        let unsupported = || Flow::Unsupported("random numbers like that".to_string());
        if let ("_twister", [seed]) = (name, arguments) {
            let seed = seed_of(self, seed).ok_or_else(unsupported)?;
            self.twisters.push(Twister::new(&seed.abs()));
            return Ok(Value::Int(self.twisters.len() as i64 - 1));
        }
        let [Value::Int(at), rest @ ..] = arguments else {
            return Err(unsupported());
        };
        let twisters = &mut self.twisters;
        let twister = usize::try_from(*at)
            .ok()
            .and_then(|at| twisters.get_mut(at));
        let twister = twister.ok_or_else(unsupported)?;
        match (name, rest) {
            ("_twister_float", []) => Ok(Value::Float(twister.float())),
            ("_twister_bits", [Value::Int(count), end @ ..]) => {
                let count = usize::try_from(*count).map_err(|_| unsupported())?;
                if count > MOST_BITS {
                    return Err(unsupported());
                }
                let end = match end {
                    [Value::Int(end)] => Some(BigInt::from(*end)),
                    [Value::BigInt(end)] => Some((**end).clone()),
                    _ => None,
                };
                let mut drawn = twister.bits(count);
                while end.as_ref().is_some_and(|end| drawn >= *end) {
                    drawn = twister.bits(count);
                }
                Ok(match drawn.to_i64() {
                    Some(small) => Value::Int(small),
                    None => Value::BigInt(drawn.into()),
                })
            }
            _ => Err(unsupported()),
        }
    }
}
