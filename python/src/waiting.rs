//! Work beside the interpreter: the GIL is released, and Ctrl-C is noticed within a twentieth of a
//! second.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use codexec_plan::machine::Machine;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::unexpected;

/// Interval between checks for signals.
pub(crate) const BEAT: Duration = Duration::from_millis(50);

/// Whether nobody waits for the work any more.
#[derive(Debug, Clone, Default)]
pub(crate) struct Given(Arc<AtomicBool>);

impl Given {
    /// Whether it was given up.
    pub(crate) fn up(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Abandons it: plans in its threads end at once, and executions at their time limit.
    pub(crate) fn give_up(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// This many threads, with 0 for one per core.
pub(crate) fn threads(workers: usize) -> usize {
    match workers {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        workers => workers,
    }
}

/// Threads for interruptible work. They are created for it and end with it, so a forked process misses none.
///
/// # Errors
/// If no threads are available.
pub(crate) fn pool(workers: usize, given: &Given) -> PyResult<ThreadPool> {
    let flag = Arc::clone(&given.0);
    ThreadPoolBuilder::new()
        .num_threads(threads(workers))
        .thread_name(|at| format!("codexec-{at}"))
        .start_handler(move |_| Machine::cancel_by(Some(Arc::clone(&flag))))
        // The waiting thread is notified of a panic; the process continues.
        .panic_handler(|_| {})
        .build()
        .map_err(|error| unexpected(&error))
}

/// Does work in separate threads, this many (0: one per core). Interrupted work is abandoned.
///
/// # Errors
/// The interpreter's exception at a signal; an internal error if the work panics.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    workers: usize,
    work: impl FnOnce(&Given) -> T + Send + 'static,
) -> PyResult<T> {
    let given = Given::default();
    let seen = given.clone();
    let (done, mut results) = sync_channel(1);
    let pool = pool(workers, &given)?;
    pool.spawn(move || {
        let _ = done.send(work(&seen));
    });
    loop {
        let result;
        (results, result) = py.detach(move || {
            let result = results.recv_timeout(BEAT);
            (results, result)
        });
        match result {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(unexpected(&"the work ended without a result"));
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(raised) = py.check_signals() {
                    given.give_up();
                    return Err(raised);
                }
            }
        }
    }
}
