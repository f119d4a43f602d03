//! The crate's only error type. It does not print or decide exit codes: the command line does.

use std::path::PathBuf;

use crate::metrics::Skip;

/// An error of the caller's own making, carried through unchanged (a data source, a validation hook).
pub type ForeignError = Box<dyn std::error::Error + Send + Sync>;

/// The crate's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can stop a run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A run configuration that cannot be used.
    #[error("{file}:{line}: `{key}`: {why}")]
    Config {
        /// The file, as named by the caller.
        file: String,
        /// 1-based line.
        line: usize,
        /// Dotted key, for example `stages[1].peak_lr`.
        key: String,
        /// Its error.
        why: String,
    },
    /// A file or directory could not be read or written.
    #[error("cannot {action} {path}: {source}", path = path.display())]
    Io {
        /// The attempted operation: "read", "write", "rename" ...
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// A tensor operation failed, in the model or in the optimizer.
    #[error("tensor operation failed: {0}")]
    Tensor(#[from] candle_core::Error),
    /// The trainer keeps master weights in f32 and casts nothing itself.
    #[error("variables must be f32 on one device: {}", names.join(", "))]
    VariableType {
        /// The offending variables.
        names: Vec<String>,
    },
    /// Two variables share a checkpoint key.
    #[error("two variables are called {name}")]
    DuplicateVariable {
        /// The shared name.
        name: String,
    },
    /// Variables that the loss does not depend on: a cut graph or an unused layer.
    #[error("no gradient reaches {}: they would never be trained", names.join(", "))]
    NoGradient {
        /// The variables without a finite, non-zero gradient.
        names: Vec<String>,
    },
    /// Too many consecutive steps were skipped.
    #[error(
        "{in_a_row} steps in a row skipped, the last, step {step}, for: {why}; {}",
        last_checkpoint_text(checkpoint)
    )]
    Diverged {
        /// The last step attempted.
        step: u64,
        /// Number of consecutive skipped steps.
        in_a_row: u32,
        /// Why the last one was.
        why: Skip,
        /// The newest checkpoint, which is intact.
        checkpoint: Option<PathBuf>,
    },
    /// A checkpoint could not be written: a full disk, most often.
    #[error(
        "no checkpoint after step {step}: {source}; {}: make room and resume",
        last_checkpoint_text(checkpoint)
    )]
    NotSaved {
        /// After which step.
        step: u64,
        /// The error.
        source: Box<Error>,
        /// The newest checkpoint, which is intact.
        checkpoint: Option<PathBuf>,
    },
    /// A stage names an unknown data set.
    #[error("stage {stage} wants the data set {name}, which was not given (given: {})", known.join(", "))]
    UnknownDataSet {
        /// The stage.
        stage: String,
        /// The name it wants.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// A stage whose data sets are empty.
    #[error("stage {stage} has no examples")]
    EmptyStage {
        /// The stage.
        stage: String,
    },
    /// An example could not be fetched.
    #[error("data set {name}, example {index}: {source}")]
    Example {
        /// The data set.
        name: String,
        /// Position in it.
        index: usize,
        /// The source's error.
        source: ForeignError,
    },
    /// The validation hook failed.
    #[error("validation at step {step}: {source}")]
    Validation {
        /// After which step.
        step: u64,
        /// The hook's error.
        source: ForeignError,
    },
    /// A new run would overwrite an old one.
    #[error("{} already holds checkpoints: resume that run, or choose another directory", dir.display())]
    RunExists {
        /// The run directory.
        dir: PathBuf,
    },
    /// There is nothing to resume.
    #[error("no checkpoint in {}", dir.display())]
    NoCheckpoint {
        /// The run directory.
        dir: PathBuf,
    },
    /// A checkpoint file is damaged or does not belong to this model.
    #[error("damaged checkpoint: {}: {why}{}", path.display(), older_text(older))]
    DamagedCheckpoint {
        /// The file.
        path: PathBuf,
        /// Its error.
        why: String,
        /// An older checkpoint to resume from instead.
        older: Option<PathBuf>,
    },
    /// Resuming with settings of another run.
    #[error("the run in {} was started with other {what}: it cannot be continued with these", dir.display())]
    OtherRun {
        /// The checkpoint.
        dir: PathBuf,
        /// "settings" or "data".
        what: &'static str,
    },
    /// A checkpoint that cannot be packed so small.
    #[error(
        "packed, the checkpoint has {bytes} bytes at least, which is over the limit of {limit}"
    )]
    TooLarge {
        /// With the fewest bits.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// A packed checkpoint is damaged or not complete.
    #[error("{}.00 to .{:02}: {why}", prefix.display(), parts.saturating_sub(1))]
    DamagedPack {
        /// Prefix of the names of its parts.
        prefix: PathBuf,
        /// Number found.
        parts: usize,
        /// The error.
        why: String,
    },
    /// Worker threads could not be started.
    #[error("cannot start worker threads: {0}")]
    Workers(#[from] rayon::ThreadPoolBuildError),
}

impl Error {
    /// An [`Error::Io`] maker, for `map_err`.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |source| Error::Io {
            action,
            path,
            source,
        }
    }
}

fn last_checkpoint_text(checkpoint: &Option<PathBuf>) -> String {
    match checkpoint {
        Some(path) => format!("the last good checkpoint is {}", path.display()),
        None => "there is no checkpoint yet".to_owned(),
    }
}

fn older_text(older: &Option<PathBuf>) -> String {
    match older {
        Some(path) => format!("; an older checkpoint is {}", path.display()),
        None => String::new(),
    }
}
