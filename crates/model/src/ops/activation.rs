//! GELU by the error function, with and without a bias before it.

use candle_core::{CpuStorage, CustomOp1, CustomOp2, Layout, Result, Shape, Tensor};

use super::buffers::{floats, tensor, with_floats};
use super::{composed, fusible, kernels};

/// GELU by the error function, as the published checkpoints use it.
pub fn gelu(x: &Tensor) -> Result<Tensor> {
    if !fusible(&[x]) {
        return composed::gelu(x);
    }
    x.contiguous()?.apply_op1(Gelu)
}

/// `gelu(x + bias)`: `x` (..., F), `bias` (F).
pub fn bias_gelu(x: &Tensor, bias: &Tensor) -> Result<Tensor> {
    if !fusible(&[x, bias]) {
        return composed::bias_gelu(x, bias);
    }
    x.contiguous()?.apply_op2(&bias.contiguous()?, BiasGelu)
}

struct Gelu;

impl CustomOp1 for Gelu {
    fn name(&self) -> &'static str {
        "gelu"
    }

    fn cpu_fwd(&self, x: &CpuStorage, l: &Layout) -> Result<(CpuStorage, Shape)> {
        let mut out = floats(x, l)?.to_vec();
        kernels::gelu(&mut out);
        Ok((CpuStorage::F32(out), l.shape().clone()))
    }

    fn bwd(&self, x: &Tensor, _out: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        let mut dx = with_floats(&grad.contiguous()?, |g| Ok(g.to_vec()))?;
        let bias = vec![0.0; x.elem_count()];
        let mut unused = bias.clone();
        with_floats(x, |x| {
            kernels::bias_gelu_backward(&mut dx, x, &bias, &mut unused);
            Ok(())
        })?;
        Ok(Some(tensor(dx, x.shape())?))
    }
}

struct BiasGelu;

impl CustomOp2 for BiasGelu {
    fn name(&self) -> &'static str {
        "bias-gelu"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        xl: &Layout,
        bias: &CpuStorage,
        bl: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let mut out = floats(x, xl)?.to_vec();
        kernels::bias_gelu(&mut out, floats(bias, bl)?);
        Ok((CpuStorage::F32(out), xl.shape().clone()))
    }

    fn bwd(
        &self,
        x: &Tensor,
        bias: &Tensor,
        _out: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let mut dx = with_floats(&grad.contiguous()?, |g| Ok(g.to_vec()))?;
        let mut db = vec![0.0; bias.elem_count()];
        with_floats(x, |x| {
            with_floats(bias, |b| {
                kernels::bias_gelu_backward(&mut dx, x, b, &mut db);
                Ok(())
            })
        })?;
        Ok((
            Some(tensor(dx, x.shape())?),
            Some(tensor(db, bias.shape())?),
        ))
    }
}
