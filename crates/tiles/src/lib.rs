//! Products of bf16 matrices with f32 sums: on the tiles of AMX (Intel, from Sapphire Rapids), and
//! with the AVX-512 instruction for bf16 (AMD from Zen 4, Intel from Cooper Lake).
//!
//! Besides `codexec-gpu`, this is the only crate of the project with unsafe code: no crate offers
//! these products in safe Rust, and the AMX intrinsics are not stable. The unsafe code is in
//! `tile`, in `dot` and in the request to the kernel. The interface is safe, and is tested against
//! f64.
#![allow(unsafe_code)]

mod dot;
mod loops;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod pack;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod tile;

use half::bf16;

pub use loops::vectorized;

/// A matrix inside a slice: element (i, j) is at `i * row_stride + j * column_stride`.
#[derive(Debug, Clone, Copy)]
pub struct Matrix<'a, T = f32> {
    /// The values, starting with the first element.
    pub values: &'a [T],
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Distance between rows.
    pub row_stride: usize,
    /// Distance between columns.
    pub column_stride: usize,
}

impl<'a, T> Matrix<'a, T> {
    /// Creates a matrix (rows, columns) with contiguous rows.
    #[must_use]
    pub fn by_rows(values: &'a [T], rows: usize, columns: usize) -> Self {
        Self {
            values,
            rows,
            columns,
            row_stride: columns,
            column_stride: 1,
        }
    }

    /// Returns the transpose, by strides.
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

    /// Returns the number of values from the first element to the last.
    #[must_use]
    pub fn span(&self) -> usize {
        match (self.rows, self.columns) {
            (0, _) | (_, 0) => 0,
            (rows, columns) => {
                (rows - 1) * self.row_stride + (columns - 1) * self.column_stride + 1
            }
        }
    }

    /// Returns the same layout over other values.
    #[must_use]
    pub fn with<'b, U>(&self, values: &'b [U]) -> Matrix<'b, U> {
        Matrix {
            values,
            rows: self.rows,
            columns: self.columns,
            row_stride: self.row_stride,
            column_stride: self.column_stride,
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

/// Returns `a b`, (rows of a, columns of b) contiguous. Operands are rounded to the nearest bf16,
/// ties to even; sums are f32. Denormal numbers count as zero.
///
/// # Panics
/// If AMX is not [`available`], the inner sizes differ, or a matrix exceeds its slice.
#[must_use]
pub fn product(a: Matrix, b: Matrix) -> Vec<f32> {
    assert!(available(), "this processor has no AMX with bf16");
    assert_eq!(a.columns, b.rows, "inner sizes");
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    return tile::product(a, b);
    #[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
    unreachable!()
}

/// Whether this processor has the AVX-512 instruction for bf16.
#[must_use]
pub fn has_dot_products() -> bool {
    dot::available()
}

/// Rounds each value to the nearest bf16, ties to even.
#[must_use]
pub fn rounded(values: &[f32]) -> Vec<bf16> {
    dot::rounded(values)
}

/// Returns `a b`, (rows of a, columns of b) contiguous, of values that are already rounded. Sums
/// are f32; without [`has_dot_products`] they are rounded to bf16 at the end.
///
/// # Panics
/// If the inner sizes differ, or a matrix exceeds its slice.
#[must_use]
pub fn product_of_rounded(a: Matrix<'_, bf16>, b: Matrix<'_, bf16>) -> Vec<f32> {
    assert_eq!(a.columns, b.rows, "inner sizes");
    assert!(a.span() <= a.values.len(), "the left matrix");
    assert!(b.span() <= b.values.len(), "the right matrix");
    dot::product(a, b)
}

#[cfg(test)]
mod tests;
