//! Functions from bytes to bytes that no planner walks: hashes, checksums, base64, and floats as
//! bytes.

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};
use sha3::digest::ExtendableOutput;
use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256};

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Returns the digest of bytes by its name in `hashlib`.
pub fn digest(name: &str, data: &[u8]) -> Option<Vec<u8>> {
    Some(match name {
        "md5" => Md5::digest(data).to_vec(),
        "sha1" => Sha1::digest(data).to_vec(),
        "sha224" => Sha224::digest(data).to_vec(),
        "sha256" => Sha256::digest(data).to_vec(),
        "sha384" => Sha384::digest(data).to_vec(),
        "sha512" => Sha512::digest(data).to_vec(),
        "sha3_224" => Sha3_224::digest(data).to_vec(),
        "sha3_256" => Sha3_256::digest(data).to_vec(),
        "sha3_384" => Sha3_384::digest(data).to_vec(),
        "sha3_512" => Sha3_512::digest(data).to_vec(),
        _ => return None,
    })
}

/// Returns a digest of SHAKE, of any length.
pub fn shake(name: &str, data: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    match name {
        "shake_128" => Shake128::digest_xof(data, &mut bytes),
        "shake_256" => Shake256::digest_xof(data, &mut bytes),
        _ => return None,
    }
    Some(bytes)
}

/// `hashlib.pbkdf2_hmac`
pub fn pbkdf2(
    name: &str,
    password: &[u8],
    salt: &[u8],
    rounds: u32,
    size: usize,
) -> Option<Vec<u8>> {
    use pbkdf2::pbkdf2_hmac;
    let mut key = vec![0; size];
    match name {
        "sha1" => pbkdf2_hmac::<Sha1>(password, salt, rounds, &mut key),
        "sha224" => pbkdf2_hmac::<Sha224>(password, salt, rounds, &mut key),
        "sha256" => pbkdf2_hmac::<Sha256>(password, salt, rounds, &mut key),
        "sha384" => pbkdf2_hmac::<Sha384>(password, salt, rounds, &mut key),
        "sha512" => pbkdf2_hmac::<Sha512>(password, salt, rounds, &mut key),
        "md5" => pbkdf2_hmac::<Md5>(password, salt, rounds, &mut key),
        _ => return None,
    }
    Some(key)
}

/// Returns a digest of BLAKE2. `texts` are its key, salt and person. `numbers` are its size,
/// fan-out, depth, leaf size, node offset, node depth, inner size, and whether it is the last node.
pub fn blake2(name: &str, data: &[u8], texts: [&[u8]; 3], numbers: [u64; 8]) -> Option<Vec<u8>> {
    let [key, salt, person] = texts;
    let [size, fan_out, depth, leaf, offset, node_depth, inner, last] = numbers;
    let byte = |number: u64| u8::try_from(number).ok();
    macro_rules! hashed {
        ($params:expr) => {{
            let mut params = $params;
            params.hash_length(usize::try_from(size).ok()?);
            params.key(key).salt(salt).personal(person);
            params.fanout(byte(fan_out)?).max_depth(byte(depth)?);
            params.max_leaf_length(u32::try_from(leaf).ok()?);
            params.node_offset(offset).node_depth(byte(node_depth)?);
            params.inner_hash_length(usize::try_from(inner).ok()?);
            params.last_node(last != 0);
            Some(params.hash(data).as_bytes().to_vec())
        }};
    }
    match name {
        "blake2b" => hashed!(blake2b_simd::Params::new()),
        "blake2s" => hashed!(blake2s_simd::Params::new()),
        _ => None,
    }
}

/// `zlib.crc32(data, start)`
pub fn crc32(data: &[u8], start: u32) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(start);
    hasher.update(data);
    hasher.finalize()
}

/// `zlib.adler32(data, start)`
pub fn adler32(data: &[u8], start: u32) -> u32 {
    const MODULUS: u32 = 65_521;
    let (mut low, mut high) = (start & 0xFFFF, start >> 16);
    for byte in data {
        low = (low + u32::from(*byte)) % MODULUS;
        high = (high + low) % MODULUS;
    }
    high << 16 | low
}

/// Encodes bytes as base64 with padding.
pub fn base64(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len().div_ceil(3) * 4);
    for part in data.chunks(3) {
        let byte = |at: usize| u32::from(part.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            out.push(match place <= part.len() {
                true => LETTERS[(bits >> (18 - 6 * place) & 63) as usize],
                false => b'=',
            });
        }
    }
    out
}

/// `binascii.a2b_base64`. It skips other characters and everything after the padding.
///
/// # Errors
/// The message of CPython's `binascii.Error`.
pub fn from_base64(text: &[u8]) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count, mut pads) = (0_u32, 0, 0);
    for byte in text {
        if *byte == b'=' {
            pads += usize::from(count >= 2);
            if count >= 2 && count + pads >= 4 {
                return Ok(out);
            }
            continue;
        }
        let Some(value) = LETTERS.iter().position(|letter| letter == byte) else {
            continue;
        };
        pads = 0;
        bits = bits << 6 | u32::try_from(value).unwrap_or(0);
        count = (count + 1) % 4;
        match count {
            0 => out.push(bits as u8),
            2 => out.push((bits >> 4) as u8),
            3 => out.push((bits >> 2) as u8),
            _ => {}
        }
    }
    match count {
        0 => Ok(out),
        1 => Err(format!(
            "Invalid base64-encoded string: number of data characters ({}) cannot be 1 more than a multiple of 4",
            out.len() / 3 * 4 + 1
        )),
        _ => Err(String::from("Incorrect padding")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_base64_and_back() {
        for (data, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
        ] {
            assert_eq!(base64(data.as_bytes()), text.as_bytes());
            assert_eq!(from_base64(text.as_bytes()), Ok(data.as_bytes().to_vec()));
        }
        assert_eq!(from_base64(b"Zm 9v\n"), Ok(b"foo".to_vec()));
        assert_eq!(from_base64(b"Zg"), Err("Incorrect padding".to_owned()));
        assert!(from_base64(b"Zm9vY").is_err_and(|why| why.contains("characters (5)")));
    }

    #[test]
    fn sums_are_those_of_zlib() {
        assert_eq!(crc32(b"hello", 0), 907_060_870);
        assert_eq!(crc32(b"lo", crc32(b"hel", 0)), 907_060_870);
        assert_eq!(adler32(b"hello", 1), 103_547_413);
        let digest = digest("md5", b"").unwrap_or_default();
        assert_eq!(digest[..4], [0xd4, 0x1d, 0x8c, 0xd9]);
    }
}
