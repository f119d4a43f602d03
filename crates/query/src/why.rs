//! Why a variable has its value, why something was printed, why the program raised: the assignments and conditions
//! that made it, as a dynamic slice of the trace.
//!
//! Data goes from the names that a statement reads to where they got their values: assignments, changes in place
//! (`xs.append(x)`, `d[k] = v`, `obj.attr = v`, which the states show), arguments of calls and what functions give
//! back. Control goes from a statement to the condition that it stands under, to conditions before it that could have
//! left the block, and to the line that called its function. What a name means comes from the text of the program;
//! what happened, from the trace alone.
//!
//! A slice is as fine as states are: of objects single attributes are followed, of lists and dicts the whole value.
//! What a library does is not looked into.

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

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Question {
    /// Why a variable, or an attribute (`self.total`), has its value.
    Variable {
        /// Its name.
        name: String,
        /// The step after which it has it, from 0; the last one by default.
        #[serde(serialize_with = "from_one")]
        step: Option<usize>,
    },
    /// Why a step came to be, and what it changed.
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
    /// What one would ask first: why the program raised, else why it printed its last line; nothing of a program that
    /// did neither.
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
    /// There is no such variable.
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
    /// There is no such step.
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
        /// The line that is asked for.
        line: Option<usize>,
        /// Lines that were printed.
        count: usize,
    },
    /// The program did not raise.
    #[error("the program did not raise; ask for a variable or for its output")]
    NoException,
    /// Nothing is known of how the value came to be.
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

/// What a link of the chain is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A name was bound.
    Assigned,
    /// A value was changed in place.
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
    /// A statement that matters without one of these.
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
    /// Number of the program's functions below it.
    pub depth: u32,
    /// Text of the line.
    pub source: String,
    /// What it is.
    pub kind: Kind,
    /// The function whose names these are, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Names (`total`, `self.total`) and their values that matter further on.
    #[serde(serialize_with = "as_map", skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<(String, Value)>,
    /// What was given back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Whether a condition held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
    /// What was printed, or the exception.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Links between it and what was asked for.
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

/// An answer: the links in the order in which they happened. That which was asked for has the distance 0.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Why {
    /// What was asked.
    pub question: Question,
    /// The links.
    pub links: Vec<Link>,
    /// Whether there are more links further back than were asked for.
    pub cut: bool,
}

/// Most links of an answer.
pub const MOST_LINKS: usize = 20_000;

/// Why something is as it is; `depth`: most links between a link and what was asked for.
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

/// How loops were left between where a variable got its value and the end of the program: that decided which value it
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
        // The line that is being written, or one that this step ends.
        let begins = !step.output.is_empty() && !step.output.ends_with('\n');
        if ended + lines + usize::from(begins) >= number {
            let at = story.during(k).ok_or_else(missing)?;
            return Ok((at, Want::Printed(step.output.clone())));
        }
        ended += lines;
    }
    Err(missing())
}
