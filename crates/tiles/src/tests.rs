//! Tests products against products in f64.

use super::*;

fn values(count: usize, seed: usize) -> Vec<f32> {
    let value = |i: usize| (((i + seed) * 7919) % 1009) as f32 / 500.0 - 1.0;
    (0..count).map(value).collect()
}

/// Creates a matrix (rows, columns) by rows or by columns.
fn matrix(values: &[f32], rows: usize, columns: usize, by_rows: bool) -> Matrix<'_> {
    match by_rows {
        true => Matrix::by_rows(values, rows, columns),
        false => Matrix::by_rows(values, columns, rows).t(),
    }
}

type Product = fn(Matrix<'_>, Matrix<'_>) -> Vec<f32>;

fn of_rounded(a: Matrix<'_>, b: Matrix<'_>) -> Vec<f32> {
    product_of_rounded(a.with(&rounded(a.values)), b.with(&rounded(b.values)))
}

/// Returns the products that this processor supports.
fn products() -> Vec<Product> {
    let mut all: Vec<Product> = vec![of_rounded];
    match available() {
        true => all.push(product),
        false => eprintln!("this processor has no AMX with bf16: products on tiles are not tested"),
    }
    all
}

#[test]
fn products_of_all_layouts_and_sizes_are_near_those_in_f64() {
    for (rows, inner, columns) in [
        (1, 1, 1),
        (16, 32, 16),
        (64, 96, 32),
        (37, 70, 19),
        (33, 64, 48),
        (100, 31, 129),
        (5, 300, 64),
        (400, 700, 50),
        (40, 2100, 450),
        (48, 33, 16),
    ] {
        let (x, y) = (values(rows * inner, 1), values(inner * columns, 5));
        for (left, right) in [(true, true), (true, false), (false, true), (false, false)] {
            let a = matrix(&x, rows, inner, left);
            let b = matrix(&y, inner, columns, right);
            for product in products() {
                let out = product(a, b);
                assert_eq!(out.len(), rows * columns);
                for (at, got) in out.into_iter().enumerate() {
                    let (i, j) = (at / columns, at % columns);
                    let term = |k: usize| {
                        let left = x[i * a.row_stride + k * a.column_stride];
                        f64::from(left) * f64::from(y[k * b.row_stride + j * b.column_stride])
                    };
                    let size: f64 = (0..inner).map(|k| term(k).abs()).sum();
                    let wanted: f64 = (0..inner).map(term).sum();
                    assert!(
                        (f64::from(got) - wanted).abs() <= size / 120.0,
                        "{rows} {inner} {columns} {left} {right}: ({i}, {j}) {got} {wanted}"
                    );
                }
            }
        }
    }
}

#[test]
fn values_that_bf16_has_are_multiplied_exactly() {
    let x: Vec<f32> = (0..64 * 64).map(|i| (i % 15) as f32 - 7.0).collect();
    let identity: Vec<f32> = (0..64 * 64)
        .map(|i| f32::from(u8::from(i % 65 == 0)))
        .collect();
    let (a, one) = (matrix(&x, 64, 64, true), matrix(&identity, 64, 64, true));
    let nan = vec![f32::NAN; 64 * 64];
    for product in products() {
        assert_eq!(product(a, one), x);
        assert_eq!(product(one, a), x);
        let of_nan = product(matrix(&nan, 64, 64, true), one);
        assert!(of_nan.iter().all(|v| v.is_nan()));
    }
}

#[test]
#[should_panic]
fn a_matrix_that_does_not_lie_in_its_slice_panics() {
    assert!(available(), "without AMX every product panics");
    let few = vec![0.0; 63];
    let _ = product(matrix(&few, 8, 8, true), matrix(&few, 8, 8, true));
}

#[test]
#[should_panic = "the left matrix"]
fn a_matrix_of_rounded_values_that_does_not_lie_in_its_slice_panics() {
    let (few, all) = (vec![0.0; 63], vec![0.0; 64]);
    let _ = of_rounded(matrix(&few, 8, 8, true), matrix(&all, 8, 8, true));
}

#[test]
fn products_without_rows_or_terms_are_empty_or_zero() {
    assert!(of_rounded(matrix(&[], 0, 3, true), matrix(&[0.0; 6], 3, 2, true)).is_empty());
    let zero = of_rounded(matrix(&[], 2, 0, true), matrix(&[], 0, 2, true));
    assert_eq!(zero, [0.0; 4]);
}
