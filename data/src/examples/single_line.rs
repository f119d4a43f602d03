//! SingleLine from templates: statements with random values of the variables they read.
//!
//! The result depends on the templates, the settings and the seed, not on the number of workers:
//! units draw from their own seed, and are joined in order.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;

use super::build::unit_seed;
use super::tracer::Tracer;
use super::{Record, step};
use crate::records::FINISHED;
use crate::sandbox::SandboxError;
use crate::sources::{StatementKind, Template, kind_of};
use crate::trace::{Outcome, Trace};

/// Programs per unit, which share one child process.
const UNIT: usize = 64;
/// Units that run before their examples are joined.
const ROUND: usize = 32;
/// How often a condition is drawn among other statements: unrestricted they would be half of all
/// code, and most only test whether a value exists.
const CONDITIONS: f64 = 0.25;
/// A round with a smaller part of new examples than this is nearly all repetition.
const DRY: f64 = 0.02;

/// Number and choice of examples.
#[derive(Debug, Clone, PartialEq)]
pub struct SingleLineConfig {
    /// Examples to make; fewer only if nothing new is found.
    pub count: usize,
    /// The largest part of them that may end in an exception, in 0..=1.
    pub raising: f64,
    /// Longest program, in words of the source form.
    pub max_source_words: usize,
    /// Longest target, in words of the delta form.
    pub max_target_words: usize,
    /// Seed of every draw.
    pub seed: u64,
}

impl Default for SingleLineConfig {
    fn default() -> Self {
        Self {
            count: 20_000,
            raising: 0.15,
            max_source_words: 250,
            max_target_words: 500,
            seed: 0,
        }
    }
}

/// Results of executed programs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Programs run.
    pub ran: usize,
    /// Examples kept.
    pub kept: usize,
    /// Those of them that end in an exception.
    pub raised: usize,
    /// Left out: a duplicate.
    pub duplicates: usize,
    /// Left out: ends in an exception, and there are enough of those.
    pub raised_beyond_share: usize,
    /// Left out: too long.
    pub too_large: usize,
    /// Left out: time, memory or another limit.
    pub limits: usize,
    /// Left out: not a single step, or an address in it.
    pub no_example: usize,
    /// Examples kept, by the kind of their statement.
    pub statements: BTreeMap<&'static str, usize>,
    /// Examples kept, by outcome.
    pub outcomes: BTreeMap<String, usize>,
}

/// Accepts records one by one, drops unwanted ones, and counts.
pub(super) struct Intake<'a> {
    config: &'a SingleLineConfig,
    seen: HashSet<u64>,
    /// Results so far.
    pub(super) tally: Tally,
}

impl<'a> Intake<'a> {
    pub(super) fn new(config: &'a SingleLineConfig) -> Self {
        Self {
            config,
            seen: HashSet::new(),
            tally: Tally::default(),
        }
    }

    /// Keeps the record, or counts the reason against it.
    pub(super) fn offer(&mut self, run: Run, sink: &mut dyn FnMut(Record)) {
        self.tally.ran += 1;
        let record = match run {
            Run::Example(record) => *record,
            Run::Limit => return self.tally.limits += 1,
            Run::None => return self.tally.no_example += 1,
        };
        let words = |text: &str| text.split_whitespace().count();
        if words(&record.code_tokens) > self.config.max_source_words
            || words(&record.trace_tokens) > self.config.max_target_words
        {
            return self.tally.too_large += 1;
        }
        let raised = record.outcome != "finished";
        let allowed = self.config.raising * (self.tally.kept + 1) as f64;
        if raised && (self.tally.raised + 1) as f64 > allowed.max(1.0) {
            return self.tally.raised_beyond_share += 1;
        }
        let mut hasher = DefaultHasher::new();
        record.code_tokens.hash(&mut hasher);
        if !self.seen.insert(hasher.finish()) {
            return self.tally.duplicates += 1;
        }
        self.tally.kept += 1;
        self.tally.raised += usize::from(raised);
        let kind = record.statement.map_or("other", StatementKind::name);
        *self.tally.statements.entry(kind).or_default() += 1;
        *self
            .tally
            .outcomes
            .entry(record.outcome.clone())
            .or_default() += 1;
        sink(record);
    }
}

/// Results for one program.
pub(super) enum Run {
    Example(Box<Record>),
    Limit,
    None,
}

impl Run {
    pub(super) fn new(trace: &Trace, setup: usize, kind: StatementKind, seed: u64) -> Self {
        match (&trace.outcome, step::record(trace, setup, kind, seed)) {
            (_, Some(record)) => Self::Example(Box::new(record)),
            (Outcome::Finished | Outcome::Raised { .. } | Outcome::SyntaxError { .. }, None) => {
                Self::None
            }
            _ => Self::Limit,
        }
    }
}

/// Examples from templates, passed to `sink` in an order determined by the seed.
///
/// # Errors
/// If the sandbox fails; a program's behaviour is never an error.
pub fn single_line_records(
    tracer: &dyn Tracer,
    templates: &[Template],
    config: &SingleLineConfig,
    progress: &(dyn Fn(usize) + Sync),
    sink: &mut dyn FnMut(Record),
) -> Result<Tally, SandboxError> {
    let known = Statements::new(templates);
    let mut intake = Intake::new(config);
    let mut next = 0;
    while !known.is_empty() && intake.tally.kept < config.count {
        let wanted = (config.count - intake.tally.kept).div_ceil(UNIT);
        let units: Result<Vec<Vec<Run>>, SandboxError> = (next..next + ROUND.min(wanted))
            .into_par_iter()
            .map(|unit| run_unit(tracer, &known, unit, config.seed))
            .collect();
        next += ROUND;
        let before = (intake.tally.kept, intake.tally.ran);
        for run in units?.into_iter().flatten() {
            if intake.tally.kept < config.count {
                intake.offer(run, sink);
            }
        }
        progress(intake.tally.kept);
        let new = intake.tally.kept - before.0;
        if (new as f64) < DRY * (intake.tally.ran - before.1) as f64 {
            break;
        }
    }
    Ok(intake.tally)
}

/// Templates to draw from, conditions first.
#[derive(Debug, Clone)]
pub struct Statements {
    all: Vec<(Template, StatementKind)>,
    conditions: usize,
}

impl Statements {
    /// The templates with a known combination of types.
    pub fn new(templates: &[Template]) -> Self {
        let usable = templates.iter();
        let usable = usable.filter(|template| template.known_types().next().is_some());
        let known =
            usable.filter_map(|template| Some((template.clone(), kind_of(&template.stmt)?)));
        let mut all: Vec<(Template, StatementKind)> = known.collect();
        all.sort_by_key(|(_, kind)| *kind != StatementKind::Condition);
        let conditions = all.partition_point(|(_, kind)| *kind == StatementKind::Condition);
        Self { all, conditions }
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Examples of some statements with values drawn by the seed. At most this part of them ends in an exception.
    ///
    /// # Errors
    /// If the sandbox fails.
    pub fn examples(
        &self,
        tracer: &dyn Tracer,
        raising: f64,
        seed: u64,
    ) -> Result<Vec<Record>, SandboxError> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let runs = run_unit(tracer, self, 0, seed)?.into_iter();
        let found = runs.filter_map(|run| match run {
            Run::Example(record) => Some(*record),
            _ => None,
        });
        let (mut kept, mut raised) = (Vec::new(), 0);
        for record in found {
            let raises = record.outcome != FINISHED;
            let allowed = raising * (kept.len() + 1) as f64;
            if !raises || ((raised + 1) as f64) <= allowed.max(1.0) {
                raised += usize::from(raises);
                kept.push(record);
            }
        }
        Ok(kept)
    }

    fn draw(&self, rng: &mut ChaCha8Rng) -> &(Template, StatementKind) {
        let both = self.conditions > 0 && self.conditions < self.all.len();
        let range = match both {
            true if rng.random_bool(CONDITIONS) => 0..self.conditions,
            true => self.conditions..self.all.len(),
            false => 0..self.all.len(),
        };
        &self.all[rng.random_range(range)]
    }
}

fn run_unit(
    tracer: &dyn Tracer,
    known: &Statements,
    unit: usize,
    seed: u64,
) -> Result<Vec<Run>, SandboxError> {
    let seed = unit_seed(seed, unit);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn = Vec::with_capacity(UNIT);
    let mut programs = Vec::with_capacity(UNIT);
    for k in 0..UNIT {
        let (template, kind) = known.draw(&mut rng);
        let program = step::program(template, format!("line:{unit}:{k}"), &mut rng);
        if let Some(program) = program {
            drawn.push((template, *kind));
            programs.push(program);
        }
    }
    let traces = tracer.traces(&programs)?;
    let runs = traces.iter().zip(drawn).map(|(trace, (template, kind))| {
        let Some(trace) = trace else {
            return Run::None;
        };
        let mut run = Run::new(trace, template.free.len(), kind, seed);
        if let Run::Example(record) = &mut run {
            record.source = template.src.first().cloned();
            record.licence.clone_from(&template.licence);
        }
        run
    });
    Ok(runs.collect())
}
