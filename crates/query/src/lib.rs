//! Questions about a finished trace. Nothing is executed here, and the same answers come of every engine that tells
//! calls and returns: planned and run traces.
//!
//! | module | what |
//! |---|---|
//! | [`select`] | which steps: those that change a variable, reach a line, are in a function, print |
//! | [`fold()`] | which steps of loops and recursion say nothing new |
//! | [`why()`] | the assignments and conditions that made a value, an output or an exception |
//! | [`changes`](mod@changes) | what each step changed |
//! | [`frames`] | whose variables a state shows, generators that go on included |
//! | [`syntax`] | what the text says of a line: the names it reads and binds, its loop, its condition |
//!
//! Texts for people are made elsewhere: `src/cli/view/` of the command.

pub mod changes;
pub mod fold;
mod loops;
pub mod select;
pub mod syntax;
pub mod why;

pub use changes::{Changes, changes};
pub use codexec_trace::{Frames, frames};
pub use fold::{Row, fold};
pub use select::{Lines, NothingSelected, Selected, Selection};
pub use syntax::Sources;
pub use why::{Question, Why, why};
