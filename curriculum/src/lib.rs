//! Stages, schedule, trainer and checkpoints.
