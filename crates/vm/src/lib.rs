//! A virtual machine for Python that executes nothing outside itself: no process, no file, no
//! clock.
//!
//! A program is compiled to the instructions of CPython 3.11 ([`codexec_compile`]). A [`machine`]
//! with frames and a heap of objects ([`value`]) walks it. An operation is folded if its values are
//! known and a compiler could compute it ([`fold`]). At any other operation the machine stops and
//! reports what it needs ([`operation`]). It does not know who answers, or how.

pub mod fold;
pub mod machine;
pub mod operation;
pub mod stand_in;
pub mod text;
pub mod value;

pub use codexec_compile as compile;
pub use codexec_compile::code;
