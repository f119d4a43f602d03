//! Will a program raise, what, and on which line, without running it.
//!
//! ```
//! use codexec_check::{Settings, Source, check};
//! let source = Source::new("mean.py", "values = []\nprint(sum(values) / len(values))\n");
//! let checked = check(&[source], &Settings::default())?;
//! let finding = &checked[0].findings[0];
//! assert_eq!((finding.kind.as_str(), finding.line), ("ZeroDivisionError", 2));
//! assert!(finding.probability > 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`plan`](mod@plan) | the checker that plans the execution: with the input that is given, with made-up ones, and calls of functions that nobody calls |
//! | `network` | the checker that asks [`ipa`] |
//! | `combined` | the checker that weighs both |
//! | [`calibration`] | how probabilities are weighed and corrected |
//! | [`evidence`] | what a finding rests on, and how sure one may be of it then |
//! | `blame` | which part of a line raised, and what its operands were |
//! | [`ipa`] | the network that executes a program softly, the Exception IPA-GNN |
//! | [`formats`] | findings as text, JSON, SARIF and annotations of GitHub |
//! | `ignores` | comments that hide findings |
//! | `route` | the calls that an error is reached through |
//! | [`explain`] | what a checker adds to the page of a program |
//!
//! A checker is one file and one row of [`CHECKERS`]. Nothing is executed, read or printed here.

mod blame;
pub mod calibration;
mod combined;
pub mod evidence;
pub mod explain;
pub mod formats;
mod ignores;
pub mod ipa;
mod network;
pub mod plan;
mod route;

pub use route::CallSite;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;

use self::calibration::Calibration;
use codexec_engine::project::Place;
use codexec_engine::{self as engine, EngineError};

/// A program to check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// Its path or display name.
    pub path: String,
    /// Its text; lines end in `\n`.
    pub text: String,
    /// Its standard input, if known.
    pub stdin: Option<String>,
    /// Its input in words.
    pub description: Option<String>,
    /// Its project. `None` if it stands alone.
    pub project: Option<Place>,
}

impl Source {
    /// A program with unknown input.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
            ..Self::default()
        }
    }
}

/// Steps that a program is followed: a recursion to CPython's limit takes 3,000.
pub const MOST_STEPS: usize = 4096;

/// Settings of a check.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Findings below this probability are hidden.
    pub min_probability: f64,
    /// Number of inputs injected for a program that reads input but has none.
    pub inputs: usize,
    /// Whether functions that nothing calls are checked, with injected arguments.
    pub calls: bool,
    /// Seed of made-up inputs.
    pub seed: u64,
    /// Programs checked in parallel; 0 for one per core.
    pub workers: usize,
    /// Maximum time for all programs of a checker together; one program takes at most 20 seconds. Unchecked parts
    /// become notes. `None` for no limit.
    pub time: Option<Duration>,
    /// Ends checking as if its time were up, once it is set.
    pub stop: Option<Arc<AtomicBool>>,
    /// Whether probabilities are calibrated.
    pub calibrated: bool,
    /// The share of programs that raise, if it differs from that of the calibration data.
    pub base_rate: Option<f64>,
    /// Whether programs lack their imports, which are then prepended.
    pub lacks_imports: bool,
    /// Settings of the engine behind a checker.
    pub engine: engine::Settings,
}

impl Settings {
    /// Weights for the share of programs that raise.
    fn at_base_rate(&self, calibration: Calibration) -> Calibration {
        match self.base_rate {
            Some(rate) => calibration.at_base_rate(rate),
            None => calibration,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            min_probability: 0.5,
            inputs: 5,
            calls: true,
            seed: 0,
            workers: 0,
            time: None,
            stop: None,
            calibrated: true,
            base_rate: None,
            lacks_imports: false,
            engine: engine::Settings {
                max_steps: MOST_STEPS,
                ..engine::Settings::default()
            },
        }
    }
}

/// An error that a program probably ends with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// Class of the exception.
    pub kind: String,
    /// Line, from 1.
    pub line: u32,
    /// First column in characters, from 1.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column behind the last character, from 1.
    pub end_column: u32,
    /// Its probability, in 0..=1.
    pub probability: f64,
    /// The exception's message; empty if it has none.
    pub message: String,
    /// The values, as `'3' + 1: str and int`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<String>,
    /// The circumstances, as `for 3 of 5 made-up inputs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// The calls that it is reached through, the outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallSite>,
    /// Its [`evidence`], in words, if a plan provides it. Findings with the same words are true equally often.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// Whether it belongs to a function that nothing calls, called with injected arguments.
    #[serde(skip)]
    pub of_call: bool,
}

impl Finding {
    /// The kind and the message on one line, then additional information.
    pub fn sentence(&self) -> String {
        let mut text = self.kind.clone();
        let route = route::words(&self.calls);
        for (before, part) in [
            (
                ": ",
                Some(&self.message).filter(|message| !message.is_empty()),
            ),
            ("; ", self.values.as_ref()),
            ("; ", self.when.as_ref()),
            ("; ", route.as_ref()),
        ] {
            if let Some(part) = part {
                text.push_str(before);
                text.push_str(part);
            }
        }
        text
    }
}

/// What a checker could not determine, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// Line, if it concerns one.
    pub line: Option<u32>,
    /// In words, without the line.
    pub text: String,
}

/// A checker's result for one program.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Checked {
    /// The program's path.
    pub path: String,
    /// Errors, by line.
    pub findings: Vec<Finding>,
    /// The probability that the program raises when it is run, without injected calls of its functions.
    pub error: f64,
    /// The probability that it ends without an error, if a checker has its own; the rest of both is uncertainty.
    #[serde(skip)]
    pub clean: f64,
    /// The probability that it raises at a line, calls included, by line. Includes findings below the minimum
    /// probability.
    pub lines: BTreeMap<u32, f64>,
    /// The most probable end, with the line. `None` if planning went nowhere; no kind if it finishes.
    pub end: Option<End>,
    /// The most probable error, however improbable. `None` if no error is known.
    #[serde(skip)]
    pub raised: Option<End>,
    /// Errors in other files of its project that it leads to.
    #[serde(skip)]
    pub elsewhere: Vec<Elsewhere>,
    /// What could not be determined.
    pub notes: Vec<Note>,
    /// Whether something of it was not checked to its end; the notes say what.
    pub is_open: bool,
    /// Why it was not checked, or only in part, if time ran out.
    #[serde(skip)]
    pub left: Option<String>,
}

/// Errors in a file that a program imports.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Elsewhere {
    /// Path of the file, relative to the project's root.
    pub path: String,
    /// Its text.
    pub text: String,
    /// The errors.
    pub findings: Vec<Finding>,
}

/// The most probable outcome of a program.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct End {
    /// Kind of the error, one of [`codexec_data::errors::KINDS`] if possible; `None` without an error.
    pub kind: Option<String>,
    /// Its line.
    pub line: Option<u32>,
    /// Its probability.
    pub probability: f64,
}

/// Receives the result for each program, with its number, in order. Can stop the check.
pub type Done<'d> = dyn FnMut(usize, Checked) -> ControlFlow<()> + 'd;

/// Checks programs.
pub trait Checker: Sync {
    /// Heading of results.
    fn heading(&self) -> String;

    /// Checks programs and passes on the results in order. Findings are sorted by line and include those below the
    /// minimum probability of the settings.
    ///
    /// # Errors
    /// If no program can be checked. An error in one program is its finding or its note.
    fn check(&self, sources: &[Source], done: &mut Done<'_>) -> Result<(), EngineError>;

    /// Sections of its own for the page of a program.
    ///
    /// # Errors
    /// As [`Checker::check`].
    fn sections(&self, _source: &Source) -> Result<Vec<explain::Section>, EngineError> {
        Ok(Vec::new())
    }
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Its name on the command line.
    pub name: &'static str,
    /// Description in one line of help.
    pub about: &'static str,
    /// Makes it.
    pub open: fn(&Settings) -> Result<Box<dyn Checker>, EngineError>,
}

/// All checkers; the first is the default.
pub const CHECKERS: &[Row] = &[plan::ROW, network::ROW, combined::ROW];

/// The checker of a name.
pub fn named(name: &str) -> Option<&'static Row> {
    CHECKERS.iter().find(|row| row.name == name)
}

/// Checks programs with the first checker, and leaves out findings that are too improbable.
///
/// # Errors
/// If no program can be checked.
pub fn check(sources: &[Source], settings: &Settings) -> Result<Vec<Checked>, EngineError> {
    let mut all = Vec::with_capacity(sources.len());
    let checker = (CHECKERS[0].open)(settings)?;
    checker.check(sources, &mut |_, mut checked| {
        checked.keep_above(settings.min_probability);
        all.push(checked);
        ControlFlow::Continue(())
    })?;
    Ok(all)
}

impl Checked {
    /// Hides findings below a probability.
    pub fn keep_above(&mut self, least: f64) {
        self.findings.retain(|finding| finding.probability >= least);
        for other in &mut self.elsewhere {
            let findings = &mut other.findings;
            findings.retain(|finding| finding.probability >= least);
        }
        self.elsewhere.retain(|other| !other.findings.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_checker_has_its_own_name() {
        let names: BTreeSet<&str> = CHECKERS.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), CHECKERS.len());
        for row in CHECKERS {
            assert!(named(row.name).is_some_and(|found| found.about == row.about));
            assert!(!row.about.ends_with('.'), "{}", row.name);
        }
        assert!(named("oracle").is_none());
    }

    #[test]
    fn every_checker_answers_in_order_and_stops_when_told() {
        let sources =
            ["x = 1\n", "x = = 1\n", "print(1 / 0)\n"].map(|text| Source::new("a.py", text));
        for row in CHECKERS {
            let checker = (row.open)(&Settings::default()).unwrap();
            let mut seen = Vec::new();
            checker
                .check(&sources, &mut |number, mut checked| {
                    checked.keep_above(0.5);
                    seen.push((number, checked.findings.len()));
                    ControlFlow::Continue(())
                })
                .unwrap();
            assert_eq!(
                seen.iter().map(|(n, _)| *n).collect::<Vec<_>>(),
                [0, 1, 2],
                "{}",
                row.name
            );
            assert_eq!(seen[0].1, 0, "{}", row.name);
            let mut count = 0;
            checker
                .check(&sources, &mut |_, _| {
                    count += 1;
                    ControlFlow::Break(())
                })
                .unwrap();
            assert_eq!(count, 1, "{}", row.name);
        }
    }
}
