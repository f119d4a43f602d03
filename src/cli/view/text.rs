//! Text that is safe to print and fits: escapes, display width, truncation. Independent of traces.

use std::fmt::Write;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// `text` with characters that could control a terminal or reorder text escaped as in Python.
pub(in crate::cli) fn clean(text: &str) -> String {
    escape(text, |_| false)
}

/// The same, but tabs stay: for a single-line form that programs read.
pub(in crate::cli) fn clean_but_tabs(text: &str) -> String {
    escape(text, |c| c == '\t')
}

/// The same, but tabs and line ends stay: for a multi-line form that programs read.
pub(in crate::cli) fn clean_but_layout(text: &str) -> String {
    escape(text, |c| matches!(c, '\t' | '\n'))
}

fn escape(text: &str, keep: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let code = u32::from(c);
        // Writing to a `String` cannot fail.
        match c {
            _ if keep(c) || !drives(c) => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if code < 0x100 => drop(write!(out, "\\x{code:02x}")),
            _ if code < 0x10000 => drop(write!(out, "\\u{code:04x}")),
            _ => drop(write!(out, "\\U{code:08x}")),
        }
    }
    out
}

/// Whether a character could control a terminal or reorder or hide text.
pub(in crate::cli) fn drives(c: char) -> bool {
    c.is_control() || is_invisible(c)
}

/// Direction marks, line separators, and zero-width characters that join or hide: tag characters
/// spell invisible text.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Display width of `text` in columns.
pub(in crate::cli) fn width(text: &str) -> usize {
    text.width()
}

/// `text`, truncated with `…` to at most `room` columns.
pub(in crate::cli) fn fit(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut used = 0;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used < room
    };
    let mut cut: String = text.chars().take_while(fits).collect();
    if room > 0 {
        cut.push('…');
    }
    cut
}

/// `text`, padded with blanks to `room` columns.
pub(in crate::cli) fn pad(text: &str, room: usize) -> String {
    let blanks = room.saturating_sub(width(text));
    format!("{text}{}", " ".repeat(blanks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_the_terminal_raw() {
        let shown = clean("\x1b[31m\x07\r\n\t\u{9b}\u{202e}\u{200b}é");
        assert_eq!(shown, "\\x1b[31m\\x07\\r\\n\\t\\x9b\\u202e\\u200bé");
        assert_eq!(clean("\u{e0041}\u{7f}"), "\\U000e0041\\x7f");
        assert_eq!(clean_but_tabs("a\tb\r\u{202e}"), "a\tb\\r\\u202e");
    }

    #[test]
    fn cuts_by_columns_and_not_by_bytes() {
        assert_eq!(fit("abcdef", 6), "abcdef");
        assert_eq!(fit("abcdef", 4), "abc…");
        assert_eq!(fit("漢字漢字", 5), "漢字…");
        assert_eq!(fit("漢字漢字", 4), "漢…");
        assert_eq!(fit("abc", 1), "…");
        assert_eq!(fit("abc", 0), "");
        for room in 0..9 {
            assert!(width(&fit("a漢b字cé", room)) <= room);
        }
        assert_eq!(pad("漢", 4), "漢  ");
    }
}
