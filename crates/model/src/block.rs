//! One post-layer-norm block: attention, then the feed-forward layer.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

use super::attention::{Attention, Heads};
use super::config::ModelConfig;
use super::kv_cache::LayerCache;
use super::linear::{LayerNorm, Linear};
use super::ops;

/// A block of the stack.
#[derive(Debug, Clone)]
pub struct Block {
    attention: Attention,
    widen: Linear,
    narrow: Linear,
    norm: LayerNorm,
}

impl Block {
    /// Loads the weights below `encoder.layer.N`.
    pub fn load(config: &ModelConfig, vb: VarBuilder) -> Result<Self> {
        let (h, f) = (config.hidden_size, config.intermediate_size);
        Ok(Self {
            attention: Attention::load(config, vb.pp("attention"))?,
            widen: Linear::load(h, f, vb.pp("intermediate.dense"))?,
            narrow: Linear::load(f, h, vb.pp("output.dense"))?,
            norm: LayerNorm::load(config, vb.pp("output.LayerNorm"))?,
        })
    }

    /// See [`Attention::for_inference`].
    pub fn for_inference(&mut self) -> Result<()> {
        self.widen = self.widen.for_inference()?;
        self.narrow = self.narrow.for_inference()?;
        self.attention.for_inference()
    }

    /// Rounds the weights to 8 bits, after [`Self::for_inference`].
    pub fn quantise(&mut self) -> Result<()> {
        self.widen = self.widen.quantised()?;
        self.narrow = self.narrow.quantised()?;
        self.attention.quantise()
    }

    /// All tokens together: `x` (B,T,H), `mask` (B,1,T,T). Returns (B,T,H), and the heads for a
    /// cache.
    pub fn forward(
        &self,
        x: &Tensor,
        mask: &Tensor,
        rotation: Option<&ops::Rotation>,
    ) -> Result<(Tensor, Heads)> {
        let (x, heads) = self.attention.forward(x, mask, rotation)?;
        Ok((self.feed_forward(&x)?, heads))
    }

    /// [`Self::forward`] without the heads, as one operation: the form for training.
    pub fn forward_fused(
        &self,
        x: &Tensor,
        mask: &Tensor,
        rotation: Option<&ops::Rotation>,
        products: ops::Products,
    ) -> Result<Tensor> {
        match self.layer(rotation, products)? {
            Some(layer) => ops::encoder_layer(x, mask, &layer),
            None => Ok(self.forward(x, mask, rotation)?.0),
        }
    }

    /// The weights for one operation over the block. `None` once they are arranged for decoding.
    pub(super) fn layer<'a>(
        &'a self,
        rotation: Option<&'a ops::Rotation>,
        products: ops::Products,
    ) -> Result<Option<ops::EncoderLayer<'a>>> {
        let Some([query, key, value]) = self.attention.split_projections() else {
            return Ok(None);
        };
        let layer = ops::EncoderLayer {
            query: query.dense()?,
            key: key.dense()?,
            value: value.dense()?,
            output: self.attention.output().dense()?,
            attention_norm: self.attention.norm().scales(),
            widen: self.widen.dense()?,
            narrow: self.narrow.dense()?,
            output_norm: self.norm.scales(),
            heads: self.attention.heads(),
            eps: self.norm.eps(),
            rotation,
            products,
        };
        Ok(Some(layer))
    }

    /// New tokens on top of a cache: `x` (P,R,H), `mask` (P,1,R,K) over everything cached, the new
    /// tokens included.
    pub fn step(
        &self,
        x: &Tensor,
        cache: &LayerCache,
        at: usize,
        mask: &Tensor,
        rotation: Option<&ops::Rotation>,
    ) -> Result<Tensor> {
        let heads = self.attention.project(x, rotation)?;
        let (k, v) = cache.append(&heads, at)?;
        let seen = ops::attention(&heads.q, &k, &v, mask)?;
        self.feed_forward(&self.attention.close(&seen, x)?)
    }

    fn feed_forward(&self, x: &Tensor) -> Result<Tensor> {
        self.norm
            .residual(&self.narrow.forward(&self.widen.forward_gelu(x)?)?, x)
    }
}
