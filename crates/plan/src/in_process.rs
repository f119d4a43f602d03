//! The planner of data sets: programs are walked on the calling thread, and only exact results count.

use codexec_data::planner::{PlanLimits, Planner, Walked};
use codexec_trace::{Program, Trace};

use crate::difference;
use crate::machine::Settings;
use crate::scheduler::plan_alone;

/// Walks programs with everything computed: anything else ends the plan.
#[derive(Debug, Clone, Default)]
pub struct InProcess;

impl Planner for InProcess {
    fn walk(&self, program: &Program, limits: &PlanLimits) -> Walked {
        let planned = plan_alone(
            program,
            &Settings {
                max_steps: limits.max_steps,
                max_text: limits.max_text,
                max_instructions: limits.max_instructions,
                max_memory: limits.memory,
                max_cpu: limits.longest,
                ..Settings::default()
            },
        );
        let stopped = planned.unsupported.map(|at| at.what);
        let stopped = stopped.or_else(|| planned.unknown.first().map(|at| at.what.clone()));
        let made_up = !planned.made_up.is_empty() || !planned.decisions.is_empty();
        Walked {
            trace: planned.trace,
            stopped: stopped.or_else(|| made_up.then(|| "a value was made up".to_owned())),
        }
    }

    fn difference(&self, planned: &Trace, run: &Trace) -> Option<String> {
        difference::first(planned, run).map(|found| found.to_string())
    }
}
