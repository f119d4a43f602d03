//! Loops over rows of f32, written so that the compiler vectorises them, and compiled for the best
//! instruction set found at run time.
//!
//! Each loop is an always-inlined closure: a called one is compiled for the oldest processor, not for the detected
//! instruction set, and takes several times as long.
//!
//! Nothing here allocates, knows tensors or starts threads. Callers are responsible for shapes.

use codexec_tiles::vectorized;

/// Independent partial sums: two AVX2 registers' worth twice over, so that sums vectorise.
const LANES: usize = 16;

/// A mask value at or below this closes its position (masks use -1e30, others -inf or `f32::MIN`).
const CLOSED: f32 = -1e20;

/// `e^x`, relative error under 2e-7 (Cephes `expf`); 0 far below, finite above.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0; // 1.5 * 2^23: adding it leaves the nearest integer in the low bits
    let x = x.clamp(-87.0, 88.0);
    // One instruction each if the processor has it: the callers are compiled for it.
    let shifted = x.mul_add(std::f32::consts::LOG2_E, ROUND);
    let n = shifted - ROUND;
    let r = n.mul_add(2.121_944_4e-4, n.mul_add(-0.693_359_4, x));
    let mut p = 1.987_569_1e-4_f32;
    p = p.mul_add(r, 1.398_199_9e-3);
    p = p.mul_add(r, 8.333_452e-3);
    p = p.mul_add(r, 4.166_579_6e-2);
    p = p.mul_add(r, 1.666_666_5e-1);
    p = p.mul_add(r, 0.5);
    let y = (p * r).mul_add(r, r + 1.0);
    let scale = f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f80_0000));
    y * scale
}

/// The normal distribution at `x`: its integral and its density. Absolute error under 2e-7
/// (Abramowitz and Stegun 7.1.26).
#[inline(always)]
fn normal(x: f32) -> (f32, f32) {
    let t = 1.0 / x.abs().mul_add(0.231_641_89, 1.0);
    let e = exp(-0.5 * x * x);
    let mut p = 1.061_405_4_f32;
    p = p.mul_add(t, -1.453_152);
    p = p.mul_add(t, 1.421_413_8);
    p = p.mul_add(t, -0.284_496_72);
    p = p.mul_add(t, 0.254_829_6);
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
    vectorized(
        #[inline(always)]
        || {
            for (t, &f) in to.iter_mut().zip(from) {
                *t += f;
            }
        },
    );
}

/// `to += row` for every row of `to`.
pub(super) fn add_row(to: &mut [f32], row: &[f32]) {
    vectorized(
        #[inline(always)]
        || {
            for t in to.chunks_exact_mut(row.len()) {
                for (t, &r) in t.iter_mut().zip(row) {
                    *t += r;
                }
            }
        },
    );
}

/// `to += from + row` for every row of `to` and `from`.
pub(super) fn add_residual(to: &mut [f32], from: &[f32], row: &[f32]) {
    let width = row.len();
    vectorized(
        #[inline(always)]
        || {
            for (t, f) in to.chunks_exact_mut(width).zip(from.chunks_exact(width)) {
                for ((t, &f), &r) in t.iter_mut().zip(f).zip(row) {
                    *t += f + r;
                }
            }
        },
    );
}

/// `to += ` the sum of the rows of `from`.
pub(super) fn add_column_sums(to: &mut [f32], from: &[f32]) {
    vectorized(
        #[inline(always)]
        || {
            for f in from.chunks_exact(to.len()) {
                for (t, &f) in to.iter_mut().zip(f) {
                    *t += f;
                }
            }
        },
    );
}

/// `x *= by`.
pub(super) fn scale(x: &mut [f32], by: f32) {
    vectorized(
        #[inline(always)]
        || {
            for x in x.iter_mut() {
                *x *= by;
            }
        },
    );
}

/// `x = gelu(x)`.
pub(super) fn gelu(x: &mut [f32]) {
    vectorized(
        #[inline(always)]
        || {
            for x in x.iter_mut() {
                *x *= normal(*x).0;
            }
        },
    );
}

/// `x = gelu(x + bias)` row by row.
pub(super) fn bias_gelu(x: &mut [f32], bias: &[f32]) {
    vectorized(
        #[inline(always)]
        || {
            for x in x.chunks_exact_mut(bias.len()) {
                for (x, &b) in x.iter_mut().zip(bias) {
                    let h = *x + b;
                    *x = h * normal(h).0;
                }
            }
        },
    );
}

/// Appends `gelu(x + bias)` to `out` and leaves the slope of gelu in `x`.
pub(super) fn bias_gelu_and_slope(x: &mut [f32], bias: &[f32], out: &mut [f32]) {
    let width = bias.len();
    vectorized(
        #[inline(always)]
        || {
            for (x, out) in x.chunks_exact_mut(width).zip(out.chunks_exact_mut(width)) {
                for ((x, &b), o) in x.iter_mut().zip(bias).zip(out) {
                    let h = *x + b;
                    let (below, density) = normal(h);
                    *o = h * below;
                    *x = below + h * density;
                }
            }
        },
    );
}

/// `grad *= slope`, and adds the sums of its columns to `bias_grad`.
pub(super) fn slope_backward(grad: &mut [f32], slope: &[f32], bias_grad: &mut [f32]) {
    let width = bias_grad.len();
    vectorized(
        #[inline(always)]
        || {
            for (g, s) in grad.chunks_exact_mut(width).zip(slope.chunks_exact(width)) {
                for ((g, &s), b) in g.iter_mut().zip(s).zip(bias_grad.iter_mut()) {
                    *g *= s;
                    *b += *g;
                }
            }
        },
    );
}

/// `grad *= gelu'(x + bias)`, and adds the sums of its columns to `bias_grad`.
pub(super) fn bias_gelu_backward(grad: &mut [f32], x: &[f32], bias: &[f32], bias_grad: &mut [f32]) {
    let width = bias.len();
    vectorized(
        #[inline(always)]
        || {
            for (g, x) in grad.chunks_exact_mut(width).zip(x.chunks_exact(width)) {
                for (((g, &x), &b), d) in g.iter_mut().zip(x).zip(bias).zip(bias_grad.iter_mut()) {
                    let h = x + b;
                    let (below, density) = normal(h);
                    *g *= below + h * density;
                    *d += *g;
                }
            }
        },
    );
}

/// Rotates pairs of values: of each row of `stride` values the first `width`, in heads of `size`, whose two halves
/// are the pairs. `cos` and `sin` have half a head for each row; `sign` -1 rotates back.
pub(super) fn rotate(
    x: &mut [f32],
    (stride, width, size): (usize, usize, usize),
    cos: &[f32],
    sin: &[f32],
    sign: f32,
) {
    let half = size / 2;
    vectorized(
        #[inline(always)]
        || {
            let angles = cos.chunks_exact(half).zip(sin.chunks_exact(half));
            for (row, (cos, sin)) in x.chunks_exact_mut(stride).zip(angles) {
                for head in row[..width].chunks_exact_mut(size) {
                    let (first, second) = head.split_at_mut(half);
                    let pairs = first.iter_mut().zip(second);
                    for ((first, second), (&cos, &sin)) in pairs.zip(cos.iter().zip(sin)) {
                        let (a, b, s) = (*first, *second, sign * sin);
                        *first = a * cos - b * s;
                        *second = a * s + b * cos;
                    }
                }
            }
        },
    );
}

/// Normalises each row of `x` (mean 0, variance 1) and stores one over the deviation in `inverse`.
pub(super) fn normalise(x: &mut [f32], width: usize, eps: f32, inverse: &mut [f32]) {
    let n = width as f32;
    vectorized(
        #[inline(always)]
        || {
            for (x, inverse) in x.chunks_exact_mut(width).zip(inverse.iter_mut()) {
                let mean = sum(x, |v| v) / n;
                let variance = sum(x, |v| (v - mean) * (v - mean)) / n;
                let inv = 1.0 / (variance + eps).sqrt();
                for v in x.iter_mut() {
                    *v = (*v - mean) * inv;
                }
                *inverse = inv;
            }
        },
    );
}

/// `out = x * weight + bias` row by row.
pub(super) fn affine(x: &[f32], weight: &[f32], bias: &[f32], out: &mut [f32]) {
    let width = weight.len();
    vectorized(
        #[inline(always)]
        || {
            for (x, out) in x.chunks_exact(width).zip(out.chunks_exact_mut(width)) {
                for (((o, &x), &w), &b) in out.iter_mut().zip(x).zip(weight).zip(bias) {
                    *o = x * w + b;
                }
            }
        },
    );
}

/// Backward layer normalisation: `grad` of the result becomes the gradient of the input, given the
/// `normal` rows and the `inverse` deviations from [`normalise`]. Adds to the gradients of weight
/// and bias.
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
    vectorized(
        #[inline(always)]
        || {
            let rows = grad.chunks_exact_mut(width).zip(normal.chunks_exact(width));
            for ((g, x), &inv) in rows.zip(inverse) {
                let sums = weight_grad.iter_mut().zip(bias_grad.iter_mut());
                for (((g, &x), &w), (dw, db)) in g.iter_mut().zip(x).zip(weight).zip(sums) {
                    *dw += *g * x;
                    *db += *g;
                    *g *= w;
                }
                let mean = sum(g, |v| v) / n;
                let along = sum2(g, x, |g, x| g * x) / n;
                for (g, &x) in g.iter_mut().zip(x) {
                    *g = (*g - mean - x * along) * inv;
                }
            }
        },
    );
}

/// Softmax of each row of `scores * scale + mask`; `mask` has as many values. Masked positions give
/// exact zeros, even in a fully masked row.
pub(super) fn masked_softmax(scores: &mut [f32], mask: &[f32], width: usize, scale: f32) {
    vectorized(
        #[inline(always)]
        || {
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
        },
    );
}

/// Softmax backwards: `grad` of the probabilities becomes the gradient of the scores, times `scale`.
pub(super) fn softmax_backward(grad: &mut [f32], probs: &[f32], width: usize, scale: f32) {
    vectorized(
        #[inline(always)]
        || {
            for (g, p) in grad.chunks_exact_mut(width).zip(probs.chunks_exact(width)) {
                let along = sum2(g, p, |g, p| g * p);
                for (g, &p) in g.iter_mut().zip(p) {
                    *g = (*g - along) * p * scale;
                }
            }
        },
    );
}

/// `-log softmax(logits)[target]` of a row.
pub(super) fn surprise(logits: &[f32], target: usize) -> f32 {
    vectorized(
        #[inline(always)]
        || {
            let top = max(logits);
            top + sum(logits, |v| exp(v - top)).ln() - logits[target]
        },
    )
}

/// Turns a row of logits into the gradient of `weight * -log softmax(logits)[target]` and returns
/// that loss.
pub(super) fn surprise_gradient(logits: &mut [f32], target: usize, weight: f32) -> f32 {
    vectorized(
        #[inline(always)]
        || {
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
        },
    )
}

/// Position of the largest value (the first of equals).
pub(super) fn argmax(row: &[f32]) -> usize {
    let top = vectorized(
        #[inline(always)]
        || max(row),
    );
    row.iter().position(|&v| v == top).unwrap_or(0)
}
