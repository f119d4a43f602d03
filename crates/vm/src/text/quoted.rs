//! `repr` and `ascii` of strings and bytes.

use unicode_general_category::{GeneralCategory, get_general_category};

/// Writes `repr` of a string.
pub fn text(out: &mut String, text: &str) {
    let is_plain = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'\'' && byte != b'\\';
    if text.bytes().all(is_plain) {
        out.reserve(text.len() + 2);
        out.push('\'');
        out.push_str(text);
        out.push('\'');
        return;
    }
    let quote = quote(text.contains('\''), text.contains('"'));
    out.push(quote);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == quote => {
                out.push('\\');
                out.push(quote);
            }
            _ if is_printable(character) => out.push(character),
            _ => escape(out, character),
        }
    }
    out.push(quote);
}

/// Writes `repr` of bytes.
pub fn bytes(out: &mut String, bytes: &[u8]) {
    let quote = quote(bytes.contains(&b'\''), bytes.contains(&b'"'));
    escaped(out, bytes, quote, quote);
}

/// Writes the bytes inside the `repr` of a bytearray. It also escapes a single quote between double
/// quotes.
pub fn bytearray(out: &mut String, bytes: &[u8]) {
    let quote = quote(bytes.contains(&b'\''), bytes.contains(&b'"'));
    escaped(out, bytes, quote, '\'');
}

fn escaped(out: &mut String, bytes: &[u8], quote: char, hidden: char) {
    out.push('b');
    out.push(quote);
    for &byte in bytes {
        match byte {
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            _ if char::from(byte) == hidden => {
                out.push('\\');
                out.push(hidden);
            }
            b' '..=b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out.push(quote);
}

/// Returns a text with all characters beyond ASCII escaped.
pub fn to_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() {
            out.push(character);
        } else {
            escape(&mut out, character);
        }
    }
    out
}

fn quote(single: bool, double: bool) -> char {
    if single && !double { '"' } else { '\'' }
}

fn escape(out: &mut String, character: char) {
    let code = u32::from(character);
    out.push_str(&match code {
        0..=0xff => format!("\\x{code:02x}"),
        0x100..=0xffff => format!("\\u{code:04x}"),
        _ => format!("\\U{code:08x}"),
    });
}

/// Whether `repr` shows a character unescaped. The table is that of Unicode 14.0, as in CPython
/// 3.11.
fn is_printable(character: char) -> bool {
    use GeneralCategory as Is;
    if character.is_ascii() {
        return (' '..='~').contains(&character);
    }
    !matches!(
        get_general_category(character),
        Is::Control
            | Is::Format
            | Is::Surrogate
            | Is::PrivateUse
            | Is::Unassigned
            | Is::LineSeparator
            | Is::ParagraphSeparator
            | Is::SpaceSeparator
    )
}
