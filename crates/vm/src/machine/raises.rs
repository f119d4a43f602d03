//! Where a program raised, recorded instead of its steps: what a checker needs, at a fraction of
//! the cost.
//!
//! No state is recorded while the program is walked. Where an exception is raised, the locals of
//! the innermost frame are kept as values; their text is made if nothing caught it. Objects that
//! the program drops are neither closed nor finalised.

use std::collections::HashMap;
use std::sync::Arc;

use codexec_trace::{Event, Origin, Outcome, State, Step, Value as Shown};

use super::eval::tracing::local_values;
use super::{Flow, Frame, Machine, Run};
use crate::code::Code;
use crate::text;
use crate::value::{Object, ObjectId, Value};

/// The parts of an execution that are recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Recorded {
    /// Every step with its state.
    #[default]
    Steps,
    /// The last line of the program's module, and the place of the exception that ended the
    /// program. Steps of imported modules do not count.
    Raises,
}

/// Maximum exceptions whose places are kept.
const MOST_PLACES: usize = 256;

/// The places recorded so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Raises {
    /// Steps without those of imports.
    steps: usize,
    /// Modules of the project that are being executed.
    pub importing: usize,
    /// Last executed line of the program's module; 0 if none.
    line: u32,
    /// Places of exceptions, by the identity of their object.
    places: HashMap<u32, Place>,
}

impl Raises {
    /// Whether another event would be one too many. The step of the last event is still open.
    pub(super) fn is_full(&self, most: usize) -> bool {
        self.importing == 0 && self.steps > most
    }

    /// Counts an event, with its line in the program's module.
    pub(super) fn count(&mut self, line: Option<u32>) {
        self.line = line.unwrap_or(self.line);
        self.steps += usize::from(self.importing == 0);
    }
}

/// The place where an exception was raised.
#[derive(Debug, Clone)]
struct Place {
    line: u32,
    file: u32,
    code: Arc<Code>,
    globals: ObjectId,
    /// Whether it is the program's module itself.
    is_module: bool,
    locals: Vec<(Arc<str>, Value)>,
    /// The frames of functions that led there, outermost first. Of many, only the innermost ones.
    callers: Vec<Caller>,
}

/// A frame that waits for a call.
#[derive(Debug, Clone)]
struct Caller {
    code: Arc<Code>,
    line: u32,
    file: u32,
}

/// Maximum callers of a place that are kept.
const MOST_CALLERS: usize = 16;

impl Machine {
    /// Counts an event of the innermost frame. Only its number and its line matter.
    pub(super) fn count_event(&mut self, line: u32) -> Run<()> {
        let most = self.settings.max_steps;
        let module = self.stacks.module;
        let Some(frame) = self.frames.last() else {
            return Ok(());
        };
        let is_module = is_module(frame, module);
        let Some(raises) = &mut self.record.raises else {
            return Ok(());
        };
        let is_full = raises.is_full(most);
        raises.count(is_module.then_some(line));
        match is_full {
            true => Err(Flow::End(Outcome::StepLimit)),
            false => Ok(()),
        }
    }

    /// Counts a module of the project that begins or ends.
    pub(super) fn importing(&mut self, more: bool) {
        if let Some(raises) = &mut self.record.raises {
            raises.importing = match more {
                true => raises.importing + 1,
                false => raises.importing.saturating_sub(1),
            };
        }
    }

    /// Keeps the place of an exception that is raised, unless it was raised before.
    pub(super) fn keep_place(&mut self, error: ObjectId) {
        let known = |raises: &Raises| raises.places.contains_key(&error.0);
        if self.record.raises.as_ref().is_none_or(known) {
            return;
        }
        let (line, file) = (self.current_line(), self.current_file());
        let module = self.stacks.module;
        let callers = self.callers();
        let heap = &self.heap;
        let Some(frame) = self.frames.iter_mut().rev().find(|frame| frame.traced) else {
            return;
        };
        let locals = match frame.namespace {
            None => local_values(frame, heap),
            Some(space) => named(heap.get(space), &frame.code),
        };
        let place = Place {
            line,
            file,
            code: frame.code.clone(),
            globals: frame.globals,
            is_module: is_module(frame, module),
            locals,
            callers,
        };
        if let Some(raises) = &mut self.record.raises {
            if raises.places.len() >= MOST_PLACES {
                raises.places.clear();
            }
            raises.places.insert(error.0, place);
        }
    }

    /// Returns the functions of the program that wait for the innermost one.
    fn callers(&self) -> Vec<Caller> {
        let module = self.stacks.module;
        let frames = self.frames.iter().rev().filter(|frame| frame.traced);
        let waiting = frames.skip(1).filter(|frame| !is_module(frame, module));
        let caller = |frame: &Frame| Caller {
            code: frame.code.clone(),
            line: frame.line(),
            file: self.file_of(frame.globals),
        };
        let mut callers: Vec<Caller> = waiting.take(MOST_CALLERS).map(caller).collect();
        callers.reverse();
        callers
    }

    /// Records the steps of an uncaught exception: those of the module, of the functions that led
    /// there, and of the frame that raised. Returns the number of the last one.
    pub(super) fn place_of(&mut self, error: u32) -> Option<u32> {
        let raises = self.record.raises.as_mut()?;
        let line = raises.line;
        let place = raises.places.remove(&error)?;
        let mut steps = Vec::new();
        if line > 0 && !place.is_module {
            let names = named(self.heap.get(place.globals), &place.code);
            steps.push(self.step(line, "<module>", (0, 0), &names));
        }
        let mut depth = u32::from(!place.is_module);
        for caller in &place.callers {
            steps.push(self.step(caller.line, &caller.code.name, (depth, caller.file), &[]));
            depth += 1;
        }
        let at = (depth, place.file);
        steps.push(self.step(place.line, &place.code.name, at, &place.locals));
        let last = u32::try_from(steps.len()).unwrap_or(u32::MAX) - 1;
        self.record.steps = steps;
        Some(last)
    }

    fn step(
        &self,
        line: u32,
        function: &str,
        (depth, file): (u32, u32),
        names: &[(Arc<str>, Value)],
    ) -> Step {
        let shown = names.iter().map(|(name, value)| {
            let text = text::canonical(&self.heap, value);
            (name.to_string(), Shown::new(text, Origin::Computed))
        });
        Step {
            line,
            event: Event::Line,
            function: function.into(),
            depth,
            file,
            state: shown.collect::<State>(),
            output: String::new(),
            value: None,
            confidence: None,
        }
    }

    /// Returns the step of a program that has ended: the last line of its module.
    pub(super) fn end_of_module(&self) -> Option<Step> {
        let raises = self.record.raises.as_ref()?;
        let is_known = raises.line > 0 && self.record.steps.is_empty();
        is_known.then(|| self.step(raises.line, "<module>", (0, 0), &[]))
    }
}

fn is_module(frame: &Frame, module: Option<ObjectId>) -> bool {
    frame.namespace == Some(frame.globals) && module == Some(frame.globals)
}

/// Returns the names of a namespace that occur in a code object.
fn named(space: &Object, code: &Code) -> Vec<(Arc<str>, Value)> {
    let Object::Dict(entries, _) = space else {
        return Vec::new();
    };
    let one = |name: &Arc<str>| {
        let (_, value) = entries.get(&crate::value::Key::Str(name.clone()))?;
        Some((name.clone(), value.clone()))
    };
    code.names.iter().filter_map(one).collect()
}
