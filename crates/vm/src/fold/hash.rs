//! `hash` of values as CPython 3.11 computes it on 64 bits with `PYTHONHASHSEED=0`, which the
//! sandbox sets: SipHash-1-3 with a zero key for strings and bytes, a modulus for numbers, xxHash
//! for tuples.

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use siphasher::sip::SipHasher13;

use super::MOST_DEPTH;
use super::integer::Integer;
use super::key::{HashedAs, hashed_as, range_parts};
use crate::value::{Heap, Object, Value};

const BITS: i32 = 61;
const MODULUS: u64 = (1 << BITS) - 1;
const INFINITE: i64 = 314_159;
const IMAGINARY: u64 = 1_000_003;

/// Returns the hash of a value. `None` if it depends on an address, needs a class's method, or does
/// not exist.
pub fn hash(heap: &Heap, value: &Value) -> Option<i64> {
    hash_at(heap, value, 0, &mut { MOST_PARTS })
}

/// Returns the hash of a value, with made-up addresses if it depends on them, and whether it is the
/// real one.
///
/// The low bits of the hash of `None` are those of Debian's CPython 3.11, where they are the same
/// in every run.
pub fn hash_or_guess(heap: &Heap, value: &Value) -> (i64, bool) {
    if let Some(hash) = hash(heap, value) {
        return (hash, true);
    }
    // The addresses that the machine gives to objects begin with these digits (`record.rs`).
    let address = |low: i64| 8_751_876_190_208 + low;
    let guessed = match value {
        Value::None => address(3006),
        Value::Ellipsis => address(3558),
        Value::NotImplemented => address(2979),
        Value::Object(id) => match heap.get(*id) {
            Object::Tuple(items) => {
                let parts = items.iter().take(MOST_DEPTH);
                let hashes: Vec<i64> = parts.map(|item| guess_in(heap, item)).collect();
                of_tuple(&hashes)
            }
            Object::Frozenset(elements) => {
                let parts = elements.values().take(MOST_DEPTH);
                let hashes: Vec<i64> = parts.map(|item| guess_in(heap, item)).collect();
                of_frozenset(&hashes)
            }
            _ => address(3 * i64::from(id.0)),
        },
        _ => address(0),
    };
    (guessed, false)
}

/// Returns the hash of an item, with a made-up address if it depends on one.
fn guess_in(heap: &Heap, item: &Value) -> i64 {
    match item {
        Value::Object(id) => hash(heap, item).unwrap_or_else(|| i64::from(id.0)),
        _ => hash_or_guess(heap, item).0,
    }
}

/// Maximum parts that are hashed: tuples that share their items count in full each time.
const MOST_PARTS: usize = 1_000_000;

fn hash_at(heap: &Heap, value: &Value, depth: usize, left: &mut usize) -> Option<i64> {
    *left = left.checked_sub(1)?;
    match value {
        Value::Bool(_) | Value::Int(_) | Value::BigInt(_) => of_integer(&Integer::of(value)?),
        Value::Float(value) => of_float(*value),
        Value::Complex(real, imag) => {
            let imag = of_float(*imag)?.cast_unsigned().wrapping_mul(IMAGINARY);
            let sum = of_float(*real)?.cast_unsigned().wrapping_add(imag);
            Some(valid(sum.cast_signed()))
        }
        Value::Str(text) => Some(of_text(text)),
        Value::Bytes(bytes) => Some(of_bytes(bytes)),
        Value::None | Value::Ellipsis | Value::NotImplemented => None,
        Value::Object(id) => match heap.get(*id) {
            Object::Tuple(items) if depth < MOST_DEPTH => {
                let hashes: Option<Vec<i64>> = items
                    .iter()
                    .map(|item| hash_at(heap, item, depth + 1, left))
                    .collect();
                Some(of_tuple(&hashes?))
            }
            Object::Frozenset(elements) if depth < MOST_DEPTH => {
                let hashes: Option<Vec<i64>> = elements
                    .values()
                    .map(|item| hash_at(heap, item, depth + 1, left))
                    .collect();
                Some(of_frozenset(&hashes?))
            }
            Object::Range(..) => {
                let parts = range_parts(heap.get(*id))?;
                let hashes: Option<Vec<i64>> = parts
                    .iter()
                    .map(|part| hash_at(heap, part, depth + 1, left))
                    .collect();
                Some(of_tuple(&hashes?))
            }
            Object::Instance { .. } => match (heap.hashed.get(id), hashed_as(heap, *id)) {
                (Some(hash), _) => Some(*hash),
                (None, Some(HashedAs::Value(same))) if depth < MOST_DEPTH => {
                    hash_at(heap, same, depth + 1, left)
                }
                (None, Some(HashedAs::Fields(fields))) if depth < MOST_DEPTH => {
                    let hashes: Option<Vec<i64>> = fields
                        .into_iter()
                        .map(|field| hash_at(heap, field, depth + 1, left))
                        .collect();
                    Some(of_tuple(&hashes?))
                }
                _ => None,
            },
            _ => None,
        },
    }
}

/// CPython reports a failed hash as -1.
fn valid(hash: i64) -> i64 {
    if hash == -1 { -2 } else { hash }
}

fn signed(hash: u64, negative: bool) -> Option<i64> {
    let hash = i64::try_from(hash).ok()?;
    Some(valid(if negative { -hash } else { hash }))
}

fn of_integer(value: &Integer) -> Option<i64> {
    let rest = match value {
        Integer::Small(value) => value.unsigned_abs() % MODULUS,
        Integer::Big(value) => (value.magnitude() % BigUint::from(MODULUS)).to_u64()?,
    };
    signed(rest, value.is_negative())
}

fn rotate(value: u64, by: i32) -> u64 {
    ((value << by) & MODULUS) | value >> (BITS - by)
}

fn of_float(value: f64) -> Option<i64> {
    if value.is_nan() {
        return None;
    }
    if value.is_infinite() {
        return Some(if value > 0.0 { INFINITE } else { -INFINITE });
    }
    let (mut mantissa, mut exponent) = parts(value.abs());
    let mut hash = 0;
    while mantissa != 0.0 {
        hash = rotate(hash, 28);
        mantissa *= f64::from(1 << 28);
        exponent -= 28;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Below 2 ** 28.
        let whole = mantissa as u32;
        mantissa -= f64::from(whole);
        hash += u64::from(whole);
        if hash >= MODULUS {
            hash -= MODULUS;
        }
    }
    signed(rotate(hash, exponent.rem_euclid(BITS)), value < 0.0)
}

/// `value == mantissa * 2 ** exponent`, with the mantissa at least a half and below one.
fn parts(value: f64) -> (f64, i32) {
    if value == 0.0 {
        return (0.0, 0);
    }
    let exponent_of = |value: f64| i32::try_from(value.to_bits() >> 52 & 0x7ff).unwrap_or(0);
    let (value, moved) = if exponent_of(value) == 0 {
        (value * 2_f64.powi(54), 54)
    } else {
        (value, 0)
    };
    let mantissa = f64::from_bits(value.to_bits() & !(0x7ff << 52) | 1022 << 52);
    (mantissa, exponent_of(value) - 1022 - moved)
}

/// A string is hashed as stored in memory: one, two or four bytes per character.
fn of_text(text: &str) -> i64 {
    let largest = text.chars().map(u32::from).max().unwrap_or(0);
    let width = match largest {
        0..0x80 => return of_bytes(text.as_bytes()),
        0x80..0x100 => 1,
        0x100..0x10000 => 2,
        _ => 4,
    };
    let bytes: Vec<u8> = text
        .chars()
        .flat_map(|character| u32::from(character).to_le_bytes().into_iter().take(width))
        .collect();
    of_bytes(&bytes)
}

fn of_bytes(bytes: &[u8]) -> i64 {
    if bytes.is_empty() {
        return 0;
    }
    valid(SipHasher13::new_with_keys(0, 0).hash(bytes).cast_signed())
}

fn of_tuple(hashes: &[i64]) -> i64 {
    const PRIME_1: u64 = 11_400_714_785_074_694_791;
    const PRIME_2: u64 = 14_029_467_366_897_019_727;
    const PRIME_5: u64 = 2_870_177_450_012_600_261;
    let mut sum = PRIME_5;
    for hash in hashes {
        sum = sum
            .wrapping_add(hash.cast_unsigned().wrapping_mul(PRIME_2))
            .rotate_left(31)
            .wrapping_mul(PRIME_1);
    }
    sum = sum.wrapping_add(hashes.len() as u64 ^ (PRIME_5 ^ 3_527_539));
    match sum.cast_signed() {
        -1 => 1_546_275_796,
        hash => hash,
    }
}

fn of_frozenset(hashes: &[i64]) -> i64 {
    let shuffled = |hash: &i64| {
        let hash = hash.cast_unsigned();
        ((hash ^ 89_869_747) ^ (hash << 16)).wrapping_mul(3_644_798_167)
    };
    let mut sum = hashes.iter().map(shuffled).fold(0, |a, b| a ^ b);
    sum ^= (hashes.len() as u64 + 1).wrapping_mul(1_927_868_237);
    sum ^= (sum >> 11) ^ (sum >> 25);
    sum = sum.wrapping_mul(69_069).wrapping_add(907_133_923);
    match sum.cast_signed() {
        -1 => 590_923_713,
        hash => hash,
    }
}
