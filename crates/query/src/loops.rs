//! Loops as they ran: where each iteration begins. Loops of comprehensions have no lines of their own, and are not
//! included.

use codexec_trace::{Event, Trace};

use crate::frames::Frames;
use crate::syntax::{Head, Sources, Unit};

/// One execution of a loop.
#[derive(Debug, Clone)]
pub(crate) struct LoopRun {
    /// Its file.
    pub file: u32,
    /// Line of its header.
    pub line: u32,
    /// First step of each iteration.
    pub iterations: Vec<usize>,
    /// The step after the last iteration: the header's final check, or the first step outside.
    pub end: usize,
}

/// A loop that is running.
struct Open {
    place: (u32, usize),
    run: LoopRun,
    lines: (u32, u32),
}

/// All executions of loops, in the order in which they begin.
pub(crate) fn loop_runs(trace: &Trace, frames: &Frames, sources: &Sources) -> Vec<LoopRun> {
    let mut stays: Vec<Vec<Open>> = frames.activations.iter().map(|_| Vec::new()).collect();
    let mut last: Vec<Option<(usize, u32)>> = vec![None; stays.len()];
    let mut done = Vec::new();
    for (k, step) in trace.steps.iter().enumerate() {
        let stay = frames.activation(k);
        let open = &mut stays[stay];
        let before = last[stay];
        match step.event {
            Event::Call => continue,
            Event::Return => {
                while let Some(one) = open.pop() {
                    done.push(closed(one, k, before));
                }
                continue;
            }
            Event::Line => {}
        }
        let inside = |one: &Open| {
            one.place.0 == step.file && (one.lines.0..=one.lines.1).contains(&step.line)
        };
        while let Some(one) = open.pop_if(|one| !inside(one)) {
            done.push(closed(one, k, before));
        }
        note(open, sources, (step.file, step.line), k, before);
        last[stay] = Some((k, step.line));
    }
    for (open, last) in stays.iter_mut().zip(last) {
        for one in open.drain(..).rev() {
            done.push(closed(one, trace.steps.len(), last));
        }
    }
    done.retain(|run| !run.iterations.is_empty());
    done.sort_by_key(|run| (run.iterations[0], std::cmp::Reverse(run.end)));
    done
}

/// The line event `k`, in an activation whose previous one was `before`.
fn note(
    open: &mut Vec<Open>,
    sources: &Sources,
    (file, line): (u32, u32),
    k: usize,
    before: Option<(usize, u32)>,
) {
    if let Some(top) = open.last_mut()
        && let Some(unit) = sources.get(top.place)
    {
        let again = begins_again(unit, line, before.map(|(_, line)| line));
        if again {
            top.run.iterations.push(k);
        }
        if again && !is_forever(unit) {
            return;
        }
    }
    let Some(place) = sources.unit(file, line) else {
        return;
    };
    if open.last().is_some_and(|top| top.place == place) {
        return;
    }
    let Some((unit, lines)) = sources.get(place).and_then(loop_lines) else {
        return;
    };
    let iterations = match is_forever(unit) {
        true => Vec::new(),
        false => vec![k],
    };
    open.push(Open {
        place,
        run: LoopRun {
            file,
            line: unit.first,
            iterations,
            end: k,
        },
        lines,
    });
}

/// A loop's lines, its header included.
fn loop_lines(unit: &Unit) -> Option<(&Unit, (u32, u32))> {
    match unit.head {
        Some(Head::For | Head::While { .. }) => Some((unit, (unit.first, unit.body?.1))),
        _ => None,
    }
}

fn is_forever(unit: &Unit) -> bool {
    matches!(unit.head, Some(Head::While { forever: Some(line) }) if line > unit.first)
}

/// Whether a line event is where a loop begins its next iteration.
fn begins_again(unit: &Unit, line: u32, before: Option<u32>) -> bool {
    let Some((first, last)) = unit.body else {
        return false;
    };
    match unit.head {
        // The header of these runs once.
        Some(Head::While {
            forever: Some(start),
        }) if start > unit.first => line == start,
        _ => line == unit.first && before.is_none_or(|before| (first..=last).contains(&before)),
    }
}

/// A loop that was left: the final check of the header is not an iteration.
fn closed(mut one: Open, end: usize, before: Option<(usize, u32)>) -> LoopRun {
    one.run.end = end;
    let looks = one.lines.0 < one.lines.1;
    if let (Some((step, _)), Some(start)) = (before, one.run.iterations.last())
        && looks
        && step == *start
        && one.run.iterations.len() > 1
    {
        one.run.end = *start;
        one.run.iterations.pop();
    }
    one.run
}
