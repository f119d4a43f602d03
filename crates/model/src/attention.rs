//! Self-attention of one block: projections into heads and back. The caller supplies the scores,
//! the mask and the cache.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

use super::config::ModelConfig;
use super::linear::{LayerNorm, Linear};
use super::ops;

/// Query, key and value projections.
#[derive(Debug, Clone)]
enum Projections {
    /// Three matrices, as checkpoints and training have them.
    Split([Linear; 3]),
    /// One (3H,H) matrix: one product per decoding step.
    Packed(Linear),
}

/// Self-attention with its output projection and layer normalisation.
#[derive(Debug, Clone)]
pub struct Attention {
    projections: Projections,
    output: Linear,
    norm: LayerNorm,
    heads: usize,
}

/// Queries, keys and values of some tokens, each (B,heads,T,head size).
#[derive(Debug)]
pub struct Heads {
    /// Queries.
    pub q: Tensor,
    /// Keys.
    pub k: Tensor,
    /// Values.
    pub v: Tensor,
}

impl Attention {
    /// Loads the weights below `...attention`.
    pub fn load(config: &ModelConfig, vb: VarBuilder) -> Result<Self> {
        let h = config.hidden_size;
        let part = |name: &str| Linear::load(h, h, vb.pp("self").pp(name));
        Ok(Self {
            projections: Projections::Split([part("query")?, part("key")?, part("value")?]),
            output: Linear::load(h, h, vb.pp("output.dense"))?,
            norm: LayerNorm::load(config, vb.pp("output.LayerNorm"))?,
            heads: config.num_attention_heads,
        })
    }

    /// Joins the three projections into one matrix and arranges all for few rows. Gradients would
    /// reach the joined matrix, not the three.
    pub fn for_inference(&mut self) -> Result<()> {
        if let Projections::Split(parts) = &self.projections {
            self.projections = Projections::Packed(Linear::stack(parts)?.for_inference()?);
        }
        self.output = self.output.for_inference()?;
        Ok(())
    }

    /// Rounds the weights to 8 bits, after [`Self::for_inference`].
    pub fn quantise(&mut self) -> Result<()> {
        self.projections = match &self.projections {
            Projections::Split(parts) => Projections::Packed(Linear::stack(parts)?.quantised()?),
            Projections::Packed(all) => Projections::Packed(all.quantised()?),
        };
        self.output = self.output.quantised()?;
        Ok(())
    }

    /// The query, key and value projections, unless inference joined them.
    pub fn split_projections(&self) -> Option<&[Linear; 3]> {
        match &self.projections {
            Projections::Split(parts) => Some(parts),
            Projections::Packed(_) => None,
        }
    }

    /// The projection after the heads.
    pub fn output(&self) -> &Linear {
        &self.output
    }

    /// The end of the half block.
    pub fn norm(&self) -> &LayerNorm {
        &self.norm
    }

    /// Number of heads.
    pub fn heads(&self) -> usize {
        self.heads
    }

    /// `x` (B,T,H) into heads, queries and keys turned where positions are rotary.
    pub fn project(&self, x: &Tensor, rotation: Option<&ops::Rotation>) -> Result<Heads> {
        let heads = self.unturned(x)?;
        Ok(match rotation {
            None => heads,
            Some(rotation) => Heads {
                q: ops::rotate(&heads.q, rotation)?,
                k: ops::rotate(&heads.k, rotation)?,
                v: heads.v,
            },
        })
    }

    fn unturned(&self, x: &Tensor) -> Result<Heads> {
        let (b, t, width) = x.dims3()?;
        let split = |y: Tensor| {
            y.reshape((b, t, self.heads, width / self.heads))?
                .transpose(1, 2)? // (B,heads,T,D)
                .contiguous()
        };
        match &self.projections {
            Projections::Split([q, k, v]) => Ok(Heads {
                q: split(q.forward(x)?)?,
                k: split(k.forward(x)?)?,
                v: split(v.forward(x)?)?,
            }),
            Projections::Packed(all) => {
                let y = all.forward(x)?; // (B,T,3H)
                let part = |i: usize| split(y.narrow(2, i * width, width)?.contiguous()?);
                Ok(Heads {
                    q: part(0)?,
                    k: part(1)?,
                    v: part(2)?,
                })
            }
        }
    }

    /// Joins the outputs of the heads, (B,heads,T,D), projects them and closes the half block whose
    /// input was `x` (B,T,H).
    pub fn close(&self, seen: &Tensor, x: &Tensor) -> Result<Tensor> {
        let joined = seen.transpose(1, 2)?.contiguous()?.reshape(x.shape())?; // (B,T,H)
        self.norm.residual(&self.output.forward(&joined)?, x)
    }

    /// The whole half block: every token of `x` (B,T,H) attends where `mask` (B,1,T,T) allows it.
    /// Returns the result, and the heads for a cache.
    pub fn forward(
        &self,
        x: &Tensor,
        mask: &Tensor,
        rotation: Option<&ops::Rotation>,
    ) -> Result<(Tensor, Heads)> {
        let heads = self.project(x, rotation)?;
        let seen = ops::attention(&heads.q, &heads.k, &heads.v, mask)?;
        Ok((self.close(&seen, x)?, heads))
    }
}
