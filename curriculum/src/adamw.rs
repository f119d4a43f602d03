//! AdamW (Loshchilov and Hutter, 2019, as computed by `torch.optim.AdamW`): decoupled weight decay,
//! bias-corrected moments, on flat f32 host buffers or as tensor operations on the device. The
//! learning rate and the clipping factor come from outside. Matrices named in the settings are
//! updated by Muon instead, which uses only the first of their two moments.

use candle_core::{Tensor, Var};

use crate::config::{OptimizerConfig, Precision};
use crate::error::Result;
use crate::gradient::Gradients;
use crate::muon;
use crate::on_device::DeviceState;
use crate::parameters::{Parameter, Parameters, Placement, host};

/// Numbers that one thread updates at a time.
const CHUNK: usize = 1 << 16;

/// The optimizer: the moments of every variable and, on the host, the master weights.
#[derive(Debug)]
pub(crate) struct AdamW {
    config: OptimizerConfig,
    pub(crate) products: Precision,
    /// Updates applied; the exponent of the bias correction.
    applied: u64,
    store: Store,
}

#[derive(Debug)]
enum Store {
    Host {
        weights: Vec<Vec<f32>>,
        first: Vec<Vec<f32>>,
        second: Vec<Vec<f32>>,
        threads: usize,
    },
    Device(DeviceState),
}

/// First and second moments on the host, in the model's order.
pub(crate) type Moments = (Vec<Vec<f32>>, Vec<Vec<f32>>);

/// The numbers of one update.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Factors {
    /// The gradient's factor: mean and clipping.
    pub scale: f64,
    pub beta: [f64; 2],
    /// Learning rate over the first moment's bias correction.
    pub step: f64,
    /// Root of the second moment's bias correction.
    pub root: f64,
    pub eps: f64,
    /// Decay factor of a weight: `1 - lr * weight_decay`.
    pub keep: f64,
    /// The learning rate itself.
    pub rate: f64,
    /// Precision of Muon's products.
    pub(crate) products: Precision,
}

impl AdamW {
    pub(crate) fn new(
        config: &OptimizerConfig,
        parameters: &Parameters,
        threads: usize,
    ) -> Result<Self> {
        let list = parameters.list.iter();
        let store = match parameters.placement {
            Placement::Host => {
                let zeros: Vec<Vec<f32>> = list.map(|p| vec![0.0; p.var.elem_count()]).collect();
                let weights = parameters.values()?;
                Store::Host {
                    weights,
                    first: zeros.clone(),
                    second: zeros,
                    threads,
                }
            }
            Placement::Device => {
                let by_muon = |p: &Parameter| config.is_by_muon(&p.name, p.var.rank());
                Store::Device(DeviceState::new(parameters, by_muon)?)
            }
        };
        Ok(Self {
            config: config.clone(),
            products: Precision::F32,
            applied: 0,
            store,
        })
    }

    /// With the products of Muon in this precision, if it is faster.
    pub(crate) fn in_precision(self, products: Precision) -> Self {
        Self { products, ..self }
    }

    /// Updates applied so far.
    pub(crate) fn applied(&self) -> u64 {
        self.applied
    }

    /// The moments, for a checkpoint.
    pub(crate) fn moments(&self, parameters: &Parameters) -> Result<Moments> {
        Ok(match &self.store {
            Store::Host { first, second, .. } => (first.clone(), second.clone()),
            Store::Device(state) => state.moments(parameters)?,
        })
    }

    /// Continues from a checkpoint: `weights` also go into the variables.
    pub(crate) fn restore(
        &mut self,
        parameters: &Parameters,
        values: Vec<Vec<f32>>,
        moments: Moments,
        applied: u64,
    ) -> Result<()> {
        parameters.set(&values)?;
        self.applied = applied;
        match &mut self.store {
            Store::Host {
                weights,
                first,
                second,
                ..
            } => {
                (*weights, (*first, *second)) = (values, moments);
            }
            Store::Device(state) => state.restore(parameters, &moments)?,
        }
        Ok(())
    }

    /// One update with `scale * gradients`. Writes the new weights into the variables.
    pub(crate) fn update(
        &mut self,
        parameters: &Parameters,
        gradients: &Gradients,
        rate: f64,
        scale: f64,
    ) -> Result<()> {
        self.applied += 1;
        let [b1, b2] = self.config.betas;
        let t = self.applied as f64;
        let factors = Factors {
            scale,
            beta: [b1, b2],
            step: rate / (1.0 - b1.powf(t)),
            root: (1.0 - b2.powf(t)).sqrt(),
            eps: self.config.eps,
            keep: 1.0 - rate * self.config.weight_decay,
            rate,
            products: self.products,
        };
        let by_muon = |p: &Parameter| self.config.is_by_muon(&p.name, p.var.rank());
        match (&mut self.store, gradients) {
            (
                Store::Host {
                    weights,
                    first,
                    second,
                    threads,
                },
                Gradients::Host(gradients),
            ) => {
                host_update(
                    parameters,
                    [weights, first, second],
                    gradients,
                    factors,
                    (*threads, &by_muon),
                )?;
                parameters.set(weights)
            }
            (Store::Device(state), Gradients::Device(gradients)) => {
                Ok(state.update(parameters, gradients, factors)?)
            }
            _ => unreachable!("gradients have the optimizer's placement"),
        }
    }
}

/// A range of one variable.
struct Stretch<'a> {
    weights: &'a mut [f32],
    first: &'a mut [f32],
    second: &'a mut [f32],
    gradient: &'a [f32],
    decays: bool,
}

impl Stretch<'_> {
    fn update(self, factors: Factors) {
        let [b1, b2] = factors.beta.map(|b| b as f32);
        let [c1, c2] = factors.beta.map(|b| (1.0 - b) as f32);
        let (scale, step, eps) = (
            factors.scale as f32,
            factors.step as f32,
            factors.eps as f32,
        );
        let root = (1.0 / factors.root) as f32;
        let keep = if self.decays {
            factors.keep as f32
        } else {
            1.0
        };
        let moments = self.first.iter_mut().zip(self.second);
        for ((weight, (first, second)), gradient) in
            self.weights.iter_mut().zip(moments).zip(self.gradient)
        {
            let gradient = gradient * scale;
            *first = b1 * *first + c1 * gradient;
            *second = b2 * *second + c2 * gradient * gradient;
            *weight = keep * *weight - step * *first / (second.sqrt() * root + eps);
        }
    }
}

/// A matrix that Muon updates.
struct Matrix<'a> {
    var: &'a Var,
    weights: &'a mut [f32],
    momentum: &'a mut [f32],
    gradient: &'a [f32],
    decays: bool,
}

impl Matrix<'_> {
    fn update(self, factors: Factors) -> candle_core::Result<()> {
        let (beta, scale) = (muon::MOMENTUM as f32, factors.scale as f32);
        let ahead: Vec<f32> = self
            .momentum
            .iter_mut()
            .zip(self.gradient)
            .map(|(momentum, gradient)| {
                let gradient = gradient * scale;
                *momentum = beta * *momentum + gradient;
                beta * *momentum + gradient
            })
            .collect();
        let change = match factors.products {
            Precision::Bf16 if muon::is_fast_in_bf16() => {
                let (rows, columns) = self.var.dims2()?;
                muon::update_in_bf16(ahead, rows, columns)
            }
            _ => {
                let ahead = Tensor::from_vec(ahead, self.var.shape(), self.var.device())?;
                host(&muon::update(&ahead)?)?
            }
        };
        let rate = factors.rate as f32;
        let keep = if self.decays {
            factors.keep as f32
        } else {
            1.0
        };
        for (weight, change) in self.weights.iter_mut().zip(change) {
            *weight = keep * *weight - rate * change;
        }
        Ok(())
    }
}

/// One thread's part of the update.
#[derive(Default)]
struct Work<'a> {
    stretches: Vec<Stretch<'a>>,
    matrices: Vec<Matrix<'a>>,
}

fn host_update(
    parameters: &Parameters,
    [weights, first, second]: [&mut Vec<Vec<f32>>; 3],
    gradients: &[Vec<f32>],
    factors: Factors,
    (threads, by_muon): (usize, &dyn Fn(&Parameter) -> bool),
) -> Result<()> {
    let mut work: Vec<Work<'_>> = (0..threads.max(1)).map(|_| Work::default()).collect();
    let (mut turn, mut matrices) = (0, 0);
    let moments = first.iter_mut().zip(second);
    let all = weights
        .iter_mut()
        .zip(moments)
        .zip(gradients)
        .zip(&parameters.list);
    for (((weights, (first, second)), gradient), parameter) in all {
        let decays = parameter.decays;
        if by_muon(parameter) {
            work[matrices % threads.max(1)].matrices.push(Matrix {
                var: &parameter.var,
                weights,
                momentum: first,
                gradient,
                decays,
            });
            matrices += 1;
            continue;
        }
        let moments = first.chunks_mut(CHUNK).zip(second.chunks_mut(CHUNK));
        let chunks = weights
            .chunks_mut(CHUNK)
            .zip(moments)
            .zip(gradient.chunks(CHUNK));
        for ((weights, (first, second)), gradient) in chunks {
            work[turn % threads.max(1)].stretches.push(Stretch {
                weights,
                first,
                second,
                gradient,
                decays,
            });
            turn += 1;
        }
    }
    std::thread::scope(|scope| {
        let one = |work: Work<'_>| -> candle_core::Result<()> {
            work.stretches.into_iter().for_each(|s| s.update(factors));
            work.matrices
                .into_iter()
                .try_for_each(|m| m.update(factors))
        };
        let running: Vec<_> = work
            .into_iter()
            .map(|work| scope.spawn(move || one(work)))
            .collect();
        for thread in running {
            match thread.join() {
                Ok(result) => result?,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    const START: [f32; 4] = [1.0, -2.0, 0.5, 3.0];
    const GRADIENTS: [[f32; 4]; 3] = [
        [0.1, -0.2, 0.3, 0.0],
        [0.5, 0.1, -0.4, 0.2],
        [-0.3, 0.0, 0.2, 1.0],
    ];

    fn run(placement: Placement) -> (Vec<f32>, Vec<f32>) {
        let var = |shape: &[usize]| Var::from_slice(&START, shape, &Device::Cpu).unwrap();
        let vars = vec![("w".to_owned(), var(&[2, 2])), ("b".to_owned(), var(&[4]))];
        let mut parameters = Parameters::new(vars).unwrap();
        parameters.placement = placement;
        let config = OptimizerConfig {
            betas: [0.9, 0.98],
            eps: 1e-8,
            weight_decay: 0.1,
            ..OptimizerConfig::default()
        };
        let mut adamw = AdamW::new(&config, &parameters, 2).unwrap();
        for gradient in GRADIENTS {
            // Twice the gradient with half the scale: the scale must reach both moments.
            let double = gradient.map(|x| 2.0 * x).to_vec();
            let gradients = match placement {
                Placement::Host => Gradients::Host(vec![double.clone(), double]),
                Placement::Device => {
                    let tensor =
                        |shape: &[usize]| Tensor::from_slice(&double, shape, &Device::Cpu).unwrap();
                    Gradients::Device(vec![tensor(&[2, 2]), tensor(&[4])])
                }
            };
            adamw.update(&parameters, &gradients, 0.05, 0.5).unwrap();
        }
        let mut values = parameters.values().unwrap();
        let plain = values.pop().unwrap();
        (values.pop().unwrap(), plain)
    }

    // Made with PyTorch 2 by this script:
    //   import torch
    //   for wd in (0.1, 0.0):
    //       p = torch.nn.Parameter(torch.tensor([1.0, -2.0, 0.5, 3.0]))
    //       o = torch.optim.AdamW([p], lr=0.05, betas=(0.9, 0.98), eps=1e-8, weight_decay=wd)
    //       for g in ([.1, -.2, .3, 0.], [.5, .1, -.4, .2], [-.3, 0., .2, 1.]):
    //           p.grad = torch.tensor(g); o.step()
    //       print(p.data.tolist())
    const DECAYED: [f32; 4] = [0.880_475_5, -1.896_986_2, 0.447_716_3, 2.881_759];
    const PLAIN: [f32; 4] = [0.894_687_5, -1.926_270_8, 0.454_728_42, 2.926_349];

    #[test]
    fn agrees_with_pytorch() {
        for placement in [Placement::Host, Placement::Device] {
            let (decayed, plain) = run(placement);
            for (ours, theirs) in decayed
                .iter()
                .chain(&plain)
                .zip(DECAYED.iter().chain(&PLAIN))
            {
                assert!(
                    (ours - theirs).abs() < 2e-6,
                    "{placement:?}: {ours} is not {theirs}"
                );
            }
        }
    }
}
