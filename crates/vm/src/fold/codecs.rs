//! Encoding and decoding of text, in the most common encodings and with their error handlers.

use super::wide_codecs;

/// Whether CPython has a text encoding of this name (`encodings.txt`). Encodings from bytes to
/// bytes or from text to text do not count.
pub fn is_known(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '.';
    let lower = name.to_ascii_lowercase();
    let parts: Vec<&str> = lower
        .split(|c| !plain(c))
        .filter(|part| !part.is_empty())
        .collect();
    let name = parts.join("_");
    let known = |name: &str| {
        include_str!("encodings.txt")
            .lines()
            .any(|line| line == name)
    };
    known(&name) || known(&name.replace('.', "_"))
}

/// A byte or a character that an encoding cannot convert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodecError {
    /// The encoding's own name.
    pub encoding: &'static str,
    /// Index of the first wrong byte or character.
    pub start: usize,
    /// Index after the last one.
    pub end: usize,
    /// The reason.
    pub reason: &'static str,
}

/// Returns the encoding for a name.
pub fn encoding(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase().replace(['-', '_', ' '], "");
    Some(match name.as_str() {
        "utf8" => "utf-8",
        "ascii" | "usascii" => "ascii",
        "latin1" | "iso88591" | "l1" => "latin-1",
        "unicodeescape" => "unicode-escape",
        "utf8sig" => "utf-8-sig",
        "utf16" => "utf-16",
        "utf16le" => "utf-16-le",
        "utf16be" => "utf-16-be",
        "utf32" => "utf-32",
        "utf32le" => "utf-32-le",
        "utf32be" => "utf-32-be",
        _ => return None,
    })
}

/// Whether an encoding that is unknown here encodes the ASCII characters as ASCII does.
pub fn keeps_ascii(name: &str) -> bool {
    const FAMILIES: [&str; 11] = [
        "cp", "windows", "iso8859", "koi8", "mac", "gbk", "gb2312", "gb18030", "big5", "shiftjis",
        "euc",
    ];
    // Encodings of IBM mainframes.
    const OTHERS: [&str; 7] = [
        "cp037", "cp273", "cp424", "cp500", "cp875", "cp1026", "cp1140",
    ];
    let plain = name.to_ascii_lowercase().replace(['-', '_', ' '], "");
    is_known(name)
        && FAMILIES.iter().any(|family| plain.starts_with(family))
        && !OTHERS.contains(&plain.as_str())
}

/// The bytes that `utf-8-sig` puts before a text.
const SIGNATURE: &[u8] = b"\xef\xbb\xbf";

/// `bytes.decode(encoding, errors)`. `None` for another error handler, and if bytes of UTF-16 or
/// UTF-32 are invalid.
pub fn decode(
    bytes: &[u8],
    encoding: &'static str,
    errors: &str,
) -> Option<Result<String, CodecError>> {
    if encoding == "latin-1" {
        return Some(Ok(bytes.iter().map(|byte| char::from(*byte)).collect()));
    }
    if encoding == "unicode-escape" {
        return unescaped(bytes).map(Ok);
    }
    if let ("utf-8-sig", Some(rest)) = (encoding, bytes.strip_prefix(SIGNATURE)) {
        // The error would be about the rest only.
        return decode(rest, "utf-8", errors).filter(Result::is_ok);
    }
    let encoding = match encoding {
        "utf-8-sig" => "utf-8",
        encoding => encoding,
    };
    if encoding != "utf-8" && encoding != "ascii" {
        return wide_codecs::decode(bytes, encoding).map(Ok);
    }
    let (mut text, mut at) = (String::new(), 0);
    while at < bytes.len() {
        let (good, error) = next_error(&bytes[at..], encoding);
        text.push_str(good);
        at += good.len();
        let Some((length, reason)) = error else {
            break;
        };
        match errors {
            "strict" => {
                return Some(Err(CodecError {
                    encoding,
                    start: at,
                    end: at + length,
                    reason,
                }));
            }
            "ignore" => {}
            "replace" => text.push(char::REPLACEMENT_CHARACTER),
            "backslashreplace" => {
                for byte in &bytes[at..at + length] {
                    text.push_str(&format!("\\x{byte:02x}"));
                }
            }
            _ => return None,
        }
        at += length;
    }
    Some(Ok(text))
}

/// Returns the text before the first error, the number of wrong bytes, and the reason.
fn next_error<'b>(bytes: &'b [u8], encoding: &str) -> (&'b str, Option<(usize, &'static str)>) {
    let error = match encoding {
        "ascii" => (bytes.iter().position(|byte| !byte.is_ascii()))
            .map(|at| (at, (1, "ordinal not in range(128)"))),
        _ => std::str::from_utf8(bytes).err().map(|error| {
            let at = error.valid_up_to();
            let error = match (error.error_len(), bytes[at]) {
                (None, _) => (bytes.len() - at, "unexpected end of data"),
                (Some(length), 0x80..=0xC1 | 0xF5..) => (length, "invalid start byte"),
                (Some(length), _) => (length, "invalid continuation byte"),
            };
            (at, error)
        }),
    };
    let end = error.map_or(bytes.len(), |(at, _)| at);
    let good = std::str::from_utf8(&bytes[..end]).unwrap_or_default();
    (good, error.map(|(_, error)| error))
}

/// `text.encode(encoding, errors)`. `None` for another error handler.
pub fn encode(
    text: &str,
    encoding: &'static str,
    errors: &str,
) -> Option<Result<Vec<u8>, CodecError>> {
    let (most, reason) = match encoding {
        "ascii" => (128, "ordinal not in range(128)"),
        "latin-1" => (256, "ordinal not in range(256)"),
        "utf-8" => return Some(Ok(text.as_bytes().to_vec())),
        "unicode-escape" => {
            let all = text.chars().map(|c| match c {
                '\t' => "\\t".to_owned(),
                '\n' => "\\n".to_owned(),
                '\r' => "\\r".to_owned(),
                '\\' => "\\\\".to_owned(),
                ' '..='~' => c.to_string(),
                c => escaped(c),
            });
            return Some(Ok(all.collect::<String>().into_bytes()));
        }
        "utf-8-sig" => return Some(Ok([SIGNATURE, text.as_bytes()].concat())),
        _ => return wide_codecs::encode(text, encoding).map(Ok),
    };
    let mut bytes = Vec::with_capacity(text.len());
    for (start, c) in text.chars().enumerate() {
        let code = u32::from(c);
        if code < most {
            bytes.push(u8::try_from(code).unwrap_or_default());
            continue;
        }
        match errors {
            "strict" => {
                let wrong = text.chars().skip(start);
                let length = wrong.take_while(|c| u32::from(*c) >= most).count();
                return Some(Err(CodecError {
                    encoding,
                    start,
                    end: start + length,
                    reason,
                }));
            }
            "ignore" => {}
            "replace" => bytes.push(b'?'),
            "xmlcharrefreplace" => bytes.extend(format!("&#{code};").bytes()),
            "backslashreplace" => bytes.extend(escaped(c).bytes()),
            _ => return None,
        }
    }
    Some(Ok(bytes))
}

/// Decodes bytes with the escapes of Python literals. `None` for an incomplete or unknown escape,
/// or a lone surrogate.
fn unescaped(bytes: &[u8]) -> Option<String> {
    let mut text = String::new();
    let mut rest = bytes;
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'\\' {
            text.push(char::from(*first));
            continue;
        }
        let [escape, after @ ..] = rest else {
            return None;
        };
        rest = after;
        let digits = match escape {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => 0,
        };
        if digits > 0 {
            let (code, after) = rest.split_at_checked(digits)?;
            let code = std::str::from_utf8(code).ok()?;
            text.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
            rest = after;
            continue;
        }
        match escape {
            b'\n' => {}
            b'\\' | b'\'' | b'"' => text.push(char::from(*escape)),
            b'a' => text.push('\x07'),
            b'b' => text.push('\x08'),
            b'f' => text.push('\x0c'),
            b'n' => text.push('\n'),
            b'r' => text.push('\r'),
            b't' => text.push('\t'),
            b'v' => text.push('\x0b'),
            b'0'..=b'7' => {
                let mut code = u32::from(escape - b'0');
                for _ in 0..2 {
                    if let [digit @ b'0'..=b'7', after @ ..] = rest {
                        code = code * 8 + u32::from(digit - b'0');
                        rest = after;
                    }
                }
                text.push(char::from_u32(code)?);
            }
            // Escapes by name, and others, about which CPython warns.
            _ => return None,
        }
    }
    Some(text)
}

/// Returns a character as an escape of a Python literal.
pub fn escaped(c: char) -> String {
    match u32::from(c) {
        code @ ..=0xff => format!("\\x{code:02x}"),
        code @ ..=0xffff => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    }
}

/// Returns `str` of a `UnicodeDecodeError`, given the byte at its start, or of a
/// `UnicodeEncodeError`, given the character there.
pub fn message(
    encoding: &str,
    wrong: Result<u8, char>,
    start: i64,
    end: i64,
    reason: &str,
) -> String {
    let (verb, many) = match wrong {
        Ok(_) => ("decode", "bytes"),
        Err(_) => ("encode", "characters"),
    };
    if end != start + 1 {
        return format!(
            "'{encoding}' codec can't {verb} {many} in position {start}-{}: {reason}",
            end - 1
        );
    }
    let one = match wrong {
        Ok(byte) => format!("byte 0x{byte:02x}"),
        Err(c) => format!("character '{}'", escaped(c)),
    };
    format!("'{encoding}' codec can't {verb} {one} in position {start}: {reason}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from CPython 3.11.
    #[test]
    fn errors_are_treated_as_in_python() {
        let decoded = |bytes: &[u8], errors| decode(bytes, "utf-8", errors).unwrap();
        let error = decoded(b"caf\xe9 x", "strict").unwrap_err();
        assert_eq!(
            (error.start, error.end, error.reason),
            (3, 4, "invalid continuation byte")
        );
        assert_eq!(
            decoded(b"a\xffb", "strict").unwrap_err().reason,
            "invalid start byte"
        );
        let error = decoded(b"ab\xe2\x82", "strict").unwrap_err();
        assert_eq!(
            (error.start, error.end, error.reason),
            (2, 4, "unexpected end of data")
        );
        assert_eq!(
            decoded(b"a\xe2\x82b\xff", "replace").unwrap(),
            "a\u{fffd}b\u{fffd}"
        );
        assert_eq!(
            decoded(b"\xf0\x9f\x98", "backslashreplace").unwrap(),
            "\\xf0\\x9f\\x98"
        );
        let error = encode("na\u{ef}\u{ef}ve", "ascii", "strict")
            .unwrap()
            .unwrap_err();
        assert_eq!((error.start, error.end), (2, 4));
        let replaced = encode("\u{dc}n\u{1f600}", "latin-1", "xmlcharrefreplace");
        assert_eq!(replaced.unwrap().unwrap(), b"\xdcn&#128512;");
    }
}
