//! The network as something the curriculum can train, and records as examples it can learn from.
//!
//! `curriculum` knows no network and no tokenizer; this module brings the two together. It reads no
//! configuration file and draws no progress bar: the command line does.

mod examples;
mod network;

pub use examples::{encode_records, train_vocabulary};
pub use network::{ModelSettings, TrainableNetwork};
