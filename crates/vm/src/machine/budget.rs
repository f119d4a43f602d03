//! The budget for planning a program: CPU time and memory.
//!
//! Time is read rarely, and memory is weighed only if much was allocated or executed since the last
//! weighing, so that keeping to the budget costs next to nothing.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use codexec_trace::Outcome;
use web_time::Instant;

use super::{Flow, Frame, Machine, Run};
use crate::machine::eval::generators::Slot;
use crate::value::{Value, bytes_of_values};

/// Maximum instructions between two looks at the clock.
const LOOK_EVERY: u64 = 256;
/// Time between two readings of the CPU clock, which is the slower one.
const READ_EVERY: Duration = Duration::from_millis(20);
/// Minimum instructions between two weighings.
const WEIGH_EVERY: u64 = 1 << 18;
/// Minimum bytes allocated between two weighings.
const WEIGH_AFTER: usize = 16 << 20;
/// Bytes of a frame without its values.
const FRAME_BYTES: usize = 512;

thread_local! {
    /// The flag that cancels the plans of this thread.
    static CANCELLED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// The cost of a program so far.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    /// Instructions executed.
    pub(super) instructions: u64,
    /// Bytes of strings and large numbers that were made.
    pub(super) bytes: usize,
    /// As `sys.setrecursionlimit` sets it.
    pub(super) recursion_limit: usize,
    /// CPU time of the finished turns.
    spent: Duration,
    /// The current turn: the CPU clock at its start, and the time of the last reading.
    turn: Option<(Duration, Instant)>,
    /// Instruction count at which the clock is looked at.
    look_at: u64,
    /// Instruction count and allocated bytes at which memory is weighed.
    weigh_at: (u64, usize),
}

impl Budget {
    pub(super) fn new() -> Self {
        Self {
            instructions: 0,
            bytes: 0,
            recursion_limit: 1000,
            spent: Duration::ZERO,
            turn: None,
            look_at: 0,
            weigh_at: (WEIGH_EVERY, WEIGH_AFTER),
        }
    }

    /// Starts the turn of a thread that executes the program.
    pub(super) fn begin_turn(&mut self) {
        self.turn = Some((thread_time(), Instant::now()));
    }

    /// Ends the turn of the thread.
    pub(super) fn end_turn(&mut self) {
        if let Some((begun, _)) = self.turn.take() {
            self.spent += thread_time().saturating_sub(begun);
        }
    }
}

impl Machine {
    /// Makes all plans of this thread end as at their time limit once a flag is set. With `None`
    /// they continue.
    ///
    /// The flag belongs to the thread and not to the settings: an engine keeps its settings, and a
    /// flag belongs to one call of it.
    pub fn cancel_by(flag: Option<Arc<AtomicBool>>) {
        CANCELLED.set(flag);
    }

    /// Returns the flag of this thread, for the threads that it shares its plans with.
    pub fn cancelled_by() -> Option<Arc<AtomicBool>> {
        CANCELLED.with_borrow(Option::clone)
    }

    /// Whether plans of this thread are cancelled.
    pub fn is_cancelled() -> bool {
        let is_set = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        CANCELLED.with_borrow(|flag| flag.as_ref().is_some_and(is_set))
    }

    /// Ends planning if the program has exceeded its budget.
    pub(super) fn keep_to_budget(&mut self) -> Run<()> {
        let made = self.made();
        let budget = &self.budget;
        if self.budget.instructions >= budget.weigh_at.0 || made >= budget.weigh_at.1 {
            self.weigh(made)?;
        }
        if self.budget.instructions >= self.budget.look_at {
            self.look_at_clock()?;
        }
        Ok(())
    }

    /// Returns the instruction count up to which no limit has to be checked.
    pub(super) fn plain_until(&self) -> u64 {
        let budget = &self.budget;
        let most = self.settings.max_instructions.min(budget.look_at);
        most.min(budget.weigh_at.0)
    }

    /// Returns the bytes of all objects and strings made so far, including those that are gone.
    fn made(&self) -> usize {
        self.heap.made().saturating_add(self.budget.bytes)
    }

    fn look_at_clock(&mut self) -> Run<()> {
        let most = self.settings.max_cpu;
        let budget = &mut self.budget;
        budget.look_at = budget.instructions + LOOK_EVERY;
        if Self::is_cancelled() {
            return Err(Flow::End(Outcome::Timeout));
        }
        let Some((begun, read)) = &mut budget.turn else {
            return Ok(());
        };
        if read.elapsed() < READ_EVERY {
            return Ok(());
        }
        *read = Instant::now();
        match budget.spent + thread_time().saturating_sub(*begun) > most {
            true => Err(Flow::End(Outcome::Timeout)),
            false => Ok(()),
        }
    }

    /// Weighs the memory that the program holds.
    fn weigh(&mut self, made: usize) -> Run<()> {
        let most = self.settings.max_memory;
        let suspended = self.generators.slots.iter().filter_map(Slot::frame);
        let frames = self.frames.iter().chain(self.stacks.waiting());
        let frames: usize = frames.chain(suspended).map(frame_bytes).sum();
        let (kept, parts) = self.heap.weight();
        let kept = kept + frames;
        if kept > most {
            // Leaving out statements frees none of it.
            let what = format!("more memory than planning may take ({} MB)", most >> 20);
            self.stop(what.clone());
            return Err(Flow::Unsupported(what));
        }
        let pause = WEIGH_EVERY.max(parts as u64);
        let more = WEIGH_AFTER.max((most - kept) / 2);
        self.budget.weigh_at = (self.budget.instructions + pause, made.saturating_add(more));
        Ok(())
    }
}

fn frame_bytes(frame: &Frame) -> usize {
    let values =
        |values: &[Option<Value>]| size_of_val(values) + bytes_of_values(values.iter().flatten());
    FRAME_BYTES + values(&frame.stack) + values(&frame.fast)
}

/// Returns the CPU time of this thread so far.
#[cfg(not(target_family = "wasm"))]
fn thread_time() -> Duration {
    cpu_time::ThreadTime::now().as_duration()
}

/// Returns the time so far. A browser has no CPU clock.
#[cfg(target_family = "wasm")]
fn thread_time() -> Duration {
    static BEGUN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(Instant::now).elapsed()
}
