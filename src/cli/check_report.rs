//! The report of `codexec check`: each finding once, in its file, without the unwanted ones.

use std::collections::{HashMap, HashSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::check::Format;
use super::check_baseline::Baseline;
use super::check_config::Config;
use crate::check::formats::{TextStyle, github, text};
use crate::check::{Checked, Finding, Source};

/// The identity of a finding: file, line and kind.
type Key = (PathBuf, u32, String);

/// The findings so far.
pub(super) struct Report<'s> {
    sources: &'s [Source],
    configs: &'s [Rc<Config>],
    /// The sources by resolved path.
    places: HashMap<PathBuf, usize>,
    baseline: Option<Baseline>,
    format: Format,
    /// Whether text output omits notes.
    without_notes: bool,
    seen: HashSet<Key>,
    /// What was checked, in order, and other files with findings.
    own: Vec<(Source, Checked)>,
    others: Vec<(Source, Checked)>,
    count: usize,
    open: usize,
    /// Why time ran out, and how many sources were not reached.
    left: Option<(String, usize)>,
}

/// A path relative to the working directory.
fn from_here(file: &Path) -> String {
    let here = Path::new(".").canonicalize().unwrap_or_default();
    let shown = file.strip_prefix(here).unwrap_or(file);
    shown.display().to_string()
}

impl<'s> Report<'s> {
    /// A report on sources, each with its project's configuration.
    pub(super) fn new(
        sources: &'s [Source],
        configs: &'s [Rc<Config>],
        baseline: Option<Baseline>,
        (format, without_notes): (Format, bool),
    ) -> Self {
        let place = |(at, source): (usize, &Source)| (real(&source.path), at);
        Self {
            sources,
            configs,
            places: sources.iter().enumerate().map(place).collect(),
            baseline,
            format,
            without_notes,
            seen: HashSet::new(),
            own: Vec::new(),
            others: Vec::new(),
            count: 0,
            open: 0,
            left: None,
        }
    }

    /// Installed packages to follow.
    pub(super) fn packages(&self) -> &[String] {
        self.configs.first().map_or(&[], |config| &config.packages)
    }

    /// Adds the findings of a source. Returns the text to print at once.
    pub(super) fn add(&mut self, number: usize, mut checked: Checked) -> String {
        let source = &self.sources[number];
        checked.drop_ignored(&source.text);
        let mut elsewhere = std::mem::take(&mut checked.elsewhere);
        let others = elsewhere.iter_mut().flat_map(|other| &mut other.findings);
        for finding in checked.findings.iter_mut().chain(others) {
            for path in finding
                .calls
                .iter_mut()
                .filter_map(|call| call.path.as_mut())
            {
                *path = self.shown(number, path);
            }
        }
        self.keep_new(number, source, &mut checked.findings);
        if self.without_notes && self.format == Format::Text {
            checked.notes.clear();
        }
        self.open += usize::from(checked.is_open);
        if let Some(why) = &checked.left {
            let left = self.left.take().map_or(0, |(_, left)| left);
            self.left = Some((why.clone(), left + 1));
        }
        let mut added = vec![(source.clone(), checked)];
        for other in elsewhere {
            let Some((source, mut findings)) = self.other(number, other) else {
                continue;
            };
            self.keep_new(number, &source, &mut findings);
            if !findings.is_empty() {
                let checked = Checked {
                    path: source.path.clone(),
                    findings,
                    ..Checked::default()
                };
                added.push((source, checked));
            }
        }
        let pairs: Vec<_> = added.iter().map(|(source, one)| (source, one)).collect();
        let written = match self.format {
            Format::Text => {
                let color = std::io::stdout().is_terminal();
                text(&pairs, TextStyle { color })
            }
            Format::Github => github(&pairs),
            Format::Json | Format::Sarif => String::new(),
        };
        let mut added = added.into_iter();
        self.own.extend(added.next());
        self.others.extend(added);
        written
    }

    /// Records that time ran out before some sources, and how many.
    pub(super) fn left(&self) -> Option<(&str, usize)> {
        let (why, count) = self.left.as_ref()?;
        Some((why, *count))
    }

    /// The displayed form of a path below the root of a source's project.
    fn shown(&self, number: usize, path: &str) -> String {
        let Some(project) = &self.sources[number].project else {
            return path.to_owned();
        };
        let file = project.root.join(path);
        match self.places.get(&real(&file)) {
            Some(known) => self.sources[*known].path.clone(),
            None => from_here(&file),
        }
    }

    /// Another file of a source's project. `None` if its findings are not wanted.
    fn other(
        &self,
        number: usize,
        other: crate::check::Elsewhere,
    ) -> Option<(Source, Vec<Finding>)> {
        let root = &self.sources[number].project.as_ref()?.root;
        // Installed packages are not part of the project.
        if Path::new(&other.path).is_absolute() {
            return None;
        }
        let file = root.join(&other.path);
        if let Some(known) = self.places.get(&real(&file)) {
            return Some((self.sources[*known].clone(), other.findings));
        }
        if self.configs[number].excludes(&file) {
            return None;
        }
        let source = Source::new(from_here(&file), other.text);
        Some((source, other.findings))
    }

    /// Keeps findings that are wanted and not yet reported.
    fn keep_new(&mut self, number: usize, source: &Source, findings: &mut Vec<Finding>) {
        let path = real(&source.path);
        findings.retain(|finding| {
            let key = (path.clone(), finding.line, finding.kind.clone());
            if !self.configs[number].reports(&finding.kind) || !self.seen.insert(key) {
                return false;
            }
            let baseline = self.baseline.as_mut();
            baseline.is_none_or(|baseline| baseline.is_new(&path, &source.text, finding))
        });
        self.count += findings.len();
    }

    /// Number of reported findings.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Number of findings in the baseline.
    pub(super) fn hidden(&self) -> usize {
        self.baseline.as_ref().map_or(0, |baseline| baseline.hidden)
    }

    /// Number of files checked.
    pub(super) fn sources(&self) -> usize {
        self.sources.len()
    }

    /// Number of files not checked completely.
    pub(super) fn open(&self) -> usize {
        self.open
    }

    /// Writes the baseline with all findings, and returns their number.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn write_baseline(&mut self, file: &Path) -> anyhow::Result<usize> {
        self.count = 0;
        for (_, checked) in self.own.iter_mut().chain(&mut self.others) {
            checked.findings.clear();
        }
        let baseline = self.baseline.as_ref();
        baseline.map_or(Ok(0), |baseline| baseline.write(file))
    }

    /// What was checked, in order, with the findings of each file, followed by other files with
    /// findings.
    pub(super) fn checked(self) -> Vec<(Source, Checked)> {
        let mut files = self.own;
        let place = |(at, (source, _)): (usize, &(Source, Checked))| (real(&source.path), at);
        let mut places: HashMap<PathBuf, usize> = files.iter().enumerate().map(place).collect();
        for (source, checked) in self.others {
            let place = real(&source.path);
            match places.get(&place) {
                Some(&at) => {
                    let findings: &mut Vec<Finding> = &mut files[at].1.findings;
                    findings.extend(checked.findings);
                    findings.sort_by_key(|finding| finding.line);
                }
                None if checked.findings.is_empty() => {}
                None => {
                    places.insert(place, files.len());
                    files.push((source, checked));
                }
            }
        }
        files
    }
}

/// A path with links resolved, if the file exists.
fn real(path: impl AsRef<Path>) -> PathBuf {
    let path = path.as_ref();
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
