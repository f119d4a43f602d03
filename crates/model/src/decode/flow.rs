//! Which lines may follow which: the control flow of a program by line, read off its syntax.
//!
//! Every order of steps that CPython can produce (DESIGN, section 2) is allowed, and some that it
//! cannot, because most lines can raise and a compiler may skip constants. So it excludes, and
//! never predicts: conditions are ignored. Nothing is executed.
//!
//! [`LineFlow::of`] analyses a program once; a [`Place`] then follows the steps of one trace.

mod build;

use std::collections::BTreeSet;

use codexec_trace::syntax::{SyntaxError, with_parsed};
use codexec_trace::{Event, Outcome, Trace};

/// The control flow of one program by line. Lines are 1-based.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineFlow {
    /// Lines the module may begin with.
    start: BTreeSet<u32>,
    /// Lines at which a called function, class body or resumed generator may be entered.
    entries: BTreeSet<u32>,
    /// Possible successors of a line in its frame; the line is the index.
    next: Vec<BTreeSet<u32>>,
    /// Possible successors of a frame's first line, if they differ.
    inside: Vec<BTreeSet<u32>>,
    /// Lines after which the module may be at its end.
    last: BTreeSet<u32>,
    /// The program can end anywhere: it names `exit`, or does something not modelled here.
    ends_anywhere: bool,
}

/// Position of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The last line of every open frame, the module's first.
    frames: Vec<Frame>,
    /// The last step calls: its frame's line comes next.
    calls: bool,
    /// The step at hand must leave its frame: the line itself does not come twice.
    leaves: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Frame {
    line: u32,
    /// Only just entered.
    fresh: bool,
}

impl LineFlow {
    /// The flow of a program.
    ///
    /// # Errors
    /// The syntax error of a program that does not parse.
    pub fn of(source: &str) -> Result<Self, SyntaxError> {
        with_parsed(source, |parsed| build::flow(source, parsed.suite()))
    }

    /// The possible next lines, in order; empty if the trace can only end.
    #[must_use]
    pub fn allowed(&self, place: &Place) -> Vec<u32> {
        let Some(frame) = place.frames.last() else {
            return self.start.iter().copied().collect();
        };
        if place.calls {
            return self.entries.iter().copied().collect();
        }
        let mut lines = self.after(frame).clone();
        if place.frames.len() > 1 {
            // The event that leaves a frame comes at the line it leaves from.
            lines.insert(frame.line);
        }
        lines.into_iter().collect()
    }

    fn after(&self, frame: &Frame) -> &BTreeSet<u32> {
        static NONE: BTreeSet<u32> = BTreeSet::new();
        let at = frame.line as usize;
        let inside = self.inside.get(at).filter(|i| frame.fresh && !i.is_empty());
        inside.or_else(|| self.next.get(at)).unwrap_or(&NONE)
    }

    /// Takes a step's line.
    pub fn step(&self, place: &mut Place, line: u32) {
        place.leaves = false;
        match place.frames.last().copied() {
            Some(frame) if !place.calls => {
                let deep = place.frames.len() > 1;
                place.leaves = deep && frame.line == line && !self.after(&frame).contains(&line);
                if let Some(top) = place.frames.last_mut() {
                    *top = Frame { line, fresh: false };
                }
            }
            _ => place.frames.push(Frame {
                line,
                fresh: place.calls,
            }),
        }
        place.calls = false;
    }

    /// Whether the module may be at its end.
    #[must_use]
    pub fn may_finish(&self, place: &Place) -> bool {
        if self.ends_anywhere {
            return true;
        }
        match place.frames.as_slice() {
            [] => self.start.is_empty() || self.last.contains(&0),
            [frame] => !place.calls && self.last.contains(&frame.line),
            _ => false,
        }
    }

    /// Whether any step of the program may call.
    #[must_use]
    pub fn has_calls(&self) -> bool {
        !self.entries.is_empty()
    }

    /// The first step of a trace that this flow rules out, or its number of steps when it is the end
    /// that cannot be. Traces cut by a limit may end anywhere.
    ///
    /// # Errors
    /// The index of that step.
    pub fn check(&self, trace: &Trace) -> Result<(), usize> {
        let mut place = Place::default();
        for (at, step) in trace.steps.iter().enumerate() {
            if !self.allowed(&place).contains(&step.line) {
                return Err(at);
            }
            self.step(&mut place, step.line);
            let returns = step.event == Event::Return;
            if place.must_leave() && !returns {
                return Err(at);
            }
            if let Outcome::Raised { step: Some(s), .. } = &trace.outcome
                && *s as usize == at
            {
                return Ok(());
            }
            if returns {
                place.leave();
            }
            let next = trace.steps.get(at + 1);
            if next.is_some_and(|next| next.event == Event::Call) {
                place.call();
            }
        }
        let finished = trace.outcome == Outcome::Finished && !trace.truncated;
        if finished && !self.may_finish(&place) {
            return Err(trace.steps.len());
        }
        Ok(())
    }
}

impl Place {
    /// The current step calls: the next one is the callee's first.
    pub fn call(&mut self) {
        self.calls = true;
    }

    /// The step at hand leaves its frame.
    pub fn leave(&mut self) {
        if self.frames.len() > 1 {
            self.frames.pop();
        }
        self.leaves = false;
    }

    /// The current step can only be the one that leaves its frame.
    #[must_use]
    pub fn must_leave(&self) -> bool {
        self.leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Possible successors of each line at module level.
    fn after(source: &str, lines: &[u32]) -> Vec<u32> {
        let flow = LineFlow::of(source).unwrap();
        let mut place = Place::default();
        for &line in lines {
            assert!(flow.allowed(&place).contains(&line), "{line} of {lines:?}");
            flow.step(&mut place, line);
        }
        flow.allowed(&place)
    }

    #[test]
    fn branches_and_loops() {
        let source = "a = 1\nif a:\n    b = 2\nelif c:\n    b = 3\nelse:\n    b = 4\n\
                      for i in a:\n    if i:\n        break\n    continue\nelse:\n    c = 1\nd = 1\n";
        assert_eq!(after(source, &[]), [1]);
        assert_eq!(after(source, &[1, 2]), [3, 4]);
        assert_eq!(after(source, &[1, 2, 4]), [5, 7]);
        assert_eq!(after(source, &[1, 2, 4, 7]), [8]);
        assert_eq!(after(source, &[1, 2, 3, 8]), [9, 13]);
        assert_eq!(after(source, &[1, 2, 3, 8, 9]), [10, 11]);
        assert_eq!(after(source, &[1, 2, 3, 8, 9, 10]), [14]);
        assert_eq!(after(source, &[1, 2, 3, 8, 9, 11]), [8]);
        assert_eq!(after(source, &[1, 2, 3, 8, 13]), [14]);
        assert!(after(source, &[1, 2, 3, 8, 13, 14]).is_empty());
    }

    #[test]
    fn a_module_ends_where_it_can() {
        let flow = LineFlow::of("while a:\n    a -= 1\nprint(a)\n").unwrap();
        let mut place = Place::default();
        for (line, end) in [(1, false), (2, false), (1, false), (3, true)] {
            flow.step(&mut place, line);
            assert_eq!(flow.may_finish(&place), end, "{line}");
        }
        assert!(LineFlow::of("").unwrap().may_finish(&Place::default()));
        let exits = LineFlow::of("import sys\nsys.exit()\nx = 1\n").unwrap();
        let mut place = Place::default();
        exits.step(&mut place, 1);
        exits.step(&mut place, 2);
        assert!(exits.may_finish(&place));
    }

    #[test]
    fn calls_enter_functions_and_returns_leave_them() {
        let flow = LineFlow::of("def f(x):\n    return x\ny = f(1)\nz = y\n").unwrap();
        let mut place = Place::default();
        flow.step(&mut place, 1);
        assert_eq!(flow.allowed(&place), [3]);
        flow.step(&mut place, 3);
        place.call();
        assert_eq!(flow.allowed(&place), [1]);
        flow.step(&mut place, 1);
        assert_eq!(flow.allowed(&place), [1, 2]);
        flow.step(&mut place, 2);
        flow.step(&mut place, 2);
        assert!(place.must_leave());
        place.leave();
        assert_eq!(flow.allowed(&place), [4]);
        assert!(!flow.may_finish(&place));
    }

    #[test]
    fn a_deeply_nested_program_is_read() {
        let mut source = String::new();
        for depth in 0..90 {
            source += &format!("{}if a:\n", " ".repeat(depth));
        }
        source += &format!("{}b = 1\n", " ".repeat(90));
        assert_eq!(after(&source, &[1]), [2]);
        let chain = format!("x = {}1\n", "-".repeat(100_000));
        assert_eq!(after(&chain, &[]), [1]);
    }
}
