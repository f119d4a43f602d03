//! codexec's planner for a browser, behind a C interface: a request goes in as JSON, and what the program will do comes out.
//!
//! | function | what |
//! |---|---|
//! | `alloc(len)` | memory for `len` bytes, to write a request to |
//! | `plan(ptr, len)` | plans the request there; gives a little-endian `u32` and as many bytes of JSON |
//! | `free(ptr, len)` | gives memory back: that of a request, or that of an answer with its four bytes |
//! | `complaint()` | what the module said before it trapped, in the form of an answer; empty if nothing |
//!
//! [`Request`] and [`Answer`] are the forms of both. The module imports one function, `codexec.now`, a clock in
//! milliseconds. Nothing of the program is executed, and nothing is asked of a network. After a trap the instance is not
//! to be used again.

mod beside;
mod guesses;
pub mod memory;
#[allow(unreachable_pub)]
#[path = "../../../data/src/names.rs"]
mod names;
mod request;
mod uses;
mod words;

pub use request::{Answer, File, MadeUp, Request, TakenForGranted, World, plan};
