//! Balances training records that raise with records that do not, and counts them by kind and origin.
//!
//! All natural errors are kept. Among raising mutants, rare kinds are kept first. Half of the records that do not raise
//! are edited programs, or programs with the input of another problem, if there are enough, so that an edit alone is no
//! evidence.

use std::collections::BTreeMap;

use serde::Serialize;
use twox_hash::XxHash64;

use super::kinds::NO_ERROR;
use super::record::{ErrorOrigin, ErrorRecord};
use crate::records::Part;

/// The records of train and valid, balanced; those of test unchanged. The order is preserved.
pub(super) fn balance(records: Vec<ErrorRecord>, seed: u64) -> Vec<ErrorRecord> {
    let mut keep = vec![false; records.len()];
    for part in Part::ALL {
        let of_part = || (0..records.len()).filter(|at| records[*at].split == part);
        if part == Part::Test {
            of_part().for_each(|at| keep[at] = true);
            continue;
        }
        let (raising, clean): (Vec<usize>, Vec<usize>) =
            of_part().partition(|at| records[*at].error.is_some());
        let count = raising.len().min(clean.len());
        for at in first_raising(&records, raising, count, seed) {
            keep[at] = true;
        }
        for at in first_clean(&records, clean, count, seed) {
            keep[at] = true;
        }
    }
    let kept = records.into_iter().zip(keep).filter(|(_, keep)| *keep);
    kept.map(|(record, _)| record).collect()
}

fn hash(record: &ErrorRecord, seed: u64) -> u64 {
    XxHash64::oneshot(seed, record.id.as_bytes())
}

/// Natural errors, then mutants: the first of each kind, the second of each, and so on.
fn first_raising(
    records: &[ErrorRecord],
    mut all: Vec<usize>,
    count: usize,
    seed: u64,
) -> Vec<usize> {
    all.sort_by_key(|at| hash(&records[*at], seed));
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ranked: Vec<(bool, usize, usize)> = all
        .into_iter()
        .map(|at| {
            let rank = seen.entry(kind(&records[at])).or_default();
            *rank += 1;
            (records[at].origin != ErrorOrigin::Natural, *rank, at)
        })
        .collect();
    ranked.sort();
    ranked.into_iter().take(count).map(|(.., at)| at).collect()
}

/// Half of them edited or with another problem's input, as far as available.
fn first_clean(
    records: &[ErrorRecord],
    mut all: Vec<usize>,
    count: usize,
    seed: u64,
) -> Vec<usize> {
    all.sort_by_key(|at| hash(&records[*at], seed));
    let (edited, plain): (Vec<usize>, Vec<usize>) = all
        .into_iter()
        .partition(|at| records[*at].origin != ErrorOrigin::Clean);
    let of_edited = (count / 2).max(count.saturating_sub(plain.len()));
    let of_edited = of_edited.min(edited.len());
    let plain = plain.into_iter().take(count - of_edited);
    edited.into_iter().take(of_edited).chain(plain).collect()
}

fn kind(record: &ErrorRecord) -> &str {
    record.error.as_deref().unwrap_or(NO_ERROR)
}

/// Records of one kind in one part.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ErrorCounts {
    /// As found, and raising.
    pub natural: u64,
    /// Edited.
    pub mutant: u64,
    /// As found, and not raising.
    pub clean: u64,
    /// As found, with the input of another problem.
    pub input: u64,
}

/// Number of records of each kind, by part; records without an error have the kind [`NO_ERROR`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counted(pub BTreeMap<&'static str, BTreeMap<String, ErrorCounts>>);

impl Counted {
    /// Counts records.
    pub fn of(records: &[ErrorRecord]) -> Self {
        let mut counted = Self::default();
        for record in records {
            let part = counted.0.entry(record.split.name()).or_default();
            let counts = part.entry(kind(record).to_owned()).or_default();
            match record.origin {
                ErrorOrigin::Natural => counts.natural += 1,
                ErrorOrigin::Mutant => counts.mutant += 1,
                ErrorOrigin::Clean => counts.clean += 1,
                ErrorOrigin::Input => counts.input += 1,
            }
        }
        counted
    }

    /// Of one kind in one part.
    pub fn get(&self, part: Part, kind: &str) -> ErrorCounts {
        let part = self.0.get(part.name());
        part.and_then(|kinds| kinds.get(kind))
            .cloned()
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: usize, error: Option<&str>, origin: ErrorOrigin, split: Part) -> ErrorRecord {
        ErrorRecord {
            id: id.to_string(),
            problem: None,
            code: String::new(),
            stdin: None,
            description: None,
            input_summary: None,
            error: error.map(str::to_owned),
            error_line: None,
            origin,
            operators: Vec::new(),
            source: String::new(),
            licence: String::new(),
            split,
        }
    }

    #[test]
    fn half_raise_natural_errors_stay_and_rare_kinds_come_first() {
        use ErrorOrigin::{Clean, Mutant, Natural};
        let mut all = Vec::new();
        let mut add = |count: usize, error: Option<&str>, origin, part| {
            for _ in 0..count {
                all.push(record(all.len(), error, origin, part));
            }
        };
        add(40, Some("NameError"), Mutant, Part::Train);
        add(3, Some("KeyError"), Mutant, Part::Train);
        add(5, Some("NameError"), Natural, Part::Train);
        add(6, None, Clean, Part::Train);
        add(14, None, Mutant, Part::Train);
        add(2, Some("NameError"), Natural, Part::Test);
        add(9, None, Clean, Part::Test);
        let kept = balance(all.clone(), 0);
        let counted = Counted::of(&kept);
        let train = |kind: &str| counted.get(Part::Train, kind);
        assert_eq!(train("KeyError").mutant, 3);
        assert_eq!(
            (train("NameError").natural, train("NameError").mutant),
            (5, 12)
        );
        assert_eq!((train(NO_ERROR).clean, train(NO_ERROR).mutant), (6, 14));
        assert_eq!(counted.get(Part::Test, "NameError").natural, 2);
        assert_eq!(counted.get(Part::Test, NO_ERROR).clean, 9);
        assert!(
            kept.iter()
                .map(|r| r.id.parse::<usize>().unwrap())
                .is_sorted()
        );
        assert_eq!(balance(all.clone(), 0), kept);
    }

    #[test]
    fn half_of_what_does_not_raise_is_edited() {
        use ErrorOrigin::{Clean, Mutant};
        let mut all: Vec<ErrorRecord> = (0..10)
            .map(|k| record(k, Some("TypeError"), Mutant, Part::Valid))
            .collect();
        all.extend((10..40).map(|k| {
            let origin = if k % 2 == 0 { Clean } else { Mutant };
            record(k, None, origin, Part::Valid)
        }));
        let counted = Counted::of(&balance(all, 3));
        let clean = counted.get(Part::Valid, NO_ERROR);
        assert_eq!((clean.clean, clean.mutant), (5, 5));
    }
}
