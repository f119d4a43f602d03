//! Scaled dot-product attention, head by head so that the scores of a head stay in the cache.

use std::sync::OnceLock;

use candle_core::{CpuStorage, CustomOp3, Layout, Result, Shape, Tensor};

use super::buffers::{Matrix, floats_mut, tensor, with_floats};
use super::products::Products;
use super::{composed, fusible, kernels};

/// Scaled dot-product attention: `q` (B,H,Q,D), `k` and `v` (B,H,K,D), `mask` (B,1,Q,K) as for
/// [`masked_softmax`](super::masked_softmax). Returns (B,H,Q,D). The mask gets no gradient.
pub fn attention(q: &Tensor, k: &Tensor, v: &Tensor, mask: &Tensor) -> Result<Tensor> {
    let (b, _, queries, _) = q.dims4()?;
    let keys = k.dim(2)?;
    if !fusible(&[q, k, v, mask]) || mask.dims() != [b, 1, queries, keys] {
        return composed::attention(q, k, v, mask);
    }
    let op = Attention {
        mask: mask.detach().contiguous()?,
        keep: q.track_op() || k.track_op() || v.track_op(),
        probs: OnceLock::new(),
    };
    rows(q)?.apply_op3(&rows(k)?, &rows(v)?, op)
}

/// The tensor unchanged if each row of its heads is contiguous: a slice of a cache is not copied at
/// every token.
fn rows(x: &Tensor) -> Result<Tensor> {
    match x.stride().last() {
        Some(1) => Ok(x.clone()),
        _ => x.contiguous(),
    }
}

/// Where the heads of all sequences lie in a buffer: strides of a sequence, a head and a token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Strides {
    pub(super) start: usize,
    pub(super) sequence: usize,
    pub(super) head: usize,
    pub(super) token: usize,
}

impl Strides {
    /// Of a contiguous (B,H,T,D).
    fn contiguous(start: usize, heads: usize, tokens: usize, size: usize) -> Self {
        Self {
            start,
            sequence: heads * tokens * size,
            head: tokens * size,
            token: size,
        }
    }

    /// For a (B,H,T,D) with contiguous rows.
    fn of(layout: &Layout) -> Self {
        let stride = layout.stride();
        Self {
            start: layout.start_offset(),
            sequence: stride[0],
            head: stride[1],
            token: stride[2],
        }
    }

    /// The start of one head.
    fn at(&self, sequence: usize, head: usize) -> usize {
        self.start + sequence * self.sequence + head * self.head
    }

    /// Writes the rows of one head.
    fn write(
        &self,
        to: &mut [f32],
        (b, h): (usize, usize),
        from: &CpuStorage,
        size: usize,
    ) -> Result<()> {
        let from = from.as_slice::<f32>()?;
        let at = self.at(b, h);
        for (i, row) in from.chunks_exact(size).enumerate() {
            to[at + i * self.token..][..size].copy_from_slice(row);
        }
        Ok(())
    }
}

/// The sizes of an attention, and where its operands lie.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    pub(super) sequences: usize,
    pub(super) heads: usize,
    pub(super) queries: usize,
    pub(super) keys: usize,
    pub(super) size: usize,
    pub(super) q: Strides,
    pub(super) k: Strides,
    pub(super) v: Strides,
    pub(super) out: Strides,
    pub(super) products: Products,
}

impl Plan {
    fn scale(&self) -> f32 {
        1.0 / (self.size as f32).sqrt()
    }

    fn each_head(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let heads = self.heads;
        (0..self.sequences).flat_map(move |b| (0..heads).map(move |h| (b, h)))
    }

    fn matrix<'a>(
        &self,
        storage: &'a CpuStorage,
        strides: Strides,
        tokens: usize,
        (b, h): (usize, usize),
    ) -> Matrix<'a> {
        Matrix::strided(storage, strides.at(b, h), tokens, self.size, strides.token)
    }

    /// Writes the heads' output into `out`. Returns the probabilities of each head, (Q,K).
    pub(super) fn forward(
        &self,
        [q, k, v]: [&CpuStorage; 3],
        mask: &[f32],
        out: &mut [f32],
        mut keep: impl FnMut(CpuStorage),
    ) -> Result<()> {
        let area = self.queries * self.keys;
        for at in self.each_head() {
            let query = self.matrix(q, self.q, self.queries, at);
            let mut probs =
                query.times_small(self.matrix(k, self.k, self.keys, at).t(), self.products)?;
            let mask = &mask[at.0 * area..][..area];
            kernels::masked_softmax(floats_mut(&mut probs)?, mask, self.keys, self.scale());
            let seen = Matrix::new(&probs, 0, self.queries, self.keys)
                .times_small(self.matrix(v, self.v, self.keys, at), self.products)?;
            self.out.write(out, at, &seen, self.size)?;
            keep(probs);
        }
        Ok(())
    }

    /// Writes the gradients of q, k and v, in the layout of `to`, into `grads`.
    pub(super) fn backward(
        &self,
        [q, k, v]: [&CpuStorage; 3],
        probs: &[CpuStorage],
        grad: &CpuStorage,
        to: [Strides; 3],
        grads: &mut [f32],
    ) -> Result<()> {
        for (at, p) in self.each_head().zip(probs) {
            let (query, key) = (
                self.matrix(q, self.q, self.queries, at),
                self.matrix(k, self.k, self.keys, at),
            );
            let value = self.matrix(v, self.v, self.keys, at);
            let grad = self.matrix(grad, self.out, self.queries, at);
            let dv = Matrix::new(p, 0, self.queries, self.keys)
                .t()
                .times_small(grad, self.products)?;
            let mut ds = grad.times_small(value.t(), self.products)?;
            let p = p.as_slice::<f32>()?;
            kernels::softmax_backward(floats_mut(&mut ds)?, p, self.keys, self.scale());
            let ds = Matrix::new(&ds, 0, self.queries, self.keys);
            let dq = ds.times_small(key, self.products)?;
            let dk = ds.t().times_small(query, self.products)?;
            to[0].write(grads, at, &dq, self.size)?;
            to[1].write(grads, at, &dk, self.size)?;
            to[2].write(grads, at, &dv, self.size)?;
        }
        Ok(())
    }
}

struct Attention {
    mask: Tensor,
    keep: bool,
    probs: OnceLock<Vec<CpuStorage>>,
}

impl Attention {
    /// For operands with contiguous rows.
    fn plan(ql: &Layout, kl: &Layout, vl: &Layout) -> Result<Plan> {
        let (sequences, heads, queries, size) = ql.shape().dims4()?;
        let keys = kl.dims()[2];
        Ok(Plan {
            sequences,
            heads,
            queries,
            keys,
            size,
            q: Strides::of(ql),
            k: Strides::of(kl),
            v: Strides::of(vl),
            out: Strides::contiguous(0, heads, queries, size),
            products: Products::F32,
        })
    }
}

impl CustomOp3 for Attention {
    fn name(&self) -> &'static str {
        "attention"
    }

    fn cpu_fwd(
        &self,
        q: &CpuStorage,
        ql: &Layout,
        k: &CpuStorage,
        kl: &Layout,
        v: &CpuStorage,
        vl: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let plan = Self::plan(ql, kl, vl)?;
        let mut out = vec![0.0; ql.shape().elem_count()];
        let mut probs = Vec::new();
        with_floats(&self.mask, |mask| {
            plan.forward([q, k, v], mask, &mut out, |p| {
                if self.keep {
                    probs.push(p);
                }
            })
        })?;
        let _ = self.probs.set(probs);
        Ok((CpuStorage::F32(out), ql.shape().clone()))
    }

    fn bwd(
        &self,
        q: &Tensor,
        k: &Tensor,
        v: &Tensor,
        _out: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let Some(probs) = self.probs.get() else {
            candle_core::bail!("attention: backward before forward")
        };
        let (_, heads, queries, size) = q.dims4()?;
        let keys = k.dim(2)?;
        let (q_len, k_len) = (q.elem_count(), k.elem_count());
        let mut grads = vec![0.0; q_len + 2 * k_len];
        let to = [
            Strides::contiguous(0, heads, queries, size),
            Strides::contiguous(q_len, heads, keys, size),
            Strides::contiguous(q_len + k_len, heads, keys, size),
        ];
        let grad = CpuStorage::F32(with_floats(&grad.contiguous()?, |g| Ok(g.to_vec()))?);
        let (qs, ql) = q.storage_and_layout();
        let (ks, kl) = k.storage_and_layout();
        let (vs, vl) = v.storage_and_layout();
        use candle_core::Storage::Cpu;
        let (Cpu(qs), Cpu(ks), Cpu(vs)) = (&*qs, &*ks, &*vs) else {
            candle_core::bail!("attention: not on the CPU")
        };
        Self::plan(ql, kl, vl)?.backward([qs, ks, vs], probs, &grad, to, &mut grads)?;
        let (dq, rest) = grads.split_at(q_len);
        let (dk, dv) = rest.split_at(k_len);
        Ok((
            Some(tensor(dq.to_vec(), q.shape())?),
            Some(tensor(dk.to_vec(), k.shape())?),
            Some(tensor(dv.to_vec(), v.shape())?),
        ))
    }
}
