//! Scores by a property of examples or steps: sums of shares per row.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::statistics::share::Share;

/// A table of scores by some property.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Breakdown {
    /// The property.
    pub by: String,
    /// The scores.
    pub columns: Vec<String>,
    /// One row per value, or range of values, of the property.
    pub rows: Vec<BreakdownRow>,
}

/// A row of a [`Breakdown`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BreakdownRow {
    /// Value or range.
    pub name: String,
    /// Examples, or steps, that have it.
    pub count: usize,
    /// Their sums, one per column.
    pub shares: Vec<Share>,
}

impl Breakdown {
    /// A table without rows.
    pub fn new(by: &str, columns: &[&str]) -> Self {
        Self {
            by: by.to_owned(),
            columns: columns.iter().map(|c| (*c).to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row: the sum of its parts.
    pub fn push<S: AsRef<[Share]>>(
        &mut self,
        name: impl Into<String>,
        parts: impl IntoIterator<Item = S>,
    ) {
        let mut row = BreakdownRow {
            name: name.into(),
            count: 0,
            shares: vec![Share::default(); self.columns.len()],
        };
        for part in parts {
            row.count += 1;
            for (sum, share) in row.shares.iter_mut().zip(part.as_ref()) {
                *sum += *share;
            }
        }
        self.rows.push(row);
    }

    /// Adds a row for each range: the examples whose number it contains.
    pub fn push_ranges(&mut self, ranges: &[Range], numbers: &[usize], shares: &[Vec<Share>]) {
        for range in ranges {
            let examples = numbers.iter().zip(shares);
            let here = examples.filter(|(number, _)| range.holds(**number));
            self.push(range.to_string(), here.map(|(_, shares)| shares));
        }
    }
}

/// From and to, both included; `usize::MAX` means no upper bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range(pub usize, pub usize);

impl Range {
    /// Whether a number is in it.
    pub fn holds(self, number: usize) -> bool {
        (self.0..=self.1).contains(&number)
    }
}

/// Lines of programs, or steps of traces.
pub const SIZES: [Range; 6] = [
    Range(1, 5),
    Range(6, 10),
    Range(11, 20),
    Range(21, 50),
    Range(51, 100),
    Range(101, usize::MAX),
];

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self(from, to) if from == to => write!(f, "{from}"),
            Self(from, usize::MAX) => write!(f, "from {from}"),
            Self(from, to) => write!(f, "{from} to {to}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_fall_into_their_ranges() {
        let mut table = Breakdown::new("lines", &["exact"]);
        let shares = [true, false, true].map(|right| vec![Share::of_bool(right)]);
        table.push_ranges(&SIZES, &[5, 6, 400], &shares);
        let rows: Vec<(&str, usize, Option<f64>)> = table
            .rows
            .iter()
            .map(|r| (r.name.as_str(), r.count, r.shares[0].value()))
            .collect();
        assert_eq!(rows[0], ("1 to 5", 1, Some(1.0)));
        assert_eq!(rows[1], ("6 to 10", 1, Some(0.0)));
        assert_eq!(rows[2], ("11 to 20", 0, None));
        assert_eq!(rows[5], ("from 101", 1, Some(1.0)));
    }
}
