//! Planned execution of Python programs.
//!
//! A program is compiled to the instructions of CPython 3.11 ([`compile`]) and walked by a machine with
//! frames and a heap of objects. An operation is folded where the values are known and a compiler could do
//! it, else it is asked of an oracle. The result is a [`codexec_trace::Trace`].
//!
//! Nothing here starts a process, reads a file or knows a network: oracles are given by the caller.

pub mod difference;
pub mod fold;
pub mod machine;
pub mod oracles;
pub mod question;
pub mod scheduler;
pub mod step_form;
pub mod text;
#[cfg(feature = "sandbox")]
pub mod training;
pub mod value;

pub use codexec_compile as compile;
pub use codexec_compile::code;
