//! The checkpoint that is part of the binary, so that the main job needs no network and no path.

use candle_core::{DType, Device};

use super::Checkpoint;
use crate::error::Result;

const CONFIG: &[u8] = include_bytes!("default/config.json");
const TOKENIZER: &[u8] = include_bytes!("default/tokenizer.json");
const WEIGHTS: &[u8] = include_bytes!("default/model.safetensors");

/// Name under which traces mention it.
pub const NAME: &str = "default";

/// Loads it.
///
/// # Errors
/// Only when the build embedded files that do not belong together.
pub fn load(device: &Device) -> Result<Checkpoint> {
    Checkpoint::from_bytes(NAME, CONFIG, TOKENIZER, WEIGHTS, device, DType::F32)
}

/// One line about it: parameters and bytes.
pub fn describe() -> Option<String> {
    let tensors = safetensors::SafeTensors::deserialize(WEIGHTS).ok()?;
    let parameters: usize = tensors
        .tensors()
        .iter()
        .map(|(_, t)| t.shape().iter().product::<usize>())
        .sum();
    let millions = parameters as f64 / 1e6;
    let megabytes = WEIGHTS.len() as f64 / 1e6;
    Some(format!(
        "{NAME}: {millions:.1} M parameters, {megabytes:.1} MB, embedded"
    ))
}
