//! Products of matrices in bf16 with sums in f32: on the tiles of AMX (Intel, from Sapphire Rapids), and with the
//! instruction of AVX-512 for bf16 (AMD from Zen 4, Intel from Cooper Lake).
//!
//! With `codexec-gpu` the only crate of this project with unsafe code: no crate offers these products in safe Rust, and the
//! intrinsics of AMX are not stable. What is unsafe is in `tile`, in `dot` and in the request to the kernel; the interface is
//! safe, and checked against f64.
#![allow(unsafe_code)]

mod dot;
mod loops;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod pack;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod tile;

use half::bf16;

pub use loops::vectorized;

/// A matrix that lies in a slice: element (i, j) at `i * row_stride + j * column_stride`.
#[derive(Debug, Clone, Copy)]
pub struct Matrix<'a, T = f32> {
    /// The values, from the first element on.
    pub values: &'a [T],
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Values between one row and the next.
    pub row_stride: usize,
    /// Values between one column and the next.
    pub column_stride: usize,
}

impl<'a, T> Matrix<'a, T> {
    /// (rows, columns), one row behind the other.
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

    /// Values from the first element to the last.
    #[must_use]
    pub fn span(&self) -> usize {
        match (self.rows, self.columns) {
            (0, _) | (_, 0) => 0,
            (rows, columns) => {
                (rows - 1) * self.row_stride + (columns - 1) * self.column_stride + 1
            }
        }
    }

    /// The same places in other values.
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

/// Whether this processor has the instruction of AVX-512 for bf16.
#[must_use]
pub fn has_dot_products() -> bool {
    dot::available()
}

/// Each value rounded to the nearest bf16, ties to even.
#[must_use]
pub fn rounded(values: &[f32]) -> Vec<bf16> {
    dot::rounded(values)
}

/// `a b`, (rows of a, columns of b) contiguous, of values that are rounded already. Sums are f32; without
/// [`has_dot_products`] they are rounded to bf16 in the end.
///
/// # Panics
/// Where the inner sizes differ, or a matrix does not lie in its slice.
#[must_use]
pub fn product_of_rounded(a: Matrix<'_, bf16>, b: Matrix<'_, bf16>) -> Vec<f32> {
    assert_eq!(a.columns, b.rows, "inner sizes");
    assert!(a.span() <= a.values.len(), "the left matrix");
    assert!(b.span() <= b.values.len(), "the right matrix");
    dot::product(a, b)
}

#[cfg(test)]
mod tests;
