//! Guided execution: runs Python that misses values, and makes up what is missing (LExecutor).
//!
//! A program is rewritten so that the runtime sees where values are used, a predictor says for each
//! place what a missing value probably is, and the sandbox runs the rewritten program with that
//! plan. The result is a trace like any other, with the list of what was made up.
//!
//! | module | what |
//! |---|---|
//! | [`predictors`] | what a missing value probably is: one file each |
//! | `vocabulary` | the classes of values |
//! | `tree` | the syntax tree, as all of the following read it |
//! | `instrument` | the rewrite; `scopes` says which reads can miss |
//! | `uses`, `evidence`, `paths`, `branches`, `hints` | what the syntax says of values and conditions |
//! | `handlers` | which exceptions the program itself catches where |
//! | `fragments`, `excerpt` | the same of a piece of a program; a place as words |
//! | [`events`] | recorded uses of values, to learn from and to measure on |
//! | `coverage` | which lines were executed |
//! | `recorded` | value-use events of what a recorded command did |
//! | `returns` | `return` statements that no function is around |
//! | `calls` | calls of functions that a program only defines |
//! | `worlds`, `difference` | two versions of a program under the same made-up values |
//!
//! No Python is run here and no process is started: `data::sandbox` does that.

mod branches;
mod calls;
mod coverage;
mod difference;
pub mod events;
mod evidence;
mod excerpt;
mod fragments;
mod handlers;
mod hints;
mod instrument;
mod paths;
pub mod predictors;
pub mod prefix;
mod recorded;
mod returns;
mod scopes;
mod syntax;
mod tree;
mod uses;
mod vocabulary;
mod worlds;

use std::collections::BTreeSet;
use std::time::Duration;

use codexec_data::sandbox::{GuidePlan, GuidedRun, Injected, Pool, SandboxError};
use codexec_data::trace::{Origin, Outcome, Program, State, Trace, Value};

pub use calls::{only_defines, with_calls};
pub use coverage::{Coverage, Statements};
pub use difference::Difference;
pub use evidence::Evidence;
pub use excerpt::Excerpt;
pub use fragments::uses_in_fragment;
pub use instrument::{Instrumented, Location};
pub use predictors::{Kind, Prediction, Predictor, Query};
pub use recorded::{CONTEXT, Recorded, RecordedEvent, recorded_events, write_events};
pub use returns::stray_returns;
pub use uses::{Comparison, Literal, Uses};
pub use vocabulary::{Class, Coarse};
pub use worlds::{ComparedVersions, compare};

/// What can keep a program from being guided. What the program does is in its trace.
#[derive(Debug, thiserror::Error)]
pub enum GuideError {
    /// The grammar of Python could not be used.
    #[error("the Python grammar: {why}")]
    Grammar {
        /// What it said.
        why: String,
    },
    /// A program nested too deeply.
    #[error("the program is nested too deeply to be rewritten; take it apart")]
    TooDeep,
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
}

impl Default for GuideOptions {
    fn default() -> Self {
        Self {
            abstraction: Abstraction::default(),
            resolve: true,
            strict: false,
            seed: 0,
            time: Duration::from_secs(5),
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
    evidence: Evidence,
    returns: BTreeSet<u32>,
    caught: std::collections::BTreeMap<u32, Vec<String>>,
}

/// Rewrites a program and reads off what guiding it needs.
///
/// # Errors
/// When it is nested too deeply. A program that does not compile gives a trace that says so.
pub fn prepare(source: &str) -> Result<Prepared, GuideError> {
    syntax::with_tree(source, |tree| {
        let root = tree.root_node();
        let outcomes = branches::Outcomes::of(root, source);
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
    let prepared = prepare(source)?;
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

    fn plan(
        &self,
        source: &str,
        program: &Program,
        predictor: &dyn Predictor,
        options: &GuideOptions,
    ) -> GuidePlan {
        let locations = &self.instrumented.locations;
        let queries: Vec<Query<'_>> = locations.iter().map(|p| self.query(source, p)).collect();
        let predicted = predictor.predict_all(&queries);
        let places = locations.iter().zip(predicted).map(|(place, predicted)| {
            let classes = predicted.first().map(|p| (p.class.as_str(), p.probability));
            (
                place.kind.as_str(),
                place.name.clone(),
                place.line,
                place.path.clone(),
                classes.into_iter().collect(),
                place.wanted.map(branches::Wanted::code),
            )
        });
        let adaptive = options.abstraction == Abstraction::Adaptive;
        let values = self
            .evidence
            .iter()
            .filter(|_| adaptive)
            .map(|(path, uses)| {
                let (class, sure) = predictors::of_derived(uses);
                let hint = serde_json::to_value(hints::hint(uses)).unwrap_or_default();
                (path.to_owned(), (class.as_str(), sure, hint))
            });
        let attributes = self
            .evidence
            .iter()
            .filter(|(_, u)| !u.attributes.is_empty());
        let attributes = attributes.filter(|(path, _)| !path.contains(['.', '(', '[']));
        let called = self.evidence.iter().filter(|(_, u)| u.called || u.base);
        let called = called.filter(|(path, _)| !path.contains(['.', '(', '[']));
        let wanted = self.instrumented.wanted_lines.iter().map(|(line, wanted)| {
            let (outcome, turn) = wanted.code();
            (*line, outcome, turn)
        });
        GuidePlan {
            places: places.collect(),
            values: values.collect(),
            attributes: attributes
                .map(|(path, u)| (path.to_owned(), u.attributes.iter().cloned().collect()))
                .collect(),
            called: called.map(|(path, _)| path.to_owned()).collect(),
            wanted: wanted.collect(),
            caught: self.caught.clone(),
            statements: self.statements.spans.clone(),
            abstraction: options.abstraction.as_str(),
            inject: predictor.name() != "as-is",
            resolve: options.resolve && predictor.name() != "as-is",
            has_input: program.stdin.is_some(),
            strict: options.strict,
            seed: options.seed,
            seconds: options.time.as_secs_f64() * 0.9,
            world: None,
        }
    }

    fn result(&self, run: GuidedRun, checkpoint: &str) -> Guided {
        let mut trace = run.trace;
        trace.checkpoint = Some(checkpoint.to_owned());
        mark_injected(&mut trace);
        let mut begun: BTreeSet<u32> = run.begun.into_iter().collect();
        let mut done = run.done;
        if !run.reported {
            // It was killed: what is known are its steps, the last of which may have been its end.
            begun.extend(trace.steps.iter().map(|s| s.line));
            done = self.statements.of_lines(&begun);
        }
        if matches!(trace.outcome, Outcome::SyntaxError { .. }) {
            (done, begun) = (Vec::new(), BTreeSet::new());
        }
        let (coverage, covered) = self.statements.coverage(&done, &begun);
        let finished = trace.outcome == Outcome::Finished;
        let last = trace.steps.iter().rev().map(|s| s.line);
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

/// Text by which stand-ins are known in states; no class of the program's is rendered so unless it
/// has that name.
const STAND_INS: [&str; 2] = ["<StandIn>", "<DummyCallable>"];

fn mark_injected(trace: &mut Trace) {
    for step in &mut trace.steps {
        let made_up = |value: &Value| STAND_INS.contains(&value.text.as_str());
        if step.state.iter().any(|(_, value)| made_up(value)) {
            let state = step.state.iter().map(|(name, value)| {
                let mut value = value.clone();
                if made_up(&value) {
                    value.origin = Origin::Injected;
                }
                (name.to_owned(), value)
            });
            step.state = state.collect::<State>();
        }
    }
}

#[cfg(test)]
fn analyse_for_tests(source: &str) -> Evidence {
    prepare(source).map(|p| p.evidence).unwrap_or_default()
}

#[cfg(test)]
mod tests;
