//! Errors of the machine. A program's behaviour is an outcome, never one of these.

use std::path::PathBuf;

/// The environment cannot run programs. Each message names what is missing and the next step.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// No Python was found.
    #[error(
        "no Python 3.8 or later found ({tried}); install python3, or name one with CODEXEC_PYTHON"
    )]
    NoPython {
        /// The candidates, and why each was unsuitable.
        tried: String,
    },
    /// A Python was found but cannot be used.
    #[error("{path} cannot be used: {why}; name another Python with --python or CODEXEC_PYTHON")]
    UnsuitablePython {
        /// The interpreter.
        path: PathBuf,
        /// Its error.
        why: String,
    },
    /// A named directory is not one of packages.
    #[error(
        "{path} cannot be shown to programs: {why}; name a directory of packages with --packages-dir"
    )]
    UnsuitablePackages {
        /// The directory.
        path: PathBuf,
        /// Its error.
        why: String,
    },
    /// A directory of modules that was named cannot be shown.
    #[error("{path} cannot be shown to programs: {why}; name another directory with --path")]
    UnsuitablePath {
        /// The directory.
        path: PathBuf,
        /// Its error.
        why: String,
    },
    /// The directory of a project cannot be shown.
    #[error(
        "{path} cannot be shown to programs: {why}; name another directory with --root, or none with --root none"
    )]
    UnsuitableRoot {
        /// The directory.
        path: PathBuf,
        /// Its error.
        why: String,
    },
    /// The machine lacks the least isolation under which foreign programs are run.
    #[error(
        "refusing to run programs: {missing}; use a kernel with seccomp and either Landlock \
         (5.13 or later) or unprivileged user namespaces, or accept the risk with \
         --unsafe-no-sandbox"
    )]
    TooLittleIsolation {
        /// The missing part, and why.
        missing: String,
    },
    /// The binary that becomes the sandbox does not.
    #[error(
        "{path} did not become a sandbox worker: {why}; its `main` must begin with \
         `codexec_data::sandbox::launcher_hook()`"
    )]
    Launcher {
        /// The binary.
        path: PathBuf,
        /// What it did instead.
        why: String,
    },
    /// A worker could not be started.
    #[error("cannot start a sandbox worker: {why}")]
    Worker {
        /// The error.
        why: String,
    },
    /// There is no sandbox for this operating system.
    #[error(
        "there is no sandbox for {system}: run on Linux, or accept the risk with \
         --unsafe-no-sandbox"
    )]
    Unsupported {
        /// The operating system.
        system: &'static str,
    },
}
