//! Counts of a build: programs, mutants by operator and outcome, sizes.

use std::collections::BTreeMap;

use codexec_mutate::REGISTRY;
use serde::{Deserialize, Serialize};

/// Result for a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It ran to its end, otherwise than its parent.
    Differs,
    /// It ran to its end with its parent's trace.
    Same,
    /// It ended in an exception of this class.
    Raised(String),
    /// It ran into this limit.
    Limit(&'static str),
    /// It cannot be a record for this reason: it does not compile, has no step, or shows addresses.
    Unfit(&'static str),
    /// Planning stopped, for this cause.
    Stopped(String),
    /// A run of it gave another record: what first differs.
    Disagrees(NamedError),
    /// Not run, as requested.
    NotRun,
    /// The build has its code already.
    Duplicate,
}

/// Mutants in which an operator took part.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OperatorCounts {
    /// All of them.
    pub made: u64,
    /// Ran to their end otherwise than the parent.
    pub differs: u64,
    /// Ran to their end with the parent's trace.
    pub same: u64,
    /// Ended in an exception.
    pub raised: u64,
    /// Ran into a limit.
    pub limit: u64,
    /// Do not compile, have no step, or show addresses.
    pub unfit: u64,
    /// Were in the build already.
    pub duplicate: u64,
    /// Were dropped because planning stopped, or because a run gave another record.
    #[serde(skip_serializing_if = "is_zero")]
    pub dropped: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl OperatorCounts {
    fn add(&mut self, fate: &Fate) {
        self.made += 1;
        match fate {
            Fate::Differs => self.differs += 1,
            Fate::Same => self.same += 1,
            Fate::Raised(_) => self.raised += 1,
            Fate::Limit(_) => self.limit += 1,
            Fate::Unfit(_) => self.unfit += 1,
            Fate::Duplicate => self.duplicate += 1,
            Fate::Stopped(_) | Fate::Disagrees(_) => self.dropped += 1,
            Fate::NotRun => {}
        }
    }

    fn merge(&mut self, other: &Self) {
        self.made += other.made;
        self.differs += other.differs;
        self.same += other.same;
        self.raised += other.raised;
        self.limit += other.limit;
        self.unfit += other.unfit;
        self.duplicate += other.duplicate;
        self.dropped += other.dropped;
    }
}

/// Source of a family program's trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Route {
    /// By the only available way.
    #[default]
    Only,
    /// It was walked in this process.
    Walked,
    /// It was walked, and the record was compared with a run.
    Verified,
    /// Planning stopped, and it was executed.
    Executed,
}

/// Programs and mutants of a planned build, without duplicates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlanCounts {
    /// Walked to an end or a limit.
    pub walked: u64,
    /// Dropped because planning stopped.
    pub stopped: u64,
    /// Executed because planning stopped.
    pub executed: u64,
    /// By the reason why planning stopped.
    pub causes: BTreeMap<String, u64>,
    /// Records that were compared with a run.
    pub verified: u64,
    /// Of these, dropped because the run gave another record.
    pub disagreed: u64,
    /// The first of them.
    pub disagreements: Vec<NamedError>,
}

/// Maximum number of distinct causes.
const MOST_CAUSES: usize = 200;
/// Name of the other causes.
const OTHER_CAUSES: &str = "other causes";

impl PlanCounts {
    fn add_cause(&mut self, cause: &str, count: u64) {
        let is_known = self.causes.len() < MOST_CAUSES || self.causes.contains_key(cause);
        let cause = if is_known { cause } else { OTHER_CAUSES };
        *self.causes.entry(cause.to_owned()).or_default() += count;
    }

    fn add(&mut self, route: Route, fate: &Fate, cause: Option<&str>) {
        match (route, fate) {
            (Route::Only, Fate::Stopped(_)) => self.stopped += 1,
            (Route::Only, _) => {}
            (Route::Walked, _) => self.walked += 1,
            (Route::Executed, _) => self.executed += 1,
            (Route::Verified, _) => {
                self.walked += 1;
                self.verified += 1;
            }
        }
        let stopped = match fate {
            Fate::Stopped(cause) => Some(cause.as_str()),
            _ => cause,
        };
        if let Some(cause) = stopped {
            self.add_cause(cause, 1);
        }
        if let Fate::Disagrees(what) = fate {
            self.disagreed += 1;
            if self.disagreements.len() < NAMED {
                self.disagreements.push(what.clone());
            }
        }
    }

    fn merge(&mut self, other: &Self) {
        self.walked += other.walked;
        self.stopped += other.stopped;
        self.executed += other.executed;
        self.verified += other.verified;
        self.disagreed += other.disagreed;
        for (cause, count) in &other.causes {
            self.add_cause(cause, *count);
        }
        let room = NAMED.saturating_sub(self.disagreements.len());
        let named = other.disagreements.iter().take(room).cloned();
        self.disagreements.extend(named);
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Programs of the corpus, by result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProgramCounts {
    /// All of this shard.
    pub read: u64,
    /// Mutants were drawn.
    pub mutated: u64,
    /// The same code as a program before.
    pub duplicate: u64,
    /// Does not parse; the first ones are named in [`Counts::syntax_errors`].
    pub syntax_error: u64,
    /// More lines than there are line tokens.
    pub too_long: u64,
    /// Names clocks, randomness, threads or the tracer: its states may differ from run to run.
    pub unstable: u64,
    /// Ran out of time or memory or died: its mutants would cost as much, each.
    pub over_limit: u64,
}

/// Counts of one problem.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProblemCounts {
    /// Programs read.
    pub programs: u64,
    /// Mutants made.
    pub mutants: u64,
    /// Records written.
    pub records: u64,
}

impl ProblemCounts {
    pub(crate) fn merge(&mut self, other: &Self) {
        self.programs += other.programs;
        self.mutants += other.mutants;
        self.records += other.records;
    }
}

/// Sums of the sizes of records; averages are made of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sizes {
    /// Lines of code, without blank ones and comments.
    pub code_lines: u64,
    /// Words of `code_tokens`.
    pub code_words: u64,
    /// Words of `trace`: the paper form, every state in full.
    pub trace_words: u64,
    /// Words of `trace_tokens`: the delta form.
    pub delta_words: u64,
    /// Steps.
    pub steps: u64,
    /// Values in all states together.
    pub values: u64,
}

impl Sizes {
    pub(crate) fn merge(&mut self, other: &Self) {
        self.code_lines += other.code_lines;
        self.code_words += other.code_words;
        self.trace_words += other.trace_words;
        self.delta_words += other.delta_words;
        self.steps += other.steps;
        self.values += other.values;
    }
}

/// A program that does not parse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedError {
    /// The program's id.
    pub id: String,
    /// The place and the reason.
    pub message: String,
}

/// Programs with syntax errors, and disagreements, that are named.
const NAMED: usize = 20;

/// Counts of a build.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Records written: originals and mutants.
    pub records: u64,
    /// Unmutated programs among the records.
    pub originals: u64,
    /// Mutants made, duplicates among them.
    pub mutants: u64,
    /// Mutants dropped because the build had their code.
    pub duplicates: u64,
    /// Programs.
    pub programs: ProgramCounts,
    /// Mutants without duplicates, by outcome: `finished`, `raised`, a limit's name.
    pub outcomes: BTreeMap<String, u64>,
    /// Mutants that raised, by class of the exception.
    pub exceptions: BTreeMap<String, u64>,
    /// By operator; a mutant counts for each that took part in it.
    pub operators: BTreeMap<String, OperatorCounts>,
    /// Results of planning, if programs are planned.
    #[serde(skip_serializing_if = "PlanCounts::is_empty")]
    pub plan: PlanCounts,
    /// Sums of the records' sizes.
    pub sizes: Sizes,
    /// The first programs that do not parse.
    pub syntax_errors: Vec<NamedError>,
}

/// Operators as a set of registry positions, one bit each.
pub(crate) type OperatorSet = u64;

const _: () = assert!(REGISTRY.len() <= OperatorSet::BITS as usize);

/// The set of the operators with these codes.
pub(crate) fn operator_set<'a>(codes: impl Iterator<Item = &'a str>) -> OperatorSet {
    codes
        .filter_map(|code| REGISTRY.iter().position(|o| o.code == code))
        .fold(0, |set, at| set | 1 << at)
}

impl Counts {
    /// Counts for a build with these operators: each has a row, even if it never occurred.
    pub(crate) fn new(operators: &[String]) -> Self {
        let rows = operators.iter();
        Self {
            operators: rows
                .map(|o| (o.clone(), OperatorCounts::default()))
                .collect(),
            ..Self::default()
        }
    }

    /// Counts a mutant.
    pub(crate) fn add_mutant(&mut self, operators: OperatorSet, fate: &Fate) {
        self.mutants += 1;
        for (at, operator) in REGISTRY.iter().enumerate() {
            if operators & 1 << at != 0 {
                self.operators
                    .entry(operator.code.to_owned())
                    .or_default()
                    .add(fate);
            }
        }
        let outcome = match fate {
            Fate::Duplicate => {
                self.duplicates += 1;
                return;
            }
            Fate::Differs | Fate::Same => "finished",
            Fate::Raised(class) => {
                *self.exceptions.entry(class.clone()).or_default() += 1;
                "raised"
            }
            Fate::Limit(name) | Fate::Unfit(name) => name,
            Fate::Stopped(_) => "unplanned",
            Fate::Disagrees(_) => "disagreed",
            Fate::NotRun => "not_run",
        };
        *self.outcomes.entry(outcome.to_owned()).or_default() += 1;
    }

    /// Counts how a program or a mutant was traced.
    pub(crate) fn add_route(&mut self, route: Route, fate: &Fate, cause: Option<&str>) {
        self.plan.add(route, fate, cause);
    }

    /// Uncounts a record that was written but is a duplicate.
    pub(crate) fn turn_into_duplicate(
        &mut self,
        operators: OperatorSet,
        fate: &Fate,
        sizes: &Sizes,
    ) {
        let mut once = Self::default();
        if operators != 0 {
            once.add_mutant(operators, fate);
            self.duplicates += 1;
        } else {
            self.originals = self.originals.saturating_sub(1);
        }
        self.records = self.records.saturating_sub(1);
        let take = |from: &mut u64, less: u64| *from = from.saturating_sub(less);
        for (from, less) in [
            (&mut self.outcomes, &once.outcomes),
            (&mut self.exceptions, &once.exceptions),
        ] {
            for (name, count) in less {
                take(from.entry(name.clone()).or_default(), *count);
            }
            from.retain(|_, count| *count > 0);
        }
        for (code, less) in &once.operators {
            let row = self.operators.entry(code.clone()).or_default();
            take(&mut row.differs, less.differs);
            take(&mut row.same, less.same);
            take(&mut row.raised, less.raised);
            take(&mut row.limit, less.limit);
            take(&mut row.unfit, less.unfit);
            row.duplicate += 1;
        }
        let s = &mut self.sizes;
        take(&mut s.code_lines, sizes.code_lines);
        take(&mut s.code_words, sizes.code_words);
        take(&mut s.trace_words, sizes.trace_words);
        take(&mut s.delta_words, sizes.delta_words);
        take(&mut s.steps, sizes.steps);
        take(&mut s.values, sizes.values);
    }

    /// Names a program that does not parse.
    pub(crate) fn name_error(&mut self, id: &str, message: &str) {
        self.programs.syntax_error += 1;
        if self.syntax_errors.len() < NAMED {
            self.syntax_errors.push(NamedError {
                id: id.to_owned(),
                message: message.to_owned(),
            });
        }
    }

    /// Adds the counts of another part of the same build.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.records += other.records;
        self.originals += other.originals;
        self.mutants += other.mutants;
        self.duplicates += other.duplicates;
        let (p, q) = (&mut self.programs, &other.programs);
        p.read += q.read;
        p.mutated += q.mutated;
        p.duplicate += q.duplicate;
        p.syntax_error += q.syntax_error;
        p.too_long += q.too_long;
        p.unstable += q.unstable;
        p.over_limit += q.over_limit;
        for (into, from) in [
            (&mut self.outcomes, &other.outcomes),
            (&mut self.exceptions, &other.exceptions),
        ] {
            for (name, count) in from {
                *into.entry(name.clone()).or_default() += count;
            }
        }
        for (code, row) in &other.operators {
            self.operators.entry(code.clone()).or_default().merge(row);
        }
        self.sizes.merge(&other.sizes);
        self.plan.merge(&other.plan);
        let room = NAMED.saturating_sub(self.syntax_errors.len());
        let named = other.syntax_errors.iter().take(room).cloned();
        self.syntax_errors.extend(named);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_taken_back_leaves_only_a_duplicate() {
        let codes = ["CRP".to_owned(), "ROR".to_owned()];
        let set = operator_set(codes.iter().map(String::as_str));
        let sizes = Sizes {
            steps: 5,
            ..Sizes::default()
        };
        let mut counts = Counts::new(&codes);
        counts.add_mutant(set, &Fate::Duplicate);
        let mut twice = Counts::new(&codes);
        twice.merge(&counts);
        twice.merge(&counts);
        counts.add_mutant(set, &Fate::Raised("ValueError".into()));
        counts.records += 1;
        counts.sizes.merge(&sizes);
        counts.turn_into_duplicate(set, &Fate::Raised("ValueError".into()), &sizes);
        assert_eq!(counts, twice);
    }
}
