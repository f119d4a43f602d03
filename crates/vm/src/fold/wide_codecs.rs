//! Encodings with units of two or four bytes: UTF-16 and UTF-32.

/// The byte order mark, for encodings whose name does not specify the byte order.
const MARK: char = '\u{feff}';

/// Returns the bytes per unit, and whether the most significant byte comes first. The latter is
/// `None` if the mark decides it.
fn shape(encoding: &str) -> Option<(usize, Option<bool>)> {
    Some(match encoding {
        "utf-16" => (2, None),
        "utf-16-le" => (2, Some(false)),
        "utf-16-be" => (2, Some(true)),
        "utf-32" => (4, None),
        "utf-32-le" => (4, Some(false)),
        "utf-32-be" => (4, Some(true)),
        _ => return None,
    })
}

/// Encodes a text, with the mark before it if the encoding has one. `None` for another encoding.
pub(super) fn encode(text: &str, encoding: &str) -> Option<Vec<u8>> {
    let (size, order) = shape(encoding)?;
    let is_big = order.unwrap_or(false);
    let mut bytes = Vec::with_capacity(text.len() * size);
    let mut put = |unit: u32| {
        let four = unit.to_be_bytes();
        let unit = four.into_iter().skip(4 - size);
        match is_big {
            true => bytes.extend(unit),
            false => bytes.extend(unit.rev()),
        }
    };
    let mark = order.is_none().then_some(MARK);
    for c in mark.into_iter().chain(text.chars()) {
        match size {
            2 => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    put(u32::from(*unit));
                }
            }
            _ => put(u32::from(c)),
        }
    }
    Some(bytes)
}

/// Decodes bytes. `None` for another encoding, or if the bytes are invalid.
pub(super) fn decode(bytes: &[u8], encoding: &str) -> Option<String> {
    let (size, order) = shape(encoding)?;
    if !bytes.len().is_multiple_of(size) {
        return None;
    }
    let units = |is_big: bool| {
        let unit = move |unit: &[u8]| {
            let add = |sum: u32, byte: &u8| sum << 8 | u32::from(*byte);
            match is_big {
                true => unit.iter().fold(0, add),
                false => unit.iter().rev().fold(0, add),
            }
        };
        bytes.chunks_exact(size).map(unit)
    };
    let starts_with_mark = |is_big: bool| units(is_big).next() == Some(u32::from(MARK));
    let is_big = order.unwrap_or_else(|| starts_with_mark(true));
    let marks = usize::from(order.is_none() && starts_with_mark(is_big));
    let units = units(is_big).skip(marks);
    match size {
        2 => {
            let units = units.map(|unit| u16::try_from(unit).unwrap_or_default());
            char::decode_utf16(units).collect::<Result<_, _>>().ok()
        }
        _ => units.map(char::from_u32).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from CPython 3.11.
    #[test]
    fn texts_are_bytes_as_in_python() {
        let encoded = |encoding| encode("a\u{1f600}", encoding).unwrap();
        assert_eq!(encoded("utf-16"), b"\xff\xfea\x00=\xd8\x00\xde");
        assert_eq!(encoded("utf-16-be"), b"\x00a\xd8=\xde\x00");
        assert_eq!(encoded("utf-32-le"), b"a\x00\x00\x00\x00\xf6\x01\x00");
        for encoding in ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"] {
            let text = decode(&encoded(encoding), encoding);
            assert_eq!(text.as_deref(), Some("a\u{1f600}"), "{encoding}");
        }
        assert_eq!(decode(b"\xfe\xff\x00a", "utf-16").as_deref(), Some("a"));
        assert_eq!(decode(b"a\x00", "utf-16").as_deref(), Some("a"));
        assert_eq!(
            decode(b"\xff\xfea\x00", "utf-16-le").as_deref(),
            Some("\u{feff}a")
        );
        assert_eq!(decode(b"a", "utf-16-le"), None);
        assert_eq!(decode(b"\x00\xd8", "utf-16-le"), None);
        assert_eq!(decode(b"\x00\x00\x11\x00", "utf-32-le"), None);
    }
}
