//! What a checker adds to the page of a program, beside its findings and its notes.

use super::ipa::HeatMap;

/// A part of the page.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its heading, as plain text.
    pub title: String,
    /// What is drawn in it.
    pub map: HeatMap,
}
