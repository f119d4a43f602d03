//! `x w^T + b` over two-dimensional products.

use candle_core::{CpuStorage, CustomOp2, Layout, Result, Shape, Tensor};

use super::buffers::{floats, tensor, with_floats};
use super::{composed, fusible, kernels};

/// `x w^T`: `x` (..., in), `w` (out, in). Returns (..., out). `w` is cast to the type of `x`.
///
/// Candle's product takes the transposed weight, and in its backward pass the transposed input, by
/// strides: no copies.
pub fn project(x: &Tensor, w: &Tensor) -> Result<Tensor> {
    composed::project(x, w)
}

/// `x w^T + b`: `x` (..., in), `w` (out, in), `b` (out). Returns (..., out).
pub fn linear(x: &Tensor, w: &Tensor, b: &Tensor) -> Result<Tensor> {
    if !fusible(&[x, w, b]) {
        return composed::linear(x, w, b);
    }
    add_bias(&project(x, w)?, b)
}

/// `x + b`: `x` (..., H), `b` (H).
pub fn add_bias(x: &Tensor, b: &Tensor) -> Result<Tensor> {
    if !fusible(&[x, b]) {
        return x.broadcast_add(&b.to_dtype(x.dtype())?);
    }
    x.contiguous()?.apply_op2(&b.contiguous()?, AddBias)
}

struct AddBias;

impl CustomOp2 for AddBias {
    fn name(&self) -> &'static str {
        "add-bias"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        xl: &Layout,
        bias: &CpuStorage,
        bl: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let mut out = floats(x, xl)?.to_vec();
        kernels::add_row(&mut out, floats(bias, bl)?);
        Ok((CpuStorage::F32(out), xl.shape().clone()))
    }

    fn bwd(
        &self,
        _x: &Tensor,
        bias: &Tensor,
        _out: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let mut db = vec![0.0; bias.elem_count()];
        with_floats(&grad.contiguous()?, |g| {
            kernels::add_column_sums(&mut db, g);
            Ok(())
        })?;
        Ok((Some(grad.clone()), Some(tensor(db, bias.shape())?)))
    }
}
