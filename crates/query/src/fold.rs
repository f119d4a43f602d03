//! Finds repetitive steps: loop iterations and recursive calls that take a path seen before.
//!
//! A step is *new* if its predecessor's place and its own never occurred in this order before, or if the program
//! raised. For a loop, the first and last iterations are kept, and each iteration with a new step. That includes the
//! second, which shows the jump back to the header, the first on another path, and one that breaks. The reader
//! summarises what a folded range printed or changed. For recursion straight down and back, the first and last calls
//! are kept.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use codexec_trace::{Event, Outcome, Trace};

use crate::frames::Frames;
use crate::loops::loop_runs;
use crate::syntax::Sources;

/// A row of a folded trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// A step.
    Step(usize),
    /// Repetitive iterations of a loop.
    Iterations {
        /// Numbers of the first and the last of them, from 1.
        numbers: (usize, usize),
        /// File and line of the loop's header.
        place: (u32, u32),
        /// Their steps.
        steps: Range<usize>,
    },
    /// A repetitive recursive call, from its call to its return.
    Call {
        /// Number of calls in it, itself included.
        calls: usize,
        /// Its steps.
        steps: Range<usize>,
    },
    /// Recursion that continues as before, down to the last call.
    Deeper {
        /// Number of calls.
        calls: usize,
        /// Their steps.
        steps: Range<usize>,
    },
    /// Recursion that comes back as before.
    Back {
        /// Number of calls that end.
        returns: usize,
        /// Their steps.
        steps: Range<usize>,
    },
}

impl Row {
    /// The steps that it replaces.
    pub fn steps(&self) -> Range<usize> {
        match self {
            Self::Step(step) => *step..step + 1,
            Self::Iterations { steps, .. }
            | Self::Call { steps, .. }
            | Self::Deeper { steps, .. }
            | Self::Back { steps, .. } => steps.clone(),
        }
    }
}

/// When folding is worth it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Worth {
    /// Up to this many steps are shown unfolded.
    pub whole: usize,
    /// Minimum number of steps behind a folded row.
    pub hidden: usize,
}

impl Default for Worth {
    fn default() -> Self {
        Self {
            whole: 60,
            hidden: 12,
        }
    }
}

/// Some steps of a trace, folded; `steps` are indices in their order.
///
/// ```
/// use codexec_query::fold::{Row, Worth, fold};
/// use codexec_query::Sources;
/// use codexec_trace::{Engine, Event, Program, State, Step, Trace};
/// let mut trace = Trace::new(Engine::Run, Program {
///     source: Some("while n:\n    n -= 1\n".to_owned()),
///     ..Program::default()
/// });
/// trace.steps = (0..201)
///     .map(|k| Step {
///         line: 1 + k % 2,
///         event: Event::Line,
///         function: "<module>".into(),
///         depth: 0,
///         file: 0,
///         state: State::new(),
///         output: String::new(),
///         value: None,
///         confidence: None,
///     })
///     .collect();
/// let all: Vec<usize> = (0..201).collect();
/// let rows = fold(&trace, &Sources::of(&trace), &all, Worth::default());
/// assert!(matches!(rows[4], Row::Iterations { numbers: (3, 99), .. }), "{rows:?}");
/// ```
pub fn fold(trace: &Trace, sources: &Sources, steps: &[usize], worth: Worth) -> Vec<Row> {
    if steps.len() <= worth.whole {
        return steps.iter().map(|step| Row::Step(*step)).collect();
    }
    let frames = Frames::of(trace);
    let spans = Spans::new(trace, &frames, sources, steps);
    let mut rows = Vec::new();
    let mut at = 0;
    while let Some(&step) = steps.get(at) {
        let folded = spans
            .iterations(at, worth)
            .or_else(|| spans.call(at, worth))
            .or_else(|| spans.deeper(at, worth))
            .or_else(|| spans.back(at, worth));
        match folded {
            Some((row, next)) => {
                rows.push(row);
                at = next;
            }
            None => {
                rows.push(Row::Step(step));
                at += 1;
            }
        }
    }
    rows
}

/// A position, or a number that is no larger, as it is kept: a trace has no more steps than that.
fn short(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// A loop's iterations as ranges of the steps that are shown.
struct Iterations {
    place: (u32, u32),
    /// Steps at which iterations begin, and where the last ends.
    bounds: Vec<usize>,
    /// The same as positions among the steps.
    at: Vec<usize>,
}

/// Foldable ranges, by the position of their first step.
struct Spans<'s> {
    steps: &'s [usize],
    /// Number of new steps before each position.
    new: Vec<u32>,
    loops: Vec<Iterations>,
    /// Positions at which iterations of loops begin, in order, with the loop and the number of the iteration.
    starting: Vec<(u32, u32, u32)>,
    /// Recursive calls that begin at a position: their steps and their number.
    calls: HashMap<usize, (Range<usize>, usize)>,
    /// Depth of each position. `None` outside of recursion.
    depths: Vec<Option<u32>>,
}

impl<'s> Spans<'s> {
    fn new(trace: &Trace, frames: &Frames, sources: &Sources, steps: &'s [usize]) -> Self {
        let position = |step: usize| steps.partition_point(|one| *one < step);
        let mut loops = Vec::new();
        let mut starting: Vec<(u32, u32, u32)> = Vec::new();
        for run in loop_runs(trace, frames, sources) {
            let mut bounds = run.iterations;
            bounds.push(run.end);
            let at: Vec<usize> = bounds.iter().map(|step| position(*step)).collect();
            let begins = at.iter().take(at.len() - 1).map(|at| short(*at));
            let numbered = begins.zip(0..);
            starting.extend(numbered.map(|(begin, number)| (begin, short(loops.len()), number)));
            loops.push(Iterations {
                place: (run.file, run.line),
                bounds,
                at,
            });
        }
        starting.sort_unstable();
        let (calls, recursive) = recursive_calls(trace, frames);
        let depth = |step: &usize| {
            let is_in = recursive[frames.activation(*step)];
            trace
                .steps
                .get(*step)
                .filter(|_| is_in)
                .map(|step| step.depth)
        };
        Self {
            depths: steps.iter().map(depth).collect(),
            steps,
            new: new_steps(trace, steps),
            loops,
            starting,
            calls: calls
                .into_iter()
                .map(|(steps, calls)| (position(steps.start), (steps, calls)))
                .collect(),
        }
    }

    /// Whether no step between two positions is new.
    fn is_known(&self, from: usize, to: usize) -> bool {
        self.new[from] == self.new[to]
    }

    /// Iterations from a position on that can be folded, and the position behind them.
    fn iterations(&self, at: usize, worth: Worth) -> Option<(Row, usize)> {
        let position = short(at);
        let first = self
            .starting
            .partition_point(|(begin, ..)| *begin < position);
        let here = self.starting[first..].iter();
        for &(_, run, number) in here.take_while(|(begin, ..)| *begin == position) {
            if number == 0 {
                continue;
            }
            let (run, number) = (&self.loops[run as usize], number as usize);
            let count = run.at.len() - 1;
            let mut next = number;
            while next + 1 < count && self.is_known(run.at[next], run.at[next + 1]) {
                next += 1;
            }
            if run.at[next] - run.at[number] >= worth.hidden {
                let row = Row::Iterations {
                    numbers: (number + 1, next),
                    place: run.place,
                    steps: run.bounds[number]..run.bounds[next],
                };
                return Some((row, run.at[next]));
            }
        }
        None
    }

    /// A recursive call at a position that can be folded, and the position behind it.
    fn call(&self, at: usize, worth: Worth) -> Option<(Row, usize)> {
        let (steps, calls) = self.calls.get(&at)?;
        let next = self.steps.partition_point(|one| *one < steps.end);
        let is_worth = next - at >= worth.hidden && self.is_known(at, next);
        is_worth.then(|| {
            let row = Row::Call {
                calls: *calls,
                steps: steps.clone(),
            };
            (row, next)
        })
    }
}

impl Spans<'_> {
    /// Positions from here on that stay in recursion, are not new, and whose depths follow `order`.
    fn straight(&self, at: usize, order: Ordering) -> usize {
        let mut next = at;
        let mut before = self.depths[at];
        while let Some(depth) = self.depths.get(next).copied().flatten() {
            let fits = Some(depth).cmp(&before) != order.reverse();
            if !fits || !self.is_known(next, next + 1) {
                break;
            }
            before = Some(depth);
            next += 1;
        }
        next
    }

    /// Whether the depth at a position is another than before it.
    fn turns(&self, at: usize, order: Ordering) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.depths[before]);
        let here = self.depths.get(at).copied().flatten();
        before.is_some() && here.is_some() && here.cmp(&before) == order
    }

    /// Consecutive calls from a position on that go deeper as those before did, and the position of
    /// the last one.
    fn deeper(&self, at: usize, worth: Worth) -> Option<(Row, usize)> {
        if !self.turns(at, Ordering::Greater) {
            return None;
        }
        let end = self.straight(at, Ordering::Greater);
        let begins = |at: &usize| self.turns(*at, Ordering::Greater);
        let last = (at + 1..end).rev().find(begins)?;
        (last - at >= worth.hidden).then(|| {
            let row = Row::Deeper {
                calls: (at..last).filter(begins).count(),
                steps: self.steps[at]..self.steps[last],
            };
            (row, last)
        })
    }

    /// Returns from a position on as those before, and the position behind them.
    fn back(&self, at: usize, worth: Worth) -> Option<(Row, usize)> {
        if !self.turns(at, Ordering::Less) {
            return None;
        }
        let end = self.straight(at, Ordering::Less);
        (end - at >= worth.hidden).then(|| {
            let ends = (at..end).filter(|at| self.turns(*at, Ordering::Less));
            let row = Row::Back {
                returns: ends.count(),
                steps: self.steps[at]..self.steps[end - 1] + 1,
            };
            (row, end)
        })
    }
}

/// Number of new steps before each step, and in total.
fn new_steps(trace: &Trace, steps: &[usize]) -> Vec<u32> {
    let raised = match trace.outcome {
        Outcome::Raised { step, .. } => step.map(|step| step as usize),
        _ => None,
    };
    let mut seen = HashSet::new();
    let mut before = None;
    let mut count = 0;
    let mut counts = vec![0];
    for &k in steps {
        let place = trace
            .steps
            .get(k)
            .map(|step| (step.file, step.line, step.event));
        let is_new = seen.insert((before, place)) || raised == Some(k);
        before = place;
        count += u32::from(is_new);
        counts.push(count);
    }
    counts
}

/// Calls of functions that are already running and that finished: their steps, and the calls in them. Also whether
/// each activation is such a call.
fn recursive_calls(trace: &Trace, frames: &Frames) -> (Vec<(Range<usize>, usize)>, Vec<bool>) {
    let mut recursive = vec![false; frames.activations.len()];
    let mut running: HashMap<(u32, &str, u32), usize> = HashMap::new();
    let mut open: Vec<(usize, bool, usize)> = Vec::new();
    let (mut found, mut calls) = (Vec::new(), 0);
    for (k, step) in trace.steps.iter().enumerate() {
        let activation = &frames.activations[frames.activation(k)];
        let Some(call) = activation.call else {
            continue;
        };
        let called = &trace.steps[call];
        let running = running
            .entry((called.file, &called.function, called.line))
            .or_default();
        match step.event {
            Event::Call => {
                recursive[frames.activation(k)] = *running > 0;
                open.push((k, *running > 0, calls));
                calls += 1;
                *running += 1;
            }
            Event::Return => {
                *running = running.saturating_sub(1);
                if let Some((call, true, before)) = open.pop() {
                    found.push((call..k + 1, calls - before));
                }
            }
            Event::Line => {}
        }
    }
    (found, recursive)
}
