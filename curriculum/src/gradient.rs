//! The gradient of one optimizer step: its micro-batches are computed on threads and summed in
//! order, so that the sum does not depend on thread timing. No weight is changed here.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::time::Duration;

use candle_core::{DType, Tensor, backprop::GradStore};

use crate::benchmark::Probe;
use crate::error::{Error, Result};
use crate::example::{Example, Trainable};
use crate::parameters::{Parameters, Placement, host};

/// Numbers added up together on a device.
const SUMMED: usize = 4096;

/// Gradients of all variables, in the model's order.
#[derive(Debug)]
pub(crate) enum Gradients {
    Host(Vec<Vec<f32>>),
    Device(Vec<Tensor>),
}

impl Gradients {
    /// Takes the gradients out of `store`, one tensor at a time; zeros if there is none.
    fn take(store: &mut GradStore, parameters: &Parameters) -> candle_core::Result<Self> {
        let list = parameters.list.iter();
        match parameters.placement {
            Placement::Host => {
                let one = |gradient: Option<Tensor>, count| match gradient {
                    Some(gradient) => host(&gradient),
                    None => Ok(vec![0.0; count]),
                };
                let all = list.map(|p| one(store.remove(p.var.as_tensor()), p.var.elem_count()));
                all.collect::<candle_core::Result<_>>().map(Self::Host)
            }
            Placement::Device => {
                let one = |gradient: Option<Tensor>, var: &Tensor| match gradient {
                    Some(gradient) => gradient.to_dtype(DType::F32),
                    None => var.zeros_like(),
                };
                let all =
                    list.map(|p| one(store.remove(p.var.as_tensor()), &p.var.as_detached_tensor()));
                all.collect::<candle_core::Result<_>>().map(Self::Device)
            }
        }
    }

    fn add(&mut self, other: Self) -> candle_core::Result<()> {
        match (self, other) {
            (Self::Host(sum), Self::Host(other)) => {
                for (sum, other) in sum.iter_mut().zip(other) {
                    sum.iter_mut().zip(other).for_each(|(sum, x)| *sum += x);
                }
            }
            (Self::Device(sum), Self::Device(other)) => {
                for (sum, other) in sum.iter_mut().zip(other) {
                    *sum = sum.add(&other)?;
                }
            }
            _ => unreachable!("all gradients of a run have its placement"),
        }
        Ok(())
    }

    /// The global Euclidean norm; not finite if any gradient is not.
    pub(crate) fn norm(&self) -> candle_core::Result<f64> {
        let squares = match self {
            Self::Host(all) => {
                let square = |x: &f32| f64::from(*x) * f64::from(*x);
                // Blocks bound the rounding error and let the compiler keep several sums going.
                let block = |block: &[f32]| block.iter().map(square).sum::<f64>();
                all.iter()
                    .flat_map(|values| values.chunks(4096))
                    .map(block)
                    .sum()
            }
            Self::Device(all) => {
                let flat = all.iter().map(Tensor::flatten_all);
                let flat = Tensor::cat(&flat.collect::<candle_core::Result<Vec<_>>>()?, 0)?;
                // A total sum is one block's work on a GPU: rows first, each a block of its own.
                let rows = flat.elem_count() / SUMMED;
                let even = flat.narrow(0, 0, rows * SUMMED)?.reshape((rows, SUMMED))?;
                let rest = flat.narrow(0, rows * SUMMED, flat.elem_count() - rows * SUMMED)?;
                let sums = Tensor::cat(&[even.sqr()?.sum(1)?, rest.sqr()?], 0)?;
                f64::from(sums.sum_all()?.to_scalar::<f32>()?)
            }
        };
        Ok(squares.sqrt())
    }
}

/// Counts of one or more micro-batches.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Totals {
    /// Sum of weighted losses.
    pub loss: f64,
    /// Sum of weights.
    pub weight: f64,
    /// Target tokens.
    pub targets: u64,
    /// Those predicted right.
    pub correct: u64,
    /// Source and target tokens.
    pub real: u64,
    /// Positions computed.
    pub padded: u64,
    /// Thread time of the losses and of their gradients, if they are timed.
    pub forward: Duration,
    pub backward: Duration,
}

impl Totals {
    fn add(&mut self, other: Self) {
        self.loss += other.loss;
        self.weight += other.weight;
        self.targets += other.targets;
        self.correct += other.correct;
        self.real += other.real;
        self.padded += other.padded;
        self.forward += other.forward;
        self.backward += other.backward;
    }
}

/// One micro-batch and the seed of its dropout.
#[derive(Debug)]
pub(crate) struct MicroBatch {
    pub examples: Vec<Example>,
    pub seed: u64,
}

/// The threads that compute micro-batches. Each is a pool of one, so that the matrix products of a
/// micro-batch stay on its thread on any machine.
#[derive(Debug)]
pub(crate) struct Workers(Vec<rayon::ThreadPool>);

impl Workers {
    /// `threads` workers on the host; none for a device, which is driven from the calling thread.
    pub(crate) fn new(threads: usize, placement: Placement) -> Result<Self> {
        let threads = if placement == Placement::Host {
            threads
        } else {
            0
        };
        let pool = |_| rayon::ThreadPoolBuilder::new().num_threads(1).build();
        Ok(Self((0..threads).map(pool).collect::<Result<_, _>>()?))
    }

    /// Loss and gradient summed over `batches`, of which there is at least one.
    pub(crate) fn compute<M: Trainable>(
        &self,
        model: &M,
        parameters: &Parameters,
        batches: &[MicroBatch],
    ) -> Result<(Totals, Option<Gradients>)> {
        self.compute_timed(model, parameters, batches, None)
    }

    /// [`Workers::compute`], with timed parts if there is a probe.
    pub(crate) fn compute_timed<M: Trainable>(
        &self,
        model: &M,
        parameters: &Parameters,
        batches: &[MicroBatch],
        probe: Option<Probe<'_>>,
    ) -> Result<(Totals, Option<Gradients>)> {
        let mut sum = Sum::default();
        let one = |index: usize| one_micro_batch(model, parameters, &batches[index], probe);
        self.each(batches.len(), one, |result| sum.add(result))?;
        Ok((sum.totals, sum.gradients))
    }

    /// Number of micro-batches computed in parallel.
    pub(crate) fn count(&self) -> usize {
        self.0.len().max(1)
    }

    /// The losses of the examples of `batches`.
    pub(crate) fn losses<M: Trainable>(
        &self,
        model: &M,
        batches: &[Vec<Example>],
    ) -> Result<Vec<Vec<f32>>> {
        let mut all = Vec::with_capacity(batches.len());
        let one = |index: usize| {
            let examples: Vec<&Example> = batches[index].iter().collect();
            model.example_losses(&examples)
        };
        self.each(batches.len(), one, |losses| {
            all.push(losses);
            Ok(())
        })?;
        Ok(all)
    }

    /// Calls `work` for every number below `count`, on the workers, and `sink` with the results in
    /// order.
    fn each<T: Send>(
        &self,
        count: usize,
        work: impl Fn(usize) -> candle_core::Result<T> + Sync,
        mut sink: impl FnMut(T) -> candle_core::Result<()>,
    ) -> Result<()> {
        if self.0.is_empty() {
            return Ok((0..count).try_for_each(|index| sink(work(index)?))?);
        }
        let work = &work;
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for (first, pool) in self.0.iter().enumerate() {
                let sender = sender.clone();
                scope.spawn(move || {
                    for index in (first..count).step_by(self.0.len()) {
                        let result = pool.install(|| work(index));
                        if sender.send((index, result)).is_err() {
                            return; // another micro-batch failed
                        }
                    }
                });
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut next = 0;
            for (index, result) in receiver {
                waiting.insert(index, result?);
                while let Some(result) = waiting.remove(&next) {
                    sink(result)?;
                    next += 1;
                }
            }
            Ok(())
        })
    }
}

#[derive(Default)]
struct Sum {
    totals: Totals,
    gradients: Option<Gradients>,
}

impl Sum {
    fn add(&mut self, (totals, gradients): (Totals, Gradients)) -> candle_core::Result<()> {
        self.totals.add(totals);
        match &mut self.gradients {
            Some(sum) => sum.add(gradients),
            None => {
                self.gradients = Some(gradients);
                Ok(())
            }
        }
    }
}

fn one_micro_batch<M: Trainable>(
    model: &M,
    parameters: &Parameters,
    batch: &MicroBatch,
    probe: Option<Probe<'_>>,
) -> candle_core::Result<(Totals, Gradients)> {
    let lap = || probe.map_or(Ok(Duration::ZERO), |probe| probe.lap());
    let examples: Vec<&Example> = batch.examples.iter().collect();
    let begun = lap()?;
    let loss = model.loss_with_seed(&examples, batch.seed)?;
    let computed = lap()?;
    let mut store = loss.sum.backward()?;
    let gradients = Gradients::take(&mut store, parameters)?;
    let backward = lap()?.saturating_sub(computed);
    let tokens = |example: &&Example| (example.source.len() + example.target.len()) as u64;
    let totals = Totals {
        loss: f64::from(loss.sum.to_dtype(DType::F32)?.to_scalar::<f32>()?),
        weight: loss.weight,
        targets: loss.tokens as u64,
        correct: loss.correct.to_scalar::<f32>()? as u64,
        real: examples.iter().map(tokens).sum(),
        padded: loss.padded as u64,
        forward: computed.saturating_sub(begun),
        backward,
    };
    Ok((totals, gradients))
}

/// Checks that the gradient of the loss over `batches` reaches every variable (each is a
/// micro-batch; later ones are tried only for variables that earlier ones did not reach).
/// Operations without a backward pass cut the graph silently, which this detects.
///
/// # Errors
/// [`Error::NoGradient`] names the variables whose gradient is absent or all zeros.
pub fn check_gradients<M: Trainable>(model: &M, batches: &[Vec<&Example>]) -> Result<()> {
    let mut missing = Parameters::new(model.vars())?.list;
    for batch in batches {
        let store = model.loss(batch)?.sum.backward()?;
        let mut untouched = Vec::new();
        for parameter in missing {
            let largest = match store.get(parameter.var.as_tensor()) {
                Some(gradient) => host(&gradient.abs()?.flatten_all()?.max(0)?)?[0],
                None => 0.0,
            };
            // A non-finite gradient exists; the training loop handles it.
            if largest == 0.0 {
                untouched.push(parameter);
            }
        }
        missing = untouched;
        if missing.is_empty() {
            return Ok(());
        }
    }
    Err(Error::NoGradient {
        names: missing.into_iter().map(|p| p.name).collect(),
    })
}

#[cfg(test)]
mod tests {
    use candle_core::{Device, Result, Var};

    use super::*;
    use crate::example::BatchLoss;

    /// The loss of an example is the sum of its source times w², and does not depend on `other`.
    struct Square {
        w: Var,
        other: Var,
    }

    impl Trainable for Square {
        fn vars(&self) -> Vec<(String, Var)> {
            [("w", &self.w), ("other", &self.other)]
                .map(|(name, var)| (name.to_owned(), var.clone()))
                .into()
        }

        fn loss(&self, batch: &[&Example]) -> Result<BatchLoss> {
            let factor: u32 = batch.iter().flat_map(|example| &example.source).sum();
            let sum = (self.w.sqr()?.sum_all()? * f64::from(factor))?;
            Ok(BatchLoss {
                sum,
                tokens: 1,
                weight: 1.0,
                correct: Tensor::new(0f32, &Device::Cpu)?,
                padded: 4,
            })
        }
    }

    #[test]
    fn both_placements_sum_the_same_gradient() {
        let var = |values: &[f32]| Var::from_slice(values, values.len(), &Device::Cpu).unwrap();
        let model = Square {
            w: var(&[3.0, -1.0]),
            other: var(&[7.0]),
        };
        let batch = |x| MicroBatch {
            examples: vec![Example {
                source: vec![x],
                target: vec![0],
                kind: 0,
            }],
            seed: 0,
        };
        let batches = [batch(1), batch(2), batch(5)];
        for placement in [Placement::Host, Placement::Device] {
            let mut parameters = Parameters::new(model.vars()).unwrap();
            parameters.placement = placement;
            let workers = Workers::new(2, placement).unwrap();
            let (totals, sum) = workers.compute(&model, &parameters, &batches).unwrap();
            assert_eq!((totals.loss, totals.weight, totals.real), (80.0, 3.0, 6));
            let sum = sum.unwrap();
            // d/dw of 8 w² is 16 w: (48, -16), of norm √2560.
            assert!((sum.norm().unwrap() - 2560f64.sqrt()).abs() < 1e-4);
            let values = match sum {
                Gradients::Host(values) => values,
                Gradients::Device(all) => all.iter().map(|t| host(t).unwrap()).collect(),
            };
            assert_eq!(values, [vec![48.0, -16.0], vec![0.0]], "{placement:?}");
        }
    }
}
