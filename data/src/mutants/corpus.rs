//! The programs of a corpus in order, and what identifies it.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::BuildError;
use super::settings::{Corpus, Shard};
use crate::code_hash::{hex, stable_number};
use crate::sources::{CorpusProgram, Found, programs};

/// Calls `each` with every program of a corpus, in order, until it returns false. An unreadable
/// file in a directory is not a program.
pub(crate) fn each_program(
    path: &Path,
    mut each: impl FnMut(CorpusProgram) -> bool,
) -> Result<(), BuildError> {
    for found in programs(path)? {
        if let Found::Program(program) = found?
            && !each(program)
        {
            break;
        }
    }
    Ok(())
}

/// A number for the program's problem (or the program if it has none): it determines the shard.
pub(crate) fn problem_number(program: &CorpusProgram) -> u64 {
    match &program.problem {
        Some(problem) => stable_number(&[b"problem", problem.as_bytes()]),
        None => stable_number(&[b"program", program.id.as_bytes()]),
    }
}

/// Statistics of a corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scanned {
    pub corpus: Corpus,
    /// Programs of the shard.
    pub mine: u64,
    /// Files that are not programs, each with the reason.
    pub skipped: Vec<String>,
    /// Programs with other ends of lines than `\n`.
    pub ends_rewritten: u64,
}

/// Reads a corpus once through.
///
/// # Errors
/// If it cannot be read or has no program.
pub(crate) fn scan(path: &Path, shard: Shard) -> Result<Scanned, BuildError> {
    let (mut all, mut mine, mut skipped, mut ends_rewritten) = (0, 0, Vec::new(), 0);
    let mut hasher = Sha256::new();
    for found in programs(path)? {
        let program = match found? {
            Found::Program(program) => program,
            Found::Skipped(file) => {
                skipped.push(file.to_string());
                continue;
            }
        };
        all += 1;
        ends_rewritten += u64::from(program.ends_rewritten);
        mine += u64::from(shard.has(problem_number(&program)));
        let known = serde_json::to_vec(&program).unwrap_or_default();
        hasher.update((known.len() as u64).to_le_bytes());
        hasher.update(known);
    }
    if all == 0 {
        return Err(BuildError::NoPrograms(path.to_owned()));
    }
    let sha256 = hex(&hasher.finalize());
    Ok(Scanned {
        corpus: Corpus {
            programs: all,
            sha256,
        },
        mine,
        skipped,
        ends_rewritten,
    })
}
