//! A checker's own contribution to the page of a program, beside its findings and notes.

use super::ipa::HeatMap;

/// A part of the page.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its heading, as plain text.
    pub title: String,
    /// Its contents.
    pub map: HeatMap,
}
