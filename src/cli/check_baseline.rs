//! Findings that are known and not reported again: by file, kind and text of the line, so that a line may move.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use codexec_data::files::write_whole;
use serde::{Deserialize, Serialize};

use crate::check::Finding;

/// The version of the file.
const VERSION: u32 = 1;

/// One row: so many findings of one kind on lines with one text.
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

/// What makes findings one: file, kind and text of the line.
type Key = (String, String, String);

/// Findings that are not reported, or are written down.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    /// Directory of the file, without links: paths are below it.
    base: PathBuf,
    known: BTreeMap<Key, usize>,
    /// All that was found.
    found: BTreeMap<Key, usize>,
    /// How many were known.
    pub hidden: usize,
}

impl Baseline {
    /// Reads a file; `is_new`: it is to be written, and nothing is known.
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
                "{}: version {} of baselines is not known; --write-baseline writes version {VERSION}",
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

    /// Notes a finding of a file with a text; whether it is a new one.
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

    /// Writes down all that was found; how many findings that are.
    ///
    /// # Errors
    /// Where the file cannot be written.
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
