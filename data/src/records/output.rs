//! A file that appears whole or not at all: written under a temporary name, then renamed.

use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::sources::{SourceError, io_error};

/// The file a result for `path` ends up in: links followed, also one whose target is missing.
fn destination(path: &Path) -> Result<PathBuf, SourceError> {
    let fail = |kind: ErrorKind, message: &str| SourceError::Io {
        path: path.to_owned(),
        source: std::io::Error::new(kind, message),
    };
    let mut target = path.to_owned();
    for _ in 0..40 {
        match fs::symlink_metadata(&target) {
            Ok(found) if found.is_symlink() => {
                let next = fs::read_link(&target).map_err(io_error(path))?;
                target = target.parent().unwrap_or(Path::new("")).join(next);
            }
            Ok(found) if found.is_file() => return Ok(target),
            Ok(_) => {
                let message = "is not a regular file and is left alone";
                return Err(fail(ErrorKind::InvalidInput, message));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let parent = target.parent().filter(|p| !p.as_os_str().is_empty());
                return match parent {
                    Some(p) if !p.is_dir() => Err(fail(ErrorKind::NotFound, "no such directory")),
                    _ => Ok(target),
                };
            }
            Err(error) => return Err(io_error(path)(error)),
        }
    }
    Err(fail(ErrorKind::InvalidInput, "too many links"))
}

/// Says before any work whether a writer would refuse `path`.
///
/// # Errors
/// When it exists and is no regular file (links are followed), or its directory is missing.
pub fn check_output(path: &Path) -> Result<(), SourceError> {
    destination(path).map(drop)
}

/// The temporary file of a result; removed when dropped before [`Output::publish`].
#[derive(Debug)]
pub(super) struct Output {
    temporary: PathBuf,
    target: PathBuf,
}

impl Output {
    /// Creates the temporary file beside the destination. Its name is fixed, so that what a killed
    /// run left there is replaced by the next one.
    pub fn create(path: &Path) -> Result<(Self, File), SourceError> {
        let target = destination(path)?;
        let mut name = target.clone().into_os_string();
        name.push(".tmp");
        let temporary = PathBuf::from(name);
        match fs::remove_file(&temporary) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(io_error(&temporary)(error));
            }
            _ => {}
        }
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&temporary)
            .map_err(io_error(path))?;
        Ok((Self { temporary, target }, file))
    }

    /// Gives the finished file its name.
    pub fn publish(mut self, file: &File) -> std::io::Result<()> {
        file.sync_all()?;
        fs::rename(&self.temporary, &self.target)?;
        self.temporary.clear();
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if !self.temporary.as_os_str().is_empty() {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
