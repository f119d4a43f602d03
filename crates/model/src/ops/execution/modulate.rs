//! The description's answer to queries from the states and the nodes at a step, with its gradient.
//! Programs without a description get none.

use candle_core::{CpuStorage, Result};

use super::plan::Moment;
use super::step::{Carry, dot};
use super::{Execution, Modulation, Offsets};
use crate::ops::buffers::{Matrix, floats_mut};
use crate::ops::kernels;

/// Intermediate results for k executed nodes.
pub(super) enum Modulated {
    Nothing,
    Film {
        /// Scale and shift before their rectification, (k,2H).
        asked: Vec<f32>,
        answer: CpuStorage,
    },
    Attention {
        /// Queries, (k,H).
        asked: Vec<f32>,
        /// Attention, of each row and head as many as the longest description has tokens.
        weights: Vec<f32>,
        answer: CpuStorage,
    },
}

impl Modulated {
    /// Added to a node's embedding, (k,H).
    pub(super) fn answer(&self) -> Option<&CpuStorage> {
        match self {
            Self::Nothing => None,
            Self::Film { answer, .. } | Self::Attention { answer, .. } => Some(answer),
        }
    }
}

/// The gradients of the queries, (k,asked*H), and where the descriptions' gradients are added.
pub(super) struct Asked {
    pub gradient: CpuStorage,
}

impl Execution {
    /// Tokens that the keys and values of a description have room for.
    fn room(&self, descriptions: &[f32]) -> usize {
        descriptions.len() / (self.flow.programs() * 2 * self.hidden).max(1)
    }

    pub(super) fn modulate(
        &self,
        moment: &Moment,
        carry: &Carry,
        nodes: &[f32],
        parameters: &CpuStorage,
        descriptions: &[f32],
        at: Offsets,
    ) -> Result<Modulated> {
        let (h, k, width) = (self.hidden, moment.running, self.node());
        let wide = width - 4 * h;
        if wide == 0 {
            return Ok(Modulated::Nothing);
        }
        let states = Matrix::strided(&carry.states, 0, k, at.state, at.state);
        let ask = Matrix::new(parameters, at.ask, wide, at.state);
        let mut asked = std::mem::take(floats_mut(&mut states.times(ask.t())?)?);
        for (asked, node) in asked.chunks_exact_mut(wide).zip(&moment.nodes) {
            kernels::add(asked, &nodes[*node as usize * width + 4 * h..][..wide]);
        }
        let mut answer = vec![0.0; k * h];
        let programs = moment.nodes[..k]
            .iter()
            .map(|n| self.flow.program[*n as usize] as usize);
        match self.modulation {
            Modulation::None => Ok(Modulated::Nothing),
            Modulation::Film => {
                for ((row, program), answer) in programs.enumerate().zip(answer.chunks_exact_mut(h))
                {
                    if self.flow.described[program] == 0 {
                        continue;
                    }
                    let (scale, shift) = asked[row * wide..][..wide].split_at(h);
                    let description = &descriptions[program * h..][..h];
                    for j in 0..h {
                        let film = scale[j].max(0.0) * description[j] + shift[j].max(0.0);
                        answer[j] = film.max(0.0);
                    }
                }
                let answer = CpuStorage::F32(answer);
                Ok(Modulated::Film { asked, answer })
            }
            Modulation::Attention { heads } => {
                let (room, size) = (self.room(descriptions), h / heads);
                let mut weights = vec![0.0; k * heads * room];
                for (row, program) in programs.enumerate() {
                    let tokens = self.flow.described[program] as usize;
                    if tokens == 0 {
                        continue;
                    }
                    let description = &descriptions[program * room * 2 * h..][..tokens * 2 * h];
                    for head in 0..heads {
                        let query = &asked[row * h + head * size..][..size];
                        let weights = &mut weights[(row * heads + head) * room..][..tokens];
                        attend(query, description, (h, head * size), weights);
                        let answer = &mut answer[row * h + head * size..][..size];
                        for (weight, token) in weights.iter().zip(description.chunks_exact(2 * h)) {
                            let value = &token[h + head * size..][..size];
                            answer
                                .iter_mut()
                                .zip(value)
                                .for_each(|(a, v)| *a += weight * v);
                        }
                    }
                }
                let answer = CpuStorage::F32(answer);
                Ok(Modulated::Attention {
                    asked,
                    weights,
                    answer,
                })
            }
        }
    }

    /// The gradient of the query, from that of the answer (k,H). Adds the descriptions'.
    pub(super) fn unmodulate(
        &self,
        moment: &Moment,
        modulated: &Modulated,
        descriptions: &[f32],
        answer: &[f32],
        into: &mut [f32],
    ) -> Option<Asked> {
        let (h, k) = (self.hidden, moment.running);
        let programs = moment.nodes[..k]
            .iter()
            .map(|n| self.flow.program[*n as usize] as usize);
        let gradient = match (modulated, self.modulation) {
            (
                Modulated::Film {
                    asked,
                    answer: found,
                },
                _,
            ) => {
                let mut gradient = vec![0.0; k * 2 * h];
                let found = found.as_slice::<f32>().ok()?;
                for (row, program) in programs.enumerate() {
                    let description = &descriptions[program * h..][..h];
                    let into = &mut into[program * h..][..h];
                    for j in 0..h {
                        let slope = answer[row * h + j];
                        if found[row * h + j] <= 0.0 || slope == 0.0 {
                            continue;
                        }
                        let (scale, shift) = (asked[row * 2 * h + j], asked[row * 2 * h + h + j]);
                        if scale > 0.0 {
                            gradient[row * 2 * h + j] = slope * description[j];
                            into[j] += slope * scale;
                        }
                        if shift > 0.0 {
                            gradient[row * 2 * h + h + j] = slope;
                        }
                    }
                }
                gradient
            }
            (Modulated::Attention { asked, weights, .. }, Modulation::Attention { heads }) => {
                let mut gradient = vec![0.0; k * h];
                let (room, size) = (self.room(descriptions), h / heads);
                for (row, program) in programs.enumerate() {
                    let tokens = self.flow.described[program] as usize;
                    let span = program * room * 2 * h..program * room * 2 * h + tokens * 2 * h;
                    let (description, into) = (&descriptions[span.clone()], &mut into[span]);
                    for head in 0..heads {
                        let at = row * h + head * size..row * h + (head + 1) * size;
                        unattend(
                            &asked[at.clone()],
                            &weights[(row * heads + head) * room..][..tokens],
                            description,
                            (h, head * size),
                            &answer[at.clone()],
                            into,
                            &mut gradient[at],
                        );
                    }
                }
                gradient
            }
            _ => return None,
        };
        let gradient = CpuStorage::F32(gradient);
        Some(Asked { gradient })
    }
}

/// Softmax of a query's scaled products with keys; `(h, from)` is the width of keys and of values, and
/// where the head's part begins.
fn attend(query: &[f32], description: &[f32], (h, from): (usize, usize), weights: &mut [f32]) {
    let scale = 1.0 / (query.len() as f32).sqrt();
    for (weight, token) in weights.iter_mut().zip(description.chunks_exact(2 * h)) {
        *weight = scale * dot(query, &token[from..][..query.len()]);
    }
    let top = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    weights
        .iter_mut()
        .for_each(|weight| *weight = (*weight - top).exp());
    let sum: f32 = weights.iter().sum();
    kernels::scale(weights, 1.0 / sum);
}

/// The gradients of one head: of keys and values into `into`, of the query into `gradient`.
fn unattend(
    query: &[f32],
    weights: &[f32],
    description: &[f32],
    (h, from): (usize, usize),
    answer: &[f32],
    into: &mut [f32],
    gradient: &mut [f32],
) {
    let size = query.len();
    let scale = 1.0 / (size as f32).sqrt();
    let tokens = || description.chunks_exact(2 * h);
    let slopes: Vec<f32> = tokens()
        .map(|token| dot(answer, &token[h + from..][..size]))
        .collect();
    let mean = dot(&slopes, weights);
    let parts = tokens()
        .zip(into.chunks_exact_mut(2 * h))
        .zip(weights.iter().zip(&slopes));
    for ((token, into), (weight, slope)) in parts {
        let score = scale * weight * (slope - mean);
        for j in 0..size {
            gradient[j] += score * token[from + j];
            into[from + j] += score * query[j];
            into[h + from + j] += weight * answer[j];
        }
    }
}
