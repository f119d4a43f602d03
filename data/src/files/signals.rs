//! Signals that end the process: unfinished files are removed before they do.

use std::fs;
use std::io::Result;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::unfinished::list;

/// Signals within this interval count as one.
const TWICE: Duration = Duration::from_secs(1);

/// Flag set by the first signal that would end the process.
static STOPPED: Mutex<Option<Arc<AtomicBool>>> = Mutex::new(None);

fn stopped() -> MutexGuard<'static, Option<Arc<AtomicBool>>> {
    STOPPED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on the first signal of [`clean_up_when_stopped`] sets this flag, and the process ends by itself; a second
/// one ends it.
pub fn stop_by(flag: Arc<AtomicBool>) {
    *stopped() = Some(flag);
}

/// From now on an interrupt (Ctrl-C), SIGTERM or SIGHUP removes unfinished files before it ends the
/// process as usual, unless the process was started with that signal ignored. A file that exceeds the
/// system's size limit is a write error instead of the end.
///
/// # Errors
/// If the system provides no handlers or no thread that waits for signals.
pub fn clean_up_when_stopped() -> Result<()> {
    // With an empty handler, the write fails with a reason. Children start with the default.
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
