//! Cross entropy of weighted targets, from logits or straight from hidden states and a word table.

use std::sync::{Arc, Mutex};

use candle_core::{CpuStorage, CustomOp1, CustomOp2, DType, Device, Layout, Result, Shape, Tensor};

use super::buffers::{Factor, Matrix, floats, floats_mut, tensor, with_floats};
use super::{Products, composed, fusible, gpu_ops, kernels, on_gpu};

/// Sum over rows of `weights * -log softmax(logits)[target]`: `logits` (N,V), `targets` (N) u32,
/// `weights` (N) f32. Returns a scalar in f32. Divide by the sum of the weights for a mean. Targets
/// and weights get no gradient.
///
/// # Errors
/// If a target is not below V.
pub fn cross_entropy(logits: &Tensor, targets: &Tensor, weights: &Tensor) -> Result<Tensor> {
    if !fusible(&[logits, weights]) {
        return composed::cross_entropy(logits, targets, weights);
    }
    let targets = Targets::new(targets, weights, logits.dims2()?)?;
    logits.contiguous()?.apply_op1(CrossEntropy { targets })
}

/// `cross_entropy(hidden table^T, ...)` without the logits in the graph: `hidden` (N,H), `table`
/// (V,H). In training, the gradient of the logits immediately replaces the logits.
///
/// # Errors
/// If a target is not below V.
pub fn linear_cross_entropy(
    hidden: &Tensor,
    table: &Tensor,
    targets: &Tensor,
    weights: &Tensor,
) -> Result<Tensor> {
    let products = Products::F32;
    Ok(linear_cross_entropy_and_hits(hidden, table, targets, weights, products)?.0)
}

/// [`linear_cross_entropy`] with products of a type, and the [`weighted_hits`] of the same logits, which are
/// computed once.
///
/// # Errors
/// If a target is not below V. On a GPU the loss is then NaN.
pub fn linear_cross_entropy_and_hits(
    hidden: &Tensor,
    table: &Tensor,
    targets: &Tensor,
    weights: &Tensor,
    products: Products,
) -> Result<(Tensor, Tensor)> {
    if on_gpu(&[hidden, table]) {
        return gpu_ops::linear_cross_entropy_and_hits(hidden, table, targets, weights);
    }
    if !fusible(&[hidden, table, weights]) {
        let logits = composed::project(hidden, table)?;
        let hits = weighted_hits(&logits.detach(), targets, weights)?;
        return Ok((composed::cross_entropy(&logits, targets, weights)?, hits));
    }
    let hits = Arc::new(Mutex::new(0.0));
    let op = LinearCrossEntropy {
        targets: Targets::new(targets, weights, (hidden.dim(0)?, table.dim(0)?))?,
        grads: Mutex::new(None),
        hits: Arc::clone(&hits),
        products,
    };
    let loss = hidden.contiguous()?.apply_op2(&table.contiguous()?, op)?;
    let hits = hits.lock().map_or(0.0, |hits| *hits);
    Ok((loss, Tensor::new(hits, &Device::Cpu)?))
}

/// Sum of the `weights` (N) of the rows of `logits` (N,V) whose maximum is at the target: a scalar, f32, on their
/// device. No gradient.
pub fn weighted_hits(logits: &Tensor, targets: &Tensor, weights: &Tensor) -> Result<Tensor> {
    let logits = logits.to_dtype(DType::F32)?.contiguous()?;
    if on_gpu(&[&logits]) {
        return gpu_ops::hits(&logits, targets, weights);
    }
    let targets = Targets::new(targets, weights, logits.dims2()?)?;
    with_floats(&logits, |l| Tensor::new(targets.hits(l), &Device::Cpu))
}

/// The target and weight of each row.
struct Targets {
    classes: usize,
    targets: Vec<u32>,
    weights: Vec<f32>,
}

impl Targets {
    fn new(targets: &Tensor, weights: &Tensor, (rows, classes): (usize, usize)) -> Result<Self> {
        let this = Self {
            classes,
            targets: targets.to_vec1()?,
            weights: weights.to_vec1()?,
        };
        if this.targets.len() != rows || this.weights.len() != rows {
            let (t, w) = (this.targets.len(), this.weights.len());
            candle_core::bail!("cross entropy: {rows} rows, {t} targets, {w} weights");
        }
        if let Some(t) = this.targets.iter().find(|t| **t as usize >= classes) {
            candle_core::bail!("cross entropy: target {t} of {classes} classes");
        }
        Ok(this)
    }

    fn rows<'a>(&'a self, logits: &'a [f32]) -> impl Iterator<Item = (&'a [f32], usize, f32)> {
        let labels = self.targets.iter().zip(&self.weights);
        let rows = logits.chunks_exact(self.classes).zip(labels);
        rows.map(|(row, (&t, &w))| (row, t as usize, w))
    }

    /// The weights of the rows whose maximum is at the target.
    fn hits(&self, logits: &[f32]) -> f32 {
        let hit = |(row, target, weight): (&[f32], usize, f32)| {
            if kernels::argmax(row) == target {
                weight
            } else {
                0.0
            }
        };
        self.rows(logits).map(hit).sum()
    }

    /// The weighted sum.
    fn loss(&self, logits: &[f32]) -> f32 {
        let term = |(row, target, weight): (&[f32], usize, f32)| match weight {
            0.0 => 0.0,
            _ => f64::from(weight * kernels::surprise(row, target)),
        };
        self.rows(logits).map(term).sum::<f64>() as f32
    }

    /// The weighted sum, and the logits become its gradient.
    fn loss_and_gradient(&self, logits: &mut [f32]) -> f32 {
        let labels = self.targets.iter().zip(&self.weights);
        let rows = logits.chunks_exact_mut(self.classes).zip(labels);
        let mut loss = 0f64;
        for (row, (&target, &weight)) in rows {
            if weight == 0.0 {
                row.fill(0.0);
            } else {
                loss += f64::from(kernels::surprise_gradient(row, target as usize, weight));
            }
        }
        loss as f32
    }
}

struct CrossEntropy {
    targets: Targets,
}

impl CustomOp1 for CrossEntropy {
    fn name(&self) -> &'static str {
        "cross-entropy"
    }

    fn cpu_fwd(&self, logits: &CpuStorage, l: &Layout) -> Result<(CpuStorage, Shape)> {
        let loss = self.targets.loss(floats(logits, l)?);
        Ok((CpuStorage::F32(vec![loss]), Shape::from(())))
    }

    fn bwd(&self, logits: &Tensor, _loss: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        let by = grad.to_scalar::<f32>()?;
        let mut dl = with_floats(logits, |l| Ok(l.to_vec()))?;
        self.targets.loss_and_gradient(&mut dl);
        if by != 1.0 {
            kernels::scale(&mut dl, by);
        }
        Ok(Some(tensor(dl, logits.shape())?))
    }
}

struct LinearCrossEntropy {
    targets: Targets,
    /// The gradient of the logits, from the forward pass.
    grads: Mutex<Option<CpuStorage>>,
    /// [`Targets::hits`], from the forward pass.
    hits: Arc<Mutex<f32>>,
    products: Products,
}

impl CustomOp2 for LinearCrossEntropy {
    fn name(&self) -> &'static str {
        "linear-cross-entropy"
    }

    fn cpu_fwd(
        &self,
        hidden: &CpuStorage,
        hl: &Layout,
        table: &CpuStorage,
        tl: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let ((rows, width), classes) = (hl.shape().dims2()?, self.targets.classes);
        let table = Matrix::new(table, tl.start_offset(), classes, width);
        let hidden = Matrix::new(hidden, hl.start_offset(), rows, width);
        let mut logits = hidden.times_in(table.t(), self.products)?;
        if let Ok(mut hits) = self.hits.lock() {
            *hits = self.targets.hits(logits.as_slice()?);
        }
        let loss = self.targets.loss_and_gradient(floats_mut(&mut logits)?);
        if let Ok(mut grads) = self.grads.lock() {
            *grads = Some(logits);
        }
        Ok((CpuStorage::F32(vec![loss]), Shape::from(())))
    }

    fn bwd(
        &self,
        hidden: &Tensor,
        table: &Tensor,
        _loss: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let Some(dl) = self.grads.lock().ok().and_then(|mut g| g.take()) else {
            candle_core::bail!("linear cross entropy: one backward pass for each forward pass")
        };
        let (rows, width) = hidden.dims2()?;
        let classes = self.targets.classes;
        let (hs, hl) = hidden.storage_and_layout();
        let (ts, tl) = table.storage_and_layout();
        use candle_core::Storage::Cpu;
        let (Cpu(hs), Cpu(ts)) = (&*hs, &*ts) else {
            candle_core::bail!("linear cross entropy: not on the CPU")
        };
        let factor = |matrix| Factor::new(matrix, self.products);
        let dl = factor(Matrix::new(&dl, 0, rows, classes))?;
        let words = factor(Matrix::new(ts, tl.start_offset(), classes, width))?;
        let states = factor(Matrix::new(hs, hl.start_offset(), rows, width))?;
        let mut dh = dl.times(&words, self.products)?;
        let mut dt = dl.t().times(&states, self.products)?;
        let by = grad.to_scalar::<f32>()?;
        let (dh, dt) = (floats_mut(&mut dh)?, floats_mut(&mut dt)?);
        if by != 1.0 {
            kernels::scale(dh, by);
            kernels::scale(dt, by);
        }
        Ok((
            Some(tensor(std::mem::take(dh), hidden.shape())?),
            Some(tensor(std::mem::take(dt), table.shape())?),
        ))
    }
}
