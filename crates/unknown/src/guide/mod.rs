//! Guided execution: runs Python that misses values, and makes up what is missing (LExecutor).
//!
//! A program is rewritten so that the runtime sees where values are used, a predictor says for each
//! place what a missing value probably is, and the sandbox runs the rewritten program with that
//! plan. The result is a trace like any other, with the list of what was made up.
//!
//! | module | what |
//! |---|---|
//! | `instrument` | the rewrite |
//! | `plan` | what the runtime is told of each place |
//! | `coverage` | which lines were executed |
//! | `worlds`, `difference` | two versions of a program under the same made-up values |
//!
//! What the syntax says comes from [`analysis`](crate::analysis), what a missing value is from
//! [`values`](crate::values). No Python is run here and no process is started: `data::sandbox` does
//! that.

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

/// What can keep a program from being guided. What the program does is in its trace.
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
    /// Plain values chosen from their later use where that is clear, stand-ins else.
    #[default]
    Adaptive,
    /// The paper's: one value for each of the fine classes.
    Fine,
    /// The paper's: one value for each of the coarse classes.
    Coarse,
    /// The paper's: a value drawn for each of the coarse classes.
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
    /// Whether names are looked for in the modules that they usually come from.
    pub resolve: bool,
    /// Whether a made-up mapping has only the keys that the program writes out; else it has any key that
    /// is asked for.
    pub strict: bool,
    /// For what is drawn.
    pub seed: u64,
    /// Time of one program; a little less than that of the pool, so that it can still report.
    pub time: Duration,
    /// Of two versions: whether modules that they import differ, so that they may differ though their texts are the same.
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

/// A program that was run under guidance.
#[derive(Debug, Clone, PartialEq)]
pub struct Guided {
    /// What it did.
    pub trace: Trace,
    /// What was made up, in order.
    pub injected: Vec<Injected>,
    /// How much of it was executed.
    pub coverage: Coverage,
    /// The lines that were executed without crashing.
    pub covered: BTreeSet<u32>,
    /// The lines that count.
    pub lines: BTreeSet<u32>,
    /// The line of a `return` outside of functions that ended it.
    pub returned: Option<u32>,
}

impl Guided {
    /// Of a program that could not be run: how it ended before it began.
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

/// A program ready to be guided, whoever predicts.
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

/// Rewrites a program and reads off what guiding it needs.
///
/// # Errors
/// When it is nested too deeply. A program that does not compile gives a trace that says so.
pub fn prepare(source: &str) -> Result<Prepared, ParseError> {
    syntax::with_tree(source, |tree| {
        let root = tree.root_node();
        let outcomes = Outcomes::of(root, source);
        let instrumented = if tree.has_error {
            // The interpreter has the last word on what is Python, and says what is wrong.
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

/// Runs a program and makes up what it misses.
///
/// # Errors
/// When nothing can be run, or the program is nested too deeply.
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
    /// What is known of the value under a path.
    pub fn uses(&self, path: Option<&str>) -> Option<&Uses> {
        path.and_then(|path| self.evidence.get(path))
    }

    /// The query of a place.
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
            // It was killed: what is known are its steps, the last of which may have been its end.
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
