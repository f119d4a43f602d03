//! What must not stay behind when the process is told to stop: temporary files, lock files.
//!
//! A list of the process; `signals` removes what is on it. Nothing can be done about `kill -9`; what it leaves has a
//! name that no reader takes for a whole file.

use std::collections::BTreeSet;
use std::io::Result;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// What is unfinished; nothing begins or ends meanwhile.
pub(super) fn list() -> MutexGuard<'static, BTreeSet<PathBuf>> {
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
