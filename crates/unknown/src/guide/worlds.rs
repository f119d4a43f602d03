//! The worlds in which two versions of a program are compared. In each, a name has the same
//! injected value in both versions. In the first world, injected values are those that lead further
//! in the old version. In the others they are drawn, among others from the literals that either
//! version compares them with.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use codexec_data::sandbox::{Compared, GuidePlace, GuidePlan, Pool, World};
use codexec_trace::{Outcome, Program};
use rayon::prelude::*;
use serde_json::Value as Json;

use super::difference::{Difference, combined, first_different, verdict};
use super::plain::{self, Plain};
use super::{Abstraction, GuideError, GuideOptions, Guided, Prepared, prepare};
use crate::analysis::paths::literal;
use crate::analysis::syntax::{children, with_tree};
use crate::analysis::uses::Literal;
use crate::values::Predictor;

/// Worlds besides the first one.
const WORLDS: u32 = 15;
/// Further worlds in which calls of unknown functions may raise.
const RAISING: u32 = 4;
/// Most literals among the values to draw from.
const MOST_LITERALS: usize = 24;
/// Longer texts are not used as such literals.
const LONGEST_TEXT: usize = 40;

/// A version's run in a world.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    pub outcome: Outcome,
    pub output: String,
    pub executed: BTreeSet<u32>,
    /// Whether any value was injected.
    pub made_up: bool,
    pub compared: Option<Compared>,
}

/// Two versions.
pub(super) struct Both<'a> {
    old: &'a Version<'a>,
    new: &'a Version<'a>,
    /// Whether injected values know the expressions that made them, and vary.
    pub has_terms: bool,
    /// Whether modules that they import differ.
    pub changed_elsewhere: bool,
}

struct Version<'a> {
    program: &'a Program,
    source: &'a str,
    prepared: Prepared,
}

/// The result of comparing two versions.
#[derive(Debug)]
pub struct ComparedVersions {
    /// The verdict.
    pub difference: Difference,
    /// The old version in the first world.
    pub old: Guided,
    /// The new version in the first world.
    pub new: Guided,
    /// Both in the first world in which they differ; `None` if that is the first world, or there is
    /// none.
    pub witness: Option<Box<(Guided, Guided)>>,
    /// Number of worlds in which both ran.
    pub worlds: usize,
}

/// Runs two versions under the same injected values, and decides whether they differ.
///
/// # Errors
/// If nothing can be run, or a program is nested too deeply.
pub fn compare(
    pool: &Pool,
    old: &Program,
    new: &Program,
    predictor: &dyn Predictor,
    options: &GuideOptions,
) -> Result<ComparedVersions, GuideError> {
    let (old, new) = (Version::of(old)?, Version::of(new)?);
    let mut plans = (old.plan(predictor, options), new.plan(predictor, options));
    align(&mut plans.0, &mut plans.1);
    let mut world = World {
        pools: pools(&old.prepared, &new.prepared),
        literals: literals(&[old.source, new.source]),
        ..World::default()
    };
    let begun = Instant::now();
    let run = |version: &Version<'_>, plan: &GuidePlan, world: &World, time: Option<Duration>| {
        let mut plan = plan.clone();
        plan.world = Some(world.clone());
        if let Some(time) = time {
            plan.seconds = plan.seconds.min(time.as_secs_f64());
        }
        version.run(pool, &plan, predictor.name())
    };
    let (first_old, one) = run(&old, &plans.0, &world, None)?;
    if let Some(compared) = &one.compared {
        world.answers = compared.answers.clone();
        world.calls = Some(compared.calls.clone());
    }
    let (first_new, other) = run(&new, &plans.1, &world, None)?;
    let time = begun.elapsed().max(Duration::from_millis(500)) * 2;
    let both = Both {
        old: &old,
        new: &new,
        changed_elsewhere: options.changed_elsewhere,
        has_terms: options.abstraction == Abstraction::Adaptive,
    };
    let by_calls = match both.is_changed() && !both.changed_elsewhere {
        true => plain::compared(pool, old.program, new.program)?,
        false => None,
    };
    // Further worlds cannot change a verdict by calls with plain values.
    let is_decided = by_calls.as_ref().is_some_and(Plain::decides);
    let made_up = one.made_up || other.made_up;
    let mut runs = vec![(one, other)];
    let mut guided: Vec<Option<(Guided, Guided)>> = vec![None];
    if made_up && both.has_terms && both.is_changed() && !is_decided {
        let raised = raised(&plans.0, &plans.1, &[old.source, new.source]);
        let raising = if raised.is_empty() { 0 } else { RAISING };
        let others: Result<Vec<_>, GuideError> = (1..=WORLDS + raising)
            .into_par_iter()
            .map(|number| {
                let world = World {
                    number,
                    raises: match number > WORLDS {
                        true => raised.clone(),
                        false => Vec::new(),
                    },
                    ..world.clone()
                };
                let (first, one) = run(&old, &plans.0, &world, Some(time))?;
                let (second, other) = run(&new, &plans.1, &world, Some(time))?;
                Ok(((one, other), Some((first, second))))
            })
            .collect();
        for (both, of_both) in others? {
            runs.push(both);
            guided.push(of_both);
        }
    }
    let witness = first_different(&runs).and_then(|world| guided.swap_remove(world));
    Ok(ComparedVersions {
        difference: combined(verdict(&runs, &both), by_calls.as_ref()),
        worlds: runs.len(),
        old: first_old,
        new: first_new,
        witness: witness.map(Box::new),
    })
}

/// Returns exceptions that calls of unknown functions raise if a version handles some, or cleans
/// up: the ones that they catch, and one that they do not.
fn raised(old: &GuidePlan, new: &GuidePlan, sources: &[&str]) -> Vec<String> {
    let is_ready = |source: &&str| {
        let mut lines = source.lines().map(str::trim_start);
        lines.any(|line| line.starts_with("try:") || line.starts_with("with "))
    };
    if !sources.iter().any(is_ready) {
        return Vec::new();
    }
    let caught = old.caught.values().chain(new.caught.values()).flatten();
    let named = caught.filter(|name| !matches!(name.as_str(), "*" | "Exception" | "BaseException"));
    let mut names: BTreeSet<String> = named.cloned().collect();
    names.insert("RuntimeError".to_owned());
    names.into_iter().collect()
}

impl<'a> Version<'a> {
    fn of(program: &'a Program) -> Result<Self, GuideError> {
        let source = program.source.as_deref().unwrap_or_default();
        Ok(Self {
            program,
            source,
            prepared: prepare(source)?,
        })
    }

    fn plan(&self, predictor: &dyn Predictor, options: &GuideOptions) -> GuidePlan {
        self.prepared
            .plan(self.source, self.program, predictor, options)
    }

    fn run(&self, pool: &Pool, plan: &GuidePlan, name: &str) -> Result<(Guided, Run), GuideError> {
        let mut run = pool.guide(self.program, &self.prepared.instrumented.text, plan)?;
        let compared = run.compared.take();
        let begun = run.begun.clone();
        let guided = self.prepared.result(run, name);
        let executed = begun.into_iter().chain(guided.covered.iter().copied());
        let called = compared.as_ref().is_some_and(|c| !c.calls.is_empty());
        let run = Run {
            outcome: guided.trace.outcome.clone(),
            output: guided.trace.output(),
            executed: executed.collect(),
            made_up: called || !guided.injected.is_empty(),
            compared,
        };
        Ok((guided, run))
    }

    fn lines(&self) -> Vec<&'a str> {
        self.source.lines().map(str::trim_end).collect()
    }
}

impl Both<'_> {
    /// Whether any line differs, or modules that they import do.
    pub(super) fn is_changed(&self) -> bool {
        self.changed_elsewhere || self.old.lines() != self.new.lines()
    }

    /// Returns the changed lines that no run executed, as reasons.
    pub(super) fn not_executed(&self, worlds: &[(Run, Run)]) -> Vec<String> {
        let (old, new) = (self.old.lines(), self.new.lines());
        let changes = similar::capture_diff_slices(similar::Algorithm::Myers, &old, &new);
        let (mut gone, mut come) = (BTreeSet::new(), BTreeSet::new());
        for change in changes
            .iter()
            .filter(|c| c.tag() != similar::DiffTag::Equal)
        {
            gone.extend(change.old_range().map(|k| k as u32 + 1));
            come.extend(change.new_range().map(|k| k as u32 + 1));
        }
        let reason = |version: &Version<'_>, changed: BTreeSet<u32>, executed: BTreeSet<u32>| {
            let counted = version.prepared.statements.counted();
            let left = changed
                .iter()
                .filter(|l| counted.contains(l) && !executed.contains(l));
            let left: Vec<String> = left.take(8).map(u32::to_string).collect();
            let id = &version.program.id;
            (!left.is_empty()).then(|| match left.len() {
                1 => format!("line {} of {id} was not executed", left[0]),
                _ => format!("lines {} of {id} were not executed", left.join(", ")),
            })
        };
        let olds = worlds
            .iter()
            .flat_map(|(old, _)| old.executed.iter().copied());
        let news = worlds
            .iter()
            .flat_map(|(_, new)| new.executed.iter().copied());
        let old = reason(self.old, gone, olds.collect());
        let new = reason(self.new, come, news.collect());
        old.into_iter().chain(new).collect()
    }
}

/// Gives both plans the same values under the same names; the old version's take precedence.
fn align(old: &mut GuidePlan, new: &mut GuidePlan) {
    let known = old.values.clone();
    for (path, value) in &new.values {
        old.values
            .entry(path.clone())
            .or_insert_with(|| value.clone());
    }
    new.values.extend(known);
    let mut classes = BTreeMap::new();
    let key = |place: &GuidePlace| (place.kind, place.name.clone(), place.path.clone());
    for place in &old.places {
        classes.entry(key(place)).or_insert(place.likely);
    }
    for place in &mut new.places {
        if let Some(same) = classes.get(&key(place)) {
            place.likely = *same;
        }
    }
    for (name, attributes) in &new.attributes {
        let all = old.attributes.entry(name.clone()).or_default();
        all.extend(attributes.iter().cloned());
        all.sort();
        all.dedup();
    }
    new.attributes.clone_from(&old.attributes);
    old.called.append(&mut new.called);
    old.called.sort();
    old.called.dedup();
    new.called.clone_from(&old.called);
}

/// Returns the numbers and texts that decide comparisons of a path, from both versions.
fn pools(old: &Prepared, new: &Prepared) -> BTreeMap<String, Vec<Json>> {
    let mut pools: BTreeMap<String, Vec<Json>> = BTreeMap::new();
    for (path, uses) in old.evidence.iter().chain(new.evidence.iter()) {
        if uses.none.is_some() {
            pools.entry(format!("none {path}")).or_default();
        }
        for one in &uses.comparisons {
            let path = match one.length {
                true => format!("len({path})"),
                false => path.to_owned(),
            };
            let pool = pools.entry(path).or_default();
            for value in about(&one.literal) {
                if pool.len() < MOST_LITERALS && !pool.contains(&value) {
                    pool.push(value);
                }
            }
        }
    }
    pools
}

/// Returns a literal and its neighbours.
fn about(literal: &Literal) -> Vec<Json> {
    match literal {
        Literal::Int(n) if n.unsigned_abs() < 1 << 40 => {
            vec![(*n).into(), (n - 1).into(), (n + 1).into()]
        }
        Literal::Float(x) => vec![(*x).into(), (x - 0.5).into(), (x + 0.5).into()],
        Literal::Text(text) if text.len() <= LONGEST_TEXT => vec![text.as_str().into()],
        _ => Vec::new(),
    }
}

/// Returns the literals of programs with their neighbours.
fn literals(sources: &[&str]) -> Vec<Json> {
    let mut found: Vec<Json> = Vec::new();
    for source in sources {
        let all = with_tree(source, |tree| {
            let (mut open, mut all) = (vec![tree.root_node()], Vec::new());
            while let Some(node) = open.pop() {
                all.extend(literal(node, source));
                open.extend(children(node).into_iter().rev());
            }
            Ok(all)
        });
        for value in all.unwrap_or_default().iter().flat_map(about) {
            if found.len() < MOST_LITERALS && !found.contains(&value) {
                found.push(value);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worlds_draw_from_what_either_version_writes() {
        let old = prepare("if n > 10 and len(rows) == 3: pass\n").unwrap();
        let new = prepare("if n > 5 or mode == 'fast' or x is None: pass\n").unwrap();
        let pools = pools(&old, &new);
        assert_eq!(pools["n"].len(), 6);
        assert_eq!(pools["mode"], [Json::from("fast")]);
        assert!(pools.contains_key("none x"));
        assert!(pools["len(rows)"].contains(&4.into()));
        assert_eq!(literals(&["x = 1 + 2\n"]).len(), 4);
    }
}
