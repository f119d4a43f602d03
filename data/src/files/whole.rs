//! Files and directories that are written beside their place and renamed into it.
//!
//! Temporary names are hidden, begin with the name of the target and are unique per writer, so that two
//! writers of one file never share one: the last to finish wins, with a complete file.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempDir};

use super::unfinished::{Listed, undisturbed};

/// The end of every temporary name.
const SUFFIX: &str = ".tmp";

/// Random characters before it.
const RANDOM: usize = 6;

/// The actual destination of `path`: links followed, even if the target is missing.
pub(super) fn destination(path: &Path) -> Result<PathBuf> {
    let fail = |kind, message: &str| Err(Error::new(kind, message));
    let mut target = path.to_owned();
    for _ in 0..40 {
        match fs::symlink_metadata(&target) {
            Ok(found) if found.is_symlink() => {
                let next = fs::read_link(&target)?;
                target = target.parent().unwrap_or(Path::new("")).join(next);
            }
            Ok(found) if found.is_file() => return Ok(target),
            Ok(_) => {
                let message = "is not a regular file and is left alone";
                return fail(ErrorKind::InvalidInput, message);
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return match directory_of(&target).is_dir() {
                    true => Ok(target),
                    false => fail(ErrorKind::NotFound, "no such directory; make it first"),
                };
            }
            Err(error) => return Err(error),
        }
    }
    fail(ErrorKind::InvalidInput, "too many links")
}

/// The directory that `path` is in.
pub(super) fn directory_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// `.NAME` and a suffix, for files beside NAME.
pub(super) fn hidden(path: &Path, end: &str) -> OsString {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(end);
    name
}

/// Whether a name is that of a temporary file, and begins so.
pub(super) fn is_temporary(name: &str, start: &str) -> bool {
    let inner = name
        .strip_prefix(start)
        .and_then(|rest| rest.strip_suffix(SUFFIX));
    let random = inner.map(|inner| inner.rsplit('.').next().unwrap_or(inner));
    let whole = start == "." || inner == random;
    whole
        && random.is_some_and(|r| r.len() == RANDOM && r.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// Makes a directory's entries durable.
fn sync_directory(directory: &Path) -> Result<()> {
    File::open(directory)?.sync_all()
}

/// A file being written. If dropped before [`WholeFile::publish`], it leaves nothing.
#[derive(Debug)]
pub struct WholeFile {
    temporary: NamedTempFile,
    target: PathBuf,
    // Last: off the list when it is gone.
    _listed: Listed,
}

impl WholeFile {
    /// Begins a file. A link stays a link: its target is replaced.
    ///
    /// # Errors
    /// If `path` is there and no regular file, or its directory is missing or cannot be written.
    pub fn create(path: &Path) -> Result<Self> {
        let target = destination(path)?;
        let prefix = hidden(&target, ".");
        let mut builder = Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(RANDOM);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As for any other file: the process's umask applies.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let make = || builder.tempfile_in(directory_of(&target));
        let (listed, temporary) = Listed::make(make, |made| made.path().to_owned())?;
        Ok(Self {
            temporary,
            target,
            _listed: listed,
        })
    }

    /// Another handle on the file.
    ///
    /// # Errors
    /// If the system provides none.
    pub fn handle(&self) -> Result<File> {
        self.temporary.as_file().try_clone()
    }

    /// Makes the file durable and gives it its name.
    ///
    /// # Errors
    /// If the disk fails; nothing is left then.
    pub fn publish(self) -> Result<()> {
        self.temporary.as_file().sync_all()?;
        self.temporary
            .persist(&self.target)
            .map_err(|error| error.error)?;
        sync_directory(directory_of(&self.target))
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.temporary.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.temporary.as_file_mut().flush()
    }
}

/// Writes a file at once.
///
/// # Errors
/// The errors of [`WholeFile`].
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, |file| file.write_all(bytes))
}

/// Writes a file by a function.
///
/// # Errors
/// The errors of [`WholeFile`], and of the function.
pub fn replace(path: &Path, write: impl FnOnce(&mut WholeFile) -> Result<()>) -> Result<()> {
    let mut file = WholeFile::create(path)?;
    write(&mut file)?;
    file.publish()
}

/// A directory being written. If dropped before [`WholeDirectory::publish`], it leaves nothing.
#[derive(Debug)]
pub struct WholeDirectory {
    temporary: TempDir,
    target: PathBuf,
    _listed: Listed,
}

impl WholeDirectory {
    /// Begins a directory beside `target`.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(target: &Path) -> Result<Self> {
        let prefix = hidden(target, ".");
        let mut builder = Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        let make = || builder.tempdir_in(directory_of(target));
        let (listed, temporary) = Listed::make(make, |made| made.path().to_owned())?;
        Ok(Self {
            temporary,
            target: target.to_owned(),
            _listed: listed,
        })
    }

    /// Directory of its files.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Makes its files durable and gives it its name. The previous holder of the name is removed last,
    /// so that at any moment one of the two is complete.
    ///
    /// # Errors
    /// If the disk fails; the previous one then stays.
    pub fn publish(self) -> Result<()> {
        for entry in fs::read_dir(self.path())? {
            File::open(entry?.path())?.sync_all()?;
        }
        sync_directory(self.path())?;
        let old = match self.target.symlink_metadata() {
            Ok(_) => Some(Self::create(&self.target)?),
            Err(_) => None,
        };
        undisturbed(|| {
            let Some(old) = &old else {
                return fs::rename(self.path(), &self.target);
            };
            // A rename replaces an empty directory.
            fs::rename(&self.target, old.path())?;
            fs::rename(self.path(), &self.target).inspect_err(|_| {
                let _ = fs::rename(old.path(), &self.target);
            })
        })?;
        // Nothing of this name is left to remove.
        let _ = self.temporary.keep();
        sync_directory(directory_of(&self.target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let name = |e: Result<fs::DirEntry>| e.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn two_writers_of_one_file_share_nothing() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("f");
        let (mut one, mut two) = (
            WholeFile::create(&path).unwrap(),
            WholeFile::create(&path).unwrap(),
        );
        one.write_all(b"one").unwrap();
        two.write_all(b"the other").unwrap();
        one.publish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        two.publish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"the other");
        assert_eq!(names(place.path()), ["f"]);
    }

    #[test]
    fn a_file_that_cannot_be_written_whole_is_not_there() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("f");
        let broken = |file: &mut WholeFile| {
            file.write_all(b"half")?;
            Err(Error::from(ErrorKind::StorageFull))
        };
        replace(&path, broken).unwrap_err();
        assert_eq!(names(place.path()), [""; 0]);
        write_whole(&path, b"whole").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
    }

    #[test]
    fn a_directory_is_replaced_whole() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("d");
        for text in ["one", "two"] {
            let dropped = WholeDirectory::create(&path).unwrap();
            fs::write(dropped.path().join("half"), "").unwrap();
            drop(dropped);
            let new = WholeDirectory::create(&path).unwrap();
            fs::write(new.path().join(text), text).unwrap();
            new.publish().unwrap();
            assert_eq!(names(&path), [text]);
            assert_eq!(names(place.path()), ["d"]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn files_have_the_mode_that_other_files_have() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let mode = |name: &str| {
            let found = fs::metadata(place.path().join(name)).unwrap();
            found.permissions().mode() & 0o777
        };
        fs::write(place.path().join("plain"), "").unwrap();
        write_whole(&place.path().join("whole"), b"").unwrap();
        assert_eq!(mode("plain"), mode("whole"));
    }
}
