//! The inputs of a run: examples, their sources, and the trait of a trainable model. It knows no
//! tokenizer, no model and no file format.

use std::path::Path;
use std::sync::Arc;

use candle_core::{Tensor, Var};
use serde::Serialize;

use crate::error::ForeignError;

/// One training example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// Token ids that the model reads.
    pub source: Vec<u32>,
    /// Token ids that the model must write.
    pub target: Vec<u32>,
    /// Index into the run's kinds of example; the model may weigh or mark kinds differently.
    pub kind: u8,
}

/// Lengths of an example, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lengths {
    /// Tokens of the source.
    pub source: u32,
    /// Tokens of the target.
    pub target: u32,
}

/// A data set with random access.
pub trait ExampleSource: Send + Sync {
    /// Number of examples.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lengths of the example at `index` (below `len`). Queried for all examples when a stage
    /// begins: this should not require reading the example itself.
    fn lengths(&self, index: usize) -> Lengths;

    /// The example at `index` (below `len`).
    ///
    /// # Errors
    /// Whatever reading it can meet.
    fn get(&self, index: usize) -> Result<Example, ForeignError>;
}

/// A data set generated while it is used, round by round, so that no example need repeat.
pub trait RoundSource: Send + Sync {
    /// The examples of a round, after waiting for them if necessary: deterministic for a number.
    /// Numbers are requested in order, but a resumed run begins anywhere.
    ///
    /// # Errors
    /// Whatever making them can meet; a round without an example.
    fn round(&self, number: u64) -> Result<Arc<Vec<Example>>, ForeignError>;

    /// Distinguishes other rounds.
    fn fingerprint(&self) -> String;

    /// Statistics up to the last returned round.
    fn tally(&self) -> Tally {
        Tally::default()
    }
}

/// Statistics of a data set generated during training.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Examples used, over the whole run.
    pub fresh: u64,
    /// Examples left out as repetitions, over the whole run.
    pub repeated: u64,
    /// Rounds used since the run was started or resumed.
    pub rounds: u64,
    /// Of these, rounds that training had to wait for.
    pub waited: u64,
    /// Examples in them.
    pub waited_for: u64,
}

impl ExampleSource for Vec<Example> {
    fn len(&self) -> usize {
        self.as_slice().len()
    }

    fn lengths(&self, index: usize) -> Lengths {
        let example = &self[index];
        Lengths {
            source: example.source.len() as u32,
            target: example.target.len() as u32,
        }
    }

    fn get(&self, index: usize) -> Result<Example, ForeignError> {
        Ok(self[index].clone())
    }
}

/// A model's result for one micro-batch.
#[derive(Debug)]
pub struct BatchLoss {
    /// Scalar: the sum over the target tokens of weight times loss. Differentiable.
    pub sum: Tensor,
    /// Target tokens that count.
    pub tokens: usize,
    /// The sum of their weights: `sum / weight` is the mean loss. The number of tokens if none is
    /// weighted.
    pub weight: f64,
    /// Scalar, f32: target tokens whose most probable prediction is right. Read after the gradient is computed.
    pub correct: Tensor,
    /// Positions computed, padding included.
    pub padded: usize,
}

/// A trainable model. Called from several threads.
pub trait Trainable: Sync {
    /// Every trained variable with its checkpoint key: f32, in an order that never changes.
    fn vars(&self) -> Vec<(String, Var)>;

    /// The loss of one micro-batch.
    ///
    /// # Errors
    /// Whatever a tensor operation can meet.
    fn loss(&self, batch: &[&Example]) -> candle_core::Result<BatchLoss>;

    /// The loss of one micro-batch for a model with dropout: `seed` is unique for every micro-batch
    /// of a run, and repeats after a resume. Without dropout, keep the default.
    ///
    /// # Errors
    /// As [`Trainable::loss`].
    fn loss_with_seed(&self, batch: &[&Example], seed: u64) -> candle_core::Result<BatchLoss> {
        let _ = seed;
        self.loss(batch)
    }

    /// The mean loss of a target token, for each example, without gradients.
    ///
    /// # Errors
    /// As [`Trainable::loss`].
    fn example_losses(&self, batch: &[&Example]) -> candle_core::Result<Vec<f32>> {
        let one = |example: &&Example| {
            let loss = self.loss(&[example])?;
            let sum = loss.sum.to_dtype(candle_core::DType::F32)?;
            Ok(sum.to_scalar::<f32>()? / loss.weight as f32)
        };
        batch.iter().map(one).collect()
    }

    /// Writes everything that a checkpoint needs besides weights (`config.json`, the tokenizer)
    /// into `dir`, so that a checkpoint is usable as a model.
    ///
    /// # Errors
    /// Whatever writing can meet.
    fn write_files(&self, dir: &Path) -> std::io::Result<()> {
        let _ = dir;
        Ok(())
    }
}

impl<M: Trainable + ?Sized> Trainable for Box<M> {
    fn vars(&self) -> Vec<(String, Var)> {
        (**self).vars()
    }

    fn loss(&self, batch: &[&Example]) -> candle_core::Result<BatchLoss> {
        (**self).loss(batch)
    }

    fn loss_with_seed(&self, batch: &[&Example], seed: u64) -> candle_core::Result<BatchLoss> {
        (**self).loss_with_seed(batch, seed)
    }

    fn example_losses(&self, batch: &[&Example]) -> candle_core::Result<Vec<f32>> {
        (**self).example_losses(batch)
    }

    fn write_files(&self, dir: &Path) -> std::io::Result<()> {
        (**self).write_files(dir)
    }
}
