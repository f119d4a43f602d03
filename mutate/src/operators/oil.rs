//! A loop runs once: its body ends with `break`.
//!
//! **Why:** one iteration, or none, as a loop written by mistake for an `if`.
//!
//! **Sites:** `for` and `while`. A body on the header's line gets `; break`.
//!
//! **Declined:** bodies that already end in a jump (`break`, `continue`, `return`, `raise`).
//!
//! ```
//! # use codexec_mutate::Mutator;
//! let mutant = Mutator::default().apply("while x:\n    x = f(x)  # on\n", &[("OIL", 0, 0)])?;
//! assert_eq!(mutant.text, "while x:\n    x = f(x)  # on\n    break\n");
//! # Ok::<(), codexec_mutate::MutateError>(())
//! ```

use super::loops::{self, body, indent, newline};
use crate::{Change, Draw, Operator, Place, Rewrite, Site};

/// The operator's row.
pub const OPERATOR: Operator = Operator {
    code: "OIL",
    name: "one iteration loop",
    source: include_str!("oil.rs"),
    find,
    edit,
};

const JUMPS: [&str; 4] = [
    "break_statement",
    "continue_statement",
    "return_statement",
    "raise_statement",
];

fn find(place: &Place<'_, '_>) -> Vec<Site> {
    let Some(body) = body(place).filter(|b| !JUMPS.contains(&b.last.kind())) else {
        return Vec::new();
    };
    let mut at = last_byte(place.source, body.last.byte_range());
    if !body.inline {
        // after a comment on the last line, and nothing else
        let rest = &place.source[at..];
        let line = rest.find(['\n', '\r']).map_or(rest, |n| &rest[..n]);
        let tail = line.trim_start_matches([' ', '\t', ';']);
        if !tail.is_empty() && !tail.starts_with('#') {
            return Vec::new();
        }
        at += line.len();
    }
    // the first slot shows whose indentation counts
    let first = body.first.start_byte();
    let shown = if body.inline { at..at } else { first..first };
    vec![loops::site(place, loops::OIL, vec![shown, at..at])]
}

/// Where a statement's text ends, without the blank lines that a block may hold at its end.
fn last_byte(source: &str, range: std::ops::Range<usize>) -> usize {
    range.start + source[range].trim_end().len()
}

fn edit(site: &Site, source: &str, _: &mut Draw) -> Option<Rewrite> {
    let [first, end] = site.slots.as_slice() else {
        return None;
    };
    let text = if first == end {
        "; break".to_owned()
    } else {
        format!(
            "{}{}break",
            newline(source, end.start),
            indent(source, first.start)
        )
    };
    Rewrite::plain([Change::after(site.range.start, end.start, text)])
}
