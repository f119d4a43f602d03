//! The training loop: batches, gradient, clipping, update, and in their turn records, validation
//! and checkpoints. A run continued from a checkpoint takes the very steps it would have taken.
//!
//! On the CPU a step's micro-batches are computed on `threads` threads of their own. Start the
//! process with `RAYON_NUM_THREADS=1`, so that candle plans its products for one thread; without
//! it they stay on their thread all the same, but pay for being split.
//!
//! It neither builds a model nor reads data from disk, and shows nothing.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::adamw::AdamW;
use crate::checkpoint::Checkpoints;
use crate::config::{Budget, StageConfig};
use crate::error::{Error, Result};
use crate::example::{Example, Trainable};
use crate::gradient::{Gradients, Totals, Workers, check_gradients};
use crate::metrics::{MetricsFile, Notice, Observer, Record};
use crate::parameters::Parameters;
use crate::schedule::{Position, learning_rate};
use crate::setup::Setup;
use crate::stage::{StageData, fingerprints};
use crate::state::{Exact, LoopState, Window};

/// Steps in a row without a finite gradient after which a run gives up.
const GIVE_UP_AFTER: u32 = 10;
/// Micro-batches that the check of gradients may look at.
const CHECKED_BATCHES: usize = 8;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// All stages are done.
    Finished,
    /// The observer asked to stop; the run can be resumed.
    Stopped,
}

/// A run.
pub struct Trainer<'a, M> {
    setup: Setup<'a, M>,
    parameters: Parameters,
    workers: Workers,
    optimizer: AdamW,
    checkpoints: Checkpoints,
    newest: Option<PathBuf>,
    metrics: MetricsFile,
    state: LoopState,
    stage: Option<StageData>,
    /// The clock at the last look, and the run's microseconds at the last checkpoint.
    seen: Duration,
    saved_at: u64,
}

/// What a step did, for the records.
#[derive(Debug, Clone, Copy)]
struct Step {
    rate: f64,
    norm: f64,
}

impl<'a, M: Trainable> Trainer<'a, M> {
    pub(crate) fn new(mut setup: Setup<'a, M>, checkpoint: Option<&Path>) -> Result<Self> {
        let config = &setup.config;
        let parameters = Parameters::new(setup.model.vars())?;
        let mut optimizer = AdamW::new(&config.optimizer, &parameters, config.threads)?;
        let checkpoints = Checkpoints::new(&setup.run_dir, config.keep_checkpoints);
        let settings = config.fingerprint();
        let data = fingerprints(config, &setup.data);
        let mut state = LoopState {
            settings,
            data,
            ..LoopState::default()
        };
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
            optimizer.restore(&parameters, loaded.weights, loaded.moments, state.applied)?;
        }
        let stage = match state.stage < config.stages.len() {
            true => Some(StageData::new(config, &setup.data, &mut state)?),
            false => None,
        };
        let metrics = MetricsFile::open(&setup.run_dir.join("metrics.jsonl"), state.step)?;
        Ok(Self {
            workers: Workers::new(config.threads, parameters.placement)?,
            newest: checkpoint.map(Path::to_owned),
            seen: setup.clock.now(),
            saved_at: state.micros,
            setup,
            parameters,
            optimizer,
            checkpoints,
            metrics,
            state,
            stage,
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

    /// Runs to the end of the last stage, or until the observer stops it.
    ///
    /// # Errors
    /// [`Error::NoGradient`] before the first step; [`Error::Diverged`]; whatever the model, the
    /// data, the validation or the disk fail with. The last checkpoint stays as it is.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Result<Ended> {
        self.check()?;
        self.announce(observer);
        while self.stage.is_some() {
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

    /// Every variable must be reached by the gradient.
    fn check(&self) -> Result<()> {
        let Some(stage) = &self.stage else {
            return Ok(());
        };
        let batches = stage.peek(&self.setup.data, &self.state, CHECKED_BATCHES)?;
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
            unreachable!("run() stops at the last stage")
        };
        let batches = stage.next_step(&self.setup.data, &mut self.state)?;
        let (totals, gradients) =
            self.workers
                .compute(self.setup.model, &self.parameters, &batches)?;
        let norm = self.apply(&totals, gradients, rate)?;

        let state = &mut self.state;
        state.step += 1;
        state.stage_step += 1;
        state.tokens += totals.real;
        state.stage_tokens += totals.real;
        if norm.is_finite() {
            state.skipped_in_row = 0;
            state.remember(totals.loss / totals.weight);
            state.window.add(&totals);
        } else {
            state.skipped += 1;
            state.skipped_in_row += 1;
            state.remember(f64::NAN);
            let (step, in_a_row) = (state.step, state.skipped_in_row);
            observer.notice(&Notice::Skipped { step, in_a_row });
            if in_a_row >= GIVE_UP_AFTER {
                let checkpoint = self.newest.clone();
                return Err(Error::Diverged {
                    step,
                    in_a_row,
                    checkpoint,
                });
            }
        }
        let micros = self.tick();
        self.state.window.add_work(&totals, micros);
        Ok(Step { rate, norm })
    }

    /// Clips and applies the gradient, unless it or the loss is not finite. The norm of the mean
    /// loss's gradient, NaN if the step is to be skipped.
    fn apply(&mut self, totals: &Totals, gradients: Option<Gradients>, rate: f64) -> Result<f64> {
        let Some(gradients) = gradients else {
            return Ok(f64::NAN);
        };
        let mean = 1.0 / totals.weight;
        let norm = gradients.norm()? * mean;
        if !(norm.is_finite() && totals.loss.is_finite() && totals.weight > 0.0) {
            return Ok(f64::NAN);
        }
        let scale = mean * clip_factor(norm, self.setup.config.optimizer.clip);
        self.optimizer
            .update(&self.parameters, &gradients, rate, scale)?;
        self.state.applied = self.optimizer.applied();
        Ok(norm)
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
            let record = self.record(step);
            self.state.window = Window::default();
            self.metrics.record(&record)?;
            observer.record(&record);
        }
        if validate {
            let scores = observer.validate(at);
            let scores = scores.map_err(|source| Error::Validation { step: at, source })?;
            let stage = &self.setup.config.stages[self.state.stage].name;
            self.metrics.validation(at, stage, &scores)?;
        }
        if ended {
            self.next_stage(observer)?;
        }
        if checkpoint {
            self.save(observer)?;
        }
        Ok(())
    }

    fn next_stage(&mut self, observer: &mut dyn Observer) -> Result<()> {
        self.state.next_stage();
        self.stage = match self.state.stage < self.setup.config.stages.len() {
            true => Some(StageData::new(
                &self.setup.config,
                &self.setup.data,
                &mut self.state,
            )?),
            false => None,
        };
        self.announce(observer);
        Ok(())
    }

    fn save(&mut self, observer: &mut dyn Observer) -> Result<()> {
        if let Some(stage) = self.setup.config.stages.get(self.state.stage) {
            self.state.stage_name.clone_from(&stage.name);
        }
        let moments = self.optimizer.moments()?;
        let (model, state) = (self.setup.model, self.state.clone());
        let path = self
            .checkpoints
            .save(model, &self.parameters, &moments, state)?;
        self.saved_at = self.state.micros;
        observer.notice(&Notice::Checkpoint {
            step: self.state.step,
            path: path.clone(),
        });
        self.newest = Some(path);
        Ok(())
    }

    /// Looks at the clock; the microseconds since the last look.
    fn tick(&mut self) -> u64 {
        let now = self.setup.clock.now();
        let micros = now.saturating_sub(self.seen).as_micros() as u64;
        self.seen = now;
        self.state.micros += micros;
        self.state.stage_micros += micros;
        micros
    }

    fn stage_config(&self) -> &StageConfig {
        &self.setup.config.stages[self.state.stage]
    }

    /// Fraction of the stage's budget spent.
    fn spent(&self) -> f64 {
        let state = &self.state;
        match (self.stage_config().budget(), &self.stage) {
            (Some(Budget::Steps(steps)), _) => state.stage_step as f64 / steps as f64,
            (Some(Budget::Tokens(tokens)), _) => state.stage_tokens as f64 / tokens as f64,
            (Some(Budget::Minutes(minutes)), _) => state.stage_micros as f64 / (minutes * 60e6),
            (Some(Budget::Epochs(epochs)), Some(stage)) => stage.epochs(state) / epochs,
            _ => 1.0,
        }
    }

    /// The learning rate of the next step.
    fn rate(&mut self) -> f64 {
        let spent = self.spent();
        if self.state.stage_step == self.stage_config().warmup_steps {
            self.state.spent_at_warm_end = Exact(spent);
        }
        let spent_at_warm_end = self.state.spent_at_warm_end.0;
        let position = Position {
            step: self.state.stage_step,
            spent,
            spent_at_warm_end,
        };
        learning_rate(self.stage_config(), position)
    }

    fn record(&self, step: Step) -> Record {
        let (state, window) = (&self.state, &self.state.window);
        Record {
            step: state.step,
            stage: self.stage_config().name.clone(),
            loss: window.loss.0 / window.weight.0,
            accuracy: window.correct as f64 / window.targets as f64,
            lr: step.rate,
            grad_norm: step.norm,
            tokens_per_second: window.real as f64 / (window.micros as f64 / 1e6),
            real_share: window.real as f64 / window.padded as f64,
            stage_spent: self.spent().min(1.0),
            tokens: state.tokens,
            elapsed: state.micros as f64 / 1e6,
            eta: self.seconds_left(),
            skipped: state.skipped,
        }
    }

    /// Seconds left at the speed so far.
    fn seconds_left(&self) -> Option<f64> {
        let state = &self.state;
        let (spent, elapsed) = (self.spent(), state.micros as f64 / 1e6);
        let here = state.stage_micros as f64 / 1e6 * (1.0 / spent - 1.0).max(0.0);
        let later = |stage: &StageConfig| match stage.budget()? {
            Budget::Steps(steps) => Some(steps as f64 * elapsed / state.step as f64),
            Budget::Tokens(tokens) => Some(tokens as f64 * elapsed / state.tokens as f64),
            Budget::Minutes(minutes) => Some(minutes * 60.0),
            Budget::Epochs(_) => None,
        };
        let rest = self
            .setup
            .config
            .stages
            .iter()
            .skip(state.stage + 1)
            .map(later);
        rest.sum::<Option<f64>>().map(|rest| here + rest)
    }
}

/// What to multiply a gradient of norm `norm` by so that it is no longer than `limit` (the small
/// term is the one of `torch.nn.utils.clip_grad_norm_`).
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
