//! The differentiable operations the network is made of, fused for the CPU.
//!
//! On the CPU in f32 each operation is one forward and one backward pass over its values, single threaded: a trainer
//! runs one thread per micro-batch. On a GPU, blocks, look-ups and the loss are kernels and products with a
//! hand-written backward pass (`gpu_layer`, `gpu_ops`). Elsewhere the same function is composed of candle's operations
//! ([`composed`]), which is also the reference of the tests. Every operation has a backward pass: candle's own fused
//! softmax and layer normalisation have none and drop the gradient silently, so they are not used here. Nothing in this
//! module knows the model. Second derivatives are not supported.

mod activation;
mod attention;
mod buffers;
pub mod composed;
mod cross_entropy;
mod embedding;
mod encoder_layer;
mod execution;
mod given;
mod gpu_layer;
mod gpu_ops;
mod gpu_steps;
mod kernels;
mod layer_weights;
mod linear;
mod lstm;
mod norm;
mod products;
mod rotary;
mod softmax;
mod spans;
mod stack;

pub use activation::{bias_gelu, gelu};
pub use attention::attention;
pub use composed::MASKED;
pub use cross_entropy::{
    cross_entropy, linear_cross_entropy, linear_cross_entropy_and_hits, weighted_hits,
};
pub use embedding::{EmbeddingTables, embedding, embeddings};
pub use encoder_layer::{encoder_layer, encoder_layer_rows};
pub use execution::{Execution, Flow, Modulation, Moment, Plan, Recorded};
pub use layer_weights::{Dense, EncoderLayer, Norm};
pub use linear::{add_bias, linear, project};
pub use norm::{layer_norm, residual_layer_norm};
pub use products::Products;
pub use rotary::{RotaryTable, Rotation, rotate};
pub use softmax::masked_softmax;
pub use spans::{Pooling, pool_spans};
pub use stack::encoder_layers;

use candle_core::{DType, Tensor};

/// Whether the fused form can take these.
fn fusible(tensors: &[&Tensor]) -> bool {
    tensors
        .iter()
        .all(|t| t.device().is_cpu() && t.dtype() == DType::F32)
}

/// Whether these are on a GPU.
fn on_gpu(tensors: &[&Tensor]) -> bool {
    tensors.iter().all(|t| t.device().is_cuda())
}

#[cfg(test)]
mod tests;
