//! Options of data builds for the source of traces: the sandbox, or planning in this process.

use std::sync::Arc;

use codexec_data::examples::tracer::{Tracer, Walking};
use codexec_data::mutants::TracedBy;
use codexec_data::planner::{PlanLimits, Planner};
use codexec_data::sandbox::{Limits, Pool};
use codexec_plan::in_process::InProcess;

use super::{note, usage, warn};

/// Maximum number of disagreements listed.
const NAMED: usize = 20;

/// Source of traces.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct TracedByArgs {
    /// How programs are traced: run, in the sandbox; plan, walked in this process, dropping
    /// programs that cannot be walked to the end; plan,run, executing those instead.
    #[arg(long, default_value = "run", value_parser = engine)]
    engine: TracedBy,
    /// With --engine plan: compare this share of the records with a run, and drop records that
    /// differ. 0 % needs no sandbox [default: 1%]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    verify: Option<f64>,
}

/// Used without --verify.
const VERIFIED: f64 = 0.01;

fn engine(name: &str) -> Result<TracedBy, &'static str> {
    let found = TracedBy::ALL.into_iter().find(|one| one.name() == name);
    found.ok_or("use run, plan or plan,run")
}

/// A share, as `1%` or `0.01`.
fn share(text: &str) -> Result<f64, &'static str> {
    let (number, unit) = match text.trim().strip_suffix('%') {
        Some(percent) => (percent.trim_end(), 0.01),
        None => (text, 1.0),
    };
    let share = number.parse::<f64>().map(|number| number * unit);
    let share = share
        .ok()
        .filter(|share| (0.0..=1.0).contains(share) && !share.is_nan());
    share.ok_or("expected a share such as 1% or 0.01, up to 100%")
}

/// The planner.
pub(super) fn planner() -> Arc<dyn Planner> {
    Arc::new(InProcess)
}

impl TracedByArgs {
    /// How programs are traced.
    pub(super) fn engine(&self) -> TracedBy {
        self.engine
    }

    /// The share of planned records that is compared with runs.
    pub(super) fn verify(&self) -> f64 {
        match self.engine.plans() {
            true => self.verify.unwrap_or(VERIFIED),
            false => 0.0,
        }
    }

    /// Rejects options without effect.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        match self.verify {
            Some(_) if !self.engine.plans() => {
                Err(usage("--verify is for --engine plan: runs are the truth"))
            }
            _ => Ok(()),
        }
    }

    /// The tracer for standalone programs. `pool` is called if one is needed.
    pub(super) fn tracer(
        &self,
        seed: u64,
        pool: impl FnOnce() -> anyhow::Result<Pool>,
    ) -> anyhow::Result<Traced> {
        self.check()?;
        if !self.engine.plans() {
            return Ok(Traced::Run(pool()?));
        }
        if self.engine == TracedBy::PlanOrRun {
            return Err(usage("--engine plan,run is for mutants; use run or plan"));
        }
        let limits = Limits::default();
        let limits = PlanLimits::like(limits.cpu, limits.max_steps, limits.max_bytes);
        let walking = Walking::new(planner(), limits);
        let share = self.verify();
        Ok(Traced::Planned(match share > 0.0 {
            true => walking.verified_by(pool()?, share, seed),
            false => walking,
        }))
    }
}

/// The tracer of programs.
pub(super) enum Traced {
    Run(Pool),
    Planned(Walking),
}

impl Traced {
    pub(super) fn as_tracer(&self) -> &dyn Tracer {
        match self {
            Self::Run(pool) => pool,
            Self::Planned(walking) => walking,
        }
    }

    /// Reports the results of planning.
    pub(super) fn explain(&self) {
        let Self::Planned(walking) = self else {
            return;
        };
        let counts = walking.counts();
        note(&format!(
            "planned: {} walked, {} stopped and left out; {} compared with runs, {} of them something else and left out",
            counts.walked,
            counts.stopped,
            counts.verified,
            counts.disagreements.len()
        ));
        for what in counts.disagreements.iter().take(NAMED) {
            warn(&format!("not as planned: {what}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_percentage_or_a_number() {
        let known = [("1%", 0.01), ("0.01", 0.01), ("100 %", 1.0), ("0", 0.0)];
        for (text, wanted) in known {
            assert_eq!(share(text), Ok(wanted), "{text}");
        }
        for wrong in ["101%", "-1%", "x", "", "nan"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }
}
