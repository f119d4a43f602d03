//! Programs planned and run, and what becomes of each.
//!
//! The planner's questions get no answers: one that it would ask ends planning, with a note.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Duration;

use codexec_data::sandbox::{Limits, Pool, PoolConfig, SandboxError};
use codexec_plan::difference::{Aspect, Difference, first, first_before_stop, is_over_a_limit};
use codexec_plan::machine::Settings;
use codexec_plan::oracles::Nobody;
use codexec_plan::scheduler::{Planned, plan_each};
use codexec_trace::{Outcome, Program, Trace};
use rayon::prelude::*;

/// Class of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Class {
    /// Steps and outcome equal the run's.
    Equal,
    /// Planning ended early and reported where; the steps before are right.
    Stopped,
    /// The same, because an oracle would have had to answer.
    Asked,
    /// Something differs, and the trace reported uncertainty.
    Unsure,
    /// Only the message of the exception that ends it differs.
    Message,
    /// Something differs silently.
    Silent,
    /// A limit ended the run or the plan.
    Limit,
    /// It does not compile.
    NoProgram,
    /// The planner panicked, or took the process with it.
    Broken,
}

impl Class {
    /// All of them, in the order of reports.
    pub(crate) const ALL: [Self; 9] = [
        Self::Equal,
        Self::Stopped,
        Self::Asked,
        Self::Unsure,
        Self::Message,
        Self::Silent,
        Self::Limit,
        Self::NoProgram,
        Self::Broken,
    ];

    /// Its name in reports and rows.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Stopped => "stopped honestly",
            Self::Asked => "asked an oracle",
            Self::Unsure => "said to be unsure",
            Self::Message => "only message differs",
            Self::Silent => "silently wrong",
            Self::Limit => "limits",
            Self::NoProgram => "no valid program",
            Self::Broken => "planner broke",
        }
    }

    /// Whether it counts among the programs that shares are taken of.
    pub(crate) fn counts(self) -> bool {
        !matches!(self, Self::Limit | Self::NoProgram)
    }
}

/// Result for a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// Its class.
    pub class: Class,
    /// The kind of difference or stop: equal for programs that fail the same way.
    pub kind: String,
    /// Line of the program where it shows, 1-based; 0 if there is none.
    pub line: u32,
    /// The planned and the actual result, or why planning stopped.
    pub detail: String,
}

impl Verdict {
    fn plain(class: Class, kind: impl Into<String>, line: u32) -> Self {
        let kind = kind.into();
        Self {
            class,
            detail: kind.clone(),
            kind,
            line,
        }
    }

    fn of_difference(class: Class, difference: &Difference) -> Self {
        let begin = |text: &str| text.split([':', '(']).next().unwrap_or_default().to_owned();
        let kind = match difference.aspect {
            Aspect::Exception | Aspect::Outcome => format!(
                "{}: {}, not {}",
                difference.aspect.name(),
                begin(&difference.planned),
                begin(&difference.run)
            ),
            aspect => aspect.name().to_owned(),
        };
        Self {
            class,
            kind,
            line: difference.line,
            detail: difference.to_string(),
        }
    }
}

/// Ends the reason of a stop at an operation that would have to be asked.
const ASKED: &str = ", which is not computed";

/// The planner and the sandbox side by side.
pub(crate) struct Comparison {
    pool: Pool,
    settings: Settings,
}

/// Least confidence of a trace that does not say that it is unsure.
const SURE: f32 = 0.95;

impl Comparison {
    /// Starts a sandbox. `launcher` is the binary that becomes it (default: the running one).
    ///
    /// # Errors
    /// If the machine has no sandbox or no Python, or another version than 3.11, whose line events are
    /// planned.
    pub(crate) fn new(launcher: Option<PathBuf>) -> Result<Self, SandboxError> {
        let patient = Duration::from_secs(5);
        let pool = Pool::new(PoolConfig {
            limits: Limits {
                wall: patient,
                cpu: patient,
                ..Limits::default()
            },
            launcher,
            ..PoolConfig::default()
        })?;
        let version = pool.isolation().version.clone();
        if !version.starts_with("3.11.") {
            return Err(SandboxError::Worker {
                why: format!("the line events of 3.11 are planned, this is Python {version}"),
            });
        }
        let settings = Settings::default();
        Ok(Self { pool, settings })
    }

    /// What becomes of programs, in their order.
    ///
    /// # Errors
    /// If the sandbox cannot run anything.
    pub(crate) fn judge(&self, sources: &[String]) -> Result<Vec<Verdict>, SandboxError> {
        let program = |(number, source): (usize, &String)| Program {
            id: number.to_string(),
            source: Some(source.clone()),
            stdin: None,
            ..Program::default()
        };
        let programs: Vec<Program> = sources.iter().enumerate().map(program).collect();
        let runs: Vec<Trace> = programs
            .par_iter()
            .map(|program| self.pool.run(program))
            .collect::<Result<_, _>>()?;
        let planned = self.planned(&programs).unwrap_or_else(|| {
            // One of them breaks the planner: planning each alone shows which.
            let alone = |program: &Program| self.planned(std::slice::from_ref(program));
            let alone = programs.iter().map(alone);
            alone
                .map(|found| found.and_then(|mut one| one.pop().flatten()))
                .collect()
        });
        let pairs = planned.iter().zip(&runs);
        Ok(pairs
            .map(|(planned, run)| verdict(planned.as_ref(), run))
            .collect())
    }

    /// Plans programs. `None` if the planner panics.
    fn planned(&self, programs: &[Program]) -> Option<Vec<Option<Planned>>> {
        let mut found: Vec<Option<Planned>> = programs.iter().map(|_| None).collect();
        let done = catch_unwind(AssertUnwindSafe(|| {
            plan_each(programs, &self.settings, &mut Nobody, |number, planned| {
                found[number] = Some(planned);
                ControlFlow::Continue(())
            })
        }));
        done.is_ok_and(|done| done.is_ok()).then_some(found)
    }
}

/// Class of a plan compared with the run.
fn verdict(planned: Option<&Planned>, run: &Trace) -> Verdict {
    if let Outcome::SyntaxError { line, message, .. } = &run.outcome {
        return Verdict::plain(Class::NoProgram, message, *line);
    }
    let Some(planned) = planned else {
        return Verdict::plain(Class::Broken, "the planner panicked", 0);
    };
    if is_over_a_limit(&run.outcome) {
        return Verdict::plain(Class::Limit, format!("run: {:?}", run.outcome), 0);
    }
    let trace = &planned.trace;
    if let Some(stop) = &planned.unsupported {
        if let Some(difference) = first_before_stop(trace, run) {
            return Verdict::of_difference(unsure_or(Class::Silent, trace), &difference);
        }
        return match stop.what.strip_suffix(ASKED) {
            Some(asked) => Verdict::plain(Class::Asked, asked, stop.line),
            None => Verdict::plain(Class::Stopped, &stop.what, stop.line),
        };
    }
    if is_over_a_limit(&trace.outcome) {
        return Verdict::plain(Class::Limit, format!("planned: {:?}", trace.outcome), 0);
    }
    match first(trace, run) {
        None => Verdict::plain(Class::Equal, "", 0),
        Some(difference) if difference.aspect == Aspect::Message => {
            Verdict::of_difference(Class::Message, &difference)
        }
        Some(difference) => Verdict::of_difference(unsure_or(Class::Silent, trace), &difference),
    }
}

fn unsure_or(class: Class, trace: &Trace) -> Class {
    match trace.confidence {
        Some(confidence) if confidence < SURE => Class::Unsure,
        _ => class,
    }
}
