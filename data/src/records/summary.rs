//! Summarises a file of records: counts and lengths, in memory that does not grow with it.

use std::collections::{BTreeMap, HashSet};

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use twox_hash::XxHash64;

use super::Record;

/// How often each value was seen.
pub type Counts = BTreeMap<String, u64>;

/// Counts and lengths of records.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Summary {
    /// Number of records.
    pub records: u64,
    /// Records by task.
    pub kinds: Counts,
    /// Records by how their program ended.
    pub outcomes: Counts,
    /// Different problems.
    pub problems: Distinct,
    /// Different parent programs.
    pub parents: Distinct,
    /// Edits by operator.
    pub operators: Counts,
    /// Records that are not mutants.
    pub unmutated: u64,
    /// Records by where their parent was found.
    pub sources: Counts,
    /// Records by licence.
    pub licences: Counts,
    /// Words of the program.
    pub code_tokens: Lengths,
    /// Words of the trace.
    pub trace_tokens: Lengths,
    /// Steps of the trace.
    pub steps: Lengths,
}

/// A count of distinct texts, by their hashes.
#[derive(Debug, Clone, Default)]
pub struct Distinct(HashSet<u64>);

/// Lengths and their counts.
#[derive(Debug, Clone, Default)]
pub struct Lengths(BTreeMap<u64, u64>);

/// A bar of a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bar {
    /// Shortest length in it.
    pub from: u64,
    /// Longest length in it.
    pub to: u64,
    /// Number of records with such a length.
    pub count: u64,
}

impl Summary {
    /// Counts a record in.
    pub fn add(&mut self, record: &Record) {
        self.records += 1;
        count(&mut self.kinds, record.kind.name());
        count(&mut self.outcomes, &record.outcome);
        self.problems.add(record.problem.as_deref());
        self.parents.add(record.parent.as_deref());
        for operator in &record.operators {
            count(&mut self.operators, operator);
        }
        self.unmutated += u64::from(record.operators.is_empty());
        count(
            &mut self.sources,
            record.source.as_deref().unwrap_or(UNKNOWN),
        );
        count(
            &mut self.licences,
            record.licence.as_deref().unwrap_or(UNKNOWN),
        );
        self.code_tokens.add(words(&record.code_tokens).count());
        self.trace_tokens.add(words(&record.trace_tokens).count());
        // Both forms begin a step with this word.
        self.steps.add(
            words(&record.trace_tokens)
                .filter(|w| *w == "<line>")
                .count(),
        );
    }
}

/// Placeholder for a missing source or licence.
pub(super) const UNKNOWN: &str = "not said";

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_ascii_whitespace()
}

fn count(counts: &mut Counts, value: &str) {
    match counts.get_mut(value) {
        Some(count) => *count += 1,
        None => drop(counts.insert(value.to_owned(), 1)),
    }
}

impl Distinct {
    fn add(&mut self, text: Option<&str>) {
        self.0
            .extend(text.map(|t| XxHash64::oneshot(0, t.as_bytes())));
    }

    /// Number of distinct ones.
    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }
}

impl Serialize for Distinct {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.count())
    }
}

impl Lengths {
    fn add(&mut self, length: usize) {
        *self.0.entry(length as u64).or_default() += 1;
    }

    /// Their number.
    pub fn count(&self) -> u64 {
        self.0.values().sum()
    }

    /// Their mean; 0 of none.
    pub fn mean(&self) -> f64 {
        let sum: u64 = self.0.iter().map(|(length, count)| length * count).sum();
        sum as f64 / self.count().max(1) as f64
    }

    /// The quantile of the lengths for this share, in 0..=1; 0 without any.
    pub fn quantile(&self, share: f64) -> u64 {
        let wanted = (share * self.count() as f64).ceil() as u64;
        let mut seen = 0;
        for (length, count) in &self.0 {
            seen += count;
            if seen >= wanted {
                return *length;
            }
        }
        0
    }

    /// Bars from the shortest to the longest. Bounds double from bar to bar, with one between: 1,
    /// 2, 3, 4, 6, 8, 12, 16, 24, …
    pub fn histogram(&self) -> Vec<Bar> {
        let (Some((&shortest, _)), Some((&longest, _))) =
            (self.0.first_key_value(), self.0.last_key_value())
        else {
            return Vec::new();
        };
        let mut bars: Vec<Bar> = Vec::new();
        let (mut from, mut next) = (0, 1);
        while from <= longest {
            let to = next - 1;
            if to >= shortest {
                let count = self.0.range(from..=to).map(|(_, count)| count).sum();
                bars.push(Bar { from, to, count });
            }
            // 2^k is followed by 3 * 2^(k-1), that by 2^(k+1).
            from = next;
            next = if from < 2 {
                from + 1
            } else if from.is_power_of_two() {
                from + from / 2
            } else {
                from / 3 * 4
            };
        }
        bars
    }
}

impl Serialize for Lengths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Lengths", 6)?;
        fields.serialize_field("min", &self.quantile(0.0))?;
        fields.serialize_field("mean", &self.mean())?;
        fields.serialize_field("median", &self.quantile(0.5))?;
        fields.serialize_field("p90", &self.quantile(0.9))?;
        fields.serialize_field("max", &self.quantile(1.0))?;
        fields.serialize_field("histogram", &self.histogram())?;
        fields.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_cover_every_length_once() {
        let mut lengths = Lengths::default();
        assert!(lengths.histogram().is_empty());
        for length in 0..1000 {
            lengths.add(length);
        }
        let bars = lengths.histogram();
        assert_eq!(bars.iter().map(|b| b.count).sum::<u64>(), 1000);
        assert!(bars.windows(2).all(|b| b[0].to + 1 == b[1].from));
        let starts: Vec<u64> = bars.iter().map(|b| b.from).take(10).collect();
        assert_eq!(starts, [0, 1, 2, 3, 4, 6, 8, 12, 16, 24]);
        assert_eq!(bars.last().map(|b| (b.from, b.to)), Some((768, 1023)));
    }

    #[test]
    fn quantiles_are_lengths_that_were_seen() {
        let mut lengths = Lengths::default();
        for length in [7, 3, 3, 100] {
            lengths.add(length);
        }
        let at = [0.0, 0.5, 0.75, 0.9, 1.0].map(|share| lengths.quantile(share));
        assert_eq!(at, [3, 3, 7, 100, 100]);
        assert!((lengths.mean() - 28.25).abs() < 1e-9);
    }
}
