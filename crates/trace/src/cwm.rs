//! The frames that code world models are trained on: the bindings before a line, then the line.
//!
//! The format is that of CWM (Meta FAIR, 2025, "CWM: An Open-Weights LLM for Research on Code Generation with World
//! Models", and its prompting guide): locals are JSON objects of strings, `".."` is a value unchanged since the
//! previous frame of the same call, and the line where the trace begins is marked in the source. The notation of values
//! is not published; here it is the canonical text, and for an exception `kind: message`.

use std::collections::HashMap;
use std::fmt::Write;

use serde_json::{Map, Value as Json};

use super::frames::Frames;
use super::syntax;
use super::{Event, Outcome, State, Step, Trace};

const MARK: &str = "  # << START_OF_TRACE";
const BEGIN: &str = "<|begin_of_text|><|trace_context_start|>";
const END: &str = "<|end_of_text|>";
const FRAME: &str = "<|frame_sep|>";
const ACTION: &str = "<|action_sep|>";
const ARGUMENT: &str = "<|arg_sep|>";
const CALL: &str = "<|call_sep|>";
const LINE: &str = "<|line_sep|>";
const RETURN: &str = "<|return_sep|>";
const EXCEPTION: &str = "<|exception_sep|>";
/// A value unchanged since the previous frame.
const UNCHANGED: &str = "..";

/// A function that a trace does not call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the trace has no call of `{0}`; leave out the function for a trace of the whole module")]
pub struct NotCalled(pub String);

/// A trace in the format of code world models: the source with the mark, then the frames. With a `function` it begins
/// at that function's first call, otherwise it covers the whole module.
///
/// # Errors
/// If the function is not called.
pub fn cwm(trace: &Trace, function: Option<&str>) -> Result<String, NotCalled> {
    let frames = Frames::of(trace);
    let sources = Sources::of(trace);
    let (steps, place) = match function {
        None => {
            let first = trace.steps.first();
            (
                0..trace.steps.len(),
                first.map_or((0, 1), |step| (step.file, step.line)),
            )
        }
        Some(name) => {
            let short = name.rsplit('.').next().unwrap_or(name);
            let mut calls = frames.activations.iter().filter_map(|a| Some((a.call?, a)));
            let found = calls.find(|(call, _)| trace.steps[*call].function == short);
            let (call, activation) = found.ok_or_else(|| NotCalled(name.to_owned()))?;
            let end = trace.steps.len().min(activation.end + 1);
            (call..end, (trace.steps[call].file, trace.steps[call].line))
        }
    };
    let mut writer = Writer {
        trace,
        sources: &sources,
        text: format!("{BEGIN}{}{FRAME}", sources.marked(place)),
        known: HashMap::new(),
        told: None,
        module: None,
    };
    if function.is_none() {
        writer.observed(CALL, place, EMPTY.get_or_init(State::new));
    }
    for k in steps.clone() {
        writer.step(k, frames.frame(k), steps.end);
    }
    writer.text.push_str(END);
    Ok(writer.text)
}

/// Lines of a program's files.
struct Sources<'t> {
    lines: Vec<Vec<&'t str>>,
}

impl<'t> Sources<'t> {
    fn of(trace: &'t Trace) -> Self {
        let count = trace.files.len().max(1);
        let lines = (0..count).map(|file| Self::text(trace, file).lines().collect());
        Self {
            lines: lines.collect(),
        }
    }

    fn text(trace: &'t Trace, file: usize) -> &'t str {
        let entry = trace.program.source.as_deref().filter(|_| file == 0);
        let listed = trace
            .files
            .get(file)
            .and_then(|file| file.source.as_deref());
        entry.or(listed).unwrap_or("")
    }

    fn line(&self, (file, line): (u32, u32)) -> &'t str {
        let lines = self.lines.get(file as usize);
        let line = lines.and_then(|lines| lines.get((line as usize).checked_sub(1)?));
        line.copied().unwrap_or("")
    }

    /// All sources, with a mark after the line where the trace begins, or above it where a comment is not
    /// allowed.
    fn marked(&self, (marked, line): (u32, u32)) -> String {
        let mut all = String::new();
        for (file, lines) in self.lines.iter().enumerate() {
            let behind = |number: usize, text: &str| match number + 1 == line as usize {
                true => format!("{text}{MARK}\n"),
                false => format!("{text}\n"),
            };
            let numbered = || lines.iter().enumerate();
            if file != marked as usize {
                all.extend(numbered().map(|(_, line)| format!("{line}\n")));
                continue;
            }
            let with: String = numbered().map(|(k, text)| behind(k, text)).collect();
            let fits = syntax::with_parsed(&with, |_| ()).is_ok();
            let above = |(k, text): (usize, &&str)| match k + 1 == line as usize {
                true => format!("{}\n{text}\n", MARK.trim_start()),
                false => format!("{text}\n"),
            };
            match fits {
                true => all.push_str(&with),
                false => all.extend(numbered().map(above)),
            }
        }
        all
    }
}

struct Writer<'t> {
    trace: &'t Trace,
    sources: &'t Sources<'t>,
    text: String,
    /// Values of the previous frame in the same call.
    known: HashMap<&'t str, &'t str>,
    /// Frame whose exception was reported last.
    told: Option<usize>,
    /// Position of the module.
    module: Option<(u32, u32)>,
}

impl<'t> Writer<'t> {
    fn step(&mut self, k: usize, frame: usize, end: usize) {
        let step = &self.trace.steps[k];
        let place = (step.file, step.line);
        if frame == 0 {
            self.module = Some(place);
        }
        match step.event {
            Event::Call => {
                self.known.clear();
                self.before(k, CALL, place);
            }
            Event::Line => self.before(k, LINE, place),
            Event::Return => {
                if self.is_unwound(step, k) && self.told != Some(frame) {
                    self.exception(place, frame);
                }
                let value = step.value.as_ref().map_or("None", |value| &value.text);
                self.given(RETURN, place, value);
                self.known.clear();
            }
        }
        if self.raised_at() == Some(k) && step.event != Event::Return {
            self.exception(place, frame);
        }
        // It ends the module, whose return is not a step.
        let is_last = k + 1 == end && end == self.trace.steps.len();
        if let Some(place) = self.module
            && is_last
            && self.raised_at().is_some()
            && self.told != Some(0)
        {
            self.exception(place, 0);
        }
    }

    /// The step that raised the uncaught exception.
    fn raised_at(&self) -> Option<usize> {
        match &self.trace.outcome {
            Outcome::Raised { step, .. } => step.map(|step| step as usize),
            _ => None,
        }
    }

    /// Whether the exception that ends the program leaves the frame of this step.
    fn is_unwound(&self, step: &Step, k: usize) -> bool {
        step.value.is_none() && self.raised_at().is_some_and(|raised| k > raised)
    }

    /// A frame with the bindings at the time of a step's event.
    fn before(&mut self, k: usize, kind: &str, place: (u32, u32)) {
        let trace = self.trace;
        let before = k.checked_sub(1).and_then(|k| trace.steps.get(k));
        match before {
            Some(before) => self.observed(kind, place, &before.state),
            None => self.observed(kind, place, EMPTY.get_or_init(State::new)),
        }
    }

    fn observed(&mut self, kind: &str, place: (u32, u32), state: &'t State) {
        let mut locals = Map::new();
        for (name, value) in state.iter() {
            let same = self.known.get(name) == Some(&&*value.text);
            let text = if same { UNCHANGED } else { &value.text };
            locals.insert(name.to_owned(), Json::from(text));
        }
        self.known = state
            .iter()
            .map(|(name, value)| (name, &*value.text))
            .collect();
        let line = self.sources.line(place);
        let locals = Json::Object(locals);
        let _ = write!(self.text, "{kind}{locals}{ACTION}{line}\n{FRAME}");
    }

    fn given(&mut self, kind: &str, place: (u32, u32), value: &str) {
        let line = self.sources.line(place);
        let value = Json::from(value);
        let _ = write!(self.text, "{kind}{ACTION}{line}\n{ARGUMENT}{value}{FRAME}");
    }

    fn exception(&mut self, place: (u32, u32), frame: usize) {
        if let Outcome::Raised {
            exception, message, ..
        } = &self.trace.outcome
        {
            let text = match message.is_empty() {
                true => exception.clone(),
                false => format!("{exception}: {message}"),
            };
            self.given(EXCEPTION, place, &text);
            self.told = Some(frame);
        }
    }
}

static EMPTY: std::sync::OnceLock<State> = std::sync::OnceLock::new();
