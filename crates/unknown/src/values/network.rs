//! What a missing value probably is, by the network: LExecutor's neural predictor (paper 1, section
//! 3.3) with the stack of the trace model as encoder.
//!
//! A place is read as `<s> KIND NAME </s> code before <mask0> code after </s>`; the classes are those
//! of [`Class`], in its order.

use std::path::Path;

use candle_core::{DType, Device};
use candle_nn::VarBuilder;
use codexec_data::tokenizer::{Vocabulary, VocabularyError};

use super::{Class, Excerpt, LikelyClass};
use codexec_model::error::{Error, Result};
use codexec_model::weights::Weights;
use codexec_model::{Classifier, Masked, MaskedBatch, ModelConfig, load};

/// Most tokens of a kind and a name.
const NAME: usize = 10;

/// How much of the code about a place is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueWindow {
    /// Tokens up to the mask: kind, name and code before.
    pub before: usize,
    /// Tokens from the mask on.
    pub after: usize,
}

impl ValueWindow {
    /// That of a network.
    pub fn of(config: &ModelConfig) -> Self {
        Self {
            before: config.codexec.max_source,
            after: config.codexec.max_target,
        }
    }

    /// The token ids of a place, cut to the window: far code goes first.
    ///
    /// # Errors
    /// When the tokenizer library refuses.
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
    /// Opens a directory that `codexec pretrain` wrote.
    ///
    /// # Errors
    /// Names the file, the cause and what to do; see [`Error`].
    pub fn open(directory: &Path) -> Result<Self> {
        let name = directory.display().to_string();
        let directory = load::locate(&name)?;
        let config = load::read_config(&directory)?;
        let tokenizer = load::read_tokenizer(&directory)?;
        let weights = load::read_weights(&directory)?;
        let vocabulary = Vocabulary::for_sources(tokenizer);
        Self::assemble(&name, config, vocabulary, &weights)
    }

    /// From the bytes of the files of a checkpoint.
    ///
    /// # Errors
    /// As [`ValueModel::open`], `name` standing for the directory.
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

    /// The classes of each place, the most probable first.
    ///
    /// # Errors
    /// When the tokenizer library refuses or tensors cannot be made.
    pub fn predict(&self, excerpts: &[Excerpt]) -> Result<Vec<Vec<LikelyClass>>> {
        /// Places at once; more do not fit the cache.
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
