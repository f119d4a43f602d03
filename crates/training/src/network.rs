//! [`Trainable`] for the encoder-decoder: variables by checkpoint key, and the loss of a batch.

use std::collections::HashMap;

use candle_core::{DType, Device, Tensor, Var};
use candle_nn::VarBuilder;
use codexec_curriculum::{BatchLoss, Example, ForeignError, Trainable};
use codexec_data::tokenizer::Digits;
use codexec_data::tokenizer::source::MAX_LINES;
use serde::{Deserialize, Serialize};

use super::examples::{States, Window};
use super::search::SearchSettings;
use codexec_check::ipa::{IpaConfig, IpaSettings};
use codexec_model::error::Result;
use codexec_model::{EncoderDecoder, Form, JointBatch, ModelConfig, Writes, random_weights};
use codexec_unknown::values::Class;

/// Special tokens, line tokens and the 256 bytes, without a single merge, are below this.
const SMALLEST_VOCABULARY: usize = 26 + MAX_LINES as usize + 256;

/// What frames a window of a program, and a little of the program.
const SHORTEST_WINDOW: usize = 16;

/// The task of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// To write traces.
    #[default]
    Traces,
    /// To answer the planner's questions (`codexec data plan`).
    Answers,
    /// Predicting missing values.
    Values,
    /// Predicting whether programs raise, and what (`codexec data errors`).
    Errors,
    /// Giving programs of one problem similar vectors (`codexec search`).
    Search,
}

/// The `[model]` table of a run's configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelSettings {
    /// The task.
    #[serde(default)]
    pub task: Task,
    /// Tokens of a trained vocabulary.
    pub vocabulary: usize,
    /// Width of the residual stream.
    pub hidden_size: usize,
    /// Blocks.
    pub layers: usize,
    /// Heads of attention.
    pub heads: usize,
    /// Maximum tokens of a source; for a value those up to its place.
    pub max_source: usize,
    /// Maximum tokens of a target; for a value those from its place on.
    pub max_target: usize,
    /// Whether queries and keys are rotated by their positions, in addition to the table of
    /// positions.
    #[serde(default)]
    pub rotary: bool,
    /// How targets write the states of whole programs: `delta` or `full`.
    #[serde(default)]
    pub states: States,
    /// The digits of a number in a trained vocabulary: `apart` or `joined`.
    #[serde(default)]
    pub digits: Digits,
    /// For a network that predicts errors, its head.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<IpaSettings>,
    /// For a search encoder, its training.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchSettings>,
}

impl ModelSettings {
    /// Limits and form of a record's example.
    pub fn window(&self) -> Window {
        Window {
            max_source: self.max_source,
            max_target: self.max_target,
            states: self.states,
        }
    }

    /// The first key that makes no sense, and why.
    #[must_use]
    pub fn complaint(&self) -> Option<(&'static str, String)> {
        const MOST: usize = 1 << 20;
        let ranges = [
            ("vocabulary", self.vocabulary, SMALLEST_VOCABULARY, MOST),
            ("hidden_size", self.hidden_size, 1, MOST),
            ("layers", self.layers, 1, 1024),
            ("heads", self.heads, 1, MOST),
            ("max_source", self.max_source, 1, MOST),
            ("max_target", self.max_target, 1, MOST),
        ];
        let outside = ranges
            .into_iter()
            .find(|(_, n, least, most)| !(least..=most).contains(&n));
        if let Some((key, n, least, most)) = outside {
            return Some((key, format!("is {n}; it must be from {least} to {most}")));
        }
        if let Some(search) = self.search {
            if self.task != Task::Search {
                return Some(("search", "is for task = \"search\"".to_owned()));
            }
            if let Some(complaint) = search.complaint() {
                return Some(complaint);
            }
        }
        if self.task == Task::Search && self.max_source < SHORTEST_WINDOW {
            let why = format!(
                "is {}; a window needs {SHORTEST_WINDOW} tokens",
                self.max_source
            );
            return Some(("max_source", why));
        }
        match (self.task, self.errors) {
            (Task::Errors, errors) => {
                let errors = errors.unwrap_or_default();
                if let Some(complaint) = errors.complaint(self.hidden_size, self.heads) {
                    return Some(complaint);
                }
                if self.max_source < 2 {
                    return Some(("max_source", "leaves no room for a statement".to_owned()));
                }
            }
            (_, Some(_)) => return Some(("errors", "is for task = \"errors\"".to_owned())),
            (_, None) => {}
        }
        (!self.hidden_size.is_multiple_of(self.heads)).then(|| {
            let why = format!(
                "is {}; it must divide hidden_size {}",
                self.heads, self.hidden_size
            );
            ("heads", why)
        })
    }

    /// The configuration of a network that speaks the delta form with a vocabulary of this size.
    pub fn config(&self, vocabulary: usize) -> ModelConfig {
        let positions = self.max_source + self.max_target;
        let mut config = ModelConfig::new(
            vocabulary,
            self.hidden_size,
            self.layers,
            self.heads,
            positions,
        );
        if self.rotary {
            config = config.with_rotary_positions();
        }
        match self.task {
            Task::Traces => config.codexec.form = Form::Delta,
            Task::Answers => {
                config.codexec.form = Form::Delta;
                config.codexec.writes = Writes::Answers;
            }
            Task::Search => {
                config.codexec.form = Form::Delta;
                config.codexec.writes = Writes::Vectors;
            }
            Task::Values => return self.classifier(config),
            Task::Errors => {
                config.codexec.max_source = self.max_source;
                config.codexec.max_target = self.max_target;
                return IpaConfig::new(config, self.errors.unwrap_or_default()).encoder;
            }
        }
        config.codexec.max_source = self.max_source;
        config.codexec.max_target = self.max_target;
        config
    }
}

impl ModelSettings {
    /// The configuration of a value classifier on top of this encoder.
    pub fn classifier(&self, encoder: ModelConfig) -> ModelConfig {
        let mut config = encoder;
        config.num_labels = Some(Class::ALL.len());
        let names = Class::ALL.iter().map(|class| class.as_str()).enumerate();
        let names = names.map(|(k, name)| (k.to_string(), name.into()));
        let names: serde_json::Map<String, serde_json::Value> = names.collect();
        config.other.insert("id2label".into(), names.into());
        let what = serde_json::json!(["RobertaForTokenClassification"]);
        config.other.insert("architectures".into(), what);
        config.codexec.max_source = self.max_source;
        config.codexec.max_target = self.max_target;
        config
    }
}

/// A network that can be validated while it is trained.
pub trait Network: Trainable {
    /// For each example its mean loss, and whether its target is the most probable one: for a target
    /// in tokens every one of them, which greedy decoding without a grammar would write exactly.
    ///
    /// # Errors
    /// As [`Trainable::loss`].
    fn judge(&self, batch: &[&Example]) -> candle_core::Result<Vec<(f32, bool)>>;

    /// Scores of a set in batches, by name: the mean loss and the share of exact predictions, where a network
    /// has no others.
    ///
    /// # Errors
    /// As [`Trainable::loss`].
    fn scores(&self, batches: &[Vec<Example>]) -> Result<Vec<(String, f64)>, ForeignError> {
        let mut judged = Vec::new();
        for batch in batches {
            let batch: Vec<&Example> = batch.iter().collect();
            judged.extend(self.judge(&batch)?);
        }
        let count = judged.len().max(1) as f64;
        let loss: f64 = judged.iter().map(|(loss, _)| f64::from(*loss)).sum();
        let exact = judged.iter().filter(|(_, exact)| *exact).count();
        Ok(vec![
            ("loss".to_owned(), loss / count),
            ("exact".to_owned(), exact as f64 / count),
        ])
    }
}

/// Variables by checkpoint key, in an order that never changes.
type Vars = Vec<(String, Var)>;

/// The variables of a network, fresh from a seed or with given `weights`, and their tensors.
pub(super) fn variables(
    config: &ModelConfig,
    seed: u64,
    weights: Option<HashMap<String, Tensor>>,
    device: &Device,
) -> Result<(Vars, HashMap<String, Tensor>)> {
    let mut vars = Vec::new();
    let mut tensors = HashMap::new();
    for (name, fresh) in random_weights(config, seed, device)? {
        let given = weights.as_ref().and_then(|w| w.get(&name));
        let tensor = given
            .unwrap_or(&fresh)
            .to_dtype(DType::F32)?
            .to_device(device)?;
        let var = Var::from_tensor(&tensor)?;
        tensors.insert(name.clone(), var.as_tensor().clone());
        vars.push((name, var));
    }
    Ok((vars, tensors))
}

/// A network whose weights are variables.
pub struct TrainableNetwork {
    model: EncoderDecoder,
    vars: Vec<(String, Var)>,
    device: Device,
}

impl TrainableNetwork {
    /// A network with fresh weights from a seed, or with given `weights`; products run in
    /// `compute`, the variables are f32.
    ///
    /// # Errors
    /// If a tensor is missing or of the wrong shape.
    pub fn new(
        config: &ModelConfig,
        seed: u64,
        weights: Option<HashMap<String, Tensor>>,
        compute: DType,
        device: &Device,
    ) -> Result<Self> {
        let (vars, tensors) = variables(config, seed, weights, device)?;
        let vb = VarBuilder::from_tensors(tensors, DType::F32, device);
        let model = EncoderDecoder::new(config, vb)?.with_compute_dtype(compute);
        Ok(Self {
            model,
            vars,
            device: device.clone(),
        })
    }

    /// Number of trained values.
    pub fn parameters(&self) -> usize {
        self.vars
            .iter()
            .map(|(_, v)| v.as_tensor().elem_count())
            .sum()
    }

    /// Sources and targets as one batch.
    fn joint(&self, pairs: &[(Vec<u32>, Vec<u32>)]) -> JointBatch {
        let multiple = if self.device.is_cuda() {
            GPU_MULTIPLE
        } else {
            1
        };
        JointBatch::with_multiple(pairs, self.model.config().pad_token_id, multiple)
    }

    /// The network itself, for evaluation while it is trained.
    pub fn model(&self) -> &EncoderDecoder {
        &self.model
    }
}

/// Lengths of sequences on a GPU are multiples of this: rows of attention then begin where its matrix units read.
const GPU_MULTIPLE: usize = 8;

impl Network for TrainableNetwork {
    fn judge(&self, batch: &[&Example]) -> candle_core::Result<Vec<(f32, bool)>> {
        let pairs: Vec<(Vec<u32>, Vec<u32>)> = batch
            .iter()
            .map(|e| (e.source.clone(), e.target.clone()))
            .collect();
        let joint = self.joint(&pairs);
        let tensors = joint.to_device(&self.device)?;
        let outside = |e: codexec_model::Error| candle_core::Error::wrap(e);
        let rows = self.model.predicting_rows(&tensors).map_err(outside)?;
        let logits = self.model.logits(&rows.detach()).map_err(outside)?; // (N,V)
        let logits = logits.to_dtype(DType::F32)?;
        let wanted = logits
            .gather(&tensors.labels.unsqueeze(1)?, 1)?
            .squeeze(1)?; // (N)
        let losses = (logits.log_sum_exp(1)? - wanted)?.to_vec1::<f32>()?;
        let best = logits.argmax(1)?.to_vec1::<u32>()?;
        let mut at = 0;
        let one = |example: &&Example| {
            let from = at;
            at += example.target.len().saturating_sub(1);
            let mean = losses[from..at].iter().sum::<f32>() / (at - from).max(1) as f32;
            (mean, best[from..at] == joint.labels[from..at])
        };
        Ok(batch.iter().map(one).collect())
    }
}

impl Trainable for TrainableNetwork {
    fn vars(&self) -> Vec<(String, Var)> {
        self.vars.clone()
    }

    fn loss(&self, batch: &[&Example]) -> candle_core::Result<BatchLoss> {
        let pairs: Vec<(Vec<u32>, Vec<u32>)> = batch
            .iter()
            .map(|e| (e.source.clone(), e.target.clone()))
            .collect();
        let joint = self.joint(&pairs);
        let tokens = joint.labels.len();
        let tensors = joint.to_device(&self.device)?;
        let outside = |e: codexec_model::Error| candle_core::Error::wrap(e);
        let rows = self.model.predicting_rows(&tensors).map_err(outside)?; // (N,H)
        let weights = Tensor::ones(tokens, DType::F32, &self.device)?;
        let (sum, hits) = self
            .model
            .loss(&rows, &tensors.labels, &weights)
            .map_err(outside)?;
        Ok(BatchLoss {
            sum,
            tokens,
            weight: tokens as f64,
            correct: hits,
            padded: joint.batch * joint.len,
        })
    }

    fn example_losses(&self, batch: &[&Example]) -> candle_core::Result<Vec<f32>> {
        let judged = self.judge(batch)?;
        Ok(judged.into_iter().map(|(loss, _)| loss).collect())
    }
}
