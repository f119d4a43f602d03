//! Why there is no answer.

use codexec_data::sandbox::SandboxError;

use crate::engine::environment::NotThere;
use crate::engine::{EngineError, Unanswered};
use crate::guide::GuideError;
use crate::prefix::PrefixError;

/// Why a request has no answer. A program's outcome never appears here: it is in the trace.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The program cannot be read.
    #[error(transparent)]
    Program(#[from] Unanswered),
    /// The engine is unavailable.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Nothing can be run.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The program cannot be run with injected values.
    #[error(transparent)]
    Guide(#[from] GuideError),
    /// No prefix can be looked for.
    #[error(transparent)]
    Prefix(#[from] PrefixError),
    /// A package that the program may import is not there.
    #[error(transparent)]
    Packages(#[from] NotThere),
    /// The engine gave no answer for the program.
    #[error("the engine gave no answer")]
    NoAnswer,
}
