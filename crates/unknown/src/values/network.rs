//! Predicts missing values with a network: LExecutor's neural predictor (paper 1, section 3.3) with
//! the trace model's stack as encoder.
//!
//! A place is read as `<s> KIND NAME </s> code before <mask0> code after </s>`. The classes are
//! those of [`Class`], in its order.

use std::path::Path;

use candle_core::{DType, Device};
use candle_nn::VarBuilder;
use codexec_data::tokenizer::{Vocabulary, VocabularyError};

use super::{Class, Excerpt, LikelyClass};
use codexec_model::error::{Error, Result};
use codexec_model::weights::Weights;
use codexec_model::{Classifier, Masked, MaskedBatch, ModelConfig, load};

/// Most tokens for kind and name.
const NAME: usize = 10;

/// How much of the surrounding code is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueWindow {
    /// Tokens up to the mask: kind, name and code before.
    pub before: usize,
    /// Tokens from the mask on.
    pub after: usize,
}

impl ValueWindow {
    /// Returns the window of a network.
    pub fn of(config: &ModelConfig) -> Self {
        Self {
            before: config.codexec.max_source,
            after: config.codexec.max_target,
        }
    }

    /// Returns the token ids of a place, cut to the window: the farthest code is dropped first.
    ///
    /// # Errors
    /// If the tokenizer library fails.
    pub fn masked(
        &self,
        excerpt: &Excerpt,
        vocabulary: &Vocabulary,
    ) -> std::result::Result<Masked, VocabularyError> {
        let mut header = vec![vocabulary.start()];
        header.extend(vocabulary.encode(&excerpt.place)?);
        header.truncate(NAME + 1);
        header.push(vocabulary.end());
        let before = vocabulary.encode(&excerpt.before)?;
        let room = self.before.saturating_sub(header.len());
        let before = before[before.len().saturating_sub(room)..].to_vec();
        let mut after = vec![vocabulary.mask()];
        after.extend(vocabulary.encode(&excerpt.after)?);
        after.truncate(self.after.saturating_sub(1));
        after.push(vocabulary.end());
        Ok(Masked {
            header,
            before,
            after,
        })
    }
}

/// A trained classifier with its vocabulary.
pub struct ValueModel {
    config: ModelConfig,
    vocabulary: Vocabulary,
    network: Classifier,
}

impl ValueModel {
    /// Opens a directory written by `codexec pretrain`.
    ///
    /// # Errors
    /// Names the file, the cause and the remedy; see [`Error`].
    pub fn open(directory: &Path) -> Result<Self> {
        let name = directory.display().to_string();
        let directory = load::locate(&name)?;
        let config = load::read_config(&directory)?;
        let tokenizer = load::read_tokenizer(&directory)?;
        let weights = load::read_weights(&directory)?;
        let vocabulary = Vocabulary::for_sources(tokenizer);
        Self::assemble(&name, config, vocabulary, &weights)
    }

    /// Reads the bytes of the files of a checkpoint.
    ///
    /// # Errors
    /// Same as [`ValueModel::open`], with `name` in place of the directory.
    pub fn from_bytes(name: &str, config: &[u8], tokenizer: &[u8], bytes: &[u8]) -> Result<Self> {
        let file = |file: &str| format!("{name}: {file}");
        let config = ModelConfig::from_json(config, &file("config.json"))?;
        let mut weights = Weights::new(file("model.safetensors"));
        weights.add_safetensors(bytes, &file("model.safetensors"))?;
        Self::assemble(name, config, Vocabulary::from_json(tokenizer), &weights)
    }

    fn assemble(
        name: &str,
        config: ModelConfig,
        vocabulary: std::result::Result<Vocabulary, VocabularyError>,
        weights: &Weights,
    ) -> Result<Self> {
        let wrong = |cause: String| Error::Config {
            file: format!("{name}: config.json"),
            cause,
        };
        if config.num_labels != Some(Class::ALL.len()) {
            let found = config.num_labels;
            let found = found.map_or_else(|| "none".to_owned(), |n| n.to_string());
            let classes = Class::ALL.len();
            return Err(wrong(format!(
                "num_labels is {found}; a predictor of values has {classes}"
            )));
        }
        let window = ValueWindow::of(&config);
        if window.before <= NAME + 2 || window.after < 2 {
            return Err(wrong("the window leaves no code to read".to_owned()));
        }
        if window.before + window.after > config.max_tokens() {
            let positions = config.max_position_embeddings;
            return Err(wrong(format!(
                "the window is wider than {positions} positions allow"
            )));
        }
        let vocabulary = vocabulary.map_err(|error| Error::Tokenizer {
            file: format!("{name}: tokenizer.json"),
            cause: error.to_string(),
        })?;
        if vocabulary.size() > config.vocab_size {
            return Err(wrong(format!(
                "vocab_size is {}, tokenizer.json has {} tokens",
                config.vocab_size,
                vocabulary.size()
            )));
        }
        let tensors = weights.select(&config, &Device::Cpu, DType::F32)?;
        let vb = VarBuilder::from_tensors(tensors, DType::F32, &Device::Cpu);
        Ok(Self {
            network: Classifier::new(&config, vb)?,
            config,
            vocabulary,
        })
    }

    /// Returns the classes of each place, most probable first.
    ///
    /// # Errors
    /// If the tokenizer library fails or tensors cannot be made.
    pub fn predict(&self, excerpts: &[Excerpt]) -> Result<Vec<Vec<LikelyClass>>> {
        /// Places per batch; more do not fit the cache.
        const BATCH: usize = 32;
        let window = ValueWindow::of(&self.config);
        let refused = |error: VocabularyError| Error::Tokenizer {
            file: "tokenizer.json".to_owned(),
            cause: error.to_string(),
        };
        let masked: Vec<Masked> = excerpts
            .iter()
            .map(|e| window.masked(e, &self.vocabulary))
            .collect::<std::result::Result<_, _>>()
            .map_err(refused)?;
        let mut found = Vec::with_capacity(masked.len());
        for places in masked.chunks(BATCH) {
            let device = self.network.stack().device();
            let batch = MaskedBatch::new(places, window.before, &self.config, device)?;
            let logits = self.network.logits(&batch)?;
            let shares = candle_nn::ops::softmax(&logits, 1)?.to_vec2::<f32>()?;
            found.extend(shares.into_iter().map(LikelyClass::ranked));
        }
        Ok(found)
    }
}
