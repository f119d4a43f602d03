//! Result files: `results.md` and `results.json` in a directory, each written completely or not at
//! all.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use codexec_data::files::{Existing, WholeFile, check_output};

use crate::eval::Evaluation;

/// The names of both files.
const MARKDOWN: &str = "results.md";
const JSON: &str = "results.json";

/// Checks before any work starts that both files can be written.
pub(super) fn check_results(directory: &Path, existing: Existing) -> anyhow::Result<()> {
    for name in [MARKDOWN, JSON] {
        let path = directory.join(name);
        check_output(&path, existing).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Writes both files. Neither is moved into place before both are complete.
pub(super) fn write_results(directory: &Path, evaluation: &Evaluation) -> anyhow::Result<()> {
    let markdown = format!("# Results\n\n{evaluation}");
    let json = serde_json::to_string(evaluation)? + "\n";
    let mut files = Vec::new();
    for (name, text) in [(MARKDOWN, markdown), (JSON, json)] {
        let path = directory.join(name);
        let shown = || path.display().to_string();
        let mut file = WholeFile::create(&path).with_context(shown)?;
        file.write_all(text.as_bytes()).with_context(shown)?;
        files.push((shown(), file));
    }
    for (shown, file) in files {
        file.publish().context(shown)?;
    }
    Ok(())
}
