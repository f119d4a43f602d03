//! What a checkpoint is asked for; one file per task.

pub mod default_model;
pub mod evaluation;
mod in_order;
pub mod orca_evaluation;
pub mod trace;
