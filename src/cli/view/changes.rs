//! What a step changed: the state after it against what was last known of the same frame. Does not
//! say how changes look.

use std::collections::BTreeMap;

use codexec_data::trace::{Engine, Event, State, Trace, Value};

/// The changes of one step.
#[derive(Debug, Default, PartialEq)]
pub(super) struct StepChanges<'t> {
    /// The function whose variables these are, where that is not the step's own: a line that calls
    /// shows the arguments of what it calls, the end of a function what its caller holds.
    pub(super) frame: Option<&'t str>,
    /// Names with another value than before, then names that are gone.
    pub(super) names: Vec<(&'t str, Option<&'t Value>)>,
}

/// The changes of each step. A state belongs to the frame of the next event; behind the last step
/// that is the caller's frame after a return, else the same one.
pub(super) fn changes(trace: &Trace) -> Vec<StepChanges<'_>> {
    // Depths come from files, too: a map, so that a huge one costs nothing.
    let mut frames: BTreeMap<u32, (Option<&str>, &State)> = BTreeMap::new();
    let knows_frames = knows_frames(trace);
    let mut all = Vec::with_capacity(trace.steps.len());
    for (k, step) in trace.steps.iter().enumerate() {
        let (depth, function, entered) = match trace.steps.get(k + 1) {
            Some(next) => (
                next.depth,
                Some(next.function.as_str()),
                next.event == Event::Call,
            ),
            None if step.event == Event::Return => {
                let depth = step.depth.saturating_sub(1);
                (depth, frames.get(&depth).and_then(|(f, _)| *f), false)
            }
            None => (step.depth, Some(step.function.as_str()), false),
        };
        frames.retain(|d, _| *d <= depth);
        let before = match frames.get(&depth) {
            Some((f, state)) if !entered && *f == function => Some(*state),
            _ => None,
        };
        let here = depth == step.depth && function == Some(step.function.as_str()) && !entered;
        all.push(StepChanges {
            frame: function.filter(|_| !here),
            names: difference(before, &step.state, knows_frames),
        });
        frames.insert(depth, (function, &step.state));
    }
    all
}

/// Whether the trace tells frames apart. The paper form does not: there a name that is gone may
/// just belong to another frame.
fn knows_frames(trace: &Trace) -> bool {
    let told = |s: &codexec_data::trace::Step| s.depth > 0 || s.event != Event::Line;
    !matches!(trace.engine, Engine::Predict | Engine::Orca) || trace.steps.iter().any(told)
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
