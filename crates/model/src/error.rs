//! The errors of this crate: one enum, each variant with the file or value, the cause and the next
//! step. The outcome of an execution never appears here: that is data.

use std::path::PathBuf;

/// Result with [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the root crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What answers the planner's questions failed.
    #[error("{0}")]
    Oracle(String),
    /// A file of a checkpoint cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A checkpoint lacks a file.
    #[error("{} has no {wanted}: a checkpoint is a directory with config.json, model.safetensors (or pytorch_model.bin) and tokenizer.json (or vocab.json and merges.txt)", dir.display())]
    MissingFile {
        /// The checkpoint's directory.
        dir: PathBuf,
        /// The missing item.
        wanted: &'static str,
    },
    /// A JSON file of a checkpoint is invalid.
    #[error("{file}: {source}; download or export the checkpoint again")]
    Json {
        /// The file.
        file: String,
        /// The place and the reason.
        source: serde_json::Error,
    },
    /// The configuration describes a network this code does not build.
    #[error("{file}: {cause}")]
    Config {
        /// The file.
        file: String,
        /// The field and its error.
        cause: String,
    },
    /// The vocabulary or the merges cannot be used.
    #[error("{file}: {cause}; the tokenizer must be the one the checkpoint was trained with")]
    Tokenizer {
        /// The file.
        file: String,
        /// The error.
        cause: String,
    },
    /// A file of weights cannot be understood.
    #[error("{file}: {cause}; the file is damaged or incomplete, download or export it again")]
    Weights {
        /// The file.
        file: String,
        /// The error.
        cause: String,
    },
    /// A tensor the configuration calls for is not among the weights.
    #[error("{file}: no tensor `{tensor}`; do config.json and the weights belong together?")]
    MissingTensor {
        /// The file, or the first of several.
        file: String,
        /// Its name without prefix.
        tensor: String,
    },
    /// A tensor's shape differs from the configuration.
    #[error(
        "{file}: tensor `{tensor}` has shape {found:?}, config.json calls for {wanted:?}; do the two belong together?"
    )]
    TensorShape {
        /// The file, or the first of several.
        file: String,
        /// Its name without prefix.
        tensor: String,
        /// Shape in the file.
        found: Vec<usize>,
        /// Shape that follows from the configuration.
        wanted: Vec<usize>,
    },
    /// The hub's copy of a checkpoint is neither in the cache nor reachable.
    #[error(
        "cannot get {name} ({file}): {cause}; with no network, copy the checkpoint's directory here and give its path, or fill the Hugging Face cache (HF_HOME) on a machine that has one"
    )]
    Hub {
        /// Name on the hub.
        name: String,
        /// The requested file.
        file: String,
        /// The client's error.
        cause: String,
    },
    /// A sequence is longer than the network has positions for, or empty.
    #[error("{what} has {len} tokens; the checkpoint takes 1 to {limit}")]
    Length {
        /// Which sequence.
        what: &'static str,
        /// Its length.
        len: usize,
        /// The most it may be.
        limit: usize,
    },
    /// The weights cannot be rounded to 8 bits.
    #[error("the weights cannot be rounded to 8 bits: {0}; leave out --quantised")]
    Quantise(String),
    /// No threads could be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
    /// A token that decoding needs is not in the vocabulary.
    #[error("the vocabulary has no token `{token}`; is this tokenizer the checkpoint's?")]
    MissingToken {
        /// The token's text.
        token: String,
    },
    /// The requested device cannot be used.
    #[error("cannot use {wanted}: {cause}; {next}")]
    Device {
        /// The device as requested.
        wanted: String,
        /// The obstacle.
        cause: String,
        /// Advice.
        next: &'static str,
    },
    /// A tensor operation failed.
    #[error("tensor operation: {0}")]
    Tensor(#[from] candle_core::Error),
}

impl Error {
    /// A checkpoint for search, where one that writes is needed.
    pub fn vectors_alone(file: String) -> Self {
        let cause = "this checkpoint makes vectors of programs and writes nothing: it is for `codexec search`";
        Self::Config {
            file,
            cause: cause.to_owned(),
        }
    }
}
