//! Operations whose result is already computed, by any tensor operations outside of the graph, with a hand-written
//! backward pass in tensor operations: for GPUs, where candle's own backward pass of each small operation costs
//! several passes over memory.

use candle_core::backend::BackendStorage;
use candle_core::{
    CpuStorage, CudaStorage, CustomOp1, CustomOp2, CustomOp3, Layout, Result, Shape, Storage,
    Tensor, bail,
};

/// The result, and what turns its gradient into that of the arguments.
struct Given<F> {
    name: &'static str,
    value: Tensor,
    backward: F,
}

impl<F> Given<F> {
    fn new(name: &'static str, value: &Tensor, backward: F) -> Result<Self> {
        let value = value.detach();
        // Offsets below are relative to the start of the memory.
        let value = match value.layout().contiguous_offsets() {
            Some((0, _)) => value,
            _ => value.force_contiguous()?,
        };
        Ok(Self {
            name,
            value,
            backward,
        })
    }

    fn on_cpu(&self) -> Result<(CpuStorage, Shape)> {
        let (storage, layout) = self.value.storage_and_layout();
        match &*storage {
            Storage::Cpu(storage) => Ok((storage.try_clone(layout)?, layout.shape().clone())),
            _ => bail!("{}: the result is not on the CPU", self.name),
        }
    }

    fn on_cuda(&self) -> Result<(CudaStorage, Shape)> {
        let (storage, layout) = self.value.storage_and_layout();
        match &*storage {
            Storage::Cuda(storage) => Ok((storage.try_clone(layout)?, layout.shape().clone())),
            _ => bail!("{}: the result is not on the GPU", self.name),
        }
    }
}

/// `value` as a function of `x`: `backward` gets the gradient of `value` and gives that of `x`.
pub(super) fn of_one(
    name: &'static str,
    x: &Tensor,
    value: &Tensor,
    backward: impl Fn(&Tensor) -> Result<Tensor> + Send + Sync + 'static,
) -> Result<Tensor> {
    x.apply_op1(One(Given::new(name, value, backward)?))
}

/// `value` as a function of `x` and `y`: `backward` gets the gradient of `value` and gives those of both.
pub(super) fn of_two(
    name: &'static str,
    x: &Tensor,
    y: &Tensor,
    value: &Tensor,
    backward: impl Fn(&Tensor) -> Result<(Tensor, Tensor)> + Send + Sync + 'static,
) -> Result<Tensor> {
    x.apply_op2(y, Two(Given::new(name, value, backward)?))
}

/// `value` as a function of three.
pub(super) fn of_three(
    name: &'static str,
    [x, y, z]: [&Tensor; 3],
    value: &Tensor,
    backward: impl Fn(&Tensor) -> Result<[Tensor; 3]> + Send + Sync + 'static,
) -> Result<Tensor> {
    x.apply_op3(y, z, Three(Given::new(name, value, backward)?))
}

struct One<F>(Given<F>);
struct Two<F>(Given<F>);
struct Three<F>(Given<F>);

impl<F: Fn(&Tensor) -> Result<Tensor>> CustomOp1 for One<F> {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn cpu_fwd(&self, _: &CpuStorage, _: &Layout) -> Result<(CpuStorage, Shape)> {
        self.0.on_cpu()
    }

    fn cuda_fwd(&self, _: &CudaStorage, _: &Layout) -> Result<(CudaStorage, Shape)> {
        self.0.on_cuda()
    }

    fn bwd(&self, _: &Tensor, _: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        (self.0.backward)(&grad.detach()).map(Some)
    }
}

impl<F: Fn(&Tensor) -> Result<(Tensor, Tensor)>> CustomOp2 for Two<F> {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn cpu_fwd(
        &self,
        _: &CpuStorage,
        _: &Layout,
        _: &CpuStorage,
        _: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        self.0.on_cpu()
    }

    fn cuda_fwd(
        &self,
        _: &CudaStorage,
        _: &Layout,
        _: &CudaStorage,
        _: &Layout,
    ) -> Result<(CudaStorage, Shape)> {
        self.0.on_cuda()
    }

    fn bwd(
        &self,
        _: &Tensor,
        _: &Tensor,
        _: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let (x, y) = (self.0.backward)(&grad.detach())?;
        Ok((Some(x), Some(y)))
    }
}

impl<F: Fn(&Tensor) -> Result<[Tensor; 3]>> CustomOp3 for Three<F> {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn cpu_fwd(
        &self,
        _: &CpuStorage,
        _: &Layout,
        _: &CpuStorage,
        _: &Layout,
        _: &CpuStorage,
        _: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        self.0.on_cpu()
    }

    fn cuda_fwd(
        &self,
        _: &CudaStorage,
        _: &Layout,
        _: &CudaStorage,
        _: &Layout,
        _: &CudaStorage,
        _: &Layout,
    ) -> Result<(CudaStorage, Shape)> {
        self.0.on_cuda()
    }

    fn bwd(
        &self,
        _: &Tensor,
        _: &Tensor,
        _: &Tensor,
        _: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let [x, y, z] = (self.0.backward)(&grad.detach())?;
        Ok((Some(x), Some(y), Some(z)))
    }
}
