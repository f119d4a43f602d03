//! A literal becomes another of its type.
//!
//! **Why:** most programs differ in constants; every value that depends on one changes.
//!
//! **Sites:** numbers and strings. A number x becomes a sample of the normal distribution with mean x
//! and variance 100 (paper, Appendix A): an int stays an int in its base, a float keeps its decimals,
//! an imaginary part its `j`. A string gains one or two random letters at its end or loses its last
//! character; escapes, `{{`, the fields of f-strings, prefixes and quotes stay whole. A sign before a
//! number belongs to it: `-1` → `-7` or `6`. A negative number gets brackets where it would bind
//! differently: `2 ** n` → `(-7) ** n`.
//!
//! **Declined:** docstrings and other strings that are statements, annotations, `case` patterns, what
//! `**` unpacks, format specifications, `"__main__"`; numbers beyond 10³⁰, or 10¹⁵ for floats, where
//! the change would be negligible.
//!
//! ```
//! # use codexec_mutate::Mutator;
//! let mutant = Mutator::default().apply("x = 0x10  # sixteen\n", &[("CRP", 0, 0)])?;
//! assert_eq!(mutant.text, "x = 0x1a  # sixteen\n");
//! let mutant = Mutator::default().apply("s = f'{x} is\\n'\n", &[("CRP", 0, 3)])?;
//! assert_eq!(mutant.text, "s = f'{x} is'\n");
//! # Ok::<(), codexec_mutate::MutateError>(())
//! ```

use std::ops::Range;

use tree_sitter::Node;

use crate::edit::is_word;
use crate::{Binding, Change, Draw, Level, Operator, Place, Rewrite, Site};

/// The operator's row.
pub const OPERATOR: Operator = Operator {
    code: "CRP",
    name: "constant replacement",
    source: include_str!("crp.rs"),
    find,
    edit,
};

/// Standard deviation of the draw that replaces a number.
const SPREAD: f64 = 10.0;
/// How often a draw that prints as the old number is made again.
const REDRAWS: usize = 16;

/// A number.
const NUMBER: u8 = 0;
/// A string.
const STRING: u8 = 1;
/// A number with the sign before it.
const SIGNED: u8 = 2;

fn find(place: &Place<'_, '_>) -> Vec<Site> {
    if place.inside.unpacked || place.inside.format {
        return Vec::new();
    }
    let range = place.node.byte_range();
    let (slots, form) = match place.kind {
        "integer" | "float" if place.above.last().is_some_and(|a| is_signed(a.node)) => {
            return Vec::new();
        }
        "integer" | "float" if Number::read(place.text(place.node)).is_some() => {
            (vec![range.clone()], NUMBER)
        }
        "unary_operator"
            if is_signed(place.node) && Number::signed(place.text(place.node)).is_some() =>
        {
            (vec![range.clone()], SIGNED)
        }
        "string" if !declined(place) => match ends(place) {
            Some(slots) => (slots, STRING),
            None => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    vec![Site {
        range,
        slots,
        form,
        // Another operator takes the sign away.
        alone: form == SIGNED,
        ..Site::default()
    }]
}

/// Whether a node is a number with a sign before it.
fn is_signed(node: Node<'_>) -> bool {
    let kind = |field| node.child_by_field_name(field).map(|n| n.kind());
    matches!(kind("operator"), Some("+" | "-"))
        && matches!(kind("argument"), Some("integer" | "float"))
}

fn declined(place: &Place<'_, '_>) -> bool {
    let mut above = place.above.iter().rev().map(|a| a.kind);
    let statement = match above.next() {
        Some("concatenated_string") => above.next() == Some("expression_statement"),
        parent => parent == Some("expression_statement"),
    };
    statement || place.text(place.node).contains("__main__")
}

/// Where letters can be added, and the last character, if it can go.
fn ends(place: &Place<'_, '_>) -> Option<Vec<Range<usize>>> {
    let mut parts = Vec::new();
    parts.extend(place.node.children(&mut place.node.walk()));
    let (open, close) = (parts.first()?, parts.last()?);
    if open.kind() != "string_start" || close.kind() != "string_end" {
        return None;
    }
    let end = close.start_byte();
    let mut slots = Vec::new();
    let content = parts.iter().rev().find(|p| p.kind() == "string_content");
    if let Some(unit) = content.and_then(|c| last_unit(*c, place.source)) {
        let emptied = parts.len() == 3 && unit.start == open.end_byte();
        if quotes_stay(place, close, &unit, emptied) {
            slots.push(unit);
        }
    }
    slots.push(end..end);
    Some(slots)
}

/// The last character of a string's content, or the whole escape that it belongs to.
fn last_unit(content: Node<'_>, source: &str) -> Option<Range<usize>> {
    let (start, end) = (content.start_byte(), content.end_byte());
    let text = &source[start..end];
    let last_child = content
        .child_count()
        .checked_sub(1)
        .and_then(|n| content.child(n as u32));
    if let Some(escape) = last_child.filter(|c| c.end_byte() == end) {
        return Some(escape.byte_range());
    }
    let mut size = text.chars().next_back()?.len_utf8();
    if text.ends_with("\r\n") || text.ends_with("{{") || text.ends_with("}}") {
        size = 2;
    }
    // in a raw string, or before a letter that makes no escape, a backslash goes with what follows
    let before = text[..text.len() - size]
        .bytes()
        .rev()
        .take_while(|b| *b == b'\\')
        .count();
    Some(end - size - before % 2..end)
}

/// Whether the quotes still delimit the string when `unit` is gone.
fn quotes_stay(
    place: &Place<'_, '_>,
    close: &Node<'_>,
    unit: &Range<usize>,
    emptied: bool,
) -> bool {
    let quotes = place.text(*close);
    let quote = quotes.chars().next().unwrap_or('"');
    let triple = quotes.len() == 3;
    // `"""a"b"""` must not end in four quotes, nor `"a""b"` become `"""b"`
    let before = place.source[..unit.start].ends_with(quote) && !emptied;
    let after = place.source[place.node.end_byte()..].starts_with(quote);
    !(triple && before || emptied && !triple && after)
}

fn edit(site: &Site, source: &str, draw: &mut Draw) -> Option<Rewrite> {
    if site.form != STRING {
        return number(site, source, draw);
    }
    let (end, unit) = (site.slots.last()?.clone(), site.slots.first()?.clone());
    if !unit.is_empty() && draw.chance(0.5) {
        return Rewrite::plain([Change::replace(unit, "")]);
    }
    let letters: String = (0..=draw.below(2)).map(|_| draw.letter()).collect();
    Rewrite::plain([Change::replace(end, letters)])
}

fn number(site: &Site, source: &str, draw: &mut Draw) -> Option<Rewrite> {
    let slot = site.slots.first()?.clone();
    let old = match site.form {
        SIGNED => Number::signed(&source[slot.clone()])?,
        _ => Number::read(&source[slot.clone()])?,
    };
    let was = old.print(0.0);
    let drawn = |_| Some(old.print(SPREAD * draw.normal())).filter(|text| *text != was);
    let mut text = (0..REDRAWS).find_map(drawn)?;
    let negative = text.starts_with('-');
    // `else.5` and `1if` have no blanks to keep them from other words, nor `n-1` from another sign
    let before = source[..slot.start].chars().next_back();
    let touches = match negative {
        true => matches!(before, Some('-' | '+')),
        false => before.is_some_and(is_word),
    };
    if touches {
        text.insert(0, ' ');
    }
    if source[slot.end..].chars().next().is_some_and(is_word) {
        text.push(' ');
    }
    let binding = Some(Binding::As(match negative {
        true => Level::Unary,
        false => Level::Atom,
    }));
    Some(Rewrite {
        changes: vec![Change::replace(slot, text)],
        binding,
    })
}

/// A numeric literal: what a draw must keep of it.
struct Number {
    value: Value,
    /// `j` of an imaginary number.
    suffix: &'static str,
}

enum Value {
    Int { value: i128, base: u32 },
    Float { value: f64, decimals: usize },
}

impl Number {
    fn read(text: &str) -> Option<Self> {
        let text = text.replace('_', "").to_ascii_lowercase();
        let base = match text.get(..2) {
            Some("0x") => 16,
            Some("0o") => 8,
            Some("0b") => 2,
            _ => 10,
        };
        if base != 10 {
            let value = i128::from_str_radix(&text[2..], base)
                .ok()
                .filter(|v| *v < 10i128.pow(30))?;
            return Some(Self {
                value: Value::Int { value, base },
                suffix: "",
            });
        }
        let (digits, suffix) = text
            .strip_suffix('j')
            .map_or((text.as_str(), ""), |d| (d, "j"));
        if digits.bytes().all(|b| b.is_ascii_digit()) {
            let value = digits.parse().ok().filter(|v| *v < 10i128.pow(30))?;
            return Some(Self {
                value: Value::Int { value, base },
                suffix,
            });
        }
        let value: f64 = digits.parse().ok().filter(|v: &f64| *v < 1e15)?;
        let mantissa = digits.split('e').next()?;
        let decimals = mantissa
            .split_once('.')
            .map_or(1, |(_, d)| d.len().clamp(1, 6));
        Some(Self {
            value: Value::Float { value, decimals },
            suffix,
        })
    }

    /// A literal with a sign before it.
    fn signed(text: &str) -> Option<Self> {
        let mut number = Self::read(text.trim_start_matches(['-', '+', ' ', '\t']))?;
        if text.starts_with('-') {
            match &mut number.value {
                Value::Int { value, .. } => *value = -*value,
                Value::Float { value, .. } => *value = -*value,
            }
        }
        Some(number)
    }

    /// The literal of the number that is `by` more.
    fn print(&self, by: f64) -> String {
        let text = match self.value {
            Value::Int { value, base } => {
                let new = value + by.round() as i128;
                let (sign, size) = (if new < 0 { "-" } else { "" }, new.unsigned_abs());
                match base {
                    16 => format!("{sign}{size:#x}"),
                    8 => format!("{sign}{size:#o}"),
                    2 => format!("{sign}{size:#b}"),
                    _ => format!("{sign}{size}"),
                }
            }
            Value::Float { value, decimals } => {
                let text = format!("{:.decimals$}", value + by);
                let zero = text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.'));
                if zero { text.replace('-', "") } else { text }
            }
        };
        text + self.suffix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_kind() {
        let print = |text: &str, by: f64| Number::read(text).map(|n| n.print(by));
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(print("1_000", 1.4), some("1001"));
        assert_eq!(print("0XFF", -256.0), some("-0x1"));
        assert_eq!(print("2.50", 1.0), some("3.50"));
        assert_eq!(print("1e3", 0.25), some("1000.2"));
        assert_eq!(print("0.0", -0.01), some("0.0"));
        assert_eq!(print("3J", 4.0), some("7j"));
        let signed = |text: &str, by: f64| Number::signed(text).map(|n| n.print(by));
        assert_eq!(signed("-1", -6.0), some("-7"));
        assert_eq!(signed("- 0x1", 7.0), some("0x6"));
        assert_eq!(signed("+1.5", -2.0), some("-0.5"));
        assert_eq!(print("10L", 0.0), None);
        assert_eq!(print(&"9".repeat(40), 0.0), None);
    }
}
