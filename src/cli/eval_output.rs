//! Files of results: `results.md` and `results.json` in a directory, each whole or not at all.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use codexec_data::files::WholeFile;

use crate::eval::Evaluation;

/// Writes both files. Neither takes its name before both are complete.
pub(super) fn write_results(directory: &Path, evaluation: &Evaluation) -> anyhow::Result<()> {
    let markdown = format!("# Results\n\n{evaluation}");
    let json = serde_json::to_string(evaluation)? + "\n";
    let mut files = Vec::new();
    for (name, text) in [("results.md", markdown), ("results.json", json)] {
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
