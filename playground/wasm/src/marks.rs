//! Marks what was made up in the states of a trace, as `codexec trace` does.
//!
//! The same rules are those of `codexec-engine`, which cannot be built for a browser.

use std::collections::{BTreeSet, HashMap};

use codexec_plan::stand_in::{Decision, MadeUp, Taken, Used};
use codexec_trace::{Frames, Origin, Trace, Value};

/// What is known of a planned program by the lines that made something up.
struct Marks<'p> {
    /// File, line and text of each value that was made up.
    made: BTreeSet<(u32, u32, &'p str)>,
    /// Texts of the exceptions that calls were taken to raise.
    raised: BTreeSet<&'p str>,
    /// Of each frame the names that hold such a value, and its text.
    held: HashMap<(usize, String), String>,
}

/// Marks stand-ins, exceptions that calls were taken to raise, and names that a line bound to a value which was made up on it.
pub(crate) fn mark(trace: &mut Trace, made_up: &[MadeUp], decisions: &[Decision]) {
    if made_up.is_empty() {
        return;
    }
    let frames = Frames::of(trace);
    let made = made_up.iter().map(|one| (one.file, one.line, &*one.text));
    let mut marks = Marks {
        made: made.collect(),
        raised: raised(decisions, made_up),
        held: HashMap::new(),
    };
    let mut last: HashMap<usize, usize> = HashMap::new();
    for at in 0..trace.steps.len() {
        let frame = frames.of_state(at);
        let (before, from) = trace.steps.split_at_mut(at);
        let before = last.insert(frame, at).map(|last| &before[last].state);
        let step = &mut from[0];
        let place = (step.file, step.line);
        let marked: Vec<bool> = step
            .state
            .iter()
            .map(|(name, value)| {
                let known = before.and_then(|before| before.get(name));
                let is_new = known.is_none_or(|known| known.text != value.text);
                marks.is_made_up(frame, place, name, value, is_new)
            })
            .collect();
        if marked.contains(&true) {
            let state = step.state.iter().zip(marked).map(|((name, value), mark)| {
                let mut value = value.clone();
                if mark {
                    value.origin = Origin::Injected;
                }
                (name.to_owned(), value)
            });
            step.state = state.collect();
        }
    }
}

impl Marks<'_> {
    fn is_made_up(
        &mut self,
        frame: usize,
        (file, line): (u32, u32),
        name: &str,
        value: &Value,
        is_new: bool,
    ) -> bool {
        let key = (frame, name.to_owned());
        if is_new && self.made.contains(&(file, line, &*value.text)) {
            self.held.insert(key.clone(), value.text.to_string());
        }
        let is_held = self.held.get(&key).is_some_and(|text| *text == *value.text);
        if !is_held {
            self.held.remove(&key);
        }
        is_held || value.text.contains("<StandIn>") || self.raised.contains(&*value.text)
    }
}

/// Texts of the exceptions that calls were taken to raise.
fn raised<'p>(decisions: &[Decision], made_up: &'p [MadeUp]) -> BTreeSet<&'p str> {
    let raised = decisions.iter();
    let raised = raised.filter(|one| matches!(one.taken, Taken::Raises(_, true)));
    let places: BTreeSet<(u32, u32)> = raised.map(|one| (one.file, one.line)).collect();
    let made = made_up.iter();
    made.filter(|one| one.used == Used::Call && one.sure.is_none())
        .filter(|one| places.contains(&(one.file, one.line)))
        .map(|one| &*one.text)
        .collect()
}
