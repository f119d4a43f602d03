//! Questions about a finished trace. Nothing is executed here. All engines that record calls and returns (planned
//! and run traces) give the same answers.
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
//! Text for people is made elsewhere: in `src/cli/view/`.

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
