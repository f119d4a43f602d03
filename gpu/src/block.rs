//! The kernels of `block.cu`: what lies between the products of a transformer block in training, each as one pass over
//! memory. Values are bf16, weights and sums f32, all on one NVIDIA GPU and contiguous; where an argument is written, it must
//! be the only view of its memory. N = B*T tokens of width H, B sequences of length T.
//!
//! # Errors
//! Every function here fails for tensors of other shapes, types or devices, and when the driver refuses.

use candle_core::{DType, Device, Result, Shape, Tensor, bail};

/// The widest row that a warp holds in registers.
pub const WIDEST: usize = 1024;
/// Columns of a row that a warp reads at once.
const CHUNK: usize = 128;
/// How many of them a kernel is compiled for.
const CHUNKS: [usize; 6] = [1, 2, 3, 4, 6, 8];
/// Threads of a block, if nothing else is said.
const THREADS: usize = 256;
/// Rows that such a block has, a warp for each.
const ROWS: usize = THREADS / 32;
/// Blocks of kernels whose blocks go through many rows: a few for each of the 132 multiprocessors of an H100 or H200.
const BLOCKS: usize = 264;
/// As [`BLOCKS`], of kernels with few registers.
const MORE_BLOCKS: usize = 1056;

/// Whether `x` (.., width) is on a GPU and of the type of the kernels, and its rows of a width that they take.
#[must_use]
pub fn takes(x: &Tensor) -> bool {
    let width = x.dims().last().copied().unwrap_or(0);
    takes_wide(x) && width <= WIDEST
}

/// As [`takes`], for the kernels that take any width.
#[must_use]
pub fn takes_wide(x: &Tensor) -> bool {
    let width = x.dims().last().copied().unwrap_or(0);
    x.device().is_cuda() && x.dtype() == DType::BF16 && x.is_contiguous() && width.is_multiple_of(4)
}

/// An argument of a kernel.
enum Arg<'a> {
    Tensor(&'a Tensor, DType),
    Null,
    Int(usize),
    Long(usize),
    Float(f32),
}

/// A tensor of bf16.
fn half(x: &Tensor) -> Arg<'_> {
    Arg::Tensor(x, DType::BF16)
}

/// A tensor of f32.
fn single(x: &Tensor) -> Arg<'_> {
    Arg::Tensor(x, DType::F32)
}

/// A tensor of u32.
fn whole(x: &Tensor) -> Arg<'_> {
    Arg::Tensor(x, DType::U32)
}

fn expect(x: &Tensor, dims: &[usize]) -> Result<()> {
    if x.dims() == dims {
        return Ok(());
    }
    bail!("a kernel got {:?}, not {dims:?}", x.dims());
}

/// Memory that a kernel will write whole.
fn unwritten(shape: impl Into<Shape>, dtype: DType, device: &Device) -> Result<Tensor> {
    // SAFETY: the kernel that is launched with it writes every value before anything reads it, on the same stream.
    unsafe { Tensor::empty(shape, dtype, device) }
}

/// The name of a kernel for rows of this width.
fn for_width(name: &str, width: usize) -> Result<String> {
    let needed = width.div_ceil(CHUNK);
    match CHUNKS.into_iter().find(|&chunks| chunks >= needed) {
        Some(chunks) if width.is_multiple_of(4) => Ok(format!("{name}_{chunks}")),
        _ => bail!("{name}: no kernel for rows of {width}"),
    }
}

/// The result of [`residual_norm`].
#[derive(Debug, Clone)]
pub struct Normed {
    /// What is scaled and shifted, (R,H).
    pub normal: Tensor,
    /// By what it was divided, (R) f32, inverted.
    pub inverse: Tensor,
    /// The result, (R,H).
    pub out: Tensor,
}

/// The layer normalisation of `y + bias + residual` (R,H), with scale and shift (H).
pub fn residual_norm(
    y: &Tensor,
    bias: &Tensor,
    residual: &Tensor,
    [scale, shift]: [&Tensor; 2],
    eps: f64,
) -> Result<Normed> {
    let (rows, width) = y.dims2()?;
    expect(residual, &[rows, width])?;
    for one in [bias, scale, shift] {
        expect(one, &[width])?;
    }
    let normed = Normed {
        normal: unwritten((rows, width), DType::BF16, y.device())?,
        inverse: unwritten(rows, DType::F32, y.device())?,
        out: unwritten((rows, width), DType::BF16, y.device())?,
    };
    let args = [
        half(y),
        single(bias),
        half(residual),
        single(scale),
        single(shift),
        Arg::Float(eps as f32),
        Arg::Int(rows),
        Arg::Int(width),
        half(&normed.normal),
        single(&normed.inverse),
        half(&normed.out),
    ];
    let name = for_width("residual_norm", width)?;
    launch(&name, [rows.div_ceil(ROWS), 1], THREADS, &args)?;
    Ok(normed)
}

/// From the gradient of the result (R,H), the sum of both where there are two: that of what was normalised, (R,H), and f32
/// sums over the rows of this one, of the gradient times what is scaled, and of the gradient, (3H).
pub fn norm_backward(
    grad: &Tensor,
    grad2: Option<&Tensor>,
    normal: &Tensor,
    inverse: &Tensor,
    scale: &Tensor,
) -> Result<(Tensor, Tensor)> {
    let (rows, width) = normal.dims2()?;
    expect(grad, &[rows, width])?;
    if let Some(grad2) = grad2 {
        expect(grad2, &[rows, width])?;
    }
    expect(inverse, &[rows])?;
    expect(scale, &[width])?;
    let out = unwritten((rows, width), DType::BF16, grad.device())?;
    let sums = unwritten((BLOCKS, 3 * width), DType::F32, grad.device())?;
    let args = [
        half(grad),
        grad2.map_or(Arg::Null, half),
        half(normal),
        single(inverse),
        single(scale),
        Arg::Int(rows),
        Arg::Int(width),
        half(&out),
        single(&sums),
    ];
    let name = for_width("norm_backward", width)?;
    launch(&name, [BLOCKS, 1], THREADS, &args)?;
    Ok((out, sum_rows(&sums)?))
}

/// The grid of a kernel that goes down the columns of rows of this width, four for a thread.
fn columns(width: usize) -> [usize; 2] {
    let across = width.div_ceil(4 * THREADS);
    [across, MORE_BLOCKS.div_ceil(across)]
}

/// GELU, by the error function, of `y + bias`, (R,F).
pub fn bias_gelu(y: &Tensor, bias: &Tensor) -> Result<Tensor> {
    let (rows, width) = y.dims2()?;
    expect(bias, &[width])?;
    let out = unwritten((rows, width), DType::BF16, y.device())?;
    let args = [
        half(y),
        single(bias),
        Arg::Int(rows),
        Arg::Int(width),
        half(&out),
    ];
    launch("bias_gelu", columns(width), THREADS, &args)?;
    Ok(out)
}

/// Turns the gradient of the result of [`bias_gelu`], (R,F), into that of `y`; gives f32 sums over its rows, (F).
pub fn gelu_backward(grad: &Tensor, y: &Tensor, bias: &Tensor) -> Result<Tensor> {
    let (rows, width) = y.dims2()?;
    expect(grad, &[rows, width])?;
    expect(bias, &[width])?;
    let grid = columns(width);
    let sums = unwritten((grid[1], width), DType::F32, grad.device())?;
    let args = [
        half(grad),
        half(y),
        single(bias),
        Arg::Int(rows),
        Arg::Int(width),
        single(&sums),
    ];
    launch("gelu_backward", grid, THREADS, &args)?;
    sum_rows(&sums)
}

/// How the heads of a batch lie.
#[derive(Debug, Clone, Copy)]
pub struct HeadSizes {
    /// B.
    pub batch: usize,
    /// T.
    pub length: usize,
    /// Heads of a token.
    pub heads: usize,
    /// D, the width of a head.
    pub size: usize,
}

impl HeadSizes {
    /// Whether there are kernels for them.
    #[must_use]
    pub fn fit(&self) -> bool {
        self.size.is_multiple_of(4) && self.threads() <= 1024
    }

    /// Threads for the queries, keys and values of a token.
    fn threads(&self) -> usize {
        3 * self.heads * self.size / 4
    }

    fn tokens(&self) -> usize {
        self.batch * self.length
    }

    fn width(&self) -> usize {
        self.heads * self.size
    }

    fn apart(&self) -> [usize; 4] {
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

/// Queries, keys and values (3,B,heads,T,D) of products (N,3H) and their bias (3H): queries and keys turned by cosines and
/// sines (B,T,D/2), queries times `scale`.
pub fn split_heads(
    products: &Tensor,
    bias: &Tensor,
    rotation: Option<[&Tensor; 2]>,
    scale: f64,
    sizes: HeadSizes,
) -> Result<Tensor> {
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

/// The way back of the gradients of queries, keys and values, (B,heads,T,D) each: those of the products, (N,3H), and f32 sums
/// over their rows, (3H).
pub fn merge_heads(
    grads: [&Tensor; 3],
    rotation: Option<[&Tensor; 2]>,
    scale: f64,
    sizes: HeadSizes,
) -> Result<(Tensor, Tensor)> {
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

/// Heads (B,heads,T,D) side by side, (N,H).
pub fn join_heads(x: &Tensor, sizes: HeadSizes) -> Result<Tensor> {
    expect(x, &sizes.apart())?;
    let shape = (sizes.tokens(), sizes.width());
    let out = unwritten(shape, DType::BF16, x.device())?;
    rearrange(x, &out, sizes, 0)?;
    Ok(out)
}

/// The way back of [`join_heads`].
pub fn part_heads(x: &Tensor, sizes: HeadSizes) -> Result<Tensor> {
    expect(x, &[sizes.tokens(), sizes.width()])?;
    let out = unwritten(sizes.apart().to_vec(), DType::BF16, x.device())?;
    rearrange(x, &out, sizes, 1)?;
    Ok(out)
}

fn rearrange(x: &Tensor, out: &Tensor, sizes: HeadSizes, back: usize) -> Result<()> {
    let mut args = vec![half(x)];
    args.extend(sizes.args());
    args.extend([Arg::Int(back), half(out)]);
    launch("join_heads", [2 * MORE_BLOCKS, 1], THREADS, &args)
}

/// Turns scores (B,heads,T,T) into probabilities, the mask (B,1,T,T) f32 added.
pub fn masked_softmax(scores: &Tensor, mask: &Tensor) -> Result<()> {
    let (b, heads, t, keys) = scores.dims4()?;
    expect(scores, &[b, heads, t, t])?;
    expect(mask, &[b, 1, t, t])?;
    let args = [
        half(scores),
        single(mask),
        Arg::Int(b),
        Arg::Int(heads),
        Arg::Int(t),
    ];
    let name = for_width("masked_softmax", keys)?;
    launch(&name, [(b * heads * t).div_ceil(ROWS), 1], THREADS, &args)
}

/// Turns the gradient of `probs` (B,heads,T,T) into that of the scores.
pub fn softmax_backward(grad: &Tensor, probs: &Tensor) -> Result<()> {
    let (b, heads, t, keys) = probs.dims4()?;
    expect(grad, probs.dims())?;
    let rows = b * heads * t;
    let args = [half(grad), half(probs), Arg::Long(rows), Arg::Int(keys)];
    let name = for_width("softmax_backward", keys)?;
    launch(&name, [rows.div_ceil(ROWS), 1], THREADS, &args)
}

/// Turns logits (R,V) into the gradient of the loss for targets (R) u32 and weights (R) f32. Gives the losses (R), f32, and where
/// a target is the first of the largest logits its weight, else 0.
pub fn cross_entropy(
    logits: &Tensor,
    targets: &Tensor,
    weights: &Tensor,
) -> Result<(Tensor, Tensor)> {
    let (rows, width) = logits.dims2()?;
    expect(targets, &[rows])?;
    expect(weights, &[rows])?;
    let device = logits.device();
    let losses = unwritten(rows, DType::F32, device)?;
    let hits = unwritten(rows, DType::F32, device)?;
    let args = [
        half(logits),
        whole(targets),
        single(weights),
        Arg::Int(width),
        single(&losses),
        single(&hits),
    ];
    launch("cross_entropy", [rows, 1], THREADS, &args)?;
    Ok((losses, hits))
}

/// A table (V,H), f32, whose rows are sums of those rows of `grad` (N,H), f32, whose number in `ids` (N) u32 is theirs. The order
/// of summation differs from run to run. Every id must be below `rows`.
pub fn add_rows(grad: &Tensor, ids: &Tensor, rows: usize) -> Result<Tensor> {
    let (count, width) = grad.dims2()?;
    expect(ids, &[count])?;
    let table = Tensor::zeros((rows, width), DType::F32, grad.device())?;
    let args = [
        single(grad),
        whole(ids),
        Arg::Long(count),
        Arg::Int(width),
        single(&table),
    ];
    launch("add_rows", [2 * MORE_BLOCKS, 1], THREADS, &args)?;
    Ok(table)
}

/// Rows of `x` (R,H) at the places that `rows` (R) u32 names, each at most once; zeros elsewhere: (count,H).
pub fn spread_rows(x: &Tensor, rows: &Tensor, count: usize) -> Result<Tensor> {
    let (some, width) = x.dims2()?;
    expect(rows, &[some])?;
    let out = Tensor::zeros((count, width), DType::BF16, x.device())?;
    let args = [
        half(x),
        whole(rows),
        Arg::Int(some),
        Arg::Int(width),
        Arg::Int(count),
        half(&out),
    ];
    launch("spread_rows", [MORE_BLOCKS, 1], THREADS, &args)?;
    Ok(out)
}

/// The sums over the rows of (P,C), f32.
fn sum_rows(x: &Tensor) -> Result<Tensor> {
    let (count, width) = x.dims2()?;
    let out = unwritten(width, DType::F32, x.device())?;
    let args = [single(x), Arg::Int(count), Arg::Int(width), single(&out)];
    launch("sum_rows", [width.div_ceil(32), 1], THREADS, &args)?;
    Ok(out)
}

#[cfg(not(feature = "cuda"))]
fn launch(name: &str, _: [usize; 2], _: usize, args: &[Arg<'_>]) -> Result<()> {
    // What a kernel would read.
    for arg in args {
        match arg {
            Arg::Tensor(x, dtype) if x.dtype() == *dtype => {}
            Arg::Tensor(x, _) => bail!("{name}: {:?}", x.dtype()),
            Arg::Null | Arg::Int(_) | Arg::Long(_) | Arg::Float(_) => {}
        }
    }
    bail!("{name}: this program was built without CUDA")
}

#[cfg(feature = "cuda")]
fn launch(name: &str, grid: [usize; 2], threads: usize, args: &[Arg<'_>]) -> Result<()> {
    launch::launch(name, grid, threads, args)
}

#[cfg(feature = "cuda")]
mod launch {
    use candle_core::cuda_backend::cudarc::driver::{DevicePtr, LaunchConfig, PushKernelArg};
    use candle_core::{CudaStorage, DType, Device, Result, Storage, bail};

    use super::Arg;

    mod ptx {
        include!(concat!(env!("OUT_DIR"), "/ptx.rs"));
    }

    enum Value {
        Pointer(u64),
        Int(i32),
        Long(i64),
        Float(f32),
    }

    pub(super) fn launch(
        name: &str,
        [x, y]: [usize; 2],
        threads: usize,
        args: &[Arg<'_>],
    ) -> Result<()> {
        let device = args.iter().find_map(|arg| match arg {
            Arg::Tensor(x, _) => Some(x.device().clone()),
            _ => None,
        });
        let Some(Device::Cuda(device)) = device else {
            bail!("{name}: not on a GPU");
        };
        if x == 0 {
            return Ok(());
        }
        let values = args
            .iter()
            .map(|arg| value(name, arg))
            .collect::<Result<Vec<_>>>()?;
        let function = device.get_or_load_custom_func(name, "codexec-block", ptx::BLOCK)?;
        let mut builder = function.builder();
        for value in &values {
            match value {
                Value::Pointer(p) => builder.arg(p),
                Value::Int(n) => builder.arg(n),
                Value::Long(n) => builder.arg(n),
                Value::Float(f) => builder.arg(f),
            };
        }
        let grid = LaunchConfig {
            grid_dim: (x as u32, y as u32, 1),
            block_dim: (threads as u32, 1, 1),
            shared_mem_bytes: 0,
        };
        // SAFETY: `args` are those of the kernel in `block.cu`, in its order, of its types, and of the shapes that the
        // functions above have checked. All tensors of a device live on its one stream, so that none is freed, read or
        // written before the kernel is done.
        unsafe { builder.launch(grid) }.map_err(candle_core::Error::wrap)?;
        Ok(())
    }

    fn value(name: &str, arg: &Arg<'_>) -> Result<Value> {
        let int = |n: usize| match i32::try_from(n) {
            Ok(n) => Ok(n),
            Err(_) => bail!("{name}: {n} is too large"),
        };
        Ok(match arg {
            Arg::Null => Value::Pointer(0),
            Arg::Int(n) => Value::Int(int(*n)?),
            Arg::Long(n) => Value::Long(*n as i64),
            Arg::Float(f) => Value::Float(*f),
            Arg::Tensor(x, dtype) => {
                if x.dtype() != *dtype || !x.is_contiguous() {
                    bail!(
                        "{name}: {:?} {:?}, not contiguous {dtype:?}",
                        x.dtype(),
                        x.layout()
                    );
                }
                let (storage, layout) = x.storage_and_layout();
                let Storage::Cuda(storage) = &*storage else {
                    bail!("{name}: a tensor is not on the GPU");
                };
                let offset = layout.start_offset() * dtype.size_in_bytes();
                Value::Pointer(pointer(storage, *dtype)? + offset as u64)
            }
        })
    }

    fn pointer(storage: &CudaStorage, dtype: DType) -> Result<u64> {
        let stream = storage.device.cuda_stream();
        Ok(match dtype {
            DType::BF16 => storage.as_cuda_slice::<half::bf16>()?.device_ptr(&stream).0,
            DType::F32 => storage.as_cuda_slice::<f32>()?.device_ptr(&stream).0,
            DType::U32 => storage.as_cuda_slice::<u32>()?.device_ptr(&stream).0,
            other => bail!("no kernel takes {other:?}"),
        })
    }
}
