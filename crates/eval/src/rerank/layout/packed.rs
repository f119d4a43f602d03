//! Test cases in the form of LiveCodeBench's private ones: base64 of zlib of a pickled string, which is
//! JSON.
//!
//! A pickle is a program for a machine that can import and call anything. Nothing of it is executed here: it is
//! parsed only as a single string, by the opcodes that `pickle.dumps(str)` writes in protocols 1 to 5, and rejected
//! otherwise.

use std::io::Read;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;

/// The most that a text may grow to when it is unpacked.
const MOST_BYTES: u64 = 512 << 20;

/// Whether a text can be packed: nothing but base64 characters.
pub(super) fn is_packed(text: &str) -> bool {
    let is_letter = |b: u8| b.is_ascii_alphanumeric() || b"+/=\r\n".contains(&b);
    text.len() > 8 && text.bytes().all(is_letter)
}

/// The JSON in a packed text.
pub(super) fn unpack(text: &str) -> Result<String, String> {
    let letters: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    let packed = STANDARD.decode(letters);
    let packed = packed.map_err(|error| format!("is no base64: {error}"))?;
    unpack_bytes(&packed, MOST_BYTES)
}

fn unpack_bytes(packed: &[u8], most: u64) -> Result<String, String> {
    let mut pickle = Vec::new();
    let read = ZlibDecoder::new(packed)
        .take(most + 1)
        .read_to_end(&mut pickle);
    read.map_err(|error| format!("is no zlib in base64: {error}"))?;
    if pickle.len() as u64 > most {
        return Err(format!("unpacks to more than {} MiB", most >> 20));
    }
    pickled_text(&pickle)
}

/// The string of a pickle that is a single string.
fn pickled_text(pickle: &[u8]) -> Result<String, String> {
    let mut rest = Reader { pickle, at: 0 };
    let mut text: Option<&[u8]> = None;
    loop {
        let at = rest.at;
        let opcode = rest.number(1)?;
        match u8::try_from(opcode).unwrap_or_default() {
            // PROTO
            0x80 => {
                rest.number(1)?;
            }
            // FRAME: its length is not needed.
            0x95 => {
                rest.number(8)?;
            }
            // SHORT_BINUNICODE, BINUNICODE, BINUNICODE8
            code @ (0x8c | b'X' | 0x8d) if text.is_none() => {
                let size = rest.number(match code {
                    0x8c => 1,
                    b'X' => 4,
                    _ => 8,
                })?;
                text = Some(rest.bytes(size)?);
            }
            // MEMOIZE, BINPUT, LONG_BINPUT: numbers for later references.
            0x94 => {}
            b'q' => {
                rest.number(1)?;
            }
            b'r' => {
                rest.number(4)?;
            }
            // STOP
            b'.' if text.is_some() => break,
            code => {
                return Err(format!(
                    "is a pickle of something else than a text (opcode 0x{code:02x} at byte {at}); nothing of it was executed"
                ));
            }
        }
    }
    let text = text.unwrap_or_default().to_vec();
    String::from_utf8(text).map_err(|_| "is a pickle of a text that is no UTF-8".to_owned())
}

struct Reader<'p> {
    pickle: &'p [u8],
    at: usize,
}

impl<'p> Reader<'p> {
    fn bytes(&mut self, count: u64) -> Result<&'p [u8], String> {
        let count = usize::try_from(count).ok();
        let end = count.and_then(|count| self.at.checked_add(count));
        let found = end.and_then(|end| self.pickle.get(self.at..end));
        let found = found.ok_or("is a pickle that is cut off")?;
        self.at += found.len();
        Ok(found)
    }

    /// A little-endian number.
    fn number(&mut self, bytes: u64) -> Result<u64, String> {
        let bytes = self.bytes(bytes)?.iter().rev();
        Ok(bytes.fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;
    use serde::Deserialize;

    use super::*;

    /// What `tests/fixtures/make_packed_tests.py` wrote.
    #[derive(Deserialize)]
    struct Fixture {
        texts: Vec<Case>,
        refused: Vec<Case>,
    }

    #[derive(Deserialize)]
    struct Case {
        name: String,
        packed: String,
        /// The beginning of the text, and its number of characters.
        begins: String,
        length: usize,
    }

    fn fixture() -> Fixture {
        let text = include_str!("../../../../../tests/fixtures/packed_tests.json");
        serde_json::from_str(text).unwrap()
    }

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn texts_that_python_pickled_come_back() {
        for case in fixture().texts {
            assert!(is_packed(&case.packed), "{}", case.name);
            let text = unpack(&case.packed).unwrap();
            assert!(text.starts_with(&case.begins), "{}", case.name);
            assert_eq!(text.chars().count(), case.length, "{}", case.name);
        }
    }

    #[test]
    fn every_other_pickle_is_refused() {
        for case in fixture().refused {
            let error = unpack(&case.packed).unwrap_err();
            assert!(
                error.contains("something else than a text") && error.contains("nothing of it"),
                "{}: {error}",
                case.name
            );
        }
    }

    #[test]
    fn what_is_damaged_or_endless_is_refused() {
        assert!(unpack("AAAA====A").unwrap_err().contains("is no base64"));
        assert!(unpack("AAAAAAAAAAAA").unwrap_err().contains("is no zlib"));
        let whole = zlib(b"\x80\x04\x8c\x02[]\x94.");
        assert_eq!(unpack_bytes(&whole, 100).as_deref(), Ok("[]"));
        let error = unpack_bytes(&zlib(&[b' '; 3000]), 1000).unwrap_err();
        assert!(error.contains("more than"), "{error}");
        for pickle in [
            &b""[..],
            b"\x80",
            b"\x80\x04X\xff\xff\xff\xffab.",
            b"\x80\x04\x8c\x02[]",
        ] {
            let error = unpack_bytes(&zlib(pickle), 100).unwrap_err();
            assert!(error.contains("cut off"), "{error}");
        }
        let error = unpack_bytes(&zlib(b"\x8c\x01\xff."), 100).unwrap_err();
        assert!(error.contains("no UTF-8"), "{error}");
        // A length that no memory has.
        let error = unpack_bytes(&zlib(b"\x8d\xff\xff\xff\xff\xff\xff\xff\xff"), 100);
        assert!(error.unwrap_err().contains("cut off"));
        // Two texts, or none.
        for pickle in [&b"\x8c\x01a\x8c\x01b."[..], b"\x80\x04."] {
            let error = unpack_bytes(&zlib(pickle), 100).unwrap_err();
            assert!(error.contains("something else"), "{error}");
        }
    }
}
