//! Work beside the interpreter: its lock is released, and Ctrl-C is seen within a twentieth of a second.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::unexpected;

/// How often signals are looked at.
const BEAT: Duration = Duration::from_millis(50);

/// Whether nobody waits for the work any more.
#[derive(Debug, Clone, Default)]
pub(crate) struct Given(Arc<AtomicBool>);

impl Given {
    /// Whether it was given up.
    pub(crate) fn up(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Does work in threads of its own, so many (0: one per core). They are made for it and end with it: a process that was
/// forked from this one finds none that it lacks. Work that was interrupted goes on unseen until it looks at [`Given`].
///
/// # Errors
/// What the interpreter raises at a signal; an internal error where the work panics.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    threads: usize,
    work: impl FnOnce(&Given) -> T + Send + 'static,
) -> PyResult<T> {
    let given = Given::default();
    let seen = given.clone();
    let (done, mut results) = sync_channel(1);
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|at| format!("codexec-{at}"))
        // A panic is told below; the process goes on.
        .panic_handler(|_| {})
        .build()
        .map_err(|error| unexpected(&error))?;
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
                    given.0.store(true, Ordering::Relaxed);
                    return Err(raised);
                }
            }
        }
    }
}
