//! The two layers everything is made of, with the weights' names as checkpoints have them.

use candle_core::{Result, Tensor};
use candle_nn::{Init, VarBuilder};

use super::config::ModelConfig;
use super::ops;
use super::quantised::Quantised;

/// Standard deviation of fresh weights (RoBERTa's `initializer_range`).
pub const INIT_STD: f64 = 0.02;

/// Initial values of fresh matrices and embeddings.
pub(super) const INIT: Init = Init::Randn {
    mean: 0.0,
    stdev: INIT_STD,
};

/// `x w^T + b`.
#[derive(Debug, Clone)]
pub struct Linear {
    weight: Weight,
    bias: Tensor,
}

/// A matrix (out,in).
#[derive(Debug, Clone)]
enum Weight {
    Exact(Tensor),
    Quantised(Quantised),
}

impl Linear {
    /// Takes `weight` (out,input) and `bias` (out).
    pub fn load(input: usize, out: usize, vb: VarBuilder) -> Result<Self> {
        Ok(Self {
            weight: Weight::Exact(vb.get_with_hints((out, input), "weight", INIT)?),
            bias: vb.get_with_hints(out, "bias", Init::Const(0.0))?,
        })
    }

    /// One layer that concatenates the outputs of several.
    pub fn stack(parts: &[Self]) -> Result<Self> {
        let weights: Vec<_> = parts.iter().map(Self::exact).collect::<Result<_>>()?;
        let biases: Vec<_> = parts.iter().map(|p| &p.bias).collect();
        Ok(Self {
            weight: Weight::Exact(Tensor::cat(&weights, 0)?),
            bias: Tensor::cat(&biases, 0)?,
        })
    }

    /// Arranges the weight for products with few rows: (in,out) in memory, still (out,in)
    /// logically. Ten rows against 768 x 3,072 then take 1.1 ms instead of 3.7, on one core.
    pub fn for_inference(&self) -> Result<Self> {
        Ok(Self {
            weight: Weight::Exact(self.exact()?.t()?.contiguous()?.t()?),
            bias: self.bias.clone(),
        })
    }

    /// The same in 8 bits.
    pub fn quantised(&self) -> Result<Self> {
        Ok(Self {
            weight: Weight::Quantised(Quantised::new(self.exact()?)?),
            bias: self.bias.clone(),
        })
    }

    /// `x` (..., in) to (..., out).
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        match &self.weight {
            Weight::Exact(weight) => ops::linear(x, weight, &self.bias),
            Weight::Quantised(weight) => ops::add_bias(&weight.project(x)?, &self.bias),
        }
    }

    /// The weights, for an operation over a whole block.
    ///
    /// # Errors
    /// If they are quantised.
    pub fn dense(&self) -> Result<ops::Dense<'_>> {
        Ok(ops::Dense {
            weight: self.exact()?,
            bias: &self.bias,
        })
    }

    /// `gelu(forward(x))`.
    pub fn forward_gelu(&self, x: &Tensor) -> Result<Tensor> {
        let y = match &self.weight {
            Weight::Exact(weight) => ops::project(x, weight)?,
            Weight::Quantised(weight) => weight.project(x)?,
        };
        ops::bias_gelu(&y, &self.bias)
    }

    fn exact(&self) -> Result<&Tensor> {
        match &self.weight {
            Weight::Exact(weight) => Ok(weight),
            Weight::Quantised(_) => candle_core::bail!("these weights are quantised"),
        }
    }
}

/// Layer normalisation over the hidden axis.
#[derive(Debug, Clone)]
pub struct LayerNorm {
    weight: Tensor,
    bias: Tensor,
    eps: f64,
}

impl LayerNorm {
    /// Takes `weight` and `bias`, both (hidden).
    pub fn load(config: &ModelConfig, vb: VarBuilder) -> Result<Self> {
        Ok(Self {
            weight: vb.get_with_hints(config.hidden_size, "weight", Init::Const(1.0))?,
            bias: vb.get_with_hints(config.hidden_size, "bias", Init::Const(0.0))?,
            eps: config.layer_norm_eps,
        })
    }

    /// The weights, for an operation over a whole block.
    pub fn scales(&self) -> ops::Norm<'_> {
        ops::Norm {
            weight: &self.weight,
            bias: &self.bias,
        }
    }

    /// Added to the variance.
    pub fn eps(&self) -> f64 {
        self.eps
    }

    /// Normalises `x` (..., hidden).
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        ops::layer_norm(x, &self.weight, &self.bias, self.eps)
    }

    /// Normalises `x + residual`.
    pub fn residual(&self, x: &Tensor, residual: &Tensor) -> Result<Tensor> {
        ops::residual_layer_norm(x, residual, &self.weight, &self.bias, self.eps)
    }
}
