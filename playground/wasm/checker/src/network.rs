//! The network that answers what is not folded, with weights that the page hands over.

use std::cell::Cell;

use candle_core::Device;
use codexec_engine::plan::Network;
use codexec_model::{Checkpoint, embedded};
use codexec_playground::answered;

thread_local! {
    /// The network, as soon as its weights are there. It lasts as long as the instance.
    static LEARNT: Cell<Option<&'static Checkpoint>> = const { Cell::new(None) };
}

/// Takes the weights; the answer is JSON.
pub(crate) fn learn(weights: &[u8]) -> String {
    let learnt = embedded::steps_of(weights, &Device::Cpu).map(|checkpoint| {
        LEARNT.set(Some(Box::leak(Box::new(checkpoint))));
        serde_json::json!({})
    });
    answered(learnt.map_err(|error| error.to_string()))
}

/// The network.
///
/// # Errors
/// An error if there are no weights yet.
pub(crate) fn network() -> Result<Network<'static>, String> {
    let checkpoint = LEARNT.get().ok_or("the network has no weights yet")?;
    Network::new(checkpoint).map_err(|error| error.to_string())
}
