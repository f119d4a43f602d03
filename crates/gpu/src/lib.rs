//! Kernels for NVIDIA GPUs and what is asked of the CUDA driver beyond candle. With `codexec-tiles` the only unsafe code of this
//! project: the calls that cudarc offers for this are unsafe.
#![allow(unsafe_code)]

pub mod block;
mod heads;
mod launch;

use candle_core::{Device, Result};

/// Lets the device keep the memory that is free at the moment, for the next allocation. By default the driver returns it
/// to the system whenever the host waits for the device, and training, which waits in each step, then allocates everything
/// anew. Nothing is done for other devices.
///
/// # Errors
/// When the driver refuses.
#[cfg(feature = "cuda")]
pub fn keep_memory(device: &Device) -> Result<()> {
    use candle_core::cuda_backend::cudarc::driver::result::{device, mem_pool};
    use candle_core::cuda_backend::cudarc::driver::sys::CUmemPool_attribute;

    let Device::Cuda(cuda) = device else {
        return Ok(());
    };
    let stream = cuda.cuda_stream();
    let attribute = CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    let mut bytes = u64::MAX;
    // SAFETY: the device is open, its pool therefore valid, and the value of this attribute is a u64.
    unsafe {
        let pool = device::get_default_mem_pool(stream.context().cu_device())
            .map_err(candle_core::Error::wrap)?;
        mem_pool::set_attribute(pool, attribute, std::ptr::from_mut(&mut bytes).cast())
            .map_err(candle_core::Error::wrap)
    }
}

/// As with the feature `cuda`; without it there is no such device.
///
/// # Errors
/// None.
#[cfg(not(feature = "cuda"))]
pub fn keep_memory(_: &Device) -> Result<()> {
    Ok(())
}
