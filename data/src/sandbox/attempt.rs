//! Programs behind a prefix: the request and the result.
//!
//! The report is written by the child that ran the program: every number and text in it is checked.

use serde::{Deserialize, Serialize};

use crate::trace::{Outcome, Program};

/// Settings of a run behind a prefix.
#[derive(Debug, Clone, Default, Serialize)]
pub struct AttemptPlan {
    /// First and last line of each statement of the program.
    pub statements: Vec<(u32, u32)>,
    /// Maximum lines that are executed.
    pub events: u32,
    /// CPU time after which the program is stopped and reported, a little less than the pool's limit.
    pub seconds: f64,
}

/// An exception that went through the program, caught or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raised {
    /// Line of the program that raised it or called what did, 1-based; of the prefix where that failed.
    pub line: u32,
    /// Name of its class.
    pub exception: String,
    /// Its message; empty where the text of a value of the program would be part of it.
    pub message: String,
}

/// An operation on a stand-in of the prefix.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Asked {
    /// Line of the program that performed it, 1-based.
    pub line: u32,
    /// The path of the operation; a question has a space before it.
    pub what: String,
    /// Answers to a question, in order: a truth as 0 or 1.
    pub said: Vec<i64>,
}

/// The behaviour of a program behind a prefix.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempted {
    /// The outcome.
    pub outcome: Outcome,
    /// Whether the prefix itself failed; then the program did not begin.
    pub in_prefix: bool,
    /// Line that left the program by `exit`, if any.
    pub exit: Option<u32>,
    /// Numbers of statements that were executed to their end.
    pub done: Vec<u32>,
    /// Lines that were begun.
    pub begun: Vec<u32>,
    /// Exceptions, in order.
    pub errors: Vec<Raised>,
    /// Operations on stand-ins, in order.
    pub asked: Vec<Asked>,
}

/// The report in its payload form.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Report {
    in_prefix: bool,
    done: Vec<u32>,
    begun: Vec<u32>,
    errors: Vec<Raised>,
    asked: Vec<Asked>,
}

/// Maximum exceptions of a report.
pub(crate) const MOST_ERRORS: usize = 40;
/// Maximum operations on stand-ins.
pub(crate) const MOST_ASKED: usize = 600;
/// Maximum answers to one question.
pub(crate) const MOST_ANSWERS: usize = 8;
/// Maximum length of a path, in characters.
pub(crate) const LONGEST_ASKED: usize = 300;
/// Longest text, in characters.
const LONGEST: usize = 1000;

impl Attempted {
    pub(crate) fn new(outcome: Outcome, exit: Option<u32>, report: Option<Report>) -> Self {
        let report = report.unwrap_or_default();
        let short = |text: String| text.chars().take(LONGEST).collect::<String>();
        let errors = report.errors.into_iter().take(MOST_ERRORS);
        let errors = errors.map(|raised| Raised {
            line: raised.line,
            exception: short(raised.exception),
            message: short(raised.message),
        });
        let asked = report.asked.into_iter().take(MOST_ASKED);
        let asked = asked.map(|asked| Asked {
            line: asked.line,
            what: short(asked.what),
            said: asked.said.into_iter().take(MOST_ANSWERS).collect(),
        });
        Self {
            outcome,
            in_prefix: report.in_prefix,
            exit,
            done: report.done,
            begun: report.begun,
            errors: errors.collect(),
            asked: asked.collect(),
        }
    }
}

/// The worker's input instead of a program's source.
pub(crate) fn request(program: &Program, prefix: &str, plan: &AttemptPlan) -> Program {
    let source = serde_json::json!({
        "source": program.source.as_deref().unwrap_or_default(),
        "prefix": prefix,
        "statements": plan.statements,
        "events": plan.events,
        "seconds": plan.seconds,
    });
    Program {
        source: Some(source.to_string()),
        ..program.clone()
    }
}
