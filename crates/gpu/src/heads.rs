//! The kernels that split and join the heads of attention. See [`crate::block`].

use candle_core::{DType, Result, Tensor};

use crate::block::{BLOCKS, MORE_BLOCKS, THREADS, sum_rows};
use crate::launch::{Arg, expect, half, launch, single, unwritten};

/// The sizes of the heads of a batch.
#[derive(Debug, Clone, Copy)]
pub struct HeadSizes {
    /// B.
    pub batch: usize,
    /// T.
    pub length: usize,
    /// Heads per token.
    pub heads: usize,
    /// D, the width of a head.
    pub size: usize,
}

impl HeadSizes {
    /// Whether there are kernels for these sizes.
    #[must_use]
    pub fn fit(&self) -> bool {
        self.size.is_multiple_of(4) && self.threads() <= 1024
    }

    /// Rejects sizes that do not [`fit`](Self::fit).
    fn check(&self) -> Result<()> {
        if self.size == 0 || self.tokens() > i32::MAX as usize || !self.fit() {
            candle_core::bail!("no kernel for {self:?}");
        }
        Ok(())
    }

    /// Returns the number of threads for the queries, keys and values of a token.
    fn threads(&self) -> usize {
        3 * self.heads * self.size / 4
    }

    fn tokens(&self) -> usize {
        self.batch * self.length
    }

    fn width(&self) -> usize {
        self.heads * self.size
    }

    /// The shape (B,heads,T,D).
    #[must_use]
    pub fn apart(&self) -> [usize; 4] {
        [self.batch, self.heads, self.length, self.size]
    }

    fn args(&self) -> [Arg<'static>; 4] {
        [self.batch, self.length, self.heads, self.size].map(Arg::Int)
    }

    fn turns<'a>(&self, rotation: Option<[&'a Tensor; 2]>) -> Result<[Arg<'a>; 2]> {
        let Some(tables) = rotation else {
            return Ok([Arg::Null, Arg::Null]);
        };
        for table in tables {
            expect(table, &[self.batch, self.length, self.size / 2])?;
        }
        Ok(tables.map(single))
    }
}

/// Returns queries, keys and values (3,B,heads,T,D) from products (N,3H) and their bias (3H).
/// Queries and keys are rotated by cosines and sines (B,T,D/2), and queries are multiplied by
/// `scale`.
pub fn split_heads(
    products: &Tensor,
    bias: &Tensor,
    rotation: Option<[&Tensor; 2]>,
    scale: f64,
    sizes: HeadSizes,
) -> Result<Tensor> {
    sizes.check()?;
    let width = 3 * sizes.width();
    expect(products, &[sizes.tokens(), width])?;
    expect(bias, &[width])?;
    let [b, heads, t, d] = sizes.apart();
    let out = unwritten((3, b, heads, t, d), DType::BF16, products.device())?;
    let mut args = vec![half(products), single(bias)];
    args.extend(sizes.turns(rotation)?);
    args.push(Arg::Float(scale as f32));
    args.extend(sizes.args());
    args.push(half(&out));
    launch("split_heads", [MORE_BLOCKS, 1], sizes.threads(), &args)?;
    Ok(out)
}

/// The backward pass of [`split_heads`]: takes the gradients of queries, keys and values,
/// (B,heads,T,D) each. Returns those of the products, (N,3H), and f32 sums over their rows, (3H).
pub fn merge_heads(
    grads: [&Tensor; 3],
    rotation: Option<[&Tensor; 2]>,
    scale: f64,
    sizes: HeadSizes,
) -> Result<(Tensor, Tensor)> {
    sizes.check()?;
    let width = 3 * sizes.width();
    for grad in grads {
        expect(grad, &sizes.apart())?;
    }
    let device = grads[0].device();
    let out = unwritten((sizes.tokens(), width), DType::BF16, device)?;
    let sums = unwritten((2 * BLOCKS, width), DType::F32, device)?;
    let mut args: Vec<Arg<'_>> = grads.map(half).into();
    args.extend(sizes.turns(rotation)?);
    args.push(Arg::Float(scale as f32));
    args.extend(sizes.args());
    args.extend([half(&out), single(&sums)]);
    launch("merge_heads", [2 * BLOCKS, 1], sizes.threads(), &args)?;
    Ok((out, sum_rows(&sums)?))
}

/// Joins heads (B,heads,T,D) side by side, (N,H).
pub fn join_heads(x: &Tensor, sizes: HeadSizes) -> Result<Tensor> {
    expect(x, &sizes.apart())?;
    let shape = (sizes.tokens(), sizes.width());
    let out = unwritten(shape, DType::BF16, x.device())?;
    rearrange(x, &out, sizes, 0)?;
    Ok(out)
}

/// The inverse of [`join_heads`].
pub fn part_heads(x: &Tensor, sizes: HeadSizes) -> Result<Tensor> {
    expect(x, &[sizes.tokens(), sizes.width()])?;
    let out = unwritten(sizes.apart().to_vec(), DType::BF16, x.device())?;
    rearrange(x, &out, sizes, 1)?;
    Ok(out)
}

fn rearrange(x: &Tensor, out: &Tensor, sizes: HeadSizes, back: usize) -> Result<()> {
    sizes.check()?;
    let mut args = vec![half(x)];
    args.extend(sizes.args());
    args.extend([Arg::Int(back), half(out)]);
    launch("join_heads", [2 * MORE_BLOCKS, 1], THREADS, &args)
}
