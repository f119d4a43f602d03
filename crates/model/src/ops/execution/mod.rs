//! Soft execution: a recurrent network walks the control flow of programs, with an instruction
//! pointer that is a distribution over nodes.
//!
//! This is the recurrence of the Exception IPA-GNN (Bieber et al. 2022, Algorithm 1, equations 3 and 4)
//! as one operation with its backward pass. At each step an LSTM executes every node with mass. From
//! the new state the node decides whether to raise, and if not, which way to go. Mass and states move
//! along these decisions, and a node's new state is the mean of the arriving ones, weighted by mass.
//! Exit and error nodes keep what arrives. Only nodes reachable in the number of steps are computed
//! ([`Plan`]). The backward pass stores the states between steps, and recomputes each step.
//!
//! For f32 on a CPU, single threaded. It knows no program and no class of error.

mod backward;
mod modulate;
mod plan;
mod step;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use candle_core::{CpuStorage, CustomOp3, Layout, Result, Shape, Storage, Tensor, bail};

use super::buffers::{floats, tensor, with_floats};
use step::Carry;

pub use plan::{Flow, Moment, Plan};

/// Added to a mass before dividing by it.
pub(super) const EPSILON: f32 = 1e-7;

/// How the description of the input modulates a node's embedding at every step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modulation {
    /// Not at all.
    None,
    /// By feature-wise scale and shift: `relu(scale * description + shift)` is added, both of the state and the
    /// node.
    Film,
    /// By attention over the description's tokens, with a query from the state and the node.
    Attention {
        /// Heads; divides the width.
        heads: usize,
    },
}

/// The input of execution, and the form of the network.
#[derive(Debug, Clone)]
pub struct Execution {
    /// The programs.
    pub flow: Arc<Flow>,
    /// The active nodes at each step; of this flow, with `raises`.
    pub plan: Arc<Plan>,
    /// Width of a layer, H.
    pub hidden: usize,
    /// LSTM layers, one on top of the other.
    pub layers: usize,
    /// Whether nodes may raise.
    pub raises: bool,
    /// The effect of the description.
    pub modulation: Modulation,
    /// In [`record`](Self::record), a node with less mass is not executed and its mass is lost; 0 keeps all.
    pub least: f32,
}

/// Offsets of each kind of parameter in the packed ones. W = 2 * H * layers is the width of a state:
/// of each layer the output and the cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Offsets {
    pub hidden: usize,
    pub layers: usize,
    pub state: usize,
    /// Weight (W) and bias of the decision to raise.
    pub raise: usize,
    /// Weight (W) and bias of the branch decision.
    pub branch: usize,
    /// (2H,W), or (H,W), from the state to the query of the description.
    pub ask: usize,
    /// (4H,H), from the description's answer to gates.
    pub answer: usize,
    /// Number of parameters.
    pub all: usize,
}

impl Offsets {
    /// (4H,H), of a layer's last output to its gates.
    pub(super) fn recurrent(&self, layer: usize) -> usize {
        let (h, first) = (self.hidden, 4 * self.hidden * self.hidden);
        if layer == 0 {
            return 0;
        }
        first + (layer - 1) * (2 * first + 4 * h)
    }

    /// (4H,H), from the output of the layer below to a layer's gates; then the bias, (4H). The
    /// first layer's are part of the nodes.
    pub(super) fn input(&self, layer: usize) -> usize {
        self.recurrent(layer) + 4 * self.hidden * self.hidden
    }

    pub(super) fn bias(&self, layer: usize) -> usize {
        self.input(layer) + 4 * self.hidden * self.hidden
    }
}

impl Execution {
    /// Width of a state: of each layer the output and the cell.
    pub fn state(&self) -> usize {
        2 * self.hidden * self.layers
    }

    /// Width of a node: its share of the first layer's gates (4H), then of the query of the description.
    pub fn node(&self) -> usize {
        self.hidden * (4 + self.asked())
    }

    /// Width of the description's query in units of H.
    fn asked(&self) -> usize {
        match self.modulation {
            Modulation::None => 0,
            Modulation::Film => 2,
            Modulation::Attention { .. } => 1,
        }
    }

    fn offsets(&self) -> Offsets {
        let (h, w, square) = (self.hidden, self.state(), 4 * self.hidden * self.hidden);
        let raise = square + (self.layers - 1) * (2 * square + 4 * h);
        let branch = raise + w + 1;
        let ask = branch + w + 1;
        let answer = ask + self.asked() * h * w;
        let answers = if self.asked() == 0 { 0 } else { square };
        Offsets {
            hidden: h,
            layers: self.layers,
            state: w,
            raise,
            branch,
            ask,
            answer,
            all: answer + answers,
        }
    }

    fn check(&self, nodes: &Shape, parameters: &Shape, descriptions: &Shape) -> Result<()> {
        if self.layers == 0 || self.hidden == 0 {
            bail!("execution: no layer to execute with");
        }
        let (n, b) = (self.flow.yes.len(), self.flow.programs());
        if nodes.dims() != [n, self.node()] || parameters.dims() != [self.offsets().all] {
            bail!("execution: nodes {nodes:?} and parameters {parameters:?} do not fit");
        }
        let dims = descriptions.dims();
        let longest = self.flow.described.iter().copied().max().unwrap_or(0) as usize;
        let fits = match self.modulation {
            Modulation::None => true,
            Modulation::Film => dims == [b, self.hidden],
            Modulation::Attention { heads } => {
                let is_divided = heads > 0 && self.hidden.is_multiple_of(heads);
                is_divided
                    && dims.len() == 3
                    && dims[0] == b
                    && dims[1] >= longest
                    && dims[2] == 2 * self.hidden
            }
        };
        if !fits {
            bail!("execution: descriptions {descriptions:?} do not fit");
        }
        Ok(())
    }

    /// Executes programs. `nodes` is (N,[`node`](Self::node)); `parameters` is packed: for the first
    /// layer the recurrent matrix (4H,H), for each further one the recurrent and the input matrix and the
    /// bias (4H), gates in the order input, forget, cell, output; weight (W) and bias of the decision to
    /// raise and of the one to go on by `yes`; then, with FiLM, (2H,W) from the state and (4H,H) to the
    /// gates, with attention (H,W) and (4H,H). `descriptions` is (B,H) with FiLM, keys and values
    /// (B,L,2H) with attention, anything without.
    ///
    /// Returns (B,2+2W): the mass at the exit node and at the error node, then the states there.
    ///
    /// # Errors
    /// If shapes do not fit each other, or tensors are not f32 on the CPU.
    pub fn outcome(
        &self,
        nodes: &Tensor,
        parameters: &Tensor,
        descriptions: &Tensor,
    ) -> Result<Tensor> {
        self.check(nodes.shape(), parameters.shape(), descriptions.shape())?;
        let op = Execute {
            execution: self.clone(),
            keep: nodes.track_op() || parameters.track_op() || descriptions.track_op(),
            kept: OnceLock::new(),
        };
        nodes
            .contiguous()?
            .apply_op3(&parameters.contiguous()?, &descriptions.contiguous()?, op)
    }

    /// As [`outcome`](Self::outcome), with everything that was decided on the way and without a gradient.
    ///
    /// # Errors
    /// As there.
    pub fn record(
        &self,
        nodes: &Tensor,
        parameters: &Tensor,
        descriptions: &Tensor,
    ) -> Result<(Tensor, Vec<Recorded>)> {
        self.check(nodes.shape(), parameters.shape(), descriptions.shape())?;
        let (nodes, descriptions) = (nodes.contiguous()?, descriptions.contiguous()?);
        let parameters = CpuStorage::F32(parameters.flatten_all()?.to_vec1()?);
        let mut recorded = Vec::new();
        let (_, out) = with_floats(&nodes, |n| {
            with_floats(&descriptions, |d| {
                self.follow(n, &parameters, d, false, Some(&mut recorded))
            })
        })?;
        Ok((
            tensor(out, (self.flow.programs(), 2 + 2 * self.state()))?,
            recorded,
        ))
    }
}

/// The decisions at one moment; the rows are those of the [`Moment`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recorded {
    /// The mass at each active node.
    pub mass: Vec<f32>,
    /// Of each executed node, the probability that it raises.
    pub raise: Vec<f32>,
    /// For each executed node, the probability of `yes`, given that it does not raise.
    pub yes: Vec<f32>,
}

struct Execute {
    execution: Execution,
    keep: bool,
    kept: OnceLock<Vec<Carry>>,
}

impl CustomOp3 for Execute {
    fn name(&self) -> &'static str {
        "soft-execution"
    }

    fn cpu_fwd(
        &self,
        nodes: &CpuStorage,
        nl: &Layout,
        parameters: &CpuStorage,
        pl: &Layout,
        descriptions: &CpuStorage,
        dl: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let x = &self.execution;
        let parameters = CpuStorage::F32(floats(parameters, pl)?.to_vec());
        let (carries, out) = x.follow(
            floats(nodes, nl)?,
            &parameters,
            floats(descriptions, dl)?,
            self.keep,
            None,
        )?;
        if self.keep {
            let _ = self.kept.set(carries);
        }
        let shape = Shape::from((x.flow.programs(), 2 + 2 * x.state()));
        Ok((CpuStorage::F32(out), shape))
    }

    fn bwd(
        &self,
        nodes: &Tensor,
        parameters: &Tensor,
        descriptions: &Tensor,
        _out: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let Some(carries) = self.kept.get() else {
            bail!("soft execution: backward before forward")
        };
        let grad = with_floats(&grad.contiguous()?, |g| Ok(g.to_vec()))?;
        let (storage, layout) = parameters.storage_and_layout();
        let Storage::Cpu(packed) = &*storage else {
            bail!("soft execution: not on the CPU")
        };
        let packed = CpuStorage::F32(floats(packed, layout)?.to_vec());
        let gradients = with_floats(nodes, |n| {
            with_floats(descriptions, |d| {
                self.execution.backward(carries, n, &packed, d, &grad)
            })
        })?;
        Ok((
            Some(tensor(gradients.nodes, nodes.shape())?),
            Some(tensor(gradients.parameters, parameters.shape())?),
            Some(tensor(gradients.descriptions, descriptions.shape())?),
        ))
    }
}
