//! The state of a run: everything besides weights and moments that the next step depends on, in
//! checkpoint form. Numbers round-trip through JSON bit for bit.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::gradient::Totals;
use crate::spike::Norms;

/// Recent losses kept in a checkpoint.
pub(crate) const LOSS_TAIL: usize = 100;

/// An f64 stored by its bits: reading decimal numbers back may be off by the last bit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "u64", into = "u64")]
pub(crate) struct Exact(pub f64);

impl From<u64> for Exact {
    fn from(bits: u64) -> Self {
        Self(f64::from_bits(bits))
    }
}

impl From<Exact> for u64 {
    fn from(number: Exact) -> Self {
        number.0.to_bits()
    }
}

/// Sums since the last record.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Window {
    pub loss: Exact,
    pub weight: Exact,
    pub targets: u64,
    pub correct: u64,
    pub real: u64,
    pub padded: u64,
    pub micros: u64,
    /// Of them, time waiting for data generated during training.
    #[serde(default)]
    pub waited: u64,
}

impl Window {
    pub(crate) fn add(&mut self, totals: &Totals) {
        self.loss.0 += totals.loss;
        self.weight.0 += totals.weight;
        self.targets += totals.targets;
        self.correct += totals.correct;
    }

    /// Work and time count for skipped steps too.
    pub(crate) fn add_work(&mut self, totals: &Totals, micros: u64) {
        self.real += totals.real;
        self.padded += totals.padded;
        self.micros += micros;
    }
}

/// The loop's state. `step` counts optimizer steps over all stages, skipped ones included.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct LoopState {
    pub version: u32,
    pub step: u64,
    pub stage: usize,
    pub stage_name: String,
    /// Steps, tokens and microseconds of this stage.
    pub stage_step: u64,
    pub stage_tokens: u64,
    pub stage_micros: u64,
    /// The next micro-batch: epoch and position in it.
    pub epoch: u64,
    pub group: usize,
    /// The round of data generated during training that the stage's first epoch takes.
    #[serde(default)]
    pub first_round: u64,
    /// Fraction of the stage's budget spent when its warm-up ended.
    pub spent_at_warm_end: Exact,
    /// Source and target tokens, and microseconds, of the run.
    pub tokens: u64,
    pub micros: u64,
    /// Updates the optimizer applied.
    pub applied: u64,
    pub skipped: u64,
    pub skipped_in_row: u32,
    /// Norms of this stage's last updates.
    #[serde(default)]
    pub norms: Norms,
    pub window: Window,
    pub loss_tail: Vec<Exact>,
    /// Fingerprints of settings, data, and the other files of the checkpoint.
    pub settings: String,
    pub data: BTreeMap<String, String>,
    pub files: BTreeMap<String, String>,
}

impl LoopState {
    /// Records the mean loss of a step.
    pub(crate) fn remember(&mut self, loss: f64) {
        if self.loss_tail.len() == LOSS_TAIL {
            self.loss_tail.remove(0);
        }
        self.loss_tail.push(Exact(loss));
    }

    /// Moves on to the next stage.
    pub(crate) fn next_stage(&mut self) {
        self.stage += 1;
        self.first_round += self.epoch + 1;
        (self.stage_step, self.stage_tokens, self.stage_micros) = (0, 0, 0);
        (self.epoch, self.group, self.spent_at_warm_end) = (0, 0, Exact(0.0));
        self.norms = Norms::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_bit_for_bit() {
        let numbers = [
            0.1 + 0.2,
            1.0 / 3.0,
            f64::MIN_POSITIVE / 3.0,
            1e300,
            -7.07,
            f64::NAN,
        ];
        for number in numbers {
            let text = serde_json::to_string(&Exact(number)).unwrap();
            let back: Exact = serde_json::from_str(&text).unwrap();
            assert_eq!(back.0.to_bits(), number.to_bits());
        }
    }
}
