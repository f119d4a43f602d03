//! What must not stay behind when the process is told to stop: temporary files, lock files.
//!
//! A list of the process, as its signals are. Nothing can be done about `kill -9`; what it leaves has a
//! name that no reader takes for a whole file.

use std::collections::BTreeSet;
use std::fs;
use std::io::Result;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn list() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A place on the list, until it is dropped.
#[derive(Debug)]
pub(crate) struct Listed(PathBuf);

impl Listed {
    /// Makes something, which is on the list from the moment that it is there.
    pub(crate) fn make<T>(
        make: impl FnOnce() -> Result<T>,
        path: impl Fn(&T) -> PathBuf,
    ) -> Result<(Self, T)> {
        let mut list = list();
        let made = make()?;
        let path = path(&made);
        list.insert(path.clone());
        Ok((Self(path), made))
    }

    /// Lists what is there already.
    pub(crate) fn add(path: PathBuf) -> Self {
        list().insert(path.clone());
        Self(path)
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        list().remove(&self.0);
    }
}

/// Does what no signal may interrupt: nothing is removed meanwhile.
pub(super) fn undisturbed<T>(work: impl FnOnce() -> T) -> T {
    let _list = list();
    work()
}

/// Signals that follow each other within this time are one.
const TWICE: Duration = Duration::from_secs(1);

/// What the first signal that would end the process sets instead.
static STOPPED: Mutex<Option<Arc<AtomicBool>>> = Mutex::new(None);

fn stopped() -> MutexGuard<'static, Option<Arc<AtomicBool>>> {
    STOPPED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on the first signal of those of [`clean_up_when_stopped`] sets this flag, and the process ends by itself; a
/// second one ends it.
pub fn stop_by(flag: Arc<AtomicBool>) {
    *stopped() = Some(flag);
}

/// From now on an interrupt (Ctrl-C), SIGTERM or SIGHUP removes what is unfinished before it ends the
/// process as it would have otherwise, unless the process was started with that signal ignored. A file
/// that grows beyond what the system allows is an error of the write and not the end.
///
/// # Errors
/// When the system refuses handlers or the thread that waits for signals.
pub fn clean_up_when_stopped() -> Result<()> {
    // With a handler that does nothing, the write fails and says why. Children begin with the default.
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let ignored = ignored_signals();
    let mut wanted = vec![SIGHUP, SIGINT, SIGTERM];
    wanted.retain(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(wanted)?;
    let waiting = std::thread::Builder::new().name("signals".to_owned());
    waiting.spawn(move || {
        let mut asked = None;
        for signal in signals.forever() {
            if let Some(flag) = &*stopped() {
                // Who ends a group of processes sends it twice.
                let asked = asked.get_or_insert_with(Instant::now);
                if !flag.swap(true, Ordering::Relaxed) || asked.elapsed() < TWICE {
                    continue;
                }
            }
            // Held to the end, so that nothing more begins.
            let list = list();
            for path in &*list {
                let _ = match path.is_dir() {
                    true => fs::remove_dir_all(path),
                    false => fs::remove_file(path),
                };
            }
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

/// The signals that the process was started to ignore (`nohup`), a bit each.
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}
