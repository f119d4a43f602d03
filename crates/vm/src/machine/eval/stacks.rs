//! Stacks of frames other than the running one: those of waiting threads.

use codexec_trace::Outcome;

use crate::machine::eval::eval_loop::broken;
use crate::machine::{After, Frame, Machine, Run};
use crate::value::{ObjectId, Value};

/// The function of the runtime that calls the functions registered with `atexit`.
const EXIT_CALLS: &str = "_exit_run";

/// The stacks of a program with threads. Empty before the first thread is made.
#[derive(Debug, Clone, Default)]
pub(in crate::machine) struct Stacks {
    /// Frames of each stack, that of the main thread first. Empty for the running stack and for
    /// those that have ended.
    kept: Vec<Vec<Frame>>,
    running: usize,
    /// Names of the program's module, which remain when its frame has ended.
    pub module: Option<ObjectId>,
    /// While the last steps run: the outcome of the main thread, and how many of them are done.
    ended: Option<(Outcome, usize)>,
}

impl Stacks {
    /// Returns the frames of the waiting stacks.
    pub(in crate::machine) fn waiting(&self) -> impl Iterator<Item = &Frame> {
        self.kept.iter().flatten()
    }
}

impl Machine {
    /// `_stack_new(function, argument)`: makes a stack that begins with this call, and returns its
    /// number. The call must not return.
    pub(in crate::machine) fn new_stack(
        &mut self,
        function: &Value,
        argument: &Value,
    ) -> Run<Value> {
        if self.stacks.kept.is_empty() {
            self.stacks.kept.push(Vec::new());
        }
        let own = std::mem::take(&mut self.frames);
        let arguments = vec![argument.clone()];
        let called = self.call(function.clone(), arguments, Vec::new(), After::Discard);
        let made = std::mem::replace(&mut self.frames, own);
        called?;
        self.stacks.kept.push(made);
        let number = i64::try_from(self.stacks.kept.len()).unwrap_or(i64::MAX) - 1;
        Ok(Value::Int(number))
    }

    /// `_stack_switch(number)`: continues another stack. This one continues when it is switched to;
    /// with `_stack_leave(number)` it does not.
    pub(in crate::machine) fn switch_stack(
        &mut self,
        number: i64,
        leaves: bool,
    ) -> Run<Option<Value>> {
        if leaves {
            self.frames.clear();
        } else {
            self.push(Value::None)?;
        }
        let to = usize::try_from(number).unwrap_or(usize::MAX);
        let Some(next) = self.stacks.kept.get_mut(to).map(std::mem::take) else {
            return Err(broken("stack"));
        };
        let before = std::mem::replace(&mut self.frames, next);
        self.stacks.kept[self.stacks.running] = before;
        self.stacks.running = to;
        Ok(None)
    }

    /// Returns the outermost frame of the main thread.
    pub(in crate::machine) fn main_frame(&self) -> Option<&Frame> {
        match self.stacks.running {
            0 => self.frames.first(),
            _ => self.stacks.kept[0].first(),
        }
    }

    /// Returns the outcome of the program if the main thread ends like this. `None` while other
    /// threads are waited for, functions of `atexit` run, and remaining objects are finalised.
    pub(in crate::machine) fn ended(&mut self, outcome: Outcome) -> Run<Option<Outcome>> {
        let is_end = matches!(
            outcome,
            Outcome::Finished | Outcome::Raised { .. } | Outcome::Exited { .. }
        );
        if !is_end || !self.frames.is_empty() {
            return Ok(Some(outcome));
        }
        // Objects that only the frames of an exit held go first. An exception keeps its frames.
        if self.stacks.ended.is_none() && matches!(outcome, Outcome::Exited { .. }) {
            self.leave_frames();
        }
        let (outcome, done) = self.stacks.ended.take().unwrap_or((outcome, 0));
        let has_exit_calls = self.bound_name("atexit", EXIT_CALLS).is_some();
        let last = [
            ("threading", "_finish"),
            ("atexit", EXIT_CALLS),
            ("", "_final_run"),
        ];
        for (at, (module, function)) in last.into_iter().enumerate().skip(done) {
            let wanted = match at {
                0 => !self.stacks.kept.is_empty(),
                1 => has_exit_calls,
                _ => self.has_finals(),
            };
            if wanted {
                self.stacks.ended = Some((outcome, at + 1));
                self.library_call(module, function, Vec::new(), Vec::new())?;
                return Ok(None);
            }
        }
        Ok(Some(outcome))
    }
}
