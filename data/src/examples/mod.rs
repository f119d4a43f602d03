//! Programs to training examples: pairs of source text and target text.
//!
//! | module | what |
//! |---|---|
//! | [`fuzz`] | random values of a named type, as Python literals |
//! | [`types`], [`probe`] | which types the variables of a statement can have: guessed, then tried |
//! | [`step`] | one statement and what it changes |
//! | [`single_line`], [`trace_steps`] | many of those: with random values, and from real runs |
//! | [`trace`] | a whole program and its delta trace |
//! | [`tutorial`] | the documentation's examples: [`session`] as programs, [`slice`](mod@slice) what they need, [`transcript`] what they should answer |
//! | [`build`] | many of them, in parallel |
//! | [`tracer`] | what says what programs do: the sandbox, or a planner |
//!
//! Token ids are made later, from the text. The behaviour of a program comes from running it, or from a planner that
//! injects nothing.

pub mod build;
mod excerpts;
pub mod fuzz;
pub mod probe;
pub mod session;
pub mod single_line;
pub mod slice;
pub mod step;
pub mod trace;
pub mod trace_steps;
pub mod tracer;
pub mod transcript;
pub mod tutorial;
pub mod types;

pub use crate::records::{self as record, Kind, Record};
