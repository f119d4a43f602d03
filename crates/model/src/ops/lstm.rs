//! The cells of an LSTM, as a loop like those of `kernels`.

use codexec_tiles::vectorized;

use super::kernels::exp;

/// `1 / (1 + e^-x)`.
#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// `tanh x`, relative error under 3e-7 (Cephes `tanhf`).
#[inline(always)]
fn tanh(x: f32) -> f32 {
    let z = x * x;
    let mut p = -5.704_988_7e-3;
    p = p * z + 2.063_908_8e-2;
    p = p * z - 5.373_971_6e-2;
    p = p * z + 1.333_144_2e-1;
    p = p * z - 3.333_328e-1;
    let near = p * z * x + x;
    let far = (1.0 - 2.0 / (exp(2.0 * x.abs()) + 1.0)).copysign(x);
    if x.abs() < 0.625 { near } else { far }
}

/// The cells of an LSTM, row by row. `gates` (rows,4H) are those of input, forget, cell and output before their
/// activation, and activated afterwards. Rows of `states` are `width` long and have the hidden state and the cell at
/// `from`; `squashed` (rows,H) becomes the `tanh` of the new cells.
pub(super) fn lstm_cells(
    gates: &mut [f32],
    states: &mut [f32],
    (width, from): (usize, usize),
    squashed: &mut [f32],
    h: usize,
) {
    vectorized(
        #[inline(always)]
        || {
            let rows = gates
                .chunks_exact_mut(4 * h)
                .zip(states.chunks_exact_mut(width));
            for ((gates, state), squashed) in rows.zip(squashed.chunks_exact_mut(h)) {
                let (i, rest) = gates.split_at_mut(h);
                let (f, rest) = rest.split_at_mut(h);
                let (g, o) = rest.split_at_mut(h);
                let (hidden, cell) = state[from..][..2 * h].split_at_mut(h);
                for j in 0..h {
                    (i[j], f[j]) = (sigmoid(i[j]), sigmoid(f[j]));
                    (g[j], o[j]) = (tanh(g[j]), sigmoid(o[j]));
                    cell[j] = f[j] * cell[j] + i[j] * g[j];
                    squashed[j] = tanh(cell[j]);
                    hidden[j] = o[j] * squashed[j];
                }
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squashing_is_as_the_standard_library_has_it() {
        let values = (-4000..4000).map(|i| i as f32 / 80.0);
        for x in values.chain([0.0, 1e-6, -1e-6, 0.625, -0.625, 1e9, -1e9]) {
            let wanted = f64::from(x).tanh();
            let apart = (f64::from(tanh(x)) - wanted).abs();
            assert!(
                apart <= 4e-7 * wanted.abs(),
                "tanh {x}: {} {wanted}",
                tanh(x)
            );
            let wanted = 1.0 / (1.0 + (-f64::from(x)).exp());
            let apart = (f64::from(sigmoid(x)) - wanted).abs();
            assert!(apart <= 4e-7, "sigmoid {x}: {} {wanted}", sigmoid(x));
        }
    }
}
