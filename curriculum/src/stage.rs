//! The data of a run and of the stage it is in: which micro-batches come next. It computes
//! nothing and knows no budget.

use std::collections::{BTreeMap, BTreeSet};

use crate::batcher::{Batcher, Member, Pick};
use crate::config::{RunConfig, StageConfig};
use crate::error::{Error, Result};
use crate::example::{Example, ExampleSource};
use crate::fingerprint::{Fingerprint, derive_seed};
use crate::gradient::MicroBatch;
use crate::hardest::Parts;
use crate::state::LoopState;

/// The data sets of a run under the names that mixes use.
pub type DataSets = BTreeMap<String, Box<dyn ExampleSource>>;

/// Fingerprints of the lengths of the data sets that `config` names.
pub(crate) fn fingerprints(config: &RunConfig, data: &DataSets) -> BTreeMap<String, String> {
    let names: BTreeSet<&String> = config.stages.iter().flat_map(|s| s.mix.keys()).collect();
    let of = |source: &dyn ExampleSource| {
        let mut fingerprint = Fingerprint::new();
        for index in 0..source.len() {
            let lengths = source.lengths(index);
            fingerprint.word(u64::from(lengths.source) << 32 | u64::from(lengths.target));
        }
        fingerprint.hex()
    };
    let known = names
        .into_iter()
        .filter_map(|name| Some((name, data.get(name)?)));
    known
        .map(|(name, source)| (name.clone(), of(source.as_ref())))
        .collect()
}

/// Whether every stage has its data sets, and something in them.
pub(crate) fn check_data(config: &RunConfig, data: &DataSets) -> Result<()> {
    for stage in &config.stages {
        let mut examples = 0.0;
        for (name, repeats) in &stage.mix {
            let source = data.get(name).ok_or_else(|| unknown(stage, name, data))?;
            let share = stage.hardest.get(name).map_or(1.0, |hardest| hardest.share);
            examples += source.len() as f64 * repeats * share;
        }
        if examples < 1.0 {
            return Err(empty(stage));
        }
    }
    Ok(())
}

fn unknown(stage: &StageConfig, name: &str, data: &DataSets) -> Error {
    Error::UnknownDataSet {
        stage: stage.name.clone(),
        name: name.to_owned(),
        known: data.keys().cloned().collect(),
    }
}

fn empty(stage: &StageConfig) -> Error {
    Error::EmptyStage {
        stage: stage.name.clone(),
    }
}

/// A stage with its batches: those of the state's epoch are at hand.
#[derive(Debug)]
pub(crate) struct StageData {
    index: usize,
    seed: u64,
    names: Vec<String>,
    /// For each name, the examples that the stage takes; all without it.
    parts: Vec<Option<Vec<u32>>>,
    batcher: Batcher,
    groups: Vec<Vec<Pick>>,
    /// Micro-batches of an optimizer step.
    by_step: usize,
}

impl StageData {
    /// The stage and the epoch that `state` is in; of the sets in `parts` only these examples.
    pub(crate) fn new(
        config: &RunConfig,
        data: &DataSets,
        mut parts: Parts,
        state: &mut LoopState,
    ) -> Result<Self> {
        let stage = &config.stages[state.stage];
        let (mut names, mut members, mut taken) = (Vec::new(), Vec::new(), Vec::new());
        for (name, &repeats) in &stage.mix {
            let source = data.get(name).ok_or_else(|| unknown(stage, name, data))?;
            let part = parts.remove(name);
            let lengths = match &part {
                Some(part) => part.iter().map(|i| source.lengths(*i as usize)).collect(),
                None => (0..source.len()).map(|i| source.lengths(i)).collect(),
            };
            names.push(name.clone());
            members.push(Member { lengths, repeats });
            taken.push(part);
        }
        let of = |member: &Member| member.lengths.len() as f64 * member.repeats;
        if members.iter().map(of).sum::<f64>() < 1.0 {
            return Err(empty(stage));
        }
        let micro_tokens = config.micro_tokens(stage);
        let seed = derive_seed(config.seed, &[4, state.stage as u64]);
        let batcher = Batcher::new(seed, micro_tokens, members);
        let groups = batcher.epoch(state.epoch);
        let by_step = (stage.batch_tokens / micro_tokens).max(1);
        let mut this = Self {
            index: state.stage,
            seed,
            names,
            parts: taken,
            batcher,
            groups,
            by_step,
        };
        this.roll(state);
        Ok(this)
    }

    /// Position in the run's list of stages.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// Examples of the epoch at hand.
    pub(crate) fn examples(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    /// Epochs done, with the fraction of the one at hand.
    pub(crate) fn epochs(&self, state: &LoopState) -> f64 {
        state.epoch as f64 + state.group as f64 / self.groups.len() as f64
    }

    /// The micro-batches of the next step; `state` moves on.
    pub(crate) fn next_step(
        &mut self,
        data: &DataSets,
        state: &mut LoopState,
    ) -> Result<Vec<MicroBatch>> {
        let mut batches = Vec::with_capacity(self.by_step);
        for _ in 0..self.by_step {
            let seed = derive_seed(self.seed, &[3, state.epoch, state.group as u64]);
            batches.push(MicroBatch {
                examples: self.fetch(data, state.group)?,
                seed,
            });
            state.group += 1;
            self.roll(state);
        }
        Ok(batches)
    }

    /// Up to `count` of the next micro-batches, without moving on.
    pub(crate) fn peek(
        &self,
        data: &DataSets,
        state: &LoopState,
        count: usize,
    ) -> Result<Vec<Vec<Example>>> {
        let end = self.groups.len().min(state.group + count);
        (state.group..end)
            .map(|group| self.fetch(data, group))
            .collect()
    }

    fn fetch(&self, data: &DataSets, group: usize) -> Result<Vec<Example>> {
        let one = |pick: &Pick| {
            let name = &self.names[pick.set];
            let index = match &self.parts[pick.set] {
                Some(part) => part[pick.index] as usize,
                None => pick.index,
            };
            data[name].get(index).map_err(|source| Error::Example {
                name: name.clone(),
                index,
                source,
            })
        };
        self.groups[group].iter().map(one).collect()
    }

    /// Begins the next epoch when one is done (small fractions leave some epochs empty).
    fn roll(&mut self, state: &mut LoopState) {
        while state.group >= self.groups.len() {
            state.epoch += 1;
            state.group = 0;
            self.groups = self.batcher.epoch(state.epoch);
        }
    }
}
