//! Loops over rows of f32, written so that the compiler vectorises them, and compiled for the best
//! instruction set found at run time.
//!
//! Nothing here allocates, knows tensors or starts threads: shapes are the callers' business.

use pulp::Arch;

/// Independent partial sums: two AVX2 registers' worth twice over, so that sums vectorise.
const LANES: usize = 16;

/// A mask value at or below this closes its position (masks use -1e30, others -inf or `f32::MIN`).
const CLOSED: f32 = -1e20;

/// `e^x`, relative error under 2e-7 (Cephes `expf`); 0 far below, finite above.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0; // 1.5 * 2^23: adding it leaves the nearest integer in the low bits
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = x - n * 0.693_359_4 + n * 2.121_944_4e-4;
    let mut p = 1.987_569_1e-4;
    p = p * r + 1.398_199_9e-3;
    p = p * r + 8.333_452e-3;
    p = p * r + 4.166_579_6e-2;
    p = p * r + 1.666_666_5e-1;
    p = p * r + 0.5;
    let y = p * r * r + r + 1.0;
    let scale = f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f80_0000));
    y * scale
}

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

/// The cells of an LSTM, row by row. `gates` (rows,4H) are those of input, forgetting, cell and output before their
/// squashing, and squashed afterwards. Rows of `states` are `width` long and have the hidden state and the cell one behind
/// the other at `from`; `squashed` (rows,H) becomes the `tanh` of the new cells.
pub(super) fn lstm_cells(
    gates: &mut [f32],
    states: &mut [f32],
    (width, from): (usize, usize),
    squashed: &mut [f32],
    h: usize,
) {
    Arch::new().dispatch(|| {
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
    });
}

/// The normal distribution at `x`: its integral and its density. Absolute error under 2e-7
/// (Abramowitz and Stegun 7.1.26).
#[inline(always)]
fn normal(x: f32) -> (f32, f32) {
    let t = 1.0 / (1.0 + 0.231_641_89 * x.abs());
    let e = exp(-0.5 * x * x);
    let mut p = 1.061_405_4;
    p = p * t - 1.453_152;
    p = p * t + 1.421_413_8;
    p = p * t - 0.284_496_72;
    p = p * t + 0.254_829_6;
    let tail = 0.5 * p * t * e;
    let below = if x < 0.0 { tail } else { 1.0 - tail };
    (below, e * 0.398_942_3)
}

/// Sum of `f(a, b)` over two rows.
#[inline(always)]
fn sum2(a: &[f32], b: &[f32], f: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [0f32; LANES];
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    for (x, y) in a_chunks.iter().zip(b_chunks) {
        for i in 0..LANES {
            lanes[i] += f(x[i], y[i]);
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(&x, &y)| f(x, y)).sum();
    lanes.iter().sum::<f32>() + rest
}

/// Sum of `f(a)` over a row.
#[inline(always)]
fn sum(a: &[f32], f: impl Fn(f32) -> f32) -> f32 {
    sum2(a, a, |x, _| f(x))
}

/// Largest value of a row.
#[inline(always)]
fn max(a: &[f32]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let (chunks, rest) = a.as_chunks::<LANES>();
    for x in chunks {
        for i in 0..LANES {
            lanes[i] = if x[i] > lanes[i] { x[i] } else { lanes[i] };
        }
    }
    lanes
        .iter()
        .chain(rest)
        .copied()
        .fold(f32::NEG_INFINITY, f32::max)
}

/// `to += from`.
pub(super) fn add(to: &mut [f32], from: &[f32]) {
    Arch::new().dispatch(|| {
        for (t, &f) in to.iter_mut().zip(from) {
            *t += f;
        }
    });
}

/// `to += row` for every row of `to`.
pub(super) fn add_row(to: &mut [f32], row: &[f32]) {
    Arch::new().dispatch(|| {
        for t in to.chunks_exact_mut(row.len()) {
            for (t, &r) in t.iter_mut().zip(row) {
                *t += r;
            }
        }
    });
}

/// `to += from + row` for every row of `to` and `from`.
pub(super) fn add_residual(to: &mut [f32], from: &[f32], row: &[f32]) {
    let width = row.len();
    Arch::new().dispatch(|| {
        for (t, f) in to.chunks_exact_mut(width).zip(from.chunks_exact(width)) {
            for ((t, &f), &r) in t.iter_mut().zip(f).zip(row) {
                *t += f + r;
            }
        }
    });
}

/// `to += ` the sum of the rows of `from`.
pub(super) fn add_column_sums(to: &mut [f32], from: &[f32]) {
    Arch::new().dispatch(|| {
        for f in from.chunks_exact(to.len()) {
            for (t, &f) in to.iter_mut().zip(f) {
                *t += f;
            }
        }
    });
}

/// `x *= by`.
pub(super) fn scale(x: &mut [f32], by: f32) {
    Arch::new().dispatch(|| {
        for x in x.iter_mut() {
            *x *= by;
        }
    });
}

/// `x = gelu(x)`.
pub(super) fn gelu(x: &mut [f32]) {
    Arch::new().dispatch(|| {
        for x in x.iter_mut() {
            *x *= normal(*x).0;
        }
    });
}

/// `x = gelu(x + bias)` row by row.
pub(super) fn bias_gelu(x: &mut [f32], bias: &[f32]) {
    Arch::new().dispatch(|| {
        for x in x.chunks_exact_mut(bias.len()) {
            for (x, &b) in x.iter_mut().zip(bias) {
                let h = *x + b;
                *x = h * normal(h).0;
            }
        }
    });
}

/// Appends `gelu(x + bias)` to `out` and leaves the slope of gelu in `x`.
pub(super) fn bias_gelu_and_slope(x: &mut [f32], bias: &[f32], out: &mut [f32]) {
    let width = bias.len();
    Arch::new().dispatch(|| {
        for (x, out) in x.chunks_exact_mut(width).zip(out.chunks_exact_mut(width)) {
            for ((x, &b), o) in x.iter_mut().zip(bias).zip(out) {
                let h = *x + b;
                let (below, density) = normal(h);
                *o = h * below;
                *x = below + h * density;
            }
        }
    });
}

/// `grad *= slope`, and adds the sums of its columns to `bias_grad`.
pub(super) fn slope_backward(grad: &mut [f32], slope: &[f32], bias_grad: &mut [f32]) {
    let width = bias_grad.len();
    Arch::new().dispatch(|| {
        for (g, s) in grad.chunks_exact_mut(width).zip(slope.chunks_exact(width)) {
            for ((g, &s), b) in g.iter_mut().zip(s).zip(bias_grad.iter_mut()) {
                *g *= s;
                *b += *g;
            }
        }
    });
}

/// `grad *= gelu'(x + bias)`, and adds the sums of its columns to `bias_grad`.
pub(super) fn bias_gelu_backward(grad: &mut [f32], x: &[f32], bias: &[f32], bias_grad: &mut [f32]) {
    let width = bias.len();
    Arch::new().dispatch(|| {
        for (g, x) in grad.chunks_exact_mut(width).zip(x.chunks_exact(width)) {
            for (((g, &x), &b), d) in g.iter_mut().zip(x).zip(bias).zip(bias_grad.iter_mut()) {
                let h = x + b;
                let (below, density) = normal(h);
                *g *= below + h * density;
                *d += *g;
            }
        }
    });
}

/// Turns pairs of values by angles: of each row of `stride` values the first `width`, in heads of `size`, whose two
/// halves are the pairs. `cos` and `sin` have half a head for each row; `sign` -1 turns back.
pub(super) fn rotate(
    x: &mut [f32],
    (stride, width, size): (usize, usize, usize),
    cos: &[f32],
    sin: &[f32],
    sign: f32,
) {
    let half = size / 2;
    Arch::new().dispatch(|| {
        let angles = cos.chunks_exact(half).zip(sin.chunks_exact(half));
        for (row, (cos, sin)) in x.chunks_exact_mut(stride).zip(angles) {
            for head in row[..width].chunks_exact_mut(size) {
                let (first, second) = head.split_at_mut(half);
                for i in 0..half {
                    let (a, b, s) = (first[i], second[i], sign * sin[i]);
                    first[i] = a * cos[i] - b * s;
                    second[i] = a * s + b * cos[i];
                }
            }
        }
    });
}

/// Turns each row of `x` into its normal form (mean 0, variance 1) and gives one over the deviation
/// in `inverse`.
pub(super) fn normalise(x: &mut [f32], width: usize, eps: f32, inverse: &mut [f32]) {
    let n = width as f32;
    Arch::new().dispatch(|| {
        for (x, inverse) in x.chunks_exact_mut(width).zip(inverse.iter_mut()) {
            let mean = sum(x, |v| v) / n;
            let variance = sum(x, |v| (v - mean) * (v - mean)) / n;
            let inv = 1.0 / (variance + eps).sqrt();
            for v in x.iter_mut() {
                *v = (*v - mean) * inv;
            }
            *inverse = inv;
        }
    });
}

/// `out = x * weight + bias` row by row.
pub(super) fn affine(x: &[f32], weight: &[f32], bias: &[f32], out: &mut [f32]) {
    let width = weight.len();
    Arch::new().dispatch(|| {
        for (x, out) in x.chunks_exact(width).zip(out.chunks_exact_mut(width)) {
            for (((o, &x), &w), &b) in out.iter_mut().zip(x).zip(weight).zip(bias) {
                *o = x * w + b;
            }
        }
    });
}

/// Layer normalisation backwards: `grad` of the result becomes the gradient of the input, given the
/// `normal` rows and the `inverse` deviations that [`normalise`] made. Adds to the gradients of
/// weight and bias.
pub(super) fn normalise_backward(
    grad: &mut [f32],
    normal: &[f32],
    inverse: &[f32],
    weight: &[f32],
    weight_grad: &mut [f32],
    bias_grad: &mut [f32],
) {
    let width = weight.len();
    let n = width as f32;
    Arch::new().dispatch(|| {
        let rows = grad.chunks_exact_mut(width).zip(normal.chunks_exact(width));
        for ((g, x), &inv) in rows.zip(inverse) {
            for i in 0..width {
                weight_grad[i] += g[i] * x[i];
                bias_grad[i] += g[i];
                g[i] *= weight[i];
            }
            let mean = sum(g, |v| v) / n;
            let along = sum2(g, x, |g, x| g * x) / n;
            for (g, &x) in g.iter_mut().zip(x) {
                *g = (*g - mean - x * along) * inv;
            }
        }
    });
}

/// Softmax of each row of `scores * scale + mask`; `mask` has as many values. Masked positions give
/// exact zeros, also when nothing in the row is open.
pub(super) fn masked_softmax(scores: &mut [f32], mask: &[f32], width: usize, scale: f32) {
    Arch::new().dispatch(|| {
        for (s, m) in scores.chunks_exact_mut(width).zip(mask.chunks_exact(width)) {
            for (s, &m) in s.iter_mut().zip(m) {
                *s = *s * scale + m;
            }
            let top = max(s);
            if top <= CLOSED {
                s.fill(0.0);
                continue;
            }
            for s in s.iter_mut() {
                let e = exp(*s - top);
                *s = if *s <= CLOSED { 0.0 } else { e };
            }
            let inverse = 1.0 / sum(s, |v| v);
            for s in s.iter_mut() {
                *s *= inverse;
            }
        }
    });
}

/// Softmax backwards: `grad` of the probabilities becomes the gradient of the scores, times `scale`.
pub(super) fn softmax_backward(grad: &mut [f32], probs: &[f32], width: usize, scale: f32) {
    Arch::new().dispatch(|| {
        for (g, p) in grad.chunks_exact_mut(width).zip(probs.chunks_exact(width)) {
            let along = sum2(g, p, |g, p| g * p);
            for (g, &p) in g.iter_mut().zip(p) {
                *g = (*g - along) * p * scale;
            }
        }
    });
}

/// `-log softmax(logits)[target]` of a row.
pub(super) fn surprise(logits: &[f32], target: usize) -> f32 {
    Arch::new().dispatch(|| {
        let top = max(logits);
        top + sum(logits, |v| exp(v - top)).ln() - logits[target]
    })
}

/// Turns a row of logits into the gradient of `weight * -log softmax(logits)[target]` and gives that
/// loss.
pub(super) fn surprise_gradient(logits: &mut [f32], target: usize, weight: f32) -> f32 {
    Arch::new().dispatch(|| {
        let top = max(logits);
        let chosen = logits[target];
        for v in logits.iter_mut() {
            *v = exp(*v - top);
        }
        let total = sum(logits, |v| v);
        let by = weight / total;
        for v in logits.iter_mut() {
            *v *= by;
        }
        logits[target] -= weight;
        weight * (top + total.ln() - chosen)
    })
}

/// Position of the largest value (the first of equals).
pub(super) fn argmax(row: &[f32]) -> usize {
    let top = Arch::new().dispatch(|| max(row));
    row.iter().position(|&v| v == top).unwrap_or(0)
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
