//! Planned execution of Python programs.
//!
//! A program is walked by a [`machine`]. Where the machine stops at an operation that it does not do itself, its operands
//! become a [`question`] ([`ask`]), an oracle answers it, and the machine goes on with what the [`answer`] says. The
//! result is a [`codexec_trace::Trace`].
//!
//! Nothing here starts a process, reads a file or knows a network: oracles are given by the caller.

pub mod answer;
pub mod ask;
pub mod difference;
#[cfg(feature = "sandbox")]
pub mod in_process;
pub mod oracles;
pub mod question;
pub mod scheduler;
pub mod step_form;
#[cfg(feature = "sandbox")]
pub mod training;

pub use codexec_vm::{fold, machine, stand_in, text, value};
