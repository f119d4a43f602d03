//! Figures of a page: sections of text, tables, bars and curves. Cells of tables may have bars with intervals.
//!
//! ```
//! use codexec_page::Page;
//! use codexec_page::report::{Bars, Cell, Part, Section, Table};
//!
//! let mut table = Table::new(["engine", "right"]);
//! table.push([Cell::text("plan"), Cell::share(0.75, Some((0.7, 0.8)))]);
//! let bars = Bars::new("Steps", "steps", [("1 to 9", 12), ("10 to 19", 3)]);
//! let section = Section::new("valid.jsonl", vec![Part::Table(table), Part::Bars(bars)]);
//! let html = Page::of_sections("Results", vec![section]).html().unwrap();
//! assert!(html.contains("json+gzip"));
//! ```

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// A part of a page with a heading.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// Its contents.
    pub parts: Vec<Part>,
}

/// The contents of a section.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Part {
    /// A paragraph.
    Text {
        /// Its text.
        text: String,
    },
    /// A table.
    Table(Table),
    /// Counts.
    Bars(Bars),
    /// Lines or dots over a number.
    Curves(Curves),
    /// A heat map: shares of rows at steps.
    Heat(Heat),
}

/// Rows of cells. A row may lead to an execution.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Table {
    /// Its name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Headings.
    pub columns: Vec<String>,
    /// Rows.
    pub rows: Vec<Row>,
}

/// A row of a [`Table`].
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Row {
    /// One for each column.
    pub cells: Vec<Cell>,
    /// Index of the execution in [`Page::tabs`](crate::Page::tabs) that it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tab: Option<usize>,
}

/// A cell of a [`Row`]; plain text is written as a text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// Whether it is a number, aligned to the right.
    pub is_number: bool,
    /// A bar, in 0..=1.
    pub share: Option<f64>,
    /// The interval of that.
    pub interval: Option<(f64, f64)>,
    /// Whether it is good or bad news.
    pub mark: Option<Mark>,
}

/// A cell's value is good or bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Good news, as `passed`.
    Good,
    /// Bad news, as `failed`.
    Bad,
}

/// Counts: a histogram, or counts of names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bars {
    /// Its name.
    pub title: String,
    /// The unit of the bars.
    pub of: String,
    /// Its description.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Whether they are neighbours on a scale, and not names.
    #[serde(rename = "histogram", skip_serializing_if = "std::ops::Not::not")]
    pub is_histogram: bool,
    /// Names and counts, in order.
    pub bars: Vec<(String, u64)>,
}

/// Lines or dots over a number.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Curves {
    /// Its name.
    pub title: String,
    /// Label of the horizontal axis.
    pub x: String,
    /// Label of the vertical axis, if the title does not name it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub y: String,
    /// Whether both axes go from 0 to 1 and the line on which they are equal is drawn.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_calibration: bool,
    /// The lines.
    pub series: Vec<Series>,
}

/// A line of [`Curves`].
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its position: to the right, upwards.
    pub points: Vec<(f64, f64)>,
    /// Description of each point.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A heat map: rows by columns, the darker the more.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Heat {
    /// Its name.
    pub title: String,
    /// Label of the columns, such as `step`.
    pub x: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<HeatRow>,
}

/// A row of a [`Heat`].
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct HeatRow {
    /// Its name.
    pub name: String,
    /// A share in 0..=1 for each column.
    pub shares: Vec<f32>,
    /// Whether it is good or bad news.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

impl Section {
    /// A section of these parts.
    pub fn new(title: impl Into<String>, parts: Vec<Part>) -> Self {
        Self {
            title: title.into(),
            parts,
        }
    }
}

impl Part {
    /// A paragraph.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }
}

impl Table {
    /// A table without rows.
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = S>) -> Self {
        Self {
            columns: columns.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }

    /// The same with a title.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Adds a row.
    pub fn push(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(Row {
            cells: cells.into_iter().collect(),
            tab: None,
        });
    }
}

impl Cell {
    /// Plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// A number.
    pub fn number(number: impl ToString) -> Self {
        Self {
            text: number.to_string(),
            is_number: true,
            ..Self::default()
        }
    }

    /// A share in 0..=1 in percent, with a bar and its interval.
    pub fn share(share: f64, interval: Option<(f64, f64)>) -> Self {
        Self {
            text: format!("{:.2}", 100.0 * share),
            is_number: true,
            share: Some(share),
            interval,
            mark: None,
        }
    }

    /// The same, as good or bad news.
    #[must_use]
    pub fn marked(mut self, is_good: bool) -> Self {
        self.mark = Some(if is_good { Mark::Good } else { Mark::Bad });
        self
    }
}

impl From<Table> for Part {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

impl From<Bars> for Part {
    fn from(bars: Bars) -> Self {
        Self::Bars(bars)
    }
}

impl From<Curves> for Part {
    fn from(curves: Curves) -> Self {
        Self::Curves(curves)
    }
}

impl From<Heat> for Part {
    fn from(heat: Heat) -> Self {
        Self::Heat(heat)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.is_number && self.share.is_none() && self.mark.is_none() {
            return self.text.serialize(serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("text", &self.text)?;
        if self.is_number {
            map.serialize_entry("number", &true)?;
        }
        if let Some(share) = self.share {
            map.serialize_entry("share", &share)?;
        }
        if let Some(interval) = self.interval {
            map.serialize_entry("interval", &interval)?;
        }
        if let Some(mark) = self.mark {
            map.serialize_entry("mark", &mark)?;
        }
        map.end()
    }
}

impl Bars {
    /// Bars of names and counts.
    pub fn new<S: Into<String>>(
        title: impl Into<String>,
        of: impl Into<String>,
        bars: impl IntoIterator<Item = (S, u64)>,
    ) -> Self {
        Self {
            title: title.into(),
            of: of.into(),
            note: String::new(),
            is_histogram: false,
            bars: bars.into_iter().map(|(name, n)| (name.into(), n)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_plain_cell_is_a_text_and_a_share_has_its_interval() {
        let mut table = Table::new(["a", "b", "c", "d"]).titled("t");
        table.push([
            Cell::text("x"),
            Cell::number(7),
            Cell::share(0.5, Some((0.25, 0.75))),
            Cell::text("passed").marked(true),
        ]);
        assert_eq!(
            serde_json::to_value(Part::Table(table)).unwrap(),
            json!({"kind": "table", "title": "t", "columns": ["a", "b", "c", "d"], "rows": [{"cells": [
                "x",
                {"text": "7", "number": true},
                {"text": "50.00", "number": true, "share": 0.5, "interval": [0.25, 0.75]},
                {"text": "passed", "mark": "good"},
            ]}]})
        );
    }
}
