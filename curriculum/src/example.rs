//! What a run is made of: examples, where they come from, and the trait a model implements to be
//! trained. It knows no tokenizer, no model and no file format.

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
    /// How many examples there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lengths of the example at `index` (below `len`). All are asked for once, when a stage
    /// begins: this should not need the example itself to be read.
    fn lengths(&self, index: usize) -> Lengths;

    /// The example at `index` (below `len`).
    ///
    /// # Errors
    /// Whatever reading it can meet.
    fn get(&self, index: usize) -> Result<Example, ForeignError>;
}

/// A data set that is made while it is used, round by round, so that no example need come twice.
pub trait RoundSource: Send + Sync {
    /// The examples of a round, waiting for them if they are not made yet: always the same for a
    /// number. Numbers are asked for in order, but a run that is resumed begins anywhere.
    ///
    /// # Errors
    /// Whatever making them can meet; a round without an example.
    fn round(&self, number: u64) -> Result<Arc<Vec<Example>>, ForeignError>;

    /// Tells other rounds apart.
    fn fingerprint(&self) -> String;

    /// What was made so far, up to the round that was given last.
    fn tally(&self) -> Tally {
        Tally::default()
    }
}

/// What a data set that is made during training has given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Examples given, over the whole run.
    pub fresh: u64,
    /// Examples left out because they had come before, over the whole run.
    pub repeated: u64,
    /// Rounds given since the run was started or resumed.
    pub rounds: u64,
    /// Of these, rounds that were not made when training wanted them.
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

/// What a model says about one micro-batch.
#[derive(Debug)]
pub struct BatchLoss {
    /// Scalar: the sum over the target tokens of weight times loss. Differentiable.
    pub sum: Tensor,
    /// Target tokens that count.
    pub tokens: usize,
    /// The sum of their weights: `sum / weight` is the mean loss. The number of tokens if none
    /// is weighted.
    pub weight: f64,
    /// Scalar, f32: target tokens whose most probable prediction is right. Read once the gradient is asked for.
    pub correct: Tensor,
    /// Positions computed, padding included.
    pub padded: usize,
}

/// A model that can be trained. Calls come from several threads at once.
pub trait Trainable: Sync {
    /// Every trained variable with its checkpoint key: f32, in an order that never changes.
    fn vars(&self) -> Vec<(String, Var)>;

    /// The loss of one micro-batch.
    ///
    /// # Errors
    /// Whatever a tensor operation can meet.
    fn loss(&self, batch: &[&Example]) -> candle_core::Result<BatchLoss>;

    /// The loss of one micro-batch for a model with dropout: `seed` is another for every
    /// micro-batch of a run, and the same again after a resume. Without dropout, leave it.
    ///
    /// # Errors
    /// As [`Trainable::loss`].
    fn loss_with_seed(&self, batch: &[&Example], seed: u64) -> candle_core::Result<BatchLoss> {
        let _ = seed;
        self.loss(batch)
    }

    /// The mean loss of a target token, for each example. No gradient is asked of it.
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

    /// Writes what a checkpoint needs besides weights (`config.json`, the tokenizer) into `dir`,
    /// so that a checkpoint can be used as a model as it stands.
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
