//! Questions and answers for training a network in step form: what programs ask, variants of it with other values,
//! and exercises of single operations.
//!
//! An oracle that executes operations answers them; nothing here does.

mod exercises;
mod recording;
mod vary;

pub use exercises::Exercises;
pub use recording::Recording;
pub use vary::{is_huge, vary};
