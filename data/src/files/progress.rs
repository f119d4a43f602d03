//! Progress of a build, in a file beside its output: the first line identifies the build, each other line holds the
//! result of one part. A killed build resumes from it. A partly written line is ignored.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::code_hash::hashed;
use crate::sources::{SourceError, io_error};

/// The first line.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    /// The build, as named by [`build_name`].
    build: String,
}

#[derive(Deserialize)]
struct Done<T> {
    at: usize,
    gave: T,
}

#[derive(Serialize)]
struct DoneNow<'g, T> {
    at: usize,
    gave: &'g T,
}

/// Results of a build's parts so far.
#[derive(Debug)]
pub struct Progress<T> {
    /// `None` if nothing is stored.
    file: Option<(PathBuf, Mutex<File>)>,
    done: HashMap<usize, T>,
}

impl<T> Default for Progress<T> {
    /// Nothing is done, and nothing is stored.
    fn default() -> Self {
        Self {
            file: None,
            done: HashMap::new(),
        }
    }
}

/// A name for a build: a hash of the version of this crate and of all settings that decide the results
/// of its parts.
#[must_use]
pub fn build_name(parts: impl IntoIterator<Item = String>) -> String {
    let mut text = env!("CARGO_PKG_VERSION").to_owned();
    for part in parts {
        text.push_str(&hex(&hashed(part.as_bytes())));
    }
    hex(&hashed(text.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The file of progress of an output: `NAME.progress`.
#[must_use]
pub fn beside(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".progress");
    name.into()
}

impl<T: Serialize + DeserializeOwned> Progress<T> {
    /// Opens a progress file, or starts one. With `resume`, results of the same build are kept.
    ///
    /// # Errors
    /// Names the file: it cannot be read or written, or it is of another build.
    pub fn open(path: &Path, resume: bool, build: String) -> Result<Self, SourceError> {
        let head = Head { build };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(io_error(path))?;
        let mut text = Vec::new();
        if resume {
            file.read_to_end(&mut text).map_err(io_error(path))?;
        }
        let (done, whole) = read(path, &text, &head)?;
        file.set_len(whole as u64).map_err(io_error(path))?;
        file.seek(SeekFrom::End(0)).map_err(io_error(path))?;
        if whole == 0 {
            write_line(&mut file, &head).map_err(io_error(path))?;
        }
        Ok(Self {
            file: Some((path.to_owned(), Mutex::new(file))),
            done,
        })
    }

    /// Parts that are done already.
    pub fn done(&self) -> usize {
        self.done.len()
    }

    /// The result of a part, if done.
    pub fn get(&self, at: usize) -> Option<&T> {
        self.done.get(&at)
    }

    /// Stores the result of a part.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&self, at: usize, gave: &T) -> Result<(), SourceError> {
        let Some((path, file)) = &self.file else {
            return Ok(());
        };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        write_line(&mut file, &DoneNow { at, gave }).map_err(io_error(path))
    }

    /// Removes the file: the output is whole.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn finish(self) -> Result<(), SourceError> {
        match self.file {
            Some((path, _)) => match std::fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(io_error(&path)(error)),
                _ => Ok(()),
            },
            None => Ok(()),
        }
    }
}

/// One write per line, so that a kill truncates at most the last one.
fn write_line(file: &mut File, value: &impl Serialize) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    file.write_all(&line)
}

/// Contents of a file, and its bytes up to the end of the last complete line.
fn read<T: DeserializeOwned>(
    path: &Path,
    text: &[u8],
    head: &Head,
) -> Result<(HashMap<usize, T>, usize), SourceError> {
    let whole = text.iter().rposition(|byte| *byte == b'\n');
    let whole = whole.map_or(0, |at| at + 1);
    let mut done = HashMap::new();
    let lines = text[..whole].split_inclusive(|byte| *byte == b'\n');
    for (line, number) in lines.zip(1u64..) {
        let bad = |message: String| SourceError::Record {
            path: path.to_owned(),
            line: number,
            message,
        };
        if number == 1 {
            let found: Head = serde_json::from_slice(line)
                .map_err(|error| bad(format!("no progress of a build: {error}")))?;
            if found != *head {
                let why = "this is the progress of a build with other settings or programs; build with those, or \
                           start over without --resume";
                return Err(bad(why.to_owned()));
            }
            continue;
        }
        let one: Done<T> = serde_json::from_slice(line).map_err(|error| bad(error.to_string()))?;
        done.insert(one.at, one.gave);
    }
    Ok((done, whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_comes_back_but_for_a_cut_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = beside(&dir.path().join("a.jsonl"));
        assert!(path.ends_with("a.jsonl.progress"));
        let open = |resume: bool, seed: u64| {
            Progress::<Vec<String>>::open(&path, resume, build_name([format!("seed {seed}")]))
        };
        let first = open(true, 0).unwrap();
        let gave = vec!["a question".to_owned()];
        first.keep(0, &gave).unwrap();
        first.keep(4, &Vec::new()).unwrap();
        drop(first);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        let again = open(true, 0).unwrap();
        assert_eq!((again.done(), again.get(0)), (1, Some(&gave)));
        again.keep(4, &Vec::new()).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        drop(again);
        let error = open(true, 1).unwrap_err().to_string();
        assert!(
            error.contains("progress:1: ") && error.contains("--resume"),
            "{error}"
        );
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        assert_eq!(open(false, 1).unwrap().done(), 0);
        open(true, 1).unwrap().finish().unwrap();
        assert!(!path.exists());
    }
}
