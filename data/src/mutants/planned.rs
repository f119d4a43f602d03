//! Families whose programs are walked in this process, and the comparison of a sample of their records with runs.
//!
//! The seed and the code alone determine which records are compared. A record that differs from its run is dropped: the
//! difference is reported, not repaired.

use super::BuildError;
use super::counts::{Fate, NamedError, Route, Sizes, operator_set};
use super::family::{Candidate, Family, FamilyGenerator, Member, Parent, Treatment};
use crate::code_hash::stable_number;
use crate::planner::{PlanLimits, Planner, Walked};
use crate::sandbox::Pool;
use crate::trace::{Outcome, Program, Trace};

use super::settings::TracedBy;

/// A record to compare with a run.
struct Check {
    /// Its place in the family.
    member: usize,
    candidate: Candidate,
    planned: Trace,
}

/// A family on its way.
struct Planning<'p> {
    planner: &'p dyn Planner,
    limits: PlanLimits,
    parents: Vec<Result<Parent, String>>,
    checks: Vec<Check>,
    /// Mutants executed instead, with the reason and their positions in the family.
    executed: Vec<(usize, Candidate, String)>,
}

impl FamilyGenerator<'_> {
    /// Walks the program with each input, and its mutants after it. Where planning stops at the program itself, its
    /// mutants go the same way.
    pub(super) fn plan(
        &self,
        planner: &dyn Planner,
        originals: Vec<Candidate>,
        mutants: Vec<Candidate>,
        family: &mut Family,
    ) -> Result<Treatment, BuildError> {
        let mut planning = Planning {
            planner,
            limits: self.settings.plan_limits(),
            parents: Vec::new(),
            checks: Vec::new(),
            executed: Vec::new(),
        };
        let walked = originals.iter().map(|one| planning.walk(one));
        let walked: Vec<Walked> = walked.collect();
        let stopped = walked.iter().find_map(|one| one.stopped.clone());
        if let (Some(cause), Some(pool)) = (stopped, self.executor()) {
            let before = family.members.len();
            let treatment = self.run(pool, originals, mutants, family)?;
            for member in &mut family.members[before..] {
                member.route = Route::Executed;
                member.cause = Some(cause.clone());
            }
            return Ok(treatment);
        }
        let is_over = |one: &Walked| one.stopped.is_none() && is_costly(&one.trace.outcome);
        let is_over = walked.first().is_some_and(is_over);
        for (original, walked) in originals.into_iter().zip(walked) {
            self.put(original, walked, None, &mut planning, family);
            if is_over && !mutants.is_empty() {
                return Ok(Treatment::OverLimit);
            }
        }
        for mutant in mutants {
            let walked = match planning.parents.get(mutant.original) {
                Some(Err(cause)) => {
                    let fate = Fate::Stopped(cause.clone());
                    family.members.push(Member::dropped(&mutant, fate));
                    continue;
                }
                _ => planning.walk(&mutant),
            };
            let parent = mutant.original;
            self.put(mutant, walked, Some(parent), &mut planning, family);
        }
        let Planning {
            parents,
            checks,
            executed,
            ..
        } = planning;
        if let Some(pool) = self.pool {
            self.execute(pool, executed, &parents, family)?;
            self.verify(planner, pool, checks, &parents, family)?;
        }
        Ok(Treatment::Mutated)
    }

    /// The sandbox, where it executes what cannot be walked.
    fn executor(&self) -> Option<&Pool> {
        self.pool
            .filter(|_| self.settings.engine == TracedBy::PlanOrRun)
    }

    /// Adds the results of planning to the family.
    fn put(
        &self,
        candidate: Candidate,
        walked: Walked,
        parent: Option<usize>,
        planning: &mut Planning<'_>,
        family: &mut Family,
    ) {
        let member = family.members.len();
        if let Some(cause) = walked.stopped {
            let fate = Fate::Stopped(cause.clone());
            family.members.push(Member::dropped(&candidate, fate));
            match parent {
                Some(_) if self.executor().is_some() => {
                    planning.executed.push((member, candidate, cause));
                }
                Some(_) => {}
                None => planning.parents.push(Err(cause)),
            }
            return;
        }
        let trace = walked.trace;
        if parent.is_none() {
            let known = (trace.steps.clone(), trace.outcome.clone());
            planning.parents.push(Ok(known));
        }
        let known = parent.and_then(|at| planning.parents.get(at)?.as_ref().ok());
        let sampled = self.is_sampled(&candidate);
        let kept = sampled.then(|| (candidate.clone(), trace.clone()));
        let is_recorded = parent.is_some() || candidate.first;
        let mut made = self.member(candidate, trace, known);
        made.route = Route::Walked;
        if !is_recorded {
            made.line.clear();
        }
        let is_whole = matches!(made.fate, Fate::Differs | Fate::Same | Fate::Raised(_));
        if let Some((candidate, planned)) = kept
            && is_whole
            && !made.line.is_empty()
        {
            planning.checks.push(Check {
                member,
                candidate,
                planned,
            });
        }
        family.members.push(made);
    }

    /// Whether a record of this code would be compared with a run.
    fn is_sampled(&self, candidate: &Candidate) -> bool {
        let seed = self.settings.seed.to_le_bytes();
        let number = stable_number(&[b"verify", &seed, &candidate.code]);
        self.pool.is_some() && (number as f64) < self.settings.verify * u64::MAX as f64
    }

    /// Executes mutants that could not be walked.
    fn execute(
        &self,
        pool: &Pool,
        mutants: Vec<(usize, Candidate, String)>,
        parents: &[Result<Parent, String>],
        family: &mut Family,
    ) -> Result<(), BuildError> {
        let programs = mutants.iter().map(|(_, mutant, _)| mutant.program());
        let traces = self.traced(pool, programs.collect(), false)?;
        for ((at, mutant, cause), trace) in mutants.into_iter().zip(traces) {
            let parent = parents.get(mutant.original);
            let parent = parent.and_then(|parent| parent.as_ref().ok());
            let mut member = self.member(mutant, trace, parent);
            (member.route, member.cause) = (Route::Executed, Some(cause));
            family.members[at] = member;
        }
        Ok(())
    }

    /// Compares records with runs, and drops those that differ.
    fn verify(
        &self,
        planner: &dyn Planner,
        pool: &Pool,
        checks: Vec<Check>,
        parents: &[Result<Parent, String>],
        family: &mut Family,
    ) -> Result<(), BuildError> {
        let programs: Vec<Program> = checks.iter().map(|one| one.candidate.program()).collect();
        let traces = self.traced(pool, programs, false)?;
        for (check, run) in checks.into_iter().zip(traces) {
            let candidate = check.candidate;
            let id = candidate.draft.id.clone();
            let is_mutant = !candidate.draft.edits.is_empty();
            let parent = parents.get(candidate.original).filter(|_| is_mutant);
            let parent = parent.and_then(|parent| parent.as_ref().ok());
            let ran = self.member(candidate, run.clone(), parent);
            let member = &mut family.members[check.member];
            member.route = Route::Verified;
            if ran.fate == member.fate && ran.line == member.line {
                continue;
            }
            let message = planner.difference(&check.planned, &run);
            let message = message.unwrap_or_else(|| "the records differ".to_owned());
            member.fate = Fate::Disagrees(NamedError { id, message });
            member.line.clear();
            member.sizes = Sizes::default();
        }
        Ok(())
    }
}

impl Planning<'_> {
    fn walk(&self, candidate: &Candidate) -> Walked {
        let mut walked = self.planner.walk(&candidate.program(), &self.limits);
        walked.trace = walked.trace.short();
        walked
    }
}

impl Member {
    /// For a program that is not a record.
    fn dropped(candidate: &Candidate, fate: Fate) -> Self {
        let edits = candidate.draft.edits.iter();
        Self {
            code: candidate.code,
            operators: operator_set(edits.map(|edit| edit.operator)),
            fate,
            sizes: Sizes::default(),
            line: Vec::new(),
            route: Route::Only,
            cause: None,
        }
    }
}

/// Whether mutants of a program that ends so would cost as much, each.
fn is_costly(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Timeout
            | Outcome::InstructionLimit
            | Outcome::MemoryLimit
            | Outcome::Killed { .. }
    )
}
