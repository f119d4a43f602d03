//! Layer normalisation, with and without a residual before it.

use candle_core::{CpuStorage, CustomOp3, D, Layout, Result, Shape, Tensor};

use super::buffers::{floats, tensor, with_floats};
use super::{composed, fusible, kernels};

/// Layer normalisation over the last axis: `x` (..., H), `weight` and `bias` (H).
pub fn layer_norm(x: &Tensor, weight: &Tensor, bias: &Tensor, eps: f64) -> Result<Tensor> {
    if !fusible(&[x, weight, bias]) {
        return composed::layer_norm(x, weight, bias, eps);
    }
    let op = LayerNorm { eps: eps as f32 };
    x.contiguous()?
        .apply_op3(&weight.contiguous()?, &bias.contiguous()?, op)
}

/// `layer_norm(x + residual)`: what closes each half of a block.
pub fn residual_layer_norm(
    x: &Tensor,
    residual: &Tensor,
    weight: &Tensor,
    bias: &Tensor,
    eps: f64,
) -> Result<Tensor> {
    if !fusible(&[x, residual, weight, bias]) || x.shape() != residual.shape() {
        return composed::residual_layer_norm(x, residual, weight, bias, eps);
    }
    let op = ResidualLayerNorm { eps: eps as f32 };
    let affine = Tensor::stack(&[weight, bias], 0)?; // (2,H)
    x.contiguous()?
        .apply_op3(&residual.contiguous()?, &affine, op)
}

/// Normalised and scaled rows of `x`.
fn forward(mut x: Vec<f32>, weight: &[f32], bias: &[f32], eps: f32) -> CpuStorage {
    let mut inverse = vec![0.0; x.len() / weight.len()];
    kernels::normalise(&mut x, weight.len(), eps, &mut inverse);
    let mut out = vec![0.0; x.len()];
    kernels::affine(&x, weight, bias, &mut out);
    CpuStorage::F32(out)
}

/// Gradients of the input, the weight and the bias.
fn backward(
    mut x: Vec<f32>,
    weight: &[f32],
    eps: f32,
    grad: &Tensor,
) -> Result<(Vec<f32>, Vec<f32>, Vec<f32>)> {
    let width = weight.len();
    let mut inverse = vec![0.0; x.len() / width];
    kernels::normalise(&mut x, width, eps, &mut inverse);
    let mut dx = with_floats(&grad.contiguous()?, |g| Ok(g.to_vec()))?;
    let (mut dw, mut db) = (vec![0.0; width], vec![0.0; width]);
    kernels::normalise_backward(&mut dx, &x, &inverse, weight, &mut dw, &mut db);
    Ok((dx, dw, db))
}

/// `x + residual`.
fn joined(x: &[f32], residual: &[f32]) -> Vec<f32> {
    let mut out = x.to_vec();
    kernels::add(&mut out, residual);
    out
}

struct LayerNorm {
    eps: f32,
}

impl CustomOp3 for LayerNorm {
    fn name(&self) -> &'static str {
        "layer-norm"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        xl: &Layout,
        weight: &CpuStorage,
        wl: &Layout,
        bias: &CpuStorage,
        bl: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (x, weight, bias) = (floats(x, xl)?, floats(weight, wl)?, floats(bias, bl)?);
        let out = forward(x.to_vec(), weight, bias, self.eps);
        Ok((out, xl.shape().clone()))
    }

    fn bwd(
        &self,
        x: &Tensor,
        weight: &Tensor,
        bias: &Tensor,
        _out: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let values = with_floats(x, |x| Ok(x.to_vec()))?;
        let (dx, dw, db) = with_floats(weight, |w| backward(values, w, self.eps, grad))?;
        Ok((
            Some(tensor(dx, x.shape())?),
            Some(tensor(dw, weight.shape())?),
            Some(tensor(db, bias.shape())?),
        ))
    }
}

struct ResidualLayerNorm {
    eps: f32,
}

impl CustomOp3 for ResidualLayerNorm {
    fn name(&self) -> &'static str {
        "residual-layer-norm"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        xl: &Layout,
        residual: &CpuStorage,
        rl: &Layout,
        affine: &CpuStorage,
        al: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (x, residual) = (floats(x, xl)?, floats(residual, rl)?);
        let affine = floats(affine, al)?;
        let (weight, bias) = affine.split_at(affine.len() / 2);
        let out = forward(joined(x, residual), weight, bias, self.eps);
        Ok((out, xl.shape().clone()))
    }

    fn bwd(
        &self,
        x: &Tensor,
        residual: &Tensor,
        affine: &Tensor,
        _out: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let width = affine.dim(D::Minus1)?;
        let values = with_floats(x, |x| with_floats(residual, |r| Ok(joined(x, r))))?;
        let (dx, mut da, db) =
            with_floats(affine, |a| backward(values, &a[..width], self.eps, grad))?;
        da.extend(db);
        let dx = tensor(dx, x.shape())?;
        let da = tensor(da, affine.shape())?;
        Ok((Some(dx.clone()), Some(dx), Some(da)))
    }
}
