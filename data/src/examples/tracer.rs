//! Sources of traces for the programs of examples: the sandbox, or a planner in this process.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::code_hash::stable_number;
use crate::planner::{PlanLimits, Planner};
use crate::sandbox::{Pool, SandboxError};
use crate::trace::{Outcome, Program, Trace};

/// Traces programs.
pub trait Tracer: Send + Sync {
    /// A trace of each program, as by [`Trace::short`]. `None` without an exact one.
    ///
    /// # Errors
    /// If the sandbox fails; a program's behaviour is never an error.
    fn traces(&self, programs: &[Program]) -> Result<Vec<Option<Trace>>, SandboxError>;
}

impl Tracer for Pool {
    fn traces(&self, programs: &[Program]) -> Result<Vec<Option<Trace>>, SandboxError> {
        let traces = self.run_brief(programs, false)?;
        Ok(traces.into_iter().map(Some).collect())
    }
}

/// Walks programs in this process; of a sample the traces are compared with runs.
#[derive(Debug)]
pub struct Walking {
    planner: Arc<dyn Planner>,
    limits: PlanLimits,
    verify: Option<Verify>,
    walked: AtomicU64,
    stopped: AtomicU64,
    verified: AtomicU64,
    disagreements: Mutex<Vec<String>>,
}

/// The reference for a sample.
#[derive(Debug)]
struct Verify {
    pool: Pool,
    share: f64,
    seed: u64,
}

/// Results of planned programs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WalkCounts {
    /// Walked to an end or a limit.
    pub walked: u64,
    /// Left out because planning stopped.
    pub stopped: u64,
    /// Compared with a run.
    pub verified: u64,
    /// Left out because the run differed: each with its id and the difference, sorted.
    pub disagreements: Vec<String>,
}

impl Walking {
    /// Walks programs within limits.
    pub fn new(planner: Arc<dyn Planner>, limits: PlanLimits) -> Self {
        Self {
            planner,
            limits,
            verify: None,
            walked: AtomicU64::new(0),
            stopped: AtomicU64::new(0),
            verified: AtomicU64::new(0),
            disagreements: Mutex::default(),
        }
    }

    /// Compares a share of the traces with runs. The seed and the programs alone determine which.
    #[must_use]
    pub fn verified_by(mut self, pool: Pool, share: f64, seed: u64) -> Self {
        self.verify = Some(Verify { pool, share, seed });
        self
    }

    /// Results of all programs so far.
    pub fn counts(&self) -> WalkCounts {
        let known = self.disagreements.lock();
        let mut disagreements = known.unwrap_or_else(PoisonError::into_inner).clone();
        disagreements.sort();
        WalkCounts {
            walked: self.walked.load(Ordering::Relaxed),
            stopped: self.stopped.load(Ordering::Relaxed),
            verified: self.verified.load(Ordering::Relaxed),
            disagreements,
        }
    }

    fn walk(&self, program: &Program) -> Option<Trace> {
        let walked = self.planner.walk(program, &self.limits);
        let count = match walked.stopped {
            None => &self.walked,
            Some(_) => &self.stopped,
        };
        count.fetch_add(1, Ordering::Relaxed);
        let is_whole = walked.stopped.is_none();
        is_whole.then(|| walked.trace.short())
    }

    /// Drops traces of the sample that differ from a run.
    fn check(
        &self,
        verify: &Verify,
        programs: &[Program],
        traces: &mut [Option<Trace>],
    ) -> Result<(), SandboxError> {
        let sampled = |at: &usize| {
            let is_end = |trace: &Trace| {
                matches!(
                    trace.outcome,
                    Outcome::Finished | Outcome::Exited { .. } | Outcome::Raised { .. }
                )
            };
            traces[*at].as_ref().is_some_and(is_end) && verify.has(&programs[*at])
        };
        let sample: Vec<usize> = (0..programs.len()).filter(sampled).collect();
        if sample.is_empty() {
            return Ok(());
        }
        let asked: Vec<Program> = sample.iter().map(|at| programs[*at].clone()).collect();
        let runs = verify.pool.run_brief(&asked, false)?;
        for (at, run) in sample.into_iter().zip(runs) {
            self.verified.fetch_add(1, Ordering::Relaxed);
            let planned = traces[at].as_ref();
            let differs = planned.and_then(|planned| self.planner.difference(planned, &run));
            if let Some(what) = differs {
                traces[at] = None;
                let known = self.disagreements.lock();
                let mut known = known.unwrap_or_else(PoisonError::into_inner);
                known.push(format!("{}: {what}", programs[at].id));
            }
        }
        Ok(())
    }
}

impl Verify {
    fn has(&self, program: &Program) -> bool {
        let seed = self.seed.to_le_bytes();
        let text = |text: &Option<String>| text.clone().unwrap_or_default().into_bytes();
        let (source, stdin) = (text(&program.source), text(&program.stdin));
        let number = stable_number(&[b"verify", &seed, &source, &stdin]);
        (number as f64) < self.share * u64::MAX as f64
    }
}

impl Tracer for Walking {
    fn traces(&self, programs: &[Program]) -> Result<Vec<Option<Trace>>, SandboxError> {
        let mut traces: Vec<Option<Trace>> = programs.iter().map(|one| self.walk(one)).collect();
        if let Some(verify) = &self.verify {
            self.check(verify, programs, &mut traces)?;
        }
        Ok(traces)
    }
}

impl<T: Tracer> Tracer for Arc<T> {
    fn traces(&self, programs: &[Program]) -> Result<Vec<Option<Trace>>, SandboxError> {
        (**self).traces(programs)
    }
}
