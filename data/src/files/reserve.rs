//! Locks on outputs: one process at a time may write, and nothing is lost silently.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

use super::unfinished::Listed;
use super::whole::{destination, directory_of, hidden, is_temporary};

/// How an existing file is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Existing {
    /// It is an error.
    #[default]
    Refuse,
    /// It is replaced once the new one is complete.
    Replace,
}

impl Existing {
    /// The value of `--force`.
    pub fn replace_if(force: bool) -> Self {
        match force {
            true => Self::Replace,
            false => Self::Refuse,
        }
    }
}

/// Checks before any work that `path` can be written.
///
/// # Errors
/// If it exists and is not a regular file (links are followed), or its directory is missing;
/// depending on `existing`, if it exists at all.
pub fn check_output(path: &Path, existing: Existing) -> Result<()> {
    let target = destination(path)?;
    if existing == Existing::Refuse && target.symlink_metadata().is_ok() {
        return Err(Error::new(
            ErrorKind::AlreadyExists,
            "exists already; choose another name, or overwrite it with --force",
        ));
    }
    Ok(())
}

/// The right to write an output, until it is dropped or the process ends, however it ends.
#[derive(Debug)]
pub struct Reservation {
    /// The locked object: the lock file, or the directory itself.
    _lock: File,
    held: Held,
}

#[derive(Debug)]
enum Held {
    /// A lock file, which goes with the reservation.
    Beside { at: PathBuf, _listed: Listed },
    /// A directory; true if it was created for this. It is then removed unless something is in it.
    Directory(PathBuf, bool),
}

impl Reservation {
    /// Reserves a file. A hidden file beside it is the lock, removed with the reservation.
    ///
    /// # Errors
    /// The errors of [`check_output`]; [`ErrorKind::ResourceBusy`] while another process holds it.
    pub fn of_file(path: &Path, existing: Existing) -> Result<Self> {
        check_output(path, existing)?;
        let target = destination(path)?;
        let at = directory_of(&target).join(hidden(&target, ".lock"));
        loop {
            let open = || {
                let mut options = OpenOptions::new();
                options.write(true).create(true).truncate(false).open(&at)
            };
            let lock = open()?;
            locked(&lock)?;
            // Its owner before may have removed the file between the two.
            if !is_same(&lock, &at) {
                continue;
            }
            let _listed = Listed::add(at.clone());
            let held = Held::Beside { at, _listed };
            let reserved = Self { _lock: lock, held };
            // Somebody may have finished it between the first look and the lock.
            check_output(path, existing)?;
            let name = hidden(&target, ".");
            remove_left(directory_of(&target), &name.to_string_lossy());
            return Ok(reserved);
        }
    }

    /// Reserves a directory, creating it if missing.
    ///
    /// # Errors
    /// If it cannot be made; [`ErrorKind::ResourceBusy`] while somebody else has it.
    pub fn of_directory(path: &Path) -> Result<Self> {
        let is_new = !path.exists();
        fs::create_dir_all(path)?;
        let lock = File::open(path)?;
        locked(&lock)?;
        remove_left(path, ".");
        Ok(Self {
            _lock: lock,
            held: Held::Directory(path.to_owned(), is_new),
        })
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        // While the lock is held: no other process's files are removed.
        let _ = match &self.held {
            Held::Beside { at, .. } => fs::remove_file(at),
            Held::Directory(path, true) => fs::remove_dir(path),
            Held::Directory(_, false) => Ok(()),
        };
    }
}

/// Removes unowned temporary files with this prefix, left by a process that could not clean up.
/// Failure to remove them stops nothing.
fn remove_left(directory: &Path, start: &str) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && name.to_str().is_some_and(|name| is_temporary(name, start)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn locked(file: &File) -> Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(Error::new(
            ErrorKind::ResourceBusy,
            "another process is writing it; wait for its end, or choose another name",
        )),
        // Some network file systems have no locks. Unique names keep writers apart there.
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(one), Ok(other)) => identity(one) == identity(other),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_same(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_reserved_once_and_leaves_no_lock() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("f");
        let first = Reservation::of_file(&path, Existing::Refuse).unwrap();
        let second = Reservation::of_file(&path, Existing::Replace).unwrap_err();
        assert_eq!(second.kind(), ErrorKind::ResourceBusy);
        drop(first);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
        fs::write(&path, "old").unwrap();
        // Of a writer that was killed, and two that are not ours.
        for name in [".f.a1B2c3.tmp", ".g.a1B2c3.tmp", ".f.mine.tmp"] {
            fs::write(place.path().join(name), "").unwrap();
        }
        let taken = Reservation::of_file(&path, Existing::Refuse).unwrap_err();
        assert!(taken.to_string().contains("--force"), "{taken}");
        Reservation::of_file(&path, Existing::Replace).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert!(!place.path().join(".f.a1B2c3.tmp").exists());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 3);
    }

    #[test]
    fn a_directory_is_reserved_once_and_goes_if_nothing_came() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a/d");
        let first = Reservation::of_directory(&path).unwrap();
        let second = Reservation::of_directory(&path).unwrap_err();
        assert_eq!(second.kind(), ErrorKind::ResourceBusy);
        drop(first);
        assert!(!path.exists());
        let again = Reservation::of_directory(&path).unwrap();
        fs::write(path.join("f"), "").unwrap();
        drop(again);
        assert!(path.join("f").exists());
    }
}
