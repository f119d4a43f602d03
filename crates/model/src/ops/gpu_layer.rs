//! The block of `encoder_layer` for GPUs: products in the type of its input, and between them single passes over memory
//! (`gpu_steps`). The backward pass is written by hand.

use candle_core::{DType, Result, Tensor};

use super::given;
use super::gpu_ops::Chosen;
use super::gpu_steps::{self as steps, HeadSizes, Normed};
use super::layer_weights::{EncoderLayer, Offsets, packed};

/// As [`super::encoder_layer`], or with `rows` as [`super::encoder_layer_rows`].
pub(super) fn encoder_layer(
    x: &Tensor,
    mask: &Tensor,
    layer: &EncoderLayer,
    rows: Option<&Tensor>,
) -> Result<Tensor> {
    encoder_layers(x, mask, std::slice::from_ref(layer), rows)
}

/// Consecutive blocks, with only `rows` of the last one if given: as [`super::encoder_layers`].
pub(super) fn encoder_layers(
    x: &Tensor,
    mask: &Tensor,
    layers: &[EncoderLayer],
    rows: Option<&Tensor>,
) -> Result<Tensor> {
    let (b, t, h) = x.dims3()?;
    let parts: Vec<_> = layers.iter().flat_map(EncoderLayer::parts).collect();
    let packed = packed(&parts)?;
    let weights = packed.detach().to_dtype(x.dtype())?;
    let exact = packed.detach().to_dtype(DType::F32)?;
    let mut start = 0;
    let mut blocks = Vec::with_capacity(layers.len());
    for (k, layer) in layers.iter().enumerate() {
        let f = layer.widen.bias.elem_count();
        let at = Offsets::new(h, f);
        let rows = rows.filter(|_| k + 1 == layers.len());
        blocks.push(Block {
            h,
            f,
            sizes: HeadSizes {
                batch: b,
                length: t,
                heads: layer.heads,
                size: h / layer.heads,
            },
            eps: layer.eps,
            weights: weights.narrow(0, start, at.end)?,
            exact: exact.narrow(0, start, at.end)?,
            rotation: match layer.rotation {
                Some(r) => Some([r.cos.contiguous()?, r.sin.contiguous()?]),
                None => None,
            },
            rows: rows.map(|rows| Chosen::new(rows, b * t)).transpose()?,
            at,
        });
        start += at.end;
    }
    let x2 = x.detach().contiguous()?.reshape((b * t, h))?;
    let mask = mask.detach();
    let mut all = Vec::with_capacity(blocks.len());
    let mut inner = x2;
    for block in &blocks {
        let (kept, out) = block.forward(&inner, &mask)?;
        all.push((inner, kept));
        inner = out;
    }
    let out = match rows {
        Some(_) => inner,
        None => inner.reshape((b, t, h))?,
    };
    given::of_two("encoder-layers", x, &packed, &out, move |grad| {
        let mut grad = grad.contiguous()?.reshape(((), h))?;
        let mut residual: Option<Tensor> = None;
        let mut gradients = Vec::with_capacity(8 * blocks.len());
        for (block, (x, kept)) in blocks.iter().zip(&all).rev() {
            let found = block.backward(x, kept, &grad, residual.as_ref())?;
            grad = found.x;
            residual = Some(found.residual);
            gradients.splice(0..0, found.parameters);
        }
        let dx = match residual {
            Some(residual) => (grad + residual)?,
            None => grad,
        };
        Ok((dx.reshape((b, t, h))?, Tensor::cat(&gradients, 0)?))
    })
}

/// Results of a block's backward pass: two parts of the gradient of the input, (N,H), and the parameters' gradients,
/// f32, in the order of [`Offsets`].
struct Found {
    x: Tensor,
    residual: Tensor,
    parameters: Vec<Tensor>,
}

/// One call's weights and other settings. N = B*T tokens, R of them selected.
struct Block {
    /// Width of a token, H, and of the layer in between, F.
    h: usize,
    f: usize,
    sizes: HeadSizes,
    eps: f64,
    at: Offsets,
    /// All parameters in the type of the products.
    weights: Tensor,
    /// The same in f32.
    exact: Tensor,
    /// Cosines and sines, both (B,T,D/2) f32.
    rotation: Option<[Tensor; 2]>,
    rows: Option<Chosen>,
}

/// The backward pass's inputs from the forward pass.
struct Kept {
    /// Queries, scaled, and keys and values, (B,heads,T,D).
    qkv: [Tensor; 3],
    /// (B,heads,T,T).
    probs: Tensor,
    /// The heads' output for the selected tokens, (R,H).
    seen: Tensor,
    /// The normalisation after attention, (R,H).
    middle: Normed,
    /// Before the bias and after GELU, (R,F).
    before: Tensor,
    wide: Tensor,
    /// The normalisation at the end, (R,H).
    end: Normed,
}

impl Block {
    fn matrix(&self, at: usize, out: usize, width: usize) -> Result<Tensor> {
        self.weights
            .narrow(0, at, out * width)?
            .reshape((out, width))
    }

    /// The product of (R,in) with the weights (out,in) at an offset.
    fn product(&self, x: &Tensor, at: usize, out: usize) -> Result<Tensor> {
        x.matmul(&self.matrix(at, out, x.dim(1)?)?.t()?)
    }

    /// Parameters of a bias or of one half of a normalisation, f32.
    fn vector(&self, at: usize, count: usize) -> Result<Tensor> {
        self.exact.narrow(0, at, count)
    }

    fn residual_norm(
        &self,
        y: &Tensor,
        residual: &Tensor,
        bias: usize,
        norm: usize,
    ) -> Result<Normed> {
        let h = self.h;
        let norm = [&self.vector(norm, h)?, &self.vector(norm + h, h)?];
        steps::residual_norm(y, &self.vector(bias, h)?, residual, norm, self.eps)
    }

    fn turns(&self) -> Option<[&Tensor; 2]> {
        self.rotation.as_ref().map(|[cos, sin]| [cos, sin])
    }

    fn scale(&self) -> f64 {
        1.0 / (self.sizes.size as f64).sqrt()
    }

    fn forward(&self, x: &Tensor, mask: &Tensor) -> Result<(Kept, Tensor)> {
        let (at, h, f) = (self.at, self.h, self.f);
        let products = self.product(x, at.qkv, 3 * h)?;
        let bias = self.vector(at.qkv_bias, 3 * h)?;
        let [q, k, v] =
            steps::split_heads(&products, &bias, self.turns(), self.scale(), self.sizes)?;
        let scores = q.matmul(&k.transpose(2, 3)?)?; // (B,heads,T,T)
        let probs = steps::masked_softmax(scores, mask)?;
        let seen = steps::join_heads(&probs.matmul(&v)?, self.sizes)?;
        let (seen, residual) = match &self.rows {
            Some(rows) => (rows.take(&seen)?, rows.take(x)?),
            None => (seen, x.clone()),
        };
        let y = self.product(&seen, at.output, h)?;
        let middle = self.residual_norm(&y, &residual, at.output_bias, at.norm1)?;
        let before = self.product(&middle.out, at.widen, f)?;
        let wide = steps::bias_gelu(&before, &self.vector(at.widen_bias, f)?)?;
        let y = self.product(&wide, at.narrow, h)?;
        let end = self.residual_norm(&y, &middle.out, at.narrow_bias, at.norm2)?;
        let out = end.out.clone();
        let kept = Kept {
            qkv: [q, k, v],
            probs,
            seen,
            middle,
            before,
            wide,
            end,
        };
        Ok((kept, out))
    }

    /// From the gradient of the result, the sum of both if there are two, (R,H).
    fn backward(
        &self,
        x: &Tensor,
        kept: &Kept,
        grad: &Tensor,
        grad2: Option<&Tensor>,
    ) -> Result<Found> {
        let (at, h, f) = (self.at, self.h, self.f);
        let scale = self.vector(at.norm2, h)?;
        let (d2, end) = steps::norm_backward(grad, grad2, &kept.end, &scale)?;
        let d_narrow = d2.t()?.matmul(&kept.wide)?; // (H,F)
        let d_wide = d2.matmul(&self.matrix(at.narrow, h, f)?)?; // (R,F)
        let bias = self.vector(at.widen_bias, f)?;
        let (d_before, d_widen_bias) = steps::gelu_backward(d_wide, &kept.before, &bias)?;
        let d_widen = d_before.t()?.matmul(&kept.middle.out)?; // (F,H)
        let d_middle = d_before.matmul(&self.matrix(at.widen, f, h)?)?;

        let scale = self.vector(at.norm1, h)?;
        let (d1, middle) = steps::norm_backward(&d_middle, Some(&d2), &kept.middle, &scale)?;
        let d_output = d1.t()?.matmul(&kept.seen)?; // (H,H)
        let d_seen = d1.matmul(&self.matrix(at.output, h, h)?)?; // (R,H)
        let (d_seen, d_residual) = match &self.rows {
            Some(rows) => (rows.spread(&d_seen)?, rows.spread(&d1)?),
            None => (d_seen, d1),
        };
        let d_heads = self.attention_backward(kept, &steps::part_heads(&d_seen, self.sizes)?)?;
        let (d_qkv, d_qkv_bias) =
            steps::merge_heads(d_heads, self.turns(), self.scale(), self.sizes)?;
        let d_qkv_weight = d_qkv.t()?.matmul(x)?; // (3H,H)
        let dx = d_qkv.matmul(&self.matrix(at.qkv, 3 * h, h)?)?;

        let exact = |x: Tensor| x.flatten_all()?.to_dtype(self.exact.dtype());
        // After a normalisation's bias follow its scale and shift.
        let parameters = [
            d_qkv_weight,
            d_qkv_bias,
            d_output,
            middle,
            d_widen,
            d_widen_bias,
            d_narrow,
            end,
        ];
        let parameters = parameters.into_iter().map(exact);
        Ok(Found {
            x: dx,
            residual: d_residual,
            parameters: parameters.collect::<Result<_>>()?,
        })
    }

    /// From the gradient (B,heads,T,D) of the heads' output, those of scaled and rotated queries, of rotated keys, and
    /// of values.
    fn attention_backward(&self, kept: &Kept, grad: &Tensor) -> Result<[Tensor; 3]> {
        let [q, k, v] = &kept.qkv;
        let dv = kept.probs.transpose(2, 3)?.matmul(grad)?;
        let d_probs = grad.matmul(&v.transpose(2, 3)?)?; // (B,heads,T,T)
        let d_scores = steps::softmax_backward(d_probs, &kept.probs)?;
        let dq = d_scores.matmul(k)?;
        let dk = d_scores.transpose(2, 3)?.matmul(q)?;
        Ok([dq, dk, dv])
    }
}
