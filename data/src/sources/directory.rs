//! Programs in a directory: `NAME.py`, with `NAME.in` and `NAME.1.in`, `NAME.2.in`, … as its
//! standard inputs where they exist.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::encoding::utf8;
use super::{
    CorpusProgram, Found, Sample, Skipped, SourceError, io_error, normalise_newlines, python_text,
};

/// Larger files are skipped: no model and no trace reaches that far.
const MOST_BYTES: u64 = 4 << 20;

/// The programs below a directory, sorted by path. It holds only the names of the directories that
/// lead to the next program.
pub(super) struct Directory {
    root: PathBuf,
    /// Directories entered and not left, innermost last.
    open: Vec<Listing>,
    /// True once a program was found or skipped.
    any: bool,
}

/// The entries of a directory in order of name.
struct Listing {
    path: PathBuf,
    names: Vec<OsString>,
    next: usize,
}

impl Listing {
    fn read(path: PathBuf) -> std::io::Result<Self> {
        let entries = fs::read_dir(&path)?;
        let names = entries.map(|entry| Ok(entry?.file_name()));
        let mut names: Vec<OsString> = names.collect::<std::io::Result<_>>()?;
        names.sort();
        Ok(Self {
            path,
            names,
            next: 0,
        })
    }

    /// The input files of the program `stem`: the plain one, then numbered ones.
    fn inputs(&self, stem: &OsStr) -> Vec<&OsStr> {
        let mut prefix = stem.to_owned();
        prefix.push(".");
        let prefix = prefix.as_encoded_bytes();
        let from = self
            .names
            .partition_point(|n| n.as_encoded_bytes() < prefix);
        let mut inputs: Vec<(u64, &OsStr)> = self.names[from..]
            .iter()
            .map_while(|name| Some((name.as_encoded_bytes().strip_prefix(prefix)?, name)))
            .filter_map(|(rest, name)| {
                let number = match std::str::from_utf8(rest).ok()?.strip_suffix("in")? {
                    "" => 0,
                    number => number.strip_suffix('.')?.parse().ok()?,
                };
                Some((number, name.as_os_str()))
            })
            .collect();
        inputs.sort();
        inputs.into_iter().map(|(_, name)| name).collect()
    }
}

impl Directory {
    pub(super) fn open(root: &Path) -> Result<Self, SourceError> {
        let listing = Listing::read(root.to_owned()).map_err(io_error(root))?;
        Ok(Self {
            root: root.to_owned(),
            open: vec![listing],
            any: false,
        })
    }
}

impl Iterator for Directory {
    type Item = Result<Found, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(listing) = self.open.last_mut() {
            let Some(name) = listing.names.get(listing.next) else {
                self.open.pop();
                continue;
            };
            listing.next += 1;
            let path = listing.path.join(name);
            let python = path.extension().is_some_and(|e| e == "py");
            let found = match fs::symlink_metadata(&path) {
                Ok(entry) if entry.is_dir() => match Listing::read(path.clone()) {
                    Ok(inner) => {
                        self.open.push(inner);
                        continue;
                    }
                    Err(error) => skip(&path, error.to_string()),
                },
                Ok(_) | Err(_) if !python => continue,
                Ok(_) => program(&self.root, listing, &path)
                    .map_or_else(|(path, cause)| skip(&path, cause), Found::Program),
                Err(error) => skip(&path, error.to_string()),
            };
            self.any = true;
            return Some(Ok(found));
        }
        // Said once.
        (!std::mem::replace(&mut self.any, true)).then(|| {
            Err(SourceError::Empty {
                path: self.root.clone(),
                what: ".py",
            })
        })
    }
}

fn skip(path: &Path, cause: String) -> Found {
    Found::Skipped(Skipped {
        path: path.to_owned(),
        cause,
    })
}

/// Reads a program and its inputs; else which file cannot be read and why. A program with an
/// unreadable input is skipped: it would never run like that.
fn program(
    root: &Path,
    listing: &Listing,
    path: &Path,
) -> Result<CorpusProgram, (PathBuf, String)> {
    let read = |path: &Path, decode: fn(Vec<u8>) -> Result<String, String>| {
        let text = contents(path).and_then(decode);
        text.map_err(|cause| (path.to_owned(), cause))
    };
    let code = read(path, python_text)?;
    let ends_rewritten = code.contains('\r');
    let code = normalise_newlines(code);
    let stem = path.file_stem().unwrap_or_default();
    let mut program = CorpusProgram {
        id: path.display().to_string(),
        code,
        ends_rewritten,
        problem: Some(problem(root, path)),
        ..CorpusProgram::default()
    };
    for name in listing.inputs(stem) {
        let input = Some(read(&listing.path.join(name), utf8)?);
        if program.stdin.is_none() && Path::new(name).file_stem() == Some(stem) {
            program.stdin = input;
        } else {
            let output = None;
            program.samples.push(Sample { input, output });
        }
    }
    Ok(program)
}

/// The problem of a file: the CodeNet problem among its directories (`p00042`), else its own
/// relative path without its suffix.
fn problem(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let names = || path.parent().into_iter().flat_map(Path::components);
    let codenet = names().rev().find_map(|part| {
        let name = part.as_os_str().to_str()?;
        let digits = name.strip_prefix('p')?;
        (digits.len() == 5 && digits.bytes().all(|b| b.is_ascii_digit())).then_some(name)
    });
    match codenet {
        Some(name) => name.to_owned(),
        None => {
            let parts = below.with_extension("");
            let parts: Vec<_> = parts.iter().map(OsStr::to_string_lossy).collect();
            parts.join("/")
        }
    }
}

/// The bytes of a file, or why they cannot be read.
fn contents(path: &Path) -> Result<Vec<u8>, String> {
    let io = |error: std::io::Error| error.to_string();
    // A pipe would never end.
    if !fs::metadata(path).map_err(io)?.is_file() {
        return Err("not a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(io)?;
    file.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(io)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("more than {} MiB", MOST_BYTES >> 20));
    }
    Ok(bytes)
}
