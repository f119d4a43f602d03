//! Reading a corpus for a command: what is left out of it is said on standard error.

use std::path::Path;

use codexec_data::sources::{CorpusProgram, Found, programs};

use crate::cli::{note_ends_of_lines, warn};

/// Skipped files that are named one by one.
const NAMED: usize = 10;

/// The programs of a corpus, after a line for each file of it that was skipped.
pub(in crate::cli) fn read(path: &Path) -> anyhow::Result<Vec<CorpusProgram>> {
    let mut corpus = Vec::new();
    let (mut skipped, mut ends_rewritten) = (0, 0);
    for found in programs(path)? {
        match found? {
            Found::Program(program) => {
                ends_rewritten += u64::from(program.ends_rewritten);
                corpus.push(program);
            }
            Found::Skipped(file) => {
                skipped += 1;
                if skipped <= NAMED {
                    warn(&format!("skipped {skipped}: {file}"));
                }
            }
        }
    }
    if skipped > NAMED {
        warn(&format!("skipped {skipped} files in all"));
    }
    note_ends_of_lines(ends_rewritten);
    Ok(corpus)
}
