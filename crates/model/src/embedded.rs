//! The checkpoint embedded in the binary, so that the main use needs no network and no path.

use candle_core::{DType, Device};

use super::Checkpoint;
use crate::error::{Error, Result};

const CONFIG: &[u8] = include_bytes!("default/config.json");
const TOKENIZER: &[u8] = include_bytes!("default/tokenizer.json");
#[cfg(feature = "whole")]
const WEIGHTS: Option<&[u8]> = Some(include_bytes!("default/model.safetensors"));
#[cfg(not(feature = "whole"))]
const WEIGHTS: Option<&[u8]> = None;
const STEP_CONFIG: &[u8] = include_bytes!("steps/config.json");
#[cfg(not(target_family = "wasm"))]
const STEP_WEIGHTS: Option<&[u8]> = Some(include_bytes!("steps/model.safetensors"));
// A page's download is small, and the weights are separate files.
#[cfg(target_family = "wasm")]
const STEP_WEIGHTS: Option<&[u8]> = None;
const SEARCH_CONFIG: &[u8] = include_bytes!("search/config.json");
#[cfg(not(target_family = "wasm"))]
const SEARCH_WEIGHTS: Option<&[u8]> = Some(include_bytes!("search/model.safetensors"));
#[cfg(target_family = "wasm")]
const SEARCH_WEIGHTS: Option<&[u8]> = None;

/// Name under which traces mention it.
pub const NAME: &str = "default";
/// Name of the checkpoint that answers the planner's questions.
pub const STEPS: &str = "steps";
/// Name of the encoder of searches.
pub const SEARCH: &str = "search";

/// Loads the checkpoint that writes whole traces.
///
/// # Errors
/// If the build has none (feature `whole`), or the embedded files do not match.
pub fn load(device: &Device) -> Result<Checkpoint> {
    let weights = WEIGHTS.ok_or_else(|| Error::Config {
        file: NAME.to_owned(),
        cause: "this build has no network that writes whole traces: name the directory crates/model/src/default of a \
                clone, or another checkpoint, with --model"
            .to_owned(),
    })?;
    Checkpoint::from_bytes(NAME, CONFIG, TOKENIZER, weights, device, DType::F32)
}

/// Loads the checkpoint that answers the planner's questions. Both have the same vocabulary.
///
/// # Errors
/// If the build has none, as in browsers, or the embedded files do not match.
pub fn load_steps(device: &Device) -> Result<Checkpoint> {
    steps_of(STEP_WEIGHTS.ok_or_else(|| no_weights(STEPS))?, device)
}

/// The same with the weights in these bytes, as in a file beside a page.
///
/// # Errors
/// If they are not its weights.
pub fn steps_of(weights: &[u8], device: &Device) -> Result<Checkpoint> {
    Checkpoint::from_bytes(STEPS, STEP_CONFIG, TOKENIZER, weights, device, DType::F32)
}

fn no_weights(name: &str) -> Error {
    Error::Config {
        file: name.to_owned(),
        cause: "this build has no weights of it".to_owned(),
    }
}

/// Loads the encoder of `codexec search`, with the same vocabulary.
///
/// # Errors
/// As [`load_steps`].
pub fn load_search(device: &Device) -> Result<Checkpoint> {
    Checkpoint::from_bytes(
        SEARCH,
        SEARCH_CONFIG,
        TOKENIZER,
        SEARCH_WEIGHTS.ok_or_else(|| no_weights(SEARCH))?,
        device,
        DType::F32,
    )
}

/// A line about each: parameters and bytes.
pub fn describe() -> Vec<String> {
    let all = [
        (STEPS, STEP_WEIGHTS),
        (NAME, WEIGHTS),
        (SEARCH, SEARCH_WEIGHTS),
    ];
    all.iter()
        .filter_map(|(name, weights)| one_line(name, (*weights)?))
        .collect()
}

fn one_line(name: &str, weights: &[u8]) -> Option<String> {
    let tensors = safetensors::SafeTensors::deserialize(weights).ok()?;
    let parameters: usize = tensors
        .tensors()
        .iter()
        .map(|(_, t)| t.shape().iter().product::<usize>())
        .sum();
    let millions = parameters as f64 / 1e6;
    let megabytes = weights.len() as f64 / 1e6;
    Some(format!(
        "{name}: {millions:.1} M parameters, {megabytes:.1} MB, embedded"
    ))
}
