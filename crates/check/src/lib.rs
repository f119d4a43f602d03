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
    /// Its path, or what it is called.
    pub path: String,
    /// Its text; lines end in `\n`.
    pub text: String,
    /// What it gets on standard input, where that is known.
    pub stdin: Option<String>,
    /// Its input in words.
    pub description: Option<String>,
    /// The project that it is a file of. `None`: it is a program by itself.
    pub project: Option<Place>,
}

impl Source {
    /// A program whose input is not known.
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

/// How programs are checked.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Findings below this probability are left out.
    pub min_probability: f64,
    /// Inputs that are made up for a program that reads one and is given none.
    pub inputs: usize,
    /// Whether functions that nothing calls are checked, with made-up arguments.
    pub calls: bool,
    /// Seed of made-up inputs.
    pub seed: u64,
    /// Programs that are checked at once; 0 for one per core.
    pub workers: usize,
    /// Most time for all programs of a checker together, of which one takes 20 seconds at most; what is left then is a note.
    /// `None`: as long as it takes.
    pub time: Option<Duration>,
    /// Ends checking as if its time were up, once it is set.
    pub stop: Option<Arc<AtomicBool>>,
    /// Whether probabilities are corrected by what was fitted.
    pub calibrated: bool,
    /// The share of programs that raise, where it is another than that of the programs behind the correction.
    pub base_rate: Option<f64>,
    /// Whether programs lack the imports that they need, which then stand before them.
    pub lacks_imports: bool,
    /// Of the engine behind a checker.
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
    /// How probable it is, in 0..=1.
    pub probability: f64,
    /// The exception's message; empty where it has none.
    pub message: String,
    /// What the values were, as `'3' + 1: str and int`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<String>,
    /// Under which circumstances, as `for 3 of 5 made-up inputs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// The calls that it is reached through, the outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallSite>,
    /// What it rests on, in words ([`evidence`]), where a plan says so. Findings with the same words are true equally often.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// Whether it is of a function that nothing calls, called with made-up arguments.
    #[serde(skip)]
    pub of_call: bool,
}

impl Finding {
    /// The kind and the message on one line, then what is known besides.
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

/// What a checker could not say, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// Line, where it is about one.
    pub line: Option<u32>,
    /// In words, without the line.
    pub text: String,
}

/// What a checker says of one program.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Checked {
    /// The program's path.
    pub path: String,
    /// Errors, by line.
    pub findings: Vec<Finding>,
    /// The probability that the program raises when it is run, without the calls of its functions that nobody makes.
    pub error: f64,
    /// The probability that it ends without an error, where a checker knows that by itself; so what is left of both is
    /// what it is unsure of.
    #[serde(skip)]
    pub clean: f64,
    /// The probability that it raises at a line, calls included, by line. What is below the least probability of a
    /// finding is here, too.
    pub lines: BTreeMap<u32, f64>,
    /// The most probable end, with the line: `None` if planning went nowhere, and no kind where it finishes.
    pub end: Option<End>,
    /// How it most probably raises, however probable that is: `None` if no error is known.
    #[serde(skip)]
    pub raised: Option<End>,
    /// Errors in other files of its project that it leads to.
    #[serde(skip)]
    pub elsewhere: Vec<Elsewhere>,
    /// What could not be said.
    pub notes: Vec<Note>,
    /// Whether something of it was not checked to its end; the notes say what.
    pub is_open: bool,
    /// Why it was not checked, or not checked any further, where there was no time for it.
    #[serde(skip)]
    pub left: Option<String>,
}

/// Errors in a file that a program imports.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Elsewhere {
    /// Path of the file, below the root of the project.
    pub path: String,
    /// Its text.
    pub text: String,
    /// The errors.
    pub findings: Vec<Finding>,
}

/// How a program most probably ends.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct End {
    /// Kind of the error, one of [`codexec_data::errors::KINDS`] where it is one of those; none for no error.
    pub kind: Option<String>,
    /// Its line.
    pub line: Option<u32>,
    /// How probable it is.
    pub probability: f64,
}

/// Takes what is said of each program, with its number, in order. It may say that no more is wanted.
pub type Done<'d> = dyn FnMut(usize, Checked) -> ControlFlow<()> + 'd;

/// What checks programs.
pub trait Checker: Sync {
    /// What results are headed with.
    fn heading(&self) -> String;

    /// Checks programs, and hands on what it says of each in order. Findings are in the order of lines and include
    /// those below the least probability of the settings.
    ///
    /// # Errors
    /// When no program can be checked; what is wrong with one is its finding or its note.
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
    /// What it does, in one line of help.
    pub about: &'static str,
    /// Makes it.
    pub open: fn(&Settings) -> Result<Box<dyn Checker>, EngineError>,
}

/// All checkers; the first is taken where none is asked for.
pub const CHECKERS: &[Row] = &[plan::ROW, network::ROW, combined::ROW];

/// The checker of a name.
pub fn named(name: &str) -> Option<&'static Row> {
    CHECKERS.iter().find(|row| row.name == name)
}

/// Checks programs with the first checker, and leaves out findings that are too improbable.
///
/// # Errors
/// When no program can be checked.
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
    /// Leaves out findings below a probability.
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
