//! The settings of a network that predicts errors, and the tensors that they call for.

use std::collections::HashMap;

use candle_core::{Device, Tensor};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::kinds::KINDS;
use codexec_model::error::{Error, Result};
use codexec_model::init::normals;
use codexec_model::ops::{Modulation, Pooling};
use codexec_model::{ModelConfig, random_weights};

/// The field of `config.json` that holds the settings.
const FIELD: &str = "errors";
/// Maximum tokens of a statement if a whole program is encoded together.
const STATEMENT: usize = 64;

/// The network on top of the encoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Architecture {
    /// Walks the control flow; nodes raise.
    #[default]
    ExceptionIpaGnn,
    /// Walks the control flow; no node raises, and the state at the exit tells the kind.
    IpaGnn,
    /// No walk: the pooled tokens predict the kind.
    Transformer,
    /// No walk: each statement predicts a kind, and their combination is the program's (multiple-instance
    /// learning). The statement with the highest score for the kind is the line.
    MilTransformer,
}

/// What becomes of the logits of the statements of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MilPooling {
    /// The greatest of each kind.
    #[default]
    Max,
    /// Their mean.
    Mean,
    /// The logarithm of the sum of their exponentials.
    LogSumExp,
}

/// The attention span of a statement's tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Their statement.
    #[default]
    Local,
    /// Everything in the window.
    Global,
}

/// What becomes of the description of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Description {
    /// It is not read.
    None,
    /// It is a statement before the first.
    #[default]
    Docstring,
    /// It scales and shifts what nodes are, at every step.
    Film,
    /// Nodes attend to it, at every step.
    Attention,
}

/// The table `[model.errors]` of a run's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IpaSettings {
    /// The network on top of the encoder.
    pub architecture: Architecture,
    /// Attention span of tokens.
    pub encoder: Scope,
    /// What becomes of the tokens of a statement.
    pub pooling: Pooling,
    /// Layers of the recurrent network.
    pub rnn_layers: usize,
    /// Maximum steps of a program; a program with more nodes gets as many as it has.
    pub max_steps: u32,
    /// Programs with more nodes are left out of training.
    pub max_nodes: usize,
    /// Use of the description.
    pub description: Description,
    /// Multiple-instance Transformers: what becomes of the logits of statements.
    pub mil_pooling: MilPooling,
}

impl Default for IpaSettings {
    fn default() -> Self {
        Self {
            architecture: Architecture::default(),
            encoder: Scope::default(),
            pooling: Pooling::default(),
            rnn_layers: 2,
            max_steps: 174,
            max_nodes: 128,
            description: Description::default(),
            mil_pooling: MilPooling::default(),
        }
    }
}

impl Architecture {
    /// Whether it follows the control flow.
    #[must_use]
    pub fn walks(self) -> bool {
        matches!(self, Self::ExceptionIpaGnn | Self::IpaGnn)
    }
}

/// A network: the encoder and its head.
#[derive(Debug, Clone, PartialEq)]
pub struct IpaConfig {
    /// The encoder; its window is `max_source` tokens of program and `max_target` of description.
    pub encoder: ModelConfig,
    /// The rest.
    pub settings: IpaSettings,
}

impl IpaConfig {
    /// Settings on top of an encoder.
    #[must_use]
    pub fn new(mut encoder: ModelConfig, settings: IpaSettings) -> Self {
        encoder.num_labels = Some(KINDS.len());
        let names = KINDS
            .iter()
            .enumerate()
            .map(|(k, name)| (k.to_string(), (*name).into()));
        let names: serde_json::Map<String, serde_json::Value> = names.collect();
        encoder.other.insert("id2label".to_owned(), names.into());
        let what = serde_json::json!(["ExceptionIpaGnn"]);
        encoder.other.insert("architectures".to_owned(), what);
        // A struct of plain fields always has a JSON form.
        let value = serde_json::to_value(settings).unwrap_or_default();
        encoder.other.insert(FIELD.to_owned(), value);
        Self { encoder, settings }
    }

    /// The contents of a `config.json`.
    ///
    /// # Errors
    /// [`Error::Config`] if it belongs to another network, or is invalid; `file` names it.
    pub fn of(encoder: ModelConfig, file: &str) -> Result<Self> {
        let fail = |cause: String| Error::Config {
            file: file.to_owned(),
            cause,
        };
        let Some(value) = encoder.other.get(FIELD) else {
            return Err(fail(format!(
                "no `{FIELD}`: this network does not predict errors"
            )));
        };
        let settings: IpaSettings =
            serde_json::from_value(value.clone()).map_err(|e| fail(format!("`{FIELD}`: {e}")))?;
        if let Some((key, why)) =
            settings.complaint(encoder.hidden_size, encoder.num_attention_heads)
        {
            return Err(fail(format!("`{FIELD}.{key}` {why}")));
        }
        if encoder.num_labels != Some(KINDS.len()) {
            let found = encoder.num_labels.unwrap_or(0);
            return Err(fail(format!(
                "num_labels is {found}; there are {} kinds",
                KINDS.len()
            )));
        }
        let (source, target) = (encoder.codexec.max_source, encoder.codexec.max_target);
        if source < 2 || source.max(target) > encoder.max_tokens() {
            return Err(fail("the window does not fit the positions".to_owned()));
        }
        Ok(Self { encoder, settings })
    }

    /// Width of the encoder and of each recurrent layer.
    #[must_use]
    pub fn hidden(&self) -> usize {
        self.encoder.hidden_size
    }

    /// Width of a recurrent state.
    #[must_use]
    pub fn state(&self) -> usize {
        2 * self.hidden() * self.settings.rnn_layers
    }

    /// Maximum tokens of a statement.
    #[must_use]
    pub fn statement(&self) -> usize {
        match self.scope() {
            Scope::Local => self.encoder.codexec.max_source,
            Scope::Global => self.encoder.codexec.max_source.min(STATEMENT),
        }
    }

    /// Attention span; the whole window if nothing else could connect the tokens.
    #[must_use]
    pub fn scope(&self) -> Scope {
        match self.settings.architecture {
            Architecture::Transformer => Scope::Global,
            _ => self.settings.encoder,
        }
    }

    /// Whether nodes may raise.
    #[must_use]
    pub fn raises(&self) -> bool {
        self.settings.architecture == Architecture::ExceptionIpaGnn
    }

    /// The effect of the description at every step.
    #[must_use]
    pub fn modulation(&self) -> Modulation {
        match self.settings.description {
            Description::Film => Modulation::Film,
            Description::Attention => Modulation::Attention {
                heads: self.encoder.num_attention_heads,
            },
            Description::None | Description::Docstring => Modulation::None,
        }
    }

    /// Name and shape of every tensor.
    #[must_use]
    pub fn tensors(&self) -> Vec<(String, Vec<usize>)> {
        let (h, w) = (self.hidden(), self.state());
        let mut out = self.encoder.tensors();
        if !self.settings.architecture.walks() {
            return out;
        }
        let mut add =
            |name: &str, shape: &[usize]| out.push((format!("execution.{name}"), shape.to_vec()));
        add("input.weight", &[4 * h, h]);
        add("input.bias", &[4 * h]);
        for layer in 0..self.settings.rnn_layers {
            add(&format!("layers.{layer}.recurrent.weight"), &[4 * h, h]);
            if layer > 0 {
                add(&format!("layers.{layer}.input.weight"), &[4 * h, h]);
                add(&format!("layers.{layer}.input.bias"), &[4 * h]);
            }
        }
        let raise: &[&str] = if self.raises() {
            &["raise", "branch"]
        } else {
            &["branch"]
        };
        for decision in raise {
            add(&format!("{decision}.weight"), &[w]);
            add(&format!("{decision}.bias"), &[1]);
        }
        match self.settings.description {
            Description::Film => {
                add("film.node.weight", &[2 * h, h]);
                add("film.node.bias", &[2 * h]);
                add("film.state.weight", &[2 * h, w]);
            }
            Description::Attention => {
                for part in ["query", "value", "output"] {
                    add(&format!("attention.{part}.weight"), &[h, h]);
                    add(&format!("attention.{part}.bias"), &[h]);
                }
                // A bias of keys would have no effect.
                add("attention.key.weight", &[h, h]);
                add("attention.state.weight", &[h, w]);
                add("attention.input.weight", &[4 * h, h]);
            }
            Description::None | Description::Docstring => {}
        }
        out
    }

    /// Fresh weights from a seed. Cells begin by remembering (a bias of 1 of the gate that forgets), and
    /// nodes by not raising (probability 0.05), so that mass reaches the exit.
    ///
    /// # Errors
    /// If tensors cannot be made.
    pub fn random_weights(&self, seed: u64, device: &Device) -> Result<HashMap<String, Tensor>> {
        let encoder = random_weights(&self.encoder, seed, device)?;
        let mut out: HashMap<String, Tensor> = encoder.into_iter().collect();
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x1FA6);
        let h = self.hidden();
        for (name, shape) in self.tensors() {
            if out.contains_key(&name) {
                continue;
            }
            let count = shape.iter().product();
            let values = if name == "execution.raise.bias" {
                vec![-3.0]
            } else if name.ends_with(".bias") {
                let is_of_gates = name.ends_with("input.bias");
                let forget = |k: usize| f32::from(u8::from(is_of_gates && (h..2 * h).contains(&k)));
                (0..count).map(forget).collect()
            } else {
                let width = shape.last().copied().unwrap_or(1);
                normals(&mut rng, count, 0.8 / (width as f64).sqrt())
            };
            out.insert(name, Tensor::from_vec(values, shape, device)?);
        }
        Ok(out)
    }
}

impl IpaSettings {
    /// The first key that makes no sense with these sizes, and why.
    #[must_use]
    pub fn complaint(&self, hidden: usize, heads: usize) -> Option<(&'static str, String)> {
        let between = |key, n: usize, most: usize| {
            (!(1..=most).contains(&n))
                .then(|| (key, format!("is {n}; it must be from 1 to {most}")))
        };
        let divides = heads > 0 && hidden.is_multiple_of(heads);
        between("rnn_layers", self.rnn_layers, 8)
            .or_else(|| between("max_steps", self.max_steps as usize, 4096))
            .or_else(|| between("max_nodes", self.max_nodes, super::graph::MOST_NODES))
            .or_else(|| {
                (!divides).then(|| {
                    (
                        "description",
                        "needs heads that divide the width".to_owned(),
                    )
                })
            })
            .or_else(|| {
                let modulates =
                    matches!(self.description, Description::Film | Description::Attention);
                (modulates && !self.architecture.walks()).then(|| {
                    (
                        "description",
                        "is for networks that walk: take docstring".to_owned(),
                    )
                })
            })
    }
}
