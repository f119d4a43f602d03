//! Assigns each state to a frame, from calls and returns alone.
//!
//! A generator's frame is entered repeatedly: a `call` away from its function's first line resumes a frame that was
//! left at that line. A thread begins with a `call` at depth 0. An event that does not fit the stack of its thread
//! resumes a stack that it fits. A predicted trace may fit none: if it returns too often, a frame without known state
//! begins.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::call_stack::MODULE;
use super::{Event, State, Step, Trace, is_entry};

/// One stay in a frame, from a call (or a generator's resumption) to the return.
#[derive(Debug, Clone)]
pub struct Activation {
    /// The frame, numbered in the order of their first calls.
    pub frame: usize,
    /// The `call` event. `None` for the module that the trace begins in.
    pub call: Option<usize>,
    /// The `return` event, or the number of steps if there is none.
    pub end: usize,
    /// Whether it resumes a frame that was left before.
    pub resumed: bool,
    /// The activation that called.
    pub parent: Option<usize>,
}

/// The frames of a trace.
#[derive(Debug, Clone)]
pub struct Frames {
    /// Activation of each event, that behind the last step included.
    of_event: Vec<u32>,
    /// All stays, in the order in which they begin.
    pub activations: Vec<Activation>,
    /// Of each frame: its first activation.
    pub first: Vec<usize>,
}

/// Frames that were left and may be resumed, by file, function and the line where they were left.
type Left<'t> = HashMap<(u32, &'t str, u32), Vec<usize>>;

impl Frames {
    /// The frames of a trace.
    pub fn of(trace: &Trace) -> Self {
        let mut walk = Walk::new(trace);
        for (k, step) in trace.steps.iter().enumerate() {
            walk.turn(step);
            if step.event == Event::Call {
                walk.call(k);
            }
            walk.note();
            if step.event == Event::Return {
                walk.leave(k);
            }
        }
        walk.note();
        Self {
            of_event: walk.of_event,
            first: walk.first,
            activations: walk.activations,
        }
    }

    /// The activation that an event is in; the event behind the last step has the number of steps.
    pub fn activation(&self, event: usize) -> usize {
        let known = self.of_event.get(event).or(self.of_event.last());
        known.map_or(0, |at| *at as usize)
    }

    /// The frame that an event is in.
    pub fn frame(&self, event: usize) -> usize {
        self.activations[self.activation(event)].frame
    }

    /// The frame whose names a step's state holds.
    pub fn of_state(&self, step: usize) -> usize {
        self.frame(step + 1)
    }

    /// Number of frames.
    pub fn count(&self) -> usize {
        self.first.len()
    }

    /// The frames in the order of their numbers.
    pub fn described<'t>(&'t self, trace: &'t Trace) -> impl Iterator<Item = Frame<'t>> {
        self.first.iter().map(|first| {
            let activation = &self.activations[*first];
            let call = activation.call.and_then(|call| trace.steps.get(call));
            let parent = activation.parent.map(|at| self.activations[at].frame);
            Frame {
                function: call.map_or(MODULE, |step| &step.function),
                file: call.map_or(0, |step| step.file),
                parent: parent.and_then(|parent| u32::try_from(parent).ok()),
            }
        })
    }
}

/// A frame of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Frame<'t> {
    /// Name of its code object.
    pub function: &'t str,
    /// File of its code: an index into [`Trace::files`].
    #[serde(skip_serializing_if = "is_entry")]
    pub file: u32,
    /// The frame that called it first. `None` for the module, and for the first frame of a thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
}

/// The bindings of a frame when an event fires: the state of the previous step.
pub fn at_event(trace: &Trace, event: usize) -> Option<&State> {
    let before = event.checked_sub(1)?;
    trace.steps.get(before).map(|step| &step.state)
}

/// A walk over the events.
struct Walk<'t> {
    trace: &'t Trace,
    activations: Vec<Activation>,
    of_event: Vec<u32>,
    first: Vec<usize>,
    /// The running thread.
    stack: Vec<usize>,
    /// The other threads; the most recently active comes last.
    waiting: Vec<Vec<usize>>,
    /// Where functions begin: the lines at which a frame of theirs was entered anew.
    entries: HashSet<(u32, &'t str, u32)>,
    left: Left<'t>,
}

impl<'t> Walk<'t> {
    fn new(trace: &'t Trace) -> Self {
        let mut walk = Self {
            trace,
            activations: Vec::new(),
            of_event: Vec::with_capacity(trace.steps.len() + 1),
            first: Vec::new(),
            stack: Vec::new(),
            waiting: Vec::new(),
            entries: HashSet::new(),
            left: HashMap::new(),
        };
        walk.enter(None, None);
        walk
    }

    fn here(&self) -> usize {
        self.stack.last().copied().unwrap_or(0)
    }

    /// Records that the next event is in this activation. A trace has fewer activations than steps, and 32 bits number
    /// those.
    fn note(&mut self) {
        self.of_event
            .push(u32::try_from(self.here()).unwrap_or(u32::MAX));
    }

    /// Resumes another thread's stack if a step does not fit this thread's.
    fn turn(&mut self, step: &Step) {
        let deep = step.depth as usize;
        if step.event == Event::Call && deep == 0 {
            let before = std::mem::take(&mut self.stack);
            return self.waiting.push(before);
        }
        let fits = |stack: &Vec<usize>| match step.event {
            Event::Call => stack.len() == deep,
            _ => stack.len() == deep + 1 && self.is_in(stack, step),
        };
        if fits(&self.stack) {
            return;
        }
        if let Some(at) = self.waiting.iter().rposition(fits) {
            let other = self.waiting.remove(at);
            let before = std::mem::replace(&mut self.stack, other);
            self.waiting.push(before);
        }
    }

    /// Whether a step belongs to the innermost frame of a stack.
    fn is_in(&self, stack: &[usize], step: &Step) -> bool {
        let first = stack
            .last()
            .map(|at| self.first[self.activations[*at].frame]);
        let call = first.and_then(|first| self.activations[first].call);
        match call {
            Some(call) => {
                let call = &self.trace.steps[call];
                call.file == step.file && call.function == step.function
            }
            None => step.file == 0 && step.function == MODULE,
        }
    }

    /// Begins an activation, in a new frame unless one is given.
    fn enter(&mut self, call: Option<usize>, frame: Option<usize>) {
        let at = self.activations.len();
        let resumed = frame.is_some();
        let frame = frame.unwrap_or_else(|| {
            self.first.push(at);
            self.first.len() - 1
        });
        self.activations.push(Activation {
            frame,
            call,
            end: self.trace.steps.len(),
            resumed,
            parent: self.stack.last().copied(),
        });
        self.stack.push(at);
    }

    fn call(&mut self, k: usize) {
        let step = &self.trace.steps[k];
        let place = (step.file, step.function.as_str(), step.line);
        let frame = match self.entries.contains(&place) {
            true => None,
            false => self.suspended(place, k),
        };
        if frame.is_none() {
            self.entries.insert(place);
        }
        self.enter(Some(k), frame);
    }

    /// The frame resumed at a line: the first one left there whose variables are unchanged, or else the first,
    /// since coroutines take turns.
    fn suspended(&mut self, place: (u32, &'t str, u32), call: usize) -> Option<usize> {
        let found = self
            .left
            .get_mut(&place)
            .filter(|found| !found.is_empty())?;
        let now = at_event(self.trace, call);
        let same = |at: &usize| at_event(self.trace, self.activations[*at].end) == now;
        let at = found.iter().position(same).unwrap_or(0);
        Some(self.activations[found.remove(at)].frame)
    }

    fn leave(&mut self, k: usize) {
        let Some(at) = self.stack.pop() else { return };
        self.activations[at].end = k;
        let step = &self.trace.steps[k];
        if self.activations[at].call.is_some() {
            self.left
                .entry((step.file, &step.function, step.line))
                .or_default()
                .push(at);
        }
        if self.stack.is_empty() {
            match self.waiting.pop() {
                Some(other) => self.stack = other,
                None => self.enter(None, None),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Engine, Program};

    use super::*;

    fn trace(events: &[(u32, Event, &str)]) -> Trace {
        let mut trace = Trace::new(Engine::Run, Program::default());
        trace.steps = events
            .iter()
            .map(|(line, event, function)| Step {
                line: *line,
                event: *event,
                function: (*function).into(),
                depth: u32::from(*function != MODULE),
                file: 0,
                state: State::new(),
                output: String::new(),
                value: None,
                confidence: None,
            })
            .collect();
        trace
    }

    use Event::{Call, Line, Return};

    #[test]
    fn a_generator_goes_on_in_its_own_frame() {
        let trace = trace(&[
            (5, Line, "<module>"),
            (1, Call, "g"),
            (2, Line, "g"),
            (2, Return, "g"),
            (6, Line, "<module>"),
            (5, Line, "<module>"),
            (2, Call, "g"),
            (3, Line, "g"),
            (3, Return, "g"),
            (1, Call, "g"),
        ]);
        let frames = Frames::of(&trace);
        let of: Vec<usize> = (0..=trace.steps.len()).map(|k| frames.frame(k)).collect();
        assert_eq!(of, [0, 1, 1, 1, 0, 0, 1, 1, 1, 2, 2]);
        assert!(frames.activations[2].resumed && !frames.activations[1].resumed);
    }

    #[test]
    fn a_trace_that_fits_no_call_stack_has_frames_too() {
        let trace = trace(&[
            (1, Return, "f"),
            (1, Return, "f"),
            (1, Call, "f"),
            (1, Line, "f"),
        ]);
        let frames = Frames::of(&trace);
        let of: Vec<usize> = (0..=trace.steps.len()).map(|k| frames.frame(k)).collect();
        assert_eq!(of, [0, 1, 3, 3, 3]);
    }

    #[test]
    fn threads_have_stacks_of_their_own() {
        let mut trace = trace(&[
            (9, Line, "<module>"),
            (1, Call, "f"),
            (2, Line, "f"),
            (1, Call, "f"),
            (2, Line, "f"),
            (3, Line, "<module>"),
            (3, Line, "f"),
            (3, Return, "f"),
            (3, Line, "f"),
            (3, Return, "f"),
        ]);
        for step in &mut trace.steps {
            step.depth = 0;
        }
        let frames = Frames::of(&trace);
        let of: Vec<usize> = (0..=trace.steps.len()).map(|k| frames.frame(k)).collect();
        assert_eq!(of[..6], [0, 1, 1, 2, 2, 0]);
        assert_eq!(of[6], of[7]);
        assert_ne!(of[6], of[8]);
        assert_eq!(of[10], 0);
        let parents: Vec<_> = frames.described(&trace).map(|frame| frame.parent).collect();
        assert_eq!(parents, [None; 3]);
    }
}
