//! Curriculum training for anything that implements [`Trainable`]: a run is a list of stages, each
//! with its data mix, budget and learning rate; batches of similar lengths; AdamW with clipping on
//! f32 master weights; checkpoints from which a run continues as if it had never stopped.
//!
//! The crate knows no model, tokenizer or data format: those implement [`Trainable`] and
//! [`ExampleSource`]. It starts no process, prints nothing and sets no global.

mod ablation;
mod adamw;
mod average;
mod batcher;
mod benchmark;
mod checkpoint;
mod config;
mod error;
mod example;
mod fingerprint;
mod gradient;
mod hardest;
mod metrics;
mod muon;
mod on_device;
mod pack;
mod parameters;
mod report;
mod schedule;
mod setup;
mod spike;
mod stage;
mod state;
mod trainer;

pub use ablation::Ablation;
pub use batcher::{Batcher, Member, Pick};
pub use benchmark::{Benchmark, Now, benchmark};
pub use config::{Budget, Hardest, OptimizerConfig, Precision, RunConfig, StageConfig};
pub use error::{Error, ForeignError, Result};
pub use example::{BatchLoss, Example, ExampleSource, Lengths, RoundSource, Tally, Trainable};
pub use fingerprint::fingerprint;
pub use gradient::check_gradients;
pub use metrics::{Notice, Observer, Progress, Skip};
pub use pack::{PackLimits, pack, unpack};
pub use parameters::{Parameter, Parameters, Placement, export_safetensors};
pub use report::{CURVES, Chosen, METRICS_FILE, Metrics, OnlineRow, Reached, StageRow};
pub use schedule::{Position, Schedule, learning_rate};
pub use setup::{Clock, Setup, SystemClock, has_checkpoints};
pub use stage::{DataSets, OnlineSets};
pub use trainer::{Ended, Trainer};
