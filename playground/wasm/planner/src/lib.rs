//! codexec's planner for a browser: the module that a page loads first. `codexec_playground` has its functions.

pub use codexec_playground::memory::{alloc, complaint, give_back, plan};
