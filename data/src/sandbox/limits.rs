//! What one program may use; the worker and the kernel see to it.

use std::time::Duration;

/// How much one program may use. The defaults are the paper's where it gives any.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Most time for which a program may wait without computing, at least a second; where it waits
    /// for a core, eight times as long, at least ten seconds. No program gets more
    /// CPU time than this.
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
