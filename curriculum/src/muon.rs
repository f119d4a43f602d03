//! Muon (Jordan et al., 2024; scaled as in Liu et al., "Muon is Scalable for LLM Training", 2025,
//! section 2.2): the orthogonalised momentum of a weight matrix is its update, so that every direction
//! of the matrix moves at one rate. Biases, norms and embedding tables stay with AdamW.

use candle_core::{DType, Result, Tensor};
use codexec_tiles::Matrix;

/// Decay rate of the momentum, as in the reference implementation.
pub(crate) const MOMENTUM: f64 = 0.95;
/// Newton-Schulz steps; five bring singular values to between about 0.7 and 1.2.
const STEPS: usize = 5;
/// Coefficients of the quintic whose slope at zero is steepest.
const QUINTIC: [f64; 3] = [3.4445, -4.7750, 2.0315];

/// The nearest semi-orthogonal matrix to `matrix` (rows x columns), approximately, with the root mean
/// square of an AdamW update (0.2), so that both share one learning rate.
pub(crate) fn update(matrix: &Tensor) -> Result<Tensor> {
    let (rows, columns) = matrix.dims2()?;
    if rows > columns {
        let wide = matrix.t()?.contiguous()?.unsqueeze(0)?;
        return update_all(&wide, DType::F32)?.squeeze(0)?.t()?.contiguous();
    }
    update_all(&matrix.unsqueeze(0)?, DType::F32)?.squeeze(0)
}

/// [`update`] for each matrix of a stack (count, rows, columns), which have no more rows than columns; computed in
/// `dtype`: in bf16, as by its authors, or exactly.
pub(crate) fn update_all(stack: &Tensor, dtype: DType) -> Result<Tensor> {
    let (_, _, columns) = stack.dims3()?;
    // Over rows first: on a GPU one block of threads computes each single sum.
    let norm = stack.sqr()?.sum_keepdim(2)?.sum_keepdim(1)?.sqrt()?;
    let mut x = stack.broadcast_div(&(norm + 1e-7)?)?.to_dtype(dtype)?;
    let [a, b, c] = QUINTIC;
    for _ in 0..STEPS {
        let gram = x.matmul(&x.transpose(1, 2)?)?;
        let polynomial = ((&gram * b)? + (gram.matmul(&gram)? * c)?)?;
        x = ((&x * a)? + polynomial.matmul(&x)?)?;
    }
    x.to_dtype(stack.dtype())? * (0.2 * (columns as f64).sqrt())
}

/// Whether this processor has fast products in bf16 for [`update_in_bf16`].
pub(crate) fn is_fast_in_bf16() -> bool {
    codexec_tiles::available() || codexec_tiles::has_dot_products()
}

/// A product in bf16, by the best that this processor has.
fn product(a: Matrix<'_>, b: Matrix<'_>) -> Vec<f32> {
    if codexec_tiles::available() {
        return codexec_tiles::product(a, b);
    }
    let left = codexec_tiles::rounded(a.values);
    if std::ptr::eq(a.values, b.values) {
        return codexec_tiles::product_of_rounded(a.with(&left), b.with(&left));
    }
    let right = codexec_tiles::rounded(b.values);
    codexec_tiles::product_of_rounded(a.with(&left), b.with(&right))
}

/// [`update`] with products in bf16, as its authors have it; the rest is f32.
pub(crate) fn update_in_bf16(mut x: Vec<f32>, rows: usize, columns: usize) -> Vec<f32> {
    let (short, tall) = (rows.min(columns), rows > columns);
    let norm = x.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt() + 1e-7;
    x.iter_mut()
        .for_each(|x| *x = (f64::from(*x) / norm) as f32);
    let [a, b, c] = QUINTIC.map(|x| x as f32);
    for _ in 0..STEPS {
        let of = Matrix::by_rows(&x, rows, columns);
        let gram = if tall {
            product(of.t(), of)
        } else {
            product(of, of.t())
        };
        let gram_matrix = Matrix::by_rows(&gram, short, short);
        let mut polynomial = product(gram_matrix, gram_matrix);
        for (p, g) in polynomial.iter_mut().zip(&gram) {
            *p = c * *p + b * g;
        }
        // It is symmetric.
        let polynomial = Matrix::by_rows(&polynomial, short, short);
        let change = if tall {
            product(of, polynomial)
        } else {
            product(polynomial, of)
        };
        for (x, change) in x.iter_mut().zip(change) {
            *x = a * *x + change;
        }
    }
    let scale = 0.2 * (rows.max(columns) as f32).sqrt();
    x.iter_mut().for_each(|x| *x *= scale);
    x
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    #[test]
    fn every_direction_moves_at_one_rate() {
        // Columns of very different size, in a tall and in a wide matrix.
        let values: Vec<f32> = (0..48)
            .map(|i| ((i * 37 % 23) as f32 - 11.0) * if i % 4 == 0 { 5.0 } else { 0.5 })
            .collect();
        for shape in [(12, 4), (4, 12)] {
            let matrix = Tensor::from_slice(&values, shape, &Device::Cpu).unwrap();
            let tall = update(&matrix).unwrap();
            let tall = if shape.0 < shape.1 {
                tall.t().unwrap()
            } else {
                tall
            };
            let scale = 0.2 * 12f64.sqrt();
            let gram = tall.t().unwrap().matmul(&tall).unwrap();
            let gram = (gram / (scale * scale)).unwrap().to_vec2::<f32>().unwrap();
            for (i, row) in gram.iter().enumerate() {
                for (j, &x) in row.iter().enumerate() {
                    let wanted = if i == j { 0.4..1.6 } else { -0.3..0.3 };
                    assert!(wanted.contains(&x), "{shape:?}: {i},{j} is {x}");
                }
            }
        }
    }

    #[test]
    fn the_update_by_products_in_bf16_is_near_the_other() {
        for (rows, columns) in [(40, 64), (64, 40)] {
            let values: Vec<f32> = (0..rows * columns)
                .map(|i| ((i * 7919 % 1009) as f32 - 500.0) / 100.0)
                .collect();
            let matrix = Tensor::from_slice(&values, (rows, columns), &Device::Cpu).unwrap();
            let wanted = update(&matrix).unwrap().flatten_all().unwrap();
            let wanted = wanted.to_vec1::<f32>().unwrap();
            let got = update_in_bf16(values, rows, columns);
            let size = wanted.iter().map(|x| x * x).sum::<f32>();
            let apart = wanted
                .iter()
                .zip(&got)
                .map(|(a, b)| (a - b).powi(2))
                .sum::<f32>();
            assert!(apart < 0.01 * size, "{apart} of {size}");
        }
    }

    #[test]
    fn the_update_in_bf16_is_near_the_other() {
        let values: Vec<f32> = (0..2 * 24 * 40)
            .map(|i| ((i * 7919 % 1009) as f32 - 500.0) / 100.0)
            .collect();
        let stack = Tensor::from_vec(values, (2, 24, 40), &Device::Cpu).unwrap();
        let [wanted, got] =
            [DType::F32, DType::BF16].map(|dtype| update_all(&stack, dtype).unwrap());
        let size = |x: &Tensor| {
            let sum = x.sqr().unwrap().sum_all().unwrap();
            sum.to_scalar::<f32>().unwrap()
        };
        let apart = size(&(&wanted - got).unwrap());
        assert!(apart < 0.01 * size(&wanted), "{apart}");
    }

    #[test]
    fn nothing_comes_of_nothing() {
        let zero = Tensor::zeros((3, 5), DType::F32, &Device::Cpu).unwrap();
        let rows = update(&zero).unwrap().to_vec2::<f32>().unwrap();
        assert!(rows.iter().flatten().all(|x| *x == 0.0));
    }
}
