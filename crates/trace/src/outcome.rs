//! How an execution ended. A closed set; data, never an `Err`.

use serde::{Deserialize, Serialize};

/// An exception that led to the one of the outcome: a part of its traceback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// How the later exception follows from it.
    pub how: Link,
    /// Class name of the exception, as `KeyError`.
    pub exception: String,
    /// Its message, as in [`Outcome::Raised`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Innermost line of the program in its traceback, 1-based; 0 if it was never raised.
    pub line: u32,
    /// File of that line: an index into [`Trace::files`](super::Trace); 0 is the entry.
    #[serde(default, skip_serializing_if = "super::is_entry")]
    pub file: u32,
    /// Index of the step during which it was last raised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
}

/// How an exception follows from another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Link {
    /// `raise … from …`: its `__cause__`.
    Cause,
    /// It was raised while the other one was handled: its `__context__`.
    Context,
}

/// Most causes of a trace; a longer chain ends there.
pub const MOST_CAUSES: usize = 20;

/// The outcome of an execution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Outcome {
    /// It finished, including by `SystemExit` with status 0.
    Finished,
    /// It exited with another status, as by `sys.exit(3)`.
    Exited {
        /// The status, as the shell sees it.
        code: u8,
        /// The message passed to `sys.exit` instead of a status; empty if it is not plain text.
        text: String,
    },
    /// An exception was not caught.
    Raised {
        /// Class name of the exception, as `ZeroDivisionError`; a program can make it empty.
        exception: String,
        /// Its message. `str` of user-defined exceptions is never called: their message is empty
        /// unless they have plain arguments.
        message: String,
        /// Innermost line of the program in the traceback, 1-based.
        line: u32,
        /// File of that line: an index into [`Trace::files`](super::Trace); 0 is the entry.
        #[serde(default, skip_serializing_if = "super::is_entry")]
        file: u32,
        /// Index of the step during which it was last raised; later steps are the unwinding.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<u32>,
    },
    /// Wall-clock or CPU time ran out. The steps so far are kept; their number can depend on the
    /// machine.
    Timeout,
    /// More steps than allowed.
    StepLimit,
    /// More instructions than planning executes.
    InstructionLimit,
    /// More text than a trace may have, most of it printed.
    OutputLimit,
    /// More text than a trace may have, most of it in states and values.
    TraceLimit,
    /// More memory than allowed.
    MemoryLimit,
    /// It died or was stopped for another reason. Available steps are kept, except those deep in
    /// calls right before a signal.
    Killed {
        /// Why, in words: `signal 11`, `tampered with the tracer`, ...
        why: String,
    },
    /// It does not compile.
    SyntaxError {
        /// Line, 1-based.
        line: u32,
        /// Column in characters, 1-based; 0 when unknown.
        column: u32,
        /// The error.
        message: String,
    },
}
