//! The options of builds of data that say where traces come from: the sandbox, or planning in this process.

use std::sync::Arc;

use codexec_data::examples::tracer::{Tracer, Walking};
use codexec_data::mutants::TracedBy;
use codexec_data::planner::{PlanLimits, Planner};
use codexec_data::sandbox::{Limits, Pool};
use codexec_plan::in_process::InProcess;

use super::{note, usage, warn};

/// Disagreements that are named one by one.
const NAMED: usize = 20;

/// Where traces come from.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct TracedByArgs {
    /// What says what programs do: run, the sandbox; plan, they are walked in this process, and what cannot be walked
    /// to its end is dropped; plan,run, that is executed instead.
    #[arg(long, default_value = "run", value_parser = engine)]
    engine: TracedBy,
    /// With --engine plan: compare this share of the records with a run, and drop those of which the run says anything
    /// else; 0 % needs no sandbox [default: 1%]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    verify: Option<f64>,
}

/// Without --verify.
const VERIFIED: f64 = 0.01;

fn engine(name: &str) -> Result<TracedBy, &'static str> {
    let found = TracedBy::ALL.into_iter().find(|one| one.name() == name);
    found.ok_or("use run, plan or plan,run")
}

/// A share as `1%` or `0.01`.
fn share(text: &str) -> Result<f64, &'static str> {
    let (number, unit) = match text.trim().strip_suffix('%') {
        Some(percent) => (percent.trim_end(), 0.01),
        None => (text, 1.0),
    };
    let share = number.parse::<f64>().map(|number| number * unit);
    let share = share
        .ok()
        .filter(|share| (0.0..=1.0).contains(share) && !share.is_nan());
    share.ok_or("write a share as 1% or 0.01, up to 100%")
}

/// Who walks programs.
pub(super) fn planner() -> Arc<dyn Planner> {
    Arc::new(InProcess)
}

impl TracedByArgs {
    /// What says what programs do.
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

    /// Refuses what would have no effect.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        match self.verify {
            Some(_) if !self.engine.plans() => {
                Err(usage("--verify is for --engine plan: runs are the truth"))
            }
            _ => Ok(()),
        }
    }

    /// What traces programs that stand by themselves; `pool` is asked for where one is needed.
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

/// What traces programs.
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

    /// Says what became of what was planned.
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
