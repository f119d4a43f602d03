//! The optimizer's state on a device. Variables with the same update share one buffer, so that an update is a few
//! operations on large tensors instead of a dozen per variable: on a GPU each has a fixed cost.

use std::collections::BTreeMap;

use candle_core::{DType, Result, Tensor};

use crate::adamw::{Factors, Moments};
use crate::config::Precision;
use crate::muon;
use crate::parameters::{Parameter, Parameters, host};

/// Weights and moments of all variables.
#[derive(Debug)]
pub(crate) struct DeviceState {
    flats: Vec<Flat>,
    stacks: Vec<Stack>,
}

/// Variables updated by AdamW, concatenated in one buffer.
#[derive(Debug)]
struct Flat {
    /// Indices of the variables.
    members: Vec<usize>,
    decays: bool,
    weights: Tensor,
    first: Tensor,
    second: Tensor,
}

/// Matrices of one shape updated by Muon, (members, short side, long side).
#[derive(Debug)]
struct Stack {
    /// Indices of the variables.
    members: Vec<usize>,
    /// Whether the variables have more rows than columns, and lie here transposed.
    tall: bool,
    decays: bool,
    weights: Tensor,
    momentum: Tensor,
}

impl DeviceState {
    /// With the variables' values, and moments of zero.
    pub(crate) fn new(
        parameters: &Parameters,
        by_muon: impl Fn(&Parameter) -> bool,
    ) -> Result<Self> {
        let mut flats: BTreeMap<bool, Vec<usize>> = BTreeMap::new();
        let mut stacked: BTreeMap<(usize, usize, bool), Vec<usize>> = BTreeMap::new();
        for (index, parameter) in parameters.list.iter().enumerate() {
            let decays = parameter.decays;
            match *parameter.var.dims() {
                [rows, columns] if by_muon(parameter) => {
                    let shape = (rows, columns, decays);
                    stacked.entry(shape).or_default().push(index);
                }
                _ => flats.entry(decays).or_default().push(index),
            }
        }
        let current = |index: usize| Ok(parameters.list[index].var.as_detached_tensor());
        let flat = |(decays, members): (bool, Vec<usize>)| {
            let weights = in_line(&members, current)?;
            Ok(Flat {
                members,
                decays,
                first: weights.zeros_like()?,
                second: weights.zeros_like()?,
                weights,
            })
        };
        let stack = |((rows, columns, decays), members): ((usize, usize, bool), Vec<usize>)| {
            let tall = rows > columns;
            let weights = stacked_up(&members, tall, current)?;
            Ok(Stack {
                members,
                tall,
                decays,
                momentum: weights.zeros_like()?,
                weights,
            })
        };
        Ok(Self {
            flats: flats.into_iter().map(flat).collect::<Result<_>>()?,
            stacks: stacked.into_iter().map(stack).collect::<Result<_>>()?,
        })
    }

    /// One update with the gradients of all variables, f32. Writes the new weights into the
    /// variables.
    pub(crate) fn update(
        &mut self,
        parameters: &Parameters,
        gradients: &[Tensor],
        factors: Factors,
    ) -> Result<()> {
        let keep = |decays| if decays { factors.keep } else { 1.0 };
        let of = |index: usize| Ok(gradients[index].detach());
        for flat in &mut self.flats {
            let [b1, b2] = factors.beta;
            let gradient = (in_line(&flat.members, of)? * factors.scale)?;
            flat.first = ((&flat.first * b1)? + (&gradient * (1.0 - b1))?)?;
            flat.second = ((&flat.second * b2)? + (gradient.sqr()? * (1.0 - b2))?)?;
            let root = ((flat.second.sqrt()? * (1.0 / factors.root))? + factors.eps)?;
            let change = (flat.first.div(&root)? * factors.step)?;
            flat.weights = ((&flat.weights * keep(flat.decays))? - change)?;
            flat.each(parameters, &flat.weights, |index, part| {
                parameters.list[index].var.set(part)
            })?;
        }
        let products = match factors.products {
            Precision::Bf16 if parameters.device.is_cuda() => DType::BF16,
            _ => DType::F32,
        };
        for stack in &mut self.stacks {
            let gradient = (stacked_up(&stack.members, stack.tall, of)? * factors.scale)?;
            stack.momentum = ((&stack.momentum * muon::MOMENTUM)? + &gradient)?;
            let ahead = ((&stack.momentum * muon::MOMENTUM)? + gradient)?;
            let change = (muon::update_all(&ahead, products)? * factors.rate)?;
            stack.weights = ((&stack.weights * keep(stack.decays))? - change)?;
            stack.each(&stack.weights, |index, part| {
                parameters.list[index].var.set(part)
            })?;
        }
        Ok(())
    }

    /// The moments on the host, in the model's order; of Muon's two only the first is used.
    pub(crate) fn moments(&self, parameters: &Parameters) -> Result<Moments> {
        let zeros = |p: &Parameter| vec![0.0; p.var.elem_count()];
        let mut first: Vec<Vec<f32>> = parameters.list.iter().map(zeros).collect();
        let mut second = first.clone();
        for flat in &self.flats {
            for (tensor, to) in [(&flat.first, &mut first), (&flat.second, &mut second)] {
                flat.each(parameters, tensor, |index, part| {
                    to[index] = host(part)?;
                    Ok(())
                })?;
            }
        }
        for stack in &self.stacks {
            stack.each(&stack.momentum, |index, part| {
                first[index] = host(part)?;
                Ok(())
            })?;
        }
        Ok((first, second))
    }

    /// Loads the variables' values, and moments from [`DeviceState::moments`].
    pub(crate) fn restore(
        &mut self,
        parameters: &Parameters,
        (first, second): &Moments,
    ) -> Result<()> {
        let current = |index: usize| Ok(parameters.list[index].var.as_detached_tensor());
        let of = |all: &[Vec<f32>], index: usize| {
            let shape = parameters.list[index].var.shape();
            Tensor::from_slice(&all[index], shape, &parameters.device)
        };
        for flat in &mut self.flats {
            flat.weights = in_line(&flat.members, current)?;
            flat.first = in_line(&flat.members, |index| of(first, index))?;
            flat.second = in_line(&flat.members, |index| of(second, index))?;
        }
        for stack in &mut self.stacks {
            stack.weights = stacked_up(&stack.members, stack.tall, current)?;
            stack.momentum = stacked_up(&stack.members, stack.tall, |index| of(first, index))?;
        }
        Ok(())
    }
}

impl Flat {
    /// Calls `f` with every variable's part of a buffer.
    fn each(
        &self,
        parameters: &Parameters,
        buffer: &Tensor,
        mut f: impl FnMut(usize, &Tensor) -> Result<()>,
    ) -> Result<()> {
        let mut start = 0;
        for &index in &self.members {
            let var = &parameters.list[index].var;
            let count = var.elem_count();
            f(
                index,
                &buffer.narrow(0, start, count)?.reshape(var.shape())?,
            )?;
            start += count;
        }
        Ok(())
    }
}

impl Stack {
    /// Calls `f` with every variable's matrix of a stack.
    fn each(&self, stack: &Tensor, mut f: impl FnMut(usize, &Tensor) -> Result<()>) -> Result<()> {
        for (place, &index) in self.members.iter().enumerate() {
            let matrix = stack.get(place)?;
            f(index, &if self.tall { matrix.t()? } else { matrix })?;
        }
        Ok(())
    }
}

/// Flattened and concatenated tensors.
fn in_line(members: &[usize], of: impl Fn(usize) -> Result<Tensor>) -> Result<Tensor> {
    let flat = members.iter().map(|index| of(*index)?.flatten_all());
    Tensor::cat(&flat.collect::<Result<Vec<_>>>()?, 0)
}

/// Stacked matrices of one shape, tall ones transposed.
fn stacked_up(
    members: &[usize],
    tall: bool,
    of: impl Fn(usize) -> Result<Tensor>,
) -> Result<Tensor> {
    let one = |index: &usize| {
        let matrix = of(*index)?;
        if tall { matrix.t() } else { Ok(matrix) }
    };
    let all = members.iter().map(one).collect::<Result<Vec<_>>>()?;
    Tensor::stack(&all, 0)?.contiguous()
}

#[cfg(test)]
mod tests {
    use candle_core::{Device, Var};

    use crate::adamw::AdamW;
    use crate::config::OptimizerConfig;
    use crate::gradient::Gradients;
    use crate::parameters::{Parameters, Placement};

    const SHAPES: [(&str, &[usize]); 6] = [
        ("words", &[5, 2]),
        ("layer.0.wide", &[2, 3]),
        ("layer.0.tall", &[3, 2]),
        ("layer.0.bias", &[3]),
        ("layer.1.wide", &[2, 3]),
        ("layer.1.tall", &[3, 2]),
    ];

    fn parameters(placement: Placement) -> Parameters {
        let var = |(name, shape): (&str, &[usize])| {
            let count = shape.iter().product::<usize>();
            let values: Vec<f32> = (0..count)
                .map(|i| (i as f32 + count as f32).sin())
                .collect();
            let var = Var::from_vec(values, shape, &Device::Cpu).unwrap();
            (name.to_owned(), var)
        };
        let mut parameters = Parameters::new(SHAPES.map(var).into()).unwrap();
        parameters.placement = placement;
        parameters
    }

    fn gradients(parameters: &Parameters, step: usize) -> Gradients {
        let values = |count: usize| -> Vec<f32> {
            let one = |i: usize| ((i * 7 + step * 3 + count) as f32).cos();
            (0..count).map(one).collect()
        };
        let vars = parameters.list.iter().map(|p| &p.var);
        match parameters.placement {
            Placement::Host => Gradients::Host(vars.map(|v| values(v.elem_count())).collect()),
            Placement::Device => Gradients::Device(
                vars.map(|v| {
                    candle_core::Tensor::from_vec(values(v.elem_count()), v.shape(), &Device::Cpu)
                        .unwrap()
                })
                .collect(),
            ),
        }
    }

    fn near(what: &str, a: &[Vec<f32>], b: &[Vec<f32>]) {
        assert_eq!(a.len(), b.len());
        for ((a, b), (name, _)) in a.iter().zip(b).zip(SHAPES) {
            for (a, b) in a.iter().zip(b) {
                assert!((a - b).abs() < 1e-5, "{what} of {name}: {a} is not {b}");
            }
        }
    }

    #[test]
    fn updates_are_those_of_the_host() {
        let config = OptimizerConfig {
            weight_decay: 0.1,
            muon: vec!["layer".to_owned()],
            ..OptimizerConfig::default()
        };
        let all = [Placement::Host, Placement::Device].map(parameters);
        let [mut host, mut device] = [0, 1].map(|i| AdamW::new(&config, &all[i], 1).unwrap());
        for step in 0..4 {
            if step == 2 {
                // As after a kill.
                let (values, moments) = (all[1].values().unwrap(), device.moments(&all[1]));
                device = AdamW::new(&config, &all[1], 1).unwrap();
                device
                    .restore(&all[1], values, moments.unwrap(), 2)
                    .unwrap();
            }
            for (optimizer, parameters) in [(&mut host, &all[0]), (&mut device, &all[1])] {
                let gradients = gradients(parameters, step);
                optimizer.update(parameters, &gradients, 0.05, 0.5).unwrap();
            }
        }
        let [a, b] = [0, 1].map(|i| all[i].values().unwrap());
        near("weights", &a, &b);
        let (a, b) = (
            host.moments(&all[0]).unwrap(),
            device.moments(&all[1]).unwrap(),
        );
        near("first moments", &a.0, &b.0);
        near("second moments", &a.1, &b.1);
    }
}
