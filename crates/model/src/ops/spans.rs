//! One row per span of rows: the first, the sum, the mean or the maximum of each column.

use std::ops::Range;

use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor};
use serde::{Deserialize, Serialize};

use super::buffers::{floats, tensor, with_floats};
use super::kernels;

/// How the rows of a span are pooled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// The first row.
    #[default]
    First,
    /// Their sum.
    Sum,
    /// Their mean.
    Mean,
    /// The greatest value of each column.
    Max,
}

/// Pools spans of `x` (N,H), f32 on the CPU. Returns (S,H). The row of an empty span is zero.
///
/// # Errors
/// If a span reaches beyond N.
pub fn pool_spans(x: &Tensor, spans: Vec<Range<usize>>, pooling: Pooling) -> Result<Tensor> {
    x.contiguous()?.apply_op1(PoolSpans { spans, pooling })
}

struct PoolSpans {
    spans: Vec<Range<usize>>,
    pooling: Pooling,
}

impl PoolSpans {
    /// The row with the greatest value of a column, the first of equals.
    fn greatest(x: &[f32], span: &Range<usize>, width: usize, column: usize) -> usize {
        let value = |row: usize| x[row * width + column];
        span.clone().fold(span.start, |best, row| {
            if value(row) > value(best) { row } else { best }
        })
    }

    fn share(&self, span: &Range<usize>) -> f32 {
        match self.pooling {
            Pooling::Mean => 1.0 / span.len() as f32,
            _ => 1.0,
        }
    }

    /// The rows that are added up.
    fn rows(&self, span: &Range<usize>) -> Range<usize> {
        match self.pooling {
            Pooling::First => span.start..span.end.min(span.start + 1),
            _ => span.clone(),
        }
    }
}

impl CustomOp1 for PoolSpans {
    fn name(&self) -> &'static str {
        "pool-spans"
    }

    fn cpu_fwd(&self, x: &CpuStorage, l: &Layout) -> Result<(CpuStorage, Shape)> {
        let (rows, width) = l.shape().dims2()?;
        let x = floats(x, l)?;
        let mut out = vec![0.0; self.spans.len() * width];
        for (span, out) in self.spans.iter().zip(out.chunks_exact_mut(width.max(1))) {
            if span.end > rows {
                candle_core::bail!("pool spans: a span to {} in {rows} rows", span.end);
            }
            if self.pooling == Pooling::Max && !span.is_empty() {
                for (column, out) in out.iter_mut().enumerate() {
                    *out = x[Self::greatest(x, span, width, column) * width + column];
                }
                continue;
            }
            for row in self.rows(span) {
                kernels::add(out, &x[row * width..][..width]);
            }
            if !span.is_empty() {
                kernels::scale(out, self.share(span));
            }
        }
        Ok((CpuStorage::F32(out), Shape::from((self.spans.len(), width))))
    }

    fn bwd(&self, x: &Tensor, _out: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        let (_, width) = x.dims2()?;
        let mut dx = vec![0.0; x.elem_count()];
        let grad = with_floats(&grad.contiguous()?, |g| Ok(g.to_vec()))?;
        with_floats(x, |x| {
            for (span, grad) in self.spans.iter().zip(grad.chunks_exact(width.max(1))) {
                if self.pooling == Pooling::Max && !span.is_empty() {
                    for (column, grad) in grad.iter().enumerate() {
                        dx[Self::greatest(x, span, width, column) * width + column] += grad;
                    }
                    continue;
                }
                let share = self.share(span);
                for row in self.rows(span) {
                    let to = &mut dx[row * width..][..width];
                    to.iter_mut().zip(grad).for_each(|(to, g)| *to += share * g);
                }
            }
            Ok(())
        })?;
        Ok(Some(tensor(dx, x.shape())?))
    }
}

#[cfg(test)]
mod tests {
    use candle_core::{Device, Var};

    use super::*;

    fn pooled(pooling: Pooling) -> (Vec<Vec<f32>>, Vec<Vec<f32>>) {
        let values = [[1f32, 5.0], [3.0, 2.0], [2.0, 4.0], [9.0, 9.0]];
        let x = Var::from_tensor(&Tensor::new(&values, &Device::Cpu).unwrap()).unwrap();
        let out = pool_spans(x.as_tensor(), vec![0..3, 1..2, 3..3], pooling).unwrap();
        let weight = Tensor::new(&[[1f32, 2.0], [10.0, 20.0], [7.0, 7.0]], &Device::Cpu).unwrap();
        let loss = (&out * weight).unwrap().sum_all().unwrap();
        let grads = loss.backward().unwrap();
        let gradient = grads.get(x.as_tensor()).unwrap().to_vec2().unwrap();
        (out.to_vec2().unwrap(), gradient)
    }

    #[test]
    fn values_and_gradients_by_hand() {
        let (out, gradient) = pooled(Pooling::First);
        assert_eq!(out, [[1.0, 5.0], [3.0, 2.0], [0.0, 0.0]]);
        assert_eq!(gradient, [[1.0, 2.0], [10.0, 20.0], [0.0, 0.0], [0.0, 0.0]]);
        let (out, gradient) = pooled(Pooling::Sum);
        assert_eq!(out, [[6.0, 11.0], [3.0, 2.0], [0.0, 0.0]]);
        assert_eq!(gradient, [[1.0, 2.0], [11.0, 22.0], [1.0, 2.0], [0.0, 0.0]]);
        let (out, gradient) = pooled(Pooling::Mean);
        assert_eq!(out[0], [2.0, 11.0 / 3.0]);
        assert_eq!(gradient[0], [1.0 / 3.0, 2.0 / 3.0]);
        let (out, gradient) = pooled(Pooling::Max);
        assert_eq!(out[0], [3.0, 5.0]);
        assert_eq!(gradient, [[0.0, 2.0], [11.0, 20.0], [0.0, 0.0], [0.0, 0.0]]);
    }

    #[test]
    fn a_span_beyond_the_rows_is_refused() {
        let x = Tensor::zeros((2, 3), candle_core::DType::F32, &Device::Cpu).unwrap();
        assert!(pool_spans(&x, vec![1..3, 0..1], Pooling::Mean).is_err());
    }
}
