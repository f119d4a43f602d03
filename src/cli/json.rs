//! Writes JSON to standard output. Independent of its contents.

use std::fmt;
use std::io::{BufWriter, Write as _};

use serde::Serialize;

use super::view::text::drives;

/// Bytes written at once.
const AT_ONCE: usize = 1 << 16;

/// JSON on one line, or on several with `{:#}`. Characters that could control a terminal or reorder
/// text are written as `\u` escapes, which parse back to the same text. JSON has none of them
/// outside of strings.
pub(super) struct Json<T>(pub T);

impl<T: Serialize> fmt::Display for Json<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_pretty = f.alternate();
        // The serialiser writes word by word, and standard output is line-buffered.
        let mut out = BufWriter::with_capacity(AT_ONCE, Escaping(f));
        let written = match is_pretty {
            true => serde_json::to_writer_pretty(&mut out, &self.0),
            false => serde_json::to_writer(&mut out, &self.0),
        };
        written.map_err(|_| fmt::Error)?;
        out.flush().map_err(|_| fmt::Error)
    }
}

/// Escapes everything written through it.
struct Escaping<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl std::io::Write for Escaping<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        // The serialiser writes whole characters, and the buffer whole writes.
        let text = std::str::from_utf8(bytes).map_err(std::io::Error::other)?;
        self.escaped(text).map_err(std::io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Escaping<'_, '_> {
    fn escaped(&mut self, text: &str) -> fmt::Result {
        let f = &mut *self.0;
        let mut rest = text;
        // Line ends come from the JSON layout itself.
        while let Some(at) = rest.find(|c| c != '\n' && drives(c)) {
            f.write_str(&rest[..at])?;
            let mut after = rest[at..].chars();
            for unit in after.next().into_iter().collect::<String>().encode_utf16() {
                write!(f, "\\u{unit:04x}")?;
            }
            rest = after.as_str();
        }
        f.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_drives_a_terminal_is_escaped_and_reads_back() {
        let value =
            json!({"a\u{9b}": "\u{7f}\u{85}\u{202e}\u{2066}\u{e0041}\r\u{1b}\n\t é 漢 😀 \\u"});
        for text in [format!("{}", Json(&value)), format!("{:#}", Json(&value))] {
            assert!(!text.contains(|c| c != '\n' && drives(c)), "{text:?}");
            assert!(text.contains("\\u202e") && text.contains('漢') && text.contains('😀'));
            let read: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(read, value);
        }
        assert_eq!(format!("{}", Json("\u{e0041}")), "\"\\udb40\\udc41\"");
    }
}
