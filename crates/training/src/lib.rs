//! The network as something the curriculum can train, and records as examples it can learn from.
//!
//! `curriculum` knows no network and no tokenizer; this module brings the two together. It reads no
//! configuration file and draws no progress bar: the command line does.

mod errors;
mod examples;
mod network;
mod online;
mod search;
mod store;
mod values;

pub use errors::{ErrorRow, Origin, TrainableErrors, error_examples, train_error_vocabulary};
pub use examples::{DataError, States, Window, encode_files, train_vocabulary};
pub use network::{ModelSettings, Network, Task, TrainableNetwork};
pub use online::{ExampleGenerator, History, Material, Online, OnlineSettings, source_hash};
pub use search::{
    Numbers, Pairs, SearchSettings, TrainableEncoder, search_pairs, search_programs,
    train_search_vocabulary,
};
pub use store::{StoreError, StoreWriter, TokenStore};
pub use values::{TrainableClassifier, train_value_vocabulary, value_examples};
