//! Why a build stopped, each with what to do next.

use std::path::{Path, PathBuf};

use crate::sandbox::SandboxError;
use crate::sources::SourceError;

/// Why a build or a merge stopped. The behaviour of single programs is never a reason.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The corpus, or a record, could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// No program can be run.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// Settings that no mutant can be made with.
    #[error(transparent)]
    Settings(#[from] codexec_mutate::MutateError),
    /// The corpus has no program.
    #[error("{}: no program in it; name a directory with .py files, or JSON Lines with `code`", .0.display())]
    NoPrograms(PathBuf),
    /// The output already exists.
    #[error("{}: exists already; name another --out, go on with --resume, or overwrite it with --force", .0.display())]
    Exists(PathBuf),
    /// The output was begun with other settings or of another corpus.
    #[error("{}: was started with other settings: {}; continue with those, or name another --out", path.display(), differences.join("; "))]
    Otherwise {
        /// The output.
        path: PathBuf,
        /// The differences, each with both values.
        differences: Vec<String>,
    },
    /// Another process builds there.
    #[error("{}: another build is at work there; wait for its end, or name another --out", .0.display())]
    Busy(PathBuf),
    /// A directory to overwrite holds something else.
    #[error("{}: contains {other}, which does not belong to a build and is not overwritten; name another --out", path.display())]
    NotABuild {
        /// The directory.
        path: PathBuf,
        /// The other contents.
        other: String,
    },
    /// A file could not be read or written.
    #[error("{}: {source}{}", path.display(), next_step(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// Records could not be written to standard output.
    #[error("standard output cannot be written: {source}")]
    Output {
        /// The system's error.
        source: std::io::Error,
    },
    /// A file of a build differs from what was written.
    #[error("{}: {why}; remove the output and build it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The error.
        why: String,
    },
    /// Builds that cannot be merged.
    #[error("{}: {why}", path.display())]
    Merge {
        /// The build at fault.
        path: PathBuf,
        /// Why, and what to do.
        why: String,
    },
    /// Programs are to be planned, but there is no planner.
    #[error("programs are to be planned, and the build was given no planner")]
    NoPlanner,
    /// The threads of the build could not be started or have gone.
    #[error("a worker thread of the build stopped; run again with --resume")]
    Threads,
}

/// A failed reservation.
pub(crate) fn reserved(path: &Path) -> impl FnOnce(std::io::Error) -> BuildError + '_ {
    |source| match source.kind() {
        std::io::ErrorKind::ResourceBusy => BuildError::Busy(path.to_owned()),
        _ => io(path)(source),
    }
}

fn next_step(source: &std::io::Error) -> &'static str {
    use std::io::ErrorKind;
    match source.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "; make room and go on with --resume",
        ErrorKind::FileTooLarge => {
            "; raise the limit on the size of files (ulimit -f) and go on with --resume"
        }
        _ => "",
    }
}

pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> BuildError + '_ {
    |source| BuildError::Io {
        path: path.to_owned(),
        source,
    }
}
