//! What the modules of the playground share: a C interface, through which a request goes in as JSON and what the program will do
//! comes out.
//!
//! | function | what |
//! |---|---|
//! | `alloc(len)` | memory for `len` bytes, to write a request to |
//! | `plan(ptr, len)` | plans the request there; gives a little-endian `u32` and as many bytes of JSON |
//! | `give_back(ptr, len)` | takes memory back: that of a request, or that of an answer with its four bytes |
//! | `complaint()` | what the module said before it trapped, in the form of an answer; empty if nothing |
//!
//! [`Request`] and [`Answer`] are the forms of both. A module imports one function, `codexec.now`, a clock in
//! milliseconds. Nothing of the program is executed. After a trap the instance is not to be used again.
//!
//! `planner/` is the module with these functions. `checker/` has them too, with findings and the network.

mod beside;
mod guesses;
pub mod memory;
#[allow(unreachable_pub)]
#[path = "../../../data/src/names.rs"]
mod names;
mod request;
mod uses;
mod words;

pub use beside::{Beside, ROOT};
pub use request::{
    Answer, File, Fold, GivenValue, MadeUp, Request, TakenForGranted, World, answered, plan,
    plan_with,
};
