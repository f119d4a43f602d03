//! Files of results: `results.md` and `results.json` in a directory, each whole or not at all.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use tempfile::{Builder, NamedTempFile};

use crate::eval::Evaluation;

/// Writes both files. Neither takes its name before both are complete.
pub(super) fn write_results(directory: &Path, evaluation: &Evaluation) -> anyhow::Result<()> {
    let markdown = format!("# Results\n\n{evaluation}");
    let json = serde_json::to_string(evaluation)? + "\n";
    let mut files = Vec::new();
    for (name, text) in [("results.md", markdown), ("results.json", json)] {
        let path = directory.join(name);
        let file = temporary(directory, &text).with_context(|| path.display().to_string())?;
        files.push((path, file));
    }
    for (path, file) in files {
        let shown = path.display().to_string();
        file.persist(path).context(shown)?;
    }
    Ok(())
}

fn temporary(directory: &Path, text: &str) -> std::io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".results");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any other file: the mask of the process takes off what it should not be.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(directory)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}
