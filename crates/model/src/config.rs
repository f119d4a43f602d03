//! `config.json`: the fields of the hub's RoBERTa configuration that shape the network, and ours
//! under `codexec`. Unused fields are kept and written back.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The hub's field for what positions are.
const POSITIONS: &str = "position_embedding_type";
/// Its value for queries and keys that are turned.
const ROTARY: &str = "rotary";

/// Which text form of a trace a checkpoint speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Full states, as the published checkpoints write them.
    #[default]
    Paper,
    /// Changes only, with marks for call, return and raise.
    Delta,
}

/// The output format that a checkpoint was trained for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Writes {
    /// Whole traces.
    #[default]
    Traces,
    /// Answers to the planner's questions, in step form.
    Answers,
    /// None: the mean of its encoder's states is a program's vector.
    Vectors,
}

/// Our part of the configuration. A published checkpoint has none and gets the defaults.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CodexecConfig {
    /// Text form of source and target.
    pub form: Form,
    /// The form of targets.
    pub writes: Writes,
    /// Maximum tokens of a source, special ones included (256: published inference).
    pub max_source: usize,
    /// Most tokens a prediction may have, `</s>` included (768: published inference).
    pub max_target: usize,
    /// Sequences are padded to a multiple of this many tokens in training batches.
    pub pad_to_multiple: usize,
    /// Divisor of an answer's log-odds for its confidence (`codexec eval questions --fit`).
    #[serde(skip_serializing_if = "is_one")]
    pub temperature: f64,
}

fn is_one(temperature: &f64) -> bool {
    *temperature == 1.0
}

impl Default for CodexecConfig {
    fn default() -> Self {
        Self {
            form: Form::Paper,
            writes: Writes::Traces,
            max_source: 256,
            max_target: 768,
            pad_to_multiple: 8,
            temperature: 1.0,
        }
    }
}

/// Sizes of a network and what its checkpoint speaks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelConfig {
    /// Rows of the embedding table.
    pub vocab_size: usize,
    /// Width of the residual stream.
    pub hidden_size: usize,
    /// Blocks.
    pub num_hidden_layers: usize,
    /// Heads; divides `hidden_size`.
    pub num_attention_heads: usize,
    /// Width of the feed-forward layer.
    pub intermediate_size: usize,
    /// Rows of the position table; the first `pad_token_id + 1` are never a token's.
    pub max_position_embeddings: usize,
    /// Rows of the token type table; only row 0 is used.
    #[serde(default = "one")]
    pub type_vocab_size: usize,
    /// Epsilon of the layer normalisations.
    #[serde(default = "layer_norm_eps")]
    pub layer_norm_eps: f64,
    /// Activation of the feed-forward layer; only the exact `gelu` is built.
    #[serde(default = "gelu")]
    pub hidden_act: String,
    /// Id of `<pad>`; positions count from the next one.
    #[serde(default = "pad")]
    pub pad_token_id: u32,
    /// Classes of a network that classifies; it then has a `classifier` on top.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub num_labels: Option<usize>,
    /// Ours.
    #[serde(default)]
    pub codexec: CodexecConfig,
    /// Everything else in the file.
    #[serde(flatten)]
    pub other: serde_json::Map<String, serde_json::Value>,
}

fn one() -> usize {
    1
}
fn layer_norm_eps() -> f64 {
    1e-5
}
fn gelu() -> String {
    "gelu".to_owned()
}
fn pad() -> u32 {
    1
}

impl ModelConfig {
    /// A new network of the given sizes, with `positions` tokens of source and target together.
    pub fn new(
        vocab_size: usize,
        hidden_size: usize,
        layers: usize,
        heads: usize,
        positions: usize,
    ) -> Self {
        let mut other = serde_json::Map::new();
        other.insert("architectures".into(), serde_json::json!(["RobertaModel"]));
        other.insert("model_type".into(), "roberta".into());
        Self {
            vocab_size,
            hidden_size,
            num_hidden_layers: layers,
            num_attention_heads: heads,
            intermediate_size: 4 * hidden_size,
            max_position_embeddings: positions + 2,
            type_vocab_size: 1,
            layer_norm_eps: layer_norm_eps(),
            hidden_act: gelu(),
            pad_token_id: pad(),
            num_labels: None,
            codexec: CodexecConfig::default(),
            other,
        }
    }

    /// Reads and checks a `config.json`; `file` names it in errors.
    pub fn from_json(text: &[u8], file: &str) -> Result<Self> {
        let config: Self = serde_json::from_slice(text).map_err(|source| Error::Json {
            file: file.to_owned(),
            source,
        })?;
        config.check(file)?;
        Ok(config)
    }

    /// The text of a `config.json`.
    pub fn to_json(&self) -> String {
        // A struct of plain fields and string keys always has a JSON form.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Width of one head.
    pub fn head_size(&self) -> usize {
        self.hidden_size / self.num_attention_heads
    }

    /// Maximum tokens of source and target together.
    pub fn max_tokens(&self) -> usize {
        self.max_position_embeddings
            .saturating_sub(self.pad_token_id as usize + 1)
    }

    /// Whether queries and keys are rotated by their positions, in addition to the table of
    /// positions.
    pub fn has_rotary_positions(&self) -> bool {
        self.other.get(POSITIONS).is_some_and(|v| v == ROTARY)
    }

    /// Turns queries and keys by their positions.
    #[must_use]
    pub fn with_rotary_positions(mut self) -> Self {
        self.other.insert(POSITIONS.to_owned(), ROTARY.into());
        self
    }

    /// Position id of token `index` of a sequence without padding.
    pub fn position(&self, index: usize) -> u32 {
        index as u32 + self.pad_token_id + 1
    }

    /// Name and shape of every tensor of the network, in the order of the stack.
    pub fn tensors(&self) -> Vec<(String, Vec<usize>)> {
        let (h, f) = (self.hidden_size, self.intermediate_size);
        let mut out = Vec::new();
        let mut add = |name: &str, shape: &[usize]| out.push((name.to_owned(), shape.to_vec()));
        add("embeddings.word_embeddings.weight", &[self.vocab_size, h]);
        add(
            "embeddings.position_embeddings.weight",
            &[self.max_position_embeddings, h],
        );
        add(
            "embeddings.token_type_embeddings.weight",
            &[self.type_vocab_size, h],
        );
        add("embeddings.LayerNorm.weight", &[h]);
        add("embeddings.LayerNorm.bias", &[h]);
        for layer in 0..self.num_hidden_layers {
            let mut pair = |name: &str, shape: &[usize]| {
                add(&format!("encoder.layer.{layer}.{name}.weight"), shape);
                add(&format!("encoder.layer.{layer}.{name}.bias"), &shape[..1]);
            };
            for part in ["query", "key", "value"] {
                pair(&format!("attention.self.{part}"), &[h, h]);
            }
            pair("attention.output.dense", &[h, h]);
            pair("attention.output.LayerNorm", &[h]);
            pair("intermediate.dense", &[f, h]);
            pair("output.dense", &[h, f]);
            pair("output.LayerNorm", &[h]);
        }
        if let Some(classes) = self.num_labels {
            out.push(("classifier.weight".to_owned(), vec![classes, h]));
            out.push(("classifier.bias".to_owned(), vec![classes]));
        }
        out
    }

    /// Number of weights.
    pub fn parameters(&self) -> usize {
        let size = |(_, shape): (String, Vec<usize>)| shape.iter().product::<usize>();
        self.tensors().into_iter().map(size).sum()
    }

    /// Whether a network can be built of it; `file` names it in errors.
    ///
    /// # Errors
    /// [`Error::Config`] for the first invalid field.
    pub fn check(&self, file: &str) -> Result<()> {
        let fail = |cause: String| {
            Err(Error::Config {
                file: file.to_owned(),
                cause,
            })
        };
        let sizes = [
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("num_hidden_layers", self.num_hidden_layers),
            ("num_attention_heads", self.num_attention_heads),
            ("intermediate_size", self.intermediate_size),
            ("type_vocab_size", self.type_vocab_size),
            ("max_position_embeddings", self.max_tokens()),
            ("codexec.max_source", self.codexec.max_source),
            ("codexec.max_target", self.codexec.max_target),
            ("num_labels", self.num_labels.unwrap_or(1)),
        ];
        for (name, size) in sizes {
            // In the largest published RoBERTa none of these exceeds 300,000.
            if size == 0 || size > 1 << 24 {
                return fail(format!("{name} leaves no network to build"));
            }
        }
        let temperature = self.codexec.temperature;
        if !temperature.is_finite() || temperature <= 0.0 {
            return fail(format!("codexec.temperature {temperature} is not above 0"));
        }
        if self.num_hidden_layers > 1024 {
            return fail(format!(
                "num_hidden_layers {} is above 1024",
                self.num_hidden_layers
            ));
        }
        if !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            return fail(format!(
                "hidden_size {} is not a multiple of num_attention_heads {}",
                self.hidden_size, self.num_attention_heads
            ));
        }
        if self.hidden_act != "gelu" {
            return fail(format!(
                "hidden_act `{}` is not supported, only `gelu`",
                self.hidden_act
            ));
        }
        let kind = self.other.get("model_type").and_then(|v| v.as_str());
        if let Some(kind) = kind.filter(|k| *k != "roberta") {
            return fail(format!(
                "model_type `{kind}` is not supported, only `roberta`"
            ));
        }
        let positions = self.other.get(POSITIONS);
        if positions.is_some_and(|v| v != "absolute" && v != ROTARY) {
            return fail(format!("{POSITIONS} must be `absolute` or `{ROTARY}`"));
        }
        if self.has_rotary_positions() && !self.head_size().is_multiple_of(2) {
            return fail(format!(
                "{POSITIONS} `{ROTARY}` needs heads of an even width"
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_configuration_reads_and_keeps_what_it_does_not_know() {
        let text = br#"{"architectures":["RobertaModel"],"attention_probs_dropout_prob":0.1,
            "bos_token_id":0,"eos_token_id":2,"hidden_act":"gelu","hidden_size":768,
            "initializer_range":0.02,"intermediate_size":3072,"layer_norm_eps":1e-05,
            "max_position_embeddings":1026,"model_type":"roberta","num_attention_heads":12,
            "num_hidden_layers":12,"pad_token_id":1,"type_vocab_size":10,"vocab_size":51416}"#;
        let config = ModelConfig::from_json(text, "config.json").unwrap();
        assert_eq!(config.max_tokens(), 1024);
        assert_eq!(config.codexec, CodexecConfig::default());
        assert_eq!(config.tensors().len(), 5 + 12 * 16);
        let again = ModelConfig::from_json(config.to_json().as_bytes(), "again").unwrap();
        assert_eq!(again, config);
        assert_eq!(again.other["eos_token_id"], 2);
    }

    #[test]
    fn configurations_that_cannot_be_built_say_why() {
        let mut config = ModelConfig::new(10, 8, 1, 2, 16);
        let text = |c: &ModelConfig| c.to_json().into_bytes();
        config.num_attention_heads = 3;
        let message = ModelConfig::from_json(&text(&config), "c")
            .unwrap_err()
            .to_string();
        assert!(message.contains("num_attention_heads 3"), "{message}");
        config.num_attention_heads = 0;
        assert!(ModelConfig::from_json(&text(&config), "c").is_err());
        config.num_attention_heads = 2;
        config.hidden_act = "relu".into();
        let message = ModelConfig::from_json(&text(&config), "c")
            .unwrap_err()
            .to_string();
        assert!(message.contains("relu"), "{message}");
        let rotary = ModelConfig::new(10, 6, 1, 2, 16).with_rotary_positions();
        let message = ModelConfig::from_json(&text(&rotary), "c")
            .unwrap_err()
            .to_string();
        assert!(message.contains("even width"), "{message}");
        let rotary = ModelConfig::new(10, 8, 1, 2, 16).with_rotary_positions();
        let again = ModelConfig::from_json(&text(&rotary), "c").unwrap();
        assert!(again.has_rotary_positions());
        let message = ModelConfig::from_json(b"{\"vocab_size\":", "dir/config.json")
            .unwrap_err()
            .to_string();
        assert!(message.starts_with("dir/config.json"), "{message}");
    }
}
