//! Products of matrices in bf16 with sums in f32, on the tiles of AMX (Intel, from Sapphire Rapids).
//!
//! With `codexec-gpu` the only crate of this project with unsafe code: no crate offers these products in safe Rust, and the
//! intrinsics are not stable. What is unsafe is in `tile` and in the request to the kernel; the interface is
//! safe, and checked against f32.
#![allow(unsafe_code)]

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod pack;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod tile;

/// A matrix that lies in a slice of f32: element (i, j) at `i * row_stride + j * column_stride`.
#[derive(Debug, Clone, Copy)]
pub struct Matrix<'a> {
    /// The values, from the first element on.
    pub values: &'a [f32],
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Values between one row and the next.
    pub row_stride: usize,
    /// Values between one column and the next.
    pub column_stride: usize,
}

impl Matrix<'_> {
    /// The transpose, by strides.
    #[must_use]
    pub fn t(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
            ..self
        }
    }
}

/// Whether this processor has AMX with bf16 and the kernel lets this process use it.
#[must_use]
pub fn available() -> bool {
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    return tile::available();
    #[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
    false
}

/// `a b`, (rows of a, columns of b) contiguous. Operands are rounded to the nearest bf16, ties to even; sums are
/// f32. Denormal numbers count as zero.
///
/// # Panics
/// Where AMX is not [`available`], the inner sizes differ, or a matrix does not lie in its slice.
#[must_use]
pub fn product(a: Matrix, b: Matrix) -> Vec<f32> {
    assert!(available(), "this processor has no AMX with bf16");
    assert_eq!(a.columns, b.rows, "inner sizes");
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    return tile::product(a, b);
    #[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
    unreachable!()
}

#[cfg(test)]
mod tests;
