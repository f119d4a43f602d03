//! Findings as other programs and people read them.
//!
//! | module | what |
//! |---|---|
//! | `text` | as ruff and rustc show them: the place, the line, what is underlined |
//! | `json` | one document |
//! | `sarif` | SARIF 2.1.0, which GitHub's code scanning reads |
//! | `github` | annotations in the log of a GitHub action |
//!
//! All text of a program or path is made harmless: no control characters, no direction marks, and the format's own
//! syntax is escaped.

mod github;
mod json;
mod sarif;
mod text;

pub use github::github;
pub use json::json;
pub use sarif::sarif;
pub use text::{TextStyle, text};

use super::Source;

/// A checked program beside its source.
pub type Pair<'c> = (&'c Source, &'c super::Checked);

/// Text on one line, with escapes for characters that could control a terminal or reorder text.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if hides(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether a character controls, joins, hides or reorders its surroundings.
pub fn hides(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Characters of a line shown around a place.
const WINDOW: usize = 160;

/// The part of a line around a column (in characters, 1-based), with `…` for omitted text on either side, and
/// the column of the place in it.
pub fn window(line: &str, column: usize) -> (String, usize) {
    let count = line.chars().count();
    let from = match count > WINDOW {
        true => column.saturating_sub(WINDOW / 2).min(count - WINDOW),
        false => 0,
    };
    let mut shown: String = line.chars().skip(from).take(WINDOW).collect();
    if from + WINDOW < count {
        shown.push('…');
    }
    if from > 0 {
        shown.insert(0, '…');
    }
    (shown, column - from + usize::from(from > 0))
}

/// `87 %`; never 100 % unless it is certain.
pub fn percent(probability: f64) -> String {
    let shown = match (100.0 * probability).round() {
        whole if whole >= 100.0 && probability < 1.0 => 99.0,
        whole => whole,
    };
    format!("{shown:.0} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_drives_a_terminal_and_nothing_is_surer_than_it_is() {
        assert_eq!(
            visible("a\u{1b}[31m\u{202e}é\n"),
            "a\\u{1b}[31m\\u{202e}é\\u{a}"
        );
        assert_eq!(
            (percent(0.9999).as_str(), percent(1.0).as_str()),
            ("99 %", "100 %")
        );
        assert_eq!(percent(0.505), "51 %");
    }

    #[test]
    fn long_lines_are_shown_around_the_place() {
        assert_eq!(window("x = = 1", 5), ("x = = 1".to_owned(), 5));
        let line = format!("{}?{}", "a".repeat(1000), "b".repeat(1000));
        for place in [1, 81, 1001, 2001] {
            let (shown, column) = window(&line, place);
            let of = |text: &str, at: usize| text.chars().nth(at - 1);
            assert!(shown.chars().count() <= WINDOW + 2);
            assert_eq!(of(&shown, column), of(&line, place), "{place}");
        }
        let (shown, column) = window(&line, 2002);
        assert_eq!(column, shown.chars().count() + 1);
    }
}
