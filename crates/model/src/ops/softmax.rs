//! Softmax of masked attention scores.

use candle_core::{CpuStorage, CustomOp1, D, Layout, Result, Shape, Tensor};

use super::buffers::{floats, tensor, with_floats};
use super::{composed, fusible, kernels};

/// Softmax over the last axis of `scores` (B,H,Q,K) plus `mask` (B,1,Q,K), 0 or
/// [`MASKED`](super::MASKED). Masked probabilities are exact zeros; in the fused form, even in a
/// fully masked row. The mask gets no gradient.
pub fn masked_softmax(scores: &Tensor, mask: &Tensor) -> Result<Tensor> {
    let (b, _, q, k) = scores.dims4()?;
    if !fusible(&[scores, mask]) || mask.dims() != [b, 1, q, k] {
        return composed::masked_softmax(scores, mask);
    }
    let mask = mask.detach().contiguous()?;
    scores.contiguous()?.apply_op1(MaskedSoftmax { mask })
}

struct MaskedSoftmax {
    mask: Tensor,
}

impl CustomOp1 for MaskedSoftmax {
    fn name(&self) -> &'static str {
        "masked-softmax"
    }

    fn cpu_fwd(&self, scores: &CpuStorage, l: &Layout) -> Result<(CpuStorage, Shape)> {
        let (_, _, q, k) = l.shape().dims4()?;
        let heads = l.dims()[1];
        let mut out = floats(scores, l)?.to_vec();
        with_floats(&self.mask, |mask| {
            for (i, out) in out.chunks_exact_mut(q * k).enumerate() {
                let mask = &mask[i / heads * q * k..][..q * k];
                kernels::masked_softmax(out, mask, k, 1.0);
            }
            Ok(())
        })?;
        Ok((CpuStorage::F32(out), l.shape().clone()))
    }

    fn bwd(&self, scores: &Tensor, probs: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        let width = scores.dim(D::Minus1)?;
        let mut grad = with_floats(&grad.contiguous()?, |g| Ok(g.to_vec()))?;
        with_floats(probs, |p| {
            kernels::softmax_backward(&mut grad, p, width, 1.0);
            Ok(())
        })?;
        Ok(Some(tensor(grad, scores.shape())?))
    }
}
