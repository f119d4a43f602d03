//! Errors in a trace or in text that should be one. Outcomes of programs are data
//! ([`super::Outcome`]) and never appear here.

/// Why a trace has no such form, or why text is not a trace.
#[derive(Debug, thiserror::Error)]
pub enum FormError {
    /// The text is not JSON, or not of the documented schema.
    #[error("not a trace in JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The JSON form has another version.
    #[error("trace version {found}, but this program reads versions {oldest} to {newest}")]
    Version {
        /// Version in the document.
        found: u32,
        /// Oldest version this program reads.
        oldest: u32,
        /// Newest version this program reads.
        newest: u32,
    },
    /// The outcome points at a step that does not exist.
    #[error("the exception names step {step}, but there are {steps} steps")]
    StepOutOfRange {
        /// Index in the outcome.
        step: u32,
        /// Number of steps.
        steps: usize,
    },
    /// A step, or the outcome, is in a file that the trace does not list.
    #[error("a line of file {file} of {files}")]
    FileOutOfRange {
        /// Index of the file.
        file: u32,
        /// Number of files.
        files: usize,
    },
    /// Events, functions and depths do not fit a call stack.
    #[error("step {step}: {why}")]
    IllFormed {
        /// Index of the step.
        step: usize,
        /// The mismatch.
        why: &'static str,
    },
    /// The text breaks the grammar of the form.
    #[error("at byte {at}: expected {expected}")]
    Syntax {
        /// Byte position in the text.
        at: usize,
        /// The expected alternatives.
        expected: &'static str,
    },
}
