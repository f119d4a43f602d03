//! The programs of a corpus divided into train, valid and test by problem, before any is mutated.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::writer::LEVEL;
use super::{Part, SplitConfig};
use crate::code_hash::{self, CodeHash};
use crate::files::WholeFile;
use crate::sources::{CorpusProgram, Found, SourceError, io_error, programs};

/// The programs of one part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divided {
    /// The file they are in, one JSON object per line.
    pub file: PathBuf,
    /// Their number.
    pub programs: u64,
    /// Number of their problems; a program without one counts by itself.
    pub problems: u64,
    /// Programs of its problems that are left out, because a later part has the same code.
    pub elsewhere: u64,
}

/// Writes the programs of a corpus to `train`, `valid` and `test` (`.jsonl.zst`) in the directory
/// `out`, in the corpus's order. No problem has programs in two of them; a program without a problem
/// is assigned by its id. No code is in two of them either, up to whitespace and comments: under two
/// problems it stays in test before valid, and in valid before train. The files appear completely or
/// not at all.
///
/// # Errors
/// If the corpus cannot be read or has no program, or `out` cannot be written.
pub fn divide_corpus(
    corpus: &Path,
    out: &Path,
    config: &SplitConfig,
) -> Result<[Divided; 3], SourceError> {
    // Reports errors in the corpus before creating a directory.
    let mut found = programs(corpus)?.peekable();
    if found.peek().is_none() {
        return Err(SourceError::Unreadable {
            path: corpus.to_owned(),
            message: "no program in it".to_owned(),
        });
    }
    let owners = owners(corpus, config)?;
    fs::create_dir_all(out).map_err(io_error(out))?;
    let mut parts = Vec::new();
    for part in Part::ALL {
        parts.push(Writer::create(
            out.join(format!("{}.jsonl.zst", part.name())),
        )?);
    }
    for program in found {
        let Found::Program(program) = program? else {
            continue;
        };
        let part = config.part_of(program.problem.as_deref(), &program.id);
        let owner = code_hash::of(&program.code)
            .ok()
            .and_then(|code| owners.get(&code));
        match owner {
            Some(owner) if *owner > part => parts[part as usize].divided.elsewhere += 1,
            _ => parts[part as usize].push(&program)?,
        }
    }
    let mut divided = parts.into_iter().map(Writer::finish);
    let mut next = || {
        divided
            .next()
            .unwrap_or_else(|| unreachable!("one for each part"))
    };
    Ok([next()?, next()?, next()?])
}

/// The part of each code: the last one that has it under any problem.
fn owners(corpus: &Path, config: &SplitConfig) -> Result<HashMap<CodeHash, Part>, SourceError> {
    let mut owners = HashMap::new();
    for program in programs(corpus)? {
        let Found::Program(program) = program? else {
            continue;
        };
        // Code that does not parse is not a record of any part.
        let Ok(code) = code_hash::of(&program.code) else {
            continue;
        };
        let part = config.part_of(program.problem.as_deref(), &program.id);
        let owner = owners.entry(code).or_insert(part);
        *owner = part.max(*owner);
    }
    Ok(owners)
}

struct Writer {
    sink: zstd::Encoder<'static, BufWriter<WholeFile>>,
    problems: HashSet<String>,
    divided: Divided,
}

impl Writer {
    fn create(file: PathBuf) -> Result<Self, SourceError> {
        let opened = WholeFile::create(&file).map_err(io_error(&file))?;
        let sink = zstd::Encoder::new(BufWriter::new(opened), LEVEL).map_err(io_error(&file))?;
        Ok(Self {
            sink,
            problems: HashSet::new(),
            divided: Divided {
                file,
                programs: 0,
                problems: 0,
                elsewhere: 0,
            },
        })
    }

    fn push(&mut self, program: &CorpusProgram) -> Result<(), SourceError> {
        let line = serde_json::to_vec(program).map_err(std::io::Error::from);
        line.and_then(|line| {
            self.sink.write_all(&line)?;
            self.sink.write_all(b"\n")
        })
        .map_err(io_error(&self.divided.file))?;
        self.divided.programs += 1;
        let problem = program.problem.as_ref().unwrap_or(&program.id);
        if !self.problems.contains(problem) {
            self.problems.insert(problem.clone());
            self.divided.problems += 1;
        }
        Ok(())
    }

    fn finish(self) -> Result<Divided, SourceError> {
        let file = self.divided.file.clone();
        let finish = || self.sink.finish()?.into_inner()?.publish();
        finish().map_err(io_error(&file))?;
        Ok(self.divided)
    }
}
