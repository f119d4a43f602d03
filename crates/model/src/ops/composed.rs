//! The same operations composed of candle's own, each of which has a backward pass: for GPUs and for
//! types other than f32, and as the reference in tests of the fused ones.

use candle_core::{D, DType, Result, Tensor};

use super::layer_weights::{Dense, EncoderLayer, Norm};
use super::rotary::rotate;

/// Added to a masked score. Large enough that `exp` gives an exact zero, finite so that a fully
/// masked row stays finite.
pub const MASKED: f32 = -1e30;

/// Layer normalisation over the last axis, `x` of any rank, `weight` and `bias` of that axis.
/// Statistics are taken in f32.
pub fn layer_norm(x: &Tensor, weight: &Tensor, bias: &Tensor, eps: f64) -> Result<Tensor> {
    let dtype = x.dtype();
    let x = x.to_dtype(DType::F32)?;
    let centred = x.broadcast_sub(&x.mean_keepdim(D::Minus1)?)?;
    let variance = centred.sqr()?.mean_keepdim(D::Minus1)?;
    let normal = centred.broadcast_div(&(variance + eps)?.sqrt()?)?;
    normal
        .broadcast_mul(&weight.to_dtype(DType::F32)?)?
        .broadcast_add(&bias.to_dtype(DType::F32)?)?
        .to_dtype(dtype)
}

/// `layer_norm(x + residual)`: what closes each half of a block.
pub fn residual_layer_norm(
    x: &Tensor,
    residual: &Tensor,
    weight: &Tensor,
    bias: &Tensor,
    eps: f64,
) -> Result<Tensor> {
    layer_norm(&(x + residual)?, weight, bias, eps)
}

/// Softmax over the last axis of `scores` (B,H,Q,K) plus `mask` (B,1,Q,K), f32, 0 or [`MASKED`].
/// Masked probabilities are exact zeros if a row has at least one visible key.
pub fn masked_softmax(scores: &Tensor, mask: &Tensor) -> Result<Tensor> {
    let scores_f32 = scores.to_dtype(DType::F32)?.broadcast_add(mask)?;
    let top = scores_f32.max_keepdim(D::Minus1)?.detach();
    let exp = scores_f32.broadcast_sub(&top)?.exp()?;
    exp.broadcast_div(&exp.sum_keepdim(D::Minus1)?)?
        .to_dtype(scores.dtype())
}

/// Scaled dot-product attention: `q` (B,H,Q,D), `k` and `v` (B,H,K,D), `mask` (B,1,Q,K) as for
/// [`masked_softmax`]. Returns (B,H,Q,D). Keys and values may be strided views of a larger buffer.
pub fn attention(q: &Tensor, k: &Tensor, v: &Tensor, mask: &Tensor) -> Result<Tensor> {
    let width = q.dim(D::Minus1)?;
    let q = (q.contiguous()? * (1.0 / (width as f64).sqrt()))?;
    let scores = q.matmul(&k.t()?)?; // (B,H,Q,K)
    masked_softmax(&scores, mask)?.matmul(v)
}

/// GELU by the error function, as the published checkpoints use it.
pub fn gelu(x: &Tensor) -> Result<Tensor> {
    x.gelu_erf()
}

/// `gelu(x + bias)`, `bias` of the last axis.
pub fn bias_gelu(x: &Tensor, bias: &Tensor) -> Result<Tensor> {
    gelu(&x.broadcast_add(&bias.to_dtype(x.dtype())?)?)
}

/// `x w^T`: `x` (..., in), `w` (out, in). Returns (..., out). `w` is cast to the type of `x`.
pub fn project(x: &Tensor, w: &Tensor) -> Result<Tensor> {
    let (out, width) = w.dims2()?;
    let mut dims = x.dims().to_vec();
    let w = w.to_dtype(x.dtype())?;
    let y = x.reshape(((), width))?.matmul(&w.t()?)?;
    if let Some(last) = dims.last_mut() {
        *last = out;
    }
    y.reshape(dims)
}

/// `x w^T + b`: `x` (..., in), `w` (out, in), `b` (out). Returns (..., out).
pub fn linear(x: &Tensor, w: &Tensor, b: &Tensor) -> Result<Tensor> {
    project(x, w)?.broadcast_add(&b.to_dtype(x.dtype())?)
}

/// Sum over rows of `weights * -log softmax(logits)[target]`: `logits` (N,V), `targets` (N) u32,
/// `weights` (N) f32. Returns a scalar in f32. Divide by the sum of the weights for a mean.
pub fn cross_entropy(logits: &Tensor, targets: &Tensor, weights: &Tensor) -> Result<Tensor> {
    let logits = logits.to_dtype(DType::F32)?;
    let top = logits.max_keepdim(D::Minus1)?.detach();
    let shifted = logits.broadcast_sub(&top)?;
    let norm = shifted.exp()?.sum_keepdim(D::Minus1)?.log()?; // (N,1)
    let chosen = shifted.gather(&targets.unsqueeze(1)?, 1)?; // (N,1)
    ((norm - chosen)?.squeeze(1)? * weights)?.sum_all()
}

/// Rows of `table` (V,H) for `ids` of any shape, u32. Returns (..., H).
pub fn embedding(ids: &Tensor, table: &Tensor) -> Result<Tensor> {
    let mut dims = ids.dims().to_vec();
    dims.push(table.dim(1)?);
    table.index_select(&ids.flatten_all()?, 0)?.reshape(dims)
}

/// One post-layer-norm block: `x` (B,T,H), `mask` (B,1,T,T). Returns (B,T,H).
pub fn encoder_layer(x: &Tensor, mask: &Tensor, layer: &EncoderLayer) -> Result<Tensor> {
    let (b, t, width) = x.dims3()?;
    let dense = |x: &Tensor, d: Dense| linear(x, d.weight, d.bias);
    let close = |x: &Tensor, residual: &Tensor, n: Norm| {
        residual_layer_norm(x, residual, n.weight, n.bias, layer.eps)
    };
    let split = |d: Dense| {
        dense(x, d)?
            .reshape((b, t, layer.heads, width / layer.heads))?
            .transpose(1, 2)? // (B,heads,T,D)
            .contiguous()
    };
    let (mut q, mut k, v) = (split(layer.query)?, split(layer.key)?, split(layer.value)?);
    if let Some(rotation) = layer.rotation {
        (q, k) = (rotate(&q, rotation)?, rotate(&k, rotation)?);
    }
    let seen = attention(&q, &k, &v, mask)?;
    let seen = seen.transpose(1, 2)?.contiguous()?.reshape((b, t, width))?;
    let x = close(&dense(&seen, layer.output)?, x, layer.attention_norm)?;
    let wide = bias_gelu(&project(&x, layer.widen.weight)?, layer.widen.bias)?;
    close(&dense(&wide, layer.narrow)?, &x, layer.output_norm)
}
