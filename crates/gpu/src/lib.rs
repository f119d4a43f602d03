//! Kernels for NVIDIA GPUs, and calls of the CUDA driver beyond candle's. Besides `codexec-tiles`,
//! this is the only unsafe code of the project: the calls that cudarc offers for this are unsafe.
#![allow(unsafe_code)]

pub mod block;
mod heads;
mod launch;

use candle_core::{Device, Result};

/// Lets the device keep freed memory for the next allocation. By default the driver returns it to
/// the system whenever the host waits for the device. Training waits in each step, and would then
/// allocate everything anew. Does nothing for other devices.
///
/// # Errors
/// If the driver fails.
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
    // SAFETY: the device is open, so its pool is valid, and the value of this attribute is a u64.
    unsafe {
        let pool = device::get_default_mem_pool(stream.context().cu_device())
            .map_err(candle_core::Error::wrap)?;
        mem_pool::set_attribute(pool, attribute, std::ptr::from_mut(&mut bytes).cast())
            .map_err(candle_core::Error::wrap)
    }
}

/// Does nothing: without the feature `cuda` there is no such device.
///
/// # Errors
/// None.
#[cfg(not(feature = "cuda"))]
pub fn keep_memory(_: &Device) -> Result<()> {
    Ok(())
}
