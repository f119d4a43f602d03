//! The weights of a block, by name and packed into one tensor.

use candle_core::{Result, Tensor};

use super::{Products, Rotation, fusible, on_gpu};

/// `x w^T + b`.
#[derive(Debug, Clone, Copy)]
pub struct Dense<'a> {
    /// (out, in).
    pub weight: &'a Tensor,
    /// (out).
    pub bias: &'a Tensor,
}

/// Scale and shift of a layer normalisation, both (H).
#[derive(Debug, Clone, Copy)]
pub struct Norm<'a> {
    /// Scale.
    pub weight: &'a Tensor,
    /// Shift.
    pub bias: &'a Tensor,
}

/// The weights of a block and its other settings.
#[derive(Debug, Clone, Copy)]
pub struct EncoderLayer<'a> {
    /// (H,H).
    pub query: Dense<'a>,
    /// (H,H).
    pub key: Dense<'a>,
    /// (H,H).
    pub value: Dense<'a>,
    /// (H,H), after attention.
    pub output: Dense<'a>,
    /// Closes the attention half.
    pub attention_norm: Norm<'a>,
    /// (F,H), before GELU.
    pub widen: Dense<'a>,
    /// (H,F), after GELU.
    pub narrow: Dense<'a>,
    /// Closes the feed-forward half.
    pub output_norm: Norm<'a>,
    /// Attention heads.
    pub heads: usize,
    /// Of both normalisations.
    pub eps: f64,
    /// What queries and keys are turned by, with rotary positions.
    pub rotation: Option<&'a Rotation>,
    /// The type of the products with weights, if the operation is fused (f32 on a CPU).
    pub products: Products,
}

impl EncoderLayer<'_> {
    /// The parameters in one tensor, at the offsets of [`Offsets`].
    pub(super) fn packed(&self) -> Result<Tensor> {
        packed(&self.parts())
    }

    /// The parameters, in the order of [`Offsets`].
    pub(super) fn parts(&self) -> [&Tensor; 16] {
        [
            self.query.weight,
            self.key.weight,
            self.value.weight,
            self.query.bias,
            self.key.bias,
            self.value.bias,
            self.output.weight,
            self.output.bias,
            self.attention_norm.weight,
            self.attention_norm.bias,
            self.widen.weight,
            self.widen.bias,
            self.narrow.weight,
            self.narrow.bias,
            self.output_norm.weight,
            self.output_norm.bias,
        ]
    }

    /// Whether the fused form can take these.
    pub(super) fn fusible(&self, x: &Tensor, mask: &Tensor) -> bool {
        fusible(&[x, mask, self.query.weight, self.widen.weight]) && self.fit(x, mask)
    }

    /// Whether the form for GPUs can take these.
    pub(super) fn on_gpu(&self, x: &Tensor, mask: &Tensor) -> bool {
        on_gpu(&[x, mask, self.query.weight]) && self.fit(x, mask)
    }

    fn fit(&self, x: &Tensor, mask: &Tensor) -> bool {
        let Ok((b, t, width)) = x.dims3() else {
            return false;
        };
        mask.dims() == [b, 1, t, t]
            && width % self.heads == 0
            && self
                .rotation
                .is_none_or(|r| r.cos.dims() == [b, t, width / self.heads / 2])
    }
}

/// Concatenates tensors.
pub(super) fn packed(parts: &[&Tensor]) -> Result<Tensor> {
    let flat = parts
        .iter()
        .map(|p| p.flatten_all())
        .collect::<Result<Vec<_>>>()?;
    Tensor::cat(&flat, 0)
}

/// Where each parameter lies in the packed tensor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Offsets {
    pub(super) qkv: usize,
    pub(super) qkv_bias: usize,
    pub(super) output: usize,
    pub(super) output_bias: usize,
    pub(super) norm1: usize,
    pub(super) widen: usize,
    pub(super) widen_bias: usize,
    pub(super) narrow: usize,
    pub(super) narrow_bias: usize,
    pub(super) norm2: usize,
    pub(super) end: usize,
}

impl Offsets {
    pub(super) fn new(h: usize, f: usize) -> Self {
        let qkv_bias = 3 * h * h;
        let output = qkv_bias + 3 * h;
        let output_bias = output + h * h;
        let norm1 = output_bias + h;
        let widen = norm1 + 2 * h;
        let widen_bias = widen + f * h;
        let narrow = widen_bias + f;
        let narrow_bias = narrow + h * f;
        let norm2 = narrow_bias + h;
        Self {
            qkv: 0,
            qkv_bias,
            output,
            output_bias,
            norm1,
            widen,
            widen_bias,
            narrow,
            narrow_bias,
            norm2,
            end: norm2 + 2 * h,
        }
    }
}
