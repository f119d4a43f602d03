//! Tensors as arguments of kernels.

use candle_core::{DType, Device, Result, Shape, Tensor, bail};

/// An argument of a kernel.
#[cfg_attr(not(feature = "cuda"), expect(dead_code))]
pub(crate) enum Arg<'a> {
    Tensor(&'a Tensor, DType),
    Null,
    Int(usize),
    Long(usize),
    Float(f32),
}

/// A tensor of bf16.
pub(crate) fn half(x: &Tensor) -> Arg<'_> {
    Arg::Tensor(x, DType::BF16)
}

/// A tensor of f32.
pub(crate) fn single(x: &Tensor) -> Arg<'_> {
    Arg::Tensor(x, DType::F32)
}

/// A tensor of u32.
pub(crate) fn whole(x: &Tensor) -> Arg<'_> {
    Arg::Tensor(x, DType::U32)
}

pub(crate) fn expect(x: &Tensor, dims: &[usize]) -> Result<()> {
    if x.dims() == dims {
        return Ok(());
    }
    bail!("a kernel got {:?}, not {dims:?}", x.dims());
}

/// Allocates memory that a kernel will completely overwrite.
pub(crate) fn unwritten(shape: impl Into<Shape>, dtype: DType, device: &Device) -> Result<Tensor> {
    // SAFETY: the kernel launched with it writes every value before anything reads it, on the same
    // stream.
    unsafe { Tensor::empty(shape, dtype, device) }
}

/// Always an error: without the feature `cuda` there is no GPU.
#[cfg(not(feature = "cuda"))]
pub(crate) fn launch(name: &str, _: [usize; 2], _: usize, args: &[Arg<'_>]) -> Result<()> {
    // Checks the tensors that a kernel would read.
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
pub(crate) use there::launch;

#[cfg(feature = "cuda")]
mod there {
    use candle_core::cuda_backend::cudarc::driver::{DevicePtr, LaunchConfig, PushKernelArg};
    use candle_core::{CudaDevice, CudaStorage, DType, Device, Result, Storage, bail};

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

    /// Starts a kernel with a grid of (x, y) blocks.
    pub(crate) fn launch(
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
            .map(|arg| value(name, arg, &device))
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
        // SAFETY: `args` are those of the kernel in `block.cu`, with its order and types and the
        // shapes that the functions above have checked. All tensors are on one device. Its single
        // stream orders the requests of this thread, so that no tensor is freed, read or written
        // before the kernel is done.
        unsafe { builder.launch(grid) }.map_err(candle_core::Error::wrap)?;
        Ok(())
    }

    fn value(name: &str, arg: &Arg<'_>, device: &CudaDevice) -> Result<Value> {
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
                if storage.device.id() != device.id() {
                    bail!("{name}: tensors of two devices");
                }
                // Kernels read four values at a time.
                if !layout.start_offset().is_multiple_of(4) {
                    bail!("{name}: a tensor begins at {}", layout.start_offset());
                }
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
