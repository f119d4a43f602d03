//! GFLOP/s of the products of one training step, one thread: `cargo bench -p codexec-tiles`.
use std::time::Instant;

use codexec_tiles::{Matrix, available, has_dot_products, product, product_of_rounded, rounded};

fn main() {
    let kinds = [
        ("on tiles", available()),
        ("with AVX-512, rounded before", has_dot_products()),
    ];
    for (kind, is_there) in kinds {
        match is_there {
            true => measure(kind, kind == kinds[0].0),
            false => println!("{kind}: this processor has no such products"),
        }
    }
}

fn measure(kind: &str, on_tiles: bool) {
    for (rows, inner, columns, how) in [
        (2048, 256, 1024, "x wᵀ"),
        (2048, 1024, 256, "x wᵀ"),
        (2048, 1024, 256, "dy w"),
        (1024, 2048, 256, "dyᵀ x"),
        (256, 2048, 1024, "dyᵀ x"),
        (64, 32, 64, "x wᵀ"),
        (64, 64, 32, "dy w"),
    ] {
        let (x, y) = (vec![0.5_f32; rows * inner], vec![0.25_f32; inner * columns]);
        let (a_strides, b_strides) = match how {
            "x wᵀ" => ((inner, 1), (1, inner)),
            "dy w" => ((inner, 1), (columns, 1)),
            _ => ((1, rows), (columns, 1)),
        };
        let matrix = |values, rows, columns, (row_stride, column_stride)| Matrix::<f32> {
            values,
            rows,
            columns,
            row_stride,
            column_stride,
        };
        let a = matrix(&x, rows, inner, a_strides);
        let b = matrix(&y, inner, columns, b_strides);
        let (short_x, short_y) = (rounded(&x), rounded(&y));
        let work = 2.0 * (rows * inner * columns) as f64;
        let times = (2e10 / work) as usize;
        let start = Instant::now();
        for _ in 0..times {
            std::hint::black_box(match on_tiles {
                true => product(a, b),
                false => product_of_rounded(a.with(&short_x), b.with(&short_y)),
            });
        }
        let rate = work * times as f64 / start.elapsed().as_secs_f64() / 1e9;
        println!("{kind}: {rows:5} {inner:5} {columns:5}  {how:6} {rate:8.0} GFLOP/s");
    }
}
