//! A place and the surrounding code as the words that the neural predictor reads (the paper's
//! Definition 3.2: name, kind, code before, mask, code after).
//!
//! An identifier is one word, a line break is `<line>`, and every other character except blanks is
//! a word. Nothing is parsed, so the code may begin and end anywhere.

use super::Query;
use super::events::CONTEXT;
use crate::analysis::Kind;

/// The words of a place, joined by blanks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The kind and the name.
    pub place: String,
    /// The code before it.
    pub before: String,
    /// The code after it.
    pub after: String,
}

impl Excerpt {
    /// Builds the excerpt of a query, with only the nearby code.
    pub fn of(query: &Query<'_>) -> Self {
        Self::new(query.name, query.kind, query.before, query.after)
    }

    /// Builds the excerpt of a name, its kind and the surrounding code.
    pub fn new(name: &str, kind: Kind, before: &str, after: &str) -> Self {
        Self {
            place: format!("{} {}", kind.as_str(), words(name)),
            before: words(last_characters(before)),
            after: words(first_characters(after)),
        }
    }
}

pub(super) fn last_characters(text: &str) -> &str {
    let start = text.char_indices().rev().nth(CONTEXT - 1);
    &text[start.map_or(0, |(at, _)| at)..]
}

pub(super) fn first_characters(text: &str) -> &str {
    let end = text.char_indices().nth(CONTEXT);
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

fn words(text: &str) -> String {
    let mut words = String::with_capacity(2 * text.len());
    let mut is_in_name = false;
    for c in text.chars() {
        let is_of_name = c.is_alphanumeric() || c == '_';
        let begins = !(is_of_name && is_in_name) && (c == '\n' || !c.is_whitespace());
        if begins && !words.is_empty() {
            words.push(' ');
        }
        if c == '\n' {
            words.push_str("<line>");
        } else if !c.is_whitespace() {
            words.push(c);
        }
        is_in_name = is_of_name;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_and_only_what_is_near_is_read() {
        let excerpt = Excerpt::new(
            "load_items",
            Kind::Call,
            "import x\n\nfor é1 in ",
            "(<line>, 12.5)\n    pass",
        );
        assert_eq!(excerpt.place, "call load_items");
        assert_eq!(excerpt.before, "import x <line> <line> for é1 in");
        assert_eq!(excerpt.after, "( < line > , 12 . 5 ) <line> pass");
        let long = "é".repeat(1000);
        let excerpt = Excerpt::new("x", Kind::Name, &long, &long);
        assert_eq!(excerpt.before, "é".repeat(CONTEXT));
        assert_eq!(excerpt.after, excerpt.before);
        assert_eq!(Excerpt::new("", Kind::Name, "", "").before, "");
    }
}
