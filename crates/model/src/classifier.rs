//! The stack as an encoder, with a classifier on one token: the class of a masked value.
//!
//! All tokens see each other. The masked place is one token with the same position in every
//! sequence, whatever precedes it: a token's position then gives its distance from the place. The
//! tensors are named as in `RobertaForTokenClassification`.

use candle_core::{Device, Tensor};
use candle_nn::VarBuilder;

use super::linear::Linear;
use super::mask::prefix_mask;
use super::{EncoderDecoder, ModelConfig, ops};
use crate::error::{Error, Result};

/// The network.
#[derive(Debug, Clone)]
pub struct Classifier {
    stack: EncoderDecoder,
    head: Linear,
}

/// A sequence with a masked place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masked {
    /// Token ids that come before the code: they have the first positions.
    pub header: Vec<u32>,
    /// Token ids of the code before the place, with the positions up to it.
    pub before: Vec<u32>,
    /// The mask and the token ids behind it.
    pub after: Vec<u32>,
}

/// The tensors of a batch. B sequences, L tokens each, padding included.
#[derive(Debug, Clone)]
pub struct MaskedBatch {
    /// (B,L) u32.
    pub ids: Tensor,
    /// (B,L) u32.
    pub positions: Tensor,
    /// (B,1,L,L) f32, 0 or [`ops::MASKED`].
    pub mask: Tensor,
    /// (B) u32: rows of the flattened (B*L,H) hidden states at the places.
    pub rows: Tensor,
    /// Tokens of a sequence, padding included.
    pub len: usize,
}

impl MaskedBatch {
    /// Packs sequences whose masks have the position `at`, counted in tokens. Both sides of the
    /// place must already be truncated.
    ///
    /// # Errors
    /// If a tensor cannot be made.
    pub fn new(
        sequences: &[Masked],
        at: usize,
        config: &ModelConfig,
        device: &Device,
    ) -> candle_core::Result<Self> {
        let length = |m: &Masked| m.header.len() + m.before.len() + m.after.len();
        let len = sequences.iter().map(length).max().unwrap_or(0);
        let shape = (sequences.len(), len);
        let pad = config.pad_token_id;
        let (mut ids, mut positions) = (Vec::new(), Vec::new());
        let (mut limits, mut rows) = (Vec::new(), Vec::new());
        for (k, m) in sequences.iter().enumerate() {
            let used = length(m);
            let place = m.header.len() + m.before.len();
            ids.extend(m.header.iter().chain(&m.before).chain(&m.after));
            ids.resize((k + 1) * len, pad);
            positions.extend((0..m.header.len()).map(|i| config.position(i)));
            positions.extend((m.header.len()..used).map(|i| config.position(at + i - place)));
            positions.resize((k + 1) * len, pad);
            limits.resize((k + 1) * len, used as u32);
            rows.push((k * len + place) as u32);
        }
        Ok(Self {
            ids: Tensor::from_vec(ids, shape, device)?,
            positions: Tensor::from_vec(positions, shape, device)?,
            mask: prefix_mask(&limits, shape, device)?,
            rows: Tensor::from_vec(rows, sequences.len(), device)?,
            len,
        })
    }
}

impl Classifier {
    /// Takes the weights of a bare `RobertaModel`, and `classifier.weight` (C,H) and
    /// `classifier.bias` (C).
    ///
    /// # Errors
    /// If the configuration names no classes, or a tensor is missing or of the wrong shape.
    pub fn new(config: &ModelConfig, vb: VarBuilder) -> Result<Self> {
        let Some(classes) = config.num_labels else {
            return Err(Error::Config {
                file: "config.json".to_owned(),
                cause: "no num_labels: this is not a classifier".to_owned(),
            });
        };
        Ok(Self {
            stack: EncoderDecoder::new(config, vb.clone())?,
            head: Linear::load(config.hidden_size, classes, vb.pp("classifier"))?,
        })
    }

    /// See [`EncoderDecoder::with_compute_dtype`].
    pub fn with_compute_dtype(mut self, dtype: candle_core::DType) -> Self {
        self.stack = self.stack.with_compute_dtype(dtype);
        self
    }

    /// The stack.
    pub fn stack(&self) -> &EncoderDecoder {
        &self.stack
    }

    /// Logits (B,C) of the classes at the masked places.
    ///
    /// # Errors
    /// If tensors do not fit each other.
    pub fn logits(&self, batch: &MaskedBatch) -> Result<Tensor> {
        let hidden = self
            .stack
            .forward_joint(&batch.ids, &batch.positions, &batch.mask)?; // (B,L,H)
        let rows = ops::embedding(&batch.rows, &hidden.flatten_to(1)?)?; // (B,H)
        Ok(self.head.forward(&rows)?)
    }
}

#[cfg(test)]
mod tests {
    use candle_core::DType;

    use super::*;
    use crate::random_weights;

    fn classifier() -> (ModelConfig, Classifier) {
        let mut config = ModelConfig::new(40, 16, 2, 2, 32);
        config.num_labels = Some(5);
        let weights = random_weights(&config, 7, &Device::Cpu).unwrap();
        let vb = VarBuilder::from_tensors(weights.into_iter().collect(), DType::F32, &Device::Cpu);
        let classifier = Classifier::new(&config, vb).unwrap();
        (config, classifier)
    }

    fn logits(of: &[Masked]) -> Vec<Vec<f32>> {
        let (config, classifier) = classifier();
        let batch = MaskedBatch::new(of, 12, &config, &Device::Cpu).unwrap();
        classifier.logits(&batch).unwrap().to_vec2().unwrap()
    }

    fn sequence(before: &[u32]) -> Masked {
        Masked {
            header: vec![0, 9, 2],
            before: before.to_vec(),
            after: vec![5, 11, 12, 2],
        }
    }

    #[test]
    fn the_mask_has_one_position_and_padding_changes_nothing() {
        let (config, _) = classifier();
        let two = [sequence(&[]), sequence(&[20, 21, 22])];
        let batch = MaskedBatch::new(&two, 12, &config, &Device::Cpu).unwrap();
        let positions: Vec<Vec<u32>> = batch.positions.to_vec2().unwrap();
        assert_eq!(positions[0], [2, 3, 4, 14, 15, 16, 17, 1, 1, 1]);
        assert_eq!(positions[1], [2, 3, 4, 11, 12, 13, 14, 15, 16, 17]);
        assert_eq!(batch.rows.to_vec1::<u32>().unwrap(), [3, 16]);
        let together = logits(&two);
        for (k, one) in two.iter().enumerate() {
            let alone = logits(std::slice::from_ref(one));
            for (a, b) in alone[0].iter().zip(&together[k]) {
                assert!((a - b).abs() < 1e-5, "{alone:?} {together:?}");
            }
        }
    }

    #[test]
    fn what_stands_on_either_side_counts() {
        let plain = logits(&[sequence(&[20])]);
        assert_ne!(plain, logits(&[sequence(&[21])]));
        let other = Masked {
            after: vec![5, 13, 12, 2],
            ..sequence(&[20])
        };
        assert_ne!(plain, logits(&[other]));
    }
}
