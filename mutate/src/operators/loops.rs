//! How a loop's body is laid out: what the operators that write into it must know.
//!
//! It edits nothing.

use std::ops::Range;

use tree_sitter::Node;

use crate::{Group, Place, Site};

/// Forms of the loop operators, in the order in which one of them is drawn for a loop.
pub(super) const OIL: u8 = 0;
pub(super) const RIL: u8 = 1;
pub(super) const ZIL: u8 = 2;

/// The statements of a loop's body.
pub(super) struct Body<'t> {
    pub first: Node<'t>,
    pub last: Node<'t>,
    /// They stand on the line of the header.
    pub inline: bool,
}

/// The body, if the node is a loop that has one.
pub(super) fn body<'t>(place: &Place<'t, '_>) -> Option<Body<'t>> {
    let block = is_loop(place).then(|| place.field("body")).flatten()?;
    let mut statements = block.named_children(&mut block.walk()).collect::<Vec<_>>();
    statements.retain(|s| !s.is_extra());
    let (first, last) = (*statements.first()?, *statements.last()?);
    let colon = place.source[..first.start_byte()].rfind('\n').unwrap_or(0);
    let inline =
        colon <= place.node.start_byte() || !line_is_indent(place.source, first.start_byte());
    Some(Body {
        first,
        last,
        inline,
    })
}

/// Whether the node is a loop.
pub(super) fn is_loop(place: &Place<'_, '_>) -> bool {
    matches!(place.kind, "for_statement" | "while_statement")
}

/// Blanks from the start of its line to `at`.
pub(super) fn indent(source: &str, at: usize) -> &str {
    let start = source[..at].rfind(['\n', '\r']).map_or(0, |n| n + 1);
    &source[start..at]
}

fn line_is_indent(source: &str, at: usize) -> bool {
    indent(source, at)
        .bytes()
        .all(|b| matches!(b, b' ' | b'\t'))
}

/// The line end in use at `at`, where a line ends or the program does.
pub(super) fn newline(source: &str, at: usize) -> &'static str {
    let (crlf, lf) = ("\r\n", "\n");
    let here = &source[at..];
    let before = source[..at]
        .rfind('\n')
        .is_some_and(|n| source[..n].ends_with('\r'));
    if here.starts_with(crlf) || (here.is_empty() && before) {
        crlf
    } else {
        lf
    }
}

/// A site that writes into `slots` of this loop.
pub(super) fn site(place: &Place<'_, '_>, form: u8, slots: Vec<Range<usize>>) -> Site {
    let range = place.node.byte_range();
    Site {
        group: Some((Group::Loop, range.start)),
        range,
        slots,
        alone: false,
        form,
    }
}
