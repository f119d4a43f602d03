//! `_codec(name, ...)`: digests, checksums and encodings for the runtime's `hashlib`, `base64`,
//! `zlib` and `struct`.

use crate::fold::checksums::{adler32, base64, blake2, crc32, digest, from_base64, pbkdf2, shake};
use crate::machine::{Flow, Machine, Run};
use crate::value::Value;

/// Maximum bytes of a digest.
const MOST_BYTES: usize = 1 << 20;
/// Maximum bytes of a key derived from a password, and maximum rounds.
const MOST_KEY: usize = 1 << 8;
const MOST_ROUNDS: u32 = 1 << 20;

impl Machine {
    /// Returns a digest or base64 as bytes, a checksum as an integer, a float as bytes or bytes as
    /// a float (least significant byte first). Returns the message as a string if base64 is
    /// invalid, and `None` if a float is too large.
    pub(in crate::machine) fn codec(&mut self, arguments: &[Value]) -> Run<Value> {
        let unsupported = || Flow::Unsupported("bytes like that".to_string());
        let [Value::Str(name), value, rest @ ..] = arguments else {
            return Err(unsupported());
        };
        let bytes = |bytes: Vec<u8>| Value::Bytes(bytes.into());
        let Value::Bytes(data) = value else {
            let Value::Float(value) = value else {
                return Err(unsupported());
            };
            return Ok(match &**name {
                "float64" => bytes(value.to_le_bytes().to_vec()),
                "float32" => {
                    let narrow = *value as f32;
                    match narrow.is_infinite() && value.is_finite() {
                        true => Value::None,
                        false => bytes(narrow.to_le_bytes().to_vec()),
                    }
                }
                _ => return Err(unsupported()),
            });
        };
        self.charge(data.len());
        if let Some(digest) = self.keyed(name, data, rest)? {
            return Ok(bytes(digest));
        }
        let start = match rest {
            [Value::Int(start)] => u32::try_from(*start).map_err(|_| unsupported())?,
            _ => 0,
        };
        Ok(match &**name {
            "crc32" => Value::Int(crc32(data, start).into()),
            "adler32" => Value::Int(adler32(data, start).into()),
            "b64encode" => bytes(base64(data)),
            "b64decode" if rest.contains(&Value::Bool(true)) => {
                return Err(Flow::Unsupported("strict base64".to_string()));
            }
            "b64decode" => match from_base64(data) {
                Ok(made) => bytes(made),
                Err(why) => Value::str(&why),
            },
            "float64" => {
                let eight = <[u8; 8]>::try_from(&**data).map_err(|_| unsupported())?;
                Value::Float(f64::from_le_bytes(eight))
            }
            "float32" => {
                let four = <[u8; 4]>::try_from(&**data).map_err(|_| unsupported())?;
                Value::Float(f32::from_le_bytes(four).into())
            }
            _ => bytes(digest(name, data).ok_or_else(unsupported)?),
        })
    }

    /// Computes digests with additional arguments: a length, or settings. `None` for any other
    /// digest.
    fn keyed(&mut self, name: &str, data: &[u8], rest: &[Value]) -> Run<Option<Vec<u8>>> {
        let unsupported = || Flow::Unsupported(format!("such a {name}"));
        let size = |value: &Value| match value {
            Value::Int(number) => u64::try_from(*number).map_err(|_| unsupported()),
            _ => Err(unsupported()),
        };
        let small = |value: &Value| {
            let size = usize::try_from(size(value)?).ok();
            size.filter(|size| *size <= MOST_BYTES)
                .ok_or_else(unsupported)
        };
        match (name, rest) {
            ("shake_128" | "shake_256", [length]) => {
                let length = small(length)?;
                self.charge(length);
                Ok(shake(name, data, length))
            }
            (
                "blake2b" | "blake2s",
                [
                    Value::Bytes(key),
                    Value::Bytes(salt),
                    Value::Bytes(person),
                    numbers @ ..,
                ],
            ) => {
                let numbers: Vec<u64> = numbers.iter().map(size).collect::<Run<_>>()?;
                let numbers = <[u64; 8]>::try_from(numbers).map_err(|_| unsupported())?;
                Ok(blake2(name, data, [key, salt, person], numbers))
            }
            ("pbkdf2", [Value::Str(hash), Value::Bytes(salt), rounds, length]) => {
                let rounds = u32::try_from(size(rounds)?).map_err(|_| unsupported())?;
                let length = small(length)?;
                self.charge((rounds as usize).saturating_mul(length.max(20)));
                if rounds > MOST_ROUNDS || length > MOST_KEY {
                    return Err(unsupported());
                }
                Ok(pbkdf2(hash, data, salt, rounds, length))
            }
            _ => Ok(None),
        }
    }
}
