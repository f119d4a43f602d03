//! The operations between the products of a block in training on a GPU: in bf16 a kernel each (`codexec_gpu::block`),
//! else tensor operations, which the tests also run on the CPU. N = B*T tokens, R of them selected.

use candle_core::{D, DType, Result, Tensor};
use candle_nn::ops::{layer_norm, softmax_last_dim};
use candle_nn::rotary_emb::rope;
use codexec_gpu::block;
pub(super) use codexec_gpu::block::{HeadSizes, Lookups, Normed};

use super::gpu_ops::{column_sums, one_hot_sums};

/// The layer normalisation of `y + bias + residual` (R,H); `bias`, scale and shift are f32.
pub(super) fn residual_norm(
    y: &Tensor,
    bias: &Tensor,
    residual: &Tensor,
    norm: [&Tensor; 2],
    eps: f64,
) -> Result<Normed> {
    if block::takes(y) {
        return block::residual_norm(y, bias, &residual.contiguous()?, norm, eps);
    }
    let sum = (y.to_dtype(DType::F32)?.broadcast_add(bias)? + residual.to_dtype(DType::F32)?)?;
    normalise(&sum, norm, eps, y.dtype())
}

/// Rows (N,H), f32, normalised, in a type.
fn normalise(sum: &Tensor, [scale, shift]: [&Tensor; 2], eps: f64, dtype: DType) -> Result<Normed> {
    let (one, none) = (scale.ones_like()?, shift.zeros_like()?);
    let normal = layer_norm(sum, &one, &none, eps as f32)?;
    let centred = sum.broadcast_sub(&sum.mean_keepdim(D::Minus1)?)?;
    let variance = centred.sqr()?.mean(D::Minus1)?;
    let out = normal.broadcast_mul(scale)?.broadcast_add(shift)?;
    Ok(Normed {
        normal: normal.to_dtype(dtype)?,
        inverse: (variance + eps)?.sqrt()?.recip()?,
        out: out.to_dtype(dtype)?,
    })
}

/// Whether the rows of two tables are added and normalised by a kernel.
fn embeds(words: &Tensor, dtype: DType) -> bool {
    let width = words.dims().last().copied().unwrap_or(0);
    words.device().is_cuda() && dtype == DType::BF16 && block::takes_width(width)
}

/// The layer normalisation of rows of two tables, words and positions, and a bias, all f32; in a given
/// type.
pub(super) fn embed(
    tables: [&Tensor; 2],
    lookups: &Lookups,
    bias: &Tensor,
    norm: [&Tensor; 2],
    (eps, dtype): (f64, DType),
) -> Result<Normed> {
    if embeds(tables[0], dtype) {
        return block::embed(tables, lookups, bias, norm, eps);
    }
    let [words, places] = tables;
    let words = words.index_select(&lookups.ids, 0)?;
    let places = places.index_select(&lookups.positions, 0)?;
    normalise(&(words + places)?.broadcast_add(bias)?, norm, eps, dtype)
}

/// The gradients of tables with this many rows, from that of their added rows, (N,H).
pub(super) fn embed_backward(
    grad: &Tensor,
    lookups: &Lookups,
    rows: [usize; 2],
) -> Result<[Tensor; 2]> {
    if block::takes(grad) {
        return block::embed_backward(grad, lookups, rows);
    }
    let grad = grad.to_dtype(DType::F32)?;
    if grad.device().is_cuda() {
        let words = block::add_rows(&grad, &lookups.ids, rows[0])?;
        return Ok([words, block::add_rows(&grad, &lookups.positions, rows[1])?]);
    }
    let words = one_hot_sums(&grad, &lookups.ids, rows[0])?;
    Ok([words, one_hot_sums(&grad, &lookups.positions, rows[1])?])
}

/// From the gradient of the result, the sum of both if there are two: the gradient of the normalised input, (R,H), and
/// f32 sums over its rows, (3H): of this one, of the gradient times the normalised input, of the gradient.
pub(super) fn norm_backward(
    grad: &Tensor,
    grad2: Option<&Tensor>,
    normed: &Normed,
    scale: &Tensor,
) -> Result<(Tensor, Tensor)> {
    let Normed {
        normal, inverse, ..
    } = normed;
    if block::takes(grad) {
        return block::norm_backward(grad, grad2, normal, inverse, scale);
    }
    let dtype = grad.dtype();
    let mut grad = grad.to_dtype(DType::F32)?;
    if let Some(grad2) = grad2 {
        grad = (grad + grad2.to_dtype(DType::F32)?)?;
    }
    let normal = normal.to_dtype(DType::F32)?;
    let slope = grad.broadcast_mul(scale)?;
    let mean = slope.mean_keepdim(D::Minus1)?;
    let along = (&slope * &normal)?.mean_keepdim(D::Minus1)?;
    let dx = slope
        .broadcast_sub(&mean)?
        .sub(&normal.broadcast_mul(&along)?)?
        .broadcast_mul(&inverse.unsqueeze(1)?)?;
    let sums = [&dx, &(&grad * &normal)?, &grad];
    let sums = sums
        .map(column_sums)
        .into_iter()
        .collect::<Result<Vec<_>>>()?;
    Ok((dx.to_dtype(dtype)?, Tensor::cat(&sums, 0)?))
}

/// GELU of `y + bias`, (R,F); `bias` is f32.
pub(super) fn bias_gelu(y: &Tensor, bias: &Tensor) -> Result<Tensor> {
    if block::takes_wide(y) {
        return block::bias_gelu(y, bias);
    }
    y.broadcast_add(&bias.to_dtype(y.dtype())?)?.gelu_erf()
}

/// The gradient of `y` from that of the result, which is not used afterwards, and f32 sums over its rows, (F).
pub(super) fn gelu_backward(grad: Tensor, y: &Tensor, bias: &Tensor) -> Result<(Tensor, Tensor)> {
    if block::takes_wide(&grad) {
        let sums = block::gelu_backward(&grad, y, bias)?;
        return Ok((grad, sums));
    }
    let x = y.broadcast_add(&bias.to_dtype(y.dtype())?)?;
    let grad = (grad * gelu_slope(&x)?)?;
    let sums = column_sums(&grad)?;
    Ok((grad, sums))
}

/// The slope of GELU by the error function.
fn gelu_slope(x: &Tensor) -> Result<Tensor> {
    let z = (x * std::f64::consts::FRAC_1_SQRT_2)?;
    let below = ((z.erf()? * 0.5)? + 0.5)?;
    let density = (z.sqr()?.neg()?.exp()?
        * (0.5 * std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::FRAC_1_SQRT_2))?;
    below + (density * x)?
}

/// Queries and keys (2,B,heads,T,D) turned, or, with sign -1, turned back; f32.
fn rotate(
    both: &Tensor,
    rotation: Option<[&Tensor; 2]>,
    sign: f64,
    sizes: HeadSizes,
) -> Result<Tensor> {
    let both = both.to_dtype(DType::F32)?;
    let Some([cos, sin]) = rotation else {
        return Ok(both);
    };
    let shape = both.shape().clone();
    let [batch, heads, length, size] = sizes.apart();
    // As one batch of twice the size.
    let flat = both
        .contiguous()?
        .reshape((2 * batch, heads, length, size))?;
    let cos = Tensor::cat(&[cos, cos], 0)?;
    let sin = (Tensor::cat(&[sin, sin], 0)? * sign)?;
    rope(&flat, &cos, &sin)?.reshape(shape)
}

/// Queries, scaled, keys and values, (B,heads,T,D) each, of products (N,3H) and their bias, f32.
pub(super) fn split_heads(
    products: &Tensor,
    bias: &Tensor,
    rotation: Option<[&Tensor; 2]>,
    scale: f64,
    sizes: HeadSizes,
) -> Result<[Tensor; 3]> {
    if block::takes_wide(products) && sizes.fit() {
        let all = block::split_heads(products, bias, rotation, scale, sizes)?;
        return Ok([all.get(0)?, all.get(1)?, all.get(2)?]);
    }
    let [batch, heads, length, size] = sizes.apart();
    let dtype = products.dtype();
    let all = products
        .broadcast_add(&bias.to_dtype(dtype)?)?
        .reshape((batch, length, 3, heads, size))?
        .permute((2, 0, 3, 1, 4))? // (3,B,heads,T,D)
        .contiguous()?;
    let turned = rotate(&all.narrow(0, 0, 2)?, rotation, 1.0, sizes)?;
    let queries = (turned.get(0)? * scale)?.to_dtype(dtype)?;
    Ok([queries, turned.get(1)?.to_dtype(dtype)?, all.get(2)?])
}

/// From gradients (B,heads,T,D) of queries, keys and values the gradients of the products, (N,3H), and f32 sums over
/// their rows, (3H).
pub(super) fn merge_heads(
    [queries, keys, values]: [Tensor; 3],
    rotation: Option<[&Tensor; 2]>,
    scale: f64,
    sizes: HeadSizes,
) -> Result<(Tensor, Tensor)> {
    if block::takes_wide(&queries) && sizes.fit() {
        return block::merge_heads([&queries, &keys, &values], rotation, scale, sizes);
    }
    let dtype = queries.dtype();
    let queries = (queries.to_dtype(DType::F32)? * scale)?;
    let both = Tensor::stack(&[queries, keys.to_dtype(DType::F32)?], 0)?;
    let both = rotate(&both, rotation, -1.0, sizes)?.to_dtype(dtype)?;
    let all = Tensor::cat(&[both, values.unsqueeze(0)?], 0)?
        .permute((1, 3, 0, 2, 4))? // (B,T,3,heads,D)
        .contiguous()?
        .reshape((sizes.batch * sizes.length, ()))?;
    let sums = column_sums(&all)?;
    Ok((all, sums))
}

/// (B,heads,T,D) to (N,H).
pub(super) fn join_heads(x: &Tensor, sizes: HeadSizes) -> Result<Tensor> {
    if block::takes_wide(x) {
        return block::join_heads(x, sizes);
    }
    let tokens = sizes.batch * sizes.length;
    x.transpose(1, 2)?.contiguous()?.reshape((tokens, ()))
}

/// (N,H) to (B,heads,T,D).
pub(super) fn part_heads(x: &Tensor, sizes: HeadSizes) -> Result<Tensor> {
    if block::takes_wide(x) && sizes.size.is_multiple_of(4) {
        return block::part_heads(x, sizes);
    }
    x.reshape((sizes.batch, sizes.length, sizes.heads, sizes.size))?
        .transpose(1, 2)?
        .contiguous()
}

/// Probabilities of scores (B,heads,T,T), which are not used afterwards, with the mask (B,1,T,T), f32, added.
pub(super) fn masked_softmax(scores: Tensor, mask: &Tensor) -> Result<Tensor> {
    if block::takes(&scores) {
        block::masked_softmax(&scores, mask)?;
        return Ok(scores);
    }
    softmax_last_dim(&scores.broadcast_add(&mask.to_dtype(scores.dtype())?)?)
}

/// The gradient of scores from that of probabilities, which is not used afterwards; both (B,heads,T,T).
pub(super) fn softmax_backward(grad: Tensor, probs: &Tensor) -> Result<Tensor> {
    if block::takes(&grad) {
        block::softmax_backward(&grad, probs)?;
        return Ok(grad);
    }
    let along = (&grad * probs)?.sum_keepdim(D::Minus1)?;
    grad.broadcast_sub(&along)? * probs
}
