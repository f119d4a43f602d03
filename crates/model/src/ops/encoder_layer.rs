//! A whole post-layer-norm block as one operation: nothing between its matrix products passes
//! through the graph, so no gradient is zeroed, added and copied in between.
//!
//! For training; a cache of keys and values needs the single operations. All weights are packed in
//! one tensor, since an operation of candle has at most three arguments.

use std::borrow::Cow;
use std::sync::OnceLock;

use candle_core::{CpuStorage, CustomOp2, Layout, Result, Shape, Storage, Tensor};
use half::bf16;

use super::attention::{Plan, Strides};
use super::buffers::{Factor, Matrix, floats, floats_mut, tensor, with_floats};
use super::layer_weights::{EncoderLayer, Offsets};
use super::{Products, composed, gpu_layer, kernels};

/// One block: `x` (B,T,H), `mask` (B,1,T,T) as for [`masked_softmax`](super::masked_softmax).
/// Returns (B,T,H). The mask gets no gradient.
pub fn encoder_layer(x: &Tensor, mask: &Tensor, layer: &EncoderLayer) -> Result<Tensor> {
    if layer.on_gpu(x, mask) {
        return gpu_layer::encoder_layer(x, mask, layer, None);
    }
    if !layer.fusible(x, mask) {
        return composed::encoder_layer(x, mask, layer);
    }
    fused(x, mask, layer, None)
}

/// [`encoder_layer`] for some tokens only: `rows` (R) u32 of the flattened (B*T), each at most once. Returns (R,H).
/// Everything after attention is computed only for these, since nothing else of the last block is used.
pub fn encoder_layer_rows(
    x: &Tensor,
    mask: &Tensor,
    layer: &EncoderLayer,
    rows: &Tensor,
) -> Result<Tensor> {
    if layer.on_gpu(x, mask) {
        return gpu_layer::encoder_layer(x, mask, layer, Some(rows));
    }
    if !layer.fusible(x, mask) {
        let all = composed::encoder_layer(x, mask, layer)?;
        return super::embedding(rows, &all.flatten_to(1)?);
    }
    let rows = rows.to_vec1::<u32>()?;
    let tokens = x.dim(0)? * x.dim(1)?;
    if let Some(row) = rows.iter().find(|row| **row as usize >= tokens) {
        candle_core::bail!("encoder layer: row {row} of {tokens}");
    }
    fused(x, mask, layer, Some(rows))
}

fn fused(
    x: &Tensor,
    mask: &Tensor,
    layer: &EncoderLayer,
    rows: Option<Vec<u32>>,
) -> Result<Tensor> {
    let packed = layer.packed()?;
    let op = Fused {
        mask: mask.detach().contiguous()?,
        heads: layer.heads,
        wide: layer.widen.bias.elem_count(),
        eps: layer.eps as f32,
        rotation: match layer.rotation {
            Some(r) => Some([r.cos.contiguous()?, r.sin.contiguous()?]),
            None => None,
        },
        products: layer.products,
        keep: x.track_op() || packed.track_op(),
        rows,
        kept: OnceLock::new(),
    };
    x.contiguous()?.apply_op2(&packed, op)
}

/// A layer normalisation, in the form that its backward pass needs.
struct Normal {
    rows: Vec<f32>,
    inverse: Vec<f32>,
}

/// Values that are factors in both passes, with their rounded form.
struct Held {
    values: CpuStorage,
    rounded: Option<Vec<bf16>>,
}

impl Held {
    /// (rows, columns)
    fn factor(&self, rows: usize, columns: usize) -> Factor<'_> {
        Factor::again(
            Matrix::new(&self.values, 0, rows, columns),
            self.rounded.as_deref(),
        )
    }
}

/// The backward pass's inputs from the forward pass. N = B*T tokens, R of them selected.
struct Kept {
    /// The rounded `x`.
    x: Option<Vec<bf16>>,
    /// Queries, keys and values, (N,3H).
    qkv: CpuStorage,
    /// Attention probabilities, (T,T) for each head of each sequence.
    probs: Vec<CpuStorage>,
    /// The heads' output, (R,H).
    seen: Held,
    norm1: Normal,
    /// Result of the attention half, (R,H).
    middle: Held,
    /// Slope of GELU, (R,F).
    slope: CpuStorage,
    /// Result of GELU, (R,F).
    wide: Held,
    norm2: Normal,
}

struct Fused {
    mask: Tensor,
    heads: usize,
    wide: usize,
    eps: f32,
    /// Cosines and sines, both (N,D/2).
    rotation: Option<[Tensor; 2]>,
    products: Products,
    keep: bool,
    /// The tokens whose results are needed; all if `None`.
    rows: Option<Vec<u32>>,
    kept: OnceLock<Kept>,
}

/// The sizes of one call.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    b: usize,
    t: usize,
    h: usize,
    n: usize,
    r: usize,
    f: usize,
    at: Offsets,
}

impl Fused {
    fn sizes(&self, shape: &Shape) -> Result<Sizes> {
        let (b, t, h) = shape.dims3()?;
        let f = self.wide;
        Ok(Sizes {
            b,
            t,
            h,
            n: b * t,
            r: self.rows.as_ref().map_or(b * t, Vec::len),
            f,
            at: Offsets::new(h, f),
        })
    }

    /// A product with weights, or one for their gradient.
    fn product(&self, a: &Factor, b: &Factor) -> Result<CpuStorage> {
        a.times(b, self.products)
    }

    fn factor<'m>(&self, matrix: Matrix<'m>) -> Result<Factor<'m>> {
        Factor::new(matrix, self.products)
    }

    /// Values of (rows, columns) that are a factor in both passes.
    fn hold(&self, values: CpuStorage, rows: usize, columns: usize) -> Result<Held> {
        let factor = self.factor(Matrix::new(&values, 0, rows, columns))?;
        let rounded = factor.into_rounded();
        Ok(Held { values, rounded })
    }

    /// Turns the queries and keys of (N,3H), or, with sign -1, turns them back.
    fn rotate(&self, qkv: &mut [f32], s: Sizes, sign: f32) -> Result<()> {
        let Some([cos, sin]) = &self.rotation else {
            return Ok(());
        };
        with_floats(cos, |cos| {
            with_floats(sin, |sin| {
                kernels::rotate(qkv, (3 * s.h, 2 * s.h, s.h / self.heads), cos, sin, sign);
                Ok(())
            })
        })
    }

    /// The selected rows of (N,width), (R,width).
    fn wanted<'v>(&self, values: Cow<'v, [f32]>, width: usize) -> Cow<'v, [f32]> {
        let Some(rows) = &self.rows else {
            return values;
        };
        let row = |row: &u32| &values[*row as usize * width..][..width];
        Cow::Owned(rows.iter().flat_map(row).copied().collect())
    }

    /// Adds (R,width) to the selected rows of (N,width).
    fn spread(&self, values: &[f32], width: usize, to: &mut [f32]) {
        let Some(rows) = &self.rows else {
            return kernels::add(to, values);
        };
        for (row, values) in rows.iter().zip(values.chunks_exact(width)) {
            kernels::add(&mut to[*row as usize * width..][..width], values);
        }
    }

    /// Attention reading q, k and v out of (N,3H) and writing (N,H).
    fn plan(&self, s: Sizes) -> Plan {
        let [q, k, v] = self.qkv_strides(s);
        let size = s.h / self.heads;
        Plan {
            sequences: s.b,
            heads: self.heads,
            queries: s.t,
            keys: s.t,
            size,
            q,
            k,
            v,
            out: Strides {
                start: 0,
                sequence: s.t * s.h,
                head: size,
                token: s.h,
            },
            products: self.products,
        }
    }

    fn qkv_strides(&self, s: Sizes) -> [Strides; 3] {
        [0, 1, 2].map(|part| Strides {
            start: part * s.h,
            sequence: s.t * 3 * s.h,
            head: s.h / self.heads,
            token: 3 * s.h,
        })
    }

    /// `layer_norm(x + bias + residual)`. The sum replaces `x`.
    fn close(
        &self,
        x: &mut CpuStorage,
        residual: &[f32],
        bias: &[f32],
        norm: &[f32],
    ) -> Result<(Normal, CpuStorage)> {
        let h = bias.len();
        let mut rows = std::mem::take(floats_mut(x)?);
        kernels::add_residual(&mut rows, residual, bias);
        let mut inverse = vec![0.0; rows.len() / h];
        kernels::normalise(&mut rows, h, self.eps, &mut inverse);
        let mut out = vec![0.0; rows.len()];
        kernels::affine(&rows, &norm[..h], &norm[h..], &mut out);
        Ok((Normal { rows, inverse }, CpuStorage::F32(out)))
    }

    fn forward(
        &self,
        x: Matrix,
        x_values: &[f32],
        p: &CpuStorage,
        s: Sizes,
    ) -> Result<(Kept, CpuStorage)> {
        let (Sizes { n, r, h, f, at, .. }, w) = (s, p.as_slice::<f32>()?);
        let weights = |at, rows, columns| self.factor(Matrix::new(p, at, rows, columns));
        let x = self.factor(x)?;
        let mut qkv = self.product(&x, &weights(at.qkv, 3 * h, h)?.t())?; // (N,3H)
        kernels::add_row(floats_mut(&mut qkv)?, &w[at.qkv_bias..at.output]);
        self.rotate(floats_mut(&mut qkv)?, s, 1.0)?;
        let mut seen = vec![0.0; n * h];
        let mut probs = Vec::new();
        with_floats(&self.mask, |mask| {
            let keep = |p| {
                if self.keep {
                    probs.push(p);
                }
            };
            self.plan(s).forward([&qkv; 3], mask, &mut seen, keep)
        })?;
        let seen = CpuStorage::F32(self.wanted(Cow::Owned(seen), h).into_owned());
        let seen = self.hold(seen, r, h)?;
        let residual = self.wanted(Cow::Borrowed(x_values), h);
        let mut sum = self.product(&seen.factor(r, h), &weights(at.output, h, h)?.t())?;
        let bias = &w[at.output_bias..at.norm1];
        let (norm1, middle) = self.close(&mut sum, &residual, bias, &w[at.norm1..at.widen])?;
        let middle = self.hold(middle, r, h)?;

        let mut slope = self.product(&middle.factor(r, h), &weights(at.widen, f, h)?.t())?;
        let mut wide = vec![0.0; r * f];
        let bias = &w[at.widen_bias..at.narrow];
        kernels::bias_gelu_and_slope(floats_mut(&mut slope)?, bias, &mut wide);
        let wide = self.hold(CpuStorage::F32(wide), r, f)?;
        let mut sum = self.product(&wide.factor(r, f), &weights(at.narrow, h, f)?.t())?;
        let (bias, norm) = (&w[at.narrow_bias..at.norm2], &w[at.norm2..at.end]);
        let (norm2, out) = self.close(&mut sum, middle.values.as_slice()?, bias, norm)?;
        let kept = Kept {
            x: x.into_rounded(),
            qkv,
            probs,
            seen,
            norm1,
            middle,
            slope,
            wide,
            norm2,
        };
        Ok((kept, out))
    }

    /// The gradient of a layer normalisation's input; the gradients of its parameters, and of the
    /// bias before it, go to `dp` at `norm` and `bias`.
    fn open(
        grad: &mut [f32],
        normal: &Normal,
        w: &[f32],
        dp: &mut [f32],
        (bias, norm): (usize, usize),
        h: usize,
    ) {
        let (dw, db) = dp[norm..norm + 2 * h].split_at_mut(h);
        let weight = &w[norm..norm + h];
        kernels::normalise_backward(grad, &normal.rows, &normal.inverse, weight, dw, db);
        kernels::add_column_sums(&mut dp[bias..bias + h], grad);
    }

    /// Gradients of `x` and of the packed parameters.
    fn backward(
        &self,
        x: Matrix,
        p: &CpuStorage,
        kept: &Kept,
        grad: Vec<f32>,
        s: Sizes,
    ) -> Result<(Vec<f32>, Vec<f32>)> {
        let (Sizes { n, r, h, f, at, .. }, w) = (s, p.as_slice::<f32>()?);
        let weights = |at, rows, columns| self.factor(Matrix::new(p, at, rows, columns));
        let mut dp = vec![0.0; at.end];
        let put = |dp: &mut [f32], at: usize, product: CpuStorage| -> Result<()> {
            let product = product.as_slice::<f32>()?;
            dp[at..at + product.len()].copy_from_slice(product);
            Ok(())
        };

        let mut sum = CpuStorage::F32(grad);
        let places = (at.narrow_bias, at.norm2);
        Self::open(floats_mut(&mut sum)?, &kept.norm2, w, &mut dp, places, h);
        let d = self.factor(Matrix::new(&sum, 0, r, h))?;
        let gradient = self.product(&d.t(), &kept.wide.factor(r, f))?;
        put(&mut dp, at.narrow, gradient)?;
        let mut wide = self.product(&d, &weights(at.narrow, h, f)?)?; // (N,F)
        let bias_grad = &mut dp[at.widen_bias..at.narrow];
        kernels::slope_backward(floats_mut(&mut wide)?, kept.slope.as_slice()?, bias_grad);
        let d = self.factor(Matrix::new(&wide, 0, r, f))?;
        let gradient = self.product(&d.t(), &kept.middle.factor(r, h))?;
        put(&mut dp, at.widen, gradient)?;
        let mut middle = self.product(&d, &weights(at.widen, f, h)?)?; // (N,H)
        kernels::add(floats_mut(&mut middle)?, sum.as_slice()?);

        let places = (at.output_bias, at.norm1);
        Self::open(floats_mut(&mut middle)?, &kept.norm1, w, &mut dp, places, h);
        let d = self.factor(Matrix::new(&middle, 0, r, h))?;
        let gradient = self.product(&d.t(), &kept.seen.factor(r, h))?;
        put(&mut dp, at.output, gradient)?;
        let seen = self.product(&d, &weights(at.output, h, h)?)?; // (R,H)
        let seen = match &self.rows {
            Some(_) => {
                let mut all = vec![0.0; n * h];
                self.spread(seen.as_slice()?, h, &mut all);
                CpuStorage::F32(all)
            }
            None => seen,
        };
        let mut qkv = vec![0.0; n * 3 * h];
        let (plan, to) = (self.plan(s), self.qkv_strides(s));
        plan.backward([&kept.qkv; 3], &kept.probs, &seen, to, &mut qkv)?;
        self.rotate(&mut qkv, s, -1.0)?;
        kernels::add_column_sums(&mut dp[at.qkv_bias..at.output], &qkv);
        let qkv = CpuStorage::F32(qkv);
        let d = self.factor(Matrix::new(&qkv, 0, n, 3 * h))?;
        let x = Factor::again(x, kept.x.as_deref());
        put(&mut dp, at.qkv, self.product(&d.t(), &x)?)?;
        let mut dx = self.product(&d, &weights(at.qkv, 3 * h, h)?)?; // (N,H)
        let dx = floats_mut(&mut dx)?;
        self.spread(middle.as_slice()?, h, dx);
        Ok((std::mem::take(dx), dp))
    }
}

impl CustomOp2 for Fused {
    fn name(&self) -> &'static str {
        "encoder-layer"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        xl: &Layout,
        packed: &CpuStorage,
        _: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let s = self.sizes(xl.shape())?;
        let matrix = Matrix::new(x, xl.start_offset(), s.n, s.h);
        let (kept, out) = self.forward(matrix, floats(x, xl)?, packed, s)?;
        if self.keep {
            let _ = self.kept.set(kept);
        }
        let shape = match &self.rows {
            Some(_) => Shape::from((s.r, s.h)),
            None => xl.shape().clone(),
        };
        Ok((out, shape))
    }

    fn bwd(
        &self,
        x: &Tensor,
        packed: &Tensor,
        _out: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let Some(kept) = self.kept.get() else {
            candle_core::bail!("encoder layer: backward before forward")
        };
        let s = self.sizes(x.shape())?;
        let grad = with_floats(&grad.contiguous()?, |g| Ok(g.to_vec()))?;
        let (xs, xl) = x.storage_and_layout();
        let (ps, _) = packed.storage_and_layout();
        let (Storage::Cpu(xs), Storage::Cpu(ps)) = (&*xs, &*ps) else {
            candle_core::bail!("encoder layer: not on the CPU")
        };
        let matrix = Matrix::new(xs, xl.start_offset(), s.n, s.h);
        let (dx, dp) = self.backward(matrix, ps, kept, grad, s)?;
        Ok((
            Some(tensor(dx, x.shape())?),
            Some(tensor(dp, packed.shape())?),
        ))
    }
}
