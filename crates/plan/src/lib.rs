//! Planned execution of Python programs.
//!
//! A [`machine`] walks a program. When it stops at an operation that it does not perform itself, the operands become a
//! [`question`] ([`ask`]), an oracle answers it, and the machine continues with the [`answer`]. The result is a
//! [`codexec_trace::Trace`].
//!
//! Nothing here starts a process, reads a file or knows a network: the caller provides oracles.

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
