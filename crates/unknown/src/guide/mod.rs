//! Guided execution: runs Python with missing values, and injects values for them (LExecutor).
//!
//! A program is rewritten so that the runtime sees where values are used. A predictor gives the
//! probable class of each place, and the sandbox runs the rewritten program with that plan. The
//! result is an ordinary trace, with the list of injected values.
//!
//! | module | what |
//! |---|---|
//! | `instrument` | the rewrite |
//! | `plan` | what the runtime is told about each place |
//! | `coverage` | the lines that were executed |
//! | `worlds`, `difference` | two versions of a program under the same injected values |
//!
//! [`analysis`](crate::analysis) reads the syntax, and [`values`](crate::values) predicts missing
//! values. Nothing here runs Python or starts a process: `data::sandbox` does that.

mod coverage;
mod difference;
mod instrument;
mod plain;
mod plan;
mod worlds;

use std::collections::BTreeSet;
use std::time::Duration;

use codexec_data::sandbox::{GuidedRun, Injected, Pool, SandboxError};
use codexec_trace::origins::{MadeUp, mark_injected};
use codexec_trace::{Engine, Outcome, Program, Trace};

use crate::analysis::{Evidence, ParseError, Uses, branches::Outcomes, handlers, returns, syntax};
use crate::values::{Predictor, Query};

pub use coverage::{Coverage, Statements};
pub use difference::Difference;
pub use instrument::{Instrumented, Location};
pub use worlds::{ComparedVersions, compare};

/// Why a program cannot be guided. The program's own errors are in its trace.
#[derive(Debug, thiserror::Error)]
pub enum GuideError {
    /// The program cannot be read.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// No program can be run.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

/// How classes become values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Abstraction {
    /// Plain values chosen by their later use if it is clear, stand-ins otherwise.
    #[default]
    Adaptive,
    /// The paper's: one value per fine class.
    Fine,
    /// The paper's: one value per coarse class.
    Coarse,
    /// The paper's: a drawn value per coarse class.
    CoarseRandom,
}

impl Abstraction {
    fn as_str(self) -> &'static str {
        match self {
            Self::Adaptive => "adaptive",
            Self::Fine => "fine",
            Self::Coarse => "coarse",
            Self::CoarseRandom => "coarse-random",
        }
    }
}

/// How programs are guided.
#[derive(Debug, Clone, PartialEq)]
pub struct GuideOptions {
    /// How classes become values.
    pub abstraction: Abstraction,
    /// Whether names are searched in the modules that usually define them.
    pub resolve: bool,
    /// Whether an injected mapping has only the keys that the program spells out; otherwise it has
    /// any key.
    pub strict: bool,
    /// Seed for draws.
    pub seed: u64,
    /// Time limit of one program; slightly less than the pool's, so that it can still report.
    pub time: Duration,
    /// For two versions: whether modules that they import differ, so that they may differ even with
    /// equal texts.
    pub changed_elsewhere: bool,
}

impl Default for GuideOptions {
    fn default() -> Self {
        Self {
            abstraction: Abstraction::default(),
            resolve: true,
            strict: false,
            seed: 0,
            time: Duration::from_secs(5),
            changed_elsewhere: false,
        }
    }
}

/// The result of a guided run.
#[derive(Debug, Clone, PartialEq)]
pub struct Guided {
    /// The trace.
    pub trace: Trace,
    /// The injected values, in order.
    pub injected: Vec<Injected>,
    /// Its coverage.
    pub coverage: Coverage,
    /// The lines that were executed without crashing.
    pub covered: BTreeSet<u32>,
    /// The lines that count.
    pub lines: BTreeSet<u32>,
    /// The line of the top-level `return` that ended it.
    pub returned: Option<u32>,
}

impl Guided {
    /// Returns the result for a program that could not be run: how it ended before it began.
    pub fn not_run(program: &Program, outcome: Outcome) -> Self {
        let mut trace = Trace::new(Engine::Guide, program.clone());
        trace.outcome = outcome;
        Self {
            trace,
            injected: Vec::new(),
            coverage: Coverage {
                covered: 0,
                lines: 0,
            },
            covered: BTreeSet::new(),
            lines: BTreeSet::new(),
            returned: None,
        }
    }

    /// Whether a line counts for coverage.
    pub fn counts(&self, line: u32) -> bool {
        self.lines.contains(&line)
    }
}

/// A program ready to be guided with any predictor.
#[derive(Debug)]
pub struct Prepared {
    /// The rewritten program and its places.
    pub instrumented: Instrumented,
    /// Its statements.
    pub statements: Statements,
    pub(crate) evidence: Evidence,
    returns: BTreeSet<u32>,
    caught: std::collections::BTreeMap<u32, Vec<String>>,
}

/// Rewrites a program and reads what guiding it needs.
///
/// # Errors
/// If it is nested too deeply. A program that does not compile gets a trace that says so.
pub fn prepare(source: &str) -> Result<Prepared, ParseError> {
    syntax::with_tree(source, |tree| {
        let root = tree.root_node();
        let outcomes = Outcomes::of(root, source);
        let instrumented = if tree.has_error {
            // The interpreter decides what is valid Python, and reports the error.
            Instrumented::unchanged(source)
        } else {
            instrument::instrument(root, source, &outcomes)
        };
        Ok(Prepared {
            instrumented,
            statements: Statements::of(root, source),
            evidence: Evidence::of(root, source, &outcomes),
            returns: returns::below(root),
            caught: handlers::caught(root, source),
        })
    })
}

/// Runs a program and injects its missing values.
///
/// # Errors
/// If nothing can be run, or the program is nested too deeply.
pub fn guide(
    pool: &Pool,
    program: &Program,
    predictor: &dyn Predictor,
    options: &GuideOptions,
) -> Result<Guided, GuideError> {
    let source = program.source.as_deref().unwrap_or_default();
    let mut prepared = prepare(source)?;
    if let Some(own) = program.behind.and_then(|at| source.get(..at)) {
        let lines = own.lines().count() as u32;
        prepared.statements = std::mem::take(&mut prepared.statements).until(lines);
    }
    let plan = prepared.plan(source, program, predictor, options);
    let run = pool.guide(program, &prepared.instrumented.text, &plan)?;
    Ok(prepared.result(run, predictor.name()))
}

impl Prepared {
    /// Returns the uses of the value under a path.
    pub fn uses(&self, path: Option<&str>) -> Option<&Uses> {
        path.and_then(|path| self.evidence.get(path))
    }

    /// Returns the query of a place.
    pub fn query<'a>(&'a self, source: &'a str, place: &'a Location) -> Query<'a> {
        Query {
            name: &place.name,
            kind: place.kind,
            before: source.get(..place.span.start).unwrap_or_default(),
            after: source.get(place.span.end..).unwrap_or_default(),
            uses: self.uses(place.path.as_deref()),
        }
    }

    fn result(&self, run: GuidedRun, checkpoint: &str) -> Guided {
        let mut trace = run.trace;
        trace.checkpoint = Some(checkpoint.to_owned());
        let file = |path: Option<&str>| match path {
            Some(path) => trace.files.iter().position(|file| file.path == path),
            None => Some(0),
        };
        let places = run.injected.iter().filter_map(|one| {
            let file = u32::try_from(file(one.file.as_deref())?).ok()?;
            Some((file, one.line, one.text.clone()))
        });
        let made_up = MadeUp {
            places: places.collect(),
            ..MadeUp::default()
        };
        mark_injected(&mut trace, &made_up);
        let mut begun: BTreeSet<u32> = run.begun.into_iter().collect();
        let mut done = run.done;
        if !run.reported {
            // It was killed: only its steps are known, and the last may have been its end.
            let own = trace.steps.iter().filter(|s| s.file == 0);
            begun.extend(own.map(|s| s.line));
            done = self.statements.of_lines(&begun);
        }
        if matches!(trace.outcome, Outcome::SyntaxError { .. }) {
            (done, begun) = (Vec::new(), BTreeSet::new());
        }
        let (coverage, covered) = self.statements.coverage(&done, &begun);
        let finished = trace.outcome == Outcome::Finished;
        let last = trace.steps.iter().rev().filter(|s| s.file == 0);
        let last = last.map(|s| s.line);
        let mut returned = last.filter(|line| self.returns.contains(line));
        Guided {
            returned: returned.next().filter(|_| finished),
            trace,
            injected: run.injected,
            coverage,
            covered,
            lines: self.statements.counted().clone(),
        }
    }
}

#[cfg(test)]
mod tests;
