//! Selects steps of a trace: those that change a variable, reach a line, are in a function, or print
//! something.
//!
//! All conditions must hold; the first or last of the remaining steps can be taken. A name, line or function that does
//! not occur in the trace is an error, so that a typo does not give an empty answer.

mod document;
mod lines;

use std::collections::{BTreeSet, HashMap, HashSet};

use codexec_trace::{Event, Step, Trace, Value};

use crate::changes::{Changes, changes};
use crate::frames::Frames;
use crate::syntax::Sources;

pub use document::Document;
pub use lines::Lines;

/// A selection of steps; all by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    names: Vec<String>,
    lines: Vec<Lines>,
    functions: Vec<String>,
    visits: Vec<(usize, usize)>,
    depth: Option<u32>,
    changes: bool,
    output: bool,
    first: Option<usize>,
    last: Option<usize>,
}

/// Why nothing can be selected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NothingSelected {
    /// No state has the name.
    #[error("no variable is called `{name}` in this trace; {}", instead(.nearest.as_deref(), .known))]
    Name {
        /// The name.
        name: String,
        /// Similar spellings.
        nearest: Option<String>,
        /// The existing names.
        known: Vec<String>,
    },
    /// No step is on these lines.
    #[error("no step is on line {lines}: {why}")]
    Lines {
        /// The lines.
        lines: Lines,
        /// Existing alternatives.
        why: String,
    },
    /// No such file was executed.
    #[error("no step is in a file `{name}`; the files are: {}", .known.join(", "))]
    File {
        /// The file.
        name: String,
        /// The existing files.
        known: Vec<String>,
    },
    /// No step is in a function of this name.
    #[error("no function `{name}` is called; {}", instead(.nearest.as_deref(), .known))]
    Function {
        /// The name.
        name: String,
        /// Similar spellings.
        nearest: Option<String>,
        /// The functions that are called.
        known: Vec<String>,
    },
}

/// Maximum names listed in a message.
const LISTED: usize = 12;

/// Alternatives to a missing name.
pub(crate) fn instead(nearest: Option<&str>, known: &[String]) -> String {
    let listed = |names: &[String]| match names {
        [] => "there is none".to_owned(),
        names if names.len() <= LISTED => format!("there are: {}", names.join(", ")),
        names => format!(
            "there are: {} and {} more",
            names[..LISTED].join(", "),
            names.len() - LISTED
        ),
    };
    match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => listed(known),
    }
}

/// The name that another was probably meant to be.
pub(crate) fn nearest(name: &str, known: &[String]) -> Option<String> {
    let near = known
        .iter()
        .map(|other| (strsim::damerau_levenshtein(name, other), other));
    let most = (name.chars().count() / 3).max(1);
    let (_, best) = near.filter(|(far, _)| *far <= most).min()?;
    Some(best.clone())
}

/// A step that was selected.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen<'t> {
    /// Its index in the trace.
    pub step: usize,
    /// How often its line had been reached by then, by an event of its kind, counting from 1.
    pub visit: usize,
    /// Its selected changes.
    pub changes: Changes<'t>,
}

/// The steps that were selected.
#[derive(Debug, Clone, PartialEq)]
pub struct Selected<'t> {
    /// The trace.
    pub trace: &'t Trace,
    /// The steps, in their order.
    pub steps: Vec<Chosen<'t>>,
    /// Which.
    pub selection: Selection,
}

impl Selection {
    /// All steps.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only steps that change a variable of this name (or another requested one), and only those changes.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.names.push(name.into());
        self
    }

    /// Only steps on these lines (or other requested ones).
    #[must_use]
    pub fn lines(mut self, lines: impl Into<Lines>) -> Self {
        self.lines.push(lines.into());
        self
    }

    /// Only steps in functions of this name (or another requested one): `deposit`, `Account.deposit`, `<module>`.
    #[must_use]
    pub fn function(mut self, name: impl Into<String>) -> Self {
        self.functions.push(name.into());
        self
    }

    /// Only steps that reach their line for the `first` to the `last` time. Requested variables are then shown
    /// whether or not they change.
    #[must_use]
    pub fn visits(mut self, first: usize, last: usize) -> Self {
        self.visits.push((first, last));
        self
    }

    /// Only steps with at most this many functions of the program below them.
    #[must_use]
    pub fn depth(mut self, most: u32) -> Self {
        self.depth = Some(most);
        self
    }

    /// Only steps that change a value.
    #[must_use]
    pub fn changes(mut self) -> Self {
        self.changes = true;
        self
    }

    /// Only steps that print, and only what they print.
    #[must_use]
    pub fn output(mut self) -> Self {
        self.output = true;
        self
    }

    /// The first of the remaining steps.
    #[must_use]
    pub fn first(mut self, most: usize) -> Self {
        self.first = Some(most);
        self
    }

    /// The last of the remaining steps; with [`Self::first`], both ends.
    #[must_use]
    pub fn last(mut self, most: usize) -> Self {
        self.last = Some(most);
        self
    }

    /// Whether all steps are selected.
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// Whether changes of selected steps are shown: not if only output is requested.
    pub fn shows_changes(&self) -> bool {
        !self.output || self.changes || !self.names.is_empty()
    }

    /// Whether requested variables are shown whether or not they change.
    pub fn shows_values(&self) -> bool {
        !self.names.is_empty() && !self.visits.is_empty()
    }

    /// The steps of a trace.
    ///
    /// ```
    /// # use codexec_query::Selection;
    /// # use codexec_trace::Trace;
    /// # fn show(trace: &Trace) -> Result<(), codexec_query::NothingSelected> {
    /// for chosen in Selection::new().name("total").lines(3).of(trace)?.steps {
    ///     println!("step {}, iteration {}", chosen.step + 1, chosen.visit);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// A name, a line or a function that the trace does not have.
    pub fn of<'t>(&self, trace: &'t Trace) -> Result<Selected<'t>, NothingSelected> {
        let sources = Sources::of(trace);
        let frames = Frames::of(trace);
        let functions = Functions::new(trace, &frames, &sources);
        self.check(trace, &functions, &sources)?;
        let wanted: HashSet<&str> = self.names.iter().map(String::as_str).collect();
        let all = changes(trace);
        let mut seen: HashMap<(u32, u32, Event), usize> = HashMap::new();
        let mut steps = Vec::new();
        for (k, (step, mut changes)) in trace.steps.iter().zip(all).enumerate() {
            let visit = seen.entry((step.file, step.line, step.event)).or_default();
            *visit += 1;
            if !wanted.is_empty() {
                changes.names.retain(|(name, _)| wanted.contains(name));
            }
            if !self.takes(trace, step, *visit) || !functions.takes(k, &self.functions) {
                continue;
            }
            let must_change = self.changes || !wanted.is_empty() && self.visits.is_empty();
            if must_change && changes.names.is_empty() {
                continue;
            }
            if self.shows_values() {
                changes = self.values(trace, &frames, k);
            }
            if !self.shows_changes() {
                changes = Changes::default();
            }
            steps.push(Chosen {
                step: k,
                visit: *visit,
                changes,
            });
        }
        self.cut(&mut steps);
        Ok(Selected {
            trace,
            steps,
            selection: self.clone(),
        })
    }

    /// Whether a step is selected by its own properties.
    fn takes(&self, trace: &Trace, step: &Step, visit: usize) -> bool {
        let any = |lines: &Lines| lines.contains(step.line) && lines.is_in(trace, step.file);
        let range = |(first, last): &(usize, usize)| (*first..=*last).contains(&visit);
        (self.lines.is_empty() || self.lines.iter().any(any))
            && (self.visits.is_empty() || self.visits.iter().any(range))
            && self.depth.is_none_or(|most| step.depth <= most)
            && !(self.output && step.output.is_empty())
    }

    /// The requested variables in a step's frame, after its line.
    fn values<'t>(&self, trace: &'t Trace, frames: &Frames, step: usize) -> Changes<'t> {
        let frame = frames.frame(step);
        let next = (step + 1..=trace.steps.len()).find(|event| frames.frame(*event) == frame);
        let state = next.map(|event| &trace.steps[event - 1].state);
        let known = state.into_iter().flat_map(|state| state.iter());
        let names = known.filter(|(name, _)| self.names.iter().any(|one| one == name));
        Changes {
            frame: None,
            names: names.map(|(name, value)| (name, Some(value))).collect(),
            ..Changes::default()
        }
    }

    fn cut(&self, steps: &mut Vec<Chosen<'_>>) {
        let count = steps.len();
        let (first, last) = match (self.first, self.last) {
            (None, None) => return,
            (first, last) => (first.unwrap_or(0), last.unwrap_or(0)),
        };
        let mut at = 0;
        steps.retain(|_| {
            at += 1;
            at <= first || at + last > count
        });
    }

    /// Whether everything named exists.
    fn check(
        &self,
        trace: &Trace,
        functions: &Functions<'_>,
        sources: &Sources,
    ) -> Result<(), NothingSelected> {
        let states = trace.steps.iter().flat_map(|step| step.state.iter());
        let known: BTreeSet<&str> = states.map(|(name, _)| name).collect();
        for name in &self.names {
            if !known.contains(name.as_str()) {
                return Err(unknown_name(name, known));
            }
        }
        for lines in &self.lines {
            lines.check(trace, sources)?;
        }
        functions.check(&self.functions)
    }
}

/// The error of a name that no state has.
pub(crate) fn unknown_name(name: &str, known: BTreeSet<&str>) -> NothingSelected {
    let known: Vec<String> = known.into_iter().map(str::to_owned).collect();
    NothingSelected::Name {
        nearest: nearest(name, &known),
        name: name.to_owned(),
        known,
    }
}

impl<'t> Selected<'t> {
    /// Whether selected steps are shown completely.
    pub fn shows_all(&self) -> bool {
        let selection = &self.selection;
        selection.names.is_empty() && !selection.changes && !selection.output
    }

    /// Whether their output is shown.
    pub fn shows_output(&self) -> bool {
        self.shows_all() || self.selection.output
    }

    /// The selection as a document: the trace with only these steps, each with its number.
    pub fn document(&self) -> Document<'t> {
        Document::new(self)
    }

    /// A step's value of a requested name, from its changes.
    pub fn value(&self, at: usize, name: &str) -> Option<&'t Value> {
        let changes = &self.steps.get(at)?.changes;
        changes
            .names
            .iter()
            .find(|(other, _)| *other == name)
            .and_then(|(_, value)| *value)
    }
}

/// Names of the functions that steps are in.
struct Functions<'t> {
    frames: &'t Frames,
    trace: &'t Trace,
    /// The names of each frame: plain, and qualified.
    names: Vec<Vec<String>>,
}

impl<'t> Functions<'t> {
    fn new(trace: &'t Trace, frames: &'t Frames, sources: &Sources) -> Self {
        let names = frames.first.iter().map(|first| {
            let Some(call) = frames.activations[*first].call else {
                return Vec::new();
            };
            let step = &trace.steps[call];
            let mut names = vec![step.function.to_string()];
            let file = sources.file(step.file);
            let scope =
                file.and_then(|file| Some(&file.scopes[file.scope_at(&step.function, step.line)?]));
            names.extend(scope.map(|scope| scope.qualified.clone()));
            names.dedup();
            names
        });
        Self {
            names: names.collect(),
            frames,
            trace,
        }
    }

    fn takes(&self, step: usize, wanted: &[String]) -> bool {
        if wanted.is_empty() {
            return true;
        }
        let names = &self.names[self.frames.frame(step)];
        let plain = &self.trace.steps[step].function;
        wanted
            .iter()
            .any(|name| name == plain || names.contains(name))
    }

    fn check(&self, wanted: &[String]) -> Result<(), NothingSelected> {
        let plain = self.trace.steps.iter().map(|step| step.function.as_str());
        let names = self.names.iter().flatten().map(String::as_str);
        let known: BTreeSet<&str> = names.chain(plain).collect();
        match wanted.iter().find(|name| !known.contains(name.as_str())) {
            None => Ok(()),
            Some(name) => {
                let known: Vec<String> = known.into_iter().map(str::to_owned).collect();
                Err(NothingSelected::Function {
                    nearest: nearest(name, &known),
                    name: name.clone(),
                    known,
                })
            }
        }
    }
}
