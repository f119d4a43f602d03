//! How far a build is, in a file beside its output: the first line says what is built, each other line holds what one
//! program gave. A killed build goes on from it. A line that was being written when the build was killed does not count.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::build::{ErrorConfig, Family};
use super::descriptions::Descriptions;
use crate::mutants::code_hash::hashed;
use crate::sources::{CorpusProgram, SourceError, io_error};

/// The first line.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    /// Hash of the settings and the programs.
    build: String,
}

#[derive(Deserialize)]
struct Done {
    at: usize,
    family: Family,
}

#[derive(Serialize)]
struct DoneNow<'f> {
    at: usize,
    family: &'f Family,
}

/// What the programs of a corpus gave so far.
#[derive(Debug, Default)]
pub struct ErrorProgress {
    /// Nothing where nothing is kept.
    file: Option<(PathBuf, Mutex<File>)>,
    done: HashMap<usize, Family>,
}

impl ErrorProgress {
    /// The file of an output: `NAME.progress`.
    pub fn beside(out: &Path) -> PathBuf {
        let mut name = out.as_os_str().to_owned();
        name.push(".progress");
        name.into()
    }

    /// Opens a file of progress, or begins one. With `resume` what it holds of the same build is kept.
    ///
    /// # Errors
    /// Names the file: it cannot be read or written, or it is of another build.
    pub fn open(
        path: &Path,
        resume: bool,
        corpus: &[CorpusProgram],
        descriptions: &Descriptions,
        config: &ErrorConfig,
    ) -> Result<Self, SourceError> {
        let head = Head {
            build: identity(corpus, descriptions, config),
        };
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

    /// Programs that are done already.
    pub fn done(&self) -> usize {
        self.done.len()
    }

    /// What a program of the corpus gave, where it is done.
    pub(super) fn get(&self, at: usize) -> Option<&Family> {
        self.done.get(&at)
    }

    /// Keeps what a program gave.
    pub(super) fn keep(&self, at: usize, family: &Family) -> Result<(), SourceError> {
        let Some((path, file)) = &self.file else {
            return Ok(());
        };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        write_line(&mut file, &DoneNow { at, family }).map_err(io_error(path))
    }

    /// Removes the file: the output is whole.
    ///
    /// # Errors
    /// When it cannot be removed.
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

/// One write a line, so that a kill cuts the last one at most.
fn write_line(file: &mut File, value: &impl Serialize) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    file.write_all(&line)
}

/// What a file holds, and its bytes up to the end of the last whole line.
fn read(
    path: &Path,
    text: &[u8],
    head: &Head,
) -> Result<(HashMap<usize, Family>, usize), SourceError> {
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
                           begin anew without --resume";
                return Err(bad(why.to_owned()));
            }
            continue;
        }
        let one: Done = serde_json::from_slice(line).map_err(|error| bad(error.to_string()))?;
        done.insert(one.at, one.family);
    }
    Ok((done, whole))
}

/// A hash of all that decides what a program gives.
fn identity(corpus: &[CorpusProgram], descriptions: &Descriptions, config: &ErrorConfig) -> String {
    // What balancing does comes after.
    let config = ErrorConfig {
        balanced: false,
        ..config.clone()
    };
    let mut text = format!("{} {config:?}", env!("CARGO_PKG_VERSION"));
    for program in corpus {
        let problem = program.problem.as_deref();
        let words = problem.and_then(|problem| descriptions.get(problem));
        let inputs = program.inputs(config.inputs);
        let all = format!("{:?}", (&program.id, problem, &program.code, inputs, words));
        text.push_str(&hex(&hashed(all.as_bytes())));
    }
    hex(&hashed(text.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_comes_back_but_for_a_cut_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = ErrorProgress::beside(&dir.path().join("a.jsonl"));
        assert!(path.ends_with("a.jsonl.progress"));
        let corpus = [CorpusProgram {
            id: "a".to_owned(),
            code: "x = 1\n".to_owned(),
            ..CorpusProgram::default()
        }];
        let open = |resume: bool, seed: u64| {
            let config = ErrorConfig {
                seed,
                ..ErrorConfig::default()
            };
            ErrorProgress::open(&path, resume, &corpus, &Descriptions::default(), &config)
        };
        let first = open(true, 0).unwrap();
        let mut family = Family::default();
        family.leave_out("reaches a limit");
        first.keep(0, &family).unwrap();
        first.keep(4, &Family::default()).unwrap();
        drop(first);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        let again = open(true, 0).unwrap();
        assert_eq!((again.done(), again.get(0)), (1, Some(&family)));
        again.keep(4, &Family::default()).unwrap();
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
