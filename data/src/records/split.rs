//! Records split into train, valid and test by problem: no problem has records in two of them.
//!
//! A hash of the record's group determines its part, and nothing else: neither the order nor the
//! other records. So shards of one build can be split one by one.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use twox_hash::XxHash64;

use super::{Format, Record, RecordReader, RecordWriter, record_files};
use crate::files::{Existing, Reservation, check_output, write_whole};
use crate::sources::{SourceError, io_error};

/// A part of a split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The training part.
    Train,
    /// The validation part.
    Valid,
    /// The test part.
    Test,
}

impl Part {
    /// The parts in order.
    pub const ALL: [Self; 3] = [Self::Train, Self::Valid, Self::Test];

    /// Its name, and that of its file without the ending.
    pub fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Valid => "valid",
            Self::Test => "test",
        }
    }
}

/// Settings of a split.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitConfig {
    /// Shares of the problems in train, valid and test, relative to their sum.
    pub fractions: [f64; 3],
    /// Seed of the hash, and thus of the split.
    pub seed: u64,
    /// Problems that go to test whatever their hash: whole ids, or without the part before the
    /// first colon (`p00002` for `c:p00002`).
    pub test_problems: HashSet<String>,
}

impl Default for SplitConfig {
    fn default() -> Self {
        Self {
            fractions: [90.0, 5.0, 5.0],
            seed: 0,
            test_problems: HashSet::new(),
        }
    }
}

impl SplitConfig {
    /// The part that a record belongs to.
    pub fn part(&self, record: &Record) -> Part {
        self.part_of(record.problem.as_deref(), group(record))
    }

    /// The part of a problem's records, or of those kept together by `group`.
    pub(crate) fn part_of(&self, problem: Option<&str>, group: &str) -> Part {
        if problem.is_some_and(|problem| self.forced(problem).is_some()) {
            return Part::Test;
        }
        let hash = XxHash64::oneshot(self.seed, problem.unwrap_or(group).as_bytes());
        // The upper 53 bits: as many as a float holds.
        let at = (hash >> 11) as f64 / (1_u64 << 53) as f64 * self.fractions.iter().sum::<f64>();
        let [train, valid, _] = self.fractions;
        match at {
            at if at < train => Part::Train,
            at if at < train + valid => Part::Valid,
            _ => Part::Test,
        }
    }

    /// The entry of the list that forces a problem into test.
    fn forced<'a>(&self, whole: &'a str) -> Option<&'a str> {
        let short = whole.split_once(':').map_or(whole, |(_, short)| short);
        [whole, short]
            .into_iter()
            .find(|p| self.test_problems.contains(*p))
    }
}

/// The unit that is kept together: its problem, else its parent program, else itself.
fn group(record: &Record) -> &str {
    let known = record.problem.as_deref().or(record.parent.as_deref());
    known.unwrap_or(&record.id)
}

/// The result of a split, as written to `split.json`.
#[derive(Debug, Clone, Serialize)]
pub struct SplitReport {
    /// The input.
    pub input: PathBuf,
    /// As in [`SplitConfig`].
    pub fractions: [f64; 3],
    /// As in [`SplitConfig`].
    pub split_seed: u64,
    /// Number of problems listed for test.
    pub test_problems_listed: usize,
    /// Number of them found.
    pub test_problems_found: usize,
    /// The three parts in order.
    pub parts: Vec<PartReport>,
}

/// One part of a split.
#[derive(Debug, Clone, Serialize)]
pub struct PartReport {
    /// `train`, `valid` or `test`.
    pub name: &'static str,
    /// The file, beside `split.json`.
    pub file: String,
    /// Its records.
    pub records: u64,
    /// Distinct problems among them; for records without one, parent programs.
    pub problems: u64,
}

/// Splits the records of a file, or of a directory of shards, into `train`, `valid` and `test` in
/// the directory `out`, with a `split.json` beside them. Each file appears completely or not at
/// all, `split.json` last.
///
/// # Errors
/// If the input cannot be read or has no record, or a part would replace it, or `out` cannot be
/// written; when a part is there already and `existing` does not allow that. A directory that was made for the split does not stay then.
pub fn split(
    input: &Path,
    out: &Path,
    format: Format,
    config: &SplitConfig,
    existing: Existing,
) -> Result<SplitReport, SourceError> {
    let reader = RecordReader::open(input)?;
    // A directory created for this is removed again unless something is in it at the end.
    let _reserved = Reservation::of_directory(out).map_err(io_error(out))?;
    divide(reader, input, out, format, config, existing)
}

fn divide(
    reader: RecordReader,
    input: &Path,
    out: &Path,
    format: Format,
    config: &SplitConfig,
    existing: Existing,
) -> Result<SplitReport, SourceError> {
    let names = Part::ALL.map(|p| format!("{}{}", p.name(), format.suffix()));
    let paths = names.each_ref().map(|n| out.join(n));
    for path in &paths {
        refuse_to_replace(input, path)?;
        check_output(path, existing).map_err(io_error(path))?;
    }
    let summary = out.join("split.json");
    check_output(&summary, existing).map_err(io_error(&summary))?;
    let [train, valid, test] = paths.each_ref().map(|p| RecordWriter::create(p));
    let mut writers = [train?, valid?, test?];
    let mut groups: [HashSet<u64>; 3] = Default::default();
    let mut found: HashSet<String> = HashSet::new();
    let mut is_empty = true;
    for record in reader {
        let record = record?;
        let part = config.part(&record) as usize;
        if let Some(problem) = record.problem.as_deref().and_then(|p| config.forced(p))
            && !found.contains(problem)
        {
            found.insert(problem.to_owned());
        }
        if record.problem.is_some() || record.parent.is_some() {
            groups[part].insert(XxHash64::oneshot(0, group(&record).as_bytes()));
        }
        writers[part].push(&record)?;
        is_empty = false;
    }
    if is_empty {
        let source = std::io::Error::new(std::io::ErrorKind::InvalidData, "no example in it");
        return Err(io_error(input)(source));
    }
    let mut parts = Vec::new();
    for (((part, file), writer), groups) in Part::ALL.iter().zip(names).zip(writers).zip(groups) {
        parts.push(PartReport {
            name: part.name(),
            file,
            records: writer.finish()?,
            problems: groups.len() as u64,
        });
    }
    let report = SplitReport {
        input: input.to_owned(),
        fractions: config.fractions,
        split_seed: config.seed,
        test_problems_listed: config.test_problems.len(),
        test_problems_found: found.len(),
        parts,
    };
    write_report(&summary, &report)?;
    Ok(report)
}

fn refuse_to_replace(input: &Path, output: &Path) -> Result<(), SourceError> {
    let Ok(there) = output.canonicalize() else {
        return Ok(());
    };
    for file in record_files(input)? {
        if file.canonicalize().is_ok_and(|file| file == there) {
            let message = "the split would replace its own input; use another directory";
            let source = std::io::Error::new(std::io::ErrorKind::InvalidInput, message);
            return Err(io_error(output)(source));
        }
    }
    Ok(())
}

fn write_report(path: &Path, report: &SplitReport) -> Result<(), SourceError> {
    let text = serde_json::to_string_pretty(report).map_err(std::io::Error::other);
    text.and_then(|text| write_whole(path, (text + "\n").as_bytes()))
        .map_err(io_error(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: &str, problem: Option<&str>, parent: Option<&str>) -> Record {
        Record {
            id: id.to_owned(),
            problem: problem.map(str::to_owned),
            parent: parent.map(str::to_owned),
            ..Record::default()
        }
    }

    #[test]
    fn fractions_hold_and_only_the_problem_decides() {
        let config = SplitConfig::default();
        let mut counts = [0_u32; 3];
        for k in 0..20_000 {
            let problem = format!("p{k:05}");
            let part = config.part(&record("a", Some(&problem), Some("x")));
            assert_eq!(part, config.part(&record("b", Some(&problem), None)));
            counts[part as usize] += 1;
        }
        for (count, expected) in counts.into_iter().zip([18_000, 1_000, 1_000]) {
            assert!(count.abs_diff(expected) < 150, "{counts:?}");
        }
        // A mutant stays with its parent, and with the parent's own record.
        let parts =
            [record("m", None, Some("q")), record("q", None, None)].map(|r| config.part(&r));
        assert_eq!(parts[0], parts[1]);
    }

    #[test]
    fn the_hash_is_the_same_on_every_machine() {
        let config = SplitConfig {
            seed: 7,
            fractions: [50.0, 25.0, 25.0],
            ..SplitConfig::default()
        };
        let parts: String = (0..12)
            .map(|k| {
                config
                    .part(&record("", Some(&format!("p{k}")), None))
                    .name()
            })
            .map(|name| &name[..2])
            .collect();
        // As the `xxhash` of PyPI has it.
        assert_eq!(parts, "trtetetrtrtetrvatrtrtetr");
    }

    #[test]
    fn listed_problems_go_to_test_under_either_name() {
        let config = SplitConfig {
            fractions: [100.0, 0.0, 0.0],
            test_problems: ["p1", "c:p2"].map(str::to_owned).into(),
            ..SplitConfig::default()
        };
        let part = |problem: &str| config.part(&record("", Some(problem), None));
        for problem in ["p1", "c:p1", "c:p2"] {
            assert_eq!(part(problem), Part::Test);
        }
        for problem in ["p2", "p11", "p1:c"] {
            assert_eq!(part(problem), Part::Train);
        }
    }
}
