//! Who says what a program does without executing it. Data sets are built with one; this crate has none itself.

use std::fmt::Debug;
use std::time::Duration;

use crate::trace::{Program, Trace};

/// Instructions that planning executes in place of a millisecond of CPU time.
const INSTRUCTIONS_A_MS: u64 = 4_000;

/// What a plan may cost. All but `longest` are the same on every machine.
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
    /// CPU time, for what takes long within one instruction.
    pub longest: Duration,
}

impl PlanLimits {
    /// Limits like those of a run with so much CPU time and so many steps.
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

/// What planning came to.
#[derive(Debug, Clone)]
pub struct Walked {
    /// The trace, up to where planning went.
    pub trace: Trace,
    /// Why the trace is not what the program does: planning stopped, made something up, or took something for granted.
    /// `None`: it is.
    pub stopped: Option<String>,
}

/// Walks programs on the thread that asks; no network is asked, and nothing is made up.
pub trait Planner: Debug + Send + Sync {
    /// Walks one program.
    fn walk(&self, program: &Program, limits: &PlanLimits) -> Walked;

    /// The first difference of a planned trace and a run, in words; `None` where they are the same.
    fn difference(&self, planned: &Trace, run: &Trace) -> Option<String>;
}
