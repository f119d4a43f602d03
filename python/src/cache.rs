//! What takes a while to open is kept between calls, for the process that opened it.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of entries.
const KEPT: usize = 4;

/// Cached objects by their key, least recently used first.
pub(crate) struct Cache<T>(Mutex<Opened<T>>);

struct Opened<T> {
    /// The process that opened them: a forked process has no threads and no right to the sandboxes.
    process: u32,
    all: Vec<(String, Arc<T>)>,
}

impl<T> Cache<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Opened {
            process: 0,
            all: Vec::new(),
        }))
    }

    /// The object with this key, opened now if necessary.
    pub(crate) fn get<E>(
        &self,
        key: String,
        open: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        {
            let mut opened = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let process = std::process::id();
            if opened.process != process {
                // To drop them would end the sandboxes of the other process.
                mem::forget(mem::take(&mut opened.all));
                opened.process = process;
            }
            if let Some(at) = opened.all.iter().position(|(known, _)| *known == key) {
                let found = opened.all.remove(at);
                let kept = Arc::clone(&found.1);
                opened.all.push(found);
                return Ok(kept);
            }
        }
        let new = Arc::new(open()?);
        let mut opened = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        opened.all.push((key, Arc::clone(&new)));
        if opened.all.len() > KEPT {
            opened.all.remove(0);
        }
        Ok(new)
    }
}
