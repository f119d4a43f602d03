//! Products of bf16 matrices with the AVX-512 instruction for bf16 (AMD from Zen 4, Intel from
//! Cooper Lake), or without it by the best that the processor has.
//!
//! The kernel is that of `gemmkit`. Its safe interface returns bf16; the layer below returns the
//! sums in f32, so that a result is neither rounded nor widened again.

use half::bf16;

use super::{Matrix, vectorized};

/// Whether this processor has the instruction.
pub(crate) fn available() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx512bf16")
        && std::arch::is_x86_feature_detected!("avx512f");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Rounds each value to the nearest bf16, ties to even.
pub(crate) fn rounded(x: &[f32]) -> Vec<bf16> {
    let round = |value: &f32| {
        let bits = value.to_bits();
        let even = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16;
        let bits = if value.is_nan() { 0x7fc0 } else { even };
        bf16::from_bits(bits as u16)
    };
    vectorized(
        #[inline(always)]
        || x.iter().map(round).collect(),
    )
}

/// Returns `a b`, by rows.
pub(crate) fn product(a: Matrix<'_, bf16>, b: Matrix<'_, bf16>) -> Vec<f32> {
    if a.rows == 0 || b.columns == 0 || a.columns == 0 {
        return vec![0.0; a.rows * b.columns];
    }
    #[cfg(target_arch = "x86_64")]
    if available() {
        return wide(a, b);
    }
    narrow(a, b)
}

/// Returns the sums in f32, unrounded.
#[cfg(target_arch = "x86_64")]
fn wide(a: Matrix<'_, bf16>, b: Matrix<'_, bf16>) -> Vec<f32> {
    use std::cell::RefCell;

    use gemmkit::kernel::Bf16DotGemmF32;
    use gemmkit::simd::Avx512Bf16;
    use gemmkit::{Parallelism, Workspace, driver};

    thread_local! {
        static WORKSPACE: RefCell<Workspace> = const { RefCell::new(Workspace::new()) };
    }
    // The sizes that `gemmkit` itself uses for this kernel: two registers of rows, twelve columns.
    const REGISTERS: usize = 2;
    const COLUMNS: usize = 12;
    let (rows, inner, columns) = (a.rows, a.columns, b.columns);
    let count = rows * columns;
    let mut out: Vec<f32> = Vec::with_capacity(count);
    WORKSPACE.with_borrow_mut(|workspace| {
        // The driver writes by columns: the transpose by columns is the product by rows.
        let (left, right) = (b.t(), a.t());
        // SAFETY: both matrices are inside their slices, as the caller has checked. `out` has room
        // for `count` values and no other user. With zero `beta` all of them are written and none
        // is read before. Sizes are not zero, and the processor has the instruction.
        unsafe {
            driver::run::<Bf16DotGemmF32, Avx512Bf16, REGISTERS, COLUMNS>(
                Avx512Bf16,
                columns,
                inner,
                rows,
                1.0,
                left.values.as_ptr(),
                left.row_stride as isize,
                left.column_stride as isize,
                right.values.as_ptr(),
                right.row_stride as isize,
                right.column_stride as isize,
                0.0,
                out.as_mut_ptr(),
                1,
                columns as isize,
                Parallelism::Serial,
                workspace,
            );
            out.set_len(count);
        }
    });
    out
}

/// Returns the sums rounded to bf16, by the best that the processor has.
fn narrow(a: Matrix<'_, bf16>, b: Matrix<'_, bf16>) -> Vec<f32> {
    fn of<'a>(matrix: Matrix<'a, bf16>) -> gemmkit::MatRef<'a, bf16> {
        let strides = (matrix.row_stride as isize, matrix.column_stride as isize);
        gemmkit::MatRef::new(
            matrix.values,
            matrix.rows,
            matrix.columns,
            strides.0,
            strides.1,
        )
    }
    let mut out = vec![bf16::ZERO; a.rows * b.columns];
    gemmkit::gemm(
        bf16::ONE,
        of(a),
        of(b),
        bf16::ZERO,
        gemmkit::MatMut::from_row_major(&mut out, a.rows, b.columns),
        gemmkit::Parallelism::Serial,
    );
    let widened = |value: &bf16| f32::from_bits(u32::from(value.to_bits()) << 16);
    vectorized(
        #[inline(always)]
        || out.iter().map(widened).collect(),
    )
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
    fn both_ways_give_the_same_but_for_rounding() {
        let (rows, inner, columns) = (37, 70, 19);
        let value = |i: usize| bf16::from_f32(((i * 7919) % 1000) as f32 / 500.0 - 1.0);
        let x: Vec<bf16> = (0..rows * inner).map(value).collect();
        let y: Vec<bf16> = (0..inner * columns).map(|i| value(i + 5)).collect();
        let a = Matrix::by_rows(&x, rows, inner);
        let b = Matrix::by_rows(&y, columns, inner).t();
        let (wide, narrow) = (product(a, b), narrow(a, b));
        for (wide, narrow) in wide.iter().zip(narrow) {
            assert!(
                (wide - narrow).abs() <= wide.abs() / 128.0,
                "{wide} {narrow}"
            );
        }
    }
}
