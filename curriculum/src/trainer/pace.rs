//! The progress of a run by its clock and its budgets: time, learning rate, records, time left. It
//! changes no weight.

use std::collections::BTreeMap;

use super::{Step, Trainer};
use crate::config::{Budget, StageConfig};
use crate::example::{Tally, Trainable};
use crate::metrics::Progress;
use crate::schedule::{Position, learning_rate};
use crate::stage::StageData;
use crate::state::Exact;

impl<M: Trainable> Trainer<'_, M> {
    /// Looks at the clock; the microseconds since the last look.
    pub(super) fn tick(&mut self) -> u64 {
        let now = self.setup.clock.now();
        let micros = now.saturating_sub(self.seen).as_micros() as u64;
        self.seen = now;
        self.state.micros += micros;
        self.state.stage_micros += micros;
        micros
    }

    pub(super) fn stage_config(&self) -> &StageConfig {
        &self.setup.config.stages[self.state.stage]
    }

    /// Fraction of the stage's budget spent.
    pub(super) fn spent(&self) -> f64 {
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
    pub(super) fn rate(&mut self) -> f64 {
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

    pub(super) fn progress(&self, step: Step) -> Progress {
        let (state, window) = (&self.state, &self.state.window);
        let stage_online = self.stage.as_ref().is_some_and(StageData::is_online);
        Progress {
            step: state.step,
            stage: self.stage_config().name.clone(),
            loss: window.loss.0 / window.weight.0,
            accuracy: window.correct as f64 / window.targets as f64,
            lr: step.rate,
            grad_norm: step.norm,
            tokens_per_second: window.real as f64 / (window.micros as f64 / 1e6),
            data_wait: stage_online.then(|| window.waited as f64 / window.micros.max(1) as f64),
            online: match stage_online {
                true => self.tallies(),
                false => BTreeMap::new(),
            },
            real_share: window.real as f64 / window.padded as f64,
            stage_spent: self.spent().min(1.0),
            tokens: state.tokens,
            elapsed: state.micros as f64 / 1e6,
            eta: self.seconds_left(),
            skipped: state.skipped,
        }
    }

    /// Statistics of this stage's generated data sets.
    fn tallies(&self) -> BTreeMap<String, Tally> {
        let mix = &self.stage_config().mix;
        let sets = self.setup.online.iter();
        let made = sets.filter(|(name, _)| mix.contains_key(*name));
        made.map(|(name, set)| (name.clone(), set.tally()))
            .collect()
    }

    /// Estimated seconds left at the current speed.
    pub(super) fn seconds_left(&self) -> Option<f64> {
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
