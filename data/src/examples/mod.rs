//! Programs to training examples: pairs of source text and target text.
//!
//! | module | what |
//! |---|---|
//! | [`fuzz`] | random values of a named type, as Python literals |
//! | [`step`] | one statement and what it changes |
//! | [`trace`] | a whole program and its delta trace |
//! | [`build`] | many of them, in parallel, through the sandbox |
//!
//! Token ids are made later, from the texts; what a program does always comes from running it.

pub mod build;
pub mod fuzz;
pub mod step;
pub mod trace;

pub use crate::records::{self as record, Kind, Record};
