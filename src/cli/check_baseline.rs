//! The baseline: known findings, which are not reported again. They are matched by file, kind and
//! source line, so that a line may move.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use codexec_data::files::write_whole;
use serde::{Deserialize, Serialize};

use crate::check::Finding;

/// Version of the file format.
const VERSION: u32 = 1;

/// One row: the number of findings of one kind on lines with the same text.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    path: String,
    kind: String,
    line: String,
    count: usize,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    findings: Vec<Row>,
}

/// The identity of a finding: file, kind and text of the line.
type Key = (String, String, String);

/// Findings to suppress or to record.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    /// Directory of the file, with links resolved. Paths are relative to it.
    base: PathBuf,
    known: BTreeMap<Key, usize>,
    /// All findings.
    found: BTreeMap<Key, usize>,
    /// Number of known findings.
    pub hidden: usize,
}

impl Baseline {
    /// Reads a file. With `is_new` it is about to be written, and nothing is known yet.
    ///
    /// # Errors
    /// Names the file, the line and the cause.
    pub(super) fn open(file: &Path, is_new: bool) -> anyhow::Result<Self> {
        let name = || file.display().to_string();
        let parent = file
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        let base = parent.unwrap_or(Path::new(".")).canonicalize();
        let mut baseline = Self {
            base: base.with_context(name)?,
            ..Self::default()
        };
        if is_new {
            return Ok(baseline);
        }
        let text = std::fs::read_to_string(file);
        let text = text.with_context(|| format!("{}; --write-baseline writes it", name()))?;
        let read: File = serde_json::from_str(&text).map_err(|error| {
            let why = error.to_string();
            let why = why.split(" at line ").next().unwrap_or_default();
            anyhow::anyhow!("{}:{}: not a baseline: {why}", name(), error.line())
        })?;
        if read.version != VERSION {
            anyhow::bail!(
                "{}: version {} of baselines is not supported; --write-baseline writes version {VERSION}",
                name(),
                read.version
            );
        }
        for row in read.findings {
            *baseline
                .known
                .entry((row.path, row.kind, row.line))
                .or_default() += row.count;
        }
        Ok(baseline)
    }

    /// Records a finding in a file with a text. Returns whether it is new.
    pub(super) fn is_new(&mut self, path: &Path, text: &str, finding: &Finding) -> bool {
        let real = path.canonicalize();
        let real = real.as_deref().unwrap_or(path);
        let below = real.strip_prefix(&self.base).unwrap_or(real);
        let line = text.lines().nth(finding.line.saturating_sub(1) as usize);
        let key = (
            below.display().to_string().replace('\\', "/"),
            finding.kind.clone(),
            line.unwrap_or_default().trim().to_owned(),
        );
        *self.found.entry(key.clone()).or_default() += 1;
        match self.known.get_mut(&key) {
            Some(left) if *left > 0 => {
                *left -= 1;
                self.hidden += 1;
                false
            }
            _ => true,
        }
    }

    /// Writes all findings and returns their number.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn write(&self, file: &Path) -> anyhow::Result<usize> {
        let row = |((path, kind, line), count): (&Key, &usize)| Row {
            path: path.clone(),
            kind: kind.clone(),
            line: line.clone(),
            count: *count,
        };
        let written = File {
            version: VERSION,
            findings: self.found.iter().map(row).collect(),
        };
        let mut text = serde_json::to_string_pretty(&written)?;
        text.push('\n');
        write_whole(file, text.as_bytes()).with_context(|| file.display().to_string())?;
        Ok(self.found.values().sum())
    }
}
