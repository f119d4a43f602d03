//! Look-ups and the loss for GPUs, with kernels (`codexec_gpu::block`) or in tensor operations. Without kernels their
//! backward passes are products: candle's own adds rows one by one.

use candle_core::{D, DType, Result, Tensor};

use codexec_gpu::block;

use super::embedding::EmbeddingTables;
use super::gpu_steps::Lookups;
use super::{given, gpu_steps};

/// Maximum size of a one-hot matrix.
const ONE_HOT: usize = 1 << 28;
/// The smallest probability whose logarithm is taken.
const LEAST: f64 = 1e-30;

/// The column sums of `x` (N,H), f32. Returns (H).
pub(super) fn column_sums(x: &Tensor) -> Result<Tensor> {
    let ones = Tensor::ones((1, x.dim(0)?), x.dtype(), x.device())?;
    ones.matmul(x)?.squeeze(0)?.to_dtype(DType::F32)
}

/// Rows of `table` (V,H), f32, for `ids` of any shape, u32. Returns (..., H).
pub(super) fn embedding(ids: &Tensor, table: &Tensor) -> Result<Tensor> {
    let (rows, width) = table.dims2()?;
    let flat = ids.flatten_all()?;
    let mut dims = ids.dims().to_vec();
    dims.push(width);
    let value = table.detach().index_select(&flat, 0)?.reshape(dims)?;
    given::of_one("embedding", table, &value, move |grad| {
        let grad = grad.contiguous()?.reshape(((), width))?;
        if grad.device().is_cuda() && grad.dtype() == DType::F32 {
            return block::add_rows(&grad, &flat, rows);
        }
        one_hot_sums(&grad, &flat, rows)
    })
}

/// A table of `rows` in which each row is the sum of the rows of `grad` (N,H) with its number in `ids` (N)
/// u32.
pub(super) fn one_hot_sums(grad: &Tensor, ids: &Tensor, rows: usize) -> Result<Tensor> {
    let (count, width) = grad.dims2()?;
    let classes = Tensor::arange(0u32, rows as u32, grad.device())?.unsqueeze(1)?; // (V,1)
    let mut sum: Option<Tensor> = None;
    let most = (ONE_HOT / rows).max(1);
    for start in (0..count).step_by(most) {
        let some = most.min(count - start);
        let ids = ids.narrow(0, start, some)?.unsqueeze(0)?; // (1,N)
        let hot = classes.broadcast_eq(&ids)?.to_dtype(grad.dtype())?; // (V,N)
        let part = hot.matmul(&grad.narrow(0, start, some)?)?;
        sum = Some(match sum {
            Some(sum) => (sum + part)?,
            None => part,
        });
    }
    sum.map_or_else(
        || Tensor::zeros((rows, width), grad.dtype(), grad.device()),
        Ok,
    )
}

/// [`super::embeddings`].
pub(super) fn embeddings(
    [ids, positions]: [&Tensor; 2],
    tables: &EmbeddingTables<'_>,
    dtype: DType,
) -> Result<Tensor> {
    let EmbeddingTables {
        words,
        places,
        bias,
        norm,
        eps,
    } = *tables;
    let (count, width) = words.dims2()?;
    let rows = [count, places.dim(0)?];
    let lookups = Lookups {
        ids: ids.flatten_all()?,
        positions: positions.flatten_all()?,
    };
    let vectors = Tensor::cat(&[bias, norm.weight, norm.bias], 0)?;
    let values = vectors.detach();
    let part = |at: usize| values.narrow(0, at * width, width);
    let scale = part(1)?;
    let (w, p) = (words.detach(), places.detach());
    let normed = gpu_steps::embed(
        [&w, &p],
        &lookups,
        &part(0)?,
        [&scale, &part(2)?],
        (eps, dtype),
    )?;
    let mut dims = ids.dims().to_vec();
    dims.push(width);
    let out = normed.out.reshape(dims)?;
    given::of_three("embeddings", [words, places, &vectors], &out, move |grad| {
        let grad = grad.contiguous()?.reshape(((), width))?;
        let (dx, sums) = gpu_steps::norm_backward(&grad, None, &normed, &scale)?;
        let [words, places] = gpu_steps::embed_backward(&dx, &lookups, rows)?;
        Ok([words, places, sums])
    })
}

/// Rows of (N,H) by `rows` (R) u32, each at most once, and back.
#[derive(Debug, Clone)]
pub(super) struct Chosen {
    rows: Tensor,
    /// N.
    count: usize,
    /// (N) u32: position of each row of N among the chosen ones; R if it is not chosen. `None` on a GPU, where a kernel
    /// does not need it.
    places: Option<Tensor>,
}

impl Chosen {
    /// `rows` of `count`.
    pub(super) fn new(rows: &Tensor, count: usize) -> Result<Self> {
        if rows.device().is_cuda() {
            return Ok(Self {
                rows: rows.clone(),
                count,
                places: None,
            });
        }
        let chosen = rows.dim(0)?;
        let mut places = vec![chosen as u32; count];
        for (place, row) in rows.to_vec1::<u32>()?.into_iter().enumerate() {
            let Some(at) = places.get_mut(row as usize) else {
                candle_core::bail!("encoder layer: row {row} of {count}");
            };
            *at = place as u32;
        }
        Ok(Self {
            rows: rows.clone(),
            count,
            places: Some(Tensor::from_vec(places, count, rows.device())?),
        })
    }

    /// (N,H) to (R,H).
    pub(super) fn take(&self, x: &Tensor) -> Result<Tensor> {
        x.index_select(&self.rows, 0)
    }

    /// (R,H) to (N,H), zeros elsewhere.
    pub(super) fn spread(&self, x: &Tensor) -> Result<Tensor> {
        let Some(places) = &self.places else {
            return self.spread_there(x);
        };
        let zeros = Tensor::zeros((1, x.dim(1)?), x.dtype(), x.device())?;
        Tensor::cat(&[x, &zeros], 0)?.index_select(places, 0)
    }

    /// [`Self::spread`] on a GPU.
    fn spread_there(&self, x: &Tensor) -> Result<Tensor> {
        if block::takes_wide(x) {
            return block::spread_rows(x, &self.rows, self.count);
        }
        let zeros = Tensor::zeros((self.count, x.dim(1)?), x.dtype(), x.device())?;
        let rows = self.rows.unsqueeze(1)?.broadcast_as(x.shape())?;
        zeros.scatter(&rows.contiguous()?, x, 0)
    }
}

/// [`super::linear_cross_entropy_and_hits`]: the gradient of the logits is made at once, so that they need not be kept.
pub(super) fn linear_cross_entropy_and_hits(
    hidden: &Tensor,
    table: &Tensor,
    targets: &Tensor,
    weights: &Tensor,
) -> Result<(Tensor, Tensor)> {
    let (h, w) = (
        hidden.detach(),
        table.detach().to_dtype(hidden.dtype())?.contiguous()?,
    );
    let logits = h.matmul(&w.t()?)?; // (N,V)
    let (loss, slope, hits) = if block::takes_wide(&logits) {
        let (losses, hits) = block::cross_entropy(&logits, targets, weights)?;
        (losses.sum_all()?, logits, hits.sum_all()?)
    } else {
        composed_loss(&logits.to_dtype(DType::F32)?, targets, weights, h.dtype())?
    };
    let loss = given::of_two("cross-entropy", hidden, table, &loss, move |grad| {
        let scale = |x: Tensor| x.to_dtype(DType::F32)?.broadcast_mul(grad);
        let dh = scale(slope.matmul(&w)?)?.to_dtype(h.dtype())?;
        Ok((dh, scale(slope.t()?.matmul(&h)?)?))
    })?;
    Ok((loss, hits))
}

/// The loss, its gradient in a type, and the hits, of logits (N,V), f32.
fn composed_loss(
    logits: &Tensor,
    targets: &Tensor,
    weights: &Tensor,
    dtype: DType,
) -> Result<(Tensor, Tensor, Tensor)> {
    let hits = hits(logits, targets, weights)?;
    let probs = candle_nn::ops::softmax_last_dim(logits)?;
    let targets = targets.unsqueeze(1)?; // (N,1)
    let chosen = probs.gather(&targets, 1)?.maximum(LEAST)?;
    let weights = weights.unsqueeze(1)?; // (N,1)
    let loss = (chosen.log()?.neg()? * &weights)?.sum_all()?;
    let minus = weights.ones_like()?.neg()?;
    let slope = probs
        .scatter_add(&targets, &minus, 1)?
        .broadcast_mul(&weights)?
        .to_dtype(dtype)?;
    Ok((loss, slope, hits))
}

/// [`super::weighted_hits`], left on its device.
pub(super) fn hits(logits: &Tensor, targets: &Tensor, weights: &Tensor) -> Result<Tensor> {
    let right = logits.argmax(D::Minus1)?.eq(targets)?;
    (right.to_dtype(DType::F32)? * weights)?.sum_all()
}
