//! Programs in a directory: `NAME.py`, with `NAME.in` as its standard input where it exists.

use std::fs;
use std::path::{Path, PathBuf};

use super::{CorpusProgram, SourceError, io_error};

/// Reads every `.py` file below `root`, in order of path; files that are not UTF-8 are passed over.
///
/// # Errors
/// When the directory cannot be read or has no program.
pub fn read_directory(root: &Path) -> Result<Vec<CorpusProgram>, SourceError> {
    let mut paths = Vec::new();
    collect(root, &mut paths)?;
    paths.sort();
    let mut programs = Vec::new();
    for path in paths {
        let Ok(code) = fs::read_to_string(&path) else {
            continue;
        };
        let stdin = fs::read_to_string(path.with_extension("in")).ok();
        let problem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
        let id = path.display().to_string();
        programs.push(CorpusProgram {
            id,
            code,
            stdin,
            problem,
            ..CorpusProgram::default()
        });
    }
    if programs.is_empty() {
        return Err(SourceError::Empty(root.to_owned()));
    }
    Ok(programs)
}

fn collect(directory: &Path, paths: &mut Vec<PathBuf>) -> Result<(), SourceError> {
    for entry in fs::read_dir(directory).map_err(io_error(directory))? {
        let entry = entry.map_err(io_error(directory))?;
        let (path, kind) = (
            entry.path(),
            entry.file_type().map_err(io_error(directory))?,
        );
        if kind.is_dir() {
            collect(&path, paths)?;
        } else if kind.is_file() && path.extension().is_some_and(|e| e == "py") {
            paths.push(path);
        }
    }
    Ok(())
}
