//! What a checkpoint is asked for; one file per task.

pub mod default_model;
pub mod evaluation;
pub mod orca_evaluation;
pub mod trace;
pub mod values;
