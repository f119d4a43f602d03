//! The training loop: batches, gradient, clipping, update, and in their turn records, validation
//! and checkpoints. A run continued from a checkpoint takes the very steps it would have taken.
//!
//! On the CPU a step's micro-batches are computed on `threads` separate threads. Start the process
//! with `RAYON_NUM_THREADS=1`, so that candle plans its products for one thread; otherwise they
//! still stay on their thread, but pay for being split.
//!
//! It neither builds a model nor reads data from disk, and shows nothing.

mod pace;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::adamw::AdamW;
use crate::average::Average;
use crate::checkpoint::Checkpoints;
use crate::error::{Error, Result};
use crate::example::{Example, Trainable};
use crate::gradient::{Gradients, Totals, Workers, check_gradients};
use crate::hardest::{Parts, Scoring};
use crate::metrics::{MetricsFile, Notice, Observer, Skip};
use crate::parameters::Parameters;
use crate::setup::Setup;
use crate::spike::Outcome;
use crate::stage::{StageData, check_data, fingerprints};
use crate::state::{LoopState, Window};

/// Consecutive skipped steps after which a run gives up.
const GIVE_UP_AFTER: u32 = 10;
/// Micro-batches that the check of gradients may look at.
const CHECKED_BATCHES: usize = 8;

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// All stages are done.
    Finished,
    /// The observer requested a stop; the run can be resumed.
    Stopped,
}

/// A run.
pub struct Trainer<'a, M> {
    setup: Setup<'a, M>,
    parameters: Parameters,
    workers: Workers,
    optimizer: AdamW,
    average: Option<Average>,
    checkpoints: Checkpoints,
    newest: Option<PathBuf>,
    metrics: MetricsFile,
    state: LoopState,
    stage: Option<StageData>,
    /// The clock at the last look, and the run's microseconds at the last checkpoint.
    seen: Duration,
    saved_at: u64,
}

/// Results of an optimizer step, for the metrics.
#[derive(Debug, Clone, Copy)]
struct Step {
    rate: f64,
    norm: f64,
}

impl<'a, M: Trainable> Trainer<'a, M> {
    pub(crate) fn new(mut setup: Setup<'a, M>, checkpoint: Option<&Path>) -> Result<Self> {
        let config = &setup.config;
        let parameters = Parameters::new(setup.model.vars())?;
        let mut optimizer =
            AdamW::new(&config.optimizer, &parameters, config.threads)?.in_precision(config.dtype);
        let checkpoints = Checkpoints::new(&setup.run_dir, config.keep_checkpoints);
        let settings = config.fingerprint();
        let data = fingerprints(config, setup.sources());
        let mut state = LoopState {
            settings,
            data,
            ..LoopState::default()
        };
        let mut kept = None;
        if let Some(path) = checkpoint {
            let loaded = checkpoints.load(path, &parameters)?;
            let other = |what| {
                Err(Error::OtherRun {
                    dir: path.to_owned(),
                    what,
                })
            };
            if loaded.state.settings != state.settings {
                return other("settings");
            }
            if loaded.state.data != state.data {
                return other("data");
            }
            state = loaded.state;
            kept = loaded.average;
            optimizer.restore(&parameters, loaded.weights, loaded.moments, state.applied)?;
        }
        check_data(config, setup.sources())?;
        let average = config.optimizer.average;
        let average = average.map(|decay| Average::new(decay, &parameters, kept));
        let metrics = MetricsFile::open(&setup.run_dir.join("metrics.jsonl"), state.step)?;
        Ok(Self {
            workers: Workers::new(config.threads, parameters.placement)?,
            newest: checkpoint.map(Path::to_owned),
            seen: setup.clock.now(),
            saved_at: state.micros,
            setup,
            parameters,
            optimizer,
            average: average.transpose()?,
            checkpoints,
            metrics,
            state,
            stage: None,
        })
    }

    /// Optimizer steps done.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.state.step
    }

    /// Mean losses of the last steps (at most 100), oldest first; NaN for skipped ones.
    #[must_use]
    pub fn last_losses(&self) -> Vec<f64> {
        self.state.loss_tail.iter().map(|loss| loss.0).collect()
    }

    /// Runs to the end of the last stage, or until the observer stops it. Where weights are averaged, the model has the
    /// average then.
    ///
    /// # Errors
    /// [`Error::NoGradient`] before the first step; [`Error::Diverged`]; any failure of the model,
    /// the data, the validation or the disk. The last checkpoint is unchanged.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Result<Ended> {
        if let Some(average) = &mut self.average {
            average.take_out(&self.parameters)?;
        }
        let ended = self.train(observer)?;
        if let Some(average) = &mut self.average {
            average.put_in(&self.parameters)?;
        }
        Ok(ended)
    }

    fn train(&mut self, observer: &mut dyn Observer) -> Result<Ended> {
        let mut checked = false;
        while self.state.stage < self.setup.config.stages.len() {
            if self.stage.is_none() {
                if !self.begin_stage(observer)? {
                    return Ok(Ended::Stopped);
                }
                if !checked {
                    self.check()?;
                    checked = true;
                }
                self.announce(observer);
            }
            let step = self.step(observer)?;
            self.after_step(step, observer)?;
            if observer.stop() {
                if self.newest.is_none() || self.saved_at != self.state.micros {
                    self.save(observer)?;
                }
                return Ok(Ended::Stopped);
            }
        }
        Ok(Ended::Finished)
    }

    /// Selects the stage's parts of its data sets; false if the observer stopped that.
    fn begin_stage(&mut self, observer: &mut dyn Observer) -> Result<bool> {
        let (setup, state) = (&self.setup, &mut self.state);
        let stage = &setup.config.stages[state.stage];
        let (mut parts, mut has_scored) = (Parts::new(), false);
        for (name, hardest) in &stage.hardest {
            let scoring = Scoring {
                run_dir: &setup.run_dir,
                seed: setup.config.seed,
                micro_tokens: setup.config.micro_tokens(stage),
                step: state.step,
                name,
                data: state.data.get(name).map_or("", String::as_str),
                hardest,
                source: setup.data[name].as_ref(),
            };
            let Some(chosen) = scoring.select(setup.model, &self.workers, observer)? else {
                return Ok(false);
            };
            if chosen.is_new {
                self.metrics.chosen(state.step, name, &chosen)?;
                has_scored = true;
            }
            parts.insert(name.clone(), chosen.indices);
        }
        let data = StageData::new(&self.setup.config, self.setup.sources(), parts, state)?;
        self.stage = Some(data);
        if has_scored {
            // Counts towards the run's time, but not the stage's: its budget is for training.
            let now = self.setup.clock.now();
            self.state.micros += now.saturating_sub(self.seen).as_micros() as u64;
            self.seen = now;
        }
        Ok(true)
    }

    /// Every variable must be reached by the gradient.
    fn check(&self) -> Result<()> {
        let Some(stage) = &self.stage else {
            return Ok(());
        };
        let batches = stage.peek(self.setup.sources(), &self.state, CHECKED_BATCHES)?;
        let batches: Vec<Vec<&Example>> = batches.iter().map(|b| b.iter().collect()).collect();
        check_gradients(self.setup.model, &batches)
    }

    fn announce(&self, observer: &mut dyn Observer) {
        if let Some(stage) = &self.stage {
            let name = self.setup.config.stages[stage.index()].name.clone();
            let (index, examples) = (stage.index(), stage.examples());
            observer.notice(&Notice::Stage {
                index,
                name,
                examples,
            });
        }
    }

    /// One optimizer step.
    fn step(&mut self, observer: &mut dyn Observer) -> Result<Step> {
        self.tick();
        let rate = self.rate();
        let Some(stage) = &mut self.stage else {
            unreachable!("run() has begun a stage")
        };
        let is_online = stage.is_online();
        let batches = stage.next_step(self.setup.sources(), &mut self.state)?;
        if is_online {
            // Only here, so that runs on fixed data look at the clock as often as they always did.
            let waited = self.setup.clock.now().saturating_sub(self.seen);
            self.state.window.waited += waited.as_micros() as u64;
        }
        let (totals, gradients) =
            self.workers
                .compute(self.setup.model, &self.parameters, &batches)?;
        let outcome = self.apply(&totals, gradients, rate)?;

        let state = &mut self.state;
        state.step += 1;
        state.stage_step += 1;
        state.tokens += totals.real;
        state.stage_tokens += totals.real;
        match outcome {
            Outcome::Applied(norm) => {
                state.skipped_in_row = 0;
                state.remember(totals.loss / totals.weight);
                state.norms.remember(norm);
                state.window.add(&totals);
            }
            Outcome::Skipped(why) => self.skip(why, observer)?,
        }
        let micros = self.tick();
        self.state.window.add_work(&totals, micros);
        let norm = outcome.norm();
        Ok(Step { rate, norm })
    }

    /// Counts a skipped step, and gives up after too many of them.
    fn skip(&mut self, why: Skip, observer: &mut dyn Observer) -> Result<()> {
        let state = &mut self.state;
        state.skipped += 1;
        state.skipped_in_row += 1;
        state.remember(f64::NAN);
        let (step, in_a_row) = (state.step, state.skipped_in_row);
        observer.notice(&Notice::Skipped {
            step,
            in_a_row,
            why,
        });
        if in_a_row < GIVE_UP_AFTER {
            return Ok(());
        }
        let checkpoint = self.newest.clone();
        Err(Error::Diverged {
            step,
            in_a_row,
            why,
            checkpoint,
        })
    }

    /// Clips and applies the gradient, unless it or the loss is not finite or it is a spike.
    fn apply(
        &mut self,
        totals: &Totals,
        gradients: Option<Gradients>,
        rate: f64,
    ) -> Result<Outcome> {
        let Some(gradients) = gradients else {
            return Ok(Outcome::Skipped(Skip::NotFinite));
        };
        let optimizer = &self.setup.config.optimizer;
        let mean = 1.0 / totals.weight;
        let norm = gradients.norm()? * mean;
        if !(norm.is_finite() && totals.loss.is_finite() && totals.weight > 0.0) {
            return Ok(Outcome::Skipped(Skip::NotFinite));
        }
        if let Some(spike) = self.state.norms.spike(norm, optimizer.spike) {
            return Ok(Outcome::Skipped(spike));
        }
        let scale = mean * clip_factor(norm, optimizer.clip);
        self.optimizer
            .update(&self.parameters, &gradients, rate, scale)?;
        self.state.applied = self.optimizer.applied();
        if let Some(average) = &mut self.average {
            average.update(&self.parameters, self.state.applied)?;
        }
        Ok(Outcome::Applied(norm))
    }

    /// Records, validation, the end of a stage and checkpoints, each when it is due.
    fn after_step(&mut self, step: Step, observer: &mut dyn Observer) -> Result<()> {
        let config = &self.setup.config;
        let at = self.state.step;
        let every = |count: Option<u64>| count.is_some_and(|count| at.is_multiple_of(count));
        let micros = |minutes: f64| (minutes * 60e6) as u64;
        let ended = self.spent() >= 1.0;
        let validate = every(config.eval_every) || (ended && config.eval_every.is_some());
        let checkpoint = ended
            || every(config.checkpoint_every)
            || config
                .checkpoint_minutes
                .is_some_and(|minutes| self.state.micros - self.saved_at >= micros(minutes));
        if ended || every(Some(config.log_every)) {
            let progress = self.progress(step);
            self.state.window = Window::default();
            self.metrics.progress(&progress)?;
            observer.progress(&progress);
        }
        if validate {
            let scores = self.averaged(|_| observer.validate(at))?;
            let scores = scores.map_err(|source| Error::Validation { step: at, source })?;
            let stage = &self.setup.config.stages[self.state.stage].name;
            self.metrics.validation(at, stage, &scores)?;
        }
        if ended {
            self.state.next_stage();
            self.stage = None;
        }
        if checkpoint {
            self.save(observer)?;
        }
        Ok(())
    }

    /// Runs something while the model has the average of its weights, if they are averaged.
    fn averaged<T>(&mut self, act: impl FnOnce(&Self) -> T) -> Result<T> {
        if let Some(average) = &mut self.average {
            average.put_in(&self.parameters)?;
        }
        let done = act(self);
        if let Some(average) = &mut self.average {
            average.take_out(&self.parameters)?;
        }
        Ok(done)
    }

    fn save(&mut self, observer: &mut dyn Observer) -> Result<()> {
        if let Some(stage) = self.setup.config.stages.get(self.state.stage) {
            self.state.stage_name.clone_from(&stage.name);
        }
        let moments = self.optimizer.moments(&self.parameters)?;
        let (model, state) = (self.setup.model, self.state.clone());
        let step = state.step;
        let average = self.average.as_ref().map(Average::values);
        let saved = self
            .checkpoints
            .save(model, &self.parameters, &moments, average, state);
        let path = saved.map_err(|source| Error::NotSaved {
            step,
            source: Box::new(source),
            checkpoint: self.newest.clone(),
        })?;
        self.saved_at = self.state.micros;
        self.averaged(|trainer| {
            observer.notice(&Notice::Checkpoint {
                step: trainer.state.step,
                path: path.clone(),
            });
        })?;
        self.newest = Some(path);
        Ok(())
    }
}

/// Factor that limits a gradient of norm `norm` to `limit` (the small term is the one of
/// `torch.nn.utils.clip_grad_norm_`).
fn clip_factor(norm: f64, limit: f64) -> f64 {
    (limit / (norm + 1e-6)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipping_shortens_long_gradients_only() {
        assert_eq!(clip_factor(0.5, 1.0), 1.0);
        assert_eq!(clip_factor(0.0, 1.0), 1.0);
        assert!((clip_factor(4.0, 1.0) * 4.0 - 1.0).abs() < 1e-6);
        assert!((clip_factor(10.0, 2.5) * 10.0 - 2.5).abs() < 1e-6);
    }
}
