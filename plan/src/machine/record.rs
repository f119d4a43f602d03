//! Events become steps, by the rule of `docs/trace-format.md`: a step holds the state at the next event.

use std::collections::HashMap;
use std::sync::Arc;

use codexec_data::trace::{Event, Origin, Outcome, State, Step, Value as Shown};

use super::{Flow, Run, Settings};

/// Operations of a program, by who gave their value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Folded.
    pub folded: u64,
    /// Asked.
    pub asked: u64,
}

/// The steps so far.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub steps: Vec<Step>,
    pub counts: Counts,
    pending: Option<Step>,
    output: String,
    confidence: Option<f32>,
    /// Values as the last state of each function's frame showed them: an unchanged text keeps its origin.
    origins: HashMap<(u32, String), (String, Origin)>,
    max_steps: usize,
    text_left: usize,
    answers: Origin,
    /// Step during which exceptions were raised last, by the identity of their object.
    pub raised_at: HashMap<u32, u32>,
    /// Innermost line of exceptions.
    pub raised_line: HashMap<u32, u32>,
    /// Where exceptions came through the program's frames: lines and functions, the innermost first.
    pub tracebacks: HashMap<u32, Vec<(u32, Arc<str>)>>,
}

impl Record {
    pub fn new(settings: &Settings) -> Self {
        Self {
            steps: Vec::new(),
            counts: Counts::default(),
            pending: None,
            output: String::new(),
            confidence: None,
            origins: HashMap::new(),
            max_steps: settings.max_steps,
            text_left: settings.max_text,
            answers: settings.answers,
            raised_at: HashMap::new(),
            raised_line: HashMap::new(),
            tracebacks: HashMap::new(),
        }
    }

    /// An oracle answered during this step.
    pub fn answered(&mut self, confidence: f32) {
        self.confidence = Some(self.confidence.unwrap_or(1.0) * confidence);
    }

    /// Something was printed.
    pub fn write(&mut self, text: &str) -> Run<()> {
        if text.len() > self.text_left {
            return Err(Flow::End(Outcome::OutputLimit));
        }
        self.text_left -= text.len();
        self.output.push_str(text);
        Ok(())
    }

    /// Whether an event closes a step, so that a state is needed.
    pub fn has_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// An event: the step before it gets this state, and a new one begins.
    pub fn event(
        &mut self,
        event: Event,
        line: u32,
        function: &str,
        depth: u32,
        state: Vec<(String, String)>,
    ) -> Run<()> {
        self.close(state, depth)?;
        self.pending = Some(Step {
            line,
            event,
            function: function.to_string(),
            depth,
            state: State::new(),
            output: String::new(),
            confidence: None,
            value: None,
        });
        Ok(())
    }

    /// What the function of the return event just noted gives back.
    pub fn gives(&mut self, text: String) {
        let asked = self.confidence.is_some();
        let origin = if asked {
            self.answers
        } else {
            Origin::Computed
        };
        if let Some(step) = &mut self.pending {
            step.value = Some(Shown::new(text, origin));
        }
    }

    fn close(&mut self, state: Vec<(String, String)>, depth: u32) -> Run<()> {
        let Some(mut step) = self.pending.take() else {
            return Ok(());
        };
        let asked = self.confidence.is_some();
        let size: usize = state.iter().map(|(n, t)| n.len() + t.len()).sum();
        let mut pairs = Vec::with_capacity(state.len());
        for (name, text) in state {
            let origin = self.origin(depth, &name, &text, asked);
            pairs.push((name, Shown::new(text, origin)));
        }
        step.state = State::of_unique(pairs)
            .map_err(|name| Flow::Unsupported(format!("name `{name}` twice")))?;
        step.output = std::mem::take(&mut self.output);
        step.confidence = self.confidence.take();
        if self.steps.len() >= self.max_steps {
            return Err(Flow::End(Outcome::StepLimit));
        }
        self.steps.push(step);
        if size > self.text_left {
            return Err(Flow::End(Outcome::OutputLimit));
        }
        self.text_left -= size;
        Ok(())
    }

    fn origin(&mut self, depth: u32, name: &str, text: &str, asked: bool) -> Origin {
        let now = if asked {
            self.answers
        } else {
            Origin::Computed
        };
        let entry = self.origins.entry((depth, name.to_string()));
        let (old, origin) = entry.or_insert_with(|| (text.to_string(), now));
        if old != text {
            *old = text.to_string();
            *origin = now;
        }
        *origin
    }

    /// Nothing follows: what was printed since the last event belongs to the last step.
    pub fn end(&mut self) {
        let output = std::mem::take(&mut self.output);
        if let Some(step) = self.steps.last_mut() {
            step.output.push_str(&output);
        }
        self.pending = None;
    }
}
