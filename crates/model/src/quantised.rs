//! Matrices in 8 bits, for decoding: a quarter of the memory, and the product with a few rows is
//! bound by memory.

use candle_core::quantized::{GgmlDType, QMatMul, QTensor};
use candle_core::{DType, Module, Result, Tensor};

/// Weights that share one scale: the width of a matrix must be a multiple of it.
pub const BLOCK: usize = 32;

/// The number of rows is padded to a multiple of this, the width of the product's inner loop.
const ROWS: usize = 16;

/// A matrix (out,in) as ggml's Q8_0: blocks of 32 integers of 8 bits with an f16 scale each.
#[derive(Debug, Clone)]
pub struct Quantised {
    matrix: QMatMul,
    out: usize,
}

impl Quantised {
    /// Rounds `weight` (out,in); the width must be a multiple of [`BLOCK`].
    pub fn new(weight: &Tensor) -> Result<Self> {
        let (out, _) = weight.dims2()?;
        let weight = weight.to_dtype(DType::F32)?;
        let rows = out.next_multiple_of(ROWS);
        let padded = weight.pad_with_zeros(0, 0, rows - out)?.contiguous()?;
        let matrix = QTensor::quantize(&padded, GgmlDType::Q8_0)?;
        Ok(Self {
            matrix: QMatMul::from_qtensor(matrix)?,
            out,
        })
    }

    /// `x w^T`: `x` (..., in) f32 to (..., out).
    pub fn project(&self, x: &Tensor) -> Result<Tensor> {
        let y = self.matrix.forward(&x.contiguous()?)?;
        let last = y.rank() - 1;
        if y.dim(last)? == self.out {
            return Ok(y);
        }
        y.narrow(last, 0, self.out)?.contiguous()
    }
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    #[test]
    fn a_product_is_near_the_exact_one_whatever_the_number_of_rows() {
        for out in [16, 37] {
            let value = |i: usize| ((i * 7919 % 1000) as f32 / 500.0 - 1.0) * 0.1;
            let w: Vec<f32> = (0..out * 64).map(value).collect();
            let w = Tensor::from_vec(w, (out, 64), &Device::Cpu).unwrap();
            let x: Vec<f32> = (0..3 * 64).map(|i| value(i * 31 + 5)).collect();
            let x = Tensor::from_vec(x, (1, 3, 64), &Device::Cpu).unwrap();
            let exact = x.broadcast_matmul(&w.t().unwrap()).unwrap();
            let found = Quantised::new(&w).unwrap().project(&x).unwrap();
            assert_eq!(found.dims(), exact.dims());
            let norm = |t: &Tensor| {
                t.sqr()
                    .unwrap()
                    .sum_all()
                    .unwrap()
                    .to_scalar::<f32>()
                    .unwrap()
            };
            let error = norm(&(found - &exact).unwrap()) / norm(&exact);
            assert!(error > 0.0 && error.sqrt() < 0.02, "{}", error.sqrt());
        }
    }
}
