//! The record of one example, and JSON Lines(.zst) files of them.
//!
//! `id`, `code`, `code_tokens` and `trace_tokens` are the fields of the published data sets; the
//! tokens are words of our own form (see [`crate::tokenizer`]).

use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::sources::{SourceError, io_error, read_json_lines};

/// The task an example belongs to; each has a prefix token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One statement and what it changes.
    SingleLine,
    /// An example of a tutorial.
    Tutorial,
    /// A program of the CodeNet kind.
    CodeNet,
}

impl Kind {
    /// Every kind, in the order of difficulty.
    pub const ALL: [Self; 3] = [Self::SingleLine, Self::Tutorial, Self::CodeNet];

    /// The prefix token that tells the model the task.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::SingleLine => "<singleline>",
            Self::Tutorial => "<tutorial>",
            Self::CodeNet => "<codenet>",
        }
    }
}

/// One example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Unique within a build.
    pub id: String,
    /// The task.
    pub kind: Kind,
    /// The program as text.
    pub code: String,
    /// Its standard input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    /// The program in source form, without the prefix.
    pub code_tokens: String,
    /// The target in delta form.
    pub trace_tokens: String,
    /// How the program ended: `finished`, or the name of the exception.
    pub outcome: String,
    /// The problem it solves; splits are made by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Where the parent program was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its licence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// Id of the parent program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Codes of the operators that made this mutant, in order of site.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operators: Vec<String>,
    /// Seed of the draw.
    pub seed: u64,
}

/// Reads records.
///
/// # Errors
/// When the file cannot be read, or a line is no record.
pub fn read_records(path: &Path) -> Result<Vec<Record>, SourceError> {
    read_json_lines(path)
}

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

/// Says before any work whether [`write_records`] would refuse `path`.
///
/// # Errors
/// When it exists and is no regular file (links are followed), or its directory is missing.
pub fn check_output(path: &Path) -> Result<(), SourceError> {
    destination(path).map(drop)
}

/// Writes records to a temporary name and renames it when it is whole; compressed when the name ends
/// in `.zst`. A link stays a link: what it points to is replaced.
///
/// # Errors
/// Those of [`check_output`], and when the file cannot be written; nothing is left of it then.
pub fn write_records<'a>(
    path: &Path,
    records: impl Iterator<Item = &'a Record>,
) -> Result<(), SourceError> {
    let target = destination(path)?;
    let mut name = target.as_os_str().to_owned();
    name.push(".tmp");
    let temporary = PathBuf::from(name);
    let result =
        write_all(&temporary, path, records).and_then(|()| fs::rename(&temporary, &target));
    result.map_err(|source| {
        let _ = fs::remove_file(&temporary);
        io_error(path)(source)
    })
}

fn write_all<'a>(
    temporary: &Path,
    path: &Path,
    records: impl Iterator<Item = &'a Record>,
) -> std::io::Result<()> {
    let file = BufWriter::new(File::create(temporary)?);
    if path.extension().is_some_and(|e| e == "zst") {
        let mut encoder = zstd::Encoder::new(file, 9)?;
        write_lines(&mut encoder, records)?;
        return encoder.finish()?.into_inner()?.sync_all();
    }
    let mut file = file;
    write_lines(&mut file, records)?;
    file.into_inner()?.sync_all()
}

fn write_lines<'a>(
    out: &mut impl Write,
    records: impl Iterator<Item = &'a Record>,
) -> std::io::Result<()> {
    for record in records {
        serde_json::to_writer(&mut *out, record)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{FileTypeExt, symlink};

    use super::*;

    #[test]
    fn a_pipe_is_refused_and_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let link = directory.path().join("link");
        symlink("pipe", &link).unwrap();
        for path in [&pipe, &link] {
            assert!(check_output(path).is_err());
            let error = write_records(path, std::iter::empty()).unwrap_err();
            assert!(error.to_string().contains(&path.display().to_string()));
        }
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    }

    #[test]
    fn a_link_stays_a_link_and_its_target_is_written() {
        let directory = tempfile::tempdir().unwrap();
        let (link, target) = (directory.path().join("link"), directory.path().join("t"));
        symlink("t", &link).unwrap();
        for _ in ["dangling", "existing"] {
            write_records(&link, std::iter::empty()).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert!(fs::symlink_metadata(&target).unwrap().is_file());
        }
    }

    #[test]
    fn a_missing_directory_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        assert!(check_output(&directory.path().join("no/out.jsonl")).is_err());
        assert!(check_output(directory.path()).is_err());
        assert!(check_output(Path::new("out-that-is-not-there.jsonl")).is_ok());
    }
}
