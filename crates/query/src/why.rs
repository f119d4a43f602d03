//! Why a variable has its value, why something was printed, why the program raised: the assignments and conditions
//! that made it, as a dynamic slice of the trace.
//!
//! Data flows from the names that a statement reads to the sources of their values: assignments, changes in place
//! (`xs.append(x)`, `d[k] = v`, `obj.attr = v`, visible in the states), arguments of calls and return values. Control
//! flows from a statement to the condition around it, to earlier conditions that could have left the block, and to
//! the line that called its function. The program's text determines the meaning of names; the trace alone determines
//! what happened.
//!
//! A slice has the granularity of states: single attributes of objects are followed, but lists and dicts only as
//! whole values. Libraries are opaque.

mod slice;
mod story;

use std::collections::BTreeSet;

use codexec_trace::{Outcome, Trace, Value};
use serde::Serialize;

use crate::select::NothingSelected;
use crate::select::unknown_name;
use crate::syntax::Sources;
use slice::{Slice, Want};
use story::{Story, Variable};

/// A question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Question {
    /// Why a variable, or an attribute (`self.total`), has its value.
    Variable {
        /// Its name.
        name: String,
        /// The step after which the variable has its value, from 0; the last one by default.
        #[serde(serialize_with = "from_one")]
        step: Option<usize>,
    },
    /// Why a step happened, and what it changed.
    Step {
        /// The step, from 0.
        #[serde(serialize_with = "from_one_exactly")]
        step: usize,
    },
    /// Why a line of output was printed.
    Output {
        /// Number of the line, from 1; the last one by default.
        line: Option<usize>,
    },
    /// Why the program raised.
    Exception,
}

fn from_one<S: serde::Serializer>(step: &Option<usize>, to: S) -> Result<S::Ok, S::Error> {
    step.map(|step| step + 1).serialize(to)
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde wants it
fn from_one_exactly<S: serde::Serializer>(step: &usize, to: S) -> Result<S::Ok, S::Error> {
    (step + 1).serialize(to)
}

impl Question {
    /// The most likely question: why the program raised, else why it printed its last line. `None` if it did neither.
    pub fn usual(trace: &Trace) -> Option<Self> {
        match trace.outcome {
            Outcome::Raised { .. } => Some(Self::Exception),
            _ if trace.steps.iter().any(|step| !step.output.is_empty()) => {
                Some(Self::Output { line: None })
            }
            _ => None,
        }
    }
}

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unanswerable {
    /// The variable does not exist.
    #[error(transparent)]
    Name(#[from] NothingSelected),
    /// The variable is not bound there.
    #[error("`{name}` has no value at step {step}; {}", crate::select::instead(None, .known))]
    Unbound {
        /// Its name.
        name: String,
        /// The step, from 1.
        step: usize,
        /// Names that are bound there.
        known: Vec<String>,
    },
    /// It has no attribute of this name.
    #[error("`{name}` has no attribute `{attribute}` there: it is {value}")]
    Attribute {
        /// The variable.
        name: String,
        /// The attribute.
        attribute: String,
        /// Its value.
        value: String,
    },
    /// The step does not exist.
    #[error("there is no step {step}: the trace has {count}")]
    Step {
        /// The step, from 1.
        step: usize,
        /// Number of steps.
        count: usize,
    },
    /// So much was not printed.
    #[error("{}", printed(.line, .count))]
    Output {
        /// The requested line.
        line: Option<usize>,
        /// Lines that were printed.
        count: usize,
    },
    /// The program did not raise.
    #[error("the program did not raise; ask for a variable or for its output")]
    NoException,
    /// The origin of the value is unknown.
    #[error("where `{name}` got its value is not in the trace")]
    Unknown {
        /// The variable.
        name: String,
    },
    /// The program has no text to look at.
    #[error("the trace has no text of the program: record it with its source")]
    NoSource,
}

fn printed(line: &Option<usize>, count: &usize) -> String {
    match (line, count) {
        (_, 0) => "the program printed nothing; ask for a variable with its step".to_owned(),
        (Some(line), 1) => format!("there is no line {line} of output: 1 was printed"),
        (Some(line), count) => format!("there is no line {line} of output: {count} were printed"),
        (None, _) => "nothing was printed there".to_owned(),
    }
}

/// The kind of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A name was bound.
    Assigned,
    /// A value changed in place.
    Changed,
    /// A condition decided.
    Condition,
    /// A function was called with arguments.
    Called,
    /// A function gave a value back.
    Returned,
    /// Text was printed.
    Printed,
    /// An exception was raised.
    Raised,
    /// A statement that is relevant without one of these.
    Done,
}

/// A link of the chain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Link {
    /// Index of the step after which its effect is seen.
    #[serde(serialize_with = "from_one_exactly")]
    pub step: usize,
    /// Line of the statement.
    pub line: u32,
    /// Its file: index in [`Trace::files`].
    #[serde(skip_serializing_if = "is_zero")]
    pub file: u32,
    /// The function that the statement is in.
    pub function: String,
    /// Number of the program's functions below it on the stack.
    pub depth: u32,
    /// Text of the line.
    pub source: String,
    /// Its kind.
    pub kind: Kind,
    /// The function of these names, if it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Names (`total`, `self.total`) and their values that matter further on.
    #[serde(serialize_with = "as_map", skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<(String, Value)>,
    /// The returned value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Whether a condition held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
    /// The printed output, or the exception.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Number of links to the value in question.
    pub distance: usize,
    /// Links that it comes from: index in [`Why::links`].
    pub because: Vec<usize>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde wants it
fn is_zero(file: &u32) -> bool {
    *file == 0
}

fn as_map<S: serde::Serializer>(values: &[(String, Value)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(values.iter().map(|(name, value)| (name, value)))
}

/// An answer: the links in chronological order. The value in question has the distance 0.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Why {
    /// The question.
    pub question: Question,
    /// The links.
    pub links: Vec<Link>,
    /// Whether there are links beyond the requested depth.
    pub cut: bool,
}

/// Maximum links of an answer.
pub const MOST_LINKS: usize = 20_000;

/// Answers a question. `depth` is the maximum number of links from the value in question.
///
/// # Errors
/// [`Unanswerable`]: what is asked for is not there.
pub fn why(trace: &Trace, question: &Question, depth: Option<usize>) -> Result<Why, Unanswerable> {
    let sources = Sources::of(trace);
    if sources.file(0).is_none_or(|file| file.line_count() == 0) {
        return Err(Unanswerable::NoSource);
    }
    let story = Story::new(trace, &sources);
    let mut slice = Slice::new(&story, depth.unwrap_or(usize::MAX), MOST_LINKS);
    for (at, want) in wanted(&story, question)? {
        slice.add(at, want, 0);
    }
    for at in left(&story, question, &slice) {
        slice.add(at, Want::Value, 1);
    }
    let (links, cut) = slice.links();
    Ok(Why {
        question: question.clone(),
        links,
        cut,
    })
}

/// How loops ended between the source of a variable's value and the end of the program: that decided which value it
/// kept.
fn left(story: &Story<'_>, question: &Question, slice: &Slice<'_, '_>) -> Vec<usize> {
    match question {
        Question::Variable { step, .. } => {
            let event = step.map_or(story.trace.steps.len(), |step| step + 1);
            let asked = slice.asked();
            asked.flat_map(|at| story.left(at, None, event)).collect()
        }
        _ => Vec::new(),
    }
}

/// The executions that a question is about.
fn wanted(story: &Story<'_>, question: &Question) -> Result<Vec<(usize, Want)>, Unanswerable> {
    let trace = story.trace;
    let count = trace.steps.len();
    match question {
        Question::Variable { name, step } => {
            if let Some(step) = step.filter(|step| *step >= count) {
                return Err(Unanswerable::Step {
                    step: step + 1,
                    count,
                });
            }
            variable(story, name, *step).map(|one| vec![one])
        }
        Question::Step { step } => {
            let missing = || Unanswerable::Step {
                step: step + 1,
                count,
            };
            let at = story.during(*step).ok_or_else(missing)?;
            let changed = story.executions[at].changed.iter();
            let names = changed.map(|name| (at, Want::Name((*name).to_owned(), None)));
            let mut all: Vec<(usize, Want)> = names.collect();
            all.push((at, Want::Value));
            Ok(all)
        }
        Question::Output { line } => output(story, *line).map(|one| vec![one]),
        Question::Exception => {
            let Outcome::Raised {
                step: Some(step), ..
            } = trace.outcome
            else {
                return Err(Unanswerable::NoException);
            };
            let at = story.during(step as usize);
            Ok(vec![(at.ok_or(Unanswerable::NoException)?, Want::Raised)])
        }
    }
}

/// Where a variable got the value that it has after a step, or at the end.
fn variable(
    story: &Story<'_>,
    name: &str,
    step: Option<usize>,
) -> Result<(usize, Want), Unanswerable> {
    let trace = story.trace;
    let (name, attribute) = match name.split_once('.') {
        Some((name, attribute)) => (name, Some(attribute)),
        None => (name, None),
    };
    let states = || trace.steps.iter().flat_map(|step| step.state.iter());
    if !states().any(|(other, _)| other == name) {
        let known: BTreeSet<&str> = states().map(|(name, _)| name).collect();
        return Err(unknown_name(name, known).into());
    }
    let event = step.map_or(trace.steps.len(), |step| step + 1);
    let found = on_the_stack(story, name, event);
    let found = match (found, step) {
        (None, None) => story.last_called(name),
        (found, _) => found,
    };
    let Some(variable) = found else {
        let frame = story.frames.frame(event);
        let known = story.state(frame, event);
        let known = known.into_iter().flat_map(|state| state.iter());
        return Err(Unanswerable::Unbound {
            name: name.to_owned(),
            step: event,
            known: known.map(|(name, _)| name.to_owned()).collect(),
        });
    };
    let value = story
        .state(variable.0, event)
        .and_then(|state| state.get(name));
    if let (Some(attribute), Some(value)) = (attribute, value)
        && story::part(value, Some(attribute)).is_none()
    {
        return Err(Unanswerable::Attribute {
            name: name.to_owned(),
            attribute: attribute.to_owned(),
            value: value.text.to_string(),
        });
    }
    let unknown = || Unanswerable::Unknown {
        name: name.to_owned(),
    };
    let (at, variable) = story
        .definition(&variable, attribute, event)
        .ok_or_else(unknown)?;
    let attribute = attribute.map(str::to_owned);
    Ok((at, Want::Name(variable.1, attribute)))
}

/// The variable of a name in the frames that run at an event, the innermost first, then in the module.
fn on_the_stack(story: &Story<'_>, name: &str, event: usize) -> Option<Variable> {
    let mut activation = Some(story.frames.activation(event));
    while let Some(at) = activation {
        let stay = &story.frames.activations[at];
        if story
            .state(stay.frame, event)
            .is_some_and(|state| state.get(name).is_some())
        {
            return Some((stay.frame, name.to_owned()));
        }
        activation = stay.parent;
    }
    None
}

/// The execution that printed a line of output.
fn output(story: &Story<'_>, line: Option<usize>) -> Result<(usize, Want), Unanswerable> {
    let whole = story.trace.output();
    let count = whole.lines().count();
    let missing = || Unanswerable::Output { line, count };
    let number = line.unwrap_or(count);
    if number == 0 || number > count {
        return Err(missing());
    }
    let mut ended = 0;
    for (k, step) in story.trace.steps.iter().enumerate() {
        let lines = step.output.matches('\n').count();
        // The output line being written, or one that this step ends.
        let begins = !step.output.is_empty() && !step.output.ends_with('\n');
        if ended + lines + usize::from(begins) >= number {
            let at = story.during(k).ok_or_else(missing)?;
            return Ok((at, Want::Printed(step.output.clone())));
        }
        ended += lines;
    }
    Err(missing())
}
