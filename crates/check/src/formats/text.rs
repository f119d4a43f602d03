//! Findings for people, as ruff and rustc show them:
//!
//! ```text
//! mean.py:2:7: ZeroDivisionError (98 %): division by zero
//!   |
//! 2 | print(sum(values) / len(values))
//!   |       ^^^^^^^^^^^^^^^^^^^^^^^^^ values = []
//! ```

use std::fmt::Write;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::{Pair, hides, percent, visible, window};
use crate::{Finding, Source, route};

/// How text looks.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextStyle {
    /// Whether to use colours.
    pub color: bool,
}

/// The findings and notes of all programs.
pub fn text(all: &[Pair<'_>], style: TextStyle) -> String {
    let renderer = match style.color {
        true => Renderer::styled(),
        false => Renderer::plain(),
    };
    let mut out = String::new();
    for (source, checked) in all {
        let path = visible(&source.path);
        for finding in &checked.findings {
            let place = format!("{path}:{}:{}", finding.line, finding.column);
            let sure = percent(finding.probability);
            let mut head = format!("{place}: {} ({sure})", visible(&finding.kind));
            if !finding.message.is_empty() {
                let _ = write!(head, ": {}", visible(&finding.message));
            }
            let _ = writeln!(out, "{head}");
            out.push_str(&snippet(source, finding, &renderer));
            if let Some(when) = &finding.when {
                let _ = writeln!(out, "  = {}", visible(when));
            }
            if let Some(route) = route::words(&finding.calls) {
                let _ = writeln!(out, "  = {}", visible(&route));
            }
            out.push('\n');
        }
        for note in &checked.notes {
            let line = note.line.map_or(String::new(), |line| format!(":{line}"));
            let _ = writeln!(out, "{path}{line}: note: {}", visible(&note.text));
        }
    }
    out
}

/// The line with its underlined part, and the values beside it.
fn snippet(source: &Source, finding: &Finding, renderer: &Renderer) -> String {
    let Some(line) = source.text.lines().nth(finding.line as usize - 1) else {
        return String::new();
    };
    // Characters that hide or reorder text take one column, so that the marks stay below their
    // targets.
    let plain = |c: char| match c {
        '\t' => ' ',
        c if hides(c) => '\u{fffd}',
        c => c,
    };
    let (shown, column) = window(line, finding.column as usize);
    let shown: String = shown.chars().map(plain).collect();
    let length = match finding.end_line == finding.line {
        true => finding.end_column.saturating_sub(finding.column) as usize,
        false => usize::MAX,
    };
    let range = bytes(&shown, column, column.saturating_add(length));
    let label = finding.values.as_deref().map(visible).unwrap_or_default();
    let annotation = AnnotationKind::Primary.span(range).label(label);
    let part = Snippet::source(shown.as_str())
        .line_start(finding.line as usize)
        .annotation(annotation);
    let group = annotate_snippets::Group::with_level(Level::ERROR).element(part);
    renderer.render(&[group]) + "\n"
}

/// Byte range of columns that are counted in characters, from 1; at least one character if there is
/// one.
fn bytes(text: &str, from: usize, to: usize) -> Range<usize> {
    let at = |column: usize| {
        let place = text.char_indices().nth(column.saturating_sub(1));
        place.map_or(text.len(), |(at, _)| at)
    };
    let (from, to) = (at(from), at(to));
    from..to.max(from)
}
