//! What a checker adds to the page of a program, beside its findings and its notes.

use super::formats::hides;

/// A part of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its heading, as plain text.
    pub title: String,
    /// Its picture, as SVG: whoever makes it escapes what it quotes, by [`escape`].
    pub body: String,
}

/// Text as HTML or SVG: nothing in it is read as markup, in an element or in a quoted attribute, and nothing is hidden.
///
/// ```
/// assert_eq!(codexec_check::explain::escape("a < 'b'\u{202e}"), "a &lt; &#39;b&#39;\\u{202e}");
/// ```
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(c),
            c if hides(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}
