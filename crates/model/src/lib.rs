//! The network: one RoBERTa stack used as encoder and decoder, as in UniXcoder, and beam search with it
//! ([`decode`]).
//!
//! Source tokens see all source tokens; target tokens see the source and earlier targets; the word
//! table is the output matrix. One implementation serves published checkpoints and ours.

pub mod attention;
pub mod block;
pub mod classifier;
pub mod config;
pub mod decode;
pub mod device;
pub mod embedded;
pub mod embeddings;
pub mod error;
pub mod hub;
pub mod init;
pub mod kv_cache;
pub mod linear;
pub mod load;
pub mod mask;
pub mod ops;
pub mod published_tokenizer;
pub mod quantised;
pub mod weights;

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;

pub use classifier::{Classifier, Masked, MaskedBatch};
pub use config::{CodexecConfig, Form, ModelConfig, Writes};
pub use device::{DeviceChoice, device};
pub use init::random_weights;
pub use kv_cache::{KvCache, Row};
pub use load::Checkpoint;
pub use mask::{JointBatch, JointTensors};

pub use error::{Error, Result};

/// The network.
#[derive(Debug, Clone)]
pub struct EncoderDecoder {
    config: ModelConfig,
    embeddings: embeddings::Embeddings,
    blocks: Vec<block::Block>,
    compute: DType,
    products: ops::Products,
    /// What turns queries and keys, where positions are rotary.
    rotary: Option<ops::RotaryTable>,
}

impl EncoderDecoder {
    /// Loads the weights by the names of a bare `RobertaModel`. With a `VarBuilder` over variables
    /// the network can be trained; over plain tensors it keeps no graph.
    pub fn new(config: &ModelConfig, vb: VarBuilder) -> Result<Self> {
        let layers = vb.pp("encoder.layer");
        let block = |i: usize| block::Block::load(config, layers.pp(i));
        Ok(Self {
            config: config.clone(),
            embeddings: embeddings::Embeddings::load(config, vb.pp("embeddings"))?,
            blocks: (0..config.num_hidden_layers)
                .map(block)
                .collect::<candle_core::Result<_>>()?,
            compute: vb.dtype(),
            products: ops::Products::F32,
            rotary: match config.has_rotary_positions() {
                true => {
                    let positions = config.max_position_embeddings;
                    let table = ops::RotaryTable::new(positions, config.head_size(), vb.device())?;
                    Some(table)
                }
                false => None,
            },
        })
    }

    /// The type of matrix products; weights are cast on the fly and keep theirs. On a CPU, bf16 is only for
    /// the products of training, if the processor has them ([`ops::Products::fastest`]).
    pub fn with_compute_dtype(mut self, dtype: DType) -> Self {
        if self.device().is_cpu() && dtype == DType::BF16 {
            self.products = ops::Products::fastest();
        } else {
            self.compute = dtype;
        }
        self
    }

    /// Rearranges the weights for decoding; the network cannot be trained afterwards.
    pub fn for_inference(mut self) -> Result<Self> {
        for block in &mut self.blocks {
            block.for_inference()?;
        }
        Ok(self)
    }

    /// Rounds the matrices to 8 bits, for decoding on a CPU: faster if they do not fit the cache,
    /// and a quarter of the memory. The network cannot be trained afterwards.
    ///
    /// # Errors
    /// If a width is not a multiple of [`quantised::BLOCK`], or the network is not f32 on a CPU.
    pub fn quantise(mut self) -> Result<Self> {
        let widths = [self.config.hidden_size, self.config.intermediate_size];
        if let Some(width) = widths.iter().find(|w| *w % quantised::BLOCK != 0) {
            return Err(Error::Quantise(format!(
                "a width of {width} is no multiple of {}",
                quantised::BLOCK
            )));
        }
        if !self.device().is_cpu() || self.compute != DType::F32 {
            return Err(Error::Quantise("it is for f32 on a CPU".to_owned()));
        }
        for block in &mut self.blocks {
            block.quantise()?;
        }
        self.embeddings.quantise()?;
        Ok(self)
    }

    /// Sizes.
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// Device of the weights.
    pub fn device(&self) -> &Device {
        self.embeddings.device()
    }

    /// The joint pass of training: `ids` and `positions` (B,L) u32, `mask` (B,1,L,L) f32, 0 or
    /// [`ops::MASKED`]. Returns the hidden states (B,L,H).
    pub fn forward_joint(&self, ids: &Tensor, positions: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let mut x = self.embeddings.forward(ids, positions, self.compute)?;
        let rotation = self.rotation(positions)?;
        for block in &self.blocks {
            x = block.forward_fused(&x, mask, rotation.as_ref(), self.products)?;
        }
        Ok(x)
    }

    fn rotation(&self, positions: &Tensor) -> candle_core::Result<Option<ops::Rotation>> {
        self.rotary
            .as_ref()
            .map(|table| table.at(positions))
            .transpose()
    }

    /// Hidden states (..., H) to logits (..., V).
    pub fn logits(&self, hidden: &Tensor) -> Result<Tensor> {
        Ok(self.embeddings.logits(hidden)?)
    }

    /// The hidden states (N,H) that predict the target tokens of a batch.
    pub fn predicting_rows(&self, batch: &JointTensors) -> Result<Tensor> {
        let mut x = self
            .embeddings
            .forward(&batch.ids, &batch.positions, self.compute)?;
        let rotation = self.rotation(&batch.positions)?;
        let rotation = rotation.as_ref();
        let layers = self.blocks.iter();
        let layers = layers.map(|block| block.layer(rotation, self.products));
        let layers: Option<Vec<_>> = layers.collect::<candle_core::Result<_>>()?;
        match layers {
            Some(layers) if !layers.is_empty() => {
                return Ok(ops::encoder_layers(&x, &batch.mask, &layers, &batch.rows)?);
            }
            _ => {}
        }
        for block in &self.blocks {
            x = block.forward(&x, &batch.mask, rotation)?.0;
        }
        Ok(ops::embedding(&batch.rows, &x.flatten_to(1)?)?)
    }

    /// The loss of training: over the `hidden` states of predicting rows (N,H), the sum of `weights`
    /// (N) f32 times `-log p(target)`, `targets` (N) u32; and the sum of the weights of rows whose
    /// target is the most probable. Cheaper than [`Self::logits`] and [`ops::cross_entropy`].
    pub fn loss(
        &self,
        hidden: &Tensor,
        targets: &Tensor,
        weights: &Tensor,
    ) -> Result<(Tensor, Tensor)> {
        Ok(self
            .embeddings
            .loss(hidden, targets, weights, self.products)?)
    }

    /// Runs the sources of a batch of programs through the stack and keeps their keys and values.
    ///
    /// # Errors
    /// [`Error::Length`] when a source is empty or leaves no position for a target.
    pub fn encode(&self, sources: &[&[u32]]) -> Result<KvCache> {
        let (_, layers) = self.through(sources)?;
        let lengths: Vec<usize> = sources.iter().map(|s| s.len()).collect();
        Ok(KvCache::new(layers, &lengths, self.config.pad_token_id))
    }

    /// The last hidden states (B,L,H) of a batch of sources, padded to the longest.
    ///
    /// # Errors
    /// The errors of [`Self::encode`].
    pub fn states(&self, sources: &[&[u32]]) -> Result<Tensor> {
        Ok(self.through(sources)?.0)
    }

    /// Sources through the stack: their last hidden states, and keys and values of each layer.
    fn through(&self, sources: &[&[u32]]) -> Result<(Tensor, Vec<attention::Heads>)> {
        let limit = self.config.max_tokens().saturating_sub(1);
        for source in sources {
            let len = source.len();
            if len == 0 || len > limit {
                return Err(Error::Length {
                    what: "the source",
                    len,
                    limit,
                });
            }
        }
        let pairs: Vec<_> = sources.iter().map(|s| (s.to_vec(), Vec::new())).collect();
        let batch = JointBatch::new(&pairs, self.config.pad_token_id).to_device(self.device())?;
        let mut x = self
            .embeddings
            .forward(&batch.ids, &batch.positions, self.compute)?;
        let rotation = self.rotation(&batch.positions)?;
        let mut layers = Vec::with_capacity(self.blocks.len());
        for block in &self.blocks {
            let heads;
            (x, heads) = block.forward(&x, &batch.mask, rotation.as_ref())?;
            layers.push(heads);
        }
        Ok((x, layers))
    }

    /// One more token for each hypothesis of each program: `rows[p]` are program `p`'s. Returns the
    /// logits of the next token, (P,R,V) f32, with R the maximum rows of a program; a program's
    /// missing rows are meaningless.
    ///
    /// # Errors
    /// [`Error::Length`] when a hypothesis runs out of positions.
    pub fn decode_step(&self, cache: &mut KvCache, rows: &[Vec<Row>]) -> Result<Tensor> {
        let step = cache.prepare(rows, self.device())?;
        self.check_positions(cache)?;
        let mut x = self
            .embeddings
            .forward(&step.ids, &step.positions, self.compute)?;
        let rotation = self.rotation(&step.positions)?;
        for (block, layer) in self.blocks.iter().zip(cache.layers()) {
            x = block.step(&x, layer, step.at, &step.mask, rotation.as_ref())?;
        }
        Ok(self.embeddings.logits_of_few(&x)?.to_dtype(DType::F32)?)
    }

    fn check_positions(&self, cache: &KvCache) -> Result<()> {
        let (len, limit) = (cache.longest(), self.config.max_tokens());
        if len > limit {
            let what = "source and target together";
            return Err(Error::Length { what, len, limit });
        }
        Ok(())
    }
}
