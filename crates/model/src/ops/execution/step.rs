//! One forward step of soft execution, and the walk over all steps.

use candle_core::{CpuStorage, Result};

use super::modulate::Modulated;
use super::plan::Moment;
use super::{EPSILON, Execution, Offsets, Recorded};
use crate::ops::buffers::{Matrix, floats_mut};
use crate::ops::{kernels, lstm};

/// State passed from one moment to the next: states (rows,W) and masses of the active nodes.
#[derive(Debug)]
pub(in crate::ops) struct Carry {
    pub states: CpuStorage,
    pub mass: Vec<f32>,
}

/// A layer's intermediate results for the k executed nodes.
pub(super) struct LayerWork {
    /// Gates after their activation, (k,4H): input, forget, cell, output.
    pub gates: Vec<f32>,
    /// `tanh` of the new cell, (k,H).
    pub squashed: Vec<f32>,
}

/// The results of a step.
pub(super) struct Work {
    pub layers: Vec<LayerWork>,
    pub modulated: Modulated,
    /// New states (rows that move,W), in a storage so that products can read them.
    pub states: CpuStorage,
    /// Of the executed nodes.
    pub raise: Vec<f32>,
    pub yes: Vec<f32>,
}

pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Work {
    /// The weights of a row's three ways: yes, no, raise. Where a program has ended it stays.
    pub(super) fn ways(&self, row: usize) -> [f32; 3] {
        match (self.raise.get(row), self.yes.get(row)) {
            (Some(raise), Some(yes)) => {
                let on = 1.0 - raise;
                [on * yes, on * (1.0 - yes), *raise]
            }
            _ => [1.0, 0.0, 0.0],
        }
    }
}

/// The nodes of a moment that are worth executing.
struct Heavy {
    moment: Moment,
    carry: Carry,
    /// Their positions among all nodes of the moment.
    places: Vec<usize>,
}

impl Heavy {
    /// Values of these nodes at the positions of all, the others 0.
    fn spread(&self, values: &[f32], count: usize) -> Vec<f32> {
        let mut out = vec![0.0; count];
        for (place, value) in self.places.iter().zip(values) {
            if let Some(out) = out.get_mut(*place) {
                *out = *value;
            }
        }
        out
    }
}

impl Execution {
    /// The nodes of a moment with enough mass, and all where a program has ended; `None` if these are all.
    fn heavy(&self, moment: &Moment, carry: &Carry) -> Result<Option<Heavy>> {
        let w = self.state();
        let keep = |row: &usize| *row >= moment.running || carry.mass[*row] >= self.least;
        let places: Vec<usize> = (0..moment.nodes.len()).filter(keep).collect();
        if places.len() == moment.nodes.len() {
            return Ok(None);
        }
        let states = carry.states.as_slice::<f32>()?;
        let rows = places.iter().flat_map(|row| &states[row * w..][..w]);
        Ok(Some(Heavy {
            moment: Moment {
                nodes: places.iter().map(|row| moment.nodes[*row]).collect(),
                running: places
                    .iter()
                    .take_while(|row| **row < moment.running)
                    .count(),
                targets: places
                    .iter()
                    .filter_map(|row| moment.targets.get(*row).copied())
                    .collect(),
            },
            carry: Carry {
                states: CpuStorage::F32(rows.copied().collect()),
                mass: places.iter().map(|row| carry.mass[*row]).collect(),
            },
            places,
        }))
    }

    /// Executes all steps. Returns the carries if requested, and the outcome.
    pub(super) fn follow(
        &self,
        nodes: &[f32],
        parameters: &CpuStorage,
        descriptions: &[f32],
        keep: bool,
        mut recorded: Option<&mut Vec<Recorded>>,
    ) -> Result<(Vec<Carry>, Vec<f32>)> {
        let (w, at) = (self.state(), self.offsets());
        let programs = self.flow.programs();
        let mut out = vec![0.0; programs * (2 + 2 * w)];
        let mut carries = Vec::new();
        let mut carry = Carry {
            states: CpuStorage::F32(vec![0.0; programs * w]),
            mass: vec![1.0; programs],
        };
        for (t, moment) in self.plan.moments.iter().enumerate() {
            self.read_ends(t, &carry, &mut out)?;
            let next = self.plan.moments.get(t + 1);
            let mut record = Recorded {
                mass: carry.mass.clone(),
                ..Recorded::default()
            };
            let following = match next {
                None => None,
                Some(next) => {
                    let kept = match recorded {
                        Some(_) if self.least > 0.0 => self.heavy(moment, &carry)?,
                        _ => None,
                    };
                    let (part, from) = match &kept {
                        Some(kept) => (&kept.moment, &kept.carry),
                        None => (moment, &carry),
                    };
                    let work = self.step(part, from, nodes, parameters, descriptions, at)?;
                    let moved = self.moved(part, next, from, &work)?;
                    (record.raise, record.yes) = match &kept {
                        Some(kept) => {
                            record.mass = kept.spread(&from.mass, moment.nodes.len());
                            let spread = |values: &[f32]| kept.spread(values, moment.running);
                            (spread(&work.raise), spread(&work.yes))
                        }
                        None => (work.raise, work.yes),
                    };
                    Some(moved)
                }
            };
            if let Some(recorded) = recorded.as_deref_mut() {
                recorded.push(record);
            }
            let Some(following) = following else {
                if keep {
                    carries.push(carry);
                }
                break;
            };
            let before = std::mem::replace(&mut carry, following);
            if keep {
                carries.push(before);
            }
        }
        Ok((carries, out))
    }

    /// Takes down the outcome of the programs that end at a moment.
    fn read_ends(&self, t: usize, carry: &Carry, out: &mut [f32]) -> Result<()> {
        let w = self.state();
        let states = carry.states.as_slice::<f32>()?;
        for ((at, exit, error), out) in self.plan.ends.iter().zip(out.chunks_exact_mut(2 + 2 * w)) {
            if *at != t {
                continue;
            }
            for (k, row) in [exit, error].into_iter().enumerate() {
                if let Some(row) = row.map(|row| row as usize) {
                    out[k] = carry.mass[row];
                    out[2 + k * w..][..w].copy_from_slice(&states[row * w..][..w]);
                }
            }
        }
        Ok(())
    }

    /// Executes the nodes of a moment.
    pub(super) fn step(
        &self,
        moment: &Moment,
        carry: &Carry,
        nodes: &[f32],
        parameters: &CpuStorage,
        descriptions: &[f32],
        at: Offsets,
    ) -> Result<Work> {
        let (h, w, k) = (self.hidden, at.state, moment.running);
        let moving = moment.targets.len();
        let values = parameters.as_slice::<f32>()?;
        let before = carry.states.as_slice::<f32>()?;
        let mut states = CpuStorage::F32(before[..moving * w].to_vec());
        let mut layers = Vec::with_capacity(self.layers);
        if k == 0 {
            return Ok(Work {
                layers,
                modulated: Modulated::Nothing,
                states,
                raise: Vec::new(),
                yes: Vec::new(),
            });
        }
        let modulated = self.modulate(moment, carry, nodes, parameters, descriptions, at)?;
        for layer in 0..self.layers {
            let from = 2 * layer * h;
            let recurrent = Matrix::new(parameters, at.recurrent(layer), 4 * h, h);
            let last = Matrix::strided(&carry.states, from, k, h, w);
            let mut gates = std::mem::take(floats_mut(&mut last.times(recurrent.t())?)?); // (k,4H)
            if layer == 0 {
                let width = self.node();
                for (gates, node) in gates.chunks_exact_mut(4 * h).zip(&moment.nodes) {
                    kernels::add(gates, &nodes[*node as usize * width..][..4 * h]);
                }
                if let Some(answer) = modulated.answer() {
                    let answer = Matrix::new(answer, 0, k, h);
                    let to_gates = Matrix::new(parameters, at.answer, 4 * h, h);
                    kernels::add(&mut gates, answer.times(to_gates.t())?.as_slice()?);
                }
            } else {
                let below = Matrix::strided(&states, from - 2 * h, k, h, w);
                let input = Matrix::new(parameters, at.input(layer), 4 * h, h);
                kernels::add(&mut gates, below.times(input.t())?.as_slice()?);
                kernels::add_row(&mut gates, &values[at.bias(layer)..][..4 * h]);
            }
            let mut squashed = vec![0.0; k * h];
            let now = &mut floats_mut(&mut states)?[..k * w];
            lstm::lstm_cells(&mut gates, now, (w, from), &mut squashed, h);
            layers.push(LayerWork { gates, squashed });
        }
        let decide = |from: usize| -> Result<Vec<f32>> {
            let (weight, bias) = (&values[from..][..w], values[from + w]);
            let rows = states.as_slice::<f32>()?[..k * w].chunks_exact(w);
            Ok(rows.map(|row| sigmoid(dot(row, weight) + bias)).collect())
        };
        Ok(Work {
            raise: if self.raises {
                decide(at.raise)?
            } else {
                vec![0.0; k]
            },
            yes: decide(at.branch)?,
            layers,
            modulated,
            states,
        })
    }

    /// Moves masses and states along the decisions.
    fn moved(&self, moment: &Moment, next: &Moment, carry: &Carry, work: &Work) -> Result<Carry> {
        let w = self.state();
        let mut mass = vec![0.0; next.nodes.len()];
        let mut states = vec![0.0; next.nodes.len() * w];
        let from = work.states.as_slice::<f32>()?;
        for (row, targets) in moment.targets.iter().enumerate() {
            let state = &from[row * w..][..w];
            for (target, way) in targets.iter().zip(work.ways(row)) {
                let (target, share) = (*target as usize, carry.mass[row] * way);
                mass[target] += share;
                if share != 0.0 {
                    let to = &mut states[target * w..][..w];
                    to.iter_mut()
                        .zip(state)
                        .for_each(|(to, s)| *to += share * s);
                }
            }
        }
        for (state, mass) in states.chunks_exact_mut(w).zip(&mass) {
            kernels::scale(state, 1.0 / (mass + EPSILON));
        }
        Ok(Carry {
            states: CpuStorage::F32(states),
            mass,
        })
    }
}
