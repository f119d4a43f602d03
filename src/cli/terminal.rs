//! Properties of the terminal, if standard output is one.

use std::io::IsTerminal;

use super::view::ViewStyle;

/// Style of views on standard output: coloured on a terminal, and as wide as the terminal.
pub(super) fn style() -> ViewStyle {
    ViewStyle {
        color: std::io::stdout().is_terminal(),
        width: width(),
        ..ViewStyle::default()
    }
}

/// Width in columns: `COLUMNS`, else the terminal's width, else the default of views.
fn width() -> usize {
    let said = std::env::var("COLUMNS").ok();
    let said = said.and_then(|columns| columns.trim().parse().ok());
    let said = said.filter(|columns| *columns > 0);
    let asked = || terminal_size::terminal_size_of(std::io::stdout());
    let asked = || asked().map(|(columns, _)| usize::from(columns.0));
    said.or_else(asked).unwrap_or(ViewStyle::default().width)
}
