//! JSON on standard output. Knows nothing of what is written.

use std::fmt;

use serde::Serialize;

use super::view::text::drives;

/// JSON on one line; with `{:#}` on several. Characters that could drive a terminal or turn the text
/// around are written as `\u` escapes, which read back as the same text: outside of strings JSON has
/// none of them.
pub(super) struct Json<T>(pub T);

impl<T: Serialize> fmt::Display for Json<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match f.alternate() {
            true => serde_json::to_string_pretty(&self.0),
            false => serde_json::to_string(&self.0),
        };
        let text = text.map_err(|_| fmt::Error)?;
        let mut rest = text.as_str();
        // The line ends that JSON is laid out with are its own.
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
