//! The data of a run and of its current stage: which micro-batches come next. It computes nothing
//! and knows no budget.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::batcher::{Batcher, Member, Pick};
use crate::config::{RunConfig, StageConfig};
use crate::error::{Error, Result};
use crate::example::{Example, ExampleSource, RoundSource};
use crate::fingerprint::{Fingerprint, derive_seed};
use crate::gradient::MicroBatch;
use crate::hardest::Parts;
use crate::state::LoopState;

/// The data sets of a run under the names that mixes use.
pub type DataSets = BTreeMap<String, Box<dyn ExampleSource>>;

/// Data sets generated during the run, under the names used in mixes.
pub type OnlineSets = BTreeMap<String, Box<dyn RoundSource>>;

/// Sources of examples: an epoch of a stage takes its mix of the data sets, and one round of every
/// generated set.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'a> {
    pub data: &'a DataSets,
    pub online: &'a OnlineSets,
}

/// Fingerprints of the lengths of the data sets that `config` names.
pub(crate) fn fingerprints(config: &RunConfig, sources: Sources<'_>) -> BTreeMap<String, String> {
    let names: BTreeSet<&String> = config.stages.iter().flat_map(|s| s.mix.keys()).collect();
    let of = |source: &dyn ExampleSource| {
        let mut fingerprint = Fingerprint::new();
        for index in 0..source.len() {
            let lengths = source.lengths(index);
            fingerprint.word(u64::from(lengths.source) << 32 | u64::from(lengths.target));
        }
        fingerprint.hex()
    };
    let known = |name: &String| {
        let found = sources.data.get(name).map(|source| of(source.as_ref()));
        let made = || Some(sources.online.get(name)?.fingerprint());
        Some((name.clone(), found.or_else(made)?))
    };
    names.into_iter().filter_map(known).collect()
}

/// Whether every stage has its data sets, and something in them.
pub(crate) fn check_data(config: &RunConfig, sources: Sources<'_>) -> Result<()> {
    for stage in &config.stages {
        let mut examples = 0.0;
        for (name, repeats) in &stage.mix {
            let hardest = stage.hardest.get(name);
            if hardest.is_none() && sources.online.contains_key(name) {
                examples += 1.0;
                continue;
            }
            let source = sources.data.get(name);
            let source = source.ok_or_else(|| unknown(stage, name, sources))?;
            examples += source.len() as f64 * repeats * hardest.map_or(1.0, |h| h.share);
        }
        if examples < 1.0 {
            return Err(empty(stage));
        }
    }
    Ok(())
}

fn unknown(stage: &StageConfig, name: &str, sources: Sources<'_>) -> Error {
    Error::UnknownDataSet {
        stage: stage.name.clone(),
        name: name.to_owned(),
        known: sources.data.keys().cloned().collect(),
    }
}

fn empty(stage: &StageConfig) -> Error {
    Error::EmptyStage {
        stage: stage.name.clone(),
    }
}

/// A stage's part of one name of its mix.
#[derive(Debug)]
enum Taken {
    /// All of a data set.
    All,
    /// These examples of a data set.
    Part(Vec<u32>),
    /// The round of the epoch at hand.
    Round(Arc<Vec<Example>>),
}

/// A stage with its batches: those of the state's epoch are loaded.
#[derive(Debug)]
pub(crate) struct StageData {
    index: usize,
    seed: u64,
    micro_tokens: usize,
    names: Vec<String>,
    repeats: Vec<f64>,
    taken: Vec<Taken>,
    batcher: Batcher,
    groups: Vec<Vec<Pick>>,
    /// Micro-batches of an optimizer step.
    by_step: usize,
}

impl StageData {
    /// The stage and the epoch that `state` is in; of the sets in `parts` only these examples.
    pub(crate) fn new(
        config: &RunConfig,
        sources: Sources<'_>,
        mut parts: Parts,
        state: &mut LoopState,
    ) -> Result<Self> {
        let stage = &config.stages[state.stage];
        let take = |name: &String| match parts.remove(name) {
            Some(part) => Ok(Taken::Part(part)),
            None if sources.data.contains_key(name) => Ok(Taken::All),
            None if sources.online.contains_key(name) => Ok(Taken::Round(Arc::default())),
            None => Err(unknown(stage, name, sources)),
        };
        let micro_tokens = config.micro_tokens(stage);
        let mut this = Self {
            index: state.stage,
            seed: derive_seed(config.seed, &[4, state.stage as u64]),
            micro_tokens,
            names: stage.mix.keys().cloned().collect(),
            repeats: stage.mix.values().copied().collect(),
            taken: stage.mix.keys().map(take).collect::<Result<_>>()?,
            batcher: Batcher::new(0, micro_tokens, Vec::new()),
            groups: Vec::new(),
            by_step: (stage.batch_tokens / micro_tokens).max(1),
        };
        this.begin_epoch(sources, state)?;
        let quota = this.batcher.quota();
        if quota < 1.0 {
            return Err(empty(stage));
        }
        this.roll(sources, state)?;
        Ok(this)
    }

    /// Whether the stage uses generated data.
    pub(crate) fn is_online(&self) -> bool {
        let is_made = |taken: &Taken| matches!(taken, Taken::Round(_));
        self.taken.iter().any(is_made)
    }

    /// The micro-batches of the epoch that `state` is in.
    fn begin_epoch(&mut self, sources: Sources<'_>, state: &LoopState) -> Result<()> {
        let round = state.first_round + state.epoch;
        for (name, taken) in self.names.iter().zip(&mut self.taken) {
            if let Taken::Round(examples) = taken {
                *examples = sources.online[name].round(round).map_err(|source| {
                    let (name, index) = (name.clone(), round as usize);
                    Error::Example {
                        name,
                        index,
                        source,
                    }
                })?;
            }
        }
        if state.epoch == 0 || self.groups.is_empty() || self.is_online() {
            let members = self.names.iter().zip(&self.taken).zip(&self.repeats);
            let members = members.map(|((name, taken), &repeats)| {
                let lengths = match taken {
                    Taken::Round(examples) => {
                        (0..examples.len()).map(|i| examples.lengths(i)).collect()
                    }
                    Taken::Part(part) => {
                        let source = &sources.data[name];
                        part.iter().map(|i| source.lengths(*i as usize)).collect()
                    }
                    Taken::All => {
                        let source = &sources.data[name];
                        (0..source.len()).map(|i| source.lengths(i)).collect()
                    }
                };
                Member { lengths, repeats }
            });
            self.batcher = Batcher::new(self.seed, self.micro_tokens, members.collect());
        }
        self.groups = self.batcher.epoch(state.epoch);
        Ok(())
    }

    /// Position in the run's list of stages.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// Examples of the epoch at hand.
    pub(crate) fn examples(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    /// Completed epochs, including the fraction of the current one.
    pub(crate) fn epochs(&self, state: &LoopState) -> f64 {
        state.epoch as f64 + state.group as f64 / self.groups.len() as f64
    }

    /// The micro-batches of the next step; `state` moves on.
    pub(crate) fn next_step(
        &mut self,
        sources: Sources<'_>,
        state: &mut LoopState,
    ) -> Result<Vec<MicroBatch>> {
        let mut batches = Vec::with_capacity(self.by_step);
        for _ in 0..self.by_step {
            let seed = derive_seed(self.seed, &[3, state.epoch, state.group as u64]);
            batches.push(MicroBatch {
                examples: self.fetch(sources, state.group)?,
                seed,
            });
            state.group += 1;
            self.roll(sources, state)?;
        }
        Ok(batches)
    }

    /// Up to `count` of the next micro-batches, without moving on.
    pub(crate) fn peek(
        &self,
        sources: Sources<'_>,
        state: &LoopState,
        count: usize,
    ) -> Result<Vec<Vec<Example>>> {
        let end = self.groups.len().min(state.group + count);
        (state.group..end)
            .map(|group| self.fetch(sources, group))
            .collect()
    }

    fn fetch(&self, sources: Sources<'_>, group: usize) -> Result<Vec<Example>> {
        let one = |pick: &Pick| {
            let name = &self.names[pick.set];
            let index = match &self.taken[pick.set] {
                Taken::Round(examples) => return Ok(examples[pick.index].clone()),
                Taken::Part(part) => part[pick.index] as usize,
                Taken::All => pick.index,
            };
            let example = sources.data[name].get(index);
            example.map_err(|source| Error::Example {
                name: name.clone(),
                index,
                source,
            })
        };
        self.groups[group].iter().map(one).collect()
    }

    /// Begins the next epoch when one is done (small fractions leave some epochs empty).
    fn roll(&mut self, sources: Sources<'_>, state: &mut LoopState) -> Result<()> {
        while state.group >= self.groups.len() {
            state.epoch += 1;
            state.group = 0;
            self.begin_epoch(sources, state)?;
        }
        Ok(())
    }
}
