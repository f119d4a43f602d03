//! Consecutive blocks.

use candle_core::{Result, Tensor};

use super::layer_weights::EncoderLayer;
use super::{encoder_layer, encoder_layer_rows, gpu_layer};

/// [`encoder_layer`] for each of `layers` in turn, and [`encoder_layer_rows`] for the last one: `x` (B,T,H), `mask`
/// (B,1,T,T), `rows` (R) u32. Returns (R,H). On a GPU this is one operation, so that no gradient between two blocks is
/// copied.
///
/// # Errors
/// Without layers, and the operations of one.
pub fn encoder_layers(
    x: &Tensor,
    mask: &Tensor,
    layers: &[EncoderLayer<'_>],
    rows: &Tensor,
) -> Result<Tensor> {
    let Some((last, first)) = layers.split_last() else {
        candle_core::bail!("encoder layers: none");
    };
    if layers.iter().all(|layer| layer.on_gpu(x, mask)) {
        return gpu_layer::encoder_layers(x, mask, layers, Some(rows));
    }
    let mut x = x.clone();
    for layer in first {
        x = encoder_layer(&x, mask, layer)?;
    }
    encoder_layer_rows(&x, mask, last, rows)
}
