//! Builds the network of a run, according to what it learns.

use std::collections::HashMap;

use candle_core::{DType, Device, Tensor};
use codexec_curriculum::{Precision, RunConfig};
use codexec_data::tokenizer::Vocabulary;

use crate::check::ipa::IpaConfig;
use crate::model::ModelConfig;
use crate::training::{
    ModelSettings, Network, Task, TrainableClassifier, TrainableEncoder, TrainableErrors,
    TrainableNetwork,
};

/// The ingredients of a network.
pub(super) struct Start<'a> {
    pub settings: &'a ModelSettings,
    pub model: &'a ModelConfig,
    pub vocabulary: &'a Vocabulary,
    /// Initial weights.
    pub weights: Option<HashMap<String, Tensor>>,
}

impl Start<'_> {
    /// The network, its weights as variables.
    pub(super) fn network(
        self,
        config: &RunConfig,
        device: &Device,
    ) -> anyhow::Result<Box<dyn Network>> {
        let (model, weights, seed) = (self.model, self.weights, config.seed);
        let compute = compute_type(config);
        Ok(match self.settings.task {
            Task::Traces | Task::Answers => Box::new(TrainableNetwork::new(
                model, seed, weights, compute, device,
            )?),
            Task::Values => Box::new(TrainableClassifier::new(
                model,
                self.vocabulary,
                seed,
                weights,
                compute,
                device,
            )?),
            Task::Errors => {
                let config = IpaConfig::of(model.clone(), "[model]")?;
                Box::new(TrainableErrors::new(&config, seed, weights, device)?)
            }
            Task::Search => {
                let temperature = self.settings.search.unwrap_or_default().temperature;
                let encoder = TrainableNetwork::new(model, seed, weights, compute, device)?;
                Box::new(TrainableEncoder::new(encoder, temperature))
            }
        })
    }
}

/// Device and type of the model's computations.
pub(super) fn compute_type(config: &RunConfig) -> DType {
    match config.dtype {
        Precision::F32 => DType::F32,
        Precision::Bf16 => DType::BF16,
    }
}
