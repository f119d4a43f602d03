//! Soft execution against a plain interpreter in f64 that knows no plan, and its gradient against
//! finite differences.

use std::sync::Arc;

use candle_core::{Device, Tensor, Var};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Execution, Flow, Modulation};

/// Two programs. The first: 0 tests a loop over 1, which may be caught by 2; 3 is the exit, 4 the error
/// node. The second: 5, 6, exit 7, error node 8, with fewer steps than it takes.
fn flow() -> Flow {
    Flow {
        yes: vec![1, 0, 3, 3, 4, 6, 7, 7, 8],
        no: vec![3, 0, 4, 3, 4, 6, 7, 7, 8],
        raise: vec![4, 2, 4, 4, 4, 8, 8, 8, 8],
        program: vec![0, 0, 0, 0, 0, 1, 1, 1, 1],
        starts: vec![0, 5],
        exits: vec![3, 7],
        errors: vec![4, 8],
        steps: vec![7, 2],
        described: vec![2, 0],
    }
}

struct Case {
    execution: Execution,
    nodes: Vec<f32>,
    parameters: Vec<f32>,
    descriptions: Vec<f32>,
    shape: Vec<usize>,
}

fn case(layers: usize, raises: bool, modulation: Modulation, seed: u64) -> Case {
    let flow = Arc::new(flow());
    let plan = Arc::new(flow.plan(raises).unwrap());
    let execution = Execution {
        flow,
        plan,
        hidden: 4,
        layers,
        raises,
        modulation,
        least: 0.0,
    };
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut draw = |n: usize| {
        (0..n)
            .map(|_| rng.random_range(-0.9..0.9))
            .collect::<Vec<f32>>()
    };
    let shape = match modulation {
        Modulation::None => vec![1],
        Modulation::Film => vec![2, 4],
        Modulation::Attention { .. } => vec![2, 3, 8],
    };
    Case {
        nodes: draw(9 * execution.node()),
        parameters: draw(execution.offsets().all),
        descriptions: draw(shape.iter().product()),
        execution,
        shape,
    }
}

impl Case {
    fn tensors(&self) -> [Tensor; 3] {
        let cpu = &Device::Cpu;
        let nodes = (9, self.execution.node());
        [
            Tensor::from_slice(&self.nodes, nodes, cpu).unwrap(),
            Tensor::from_slice(&self.parameters, self.parameters.len(), cpu).unwrap(),
            Tensor::from_slice(&self.descriptions, self.shape.as_slice(), cpu).unwrap(),
        ]
    }

    fn outcome(&self) -> Vec<Vec<f32>> {
        let [nodes, parameters, descriptions] = self.tensors();
        let out = self.execution.outcome(&nodes, &parameters, &descriptions);
        out.unwrap().to_vec2().unwrap()
    }

    /// The same by loops over all nodes, whether they have mass or not.
    fn plainly(&self) -> Vec<Vec<f64>> {
        let x = &self.execution;
        let (h, w, flow, at) = (x.hidden, x.state(), &x.flow, x.offsets());
        let p = |i: usize| f64::from(self.parameters[i]);
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let times = |from: usize, row: usize, v: &[f64]| -> f64 {
            let weights = (0..v.len()).map(|j| p(from + row * v.len() + j));
            weights.zip(v).map(|(w, v)| w * v).sum()
        };
        let mut out = Vec::new();
        for program in 0..flow.programs() {
            let nodes: Vec<usize> = (0..9)
                .filter(|n| flow.program[*n] as usize == program)
                .collect();
            let first = nodes[0];
            let mut mass = vec![0.0; nodes.len()];
            let mut states = vec![vec![0.0; w]; nodes.len()];
            mass[flow.starts[program] as usize - first] = 1.0;
            for _ in 0..flow.steps[program] {
                let mut next_mass = vec![0.0; nodes.len()];
                let mut next = vec![vec![0.0; w]; nodes.len()];
                for (k, node) in nodes.iter().enumerate() {
                    let ended =
                        [flow.exits[program], flow.errors[program]].contains(&(*node as u32));
                    let mut state = states[k].clone();
                    let (mut raise, mut yes) = (0.0, 1.0);
                    if !ended {
                        self.execute(*node, program, &mut state, &times, &p);
                        raise = sigmoid(times(at.raise, 0, &state) + p(at.raise + w));
                        yes = sigmoid(times(at.branch, 0, &state) + p(at.branch + w));
                    }
                    raise *= f64::from(u8::from(x.raises));
                    let ways = [
                        (flow.yes[*node], (1.0 - raise) * yes),
                        (flow.no[*node], (1.0 - raise) * (1.0 - yes)),
                        (flow.raise[*node], raise),
                    ];
                    for (target, way) in ways {
                        let target = target as usize - first;
                        next_mass[target] += mass[k] * way;
                        (0..w).for_each(|j| next[target][j] += mass[k] * way * state[j]);
                    }
                }
                for (state, mass) in next.iter_mut().zip(&next_mass) {
                    state
                        .iter_mut()
                        .for_each(|s| *s /= mass + f64::from(super::EPSILON));
                }
                (mass, states) = (next_mass, next);
            }
            let (exit, error) = (
                flow.exits[program] as usize - first,
                flow.errors[program] as usize - first,
            );
            let mut row = vec![mass[exit], mass[error]];
            row.extend(&states[exit]);
            row.extend(&states[error]);
            assert_eq!(h * 2 * x.layers, w);
            out.push(row);
        }
        out
    }

    fn execute(
        &self,
        node: usize,
        program: usize,
        state: &mut [f64],
        times: &dyn Fn(usize, usize, &[f64]) -> f64,
        p: &dyn Fn(usize) -> f64,
    ) {
        let x = &self.execution;
        let (h, at) = (x.hidden, x.offsets());
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let of_node = |j: usize| f64::from(self.nodes[node * x.node() + j]);
        let described = x.flow.described[program] as usize;
        let said = |j: usize| f64::from(self.descriptions[j]);
        let mut answer = vec![0.0; h];
        match x.modulation {
            _ if described == 0 => {}
            Modulation::None => {}
            Modulation::Film => {
                for (j, answer) in answer.iter_mut().enumerate() {
                    let scale = times(at.ask, j, state) + of_node(4 * h + j);
                    let shift = times(at.ask, h + j, state) + of_node(5 * h + j);
                    *answer = (scale.max(0.0) * said(program * h + j) + shift.max(0.0)).max(0.0);
                }
            }
            Modulation::Attention { heads } => {
                let size = h / heads;
                let query: Vec<f64> = (0..h)
                    .map(|j| times(at.ask, j, state) + of_node(4 * h + j))
                    .collect();
                for head in 0..heads {
                    let key =
                        |l: usize, j: usize| said((program * 3 + l) * 2 * h + head * size + j);
                    let value =
                        |l: usize, j: usize| said((program * 3 + l) * 2 * h + h + head * size + j);
                    let score = |l: usize| {
                        (0..size)
                            .map(|j| query[head * size + j] * key(l, j))
                            .sum::<f64>()
                            / (size as f64).sqrt()
                    };
                    let weights: Vec<f64> = (0..described).map(|l| score(l).exp()).collect();
                    let sum: f64 = weights.iter().sum();
                    for j in 0..size {
                        answer[head * size + j] =
                            (0..described).map(|l| weights[l] / sum * value(l, j)).sum();
                    }
                }
            }
        }
        for layer in 0..x.layers {
            let from = 2 * layer * h;
            let last = state[from..from + h].to_vec();
            let below = if layer > 0 {
                state[from - 2 * h..from - h].to_vec()
            } else {
                vec![]
            };
            let gate = |j: usize| {
                let recurrent = times(at.recurrent(layer), j, &last);
                match layer {
                    0 if x.asked() > 0 => recurrent + of_node(j) + times(at.answer, j, &answer),
                    0 => recurrent + of_node(j),
                    _ => recurrent + times(at.input(layer), j, &below) + p(at.bias(layer) + j),
                }
            };
            let gates: Vec<f64> = (0..4 * h).map(gate).collect();
            for j in 0..h {
                let cell = sigmoid(gates[h + j]) * state[from + h + j]
                    + sigmoid(gates[j]) * gates[2 * h + j].tanh();
                state[from + h + j] = cell;
                state[from + j] = sigmoid(gates[3 * h + j]) * cell.tanh();
            }
        }
    }
}

const FORMS: [(usize, bool, Modulation); 5] = [
    (1, true, Modulation::None),
    (2, true, Modulation::None),
    (2, false, Modulation::None),
    (2, true, Modulation::Film),
    (1, true, Modulation::Attention { heads: 2 }),
];

#[test]
fn a_plain_interpreter_finds_the_same() {
    for (layers, raises, modulation) in FORMS {
        let case = case(layers, raises, modulation, 3);
        for (fast, plain) in case.outcome().iter().zip(case.plainly()) {
            assert_eq!(fast.len(), plain.len());
            for (a, b) in fast.iter().zip(plain) {
                assert!(
                    (f64::from(*a) - b).abs() < 1e-5,
                    "{modulation:?}: {a} and {b}"
                );
            }
        }
    }
}

#[test]
fn masses_sum_to_one_at_every_step() {
    for (layers, raises, modulation) in FORMS {
        let case = case(layers, raises, modulation, 5);
        let [nodes, parameters, descriptions] = case.tensors();
        let x = &case.execution;
        let (_, recorded) = x.record(&nodes, &parameters, &descriptions).unwrap();
        assert_eq!(recorded.len(), 8);
        for (t, (moment, recorded)) in x.plan.moments.iter().zip(&recorded).enumerate() {
            let mut sums = [0.0f32; 2];
            for (node, mass) in moment.nodes.iter().zip(&recorded.mass) {
                sums[x.flow.program[*node as usize] as usize] += mass;
            }
            assert!((sums[0] - 1.0).abs() < 1e-5, "step {t}: {sums:?}");
            assert!(t > 2 || (sums[1] - 1.0).abs() < 1e-5, "step {t}: {sums:?}");
        }
    }
}

#[test]
fn leaving_out_small_masses_loses_no_more_than_they_are() {
    for (layers, raises, modulation) in FORMS {
        let mut case = case(layers, raises, modulation, 5);
        let all = case.outcome();
        case.execution.least = 0.05;
        let [nodes, parameters, descriptions] = case.tensors();
        let (some, recorded) = case
            .execution
            .record(&nodes, &parameters, &descriptions)
            .unwrap();
        let some: Vec<Vec<f32>> = some.to_vec2().unwrap();
        assert!(
            recorded
                .iter()
                .flat_map(|r| &r.mass)
                .all(|mass| *mass >= 0.0)
        );
        let left: f32 = recorded[7].mass.iter().sum();
        assert!(
            left <= 1.0 + 1e-5,
            "the first program alone has mass at its end: {left}"
        );
        for (all, some) in all.iter().zip(&some).take(1) {
            for k in 0..2 {
                let lost = 1.0 - left;
                assert!(
                    (some[k] - all[k]).abs() <= lost + 0.05,
                    "{some:?} {all:?} {lost}"
                );
            }
        }
        case.execution.least = 1e-12;
        let (exact, _) = case
            .execution
            .record(&nodes, &parameters, &descriptions)
            .unwrap();
        for (all, exact) in all
            .iter()
            .flatten()
            .zip(exact.to_vec2::<f32>().unwrap().iter().flatten())
        {
            assert!((all - exact).abs() < 1e-5);
        }
    }
}

#[test]
fn gradients_are_those_of_finite_differences() {
    for (layers, raises, modulation) in FORMS {
        let mut case = case(layers, raises, modulation, 7);
        let vars = case.tensors().map(|t| Var::from_tensor(&t).unwrap());
        let out = case.execution.outcome(
            vars[0].as_tensor(),
            vars[1].as_tensor(),
            vars[2].as_tensor(),
        );
        let out = out.unwrap();
        let width = out.dim(1).unwrap();
        let weight = |i: usize| ((i * 7 + 3) % 11) as f64 / 5.0 - 1.0;
        let weights: Vec<f32> = (0..2 * width).map(|i| weight(i) as f32).collect();
        let weights = Tensor::from_vec(weights, (2, width), &Device::Cpu).unwrap();
        let loss = (out * weights).unwrap().sum_all().unwrap();
        let grads = loss.backward().unwrap();
        let value = |case: &Case| -> f64 {
            let rows = case.plainly();
            rows.iter()
                .flatten()
                .enumerate()
                .map(|(i, x)| weight(i) * x)
                .sum()
        };
        for (which, var) in vars.iter().enumerate() {
            let found: Vec<f32> = grads
                .get(var.as_tensor())
                .unwrap()
                .flatten_all()
                .unwrap()
                .to_vec1()
                .unwrap();
            for (i, found) in found.iter().enumerate() {
                let step = 1.0 / 512.0;
                let list = |case: &mut Case, by: f32| match which {
                    0 => case.nodes[i] += by,
                    1 => case.parameters[i] += by,
                    _ => case.descriptions[i] += by,
                };
                list(&mut case, step);
                let above = value(&case);
                list(&mut case, -2.0 * step);
                let below = value(&case);
                list(&mut case, step);
                let wanted = (above - below) / f64::from(2.0 * step);
                let close = 2e-3 * (1.0 + wanted.abs());
                assert!(
                    (f64::from(*found) - wanted).abs() < close,
                    "{modulation:?} argument {which}, {i}: {found} and {wanted}"
                );
            }
        }
    }
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let case = case(1, true, Modulation::Film, 1);
    let [nodes, parameters, descriptions] = case.tensors();
    let x = &case.execution;
    assert!(
        x.outcome(&nodes.narrow(0, 0, 8).unwrap(), &parameters, &descriptions)
            .is_err()
    );
    assert!(
        x.outcome(&nodes, &parameters.narrow(0, 0, 9).unwrap(), &descriptions)
            .is_err()
    );
    assert!(
        x.outcome(&nodes, &parameters, &descriptions.narrow(1, 0, 2).unwrap())
            .is_err()
    );
}
