//! The classifier of missing values as something the curriculum can train, and recorded events as
//! examples it can learn from.

use std::collections::HashMap;

use candle_core::{DType, Device, Tensor, Var};
use candle_nn::VarBuilder;
use codexec_curriculum::{BatchLoss, Example, Trainable};
use codexec_data::tokenizer::{Digits, Vocabulary, VocabularyError};
use rayon::prelude::*;

use super::network::{Network, variables};
use codexec_model::error::Result;
use codexec_model::{Classifier, Masked, MaskedBatch, ModelConfig, ops};
use codexec_unknown::values::events::ValueEvent;
use codexec_unknown::values::network::ValueWindow;
use codexec_unknown::values::{Class, Excerpt};

/// Maximum events that a vocabulary is trained on.
const VOCABULARY_SAMPLE: usize = 60_000;

/// The words of an event.
fn excerpt(event: &ValueEvent) -> Excerpt {
    Excerpt::new(&event.name, event.kind, &event.before, &event.after)
}

/// Trains a vocabulary of `size` tokens on an even sample of events.
///
/// # Errors
/// If the tokenizer library fails.
pub fn train_value_vocabulary(
    events: &[&ValueEvent],
    size: usize,
    digits: Digits,
) -> std::result::Result<Vocabulary, VocabularyError> {
    let stride = events.len().div_ceil(VOCABULARY_SAMPLE).max(1);
    let texts: Vec<String> = events
        .iter()
        .step_by(stride)
        .map(|event| {
            let Excerpt {
                place,
                before,
                after,
            } = excerpt(event);
            format!("{place} {before} {after}")
        })
        .collect();
    Vocabulary::train(texts.iter().map(String::as_str), size, digits)
}

/// The examples of events, in order: the source is the masked place, the target the number of its
/// class, the kind of the example that of the place.
///
/// # Errors
/// If the tokenizer library fails.
pub fn value_examples(
    events: &[&ValueEvent],
    window: ValueWindow,
    vocabulary: &Vocabulary,
) -> std::result::Result<Vec<Example>, VocabularyError> {
    let one = |event: &&ValueEvent| {
        let Masked {
            mut header,
            before,
            after,
        } = window.masked(&excerpt(event), vocabulary)?;
        header.extend(before);
        header.extend(after);
        let class = Class::ALL.iter().position(|c| *c == event.value);
        Ok(Example {
            source: header,
            target: vec![class.unwrap_or_default() as u32],
            kind: event.kind as u8,
        })
    };
    events.par_iter().map(one).collect()
}

/// A classifier whose weights are variables.
pub struct TrainableClassifier {
    network: Classifier,
    config: ModelConfig,
    vars: Vec<(String, Var)>,
    device: Device,
    end: u32,
    mask: u32,
}

impl TrainableClassifier {
    /// A network with fresh weights from a seed, or with given `weights`; products run in
    /// `compute`, the variables are f32.
    ///
    /// # Errors
    /// If a tensor is of the wrong shape.
    pub fn new(
        config: &ModelConfig,
        vocabulary: &Vocabulary,
        seed: u64,
        weights: Option<HashMap<String, Tensor>>,
        compute: DType,
        device: &Device,
    ) -> Result<Self> {
        let (vars, tensors) = variables(config, seed, weights, device)?;
        let vb = VarBuilder::from_tensors(tensors, DType::F32, device);
        Ok(Self {
            network: Classifier::new(config, vb)?.with_compute_dtype(compute),
            config: config.clone(),
            vars,
            device: device.clone(),
            end: vocabulary.end(),
            mask: vocabulary.mask(),
        })
    }

    /// The parts of an example's source: the part before the code ends with the first `</s>`.
    fn masked(&self, source: &[u32]) -> Masked {
        let end = source.iter().position(|id| *id == self.end);
        let (header, code) = source.split_at(end.map_or(0, |at| at + 1));
        let place = code.iter().position(|id| *id == self.mask);
        let (before, after) = code.split_at(place.unwrap_or(0));
        Masked {
            header: header.to_vec(),
            before: before.to_vec(),
            after: after.to_vec(),
        }
    }

    /// Logits (B,C), classes (B) and the number of computed positions, the class counted as one.
    fn logits(&self, batch: &[&Example]) -> candle_core::Result<(Tensor, Tensor, usize)> {
        let sequences: Vec<Masked> = batch.iter().map(|e| self.masked(&e.source)).collect();
        let at = self.config.codexec.max_source;
        let masked = MaskedBatch::new(&sequences, at, &self.config, &self.device)?;
        let logits = self
            .network
            .logits(&masked)
            .map_err(candle_core::Error::wrap)?;
        let classes: Vec<u32> = batch
            .iter()
            .map(|e| e.target.first().copied().unwrap_or_default())
            .collect();
        let classes = Tensor::from_vec(classes, batch.len(), &self.device)?;
        Ok((
            logits.to_dtype(DType::F32)?,
            classes,
            batch.len() * (masked.len + 1),
        ))
    }
}

impl Network for TrainableClassifier {
    fn judge(&self, batch: &[&Example]) -> candle_core::Result<Vec<(f32, bool)>> {
        let (logits, classes, _) = self.logits(batch)?;
        let logits = logits.detach();
        let wanted = logits.gather(&classes.unsqueeze(1)?, 1)?.squeeze(1)?;
        let losses = (logits.log_sum_exp(1)? - wanted)?.to_vec1::<f32>()?;
        let best = logits.argmax(1)?.to_vec1::<u32>()?;
        let right = best.iter().zip(batch).map(|(b, e)| e.target == [*b]);
        Ok(losses.into_iter().zip(right).collect())
    }
}

impl Trainable for TrainableClassifier {
    fn vars(&self) -> Vec<(String, Var)> {
        self.vars.clone()
    }

    fn loss(&self, batch: &[&Example]) -> candle_core::Result<BatchLoss> {
        let (logits, classes, padded) = self.logits(batch)?;
        let weights = Tensor::ones(batch.len(), DType::F32, &self.device)?;
        let correct = ops::weighted_hits(&logits.detach(), &classes, &weights)?;
        Ok(BatchLoss {
            sum: ops::cross_entropy(&logits, &classes, &weights)?,
            tokens: batch.len(),
            weight: batch.len() as f64,
            correct,
            padded,
        })
    }

    fn example_losses(&self, batch: &[&Example]) -> candle_core::Result<Vec<f32>> {
        let judged = self.judge(batch)?;
        Ok(judged.into_iter().map(|(loss, _)| loss).collect())
    }
}
