//! Training speed of a run: some steps of its first stage, timed part by part. Only the times are
//! kept, and the model's weights, which change as in training.

use std::time::Duration;

use candle_core::Device;

use crate::adamw::AdamW;
use crate::config::RunConfig;
use crate::error::Result;
use crate::example::{Example, Trainable};
use crate::gradient::{Totals, Workers};
use crate::hardest::Parts;
use crate::parameters::Parameters;
use crate::schedule::{Position, learning_rate};
use crate::stage::{DataSets, OnlineSets, Sources, StageData};
use crate::state::LoopState;

/// The time, from any clock.
pub type Now<'a> = &'a (dyn Fn() -> Duration + Sync);

/// The timers for the parts of a micro-batch.
#[derive(Clone, Copy)]
pub(crate) struct Probe<'a> {
    pub now: Now<'a>,
    pub device: &'a Device,
}

impl Probe<'_> {
    /// The time when all device work is done.
    pub(crate) fn lap(&self) -> candle_core::Result<Duration> {
        self.device.synchronize()?;
        Ok((self.now)())
    }
}

/// Times of some steps.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Benchmark {
    /// Optimizer steps that were timed.
    pub steps: usize,
    /// Source and target tokens, without padding.
    pub tokens: u64,
    /// Positions computed, padding included.
    pub positions: u64,
    /// Target tokens that were predicted.
    pub targets: u64,
    /// Wall time of all.
    pub seconds: f64,
    /// Wall time spent waiting for examples.
    pub data: f64,
    /// Wall time of the loss, and of its gradient.
    pub forward: f64,
    /// As `forward`.
    pub backward: f64,
    /// Wall time of summing, clipping and applying gradients.
    pub optimizer: f64,
    /// Source and target length of every example of every micro-batch.
    pub batches: Vec<Vec<(usize, usize)>>,
}

/// Times `steps` optimizer steps of the first stage of a run, after `warm` that are not timed.
///
/// # Errors
/// As training.
pub fn benchmark<M: Trainable>(
    config: &RunConfig,
    model: &M,
    data: &DataSets,
    [warm, steps]: [usize; 2],
    now: Now<'_>,
) -> Result<Benchmark> {
    let parameters = Parameters::new(model.vars())?;
    let mut optimizer =
        AdamW::new(&config.optimizer, &parameters, config.threads)?.in_precision(config.dtype);
    let workers = Workers::new(config.threads, parameters.placement)?;
    let mut state = LoopState::default();
    let online = OnlineSets::new();
    let sources = Sources {
        data,
        online: &online,
    };
    let mut stage = StageData::new(config, sources, Parts::new(), &mut state)?;
    let device = parameters.device.clone();
    let probe = Probe {
        now,
        device: &device,
    };
    let mut result = Benchmark {
        steps,
        ..Benchmark::default()
    };
    for step in 0..warm + steps {
        let begun = probe.lap()?;
        let batches = stage.next_step(sources, &mut state)?;
        let fetched = probe.lap()?;
        let (totals, gradients) =
            workers.compute_timed(model, &parameters, &batches, Some(probe))?;
        let computed = probe.lap()?;
        if let Some(gradients) = gradients {
            let norm = gradients.norm()? / totals.weight;
            let position = Position {
                step: step as u64,
                spent: 0.0,
                spent_at_warm_end: 0.0,
            };
            let rate = learning_rate(&config.stages[0], position);
            let scale = 1.0 / (totals.weight * norm.max(1.0));
            optimizer.update(&parameters, &gradients, rate, scale)?;
        }
        let ended = probe.lap()?;
        if step < warm {
            continue;
        }
        let lengths = |e: &Example| (e.source.len(), e.target.len());
        let shapes = batches
            .iter()
            .map(|b| b.examples.iter().map(lengths).collect());
        result.batches.extend(shapes);
        result.add(&totals, [begun, fetched, computed, ended]);
    }
    Ok(result)
}

impl Benchmark {
    fn add(&mut self, totals: &Totals, [begun, fetched, computed, ended]: [Duration; 4]) {
        self.tokens += totals.real;
        self.positions += totals.padded;
        self.targets += totals.targets;
        let seconds = |from: Duration, to: Duration| to.saturating_sub(from).as_secs_f64();
        self.seconds += seconds(begun, ended);
        self.data += seconds(begun, fetched);
        // Threads work side by side: their times say how the wall time divides.
        let work = (totals.forward + totals.backward).as_secs_f64();
        let both = seconds(fetched, computed);
        let forward = totals.forward.as_secs_f64() / work.max(1e-12);
        self.forward += both * forward;
        self.backward += both * (1.0 - forward);
        self.optimizer += seconds(computed, ended);
    }

    /// Tokens by second.
    #[must_use]
    pub fn tokens_per_second(&self) -> f64 {
        self.tokens as f64 / self.seconds
    }
}
