//! Resource limits of one program, enforced by the worker and the kernel.

use std::time::Duration;

/// Resource limits of one program. The defaults are the paper's if it gives any.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Maximum time for which a program may wait without computing, at least a second; if it waits
    /// for a core, eight times as long, at least ten seconds. No program gets more CPU time than
    /// this.
    pub wall: Duration,
    /// CPU time, which decides about programs that compute: a busy machine does not change it.
    pub cpu: Duration,
    /// Steps.
    pub max_steps: u32,
    /// Text of all states and of the output together, bytes.
    pub max_bytes: usize,
    /// Address space, bytes.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(1),
            cpu: Duration::from_secs(1),
            max_steps: 1024,
            max_bytes: 2 << 20,
            memory: 1 << 30,
        }
    }
}
