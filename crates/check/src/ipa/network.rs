//! The network: the encoder of statements, the recurrence over the control flow, and the probabilities of
//! kinds.
//!
//! With the Exception IPA-GNN, the probability of an error is the mass at the error node, as a share of the mass that
//! has ended; the kind follows from the state there. Without exceptions, the state at the exit determines everything.
//! Two things differ from the published implementation: the encoder is ours (post-layer-norm RoBERTa, one stack for
//! programs and descriptions), and each decision has one logit, which is equivalent to a softmax of two.

use std::collections::BTreeMap;
use std::sync::Arc;

use candle_core::{DType, Result, Tensor};
use candle_nn::VarBuilder;
use candle_nn::ops::log_softmax;

use super::batch::Batch;
use super::config::{Architecture, IpaConfig};
use super::kinds::{KINDS, NO_ERROR};
use super::localise::{Range, contributions};
use super::mil;
use super::program::Program;
use super::{Pointer, PointerNode, Prediction};
use codexec_model::EncoderDecoder;
use codexec_model::ops::{self, Execution, MASKED, Modulation, Moment, Plan, Recorded};

/// Without a picture to draw, nodes with less mass are not executed: in programs with many loops that leaves
/// few.
const LEAST: f32 = 1e-4;
/// Added to masses before their logarithm.
const EPSILON: f64 = 1e-9;

/// The weights.
pub struct Network {
    config: IpaConfig,
    encoder: EncoderDecoder,
    tensors: VarBuilder<'static>,
}

/// The network's output for a batch.
pub(super) struct Outcome {
    /// Logarithms of the probabilities of kinds, (B,C).
    pub kinds: Tensor,
    /// The decisions on the way, if requested and if there are any.
    pub way: Option<(Arc<Plan>, Vec<Recorded>)>,
    /// Of multiple-instance Transformers the logits of the statements, (S,C).
    pub statements: Option<Tensor>,
}

/// The inputs of an execution.
struct Inputs {
    nodes: Tensor,
    parameters: Tensor,
    descriptions: Tensor,
}

impl Network {
    /// Takes the weights by the names of [`IpaConfig::tensors`]. With a `VarBuilder` over variables the network
    /// can be trained.
    ///
    /// # Errors
    /// If a tensor is missing or of the wrong shape.
    pub fn new(config: &IpaConfig, vb: VarBuilder<'static>) -> codexec_model::error::Result<Self> {
        let network = Self {
            config: config.clone(),
            encoder: EncoderDecoder::new(&config.encoder, vb.clone())?,
            tensors: vb,
        };
        for (name, shape) in config.tensors() {
            network.tensors.get(shape, &name)?;
        }
        Ok(network)
    }

    /// Sizes and settings.
    #[must_use]
    pub fn config(&self) -> &IpaConfig {
        &self.config
    }

    fn get(&self, name: &str, shape: &[usize]) -> Result<Tensor> {
        self.tensors.get(shape, &format!("execution.{name}"))
    }

    /// The probabilities of kinds for a batch. With `record`, also all decisions on the way,
    /// without gradients; nodes below its minimum mass are skipped.
    pub(super) fn forward(
        &self,
        batch: &Batch,
        record: Option<f32>,
    ) -> codexec_model::error::Result<Outcome> {
        let tokens = self
            .encoder
            .forward_joint(&batch.ids, &batch.positions, &batch.mask)?; // (R,L,H)
        let tokens = tokens.flatten_to(1)?; // (R*L,H)
        let pooling = self.config.settings.pooling;
        if self.config.settings.architecture == Architecture::Transformer {
            let pooled = ops::pool_spans(&tokens, batch.windows.clone(), pooling)?; // (B,H)
            let kinds = log_softmax(&self.classify(&pooled)?, 1)?;
            return Ok(Outcome {
                kinds,
                way: None,
                statements: None,
            });
        }
        if self.config.settings.architecture == Architecture::MilTransformer {
            let pooled = ops::pool_spans(&tokens, batch.statements.clone(), pooling)?; // (S,H)
            let logits = self.classify(&pooled)?; // (S,C)
            let owners = &batch.statement_programs;
            let programs = mil::pool(&logits, owners, self.config.settings.mil_pooling)?; // (B,C)
            return Ok(Outcome {
                kinds: log_softmax(&programs, 1)?,
                way: None,
                statements: Some(logits),
            });
        }
        let inputs = self.inputs(batch, &tokens)?;
        let raises = self.config.raises();
        let plan = Arc::new(batch.flow.plan(raises)?);
        let execution = Execution {
            flow: Arc::new(batch.flow.clone()),
            plan: Arc::clone(&plan),
            hidden: self.config.hidden(),
            layers: self.config.settings.rnn_layers,
            raises,
            modulation: self.config.modulation(),
            least: record.unwrap_or(0.0),
        };
        let Inputs {
            nodes,
            parameters,
            descriptions,
        } = &inputs;
        let (outcome, way) = if record.is_some() {
            let (outcome, recorded) = execution.record(nodes, parameters, descriptions)?;
            (outcome, Some((plan, recorded)))
        } else {
            (execution.outcome(nodes, parameters, descriptions)?, None)
        };
        let kinds = self.kinds(&outcome)?;
        Ok(Outcome {
            kinds,
            way,
            statements: None,
        })
    }

    /// Logits (B,C) of states (B,H).
    fn classify(&self, states: &Tensor) -> Result<Tensor> {
        let (h, c) = (self.config.hidden(), KINDS.len());
        let weight = self.tensors.get((c, h), "classifier.weight")?;
        let bias = self.tensors.get(c, "classifier.bias")?;
        ops::linear(states, &weight, &bias)
    }

    /// Logarithms of the probabilities of kinds, (B,C), from masses and states (B,2+2W).
    fn kinds(&self, outcome: &Tensor) -> Result<Tensor> {
        let (h, w) = (self.config.hidden(), self.config.state());
        let top = 2 + w - 2 * h; // The output of the last layer at the exit.
        if !self.config.raises() {
            let exit = outcome.narrow(1, top, h)?.contiguous()?;
            return log_softmax(&self.classify(&exit)?, 1);
        }
        let ended = (outcome.narrow(1, 0, 1)? + EPSILON)?; // (B,1)
        let raised = (outcome.narrow(1, 1, 1)? + EPSILON)?;
        let all = (&ended + &raised)?.log()?;
        let error = outcome.narrow(1, top + w, h)?.contiguous()?;
        let mut never = vec![0f32; KINDS.len()];
        never[NO_ERROR] = MASKED;
        let never = Tensor::from_vec(never, (1, KINDS.len()), outcome.device())?;
        let logits = self.classify(&error)?.broadcast_add(&never)?;
        let others = log_softmax(&logits, 1)?.narrow(1, 1, KINDS.len() - 1)?; // (B,C-1)
        let raised = (raised.log()? - &all)?;
        let ended = (ended.log()? - all)?;
        Tensor::cat(&[ended, others.broadcast_add(&raised)?], 1)
    }

    fn inputs(&self, batch: &Batch, tokens: &Tensor) -> Result<Inputs> {
        let h = self.config.hidden();
        let statements = ops::pool_spans(
            tokens,
            batch.statements.clone(),
            self.config.settings.pooling,
        )?; // (S,H)
        let (weight, bias) = (
            self.get("input.weight", &[4 * h, h])?,
            self.get("input.bias", &[4 * h])?,
        );
        let mut parts = vec![ops::linear(&statements, &weight, &bias)?];
        let mut parameters = self.recurrent()?;
        let descriptions = match self.config.modulation() {
            Modulation::None => Tensor::zeros(1, DType::F32, tokens.device())?,
            Modulation::Film => {
                parts.push(ops::linear(
                    &statements,
                    &self.get("film.node.weight", &[2 * h, h])?,
                    &self.get("film.node.bias", &[2 * h])?,
                )?);
                parameters.push(self.get("film.state.weight", &[2 * h, self.config.state()])?);
                // The description's contribution is added to a node's embedding before the gates.
                parameters.push(weight);
                ops::pool_spans(tokens, batch.descriptions.clone(), ops::Pooling::Max)?
            }
            Modulation::Attention { .. } => {
                let part = |name: &str, x: &Tensor| {
                    let weight = self.get(&format!("attention.{name}.weight"), &[h, h])?;
                    let bias = self.get(&format!("attention.{name}.bias"), &[h])?;
                    ops::linear(x, &weight, &bias)
                };
                parts.push(part("query", &statements)?);
                parameters.push(self.get("attention.state.weight", &[h, self.config.state()])?);
                // The output projection and the map to the gates are one matrix.
                let output = self.get("attention.output.weight", &[h, h])?;
                let to_gates = self.get("attention.input.weight", &[4 * h, h])?;
                parameters.push(to_gates.matmul(&output)?);
                let bias =
                    to_gates.matmul(&self.get("attention.output.bias", &[h])?.unsqueeze(1)?)?;
                parts[0] = self.shift_described(batch, &parts[0], &bias.squeeze(1)?)?;
                self.keys_and_values(batch, tokens, &part)?
            }
        };
        let statements = Tensor::cat(&parts, 1)?.contiguous()?; // (S,D)
        let flat = parameters
            .iter()
            .map(Tensor::flatten_all)
            .collect::<Result<Vec<_>>>()?;
        Ok(Inputs {
            nodes: ops::embedding(&batch.nodes, &statements)?, // (N,D)
            parameters: Tensor::cat(&flat, 0)?,
            descriptions,
        })
    }

    /// Adds a row to the gates of statements of programs that have a description.
    fn shift_described(&self, batch: &Batch, gates: &Tensor, row: &Tensor) -> Result<Tensor> {
        let described = batch.statement_programs.iter().map(|program| {
            let has = batch.flow.described[*program as usize] > 0;
            f32::from(u8::from(has))
        });
        let described: Vec<f32> = described.collect();
        let described = Tensor::from_vec(described, (gates.dim(0)?, 1), gates.device())?;
        gates.add(&described.matmul(&row.unsqueeze(0)?)?)
    }

    /// Keys and values of the descriptions, (B,L,2H).
    fn keys_and_values(
        &self,
        batch: &Batch,
        tokens: &Tensor,
        part: &dyn Fn(&str, &Tensor) -> Result<Tensor>,
    ) -> Result<Tensor> {
        let (h, b) = (self.config.hidden(), batch.descriptions.len());
        let longest = batch
            .descriptions
            .iter()
            .map(ExactSizeIterator::len)
            .max()
            .unwrap_or(0)
            .max(1);
        let mut rows = Vec::with_capacity(b * longest);
        for place in &batch.descriptions {
            // Beyond the end of a description any row does: it is never looked at.
            rows.extend((0..longest).map(|k| {
                if k < place.len() {
                    (place.start + k) as u32
                } else {
                    0
                }
            }));
        }
        let rows = Tensor::from_vec(rows, b * longest, tokens.device())?;
        let read = ops::embedding(&rows, tokens)?; // (B*L,H)
        let keys = ops::project(&read, &self.get("attention.key.weight", &[h, h])?)?;
        let values = part("value", &read)?;
        Tensor::cat(&[keys, values], 1)?.reshape((b, longest, 2 * h))
    }

    /// The packed parameters of the recurrence, without those of the description.
    fn recurrent(&self) -> Result<Vec<Tensor>> {
        let (h, w) = (self.config.hidden(), self.config.state());
        let mut parameters = Vec::new();
        for layer in 0..self.config.settings.rnn_layers {
            let name = |part: &str| format!("layers.{layer}.{part}");
            parameters.push(self.get(&name("recurrent.weight"), &[4 * h, h])?);
            if layer > 0 {
                parameters.push(self.get(&name("input.weight"), &[4 * h, h])?);
                parameters.push(self.get(&name("input.bias"), &[4 * h])?);
            }
        }
        if self.config.raises() {
            parameters.push(self.get("raise.weight", &[w])?);
            parameters.push(self.get("raise.bias", &[1])?);
        } else {
            parameters.push(Tensor::zeros(w + 1, DType::F32, self.encoder.device())?);
        }
        parameters.push(self.get("branch.weight", &[w])?);
        parameters.push(self.get("branch.bias", &[1])?);
        Ok(parameters)
    }
}

impl Network {
    /// Judges a batch of programs; with `pointer`, tells where the instruction pointer was.
    ///
    /// # Errors
    /// If tensors cannot be made.
    pub fn predict(
        &self,
        programs: &[&Program],
        pointer: bool,
    ) -> codexec_model::error::Result<Vec<Prediction>> {
        let batch = Batch::new(programs, &self.config, self.encoder.device())?;
        // The pointer is shown unchanged.
        let least = if pointer { 0.0 } else { LEAST };
        let outcome = self.forward(&batch, Some(least))?;
        let kinds: Vec<Vec<f32>> = outcome.kinds.exp()?.to_vec2()?;
        let logits = match &outcome.statements {
            Some(logits) => logits.to_vec2()?,
            None => Vec::new(),
        };
        let mut logits = logits.as_slice();
        let mut found = Vec::with_capacity(programs.len());
        for (number, (program, kinds)) in programs.iter().zip(kinds).enumerate() {
            let error = 1.0 - kinds[NO_ERROR];
            let range = Range {
                first: batch.firsts[number],
                error: batch.flow.errors[number],
            };
            let (mut lines, mut steps) = (Vec::new(), None);
            if outcome.statements.is_some() {
                let (own, others) = logits.split_at(program.statements.len());
                logits = others;
                let shares = mil::shares(own, &kinds);
                // Copies of a statement have its share once.
                let mut shares: Vec<Option<f32>> = shares.into_iter().map(Some).collect();
                let of_nodes = program.nodes.iter().map(|node| {
                    let share = shares[node.statement as usize].take();
                    share.unwrap_or(0.0)
                });
                lines = by_line(program, &of_nodes.collect::<Vec<_>>(), error);
            }
            if let Some((plan, recorded)) = &outcome.way {
                if self.config.raises() {
                    let handlers = program
                        .nodes
                        .iter()
                        .any(|node| node.raise != program.error());
                    let shares = contributions(plan, recorded, range, handlers);
                    lines = by_line(program, &shares, error);
                }
                if pointer {
                    let at = batch.flow.steps[number] as usize;
                    steps = Some(masses(plan, recorded, range, at));
                }
            }
            found.push(Prediction {
                error,
                kinds,
                lines,
                pointer: steps.map(|steps| pointer_of(program, &steps)),
            });
        }
        Ok(found)
    }

    /// Logarithms of the probabilities of kinds (B,C) for programs, and the positions of the
    /// encoder that held no token.
    ///
    /// # Errors
    /// If tensors cannot be made.
    pub fn log_probabilities(
        &self,
        programs: &[&Program],
    ) -> codexec_model::error::Result<(Tensor, usize)> {
        let batch = Batch::new(programs, &self.config, self.encoder.device())?;
        Ok((self.forward(&batch, None)?.kinds, batch.padding))
    }
}

/// What nodes contributed, by their first lines, so that together it is the probability of an error.
fn by_line(program: &Program, shares: &[f32], error: f32) -> Vec<(u32, f32)> {
    let mut lines: BTreeMap<u32, f32> = BTreeMap::new();
    for (node, share) in program.nodes.iter().zip(shares) {
        if node.lines.0 > 0 {
            *lines.entry(node.lines.0).or_default() += share;
        }
    }
    let sum: f32 = lines.values().sum();
    let scale = if sum > 0.0 { error / sum } else { 0.0 };
    let mut lines: Vec<(u32, f32)> = lines
        .into_iter()
        .map(|(line, share)| (line, share * scale))
        .collect();
    lines.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    lines
}

/// The mass of each node of a program at each moment up to its last.
fn masses(plan: &Plan, recorded: &[Recorded], range: Range, last: usize) -> Vec<Vec<f32>> {
    let moments = plan.moments.iter().zip(recorded).take(last + 1);
    let one = |(moment, recorded): (&Moment, &Recorded)| {
        let mut out = vec![0.0; (range.error - range.first + 1) as usize];
        for (node, mass) in moment.nodes.iter().zip(&recorded.mass) {
            if (range.first..=range.error).contains(node) {
                out[(node - range.first) as usize] = *mass;
            }
        }
        out
    };
    moments.map(one).collect()
}

/// Rows in the order of the source: the description before all else.
fn pointer_of(program: &Program, steps: &[Vec<f32>]) -> Pointer {
    let count = program.nodes.len();
    let mut order: Vec<usize> = (0..count)
        .filter(|n| program.nodes[*n].lines.0 == 0)
        .collect();
    order.extend((0..count).filter(|n| program.nodes[*n].lines.0 > 0));
    order.extend([count, count + 1]);
    let node = |n: &usize| match program.nodes.get(*n) {
        Some(node) => PointerNode {
            line: node.lines.0,
            name: (node.lines.0 == 0).then_some("input"),
        },
        None => PointerNode {
            line: 0,
            name: Some(if *n == count { "exit" } else { "error" }),
        },
    };
    Pointer {
        nodes: order.iter().map(node).collect(),
        steps: steps
            .iter()
            .map(|step| order.iter().map(|n| step[*n]).collect())
            .collect(),
    }
}
