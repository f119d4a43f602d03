//! Missing values: their classes, the queries about them, their predictors, and the events that
//! predictors learn from.
//!
//! | module | what |
//! |---|---|
//! | `classes` | the closed set of classes |
//! | [`predictors`] | what a missing value probably is: one file per predictor |
//! | [`network`] | the classifier of the neural predictor |
//! | [`linear`] | the classifier over features of a place, and its training |
//! | `excerpt` | a place and the surrounding code as words |
//! | [`events`] | recorded uses of values, for training and measurement |
//! | `recorded` | such events from a recorded command |
//!
//! [`analysis`](crate::analysis) reads how a value is used. The sandbox decides which value a class
//! becomes.

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
