//! The kernels of `block.cu`: the operations between the matrix products of a transformer block in
//! training, each as one pass over memory. Values are bf16, weights and sums f32. All tensors are
//! contiguous and on one NVIDIA GPU. A written argument must be the only view of its memory. A
//! device is used from one thread, as candle's streams require. There are N = B*T tokens of width
//! H, in B sequences of length T.
//!
//! # Errors
//! Every function here fails for tensors of other shapes, types or devices, and if the driver
//! fails.

use candle_core::{DType, Device, Result, Tensor, bail};

pub use crate::heads::{HeadSizes, join_heads, merge_heads, part_heads, split_heads};
use crate::launch::{Arg, expect, half, launch, single, unwritten, whole};

/// The widest row that a warp holds in registers.
pub const WIDEST: usize = 1024;
/// Columns of a row that a warp reads at a time.
const CHUNK: usize = 128;
/// The numbers of chunks per row for which kernels are compiled.
const CHUNKS: [usize; 6] = [1, 2, 3, 4, 6, 8];
/// Default number of threads per block.
pub(crate) const THREADS: usize = 256;
/// Rows per block of that size, one warp each.
const ROWS: usize = THREADS / 32;
/// Number of blocks for kernels whose blocks process many rows: a few for each of the 132
/// multiprocessors of an H100 or H200.
pub(crate) const BLOCKS: usize = 264;
/// Same as [`BLOCKS`], for kernels with few registers.
pub(crate) const MORE_BLOCKS: usize = 1056;

/// Whether `x` (.., width) is on a GPU and has the kernels' type, and its rows have a width that
/// they support.
#[must_use]
pub fn takes(x: &Tensor) -> bool {
    let width = x.dims().last().copied().unwrap_or(0);
    takes_wide(x) && takes_width(width)
}

/// Whether there are kernels for rows of this width.
#[must_use]
pub fn takes_width(width: usize) -> bool {
    width.is_multiple_of(4) && width <= WIDEST
}

/// Same as [`takes`], for the kernels that support any width.
#[must_use]
pub fn takes_wide(x: &Tensor) -> bool {
    let width = x.dims().last().copied().unwrap_or(0);
    x.device().is_cuda() && x.dtype() == DType::BF16 && x.is_contiguous() && width.is_multiple_of(4)
}

/// Rejects rows that a kernel with four columns per thread cannot process.
fn fours(name: &str, width: usize) -> Result<()> {
    if width == 0 || !width.is_multiple_of(4) {
        bail!("{name}: no kernel for rows of {width}");
    }
    Ok(())
}

/// Returns the name of a kernel for rows of this width.
fn for_width(name: &str, width: usize) -> Result<String> {
    let needed = width.div_ceil(CHUNK);
    match CHUNKS.into_iter().find(|&chunks| chunks >= needed) {
        Some(chunks) if width > 0 && width.is_multiple_of(4) => Ok(format!("{name}_{chunks}")),
        _ => bail!("{name}: no kernel for rows of {width}"),
    }
}

/// The result of [`residual_norm`] and [`embed`].
#[derive(Debug, Clone)]
pub struct Normed {
    /// The input of scale and shift, (R,H).
    pub normal: Tensor,
    /// The inverse of the divisor, (R) f32.
    pub inverse: Tensor,
    /// The result, (R,H).
    pub out: Tensor,
}

impl Normed {
    fn unwritten(rows: usize, width: usize, device: &Device) -> Result<Self> {
        Ok(Self {
            normal: unwritten((rows, width), DType::BF16, device)?,
            inverse: unwritten(rows, DType::F32, device)?,
            out: unwritten((rows, width), DType::BF16, device)?,
        })
    }
}

/// Returns the layer normalisation of `y + bias + residual` (R,H), with scale and shift (H).
pub fn residual_norm(
    y: &Tensor,
    bias: &Tensor,
    residual: &Tensor,
    [scale, shift]: [&Tensor; 2],
    eps: f64,
) -> Result<Normed> {
    let (rows, width) = y.dims2()?;
    expect(residual, &[rows, width])?;
    expect(bias, &[width])?;
    let inputs = vec![half(y), single(bias), half(residual)];
    normalise("residual_norm", inputs, [bias, scale, shift], eps, rows)
}

/// Starts a normalising kernel: `inputs` are the summands, including the bias.
fn normalise(
    name: &str,
    inputs: Vec<Arg<'_>>,
    [bias, scale, shift]: [&Tensor; 3],
    eps: f64,
    rows: usize,
) -> Result<Normed> {
    let width = bias.dim(0)?;
    for one in [bias, scale, shift] {
        expect(one, &[width])?;
    }
    let normed = Normed::unwritten(rows, width, bias.device())?;
    let rest = [
        single(scale),
        single(shift),
        Arg::Float(eps as f32),
        Arg::Int(rows),
        Arg::Int(width),
        half(&normed.normal),
        single(&normed.inverse),
        half(&normed.out),
    ];
    let args: Vec<Arg<'_>> = inputs.into_iter().chain(rest).collect();
    let name = for_width(name, width)?;
    launch(&name, [rows.div_ceil(ROWS), 1], THREADS, &args)?;
    Ok(normed)
}

/// Row indices, (N) u32 each, into two f32 tables, of words (V,H) and positions (P,H), whose rows
/// are added.
#[derive(Debug, Clone)]
pub struct Lookups {
    /// Indices into the words.
    pub ids: Tensor,
    /// Indices into the positions.
    pub positions: Tensor,
}

/// Returns the layer normalisation of the sum of rows of both tables and a bias (H), with scale and
/// shift (H). The result is NaN for an index beyond a table.
pub fn embed(
    [words, places]: [&Tensor; 2],
    lookups: &Lookups,
    bias: &Tensor,
    [scale, shift]: [&Tensor; 2],
    eps: f64,
) -> Result<Normed> {
    let (word_rows, width) = words.dims2()?;
    let place_rows = places.dim(0)?;
    expect(places, &[place_rows, width])?;
    let rows = lookups.ids.dim(0)?;
    expect(&lookups.positions, &[rows])?;
    let inputs = vec![
        single(words),
        whole(&lookups.ids),
        Arg::Int(word_rows),
        single(places),
        whole(&lookups.positions),
        Arg::Int(place_rows),
        single(bias),
    ];
    expect(bias, &[width])?;
    normalise("embed", inputs, [bias, scale, shift], eps, rows)
}

/// Returns the gradients of tables of `words` and `places` rows, from the gradient (N,H) of the sum
/// of their rows. The order of summation differs between runs.
pub fn embed_backward(
    grad: &Tensor,
    lookups: &Lookups,
    [word_rows, place_rows]: [usize; 2],
) -> Result<[Tensor; 2]> {
    let (rows, width) = grad.dims2()?;
    expect(&lookups.ids, &[rows])?;
    expect(&lookups.positions, &[rows])?;
    let words = Tensor::zeros((word_rows, width), DType::F32, grad.device())?;
    let places = Tensor::zeros((place_rows, width), DType::F32, grad.device())?;
    let args = [
        half(grad),
        whole(&lookups.ids),
        whole(&lookups.positions),
        Arg::Long(rows),
        Arg::Int(width),
        Arg::Int(word_rows),
        Arg::Int(place_rows),
        single(&words),
        single(&places),
    ];
    launch("add_rows_twice", [2 * MORE_BLOCKS, 1], THREADS, &args)?;
    Ok([words, places])
}

/// Takes the gradient of the result (R,H), or the sum of both gradients if there are two. Returns
/// the gradient of the normalised input, (R,H), and f32 sums over the rows, (3H): of this gradient,
/// of the result's gradient times the scaled value, and of the result's gradient.
pub fn norm_backward(
    grad: &Tensor,
    grad2: Option<&Tensor>,
    normal: &Tensor,
    inverse: &Tensor,
    scale: &Tensor,
) -> Result<(Tensor, Tensor)> {
    let (rows, width) = normal.dims2()?;
    expect(grad, &[rows, width])?;
    if let Some(grad2) = grad2 {
        expect(grad2, &[rows, width])?;
    }
    expect(inverse, &[rows])?;
    expect(scale, &[width])?;
    let out = unwritten((rows, width), DType::BF16, grad.device())?;
    let sums = unwritten((BLOCKS, 3 * width), DType::F32, grad.device())?;
    let args = [
        half(grad),
        grad2.map_or(Arg::Null, half),
        half(normal),
        single(inverse),
        single(scale),
        Arg::Int(rows),
        Arg::Int(width),
        half(&out),
        single(&sums),
    ];
    let name = for_width("norm_backward", width)?;
    launch(&name, [BLOCKS, 1], THREADS, &args)?;
    Ok((out, sum_rows(&sums)?))
}

/// Returns the grid of a kernel that walks down the columns of rows of this width, four columns per
/// thread.
fn columns(width: usize) -> [usize; 2] {
    let across = width.div_ceil(4 * THREADS);
    [across, MORE_BLOCKS.div_ceil(across)]
}

/// Returns GELU (with the error function) of `y + bias`, (R,F).
pub fn bias_gelu(y: &Tensor, bias: &Tensor) -> Result<Tensor> {
    let (rows, width) = y.dims2()?;
    fours("bias_gelu", width)?;
    expect(bias, &[width])?;
    let out = unwritten((rows, width), DType::BF16, y.device())?;
    let args = [
        half(y),
        single(bias),
        Arg::Int(rows),
        Arg::Int(width),
        half(&out),
    ];
    launch("bias_gelu", columns(width), THREADS, &args)?;
    Ok(out)
}

/// Overwrites the gradient of the result of [`bias_gelu`], (R,F), with that of `y`. Returns f32
/// sums over its rows, (F).
pub fn gelu_backward(grad: &Tensor, y: &Tensor, bias: &Tensor) -> Result<Tensor> {
    let (rows, width) = y.dims2()?;
    fours("gelu_backward", width)?;
    expect(grad, &[rows, width])?;
    expect(bias, &[width])?;
    let grid = columns(width);
    let sums = unwritten((grid[1], width), DType::F32, grad.device())?;
    let args = [
        half(grad),
        half(y),
        single(bias),
        Arg::Int(rows),
        Arg::Int(width),
        single(&sums),
    ];
    launch("gelu_backward", grid, THREADS, &args)?;
    sum_rows(&sums)
}

/// Overwrites scores (B,heads,T,T) with probabilities, after adding the mask (B,1,T,T) f32.
pub fn masked_softmax(scores: &Tensor, mask: &Tensor) -> Result<()> {
    let (b, heads, t, keys) = scores.dims4()?;
    expect(scores, &[b, heads, t, t])?;
    expect(mask, &[b, 1, t, t])?;
    let args = [
        half(scores),
        single(mask),
        Arg::Int(b),
        Arg::Int(heads),
        Arg::Int(t),
    ];
    let name = for_width("masked_softmax", keys)?;
    launch(&name, [(b * heads * t).div_ceil(ROWS), 1], THREADS, &args)
}

/// Overwrites the gradient of `probs` (B,heads,T,T) with that of the scores.
pub fn softmax_backward(grad: &Tensor, probs: &Tensor) -> Result<()> {
    let (b, heads, t, keys) = probs.dims4()?;
    expect(grad, probs.dims())?;
    let rows = b * heads * t;
    let args = [half(grad), half(probs), Arg::Long(rows), Arg::Int(keys)];
    let name = for_width("softmax_backward", keys)?;
    launch(&name, [rows.div_ceil(ROWS), 1], THREADS, &args)
}

/// Overwrites logits (R,V) with the gradient of the loss for targets (R) u32 and weights (R) f32.
/// Returns the losses, (R) f32, and the hits, (R) f32: the weight if the target is the first of the
/// largest logits, otherwise 0. The loss is NaN for a target that is not below V.
pub fn cross_entropy(
    logits: &Tensor,
    targets: &Tensor,
    weights: &Tensor,
) -> Result<(Tensor, Tensor)> {
    let (rows, width) = logits.dims2()?;
    fours("cross_entropy", width)?;
    expect(targets, &[rows])?;
    expect(weights, &[rows])?;
    let device = logits.device();
    let losses = unwritten(rows, DType::F32, device)?;
    let hits = unwritten(rows, DType::F32, device)?;
    let args = [
        half(logits),
        whole(targets),
        single(weights),
        Arg::Int(width),
        single(&losses),
        single(&hits),
    ];
    launch("cross_entropy", [rows, 1], THREADS, &args)?;
    Ok((losses, hits))
}

/// Returns a table (V,H), f32. Each row is the sum of the rows of `grad` (N,H), f32, whose index in
/// `ids` (N) u32 is that row. The order of summation differs between runs. Indices beyond the table
/// are ignored.
pub fn add_rows(grad: &Tensor, ids: &Tensor, rows: usize) -> Result<Tensor> {
    let (count, width) = grad.dims2()?;
    expect(ids, &[count])?;
    let table = Tensor::zeros((rows, width), DType::F32, grad.device())?;
    let args = [
        single(grad),
        whole(ids),
        Arg::Long(count),
        Arg::Int(width),
        Arg::Int(rows),
        single(&table),
    ];
    launch("add_rows", [2 * MORE_BLOCKS, 1], THREADS, &args)?;
    Ok(table)
}

/// Returns (count,H) with the rows of `x` (R,H) at the indices `rows` (R) u32, each at most once,
/// and zeros elsewhere.
pub fn spread_rows(x: &Tensor, rows: &Tensor, count: usize) -> Result<Tensor> {
    let (some, width) = x.dims2()?;
    fours("spread_rows", width)?;
    expect(rows, &[some])?;
    let out = Tensor::zeros((count, width), DType::BF16, x.device())?;
    let args = [
        half(x),
        whole(rows),
        Arg::Int(some),
        Arg::Int(width),
        Arg::Int(count),
        half(&out),
    ];
    launch("spread_rows", [MORE_BLOCKS, 1], THREADS, &args)?;
    Ok(out)
}

/// Returns the sums over the rows of (P,C), f32.
pub(crate) fn sum_rows(x: &Tensor) -> Result<Tensor> {
    let (count, width) = x.dims2()?;
    let out = unwritten(width, DType::F32, x.device())?;
    let args = [single(x), Arg::Int(count), Arg::Int(width), single(&out)];
    launch("sum_rows", [width.div_ceil(32), 1], THREADS, &args)?;
    Ok(out)
}
