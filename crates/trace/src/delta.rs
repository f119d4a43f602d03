//! The delta form: a trace whose states list only changes. It is lossless: `full(&delta(&t)?) == t`
//! for every trace that passes [`Trace::check`].
//!
//! Its text, which our own checkpoints read and write, is in [`super::delta_text`].

use std::cell::LazyCell;
use std::collections::HashSet;

use super::call_stack::CallStack;
use super::{Engine, Event, FormError, Limit, Outcome, Program, State, Step, Text, Trace, Value};

/// A trace as changes from step to step.
#[derive(Debug, Clone, PartialEq)]
pub struct DeltaTrace {
    /// As in [`Trace::version`].
    pub version: u32,
    /// Its producer.
    pub engine: Engine,
    /// As in [`Trace::python`].
    pub python: Option<String>,
    /// As in [`Trace::checkpoint`].
    pub checkpoint: Option<String>,
    /// As in [`Trace::confidence`].
    pub confidence: Option<f32>,
    /// The program.
    pub program: Program,
    /// The steps, in order.
    pub steps: Vec<DeltaStep>,
    /// The outcome. `Raised` marks the step that raised.
    pub outcome: Outcome,
    /// As in [`Trace::truncated`].
    pub truncated: bool,
    /// As in [`Trace::limit`].
    pub limit: Option<Limit>,
}

/// One event and its changes.
///
/// The event's kind is `return` where `leave` is set, `call` where the step before has `enter`,
/// and `line` otherwise; function and depth follow from them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeltaStep {
    /// Line of the event, 1-based.
    pub line: u32,
    /// This step leaves its frame: the changes are relative to the last known state of the caller.
    pub leave: bool,
    /// The next event enters this function: the changes are relative to an empty state. Applied
    /// after `leave` if both are set.
    pub enter: Option<String>,
    /// Forget the state before `gone` and `changed`; set only where the order of names requires.
    pub reset: bool,
    /// Names no longer bound; applied first.
    pub gone: Vec<String>,
    /// Names bound or bound anew, in the order of the state.
    pub changed: Vec<(String, Value)>,
    /// As in [`Step::output`].
    pub output: String,
    /// As in [`Step::value`]; the text leaves it out.
    pub value: Option<Value>,
    /// As in [`Step::confidence`].
    pub confidence: Option<f32>,
}

/// The delta form of a trace.
///
/// # Errors
/// The errors of [`Trace::check`].
pub fn delta(trace: &Trace) -> Result<DeltaTrace, FormError> {
    trace.check()?;
    let mut frames = CallStack::new();
    let steps = trace.steps.iter().enumerate().map(|(k, step)| {
        let next = trace.steps.get(k + 1);
        delta_step(&mut frames, step, next)
    });
    let steps = steps.collect();
    Ok(DeltaTrace::about(trace, steps))
}

fn delta_step(frames: &mut CallStack, step: &Step, next: Option<&Step>) -> DeltaStep {
    let leave = step.event == Event::Return;
    let enter = next
        .filter(|n| n.event == Event::Call)
        .map(|n| n.function.to_string());
    if leave {
        frames.leave();
    }
    if let Some(function) = &enter {
        frames.enter(function);
    }
    let base = frames.state();
    let (reset, gone, changed) = match difference(base, &step.state) {
        Some((gone, changed)) => {
            let gone = gone.into_iter().map(str::to_owned).collect();
            (false, gone, owned(changed.into_iter()))
        }
        None => (true, Vec::new(), owned(step.state.iter())),
    };
    base.clone_from(&step.state);
    DeltaStep {
        line: step.line,
        leave,
        enter,
        reset,
        gone,
        changed,
        output: step.output.clone(),
        value: step.value.as_deref().cloned(),
        confidence: step.confidence,
    }
}

/// Names to remove, then names and values to set.
pub(crate) type Difference<'s> = (Vec<&'s str>, Vec<(&'s str, &'s Value)>);

/// The names to remove from `old` and then set to get `new`, or `None` if that cannot produce its
/// order.
pub(crate) fn difference<'s>(old: &'s State, new: &'s State) -> Option<Difference<'s>> {
    let (mut gone, mut changed) = (Vec::new(), Vec::new());
    let mut rest = new.iter().peekable();
    let names = LazyCell::new(|| new.iter().map(|(name, _)| name).collect::<HashSet<_>>());
    for (name, value) in old.iter() {
        match rest.next_if(|(n, _)| *n == name) {
            Some((_, now)) if now == value => {}
            Some((_, now)) => changed.push((name, now)),
            None if names.contains(name) => return None,
            None => gone.push(name),
        }
    }
    changed.extend(rest);
    Some((gone, changed))
}

fn owned<'a>(entries: impl Iterator<Item = (&'a str, &'a Value)>) -> Vec<(String, Value)> {
    entries.map(|(n, v)| (n.to_owned(), v.clone())).collect()
}

/// The trace of a delta form.
///
/// Total: any form, even one that no trace has (such as a model's output), gives some trace, which
/// [`Trace::check`] may reject.
pub fn full(delta: &DeltaTrace) -> Trace {
    let mut frames = CallStack::new();
    let mut called = false;
    let mut steps = Vec::with_capacity(delta.steps.len());
    for step in &delta.steps {
        steps.push(full_step(&mut frames, step, called));
        called = step.enter.is_some();
    }
    Trace {
        files: Vec::new(),
        version: delta.version,
        engine: delta.engine,
        python: delta.python.clone(),
        checkpoint: delta.checkpoint.clone(),
        confidence: delta.confidence,
        program: delta.program.clone(),
        steps,
        outcome: delta.outcome.clone(),
        causes: Vec::new(),
        truncated: delta.truncated,
        limit: delta.limit,
    }
}

/// The same trace with every state written out: each step lists all names. It reads back as the
/// trace that `delta` encodes, in more words.
pub fn whole_states(delta: &DeltaTrace) -> DeltaTrace {
    let mut whole = delta.clone();
    for (step, full) in whole.steps.iter_mut().zip(full(delta).steps) {
        step.reset = true;
        step.gone.clear();
        step.changed = owned(full.state.iter());
    }
    whole
}

fn full_step(frames: &mut CallStack, step: &DeltaStep, called: bool) -> Step {
    let event = match (step.leave, called) {
        (true, _) => Event::Return,
        (false, true) => Event::Call,
        (false, false) => Event::Line,
    };
    let (function, depth) = (Text::from(frames.function()), frames.depth());
    if step.leave {
        frames.leave();
    }
    if let Some(function) = &step.enter {
        frames.enter(function);
    }
    let state = frames.state();
    if step.reset {
        *state = State::new();
    }
    state.apply(&step.gone, step.changed.clone());
    Step {
        line: step.line,
        event,
        function,
        depth,
        file: 0,
        state: state.clone(),
        output: step.output.clone(),
        value: step.value.clone().map(Box::new),
        confidence: step.confidence,
    }
}

/// The trace up to and including the step that raised the uncaught exception, without the unwinding
/// after it. The whole trace if nothing was raised.
///
/// Models learn to write this, because the unwinding follows from the program.
pub fn truncate_at_raise(trace: &Trace) -> Trace {
    Trace {
        steps: trace.until_raise().to_vec(),
        ..trace.clone()
    }
}

impl DeltaTrace {
    /// The delta form of a trace, with these steps.
    fn about(trace: &Trace, steps: Vec<DeltaStep>) -> Self {
        Self {
            version: trace.version,
            engine: trace.engine,
            python: trace.python.clone(),
            checkpoint: trace.checkpoint.clone(),
            confidence: trace.confidence,
            program: trace.program.clone(),
            steps,
            outcome: trace.outcome.clone(),
            truncated: trace.truncated,
            limit: trace.limit,
        }
    }

    /// A delta form without steps yet.
    pub fn new(engine: Engine, program: Program) -> Self {
        Self::about(&Trace::new(engine, program), Vec::new())
    }
}
