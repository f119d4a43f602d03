//! CPU storages as slices, and matrix products on them, below the level of tensors: no graph and no
//! copies. f32 only; the products themselves are candle's, or in bf16 those of `codexec-tiles`.

use std::borrow::Cow;

use candle_core::backend::BackendStorage;
use candle_core::{CpuStorage, Layout, Result, Shape, Storage, Tensor, bail};
use half::bf16;

use super::products::Products;

/// The values of a contiguous f32 storage.
pub(super) fn floats<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    match layout.contiguous_offsets() {
        Some((start, end)) => Ok(&storage.as_slice::<f32>()?[start..end]),
        None => bail!("a fused operation was given a strided tensor"),
    }
}

/// Runs `f` on the values of a contiguous f32 tensor on the CPU.
pub(super) fn with_floats<R>(x: &Tensor, f: impl FnOnce(&[f32]) -> Result<R>) -> Result<R> {
    let (storage, layout) = x.storage_and_layout();
    match &*storage {
        Storage::Cpu(storage) => f(floats(storage, layout)?),
        _ => bail!("a fused operation was given a tensor that is not on the CPU"),
    }
}

/// A tensor of its own from values.
pub(super) fn tensor(values: Vec<f32>, shape: impl Into<Shape>) -> Result<Tensor> {
    Tensor::from_vec(values, shape.into(), &candle_core::Device::Cpu)
}

/// A matrix inside a storage: its offset and strides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Matrix<'a> {
    storage: &'a CpuStorage,
    start: usize,
    rows: (usize, usize),
    columns: (usize, usize),
}

impl<'a> Matrix<'a> {
    /// Contiguous (rows, columns) from `start`.
    pub(super) fn new(storage: &'a CpuStorage, start: usize, rows: usize, columns: usize) -> Self {
        Self::strided(storage, start, rows, columns, columns)
    }

    /// Rows `stride` apart.
    pub(super) fn strided(
        storage: &'a CpuStorage,
        start: usize,
        rows: usize,
        columns: usize,
        stride: usize,
    ) -> Self {
        Self {
            storage,
            start,
            rows: (rows, stride),
            columns: (columns, 1),
        }
    }

    /// The transpose, by strides.
    pub(super) fn t(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
            ..self
        }
    }

    /// The product in a type, (rows, columns) contiguous.
    pub(super) fn times_in(self, other: Self, products: Products) -> Result<CpuStorage> {
        Factor::new(self, products)?.times(&Factor::new(other, products)?, products)
    }

    /// The product of matrices of a few thousand values, as attention has them: in bf16 only where that pays at this
    /// size, on the tiles of AMX.
    pub(super) fn times_small(self, other: Self, products: Products) -> Result<CpuStorage> {
        match products {
            Products::Bf16 if codexec_tiles::available() => self.times_in(other, products),
            _ => self.times(other),
        }
    }

    fn view(&self) -> Result<codexec_tiles::Matrix<'a>> {
        Ok(codexec_tiles::Matrix {
            values: &self.storage.as_slice::<f32>()?[self.start..],
            rows: self.rows.0,
            columns: self.columns.0,
            row_stride: self.rows.1,
            column_stride: self.columns.1,
        })
    }

    /// The product in f32, (rows, columns) contiguous.
    pub(super) fn times(self, other: Self) -> Result<CpuStorage> {
        let sizes = (1, self.rows.0, other.columns.0, self.columns.0);
        self.storage
            .matmul(other.storage, sizes, &self.layout(), &other.layout())
    }

    fn layout(&self) -> Layout {
        let (rows, columns) = (self.rows, self.columns);
        let shape = Shape::from((rows.0, columns.0));
        Layout::new(shape, vec![rows.1, columns.1], self.start)
    }
}

/// A matrix that is a factor of several products and is rounded once.
#[derive(Debug, Clone)]
pub(super) struct Factor<'a> {
    matrix: Matrix<'a>,
    rounded: Option<Cow<'a, [bf16]>>,
}

impl<'a> Factor<'a> {
    pub(super) fn new(matrix: Matrix<'a>, products: Products) -> Result<Self> {
        let rounded = match products.are_rounded_before() {
            true => {
                let view = matrix.view()?;
                Some(codexec_tiles::rounded(&view.values[..view.span()]).into())
            }
            false => None,
        };
        Ok(Self { matrix, rounded })
    }

    /// With the rounded values of an equal matrix, from [`Self::into_rounded`].
    pub(super) fn again(matrix: Matrix<'a>, rounded: Option<&'a [bf16]>) -> Self {
        let rounded = rounded.map(Cow::Borrowed);
        Self { matrix, rounded }
    }

    /// The rounded values, if any, for a later pass.
    pub(super) fn into_rounded(self) -> Option<Vec<bf16>> {
        self.rounded.map(Cow::into_owned)
    }

    /// The transpose, by strides.
    pub(super) fn t(&self) -> Factor<'_> {
        Factor::again(self.matrix.t(), self.rounded.as_deref())
    }

    /// The product, (rows, columns) contiguous; in bf16 with sums in f32, where these are the products.
    pub(super) fn times(&self, other: &Factor, products: Products) -> Result<CpuStorage> {
        let product = match (products, &self.rounded, &other.rounded) {
            (Products::F32, ..) => return self.matrix.times(other.matrix),
            (Products::Bf16, Some(a), Some(b)) => {
                let (left, right) = (self.matrix.view()?, other.matrix.view()?);
                codexec_tiles::product_of_rounded(left.with(a), right.with(b))
            }
            _ => codexec_tiles::product(self.matrix.view()?, other.matrix.view()?),
        };
        Ok(CpuStorage::F32(product))
    }
}

/// The values of a storage known to be f32, mutably.
pub(super) fn floats_mut(storage: &mut CpuStorage) -> Result<&mut Vec<f32>> {
    match storage {
        CpuStorage::F32(values) => Ok(values),
        _ => bail!("a fused operation was given values that are not f32"),
    }
}
