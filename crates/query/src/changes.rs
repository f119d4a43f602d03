//! The changes of a step: its state compared with the last known state of the same frame. Does not
//! format them.

use codexec_trace::{Engine, Event, State, Step, Trace, Value};

use crate::frames::{Frames, at_event};

/// The changes of one step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes<'t> {
    /// The function of these variables if it is not the step's own: a line that calls shows the
    /// callee's arguments, the end of a function the caller's variables.
    pub frame: Option<&'t str>,
    /// Names with another value than before, then names that are gone.
    pub names: Vec<(&'t str, Option<&'t Value>)>,
    /// The names among these that had another value before.
    pub replaced: Vec<&'t str>,
}

/// The changes of each step, see [`each_change`].
pub fn changes(trace: &Trace) -> Vec<Changes<'_>> {
    each_change(trace).collect()
}

/// The changes of each step in order. A state belongs to the frame of the next event. After the last step
/// that is the caller's frame following a return, else the same one.
pub fn each_change(trace: &Trace) -> impl Iterator<Item = Changes<'_>> {
    let frames = Frames::of(trace);
    let knows_frames = knows_frames(trace);
    let mut known: Vec<Option<&State>> = vec![None; frames.count()];
    let mut functions: Vec<Option<&str>> = vec![None; frames.count()];
    trace.steps.iter().enumerate().map(move |(k, step)| {
        functions[frames.frame(k)] = Some(&step.function);
        let frame = frames.of_state(k);
        let function = match trace.steps.get(k + 1) {
            Some(next) => Some(next.function.as_str()),
            None => functions[frame],
        };
        // A predicted trace may say something else than its calls and returns.
        let next = trace.steps.get(k + 1).unwrap_or(step);
        let here = frame == frames.frame(k)
            && (next.depth, &next.function) == (step.depth, &step.function);
        let before = known[frame].replace(&step.state);
        Changes {
            frame: function.filter(|_| !here),
            names: difference(before, &step.state, knows_frames),
            replaced: replaced(before, &step.state),
        }
    })
}

/// The changes in a frame between two of its events.
pub fn between(trace: &Trace, from: usize, to: usize) -> Changes<'_> {
    let Some(after) = at_event(trace, to) else {
        return Changes::default();
    };
    Changes {
        frame: None,
        names: difference(at_event(trace, from), after, knows_frames(trace)),
        replaced: replaced(at_event(trace, from), after),
    }
}

/// Whether the trace distinguishes frames. The paper form does not: there a missing name may belong
/// to another frame.
fn knows_frames(trace: &Trace) -> bool {
    let told = |s: &Step| s.depth > 0 || s.event != Event::Line;
    !matches!(trace.engine, Engine::Predict | Engine::Orca) || trace.steps.iter().any(told)
}

/// Names that have another value than before.
fn replaced<'t>(before: Option<&'t State>, after: &'t State) -> Vec<&'t str> {
    let known = |name: &str| before.and_then(|state| state.get(name));
    let other = |(name, value): &(&str, &Value)| known(name).is_some_and(|known| known != *value);
    after.iter().filter(other).map(|(name, _)| name).collect()
}

fn difference<'t>(
    before: Option<&'t State>,
    after: &'t State,
    with_gone: bool,
) -> Vec<(&'t str, Option<&'t Value>)> {
    let known = |name: &str| before.and_then(|state| state.get(name));
    let changed = |(name, value): &(&str, &Value)| known(name) != Some(*value);
    let gone = |name: &&str| with_gone && after.get(name).is_none();
    let changed = after.iter().filter(changed).map(|(n, v)| (n, Some(v)));
    let names = before
        .into_iter()
        .flat_map(State::iter)
        .map(|(name, _)| name);
    changed
        .chain(names.filter(gone).map(|n| (n, None)))
        .collect()
}
