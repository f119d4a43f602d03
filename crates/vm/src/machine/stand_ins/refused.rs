//! Requests that the sandbox refuses to libraries that can do without.

use super::super::{Flow, Machine};
use crate::value::Value;

/// Functions that the sandbox refuses, and the exceptions that they raise there.
const REFUSED: &[(&str, &str, i64, &str)] = &[
    (
        "socket.socket",
        "PermissionError",
        1,
        "Operation not permitted",
    ),
    (
        "multiprocessing.Lock",
        "FileNotFoundError",
        2,
        "No such file or directory",
    ),
    (
        "multiprocessing.RLock",
        "FileNotFoundError",
        2,
        "No such file or directory",
    ),
];

impl Machine {
    /// Returns the sandbox's exception for a library's request that no program is granted there, if
    /// the library handles it.
    pub(super) fn refused_by_sandbox(&mut self, what: &str) -> Option<Flow> {
        let (_, kind, number, message) = REFUSED.iter().find(|(name, ..)| *name == what)?;
        let frame = self.frames.iter().rev().find(|f| !self.is_runtime(f))?;
        let is_ready = self.is_hidden(frame.globals) && Self::catches(frame);
        if !is_ready || self.settings.unknown {
            return None;
        }
        let arguments = vec![Value::Int(*number), Value::str(message)];
        Some(self.raise_with(kind, arguments))
    }
}
