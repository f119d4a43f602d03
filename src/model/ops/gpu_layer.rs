//! The block of `encoder_layer` for GPUs: products in the type of its input, normalisations and rotations in f32. Forwards
//! it uses candle's fused kernels, which have no backward pass; that is written by hand here.

use candle_core::{D, DType, Result, Tensor};
use candle_nn::ops::{layer_norm, softmax_last_dim};
use candle_nn::rotary_emb::rope;

use super::given;
use super::gpu_ops::{Chosen, column_sums};
use super::layer_weights::{EncoderLayer, Offsets};

/// As [`super::encoder_layer`], or with `rows` as [`super::encoder_layer_rows`].
pub(super) fn encoder_layer(
    x: &Tensor,
    mask: &Tensor,
    layer: &EncoderLayer,
    rows: Option<&Tensor>,
) -> Result<Tensor> {
    let (b, t, h) = x.dims3()?;
    let packed = layer.packed()?;
    let f = layer.widen.bias.elem_count();
    let block = Block {
        sizes: Sizes {
            b,
            t,
            h,
            f,
            heads: layer.heads,
        },
        eps: layer.eps,
        at: Offsets::new(h, f),
        weights: packed.detach().to_dtype(x.dtype())?,
        exact: packed.detach().to_dtype(DType::F32)?,
        rotation: match layer.rotation {
            // Queries and keys are turned as one batch of twice the size.
            Some(r) => Some([
                Tensor::cat(&[&r.cos, &r.cos], 0)?,
                Tensor::cat(&[&r.sin, &r.sin], 0)?,
            ]),
            None => None,
        },
        rows: rows.map(|rows| Chosen::new(rows, b * t)).transpose()?,
    };
    let x2 = x.detach().contiguous()?.reshape((b * t, h))?;
    let (kept, out) = block.forward(&x2, &mask.detach())?;
    let out = match rows {
        Some(_) => out,
        None => out.reshape((b, t, h))?,
    };
    given::of_two("encoder-layer", x, &packed, &out, move |grad| {
        let (dx, dp) = block.backward(&x2, &kept, grad)?;
        Ok((dx.reshape((b, t, h))?, dp))
    })
}

#[derive(Debug, Clone, Copy)]
struct Sizes {
    b: usize,
    t: usize,
    h: usize,
    f: usize,
    heads: usize,
}

/// One call's weights and what else defines it. N = B*T tokens, R of them wanted.
struct Block {
    sizes: Sizes,
    eps: f64,
    at: Offsets,
    /// All parameters in the type of the products.
    weights: Tensor,
    /// The same in f32.
    exact: Tensor,
    /// Cosines and sines, both (2B,T,D/2) f32.
    rotation: Option<[Tensor; 2]>,
    rows: Option<Chosen>,
}

/// What the backward pass needs of the forward pass.
struct Kept {
    /// Queries, scaled, and keys and values, (B,heads,T,D).
    qkv: [Tensor; 3],
    /// (B,heads,T,T).
    probs: Tensor,
    /// What the heads saw, (B,heads,T,D), and of the wanted tokens, (R,H).
    heads: Tensor,
    seen: Tensor,
    /// What is normalised after attention, and the result, (R,H).
    sum1: Tensor,
    middle: Tensor,
    /// Before and after GELU, (R,F).
    before: Tensor,
    wide: Tensor,
    /// What is normalised at the end, (R,H).
    sum2: Tensor,
}

impl Block {
    fn matrix(&self, at: usize, out: usize, width: usize) -> Result<Tensor> {
        self.weights
            .narrow(0, at, out * width)?
            .reshape((out, width))
    }

    fn product(&self, x: &Tensor, (at, bias): (usize, usize), out: usize) -> Result<Tensor> {
        let w = self.matrix(at, out, x.dim(1)?)?;
        x.matmul(&w.t()?)?
            .broadcast_add(&self.weights.narrow(0, bias, out)?)
    }

    /// Scale and shift of a normalisation.
    fn norm(&self, at: usize) -> Result<[Tensor; 2]> {
        let h = self.sizes.h;
        Ok([
            self.exact.narrow(0, at, h)?,
            self.exact.narrow(0, at + h, h)?,
        ])
    }

    fn normalise(&self, sum: &Tensor, at: usize) -> Result<Tensor> {
        let [weight, bias] = self.norm(at)?;
        layer_norm(&sum.to_dtype(DType::F32)?, &weight, &bias, self.eps as f32)?
            .to_dtype(sum.dtype())
    }

    /// The gradients of what was normalised and of scale and shift, all f32.
    fn normalise_backward(&self, grad: &Tensor, sum: &Tensor, at: usize) -> Result<[Tensor; 3]> {
        let [weight, bias] = self.norm(at)?;
        let (grad, sum) = (grad.to_dtype(DType::F32)?, sum.to_dtype(DType::F32)?);
        let (one, none) = (weight.ones_like()?, bias.zeros_like()?);
        let normal = layer_norm(&sum, &one, &none, self.eps as f32)?;
        // The mean m of normal * sum is the variance over its root r (with eps): m = r - eps/r, so 1/r = 2/(m + root(m² + 4 eps)).
        let m = (&normal * &sum)?.mean_keepdim(D::Minus1)?;
        let inverse = ((&m + (m.sqr()? + 4.0 * self.eps)?.sqrt()?)?.recip()? * 2.0)?; // (R,1)
        let dw = column_sums(&(&grad * &normal)?)?;
        let db = column_sums(&grad)?;
        let slope = grad.broadcast_mul(&weight)?;
        let mean = slope.mean_keepdim(D::Minus1)?;
        let along = (&slope * &normal)?.mean_keepdim(D::Minus1)?;
        let dx = slope
            .broadcast_sub(&mean)?
            .sub(&normal.broadcast_mul(&along)?)?
            .broadcast_mul(&inverse)?;
        Ok([dx, dw, db])
    }

    /// Queries and keys (2,B,heads,T,D) turned, or, with sign -1, turned back; f32.
    fn rotate(&self, both: &Tensor, sign: f64) -> Result<Tensor> {
        let both = both.to_dtype(DType::F32)?;
        let Some([cos, sin]) = &self.rotation else {
            return Ok(both);
        };
        let shape = both.shape().clone();
        let Sizes { b, t, h, heads, .. } = self.sizes;
        let flat = both.contiguous()?.reshape((2 * b, heads, t, h / heads))?;
        let sin = if sign < 0.0 { sin.neg()? } else { sin.clone() };
        rope(&flat, cos, &sin)?.reshape(shape)
    }

    /// (N,H) to (B,heads,T,D).
    fn split(&self, x: &Tensor) -> Result<Tensor> {
        let Sizes { b, t, h, heads, .. } = self.sizes;
        x.reshape((b, t, heads, h / heads))?
            .transpose(1, 2)?
            .contiguous()
    }

    fn scale(&self) -> f64 {
        1.0 / ((self.sizes.h / self.sizes.heads) as f64).sqrt()
    }

    fn forward(&self, x: &Tensor, mask: &Tensor) -> Result<(Kept, Tensor)> {
        let (Sizes { b, t, h, f, heads }, at) = (self.sizes, self.at);
        let dtype = x.dtype();
        let qkv = self
            .product(x, (at.qkv, at.qkv_bias), 3 * h)?
            .reshape((b, t, 3, heads, h / heads))?
            .permute((2, 0, 3, 1, 4))? // (3,B,heads,T,D)
            .contiguous()?;
        let turned = self.rotate(&qkv.narrow(0, 0, 2)?, 1.0)?;
        let q = (turned.get(0)? * self.scale())?.to_dtype(dtype)?;
        let k = turned.get(1)?.to_dtype(dtype)?;
        let v = qkv.get(2)?;
        let scores = q
            .matmul(&k.transpose(2, 3)?)?
            .broadcast_add(&mask.to_dtype(dtype)?)?; // (B,heads,T,T)
        let probs = softmax_last_dim(&scores)?;
        let head = probs.matmul(&v)?;
        let seen = head.transpose(1, 2)?.contiguous()?.reshape((b * t, h))?;
        let (seen, residual) = match &self.rows {
            Some(rows) => (rows.take(&seen)?, rows.take(x)?),
            None => (seen, x.clone()),
        };
        let sum1 = (self.product(&seen, (at.output, at.output_bias), h)? + residual)?;
        let middle = self.normalise(&sum1, at.norm1)?;
        let before = self.product(&middle, (at.widen, at.widen_bias), f)?;
        let wide = before.gelu_erf()?;
        let sum2 = (self.product(&wide, (at.narrow, at.narrow_bias), h)? + &middle)?;
        let out = self.normalise(&sum2, at.norm2)?;
        let kept = Kept {
            qkv: [q, k, v],
            probs,
            heads: head,
            seen,
            sum1,
            middle,
            before,
            wide,
            sum2,
        };
        Ok((kept, out))
    }

    /// Gradients of `x` (N,H) and of the packed parameters.
    fn backward(&self, x: &Tensor, kept: &Kept, grad: &Tensor) -> Result<(Tensor, Tensor)> {
        let (Sizes { b, t, h, f, .. }, at) = (self.sizes, self.at);
        let dtype = x.dtype();
        let grad = grad.contiguous()?.reshape(((), h))?;
        let [d2, dw2, db2] = self.normalise_backward(&grad, &kept.sum2, at.norm2)?;
        let d2_bias = column_sums(&d2)?;
        let d2 = d2.to_dtype(dtype)?;
        let d_narrow = d2.t()?.matmul(&kept.wide)?; // (H,F)
        let d_wide = d2.matmul(&self.matrix(at.narrow, h, f)?)?; // (R,F)
        let d_before = (d_wide * gelu_slope(&kept.before)?)?;
        let d_widen_bias = column_sums(&d_before)?;
        let d_widen = d_before.t()?.matmul(&kept.middle)?; // (F,H)
        let d_middle = (d_before.matmul(&self.matrix(at.widen, f, h)?)? + d2)?;

        let [d1, dw1, db1] = self.normalise_backward(&d_middle, &kept.sum1, at.norm1)?;
        let d1_bias = column_sums(&d1)?;
        let d1 = d1.to_dtype(dtype)?;
        let d_output = d1.t()?.matmul(&kept.seen)?; // (H,H)
        let d_seen = d1.matmul(&self.matrix(at.output, h, h)?)?; // (R,H)
        let (d_seen, d_residual) = match &self.rows {
            Some(rows) => (rows.spread(&d_seen)?, rows.spread(&d1)?),
            None => (d_seen, d1),
        };
        let d_qkv = self.attention_backward(kept, &self.split(&d_seen)?)?; // (3,B,heads,T,D)
        let d_qkv = d_qkv
            .permute((1, 3, 0, 2, 4))? // (B,T,3,heads,D)
            .contiguous()?
            .reshape((b * t, 3 * h))?;
        let d_qkv_bias = column_sums(&d_qkv)?;
        let d_qkv_weight = d_qkv.t()?.matmul(x)?; // (3H,H)
        let dx = (d_qkv.matmul(&self.matrix(at.qkv, 3 * h, h)?)? + d_residual)?;

        let exact = |x: Tensor| x.flatten_all()?.to_dtype(self.exact.dtype());
        let dp = [
            d_qkv_weight,
            d_qkv_bias,
            d_output,
            d1_bias,
            dw1,
            db1,
            d_widen,
            d_widen_bias,
            d_narrow,
            d2_bias,
            dw2,
            db2,
        ];
        let dp = dp.into_iter().map(exact).collect::<Result<Vec<_>>>()?;
        Ok((dx, Tensor::cat(&dp, 0)?))
    }

    /// From the gradient (B,heads,T,D) of what the heads saw, that of queries, keys and values before they were turned,
    /// (3,B,heads,T,D).
    fn attention_backward(&self, kept: &Kept, grad: &Tensor) -> Result<Tensor> {
        let [q, k, v] = &kept.qkv;
        let dv = kept.probs.transpose(2, 3)?.matmul(grad)?;
        let d_probs = grad.matmul(&v.transpose(2, 3)?)?; // (B,heads,T,T)
        // The sum over a row of probs * d_probs, from what is narrower (Dao et al., "FlashAttention", 2022, appendix B.2).
        let (seen, got) = (kept.heads.to_dtype(DType::F32)?, grad.to_dtype(DType::F32)?);
        let along = (seen * got)?
            .sum_keepdim(D::Minus1)?
            .to_dtype(grad.dtype())?; // (B,heads,T,1)
        let d_scores = (d_probs.broadcast_sub(&along)? * &kept.probs)?;
        let dq = d_scores.matmul(k)?.to_dtype(DType::F32)?;
        let dk = d_scores.transpose(2, 3)?.matmul(q)?.to_dtype(DType::F32)?;
        let both = Tensor::stack(&[(dq * self.scale())?, dk], 0)?;
        let both = self.rotate(&both, -1.0)?.to_dtype(grad.dtype())?;
        Tensor::cat(&[both, dv.unsqueeze(0)?], 0)
    }
}

/// The slope of GELU by the error function.
fn gelu_slope(x: &Tensor) -> Result<Tensor> {
    let z = (x * std::f64::consts::FRAC_1_SQRT_2)?;
    let below = ((z.erf()? * 0.5)? + 0.5)?;
    let density = (z.sqr()?.neg()?.exp()?
        * (0.5 * std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::FRAC_1_SQRT_2))?;
    below + (density * x)?
}
