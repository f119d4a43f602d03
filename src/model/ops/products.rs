//! Products of matrices in bf16 with sums in f32, for processors that have an instruction for it.

use half::bf16;
use pulp::Arch;

/// The type in which a product takes its operands; it adds in f32 either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Products {
    /// As the values are.
    #[default]
    F32,
    /// Rounded to bf16: about twice as fast with AVX-512 BF16 (AMD from Zen 4, Intel from Cooper Lake), where the
    /// result is rounded, too, and faster still with AMX (Intel from Sapphire Rapids), where it is not. The values
    /// themselves stay f32.
    Bf16,
}

impl Products {
    /// bf16 where this processor multiplies faster in it, f32 elsewhere.
    #[must_use]
    pub fn fastest() -> Self {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx512bf16") {
            return Self::Bf16;
        }
        Self::F32
    }
}

/// Where a matrix lies in a slice: (rows, columns), and the strides of both.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) row_stride: usize,
    pub(super) column_stride: usize,
}

impl View {
    fn tiles<'a>(&self, values: &'a [f32]) -> codexec_tiles::Matrix<'a> {
        codexec_tiles::Matrix {
            values,
            rows: self.rows,
            columns: self.columns,
            row_stride: self.row_stride,
            column_stride: self.column_stride,
        }
    }

    fn of<'a>(&self, values: &'a [bf16]) -> gemmkit::MatRef<'a, bf16> {
        let (row, column) = (self.row_stride as isize, self.column_stride as isize);
        gemmkit::MatRef::new(values, self.rows, self.columns, row, column)
    }

    /// Values from the first to the last.
    fn span(&self) -> usize {
        match (self.rows, self.columns) {
            (0, _) | (_, 0) => 0,
            (r, c) => (r - 1) * self.row_stride + (c - 1) * self.column_stride + 1,
        }
    }
}

/// `a b`, (rows of a, columns of b) contiguous, in bf16.
pub(super) fn times_bf16((a, at): (&[f32], View), (b, bt): (&[f32], View)) -> Vec<f32> {
    if codexec_tiles::available() {
        return codexec_tiles::product(at.tiles(a), bt.tiles(b));
    }
    let (a, b) = (rounded(&a[..at.span()]), rounded(&b[..bt.span()]));
    let mut out = vec![bf16::ZERO; at.rows * bt.columns];
    gemmkit::gemm(
        bf16::ONE,
        at.of(&a),
        bt.of(&b),
        bf16::ZERO,
        gemmkit::MatMut::from_row_major(&mut out, at.rows, bt.columns),
        gemmkit::Parallelism::Serial,
    );
    let wide = |value: &bf16| f32::from_bits(u32::from(value.to_bits()) << 16);
    Arch::new().dispatch(|| out.iter().map(wide).collect())
}

/// Each value rounded to the nearest bf16, ties to even.
fn rounded(x: &[f32]) -> Vec<bf16> {
    let round = |value: &f32| {
        let bits = value.to_bits();
        let even = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16;
        let bits = if value.is_nan() { 0x7fc0 } else { even };
        bf16::from_bits(bits as u16)
    };
    Arch::new().dispatch(|| x.iter().map(round).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_rounded_as_the_crate_of_the_type_rounds_them() {
        let mut values: Vec<f32> = (0..100_000u32)
            .map(|i| f32::from_bits(i.wrapping_mul(2_654_435_761)))
            .collect();
        values.extend([
            0.0,
            -0.0,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::MAX,
            f32::MIN_POSITIVE,
        ]);
        for (value, ours) in values.iter().zip(rounded(&values)) {
            let theirs = bf16::from_f32(*value);
            assert!(
                ours == theirs || (ours.is_nan() && theirs.is_nan()),
                "{value}: {ours} {theirs}"
            );
        }
    }

    #[test]
    fn products_of_strided_matrices_are_near_those_in_f32() {
        let (rows, inner, columns) = (37, 70, 19);
        let value = |i: usize| ((i * 7919) % 1000) as f32 / 500.0 - 1.0;
        let a: Vec<f32> = (0..rows * inner).map(value).collect();
        let b: Vec<f32> = (0..inner * columns).map(|i| value(i + 5)).collect();
        // `a` by rows, `b` by columns.
        let at = View {
            rows,
            columns: inner,
            row_stride: inner,
            column_stride: 1,
        };
        let bt = View {
            rows: inner,
            columns,
            row_stride: 1,
            column_stride: inner,
        };
        let ours = times_bf16((&a, at), (&b, bt));
        for i in 0..rows {
            for j in 0..columns {
                let terms = (0..inner).map(|k| a[i * inner + k] * b[j * inner + k]);
                let size: f32 = terms.clone().map(f32::abs).sum();
                let wanted: f32 = terms.sum();
                let got = ours[i * columns + j];
                assert!(
                    (got - wanted).abs() < size / 100.0,
                    "{i},{j}: {got} {wanted}"
                );
            }
        }
    }
}
