//! Time limits for checking: slow programs are stopped, with their findings so far.
//!
//! A clock thread watches the programs being checked. It sets the flag that cancels a thread's plans when its program's
//! time is up, when the total time is, or on request.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use codexec_engine::Machine;
use web_time::Instant;

/// Maximum time of one program.
pub(super) const MOST_OF_ONE: Duration = Duration::from_secs(20);
/// Whether a thread watches programs. A browser has none: there a program stops between two of its plans.
pub(super) const IS_WATCHED: bool = cfg!(not(target_family = "wasm"));
/// Interval of the clock.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The time of all programs.
pub(super) struct Clock {
    /// Deadline. `None` for no limit.
    ends: Option<Instant>,
    most: Option<Duration>,
    /// Set to request the end of checking.
    stop: Option<Arc<AtomicBool>>,
    /// What cancels plans of the thread that made the clock.
    outer: Option<Arc<AtomicBool>>,
    turns: Mutex<Turns>,
    changed: Condvar,
}

#[derive(Default)]
struct Turns {
    running: Vec<(Option<Instant>, Arc<AtomicBool>)>,
    is_over: bool,
}

/// The time of the program being checked in this thread.
pub(super) struct Turn<'c> {
    clock: &'c Clock,
    flag: Arc<AtomicBool>,
    /// Deadline if no thread watches.
    ends: Option<Instant>,
    before: Option<Arc<AtomicBool>>,
}

impl Clock {
    /// So much time for all programs since their checker was `opened`.
    pub(super) fn of(
        opened: Instant,
        most: Option<Duration>,
        stop: Option<Arc<AtomicBool>>,
    ) -> Self {
        Self {
            ends: most.and_then(|most| opened.checked_add(most)),
            most,
            stop,
            outer: Machine::cancelled_by(),
            turns: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops programs whose time is up, until `finish` is called.
    pub(super) fn watch(&self) {
        let mut turns = self.turns();
        while !turns.is_over {
            let now = Instant::now();
            let ends_all = self.is_up().is_some();
            for (ends, flag) in &turns.running {
                if ends_all || ends.is_some_and(|ends| ends <= now) {
                    flag.store(true, Ordering::Relaxed);
                }
            }
            let waited = self.changed.wait_timeout(turns, LOOK_EVERY);
            turns = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// No programs are left to watch.
    pub(super) fn finish(&self) {
        self.turns().is_over = true;
        self.changed.notify_all();
    }

    /// Why no further program is started, if so.
    pub(super) fn is_up(&self) -> Option<String> {
        let is_set = |flag: &Option<Arc<AtomicBool>>| {
            flag.as_ref()
                .is_some_and(|flag| flag.load(Ordering::Relaxed))
        };
        if is_set(&self.stop) || is_set(&self.outer) {
            return Some("checking was interrupted".to_owned());
        }
        let ends = self.ends?;
        let most = self.most.unwrap_or_default();
        let is_up = ends <= Instant::now();
        is_up.then(|| format!("the time for all programs is up ({})", seconds(most)))
    }

    /// The turn of a program, from now on, in this thread.
    pub(super) fn turn(&self) -> Turn<'_> {
        let flag = Arc::new(AtomicBool::new(false));
        let ends = (self.most).and_then(|most| Instant::now().checked_add(most.min(MOST_OF_ONE)));
        self.turns().running.push((ends, Arc::clone(&flag)));
        let before = Machine::cancelled_by();
        Machine::cancel_by(Some(Arc::clone(&flag)));
        Turn {
            clock: self,
            flag,
            ends: ends.filter(|_| !IS_WATCHED),
            before,
        }
    }
}

impl Turn<'_> {
    /// Why the program is not checked any further, if it is not.
    pub(super) fn is_up(&self) -> Option<String> {
        let is_late = self.ends.is_some_and(|ends| ends <= Instant::now());
        if !is_late && !self.flag.load(Ordering::Relaxed) {
            return None;
        }
        let of_one = || format!("it takes more than {}", seconds(MOST_OF_ONE));
        Some(self.clock.is_up().unwrap_or_else(of_one))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        Machine::cancel_by(self.before.take());
        let mut turns = self.clock.turns();
        turns
            .running
            .retain(|(_, flag)| !Arc::ptr_eq(flag, &self.flag));
    }
}

/// A number of seconds in words.
fn seconds(time: Duration) -> String {
    match time.as_secs_f64() {
        1.0 => "1 second".to_owned(),
        number => format!("{number} seconds"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_cancelled_when_the_time_of_all_is_up() {
        let clock = Clock::of(Instant::now(), Some(Duration::from_millis(1)), None);
        std::thread::scope(|scope| {
            scope.spawn(|| clock.watch());
            let turn = clock.turn();
            while !Machine::is_cancelled() {
                std::thread::yield_now();
            }
            assert_eq!(
                turn.is_up().as_deref(),
                Some("the time for all programs is up (0.001 seconds)")
            );
            drop(turn);
            assert!(!Machine::is_cancelled());
            clock.finish();
        });
    }

    #[test]
    fn who_wants_it_to_end_is_heard() {
        let stop = Arc::new(AtomicBool::new(false));
        let clock = Clock::of(Instant::now(), None, Some(Arc::clone(&stop)));
        assert_eq!(clock.is_up(), None);
        stop.store(true, Ordering::Relaxed);
        assert_eq!(clock.is_up().as_deref(), Some("checking was interrupted"));
    }
}
