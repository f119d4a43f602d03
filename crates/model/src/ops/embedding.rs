//! Rows of a table by ids, with a backward pass that touches only those rows.

use candle_core::{CpuStorage, CustomOp1, DType, Layout, Result, Shape, Tensor};

use super::buffers::{floats, tensor, with_floats};
use super::{Norm, add_bias, composed, fusible, gpu_ops, kernels, layer_norm, on_gpu};

/// Rows of `table` (V,H) for `ids` of any shape, u32. Returns (..., H).
///
/// # Errors
/// If an id is not below V.
pub fn embedding(ids: &Tensor, table: &Tensor) -> Result<Tensor> {
    if on_gpu(&[ids, table]) && table.dtype() == DType::F32 {
        return gpu_ops::embedding(ids, table);
    }
    if !fusible(&[table]) {
        return composed::embedding(ids, table);
    }
    let op = Rows {
        ids: ids.flatten_all()?.to_vec1()?,
        shape: ids.dims().to_vec(),
    };
    table.contiguous()?.apply_op1(op)
}

/// The input embedding of a sequence: tables and a bias, f32, and a normalisation.
#[derive(Debug, Clone, Copy)]
pub struct EmbeddingTables<'a> {
    /// (V,H).
    pub words: &'a Tensor,
    /// (P,H).
    pub places: &'a Tensor,
    /// (H).
    pub bias: &'a Tensor,
    /// Of the sum.
    pub norm: Norm<'a>,
    /// Of the normalisation.
    pub eps: f64,
}

/// The normalised sum of a word's row, a position's row and the bias, in `dtype`, for `ids` and `positions` (B,T) u32.
/// Returns (B,T,H).
///
/// # Errors
/// If an id has no row. On a GPU the result is not a number then.
pub fn embeddings(
    ids: &Tensor,
    positions: &Tensor,
    tables: &EmbeddingTables<'_>,
    dtype: DType,
) -> Result<Tensor> {
    if on_gpu(&[ids, positions, tables.words]) && tables.words.dtype() == DType::F32 {
        return gpu_ops::embeddings([ids, positions], tables, dtype);
    }
    let sum = (embedding(ids, tables.words)? + embedding(positions, tables.places)?)?;
    let x = add_bias(&sum, tables.bias)?;
    layer_norm(&x, tables.norm.weight, tables.norm.bias, tables.eps)?.to_dtype(dtype)
}

struct Rows {
    ids: Vec<u32>,
    shape: Vec<usize>,
}

impl CustomOp1 for Rows {
    fn name(&self) -> &'static str {
        "embedding"
    }

    fn cpu_fwd(&self, table: &CpuStorage, l: &Layout) -> Result<(CpuStorage, Shape)> {
        let (rows, width) = l.shape().dims2()?;
        let table = floats(table, l)?;
        let mut out = Vec::with_capacity(self.ids.len() * width);
        for &id in &self.ids {
            let id = id as usize;
            if id >= rows {
                candle_core::bail!("embedding: id {id} in a table of {rows} rows");
            }
            out.extend_from_slice(&table[id * width..][..width]);
        }
        let mut shape = self.shape.clone();
        shape.push(width);
        Ok((CpuStorage::F32(out), Shape::from(shape)))
    }

    fn bwd(&self, table: &Tensor, _out: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        let (_, width) = table.dims2()?;
        let mut dt = vec![0.0; table.elem_count()];
        with_floats(&grad.contiguous()?, |g| {
            for (&id, g) in self.ids.iter().zip(g.chunks_exact(width)) {
                kernels::add(&mut dt[id as usize * width..][..width], g);
            }
            Ok(())
        })?;
        Ok(Some(tensor(dt, table.shape())?))
    }
}
