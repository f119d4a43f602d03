//! An edit: adjacent and nested replacements and insertions of bytes.
//!
//! An edit of one operator may write in several places (`reversed(` before an expression, `)` after
//! it) with other edits between them. Nothing here decides which edits are made.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

/// One application of an operator; [`crate::Mutator::apply`] replays it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Code of the operator.
    pub operator: &'static str,
    /// Which of the operator's sites in the parent, counted from 0 in source order.
    pub site: usize,
    /// Seed of its random draws.
    pub seed: u64,
    /// Bytes of the parent that the site is about.
    pub range: Range<usize>,
}

/// A range of the parent's bytes and its replacement in the mutant. An empty range is an insertion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Bytes of the parent.
    pub range: Range<usize>,
    /// The replacement.
    pub text: Cow<'static, str>,
    order: Order,
}

/// How changes that begin at the same byte are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    /// Ends what begins at the byte it holds: the inner end comes first.
    Close(Reverse<usize>),
    /// Begins what ends at the byte it holds: the outer beginning comes first.
    Open(Reverse<usize>),
    Replace,
}

impl Change {
    /// Replaces `range` by `text`.
    pub fn replace(range: Range<usize>, text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            range,
            text: text.into(),
            order: Order::Replace,
        }
    }

    /// Puts `text` before what begins at `span.start` and ends at `span.end`.
    pub fn before(span: &Range<usize>, text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            range: span.start..span.start,
            text: text.into(),
            order: Order::Open(Reverse(span.end)),
        }
    }

    /// Puts `text` at byte `at`, after what begins at `start`.
    pub fn after(start: usize, at: usize, text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            range: at..at,
            text: text.into(),
            order: Order::Close(Reverse(start)),
        }
    }

    /// Brackets around `span`.
    pub fn brackets(span: &Range<usize>) -> [Self; 2] {
        [
            Self::before(span, "("),
            Self::after(span.start, span.end, ")"),
        ]
    }
}

/// Ascending; at one byte, ends come first, then beginnings from the outside inwards.
pub(crate) fn sort(changes: &mut [Change]) {
    changes.sort_by_key(|c| (c.range.start, c.order));
}

/// Applies non-overlapping changes in the order of [`sort`].
pub(crate) fn write(source: &str, changes: &[Change]) -> String {
    let mut text = String::with_capacity(source.len() + 8 * changes.len());
    let mut at = 0;
    for change in changes {
        text.push_str(&source[at..change.range.start]);
        text.push_str(&change.text);
        at = change.range.end;
    }
    text.push_str(&source[at..]);
    text
}

/// The replacement for the bytes of `range` that keeps its neighbours two tokens: `return-x`
/// without its minus, `f'{-{1}}'` without its.
pub(crate) fn gap(source: &str, range: &Range<usize>) -> &'static str {
    let before = source[..range.start].chars().next_back();
    let after = source[range.end..].chars().next();
    let word = before.is_some_and(is_word);
    // the next token may be edited away as well, so a word before is reason enough
    let brace = before == Some('{') && !after.is_some_and(is_word);
    if word || brace { " " } else { "" }
}

/// Whether a character can be part of a name, a keyword or a number.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The end of `range` with the blanks after it.
pub(crate) fn with_blanks(source: &str, range: Range<usize>) -> Range<usize> {
    let blanks = source[range.end..]
        .bytes()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count();
    range.start..range.end + blanks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_at_one_byte_nest() {
        let source = "for x in a: b";
        let mut changes = vec![
            Change::after(0, 13, "; break"),
            Change::after(12, 13, ")"),
            Change::replace(12..13, "c"),
            Change::before(&(12..13), "("),
            Change::before(&(12..usize::MAX), "break; "),
        ];
        sort(&mut changes);
        assert_eq!(write(source, &changes), "for x in a: break; (c); break");
    }

    #[test]
    fn a_gap_keeps_words_apart() {
        assert_eq!(gap("return-x", &(6..7)), " ");
        assert_eq!(gap("(-x)", &(1..2)), "");
        assert_eq!(gap("f'{-{1}}'", &(3..4)), " ");
    }
}
