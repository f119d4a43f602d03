//! What is known of the terminal that standard output may be.

use std::io::IsTerminal;

use super::view::ViewStyle;

/// How views look on standard output: in colour on a terminal, and as wide as it is.
pub(super) fn style() -> ViewStyle {
    ViewStyle {
        color: std::io::stdout().is_terminal(),
        width: width(),
        ..ViewStyle::default()
    }
}

/// Columns to write: what `COLUMNS` says, else those of the terminal, else those of a view by itself.
fn width() -> usize {
    let said = std::env::var("COLUMNS").ok();
    let said = said.and_then(|columns| columns.trim().parse().ok());
    let said = said.filter(|columns| *columns > 0);
    let asked = || terminal_size::terminal_size_of(std::io::stdout());
    let asked = || asked().map(|(columns, _)| usize::from(columns.0));
    said.or_else(asked).unwrap_or(ViewStyle::default().width)
}
