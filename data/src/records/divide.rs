//! The programs of a corpus divided into train, valid and test by problem, before any is mutated.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::output::Output;
use super::writer::LEVEL;
use super::{Part, SplitConfig};
use crate::sources::{CorpusProgram, Found, SourceError, io_error, programs};

/// The programs of one part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divided {
    /// The file they are in, one as JSON a line.
    pub file: PathBuf,
    /// How many there are.
    pub programs: u64,
    /// Of how many problems; a program without one counts by itself.
    pub problems: u64,
}

/// Writes the programs of a corpus to `train`, `valid` and `test` (`.jsonl.zst`) in the directory
/// `out`, in the corpus's order. No problem has programs in two of them; a program without a problem
/// goes by its id. The files appear whole or not at all.
///
/// # Errors
/// When the corpus cannot be read or has no program, or `out` cannot be written.
pub fn divide_corpus(
    corpus: &Path,
    out: &Path,
    config: &SplitConfig,
) -> Result<[Divided; 3], SourceError> {
    // Says what is wrong with the corpus before a directory is made.
    let mut found = programs(corpus)?.peekable();
    if found.peek().is_none() {
        return Err(SourceError::Unreadable {
            path: corpus.to_owned(),
            message: "no program in it".to_owned(),
        });
    }
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
        parts[part as usize].push(&program)?;
    }
    let mut divided = parts.into_iter().map(Writer::finish);
    let mut next = || {
        divided
            .next()
            .unwrap_or_else(|| unreachable!("one for each part"))
    };
    Ok([next()?, next()?, next()?])
}

struct Writer {
    // Dropped, and so closed, before the temporary file is removed.
    sink: zstd::Encoder<'static, BufWriter<File>>,
    output: Output,
    problems: HashSet<String>,
    divided: Divided,
}

impl Writer {
    fn create(file: PathBuf) -> Result<Self, SourceError> {
        let (output, opened) = Output::create(&file)?;
        let sink = zstd::Encoder::new(BufWriter::new(opened), LEVEL).map_err(io_error(&file))?;
        Ok(Self {
            sink,
            output,
            problems: HashSet::new(),
            divided: Divided {
                file,
                programs: 0,
                problems: 0,
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
        let finish = || self.output.publish(&self.sink.finish()?.into_inner()?);
        finish().map_err(io_error(&file))?;
        Ok(self.divided)
    }
}
