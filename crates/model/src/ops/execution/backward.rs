//! The backward pass of soft execution: step by step from the last, each recomputed from the stored
//! states.

use candle_core::{CpuStorage, Result};

use super::plan::Moment;
use super::step::{Carry, Work, dot};
use super::{EPSILON, Execution, Offsets};
use crate::ops::buffers::{Matrix, floats_mut};
use crate::ops::kernels;

/// The gradients of the three arguments.
pub(super) struct Gradients {
    pub nodes: Vec<f32>,
    pub parameters: Vec<f32>,
    pub descriptions: Vec<f32>,
}

/// The gradient of a carry.
struct Slope {
    states: Vec<f32>,
    mass: Vec<f32>,
}

/// The inputs of a step.
#[derive(Clone, Copy)]
struct Inputs<'a> {
    parameters: &'a CpuStorage,
    descriptions: &'a [f32],
    at: Offsets,
}

/// Adds a product to the gradient that begins at `at`.
fn put(to: &mut [f32], at: usize, product: &CpuStorage) -> Result<()> {
    let product = product.as_slice::<f32>()?;
    kernels::add(&mut to[at..][..product.len()], product);
    Ok(())
}

impl Execution {
    pub(super) fn backward(
        &self,
        carries: &[Carry],
        nodes: &[f32],
        parameters: &CpuStorage,
        descriptions: &[f32],
        grad: &[f32],
    ) -> Result<Gradients> {
        let (w, at) = (self.state(), self.offsets());
        let inputs = Inputs {
            parameters,
            descriptions,
            at,
        };
        let mut gradients = Gradients {
            nodes: vec![0.0; nodes.len()],
            parameters: vec![0.0; at.all],
            descriptions: vec![0.0; descriptions.len()],
        };
        let mut following: Option<Slope> = None;
        for t in (0..carries.len()).rev() {
            let (moment, carry) = (&self.plan.moments[t], &carries[t]);
            let mut slope = Slope {
                states: vec![0.0; moment.nodes.len() * w],
                mass: vec![0.0; moment.nodes.len()],
            };
            self.end(t, grad, &mut slope);
            if let Some(next) = following.take() {
                let work = self.step(moment, carry, nodes, parameters, descriptions, at)?;
                let moved =
                    self.unmoved(moment, carry, &carries[t + 1], &work, &next, &mut slope)?;
                self.unstep(
                    (moment, carry),
                    &work,
                    inputs,
                    moved,
                    &mut slope,
                    &mut gradients,
                )?;
            }
            following = Some(slope);
        }
        Ok(gradients)
    }

    /// Adds the gradients of the outcomes that were read at a moment.
    fn end(&self, t: usize, grad: &[f32], slope: &mut Slope) {
        let w = self.state();
        for ((at, exit, error), grad) in self.plan.ends.iter().zip(grad.chunks_exact(2 + 2 * w)) {
            if *at != t {
                continue;
            }
            for (k, row) in [exit, error].into_iter().enumerate() {
                if let Some(row) = row.map(|row| row as usize) {
                    slope.mass[row] += grad[k];
                    kernels::add(&mut slope.states[row * w..][..w], &grad[2 + k * w..][..w]);
                }
            }
        }
    }

    /// Back through the movement: returns the gradient of the new states and of the two decisions
    /// before their sigmoids, (rows,W), (k) and (k); adds that of the masses to `slope`.
    fn unmoved(
        &self,
        moment: &Moment,
        carry: &Carry,
        after: &Carry,
        work: &Work,
        next: &Slope,
        slope: &mut Slope,
    ) -> Result<(Vec<f32>, Vec<[f32; 2]>)> {
        let w = self.state();
        // Of the weighted sums, and of the masses that they are divided by.
        let (mut sums, mut masses) = (next.states.clone(), next.mass.clone());
        let arrived = after.states.as_slice::<f32>()?;
        for (row, sums) in sums.chunks_exact_mut(w).enumerate() {
            let inverse = 1.0 / (after.mass[row] + EPSILON);
            masses[row] -= inverse * dot(sums, &arrived[row * w..][..w]);
            kernels::scale(sums, inverse);
        }
        let from = work.states.as_slice::<f32>()?;
        let mut states = vec![0.0; moment.targets.len() * w];
        let mut decisions = Vec::with_capacity(moment.running);
        for (row, targets) in moment.targets.iter().enumerate() {
            let (mass, ways) = (carry.mass[row], work.ways(row));
            let mut gain = [0.0; 3];
            for ((target, way), gain) in targets.iter().zip(ways).zip(&mut gain) {
                let target = *target as usize;
                let sums = &sums[target * w..][..w];
                *gain = dot(sums, &from[row * w..][..w]) + masses[target];
                slope.mass[row] += way * *gain;
                let share = mass * way;
                if share != 0.0 {
                    let to = &mut states[row * w..][..w];
                    to.iter_mut().zip(sums).for_each(|(to, s)| *to += share * s);
                }
            }
            if row < moment.running {
                let (raise, yes) = (work.raise[row], work.yes[row]);
                let by_raise = gain[2] - yes * gain[0] - (1.0 - yes) * gain[1];
                let by_yes = (1.0 - raise) * (gain[0] - gain[1]);
                decisions.push([
                    mass * by_raise * raise * (1.0 - raise),
                    mass * by_yes * yes * (1.0 - yes),
                ]);
            }
        }
        Ok((states, decisions))
    }

    /// Back through the execution of the nodes.
    fn unstep(
        &self,
        (moment, carry): (&Moment, &Carry),
        work: &Work,
        inputs: Inputs<'_>,
        (mut states, decisions): (Vec<f32>, Vec<[f32; 2]>),
        slope: &mut Slope,
        to: &mut Gradients,
    ) -> Result<()> {
        let (h, k, at) = (self.hidden, moment.running, inputs.at);
        let (w, parameters) = (at.state, inputs.parameters);
        let values = parameters.as_slice::<f32>()?;
        let now = work.states.as_slice::<f32>()?;
        for (row, slopes) in decisions.iter().enumerate() {
            for (slope, from) in slopes.iter().zip([at.raise, at.branch]) {
                if *slope == 0.0 {
                    continue;
                }
                let state = &mut states[row * w..][..w];
                let weight = &values[from..][..w];
                state
                    .iter_mut()
                    .zip(weight)
                    .for_each(|(s, x)| *s += slope * x);
                let weight = &mut to.parameters[from..][..w];
                let row = &now[row * w..][..w];
                weight
                    .iter_mut()
                    .zip(row)
                    .for_each(|(x, s)| *x += slope * s);
                to.parameters[from + w] += slope;
            }
        }
        // End nodes pass on what they received.
        kernels::add(&mut slope.states[k * w..states.len()], &states[k * w..]);
        if k == 0 {
            return Ok(());
        }
        let before = carry.states.as_slice::<f32>()?;
        for layer in (0..self.layers).rev() {
            let from = 2 * layer * h;
            let gates = self.ungate(&work.layers[layer], before, &states, from, (k, w), slope);
            let gates = CpuStorage::F32(gates);
            let d = Matrix::new(&gates, 0, k, 4 * h);
            let last = Matrix::strided(&carry.states, from, k, h, w);
            put(&mut to.parameters, at.recurrent(layer), &d.t().times(last)?)?;
            let recurrent = Matrix::new(parameters, at.recurrent(layer), 4 * h, h);
            spread(&d.times(recurrent)?, &mut slope.states, (h, w, from))?;
            if layer > 0 {
                let below = Matrix::strided(&work.states, from - 2 * h, k, h, w);
                put(&mut to.parameters, at.input(layer), &d.t().times(below)?)?;
                let bias = &mut to.parameters[at.bias(layer)..][..4 * h];
                kernels::add_column_sums(bias, gates.as_slice()?);
                let input = Matrix::new(parameters, at.input(layer), 4 * h, h);
                spread(&d.times(input)?, &mut states, (h, w, from - 2 * h))?;
                continue;
            }
            let (width, values) = (self.node(), gates.as_slice::<f32>()?);
            for (gates, node) in values.chunks_exact(4 * h).zip(&moment.nodes) {
                kernels::add(&mut to.nodes[*node as usize * width..][..4 * h], gates);
            }
            self.unask((moment, carry), work, inputs, d, slope, to)?;
        }
        Ok(())
    }

    /// The gradient of the gates of a layer before their activation, (k,4H); that of the last cell goes to
    /// `slope`.
    fn ungate(
        &self,
        work: &super::step::LayerWork,
        before: &[f32],
        states: &[f32],
        from: usize,
        (k, w): (usize, usize),
        slope: &mut Slope,
    ) -> Vec<f32> {
        let h = self.hidden;
        let mut out = vec![0.0; k * 4 * h];
        for row in 0..k {
            let gates = &work.gates[row * 4 * h..][..4 * h];
            let squashed = &work.squashed[row * h..][..h];
            let state = &states[row * w + from..][..2 * h];
            let before = &before[row * w + from..][..2 * h];
            let slope = &mut slope.states[row * w + from..][..2 * h];
            let out = &mut out[row * 4 * h..][..4 * h];
            for j in 0..h {
                let (i, f, g, o) = (gates[j], gates[h + j], gates[2 * h + j], gates[3 * h + j]);
                let cell = state[h + j] + state[j] * o * (1.0 - squashed[j] * squashed[j]);
                out[j] = cell * g * i * (1.0 - i);
                out[h + j] = cell * before[h + j] * f * (1.0 - f);
                out[2 * h + j] = cell * i * (1.0 - g * g);
                out[3 * h + j] = state[j] * squashed[j] * o * (1.0 - o);
                slope[h + j] += cell * f;
            }
        }
        out
    }

    /// Back through the query of the description. `d` is the gradient of the first layer's gates.
    fn unask(
        &self,
        (moment, carry): (&Moment, &Carry),
        work: &Work,
        inputs: Inputs<'_>,
        d: Matrix<'_>,
        slope: &mut Slope,
        to: &mut Gradients,
    ) -> Result<()> {
        let (h, k, at) = (self.hidden, moment.running, inputs.at);
        let Some(answer) = work.modulated.answer() else {
            return Ok(());
        };
        let found = Matrix::new(answer, 0, k, h);
        put(&mut to.parameters, at.answer, &d.t().times(found)?)?;
        let to_gates = Matrix::new(inputs.parameters, at.answer, 4 * h, h);
        let mut answer = d.times(to_gates)?; // (k,H)
        let answer = floats_mut(&mut answer)?;
        let descriptions = &mut to.descriptions;
        let asked = self.unmodulate(
            moment,
            &work.modulated,
            inputs.descriptions,
            answer,
            descriptions,
        );
        let Some(asked) = asked else {
            return Ok(());
        };
        let (width, wide) = (self.node(), self.node() - 4 * h);
        let values = asked.gradient.as_slice::<f32>()?;
        for (asked, node) in values.chunks_exact(wide).zip(&moment.nodes) {
            kernels::add(
                &mut to.nodes[*node as usize * width + 4 * h..][..wide],
                asked,
            );
        }
        let d = Matrix::new(&asked.gradient, 0, k, wide);
        let states = Matrix::strided(&carry.states, 0, k, at.state, at.state);
        put(&mut to.parameters, at.ask, &d.t().times(states)?)?;
        let ask = Matrix::new(inputs.parameters, at.ask, wide, at.state);
        spread(&d.times(ask)?, &mut slope.states, (at.state, at.state, 0))
    }
}

/// Adds rows of width `h` to those of width `w`, from a column on.
fn spread(rows: &CpuStorage, to: &mut [f32], (h, w, from): (usize, usize, usize)) -> Result<()> {
    let rows = rows.as_slice::<f32>()?.chunks_exact(h);
    for (to, row) in to.chunks_exact_mut(w).zip(rows) {
        kernels::add(&mut to[from..][..h], row);
    }
    Ok(())
}
