//! What a checker adds to the page of a program, beside its findings and its notes.

/// A part of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its heading, as plain text.
    pub title: String,
    /// Its picture, as SVG: whoever makes it escapes what it quotes.
    pub body: String,
}
