//! Whether one program raises.

use std::path::PathBuf;

use super::Failure;
use crate::check::{self, Checked, Settings, Source};
use crate::engine::project::Place;

/// Whether a program raises, what and where, without running it.
///
/// ```
/// let checked = codexec::check("values = []\nprint(sum(values) / len(values))\n").findings()?;
/// let finding = &checked.findings[0];
/// assert_eq!((finding.kind.as_str(), finding.line), ("ZeroDivisionError", 2));
/// # Ok::<(), codexec::Failure>(())
/// ```
pub fn check(source: impl Into<String>) -> CheckRequest {
    CheckRequest {
        source: Source::new("<string>", source),
        settings: Settings::default(),
    }
}

/// A program to check.
#[derive(Debug, Clone)]
#[must_use = "a request does nothing until `findings` is called"]
pub struct CheckRequest {
    source: Source,
    settings: Settings,
}

impl CheckRequest {
    /// Name of the program; `<string>` by default.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.source.path = name.into();
        self
    }

    /// Standard input. By default, a program that reads input is checked with made-up inputs.
    pub fn input(mut self, text: impl Into<String>) -> Self {
        self.source.stdin = Some(text.into());
        self
    }

    /// Directory in which its imports are looked up; none by default. Errors there are
    /// [`elsewhere`](Checked::elsewhere).
    pub fn root(mut self, directory: impl Into<PathBuf>) -> Self {
        let directory = directory.into();
        self.source.project = Some(Place {
            root: directory.canonicalize().unwrap_or(directory),
            package: String::new(),
            module: String::new(),
        });
        self
    }

    /// Hides findings below this probability (default 0.5).
    pub fn min_probability(mut self, least: f64) -> Self {
        self.settings.min_probability = least;
        self
    }

    /// Seed of made-up inputs (default 0).
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// The findings, and what could not be checked.
    ///
    /// # Errors
    /// [`Failure::Engine`] if no thread can be started. A syntax error is a finding of its own kind.
    pub fn findings(self) -> Result<Checked, Failure> {
        let mut checked = check::check(&[self.source], &self.settings)?;
        checked.pop().ok_or(Failure::NoAnswer)
    }
}
