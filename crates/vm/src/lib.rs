//! A virtual machine for Python that executes nothing outside of itself: no process, no file, no clock.
//!
//! A program is compiled to the instructions of CPython 3.11 ([`codexec_compile`]) and walked by a [`machine`] with frames
//! and a heap of objects ([`value`]). An operation is folded where the values are known and a compiler could do it
//! ([`fold`]); at any other the machine stops and says what it needs ([`operation`]). It knows neither who answers nor how.

pub mod fold;
pub mod machine;
pub mod operation;
pub mod stand_in;
pub mod text;
pub mod value;

pub use codexec_compile as compile;
pub use codexec_compile::code;
