//! Missing values: the classes they are of, the queries about them, what predicts them, and the events
//! that predictors learn from.
//!
//! | module | what |
//! |---|---|
//! | `classes` | the closed set of classes |
//! | [`predictors`] | what a missing value probably is: one file each |
//! | [`network`] | the classifier behind the neural one |
//! | [`linear`] | the classifier over features of a place, and how it learns |
//! | `excerpt` | a place and the code about it as words |
//! | [`events`] | recorded uses of values, to learn from and to measure on |
//! | `recorded` | such events of what a recorded command did |
//!
//! How a value is used is read in [`analysis`](crate::analysis). What value a class becomes is decided in
//! the sandbox.

mod classes;
pub mod events;
mod excerpt;
pub mod linear;
pub mod network;
pub mod predictors;
mod recorded;

pub use classes::{Class, Coarse};
pub use excerpt::Excerpt;
pub use predictors::{LikelyClass, Predictor, Query};
pub use recorded::{Recorded, RecordedEvent, recorded_events, write_events};
