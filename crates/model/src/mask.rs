//! Attention masks and positions: the joint source-target sequence of training, and batches of
//! sources. Pure bookkeeping, without a network.
//!
//! Source tokens see every source token; a target token sees the source and the targets up to
//! itself; nobody sees padding. So the visible part of token `i` is a prefix of the sequence, and
//! one number per token, its *limit*, describes it.

use candle_core::{DType, Device, Result, Tensor};

use super::ops::MASKED;

/// A batch of concatenated (source, target) sequences, padded to one length.
#[derive(Debug, Clone, PartialEq)]
pub struct JointBatch {
    /// Sequences.
    pub batch: usize,
    /// Tokens of each, padding included.
    pub len: usize,
    /// (B,L): token ids.
    pub ids: Vec<u32>,
    /// (B,L): position ids; `pad` for padding, as in RoBERTa.
    pub positions: Vec<u32>,
    /// (B,L): how many tokens from the start of its sequence each token sees.
    pub limits: Vec<u32>,
    /// Rows of the flattened (B*L,H) hidden states that predict a target token.
    pub rows: Vec<u32>,
    /// The targets of `rows`.
    pub labels: Vec<u32>,
}

/// The tensors of a [`JointBatch`] on a device.
#[derive(Debug, Clone)]
pub struct JointTensors {
    /// (B,L) u32.
    pub ids: Tensor,
    /// (B,L) u32.
    pub positions: Tensor,
    /// (B,1,L,L) f32, 0 or [`MASKED`].
    pub mask: Tensor,
    /// (N) u32.
    pub rows: Tensor,
    /// (N) u32.
    pub labels: Tensor,
}

impl JointBatch {
    /// Packs `pairs` of source (`<s> ... </s>`) and target (`<mask0> ... </s>`) ids: target token
    /// `i` predicts target token `i + 1`. `pad` is the id of `<pad>`.
    pub fn new(pairs: &[(Vec<u32>, Vec<u32>)], pad: u32) -> Self {
        Self::with_multiple(pairs, pad, 1)
    }

    /// As [`JointBatch::new`], with the length rounded up to a multiple.
    pub fn with_multiple(pairs: &[(Vec<u32>, Vec<u32>)], pad: u32, multiple: usize) -> Self {
        let longest = pairs.iter().map(|(s, t)| s.len() + t.len()).max();
        let len = longest.unwrap_or(0).next_multiple_of(multiple.max(1));
        let total = pairs.len() * len;
        let mut out = Self {
            batch: pairs.len(),
            len,
            ids: Vec::with_capacity(total),
            positions: Vec::with_capacity(total),
            limits: Vec::with_capacity(total),
            rows: Vec::new(),
            labels: Vec::new(),
        };
        for (i, (source, target)) in pairs.iter().enumerate() {
            out.push(source, target, pad, i * len);
        }
        out
    }

    fn push(&mut self, source: &[u32], target: &[u32], pad: u32, start: usize) {
        let used = source.len() + target.len();
        self.ids.extend(source.iter().chain(target));
        self.ids.resize(start + self.len, pad);
        for i in 0..self.len {
            let limit = if i < source.len() {
                source.len()
            } else {
                (i + 1).min(used)
            };
            self.limits.push(limit as u32);
            self.positions
                .push(if i < used { i as u32 + pad + 1 } else { pad });
        }
        for (i, next) in target.iter().enumerate().skip(1) {
            self.rows.push((start + source.len() + i - 1) as u32);
            self.labels.push(*next);
        }
    }

    /// Copies the batch to a device and builds the mask there.
    pub fn to_device(&self, device: &Device) -> Result<JointTensors> {
        let shape = (self.batch, self.len);
        Ok(JointTensors {
            ids: Tensor::from_slice(&self.ids, shape, device)?,
            positions: Tensor::from_slice(&self.positions, shape, device)?,
            mask: prefix_mask(&self.limits, shape, device)?,
            rows: Tensor::from_slice(&self.rows, self.rows.len(), device)?,
            labels: Tensor::from_slice(&self.labels, self.labels.len(), device)?,
        })
    }
}

/// The additive mask (B,1,L,L), f32, of tokens that each see a prefix: `limits` is (B,L).
pub fn prefix_mask(limits: &[u32], (b, l): (usize, usize), device: &Device) -> Result<Tensor> {
    let limits = Tensor::from_slice(limits, (b, 1, l, 1), device)?;
    let keys = Tensor::arange(0u32, l as u32, device)?.reshape((1, 1, 1, l))?;
    let hidden = keys.broadcast_ge(&limits)?; // (B,1,L,L)
    // 0 * MASKED would be -0, which adds as 0.
    hidden.to_dtype(DType::F32)? * f64::from(MASKED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_packed_as_the_format_says() {
        let pairs = [(vec![0, 7, 2], vec![4, 8, 2]), (vec![0, 2], vec![4, 2])];
        let batch = JointBatch::with_multiple(&pairs, 1, 4);
        assert_eq!((batch.batch, batch.len), (2, 8));
        assert_eq!(batch.ids[..8], [0, 7, 2, 4, 8, 2, 1, 1]);
        assert_eq!(batch.positions[..8], [2, 3, 4, 5, 6, 7, 1, 1]);
        assert_eq!(batch.limits[..8], [3, 3, 3, 4, 5, 6, 6, 6]);
        assert_eq!(batch.limits[8..], [2, 2, 3, 4, 4, 4, 4, 4]);
        assert_eq!(batch.rows, [3, 4, 10]);
        assert_eq!(batch.labels, [8, 2, 2]);
    }

    #[test]
    fn mask_hides_later_targets_and_padding() {
        let batch = JointBatch::with_multiple(&[(vec![0, 2], vec![4, 2])], 1, 5);
        let mask = batch.to_device(&Device::Cpu).unwrap().mask;
        let rows: Vec<Vec<f32>> = mask
            .squeeze(0)
            .unwrap()
            .squeeze(0)
            .unwrap()
            .to_vec2()
            .unwrap();
        let seen: Vec<usize> = rows
            .iter()
            .map(|r| r.iter().filter(|m| **m == 0.0).count())
            .collect();
        assert_eq!(seen, [2, 2, 3, 4, 4]);
        assert!(rows.iter().all(|r| r[4] == MASKED));
    }
}
