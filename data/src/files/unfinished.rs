//! Files to remove when the process is asked to stop: temporary files, lock files.
//!
//! A global list; `signals` removes its entries. Nothing can be done about `kill -9`; its leftovers have names that
//! no reader mistakes for complete files.

use std::collections::BTreeSet;
use std::io::Result;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The unfinished files; nothing begins or ends meanwhile.
pub(super) fn list() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An entry of the list, until dropped.
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

    /// Lists an existing file.
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

/// Runs a section that no signal may interrupt: nothing is removed meanwhile.
pub(super) fn undisturbed<T>(work: impl FnOnce() -> T) -> T {
    let _list = list();
    work()
}
