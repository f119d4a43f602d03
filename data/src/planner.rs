//! The interface of planners, which predict a program's behaviour without executing it. Data sets can be built
//! with one; this crate has none itself.

use std::fmt::Debug;
use std::time::Duration;

use crate::trace::{Program, Trace};

/// Instructions of planning per millisecond of CPU time.
const INSTRUCTIONS_A_MS: u64 = 4_000;

/// The budget of a plan. All but `longest` are the same on every machine.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanLimits {
    /// Steps.
    pub max_steps: usize,
    /// Text of all states and of the output together, bytes.
    pub max_text: usize,
    /// Instructions.
    pub max_instructions: u64,
    /// Memory of the program's objects, bytes.
    pub memory: usize,
    /// CPU time, for long single instructions.
    pub longest: Duration,
}

impl PlanLimits {
    /// Limits equivalent to a run with this much CPU time and this many steps.
    pub fn like(cpu: Duration, max_steps: u32, max_text: usize) -> Self {
        let milliseconds = u64::try_from(cpu.as_millis()).unwrap_or(u64::MAX);
        Self {
            max_steps: max_steps as usize,
            max_text,
            max_instructions: milliseconds.saturating_mul(INSTRUCTIONS_A_MS),
            memory: 48 << 20,
            longest: cpu.saturating_mul(20).max(Duration::from_secs(5)),
        }
    }
}

/// Result of planning.
#[derive(Debug, Clone)]
pub struct Walked {
    /// The trace, up to where planning went.
    pub trace: Trace,
    /// Why the trace is not exact: planning stopped, injected something, or assumed something. `None` if it is exact.
    pub stopped: Option<String>,
}

/// Walks programs on the calling thread, without a network and without injected values.
pub trait Planner: Debug + Send + Sync {
    /// Walks one program.
    fn walk(&self, program: &Program, limits: &PlanLimits) -> Walked;

    /// The first difference of a planned trace and a run, in words. `None` if they are equal.
    fn difference(&self, planned: &Trace, run: &Trace) -> Option<String>;
}
