//! Reads a corpus for a command. Skipped files are listed on standard error.

use std::path::Path;

use codexec_data::sources::{CorpusProgram, Found, programs};

use crate::cli::{note_ends_of_lines, warn};

/// Maximum number of skipped files listed.
const NAMED: usize = 10;

/// The programs of a corpus, after a line for each skipped file.
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
