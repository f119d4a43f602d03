//! Initial weights from a seed. candle's own generator cannot be seeded on the CPU, and the same
//! seed must give the same bytes everywhere.

use std::collections::BTreeMap;

use candle_core::{Device, Result, Tensor};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::config::ModelConfig;

/// Every tensor of a network by name: matrices and tables normal, biases 0, layer normalisations 1,
/// and the position table sinusoidal.
///
/// Matrices have standard deviation 0.8 over the root of the width: RoBERTa's 0.02 is 0.55 over the
/// root of its 768, and too small for narrow networks, whose attention then starts out uniform. The
/// position table is learned like any other, but starting from sinusoids lets a head look at the
/// previous token without having seen every pair of positions (Vaswani et al. 2017, section 3.5).
pub fn random_weights(
    config: &ModelConfig,
    seed: u64,
    device: &Device,
) -> Result<BTreeMap<String, Tensor>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let spread = 0.8 / (config.hidden_size as f64).sqrt();
    config
        .tensors()
        .into_iter()
        .map(|(name, shape)| {
            let tensor = if name.ends_with("position_embeddings.weight") {
                let values = sinusoids(shape[0], shape[1], spread);
                Tensor::from_vec(values, shape, device)?
            } else if shape.len() == 2 {
                let count = shape.iter().product();
                Tensor::from_vec(normals(&mut rng, count, spread), shape, device)?
            } else if name.ends_with("LayerNorm.weight") {
                Tensor::ones(shape, candle_core::DType::F32, device)?
            } else {
                Tensor::zeros(shape, candle_core::DType::F32, device)?
            };
            Ok((name, tensor))
        })
        .collect()
}

/// Sines and cosines of wavelengths from 2 pi to 10,000 times that, with the given root mean square.
fn sinusoids(rows: usize, width: usize, spread: f64) -> Vec<f32> {
    let amplitude = spread * std::f64::consts::SQRT_2;
    let mut out = Vec::with_capacity(rows * width);
    for row in 0..rows {
        for column in 0..width {
            let exponent = (column / 2 * 2) as f64 / width as f64;
            let angle = row as f64 / 10_000f64.powf(exponent);
            let wave = if column % 2 == 0 {
                angle.sin()
            } else {
                angle.cos()
            };
            out.push((amplitude * wave) as f32);
        }
    }
    out
}

/// Normal values by Box and Muller.
pub fn normals(rng: &mut ChaCha8Rng, count: usize, spread: f64) -> Vec<f32> {
    let mut out = Vec::with_capacity(count + 1);
    while out.len() < count {
        // 1 - u is in (0, 1], so its logarithm is finite.
        let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt() * spread;
        let angle = std::f64::consts::TAU * rng.random::<f64>();
        out.push((radius * angle.cos()) as f32);
        out.push((radius * angle.sin()) as f32);
    }
    out.truncate(count);
    out
}
